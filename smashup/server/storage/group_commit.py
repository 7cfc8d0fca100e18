"""Group commit: writes that arrive during a commit are committed together afterwards.

Many tables then share one disk write or round trip to the database. Each write is still atomic.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from smashup.server.errors import DatabaseUnavailable
from smashup.server.operations import metrics
from smashup.server.storage.rows import Values
from smashup.server.storage.statements import Statement


@dataclass
class Write:
    """Rows that are written atomically."""

    key: str
    """The table's id. Batches are sorted by it, so that workers lock rows in the same order."""
    rows: dict[Statement, list[Values]] = field(default_factory=dict)

    def add(self, statement: Statement, *values: Values) -> None:
        """Add rows."""
        if values:
            self.rows.setdefault(statement, []).extend(values)


class GroupCommitter:
    """Collects writes and commits them in batches, one batch at a time."""

    def __init__(self, commit: Callable[[list[Write]], Awaitable[None]]) -> None:
        self._commit = commit
        """Commits a batch in one transaction."""
        self._waiting: list[tuple[Write, asyncio.Future[None]]] = []
        self._task: asyncio.Task[None] | None = None

    async def put(self, write: Write) -> None:
        """Commit a write together with all that wait; return when it is committed."""
        done = asyncio.get_running_loop().create_future()
        self._waiting.append((write, done))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._commit_waiting())
        await done

    async def finish(self) -> None:
        """Wait for running commits."""
        if self._task is not None:
            await self._task

    async def _commit_waiting(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            batch.sort(key=lambda waiting: waiting[0].key)
            metrics.BATCH.observe(len(batch))
            with metrics.WRITES.time():
                failures = await self._try([write for write, _ in batch])
            for (_, done), failure in zip(batch, failures, strict=True):
                if done.done():
                    continue  # the caller was cancelled
                if failure is None:
                    done.set_result(None)
                else:
                    done.set_exception(failure)

    async def _try(self, batch: list[Write]) -> list[Exception | None]:
        """Commit a batch; return the error of each write."""
        try:
            await self._commit(batch)
            return [None] * len(batch)
        except Exception as error:
            if len(batch) == 1 or isinstance(error, DatabaseUnavailable):
                return [error] * len(batch)
        # One write is invalid: commit each separately, so that it does not affect the others.
        return [failure for write in batch for failure in await self._try([write])]
