"""The clock by which old data is deleted.

Deletion cannot be undone, so a wrong system clock must not cause it. The database stores the time
of its last use. If the system clock is far ahead of that, it may be wrong: then time continues from
the stored time, no data looks older than it is known to be, and the server logs an error. If the
clock is right (the server was off for weeks), the operator starts it once with ``--trust-clock``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from smashup.server.operations import logs, timekeeping

DAY: Final = 86_400.0
EARLIEST: Final = 1_388_534_400.0
"""The year 2014, before this program existed: earlier times are invalid."""
LATEST: Final = 4_102_444_800.0
"""The year 2100: later times are invalid."""
MAX_FUTURE: Final = 366 * DAY
"""How far a stored time may be ahead of other clocks."""
MAX_AHEAD: Final = 7 * DAY
"""How far the system clock may be ahead of the newest time in the database."""


class RetentionClock:
    """Seconds since 1970. It runs with the server's clock and never goes back."""

    def __init__(
        self,
        newest: float | None,
        trusted: bool = False,
        clock: Callable[[], float] = timekeeping.now,
    ) -> None:
        """``newest`` is the newest time in the database; None if there is nothing in it."""
        self._clock = clock
        self._started = clock()
        self.ahead = 0.0
        """Seconds that the system clock is ahead of the database, if that is too far."""
        self._offset = 0.0
        if newest is not None:
            ahead = self._started - newest
            if ahead < 0:
                self._offset = -ahead
            elif ahead > MAX_AHEAD and not trusted:
                self.ahead = ahead
                self._offset = -ahead

    def now(self) -> float:
        """Return the time to store with data that is in use."""
        return self._clock() + self._offset

    def deletion_time(self) -> float:
        """Return the time for deletions: the earlier of the two clocks."""
        return self._clock() + min(0.0, self._offset)

    def warn(self) -> None:
        """Log an error if data is kept longer than configured."""
        if self.ahead:
            logs.fail(
                "clock_ahead_of_database",
                days=round(self.ahead / DAY),
                hint="old data is kept; if the clock is right, start once with --trust-clock",
            )
