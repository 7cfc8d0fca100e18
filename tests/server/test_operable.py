"""Health checks, metrics and logs."""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import psycopg
import pytest
from prometheus_client.parser import text_string_to_metric_families
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from scripts import dev_services
from scripts.chaos.hostile_clients import make_garbage
from smashup.cards import catalogue
from smashup.engine.game import Game
from smashup.engine.model.setup import Setup
from smashup.server.live.protocol import PROTOCOL
from smashup.server.operations import metrics
from smashup.server.tables.table_log import effective_answers
from smashup.version import __version__
from tests.server.live_server import LiveServer, run_server
from tests.server.reconnecting_players import ServerProcess, load_stored, wait_until
from tests.server.test_serve import run_refused_serve
from tests.terminal.cli_process import ROOT, environment

TIMEOUT_SECONDS = 30


@contextmanager
def run_logged_serve(
    home: Path, *words: str, **more: str
) -> Iterator[tuple[subprocess.Popen[str], str, Path]]:
    """Run a server that logs to a file, and check that SIGTERM stops it normally."""
    log = home / "log"
    with open(log, "w") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "smashup.terminal", "serve", "--port", "0", *words],
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env=environment(home, **more),
        )
    try:
        assert process.stdout is not None
        found = re.search(r"http://\S+/", process.stdout.readline())
        assert found is not None, log.read_text()
        yield process, found[0], log
        process.send_signal(signal.SIGTERM)
        assert process.wait(TIMEOUT_SECONDS) == 0
    finally:
        process.kill()
        process.communicate()


linux = pytest.mark.usefixtures("proc")


# --- is it well? ------------------------------------------------------------------------------


async def test_a_healthy_server_reports_it(tmp_path: Path) -> None:
    async with run_server(tmp_path) as server:
        for path in ("/healthz", "/healthz/live"):
            answer = await server.http.get(path)
            assert answer.status_code == 200
            assert answer.json() == {"status": "ok", "version": __version__, "reason": ""}
            assert answer.headers["Cache-Control"] == "no-store"


async def test_without_a_database_the_server_is_alive_but_not_ready(
    tmp_path: Path, shared_database: str, postgres: dev_services.Postgres
) -> None:
    """Allow or forbid connections to the database."""
    name = shared_database.partition("@/")[2].partition("?")[0]

    def allow(yes: bool) -> None:
        with psycopg.connect(postgres.url(), autocommit=True) as line:
            line.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS {yes}')
            line.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,)
            )

    async with run_server(tmp_path, database=shared_database) as server:
        assert (await server.http.get("/healthz")).status_code == 200
        allow(False)
        answer = await server.http.get("/healthz")
        assert answer.status_code == 503
        assert answer.json()["reason"] == "The database does not respond."
        assert (await server.http.get("/healthz/live")).status_code == 200
        allow(True)
        async with asyncio.timeout(10):
            while (await server.http.get("/healthz")).status_code != 200:
                await asyncio.sleep(0.2)


