"""Setting the system clock neither affects turns nor deletes data."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from smashup.server.operations import timekeeping
from smashup.server.storage.records import WAITING, TableRecord
from smashup.server.storage.retention import DAY, MAX_AHEAD, RetentionClock
from smashup.server.storage.store import store_at
from smashup.server.tables.timing.clocks import GRACE_SECONDS, TurnClock, ends_at
from tests.server.live_server import GameClient, run_server
from tests.server.test_kill import process

HOUR = 3600.0
TOLERANCE = 5.0
LONG_AGO = 1_600_000_000.0


def remaining_seconds(client: GameClient) -> float:
    """Return the remaining seconds."""
    clock: dict[str, Any] = client.state["clock"]
    return float(clock["ends"] - client.state["now"])


async def refresh(client: GameClient) -> GameClient:
    await client.request(type="chat", text="Well")
    return client


# --- turns ------------------------------------------------------------------------------------


def test_server_time_ignores_changes_of_the_system_clock(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = timekeeping.now()
    assert abs(before - time.time()) < TOLERANCE
    monkeypatch.setattr("time.time", lambda: LONG_AGO)
    assert 0 <= timekeeping.now() - before < TOLERANCE


@pytest.mark.parametrize("jump", [-400 * DAY, -HOUR, 0.0, HOUR, 400 * DAY])
def test_a_stored_clock_ignores_changes_of_the_system_clock(
    jump: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new process of the same boot measures the time exactly after a clock jump."""
    asked = timekeeping.now() - 20
    stored = TurnClock.from_json(300, 2, {}, asked).start(0, 1, False, asked).to_json()
    monkeypatch.setattr(timekeeping, "_OFFSET", timekeeping._OFFSET + jump)
    monkeypatch.setattr(timekeeping, "STARTED", timekeeping.STARTED + jump)
    now = timekeeping.now()
    again = TurnClock.from_json(300, 2, stored, now)
    assert abs(again.ends - now - 280) < TOLERANCE
    assert abs(ends_at(stored) - now - 280) < TOLERANCE
    assert not again.is_up(0, now)
    assert again.is_up(0, now + 281)
    assert again.start(1, 1, False, now).left[0] <= 281


@pytest.mark.parametrize("jump", [-400 * DAY, -HOUR, HOUR, 400 * DAY])
def test_no_seat_gets_more_than_the_limit_after_a_reboot(jump: float) -> None:
    """Then only the system clocks can be compared; the rest of the turn is at most what it was,
    and at least a minute."""
    asked = timekeeping.now() - jump
    stored = TurnClock.from_json(300, 2, {}, asked).start(0, 1, False, asked).to_json()
    stored["boot"] = "another"
    now = timekeeping.now()
    again = TurnClock.from_json(300, 2, stored, now)
    assert GRACE_SECONDS - 1 <= again.ends - now <= 300
    assert again.since <= now
    # Reading it repeatedly does not change it.
    first = ends_at(stored)
    monotonic = time.monotonic()
    assert abs(ends_at(stored) - first) <= time.monotonic() - monotonic + 0.01


def test_a_manipulated_clock_grants_no_more_than_the_limit() -> None:
    now = timekeeping.now()
    times = TurnClock.from_json(60, 2, {}, now).start(0, 1, False, now)
    stored = {**times.to_json(), "ends": now + 1000 * DAY, "left": [1e9, 1e9]}
    again = TurnClock.from_json(60, 2, stored, now)
    assert again.ends - now <= 60.01
    assert again.left == [60.0, 60.0]
    assert replace(again, ends=now + 1e9).start(1, 1, False, now).left[0] <= 60


async def set_clock(folder: Path, seconds: float) -> None:
    """Set the system clock of the server that runs on this folder."""
    (folder / "jump").write_text(str(seconds), encoding="ascii")


def jumping(database: Path) -> tuple[str, ...]:
    return ("tests.server.clock_jump_server", str(database.parent / "jump"), str(database))


async def test_a_clock_jump_does_not_affect_a_running_turn(tmp_path: Path) -> None:
    """One hour back, one hour ahead, and a restart with a clock that is a day wrong."""
    database = tmp_path / "tables.sqlite"

    await set_clock(tmp_path, 0)
    async with process(database, *jumping(database)) as (server, _):
        table, secrets = await server.create_table("me", "me", clock=60)
        async with (
            server.connect(table, secrets[0]) as one,
            server.connect(table, secrets[1]) as two,
        ):
            asked = one if one.options else two
            started = time.monotonic()
            assert 55 < remaining_seconds(asked) <= 60
            for jump in (-HOUR, HOUR, -400 * DAY, 400 * DAY):
                await set_clock(tmp_path, jump)
                expected = 60 - (time.monotonic() - started)
                assert abs(remaining_seconds(await refresh(asked)) - expected) < TOLERANCE
            assert (await asked.answer(0))["type"] == "ack"
    for jump in (-DAY, DAY):
        await set_clock(tmp_path, jump)
        async with (
            process(database, *jumping(database)) as (server, _),
            server.connect(table, secrets[0]) as one,
            server.connect(table, secrets[1]) as two,
        ):
            asked = one if one.options else two
            spent = time.monotonic() - started
            assert 60 - spent - TOLERANCE < remaining_seconds(asked) <= 60


# --- deleting ---------------------------------------------------------------------------------


