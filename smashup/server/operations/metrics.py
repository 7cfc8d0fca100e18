"""What the server counts and measures, for Prometheus.

Each process counts for itself. With several workers (`smashup.server.operations.supervisor`), they
count in files of a shared folder, and one request shows them all, including those that died. They
are served at an address of their own, for the operator: see docs/self-hosting.md.
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

FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"
PREFIX: Final = "smashup-metrics-"
A_WHILE: Final = 60.0
"""Seconds after which nobody counts any more in the folder of a server that was killed."""
"""Where processes count together; the library looks for it in the environment."""
QUICK: Final = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)
LONG: Final = (0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30)
SLOW: Final = 1.0
"""Seconds that an answer takes if something is wrong."""
ROUND: Final = 2.0
"""Seconds between two looks at what is so rather than happens."""

disable_created_metrics()  # type: ignore[no-untyped-call]  # nobody asks since when

TABLES: Final = Gauge(
    "smashup_tables", "Tables in memory, by state.", ["state"], multiprocess_mode="livesum"
)
CONNECTIONS: Final = Gauge(
    "smashup_connections", "Open sockets of tables.", ["who"], multiprocess_mode="livesum"
)
GAMES: Final = Counter("smashup_games", "Games that began and ended.", ["event"])
ANSWERS: Final = Counter("smashup_answers", "Answers that are on disk, by who gave them.", ["by"])
ANSWER_SECONDS: Final = Histogram(
    "smashup_answer_seconds", "From a person's answer to its being on disk.", buckets=QUICK
)
REFUSED: Final = Counter("smashup_refused", "What was refused, and why.", ["over", "kind"])
CLOSED_CONNECTIONS: Final = Counter(
    "smashup_closed_connections",
    "Connections that were closed or refused: crowded, slow, or full.",
    ["reason"],
)
CHAT: Final = Counter("smashup_chat_lines", "Things said at tables.")
UNDONE: Final = Counter("smashup_choices_taken_back", "Choices that were taken back.")
ERRORS: Final = Counter("smashup_errors", "What went wrong inside, by what it was.", ["event"])
THINKING: Final = Histogram(
    "smashup_thinking_seconds",
    "From asking the bots' processes to their answer, waiting included.",
    ["what"],
    buckets=LONG,
)
THOUGHTS: Final = Gauge(
    "smashup_thoughts_waiting",
    "What the bots' processes are asked for right now.",
    multiprocess_mode="livesum",
)
REVIVALS: Final = Histogram(
    "smashup_revival_seconds", "Bringing a kept game back into memory.", buckets=LONG
)
BATCH: Final = Histogram(
    "smashup_store_batch_size",
    "How much was written to the database at a time.",
    buckets=(1, 2, 4, 8, 16, 32, 64, 128, 256),
)
WRITES: Final = Histogram("smashup_store_write_seconds", "Writing to the database.", buckets=QUICK)
OVERDUE: Final = Counter(
    "smashup_overdue_tables", "Tables at which something was overdue, and done by this worker."
)
REPLAYS: Final = Counter("smashup_replays_recorded", "Finished games that were recorded.")
LAG: Final = Histogram(
    "smashup_event_loop_lag_seconds", "How late a worker comes to what is due.", buckets=QUICK
)
MEMORY: Final = Gauge(
    "smashup_worker_memory_bytes",
    "Memory of a worker, its bots apart.",
    multiprocess_mode="liveall",
)
PROCESSOR: Final = Counter("smashup_cpu_seconds", "Processor time of all workers, bots apart.")
ABOUT: Final = Gauge(
    "smashup_build_info", "Which version is running.", ["version"], multiprocess_mode="livemax"
)


logs.ERROR_HOOKS.append(lambda event: ERRORS.labels(event).inc())


async def keep_looking(registry: TableRegistry) -> None:
    """Measure what is so rather than happens, again and again."""
    used = 0.0
    while True:
        _look(registry)
        used, before = time.process_time(), used
        PROCESSOR.inc(used - before)
        due = time.monotonic() + ROUND
        await asyncio.sleep(ROUND)
        LAG.observe(max(0.0, time.monotonic() - due))


def _look(registry: TableRegistry) -> None:
    tables = registry.tables.values()
    states = Tally(table.record.state for table in tables)
    for state in (WAITING, PLAYING, OVER):
        TABLES.labels(state).set(states[state])
    viewers = [connection.viewer for table in tables for connection in table.connections]
    watching = sum(viewer < 0 for viewer in viewers)
    CONNECTIONS.labels("player").set(len(viewers) - watching)
    CONNECTIONS.labels("spectator").set(watching)
    MEMORY.set(_memory())
    ABOUT.labels(__version__).set(1)


@contextmanager
def answering(table_id: str) -> Iterator[None]:
    """Measure how long it takes until a person's answer is on disk."""
    began = time.monotonic()
    yield
    took = time.monotonic() - began
    ANSWER_SECONDS.observe(took)
    if took > SLOW:
        logs.warn("answer_slow", table_id, seconds=round(took, 2))


