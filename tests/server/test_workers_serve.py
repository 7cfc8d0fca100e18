"""`smashup serve --workers`: what cannot be served, and how the processes come and go."""

from __future__ import annotations

import asyncio
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