def test_a_clock_far_ahead_does_not_age_data() -> None:
    now = LONG_AGO

    def clock() -> float:
        return now

    sound = RetentionClock(LONG_AGO - MAX_AHEAD + 1, clock=clock)
    assert (sound.ahead, sound.now(), sound.deletion_time()) == (0.0, LONG_AGO, LONG_AGO)
    newest = LONG_AGO - 400 * DAY
    ahead = RetentionClock(newest, clock=clock)
    assert ahead.ahead == 400 * DAY
    assert ahead.deletion_time() == ahead.now() == newest
    now += DAY
    assert ahead.deletion_time() == newest + DAY, "it goes on from there"
    trusted = RetentionClock(newest, trusted=True, clock=clock)
    assert trusted.deletion_time() == now
    behind = RetentionClock(now + 30 * DAY, clock=clock)
    assert behind.now() == now + 30 * DAY, "what is used now is not older than what was used before"
    assert behind.deletion_time() == now
    assert RetentionClock(None, clock=clock).deletion_time() == now


async def test_the_database_stores_the_newest_time(database: Path | str) -> None:
    store = store_at(database)
    await store.open()
    now = timekeeping.now()
    store.retention = RetentionClock(None, clock=lambda: now + 3 * DAY)
    await store.cleanup.save_clock()
    store.retention = RetentionClock(None, clock=lambda: now - 3 * DAY)
    await store.cleanup.save_clock()
    await store.close()
    again = store_at(database)
    await again.open()
    assert again.retention.now() >= now + 3 * DAY, "the latest counts"
    await again.close()


async def test_nothing_is_deleted_by_a_clock_400_days_ahead(tmp_path: Path) -> None:
    """The server starts with a wrong clock, and a table is created meanwhile."""
    database = tmp_path / "tables.sqlite"

    async with run_server(tmp_path) as server:
        tables = [(await server.create_table("me", "open"))[0]]
    await set_clock(tmp_path, 400 * DAY)
    for _ in range(2):  # the second time, the database contains a wrong time
        async with process(database, *jumping(database)) as (server, _):
            await asyncio.sleep(0.5)
            tables.append((await server.create_table("me", "open"))[0])
            for table in tables:
                assert (await server.http.get(f"/api/tables/{table}")).status_code == 200


def test_old_tables_are_deleted_by_a_clock_that_is_right(tmp_path: Path) -> None:
    """The counterpart of the test above, in which the clock is wrong and nothing is deleted."""
    database = tmp_path / "tables.sqlite"

    async def prepare(newest: float) -> None:
        store = store_at(database)
        await store.open()
        for name, age in (("old", 8 * DAY), ("young", 2 * DAY)):
            moment = timekeeping.now() - age
            store.retention = RetentionClock(None, clock=partial(float, moment))
            options = {
                "mode": "random", "edition": "CS", "printing": "printed", "spectators": True,
                "optional_titans": False, "madness": False,
            }  # fmt: skip
            await store.create_table(TableRecord(name, options, 1.0, state=WAITING))
        store.retention = RetentionClock(None, clock=lambda: newest)
        await store.cleanup.save_clock()
        await store.close()

    async def names() -> set[str]:
        store = store_at(database)
        await store.open()
        found = [name for name in ("old", "young") if await store.load(name) is not None]
        await store.close()
        return set(found)

    async def visit() -> None:
        await prepare(timekeeping.now() - 2 * DAY)
        async with run_server(tmp_path) as server:
            for _ in range(50):
                await asyncio.sleep(0.1)
                if (await server.http.get("/api/tables/old")).status_code == 404:
                    break
        assert await names() == {"young"}

    asyncio.run(visit())


# --- damaged times ----------------------------------------------------------------------------


async def _store_with(database: Path, changed: float, state: str) -> None:
    store = store_at(database)
    await store.open()
    store.retention = RetentionClock(None, clock=lambda: changed)
    await store.create_table(TableRecord("one", {}, 1.0, state=WAITING))
    await store.cleanup.save_clock()
    await store.close()
    with closing(sqlite3.connect(database, isolation_level=None)) as file:
        file.execute(state)


@pytest.mark.parametrize("at", ["9e999", "-9e999", "1e18", "-1.0", "'x'", "x'ff'", "1e9", "4e9"])
async def test_an_impossible_stored_time_is_replaced(tmp_path: Path, at: str) -> None:
    """The guard against a clock that is far ahead goes by the newest time of the tables."""
    database = tmp_path / "tables.sqlite"
    changed = timekeeping.now() - 30 * DAY

    await _store_with(database, changed, f"UPDATE server_state SET at = {at}")
    for _ in range(2):
        store = store_at(database)
        await store.open()
        assert abs(store.retention.ahead - 30 * DAY) < TOLERANCE
        assert abs(store.retention.deletion_time() - changed) < TOLERANCE
        await store.cleanup.save_clock()
        await store.close()
        with closing(sqlite3.connect(database)) as file:
            ((kept,),) = file.execute("SELECT at FROM server_state").fetchall()
        assert abs(kept - changed) < TOLERANCE


async def test_a_clock_set_back_by_years_does_not_replace_the_stored_time(
    tmp_path: Path,
) -> None:
    database = tmp_path / "tables.sqlite"
    late = timekeeping.now() + 1000 * DAY

    await _store_with(database, late, "SELECT 1")
    store = store_at(database)
    await store.open()
    assert abs(store.retention.now() - late) < TOLERANCE
    await store.close()


@pytest.mark.parametrize("changed", ["-1e300", "-9e999", "0", "9e999", "'x'"])
async def test_a_table_with_an_impossible_time_is_not_removed(tmp_path: Path, changed: str) -> None:
    database = tmp_path / "tables.sqlite"

    now = timekeeping.now()
    await _store_with(database, now, f"UPDATE tables SET changed = {changed}")
    store = store_at(database)
    await store.open()
    for _ in range(2):
        assert await store.cleanup.remove_tables(WAITING, now - DAY, (), 10) == 0
        await store.cleanup.save_clock()
    assert await store.cleanup.remove_tables(WAITING, now + DAY, (), 10) == (changed[0] in "-0")
    await store.close()
