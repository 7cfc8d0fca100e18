"""When something has to happen at a table without a person: a bot's move, a pass, a clock.

The time is stored with the table. The worker that committed the last entry does what is due; if it
is overdue, any worker does. Doing it twice is harmless: the second commit finds its number taken.
"""

from __future__ import annotations

from collections.abc import Sequence

from smashup.engine.game import Game
from smashup.server.operations import timekeeping
from smashup.server.operations.settings import Settings
from smashup.server.storage.records import BOT, PLAYING, SeatRecord, TableRecord
from smashup.server.tables.clocks import Times
from smashup.server.tables.specials_windows import is_skipped, is_window


def due_time(
    record: TableRecord,
    game: Game | None,
    seats: Sequence[SeatRecord],
    times: Times | None,
    settings: Settings,
) -> float | None:
    """When something is due; None if only a person can act."""
    decision = game.decision if game is not None else None
    if record.state != PLAYING or decision is None:
        return None
    seat = seats[decision.player]
    now = timekeeping.now()
    if seat.kind == BOT:
        return now
    if is_window(decision) and is_skipped(decision, seat):
        return now + settings.beat / len(seats)
    if times is not None:
        return now if seat.number in times.up else times.ends
    return None
