"""Bots at a table: they think elsewhere, and whatever happens to them the game goes on."""

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
from smashup.server.bots.bot_pool import BotPool, Task, WorkerState, prepare, think
from smashup.server.operations.settings import Settings
from tests.server.house import GENEROUS, serving


def a_task(level: str, answers: int = 30) -> tuple[Task, Game]:
    """A decision with a choice, some way into a game."""
    game = Game(Setup(players=2, seed=4), catalogue())
    dice = random.Random(4)
    while (decision := game.decision) is not None:
        if len(game.answers) >= answers and len(decision.options) > 2:
            break
        game.choose(dice.randrange(len(decision.options)))
    assert decision is not None
    return Task(
        "t", game.setup.to_json(), {}, 0, game.answers[:], level, decision.player,
        len(decision.options),
    ), game  # fmt: skip


def test_bots_play_a_table_to_its_end(tmp_path: Path) -> None:
    async def visit() -> None:
        async with serving(tmp_path) as house:
            table, _ = await house.table("easy", "easy")
            async with house.guest(table) as watcher:
                while not watcher.is_over:
                    await watcher.hear()
            live = house.registry.tables[table]
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

    asyncio.run(visit())


def test_a_process_thinks_as_the_bot_would_here() -> None:
    """Also when it goes on from a game it knows, and when it knows another one."""
    WorkerState.cards = catalogue()
    WorkerState.games.clear()
    for answers in (10, 30, 20):
        task, game = a_task("normal", answers)
        expected = make_bot("normal", task.seed).choose(InformationSet(game))
        assert think(task) == expected
        assert WorkerState.games["t"][1].digest() == game.digest()
    other = replace(task, setup={**task.setup, "seed": 5}, answers=[], start_at=3)
    assert think(replace(other, level="random")) >= 0
    assert WorkerState.games["t"][1].setup.seed == 5


def test_a_bot_that_fails_is_replaced(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def visit() -> None:
        others = set(multiprocessing.active_children())
        thinkers = BotPool(Settings(database=tmp_path / "none", **GENEROUS))
        task, _ = a_task("nobody")
        option = await thinkers.pick(task)
        assert 0 <= option < task.size
        assert "'event': 'bot_failed'" in caplog.text
        assert "'error': 'SetupError'" in caplog.text
        # All processes are there from the first task on, also the one for quick bots.
        assert len(set(multiprocessing.active_children()) - others) == GENEROUS["thinkers"] + 1
        # One whose process dies, again and again.
        picking = asyncio.create_task(thinkers.pick(replace(task, level="mcts:60000ms")))
        deaths: set[int] = set()
        while not picking.done():
            for child in set(multiprocessing.active_children()) - others:
                if child.pid is not None and child.pid not in deaths:
                    deaths.add(child.pid)
                    child.kill()
            await asyncio.sleep(0.05)
        assert 0 <= picking.result() < task.size
        assert len(deaths) >= 2
        # And the next one thinks again.
        assert await thinkers.pick(replace(task, level="random")) < task.size
        thinkers.close()

    asyncio.run(visit())


def test_a_bot_that_never_answers_is_given_up(tmp_path: Path) -> None:
    async def visit() -> None:
        settings = Settings(database=tmp_path / "none", **GENEROUS, think_limit=1)
        thinkers = BotPool(settings)
        task, _ = a_task("mcts:60000ms")
        option = await asyncio.wait_for(thinkers.pick(task), 30)
        assert 0 <= option < task.size
        thinkers.close()

    asyncio.run(visit())


def test_only_the_server_hears_ctrl_c() -> None:
    """What a process does first is done here in one of its own."""
    context = multiprocessing.get_context("spawn")
    process = context.Process(target=_prepared)
    process.start()
    process.join(30)
    assert process.exitcode == 0


def _prepared() -> None:
    import os
    import signal

    prepare((), 5)
    os.kill(os.getpid(), signal.SIGINT)
    assert WorkerState.limit == 5
    assert WorkerState.cards.factions
