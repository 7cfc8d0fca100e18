"""The database: tables, seats, an append-only log of answers, and the last play menu of each game.

When a write returns, it is on disk. One thread does all the work, so that the event loop never
waits and no two writes meet. What comes while the disk is busy is written together afterwards:
many tables wait for the disk only once.

Several workers may share one database. Each table then has one owner at a time, and every claim on
a table raises its *epoch*. A write says under which epoch it is made; under an older one than the
table's it is refused, in the same transaction. So whoever has lost a table, and does not know yet,
cannot write there any more.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

from smashup.engine.errors import SaveError, clipped
from smashup.server.errors import Passing
from smashup.server.operations import metrics, timekeeping
from smashup.server.storage import rows
from smashup.server.storage.records import (
    AnswerRecord,
    ChatRecord,
    Kept,
    ReportRecord,
    SeatRecord,
    Snapshot,
    TableRecord,
)
from smashup.server.storage.retention import RetentionClock
from smashup.server.storage.rows import Hold, Line, Rows

__all__ = ("Hold", "Ledger", "NotHeld", "OutOfReach", "Store", "is_shareable", "store_at")
T = TypeVar("T")


class NotHeld(Passing):
    """Somebody else has this table now: nothing was written."""


class OutOfReach(Passing):
    """The database could be used and cannot be any more. It is tried again."""


class Work(NamedTuple):
    """Something to be written, all or nothing, and the holds on tables that it is written under."""

    rows: Rows
    epochs: dict[str, int]


class Store(ABC):
    """All tables there are. Its methods wait for the one thread that works on the database."""

    identity = ""
    """What a database that is shared is called among others; known once it is open."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="store")
        self._waiting: list[tuple[Work, asyncio.Future[None]]] = []
        """What is to be written next, and who wants to know when it is."""
        self._writer: asyncio.Task[None] | None = None
        self.trust_clock = False
        """Whether the system clock is right, however far it is ahead of the database."""
        self.retention = RetentionClock(None)
        """By which data gets old."""

    async def open(self) -> None:
        """Open or create the database; a `SaveError` says why it cannot be used."""
        await self._do(self._open)
        try:
            newest = await self._look(lambda: rows.newest(self._use(), timekeeping.now()))
        except Exception as error:
            raise SaveError(
                "The database cannot be used: {reason}.", reason=clipped(error)
            ) from error
        self.retention = RetentionClock(newest, self.trust_clock)

    async def close(self) -> None:
        """Finish what was begun, and let go of the database."""
        if self._writer is not None:
            await self._writer
        await self._do(self._close)
        self._thread.shutdown()

    async def ping(self) -> None:
        """See that the database answers."""
        await self._look(lambda: self._use().execute("SELECT 1").fetchone())

    async def probe(self) -> None:
        """See that the database can be written, in the same way as answers are."""
        await self._put(Work(rows.of_probe(self.retention.now()), {}))

    async def keep_clock(self) -> None:
        """Remember how late it is."""
        await self._look(lambda: rows.keep_clock(self._use(), self.retention.now()))

    # --- tables -----------------------------------------------------------------------------

    async def load(self, table_id: str) -> Kept | None:
        """A table with everything about it; None if there is no such table."""
        return await self._look(lambda: rows.load(self._use(), table_id))

    async def listed(self, state: str, count: int) -> list[Kept]:
        """The newest tables of the lobby in this state, without answers."""
        return await self._look(lambda: rows.listed(self._use(), state, count))

    async def remove(self, state: str, before: float, but: Collection[str], most: int) -> int:
        """Remove a few of the tables in this state that nobody has changed since then, with
        everything about them; how many were found."""
        return await self._look(lambda: self._remove(state, before, but, most))

    async def write(
        self,
        table: TableRecord,
        seats: Sequence[SeatRecord] = (),
        answers: Sequence[AnswerRecord] = (),
        snapshot: Snapshot | None = None,
        same: bool = False,
        epoch: int = 0,
    ) -> None:
        """Write all of this or nothing. When it returns, it is on disk.

        The record of a table that is the ``same`` as before need not be written again. Epoch 0 is
        for a table that nobody has claimed yet.
        """
        # Turned into rows here: the records may change before the thread comes to it.
        news = rows.of_table(table, seats, answers, snapshot, same, self.retention.now())
        await self._put(Work(news, {table.id: epoch}))

    async def say(self, table_id: str, line: ChatRecord, epoch: int = 0) -> None:
        """Keep something said at a table."""
        await self._put(Work(rows.of_line(table_id, line), {table_id: epoch}))

    async def forget_words(self, before: float) -> int:
        """Delete the words of everything said before then; how much that was."""
        return await self._look(lambda: rows.forget_words(self._use(), before))

    async def keep_replay(self, table_id: str, facts: bytes) -> None:
        """Keep how the game of a table went. It is over: everybody would write the same."""
        await self._put(Work(rows.of_replay(table_id, facts), {}))

    async def replay(self, table_id: str) -> bytes | None:
        """How the game of a table went, if that is kept."""
        return await self._look(lambda: rows.replay(self._use(), table_id))

    async def report(self, report: ReportRecord) -> None:
        """Keep a report for who runs the server."""
        await self._put(Work(rows.of_report(report), {}))

    async def reports(self, count: int) -> list[ReportRecord]:
        """The newest reports."""
        return await self._look(lambda: rows.reports(self._use(), count))

    async def count_reports(self, since: float, table_id: str = "") -> int:
        """How many reports were made since then, at all or at one table."""
        return await self._look(lambda: rows.count_reports(self._use(), since, table_id))

    async def forget_reports(self, before: float) -> int:
        """Delete the reports made before then; how many there were."""
        return await self._look(lambda: rows.forget_reports(self._use(), before))

    async def forget_names(self, before: float) -> int:
        """Delete the names of people at tables that were over before then; how many there were."""
        return await self._look(lambda: rows.forget_names(self._use(), before))

    async def due(self, before: float) -> list[str]:
        """Games in which a clock runs out before then, or it is a bot's turn."""
        return await self._look(lambda: rows.due(self._use(), before))

    async def wholly(self, work: Callable[[Line], T]) -> T:
        """Do several things to the database, all or nothing; what belongs together may be apart
        for a moment."""
        return await self._do(lambda: self._wholly(work))

    # --- who has which table ----------------------------------------------------------------

    async def hold(self, table_id: str) -> Hold | None:
        """Who has a table; None if there is no such table."""
        return (await self.holds([table_id])).get(table_id)

    async def holds(self, table_ids: Sequence[str]) -> dict[str, Hold]:
        """Who has which of these tables."""
        return await self._look(lambda: rows.holds(self._use(), table_ids))

    async def claim(self, table_id: str, owner: str, seen: Hold) -> Hold | None:
        """Take a table over from whoever was seen to have it; None if somebody else was faster.

        When this returns, nothing that was written under an older claim can still be on its way.
        """
        claimed = await self._look(lambda: rows.claim(self._use(), table_id, owner, seen))
        return Hold(owner, seen.epoch + 1) if claimed else None

    async def release(self, table_id: str, hold: Hold) -> None:
        """Let anybody have a table that was held."""
        await self._look(lambda: rows.release(self._use(), table_id, hold))

    async def owners(self) -> set[str]:
        """Everybody who has a table."""
        return await self._look(lambda: rows.owners(self._use()))

    async def owned(self, owner: str) -> dict[str, str]:
        """The tables that somebody has, and the state of each."""
        return await self._look(lambda: rows.owned(self._use(), owner))

    # --- the thread -------------------------------------------------------------------------

    async def _put(self, work: Work) -> None:
        """Write this with whatever else waits to be written."""
        done = asyncio.get_running_loop().create_future()
        self._waiting.append((work, done))
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write_waiting())
        await done

    async def _write_waiting(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            metrics.BATCH.observe(len(batch))
            try:
                with metrics.WRITES.time():
                    failures = await self._do(partial(self._write, [work for work, _ in batch]))
            except Exception as error:
                failures = [error] * len(batch)
            for (_, done), failure in zip(batch, failures, strict=True):
                if done.done():
                    continue  # whoever waited is gone
                if failure is None:
                    done.set_result(None)
                else:
                    done.set_exception(failure)

    async def _do(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    async def _look(self, work: Callable[[], T]) -> T:
        """Do something that may as well be done twice: if the line was dead, on a new one."""

        def twice() -> T:
            try:
                return work()
            except Exception:
                if self._is_usable():
                    raise
                return work()

        return await self._do(twice)

    def _write(self, batch: list[Work]) -> list[Exception | None]:
        """Write several things in one go, each all or nothing; what went wrong with which."""
        try:
            self._carry_out(batch)
            return [None] * len(batch)
        except Exception as error:
            if len(batch) == 1 or not self._is_usable():
                return [error] * len(batch)
        # One of them cannot be done: each for itself, so that it harms none of the others.
        return [failure for work in batch for failure in self._write([work])]

    @abstractmethod
    def _open(self) -> None: ...

    @abstractmethod
    def _close(self) -> None: ...

    @abstractmethod
    def _use(self) -> Line:
        """The database."""

    def _is_usable(self) -> bool:
        """Whether the database itself is all right, if something could not be written."""
        return True

    @abstractmethod
    def _carry_out(self, batch: list[Work]) -> None:
        """Everything in one transaction; `NotHeld` if one of the tables is somebody else's."""

    @abstractmethod
    def _wholly(self, work: Callable[[Line], T]) -> T: ...

    @abstractmethod
    def _remove(self, state: str, before: float, but: Collection[str], most: int) -> int: ...


class Ledger:
    """Where a table writes: the store, under the claim that the table was taken up with."""

    def __init__(self, store: Store, hold: Hold) -> None:
        self.hold = hold
        self._store = store

    async def write(
        self,
        table: TableRecord,
        seats: Sequence[SeatRecord] = (),
        answers: Sequence[AnswerRecord] = (),
        snapshot: Snapshot | None = None,
        same: bool = False,
    ) -> None:
        """Write all of this or nothing: see `Store.write`."""
        await self._store.write(table, seats, answers, snapshot, same, self.hold.epoch)

    async def say(self, table_id: str, line: ChatRecord) -> None:
        """Keep something said at the table."""
        await self._store.say(table_id, line, self.hold.epoch)


def is_shareable(database: Path | str) -> bool:
    """Whether several workers can use this database."""
    return str(database).startswith(("postgresql://", "postgres://"))


def store_at(database: Path | str, shared: bool = False) -> Store:
    """A store for a file (a path, or ``sqlite:///path``) or a ``postgresql://`` address, which
    several workers have in common if it is ``shared``."""
    if is_shareable(database):
        from smashup.server.storage.postgres import PostgresStore

        return PostgresStore(str(database), shared)
    from smashup.server.storage.sqlite import SqliteStore

    return SqliteStore(Path(str(database).removeprefix("sqlite:///")).expanduser())
