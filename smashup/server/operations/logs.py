"""The server's log: structlog events with fields, as text or JSON, on standard error.

The log contains nothing that a reader could exploit: no names, chat texts, cards or secrets, and no
table ids, which are enough to open a table. An event is a fixed id in snake_case with plain fields.
An error is logged as its type and location, without its message, which may contain anything. Of the
messages of other libraries, only the constant part is logged.
"""

from __future__ import annotations

import logging
import os
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

from smashup.engine.errors import CardFailure
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
"""Each warning is logged this many times per period; further ones are counted, as ``more``."""
TRACKER_FILTER: Final = "ignore:resource_tracker:UserWarning"
Field = str | int | float
ERROR_HOOKS: Final[list[Callable[[str], None]]] = []
"""Called with the event id of each error: `smashup.server.operations.metrics` counts them."""


def table_alias(table_id: str) -> str:
    """Return the id of a table in the log, from which its real id cannot be derived."""
    return sha256(table_id.encode()).hexdigest()[:10]


def info(event: str, table: str = "", **fields: Field) -> None:
    """Log a normal event."""
    _write(logging.INFO, event, table, fields)


def warn(event: str, table: str = "", error: BaseException | None = None, **fields: Field) -> None:
    """Log something that should not happen often."""
    _write(logging.WARNING, event, table, {**_describe(error), **fields})


def fail(event: str, table: str = "", error: BaseException | None = None, **fields: Field) -> None:
    """Log an error and count it; transient errors are only warnings."""
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
        """By event: the start of its period, and how often it occurred since then."""

    def take(self, event: str) -> int | None:
        """Count an event. Return how many were suppressed before, or None to suppress this one."""
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
    """Return the fields of an error: its type, and the line where it occurred."""
    if error is None:
        return {}
    fields: dict[str, Field] = {"error": type(error).__name__}
    if isinstance(error, CardFailure):
        ability = error.message.args
        fields["error"] = type(error.__cause__ or error).__name__
        if "card" in error.public_message.args:  # not of a card in a hand
            fields["at"] = _location(Path(ability["file"]), ability["line"])
        return fields
    for frame, line in walk_tb(error.__traceback__):
        path = Path(frame.f_code.co_filename)
        if path.is_relative_to(PACKAGE_FOLDER):
            fields["at"] = _location(path, line)
    return fields


def _describe_plugin(error: BaseException | None) -> dict[str, Field]:
    """Return the fields of an error in a plug-in: its type, and the line that raised it."""
    if error is None:
        return {}
    error = error.__cause__ or error
    places = [
        _location(Path(f.f_code.co_filename), line) for f, line in walk_tb(error.__traceback__)
    ]
    return {"error": type(error).__name__, "at": places[-1] if places else ""}


def _location(path: Path, line: int) -> str:
    """Return a line of this program, or of a plug-in, whose folder is not shown."""
    if path.is_relative_to(PACKAGE_FOLDER):
        return f"{path.relative_to(PACKAGE_FOLDER).as_posix()}:{line}"
    return f"{path.name}:{line}"


# --- configuration ----------------------------------------------------------------------------


def configure(log_format: str = "text", level: str = "warning") -> None:
    """Send everything that this process logs to standard error, as ``text`` or ``json``."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_json_formatter() if log_format == "json" else _text_formatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    # Only warnings of other libraries are of interest.
    root.setLevel(logging.DEBUG if level == "debug" else logging.WARNING)
    logging.getLogger("smashup").setLevel(level.upper())
    # Lost connections are logged here as well.
    for name in ("psycopg", "sqlalchemy", "alembic", "aiosqlite"):
        logging.getLogger(name).setLevel(logging.ERROR)
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [], True
    # Python would print these to standard error in another format.
    warnings.showwarning = _log_warning
    sys.excepthook = _log_crash
    sys.unraisablehook = _log_unraisable
    threading.excepthook = _log_thread_crash
    _silence_resource_tracker()


def _silence_resource_tracker() -> None:
    """Keep Python's resource tracker from writing lines in another format.

    It is a separate process that removes the semaphores of killed processes and prints a warning
    each time. It reads its filters from the environment.
    """
    filters = os.environ.get("PYTHONWARNINGS", "")
    if TRACKER_FILTER not in filters:
        os.environ["PYTHONWARNINGS"] = f"{filters},{TRACKER_FILTER}".strip(",")


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
    return _formatter(structlog.processors.JSONRenderer(ensure_ascii=False))


def _formatter(renderer: Processor) -> logging.Formatter:
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[_redact_foreign],
        processors=[
            _arrange_fields,
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            renderer,
        ],
    )


def _redact_foreign(logger: WrappedLogger, name: str, event: EventDict) -> EventDict:
    """Reduce a message of another library to its constant part."""
    record: logging.LogRecord = event["_record"]
    meta = {"_record": record, "_from_structlog": False}
    error = event["exc_info"][1] if event.get("exc_info") else None
    if record.name.startswith("smashup."):
        return {"event": event["event"], **_describe_plugin(error), **meta}
    lines = str(record.msg).splitlines() or [""]
    if lines[0].startswith("Traceback"):
        # Formatted already: the last line begins with the type of the error.
        error_type = lines[-1].partition(":")[0]
        return {"event": "unexpected_error", "by": record.name, "error": error_type, **meta}
    return {"event": lines[0], "by": record.name, **_describe(error), **meta}


def _arrange_fields(logger: WrappedLogger, name: str, event: EventDict) -> EventDict:
    """Put time and level first, the process id last."""
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
