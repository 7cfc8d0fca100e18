"""A limit on the time of code under test that must not hang."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

ELAPSED_PER_PROCESSOR_SECOND: Final = 10
"""Code that waits instead of computing is interrupted too, but later: other programs may keep the
machine busy."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Interrupt code that does not end within this processor time, so that the test fails."""

    def interrupt(number: int, frame: object) -> None:
        raise TimeoutError("this did not come to an end")

    before = {kind: signal.signal(kind, interrupt) for kind in (signal.SIGPROF, signal.SIGALRM)}
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, ELAPSED_PER_PROCESSOR_SECOND * seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        for kind, handler in before.items():
            signal.signal(kind, handler)
