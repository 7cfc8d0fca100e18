"""Compares tables: are they the same game, as far as players can tell?

Cards are compared by what they are and what has happened to them, never by their numbers: it makes
no difference which of two copies was destroyed if only their numbers differ. The following does not
count as a difference either:

* the order of cards in a hand, a discard pile, on a base or on a card, and with it the order in
  which copies are asked;
* once cards were shuffled, which of a player's cards are in hand, deck and discard pile: that is
  random either way;
* which of the possible outcomes a random pick has.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Hashable, Iterable, Iterator
from typing import Any

from smashup.engine.game import Game
from smashup.engine.model.constants import (
    AT_BASE,
    BASE_DECK,
    BASE_DISCARD,
    BASE_IN_PLAY,
    BURIED,
    DECK,
    DISCARD,
    HAND,
    LIMBO,
    NONE,
    ON_CARD,
    PLAY,
)
from smashup.engine.model.decisions import CARDS, MOVES, TRIGGERS, Decision
from smashup.engine.model.events import Trigger
from smashup.engine.model.randomness import RandomPolicy
from smashup.engine.model.state import (
    BREAKPOINT,
    NO_EXTRAS,
    PLAYER_POWER,
    SHELTERED,
    Effect,
    State,
)
from smashup.engine.model.table import Table

ROUNDS = 3
"""How far the neighbours of a card tell it from others: host, then the host's host."""
SHUFFLED_ZONES = (HAND, DECK, DISCARD, BASE_DECK, BASE_DISCARD)
MAX_CHOICES = 8
"""How many choices after the first are made alike on both tables before they are compared."""
MAX_TABLES = 2_000
"""How many tables are looked at to find out whether two options can lead to the same."""

Color = str

SITE_EFFECTS = (PLAYER_POWER, BREAKPOINT, NO_EXTRAS, SHELTERED)
"""Effects whose target is a site, not a card."""


def _hash(*facts: Any) -> Color:
    return hashlib.blake2b(repr(facts).encode(), digest_size=8).hexdigest()


def _bag(items: Iterable[Hashable]) -> list[Any]:
    return sorted(items, key=repr)


def _row(effect: Effect) -> tuple[int, ...]:
    return (effect.kind, effect.amount, effect.player, effect.until, effect.until_player)


