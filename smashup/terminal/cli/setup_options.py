"""Turns command-line options into a game setup and seats."""

from __future__ import annotations

import argparse
import random
import secrets

from smashup.engine.errors import SetupError
from smashup.engine.model.catalogue import PRINTED, PRINTINGS, Catalogue
from smashup.engine.model.editions import DEFAULT_EDITION, EDITIONS
from smashup.engine.model.messages import Message
from smashup.engine.model.setup import Setup
from smashup.terminal.card_index import closest_names, find_faction, fold_name
from smashup.terminal.game.seats import DEFAULT_OPPONENT, HUMAN, Seat, default_name

DRAFT = "draft"


def build_setup(options: argparse.Namespace, catalogue: Catalogue) -> tuple[Setup, list[Seat]]:
    """Build a validated setup and its seats; raise a `SetupError` for invalid options."""
    draft = options.factions is not None and options.factions.strip().casefold() == DRAFT
    teams = [] if draft or options.factions is None else _split_list(options.factions)
    kinds = _split_list(options.seats)
    names = _split_list(options.names)
    players = options.players
    if players is None:
        players = max(2, len(teams), len(kinds), len(names))
    for given, what in (
        (kinds, Message("seats", {})),
        (names, Message("names", {})),
        (teams, Message("factions", {})),
    ):
        if len(given) > players:
            raise SetupError(
                "There are {what} for {given} players, but {players} play.",
                what=what,
                given=len(given),
                players=players,
            )
    seats = _parse_seats(players, kinds, names, options.watch)
    seed = secrets.randbelow(1 << 32) if options.seed is None else options.seed
    setup = Setup(
        players=players,
        factions=_choose_teams(teams, players, seed, catalogue),
        draft=draft,
        edition=parse_edition(options.edition),
        printing=_parse_printing(options.printing),
        seed=seed,
        first=_parse_first_player(options.first, seats),
        optional_titans=bool(options.optional_titans),
        madness=bool(options.madness),
    )
    setup.check(catalogue)
    if setup.madness:
        catalogue.madness()
    return setup, seats


def _split_list(text: str | None) -> list[str]:
    if text is None or not text.strip():
        return []
    return [part.strip() for part in text.split(",")]


def _parse_seats(
    players: int, kinds: list[str], names: list[str], watch: bool | None
) -> list[Seat]:
    """Seat one human against bots unless the options name others."""
    if not kinds and not watch:
        kinds = [HUMAN]
    kinds = kinds + [DEFAULT_OPPONENT] * (players - len(kinds))
    seats = [Seat.parse(kind, number) for number, kind in enumerate(kinds, 1)]
    if watch and any(seat.is_human for seat in seats):
        raise SetupError("--watch is for games between bots: remove humans from --seats.")
    for number, name in enumerate(names, 1):
        seats[number - 1] = Seat(seats[number - 1].kind, name or default_name(number))
    called = [fold_name(seat.name) for seat in seats]
    if len(set(called)) < len(called):
        raise SetupError("Two players have the same name.")
    return seats


def _choose_teams(
    teams: list[str], players: int, seed: int, catalogue: Catalogue
) -> tuple[tuple[str, ...], ...]:
    """Give each player two factions; open slots get random unused factions."""
    if not teams:
        return ()
    chosen: list[list[str]] = []
    for team in teams + [""] * (players - len(teams)):
        names = [name.strip() for name in team.split("+") if name.strip()]
        if [fold_name(name) for name in names] == ["random"]:
            names = []
        chosen.append([find_faction(catalogue, name).name for name in names])
        if len(names) > 2:
            raise SetupError(
                "“{team}” names {count} factions; a deck has two.", team=team, count=len(names)
            )
    taken = {name for pair in chosen for name in pair}
    free = [f.name for f in catalogue.factions if f.name not in taken]
    random.Random(f"{seed}/factions").shuffle(free)
    for pair in chosen:
        while len(pair) < 2:
            if not free:
                raise SetupError("There are not enough factions left for random decks.")
            pair.append(free.pop())
    return tuple(tuple(pair) for pair in chosen)


def parse_edition(text: str | None) -> str:
    """Find an edition by key or title."""
    if text is None:
        return DEFAULT_EDITION.key
    wanted = fold_name(text)
    for edition in EDITIONS.values():
        if wanted in (fold_name(edition.key), fold_name(edition.title)):
            return edition.key
    known = ", ".join(f"{e.key} ({e.title})" for e in EDITIONS.values())
    raise SetupError(
        "There is no edition “{text}”; there are {known}.", text=text.strip(), known=known
    )


def _parse_printing(text: str | None) -> str:
    if text is None:
        return PRINTED
    if text.strip().casefold() in PRINTINGS:
        return text.strip().casefold()
    raise SetupError(
        "There is no printing “{text}”; there are {known}.",
        text=text.strip(),
        known=list(PRINTINGS),
    )


def _parse_first_player(text: str | None, seats: list[Seat]) -> int:
    """Return the first player, given by number or name; -1 for random."""
    if text is None or fold_name(text) == "random":
        return -1
    if text.strip().isdecimal() and 1 <= int(text) <= len(seats):
        return int(text) - 1
    names = [seat.name for seat in seats]
    for number, name in enumerate(names):
        if fold_name(name) == fold_name(text):
            return number
    near = closest_names(text, names, 1)
    if near:
        raise SetupError(
            "“{text}” cannot go first: use a number from 1 to {count}, or a name. Did"
            " you mean {names}?",
            text=text,
            count=len(seats),
            names=near[0],
        )
    raise SetupError(
        "“{text}” cannot go first: use a number from 1 to {count}, or a name.",
        text=text,
        count=len(seats),
    )
