"""Storage of a study: a folder with a manifest and, in `games`, one file per finished chunk.

A chunk is a range of consecutive game numbers. Its file is named by its number and appears
atomically, so a study can stop at any moment, even by a power cut: existing chunks are complete,
missing ones still have to be played, and no game is stored twice.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import polars as pl

from smashup.engine.errors import SaveError, reason
from smashup.lab import records
from smashup.lab.game_runner import Row
from smashup.lab.matrix import Matrix
from smashup.lab.study import Study, fingerprint
from smashup.lab.tournament import Tournament
from smashup.version import __version__

FORMAT: Final = "smashup-lab"
FORMAT_VERSION: Final = 2
MANIFEST: Final = "manifest.json"
GAMES: Final = "games"
"""Subfolder of the chunks: nothing else is in it, so pandas and polars can read it whole."""
CHUNK_PATTERN: Final = "part-*.parquet"
STUDIES: Final[Mapping[str, type[Matrix] | type[Tournament]]] = {
    study.kind: study for study in (Matrix, Tournament)
}


@dataclass(frozen=True)
class StudyPlan:
    """A study, its number of games and how they are split into chunks."""

    study: Study
    games: int
    chunk_size: int
    """Games per chunk."""
    command: str
    """The command line that plays the study again."""

    @property
    def num_chunks(self) -> int:
        return -(-self.games // self.chunk_size)

    def games_in_chunk(self, chunk: int) -> range:
        """Return the game numbers of a chunk."""
        return range(chunk * self.chunk_size, min((chunk + 1) * self.chunk_size, self.games))

    def to_manifest(self) -> dict[str, Any]:
        """Return the content of the manifest."""
        return {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            "version": __version__,
            "fingerprint": fingerprint(self.study.files),
            "command": self.command,
            "games": self.games,
            "chunk": self.chunk_size,
            "study": self.study.to_dict(),
        }


class StudyStore:
    """A folder with the games of one study."""

    def __init__(self, path: Path, plan: StudyPlan, manifest: dict[str, Any]) -> None:
        self.path = path
        self.plan = plan
        self.manifest = manifest
        """The manifest as stored."""

    # --- opening ------------------------------------------------------------------------------

    @classmethod
    def create(cls, path: Path, plan: StudyPlan) -> StudyStore:
        """Create a store in a new or empty folder."""
        if (path / MANIFEST).exists():
            existing = cls.open(path)
            raise SaveError(
                "{path} holds {done} of {games} games already. Go on with --resume, or choose"
                " another --folder.",
                path=str(path),
                done=existing.count_games(),
                games=existing.plan.games,
            )
        try:
            if path.exists() and any(path.iterdir()):
                raise SaveError(
                    "{path} is not empty and holds no study; choose another --folder.",
                    path=str(path),
                )
            (path / GAMES).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _write_error(path, error) from error
        store = cls(path, plan, plan.to_manifest())
        store._write_manifest()
        return store

    @classmethod
    def resume(cls, path: Path, plan: StudyPlan) -> StudyStore:
        """Open a store to play missing or additional games; reject a different study."""
        if not (path / MANIFEST).exists():
            raise SaveError(
                "There is nothing to resume in {path}; leave --resume out to begin.",
                path=str(path),
            )
        existing = cls.open(path)
        wanted = StudyPlan(plan.study, plan.games, existing.plan.chunk_size, plan.command)
        found, expected = existing.manifest, wanted.to_manifest()
        for field, here in [*expected["study"].items(), *expected.items()]:
            if field in ("study", "games", "command"):
                continue
            kept = found["study"].get(field) if field in expected["study"] else found.get(field)
            if kept != here:
                raise _mismatch_error(path, field, kept, here)
        if wanted.games < existing.plan.games:
            raise SaveError(
                "{path} is meant for {games} games; --resume can add some, but not take any away.",
                path=str(path),
                games=existing.plan.games,
            )
        store = cls(path, wanted, {**found, "games": wanted.games, "command": wanted.command})
        for temporary in path.glob(f"*{records.TEMPORARY_SUFFIX}"):
            temporary.unlink(missing_ok=True)
        store._write_manifest()
        return store

    @classmethod
    def open(cls, path: Path) -> StudyStore:
        """Open a store for reading."""
        try:
            manifest = json.loads((path / MANIFEST).read_text(encoding="utf-8"))
        except OSError as error:
            if not path.is_dir():
                raise SaveError("There is no folder {path}.", path=str(path)) from error
            raise SaveError("There is no study in {path}.", path=str(path)) from error
        except ValueError as error:
            raise _manifest_error(path) from error
        if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
            raise _manifest_error(path)
        if manifest.get("format_version") != FORMAT_VERSION:
            raise SaveError(
                "{path} was written by another version of the program; this one cannot read it.",
                path=str(path),
            )
        try:
            kind = STUDIES[manifest["study"]["kind"]]
            study = kind.from_dict(manifest["study"])
            plan = StudyPlan(
                study, int(manifest["games"]), int(manifest["chunk"]), str(manifest["command"])
            )
        except (KeyError, TypeError, ValueError) as error:
            raise _manifest_error(path) from error
        return cls(path, plan, manifest)

    # --- content ------------------------------------------------------------------------------

    def chunk_path(self, chunk: int) -> Path:
        return self.path / GAMES / CHUNK_PATTERN.replace("*", f"{chunk:06}")

    def has_chunk(self, chunk: int) -> bool:
        """Return whether a chunk is stored and complete."""
        path = self.chunk_path(chunk)
        rows = len(self.plan.games_in_chunk(chunk)) * self.plan.study.players
        return path.exists() and records.count_rows(path) == rows

    def missing_chunks(self) -> list[int]:
        """Return the chunks that still have to be played."""
        return [chunk for chunk in range(self.plan.num_chunks) if not self.has_chunk(chunk)]

    def count_games(self) -> int:
        """Count the stored games."""
        rows = sum(max(0, records.count_rows(path)) for path in self._chunk_paths())
        return rows // self.plan.study.players

    def save_chunk(self, chunk: int, rows: Sequence[Row]) -> None:
        """Store a finished chunk."""
        try:
            records.write_rows(self.chunk_path(chunk), rows)
        except OSError as error:
            raise _write_error(self.path, error) from error

    def read_games(self) -> pl.DataFrame:
        """Read all stored games; unreadable files are skipped."""
        return records.read_rows(
            [path for path in self._chunk_paths() if records.count_rows(path) > 0]
        )

    def _chunk_paths(self) -> list[Path]:
        return sorted((self.path / GAMES).glob(CHUNK_PATTERN))

    def _write_manifest(self) -> None:
        text = json.dumps(self.manifest, ensure_ascii=False, indent=2) + "\n"
        temporary = self.path / f"{MANIFEST}.{os.getpid()}{records.TEMPORARY_SUFFIX}"
        try:
            temporary.write_text(text, encoding="utf-8")
            temporary.replace(self.path / MANIFEST)
        except OSError as error:
            raise _write_error(self.path, error) from error


def _write_error(path: Path, error: OSError) -> SaveError:
    return SaveError(
        "The results cannot be kept in {path}: {reason}.", path=str(path), reason=reason(error)
    )


def _manifest_error(path: Path) -> SaveError:
    return SaveError(
        "{path} does not hold a study: its {manifest} cannot be understood.",
        path=str(path),
        manifest=MANIFEST,
    )


def _mismatch_error(path: Path, field: str, found: object, wanted: object) -> SaveError:
    if field in ("fingerprint", "version"):
        return SaveError(
            "{path} was played with other rules, cards or bots than this program has; games of both"
            " would not belong together. Choose another --folder.",
            path=str(path),
        )
    return SaveError(
        "{path} holds another study: there “{field}” is {found}, here {wanted}. Choose another"
        " --folder.",
        path=str(path),
        field=field,
        found=json.dumps(found, ensure_ascii=False),
        wanted=json.dumps(wanted, ensure_ascii=False),
    )