class Description:
    """A table without card numbers: what each card is, and everything else in terms of that."""

    def __init__(self, game: Game, rng_before: int, viewer: int) -> None:
        self.game = game
        self.viewer = viewer
        self.rng_before = rng_before
        self.decision = game.decision  # first of all: the table catches up with the answers
        self.colors = self._first_colors(game.table.state)
        for _ in range(ROUNDS):
            self.colors = self._next_colors(game.table.state)

    # --- cards ------------------------------------------------------------------------------

    def _first_colors(self, s: State) -> list[Color]:
        in_play = (AT_BASE, ON_CARD, BURIED, BASE_IN_PLAY)
        return [
            _hash(
                s.definition[c].name,
                s.owner[c],
                s.zone[c],
                (s.controller[c], s.played_by[c]) if s.zone[c] in in_play else None,
                s.place[c] if s.zone[c] != ON_CARD else None,
                s.counters[c],
                s.tokens.get(c, 0),
                self._seers(s, c) if self._is_tracked(s, c) else None,
            )
            for c in range(len(s.definition))
        ]

    def _is_tracked(self, s: State, c: int) -> bool:
        """Return whether the player knows who else has seen this very card.

        No player can tell which copy in another player's hand a third player has seen.
        """
        held = s.zone[c] == HAND and s.place[c] == self.viewer
        return held or s.zone[c] in (BURIED, LIMBO)

    def _seers(self, s: State, c: int) -> tuple[int, list[tuple[int, bool]]]:
        """Return the players who know the card, and those who know it is among some others."""
        players = self.game.table.num_players
        mixed = sorted(
            (m.viewer, c in m.known) for m in s.mixes if m.viewer < players and c in m.cards
        )
        return s.seen_by[c] & (1 << players) - 1, mixed

    def _next_colors(self, s: State) -> list[Color]:
        facts: list[list[Any]] = [[color] for color in self.colors]
        for host, attached in s.on_card.items():
            facts[host].append(("carries", _bag(self.colors[a] for a in attached)))
            for a in attached:
                facts[a].append(("on", self.colors[host]))
        for effect in s.effects:
            if effect.kind not in SITE_EFFECTS and effect.target >= 0:
                facts[effect.target].append(("effect", *_row(effect)))
        for ability in s.abilities:
            used = (ability.card, ability.stamp) in s.talents_used | self.game.table.used_in_scoring
            granter = self.color(ability.granted_by)
            facts[ability.card].append(
                ("source", ability.definition.name, granter, ability.until_end_of_turn, used)
            )
        for depth, frame in enumerate(self.game.table.resolutions):
            if frame.cause.card >= 0:
                facts[frame.cause.card].append(("resolving", depth))
        queues = [
            *self.game.table.trigger_queues,
            *(frame.queue for frame in self.game.table.resolutions),
        ]
        for depth, queue in enumerate(queues):
            for trigger in queue:
                facts[trigger.ability.card].append(("waiting", depth, trigger.hook))
        for delayed in s.delayed:
            facts[delayed.card].append(
                ("delayed", delayed.definition.name, delayed.player, delayed.when)
            )
        for key in s.used_this_turn:
            if 0 <= key[0] < len(facts):
                facts[key[0]].append(("once", *(key[3:] if key[1] == -2 else key[2:])))
        for right in s.permissions:
            for c in {right.card, right.on, right.must_affect, right.source_card}:
                if c >= 0:
                    facts[c].append(
                        ("right", right.types, right.max_power, right.once_per_turn_key)
                    )
        return [_hash(known[0], _bag(known[1:])) for known in facts]

    def color(self, c: int) -> Color:
        return self.colors[c] if c >= 0 else str(c)

    # --- the table --------------------------------------------------------------------------

    def _pile(self, cards: Iterable[int]) -> list[Any]:
        return _bag(self.colors[c] for c in cards)

    def _piles(self, s: State) -> list[Any]:
        """Hands, decks and discard piles; all of a player's together once cards were shuffled."""
        if s.rng == self.rng_before:
            ordered = [*s.decks, s.base_deck]
            return [
                [[self.colors[c] for c in deck] for deck in ordered],
                [self._pile(pile) for pile in (*s.hands, *s.discards, s.base_discard)],
            ]
        lots = [[*x, *y, *z] for x, y, z in zip(s.hands, s.decks, s.discards, strict=True)]
        lots.append([*s.base_deck, *s.base_discard])
        return [_bag((s.definition[c].name, s.owner[c]) for c in lot) for lot in lots]

    def _permission(self, facts: tuple[int | str, ...]) -> tuple[Any, ...]:
        row: list[Any] = list(facts)
        for i in (6, 9, 10, 13):  # card, on, must_affect, origin
            row[i] = self.color(row[i])
        return tuple(row[:-2])  # without the lives that these cards are in

    def table(self) -> Color:
        """Describe the complete table."""
        s = self.game.table.state
        return _hash(
            [(site.serial, self.colors[site.base], self._pile(site.cards)) for site in s.sites],
            _bag((e.target, *_row(e)) for e in s.effects if e.kind in SITE_EFFECTS or e.target < 0),
            self._piles(s),
            [self._pile(cards) for cards in s.set_aside],
            self._pile(s.limbo),
            len(s.madness),
            _bag(color for c, color in enumerate(self.colors) if s.zone[c] not in SHUFFLED_ZONES),
            _bag(self._permission(right.to_tuple()) for right in s.permissions),
            _bag((key, count) for key, count in s.turn_counts.items()),
            (s.vp, s.turn, s.current, s.phase, s.scoring, s.extra_turns, s.over, s.winners),
            s.drafted,
        )

    # --- the pending choice -----------------------------------------------------------------

    def option(self, decision: Decision, index: int) -> Color:
        """Describe an option: its label and everything it refers to."""
        option = decision.options[index]
        about: Any = None
        if decision.kind == CARDS:
            about = self.color(option)
        elif decision.kind == TRIGGERS:
            assert isinstance(option, Trigger)
            about = (self.color(option.ability.card), option.ability.definition.name, option.hook)
        elif decision.kind == MOVES:
            place = self.color(option.place) if option.on_card else option.place
            right = (
                self._permission(option.permission.to_tuple())
                if option.permission is not None
                else None
            )
            ability = option.ability.definition.name if option.ability is not None else None
            about = (option.verb, self.color(option.card), place, right, ability)
        return _hash(str(decision.label(index)), about)

    def choice(self) -> Color:
        """Describe the pending choice, independently of the order of its options."""
        decision = self.decision
        if decision is None:
            return ""
        options = [self.option(decision, i) for i in range(len(decision.options))]
        asker = self.color(decision.source)
        return _hash(decision.player, decision.prompt, decision.kind, asker, _bag(options))

    def everything(self) -> Color:
        return _hash(self.table(), self.choice())


