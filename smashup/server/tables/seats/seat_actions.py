"""Actions of players besides answering: join, leave, return, resign, vote for a bot."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Final, TypeVar

from smashup.engine.model.catalogue import Catalogue
from smashup.server.errors import EntryExists, Forbidden, NotFound, Refused, TableReloading
from smashup.server.http.schemas import JoinForm, SeatSettings, SeatTaken
from smashup.server.operations.settings import Settings
from smashup.server.storage.records import (
    BOT,
    OPEN,
    OVER,
    PERSON,
    PLAYING,
    WAITING,
    SeatRecord,
    TableRecord,
)
from smashup.server.tables.decisions import undo
from smashup.server.tables.restore import begin_game
from smashup.server.tables.seats.seating import (
    clean_name,
    make_setup,
    resolve_factions,
    secret_matches,
    take_seat,
)
from smashup.server.tables.table import Table
from smashup.version import __version__

T = TypeVar("T")
MAX_ATTEMPTS: Final = 20
"""How often a change is retried because another worker was faster."""


async def edit_seats(table: Table, change: Callable[[TableRecord, list[SeatRecord]], T]) -> T:
    """Change copies of a table and its seats, and commit them.

    The game starts as soon as every seat is taken and ready. If another worker was faster, the
    change is repeated on what that worker has committed.
    """
    async with table.edit():
        for _ in range(MAX_ATTEMPTS):
            record, seats = table.copy_records()
            result = change(record, seats)
            game = table.game
            if record.state == WAITING and all(seat.ready for seat in seats):
                setup = make_setup(record, seats, table.services.cards)
                record.setup = json.loads(json.dumps(setup.to_json()))
                record.state, record.rules = PLAYING, __version__
                game = begin_game(record, table.services.cards)
            try:
                await table.writer.commit_seats(record, seats, game)
            except EntryExists:
                await table.catch_up()
                continue
            await undo.apply_if_agreed(table)  # a player who had to agree may be gone
            return result
    raise TableReloading("This table is reloading. Try again in a moment.")


async def join(table: Table, form: JoinForm, cards: Catalogue) -> SeatTaken:
    """Take a free seat."""

    def change(record: TableRecord, seats: list[SeatRecord]) -> SeatTaken:
        free = [seat for seat in seats if seat.kind == OPEN]
        if form.seat is not None:
            _get_seat(seats, form.seat)
            free = [seat for seat in free if seat.number == form.seat]
        if record.state != WAITING or not free:
            raise Refused("There is no free seat at this table.")
        seat = free[0]
        if form.factions:
            seat.factions = resolve_factions(form.factions, record, seats, seat.number, cards)
        return SeatTaken(seat=seat.number, secret=take_seat(seat, form.name, form.lang))

    return await edit_seats(table, change)


async def change_settings(table: Table, secret: str, form: SeatSettings, cards: Catalogue) -> None:
    """Change the name, the language, or when to be asked in Specials windows."""

    def change(record: TableRecord, seats: list[SeatRecord]) -> None:
        seat = _own_seat(seats, secret)
        if form.name is not None:
            seat.name = clean_name(form.name) or seat.name
        if form.lang is not None:
            seat.lang = form.lang
        if form.windows is not None:
            seat.windows = form.windows
        if form.cards is not None:
            known = {
                definition.name for definition in cards.definitions(record.options["printing"])
            }
            for name in form.cards:
                if name not in known:
                    raise NotFound("There is no card called “{name}”.", name=name)
            seat.stop_cards = list(dict.fromkeys(form.cards))

    await edit_seats(table, change)


async def leave(table: Table, secret: str) -> None:
    """Leave. Before the game starts, the seat becomes free; during a game, its owner may return."""

    def change(record: TableRecord, seats: list[SeatRecord]) -> None:
        seat = _own_seat(seats, secret)
        if record.state == WAITING:
            seats[seat.number] = SeatRecord(seat.number, level=seat.level)
            if all(other.kind != PERSON for other in seats):
                record.state = OVER  # no player is left to wait for
        else:
            seat.left = True

    await edit_seats(table, change)


async def return_to_seat(table: Table, secret: str) -> None:
    """Return to a seat, also if a bot has replaced the player."""

    def change(record: TableRecord, seats: list[SeatRecord]) -> None:
        seat = _own_seat(seats, secret)
        if seat.resigned:
            raise Refused("You have resigned; a bot plays for you.")
        seat.kind, seat.left, seat.votes = PERSON, False, {}

    await edit_seats(table, change)


async def resign(table: Table, secret: str) -> None:
    """Resign. A bot takes over, unless one player or no person is left: then the game is over."""

    def change(record: TableRecord, seats: list[SeatRecord]) -> None:
        seat = _own_seat(seats, secret)
        _require_game(record)
        if seat.resigned:
            return
        seat.kind, seat.resigned, seat.votes = BOT, True, {}
        remaining = [other.number for other in seats if not other.resigned]
        people = [other for other in seats if other.secret and not other.resigned]
        if len(remaining) == 1 or not people:
            record.state, record.winners = OVER, remaining if len(remaining) == 1 else []

    await edit_seats(table, change)


async def vote_to_replace(
    table: Table, secret: str, number: int, level: str, settings: Settings
) -> None:
    """Vote to replace an absent player with a bot; all other people have to agree."""

    def change(record: TableRecord, seats: list[SeatRecord]) -> None:
        voter = _own_seat(seats, secret)
        _require_game(record)
        seat = _get_seat(seats, number)
        if voter.kind != PERSON:
            raise Forbidden("Only players can vote for a bot.")
        if seat.number == voter.number:
            raise Refused("This is your own seat; resign instead.")
        if seat.kind != PERSON:
            raise Refused("A bot plays this seat already.")
        away = time.monotonic() - table.last_seen[number]
        if table.is_connected(number) or not (seat.left or away >= settings.abandoned_seat_seconds):
            raise Refused("{name} is still connected, or was until a moment ago.", name=seat.name)
        seat.votes[str(voter.number)] = level
        others = [o for o in seats if o.kind == PERSON and o.number != number and not o.left]
        if all(str(other.number) in seat.votes for other in others):
            seat.kind, seat.level, seat.votes = BOT, level, {}

    await edit_seats(table, change)


def rematch_seats(record: TableRecord, seats: list[SeatRecord]) -> list[SeatRecord]:
    """Return the seats of the next game: the same people and secrets, who have to agree."""
    if record.state != OVER or record.setup is None:
        raise Refused("A rematch is possible once the game is over.")
    return [
        SeatRecord(
            seat.number, PERSON if seat.secret else BOT, seat.level, seat.name, seat.lang,
            seat.windows, seat.stop_cards, seat.secret, seat.factions, ready=not seat.secret,
        )
        for seat in seats
    ]  # fmt: skip


async def set_rematch(table: Table, table_id: str) -> str:
    """Set the table of the rematch, unless another worker was faster; return its id."""

    def change(record: TableRecord, seats: list[SeatRecord]) -> str:
        record.rematch = record.rematch or table_id
        return record.rematch

    return await edit_seats(table, change)


async def set_ready(table: Table, secret: str) -> None:
    """Mark the owner of a seat as ready."""

    def change(record: TableRecord, seats: list[SeatRecord]) -> None:
        _own_seat(seats, secret).ready = True

    await edit_seats(table, change)


async def start_if_ready(table: Table) -> None:
    """Start the game of a new table if no seat is free."""
    if all(seat.ready for seat in table.seats):
        await edit_seats(table, lambda record, seats: None)


def _own_seat(seats: list[SeatRecord], secret: str) -> SeatRecord:
    for seat in seats:
        if secret_matches(secret, seat):
            return seat
    raise Forbidden("This secret is not valid at this table.")


def _get_seat(seats: list[SeatRecord], number: int) -> SeatRecord:
    if number >= len(seats):
        raise NotFound("This table has no seat {number}.", number=number)
    return seats[number]


def _require_game(record: TableRecord) -> None:
    if record.state != PLAYING:
        raise Refused("No game is being played at this table.")
