"""Analyses that are requested twice, that fail, and that a restart interrupts."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from smashup.server.bots.bot_pool import AnalysisPart, BotPool
from smashup.server.replays import analyses
from smashup.server.replays.replays import Replays
from tests.server.live_server import run_server
from tests.server.test_analyses import SHORT_GAME, wait_for_report
from tests.server.test_replays import get, make_game, reason, store_finished_game

REVIEW = BotPool.review


@pytest.fixture(autouse=True)
def _quick_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyses, "DEFAULT_ITERATIONS", 4)
    monkeypatch.setattr(analyses, "LINE_ITERATIONS", 2)


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch) -> list[list[int]]:
    """The numbers of decisions in each part that is reviewed."""
    reviewed: list[list[int]] = []

    async def review(pool: BotPool, part: AnalysisPart, address: str) -> Any:
        reviewed.append(list(part.numbers))
        return await REVIEW(pool, part, address)

    monkeypatch.setattr(BotPool, "review", review)
    return reviewed


async def test_two_requests_at_once_start_one_analysis(
    tmp_path: Path, parts: list[list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await store_finished_game(tmp_path, make_game(most=SHORT_GAME))
    loads: list[str] = []
    load = Replays.load_finished

    async def load_finished(replays: Replays, table_id: str, secret: str | None) -> Any:
        loads.append(table_id)
        return await load(replays, table_id, secret)

    monkeypatch.setattr(Replays, "load_finished", load_finished)
    async with run_server(tmp_path) as server:
        answers = await asyncio.gather(*(server.post(f"/{table}/analysis") for _ in range(4)))
        assert [answer.status_code for answer in answers] == [202] * 4
        started = len(loads)
        for _ in range(3):  # like a waiting browser
            assert (await server.post(f"/{table}/analysis")).status_code == 202
        assert len(loads) == started, "who waits does not make the server load the game again"
        await wait_for_report(server, table)
    assert [number for part in parts for number in part] == list(range(SHORT_GAME))


async def test_a_failure_is_said_and_the_next_request_continues(
    tmp_path: Path, parts: list[list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await store_finished_game(tmp_path, make_game(most=SHORT_GAME))
    review = BotPool.review

    async def fail(pool: BotPool, part: AnalysisPart, address: str) -> Any:
        if len(parts) == 2:
            raise RuntimeError("The processes of the bots are gone.")
        return await review(pool, part, address)

    async with run_server(tmp_path) as server:
        monkeypatch.setattr(BotPool, "review", fail)
        for _ in range(300):
            answer = await server.post(f"/{table}/analysis")
            if answer.status_code != 202:
                break
            await asyncio.sleep(0.1)
        assert "The analysis of this game failed." in reason(answer)
        monkeypatch.setattr(BotPool, "review", review)
        done = (await server.post(f"/{table}/analysis")).json()["done"]
        assert done == 2 * analyses.PART_SIZE
        await wait_for_report(server, table)
    assert [number for part in parts for number in part] == list(range(SHORT_GAME))


async def test_a_restart_interrupts_an_analysis_only_for_a_moment(
    tmp_path: Path, parts: list[list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await store_finished_game(tmp_path, make_game(most=SHORT_GAME))
    review = BotPool.review
    is_waiting = asyncio.Event()

    async def wait_after_two_parts(pool: BotPool, part: AnalysisPart, address: str) -> Any:
        if len(parts) == 2:
            is_waiting.set()
            await asyncio.Event().wait()
        return await review(pool, part, address)

    with monkeypatch.context() as patch:
        patch.setattr(BotPool, "review", wait_after_two_parts)
        async with run_server(tmp_path) as server:
            await server.post(f"/{table}/analysis")
            await asyncio.wait_for(is_waiting.wait(), 60)
    async with run_server(tmp_path) as server:
        before = (await get(server, f"{table}/analysis")).json()
        assert 0 < before["done"] < SHORT_GAME
        assert before["report"] is None
        await server.post(f"/{table}/analysis")
        found = await wait_for_report(server, table)
        numbers = [review["number"] for review in found["report"]["reviews"]]
        assert numbers == sorted(set(numbers))
        assert numbers[0] < before["done"] <= numbers[-1]
