"""Recordings of finished games: made, stored, and shown to those who may see them.

A game is recorded soon after its end, in a bot process so that no table waits, one at a time. If
the server stopped before that, the first request for the recording makes it. While a game is in
progress, it has no recording. Afterwards everyone with the link may see all hands; at a table
without spectators, only the owners of its seats.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

from smashup.server.errors import Forbidden, NotFound, Refused, TableReloading
from smashup.server.http.schemas import BranchForm, SeatTaken
from smashup.server.live.protocol import TableInfo
from smashup.server.operations import logs, metrics
from smashup.server.replays.recording import FinishedGame, decompress_recording, load_recording
from smashup.server.storage.damage import check_stored, report_damage
from smashup.server.storage.records import OVER, PERSON, SeatRecord, StoredTable, TableRecord
from smashup.server.tables.registry import TableRegistry
from smashup.server.tables.restore import restore_game
from smashup.server.tables.seats.branching import create_branch
from smashup.server.tables.seats.seating import secret_matches

POLL_SECONDS: Final = 1.0
"""Interval at which the worker looks for finished games."""


class Replays:
    """The recordings of all tables."""

    def __init__(self, registry: TableRegistry) -> None:
        self.registry = registry
        self._handled: set[str] = set()
        """Tables in memory whose games are recorded or cannot be recorded."""
        self._recordings: dict[str, asyncio.Task[bytes]] = {}
        self._watch: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Start to look for finished games."""
        self._watch = asyncio.create_task(self._record_finished_games())

    async def close(self) -> None:
        """Cancel recordings in progress; the next request makes them again."""
        tasks = [task for task in (self._watch, *self._recordings.values()) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # --- requests ---------------------------------------------------------------------------

    async def recording(self, table_id: str, secret: str | None) -> tuple[bytes, bool]:
        """Return the compressed recording of a game, and whether it is public."""
        stored = await self._load_visible(table_id, secret)
        return await self._get_recording(stored), bool(stored.table.options["spectators"])

    async def save(self, table_id: str, secret: str | None) -> dict[str, Any]:
        """Return the save file of a finished game, for ``smashup play --resume``."""
        stored = await self._load_visible(table_id, secret)
        recording = await asyncio.to_thread(load_recording, await self._get_recording(stored))
        return {**recording["save"], "seats": [_seat_argument(seat) for seat in stored.seats]}

    async def branch(
        self, table_id: str, secret: str | None, form: BranchForm
    ) -> tuple[TableInfo, SeatTaken]:
        """Create a table that continues from a step of a finished game."""
        origin = await self._load_visible(table_id, secret)
        recording = await self._get_recording(origin)
        stored, taken = await asyncio.to_thread(
            lambda: create_branch(load_recording(recording), origin, form, self.registry.cards)
        )
        return await self.registry.add_game(stored), taken

    async def check_visible(self, table_id: str, secret: str | None) -> None:
        """Raise an error unless the game is over and the holder of this secret may see it."""
        await self._load_visible(table_id, secret)

    async def load_finished(self, table_id: str, secret: str | None) -> FinishedGame:
        """Return a finished game that the holder of this secret may see."""
        return await asyncio.to_thread(
            self._finished_game, await self._load_visible(table_id, secret)
        )

    async def _load_visible(self, table_id: str, secret: str | None) -> StoredTable:
        """Load a table with a finished game that the holder of this secret may see."""
        # Not through the registry: after a change of the rules, it might not restore the game.
        with report_damage(table_id):
            stored = await self.registry.store.load(table_id)
            if stored is not None:
                check_stored(stored)
        if stored is None:
            raise NotFound("There is no such table.")
        if stored.table.setup is None:
            raise NotFound("No game was played at this table.")
        if stored.table.state != OVER:
            raise Refused("This game is not over yet. Its replay is available when it ends.")
        is_allowed = stored.table.options["spectators"] or (
            secret is not None and any(secret_matches(secret, seat) for seat in stored.seats)
        )
        if not is_allowed:
            raise Forbidden("Only the players of this table may see its replay.")
        return stored

    async def _get_recording(self, stored: StoredTable) -> bytes:
        """Return the recording of a table, which is made now if it does not exist."""
        recording = await self.registry.store.load_replay(stored.table.id)
        if recording is None:
            return await self._record_once(stored)
        await asyncio.to_thread(decompress_recording, recording)  # raises if it is damaged
        return recording

    # --- recording --------------------------------------------------------------------------

    async def _record_finished_games(self) -> None:
        """Record finished games, one after the other."""
        while True:
            await asyncio.sleep(POLL_SECONDS)
            self._handled &= set(self.registry.tables)
            for table_id, table in list(self.registry.tables.items()):
                is_finished = table.record.state == OVER and table.game is not None
                if not is_finished or table_id in self._handled:
                    continue
                self._handled.add(table_id)
                try:
                    stored = await self.registry.store.load(table_id)
                    recording = await self.registry.store.load_replay(table_id)
                    if stored is not None and recording is None:
                        await self._record_once(stored)
                except Refused:
                    continue  # it was logged, and a request for it gets the reason
                except Exception as error:
                    logs.fail("game_not_recorded", table_id, error)

    async def _record_once(self, stored: StoredTable) -> bytes:
        """Make a recording; concurrent requests wait for the same one."""
        table_id = stored.table.id
        task = self._recordings.get(table_id)
        if task is None:
            task = self._recordings[table_id] = asyncio.create_task(self._record(stored))
            task.add_done_callback(lambda _: self._recordings.pop(table_id, None))
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            caller = asyncio.current_task()
            if caller is not None and caller.cancelling():
                raise
            # The server is shutting down, but the request was not cancelled.
            raise TableReloading("This table is reloading. Try again in a moment.") from None

    async def _record(self, stored: StoredTable) -> bytes:
        try:
            finished = await asyncio.to_thread(self._finished_game, stored)
            recording = await self.registry.bot_pool.record(finished)
        except Refused:
            raise
        except Exception as error:
            logs.fail("game_not_recorded", stored.table.id, error)
            raise Refused("This game cannot be shown; try again later.") from error
        await self.registry.store.save_replay(stored.table.id, recording)
        metrics.REPLAYS.inc()
        return recording

    def _finished_game(self, stored: StoredTable) -> FinishedGame:
        """Return a finished game with its effective answers."""
        restored = restore_game(stored, self.registry.cards)
        if restored.notice is not None or restored.game is None:
            raise Refused(
                "The rules have changed since this game was played, and it was not recorded."
            )
        return make_finished_game(stored.table, restored.game.answers, stored.seats)


def make_finished_game(
    record: TableRecord, answers: list[int], seats: list[SeatRecord]
) -> FinishedGame:
    """Return the game of a table from which a recording is made."""
    assert record.setup is not None
    return FinishedGame(
        record.setup,
        record.start,
        answers[:],
        [{"kind": seat.kind, "level": seat.level if seat.kind != PERSON else ""} for seat in seats],
        record.winners,
    )


def _seat_argument(seat: SeatRecord) -> str:
    """Return a seat as in save files: "human:Ana", "easy:"."""
    return f"{'human' if seat.kind == PERSON else seat.level}:{seat.name}"
