"""Files of puzzles: JSON lines, compressed. The first line says where the puzzles come from."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Final

from smashup.engine.errors import SaveError
from smashup.puzzles.model import Puzzle

FORMAT_VERSION: Final = 1
SHIPPED: Final = Path(__file__).with_name("puzzles.jsonl.xz")
"""The puzzles of the project."""


@dataclass
class Origin:
    """Where the puzzles of a file come from."""

    seed: int = 1
    next_game: int = 0
    """The number of the game with which mining continues."""
    rules: str = ""
    """The version of the rules."""
    rejections: dict[str, int] = field(default_factory=dict)
    """Number of rejected positions, by reason."""


@dataclass
class PuzzleFile:
    """The contents of a file."""

    origin: Origin
    puzzles: list[Puzzle]


def load_puzzle_file(path: Path) -> PuzzleFile:
    """Read a file; raise a `SaveError` if it is not a puzzle file of this version."""
    try:
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            header = json.loads(next(lines))
            if header.pop("format") != FORMAT_VERSION:
                raise SaveError(
                    "{path} has puzzles of another version of this program.", path=str(path)
                )
            return PuzzleFile(Origin(**header), [Puzzle.from_json(json.loads(x)) for x in lines])
    except (OSError, EOFError, lzma.LZMAError, StopIteration, ValueError, TypeError, KeyError) as e:
        raise SaveError("{path} is not a file of puzzles.", path=str(path)) from e


def save_puzzle_file(path: Path, origin: Origin, puzzles: Iterable[Puzzle]) -> None:
    """Write a file; raise a `SaveError` if that fails.

    Similar positions are neighbors, which compresses better.
    """
    ordered = sorted(puzzles, key=lambda puzzle: (sorted(puzzle.factions), puzzle.id))
    rows = [{"format": FORMAT_VERSION, **asdict(origin)}, *(p.to_json() for p in ordered)]
    text = "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows)
    temporary = path.with_name(path.name + ".new")
    try:
        temporary.write_bytes(lzma.compress(text.encode(), preset=9))
        temporary.replace(path)
    except OSError as error:
        raise SaveError(
            "{path} cannot be written: {why}.", path=str(path), why=error.strerror or str(error)
        ) from error


@cache
def load_shipped_puzzles() -> dict[str, Puzzle]:
    """Return the puzzles of the project by their ids."""
    return {puzzle.id: puzzle for puzzle in load_puzzle_file(SHIPPED).puzzles}
