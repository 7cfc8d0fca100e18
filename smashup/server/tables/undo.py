"""Undo: which choices can be undone, and how the other players agree to it.

A choice can be undone as long as nobody else has chosen anything since, nothing was left to chance,
and no player has learned anything about a card; except for cards of one's own hand (or buried by
oneself), which players show of their own will. What the server answers for a player, where everyone
can see that there is only one answer, is undone along with it.

That something did *not* happen can reveal hidden cards as well (a player with nothing to play is
not asked). So, before a choice is undone, it is made again on tables with everything hidden dealt
again: if it goes differently there, something was learned.

Requests, votes and undos are entries of the table's log, so every worker knows them.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any, Final

from smashup.engine.errors import SmashUpError
from smashup.engine.events.visible_events import OPEN_ZONES
from smashup.engine.game import Game
from smashup.engine.model.constants import BURIED, HAND, MADNESS_DECK, REMOVED
from smashup.engine.model.decisions import Decision
from smashup.engine.model.knowledge import ALL_VIEWERS
from smashup.engine.replay.dealing import Dealer
from smashup.engine.rules import visibility
from smashup.server.errors import Refused, Stale
from smashup.server.live.protocol import Ack, Agree, Undo
from smashup.server.storage.records import (
    OVER,
    PERSON,
    PLAYING,
    WAITING,
    EntryKind,
    LogEntry,
)
from smashup.server.tables.specials_windows import is_forced
from smashup.server.tables.window_privacy import is_concealed, shown_number

if TYPE_CHECKING:
    from smashup.server.tables.table import Table

DEALS: Final = 6
"""Tables on which a choice is made again before it is undone."""
MAX_CHOICES: Final = 50
"""Choices in a row that may be undone, one after the other."""
REQUEST_NUMBERS: Final = 1_000_000
"""Requests are numbered at random: a count would show how much was logged."""
_OPEN: Final = frozenset((*OPEN_ZONES, MADNESS_DECK, REMOVED))


# --- what was learned -----------------------------------------------------------------------


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
    assert game.decision is not None or game.is_over
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
    """Whether nobody has learned anything, except what a seat chose to show of its own cards."""
    if before.rng != after.rng or len(before.known) != len(after.known):
        return False
    return all(
        not now & ~then or (own == seat and bool(then >> seat & 1))
        for then, now, own in zip(before.known, after.known, before.own, strict=True)
    )


def depends_on_hidden(game: Game, seat: int, answers: Sequence[int]) -> bool:
    """Whether these answers would have led elsewhere with other hidden cards."""
    real = _view_after(game.clone(), seat, answers)
    dealer = Dealer(game, seat)
    dice = Random(len(game.answers))
    return any(_view_after(dealer.deal(dice), seat, answers) != real for _ in range(DEALS))


def _view_after(table: Game, seat: int, answers: Sequence[int]) -> tuple[Any, ...] | None:
    """What a seat sees after some answers; None where they do not fit."""
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


# --- which choices --------------------------------------------------------------------------


@dataclass
class UndoTracker:
    """The last choices of one person, each of which may still be undone."""

    seat: int = -1
    begin: list[int] = field(default_factory=list)
    """How many answers counted before each of them, the first choice first."""

    def note_answer(self, decision: Decision, at: int, message_id: str = "") -> None:
        """A decision is answered: by a person with a message, else by a bot or the server."""
        seat = decision.player
        if message_id:
            if seat != self.seat:
                self.forget()
                self.seat = seat
            self.begin = [*self.begin[1 - MAX_CHOICES :], at]
        elif not self._goes_with_it(decision):
            self.forget()

    def _goes_with_it(self, decision: Decision) -> bool:
        """Whether there was only one answer, and everyone could see that, or it was one's own."""
        return is_forced(decision, 1 if decision.player == self.seat else 2)

    def forget(self) -> None:
        """Nothing can be undone any more."""
        self.seat = -1
        self.begin = []

    def learn(self, before: Knowledge, after: Knowledge) -> None:
        """The table went on from one moment to another."""
        if self.begin and not nothing_learned(before, after, self.seat):
            self.forget()

    def last_of(self, seat: int) -> int | None:
        """How many answers counted before the last choice of a seat, if it can be undone."""
        return self.begin[-1] if self.begin and self.seat == seat else None

    def drop_last(self) -> None:
        """The last choice was undone."""
        self.begin = self.begin[:-1]

    def copy(self) -> UndoTracker:
        """An independent copy."""
        return UndoTracker(self.seat, self.begin[:])


def first_relevant_answer(answers: Sequence[LogEntry]) -> int:
    """From which answer on it is worth looking for choices that can be undone.

    Only a player's last messages count, with what the server answered in between.
    """
    seat: int | None = None
    at = len(answers)
    for entry in reversed(answers):
        if entry.message_id:
            if seat is not None and seat != entry.seat:
                break
            seat = entry.seat
        at -= 1
        if len(answers) - at >= MAX_CHOICES:
            break
    return at if seat is not None else len(answers)


# --- requests -------------------------------------------------------------------------------


@dataclass
class UndoRequest:
    """A player wants to undo a choice, and waits for the other people to agree."""

    number: int
    seat: int
    message: str
    """The message that asked for it."""
    agreed: set[int] = field(default_factory=set)

    def lacks(self, seats: Iterable[int]) -> bool:
        """Whether one of these seats has not agreed yet."""
        return any(seat not in self.agreed for seat in seats)