async def test_a_worker_without_notifications_or_stopping_is_not_ready(
    tmp_path: Path, shared_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with run_server(tmp_path, database=shared_database) as server:
        assert (await server.http.get("/healthz")).status_code == 200
        with monkeypatch.context() as patch:
            notifier = server.registry.synchronizer.notifier
            patch.setattr(type(notifier), "is_listening", property(lambda _: False))
            answer = await server.http.get("/healthz")
            assert answer.status_code == 503
            expected = "This worker receives no notifications of other workers."
            assert answer.json()["reason"] == expected
        server.registry.is_leaving = True
        answer = await server.http.get("/healthz")
        assert answer.json()["reason"] == "This worker is shutting down."
        server.registry.is_leaving = False


# --- metrics ----------------------------------------------------------------------------------


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as sock:
        port: int = sock.getsockname()[1]
    return port


class Scrape:
    """The metrics as Prometheus reads them."""

    def __init__(self, port: int) -> None:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as page:
            self.text = page.read().decode()
        self.families = {f.name: f for f in text_string_to_metric_families(self.text)}

    def value(self, name: str, **labels: str) -> float:
        """Return the sum of all samples with these labels."""
        return sum(
            sample.value
            for family in self.families.values()
            for sample in family.samples
            if sample.name == name and labels.items() <= sample.labels.items()
        )

    def names(self) -> Iterator[tuple[str, str]]:
        for family in self.families.values():
            if family.name.startswith("smashup_"):
                yield family.name, family.type


async def play_a_little(address: str, answers: int) -> str:
    """Send some answers, a chat message and a stale answer."""
    async with httpx.AsyncClient(base_url=address) as http:
        server = LiveServer(address.removeprefix("http://").strip("/"), http, None)  # type: ignore[arg-type]
        table, secrets = await server.create_table("me", "easy")
        async with server.connect(table, secrets[0]) as guest:
            assert await guest.play(random.Random(1), answers) == answers
            assert (await guest.request(type="chat", text="Well, well"))["type"] == "ack"
            assert (await guest.answer(0, number=999))["type"] == "refused"
        return table


def test_metrics_have_a_separate_address(tmp_path: Path) -> None:
    port = free_port()
    with run_logged_serve(tmp_path, "--metrics-address", f"127.0.0.1:{port}") as (_, address, _):
        table = asyncio.run(play_a_little(address, 6))
        with urllib.request.urlopen(f"{address}metrics", timeout=10) as page:
            assert b"smashup_answers" not in page.read(), "players see nothing of it"
        seen = Scrape(port)
        assert seen.value("smashup_answers_total", by="person") == 6
        assert seen.value("smashup_answer_seconds_count") == 6
        assert seen.value("smashup_chat_messages_total") == 1
        assert seen.value("smashup_refused_total", transport="socket", code="stale") == 1
        assert seen.value("smashup_games_total", event="begun") == 1
        assert seen.value("smashup_store_write_seconds_count") >= 7
        assert seen.value("smashup_store_batch_size_sum") >= 7
        assert seen.value("smashup_build_info", version=__version__) == 1
        assert table not in seen.text
        # Gauges are updated every two seconds.
        for _ in range(100):
            seen = Scrape(port)
            if seen.value("smashup_tables", state="playing") == 1:
                break
        assert seen.value("smashup_worker_memory_bytes") > 10_000_000
        for name, kind in seen.names():
            assert (kind == "counter") == (f"# TYPE {name}_total counter" in seen.text)
            assert seen.families[name].documentation.endswith(".")


@linux
def test_metrics_include_all_workers_and_dead_ones(tmp_path: Path, shared_database: str) -> None:
    port = free_port()
    secrets = {"SMASHUP_DATABASE": shared_database}
    words = ("--workers", "2", "--metrics-address", f"127.0.0.1:{port}")
    with run_logged_serve(tmp_path, *words, **secrets) as (process, address, _):
        for _ in range(3):
            asyncio.run(play_a_little(address, 4))
        seen = Scrape(port)
        assert seen.value("smashup_answers_total", by="person") == 12
        assert len(seen.families["smashup_worker_memory_bytes"].samples) == 2
        served = ServerProcess(address, process)
        dead = served.worker_pids()[0]
        os.kill(dead, signal.SIGKILL)
        asyncio.run(
            wait_until(lambda: dead not in served.worker_pids() and len(served.worker_pids()) == 2)
        )

        def memories() -> set[str]:
            samples = Scrape(port).families["smashup_worker_memory_bytes"].samples
            return {sample.labels["pid"] for sample in samples}

        asyncio.run(wait_until(lambda: len(memories()) == 2))
        assert str(dead) not in memories(), "what it held is not counted any more"
        assert Scrape(port).value("smashup_answers_total", by="person") == 12, "what it did is"


@linux
def test_metrics_of_killed_servers_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    result = subprocess.Popen([sys.executable, "-c", ""])
    result.wait()
    dead, fresh, alive = (
        tmp_path / f"smashup-metrics-{name}"
        for name in (f"{result.pid}-a", f"{result.pid}-b", f"{os.getpid()}-c")
    )
    for folder in (dead, fresh, alive):
        folder.mkdir()
    for folder in (dead, alive):
        os.utime(folder, (1, 1))
    with metrics.multiprocess_metrics():
        mine = Path(os.environ["PROMETHEUS_MULTIPROC_DIR"])
        assert set(tmp_path.iterdir()) == {fresh, alive, mine}
    assert not mine.exists()


def test_invalid_metrics_addresses_are_refused(tmp_path: Path) -> None:
    assert run_refused_serve(tmp_path, "--metrics-address", "9100") == (
        "9100 is not an address for metrics: use a host and a port, like 127.0.0.1:9100."
    )
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        message = run_refused_serve(tmp_path, "--metrics-address", address, "--port", "0")
        assert message.startswith(f"Metrics cannot be served at {address}: ")


# --- logs -------------------------------------------------------------------------------------


def test_the_log_contains_no_secrets(tmp_path: Path, shared_database: str) -> None:
    """Games with hostile messages, and everything that the server logs at any level."""
    secrets = {
        # It is not used here, but must not be logged.
        "SMASHUP_DATABASE": shared_database.replace("postgres@", "postgres:hushhush@"),
    }
    words = ("--workers", "2", "--log-format", "json", "--log-level", "debug")
    found: set[str] = {"hushhush", "xyzzy-plugh"}

    async def visit(address: str) -> None:
        async with httpx.AsyncClient(base_url=address) as http:
            server = LiveServer(address.removeprefix("http://").strip("/"), http, None)  # type: ignore[arg-type]
            await play(server, random.Random(5))
            for path in ("/api/tables/xyzzy-plugh", "/api/xyzzy-plugh", "/xyzzy-plugh"):
                await http.get(path, headers={"Authorization": "Bearer xyzzy-plugh"})
            await http.post("/api/tables", content=b'{"xyzzy-plugh": ' * 100)

    async def play(server: LiveServer, rng: random.Random) -> None:
        """Play a game with chat, while another client sends invalid messages."""
        name, words = (f"{word}{rng.randrange(10**6)}" for word in ("Zaphod", "Vogon"))
        seats = [{"kind": "me", "name": name}, {"kind": "bot", "level": "easy"}]
        answer = (await server.post("", seats=seats)).json()
        table, (seat,) = answer["table"]["id"], answer["seats"]
        found.update((table, name, words, seat["secret"]))
        async with server.connect(table, seat["secret"]) as guest:
            await guest.request(type="chat", text=f"I said {words}.")
            playing = asyncio.create_task(guest.play(rng))
            for _ in range(6):
                with suppress(ConnectionClosed):
                    async with connect(server.socket_url(table)) as line:
                        hello = {"type": "hello", "id": "1", "protocol": PROTOCOL}
                        await line.send(json.dumps({**hello, "secret": seat["secret"]}))
                        for _ in range(15):
                            await line.send(make_garbage(rng))
            await playing
        found.update(await held_cards(shared_database, table))

    with run_logged_serve(tmp_path, *words, **secrets) as (_, address, log):
        asyncio.run(visit(address))
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    events = {line["event"] for line in lines}
    assert {
        "worker_ready",
        "game_started",
        "game_over",
        "worker_stopped",
    } <= events
    assert list(lines[0])[:3] == ["time", "level", "event"]
    assert "pid" in lines[0]
    assert len(found) > 30
    assert not [(secret, line) for secret in found for line in lines if secret in str(line)]


async def held_cards(database: str, table: str) -> set[str]:
    """Return the names of all cards that a player has held."""
    found = await load_stored(database, table)
    game = Game(Setup.from_json(found.table.setup), catalogue())
    names: set[str] = set()
    for answer in effective_answers(found.entries):
        game.choose(answer.option)
        held = [card for hand in game.table.state.hands for card in hand]
        names |= {game.table.state.definition[card].name for card in held}
    return {name for name in names if len(name) > 4}


def test_errors_are_logged_with_type_and_location(tmp_path: Path) -> None:
    """In a separate process with its own log configuration."""
    program = """
import asyncio, logging, sys
from smashup.server.operations import logs
from smashup.engine.model.setup import Setup

async def lost():
    raise KeyError("ace of spades")

async def main():
    task = asyncio.create_task(lost())
    await asyncio.sleep(0)
    del task

logs.configure("text", "info")
try:
    Setup.from_json({"ace of spades": 1})
except Exception as error:
    logs.fail("card_lost", "table-of-somebody", error)
    logging.getLogger("uvicorn.error").error("Exception in %s", "ace of spades", exc_info=error)
    logging.getLogger("smashup.bots").warning("%s failed.", "heavy", exc_info=error)
asyncio.run(main())
import gc; gc.collect()
for _ in range(20):
    logs.warn("happens_often")
"""
    errors = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env=environment(tmp_path),
        cwd=ROOT,
        check=True,
    ).stderr
    lines = [line.partition(" ")[2] for line in errors.splitlines()]
    assert lines[0].startswith("error: card_lost table=")
    assert " at=engine/model/setup.py:" in lines[0]
    assert lines[1].startswith("error: Exception in %s by=uvicorn.error error=")
    assert lines[2].startswith("warning: heavy failed. error=")
    assert " at=engine/model/setup.py:" in lines[2]
    assert lines[3] == "error: Task exception was never retrieved by=asyncio error=KeyError"
    assert lines[4:] == ["warning: happens_often"] * 5
    assert "ace of spades" not in errors
    assert "somebody" not in errors
