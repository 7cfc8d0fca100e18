"""Faults of the server, its database and the connections between them."""

from __future__ import annotations

import asyncio
import random
import signal
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from scripts import dev_services
from scripts.chaos.records import Records
from scripts.chaos.server_process import ServerProcess, send_signal
from scripts.postgres_proxy import ProxyProcess, proxy_process

STALL_SECONDS: Final = (0.6, 6.6)
"""How long a worker stalls: at most longer than other workers wait for an overdue action."""
CUT_OFF_SECONDS: Final = (0.6, 9.0)
"""How long a worker cannot reach PostgreSQL: at most longer than it keeps its viewers, which is
about four seconds."""


@dataclass(frozen=True)
class Fault:
    """A kind of fault."""

    weight: int
    """How often it occurs, relative to the others."""
    inject: Callable[[], Awaitable[None]]


class FaultInjector:
    """Injects one fault after another."""

    def __init__(
        self,
        server: ServerProcess,
        records: Records,
        rng: random.Random,
        postgres: dev_services.Postgres | None,
        proxy: ProxyProcess | None,
    ) -> None:
        self.server = server
        self.records = records
        self.rng = rng
        self.postgres = postgres
        self.proxy = proxy
        self.faults = {
            "worker_killed": Fault(30, self._kill_worker),
            "worker_stalled": Fault(20, self._stall_worker),
            "server_restarted": Fault(12, self._restart_server),
            "server_killed": Fault(6, self._kill_server),
            "bot_killed": Fault(6, self._kill_bot),
        }
        if server.num_workers == 1:
            del self.faults["worker_killed"]
            self.faults["server_killed"] = Fault(30, self._kill_server)
        if postgres is not None:
            self.faults["postgres_connections_terminated"] = Fault(10, self._terminate_connections)
            self.faults["postgres_crashed"] = Fault(3, self._crash_postgres)
            self.faults["postgres_restarted"] = Fault(3, self._restart_postgres)
        if proxy is not None:
            self.faults["worker_connections_hang"] = Fault(10, self._hang_connections)
            self.faults["worker_connections_refused"] = Fault(10, self._refuse_connections)

    def select(self, names: Sequence[str]) -> None:
        """Inject only faults with one of these words in their names."""
        self.faults = {
            name: fault
            for name, fault in self.faults.items()
            if any(word in name for word in names)
        }

    async def run(self, interval_seconds: float) -> None:
        """Inject faults until cancelled. Each kind occurs once before any is repeated."""
        queue: list[str] = []
        while True:
            await asyncio.sleep(self.rng.uniform(0.5, 1.5) * interval_seconds)
            if not queue:
                queue = list(self.faults)
                weights = [fault.weight for fault in self.faults.values()]
                queue += self.rng.choices(queue, weights, k=2 * len(queue))
                self.rng.shuffle(queue)
            # A fault is completed even if the run ends: no process may stay stalled or stopped.
            task = asyncio.create_task(self._inject(queue.pop()))
            try:
                await asyncio.shield(task)
            except asyncio.CancelledError:
                await task
                raise

    async def _inject(self, name: str) -> None:
        self.records.counts[name] += 1
        await self.faults[name].inject()

    async def _kill_worker(self) -> None:
        if pids := self.server.worker_pids():
            send_signal(self.rng.choice(pids), signal.SIGKILL)

    async def _stall_worker(self) -> None:
        if not (pids := self.server.worker_pids()):
            return
        pid = self.rng.choice(pids)
        send_signal(pid, signal.SIGSTOP)
        try:
            await asyncio.sleep(self.rng.uniform(*STALL_SECONDS))
        finally:
            send_signal(pid, signal.SIGCONT)

    async def _restart_server(self) -> None:
        status, seconds = await self.server.stop()
        self.records.check_exit(status, seconds)
        await asyncio.sleep(self.rng.random())
        await self.server.start()

    async def _kill_server(self) -> None:
        await self.server.kill()
        await asyncio.sleep(self.rng.random())
        await self.server.start()

    async def _kill_bot(self) -> None:
        if pids := self.server.bot_pids():
            send_signal(self.rng.choice(pids), signal.SIGKILL)

    async def _terminate_connections(self) -> None:
        import psycopg

        def terminate() -> None:
            with psycopg.connect(self.server.database, autocommit=True) as connection:
                connection.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )

        await asyncio.to_thread(terminate)

    async def _crash_postgres(self) -> None:
        await self._stop_and_start_postgres(signal.SIGQUIT)

    async def _restart_postgres(self) -> None:
        await self._stop_and_start_postgres(signal.SIGINT)

    async def _stop_and_start_postgres(self, number: signal.Signals) -> None:
        assert self.postgres is not None
        await asyncio.to_thread(self.postgres.stop, number)
        await asyncio.sleep(self.rng.uniform(0, 4))
        await asyncio.to_thread(self.postgres.start)

    async def _hang_connections(self) -> None:
        await self._cut_off_worker("hang")

    async def _refuse_connections(self) -> None:
        await self._cut_off_worker("refuse")

    async def _cut_off_worker(self, command: str) -> None:
        assert self.proxy is not None
        if pids := self.server.worker_pids():
            self.proxy.send(f"{command} {self.rng.choice(pids)}")
            try:
                await asyncio.sleep(self.rng.uniform(*CUT_OFF_SECONDS))
            finally:
                self.proxy.send("resume")


@contextmanager
def prepare_server(
    workers: int, database: str, folder: Path, records: Records, rng: random.Random
) -> Iterator[tuple[ServerProcess, FaultInjector]]:
    """Prepare a server that is not started yet, its database, and the faults."""
    with ExitStack() as stack:
        postgres = proxy = None
        if database == "postgresql":
            postgres = stack.enter_context(dev_services.postgres())
            proxy = stack.enter_context(proxy_process(postgres.create_database("tables")))
            url = proxy.url
        else:
            url = str(folder / "tables.sqlite")
        server = ServerProcess(url, workers, folder)
        stack.callback(server.terminate)
        yield server, FaultInjector(server, records, rng, postgres, proxy)
