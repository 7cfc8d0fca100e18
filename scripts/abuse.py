"""``make abuse``: measure what one hostile address does to everyone else.

Starts a real server on a database of its own and attacks it from one loopback address while a
player at another one plays against an easy bot.

- ``bots``: many tables full of expert bots; reports how long the easy bot takes.
- ``connections``: more idle and half-sent connections than the server has file descriptors, and
  bursts of lobby listings; reports whether ``/healthz`` answers and how long players wait.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import resource
import socket
import statistics
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

from smashup.server.live.protocol import PROTOCOL
from smashup.server.live.view_patch import complete_update

ROOT: Final = Path(__file__).resolve().parent.parent
ATTACKER: Final = "127.0.0.2"
PLAYER: Final = "127.0.0.3"
MONITOR: Final = "127.0.0.4"
MAX_BOT_SECONDS: Final = 2.0
START_SECONDS: Final = 3.0
"""For the processes of the bots to start."""
MAX_ANSWER_SECONDS: Final = 0.2


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("attack", nargs="?", choices=("bots", "connections", "all"), default="all")
    parser.add_argument("--tables", type=int, default=25, help="tables with expert bots")
    parser.add_argument("--unwatched", action="store_true", help="leave those tables alone")
    parser.add_argument("--connections", type=int, default=1100)
    parser.add_argument("--listings", type=int, default=430)
    parser.add_argument("--source", default=ATTACKER, help="where the connections come from")
    parser.add_argument("--files", type=int, default=1024, help="file descriptors of the server")
    parser.add_argument("--seconds", type=float, default=20, help="how long to measure")
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    parser.add_argument("--flood", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve is not None:
        _serve(json.loads(options.serve))
        return 0
    _raise_descriptor_limit()
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
    """The address of a server in a process of its own, with the default limits unless told
    otherwise; new tables are not limited, so that an attack need not be prepared slowly."""
    folder.mkdir(parents=True, exist_ok=True)
    about = {
        "database": str(folder / "tables.sqlite"), "creation_rate": 1000.0, "files": files,
        **settings,
    }  # fmt: skip
    command = [sys.executable, "-m", "scripts.abuse", "--serve", json.dumps(about)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().strip().removeprefix("http://").rstrip("/")
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


def _serve(about: dict[str, Any]) -> None:
    from smashup.cards import catalogue
    from smashup.server.operations.running import serve
    from smashup.server.operations.settings import Settings

    if files := about.pop("files"):
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    settings = Settings(port=0, **about)
    serve(settings, catalogue(), lambda address: print(address, flush=True))


def _raise_descriptor_limit() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


# --- players ----------------------------------------------------------------------------------


@asynccontextmanager
async def client_from(source: str, address: str) -> AsyncIterator[httpx.AsyncClient]:
    """An HTTP client that calls from one loopback address."""
    transport = httpx.AsyncHTTPTransport(
        local_address=source, verify=False, limits=httpx.Limits(max_connections=None)
    )
    async with httpx.AsyncClient(
        base_url=f"http://{address}", transport=transport, timeout=30
    ) as client:
        yield client


async def create_table(source: str, address: str, *seats: str) -> tuple[str, list[str]]:
    """A new table, and the secrets of its seats of the kind "me"; other kinds are bots' levels."""
    form = [{"kind": "me"} if seat == "me" else {"kind": "bot", "level": seat} for seat in seats]
    async with client_from(source, address) as client:
        answer = await client.post("/api/tables", json={"seats": form})
        answer.raise_for_status()
        found = answer.json()
        return found["table"]["id"], [seat["secret"] for seat in found["seats"]]


@asynccontextmanager
async def sit_at(
    source: str, address: str, table: str, secret: str | None = None
) -> AsyncIterator[ClientConnection]:
    """A socket of a table that has said hello."""
    url = f"ws://{address}/api/tables/{table}/socket"
    async with connect(
        url, max_size=2**22, max_queue=None, local_addr=(source, 0), open_timeout=30
    ) as line:
        hello: dict[str, Any] = {"type": "hello", "id": "hello", "protocol": PROTOCOL}
        if secret:
            hello["secret"] = secret
        await line.send(json.dumps(hello))
        yield line


@dataclass
class Waits:
    """How long a player waited, in seconds."""

    answers: list[float] = field(default_factory=list)
    """From each answer to the update that shows it."""
    bot_answers: list[float] = field(default_factory=list)
    """Between two things that a bot did, or before the first of them."""
    bot_turns: list[float] = field(default_factory=list)
    """From the answer that made it the bot's turn to being asked again."""


