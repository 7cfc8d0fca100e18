"""Executors play the chunks of a study and return their rows.

Executors differ in where they run; the games and records are the same. Only the process that
started the study writes files, so a dying worker loses nothing.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import count
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from smashup.bots.bot_game import QUICK
from smashup.engine.errors import SmashUpError
from smashup.engine.model.catalogue import Catalogue
from smashup.lab.game_runner import Row, play_game
from smashup.lab.study import Study

if TYPE_CHECKING:
    from smashup.lab.study_store import StudyStore

MAX_ATTEMPTS: Final = 3
"""How often a chunk is tried if its worker dies."""
MAX_CHUNKS: Final = 2000
"""Larger studies get larger chunks: folders with very many files are slow."""
CHUNK_SIZES: Final = {QUICK: 200, "random": 50, "easy": 20, "normal": 8, "greedy": 8}
"""Games per chunk, for a few seconds of work."""
DEFAULT_CHUNK_SIZE: Final = 2
"""For all other bots, which are slow."""


class ExecutionError(SmashUpError):
    """Raised when a study cannot continue."""


@dataclass(frozen=True)
class Chunk:
    """A range of games to play together."""

    number: int
    games: range

    def play(
        self, study: Study, cards: Catalogue, on_game: Callable[[], object] = lambda: None
    ) -> list[Row]:
        """Play its games and return their rows; ``on_game`` is called after each game."""
        rows = []
        for game in self.games:
            rows += play_game(study.game_spec(game, cards), cards)
            on_game()
        return rows


ChunkResult = tuple[int, list[Row]]
"""The number of a chunk, and its rows."""


class Executor(ABC):
    """Plays chunks. A context manager that shuts down its workers."""

    on_progress: Callable[[int], object] = staticmethod(lambda games: None)
    """Called with the number of games finished in unfinished chunks, where that is known."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.shut_down()

    @abstractmethod
    def play(self, chunks: Sequence[Chunk]) -> Generator[ChunkResult, None, None]:
        """Play chunks and yield each result once, in order of completion."""

    @abstractmethod
    def shut_down(self) -> None:
        """Stop all workers."""


class SerialExecutor(Executor):
    """Plays in the current process."""

    def __init__(self, study: Study, cards: Catalogue) -> None:
        self.study = study
        self.cards = cards

    def play(self, chunks: Sequence[Chunk]) -> Generator[ChunkResult, None, None]:
        for chunk in chunks:
            yield chunk.number, self._play_chunk(chunk)

    def _play_chunk(self, chunk: Chunk) -> list[Row]:
        finished = count(1)
        return chunk.play(self.study, self.cards, lambda: self.on_progress(next(finished)))

    def shut_down(self) -> None:
        """Do nothing: there are no workers."""


def chunk_size(study: Study, games: int) -> int:
    """Return the number of games per chunk."""
    size = min(CHUNK_SIZES.get(bot, DEFAULT_CHUNK_SIZE) for bot in study.bots)
    return max(size, -(-games // MAX_CHUNKS))


def play_missing(store: StudyStore, executor: Executor) -> Generator[int, None, None]:
    """Play and store the missing chunks; yield the number of games of each."""
    plan = store.plan
    chunks = [Chunk(number, plan.games_in_chunk(number)) for number in store.missing_chunks()]
    with closing(executor.play(chunks)) as results:
        for number, rows in results:
            store.save_chunk(number, rows)
            yield len(plan.games_in_chunk(number))
