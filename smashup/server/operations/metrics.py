"""Prometheus metrics.

Several workers (`smashup.server.operations.supervisor`) write their metrics to files in a shared
folder, and one request returns the sum, including that of workers that died. A separate address
serves the metrics to the operator: see docs/self-hosting.md.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import tempfile
import time
from collections import Counter as Tally
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from prometheus_client import (
    REGISTRY,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
    start_http_server,
)
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from smashup.engine.errors import SetupError, SmashUpError
from smashup.engine.model.messages import Message
from smashup.server.errors import refusal_code
from smashup.server.operations import logs
from smashup.server.storage.records import (
    BOT,
    OVER,
    PLAYING,
    WAITING,
    EntryKind,
    LogEntry,
    SeatRecord,
)
from smashup.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

    from smashup.server.tables.registry import TableRegistry

FOLDER_VARIABLE: Final = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable in which the library looks for the shared folder."""
FOLDER_PREFIX: Final = "smashup-metrics-"
STALE_FOLDER_SECONDS: Final = 60.0
"""After this time, no process uses the folder of a killed server any more."""
SHORT_BUCKETS: Final = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)
LONG_BUCKETS: Final = (0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30)
SLOW_ANSWER_SECONDS: Final = 1.0
"""The server logs answers that take longer."""
SAMPLE_SECONDS: Final = 2.0
"""Interval at which gauges are updated."""

disable_created_metrics()  # type: ignore[no-untyped-call]  # these are not used

TABLES: Final = Gauge(
    "smashup_tables", "Tables in memory, by state.", ["state"], multiprocess_mode="livesum"
)
CONNECTIONS: Final = Gauge(
    "smashup_connections", "Open WebSockets of tables.", ["viewer"], multiprocess_mode="livesum"
)
GAMES: Final = Counter("smashup_games", "Games that started and ended.", ["event"])
ANSWERS: Final = Counter("smashup_answers", "Committed answers, by source.", ["by"])
ANSWER_SECONDS: Final = Histogram(
    "smashup_answer_seconds", "Time until a person's answer is committed.", buckets=SHORT_BUCKETS
)
REFUSED: Final = Counter("smashup_refused", "Refused requests and messages.", ["transport", "code"])
CLOSED_CONNECTIONS: Final = Counter(
    "smashup_closed_connections",
    "Connections closed or refused by limits: crowded, slow or full.",
    ["reason"],
)
CHAT: Final = Counter("smashup_chat_messages", "Chat messages.")
UNDOS: Final = Counter("smashup_undos", "Undone choices.")
ERRORS: Final = Counter("smashup_errors", "Internal errors, by log event.", ["event"])
BOT_TASK_SECONDS: Final = Histogram(
    "smashup_bot_task_seconds",
    "Duration of tasks in the bot processes, including the wait for a process.",
    ["task"],
    buckets=LONG_BUCKETS,
)
BOT_TASKS: Final = Gauge(
    "smashup_bot_tasks",
    "Tasks that run in the bot processes or wait for one.",
    multiprocess_mode="livesum",
)
RESTORE_SECONDS: Final = Histogram(
    "smashup_restore_seconds", "Time to restore a stored game in memory.", buckets=LONG_BUCKETS
)
BATCH: Final = Histogram(
    "smashup_store_batch_size",
    "Number of writes in a database transaction.",
    buckets=(1, 2, 4, 8, 16, 32, 64, 128, 256),
)
WRITES: Final = Histogram(
    "smashup_store_write_seconds",
    "Duration of database transactions that write.",
    buckets=SHORT_BUCKETS,
)
OVERDUE: Final = Counter(
    "smashup_overdue_tables", "Tables with an overdue action that this worker performed."
)
REPLAYS: Final = Counter("smashup_replays_recorded", "Finished games that were recorded.")
LAG: Final = Histogram(
    "smashup_event_loop_lag_seconds", "Delay of timers in the event loop.", buckets=SHORT_BUCKETS
)
MEMORY: Final = Gauge(
    "smashup_worker_memory_bytes",
    "Memory of a worker without bot processes.",
    multiprocess_mode="liveall",
)
CPU_SECONDS: Final = Counter(
    "smashup_cpu_seconds", "CPU time of all workers without bot processes."
)
BUILD_INFO: Final = Gauge(
    "smashup_build_info", "The version of the server.", ["version"], multiprocess_mode="livemax"
)


logs.ERROR_HOOKS.append(lambda event: ERRORS.labels(event).inc())


async def sample_periodically(registry: TableRegistry) -> None:
    """Update the gauges periodically."""
    cpu_seconds = 0.0
    while True:
        _update_gauges(registry)
        cpu_seconds, before = time.process_time(), cpu_seconds
        CPU_SECONDS.inc(cpu_seconds - before)
        due = time.monotonic() + SAMPLE_SECONDS
        await asyncio.sleep(SAMPLE_SECONDS)
        LAG.observe(max(0.0, time.monotonic() - due))


