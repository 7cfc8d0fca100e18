"""``make load``: measure a server with many tables, and how long players wait.

Starts a real server with its own database and simulates players at many tables from this process,
who answer shortly after each question. Reports the time from an answer to the update that shows it,
and what the server uses. ``--workers 2`` starts a PostgreSQL server too.
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
from scripts.simulated_players import Measurements, RealisticThinkTime, SimulatedPlayers, ThinkTime

MAX_P99_SECONDS: Final = 0.1
"""Maximum 99th percentile of the time from an answer to its update."""
REPORT_INTERVAL_SECONDS: Final = 5.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--workers", type=int, default=1, help="several use PostgreSQL")
    parser.add_argument("--seconds", type=float, default=60, help="how long to measure")
    parser.add_argument(
        "--think-seconds",
        type=float,
        nargs=2,
        default=(1.0, 3.0),
        help="minimum and maximum thinking time in seconds",
    )
    parser.add_argument(
        "--realistic", action="store_true", help="realistic thinking times: mostly 2 to 15 seconds"
    )
    parser.add_argument(
        "--create-interval", type=float, default=0.05, help="seconds between new tables"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="where the database goes (default: temporary)")
    parser.add_argument("--profile", type=Path, help="where to write a profile of a single worker")
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve is not None:
        _serve(options)
        return 0
    _raise_descriptor_limit()
    with server(options) as running:
        return asyncio.run(_measure(options, running))


def _raise_descriptor_limit() -> None:
    _, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard_limit, hard_limit))


@contextmanager
def server(options: argparse.Namespace) -> Iterator[Server]:
    """Run a server and its database."""
    with ExitStack() as stack:
        if options.workers > 1:
            database = stack.enter_context(dev_services.postgres(durable=True))
            running = Server(options, database.create_database("tables"), [database.process.pid])
        else:
            folder = stack.enter_context(tempfile.TemporaryDirectory(dir=options.folder))
            running = Server(options, f"{folder}/tables.sqlite", [])
        yield stack.enter_context(running)


async def _measure(options: argparse.Namespace, server: Server) -> int:
    think_time = RealisticThinkTime() if options.realistic else ThinkTime(*options.think_seconds)
    players = SimulatedPlayers(server.address, options.tables, think_time, options.seed)
    empty = server.memory()
    _log(f"creating {options.tables} tables at {server.address} ...")
    started = time.monotonic()
    await players.create_tables(interval_seconds=options.create_interval)
    _log(f"{players.tables} tables, {players.people} people: {time.monotonic() - started:.0f} s")
    await asyncio.sleep(REPORT_INTERVAL_SECONDS)  # until answers are evenly distributed
    players.measurements = measured = Measurements()
    before = server.usage()
    started = time.monotonic()
    while (left := started + options.seconds - time.monotonic()) > 0:
        await asyncio.sleep(min(REPORT_INTERVAL_SECONDS, left))
        players.check()
        _log(f"{len(measured.latencies)} answers, p99 {_percentile(measured.latencies, 99):.0f} ms")
    seconds = time.monotonic() - started
    print(_report(players, server, server.usage().since(before), seconds, empty))
    await players.stop()
    print(f"committed         {server.count_answers()} answers of people, bots and the server")
    return 0 if _percentile(measured.latencies, 99) < MAX_P99_SECONDS * 1000 else 1


def _report(
    players: SimulatedPlayers, server: Server, used: Usage, seconds: float, empty: float
) -> str:
    measured = players.measurements
    latencies = measured.latencies
    answers = len(latencies) + measured.window_answers
    percentiles = "   ".join(f"p{p} {_percentile(latencies, p):.0f} ms" for p in (50, 95, 99))
    memory = server.memory()
    per_table = (memory - empty) / max(1, players.tables)
    lines = [
        f"tables            {players.tables}, with {players.people} people",
        f"answers           {answers / seconds:.0f} per second by people",
        f"answer to update  {percentiles}   max {max(latencies, default=0) * 1000:.0f} ms",
        f"updates           {measured.updates / seconds:.0f} per second,"
        f" {measured.update_bytes / max(1, measured.updates) / 1000:.1f} kB each uncompressed",
        f"server            {used.server / seconds:.0%} of a core, {memory:.0f} MB"
        f" in {len(server.workers())} worker(s); {per_table * 1000:.0f} kB per table",
        f"bots              {used.bots / seconds:.0%} of a core",
        f"PostgreSQL        {used.postgres / seconds:.0%} of a core",
        f"simulated players {used.players / seconds:.0%} of a core",
        f"games finished    {measured.games}; {measured.refused} refusals,"
        f" {measured.disconnects} disconnects",
    ]
    return "\n".join(lines)


def _percentile(seconds: list[float], percent: int) -> float:
    """Return a percentile in milliseconds."""
    if len(seconds) < 2:
        return 0.0
    return statistics.quantiles(seconds, n=100, method="inclusive")[percent - 1] * 1000


def _log(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


@dataclass
class Usage:
    """CPU time in seconds."""

    server: float
    bots: float
    postgres: float
    players: float

    def since(self, before: Usage) -> Usage:
        return Usage(
            self.server - before.server,
            self.bots - before.bots,
            self.postgres - before.postgres,
            self.players - before.players,
        )


class Server:
    """A server in separate processes."""

    def __init__(
        self, options: argparse.Namespace, database: str, postgres_pids: list[int]
    ) -> None:
        self.options = options
        self.database = database
        self.postgres_pids = postgres_pids
        """The processes of PostgreSQL."""
        self.address = ""

    def __enter__(self) -> Server:
        command = [
            sys.executable, "-m", "scripts.load", "--serve", self.database,
            "--workers", str(self.options.workers),
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
        """The server processes; empty on systems without /proc."""
        own = self.process.pid
        return _children(own) if self.options.workers > 1 else [own]

    def usage(self) -> Usage:
        """Return the CPU time used so far."""
        workers = self.workers()
        postgres = [pid for p in self.postgres_pids for pid in (p, *_children(p))]
        return Usage(
            sum(map(_cpu_seconds, workers)),
            sum(_cpu_seconds(pid) for worker in workers for pid in _children(worker)),
            sum(map(_cpu_seconds, postgres)),
            time.process_time(),
        )

    def memory(self) -> float:
        """Return the memory of the workers in megabytes, without bots."""
        return sum(map(_megabytes, self.workers()))

    def count_answers(self) -> int:
        """Return the number of stored answers."""
        query = "SELECT count(*) FROM log_entries WHERE kind = 'answer'"
        if self.options.workers > 1:
            import psycopg

            with psycopg.connect(self.database) as connection:
                row = connection.execute(query).fetchone()
        else:
            self.process.send_signal(signal.SIGINT)  # the server locks its file
            self.process.wait(30)
            with closing(sqlite3.connect(self.database)) as file:
                row = file.execute(query).fetchone()
        return int(row[0]) if row is not None else 0


def _serve(options: argparse.Namespace) -> None:
    """Run the server like `smashup serve`, with limits for one address that all players share."""
    from smashup.cards import catalogue
    from smashup.server.operations.running import serve
    from smashup.server.operations.settings import Settings

    settings = Settings(
        database=options.serve,
        workers=options.workers,
        port=0,
        requests_per_second=10_000,
        tables_per_second=10_000,
        max_sockets_per_address=100_000,
    )
    profile = cProfile.Profile(time.thread_time)
    with profile if options.profile is not None else nullcontext():
        serve(settings, catalogue(), lambda address: print(address, flush=True))
    if options.profile is not None:
        profile.dump_stats(options.profile)


def _cpu_seconds(pid: int) -> float:
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
    """Return the child processes of a process, without resource trackers."""
    children = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
            command = (stat.parent / "cmdline").read_bytes()
        except OSError:
            continue
        if int(fields[1]) == pid and b"resource_tracker" not in command:
            children.append(int(stat.parent.name))
    return children


if __name__ == "__main__":
    sys.exit(main())
