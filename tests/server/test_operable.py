"""What who runs the server sees of it: whether it is well, what it counts, and what it tells."""

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
from scripts.chaos.hostile import garbage
from smashup.cards import catalogue
from smashup.engine.game import Game
from smashup.engine.model.setup import Setup
from smashup.server.live.protocol import PROTOCOL
from smashup.server.operations import metrics
from smashup.server.tables.table_log import effective_answers
from smashup.version import __version__
from tests.server.house import House, serving
from tests.server.regulars import Served, kept, until
from tests.server.test_serve import refused
from tests.terminal.cli_process import ROOT, environment

PATIENCE = 30


@contextmanager
def operated(
    home: Path, *words: str, **more: str
) -> Iterator[tuple[subprocess.Popen[str], str, Path]]:
    """A server that has said where it is, and writes of itself to a file; told to stop by its
    supervisor (SIGTERM), it ends well."""
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
        assert process.wait(PATIENCE) == 0
    finally:
        process.kill()
        process.communicate()


linux = pytest.mark.usefixtures("proc")


# --- is it well? ------------------------------------------------------------------------------


def test_a_server_is_well_and_says_so(tmp_path: Path) -> None:
    async def visit() -> None:
        async with serving(tmp_path) as house:
            for path in ("/healthz", "/healthz/live"):
                answer = await house.http.get(path)
                assert answer.status_code == 200
                assert answer.json() == {"status": "ok", "version": __version__, "reason": ""}
                assert answer.headers["Cache-Control"] == "no-store"

    asyncio.run(visit())


def test_without_its_database_it_is_alive_and_not_ready(
    tmp_path: Path, shared_database: str, postgres: dev_services.Postgres
) -> None:
    """Nobody gets to the database any more; then they do again."""
    name = shared_database.partition("@/")[2].partition("?")[0]

    def allow(yes: bool) -> None:
        with psycopg.connect(postgres.url(), autocommit=True) as line:
            line.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS {yes}')
            line.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,)
            )

    async def visit() -> None:
        async with serving(tmp_path, database=shared_database) as house:
            assert (await house.http.get("/healthz")).status_code == 200
            allow(False)
            answer = await house.http.get("/healthz")
            assert answer.status_code == 503
            assert answer.json()["reason"] == "The database does not answer."
            assert (await house.http.get("/healthz/live")).status_code == 200
            allow(True)
            async with asyncio.timeout(10):
                while (await house.http.get("/healthz")).status_code != 200:
                    await asyncio.sleep(0.2)

    asyncio.run(visit())


