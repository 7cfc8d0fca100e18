"""Branches: a new table that continues from a step of a recording, with one person and bots.

The current rules must lead to the recorded position. By default all cards that the seat could not
know are redealt at the last play menu, because the recording shows every card.
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
from smashup.server.replays.recording import FinishedGame, Step
from smashup.server.storage.records import BOT, PLAYING, SeatRecord, StoredTable, TableRecord
from smashup.server.tables.seats.puzzle_tables import without_puzzle
from smashup.server.tables.seats.seating import new_secret, take_seat
from smashup.server.tables.table_log import answer_entry
from smashup.version import __version__


def create_branch(
    recording: dict[str, Any], origin: StoredTable, form: BranchForm, cards: Catalogue
) -> tuple[StoredTable, SeatTaken]:
    """Return a table that continues from a step, and the seat with its secret."""
    steps: list[Step] = recording["steps"]
    if form.step >= len(steps):
        raise NotFound("This recording has no step {number}.", number=form.step)
    if form.seat >= recording["players"]:
        raise NotFound("This table has no seat {number}.", number=form.seat)
    at = _menu_before(steps, form.step) if form.shuffle else form.step
    num_answers = steps[at]["answers"] if at is not None else 0
    game, players = _replay(recording, steps, num_answers, cards)
    if game.is_over:
        raise Refused("The game is over at this step; choose an earlier one.")
    setup, start, answers = game.setup, recording["save"]["start"], game.answers[:]
    if form.shuffle:
        setup = replace(setup, seed=0, generator=KEYED, secret=new_secret(), ask_everyone=False)
        start = _redeal(game, form.seat).table.checkpoint.to_dict() if at is not None else start
        answers, players = [], []
    table = TableRecord(
        secrets.token_urlsafe(12),
        {**without_puzzle(origin.table.options), "clock": 0},
        timekeeping.now(),
        state=PLAYING,
        setup=json.loads(json.dumps(setup.to_json())),
        start=start,
        rules=__version__,
    )
    seats, taken = _make_seats(origin.seats, form)
    log = [
        answer_entry(number, player, option)
        for number, (player, option) in enumerate(zip(players, answers, strict=True))
    ]
    return StoredTable(table, seats, log), taken


def _menu_before(steps: list[Step], step: int) -> int | None:
    """Return the last play menu up to a step; None if there is none."""
    return next((at for at in range(step, -1, -1) if steps[at]["menu"]), None)


def _replay(
    recording: dict[str, Any], steps: list[Step], num_answers: int, cards: Catalogue
) -> tuple[Game, list[int]]:
    """Return the game after some answers with the current rules, and the player of each answer.

    Every play menu on the way has to match the recording.
    """
    save = recording["save"]
    menus = {step["answers"]: step["menu"] for step in steps if step["menu"]}
    players: list[int] = []
    try:
        game = FinishedGame(save["setup"], save["start"], [], [], []).begin(cards)
        for count, answer in enumerate([*save["answers"][:num_answers], None]):
            decision = game.decision
            menu = game.table.last_menu
            if count in menus and (menu is None or menu.digest() != menus[count]):
                raise ReplayMismatch("after answer {number} the table differs.", number=count)
            if answer is not None and decision is not None:
                players.append(decision.player)
                game.choose(answer)
    except (SmashUpError, LookupError, TypeError, ValueError, AssertionError) as error:
        # Changed rules may fail in any way on old answers.
        raise Refused(
            "The rules have changed since this game was played: it can be watched, but not played"
            " on from here."
        ) from error
    return game, players


def _redeal(game: Game, seat: int) -> Game:
    """Return the game with all cards redealt that a seat cannot know."""
    return Dealer(game, seat).deal(secrets.SystemRandom())


def _make_seats(before: list[SeatRecord], form: BranchForm) -> tuple[list[SeatRecord], SeatTaken]:
    """Return the seats: one person, and bots without the names of the original players."""
    seats = [
        SeatRecord(seat.number, BOT, form.level, factions=seat.factions, ready=True)
        for seat in before
    ]
    mine = seats[form.seat]
    return seats, SeatTaken(seat=mine.number, secret=take_seat(mine, form.name, form.lang))
