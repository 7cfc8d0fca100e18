"""Bots run in other processes, and games continue even if these crash."""

from __future__ import annotations

import asyncio
import multiprocessing
import random
from dataclasses import replace
from pathlib import Path

import pytest

from smashup.bots.information_set import InformationSet
from smashup.bots.levels import make_bot
from smashup.cards import catalogue
from smashup.engine.game import Game
from smashup.engine.model.setup import Setup
from smashup.server.bots.bot_pool import BotPool, Task, WorkerState, choose
from smashup.server.operations.settings import Settings
from tests.server.live_server import UNLIMITED, run_server


def make_task(level: str, answers: int = 30) -> tuple[Task, Game]:
    """Return a task with a real choice, some way into a game."""
    game = Game(Setup(players=2, seed=4), catalogue())
    rng = random.Random(4)
    while (decision := game.decision) is not None:
        if len(game.answers) >= answers and len(decision.options) > 2:
            break
        game.choose(rng.randrange(len(decision.options)))
    assert decision is not None
    return Task(
        "t", game.setup.to_json(), {}, 0, game.answers[:], level, decision.player,
        len(decision.options),
    ), game  # fmt: skip


async def test_bots_play_a_table_to_its_end(tmp_path: Path) -> None:
    async with run_server(tmp_path) as server:
        table, _ = await server.create_table("easy", "easy")
        async with server.connect(table) as watcher:
            while not watcher.is_over:
                await watcher.receive()
        live = server.registry.tables[table]
        assert live.game is not None
        assert live.game.is_over
        assert watcher.table["winners"] == live.game.winners
        assert {a.seat for a in live.answers} == {0, 1}
        assert len(live.answers) == len(live.game.answers), "bots' moves are in the log"
        again = Game.replay(
            Setup.from_json(live.record.setup),
            catalogue(),
            [a.option for a in live.answers],
        )
        assert again.digest() == live.game.digest()


def test_a_bot_process_chooses_like_the_bot() -> None:
    """Also if it continues from a cached game, or has cached another one."""
    WorkerState.cards = catalogue()
    WorkerState.games.clear()
    for answers in (10, 30, 20):
        task, game = make_task("normal", answers)
        expected = make_bot("normal", task.seed).choose(InformationSet(game))
        assert choose(task) == expected
        assert WorkerState.games["t"][1].digest() == game.digest()
    other = replace(task, setup={**task.setup, "seed": 5}, answers=[], start_at=3)
    assert choose(replace(other, level="random")) >= 0
    assert WorkerState.games["t"][1].setup.seed == 5


async def test_a_bot_that_fails_is_replaced(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    others = set(multiprocessing.active_children())
    bot_pool = BotPool(Settings(database=tmp_path / "none", **UNLIMITED))
    task, _ = make_task("nobody")
    option = await bot_pool.pick(task)
    assert 0 <= option < task.num_options
    assert "'event': 'bot_failed'" in caplog.text
    assert "'error': 'SetupError'" in caplog.text
    # All processes are there from the first task on, also the one for quick bots.
    assert len(set(multiprocessing.active_children()) - others) == UNLIMITED["bot_processes"] + 1
    # A bot whose process dies repeatedly.
    picking = asyncio.create_task(bot_pool.pick(replace(task, level="mcts:60000ms")))
    deaths: set[int] = set()
    while not picking.done():
        for child in set(multiprocessing.active_children()) - others:
            if child.pid is not None and child.pid not in deaths:
                deaths.add(child.pid)
                child.kill()
        await asyncio.sleep(0.05)
    assert 0 <= picking.result() < task.num_options
    assert len(deaths) >= 2
    # The next bot searches again.
    assert await bot_pool.pick(replace(task, level="random")) < task.num_options
    bot_pool.close()


async def test_a_hanging_bot_is_terminated(tmp_path: Path) -> None:
    settings = Settings(database=tmp_path / "none", **UNLIMITED, bot_timeout_seconds=1)
    bot_pool = BotPool(settings)
    task, _ = make_task("mcts:60000ms")
    option = await asyncio.wait_for(bot_pool.pick(task), 30)
    assert 0 <= option < task.num_options
    bot_pool.close()
