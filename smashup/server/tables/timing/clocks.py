"""Turn clocks: whose time is running, how much is left, and for whom a bot plays.

In each turn, every seat has the full limit: the current player for all their choices, the others
for their choices in between, so that no player can block the table. A bot plays for a seat without
time until the turn is over; the next turn starts with the full limit.

Specials windows do not use that time, because it would later reveal who was asked. Each question in
a window has a separate limit.

The remaining times are stored with every answer, with the time from which the clock runs. Changes
of the system clock do not affect them: see `timekeeping`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Final

from smashup.engine.game import Game
from smashup.server.operations import timekeeping
from smashup.server.storage.records import PERSON, SeatRecord
from smashup.server.tables.decisions.specials_windows import is_skipped, is_window

GRACE_SECONDS: Final = 60.0
"""Minimum time after a restart for a player whose clock would have run out while the server was
down, but not more than was left. After a reboot, when only system clocks can be compared, it
applies to all players."""
WINDOW_SECONDS: Final = 60.0
"""Time limit of a question in a Specials window."""
DAY: Final = 86_400
"""With a turn limit of a day or more, questions in a window have the full limit."""


@dataclass(frozen=True)
class TurnClock:
    """The clock of a table."""

    limit: int
    left: list[float]
    """Remaining seconds of each seat in this turn."""
    turn: int = -1
    up: list[int] = field(default_factory=list)
    """Seats without time in this turn."""
    seat: int = -1
    """The seat whose time is running; -1: none."""
    window: bool = False
    """Whether it is running in a Specials window."""
    since: float = 0.0
    ends: float = 0.0
    """When the time runs out, in seconds since 1970."""

    def to_json(self) -> dict[str, Any]:
        """Return the stored form, with the start on the monotonic clock."""
        monotonic = timekeeping.to_monotonic(self.since)
        return {**asdict(self), "boot": timekeeping.BOOT, "monotonic": monotonic}

    @classmethod
    def from_json(
        cls, limit: int, seats: int, stored: dict[str, Any], now: float, with_grace: bool = True
    ) -> TurnClock:
        """Return a stored clock, or a new one; ``with_grace`` if the server was down."""
        if not stored:
            return cls(limit, [float(limit)] * seats)
        clock = cls(**{f.name: stored[f.name] for f in fields(cls) if f.name in stored})
        if clock.seat < 0:
            return clock
        since = _started_at(stored)
        allowed = min(max(0.0, clock.ends - clock.since), float(limit))
        ends = since + allowed
        if with_grace and (ends <= now or not timekeeping.has_measured(*_monotonic_start(stored))):
            ends = max(ends, now + min(GRACE_SECONDS, allowed))
        left = [min(max(0.0, seconds), float(limit)) for seconds in clock.left]
        return replace(clock, limit=limit, left=left, since=since, ends=round(ends, 3))

    def start(self, seat: int, turn: int, window: bool, now: float) -> TurnClock:
        """Return the clock running for a seat; -1 for a decision without a clock."""
        left, up = self.left[:], self.up
        if turn != self.turn:
            left, up = [float(self.limit)] * len(left), []
        elif self.seat >= 0 and not self.window:
            left[self.seat] = min(max(0.0, self.ends - now), float(self.limit))
        if seat in up:
            seat = -1
        if seat < 0:
            return TurnClock(self.limit, left, turn, up)
        since = round(now, 3)
        ends = round(since + (self._window_seconds() if window else left[seat]), 3)
        return TurnClock(self.limit, left, turn, up, seat, window, since, ends)

    def _window_seconds(self) -> float:
        return self.limit if self.limit >= DAY else min(WINDOW_SECONDS, self.limit)

    def is_up(self, seat: int, now: float) -> bool:
        """Return whether a seat has no time left in this turn."""
        return seat in self.up or (seat == self.seat and now >= self.ends)

    def run_out(self, seat: int) -> TurnClock:
        """Return the clock after the time of a seat has run out."""
        if seat in self.up:
            return self
        left = self.left[:]
        left[seat] = 0.0
        return TurnClock(self.limit, left, self.turn, [*self.up, seat])


def clock_after(
    clock: TurnClock, before: Game | None, game: Game, seats: Sequence[SeatRecord]
) -> TurnClock:
    """Return the clock after the game has changed."""
    decision = game.decision
    asked, window = -1, False
    if decision is not None:
        window = is_window(decision)
        seat = seats[decision.player]
        if seat.kind == PERSON and not (window and is_skipped(decision, seat)):
            asked = seat.number
    turn = game.table.state.turn
    if game is before and (asked, turn, window) == (clock.seat, clock.turn, clock.window):
        return clock  # the question is the same
    return clock.start(asked, turn, window, timekeeping.now())


MAX_BOT_DELAY_SECONDS: Final = 300.0
"""All actions except clocks are due within this time."""


def stored_due_time(clock: str, due_at: float, now: float) -> float:
    """Return when a stored action is due, independent of changes of the system clock."""
    try:
        stored = json.loads(clock)
        if stored and stored["seat"] >= 0:
            return ends_at(stored)
    except (ValueError, TypeError, KeyError, RecursionError):
        return due_at  # loading the table reports the damage
    return due_at if due_at <= now + MAX_BOT_DELAY_SECONDS else now


def ends_at(stored: dict[str, Any]) -> float:
    """Return when a stored clock runs out; 0 if it is not running."""
    if stored["seat"] < 0:
        return 0.0
    allowed: float = max(0.0, stored["ends"] - stored["since"])
    return _started_at(stored) + allowed


def _started_at(stored: dict[str, Any]) -> float:
    """Return when a stored clock was started."""
    return round(timekeeping.from_stored(stored["since"], *_monotonic_start(stored)), 3)


def _monotonic_start(stored: dict[str, Any]) -> tuple[str, float]:
    """Return the boot of a stored clock, and its start on the monotonic clock."""
    return stored.get("boot", ""), stored.get("monotonic", 0.0)