def outcome(game: Game, option: int, salt: int) -> Color:
    """Return the table after an option and further choices, up to a menu or a shuffle.

    The further choices are made by meaning, so that two tables that are
    the same up to the numbers of cards get the same choices.
    """
    clone, rng_before, viewer = _after(game, option)
    for step in range(MAX_CHOICES):
        decision = clone.decision
        if decision is None or _is_far_enough(clone, decision, rng_before):
            break
        described = Description(clone, rng_before, viewer)
        keys = [described.option(decision, i) for i in range(len(decision.options))]
        ranks = [random.Random(f"{salt}/{step}/{key}").random() for key in keys]
        clone.choose(ranks.index(min(ranks)))
    return Description(clone, rng_before, viewer).everything()


def all_outcomes(game: Game, option: int) -> set[Color] | None:
    """Return all tables possible after an option, up to a menu or a shuffle.

    None if there are too many.
    """
    decision = game.decision
    assert decision is not None
    rng_before, viewer = game.table.state.rng, decision.player
    found: set[Color] = set()
    left = list(_after_each_pick(game, option))
    for _ in range(MAX_TABLES):
        if not left:
            return found
        clone = left.pop()
        decision = clone.decision
        if decision is None or _is_far_enough(clone, decision, rng_before):
            found.add(Description(clone, rng_before, viewer).everything())
            continue
        for i in range(len(decision.options)):
            left.extend(_after_each_pick(clone, i))
    return None


class PlannedPicks(RandomPolicy):
    """A random policy: picks made so far stay the same, later ones follow a plan."""

    def __init__(self, table: Table, plan: list[int]) -> None:
        self.table = table
        self.plan = plan
        self.is_planning = False
        self.past: set[int] = set()
        """Picks made before, by the state of the generator after them."""
        self.planned: dict[int, int] = {}
        self.counts: list[int] = []
        """How many outcomes each later pick has."""

    def pick(self, items: list[Any]) -> int:
        s = self.table.state
        drawn = s.random_below(len(items))
        if not self.is_planning:
            self.past.add(s.rng)
        if s.rng in self.past:
            return drawn
        if s.rng not in self.planned:
            number = len(self.counts)
            self.planned[s.rng] = self.plan[number] if number < len(self.plan) else 0
            self.counts.append(len(items))
        return self.planned[s.rng]

    def shuffle(self, cards: list[int]) -> None:
        self.table.state.shuffle(cards)


def _after_each_pick(game: Game, option: int) -> Iterator[Game]:
    """Return copies after an option, one for each outcome of the random picks that follow."""
    plans: list[list[int]] = [[]]
    while plans:
        plan = plans.pop()
        clone = game.clone()
        picks = clone.table.random_policy = PlannedPicks(clone.table, plan)
        assert clone.decision is not None  # the clone catches up: these picks are made
        picks.is_planning = True
        clone.choose(option)
        yield clone
        for number in range(len(plan), len(picks.counts)):
            before = [*plan, *[0] * (number - len(plan))]
            plans += [[*before, other] for other in range(1, picks.counts[number])]


def _after(game: Game, option: int) -> tuple[Game, int, int]:
    """Return a copy with an option chosen, its random state before that, and the player."""
    decision = game.decision
    assert decision is not None
    clone = game.clone()
    clone.choose(option)
    return clone, game.table.state.rng, decision.player


def _is_far_enough(game: Game, decision: Decision, rng_before: int) -> bool:
    """Return whether a card has resolved, or randomness makes a comparison meaningless."""
    s = game.table.state
    at_menu = s.phase == PLAY and decision.kind == MOVES and decision.source == NONE
    return at_menu or s.rng != rng_before


def ambiguous(game: Game, decision: Decision, salt: int = 0) -> list[str]:
    """Return labels shared by two options that lead to different games.

    Copies may be asked in another order: then all possible outcomes are compared.
    """
    by_label: dict[str, list[int]] = {}
    for i in range(len(decision.options)):
        by_label.setdefault(str(decision.label(i)), []).append(i)
    found = []
    for label, indices in by_label.items():
        if len(indices) == 1 or len({outcome(game, i, salt) for i in indices}) == 1:
            continue
        reached = [all_outcomes(game, i) for i in indices]
        if None in reached or any(x != reached[0] for x in reached[1:]):
            found.append(label)
    return found
