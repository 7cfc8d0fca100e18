"""A limit on the time of code under test that must not hang."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Interrupt code that does not end, so that the test fails."""

    def ring(number: int, frame: object) -> None:
        raise TimeoutError("this did not come to an end")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
