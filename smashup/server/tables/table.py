"""A table in memory: a cache of what its log determines, and one change at a time.

A change is made on a copy and committed to the database (`table_writer`); only then does it become
what everyone sees. Another worker may have been faster: then the table catches up.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from smashup.engine.game import Game
from smashup.engine.model.catalogue import Catalogue
from smashup.engine.model.decisions import Decision
from smashup.engine.model.messages import Message
from smashup.server.bots.bot_pool import BotPool, Task
from smashup.server.bots.bot_turns import Claim
from smashup.server.errors import EntryExists, Forbidden, Stale
from smashup.server.http.guard import Bucket
from smashup.server.live.protocol import Foretold, Hello, TableInfo
from smashup.server.live.seat_state import table_info
from smashup.server.live.streams import Connection
from smashup.server.operations import timekeeping
from smashup.server.operations.settings import Settings
from smashup.server.storage.notifications import Notifier
from smashup.server.storage.records import (
    PERSON,
    PLAYING,
    EntryKind,
    LogEntry,
    SeatRecord,
    StoredTable,
    TableRecord,
)
from smashup.server.storage.store import Position, Store
from smashup.server.tables.advice import Advice
from smashup.server.tables.autoplay import AutoPlayer
from smashup.server.tables.catching_up import catch_up
from smashup.server.tables.chat import Talk
from smashup.server.tables.clocks import Times, clock_after
from smashup.server.tables.log_history import LogHistory
from smashup.server.tables.restore import RestoredGame
from smashup.server.tables.seating import secret_matches
from smashup.server.tables.specials_windows import is_forced, is_skipped, is_window
from smashup.server.tables.table_log import TableLog
from smashup.server.tables.table_writer import TableWriter
from smashup.server.tables.undo import open_request, request_after
from smashup.server.tables.viewers import Viewers
from smashup.server.tables.window_privacy import has_open_window

if TYPE_CHECKING:
    from smashup.server.live.streams import Stream

REPORT_RATE: Final = 1 / 30
"""Reports from one table a second; a few at once."""
MAX_REPORTS_AT_ONCE: Final = 5


@dataclass
class TableServices:
    """What all tables of a worker share."""

    store: Store
    notifier: Notifier
    thinkers: BotPool
    cards: Catalogue
    settings: Settings


class Table:
    """A table in memory."""

    def __init__(
        self, stored: StoredTable, restored: RestoredGame | None, services: TableServices
    ) -> None:
        self.services = services
        self.record: TableRecord = stored.table
        self.seats: list[SeatRecord] = stored.seats
        self.log = TableLog(stored.entries)
        self.game: Game | None = restored.game if restored is not None else None
        """None before it begins."""
        self.notice: Message | None = restored.notice if restored is not None else None
        restored = restored or RestoredGame.empty()
        self.story = LogHistory(restored.undo_marks)
        self.choices = restored.choices
        """Which choices can still be undone."""
        self.window_start = restored.window_start
        """How long the log was when the open Specials window opened."""
        self.undo_request = open_request(stored.entries)
        """A request to undo a choice, on which the others vote."""
        self.times: Times | None = self._stored_times(grace=True)
        """The clock, where turns have a time limit."""
        self.talk = Talk(stored.chat, len(self.seats))

        self.is_behind = False
        """Whether the database may have more than this worker knows."""
        self.is_closed = False
        """Whether the table was dropped from memory, and has to be loaded again."""
        self.lock = asyncio.Lock()
        """Held while the table changes."""
        self.address = ""
        """Where the table was created, or its last player came from; only ever in memory."""
        self.users = 0
        """How many requests and connections hold on to it."""
        self.used = time.monotonic()
        self.asked_at = time.monotonic()
        """When the decision on the table was asked."""
        self.viewers = Viewers(self, stored.present)
        self.reports = Bucket(REPORT_RATE, MAX_REPORTS_AT_ONCE)
        self.advice = Advice()
        self.foretold: dict[int, Foretold] = {}
        """Previews of options of the decision on the table."""
        self._player = AutoPlayer(self)
        self.writer = TableWriter(self)

    # --- facts ------------------------------------------------------------------------------

    @property
    def settings(self) -> Settings:
        """The server's settings."""
        return self.services.settings

    @property
    def thinkers(self) -> BotPool:
        """The bots."""
        return self.services.thinkers

    @property
    def connections(self) -> set[Connection]:
        """Everyone who watches, at this worker."""
        return self.viewers.connections

    @property
    def last_here(self) -> list[float]:
        """When the owner of each seat was last connected."""
        return self.viewers.last_seen

    @property
    def names(self) -> list[str]:
        """What the players are called in sentences."""
        return [seat.name or f"P{seat.number + 1}" for seat in self.seats]

    @property
    def is_playing_itself(self) -> bool:
        """Whether a bot, a pass or a clock is under way at this worker."""
        return self._player.busy

    @property
    def busy(self) -> bool:
        """Whether something is going on here, so that it must stay in memory."""
        going = self._player.busy or self.lock.locked()
        return bool(self.users or self.connections or going)

    @property
    def position(self) -> Position:
        """How far this worker knows the table."""
        return Position(len(self.log), self.talk.next)

    @property
    def answers(self) -> list[LogEntry]:
        """All answers and undos."""
        kinds = (EntryKind.ANSWER, EntryKind.UNDO)
        return [entry for entry in self.log.entries if entry.kind in kinds]

    def people(self) -> int:
        """How many seats are played by people."""
        return sum(seat.kind == PERSON for seat in self.seats)

    def given(self, seat: int, up_to: int | None = None) -> int:
        """Which of a seat's decisions is next."""
        return self.log.decision_number(seat, up_to)

    def seat_of(self, secret: str) -> int:
        """The seat that a secret is for."""
        found = [seat.number for seat in self.seats if secret_matches(secret, seat)]
        if not found:
            raise Forbidden("This secret opens no seat at this table.")
        return found[0]

    def is_connected(self, seat: int) -> bool:
        """Whether the owner of a seat is connected, to whichever worker."""
        return self.viewers.is_connected(seat)

    def info(self) -> TableInfo:
        """What everyone with the link may know."""
        return table_info(self)

    def is_late(self, seat: int) -> bool:
        """Whether a bot has to play for a seat until the turn is over."""
        return self.times is not None and self.times.is_up(seat, timekeeping.now())

    def passes(self, decision: Decision) -> bool:
        """Whether the server passes for the player, by their wish or because they have to."""
        seat = self.seats[decision.player]
        return seat.kind == PERSON and is_window(decision) and is_skipped(decision, seat)

    def goes_on(self, game: Game) -> bool:
        """Whether this is how the game stands, and it may go on."""
        return self.game is game and self.record.state == PLAYING and not self.is_closed

    def is_forced(self, decision: Decision) -> bool:
        """Whether the server answers for the player."""
        is_person = self.seats[decision.player].kind == PERSON
        return is_person and is_forced(decision, self.people())

    def claim(self) -> Claim:
        """On whose behalf bots think here: people at the table, else who was here last."""
        return Claim(
            self.record.id, self.viewers.addresses() or (self.address,), bool(self.connections)
        )

    def task(self, game: Game, seat: int, size: int, level: str) -> Task:
        """A decision as a bot is asked about it."""
        record = self.record
        assert record.setup is not None
        return Task(
            record.id, record.setup, record.start, record.start_at, game.answers[:], level, seat,
            size,
        )  # fmt: skip

    # --- viewers and bots -------------------------------------------------------------------

    def connect(self, connection: Connection, hello: Hello) -> None:
        """Let someone watch: what they missed since the version they know, or everything."""
        self.viewers.connect(connection, hello)

    def disconnect(self, connection: Connection) -> None:
        """A viewer is gone."""
        self.viewers.disconnect(connection)

    def publish(self) -> None:
        """Send every viewer what is new to them."""
        self.viewers.publish()

    @property
    def streams(self) -> dict[int, Stream]:
        """The updates of each seat."""
        return self.viewers.streams

    def wake(self) -> None:
        """Let bots, and what the server answers itself, go on if it is their turn."""
        self._player.wake()

    async def beat(self, least: float = 0.0) -> None:
        """Between people, wait until a window for Specials may close.

        Each player has the same part of its duration, whether or not they can play anything; bots
        that search, at ``least`` as long as they search.
        """
        if self.people() > 1 and self.settings.beat:
            slot = max(self.settings.beat / len(self.seats), least)
            await asyncio.sleep(max(0.0, self.asked_at + slot - time.monotonic()))

    async def stop(self) -> None:
        """Stop everything that is under way. Acknowledged answers are committed."""
        await self._player.stop()
        self.viewers.close()

    # --- changes ----------------------------------------------------------------------------

    @asynccontextmanager
    async def changing(self) -> AsyncIterator[None]:
        """Hold the table for a change, up to date; `Stale` if another worker was faster."""
        async with self.lock:
            if self.is_behind or self.is_closed:
                await self.catch_up()
            try:
                yield
            except EntryExists:
                # The other worker goes on with what is due.
                await self.catch_up()
                raise Stale("That decision is past; this is the one on the table now.") from None
        self.publish()
        self.wake()

    async def catch_up(self) -> None:
        """Apply what other workers have committed. The caller holds the lock."""
        await catch_up(self)
        self.publish()

    # --- what a committed change means here ---------------------------------------------------

    def note_entries(self, entries: Sequence[LogEntry]) -> None:
        """These entries are committed, by this worker or another."""
        self.log.extend(entries)
        for entry in entries:
            self.undo_request = request_after(self.undo_request, entry)
        self.used = time.monotonic()

    def show_game(self, game: Game, is_undo: bool = False) -> None:
        """This is the game from now on."""
        before, self.game = self.game, game
        assert before is not None
        if is_undo or not has_open_window(before):
            self.window_start = len(self.log)
        before.dispose()
        self.foretold = {}
        self.asked_at = time.monotonic()

    def take_stored(self, record: TableRecord, seats: list[SeatRecord]) -> None:
        """The table and its seats as another worker has stored them."""
        self.record, self.seats = record, seats
        self.times = self._stored_times(grace=False)
        if self.undo_request is not None and (
            seats[self.undo_request.seat].kind != PERSON or record.state != PLAYING
        ):
            self.undo_request = None

    def _stored_times(self, grace: bool) -> Times | None:
        limit = self.record.options.get("clock", 0)
        if not limit:
            return None
        now = timekeeping.now()
        times = Times.from_json(limit, len(self.seats), self.record.clock, now, grace)
        if self.game is not None and not self.record.clock:
            times = clock_after(times, None, self.game, self.seats)
        return times

    def copy_records(self) -> tuple[TableRecord, list[SeatRecord]]:
        """Copies of the table and its seats, to be changed."""
        return deepcopy(self.record), deepcopy(self.seats)
