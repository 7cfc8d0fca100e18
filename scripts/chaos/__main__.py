"""``make chaos``: inject faults while simulated players play, then verify every table.

    make chaos ARGS="--minutes 60 --workers 2"
    make chaos ARGS="--minutes 5 --workers 1 --database sqlite"

Starts a real server, with PostgreSQL for several workers or with ``--database postgresql``, and
simulated players. Workers are killed and stalled, the server and its database are restarted,
connections break, and hostile clients send invalid messages. Afterwards, without faults, every
game has to continue. Finally each table is verified: every acknowledged answer is stored once and
in order, and everything that viewers received matches the stored log.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import httpx

from scripts.chaos.fault_injection import FaultInjector, prepare_server
from scripts.chaos.hostile_clients import HostileClient
from scripts.chaos.players import SimulatedPlayer, send_request
from scripts.chaos.records import ObservedTable, Records
from scripts.chaos.server_process import ServerProcess
from scripts.chaos.verification import verify_tables
from scripts.servers import percentile
from smashup.server.http.connections import raise_descriptor_limit

SEAT_MIXES: Final = (
    ("me", "me"), ("me", "easy"), ("me", "join", "easy"), ("me", "easy"), ("me", "me", "join"),
    ("easy", "easy"), ("me", "normal"), ("join", "me"),
)  # fmt: skip
"""The seats of the tables, used in turn: players who create the table or join it, and bots."""
HOSTILE_CLIENT_COUNT: Final = 3
HOSTILE_INTERVAL_SECONDS: Final = 1.5
REPORT_INTERVAL_SECONDS: Final = 10.0
QUIET_SECONDS: Final = 3.0
"""After this time without an update, no bot moves are expected any more."""
PROGRESS_TIMEOUT_SECONDS: Final = 120.0
"""Time in which every game has to continue without faults. Players pause for up to 78 seconds."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=5, help="how long to inject faults")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--database", choices=("postgresql", "sqlite"))
    parser.add_argument("--tables", type=int, default=16, help="number of concurrent tables")
    parser.add_argument(
        "--think-seconds", type=float, default=0.6, help="mean thinking time of players"
    )
    parser.add_argument(
        "--clock", type=int, default=60, help="turn limit in seconds at some tables; 0: at none"
    )
    parser.add_argument("--only", action="append", help="only faults with this word in their name")
    parser.add_argument(
        "--interval-seconds", type=float, default=12, help="mean time between two faults"
    )
    parser.add_argument(
        "--verify-minutes", type=float, default=10, help="how long to verify histories"
    )
    parser.add_argument("--log-file", type=Path, help="where to copy the server's log")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args(arguments)
    options.database = options.database or ("postgresql" if options.workers > 1 else "sqlite")
    if options.workers > 1 and options.database == "sqlite":
        parser.error("several workers need PostgreSQL")
    raise_descriptor_limit()
    # Exit through the context managers below, which stop all processes.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    rng = random.Random(options.seed)
    records = Records()
    with (
        tempfile.TemporaryDirectory(prefix="chaos-") as folder,
        prepare_server(options.workers, options.database, Path(folder), records, rng) as prepared,
    ):
        server, injector = prepared
        injector.select(options.only or [""])
        return asyncio.run(ChaosRun(options, records, server, injector, rng).run())


def log(text: str) -> None:
    """Print a line of progress."""
    print(text, file=sys.stderr, flush=True)


