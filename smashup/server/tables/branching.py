"""Playing on from a step of a recording: a new table, somebody in one seat, bots in the others.

What the rules bring about there must be what was recorded, else it would be another game. Unless
somebody wants the very cards, everything that the seat could not know is dealt anew, at the last
play menu: who has seen the recording knows where each card lay.
"""

from __future__ import annotations

import json
import secrets
from dataclasses import replace
from typing import Any

from smashup.engine.errors import ReplayMismatch, SmashUpError
from smashup.engine.game import Game
from smashup.engine.model.catalogue import Catalogue
from smashup.engine.model.randomness import KEYED
from smashup.engine.replay.dealing import Dealer
from smashup.server.errors import NotFound, Refused
from smashup.server.http.schemas import BranchForm, SeatTaken
from smashup.server.operations import timekeeping
from smashup.server.replays.recording import Finished, Step
from smashup.server.storage.records import BOT, PLAYING, SeatRecord, StoredTable, TableRecord
from smashup.server.tables.seating import new_secret, sit_down
from smashup.server.tables.table_log import answer_entry
from smashup.version import __version__


def branched(
    recording: dict[str, Any], origin: StoredTable, form: BranchForm, cards: Catalogue
) -> tuple[StoredTable, SeatTaken]:
    """A table that goes on from a step, and the secret of who asked for it."""
    steps: list[Step] = recording["steps"]
    if form.step >= len(steps):
        raise NotFound("This recording has no step {number}.", number=form.step)
    if form.seat >= recording["players"]:
        raise NotFound("This table has no seat {number}.", number=form.seat)
    at = _menu_before(steps, form.step) if form.shuffle else form.step
    given = steps[at]["answers"] if at is not None else 0
    game, players = _played(recording, steps, given, cards)
    if game.is_over:
        raise Refused("The game is over there; choose an earlier step.")
    setup, start, answers = game.setup, recording["save"]["start"], game.answers[:]
    if form.shuffle:
        setup = replace(setup, seed=0, generator=KEYED, secret=new_secret(), ask_everyone=False)
        start = _dealt(game, form.seat).table.checkpoint.to_dict() if at is not None else start
        answers, players = [], []
    table = TableRecord(
        secrets.token_urlsafe(12),
        {**origin.table.options, "clock": 0},
        timekeeping.now(),
        state=PLAYING,
        setup=json.loads(json.dumps(setup.to_json())),
        start=start,
        rules=__version__,
    )
    seats, taken = _seated(origin.seats, form)
    log = [
        answer_entry(number, player, option)
        for number, (player, option) in enumerate(zip(players, answers, strict=True))
    ]
    return StoredTable(table, seats, log), taken


def _menu_before(steps: list[Step], step: int) -> int | None:
    """The last play menu up to a step; None where there was none yet."""
    return next((at for at in range(step, -1, -1) if steps[at]["menu"]), None)


def _played(
    recording: dict[str, Any], steps: list[Step], given: int, cards: Catalogue
) -> tuple[Game, list[int]]:
    """The game after so many answers under the rules of today, and who gave each of them.

    At every play menu on the way it has to be the table that was recorded.
    """
    save = recording["save"]
    menus = {step["answers"]: step["menu"] for step in steps if step["menu"]}
    players: list[int] = []
    try:
        game = Finished(save["setup"], save["start"], [], [], []).begin(cards)
        for count, answer in enumerate([*save["answers"][:given], None]):
            decision = game.decision
            menu = game.table.last_menu
            if count in menus and (menu is None or menu.digest() != menus[count]):
                raise ReplayMismatch(
                    "after answer {number} the table is another one.", number=count
                )
            if answer is not None and decision is not None:
                players.append(decision.player)
                game.choose(answer)
    except (SmashUpError, LookupError, TypeError, ValueError, AssertionError) as error:
        # Rules that have changed may stumble in any way over what was not meant for them.
        raise Refused(
            "The rules have changed since this game was played: it can be watched, but not played"
            " on from here."
        ) from error
    return game, players


def _dealt(game: Game, seat: int) -> Game:
    """The table with all that a seat cannot know dealt anew."""
    return Dealer(game, seat).deal(secrets.SystemRandom())


def _seated(before: list[SeatRecord], form: BranchForm) -> tuple[list[SeatRecord], SeatTaken]:
    """Who plays on: one person, and bots who take nobody's name."""
    seats = [
        SeatRecord(seat.number, BOT, form.level, factions=seat.factions, ready=True)
        for seat in before
    ]
    mine = seats[form.seat]
    return seats, SeatTaken(seat=mine.number, secret=sit_down(mine, form.name, form.lang))
