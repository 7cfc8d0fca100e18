"""``make load``: a server under many tables, and how long people wait for it.

Starts a real server on a database of its own, and lets people at many tables play on it from this
process, each answering one to three seconds after being asked. Tells how long it takes from an
answer that is sent to the update that shows it, and what the server needs for it.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from scripts.crowd import Counts, Crowd, Pace

AIM: Final = 0.1
"""Seconds in which 99 of 100 answers should be seen."""
TICK: Final = 5.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60, help="how long to measure")
    parser.add_argument(
        "--pace", type=float, nargs=2, default=(1.0, 3.0), help="how long people think, in seconds"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="where the database goes (default: temporary)")
    parser.add_argument("--serve", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve is not None:
        _serve(options.serve)
        return 0
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        return asyncio.run(_measure(options, Path(folder) / "tables.sqlite"))


async def _measure(options: argparse.Namespace, database: Path) -> int:
    with Server(database) as server:
        crowd = Crowd(server.address, options.tables, Pace(*options.pace), options.seed)
        _say(f"{options.tables} tables are being founded at {server.address} ...")
        began = time.monotonic()
        await crowd.sit_down(each=0.05)
        _say(f"{crowd.tables} tables, {crowd.people} people: {time.monotonic() - began:.0f} s")
        await asyncio.sleep(TICK)  # until everybody is in their rhythm
        crowd.counts = counts = Counts()
        before = server.usage()
        began = time.monotonic()
        while (left := began + options.seconds - time.monotonic()) > 0:
            await asyncio.sleep(min(TICK, left))
            crowd.check()
            _say(f"{len(counts.waits)} answers, p99 {_percentile(counts.waits, 99):.0f} ms")
        seconds = time.monotonic() - began
        print(_report(crowd, server, server.usage().since(before), seconds))
        await crowd.leave()
    print(f"on disk           {_on_disk(database)} answers of people, bots and the server itself")
    return 0 if _percentile(counts.waits, 99) < AIM * 1000 else 1


def _on_disk(database: Path) -> int:
    with closing(sqlite3.connect(database)) as file:
        (count,) = file.execute("SELECT count(*) FROM answers").fetchone()
    return int(count)


def _report(crowd: Crowd, server: Server, used: Usage, seconds: float) -> str:
    counts = crowd.counts
    waits = counts.waits
    people = len(waits) + counts.windows
    marks = "   ".join(f"p{at} {_percentile(waits, at):.0f} ms" for at in (50, 95, 99))
    lines = [
        f"tables held       {crowd.tables}, with {crowd.people} people",
        f"answers           {people / seconds:.0f} a second by people",
        f"answer to update  {marks}   worst {max(waits, default=0) * 1000:.0f} ms",
        f"updates           {counts.updates / seconds:.0f} a second,"
        f" {counts.size / max(1, counts.updates) / 1000:.1f} kB each before compression",
        f"server            {used.server / seconds:.0%} of a core, {server.memory():.0f} MB",
        f"bots              {used.bots / seconds:.0%} of a core",
        f"these people      {used.crowd / seconds:.0%} of a core",
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
    crowd: float

    def since(self, before: Usage) -> Usage:
        return Usage(
            self.server - before.server, self.bots - before.bots, self.crowd - before.crowd
        )


class Server:
    """A server in a process of its own."""

    def __init__(self, database: Path) -> None:
        self.database = database
        self.address = ""

    def __enter__(self) -> Server:
        command = [sys.executable, "-m", "scripts.load", "--serve", str(self.database)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().strip().removeprefix("http://").rstrip("/")
        return self

    def __exit__(self, *_: object) -> None:
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()

    def usage(self) -> Usage:
        """What was used so far; nothing is known where there is no /proc."""
        bots = sum(_seconds(pid) for pid in _children(self.process.pid))
        return Usage(_seconds(self.process.pid), bots, time.process_time())

    def memory(self) -> float:
        """Megabytes the server holds, without its bots."""
        try:
            status = Path(f"/proc/{self.process.pid}/status").read_text()
        except OSError:
            return 0.0
        (line,) = [line for line in status.splitlines() if line.startswith("VmRSS:")]
        return int(line.split()[1]) / 1000


def _serve(database: Path) -> None:
    """The server's process: as `smashup serve`, but for one address that many people share."""
    from smashup.cards import catalogue
    from smashup.server.running import serve
    from smashup.server.settings import Settings

    settings = Settings(
        database=database,
        port=0,
        request_rate=10_000,
        creation_rate=10_000,
        sockets_each=100_000,
    )
    serve(settings, catalogue(), lambda address: print(address, flush=True))


def _seconds(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _children(pid: int) -> list[int]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            found.append(int(stat.parent.name))
    return found


if __name__ == "__main__":
    sys.exit(main())
