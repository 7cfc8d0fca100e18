"""``make abuse``: measure how one hostile address affects all others.

Starts a real server with its own database and attacks it from one loopback address while a
player at another one plays against an easy bot.

- ``bots``: many tables full of expert bots; reports how long the easy bot takes.
- ``connections``: more idle and half-sent connections than the server has file descriptors, and
  bursts of lobby listings; reports whether ``/healthz`` responds and how long players wait.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import httpx
from websockets.asyncio.client import ClientConnection, connect

from scripts.servers import percentile, read_address, server_command
from smashup.server.http.connections import raise_descriptor_limit
from smashup.server.live.protocol import PROTOCOL
from smashup.server.live.view_patch import complete_update

ROOT: Final = Path(__file__).resolve().parent.parent
ATTACKER: Final = "127.0.0.2"
PLAYER: Final = "127.0.0.3"
MONITOR: Final = "127.0.0.4"
MAX_BOT_SECONDS: Final = 2.0
START_SECONDS: Final = 3.0
"""Seconds for the bot processes to start."""
MAX_ANSWER_SECONDS: Final = 0.2
MIN_ANSWERS: Final = 3
"""Answers that a player has to get through during a flood."""
MAX_FLOOD_SECONDS: Final = 600.0


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("attack", nargs="?", choices=("bots", "connections", "all"), default="all")
    parser.add_argument("--tables", type=int, default=25, help="tables with expert bots")
    parser.add_argument("--unwatched", action="store_true", help="do not watch those tables")
    parser.add_argument("--connections", type=int, default=1100)
    parser.add_argument("--listings", type=int, default=430)
    parser.add_argument("--source", default=ATTACKER, help="where the connections come from")
    parser.add_argument("--files", type=int, default=1024, help="file descriptors of the server")
    parser.add_argument("--seconds", type=float, default=20, help="how long to measure")
    parser.add_argument("--flood", help=argparse.SUPPRESS)
    options = parser.parse_args()
    raise_descriptor_limit()
    if options.flood is not None:
        print(json.dumps(asyncio.run(_flood(*json.loads(options.flood)))))
        return 0
    passed = True
    with tempfile.TemporaryDirectory() as folder:
        if options.attack in ("bots", "all"):
            with serving(Path(folder) / "bots") as address:
                bots = asyncio.run(
                    starve_bots(address, options.tables, options.seconds, not options.unwatched)
                )
            print(bots.report())
            passed &= bots.longest < MAX_BOT_SECONDS
        if options.attack in ("connections", "all"):
            with serving(Path(folder) / "connections", files=options.files) as address:
                flood = asyncio.run(
                    flood_connections(
                        address,
                        options.connections,
                        options.listings,
                        options.seconds,
                        options.source,
                    )
                )
            print(flood.report())
            passed &= flood.is_reachable and flood.answer_p99 < MAX_ANSWER_SECONDS
    return 0 if passed else 1


# --- the server -------------------------------------------------------------------------------


@contextmanager
def serving(folder: Path, files: int = 0, **settings: Any) -> Iterator[str]:
    """Run a server in a separate process with default limits and yield its address. New tables
    are not limited, so that attacks start quickly."""
    folder.mkdir(parents=True, exist_ok=True)
    database = str(folder / "tables.sqlite")
    command = server_command(database=database, tables_per_second=1000.0, files=files, **settings)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        try:
            assert process.stdout is not None
            yield read_address(process.stdout)
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


# --- players ----------------------------------------------------------------------------------


@asynccontextmanager
async def client_from(source: str, address: str) -> AsyncIterator[httpx.AsyncClient]:
    """Return an HTTP client with one loopback address."""
    transport = httpx.AsyncHTTPTransport(
        local_address=source, verify=False, limits=httpx.Limits(max_connections=None)
    )
    async with httpx.AsyncClient(
        base_url=f"http://{address}", transport=transport, timeout=30
    ) as client:
        yield client


async def create_table(source: str, address: str, *seats: str) -> tuple[str, list[str]]:
    """Create a table; return it with the secrets of its seats of the kind "me". Other kinds are
    levels of bots."""
    form = [{"kind": "me"} if seat == "me" else {"kind": "bot", "level": seat} for seat in seats]
    async with client_from(source, address) as client:
        response = await client.post("/api/tables", json={"seats": form})
        response.raise_for_status()
        created = response.json()
        return created["table"]["id"], [seat["secret"] for seat in created["seats"]]


@asynccontextmanager
async def connect_to_table(
    source: str, address: str, table: str, secret: str | None = None
) -> AsyncIterator[ClientConnection]:
    """Connect to a table and send hello."""
    url = f"ws://{address}/api/tables/{table}/socket"
    async with connect(
        url, max_size=2**22, max_queue=None, local_addr=(source, 0), open_timeout=30
    ) as connection:
        hello: dict[str, Any] = {"type": "hello", "id": "hello", "protocol": PROTOCOL}
        if secret:
            hello["secret"] = secret
        await connection.send(json.dumps(hello))
        yield connection


@dataclass
class Latencies:
    """How long a player waited, in seconds."""

    answers: list[float] = field(default_factory=list)
    """From each answer to the update that shows it."""
    bot_answers: list[float] = field(default_factory=list)
    """Between two actions of a bot, or before the first one."""
    bot_turns: list[float] = field(default_factory=list)
    """From the answer that made it the bot's turn to being asked again."""