async def play_against_bot(
    address: str, seconds: float, pause: float = 0.05, source: str = PLAYER
) -> Waits:
    """Play at random against an easy bot, game after game."""
    waits = Waits()
    ends = time.monotonic() + seconds
    dice = random.Random(1)
    with suppress(TimeoutError):
        while time.monotonic() < ends:
            table, (secret,) = await create_table(source, address, "me", "easy")
            async with sit_at(source, address, table, secret) as line:
                await _play_game(line, dice, waits, ends, pause)
    return waits


async def _play_game(
    line: ClientConnection, dice: random.Random, waits: Waits, ends: float, pause: float
) -> None:
    shown: dict[str, Any] = {}
    sent_at = handed_over_at = last_heard = 0.0
    answered = -1
    while True:
        try:
            text = await asyncio.wait_for(line.recv(), max(0.01, ends - time.monotonic()))
        except TimeoutError:
            if handed_over_at:
                waits.bot_turns.append(time.monotonic() - handed_over_at)
                waits.bot_answers.append(time.monotonic() - max(handed_over_at, last_heard))
            raise
        said = json.loads(text)
        now = time.monotonic()
        if said["type"] == "refused":
            answered = -1
        if said["type"] not in ("snapshot", "update"):
            continue
        said = shown = complete_update(shown, said) if said["type"] == "update" else said
        if sent_at and said["number"] > answered:
            waits.answers.append(now - sent_at)
            sent_at = 0.0
        if said["table"]["state"] == "over":
            return
        is_asked = bool((said["view"]["decision"] or {}).get("options"))
        if handed_over_at:
            waits.bot_answers.append(now - max(handed_over_at, last_heard))
        last_heard = now
        if not is_asked:
            handed_over_at = handed_over_at or now
            continue
        if handed_over_at:
            waits.bot_turns.append(now - handed_over_at)
            handed_over_at = 0.0
        if said["number"] != answered:
            await asyncio.sleep(pause)
            answered = said["number"]
            options = [dice.randrange(len(said["view"]["decision"]["options"]))]
            sent_at = time.monotonic()
            answer = {"type": "answer", "id": f"a{answered}", "number": answered}
            await line.send(json.dumps({**answer, "options": options}))


def percentile(values: list[float], at: int) -> float:
    """In seconds."""
    if len(values) < 2:
        return max(values, default=0.0)
    return statistics.quantiles(values, n=100, method="inclusive")[at - 1]


# --- bots -------------------------------------------------------------------------------------


@dataclass
class BotReport:
    """How an easy bot at another table fared."""

    tables: int
    waits: Waits
    attacker_answers: int

    @property
    def longest(self) -> float:
        return max(self.waits.bot_answers, default=float("inf"))

    def report(self) -> str:
        answers, turns = self.waits.bot_answers, self.waits.bot_turns
        return (
            f"{self.tables} tables with expert bots: an easy bot elsewhere answered"
            f" {len(answers)} times, median {percentile(answers, 50):.2f} s,"
            f" p99 {percentile(answers, 99):.2f} s, longest {self.longest:.2f} s;"
            f" whole turns median {percentile(turns, 50):.2f} s,"
            f" longest {max(turns, default=0):.2f} s; player's own answers p99"
            f" {percentile(self.waits.answers, 99) * 1000:.0f} ms;"
            f" the expert bots made {self.attacker_answers} choices"
        )


async def starve_bots(address: str, tables: int, seconds: float, watched: bool = True) -> BotReport:
    """Play against an easy bot while one address runs tables of four expert bots each."""
    async with AsyncExitStack() as stack:
        seen: list[int] = []
        created = await asyncio.gather(
            *(create_table(ATTACKER, address, *["expert"] * 4) for _ in range(tables))
        )
        for table, _ in created if watched else ():
            line = await stack.enter_async_context(sit_at(ATTACKER, address, table))
            task = asyncio.create_task(_count(line, seen))
            stack.callback(task.cancel)
        begins = time.monotonic() + START_SECONDS
        while time.monotonic() < begins and not (seen and len(seen) > 2 * tables):
            await asyncio.sleep(0.1)  # until the attack is under way
        seen.clear()
        waits = await play_against_bot(address, seconds)
        return BotReport(tables, waits, len(seen))


async def _count(line: ClientConnection, seen: list[int]) -> None:
    async for text in line:
        seen.append(len(text))


