"""Taking back one's own last choice, until something hidden was seen.

A choice can be taken back as long as nobody else has chosen anything since, nothing was left to
chance, and nobody has learned of a card what they did not know: but for cards of one's own hand
(or buried by oneself), which whoever plays them shows of their own will. What the server answers
for somebody, where everybody can see that there is but one answer, is taken back with it.

That something *did not* happen can tell of hidden cards as well (somebody who has nothing to play
is not asked). So, before a choice is really taken back, it is made again on tables with everything
hidden dealt anew: had it gone otherwise there, something was learned.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from smashup.engine.errors import SmashUpError
from smashup.engine.events.visible_events import OPEN_ZONES
from smashup.engine.game import Game
from smashup.engine.model.constants import BURIED, HAND, MADNESS_DECK, REMOVED
from smashup.engine.model.decisions import Decision
from smashup.engine.model.knowledge import ALL_VIEWERS
from smashup.engine.replay.dealing import Dealer
from smashup.engine.rules import visibility
from smashup.server.storage.records import AnswerRecord
from smashup.server.tables.specials_windows import is_forced

DEALS: Final = 6
"""Tables on which a choice is made again before it is taken back."""
MOST: Final = 50
"""Choices in a row that may be taken back, one after the other."""
_OPEN: Final = frozenset((*OPEN_ZONES, MADNESS_DECK, REMOVED))


@dataclass(frozen=True)
class Knowledge:
    """What is known at a table: by whom of each card, and how far chance has gone."""

    rng: int
    known: list[int]
    """Bits of the viewers who know which card it is."""
    own: list[int]
    """Whose hand it is in, or who buried it; -1 for other cards."""


def knowledge(game: Game) -> Knowledge:
    """What is known now."""
    assert game.decision is not None or game.is_over  # awake
    s = game.table.state
    seen = s.seen_by
    known = [ALL_VIEWERS if zone in _OPEN else seen[c] for c, zone in enumerate(s.zone)]
    if s.base_deck and visibility.knows_card(game.table, -1, s.base_deck[-1]):
        known[s.base_deck[-1]] = ALL_VIEWERS  # a base that is turned up
    own = [
        s.place[c] if zone == HAND else s.controller[c] if zone == BURIED else -1
        for c, zone in enumerate(s.zone)
    ]
    return Knowledge(s.rng, known, own)


def nothing_learned(before: Knowledge, after: Knowledge, seat: int) -> bool:
    """Whether nobody has learned anything, but for what a seat chose to show of its own cards."""
    if before.rng != after.rng or len(before.known) != len(after.known):
        return False
    return all(
        not now & ~then or (own == seat and bool(then >> seat & 1))
        for then, now, own in zip(before.known, after.known, before.own, strict=True)
    )


def depends_on_hidden(game: Game, seat: int, answers: Sequence[int]) -> bool:
    """Whether these answers would have led elsewhere if hidden cards lay otherwise."""
    real = _played(game.clone(), seat, answers)
    dealer = Dealer(game, seat)
    dice = Random(len(game.answers))
    return any(_played(dealer.deal(dice), seat, answers) != real for _ in range(DEALS))


def _played(table: Game, seat: int, answers: Sequence[int]) -> tuple[Any, ...] | None:
    """What a seat sees of a table after some answers; None where they do not fit."""
    table.table.logging = False
    try:
        for answer in answers:
            table.choose(answer)
    except SmashUpError:
        return None
    view = table.view(seat)
    decision = view["decision"]
    asked = (decision["player"], len(decision.get("options", ()))) if decision else None
    return asked, {**view, "decision": None}


@dataclass
class Choices:
    """The last choices of one person, each of which may still be taken back."""

    seat: int = -1
    begin: list[int] = field(default_factory=list)
    """How many answers held before each of them, the first choice first."""

    def answered(self, decision: Decision, at: int, message: str = "") -> None:
        """A decision is answered: by a person with a message, else by a bot or by the server."""
        seat = decision.player
        if message:
            if seat != self.seat:
                self.forget()
                self.seat = seat
            self.begin = [*self.begin[1 - MOST :], at]
        elif not self._goes_with_it(decision):
            self.forget()

    def _goes_with_it(self, decision: Decision) -> bool:
        """Whether there was but one answer, and everybody could see that, or it was one's own."""
        return is_forced(decision, 1 if decision.player == self.seat else 2)

    def forget(self) -> None:
        """Nothing can be taken back any more."""
        self.seat = -1
        self.begin = []

    def learn(self, before: Knowledge, after: Knowledge) -> None:
        """The table went on from one moment to another."""
        if self.begin and not nothing_learned(before, after, self.seat):
            self.forget()

    def last_of(self, seat: int) -> int | None:
        """How many answers held before the last choice of a seat, if it can be taken back."""
        return self.begin[-1] if self.begin and self.seat == seat else None

    def undone(self) -> None:
        """The last one was taken back."""
        self.begin = self.begin[:-1]


def last_choices(answers: Sequence[AnswerRecord]) -> int:
    """From which answer on it is worth looking for choices that can be taken back.

    Only somebody's last messages count, with what the server answered in between.
    """
    seat = -1
    at = len(answers)
    for record in reversed(answers):
        if record.message:
            if seat not in (-1, record.seat):
                break
            seat = record.seat
        at -= 1
        if len(answers) - at >= MOST:
            break
    return at if seat != -1 else len(answers)


class Recollection:
    """Finds out which choices can be taken back while a game is played again."""

    def __init__(self, answers: Sequence[AnswerRecord]) -> None:
        self.choices = Choices()
        self._begin = last_choices(answers)
        self._last: AnswerRecord | None = None

    def choose(self, game: Game, at: int, record: AnswerRecord) -> None:
        """Give the game its next answer."""
        decision = game.decision
        if at < self._begin or decision is None:
            game.choose(record.option)
            return
        before = knowledge(game)
        last = self._last
        if not record.message or last is None or last.message != record.message:
            # The picks of one message are one choice.
            self.choices.answered(decision, at, record.message)
        self._last = record
        game.choose(record.option)
        self.choices.learn(before, knowledge(game))


@dataclass
class Wish:
    """Somebody wants to take a choice back, and waits for the other people to agree."""

    number: int
    seat: int
    message: str
    """What asked for it."""
    agreed: set[int] = field(default_factory=set)

    def misses(self, seats: Iterable[int]) -> bool:
        """Whether somebody of these has not agreed yet."""
        return any(seat not in self.agreed for seat in seats)
