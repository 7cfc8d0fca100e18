"""The puzzle of the day: the same for everyone, derived from the date."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import date

_FIRST_DAY = date(2026, 1, 1)


def choose_daily(ids: Iterable[str], day: date) -> str:
    """Return the id of a day's puzzle. All of them have their turn before one comes again."""
    order = sorted(ids, key=lambda id_: hashlib.blake2b(id_.encode(), digest_size=8).digest())
    return order[(day - _FIRST_DAY).days % len(order)]