@contextmanager
def thinking(what: str) -> Iterator[None]:
    """Measure how long the bots' processes take for something."""
    with THOUGHTS.track_inprogress(), THINKING.labels(what).time():
        yield


def count_answers(entries: Sequence[LogEntry], seats: Sequence[SeatRecord]) -> None:
    """Count answers that are committed now."""
    for entry in entries:
        if entry.kind is EntryKind.UNDO:
            UNDONE.inc()
        elif entry.kind is EntryKind.ANSWER and entry.message_id:
            ANSWERS.labels("person").inc()
        elif entry.kind is EntryKind.ANSWER and entry.seat is not None:
            ANSWERS.labels("bot" if seats[entry.seat].kind == BOT else "server").inc()


def count_refusal(over: str, error: SmashUpError) -> None:
    """Count something that was refused."""
    REFUSED.labels(over, type(error).__name__).inc()


def _memory() -> float:
    """Bytes that this process holds now; where that is not known, the most it ever held."""
    with suppress(OSError, IndexError, ValueError):
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * float(os.sysconf("SC_PAGE_SIZE"))
    with suppress(ImportError):
        import resource

        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return float(most if sys.platform == "darwin" else most * 1024)
    return 0.0


# --- serving them -----------------------------------------------------------------------------


@contextmanager
def served(address: str) -> Iterator[None]:
    """Serve them at ``HOST:PORT`` for as long as this lasts; nothing without an address."""
    if not address:
        yield
        return
    folder = os.environ.get(FOLDER)
    registry: CollectorRegistry = REGISTRY
    if folder is not None:
        registry = CollectorRegistry()
        MultiProcessCollector(registry, path=folder)  # type: ignore[no-untyped-call]
    host, port = _parts(address)
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


def _parts(address: str) -> tuple[str, int]:
    host, _, port = address.rpartition(":")
    if not host or not port.isascii() or not port.isdigit() or int(port) > 65535:
        raise SetupError(
            "Metrics are served at a host and a port, like 127.0.0.1:9100, not at {address}.",
            address=address,
        )
    return host.strip("[]"), int(port)


@contextmanager
def multiprocess_metrics() -> Iterator[None]:
    """Let all processes that are started meanwhile count in one folder."""
    _clear_up()
    folder = tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-")
    before = os.environ.get(FOLDER)
    os.environ[FOLDER] = folder
    try:
        yield
    finally:
        if before is None:
            del os.environ[FOLDER]
        else:
            os.environ[FOLDER] = before
        shutil.rmtree(folder, ignore_errors=True)


def _clear_up() -> None:
    """Remove the folders of servers that were killed, once all that they started must be gone."""
    if os.name != "posix":
        return
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*-*"):
        pid = folder.name.removeprefix(PREFIX).partition("-")[0]
        with suppress(OSError):
            if time.time() - folder.stat().st_mtime < A_WHILE or not pid.isdigit():
                continue
            try:
                os.kill(int(pid), 0)
            except ProcessLookupError:
                shutil.rmtree(folder, ignore_errors=True)


def gone(pid: int) -> None:
    """A process has ended: what it counted stays, what it held does not."""
    folder = os.environ.get(FOLDER)
    if folder is not None:
        mark_process_dead(pid, folder)  # type: ignore[no-untyped-call]