async def play_against_bot(
    address: str, seconds: float, latencies: Latencies, pause: float = 0.05, source: str = PLAYER
) -> None:
    """Play at random against an easy bot, game after game."""
    deadline = time.monotonic() + seconds
    rng = random.Random(1)
    with suppress(TimeoutError):
        while time.monotonic() < deadline:
            table, (secret,) = await create_table(source, address, "me", "easy")
            async with connect_to_table(source, address, table, secret) as connection:
                await _play_game(connection, rng, latencies, deadline, pause)


async def _play_game(
    connection: ClientConnection,
    rng: random.Random,
    latencies: Latencies,
    deadline: float,
    pause: float,
) -> None:
    shown: dict[str, Any] = {}
    sent_at = handed_over_at = last_update_at = 0.0
    answered_number = -1
    while True:
        try:
            text = await asyncio.wait_for(connection.recv(), max(0.01, deadline - time.monotonic()))
        except (TimeoutError, asyncio.CancelledError):
            if sent_at:
                latencies.answers.append(time.monotonic() - sent_at)
            if handed_over_at:
                latencies.bot_turns.append(time.monotonic() - handed_over_at)
                latencies.bot_answers.append(time.monotonic() - max(handed_over_at, last_update_at))
            raise
        message = json.loads(text)
        now = time.monotonic()
        if message["type"] == "refused":
            answered_number = -1
        if message["type"] not in ("snapshot", "update"):
            continue
        message = shown = (
            complete_update(shown, message) if message["type"] == "update" else message
        )
        if sent_at and message["number"] > answered_number:
            latencies.answers.append(now - sent_at)
            sent_at = 0.0
        if message["table"]["state"] == "over":
            return
        is_asked = bool((message["view"]["decision"] or {}).get("options"))
        if handed_over_at:
            latencies.bot_answers.append(now - max(handed_over_at, last_update_at))
        last_update_at = now
        if not is_asked:
            handed_over_at = handed_over_at or now
            continue
        if handed_over_at:
            latencies.bot_turns.append(now - handed_over_at)
            handed_over_at = 0.0
        if message["number"] != answered_number:
            await asyncio.sleep(pause)
            answered_number = message["number"]
            options = [rng.randrange(len(message["view"]["decision"]["options"]))]
            sent_at = time.monotonic()
            answer = {"type": "answer", "id": f"a{answered_number}", "number": answered_number}
            await connection.send(json.dumps({**answer, "options": options}))


# --- bots -------------------------------------------------------------------------------------


@dataclass
class BotReport:
    """Results for an easy bot at another table."""

    tables: int
    latencies: Latencies
    attacker_answers: int

    @property
    def longest(self) -> float:
        return max(self.latencies.bot_answers, default=float("inf"))

    def report(self) -> str:
        answers, turns = self.latencies.bot_answers, self.latencies.bot_turns
        return (
            f"{self.tables} tables with expert bots: an easy bot at another address answered"
            f" {len(answers)} times, median {percentile(answers, 50):.2f} s,"
            f" p99 {percentile(answers, 99):.2f} s, longest {self.longest:.2f} s;"
            f" whole turns median {percentile(turns, 50):.2f} s,"
            f" longest {max(turns, default=0):.2f} s; player's own answers p99"
            f" {percentile(self.latencies.answers, 99) * 1000:.0f} ms;"
            f" the expert bots made {self.attacker_answers} choices"
        )


async def starve_bots(address: str, tables: int, seconds: float, watched: bool = True) -> BotReport:
    """Play against an easy bot while one address runs tables of four expert bots each."""
    async with AsyncExitStack() as stack:
        update_sizes: list[int] = []
        created = await asyncio.gather(
            *(create_table(ATTACKER, address, *["expert"] * 4) for _ in range(tables))
        )
        for table, _ in created if watched else ():
            connection = await stack.enter_async_context(connect_to_table(ATTACKER, address, table))
            task = asyncio.create_task(_record_updates(connection, update_sizes))
            stack.callback(task.cancel)
        start_by = time.monotonic() + START_SECONDS
        while time.monotonic() < start_by and not len(update_sizes) > 2 * tables:
            await asyncio.sleep(0.1)  # until the attack is under way
        update_sizes.clear()
        latencies = Latencies()
        await play_against_bot(address, seconds, latencies)
        return BotReport(tables, latencies, len(update_sizes))


async def _record_updates(connection: ClientConnection, update_sizes: list[int]) -> None:
    async for text in connection:
        update_sizes.append(len(text))


