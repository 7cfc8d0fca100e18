"""The server's log: structlog events with fields, as text or JSON, on standard error.

A line reveals nothing a reader could exploit: no names, no words, no cards, no secrets, and no
table's link, which is all that a stranger needs. So an event is a fixed id in snake_case with plain
fields, and an error is its type and where it happened; its message is left out, since it may repeat
anything. Of what other libraries log, only the fixed part of the message is written.
"""

from __future__ import annotations

import logging
import sys
import threading
import time
import warnings
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from traceback import walk_tb
from types import TracebackType
from typing import Any, Final, TextIO

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from smashup.server.errors import TransientError

LOGGER: Final = logging.getLogger("smashup.server")
_LOG: Final[structlog.stdlib.BoundLogger] = structlog.wrap_logger(
    LOGGER,
    processors=[structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
    wrapper_class=structlog.stdlib.BoundLogger,
)
PACKAGE_FOLDER: Final = Path(__file__).parents[2]
MAX_REPEATS: Final = 5
PERIOD_SECONDS: Final = 10.0
"""A warning is written this often in so many seconds; then only counted, as ``more``."""
Field = str | int | float
ERROR_HOOKS: Final[list[Callable[[str], None]]] = []
"""Called with the event id of each error: `smashup.server.operations.metrics` counts them."""


def table_alias(table_id: str) -> str:
    """A table in logs: always the same for the same table, and of no use to find it."""
    return sha256(table_id.encode()).hexdigest()[:10]


def info(event: str, table: str = "", **fields: Field) -> None:
    """Log something that happened."""
    _write(logging.INFO, event, table, fields)


def warn(event: str, table: str = "", error: BaseException | None = None, **fields: Field) -> None:
    """Log something that should not happen often."""
    _write(logging.WARNING, event, table, {**_describe(error), **fields})


def fail(event: str, table: str = "", error: BaseException | None = None, **fields: Field) -> None:
    """Log a failure; it is counted as well, unless it is transient."""
    if isinstance(error, TransientError):
        warn(event, table, error, **fields)
        return
    for hook in ERROR_HOOKS:
        hook(event)
    _write(logging.ERROR, event, table, {**_describe(error), **fields})


def _write(level: int, event: str, table: str, fields: dict[str, Field]) -> None:
    if not LOGGER.isEnabledFor(level):
        return
    if table:
        fields = {"table": table_alias(table), **fields}
    if level >= logging.WARNING:
        suppressed = _THROTTLE.take(event)
        if suppressed is None:
            return
        fields |= {"more": suppressed} if suppressed else {}
    _LOG.log(level, event, **fields)


class _Throttle:
    """Keeps a failure at a thousand tables at once from filling the disk."""

    def __init__(self) -> None:
        self._periods: dict[str, tuple[float, int]] = {}
        """By event: since when it is counted, and how often it happened since then."""

    def take(self, event: str) -> int | None:
        """None if an event is not to be written now; else how many were suppressed before."""
        now = time.monotonic()
        since, count = self._periods.get(event, (now, 0))
        suppressed = 0
        if now - since > PERIOD_SECONDS:
            suppressed = max(0, count - MAX_REPEATS)
            since, count = now, 0
        self._periods[event] = (since, count + 1)
        return suppressed if count < MAX_REPEATS else None


_THROTTLE: Final = _Throttle()


def _describe(error: BaseException | None) -> dict[str, Field]:
    """What may be logged of an error: its type, and the line of this program where it happened."""
    if error is None:
        return {}
    fields: dict[str, Field] = {"error": type(error).__name__}
    for frame, line in walk_tb(error.__traceback__):
        path = Path(frame.f_code.co_filename)
        if path.is_relative_to(PACKAGE_FOLDER):
            fields["at"] = f"{path.relative_to(PACKAGE_FOLDER).as_posix()}:{line}"
    return fields


# --- configuration ----------------------------------------------------------------------------


def configure(form: str = "text", level: str = "warning") -> None:
    """Write everything that this process logs to its standard error, in this form."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_json_formatter() if form == "json" else _text_formatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    # Of other libraries, only what is wrong is of interest.
    root.setLevel(logging.DEBUG if level == "debug" else logging.WARNING)
    logging.getLogger("smashup").setLevel(level.upper())
    # Lost connections are logged here as well.
    for name in ("psycopg", "sqlalchemy", "alembic", "aiosqlite"):
        logging.getLogger(name).setLevel(logging.ERROR)
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [], True
    # Python itself writes these to standard error, and not as a line of this log.
    warnings.showwarning = _log_warning
    sys.excepthook = _log_crash
    sys.unraisablehook = _log_unraisable
    threading.excepthook = _log_thread_crash


def _log_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    warn("python_warning", category=category.__name__, at=f"{Path(filename).name}:{lineno}")


def _log_crash(
    kind: type[BaseException], error: BaseException, traceback: TracebackType | None
) -> None:
    fail("process_crashed", error=error)


def _log_thread_crash(args: threading.ExceptHookArgs) -> None:
    fail("thread_crashed", error=args.exc_value)


def _log_unraisable(unraisable: sys.UnraisableHookArgs) -> None:
    fail("error_in_finalizer", error=unraisable.exc_value)


def _text_formatter() -> logging.Formatter:
    return _formatter(_render_text)


def _json_formatter() -> logging.Formatter:
    renderer = structlog.processors.JSONRenderer(ensure_ascii=False)
    return _formatter(structlog.processors.EventRenamer("event"), renderer)


def _formatter(*renderers: Processor) -> logging.Formatter:
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[_redact_foreign],
        processors=[
            _add_facts,
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            *renderers,
        ],
    )


def _redact_foreign(logger: WrappedLogger, name: str, event: EventDict) -> EventDict:
    """Of what another library logged, only what was written there beforehand."""
    record: logging.LogRecord = event["_record"]
    meta = {"_record": record, "_from_structlog": False}
    if record.name.startswith("smashup."):
        return {"event": record.getMessage(), **meta}
    error = event["exc_info"][1] if event.get("exc_info") else None
    lines = str(record.msg).splitlines() or [""]
    if lines[0].startswith("Traceback"):
        # Formatted already: the last line begins with the type of the error.
        error_type = lines[-1].partition(":")[0]
        return {"event": "unexpected_error", "by": record.name, "error": error_type, **meta}
    return {"event": lines[0], "by": record.name, **_describe(error), **meta}


def _add_facts(logger: WrappedLogger, name: str, event: EventDict) -> EventDict:
    """Time and level first, the process last."""
    record: logging.LogRecord = event["_record"]
    moment = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
    fields: dict[str, Any] = {key: event[key] for key in event if key not in ("event", "exc_info")}
    return {
        "time": f"{moment}.{int(record.msecs):03}Z",
        "level": record.levelname.lower(),
        "event": event["event"],
        **fields,
        "pid": record.process,
    }


def _render_text(logger: WrappedLogger, name: str, event: EventDict) -> str:
    hidden = ("time", "level", "event", "pid")
    fields = (f"{key}={value}" for key, value in event.items() if key not in hidden)
    return " ".join((f"{event['time']} {event['level']}: {event['event']}", *fields))
