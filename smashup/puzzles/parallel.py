"""Mining and checking puzzles in several processes; results come in order."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from smashup.bots.process_pool import ProcessPool
from smashup.cards import catalogue
from smashup.engine.model.catalogue import Catalogue
from smashup.puzzles.checking import Problem, check_puzzle
from smashup.puzzles.mining import MinedGame, Mining
from smashup.puzzles.model import Puzzle


def mine_in_processes(
    mining: Mining, games: Sequence[int], cards: Catalogue, processes: int
) -> Generator[MinedGame, None, None]:
    """Mine games by their numbers."""
    if processes == 1:
        for game in games:
            yield mining.play(game, cards)
        return
    with ProcessPool(processes, _start_worker) as pool:
        yield from pool.map(_mine, [mining] * len(games), games)


def check_in_processes(
    puzzles: Sequence[Puzzle], cards: Catalogue, processes: int
) -> Generator[Problem | None, None, None]:
    """Prove puzzles again; None for each that is still valid."""
    if processes == 1:
        for puzzle in puzzles:
            yield check_puzzle(puzzle, cards)
        return
    with ProcessPool(processes, _start_worker) as pool:
        yield from pool.map(_check, puzzles)


# --- inside a worker process ------------------------------------------------------------------

_CATALOGUES: list[Catalogue] = []


def _start_worker() -> None:
    _CATALOGUES.append(catalogue())


def _mine(mining: Mining, game: int) -> MinedGame:
    return mining.play(game, _CATALOGUES[-1])


def _check(puzzle: Puzzle) -> Problem | None:
    return check_puzzle(puzzle, _CATALOGUES[-1])
