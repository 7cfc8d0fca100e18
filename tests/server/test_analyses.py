"""Analyses of finished games: made in the background, and visible to those who may see the game."""

from __future__ import annotations

import asyncio
import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from smashup.server.replays import analyses
from smashup.server.storage.records import PLAYING
from smashup.server.storage.store import store_at
from tests.server.house import House, serving
from tests.server.test_replays import ANA, a_game, get, on_disk, reason

SHORT_GAME = 24
PATIENCE = 120


@pytest.fixture(autouse=True)
def _quick_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyses, "DEFAULT_ITERATIONS", 4)
    monkeypatch.setattr(analyses, "LINE_ITERATIONS", 2)


async def wait_for_report(house: House, table: str, secret: str = "") -> dict[str, Any]:
    for _ in range(PATIENCE * 5):
        found: dict[str, Any] = (await get(house, f"{table}/analysis", secret)).json()
        if found["report"] is not None:
            return found
        await asyncio.sleep(0.2)
    raise AssertionError("The analysis did not end.")


def store_analysis(folder: Path, table: str, facts: bytes) -> None:
    async def write() -> None:
        store = store_at(folder / "tables.sqlite")
        await store.open()
        await store.save_analysis(table, facts)
        await store.close()

    asyncio.run(write())


def test_a_finished_game_is_analyzed_once(tmp_path: Path) -> None:
    game = a_game(most=SHORT_GAME)
    table = on_disk(tmp_path, game)

    async def visit() -> None:
        async with serving(tmp_path) as house:
            before = (await get(house, f"{table}/analysis")).json()
            assert before == {"done": 0, "total": 0, "report": None}
            started = await house.post(f"/{table}/analysis")
            assert started.status_code == 202
            assert started.json()["total"] == SHORT_GAME
            found = await wait_for_report(house, table)
            assert found["done"] == found["total"] == SHORT_GAME
            report = found["report"]
            assert len(report["players"]) == 2
            for review in report["reviews"]:
                assert review["played"] == game.answers[review["number"]]
            again = await house.post(f"/{table}/analysis")
            assert again.json() == found

    asyncio.run(visit())


def test_an_analysis_continues_after_a_restart(tmp_path: Path, monkeypatch: Any) -> None:
    table = on_disk(tmp_path, a_game(most=SHORT_GAME))
    partial = {
        "version": 1,
        "done": SHORT_GAME - 2,
        "total": SHORT_GAME,
        "reviews": [],
        "report": None,
    }
    store_analysis(tmp_path, table, gzip.compress(json.dumps(partial).encode()))

    async def visit() -> None:
        async with serving(tmp_path) as house:
            # Another worker may still be at it: nothing is done twice.
            assert (await house.post(f"/{table}/analysis")).json()["done"] == SHORT_GAME - 2
            await asyncio.sleep(0.5)
            assert (await get(house, f"{table}/analysis")).json()["done"] == SHORT_GAME - 2
            monkeypatch.setattr(analyses, "STALLED_SECONDS", 0)
            await house.post(f"/{table}/analysis")
            found = await wait_for_report(house, table)
            assert all(r["number"] >= SHORT_GAME - 2 for r in found["report"]["reviews"])

    asyncio.run(visit())


@pytest.mark.parametrize(
    "facts",
    [b"", b"junk", gzip.compress(b"[]"), gzip.compress(b"{}")],
    ids=["empty", "junk", "list", "object"],
)
def test_a_damaged_analysis_is_made_again(tmp_path: Path, facts: bytes) -> None:
    table = on_disk(tmp_path, a_game(most=4))
    store_analysis(tmp_path, table, facts)

    async def visit() -> None:
        async with serving(tmp_path) as house:
            assert (await get(house, f"{table}/analysis")).json()["total"] == 0
            await house.post(f"/{table}/analysis")
            assert (await wait_for_report(house, table))["total"] == 4

    asyncio.run(visit())


def test_nobody_else_sees_the_analysis_of_a_private_game(tmp_path: Path) -> None:
    table = on_disk(tmp_path, a_game(most=4), spectators=False)

    async def visit() -> None:
        async with serving(tmp_path) as house:
            assert (await get(house, f"{table}/analysis")).status_code == 403
            assert (await house.post(f"/{table}/analysis")).status_code == 403
            assert (await house.post(f"/{table}/analysis", ANA)).status_code == 202
            await wait_for_report(house, table, ANA)

    asyncio.run(visit())


def test_a_game_that_is_still_played_is_not_analyzed(tmp_path: Path) -> None:
    table = on_disk(tmp_path, a_game(most=4), state=PLAYING)

    async def visit() -> None:
        async with serving(tmp_path) as house:
            assert "still being played" in reason(await house.post(f"/{table}/analysis", ANA))
            assert "still being played" in reason(await get(house, f"{table}/analysis", ANA))
            assert (await house.post("/missing/analysis")).status_code == 404

    asyncio.run(visit())
