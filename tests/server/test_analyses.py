"""Analyses of finished games: made in the background, and visible like the replay."""

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
from tests.server.live_server import LiveServer, run_server
from tests.server.test_replays import ANA, get, make_game, reason, store_finished_game

SHORT_GAME = 24
TIMEOUT_SECONDS = 120


@pytest.fixture(autouse=True)
def _quick_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyses, "DEFAULT_ITERATIONS", 4)
    monkeypatch.setattr(analyses, "LINE_ITERATIONS", 2)


async def wait_for_report(server: LiveServer, table: str, secret: str = "") -> dict[str, Any]:
    for _ in range(TIMEOUT_SECONDS * 5):
        found: dict[str, Any] = (await get(server, f"{table}/analysis", secret)).json()
        if found["report"] is not None:
            return found
        await asyncio.sleep(0.2)
    raise AssertionError("The analysis did not end.")


async def store_analysis(folder: Path, table: str, facts: bytes) -> None:
    store = store_at(folder / "tables.sqlite")
    await store.open()
    await store.save_analysis(table, facts)
    await store.close()


async def test_a_finished_game_is_analyzed_once(tmp_path: Path) -> None:
    game = make_game(most=SHORT_GAME)
    table = await store_finished_game(tmp_path, game)

    async with run_server(tmp_path) as server:
        before = (await get(server, f"{table}/analysis")).json()
        assert before == {"done": 0, "total": 0, "report": None}
        started = await server.post(f"/{table}/analysis")
        assert started.status_code == 202
        assert started.json()["total"] == SHORT_GAME
        found = await wait_for_report(server, table)
        assert found["done"] == found["total"] == SHORT_GAME
        report = found["report"]
        assert len(report["players"]) == 2
        for review in report["reviews"]:
            assert review["played"] == game.answers[review["number"]]
        again = await server.post(f"/{table}/analysis")
        assert again.json() == found


async def test_an_analysis_continues_after_a_restart(tmp_path: Path, monkeypatch: Any) -> None:
    table = await store_finished_game(tmp_path, make_game(most=SHORT_GAME))
    partial = {
        "version": analyses.FORMAT_VERSION,
        "done": SHORT_GAME - 2,
        "total": SHORT_GAME,
        "reviews": [],
        "report": None,
    }
    await store_analysis(tmp_path, table, gzip.compress(json.dumps(partial).encode()))

    async with run_server(tmp_path) as server:
        # Another worker may still be analyzing: no part is analyzed twice.
        assert (await server.post(f"/{table}/analysis")).json()["done"] == SHORT_GAME - 2
        await asyncio.sleep(0.5)
        assert (await get(server, f"{table}/analysis")).json()["done"] == SHORT_GAME - 2
        monkeypatch.setattr(analyses, "STALLED_SECONDS", 0)
        await server.post(f"/{table}/analysis")
        found = await wait_for_report(server, table)
        assert all(r["number"] >= SHORT_GAME - 2 for r in found["report"]["reviews"])


@pytest.mark.parametrize(
    "facts",
    [b"", b"junk", gzip.compress(b"[]"), gzip.compress(b"{}")],
    ids=["empty", "junk", "list", "object"],
)
async def test_a_damaged_analysis_is_made_again(tmp_path: Path, facts: bytes) -> None:
    table = await store_finished_game(tmp_path, make_game(most=4))
    await store_analysis(tmp_path, table, facts)

    async with run_server(tmp_path) as server:
        assert (await get(server, f"{table}/analysis")).json()["total"] == 0
        await server.post(f"/{table}/analysis")
        assert (await wait_for_report(server, table))["total"] == 4


async def test_analysis_of_a_private_game_is_private(tmp_path: Path) -> None:
    table = await store_finished_game(tmp_path, make_game(most=4), spectators=False)

    async with run_server(tmp_path) as server:
        assert (await get(server, f"{table}/analysis")).status_code == 403
        assert (await server.post(f"/{table}/analysis")).status_code == 403
        assert (await server.post(f"/{table}/analysis", ANA)).status_code == 202
        await wait_for_report(server, table, ANA)


async def test_an_unfinished_game_is_not_analyzed(tmp_path: Path) -> None:
    table = await store_finished_game(tmp_path, make_game(most=4), state=PLAYING)

    async with run_server(tmp_path) as server:
        assert "not over yet" in reason(await server.post(f"/{table}/analysis", ANA))
        assert "not over yet" in reason(await get(server, f"{table}/analysis", ANA))
        assert (await server.post("/missing/analysis")).status_code == 404
