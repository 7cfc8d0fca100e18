"""When the server has to act at a table: for a bot move, an automatic pass or a clock.

The time is stored with the table. The worker that committed the last entry performs the action; if
it is overdue, any worker does. Performing it twice is harmless: the second commit fails, because
its number is taken.
"""

from __future__ import annotations

from collections.abc import Sequence

from smashup.engine.game import Game
from smashup.server.operations import timekeeping
from smashup.server.operations.settings import Settings
from smashup.server.storage.records import BOT, PLAYING, SeatRecord, TableRecord
from smashup.server.tables.decisions.specials_windows import is_skipped, is_window
from smashup.server.tables.timing.clocks import TurnClock


def due_time(
    record: TableRecord,
    game: Game | None,
    seats: Sequence[SeatRecord],
    clock: TurnClock | None,
    settings: Settings,
) -> float | None:
    """Return when the server has to act; None if only a person can."""
    decision = game.decision if game is not None else None
    if record.state != PLAYING or decision is None:
        return None
    seat = seats[decision.player]
    now = timekeeping.now()
    if seat.kind == BOT:
        return now
    if is_window(decision) and is_skipped(decision, seat):
        return now + settings.min_window_seconds / len(seats)
    if clock is not None:
        return now if seat.number in clock.up else clock.ends
    return None
