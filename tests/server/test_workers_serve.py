"""`smashup serve --workers`: refused settings, and the life cycle of the processes."""

from __future__ import annotations

import json
import os
import signal
import socket
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from smashup.cards import catalogue
from smashup.engine.errors import SmashUpError
from smashup.server.operations import running as running_module
from smashup.server.operations.running import run_worker, serve
from smashup.server.operations.settings import Settings
from smashup.server.tables.registry import TableRegistry
from tests.server.reconnecting_players import ServerProcess, run_server_process, wait_until
from tests.server.test_serve import run_refused_serve, run_serve
from tests.terminal.cli_process import run

UNREACHABLE_URL = "postgresql://ana:hush@127.0.0.1:1/games"
linux = pytest.mark.usefixtures("proc")


def find_problem(database: Path | str, **more: Any) -> str:
    """Return the reason why a server cannot start."""
    settings = Settings(database=database, port=0, **more)
    assert "hush" not in repr(settings)
    with pytest.raises(SmashUpError) as caught:
        serve(settings, catalogue(), pytest.fail)
    assert "hush" not in str(caught.value)
    return str(caught.value)


def test_invalid_settings_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "tables.sqlite"
    assert find_problem(file, workers=0) == ("--workers needs a number of at least 1, not 0.")
    assert find_problem(file, workers=2) == (
        "Several workers need a database that they can share: --database postgresql://..."
    )
    assert find_problem(UNREACHABLE_URL).startswith(
        "The database postgresql://127.0.0.1:1/games cannot be used: "
    )


def test_startup_errors_are_one_line(tmp_path: Path) -> None:
    message = run_refused_serve(tmp_path, "--workers", "2", "--lang", "fr")
    assert message.endswith("--database postgresql://...")


@linux
def test_the_database_can_be_set_in_the_environment(tmp_path: Path, shared_database: str) -> None:
    secrets = {"SMASHUP_DATABASE": shared_database}
    with run_serve(tmp_path, "--port", "0", "--workers", "2", **secrets) as (process, address):
        workers = ServerProcess(address, process).worker_pids()
        assert len(workers) == 2
        with urllib.request.urlopen(f"{address}api/tables", timeout=10) as page:
            assert page.status == 200
    assert not any(Path(f"/proc/{worker}").exists() for worker in workers)


@linux
async def test_dead_workers_are_replaced_and_workers_exit_with_the_supervisor(
    tmp_path: Path, shared_database: str
) -> None:
    async with run_server_process(tmp_path, shared_database, workers=2) as server:
        first, second = server.worker_pids()
        os.kill(first, signal.SIGKILL)
        await wait_until(lambda: len({*server.worker_pids()} - {first, second}) == 1)
        workers = server.worker_pids()
        server.process.kill()
        await wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers))


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


def test_the_server_gives_up_if_workers_fail_during_startup(
    tmp_path: Path, shared_database: str
) -> None:
    """And with --log-format json, everything that is written is JSON."""
    bot = tmp_path / "mine.py"
    bot.write_text(NEVER_STARTS)
    words = ("--port", "0", "--workers", "2", "--log-format", "json", "--bot-file", str(bot))
    result = run(tmp_path, "serve", *words, SMASHUP_DATABASE=shared_database)
    assert result.returncode == 2
    assert result.stdout == "", "it never took calls"
    lines = [json.loads(line) for line in result.stderr.splitlines()]
    events = [line["event"] for line in lines]
    assert events[0] == "python_warning"
    assert {"thread_crashed", "error_in_finalizer"} <= set(events)
    failures = [line for line in lines if line["event"] == "worker_start_failed"]
    assert [line["failures"] for line in failures] == [1, 2, 3]
    assert {line["exit_code"] for line in failures} == {1}
    reasons = [line["reason"] for line in lines if line["event"] == "worker_failed"]
    assert all(str(bot) in reason for reason in reasons)
    assert events[-1] == "server_cannot_start"
    assert lines[-1]["reason"].startswith(
        "The server cannot start: its workers exit during startup"
    )
    assert "ace of spades" not in result.stderr


@pytest.mark.parametrize("moment", ["create_app", "_tune_gc"])
def test_a_server_can_be_stopped_during_startup(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    """An ignored signal would leave the server running until it is killed."""
    settings = Settings(database=tmp_path / "tables.sqlite", port=0)
    step = getattr(running_module, moment)

    def stop(*words: Any) -> Any:
        os.kill(os.getpid(), signal.SIGTERM)
        return step(*words)

    monkeypatch.setattr(running_module, moment, stop)
    handler = signal.getsignal(signal.SIGTERM)
    with socket.create_server(("127.0.0.1", 0)) as sock, pytest.raises(SystemExit) as stopped:
        run_worker(settings, catalogue(), sock, lambda _: pytest.fail("it was started"))
    assert stopped.value.code == 0
    assert signal.getsignal(signal.SIGTERM) is handler


def test_a_stop_signal_during_a_finalizer_is_not_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python ignores the exception by which the process would end."""
    settings = Settings(database=tmp_path / "tables.sqlite", port=0)
    step = running_module._tune_gc

    def stop() -> None:
        with suppress(SystemExit):
            signal.raise_signal(signal.SIGTERM)
        step()

    monkeypatch.setattr(running_module, "_tune_gc", stop)
    registries: list[TableRegistry] = []
    with socket.create_server(("127.0.0.1", 0)) as sock:
        run_worker(settings, catalogue(), sock, registries.append)
    assert [registry.is_leaving for registry in registries] == [True]


def test_a_server_that_is_stopped_before_it_is_ready_stops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From then on the database is open, and has to be closed."""
    settings = Settings(database=tmp_path / "tables.sqlite", port=0)
    opening = TableRegistry.open

    async def stop(registry: TableRegistry) -> None:
        os.kill(os.getpid(), signal.SIGTERM)
        await opening(registry)

    monkeypatch.setattr(TableRegistry, "open", stop)
    registries: list[TableRegistry] = []
    with socket.create_server(("127.0.0.1", 0)) as sock:
        run_worker(settings, catalogue(), sock, registries.append)
    assert [registry.is_leaving for registry in registries] == [True]


def test_a_worker_that_loses_its_database_during_startup_logs_the_reason(
    capfd: pytest.CaptureFixture[str],
) -> None:
    """The server itself has checked the database before; it is gone when a worker is replaced."""
    settings = Settings(database=UNREACHABLE_URL, port=0, log_format="json")
    with socket.create_server(("127.0.0.1", 0)) as sock, pytest.raises(SystemExit):
        run_worker(settings, catalogue(), sock, lambda _: pytest.fail("it was started"))
    lines = [json.loads(line) for line in capfd.readouterr().err.splitlines()]
    (failed,) = [line for line in lines if line["event"] == "worker_failed"]
    assert failed["reason"].startswith("The database postgresql://127.0.0.1:1/games cannot be used")
    assert "hush" not in str(lines)