class ChaosRun:
    """A run, from the first table to the report."""

    def __init__(
        self,
        options: argparse.Namespace,
        records: Records,
        server: ServerProcess,
        injector: FaultInjector,
        rng: random.Random,
    ) -> None:
        self.options = options
        self.records = records
        self.server = server
        self.injector = injector
        self.rng = rng
        self.http = httpx.AsyncClient(base_url=f"http://{server.address}", timeout=20)
        self.table_tasks: list[asyncio.Task[None]] = []
        self.is_closing = False
        """Whether no more tables are created."""
        self.memory_megabytes: list[float] = []

    async def run(self) -> int:
        """Run everything; return the exit status."""
        log(f"seed {self.options.seed}")
        await self.server.start()
        self.table_tasks = [
            asyncio.create_task(self._play_tables(number)) for number in range(self.options.tables)
        ]
        await self._wait_until(lambda: len(self.records.tables) >= self.options.tables)
        await self._disrupt()
        await self._check_progress()
        await self._stop_players()
        self.records.check_exit(*await self.server.stop())
        await self.http.aclose()
        self._check_server_log()
        seconds = self.options.verify_minutes * 60
        checked = await verify_tables(self.records, self.server.database, seconds, self.rng, log)
        self._print_report(*checked)
        return 1 if self.records.failures else 0

    def _new_rng(self) -> random.Random:
        return random.Random(self.rng.random())

    # --- tables -------------------------------------------------------------------------------

    async def _play_tables(self, number: int) -> None:
        """Play at one table after another."""
        while not self.is_closing:
            table = await self._create_table(SEAT_MIXES[number % len(SEAT_MIXES)])
            number += 1
            if table is None:
                await asyncio.sleep(0.5)
                continue
            self.records.tables.append(table)
            seats = [*table.secrets, *(-1 for _ in range(self.rng.choice((0, 1, 1, 2))))]
            viewers = [self._new_player(table, seat) for seat in seats or [-1]]
            await asyncio.gather(*(viewer.run() for viewer in viewers))
            self.records.counts["games_finished"] += 1
            await self._use_finished_table(table)

    def _new_player(self, table: ObservedTable, seat: int) -> SimulatedPlayer:
        return SimulatedPlayer(
            self.records,
            table,
            self.server.address,
            seat,
            self.options.think_seconds,
            self._new_rng(),
        )

    async def _create_table(self, kinds: Sequence[str]) -> ObservedTable | None:
        """Create a table and join it with all players; None if a request was cut off."""
        seats = [
            {"kind": {"me": "me", "join": "open"}.get(kind, "bot"), "name": f"Name-{i}"}
            | ({} if kind in ("me", "join") else {"level": kind})
            for i, kind in enumerate(kinds)
        ]
        clock = self.rng.choice((0, 0, 0, self.options.clock))
        form: dict[str, Any] = {"seats": seats, "clock": clock, "listed": self.rng.random() < 0.5}
        created = await self._request("POST", "/api/tables", **form)
        if created is None:
            return None
        secrets = {seat["seat"]: seat["secret"] for seat in created["seats"]}
        table_id = created["table"]["id"]
        for _ in range(kinds.count("join")):
            joined = await self._request("POST", f"/api/tables/{table_id}/join", name="Guest")
            if joined is None:
                return None  # the secret of that seat is lost
            secrets |= {seat["seat"]: seat["secret"] for seat in joined["seats"]}
        return ObservedTable(table_id, secrets, len(kinds), clock)

    async def _request(self, method: str, path: str, secret: str = "", **body: Any) -> Any:
        """Send a request; None if the server did not process it."""
        response = await send_request(self.http, method, path, secret, **body)
        if response is None or response.status_code >= 500:
            self.records.counts["requests_cut_off"] += 1
            return None
        if response.status_code >= 300:
            shown_path = path.partition("/api")[2][:12]
            self.records.add_failure(f"{method} {shown_path}: {response.text[:200]}")
            return None
        return response.json()

    async def _use_finished_table(self, table: ObservedTable) -> None:
        """Sometimes load the replay or send a report."""
        if self.rng.random() < 0.3:
            replay = await self._request("GET", f"/api/tables/{table.id}/replay")
            if replay is not None:
                self.records.counts["replays"] += 1
                view = table.received[0].view
                if view is not None and replay["winners"] != view["winners"]:
                    self.records.add_failure("a replay has other winners", table)
        if self.rng.random() < 0.1:
            secret = next(iter(table.secrets.values()), "")
            path = f"/api/tables/{table.id}/reports"
            form = {"kind": "bug", "text": "A wrong card?"}
            if await self._request("POST", path, secret, **form) is not None:
                self.records.counts["reports"] += 1

    # --- phases -------------------------------------------------------------------------------

    async def _wait_until(self, condition: Callable[[], bool]) -> None:
        """Wait for something that takes a while on a busy machine."""
        deadline = time.monotonic() + PROGRESS_TIMEOUT_SECONDS
        while not condition() and time.monotonic() < deadline:
            await asyncio.sleep(0.05)
            self._raise_task_errors()

    async def _disrupt(self) -> None:
        """Inject faults and attack the server for the given time."""
        hostile = HostileClient(self.records, self.server.address, self.http, self._new_rng())
        tasks = [
            asyncio.create_task(hostile.run(HOSTILE_INTERVAL_SECONDS))
            for _ in range(HOSTILE_CLIENT_COUNT)
        ]
        await self._wait_until(lambda: self.records.counts["hostile_messages"] > 0)
        tasks.append(asyncio.create_task(self.injector.run(self.options.interval_seconds)))
        started = reported = time.monotonic()
        while (left := started + self.options.minutes * 60 - time.monotonic()) > 0:
            await asyncio.sleep(min(1.0, left))
            self._raise_task_errors()
            if time.monotonic() - reported >= REPORT_INTERVAL_SECONDS:
                reported = time.monotonic()
                self.memory_megabytes.append(self.server.memory_megabytes())
                log(self._format_progress((reported - started) / 60))
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _check_progress(self) -> None:
        """Check that every game continues without faults."""
        log("faults have ended: waiting for every game to continue ...")
        # Overdue actions of failed workers are done by then.
        await asyncio.sleep(6 if self.server.num_workers > 1 else 1)
        self.records.is_disrupted = False
        self.is_closing = True
        started = time.monotonic()
        waiting = [table for table in self.records.tables if not table.is_over and table.secrets]
        while waiting and time.monotonic() - started < PROGRESS_TIMEOUT_SECONDS:
            await asyncio.sleep(0.5)
            self._raise_task_errors()
            waiting = [t for t in waiting if not t.is_over and t.last_progress < started]
        for table in waiting:
            self.records.add_failure("the game does not continue", table)

    async def _stop_players(self) -> None:
        """Stop the players once bots have moved and all viewers are up to date."""
        self.records.is_stopping = True
        deadline = time.monotonic() + PROGRESS_TIMEOUT_SECONDS
        while (
            time.monotonic() - self.records.last_update < QUIET_SECONDS
            and time.monotonic() < deadline
        ):
            await asyncio.sleep(0.2)
        self._raise_task_errors()
        for task in self.table_tasks:
            task.cancel()
        await asyncio.gather(*self.table_tasks, return_exceptions=True)

    def _raise_task_errors(self) -> None:
        for task in self.table_tasks:
            if task.done():
                task.result()

    # --- results ------------------------------------------------------------------------------

    def _check_server_log(self) -> None:
        """Check that the server's log contains no crashes and no secrets."""
        text = self.server.log_file.read_text()
        if self.options.log_file is not None:
            self.options.log_file.write_text(text)
        lines = text.splitlines()
        for i, line in enumerate(lines):
            if line.startswith("Traceback") or "by=asyncio" in line:
                excerpt = "\n".join(lines[max(0, i - 3) : i + 20])
                self.records.add_failure(f"the server logged an unexpected event:\n{excerpt}")
        secrets = [s for table in self.records.tables for s in (table.id, *table.secrets.values())]
        if any(secret in text for secret in secrets):
            self.records.add_failure("the server logged a secret")
        self.records.counts["log_lines"] = len(lines)
        self.records.counts["workers_killed_by_supervisor"] = text.count("worker_killed")

    def _format_progress(self, minutes: float) -> str:
        counts = self.records.counts
        playing = sum(not table.is_over for table in self.records.tables)
        return (
            f"{minutes:5.1f} min  {playing} tables, {counts['games_finished']} games finished,"
            f" {counts['answer_accepted']} answers, {counts['disconnects']} disconnects,"
            f" {counts['reloads']} reloads, {self.memory_megabytes[-1]:.0f} MB,"
            f" {len(self.records.failures)} failures"
        )

    def _print_report(self, checked: int, with_history: int) -> None:
        records = self.records
        latencies = records.latencies
        p99 = percentile(latencies, 99) * 1000
        rows: list[tuple[str, object]] = [("seed", self.options.seed)]
        rows += sorted(records.counts.items())
        rows.append(
            ("latency_without_faults", f"p99 {p99:.0f} ms of {len(latencies)} acknowledgements")
        )
        if memory := self.memory_megabytes:
            rows.append(("memory", f"{memory[0]:.0f} MB at first, {memory[-1]:.0f} MB at last"))
        rows.append(("tables_verified", f"{checked}, {with_history} with their history"))
        rows.append(("failures", len(records.failures)))
        for name, value in rows:
            print(f"{name:32} {value}")
        for failure in records.failures[:50]:
            print(f"  {failure}")


if __name__ == "__main__":
    sys.exit(main())
