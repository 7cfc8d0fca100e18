"""Where the games of a study are kept: a manifest, and a file for each finished chunk.

A chunk is a run of games with consecutive numbers. Its file bears its number and appears at once
and complete, so a study can be stopped at any moment, even by pulling the plug: what is there is
done, what is not there is still to do, and nothing can be there twice.
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
from smashup.lab.matrix import Matrix
from smashup.lab.playing import Row
from smashup.lab.study import Study, fingerprint
from smashup.lab.tournament import Tournament
from smashup.version import __version__

FORMAT: Final = "smashup-lab"
FORMAT_VERSION: Final = 1
MANIFEST: Final = "manifest.json"
PARTS: Final = "part-*.parquet"
STUDIES: Final[Mapping[str, type[Matrix] | type[Tournament]]] = {
    study.kind: study for study in (Matrix, Tournament)
}


@dataclass(frozen=True)
class Plan:
    """What a folder is to hold."""

    study: Study
    games: int
    chunk: int
    """Games in a chunk."""
    command: str
    """What was typed, for those who want to do it again."""

    @property
    def chunks(self) -> int:
        return -(-self.games // self.chunk)

    def numbers(self, chunk: int) -> range:
        """The games of a chunk."""
        return range(chunk * self.chunk, min((chunk + 1) * self.chunk, self.games))

    def facts(self) -> dict[str, Any]:
        """The manifest."""
        return {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            "version": __version__,
            "fingerprint": fingerprint(self.study.files),
            "command": self.command,
            "games": self.games,
            "chunk": self.chunk,
            "study": self.study.facts(),
        }


class Folder:
    """A folder with the games of one study."""

    def __init__(self, path: Path, plan: Plan, facts: dict[str, Any]) -> None:
        self.path = path
        self.plan = plan
        self.facts = facts
        """The manifest as it was written."""

    # --- opening ------------------------------------------------------------------------------

    @classmethod
    def begin(cls, path: Path, plan: Plan) -> Folder:
        """A new folder; one in which there is something already is left alone."""
        if (path / MANIFEST).exists():
            there = cls.open(path)
            raise SaveError(
                "{path} holds {done} of {games} games already. Go on with --resume, or choose"
                " another --folder.",
                path=str(path),
                done=there.done(),
                games=there.plan.games,
            )
        try:
            if path.exists() and any(path.iterdir()):
                raise SaveError(
                    "{path} is not empty and holds no study; choose another --folder.",
                    path=str(path),
                )
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _unusable(path, error) from error
        folder = cls(path, plan, plan.facts())
        folder._write_manifest()
        return folder

    @classmethod
    def resume(cls, path: Path, plan: Plan) -> Folder:
        """Go on with a folder, also for more games; one of another study is refused."""
        if not (path / MANIFEST).exists():
            raise SaveError(
                "There is nothing to resume in {path}; leave --resume out to begin.",
                path=str(path),
            )
        there = cls.open(path)
        wanted = Plan(plan.study, plan.games, there.plan.chunk, plan.command)
        found, expected = there.facts, wanted.facts()
        for field, here in [*expected["study"].items(), *expected.items()]:
            if field in ("study", "games", "command"):
                continue
            kept = found["study"].get(field) if field in expected["study"] else found.get(field)
            if kept != here:
                raise _another(path, field, kept, here)
        if wanted.games < there.plan.games:
            raise SaveError(
                "{path} is meant for {games} games; --resume can add some, but not take any away.",
                path=str(path),
                games=there.plan.games,
            )
        folder = cls(path, wanted, {**found, "games": wanted.games, "command": wanted.command})
        for draft in path.glob(f"*{records.UNFINISHED}"):
            draft.unlink(missing_ok=True)
        folder._write_manifest()
        return folder

    @classmethod
    def open(cls, path: Path) -> Folder:
        """A folder to be looked at."""
        try:
            facts = json.loads((path / MANIFEST).read_text(encoding="utf-8"))
        except OSError as error:
            if not path.is_dir():
                raise SaveError("There is no folder {path}.", path=str(path)) from error
            raise SaveError("There is no study in {path}.", path=str(path)) from error
        except ValueError as error:
            raise _damaged(path) from error
        if not isinstance(facts, dict) or facts.get("format") != FORMAT:
            raise _damaged(path)
        if facts.get("format_version") != FORMAT_VERSION:
            raise SaveError(
                "{path} was written by another version of the program; this one cannot read it.",
                path=str(path),
            )
        try:
            kind = STUDIES[facts["study"]["kind"]]
            study = kind.from_facts(facts["study"])
            plan = Plan(study, int(facts["games"]), int(facts["chunk"]), str(facts["command"]))
        except (KeyError, TypeError, ValueError) as error:
            raise _damaged(path) from error
        return cls(path, plan, facts)

    # --- what is there ------------------------------------------------------------------------

    def part(self, chunk: int) -> Path:
        return self.path / PARTS.replace("*", f"{chunk:06}")

    def has(self, chunk: int) -> bool:
        """Whether a chunk is there, whole."""
        path = self.part(chunk)
        rows = len(self.plan.numbers(chunk)) * self.plan.study.players
        return path.exists() and records.count(path) == rows

    def missing(self) -> list[int]:
        """The chunks that are still to be played."""
        return [chunk for chunk in range(self.plan.chunks) if not self.has(chunk)]

    def done(self) -> int:
        """How many games are there."""
        rows = sum(max(0, records.count(path)) for path in self._parts())
        return rows // self.plan.study.players

    def keep(self, chunk: int, rows: Sequence[Row]) -> None:
        """Write down a finished chunk."""
        try:
            records.write(self.part(chunk), rows)
        except OSError as error:
            raise _unusable(self.path, error) from error

    def read(self) -> pl.DataFrame:
        """All games that are there; a part that cannot be read is left out."""
        return records.read([path for path in self._parts() if records.count(path) > 0])

    def _parts(self) -> list[Path]:
        return sorted(self.path.glob(PARTS))

    def _write_manifest(self) -> None:
        text = json.dumps(self.facts, ensure_ascii=False, indent=2) + "\n"
        draft = self.path / f"{MANIFEST}.{os.getpid()}{records.UNFINISHED}"
        try:
            draft.write_text(text, encoding="utf-8")
            draft.replace(self.path / MANIFEST)
        except OSError as error:
            raise _unusable(self.path, error) from error


def _unusable(path: Path, error: OSError) -> SaveError:
    return SaveError(
        "The results cannot be kept in {path}: {reason}.", path=str(path), reason=reason(error)
    )


def _damaged(path: Path) -> SaveError:
    return SaveError(
        "{path} does not hold a study: its {manifest} cannot be understood.",
        path=str(path),
        manifest=MANIFEST,
    )


def _another(path: Path, field: str, found: object, wanted: object) -> SaveError:
    if field in ("fingerprint", "version"):
        return SaveError(
            "{path} was played with other rules, cards or bots than this program has; games of both"
            " would not belong together. Choose another --folder.",
            path=str(path),
        )
    return SaveError(
        "{path} holds another study: there «{field}» is {found}, here {wanted}. Choose another"
        " --folder.",
        path=str(path),
        field=field,
        found=json.dumps(found, ensure_ascii=False),
        wanted=json.dumps(wanted, ensure_ascii=False),
    )
