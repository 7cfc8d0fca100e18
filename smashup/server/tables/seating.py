"""From what people ask for to a table: seats, secrets, names, factions, and the setup."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from typing import Final

from smashup.bots.levels import check_level
from smashup.engine.errors import SetupError
from smashup.engine.model.catalogue import Catalogue
from smashup.engine.model.constants import NONE
from smashup.engine.model.messages import Name
from smashup.engine.model.randomness import KEYED
from smashup.engine.model.setup import Setup
from smashup.server.http.schemas import SeatTaken, TableForm
from smashup.server.operations import timekeeping
from smashup.server.storage.records import BOT, PERSON, SeatRecord, StoredTable, TableRecord
from smashup.server.tables.text import sanitize_name

LONGEST_NAME: Final = 20
CHOOSE: Final = "choose"
DRAFT: Final = "draft"


def new_table(form: TableForm, cards: Catalogue) -> tuple[StoredTable, list[SeatTaken]]:
    """A table as asked for, and the secrets of its founder; a `SetupError` says what is wrong."""
    options = form.model_dump(exclude={"seats", "lang", "listed"})
    table = TableRecord(secrets.token_urlsafe(12), options, timekeeping.now(), form.listed)
    seats: list[SeatRecord] = []
    taken: list[SeatTaken] = []
    for number, wish in enumerate(form.seats):
        check_level(wish.level)
        seat = SeatRecord(number, level=wish.level)
        if wish.kind == "bot":
            seat.kind, seat.name, seat.ready = BOT, cleaned(wish.name), True
        elif wish.kind == "me":
            taken.append(SeatTaken(seat=number, secret=sit_down(seat, wish.name, form.lang)))
        seats.append(seat)
        if wish.factions:
            seat.factions = chosen(wish.factions, table, seats, number, cards)
    setup_of(table, seats, cards)
    return StoredTable(table, seats), taken


def sit_down(seat: SeatRecord, name: str, lang: str) -> str:
    """Give a seat to a person; its secret, which is known only now."""
    secret = secrets.token_urlsafe(32)
    seat.kind, seat.name, seat.lang = PERSON, cleaned(name) or f"P{seat.number + 1}", lang
    seat.secret, seat.ready = hashed(secret), True
    return secret


def hashed(secret: str) -> str:
    """What is kept of a secret. It is 256 random bits, so that one round is enough."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def secret_matches(secret: str, seat: SeatRecord) -> bool:
    """Whether a secret is that of a seat."""
    return bool(seat.secret) and hmac.compare_digest(hashed(secret), seat.secret)


def cleaned(name: str) -> str:
    """A name without what could disturb a line of text."""
    return sanitize_name(name, LONGEST_NAME)


def chosen(
    names: Sequence[str],
    table: TableRecord,
    seats: Sequence[SeatRecord],
    number: int,
    cards: Catalogue,
) -> list[str]:
    """The factions a seat asks for, by their full names, if nobody else has them."""
    if table.options["mode"] != CHOOSE:
        raise SetupError("Factions are not chosen at this table.")
    taken = {name for seat in seats if seat.number != number for name in seat.factions}
    found: list[str] = []
    for wish in names:
        name = cards.faction(wish).name
        if name in taken or name in found:
            raise SetupError("{faction} is taken.", faction=Name("faction", NONE, name))
        found.append(name)
    return found


def setup_of(table: TableRecord, seats: Sequence[SeatRecord], cards: Catalogue) -> Setup:
    """The setup of a game at this table, with a secret of its own; checked."""
    options = table.options
    setup = Setup(
        players=len(seats),
        factions=_teams(seats, cards) if options["mode"] == CHOOSE else (),
        draft=options["mode"] == DRAFT,
        edition=options["edition"],
        printing=options["printing"],
        generator=KEYED,
        secret=new_secret(),
        optional_titans=options["optional_titans"],
        madness=options["madness"],
        ask_everyone=sum(seat.kind == PERSON for seat in seats) > 1,
    )
    setup.check(cards)
    if setup.madness:
        cards.madness()
    return setup


def new_secret() -> str:
    """A key that deals one game, of 256 bits. Nothing else is ever derived from other games'."""
    return secrets.token_hex(32)


def _teams(seats: Sequence[SeatRecord], cards: Catalogue) -> tuple[tuple[str, ...], ...]:
    """Two factions a seat; those left open are drawn from the factions nobody took.

    Everybody sees the result, so it is drawn from the system's randomness, not from the secret.
    """
    taken = {name for seat in seats for name in seat.factions}
    free = [f.name for f in cards.factions if f.name not in taken]
    secrets.SystemRandom().shuffle(free)
    teams: list[tuple[str, ...]] = []
    for seat in seats:
        team = list(seat.factions)
        while len(team) < 2:
            if not free:
                raise SetupError("There are not enough factions left for random decks.")
            team.append(free.pop())
        teams.append(tuple(team))
    return tuple(teams)
