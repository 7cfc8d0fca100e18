"""Runs a check in a process of its own, so that an author's code can crash or hang only that."""

from __future__ import annotations

import faulthandler
import os
import pickle
import re
import signal
import tempfile
import traceback
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, Final, TypeVar

from smashup.cards.authoring.time_limit import end_process_at_limit

T = TypeVar("T")

STALL_SECONDS: Final = 60
"""The time on the clock after which a check without progress is stopped."""
MAX_MEMORY: Final = 512 << 20
"""The memory that a check may allocate in bytes, on Linux."""


class CheckCrashed(Exception):
    """The process of a check ended without a result."""

    def __init__(self, line: int, has_stalled: bool) -> None:
        super().__init__(line, has_stalled)
        self.line = line
        """The line of the file that ran last; 0 if unknown."""
        self.has_stalled = has_stalled


def run_supervised(check: Callable[[Callable[[], None]], T], filename: str) -> T:
    """Run a check of a file in a child process and return its result.

    The check receives a function to call whenever it makes progress. If the process crashes or
    makes no progress for long, this raises `CheckCrashed` with the line of ``filename`` that ran.
    Systems without ``fork`` run the check in this process.
    """
    if not hasattr(os, "fork"):
        return check(lambda: None)
    with tempfile.TemporaryFile() as stack, tempfile.TemporaryFile() as result:
        with warnings.catch_warnings():
            # Python warns of threads, which the child does not use.
            warnings.simplefilter("ignore", DeprecationWarning)
            child = os.fork()
        if child == 0:
            _run_child(check, stack, result)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        result.seek(0)
        content = result.read()
        if status == 0 and content:
            value: T
            value, error = pickle.loads(content)
            if error is not None:
                raise error
            return value
        stack.seek(0)
        dump = stack.read().decode(errors="replace")
        has_stalled = "Timeout" in dump or -status == getattr(signal, "SIGVTALRM", None)
        raise CheckCrashed(last_line(dump, filename), has_stalled)


def _run_child(
    check: Callable[[Callable[[], None]], object], stack: IO[bytes], result: IO[bytes]
) -> None:
    def note_progress() -> None:
        # A thread of the C runtime dumps the stack, whatever the code does with signals.
        faulthandler.dump_traceback_later(STALL_SECONDS, exit=True, file=stack)

    status = 1
    try:
        faulthandler.enable(stack, all_threads=False)
        end_process_at_limit(stack)
        _limit_memory()
        note_progress()
        result.write(_result_of(check, note_progress))
        result.flush()
        status = 0
    finally:
        os._exit(status)  # skips exit handlers and threads of the checked code


def _result_of(
    check: Callable[[Callable[[], None]], object], note_progress: Callable[[], None]
) -> bytes:
    """Run a check; return its result and the error it raised, if any, as bytes."""
    try:
        return pickle.dumps((check(note_progress), None))
    except Exception as error:
        details = traceback.format_exc()
        return pickle.dumps((None, RuntimeError(f"The check failed: {error!r}\n{details}")))


def _limit_memory() -> None:
    """Let a check that allocates too much get a `MemoryError`."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[0])
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        limit = pages * resource.getpagesize() + MAX_MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))


def last_line(dump: str, filename: str) -> int:
    """Return the innermost line of a file in a stack that faulthandler wrote; 0 if none."""
    # faulthandler writes file names in ASCII.
    name = filename.encode("ascii", "backslashreplace").decode()
    found = re.search(rf'File "{re.escape(name)}", line (\d+)', dump)
    return int(found[1]) if found else 0
