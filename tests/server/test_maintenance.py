"""Due actions and deletion of names, with both databases."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from smashup.server.operations import timekeeping
from smashup.server.storage.records import OVER, PERSON, PLAYING, SeatRecord, TableRecord
from smashup.server.storage.store import store_at
from smashup.server.tables.timing.clocks import TurnClock, stored_due_time


async def test_overdue_tables_are_claimed_once_and_oldest_first(database: Path | str) -> None:
    store = store_at(database)
    await store.open()
    for name, state, due_at in [
        ("late", PLAYING, 160.0),
        ("later", PLAYING, 960.0),
        ("bot", PLAYING, 100.0),
        ("over", OVER, 100.0),
        ("person", PLAYING, None),
    ]:
        await store.create_table(TableRecord(name, {}, 1.0, state=state, due_at=due_at))
    assert await store.due_times.claim(50.0, 2000.0, 9) == []
    assert await store.due_times.claim(500.0, 2000.0, 1) == ["bot"]
    assert await store.due_times.claim(500.0, 2000.0, 9) == ["late"]
    assert await store.due_times.claim(1000.0, 2000.0, 9) == ["later"]
    assert await store.due_times.claim(1000.0, 2000.0, 9) == [], "another worker has them"
    assert sorted(await store.due_times.claim(2001.0, 3000.0, 9)) == ["bot", "late", "later"]
    await store.due_times.postpone(["bot"], 4000.0)
    await store.due_times.advance(["late"], 500.0)
    assert await store.due_times.claim(1000.0, 5000.0, 9) == ["late"]
    assert await store.due_times.claim(3001.0, 5000.0, 9) == ["later"]
    await store.close()


def test_stored_due_times_do_not_depend_on_the_system_clock() -> None:
    now = timekeeping.now()
    running = TurnClock.from_json(60, 2, {}, 0.0).start(0, 1, False, now)
    clock = json.dumps(running.to_json())
    # Written an hour ahead, by a system clock that was wrong.
    shifted = json.dumps({**running.to_json(), "since": now + 3600, "ends": now + 3660})
    assert stored_due_time(clock, now + 60, now) == pytest.approx(now + 60, abs=0.1)
    assert stored_due_time(shifted, now + 3660, now) == pytest.approx(now + 60, abs=0.1)
    assert stored_due_time("{}", now + 3600, now) == now, "a bot is never due in an hour"
    assert stored_due_time("{}", now - 5, now) == now - 5
    assert stored_due_time('{"seat": "x"}', now + 5, now) == now + 5


async def test_names_are_deleted_after_the_end_of_a_game(database: Path | str) -> None:
    store = store_at(database)
    await store.open()
    for name, state in (("done", OVER), ("going", PLAYING)):
        seats = [
            SeatRecord(0, PERSON, name="Ana", secret="x"),
            SeatRecord(1, "bot", name="Robby"),
        ]
        await store.create_table(TableRecord(name, {}, 1.0, state=state), seats)
    assert await store.cleanup.delete_names(time.time() - 60) == 0, "not yet"
    assert await store.cleanup.delete_names(time.time() + 60) == 1
    assert await store.cleanup.delete_names(time.time() + 60) == 0
    done, going = await store.load("done"), await store.load("going")
    assert done is not None
    assert going is not None
    assert [seat.name for seat in done.seats] == ["P1", "Robby"]
    assert [seat.name for seat in going.seats] == ["Ana", "Robby"]
    await store.close()
