"""Creates tables from requests: seats, secrets, names, factions and the setup."""

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

MAX_NAME_LENGTH: Final = 20
CHOOSE: Final = "choose"
DRAFT: Final = "draft"


def new_table(form: TableForm, cards: Catalogue) -> tuple[StoredTable, list[SeatTaken]]:
    """Return a new table and the secrets of its creator; raise `SetupError` if it is invalid."""
    options = form.model_dump(exclude={"seats", "lang", "listed"})
    table = TableRecord(secrets.token_urlsafe(12), options, timekeeping.now(), form.listed)
    seats: list[SeatRecord] = []
    taken: list[SeatTaken] = []
    for number, seat_form in enumerate(form.seats):
        check_level(seat_form.level)
        seat = SeatRecord(number, level=seat_form.level)
        if seat_form.kind == "bot":
            seat.kind, seat.name, seat.ready = BOT, clean_name(seat_form.name), True
        elif seat_form.kind == "me":
            taken.append(SeatTaken(seat=number, secret=take_seat(seat, seat_form.name, form.lang)))
        seats.append(seat)
        if seat_form.factions:
            seat.factions = resolve_factions(seat_form.factions, table, seats, number, cards)
    make_setup(table, seats, cards)
    return StoredTable(table, seats), taken


def take_seat(seat: SeatRecord, name: str, lang: str) -> str:
    """Give a seat to a person; return its secret, which is stored only as a hash."""
    secret = secrets.token_urlsafe(32)
    seat.kind, seat.name, seat.lang = PERSON, clean_name(name) or f"P{seat.number + 1}", lang
    seat.secret, seat.ready = hash_secret(secret), True
    return secret


def hash_secret(secret: str) -> str:
    """Hash a secret. It has 256 random bits, so one round is enough."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def secret_matches(secret: str, seat: SeatRecord) -> bool:
    """Return whether a secret is that of a seat."""
    return bool(seat.secret) and hmac.compare_digest(hash_secret(secret), seat.secret)


def clean_name(name: str) -> str:
    """Sanitize and shorten a name."""
    return sanitize_name(name, MAX_NAME_LENGTH)


def resolve_factions(
    names: Sequence[str],
    table: TableRecord,
    seats: Sequence[SeatRecord],
    number: int,
    cards: Catalogue,
) -> list[str]:
    """Return the full names of requested factions; refuse those that another seat has."""
    if table.options["mode"] != CHOOSE:
        raise SetupError("Factions are not chosen at this table.")
    taken = {name for seat in seats if seat.number != number for name in seat.factions}
    factions: list[str] = []
    for text in names:
        name = cards.faction(text).name
        if name in taken or name in factions:
            raise SetupError("{faction} is taken.", faction=Name("faction", NONE, name))
        factions.append(name)
    return factions


def make_setup(table: TableRecord, seats: Sequence[SeatRecord], cards: Catalogue) -> Setup:
    """Return a valid setup for a game at this table, with a new secret."""
    options = table.options
    setup = Setup(
        players=len(seats),
        factions=_assign_factions(seats, cards) if options["mode"] == CHOOSE else (),
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
    """Return a key of 256 bits for the randomness of one game, independent of other games."""
    return secrets.token_hex(32)


def _assign_factions(seats: Sequence[SeatRecord], cards: Catalogue) -> tuple[tuple[str, ...], ...]:
    """Return two factions for each seat; missing ones are drawn from the free factions.

    The result is public, so it is drawn from the system's randomness, not from the secret.
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
