"""``make load``: a server under many tables, and how long people wait for it.

Starts a real server on a database of its own, and lets people at many tables play on it from this
process, each answering a moment after being asked. Tells how long it takes from an answer that is
sent to the update that shows it, and what the server needs for it. With ``--workers 2`` there is a
PostgreSQL as well, started here.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import os
import resource
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from scripts import dev_services
from scripts.simulated_players import Counts, Pace, Realistic, SimulatedPlayers

AIM: Final = 0.1
"""Seconds in which 99 of 100 answers should be seen."""
TICK: Final = 5.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--workers", type=int, default=1, help="several use PostgreSQL")
    parser.add_argument("--seconds", type=float, default=60, help="how long to measure")
    parser.add_argument(
        "--pace", type=float, nargs=2, default=(1.0, 3.0), help="how long people think, in seconds"
    )
    parser.add_argument(
        "--realistic", action="store_true", help="think as people do: mostly 2 to 15 seconds"
    )
    parser.add_argument("--found", type=float, default=0.05, help="seconds between new tables")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="where the database goes (default: temporary)")
    parser.add_argument("--profile", type=Path, help="where to write a profile of a single worker")
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve is not None:
        _serve(options)
        return 0
    _allow_many_connections()
    with server(options) as running:
        return asyncio.run(_measure(options, running))


def _allow_many_connections() -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


@contextmanager
def server(options: argparse.Namespace) -> Iterator[Server]:
    """A server to measure, with all it needs."""
    with ExitStack() as stack:
        if options.workers > 1:
            database = stack.enter_context(dev_services.postgres(durable=True))
            running = Server(options, database.create("tables"), [database.process.pid])
        else:
            folder = stack.enter_context(tempfile.TemporaryDirectory(dir=options.folder))
            running = Server(options, f"{folder}/tables.sqlite", [])
        yield stack.enter_context(running)


async def _measure(options: argparse.Namespace, server: Server) -> int:
    pace = Realistic() if options.realistic else Pace(*options.pace)
    players = SimulatedPlayers(server.address, options.tables, pace, options.seed)
    empty = server.memory()
    _say(f"{options.tables} tables are being founded at {server.address} ...")
    began = time.monotonic()
    await players.sit_down(each=options.found)
    _say(f"{players.tables} tables, {players.people} people: {time.monotonic() - began:.0f} s")
    await asyncio.sleep(TICK)  # until everybody is in their rhythm
    players.counts = counts = Counts()
    before = server.usage()
    began = time.monotonic()
    while (left := began + options.seconds - time.monotonic()) > 0:
        await asyncio.sleep(min(TICK, left))
        players.check()
        _say(f"{len(counts.waits)} answers, p99 {_percentile(counts.waits, 99):.0f} ms")
    seconds = time.monotonic() - began
    print(_report(players, server, server.usage().since(before), seconds, empty))
    await players.leave()
    print(f"on disk           {server.on_disk()} answers of people, bots and the server itself")
    return 0 if _percentile(counts.waits, 99) < AIM * 1000 else 1


def _report(
    players: SimulatedPlayers, server: Server, used: Usage, seconds: float, empty: float
) -> str:
    counts = players.counts
    waits = counts.waits
    people = len(waits) + counts.windows
    marks = "   ".join(f"p{at} {_percentile(waits, at):.0f} ms" for at in (50, 95, 99))
    memory = server.memory()
    each = (memory - empty) / max(1, players.tables)
    lines = [
        f"tables held       {players.tables}, with {players.people} people",
        f"answers           {people / seconds:.0f} a second by people",
        f"answer to update  {marks}   worst {max(waits, default=0) * 1000:.0f} ms",
        f"updates           {counts.updates / seconds:.0f} a second,"
        f" {counts.size / max(1, counts.updates) / 1000:.1f} kB each before compression",
        f"server            {used.server / seconds:.0%} of a core, {memory:.0f} MB"
        f" in {len(server.workers())} worker(s); {each * 1000:.0f} kB a table",
        f"bots              {used.bots / seconds:.0%} of a core",
        f"PostgreSQL        {used.helpers / seconds:.0%} of a core",
        f"these people      {used.players / seconds:.0%} of a core",
        f"games ended       {counts.games}; refused {counts.refused}, cut off {counts.dropped}",
    ]
    return "\n".join(lines)


def _percentile(waits: list[float], at: int) -> float:
    """In milliseconds."""
    if len(waits) < 2:
        return 0.0
    return statistics.quantiles(waits, n=100, method="inclusive")[at - 1] * 1000


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


@dataclass
class Usage:
    """Seconds of processor time."""

    server: float
    bots: float
    helpers: float
    players: float

    def since(self, before: Usage) -> Usage:
        return Usage(
            self.server - before.server,
            self.bots - before.bots,
            self.helpers - before.helpers,
            self.players - before.players,
        )


class Server:
    """A server in processes of its own."""

    def __init__(self, options: argparse.Namespace, database: str, helpers: list[int]) -> None:
        self.options = options
        self.database = database
        self.helpers = helpers
        """The processes of PostgreSQL."""
        self.address = ""

    def __enter__(self) -> Server:
        count = str(self.options.workers)
        command = [
            sys.executable, "-m", "scripts.load", "--serve", self.database,
            "--workers", count,
        ]  # fmt: skip
        if self.options.profile is not None:
            command += ["--profile", str(self.options.profile)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().strip().removeprefix("http://").rstrip("/")
        return self

    def __exit__(self, *_: object) -> None:
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()

    def workers(self) -> list[int]:
        """The processes that serve; nothing is known where there is no /proc."""
        own = self.process.pid
        return _children(own) if self.options.workers > 1 else [own]

    def usage(self) -> Usage:
        """What was used so far."""
        workers = self.workers()
        helpers = [pid for helper in self.helpers for pid in (helper, *_children(helper))]
        return Usage(
            sum(map(_seconds, workers)),
            sum(_seconds(pid) for worker in workers for pid in _children(worker)),
            sum(map(_seconds, helpers)),
            time.process_time(),
        )

    def memory(self) -> float:
        """Megabytes the workers hold, without their bots."""
        return sum(map(_megabytes, self.workers()))

    def on_disk(self) -> int:
        """How many answers were kept."""
        count = "SELECT count(*) FROM log_entries WHERE kind = 'answer'"
        if self.options.workers > 1:
            import psycopg

            with psycopg.connect(self.database) as line:
                row = line.execute(count).fetchone()
        else:
            self.process.send_signal(signal.SIGINT)  # nobody else may read its file
            self.process.wait(30)
            with closing(sqlite3.connect(self.database)) as file:
                row = file.execute(count).fetchone()
        return int(row[0]) if row is not None else 0


def _serve(options: argparse.Namespace) -> None:
    """The server's process: as `smashup serve`, but for one address that many people share."""
    from smashup.cards import catalogue
    from smashup.server.operations.running import serve
    from smashup.server.operations.settings import Settings

    settings = Settings(
        database=options.serve,
        workers=options.workers,
        port=0,
        request_rate=10_000,
        creation_rate=10_000,
        sockets_each=100_000,
    )
    profile = cProfile.Profile(time.thread_time)
    with profile if options.profile is not None else nullcontext():
        serve(settings, catalogue(), lambda address: print(address, flush=True))
    if options.profile is not None:
        profile.dump_stats(options.profile)


def _seconds(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _megabytes(pid: int) -> float:
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1000
    return 0.0


def _children(pid: int) -> list[int]:
    """The processes that another has started, but for those that only look after its memory."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
            words = (stat.parent / "cmdline").read_bytes()
        except OSError:
            continue
        if int(fields[1]) == pid and b"resource_tracker" not in words:
            found.append(int(stat.parent.name))
    return found


if __name__ == "__main__":
    sys.exit(main())
