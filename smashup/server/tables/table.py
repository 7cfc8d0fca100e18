"""A table in memory: a cache of the state that its log determines.

A change is made on a copy and committed to the database (`table_writer`); only then do viewers see
it. If another worker was faster, the table catches up.
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
from smashup.server.errors import EntryExists, Forbidden, Overtaken
from smashup.server.http.guard import TokenBucket
from smashup.server.live.protocol import Hello, PreviewResult, TableInfo
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
from smashup.server.tables.catching_up import catch_up
from smashup.server.tables.chat import ChatHistory
from smashup.server.tables.decisions.advice import Advice
from smashup.server.tables.decisions.specials_windows import is_forced, is_skipped, is_window
from smashup.server.tables.decisions.undo import open_request, request_after
from smashup.server.tables.decisions.window_privacy import has_open_window
from smashup.server.tables.log_history import LogHistory
from smashup.server.tables.restore import RestoredGame
from smashup.server.tables.seats.seating import secret_matches
from smashup.server.tables.table_log import TableLog
from smashup.server.tables.table_writer import TableWriter
from smashup.server.tables.timing.autoplay import AutoPlayer
from smashup.server.tables.timing.clocks import TurnClock, clock_after
from smashup.server.tables.viewers import Viewers

if TYPE_CHECKING:
    from smashup.server.live.streams import Stream

REPORTS_PER_SECOND: Final = 1 / 30
"""Rate limit of reports from one table."""
MAX_REPORT_BURST: Final = 5


@dataclass
class TableServices:
    """The services that all tables of a worker share."""

    store: Store
    notifier: Notifier
    bot_pool: BotPool
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
        """None before the game starts."""
        self.notice: Message | None = restored.notice if restored is not None else None
        restored = restored or RestoredGame.empty()
        self.log_history = LogHistory(restored.undo_marks)
        self.choices = restored.choices
        """Which choices can still be undone."""
        self.window_start = restored.window_start
        """The length of the log when the open Specials window opened."""
        self.undo_request = open_request(stored.entries)
        """The open request to undo a choice."""
        self.clock: TurnClock | None = self._stored_clock(with_grace=True)
        """The clock, if turns have a time limit."""
        self.chat = ChatHistory(stored.chat, len(self.seats))

        self.is_behind = False
        """Whether other workers may have committed something that this one does not know."""
        self.is_closed = False
        """Whether the table has to be loaded again."""
        self.lock = asyncio.Lock()
        """Held while the table changes."""
        self.address = ""
        """The address of the creator or the last player, to charge bots to; never stored."""
        self.users = 0
        """The number of requests and connections that use the table."""
        self.last_used = time.monotonic()
        self.asked_at = time.monotonic()
        """When the open decision was asked."""
        self.viewers = Viewers(self, stored.present)
        self.reports = TokenBucket(REPORTS_PER_SECOND, MAX_REPORT_BURST)
        self.advice = Advice()
        self.previews: dict[int, PreviewResult] = {}
        """Previews of the options of the open decision."""
        self._auto_player = AutoPlayer(self)
        self.writer = TableWriter(self)

    # --- queries ----------------------------------------------------------------------------

    @property
    def settings(self) -> Settings:
        """The server's settings."""
        return self.services.settings

    @property
    def bot_pool(self) -> BotPool:
        """The bot processes."""
        return self.services.bot_pool

    @property
    def connections(self) -> set[Connection]:
        """The viewers connected to this worker."""
        return self.viewers.connections

    @property
    def last_seen(self) -> list[float]:
        """When the owner of each seat was last connected."""
        return self.viewers.last_seen

    @property
    def names(self) -> list[str]:
        """The names of the players in sentences."""
        return [seat.name or f"P{seat.number + 1}" for seat in self.seats]

    @property
    def is_autoplaying(self) -> bool:
        """Whether this worker is computing a bot move or waiting for a pass or a clock."""
        return self._auto_player.is_busy

    @property
    def is_busy(self) -> bool:
        """Whether the table is in use and must stay in memory."""
        is_changing = self._auto_player.is_busy or self.lock.locked()
        return bool(self.users or self.connections or is_changing)

    @property
    def position(self) -> Position:
        """How many log entries and chat messages this worker knows."""
        return Position(len(self.log), self.chat.next_number)

    @property
    def answers(self) -> list[LogEntry]:
        """All answers and undos."""
        kinds = (EntryKind.ANSWER, EntryKind.UNDO)
        return [entry for entry in self.log.entries if entry.kind in kinds]

    def num_people(self) -> int:
        """Return the number of seats that are played by people."""
        return sum(seat.kind == PERSON for seat in self.seats)

    def decision_number(self, seat: int, up_to: int | None = None) -> int:
        """Return the number of a seat's next decision."""
        return self.log.decision_number(seat, up_to)

    def seat_of(self, secret: str) -> int:
        """Return the seat with this secret."""
        matching = [seat.number for seat in self.seats if secret_matches(secret, seat)]
        if not matching:
            raise Forbidden("This secret is not valid at this table.")
        return matching[0]

    def is_connected(self, seat: int) -> bool:
        """Return whether the owner of a seat is connected to any worker."""
        return self.viewers.is_connected(seat)

    def info(self) -> TableInfo:
        """Return the public information about the table."""
        return table_info(self)

    def is_out_of_time(self, seat: int) -> bool:
        """Return whether a seat has run out of time, so that a bot plays until the turn is over."""
        return self.clock is not None and self.clock.is_up(seat, timekeeping.now())

    def is_auto_passed(self, decision: Decision) -> bool:
        """Return whether the server passes for a player in a Specials window."""
        seat = self.seats[decision.player]
        return seat.kind == PERSON and is_window(decision) and is_skipped(decision, seat)

    def is_current(self, game: Game) -> bool:
        """Return whether this is the current game and it can continue."""
        return self.game is game and self.record.state == PLAYING and not self.is_closed

    def is_forced(self, decision: Decision) -> bool:
        """Return whether the server answers for the player."""
        is_person = self.seats[decision.player].kind == PERSON
        return is_person and is_forced(decision, self.num_people())

    def bot_claim(self) -> Claim:
        """Return the claim for bot processes, charged to the players or to the last one."""
        return Claim(
            self.record.id, self.viewers.addresses() or (self.address,), bool(self.connections)
        )

    def bot_task(self, game: Game, seat: int, num_options: int, level: str) -> Task:
        """Return the task for a bot to answer a decision."""
        record = self.record
        assert record.setup is not None
        return Task(
            record.id, record.setup, record.start, record.start_at, game.answers[:], level, seat,
            num_options,
        )  # fmt: skip

    # --- viewers and bots -------------------------------------------------------------------

    def connect(self, connection: Connection, hello: Hello) -> None:
        """Add a viewer and send the updates it missed, or a snapshot."""
        self.viewers.connect(connection, hello)

    def disconnect(self, connection: Connection) -> None:
        """Remove a viewer."""
        self.viewers.disconnect(connection)

    def publish(self) -> None:
        """Send an update to every viewer whose state has changed."""
        self.viewers.publish()

    @property
    def streams(self) -> dict[int, Stream]:
        """The update streams by viewer."""
        return self.viewers.streams

    def wake(self) -> None:
        """Continue with bot moves and automatic answers, if one is next."""
        self._auto_player.wake()

    async def wait_for_window(self, min_seconds: float = 0.0) -> None:
        """At a table with several people, wait until a Specials window may close.

        Each player has the same part of its duration, whether or not they can play anything; a bot
        that searches has at least its search time, ``min_seconds``.
        """
        if self.num_people() > 1 and self.settings.min_window_seconds:
            slot = max(self.settings.min_window_seconds / len(self.seats), min_seconds)
            await asyncio.sleep(max(0.0, self.asked_at + slot - time.monotonic()))

    async def stop(self) -> None:
        """Stop the automatic player and disconnect all viewers."""
        await self._auto_player.stop()
        self.viewers.close()

    # --- changes ----------------------------------------------------------------------------

    @asynccontextmanager
    async def edit(self) -> AsyncIterator[None]:
        """Lock the table, up to date, for a change; raise `Overtaken` if a worker was faster."""
        async with self.lock:
            if self.is_behind or self.is_closed:
                await self.catch_up()
            try:
                yield
            except EntryExists:
                # The other worker performs the next due action.
                await self.catch_up()
                raise Overtaken("The table has changed in the meantime.") from None
        self.publish()
        self.wake()

    async def catch_up(self) -> None:
        """Apply what other workers have committed. The caller holds the lock."""
        await catch_up(self)
        self.publish()

    # --- applying committed changes -----------------------------------------------------------

    def add_entries(self, entries: Sequence[LogEntry]) -> None:
        """Add committed entries to the log."""
        self.log.extend(entries)
        for entry in entries:
            self.undo_request = request_after(self.undo_request, entry)
        self.last_used = time.monotonic()

    def set_game(self, game: Game, is_undo: bool = False) -> None:
        """Replace the game after committed entries."""
        before, self.game = self.game, game
        assert before is not None
        if is_undo or not has_open_window(before):
            self.window_start = len(self.log)
        before.dispose()
        self.previews = {}
        self.asked_at = time.monotonic()

    def set_stored(self, record: TableRecord, seats: list[SeatRecord]) -> None:
        """Replace the table and its seats by what another worker has stored."""
        self.record, self.seats = record, seats
        self.clock = self._stored_clock(with_grace=False)
        if self.undo_request is not None and (
            seats[self.undo_request.seat].kind != PERSON or record.state != PLAYING
        ):
            self.undo_request = None

    def _stored_clock(self, with_grace: bool) -> TurnClock | None:
        limit = self.record.options.get("clock", 0)
        if not limit:
            return None
        now = timekeeping.now()
        clock = TurnClock.from_json(limit, len(self.seats), self.record.clock, now, with_grace)
        if self.game is not None and not self.record.clock:
            clock = clock_after(clock, None, self.game, self.seats)
        return clock

    def copy_records(self) -> tuple[TableRecord, list[SeatRecord]]:
        """Return copies of the table and its seats, to be changed."""
        return deepcopy(self.record), deepcopy(self.seats)