# --- connections ------------------------------------------------------------------------------


@dataclass
class FloodReport:
    """Results for others while one address opened connections."""

    opened: int
    health: list[float]
    """Seconds of each request of /healthz."""
    failures: list[str]
    """Requests of /healthz without status 200."""
    latencies: Latencies
    listings: list[int]
    """Status codes of the lobby listings."""

    @property
    def is_reachable(self) -> bool:
        return bool(self.health) and not self.failures and bool(self.latencies.answers)

    @property
    def answer_p99(self) -> float:
        return percentile(self.latencies.answers, 99)

    def report(self) -> str:
        codes = {code: self.listings.count(code) for code in sorted(set(self.listings))}
        return (
            f"{self.opened} connections from one address: /healthz answered {len(self.health)}"
            f" times, p99 {percentile(self.health, 99) * 1000:.0f} ms, failed"
            f" {len(self.failures)} times {self.failures[:3]};"
            f" {len(self.latencies.answers)} answers at a table, p99"
            f" {self.answer_p99 * 1000:.0f} ms, longest"
            f" {max(self.latencies.answers, default=0) * 1000:.0f} ms; listings {codes}"
        )


async def flood_connections(
    address: str, connections: int, listings: int, seconds: float, source: str = ATTACKER
) -> FloodReport:
    """Play and check the server's health while one address floods it, from another process."""
    report = FloodReport(0, [], [], Latencies(), [])
    tasks = [asyncio.create_task(play_against_bot(address, MAX_FLOOD_SECONDS, report.latencies))]
    arguments = json.dumps([address, connections, listings, seconds, source])
    try:
        async with asyncio.timeout(MAX_FLOOD_SECONDS):
            await _wait_for_answers(report.latencies, 1)  # the game has started
            report.latencies.answers.clear()
            tasks.append(asyncio.create_task(_check_health(address, report)))
            report.opened, report.listings = json.loads(await _run_attack(arguments))
            await _wait_for_answers(report.latencies, MIN_ANSWERS)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return report


async def _wait_for_answers(latencies: Latencies, count: int) -> None:
    while len(latencies.answers) < count:
        await asyncio.sleep(0.02)


async def _run_attack(arguments: str) -> bytes:
    """Flood the server from another process and return its output."""
    attack = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "scripts.abuse",
        "--flood",
        arguments,
        stdout=subprocess.PIPE,
        cwd=ROOT,
    )
    try:
        output, _ = await attack.communicate()
        return output
    finally:
        if attack.returncode is None:
            attack.kill()
            await attack.wait()


async def _flood(
    address: str, connections: int, listings: int, seconds: float, source: str
) -> tuple[int, list[int]]:
    """Attack; return the number of open connections and the status codes of the listings."""
    host, port = address.rsplit(":", 1)
    deadline = time.monotonic() + seconds
    sockets: list[socket.socket] = []
    for number in range(connections):
        attacking = socket.socket()
        attacking.setblocking(False)
        attacking.bind((source, 0))
        sockets.append(attacking)
        with suppress(BlockingIOError, ConnectionError):
            attacking.connect((host, int(port)))
        if number % 50 == 49:
            await asyncio.sleep(0.01)
    await asyncio.sleep(0.2)
    half = b"POST /api/tables HTTP/1.1\r\nHost: a\r\nContent-Length: 900\r\n\r\n{"
    for number, attacking in enumerate(sockets):
        with suppress(OSError):
            if number % 3:
                attacking.send(half if number % 3 == 1 else half[: number % 40 + 5])
    codes: list[int] = []
    while time.monotonic() < deadline:
        codes += await _list_at_once(host, int(port), listings, source)
        await asyncio.sleep(max(0.0, min(1.0, deadline - time.monotonic())))
    for attacking in sockets:
        attacking.close()
    return len(sockets), codes


async def _check_health(address: str, report: FloodReport) -> None:
    while True:
        started = time.monotonic()
        try:
            async with client_from(MONITOR, address) as client:
                response = await client.get("/healthz", timeout=5)
            if response.status_code != 200:
                report.failures.append(str(response.status_code))
            report.health.append(time.monotonic() - started)
        except httpx.HTTPError as error:
            report.failures.append(type(error).__name__)
        await asyncio.sleep(0.1)


async def _list_at_once(host: str, port: int, count: int, source: str) -> list[int]:
    """Request the lobby listing this many times at once; return the status codes, 0 for none."""

    async def request_listing() -> int:
        try:
            async with asyncio.timeout(3):
                reader, writer = await asyncio.open_connection(host, port, local_addr=(source, 0))
                writer.write(b"GET /api/tables HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                line = await reader.readline()
                writer.close()
                return int(line.split()[1]) if line else 0
        except (OSError, TimeoutError, ValueError):
            return 0

    return list(await asyncio.gather(*(request_listing() for _ in range(count))))


if __name__ == "__main__":
    sys.exit(main())
