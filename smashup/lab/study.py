"""A study: a long list of games, each fixed by its number.

Which game a number means follows from the study alone, so it does not matter who plays it, when,
in which order or how often: the same game comes out. Studies grow: more games only add numbers.
"""

from __future__ import annotations

import hashlib
import shlex
from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, ClassVar, Final, Self

import smashup
from smashup.cards.plugins import with_plugins
from smashup.engine.errors import SetupError
from smashup.engine.model.catalogue import PRINTED, Catalogue
from smashup.engine.model.editions import DEFAULT_EDITION
from smashup.engine.model.setup import Setup
from smashup.lab.playing import Job
from smashup.version import __version__

STUDY_CODE: Final = ("matrix", "playing", "study", "tournament")
"""The modules of this package on which it depends which games are played, and what is kept."""


@dataclass(frozen=True)
class Study(ABC):
    """What all studies have in common."""

    kind: ClassVar[str]

    players: int = 2
    seed: int = 1
    edition: str = DEFAULT_EDITION.key
    printing: str = PRINTED
    files: tuple[str, ...] = ()
    """Faction files the cards come from, besides those of the project."""

    @abstractmethod
    def job(self, game: int, cards: Catalogue) -> Job:
        """The game of a number."""

    @abstractmethod
    def round(self, cards: Catalogue) -> int:
        """How many deals there are until everything was dealt once."""

    @abstractmethod
    def check(self, cards: Catalogue) -> None:
        """Refuse a study that cannot be played, in a sentence."""

    @property
    @abstractmethod
    def bots(self) -> tuple[str, ...]:
        """Who plays."""

    @abstractmethod
    def options(self) -> list[str]:
        """What to type for what only this sort of study has."""

    def command(self, each: int) -> str:
        """What to type to play so many games of each anew."""
        words = ["smashup", "lab", self.kind, *self.options(), "--games", str(each)]
        if self.players != 2:
            words += ["--players", str(self.players)]
        if self.edition != DEFAULT_EDITION.key:
            words += ["--edition", self.edition]
        if self.printing != PRINTED:
            words += ["--printing", self.printing]
        for file in self.files:
            words += ["--faction-file", file]
        return shlex.join([*words, "--seed", str(self.seed)])

    def check_table(self, cards: Catalogue) -> None:
        """Refuse tables that cannot be set up."""
        Setup(self.players, edition=self.edition, printing=self.printing).check(cards)

    def games(self, each: int, cards: Catalogue) -> int:
        """How many games it takes to play so many of each, every deal once from every seat."""
        return -(-each // self.players) * self.players * self.round(cards)

    def cards(self) -> Catalogue:
        """The cards it is played with."""
        return with_plugins(self.files)[0]

    def facts(self) -> dict[str, Any]:
        """All that makes this study what it is, as plain data."""
        own = {field.name: _plain(getattr(self, field.name)) for field in fields(self)}
        return {"kind": self.kind, **own}

    @classmethod
    def from_facts(cls, facts: dict[str, Any]) -> Self:
        """A study from plain data; where that is not one, one of Python's own errors."""
        return cls(**{field.name: _frozen(facts[field.name]) for field in fields(cls)})

    def check_faction_count(self, count: int) -> None:
        if count < 2 * self.players:
            raise SetupError(
                "{players} players need {factions} different factions to choose from.",
                players=self.players,
                factions=2 * self.players,
            )


def _plain(value: object) -> Any:
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def _frozen(value: object) -> Any:
    return tuple(_frozen(item) for item in value) if isinstance(value, list) else value


def fingerprint(files: tuple[str, ...] = ()) -> str:
    """What the program is that plays: a change of rules, cards, bots or studies makes it another.

    Games from before and after such a change do not belong together, nor do those of machines that
    have different versions.
    """
    digest = hashlib.blake2b(__version__.encode(), digest_size=8)
    home = Path(smashup.__file__).parent
    found = [path for part in ("engine", "cards", "bots") for path in (home / part).rglob("*.*")]
    sources = sorted(path for path in found if path.suffix in (".py", ".json"))
    studies = [home / "lab" / f"{name}.py" for name in STUDY_CODE]
    for path in [*sources, *studies, *(Path(file) for file in files)]:
        digest.update(path.name.encode())
        digest.update(path.read_bytes().replace(b"\r\n", b"\n"))
    return digest.hexdigest()
