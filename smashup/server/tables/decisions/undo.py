"""Undo: which choices can be undone, and how the other players agree to it.

A choice can be undone until another player chooses something, a random event occurs, or any player
learns something about a card. An exception is a card that players reveal from their own hand, or
that they buried themselves. Forced answers that the server gave for the player are undone with the
choice.

Something that did *not* happen can reveal hidden cards as well (a player with nothing to play is
not asked). So, before an undo, the choice is repeated on tables with all hidden cards redealt: if
the result differs, the player has learned something.

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

from smashup.engine.errors import CardFailure, SmashUpError
from smashup.engine.events.visible_events import OPEN_ZONES
from smashup.engine.game import Game
from smashup.engine.model.constants import BURIED, HAND, MADNESS_DECK, REMOVED
from smashup.engine.model.decisions import Decision
from smashup.engine.model.knowledge import ALL_VIEWERS
from smashup.engine.replay.dealing import Dealer
from smashup.engine.rules import visibility
from smashup.server.errors import (
    BotPlaysSeat,
    GameNotStarted,
    GameOver,
    Stale,
    UndoNotPossible,
    UndoRequestClosed,
)
from smashup.server.live.protocol import Ack, Undo, UndoVote
from smashup.server.storage.records import (
    OVER,
    PERSON,
    PLAYING,
    WAITING,
    EntryKind,
    LogEntry,
    SeatRecord,
)
from smashup.server.tables.decisions.specials_windows import is_forced
from smashup.server.tables.decisions.window_privacy import is_concealed, visible_decision_number
from smashup.server.tables.table_log import effective_answers

if TYPE_CHECKING:
    from smashup.server.tables.table import Table

REDEAL_COUNT: Final = 6
"""Redealt tables on which a choice is repeated before it is undone."""
MAX_CHOICES: Final = 50
"""Maximum number of consecutive choices that can be undone."""
MAX_REQUEST_NUMBER: Final = 1_000_000
"""Request numbers are random: consecutive ones would reveal how much was logged."""
_PUBLIC_ZONES: Final = frozenset((*OPEN_ZONES, MADNESS_DECK, REMOVED))


# --- knowledge ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Knowledge:
    """What each viewer knows about each card, and the state of the random generator."""

    rng: int
    known: list[int]
    """For each card, bits of the viewers who know it."""
    own: list[int]
    """For each card, the player who holds or buried it; -1 for other cards."""


def capture_knowledge(game: Game) -> Knowledge:
    """Return what is known now."""
    assert game.decision is not None or game.is_over
    s = game.table.state
    seen = s.seen_by
    known = [ALL_VIEWERS if zone in _PUBLIC_ZONES else seen[c] for c, zone in enumerate(s.zone)]
    if s.base_deck and visibility.knows_card(game.table, -1, s.base_deck[-1]):
        known[s.base_deck[-1]] = ALL_VIEWERS  # a base that lies face up
    own = [
        s.place[c] if zone == HAND else s.controller[c] if zone == BURIED else -1
        for c, zone in enumerate(s.zone)
    ]
    return Knowledge(s.rng, known, own)


def nothing_learned(before: Knowledge, after: Knowledge, seat: int) -> bool:
    """Return whether no player has learned anything, except own cards that a seat revealed."""
    if before.rng != after.rng or len(before.known) != len(after.known):
        return False
    return all(
        not now & ~then or (own == seat and bool(then >> seat & 1))
        for then, now, own in zip(before.known, after.known, before.own, strict=True)
    )


def depends_on_hidden(game: Game, seat: int, answers: Sequence[int]) -> bool:
    """Return whether other hidden cards would have changed the result of these answers."""
    real = _view_after(game.clone(), seat, answers)
    dealer = Dealer(game, seat)
    rng = Random(len(game.answers))
    return any(_view_after(dealer.deal(rng), seat, answers) != real for _ in range(REDEAL_COUNT))


def _view_after(table: Game, seat: int, answers: Sequence[int]) -> tuple[Any, ...] | None:
    """Return what a seat sees after some answers; None if they are illegal."""
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


# --- choices --------------------------------------------------------------------------------


@dataclass
class UndoTracker:
    """The last choices of one person that can still be undone."""

    seat: int = -1
    starts: list[int] = field(default_factory=list)
    """The number of effective answers before each of them, in order."""
    after_failure: bool = False
    """Whether they can be undone because a card failed, whatever players have learned since."""

    def add_answer(self, decision: Decision, at: int, message_id: str = "") -> None:
        """Add the answer to a decision: of a person if it has a message id, else of a bot or the
        server."""
        seat = decision.player
        if message_id:
            if seat != self.seat:
                self.clear()
                self.seat = seat
            self.starts = [*self.starts[1 - MAX_CHOICES :], at]
        elif not self._is_undone_with_choice(decision):
            self.clear()

    def _is_undone_with_choice(self, decision: Decision) -> bool:
        """Return whether an answer of the server is undone together with the choice before it:
        there was only one option, and the player knew that."""
        return is_forced(decision, 1 if decision.player == self.seat else 2)

    def clear(self) -> None:
        """Forget all choices: none can be undone any more."""
        self.seat = -1
        self.starts = []
        self.after_failure = False

    def update_knowledge(self, before: Knowledge, after: Knowledge) -> None:
        """Forget all choices if a player has learned something."""
        if self.starts and not nothing_learned(before, after, self.seat):
            self.clear()

    def last_choice_of(self, seat: int) -> int | None:
        """Return the number of effective answers before a seat's last choice; None if it cannot be
        undone."""
        return self.starts[-1] if self.starts and self.seat == seat else None

    def drop_last(self) -> None:
        """Remove the last choice, which was undone."""
        self.starts = self.starts[:-1]

    def copy(self) -> UndoTracker:
        """Return an independent copy."""
        return UndoTracker(self.seat, self.starts[:], self.after_failure)


def first_relevant_answer(answers: Sequence[LogEntry]) -> int:
    """Return the first answer that can matter for undo.

    Only the last messages of one player count, with the server's answers in between.
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


