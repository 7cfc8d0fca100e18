"""A limit on processor time, on systems with interval timers."""

from __future__ import annotations

import faulthandler
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import IO, Final

_CLOCK_FACTOR: Final = 3
"""Wall-clock seconds allowed per second of processor time."""
MIN_CLOCK_SECONDS: Final = 10
"""Wall-clock seconds allowed in any case, as the machine may be busy."""
_REPEAT_SECONDS: Final = 0.1
"""An interrupt that hits a destructor or a callback of the garbage collector is lost: repeat it."""

KILL_FACTOR: Final = 2
"""After this many time limits, code that cannot be interrupted ends the process, if enabled."""
_kill_enabled = False

FrameHandler = Callable[[FrameType | None], None]


class TimeLimitExceeded(BaseException):
    """The time limit was exceeded; not an `Exception`, so that no handler swallows it."""


def end_process_at_limit(stack: IO[bytes]) -> None:
    """Let this process end, with its stack in a file, where an interrupt has no effect.

    Python interrupts nothing inside a single call such as ``sum(range(10**12))``.
    """
    global _kill_enabled
    if hasattr(faulthandler, "register"):
        # Chained to the default action of the signal, which ends the process.
        faulthandler.register(signal.SIGVTALRM, file=stack, all_threads=False, chain=True)
        _kill_enabled = True


@contextmanager
def time_limit(
    seconds: float,
    on_timeout: FrameHandler | None = None,
) -> Iterator[Callable[[], None]]:
    """Raise `TimeLimitExceeded` in the body after this much processor time.

    Yields a function that starts the limit again. ``on_timeout`` receives the running frame first.
    On a busy machine processor time may take long to pass, so there is a limit to the time on the
    clock too, unless another alarm is set. Only the main thread can be interrupted, and only on
    systems with interval timers.
    """
    if (
        not hasattr(signal, "setitimer")
        or threading.current_thread() is not threading.main_thread()
    ):
        yield lambda: None
        return
    interrupts = 0

    def interrupt(signum: int, frame: FrameType | None) -> None:
        nonlocal interrupts
        interrupts += 1
        if interrupts == 1 and on_timeout is not None:
            on_timeout(frame)
        raise TimeLimitExceeded

    limits = {signal.ITIMER_PROF: (signal.SIGPROF, seconds)}
    if not any(signal.getitimer(signal.ITIMER_REAL)):
        limits[signal.ITIMER_REAL] = (
            signal.SIGALRM,
            max(seconds * _CLOCK_FACTOR, MIN_CLOCK_SECONDS),
        )

    timers = {timer: limit for timer, (_, limit) in limits.items()}
    if _kill_enabled:
        timers[signal.ITIMER_VIRTUAL] = seconds * KILL_FACTOR

    def start() -> None:
        for timer, limit in timers.items():
            signal.setitimer(timer, limit, _REPEAT_SECONDS)

    before = {number: signal.signal(number, interrupt) for number, _ in limits.values()}
    try:
        start()
        yield start
    finally:
        for timer in timers:
            signal.setitimer(timer, 0)
        for number, handler in before.items():
            signal.signal(number, handler)
