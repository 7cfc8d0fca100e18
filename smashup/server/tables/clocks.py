"""Turns with a time limit: whose time runs, what is left, and for whom a bot plays on.

Every seat has the limit once a turn: whoever's turn it is for all they choose in it, and all the
others for what they choose meanwhile, so that nobody can hold the table up. Who has used it up is
played for by a bot until the turn is over, and has the whole limit again in the next.

A window for Specials is another matter: what it takes off somebody's time would tell later on who
was asked. Each question in one has a time of its own.

What a seat has left is stored with every answer, with the moment from which it runs. A system clock
that is set forward or back changes nothing about it: see `timekeeping`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Final

from smashup.engine.game import Game
from smashup.server.operations import timekeeping
from smashup.server.storage.records import PERSON, SeatRecord
from smashup.server.tables.specials_windows import is_skipped, is_window

GRACE: Final = 60.0
"""Seconds for somebody whose time would have run out while the server was down, as far as there was
time left; after a reboot, when only system clocks can be compared, everybody has at least that."""
WINDOW: Final = 60.0
"""Seconds for a question in a window for Specials."""
DAY: Final = 86_400
"""A limit from which on a question in a window has the whole limit, too."""


@dataclass(frozen=True)
class Times:
    """The clock of a table at one moment."""

    limit: int
    left: list[float]
    """Seconds that each seat has left in this turn."""
    turn: int = -1
    up: list[int] = field(default_factory=list)
    """The seats whose time is up in this turn."""
    seat: int = -1
    """Whose time is running; -1 if nobody's is."""
    window: bool = False
    """Whether it is running in a window for Specials."""
    since: float = 0.0
    ends: float = 0.0
    """When it is up, in seconds since 1970."""

    def to_json(self) -> dict[str, Any]:
        """As it is kept: with the moment of the question by a clock that nobody can set."""
        measured = timekeeping.to_monotonic(self.since)
        return {**asdict(self), "boot": timekeeping.BOOT, "monotonic": measured}

    @classmethod
    def from_json(
        cls, limit: int, seats: int, kept: dict[str, Any], now: float, grace: bool = True
    ) -> Times:
        """A clock as it was stored, or a new one; with ``grace`` where the server was down."""
        if not kept:
            return cls(limit, [float(limit)] * seats)
        times = cls(**{f.name: kept[f.name] for f in fields(cls) if f.name in kept})
        if times.seat < 0:
            return times
        since = _asked_at(kept)
        allowed = min(max(0.0, times.ends - times.since), float(limit))
        ends = since + allowed
        if grace and (ends <= now or not timekeeping.has_measured(*_measured(kept))):
            ends = max(ends, now + min(GRACE, allowed))
        left = [min(max(0.0, seconds), float(limit)) for seconds in times.left]
        return replace(times, limit=limit, left=left, since=since, ends=round(ends, 3))

    def asks(self, seat: int, turn: int, window: bool, now: float) -> Times:
        """The clock once it is a seat's decision; -1 if it is nobody's, or a bot's."""
        left, up = self.left[:], self.up
        if turn != self.turn:
            left, up = [float(self.limit)] * len(left), []
        elif self.seat >= 0 and not self.window:
            left[self.seat] = min(max(0.0, self.ends - now), float(self.limit))
        if seat in up:
            seat = -1
        if seat < 0:
            return Times(self.limit, left, turn, up)
        since = round(now, 3)
        ends = round(since + (self._in_a_window() if window else left[seat]), 3)
        return Times(self.limit, left, turn, up, seat, window, since, ends)

    def _in_a_window(self) -> float:
        return self.limit if self.limit >= DAY else min(WINDOW, self.limit)

    def is_up(self, seat: int, now: float) -> bool:
        """Whether a seat has no time left in this turn."""
        return seat in self.up or (seat == self.seat and now >= self.ends)

    def run_out(self, seat: int) -> Times:
        """The clock after the time of a seat has run out."""
        if seat in self.up:
            return self
        left = self.left[:]
        left[seat] = 0.0
        return Times(self.limit, left, self.turn, [*self.up, seat])


def clock_after(
    times: Times, before: Game | None, game: Game, seats: Sequence[SeatRecord]
) -> Times:
    """The clock of a table once its game has come to this."""
    decision = game.decision
    asked, window = -1, False
    if decision is not None:
        window = is_window(decision)
        seat = seats[decision.player]
        if seat.kind == PERSON and not (window and is_skipped(decision, seat)):
            asked = seat.number
    turn = game.table.state.turn
    if game is before and (asked, turn, window) == (times.seat, times.turn, times.window):
        return times  # it is the same question still
    return times.asks(asked, turn, window, timekeeping.now())


MAX_BOT_DELAY: Final = 300.0
"""Nothing but a clock is due later than this, in seconds."""


def stored_due_time(clock: str, due_at: float, now: float) -> float:
    """When something stored is due, whatever happened to the system clock meanwhile."""
    try:
        kept = json.loads(clock)
        if kept and kept["seat"] >= 0:
            return ends_at(kept)
    except (ValueError, TypeError, KeyError, RecursionError):
        return due_at  # opening the table says what is wrong with it
    return due_at if due_at <= now + MAX_BOT_DELAY else now


def ends_at(kept: dict[str, Any]) -> float:
    """When the time of a stored clock is up; 0 if nobody's is running."""
    if kept["seat"] < 0:
        return 0.0
    allowed: float = max(0.0, kept["ends"] - kept["since"])
    return _asked_at(kept) + allowed


def _asked_at(kept: dict[str, Any]) -> float:
    """Since when the time of a stored clock runs."""
    return round(timekeeping.from_stored(kept["since"], *_measured(kept)), 3)


def _measured(kept: dict[str, Any]) -> tuple[str, float]:
    """The boot of a stored clock, and since when it runs by the monotonic clock."""
    return kept.get("boot", ""), kept.get("monotonic", 0.0)
