"""A limit on processor time, on systems with interval timers."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_CLOCK_FACTOR: Final = 10
"""Wall-clock seconds allowed per second of processor time."""
_REPEAT_SECONDS: Final = 0.1
"""An interrupt that hits a destructor or a callback of the garbage collector is lost: repeat it."""


class TimeLimitExceeded(BaseException):
    """The time limit was exceeded; not an `Exception`, so that no handler swallows it."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise `TimeLimitExceeded` in the body after this much processor time.

    On a busy machine that may take long, so there is a limit to the time on the clock too, unless
    another alarm is set. Only the main thread can be interrupted, and only on systems
    with interval timers.
    """
    if (
        not hasattr(signal, "setitimer")
        or threading.current_thread() is not threading.main_thread()
    ):
        yield
        return

    def interrupt(signum: int, frame: object) -> None:
        raise TimeLimitExceeded

    limits = {signal.ITIMER_PROF: (signal.SIGPROF, seconds)}
    if not any(signal.getitimer(signal.ITIMER_REAL)):
        limits[signal.ITIMER_REAL] = (signal.SIGALRM, seconds * _CLOCK_FACTOR)
    before = {number: signal.signal(number, interrupt) for number, _ in limits.values()}
    try:
        for timer, (_, limit) in limits.items():
            signal.setitimer(timer, limit, _REPEAT_SECONDS)
        yield
    finally:
        for timer in limits:
            signal.setitimer(timer, 0)
        for number, handler in before.items():
            signal.signal(number, handler)
