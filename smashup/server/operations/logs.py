"""What the server says of itself: one line for each event, for people or as JSON.

A line never tells what somebody could learn from: no names, no words, no cards, no secrets, and no
table by its link, which is all that a stranger needs. So an event is a fixed sentence with a few
plain facts, and an error is what kind it was and where it happened; what it says is left out, since
it may repeat anything. Of what other libraries say, only the fixed part is written.
"""

from __future__ import annotations

import json
import logging
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from traceback import walk_tb
from typing import Final

from smashup.server.errors import Passing

LOGGER: Final = logging.getLogger("smashup.server")
HERE: Final = Path(__file__).parents[2]
AT_ONCE: Final = 5
PERIOD: Final = 10.0
"""A warning is written so often in so many seconds; then only counted, as ``more``."""
Fact = str | int | float
WHEN_IT_FAILS: Final[list[Callable[[str], None]]] = []
"""Who wants to know of errors, too: `smashup.server.operations.metrics`, where it is in use."""


def known_as(table_id: str) -> str:
    """A table in logs: always the same for the same table, and of no use to find it."""
    return sha256(table_id.encode()).hexdigest()[:10]


def write_line(event: str, table: str = "", level: int = logging.INFO, **facts: Fact) -> None:
    """Write a line: a sentence that is always the same for an event, and plain facts."""
    if not LOGGER.isEnabledFor(level):
        return
    if table:
        facts = {"table": known_as(table), **facts}
    if level >= logging.WARNING:
        more = _FLOOD.take(event)
        if more is None:
            return
        facts |= {"more": more} if more else {}
    LOGGER.log(level, _sentence(event, facts), extra={"event": event, "facts": facts})


def warn(event: str, table: str = "", error: BaseException | None = None, **facts: Fact) -> None:
    """Write a line about something that should not happen often."""
    write_line(event, table, logging.WARNING, **_about(error), **facts)


def fail(event: str, table: str = "", error: BaseException | None = None, **facts: Fact) -> None:
    """Write a line about something that went wrong; it is counted as well, unless it passes."""
    if isinstance(error, Passing):
        warn(event, table, error, **facts)
        return
    for count in WHEN_IT_FAILS:
        count(event)
    write_line(event, table, logging.ERROR, **_about(error), **facts)


class _Flood:
    """Sees to it that what goes wrong at a thousand tables at once does not fill the disk."""

    def __init__(self) -> None:
        self._periods: dict[str, tuple[float, int]] = {}
        """By event: since when it is counted, and how often it happened since then."""

    def take(self, event: str) -> int | None:
        """None if an event is not to be told now; else how often it was not told before."""
        now = time.monotonic()
        since, count = self._periods.get(event, (now, 0))
        held_back = 0
        if now - since > PERIOD:
            held_back = max(0, count - AT_ONCE)
            since, count = now, 0
        self._periods[event] = (since, count + 1)
        return held_back if count < AT_ONCE else None


_FLOOD: Final = _Flood()


def _sentence(event: str, facts: dict[str, Fact]) -> str:
    return " ".join((event, *(f"{name}={value}" for name, value in facts.items())))


def _about(error: BaseException | None) -> dict[str, Fact]:
    """What may be told of an error: its kind, and the line of this program where it happened."""
    if error is None:
        return {}
    about: dict[str, Fact] = {"error": type(error).__name__}
    for frame, line in walk_tb(error.__traceback__):
        path = Path(frame.f_code.co_filename)
        if path.is_relative_to(HERE):
            about["at"] = f"{path.relative_to(HERE).as_posix()}:{line}"
    return about


# --- where it goes ----------------------------------------------------------------------------


def begin(form: str = "text", level: str = "warning") -> None:
    """Let everything that this process says go to its standard error, in this form."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Json() if form == "json" else _Text())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    # Of what other libraries do, only what is wrong is of interest.
    root.setLevel(logging.DEBUG if level == "debug" else logging.WARNING)
    logging.getLogger("smashup").setLevel(level.upper())
    # What it warns of, when a line breaks in the middle of something, is told here as well.
    logging.getLogger("psycopg").setLevel(logging.ERROR)
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [], True


class _Line(logging.Formatter):
    """A record as an event with facts, whoever has written it."""

    def parts(self, record: logging.LogRecord) -> tuple[str, dict[str, Fact]]:
        event: str | None = getattr(record, "event", None)
        if event is not None:
            return event, getattr(record, "facts", {})
        if record.name.startswith("smashup."):
            return record.getMessage(), {}
        error = record.exc_info[1] if record.exc_info else None
        # Only what was written there beforehand, without what fills its gaps.
        lines = str(record.msg).splitlines() or [""]
        if lines[0].startswith("Traceback"):
            # Written out already: the last line begins with the kind of error.
            return "something went wrong", {"by": record.name, "error": lines[-1].partition(":")[0]}
        return lines[0], {"by": record.name} | _about(error)

    def time(self, record: logging.LogRecord) -> str:
        moment = datetime.fromtimestamp(record.created, UTC)
        return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class _Text(_Line):
    def format(self, record: logging.LogRecord) -> str:
        event, facts = self.parts(record)
        return f"{self.time(record)} {record.levelname.lower()}: {_sentence(event, facts)}"


class _Json(_Line):
    def format(self, record: logging.LogRecord) -> str:
        event, facts = self.parts(record)
        said = {
            "time": self.time(record),
            "level": record.levelname.lower(),
            "event": event,
            **facts,
            "pid": record.process,
        }
        return json.dumps(said, ensure_ascii=False)