def choices_before_failure(answers: Sequence[LogEntry], seats: Sequence[SeatRecord]) -> UndoTracker:
    """Return the choices that can be undone after a card failed and the game cannot continue: the
    last consecutive ones of a person, among answers of bots."""
    tracker = UndoTracker(after_failure=True)
    last_message = ""
    for at, entry in enumerate(answers):
        assert entry.seat is not None
        if not entry.message_id or seats[entry.seat].kind != PERSON:
            continue
        if entry.seat != tracker.seat:
            tracker.seat, tracker.starts = entry.seat, []
        if entry.message_id != last_message:  # the picks of one message are one choice
            tracker.starts = [*tracker.starts[1 - MAX_CHOICES :], at]
        last_message = entry.message_id
    return tracker


def reopen_choices(table: Table) -> UndoTracker:
    """Let the last person who chose undo that, because a card failed."""
    answers = effective_answers(table.log.entries[table.record.start_at :])
    table.choices = choices_before_failure(answers, table.seats)
    return table.choices


def offer_undo_after_failure(table: Table, seat: int) -> None:
    """Let players undo the last choice if a card failed and the seat itself can undo nothing."""
    if table.choices.last_choice_of(seat) is None:
        reopen_choices(table)
        table.publish()


async def undo_failure(table: Table, error: CardFailure) -> None:
    """Undo a person's last choice, because a card failed in every answer after it. The caller
    holds the table."""
    game = table.game
    assert game is not None
    choices = reopen_choices(table)
    if not choices.starts or table.is_out_of_time(choices.seat):
        raise error
    undone = await asyncio.to_thread(game.undo, len(game.answers) - choices.starts[-1])
    await table.writer.commit_undo(undone, choices.seat, failed=error.public_message.args)
    reopen_choices(table)


# --- requests -------------------------------------------------------------------------------


@dataclass
class UndoRequest:
    """A player's request to undo a choice, on which the other people vote."""

    number: int
    seat: int
    message_id: str
    """The id of the message with the request."""
    agreed: set[int] = field(default_factory=set)

    def needs_votes_of(self, seats: Iterable[int]) -> bool:
        """Return whether one of these seats has not agreed yet."""
        return any(seat not in self.agreed for seat in seats)


def request_after(request: UndoRequest | None, entry: LogEntry) -> UndoRequest | None:
    """Return the open request after a log entry."""
    if entry.kind is EntryKind.UNDO_REQUEST:
        assert entry.seat is not None
        return UndoRequest(entry.data["request"], entry.seat, entry.message_id)
    if entry.kind is EntryKind.UNDO_VOTE and request is not None:
        if not entry.data["yes"]:
            return None
        assert entry.seat is not None
        return UndoRequest(
            request.number, request.seat, request.message_id, {*request.agreed, entry.seat}
        )
    if entry.kind in (EntryKind.ANSWER, EntryKind.UNDO, EntryKind.OVER, EntryKind.RESUME):
        return None
    return request


def open_request(entries: Sequence[LogEntry]) -> UndoRequest | None:
    """Return the open request at the end of a log."""
    request: UndoRequest | None = None
    for entry in entries:
        request = request_after(request, entry)
    return request


