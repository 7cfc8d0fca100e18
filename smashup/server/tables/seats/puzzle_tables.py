"""Tables with a puzzle: one turn, judged when it is over (`smashup.puzzles`)."""

from __future__ import annotations

import asyncio
import json
import secrets
from typing import TYPE_CHECKING, Any, Final, Literal

from smashup.engine.game import Game
from smashup.engine.model.catalogue import Catalogue
from smashup.engine.model.decisions import Decision
from smashup.puzzles.model import Puzzle
from smashup.puzzles.puzzle_file import load_shipped_puzzles
from smashup.puzzles.steps import rival_answer
from smashup.server.errors import NotFound
from smashup.server.http.schemas import PuzzleForm, Seated, SeatForm, SeatTaken, TableForm
from smashup.server.operations import timekeeping
from smashup.server.storage.records import BOT, PLAYING, SeatRecord, StoredTable, TableRecord
from smashup.server.tables.seats.seating import take_seat
from smashup.version import __version__

if TYPE_CHECKING:
    from smashup.server.tables.registry import TableRegistry
    from smashup.server.tables.table import Table

LEVEL: Final = "normal"
"""The level in the records of the other seats. They are played by `answer_for_rival`."""
PUZZLE: Final = "puzzle"
"""The option of a table that names its puzzle."""

PuzzleOutcome = Literal["open", "solved", "failed"]


def find_puzzle(puzzle_id: str) -> Puzzle:
    """Return a puzzle by its id."""
    puzzle = load_shipped_puzzles().get(puzzle_id)
    if puzzle is None:
        raise NotFound("There is no such puzzle.")
    return puzzle


async def create_puzzle_table(puzzle_id: str, form: PuzzleForm, registry: TableRegistry) -> Seated:
    """Create a table with the position of a puzzle."""
    puzzle = find_puzzle(puzzle_id)
    options = TableForm(
        seats=[SeatForm(kind="me"), SeatForm(kind="bot", level=LEVEL)],
        mode="choose",
        chat=False,
        spectators=False,
    ).model_dump(exclude={"seats", "lang", "listed"})
    table = TableRecord(
        secrets.token_urlsafe(12),
        {**options, PUZZLE: puzzle.id},
        timekeeping.now(),
        state=PLAYING,
        setup=json.loads(json.dumps(puzzle.setup.to_json())),
        start=puzzle.start,
        rules=__version__,
    )
    seats = [
        SeatRecord(number, BOT, LEVEL, factions=list(pair), ready=True)
        for number, pair in enumerate(puzzle.factions)
    ]
    own = seats[puzzle.player]
    secret = take_seat(own, form.name, form.lang)
    info = await registry.add_game(StoredTable(table, seats))
    return Seated(table=info, seats=[SeatTaken(seat=own.number, secret=secret)])


def puzzle_of(table: Table) -> Puzzle | None:
    """Return the puzzle that is played at a table, if one is."""
    name = table.record.options.get(PUZZLE)
    return load_shipped_puzzles().get(name) if isinstance(name, str) else None


def without_puzzle(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options of a table for another game."""
    return {key: value for key, value in options.items() if key != PUZZLE}


def answer_for_rival(puzzle: Puzzle, game: Game, decision: Decision) -> int | None:
    """Return what another player answers; None once the turn of the puzzle is over."""
    return rival_answer(decision) if game.table.state.turn == puzzle.turn else None


async def judge(table: Table, cards: Catalogue) -> tuple[Puzzle, PuzzleOutcome]:
    """Return the puzzle of a table and whether it is solved."""
    puzzle = puzzle_of(table)
    if puzzle is None or table.game is None:
        raise NotFound("No puzzle is played at this table.")
    answers = list(table.game.answers)
    outcome = await asyncio.to_thread(_judge_answers, puzzle, answers, cards)
    return puzzle, outcome


def _judge_answers(puzzle: Puzzle, answers: list[int], cards: Catalogue) -> PuzzleOutcome:
    outcome = puzzle.judge(puzzle.begin(cards).answer_all(answers))
    if outcome is None:
        return "open"
    return "solved" if outcome.reaches(puzzle.goal) else "failed"
