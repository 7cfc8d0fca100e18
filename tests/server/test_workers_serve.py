"""`smashup serve --workers`: what cannot be served, and how the processes come and go."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from smashup.cards import catalogue
from smashup.engine.errors import SmashUpError
from smashup.server.operations.running import serve
from smashup.server.operations.settings import Settings
from tests.server.regulars import Served, served, until
from tests.server.test_serve import refused, running
from tests.terminal.cli_process import run

UNREACHED = "postgresql://ana:hush@127.0.0.1:1/games"
linux = pytest.mark.usefixtures("proc")


def problem(database: Path | str, **more: Any) -> str:
    """Why this cannot be served."""
    settings = Settings(database=database, port=0, **more)
    assert "hush" not in repr(settings)
    with pytest.raises(SmashUpError) as caught:
        serve(settings, catalogue(), pytest.fail)
    assert "hush" not in str(caught.value)
    return str(caught.value)


def test_what_cannot_be_served(tmp_path: Path) -> None:
    file = tmp_path / "tables.sqlite"
    assert problem(file, workers=0) == "0 is not a number of workers."
    assert problem(file, workers=2) == (
        "Several workers need a database that they can share: --database postgresql://..."
    )
    assert problem(UNREACHED).startswith(
        "The database postgresql://127.0.0.1:1/games cannot be used: "
    )


def test_the_command_says_so_in_one_line(tmp_path: Path) -> None:
    said = refused(tmp_path, "--workers", "2", "--lang", "fr")
    assert said.endswith("--database postgresql://...")


@linux
def test_the_command_takes_secrets_from_the_environment_and_ends_quietly(
    tmp_path: Path, shared_database: str
) -> None:
    secrets = {"SMASHUP_DATABASE": shared_database}
    with running(tmp_path, "--port", "0", "--workers", "2", **secrets) as (process, address):
        workers = Served(address, process).workers()
        assert len(workers) == 2
        with urllib.request.urlopen(f"{address}api/tables", timeout=10) as page:
            assert page.status == 200
    assert not any(Path(f"/proc/{worker}").exists() for worker in workers)


@linux
def test_a_worker_that_dies_is_replaced_and_none_outlives_the_supervisor(
    tmp_path: Path, shared_database: str
) -> None:
    async def visit() -> None:
        async with served(tmp_path, shared_database, workers=2) as server:
            first, second = server.workers()
            os.kill(first, signal.SIGKILL)
            await until(lambda: len({*server.workers()} - {first, second}) == 1)
            workers = server.workers()
            server.process.kill()
            await until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers))

    asyncio.run(visit())


NEVER_STARTS = """
import gc, multiprocessing, threading, warnings
from smashup.bots.bot import Bot


class Mine(Bot):
    def think(self, info, progress):
        return 0


class Leaky:
    def __del__(self):
        raise ValueError("ace of spades")


warnings.simplefilter("always")
warnings.warn("ace of spades")
if multiprocessing.parent_process() is not None:
    crashing = threading.Thread(target=lambda: {}["ace of spades"])
    crashing.start()
    crashing.join()
    Leaky()
    gc.collect()
    raise KeyError("ace")
"""
"""A plug-in that can be loaded by the supervisor, but not by its workers."""


def test_workers_that_die_while_they_start_are_logged_and_the_server_gives_up(
    tmp_path: Path, shared_database: str
) -> None:
    """And with --log json, everything that is written is JSON."""
    bot = tmp_path / "mine.py"
    bot.write_text(NEVER_STARTS)
    words = ("--port", "0", "--workers", "2", "--log", "json", "--bot-file", str(bot))
    ended = run(tmp_path, "serve", *words, SMASHUP_DATABASE=shared_database)
    assert ended.returncode == 2
    assert ended.stdout == "", "it never took calls"
    lines = [json.loads(line) for line in ended.stderr.splitlines()]
    events = [line["event"] for line in lines]
    assert events[0] == "python_warning"
    assert {"thread_crashed", "error_in_finalizer"} <= set(events)
    failures = [line for line in lines if line["event"] == "worker_start_failed"]
    assert [line["failures"] for line in failures] == [1, 2, 3]
    assert {line["exit_code"] for line in failures} == {1}
    reasons = [line["reason"] for line in lines if line["event"] == "worker_failed"]
    assert all(str(bot) in reason for reason in reasons)
    assert events[-1] == "server_cannot_start"
    assert lines[-1]["reason"].startswith("The server cannot start: its workers end while they")
    assert "ace of spades" not in ended.stderr