def _update_gauges(registry: TableRegistry) -> None:
    tables = registry.tables.values()
    states = Tally(table.record.state for table in tables)
    for state in (WAITING, PLAYING, OVER):
        TABLES.labels(state).set(states[state])
    viewers = [connection.viewer for table in tables for connection in table.connections]
    spectators = sum(viewer < 0 for viewer in viewers)
    CONNECTIONS.labels("player").set(len(viewers) - spectators)
    CONNECTIONS.labels("spectator").set(spectators)
    MEMORY.set(_memory_bytes())
    BUILD_INFO.labels(__version__).set(1)


@contextmanager
def time_answer(table_id: str) -> Iterator[None]:
    """Measure the time until a person's answer is committed."""
    started = time.monotonic()
    yield
    seconds = time.monotonic() - started
    ANSWER_SECONDS.observe(seconds)
    if seconds > SLOW_ANSWER_SECONDS:
        logs.warn("answer_slow", table_id, seconds=round(seconds, 2))


@contextmanager
def time_bot_task(name: str) -> Iterator[None]:
    """Measure the duration of a task in the bot processes."""
    with BOT_TASKS.track_inprogress(), BOT_TASK_SECONDS.labels(name).time():
        yield


def count_answers(entries: Sequence[LogEntry], seats: Sequence[SeatRecord]) -> None:
    """Count committed answers and undos."""
    for entry in entries:
        if entry.kind is EntryKind.UNDO:
            UNDOS.inc()
        elif entry.kind is EntryKind.ANSWER and entry.message_id:
            ANSWERS.labels("person").inc()
        elif entry.kind is EntryKind.ANSWER and entry.seat is not None:
            ANSWERS.labels("bot" if seats[entry.seat].kind == BOT else "server").inc()


def count_refusal(transport: str, error: SmashUpError) -> None:
    """Count a refused request (``http``) or message (``socket``)."""
    REFUSED.labels(transport, refusal_code(error)).inc()


def _memory_bytes() -> float:
    """Return the current memory of this process, or its maximum if that is not available."""
    with suppress(OSError, IndexError, ValueError):
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * float(os.sysconf("SC_PAGE_SIZE"))
    with suppress(ImportError):
        import resource

        maximum = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return float(maximum if sys.platform == "darwin" else maximum * 1024)
    return 0.0


# --- the metrics server -----------------------------------------------------------------------


@contextmanager
def serve_metrics(address: str) -> Iterator[None]:
    """Serve the metrics at ``HOST:PORT`` while the context is active, if there is one."""
    if not address:
        yield
        return
    folder = os.environ.get(FOLDER_VARIABLE)
    registry: CollectorRegistry = REGISTRY
    if folder is not None:
        registry = CollectorRegistry()
        MultiProcessCollector(registry, path=folder)  # type: ignore[no-untyped-call]
    host, port = _parse_address(address)
    try:
        server, thread = start_http_server(port, host, registry)
    except OSError as error:
        raise SetupError(
            "Metrics cannot be served at {address}: {reason}.",
            address=address,
            reason=Message((error.strerror or str(error)).partition(" (while")[0], {}),
        ) from error
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _parse_address(address: str) -> tuple[str, int]:
    host, _, port = address.rpartition(":")
    if not host or not port.isascii() or not port.isdigit() or int(port) > 65535:
        raise SetupError(
            "{address} is not an address for metrics: use a host and a port, like 127.0.0.1:9100.",
            address=address,
        )
    return host.strip("[]"), int(port)


@contextmanager
def multiprocess_metrics() -> Iterator[None]:
    """Let all processes that start while the context is active share a metrics folder."""
    _remove_stale_folders()
    folder = tempfile.mkdtemp(prefix=f"{FOLDER_PREFIX}{os.getpid()}-")
    before = os.environ.get(FOLDER_VARIABLE)
    os.environ[FOLDER_VARIABLE] = folder
    try:
        yield
    finally:
        if before is None:
            del os.environ[FOLDER_VARIABLE]
        else:
            os.environ[FOLDER_VARIABLE] = before
        shutil.rmtree(folder, ignore_errors=True)


def _remove_stale_folders() -> None:
    """Remove the folders of killed servers once their processes must have ended."""
    if os.name != "posix":
        return
    for folder in Path(tempfile.gettempdir()).glob(f"{FOLDER_PREFIX}*-*"):
        pid = folder.name.removeprefix(FOLDER_PREFIX).partition("-")[0]
        with suppress(OSError):
            if time.time() - folder.stat().st_mtime < STALE_FOLDER_SECONDS or not pid.isdigit():
                continue
            try:
                os.kill(int(pid), 0)
            except ProcessLookupError:
                shutil.rmtree(folder, ignore_errors=True)


def mark_worker_dead(pid: int) -> None:
    """Remove the gauges of a worker that has ended, and keep its counters."""
    folder = os.environ.get(FOLDER_VARIABLE)
    if folder is not None:
        mark_process_dead(pid, folder)  # type: ignore[no-untyped-call]
