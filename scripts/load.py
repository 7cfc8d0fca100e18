"""``make load``: measure a server with many tables, and how long players wait.

Starts a real server with its own database and simulates players at many tables from this process,
who answer shortly after each question. Reports the time from an answer to the update that shows it,
and what the server uses. ``--workers 2`` starts a PostgreSQL server too.
"""

from __future__ import annotations

import argparse
import asyncio
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from scripts import dev_services
from scripts.servers import (
    children,
    cpu_seconds,
    memory_megabytes,
    percentile,
    read_address,
    server_command,
)
from scripts.simulated_players import Measurements, RealisticThinkTime, SimulatedPlayers, ThinkTime
from smashup.server.http.connections import raise_descriptor_limit

MAX_P99_SECONDS: Final = 0.1
"""Maximum 99th percentile of the time from an answer to its update."""
REPORT_INTERVAL_SECONDS: Final = 5.0


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
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
    options = parser.parse_args()
    raise_descriptor_limit()
    with server(options) as running:
        return asyncio.run(_measure(options, running))


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
        _log(
            f"{len(measured.latencies)} answers, p99 {_milliseconds(measured.latencies, 99):.0f} ms"
        )
    seconds = time.monotonic() - started
    print(_report(players, server, server.usage().since(before), seconds, empty))
    await players.stop()
    print(f"committed         {server.count_answers()} answers of people, bots and the server")
    return 0 if percentile(measured.latencies, 99) < MAX_P99_SECONDS else 1


def _report(
    players: SimulatedPlayers, server: Server, used: Usage, seconds: float, empty: float
) -> str:
    measured = players.measurements
    latencies = measured.latencies
    answers = len(latencies) + measured.window_answers
    percentiles = "   ".join(f"p{p} {_milliseconds(latencies, p):.0f} ms" for p in (50, 95, 99))
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


def _milliseconds(seconds: list[float], percent: int) -> float:
    return percentile(seconds, percent) * 1000


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
        profile = self.options.profile
        command = server_command(  # all players share one address
            database=self.database, workers=self.options.workers, requests_per_second=10_000,
            tables_per_second=10_000, max_sockets_per_address=100_000,
            profile=None if profile is None else str(profile),
        )  # fmt: skip
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.address = read_address(self.process.stdout)
        return self

    def __exit__(self, *_: object) -> None:
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()

    def workers(self) -> list[int]:
        """Return the server processes."""
        own = self.process.pid
        return children(own) if self.options.workers > 1 else [own]

    def usage(self) -> Usage:
        """Return the CPU time used so far."""
        workers = self.workers()
        postgres = [pid for p in self.postgres_pids for pid in (p, *children(p))]
        return Usage(
            sum(map(cpu_seconds, workers)),
            sum(cpu_seconds(pid) for worker in workers for pid in children(worker)),
            sum(map(cpu_seconds, postgres)),
            time.process_time(),
        )

    def memory(self) -> float:
        """Return the memory of the workers in megabytes, without bots."""
        return sum(map(memory_megabytes, self.workers()))

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


if __name__ == "__main__":
    sys.exit(main())
