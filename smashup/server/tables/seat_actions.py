"""What people do at a table besides playing: join, leave, return, resign, vote for a bot."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Final, TypeVar

from smashup.engine.model.catalogue import Catalogue
from smashup.server.errors import EntryExists, Forbidden, NotFound, Refused
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
from smashup.server.tables import undo
from smashup.server.tables.restore import begin_game
from smashup.server.tables.seating import chosen, cleaned, secret_matches, setup_of, sit_down
from smashup.server.tables.table import Table
from smashup.version import __version__

T = TypeVar("T")
ATTEMPTS: Final = 20
"""How often a change is tried because another worker was faster."""


async def edit_seats(table: Table, change: Callable[[TableRecord, list[SeatRecord]], T]) -> T:
    """Change a table and its seats: on copies, which are committed at the end.

    A game begins as soon as every seat is taken and ready. If another worker was faster, the
    change is made again on what that worker has committed.
    """
    async with table.changing():
        for _ in range(ATTEMPTS):
            record, seats = table.copy_records()
            result = change(record, seats)
            game = table.game
            if record.state == WAITING and all(seat.ready for seat in seats):
                setup = setup_of(record, seats, table.services.cards)
                record.setup = json.loads(json.dumps(setup.to_json()))
                record.state, record.rules = PLAYING, __version__
                game = begin_game(record, table.services.cards)
            try:
                await table.writer.commit_seats(record, seats, game)
            except EntryExists:
                await table.catch_up()
                continue
            await undo.settle(table)  # a player who had to agree may be gone
            return result
    raise Refused("This table is reloading. Try again in a moment.")


async def join(table: Table, form: JoinForm, cards: Catalogue) -> SeatTaken:
    """Take a free seat."""

    def change(record: TableRecord, seats: list[SeatRecord]) -> SeatTaken:
        free = [seat for seat in seats if seat.kind == OPEN]
        if form.seat is not None:
            _existing(seats, form.seat)
            free = [seat for seat in free if seat.number == form.seat]
        if record.state != WAITING or not free:
            raise Refused("There is no free seat at this table.")
        seat = free[0]
        if form.factions:
            seat.factions = chosen(form.factions, record, seats, seat.number, cards)
        return SeatTaken(seat=seat.number, secret=sit_down(seat, form.name, form.lang))

    return await edit_seats(table, change)


async def change_settings(table: Table, secret: str, form: SeatSettings, cards: Catalogue) -> None:
    """Change name, language or what happens in windows for Specials."""

    def change(record: TableRecord, seats: list[SeatRecord]) -> None:
        seat = _own(seats, secret)
        if form.name is not None:
            seat.name = cleaned(form.name) or seat.name
        if form.lang is not None:
            seat.lang = form.lang
        if form.windows is not None:
            seat.windows = form.windows
        if form.cards is not None:
            known = {kind.name for kind in cards.definitions(record.options["printing"])}
            for name in form.cards:
                if name not in known:
                    raise NotFound("There is no card called «{name}».", name=name)
            seat.stops = list(dict.fromkeys(form.cards))

    await edit_seats(table, change)


async def leave(table: Table, secret: str) -> None:
    """Leave. Before the game the seat is free again; in a game its owner may return."""

    def change(record: TableRecord, seats: list[SeatRecord]) -> None:
        seat = _own(seats, secret)
        if record.state == WAITING:
            seats[seat.number] = SeatRecord(seat.number, level=seat.level)
            if all(other.kind != PERSON for other in seats):
                record.state = OVER  # no player is left to wait for
        else:
            seat.left = True

    await edit_seats(table, change)


async def come_back(table: Table, secret: str) -> None:
    """Take one's seat again, from a bot too."""

    def change(record: TableRecord, seats: list[SeatRecord]) -> None:
        seat = _own(seats, secret)
        if seat.resigned:
            raise Refused("You have resigned: a bot plays on for you.")
        seat.kind, seat.left, seat.votes = PERSON, False, {}

    await edit_seats(table, change)


async def resign(table: Table, secret: str) -> None:
    """Resign. A bot plays on for the others; alone, or with no other people, the game is over."""

    def change(record: TableRecord, seats: list[SeatRecord]) -> None:
        seat = _own(seats, secret)
        _in_a_game(record)
        if seat.resigned:
            return
        seat.kind, seat.resigned, seat.votes = BOT, True, {}
        standing = [other.number for other in seats if not other.resigned]
        people = [other for other in seats if other.secret and not other.resigned]
        if len(standing) == 1 or not people:
            record.state, record.winners = OVER, standing if len(standing) == 1 else []

    await edit_seats(table, change)


async def replace(table: Table, secret: str, number: int, level: str, settings: Settings) -> None:
    """Agree to a bot on the seat of a player who is gone; all the others have to."""

    def change(record: TableRecord, seats: list[SeatRecord]) -> None:
        voter = _own(seats, secret)
        _in_a_game(record)
        seat = _existing(seats, number)
        if voter.kind != PERSON:
            raise Forbidden("Only people who play may agree to a bot.")
        if seat.number == voter.number:
            raise Refused("This is your own seat: you may resign.")
        if seat.kind != PERSON:
            raise Refused("A bot plays this seat already.")
        away = time.monotonic() - table.last_here[number]
        if table.is_connected(number) or not (seat.left or away >= settings.abandoned):
            raise Refused("{name} is still here.", name=seat.name)
        seat.votes[str(voter.number)] = level
        others = [o for o in seats if o.kind == PERSON and o.number != number and not o.left]
        if all(str(other.number) in seat.votes for other in others):
            seat.kind, seat.level, seat.votes = BOT, level, {}

    await edit_seats(table, change)


def rematch_of(record: TableRecord, seats: list[SeatRecord]) -> list[SeatRecord]:
    """The seats of the next game: the same people with their secrets, who have to agree."""
    if record.state != OVER or record.setup is None:
        raise Refused("A rematch is for a game that is over.")
    return [
        SeatRecord(
            seat.number, PERSON if seat.secret else BOT, seat.level, seat.name, seat.lang,
            seat.windows, seat.stops, seat.secret, seat.factions, ready=not seat.secret,
        )
        for seat in seats
    ]  # fmt: skip


async def set_rematch(table: Table, table_id: str) -> str:
    """Record where the game is played again; the table that was recorded first."""

    def change(record: TableRecord, seats: list[SeatRecord]) -> str:
        record.rematch = record.rematch or table_id
        return record.rematch

    return await edit_seats(table, change)


async def agree(table: Table, secret: str) -> None:
    """Be ready to begin."""

    def change(record: TableRecord, seats: list[SeatRecord]) -> None:
        _own(seats, secret).ready = True

    await edit_seats(table, change)


async def start_if_ready(table: Table) -> None:
    """Begin the game of a new table if no seat is free."""
    if all(seat.ready for seat in table.seats):
        await edit_seats(table, lambda record, seats: None)


def _own(seats: list[SeatRecord], secret: str) -> SeatRecord:
    for seat in seats:
        if secret_matches(secret, seat):
            return seat
    raise Forbidden("This secret opens no seat at this table.")


def _existing(seats: list[SeatRecord], number: int) -> SeatRecord:
    if number >= len(seats):
        raise NotFound("This table has no seat {number}.", number=number)
    return seats[number]


def _in_a_game(record: TableRecord) -> None:
    if record.state != PLAYING:
        raise Refused("No game is being played at this table.")
