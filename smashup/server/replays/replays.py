"""Recordings of the tables' games: made when a game is over, kept, and shown to who may see them.

A game is recorded soon after its end, in a process of the bots' so that no table waits, one at a
time. Where a server died before it came to that, the first who wants to see it brings it about.
While a game is played nothing of it is told. Afterwards everybody with the link may see all hands;
at a table that nobody was allowed to watch, only those who hold one of its seats.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

from smashup.server.errors import Forbidden, NotFound, Refused
from smashup.server.http.schemas import BranchForm, SeatTaken
from smashup.server.live.protocol import TableInfo
from smashup.server.operations import logs, metrics
from smashup.server.replays.recording import Finished, decompressed, opened
from smashup.server.storage.damage import check_stored, report_damage
from smashup.server.storage.records import OVER, PERSON, SeatRecord, StoredTable, TableRecord
from smashup.server.tables.branching import branched
from smashup.server.tables.registry import TableRegistry
from smashup.server.tables.restore import restore_game
from smashup.server.tables.seating import secret_matches

ROUND: Final = 1.0
"""Seconds between two looks for games that have ended."""


class Replays:
    """The recordings of all tables."""

    def __init__(self, registry: TableRegistry) -> None:
        self.registry = registry
        self._done: set[str] = set()
        """Tables in memory whose games are recorded, or cannot be."""
        self._making: dict[str, asyncio.Task[bytes]] = {}
        self._watch: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Begin to look for games that end."""
        self._watch = asyncio.create_task(self._record_what_ends())

    async def close(self) -> None:
        """Let go of what is under way: it is made when somebody asks for it."""
        tasks = [task for task in (self._watch, *self._making.values()) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # --- what people ask for ----------------------------------------------------------------

    async def recording(self, table_id: str, secret: str | None) -> tuple[bytes, bool]:
        """How the game of a table went, compressed; and whether everybody may see it."""
        kept = await self._seen(table_id, secret)
        return await self._kept(kept), bool(kept.table.options["spectators"])

    async def save(self, table_id: str, secret: str | None) -> dict[str, Any]:
        """The save file of a finished game, for ``smashup play --resume``."""
        kept = await self._seen(table_id, secret)
        recording = await asyncio.to_thread(opened, await self._kept(kept))
        return {**recording["save"], "seats": [_on_the_command_line(seat) for seat in kept.seats]}

    async def branch(
        self, table_id: str, secret: str | None, form: BranchForm
    ) -> tuple[TableInfo, SeatTaken]:
        """A new table that goes on from a step of a finished game."""
        origin = await self._seen(table_id, secret)
        recording = await self._kept(origin)
        kept, taken = await asyncio.to_thread(
            lambda: branched(opened(recording), origin, form, self.registry.cards)
        )
        return await self.registry.add_game(kept), taken

    async def check_visible(self, table_id: str, secret: str | None) -> None:
        """Raise an error unless the game is over and the holder of this secret may see it."""
        await self._seen(table_id, secret)

    async def load_finished(self, table_id: str, secret: str | None) -> Finished:
        """Return a finished game that the holder of this secret may see."""
        return await asyncio.to_thread(self._finished, await self._seen(table_id, secret))

    async def _seen(self, table_id: str, secret: str | None) -> StoredTable:
        """A table whose game is over and may be seen by who asks."""
        # Not through the registry: under other rules the game itself could perhaps not be opened.
        with report_damage(table_id):
            kept = await self.registry.store.load(table_id)
            if kept is not None:
                check_stored(kept)
        if kept is None:
            raise NotFound("There is no such table.")
        if kept.table.setup is None:
            raise NotFound("No game was played at this table.")
        if kept.table.state != OVER:
            raise Refused("This game is still being played; it can be seen again when it is over.")
        allowed = kept.table.options["spectators"] or (
            secret is not None and any(secret_matches(secret, seat) for seat in kept.seats)
        )
        if not allowed:
            raise Forbidden("Nobody may watch this table but those who played here.")
        return kept

    async def _kept(self, kept: StoredTable) -> bytes:
        """The recording of a table, made now if it is not there yet."""
        found = await self.registry.store.load_replay(kept.table.id)
        if found is None:
            return await self._made(kept)
        await asyncio.to_thread(decompressed, found)  # raises if it is damaged
        return found

    # --- making them ------------------------------------------------------------------------

    async def _record_what_ends(self) -> None:
        """Record the games that have ended, one after the other."""
        while True:
            await asyncio.sleep(ROUND)
            self._done &= set(self.registry.tables)
            for table_id, table in list(self.registry.tables.items()):
                ended = table.record.state == OVER and table.game is not None
                if not ended or table_id in self._done:
                    continue
                self._done.add(table_id)
                try:
                    kept = await self.registry.store.load(table_id)
                    if kept is not None and await self.registry.store.load_replay(table_id) is None:
                        await self._made(kept)
                except Refused:
                    continue  # it was logged, and is said to who asks
                except Exception as error:
                    logs.fail("game_not_recorded", table_id, error)

    async def _made(self, kept: StoredTable) -> bytes:
        """Make a recording; who asks for it in the meantime waits for the same one."""
        table_id = kept.table.id
        task = self._making.get(table_id)
        if task is None:
            task = self._making[table_id] = asyncio.create_task(self._make(kept))
            task.add_done_callback(lambda _: self._making.pop(table_id, None))
        return await asyncio.shield(task)

    async def _make(self, kept: StoredTable) -> bytes:
        try:
            finished = await asyncio.to_thread(self._finished, kept)
            recording = await self.registry.thinkers.record(finished)
        except Refused:
            raise
        except Exception as error:
            logs.fail("game_not_recorded", kept.table.id, error)
            raise Refused("This game cannot be shown; try again later.") from error
        await self.registry.store.save_replay(kept.table.id, recording)
        metrics.REPLAYS.inc()
        return recording

    def _finished(self, kept: StoredTable) -> Finished:
        """A game that is over, with the answers that counted in the end."""
        restored = restore_game(kept, self.registry.cards)
        if restored.notice is not None or restored.game is None:
            raise Refused(
                "The rules have changed since this game was played, and it was not recorded."
            )
        return finished(kept.table, restored.game.answers, kept.seats)


def finished(record: TableRecord, answers: list[int], seats: list[SeatRecord]) -> Finished:
    """What a recording is made of."""
    assert record.setup is not None
    return Finished(
        record.setup,
        record.start,
        answers[:],
        [{"kind": seat.kind, "level": seat.level if seat.kind != PERSON else ""} for seat in seats],
        record.winners,
    )


def _on_the_command_line(seat: SeatRecord) -> str:
    """A seat as save files have it: "human:Ana", "easy:"."""
    return f"{'human' if seat.kind == PERSON else seat.level}:{seat.name}"
