"""The clock by which old data is deleted.

Deleting cannot be undone, so a wrong system clock must not cause it. The database remembers how
late it was when it was last used. A system clock that is far ahead of that may be wrong: then time
goes on from what the database remembers, nothing looks older than it is known to be, and the
operator is told. If the clock is right after all (the server was switched off for weeks), starting
it once with ``--trust-clock`` says so.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from smashup.server.operations import logs, timekeeping

DAY: Final = 86_400.0
EARLIEST: Final = 1_388_534_400.0
"""2014, before this program was written: a time before that cannot be right."""
LATEST: Final = 4_102_444_800.0
"""The year 2100: nor can one after that."""
MAX_FUTURE: Final = 366 * DAY
"""How far ahead of the other clocks a remembered time may lie."""
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
        """With which data is marked that somebody uses."""
        return self._clock() + self._offset

    def deleting(self) -> float:
        """By which data is old: whichever of the two clocks has come less far."""
        return self._clock() + min(0.0, self._offset)

    def warn(self) -> None:
        """Tell the operator if data is kept for longer than wanted."""
        if self.ahead:
            logs.fail(
                "clock_ahead_of_database",
                days=round(self.ahead / DAY),
                hint="old data is kept; if the clock is right, start once with --trust-clock",
            )
