"""Reviews of a whole game by several processes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from smashup.analysis.reviews import Review, review_game
from smashup.bots.process_pool import ProcessPool
from smashup.cards.plugins import with_plugins
from smashup.engine.game import Game
from smashup.engine.saves.files import from_json, to_json

CHUNK: Final = 6
"""Decisions that a process reviews before it reports."""


def review_in_processes(
    game: Game,
    numbers: Sequence[int],
    iterations: int,
    processes: int,
    faction_files: Sequence[str] = (),
) -> Iterator[Review | None]:
    """Review the decisions with these numbers; results come in their order."""
    if processes == 1:
        yield from review_game(game, numbers, iterations)
        return
    save = to_json(game)
    chunks = [list(numbers[at : at + CHUNK]) for at in range(0, len(numbers), CHUNK)]
    with ProcessPool(processes, _start_worker, save, tuple(faction_files), iterations) as pool:
        for reviews in pool.map(_review_chunk, chunks):
            yield from reviews


# --- inside a worker process ------------------------------------------------------------------

_GAMES: list[tuple[Game, int]] = []
"""The game under review, and the iterations per decision."""


def _start_worker(save: dict[str, Any], faction_files: tuple[str, ...], iterations: int) -> None:
    cards, _ = with_plugins(faction_files)
    _GAMES.append((from_json(save, cards).game, iterations))


def _review_chunk(numbers: list[int]) -> list[Review | None]:
    game, iterations = _GAMES[-1]
    return list(review_game(game, numbers, iterations))