# --- connections ------------------------------------------------------------------------------


@dataclass
class FloodReport:
    """How others fared while one address opened connections."""

    opened: int
    health: list[float]
    """How long each call of /healthz took."""
    failures: list[str]
    """Calls of /healthz that were not answered with 200."""
    waits: Waits
    listings: list[int]
    """Status codes of the lobby listings."""

    @property
    def is_reachable(self) -> bool:
        return bool(self.health) and not self.failures and bool(self.waits.answers)

    @property
    def answer_p99(self) -> float:
        return percentile(self.waits.answers, 99)

    def report(self) -> str:
        codes = {code: self.listings.count(code) for code in sorted(set(self.listings))}
        return (
            f"{self.opened} connections from one address: /healthz answered {len(self.health)}"
            f" times, p99 {percentile(self.health, 99) * 1000:.0f} ms, failed"
            f" {len(self.failures)} times {self.failures[:3]}; {len(self.waits.answers)} answers at"
            f" a table, p99 {self.answer_p99 * 1000:.0f} ms, longest"
            f" {max(self.waits.answers, default=0) * 1000:.0f} ms; listings {codes}"
        )


async def flood_connections(
    address: str, connections: int, listings: int, seconds: float, source: str = ATTACKER
) -> FloodReport:
    """Play and check the server's health while one address floods it, from another process."""
    report = FloodReport(0, [], [], Waits(), [])
    ends = time.monotonic() + seconds
    playing = asyncio.create_task(play_against_bot(address, seconds))
    checking = asyncio.create_task(_check_health(address, report, ends))
    about = json.dumps([address, connections, listings, seconds * 0.9, source])
    attack = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "scripts.abuse", "--flood", about, stdout=subprocess.PIPE, cwd=ROOT
    )
    try:
        report.waits = await playing
        await checking
        said, _ = await attack.communicate()
        report.opened, report.listings = json.loads(said)
    finally:
        if attack.returncode is None:
            attack.kill()
            await attack.wait()
        playing.cancel()
        checking.cancel()
    return report


async def _flood(
    address: str, connections: int, listings: int, seconds: float, source: str
) -> tuple[int, list[int]]:
    """Attack; how many connections were opened, and the status codes of the listings."""
    host, port = address.rsplit(":", 1)
    ends = time.monotonic() + seconds
    held: list[socket.socket] = []
    for number in range(connections):
        attacking = socket.socket()
        attacking.setblocking(False)
        attacking.bind((source, 0))
        held.append(attacking)
        with suppress(BlockingIOError, ConnectionError):
            attacking.connect((host, int(port)))
        if number % 50 == 49:
            await asyncio.sleep(0.01)
    await asyncio.sleep(0.2)
    half = b"POST /api/tables HTTP/1.1\r\nHost: a\r\nContent-Length: 900\r\n\r\n{"
    for number, attacking in enumerate(held):
        with suppress(OSError):
            if number % 3:
                attacking.send(half if number % 3 == 1 else half[: number % 40 + 5])
    codes: list[int] = []
    while time.monotonic() < ends:
        codes += await _list_at_once(host, int(port), listings, source)
        await asyncio.sleep(max(0.0, min(1.0, ends - time.monotonic())))
    for attacking in held:
        attacking.close()
    return len(held), codes


async def _check_health(address: str, report: FloodReport, ends: float) -> None:
    while time.monotonic() < ends:
        began = time.monotonic()
        try:
            async with client_from(MONITOR, address) as client:
                answer = await client.get("/healthz", timeout=5)
            if answer.status_code != 200:
                report.failures.append(str(answer.status_code))
            report.health.append(time.monotonic() - began)
        except httpx.HTTPError as error:
            report.failures.append(type(error).__name__)
        await asyncio.sleep(0.1)


async def _list_at_once(host: str, port: int, count: int, source: str) -> list[int]:
    """Request the lobby listing this many times at once; return the status codes, 0 for none."""

    async def ask() -> int:
        try:
            async with asyncio.timeout(3):
                reader, writer = await asyncio.open_connection(host, port, local_addr=(source, 0))
                writer.write(b"GET /api/tables HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                line = await reader.readline()
                writer.close()
                return int(line.split()[1]) if line else 0
        except (OSError, TimeoutError, ValueError):
            return 0

    return list(await asyncio.gather(*(ask() for _ in range(count))))


if __name__ == "__main__":
    sys.exit(main())
