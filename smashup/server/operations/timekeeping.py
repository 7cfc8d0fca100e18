"""The server's clock: seconds since 1970 that never jump while the process runs.

An administrator, NTP or a virtual machine may set the system clock at any moment. Turn limits must
not notice. So the system clock is read once, when the process starts; from then on time is measured
with a monotonic clock (on Linux the one that also counts while the machine is suspended).

What one process has measured, another on the same machine can go on measuring: the monotonic clock
counts from the boot of the system. A stored moment therefore names its boot, too.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Final
from uuid import uuid4

ROUNDING_SECONDS: Final = 0.01
"""Stored moments are rounded: one of just now may lie ahead by that much."""
_BOOT_ID_FILE: Final = Path("/proc/sys/kernel/random/boot_id")


def _read_boot_id() -> str:
    try:
        return _BOOT_ID_FILE.read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return f"process-{uuid4()}"  # elsewhere, only this process knows what it has measured


_CLOCK: Final[int | None] = getattr(time, "CLOCK_BOOTTIME", None)


def _monotonic() -> float:
    return time.monotonic() if _CLOCK is None else time.clock_gettime(_CLOCK)


BOOT: Final = _read_boot_id()
"""Since when the monotonic clock counts."""
_OFFSET: Final = time.time() - _monotonic()
STARTED: Final = _monotonic() + _OFFSET
"""When this process started."""


def now() -> float:
    """Seconds since 1970: the system clock at the start of the process, and the time since."""
    return _monotonic() + _OFFSET


def to_monotonic(moment: float) -> float:
    """A moment by the monotonic clock, which other processes of the same boot understand."""
    return moment - _OFFSET


def has_measured(boot: str, monotonic: float) -> bool:
    """Whether a stored moment was measured since this boot, so that it is known exactly."""
    return boot == BOOT and monotonic <= _monotonic() + ROUNDING_SECONDS


def from_stored(moment: float, boot: str, monotonic: float) -> float:
    """A stored moment, not later than now.

    If this system has measured it, whatever happened to the system clock since does not matter.
    Else the system clocks of then and now are compared; a moment that would lie in the future is
    taken for the start of this process, which must have come later.
    """
    current = now()
    if has_measured(boot, monotonic):
        return min(monotonic + _OFFSET, current)
    return min(moment, current) if moment <= current + ROUNDING_SECONDS else STARTED
