"""Puzzles over HTTP: the list, the puzzle of the day, tables, hints and solutions."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from smashup.engine.views.sentences import message
from smashup.puzzles.daily import choose_daily
from smashup.puzzles.explanation import build_hints, describe_goal, explain_solution
from smashup.puzzles.model import Puzzle
from smashup.puzzles.puzzle_file import load_shipped_puzzles
from smashup.server.errors import NotFound
from smashup.server.http.lobby import (
    PROBLEMS,
    OwnSecret,
    RegistryDependency,
    TableId,
    cached_response,
)
from smashup.server.http.schemas import (
    DailyPuzzle,
    PuzzleForm,
    PuzzleHint,
    PuzzleInfo,
    Puzzles,
    PuzzleSolution,
    PuzzleStatus,
    Seated,
)
from smashup.server.operations import timekeeping
from smashup.server.tables.seats import puzzle_tables

router = APIRouter(prefix="/api", responses=PROBLEMS)

PuzzleId = Annotated[str, Path(pattern=r"^[0-9a-f]{8}$")]


@router.get("/puzzles", response_model=Puzzles)
async def puzzles(registry: RegistryDependency, request: Request) -> Response:
    """All puzzles, without their solutions."""
    return cached_response(registry, request, _list)


@router.get("/puzzles/daily")
async def daily() -> DailyPuzzle:
    """The puzzle of the day, which changes at midnight UTC."""
    today = datetime.fromtimestamp(timekeeping.now(), UTC).date()
    return DailyPuzzle(date=today.isoformat(), puzzle=choose_daily(load_shipped_puzzles(), today))


@router.post("/puzzles/{puzzle_id}", status_code=201)
async def begin(puzzle_id: PuzzleId, form: PuzzleForm, registry: RegistryDependency) -> Seated:
    """Create a table with the position of a puzzle, and return the secret of the seat."""
    return await puzzle_tables.create_puzzle_table(puzzle_id, form, registry)


@router.get("/puzzles/{puzzle_id}/hints/{number}")
async def hint(
    puzzle_id: PuzzleId, number: Annotated[int, Path(ge=1, le=9)], registry: RegistryDependency
) -> PuzzleHint:
    """A hint: the first names a card, the second says what to do with it."""
    puzzle = puzzle_tables.find_puzzle(puzzle_id)
    hints = await asyncio.to_thread(build_hints, puzzle, registry.cards)
    if number > len(hints):
        raise NotFound("There are no more hints.")
    return PuzzleHint(hint=message(hints[number - 1]), more=len(hints) - number)


@router.get("/puzzles/{puzzle_id}/solution")
async def solution(puzzle_id: PuzzleId, registry: RegistryDependency) -> PuzzleSolution:
    """The solution, for those who have solved the puzzle or give up."""
    puzzle = puzzle_tables.find_puzzle(puzzle_id)
    steps = await asyncio.to_thread(explain_solution, puzzle, registry.cards)
    return PuzzleSolution(steps=steps)


@router.get("/tables/{table_id}/puzzle")
async def status(
    table_id: TableId, secret: OwnSecret, registry: RegistryDependency
) -> PuzzleStatus:
    """Whether the puzzle at a table is solved."""
    async with registry.use(table_id) as table:
        table.seat_of(secret)
        puzzle, outcome = await puzzle_tables.judge(table, registry.cards)
    return PuzzleStatus(puzzle=puzzle.id, outcome=outcome)


def _list() -> Puzzles:
    order = sorted(load_shipped_puzzles().values(), key=lambda puzzle: puzzle.id)
    return Puzzles(puzzles=[_describe(puzzle) for puzzle in order])


def _describe(puzzle: Puzzle) -> PuzzleInfo:
    return PuzzleInfo(
        id=puzzle.id,
        goal=message(describe_goal(puzzle)),
        kind=puzzle.goal.kind,
        player=puzzle.player,
        factions=[list(pair) for pair in puzzle.factions],
        difficulty=puzzle.difficulty,
        plays=puzzle.plays,
    )
