"""A person asks to take a choice back, and the other people at the table agree or do not."""

from __future__ import annotations

import asyncio
import secrets
import time
from typing import TYPE_CHECKING, Final

from smashup.engine.game import Game
from smashup.server.errors import Refused, Stale
from smashup.server.live.protocol import Ack, Agree, Undo
from smashup.server.storage.records import OVER, PERSON, PLAYING, WAITING
from smashup.server.tables.undoing import Wish, depends_on_hidden
from smashup.server.tables.window_privacy import is_concealed, shown_number

if TYPE_CHECKING:
    from smashup.server.tables.table import Table

NUMBERS: Final = 1_000_000


async def undo(table: Table, seat: int, said: Undo) -> Ack:
    """Take back one's last choice, or ask the others whether one may."""
    async with table.lock:
        table.check_lost()
        heard = table.log.heard(seat, said.id)
        waiting = table.wish is not None and table.wish.message == said.id
        if heard is None and not waiting:
            await _check_hidden(table, seat, _check(table, seat, said.number))
            table.wish = Wish(secrets.randbelow(NUMBERS), seat, said.id)
            await settle(table)
    table.publish()
    table.wake()
    return Ack(type="ack", id=said.id, number=shown_number(table, seat))


async def agree(table: Table, seat: int, said: Agree) -> Ack:
    """Say yes or no to somebody's wish; or withdraw one's own."""
    async with table.lock:
        table.check_lost()
        wish = table.wish
        if wish is None or wish.number != said.wish:
            raise Refused("Nobody asks for that any more.")
        if table.seats[seat].kind != PERSON:
            raise Refused("A bot plays this seat; take it back first.")
        if not said.yes:
            table.wish = None
        elif seat == wish.seat:
            raise Refused("This is your own wish: the others have to agree.")
        else:
            wish.agreed.add(seat)
            await settle(table)
    table.publish()
    table.wake()
    return Ack(type="ack", id=said.id, number=shown_number(table, seat))


def is_possible(table: Table, seat: int) -> bool:
    """Whether a seat could take a choice back, or ask for it."""
    return (
        bool(table.record.options.get("undo", True))
        and table.game is not None
        and table.record.state == PLAYING
        and table.seats[seat].kind == PERSON
        and table.choices.last_of(seat) is not None
        and table.wish is None
        and not is_concealed(table)
    )


def _check(table: Table, seat: int, number: int) -> int:
    """How many answers held before the last choice of a seat, which may be taken back."""
    if not table.record.options.get("undo", True):
        raise Refused("At this table nothing is taken back.")
    if table.record.state == WAITING or table.game is None:
        raise Refused("The game has not begun yet.")
    if table.record.state == OVER:
        raise Refused("The game is over: there is nothing to choose.")
    if table.seats[seat].kind != PERSON:
        raise Refused("A bot plays this seat; take it back first.")
    if number != shown_number(table, seat):
        raise Stale("The table has gone on in the meantime; look at it again.")
    if table.wish is not None:
        raise Refused("The others are being asked already.")
    if is_concealed(table):
        raise Refused("Nothing can be taken back while a window for Specials is open.")
    at = table.choices.last_of(seat)
    if at is None:
        raise Refused(
            "Nothing can be taken back: somebody else has chosen since, or something hidden was"
            " seen."
        )
    return at


async def _check_hidden(table: Table, seat: int, at: int) -> None:
    """Nothing may have been learned from what did not happen, either."""
    game = table.game
    assert game is not None
    if await asyncio.to_thread(_depends, game, at, seat):
        table.choices.forget()
        table.publish()
        raise Refused("This cannot be taken back: it tells of cards that you cannot see.")


def _depends(game: Game, at: int, seat: int) -> bool:
    before = game.undo(len(game.answers) - at)
    return depends_on_hidden(before, seat, game.answers[at:])


async def settle(table: Table) -> None:
    """Do what is wished for if everybody who has to has agreed to it."""
    wish = table.wish
    if wish is None:
        return
    if table.seats[wish.seat].kind != PERSON or table.record.state != PLAYING:
        table.wish = None  # nobody is there any more who wishes for it
        return
    if wish.misses(_asked(table, wish.seat)):
        return
    table.wish = None
    game, at = table.game, table.choices.last_of(wish.seat)
    if game is None or at is None:
        return
    # All answers are given again: beside the event loop.
    again = await asyncio.to_thread(game.undo, len(game.answers) - at)
    await table.take_back(again, wish.seat, wish.message)


def _asked(table: Table, seat: int) -> list[int]:
    """The other people who are there, or were a moment ago."""
    return [
        other.number
        for other in table.seats
        if other.kind == PERSON
        and other.number != seat
        and not other.left
        and (
            table.is_here(other.number)
            or time.monotonic() - table.last_here[other.number] < table.settings.abandoned
        )
    ]
