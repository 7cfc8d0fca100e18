"""The server's clock: seconds since 1970 that never jump while the process runs.

An administrator, NTP or a virtual machine may set the system clock at any moment. That must not
affect turn limits. So the system clock is read once, when the process starts; from then on, time is
measured with a monotonic clock (on Linux the one that includes suspended time).

The monotonic clock counts from the boot of the system, so all processes of one boot share it. A
stored time therefore includes the id of its boot.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Final
from uuid import uuid4

ROUNDING_SECONDS: Final = 0.01
"""Stored times are rounded, so they may be this far in the future."""
_BOOT_ID_FILE: Final = Path("/proc/sys/kernel/random/boot_id")


def _read_boot_id() -> str:
    try:
        return _BOOT_ID_FILE.read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return f"process-{uuid4()}"  # without a boot id, no other process shares the clock


_CLOCK: Final[int | None] = getattr(time, "CLOCK_BOOTTIME", None)


def _monotonic() -> float:
    return time.monotonic() if _CLOCK is None else time.clock_gettime(_CLOCK)


BOOT: Final = _read_boot_id()
"""The boot from which the monotonic clock counts."""
_OFFSET: Final = time.time() - _monotonic()
STARTED: Final = _monotonic() + _OFFSET
"""When this process started."""


def now() -> float:
    """Return the seconds since 1970: the system time at the process start plus the time since."""
    return _monotonic() + _OFFSET


def to_monotonic(moment: float) -> float:
    """Convert a time to the monotonic clock, which processes of the same boot share."""
    return moment - _OFFSET


def has_measured(boot: str, monotonic: float) -> bool:
    """Return whether a stored time was measured since this boot, so that it is exact."""
    return boot == BOOT and monotonic <= _monotonic() + ROUNDING_SECONDS


def from_stored(moment: float, boot: str, monotonic: float) -> float:
    """Convert a stored time, which is not later than now.

    If it was measured since this boot, changes of the system clock do not matter. Otherwise the
    system clocks of then and now are compared; a time that appears to be in the future is replaced
    with the start of this process, which must have been later.
    """
    current = now()
    if has_measured(boot, monotonic):
        return min(monotonic + _OFFSET, current)
    return min(moment, current) if moment <= current + ROUNDING_SECONDS else STARTED
