"""The state of a table as each viewer may see it, which streams send."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from smashup.engine.views.types import View
from smashup.engine.views.view import SPECTATOR, message
from smashup.server.live.protocol import (
    Clock,
    SeatInfo,
    SeatPreferences,
    SeatState,
    TableInfo,
    UndoRequestInfo,
)
from smashup.server.storage.records import BOT, OVER, PLAYING, SeatRecord
from smashup.server.tables.decisions.advice import is_only_person
from smashup.server.tables.decisions.specials_windows import is_window
from smashup.server.tables.decisions.undo import can_undo
from smashup.server.tables.decisions.window_privacy import is_asked, visible_decision_number

if TYPE_CHECKING:
    from smashup.server.tables.table import Table


def table_info(table: Table) -> TableInfo:
    """Return the public information about a table."""
    record, options = table.record, table.record.options
    return TableInfo(
        id=record.id,
        state=cast(Any, record.state),
        listed=record.listed,
        spectators=options["spectators"],
        players=len(table.seats),
        mode=options["mode"],
        edition=options["edition"],
        printing=options["printing"],
        optional_titans=options["optional_titans"],
        madness=options["madness"],
        clock=options.get("clock", 0),
        undo=options.get("undo", True),
        chat=options.get("chat", True),
        created=record.created,
        seats=[_seat_info(table, seat) for seat in table.seats],
        winners=record.winners[:],
        rematch=record.rematch,
        replay=record.state == OVER and record.setup is not None,
        notice=cast(Any, message(table.notice)) if table.notice is not None else None,
    )


def _seat_info(table: Table, seat: SeatRecord) -> SeatInfo:
    return SeatInfo(
        number=seat.number,
        kind=cast(Any, seat.kind),
        level=seat.level if seat.kind == BOT else "",
        name=seat.name,
        factions=seat.factions[:],
        ready=seat.ready,
        here=table.is_connected(seat.number),
        left=seat.left,
        resigned=seat.resigned,
        votes=sorted(int(voter) for voter in seat.votes),
    )


def build_seat_state(table: Table, viewer: int, info: TableInfo) -> SeatState:
    """Return everything that the owner of a seat, or a spectator, may know."""
    has_seat = viewer != SPECTATOR
    return SeatState(
        table=info,
        view=visible_view(table, viewer),
        number=visible_decision_number(table, viewer) if has_seat else None,
        wishes=_preferences(table.seats[viewer]) if has_seat else None,
        clock=_clock(table, viewer),
        undo=_undo_request(table),
        can_undo=has_seat and can_undo(table, viewer),
        hints=has_seat and is_only_person(table, viewer),
        chances=table.advice.chances(table, viewer) if has_seat else None,
    )


def visible_view(table: Table, viewer: int) -> View | None:
    """Return the view of a seat or spectator.

    In a Specials window, it does not reveal which player is asked, and a player who is not asked
    does not see the question.
    """
    game = table.game
    if game is None:
        return None
    view = game.view(viewer)
    decision = game.decision
    if decision is not None and is_window(decision):
        if is_asked(table, viewer) and view["decision"] is not None:
            view["decision"]["window"] = True
        elif table.num_people() > 1:
            view["decision"] = {"player": None, "window": True}
    return view


def _preferences(seat: SeatRecord) -> SeatPreferences:
    """Return the settings of the owner of a seat."""
    return SeatPreferences(
        lang=seat.lang, windows=cast(Any, seat.windows), cards=seat.stop_cards[:]
    )


def _clock(table: Table, viewer: int) -> Clock | None:
    """Return the running clock. In a Specials window, only the player who is asked sees it."""
    times = table.clock
    if times is None or times.seat < 0 or table.record.state != PLAYING:
        return None
    if times.window and times.seat != viewer and table.num_people() > 1:
        return None
    return Clock(seat=times.seat, ends=round(times.ends, 3))


def _undo_request(table: Table) -> UndoRequestInfo | None:
    """Return the open request to undo a choice."""
    request = table.undo_request
    if request is None:
        return None
    return UndoRequestInfo(number=request.number, seat=request.seat, agreed=sorted(request.agreed))