def request_after(request: UndoRequest | None, entry: LogEntry) -> UndoRequest | None:
    """The open request after one more entry of the log."""
    if entry.kind is EntryKind.UNDO_REQUEST:
        assert entry.seat is not None
        return UndoRequest(entry.data["request"], entry.seat, entry.message_id)
    if entry.kind is EntryKind.UNDO_VOTE and request is not None:
        if not entry.data["yes"]:
            return None
        assert entry.seat is not None
        return UndoRequest(
            request.number, request.seat, request.message, {*request.agreed, entry.seat}
        )
    if entry.kind in (EntryKind.ANSWER, EntryKind.UNDO, EntryKind.OVER, EntryKind.RESUME):
        return None
    return request


def open_request(entries: Sequence[LogEntry]) -> UndoRequest | None:
    """The request that is open at the end of a log."""
    request: UndoRequest | None = None
    for entry in entries:
        request = request_after(request, entry)
    return request


async def undo(table: Table, seat: int, said: Undo) -> Ack:
    """Undo a player's last choice, or ask the others."""
    async with table.changing():
        waiting = table.undo_request is not None and table.undo_request.message == said.id
        if table.log.received(seat, said.id) is None and not waiting:
            await _check_hidden(table, seat, _check(table, seat, said.number))
            request = UndoRequest(secrets.randbelow(REQUEST_NUMBERS), seat, said.id)
            if request.lacks(_voters(table, seat)):
                data = {"request": request.number}
                await table.writer.commit_entry(EntryKind.UNDO_REQUEST, seat, said.id, data)
            else:
                await _commit(table, request)
    return Ack(type="ack", id=said.id, number=shown_number(table, seat))


async def agree(table: Table, seat: int, said: Agree) -> Ack:
    """Vote on a request; or withdraw one's own."""
    async with table.changing():
        request = table.undo_request
        if request is None or request.number != said.wish:
            raise Refused("This request is no longer open.")
        if table.seats[seat].kind != PERSON:
            raise Refused("A bot plays this seat; take it back first.")
        if said.yes and seat == request.seat:
            raise Refused("This is your own wish: the others have to agree.")
        await table.writer.commit_entry(EntryKind.UNDO_VOTE, seat, said.id, {"yes": said.yes})
        await settle(table)
    return Ack(type="ack", id=said.id, number=shown_number(table, seat))


async def settle(table: Table) -> None:
    """Undo if everyone who has to has agreed. The table is being changed by the caller."""
    request = table.undo_request
    if request is None:
        return
    if table.seats[request.seat].kind != PERSON or table.record.state != PLAYING:
        table.undo_request = None  # the player who asked is gone
    elif not request.lacks(_voters(table, request.seat)):
        await _commit(table, request)


async def _commit(table: Table, request: UndoRequest) -> None:
    game, at = table.game, table.choices.last_of(request.seat)
    if game is None or at is None:
        table.undo_request = None
        return
    # All answers are given again: beside the event loop.
    again = await asyncio.to_thread(game.undo, len(game.answers) - at)
    await table.writer.commit_undo(again, request.seat, request.message)


def can_undo(table: Table, seat: int) -> bool:
    """Whether a seat could undo a choice, or ask for it."""
    return (
        bool(table.record.options.get("undo", True))
        and table.game is not None
        and table.record.state == PLAYING
        and table.seats[seat].kind == PERSON
        and table.choices.last_of(seat) is not None
        and table.undo_request is None
        and not is_concealed(table)
    )


def _check(table: Table, seat: int, number: int) -> int:
    """How many answers counted before the last choice of a seat, if it may be undone."""
    if not table.record.options.get("undo", True):
        raise Refused("Undo is disabled at this table.")
    if table.record.state == WAITING or table.game is None:
        raise Refused("The game has not begun yet.")
    if table.record.state == OVER:
        raise Refused("The game is over: there is nothing to choose.")
    if table.seats[seat].kind != PERSON:
        raise Refused("A bot plays this seat; take it back first.")
    if number != shown_number(table, seat):
        raise Stale("The table has gone on in the meantime; look at it again.")
    if table.undo_request is not None:
        raise Refused("The others are being asked already.")
    if is_concealed(table):
        raise Refused("Undo is not possible while players may play Specials.")
    at = table.choices.last_of(seat)
    if at is None:
        raise Refused(
            "Nothing can be undone: another player has chosen since, or something hidden was seen."
        )
    return at


async def _check_hidden(table: Table, seat: int, at: int) -> None:
    """Nothing may have been learned from what did not happen, either."""
    game = table.game
    assert game is not None
    if await asyncio.to_thread(_reveals_hidden, game, at, seat):
        table.choices.forget()
        table.publish()
        raise Refused("This cannot be undone: it would reveal cards that you cannot see.")


def _reveals_hidden(game: Game, at: int, seat: int) -> bool:
    before = game.undo(len(game.answers) - at)
    return depends_on_hidden(before, seat, game.answers[at:])


def _voters(table: Table, seat: int) -> list[int]:
    """The other people who are connected, or were a moment ago."""
    return [
        other.number
        for other in table.seats
        if other.kind == PERSON
        and other.number != seat
        and not other.left
        and (
            table.is_connected(other.number)
            or time.monotonic() - table.last_here[other.number] < table.settings.abandoned
        )
    ]