def test_without_notifications_or_when_leaving_it_is_not_ready(
    tmp_path: Path, shared_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def visit() -> None:
        async with serving(tmp_path, database=shared_database) as house:
            assert (await house.http.get("/healthz")).status_code == 200
            with monkeypatch.context() as patch:
                notifier = house.registry.synchronizer.notifier
                patch.setattr(type(notifier), "is_listening", property(lambda _: False))
                answer = await house.http.get("/healthz")
                assert answer.status_code == 503
                expected = "Notifications of other workers are not received."
                assert answer.json()["reason"] == expected
            house.registry.is_leaving = True
            answer = await house.http.get("/healthz")
            assert answer.json()["reason"] == "This worker is leaving."
            house.registry.is_leaving = False

    asyncio.run(visit())


# --- what it counts ---------------------------------------------------------------------------


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as sock:
        port: int = sock.getsockname()[1]
    return port


class Scrape:
    """What Prometheus would read."""

    def __init__(self, port: int) -> None:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as page:
            self.text = page.read().decode()
        self.families = {f.name: f for f in text_string_to_metric_families(self.text)}

    def value(self, name: str, **labels: str) -> float:
        """The sum of all samples with these labels."""
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
    """Somebody chooses so often, talks, and is refused once."""
    async with httpx.AsyncClient(base_url=address) as http:
        house = House(address.removeprefix("http://").strip("/"), http, None)  # type: ignore[arg-type]
        table, secrets = await house.table("me", "easy")
        async with house.guest(table, secrets[0]) as guest:
            assert await guest.play(random.Random(1), answers) == answers
            assert (await guest.say(type="chat", text="Well, well"))["type"] == "ack"
            assert (await guest.answer(0, number=999))["type"] == "refused"
        return table


def test_what_happens_is_counted_and_told_elsewhere_only(tmp_path: Path) -> None:
    port = free_port()
    with operated(tmp_path, "--metrics", f"127.0.0.1:{port}") as (_, address, _):
        table = asyncio.run(play_a_little(address, 6))
        with urllib.request.urlopen(f"{address}metrics", timeout=10) as page:
            assert b"smashup_answers" not in page.read(), "players see nothing of it"
        seen = Scrape(port)
        assert seen.value("smashup_answers_total", by="person") == 6
        assert seen.value("smashup_answer_seconds_count") == 6
        assert seen.value("smashup_chat_lines_total") == 1
        assert seen.value("smashup_refused_total", over="socket", kind="Stale") == 1
        assert seen.value("smashup_games_total", event="begun") == 1
        assert seen.value("smashup_store_write_seconds_count") >= 7
        assert seen.value("smashup_store_batch_size_sum") >= 7
        assert seen.value("smashup_build_info", version=__version__) == 1
        assert table not in seen.text
        # What is so, rather than happens, is looked at every two seconds.
        for _ in range(100):
            seen = Scrape(port)
            if seen.value("smashup_tables", state="playing") == 1:
                break
        assert seen.value("smashup_worker_memory_bytes") > 10_000_000
        for name, kind in seen.names():
            assert (kind == "counter") == (f"# TYPE {name}_total counter" in seen.text)
            assert seen.families[name].documentation.endswith(".")


@linux
def test_one_call_shows_all_workers_and_those_that_died(
    tmp_path: Path, shared_database: str
) -> None:
    port = free_port()
    secrets = {"SMASHUP_DATABASE": shared_database}
    words = ("--workers", "2", "--metrics", f"127.0.0.1:{port}")
    with operated(tmp_path, *words, **secrets) as (process, address, _):
        for _ in range(3):
            asyncio.run(play_a_little(address, 4))
        seen = Scrape(port)
        assert seen.value("smashup_answers_total", by="person") == 12
        assert len(seen.families["smashup_worker_memory_bytes"].samples) == 2
        served = Served(address, process)
        dead = served.workers()[0]
        os.kill(dead, signal.SIGKILL)
        asyncio.run(until(lambda: dead not in served.workers() and len(served.workers()) == 2))

        def memories() -> set[str]:
            samples = Scrape(port).families["smashup_worker_memory_bytes"].samples
            return {sample.labels["pid"] for sample in samples}

        asyncio.run(until(lambda: len(memories()) == 2))
        assert str(dead) not in memories(), "what it held is not counted any more"
        assert Scrape(port).value("smashup_answers_total", by="person") == 12, "what it did is"


@linux
def test_what_a_killed_server_counted_does_not_lie_around_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    dead, fresh, alive = (
        tmp_path / f"smashup-metrics-{name}"
        for name in (f"{ended.pid}-a", f"{ended.pid}-b", f"{os.getpid()}-c")
    )
    for folder in (dead, fresh, alive):
        folder.mkdir()
    for folder in (dead, alive):
        os.utime(folder, (1, 1))
    with metrics.multiprocess_metrics():
        mine = Path(os.environ["PROMETHEUS_MULTIPROC_DIR"])
        assert set(tmp_path.iterdir()) == {fresh, alive, mine}
    assert not mine.exists()


def test_metrics_that_cannot_be_served(tmp_path: Path) -> None:
    assert refused(tmp_path, "--metrics", "9100") == (
        "Metrics are served at a host and a port, like 127.0.0.1:9100, not at 9100."
    )
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        said = refused(tmp_path, "--metrics", address, "--port", "0")
        assert said.startswith(f"Metrics cannot be served at {address}: ")


# --- what it tells ----------------------------------------------------------------------------


def test_no_line_of_the_log_tells_anything(tmp_path: Path, shared_database: str) -> None:
    """Whole games with hostile messages, and everything written that can be."""
    secrets = {
        # Nobody is asked for it here; but it must not be told.
        "SMASHUP_DATABASE": shared_database.replace("postgres@", "postgres:hushhush@"),
    }
    words = ("--workers", "2", "--log", "json", "--log-level", "debug")
    found: set[str] = {"hushhush", "xyzzy-plugh"}

    async def visit(address: str) -> None:
        async with httpx.AsyncClient(base_url=address) as http:
            house = House(address.removeprefix("http://").strip("/"), http, None)  # type: ignore[arg-type]
            await play(house, random.Random(5))
            for path in ("/api/tables/xyzzy-plugh", "/api/xyzzy-plugh", "/xyzzy-plugh"):
                await http.get(path, headers={"Authorization": "Bearer xyzzy-plugh"})
            await http.post("/api/tables", content=b'{"xyzzy-plugh": ' * 100)

    async def play(house: House, dice: random.Random) -> None:
        """A whole game of a person who talks, while somebody else is in the way."""
        name, words = (f"{word}{dice.randrange(10**6)}" for word in ("Zaphod", "Vogon"))
        seats = [{"kind": "me", "name": name}, {"kind": "bot", "level": "easy"}]
        answer = (await house.post("", seats=seats)).json()
        table, (seat,) = answer["table"]["id"], answer["seats"]
        found.update((table, name, words, seat["secret"]))
        async with house.guest(table, seat["secret"]) as guest:
            await guest.say(type="chat", text=f"I said {words}.")
            playing = asyncio.create_task(guest.play(dice))
            for _ in range(6):
                with suppress(ConnectionClosed):
                    async with connect(house.socket(table)) as line:
                        hello = {"type": "hello", "id": "1", "protocol": PROTOCOL}
                        await line.send(json.dumps({**hello, "secret": seat["secret"]}))
                        for _ in range(15):
                            await line.send(garbage(dice))
            await playing
        found.update(await in_hands(shared_database, table))

    with operated(tmp_path, *words, **secrets) as (_, address, log):
        asyncio.run(visit(address))
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    events = {line["event"] for line in lines}
    assert {
        "worker_ready",
        "game_started",
        "game_over",
        "worker_stopped",
    } <= events
    assert {"time", "level", "event", "pid"} <= lines[0].keys()
    assert len(found) > 30
    assert not [(secret, line) for secret in found for line in lines if secret in str(line)]


async def in_hands(database: str, table: str) -> set[str]:
    """The names of all cards that anybody has held."""
    found = await kept(database, table)
    game = Game(Setup.from_json(found.table.setup), catalogue())
    names: set[str] = set()
    for answer in effective_answers(found.entries):
        game.choose(answer.option)
        held = [card for hand in game.table.state.hands for card in hand]
        names |= {game.table.state.definition[card].name for card in held}
    return {name for name in names if len(name) > 4}


def test_an_error_is_told_by_kind_and_place(tmp_path: Path) -> None:
    """In a process of its own, in which nobody else looks at the log."""
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
    assert lines[2] == "error: Task exception was never retrieved by=asyncio error=KeyError"
    assert lines[3:] == ["warning: happens_often"] * 5
    assert "ace of spades" not in errors
    assert "somebody" not in errors
