"""The work on a study: chunks go out to whoever plays them, and their rows come back to be kept.

Crews differ in where they play; what they play, and what is kept of it, is the same. Only the
process that was started by a person writes files, so a worker that dies takes nothing with it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from smashup.engine.errors import SmashUpError
from smashup.engine.model.catalogue import Catalogue
from smashup.lab.playing import QUICK, Row, play
from smashup.lab.study import Study

if TYPE_CHECKING:
    from smashup.lab.folder import Folder

LIVES: Final = 3
"""How often a chunk is tried whose worker died; a worker may be killed, but not every time."""
MOST_CHUNKS: Final = 2000
"""Larger studies get larger chunks: folders with very many files are slow."""
CHUNKS: Final = {QUICK: 200, "random": 50, "easy": 20, "normal": 8, "greedy": 8}
"""Games in a chunk, so that one takes some seconds. Bots that are not listed take long."""
SLOW_CHUNK: Final = 2


class WorkError(SmashUpError):
    """A study that cannot be played on."""


@dataclass(frozen=True)
class Chunk:
    """Games to be played in one go."""

    number: int
    games: range

    def play(self, study: Study, cards: Catalogue) -> list[Row]:
        """Rows of all its games; the same wherever they are played."""
        return [row for game in self.games for row in play(study.job(game, cards), cards)]


Played = tuple[int, list[Row]]
"""The number of a chunk, and its rows."""


class Crew(ABC):
    """Whoever plays. Used in a ``with`` statement, at whose end nobody plays any more."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.dismiss()

    @abstractmethod
    def play(self, chunks: Sequence[Chunk]) -> Generator[Played, None, None]:
        """Play chunks, whichever is done first comes first; each comes exactly once."""

    @abstractmethod
    def dismiss(self) -> None:
        """Nobody is needed any more."""


class Alone(Crew):
    """Plays in this process."""

    def __init__(self, study: Study, cards: Catalogue) -> None:
        self.study = study
        self.cards = cards

    def play(self, chunks: Sequence[Chunk]) -> Generator[Played, None, None]:
        for chunk in chunks:
            yield chunk.number, chunk.play(self.study, self.cards)

    def dismiss(self) -> None:
        """There is nobody to dismiss."""


def chunk_size(study: Study, games: int) -> int:
    """How many games to put into a chunk."""
    size = min(CHUNKS.get(bot, SLOW_CHUNK) for bot in study.bots)
    return max(size, -(-games // MOST_CHUNKS))


def play_missing(folder: Folder, crew: Crew) -> Generator[int, None, None]:
    """Play what a folder lacks and keep it; yields how many games were kept just now."""
    plan = folder.plan
    chunks = [Chunk(number, plan.numbers(number)) for number in folder.missing()]
    with closing(crew.play(chunks)) as played:
        for number, rows in played:
            folder.keep(number, rows)
            yield len(plan.numbers(number))
