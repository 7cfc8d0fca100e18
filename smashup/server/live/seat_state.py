"""How things are at a table, as everybody or one seat may know it: what streams tell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from smashup.engine.views.types import View
from smashup.engine.views.view import SPECTATOR, message
from smashup.server.live.protocol import Clock, Scene, SeatInfo, TableInfo, Wish, Wishes
from smashup.server.storage.records import BOT, OVER, PLAYING, SeatRecord
from smashup.server.tables.advice import is_alone
from smashup.server.tables.specials_windows import is_window
from smashup.server.tables.undo import can_undo
from smashup.server.tables.window_privacy import is_asked, shown_number

if TYPE_CHECKING:
    from smashup.server.tables.table import Table


def table_info(table: Table) -> TableInfo:
    """What everybody with the link may know."""
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


def scene_of(table: Table, viewer: int, info: TableInfo) -> Scene:
    """Everything that the owner of a seat, or a spectator, may know of how things are."""
    has_seat = viewer != SPECTATOR
    return Scene(
        table=info,
        view=seen(table, viewer),
        number=shown_number(table, viewer) if has_seat else None,
        wishes=_wishes(table.seats[viewer]) if has_seat else None,
        clock=_clock(table, viewer),
        undo=_undo_request(table),
        can_undo=has_seat and can_undo(table, viewer),
        hints=has_seat and is_alone(table, viewer),
        chances=table.advice.chances(table, viewer) if has_seat else None,
    )


def seen(table: Table, viewer: int) -> View | None:
    """The table as a seat may see it.

    In a window for Specials nobody learns who is asked, and who is not to be asked neither.
    """
    game = table.game
    if game is None:
        return None
    view = game.view(viewer)
    decision = game.decision
    if decision is not None and is_window(decision):
        if is_asked(table, viewer) and view["decision"] is not None:
            view["decision"]["window"] = True
        elif table.people() > 1:
            view["decision"] = {"player": None, "window": True}
    return view


def _wishes(seat: SeatRecord) -> Wishes:
    """What the owner of a seat has set."""
    return Wishes(lang=seat.lang, windows=cast(Any, seat.windows), cards=seat.stops[:])


def _clock(table: Table, viewer: int) -> Clock | None:
    """Whose time is running. In a window for Specials only who is asked learns that."""
    times = table.times
    if times is None or times.seat < 0 or table.record.state != PLAYING:
        return None
    if times.window and times.seat != viewer and table.people() > 1:
        return None
    return Clock(seat=times.seat, ends=round(times.ends, 3))


def _undo_request(table: Table) -> Wish | None:
    """The open request to undo a choice."""
    request = table.undo_request
    if request is None:
        return None
    return Wish(number=request.number, seat=request.seat, agreed=sorted(request.agreed))
