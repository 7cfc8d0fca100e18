"""An oracle that keeps track of what each viewer can know, by the rules alone.

For every viewer and every place it stores the cards that may be there. Cards that are shown or
looked at narrow this down; shuffles and choices that others do not see widen it again. It reads
neither who the engine says has seen a card nor what is mixed up, only what happens: cards that are
shown, moved and shuffled, and who chooses among which.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from smashup.cards import catalogue
from smashup.engine.events.base import GameEvent
from smashup.engine.events.visible_events import (
    BY_PLAY,
    OPEN_ZONES,
    SHUFFLED,
    VisibleEvent,
    visible_to,
)
from smashup.engine.game import Game
from smashup.engine.model.constants import (
    BASE,
    BURIED,
    DECK,
    HAND,
    LIMBO,
    MADNESS_DECK,
    NONE,
    SETUP,
)
from smashup.engine.model.decisions import CARDS, Decision
from smashup.engine.model.messages import Message, Name
from smashup.engine.model.setup import Setup
from smashup.engine.model.table import Table
from smashup.engine.rules import effects, recording, restrictions, zones

SPECTATOR = -1
AFTER_SHUFFLE = ("card_leaves_play.shuffled_into_deck", "card_placed.shuffled_into_deck")
"""Events about a card that everyone saw go, recorded once its place is lost."""

DISCARDED_FACE_UP = "card_leaves_play.discarded_from_base"
"""A buried card is announced just before it lies face up in the discard pile."""


class Leak(AssertionError):
    """A viewer learned more than the rules allow."""


class WatchedGame(Game):
    """A game that reports everything that happens to an oracle."""

    __slots__ = ("oracle",)

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup, catalogue())
        self.oracle = Oracle(self)
        _watched.append(self)
        del _watched[:-MAX_WATCHED]


MAX_WATCHED = 4
"""Games that are watched at the same time."""
_watched: list[WatchedGame] = []


def _oracle_of(table: Table) -> Oracle | None:
    return next((game.oracle for game in _watched if game.table is table), None)


def _watch() -> None:
    """Make the rules report to the oracles of tables that have one."""
    reveal, reveal_to = zones.reveal, zones.reveal_to
    shuffle_deck, refill_bases = zones.shuffle_deck, effects.refill_bases
    append = recording._append

    def watched_reveal(table: Table, c: int) -> None:
        reveal(table, c)
        if oracle := _oracle_of(table):
            oracle.record_shown(c)

    def watched_reveal_to(table: Table, c: int, player: int) -> None:
        reveal_to(table, c, player)
        if oracle := _oracle_of(table):
            oracle.record_look(c, player)

    def watched_shuffle_deck(table: Table, player: int) -> None:
        if oracle := _oracle_of(table):
            oracle.begin()
        shuffle_deck(table, player)

    def watched_refill_bases(table: Table) -> bool:
        empty = not table.state.base_deck
        found = refill_bases(table)
        oracle = _oracle_of(table)
        if oracle and empty and found:
            oracle.mix(table.state.base_deck, ())
        return found

    def watched_append(table: Table, event: GameEvent) -> None:
        changes, lines = len(table.visible_events), len(table.log)
        append(table, event)
        if oracle := _oracle_of(table):
            for number in range(changes, len(table.visible_events)):
                oracle.record_event(number)
            if len(table.log) > lines:
                oracle.check_log_line()

    patches: list[tuple[Any, str, Any]] = [
        (zones, "reveal", watched_reveal),
        (zones, "reveal_to", watched_reveal_to),
        (zones, "shuffle_deck", watched_shuffle_deck),
        (effects, "refill_bases", watched_refill_bases),
        (recording, "_append", watched_append),
    ]
    for owner, name, watched in patches:
        setattr(owner, name, watched)


_watch()


class Oracle:
    """What each viewer of a game can know."""

    def __init__(self, game: WatchedGame) -> None:
        self.game = game
        self.viewers = (*range(game.table.num_players), SPECTATOR)
        self.may_be: dict[int, list[int]] = {}
        """For each viewer and each place, named by the card there, the cards (bits) it may hold."""
        self.face_up: set[int] = set()
        """Cards in limbo that lie open."""
        self.just_shown: set[int] = set()
        self.choices: dict[int, tuple[list[int], int, bool]] = {}
        """For each card just chosen: the options, the player, and whether it was to order cards."""
        self.private_choices = 0
        """How often a viewer lost track of a card they had known."""

    def begin(self) -> None:
        """Start when the decks are built, with all positions unknown."""
        if self.may_be:
            return
        s = self.game.table.state
        groups: dict[tuple[int, bool], int] = {}
        keys = [
            (owner, kind.type == BASE) for owner, kind in zip(s.owner, s.definition, strict=True)
        ]
        for c, key in enumerate(keys):
            groups[key] = groups.get(key, 0) | 1 << c
        for viewer in self.viewers:
            self.may_be[viewer] = [groups[key] for key in keys]

    # --- what happens -----------------------------------------------------------------------

    def learn(self, viewer: int, c: int) -> None:
        if not self.may_be:
            return
        masks = self.may_be[viewer]
        if masks[c] != 1 << c:
            rest = ~(1 << c)
            self.may_be[viewer] = masks = [mask & rest for mask in masks]
            masks[c] = 1 << c

    def record_shown(self, c: int) -> None:
        self.just_shown.add(c)
        self.face_up.add(c)
        for viewer in self.viewers:
            self.learn(viewer, c)

    def record_look(self, c: int, player: int) -> None:
        self.learn(player, c)

    def mix(self, cards: list[int], seers: tuple[int, ...]) -> None:
        """Record that cards changed places, and that only the seers know which is which."""
        for viewer in self.viewers:
            if viewer in seers or len(cards) < 2 or not self.may_be:
                continue
            masks = self.may_be[viewer]
            known = sum(masks[c] == 1 << c for c in cards)
            together = 0
            for c in cards:
                together |= masks[c]
            for c in cards:
                masks[c] = together
            self.private_choices += bool(seers) and known > 0

    def record_event(self, number: int) -> None:
        s = self.game.table.state
        change = self.game.table.visible_events[number]
        if change.kind == SHUFFLED:
            self.mix(s.decks[change.player], ())
        elif change.origin != (NONE, NONE):
            for c in change.cards:
                self._record_move(c, change)
            self.just_shown.clear()
        self._check_change(number)

    def _record_move(self, c: int, change: VisibleEvent) -> None:
        s = self.game.table.state
        (origin, place), (to, receiver) = change.origin, change.to
        among, chooser, ordered = self.choices.pop(c, ([], NONE, False))
        if to in OPEN_ZONES or to == MADNESS_DECK or change.reason == BY_PLAY:
            for viewer in self.viewers:
                self.learn(viewer, c)
        elif origin == HAND and s.phase != SETUP and c not in self.just_shown:
            seers = (place, receiver) if to == HAND else (place,)
            self.mix([*(x for x in s.hands[place] if x != c), c], seers)
        elif among and c not in self.just_shown:
            if origin == DECK:
                self.mix([*(x for x in s.decks[place] if x != c), c], (chooser,))
            elif origin == LIMBO and (ordered or c not in self.face_up):
                self.mix(among, (chooser,))
        if to == HAND:
            self.learn(receiver, c)
        if to != LIMBO or c not in self.just_shown:
            self.face_up.discard(c)

    def record_choice(self, decision: Decision, option: int) -> None:
        """Record a choice of a player; only that player sees the options."""
        self.just_shown.clear()
        if decision.kind != CARDS:
            return
        zone = self.game.table.state.zone
        cards = [c for c in decision.options if c != NONE and zone[c] in (HAND, DECK, LIMBO)]
        chosen = decision.options[option]
        if chosen in cards and len(cards) > 1:
            several = decision.multi_pick
            ordered = several is not None and several.ordered
            self.choices[chosen] = (cards, decision.player, ordered)

    # --- checks -----------------------------------------------------------------------------

    def may_know(self, viewer: int, c: int) -> bool:
        """Whether a viewer can work out which card this is."""
        if not self.may_be:
            return True
        masks = self.may_be[viewer]
        s = self.game.table.state
        face = (s.definition[c], s.owner[c])
        if all((s.definition[x], s.owner[x]) == face for x in _bits(masks[c])):
            return True
        if sum(mask >> c & 1 for mask in masks) == 1:
            return True  # it can lie nowhere else
        alike = 0
        for x, definition in enumerate(s.definition):
            alike |= ((definition, s.owner[x]) == face) << x
        # As many places as copies: each of these places holds one.
        return sum(bool(mask & alike) for mask in masks) == alike.bit_count()

    def check(self, viewer: int, c: int, where: str) -> None:
        s = self.game.table.state
        if s.zone[c] in OPEN_ZONES or s.zone[c] == MADNESS_DECK or self.may_know(viewer, c):
            return
        who = "a spectator" if viewer == SPECTATOR else f"P{viewer + 1}"
        raise Leak(f"{who} learns of {s.definition[c].name} ({c}) from {where}.")

    def _check_change(self, number: int) -> None:
        game = self.game
        for viewer in self.viewers if self.may_be else ():
            change = visible_to(game.table, viewer, number)[0]
            for card in change.get("cards", ()):
                if "id" in card:
                    self.check(viewer, card["id"], f"the event {change}")

    def check_log_line(self) -> None:
        entry = self.game.table.log[-1]
        if entry.event in AFTER_SHUFFLE or entry.event == DISCARDED_FACE_UP:
            return
        for viewer in self.viewers if self.may_be else ():
            line = entry.for_player(viewer)
            for c in _cards_in_message(line):
                self.check(viewer, c, f"the line «{line}»")

    def check_view(self, viewer: int) -> None:
        game = self.game
        s = game.table.state
        if s.base_deck and restrictions.is_top_base_revealed(game.table):
            self.learn(viewer, s.base_deck[-1])
        view = game.view(viewer)
        for c in shown_cards(view):
            if s.zone[c] != BURIED or game.decision is None:
                self.check(viewer, c, "the view")
        for base in view["bases"]:
            for card in base["cards"]:
                if card.get("buried") and "id" in card:
                    self.check(viewer, card["id"], "the view of a base")
        decision = view["decision"]
        for option in decision.get("options", ()) if decision is not None else ():
            for c in _cards_in_data(option["label"]):
                self.check(viewer, c, f"the option «{option['label']['english']}»")


def _bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def _cards_in_message(value: object) -> Iterator[int]:
    """Yield the cards that a message names."""
    if isinstance(value, Name):
        if value.sort == "card" and value.id >= 0:
            yield value.id
    elif isinstance(value, Message):
        for part in value.args.values():
            yield from _cards_in_message(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _cards_in_message(part)


def _cards_in_data(value: Any) -> Iterator[int]:
    """Yield the cards named by a message in plain data."""
    if isinstance(value, dict):
        if value.get("sort") == "card" and value["id"] >= 0:
            yield value["id"]
        for part in value.values():
            yield from _cards_in_data(part)
    elif isinstance(value, list):
        for part in value:
            yield from _cards_in_data(part)


def shown_cards(value: Any) -> Iterator[int]:
    """Yield every card that a view shows."""
    if isinstance(value, dict):
        if "id" in value and "type" in value and "name" in value:
            yield value["id"]
        for part in value.values():
            yield from shown_cards(part)
    elif isinstance(value, list):
        for part in value:
            yield from shown_cards(part)


def play_watched(setup: Setup, rng: random.Random, decisions: int = 2_000) -> Oracle:
    """Play a random game; raise a `Leak` if a viewer learns more than they can know."""
    game = WatchedGame(setup)
    oracle = game.oracle
    count = 0

    def answer(decision: Decision) -> int:
        nonlocal count
        count += 1
        if count > decisions:
            raise _StopPlaying
        oracle.check_view(rng.choice(oracle.viewers))
        if decision.kind == CARDS:
            oracle.check_view(decision.player)
        option = rng.randrange(len(decision.options))
        oracle.record_choice(decision, option)
        return option

    with suppress(_StopPlaying):
        game.play_out(answer, record=True)
    return oracle


def replay_watched(setup: Setup, answers: list[int], look: Callable[[Oracle, int], None]) -> None:
    """Play recorded answers; call ``look`` with the number of answers before each."""
    game = WatchedGame(setup)
    given = 0

    def answer(decision: Decision) -> int:
        nonlocal given
        look(game.oracle, given)
        if given == len(answers):
            raise _StopPlaying
        option = answers[given]
        game.oracle.record_choice(decision, option)
        given += 1
        return option

    with suppress(_StopPlaying):
        game.play_out(answer, record=True)


class _StopPlaying(Exception):
    """Raised to end a game that has been watched for long enough."""
