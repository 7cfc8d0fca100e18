"""What a hub asks of either database now and then: clocks that run out, and names to forget."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

from smashup.server.storage.records import OVER, PERSON, PLAYING, SeatRecord, TableRecord
from smashup.server.storage.store import store_at
from smashup.server.tables.clocks import Times


def test_clocks_that_run_out_are_found(database: Path | str) -> None:
    async def visit() -> None:
        store = store_at(database)
        await store.open()
        running = Times.from_json(60, 2, {}, 0.0)
        for name, state, clock in [
            ("late", PLAYING, running.asks(0, 1, False, 100.0).to_json()),
            ("later", PLAYING, running.asks(0, 1, False, 900.0).to_json()),
            ("bot", PLAYING, running.asks(-1, 1, False, 100.0).to_json()),
            ("over", OVER, running.asks(0, 1, False, 100.0).to_json()),
            ("without", PLAYING, {}),
        ]:
            await store.write(TableRecord(name, {}, 1.0, state=state, clock=clock))
        assert await store.due(500.0) == ["bot", "late"]
        assert await store.due(1000.0) == ["bot", "late", "later"]
        await store.close()

    asyncio.run(visit())


def test_names_of_people_are_forgotten_where_the_game_is_over(database: Path | str) -> None:
    async def visit() -> None:
        store = store_at(database)
        await store.open()
        for name, state in (("done", OVER), ("going", PLAYING)):
            seats = [
                SeatRecord(0, PERSON, name="Ana", secret="x"),
                SeatRecord(1, "bot", name="Robby"),
            ]
            await store.write(TableRecord(name, {}, 1.0, state=state), seats)
        assert await store.forget_names(time.time() - 60) == 0, "not yet"
        assert await store.forget_names(time.time() + 60) == 1
        assert await store.forget_names(time.time() + 60) == 0
        done, going = await store.load("done"), await store.load("going")
        assert done is not None
        assert going is not None
        assert [seat.name for seat in done.seats] == ["P1", "Robby"]
        assert [seat.name for seat in going.seats] == ["Ana", "Robby"]
        await store.close()

    asyncio.run(visit())