async def undo(table: Table, seat: int, message: Undo) -> Ack:
    """Undo a player's last choice, or request the votes of the others."""
    async with table.edit():
        is_pending = table.undo_request is not None and table.undo_request.message_id == message.id
        if table.log.position_after(seat, message.id) is None and not is_pending:
            await _check_hidden(table, seat, _check(table, seat, message.number))
            request = UndoRequest(secrets.randbelow(MAX_REQUEST_NUMBER), seat, message.id)
            if request.needs_votes_of(_voters(table, seat)):
                data = {"request": request.number}
                await table.writer.commit_entry(EntryKind.UNDO_REQUEST, seat, message.id, data)
            else:
                await _commit(table, request)
    return Ack(type="ack", id=message.id, number=visible_decision_number(table, seat))


async def vote(table: Table, seat: int, message: UndoVote) -> Ack:
    """Vote on a request, or withdraw an own one."""
    async with table.edit():
        if table.log.position_after(seat, message.id) is None:
            request = table.undo_request
            if request is None or request.number != message.wish:
                raise UndoRequestClosed("This request is no longer open.")
            if table.seats[seat].kind != PERSON:
                raise BotPlaysSeat("A bot plays this seat; take it back first.")
            if message.yes and seat == request.seat:
                raise UndoNotPossible("This is your own request: the other players have to agree.")
            await table.writer.commit_entry(
                EntryKind.UNDO_VOTE, seat, message.id, {"yes": message.yes}
            )
            await apply_if_agreed(table)
    return Ack(type="ack", id=message.id, number=visible_decision_number(table, seat))


async def apply_if_agreed(table: Table) -> None:
    """Undo the choice if all voters have agreed. The caller holds the table."""
    request = table.undo_request
    if request is None:
        return
    if table.seats[request.seat].kind != PERSON or table.record.state != PLAYING:
        table.undo_request = None  # the player who made it is gone
    elif not request.needs_votes_of(_voters(table, request.seat)):
        await _commit(table, request)


async def _commit(table: Table, request: UndoRequest) -> None:
    game, at = table.game, table.choices.last_choice_of(request.seat)
    if game is None or at is None:
        table.undo_request = None
        return
    # In a thread, because it replays all answers.
    undone = await asyncio.to_thread(game.undo, len(game.answers) - at)
    await table.writer.commit_undo(undone, request.seat, request.message_id)


def can_undo(table: Table, seat: int) -> bool:
    """Return whether a seat can undo its last choice, or request that."""
    return (
        bool(table.record.options.get("undo", True))
        and table.game is not None
        and table.record.state == PLAYING
        and table.seats[seat].kind == PERSON
        and table.choices.last_choice_of(seat) is not None
        and table.undo_request is None
        and not is_concealed(table)
    )


def _check(table: Table, seat: int, number: int) -> int:
    """Return the number of effective answers before a seat's last choice; refuse if it cannot be
    undone."""
    if not table.record.options.get("undo", True):
        raise UndoNotPossible("Undo is disabled at this table.")
    if table.record.state == WAITING or table.game is None:
        raise GameNotStarted("The game has not begun yet.")
    if table.record.state == OVER:
        raise GameOver("The game is over: there is nothing to choose.")
    if table.seats[seat].kind != PERSON:
        raise BotPlaysSeat("A bot plays this seat; take it back first.")
    if number != visible_decision_number(table, seat):
        raise Stale("The table has changed in the meantime.")
    if table.undo_request is not None:
        raise UndoNotPossible("The other players have already been asked.")
    if is_concealed(table):
        raise UndoNotPossible("Undo is not possible while players may play Specials.")
    at = table.choices.last_choice_of(seat)
    if at is None:
        raise UndoNotPossible(
            "Nothing can be undone: another player has chosen since, or something hidden was seen."
        )
    return at


async def _check_hidden(table: Table, seat: int, at: int) -> None:
    """Refuse if the choice would go differently with other hidden cards."""
    game = table.game
    assert game is not None
    if table.choices.after_failure:
        return
    if await asyncio.to_thread(_reveals_hidden, game, at, seat):
        table.choices.clear()
        table.publish()
        raise UndoNotPossible("This cannot be undone: it would reveal cards that you cannot see.")


def _reveals_hidden(game: Game, at: int, seat: int) -> bool:
    before = game.undo(len(game.answers) - at)
    return depends_on_hidden(before, seat, game.answers[at:])


def _voters(table: Table, seat: int) -> list[int]:
    """Return the other people who are connected, or were until recently."""
    return [
        other.number
        for other in table.seats
        if other.kind == PERSON
        and other.number != seat
        and not other.left
        and (
            table.is_connected(other.number)
            or time.monotonic() - table.last_seen[other.number]
            < table.settings.abandoned_seat_seconds
        )
    ]
