"""A study: a long list of games, each determined by its number.

The study alone determines the game of a number, so it gives the same result whichever process plays
it, when, and in which order. More games only add numbers.
"""

from __future__ import annotations

import hashlib
import shlex
from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, ClassVar, Final, Self

import smashup
from smashup.bots.bot_game import Teams
from smashup.cards.plugins import with_plugins
from smashup.engine.errors import SetupError
from smashup.engine.model.catalogue import PRINTED, Catalogue
from smashup.engine.model.editions import DEFAULT_EDITION
from smashup.engine.model.setup import Setup
from smashup.lab.game_runner import GameSpec
from smashup.version import __version__

STUDY_CODE: Final = ("game_runner", "matrix", "study", "tournament")
"""Modules of this package that determine the games and their records."""


@dataclass(frozen=True)
class Study(ABC):
    """Base class of studies. The fields are stored in the manifest."""

    kind: ClassVar[str]

    players: int = 2
    seed: int = 1
    edition: str = DEFAULT_EDITION.key
    printing: str = PRINTED
    files: tuple[str, ...] = ()
    """Faction files to load in addition to the built-in factions."""

    @abstractmethod
    def game_spec(self, game: int, cards: Catalogue) -> GameSpec:
        """Return the game with this number."""

    @abstractmethod
    def deals_per_round(self, cards: Catalogue) -> int:
        """Return the number of deals after which every pairing was dealt once."""

    @abstractmethod
    def check(self, cards: Catalogue) -> None:
        """Raise `SetupError` if the study cannot be played."""

    @property
    @abstractmethod
    def bots(self) -> tuple[str, ...]:
        """The bots that play."""

    @abstractmethod
    def command_options(self) -> list[str]:
        """Return the command-line options specific to this kind of study."""

    def command(self, each: int) -> str:
        """Return the command line that plays ``each`` games of each pairing."""
        words = ["smashup", "lab", self.kind, *self.command_options(), "--games", str(each)]
        if self.players != 2:
            words += ["--players", str(self.players)]
        if self.edition != DEFAULT_EDITION.key:
            words += ["--edition", self.edition]
        if self.printing != PRINTED:
            words += ["--printing", self.printing]
        for file in self.files:
            words += ["--faction-file", file]
        return shlex.join([*words, "--seed", str(self.seed)])

    def deal_setup(self, seed: int, factions: Teams) -> Setup:
        """Return the setup of a deal: seat 0 goes first."""
        return Setup(
            players=self.players,
            factions=factions,
            edition=self.edition,
            printing=self.printing,
            seed=seed,
            first=0,
        )

    def check_table(self, cards: Catalogue) -> None:
        """Raise `SetupError` if the tables cannot be set up."""
        Setup(self.players, edition=self.edition, printing=self.printing).check(cards)

    def count_games(self, each: int, cards: Catalogue) -> int:
        """Return the number of games for ``each`` games per pairing, with every deal played from
        every seat.
        """
        return -(-each // self.players) * self.players * self.deals_per_round(cards)

    def cards(self) -> Catalogue:
        """Load the catalogue of the study."""
        return with_plugins(self.files)[0]

    def to_dict(self) -> dict[str, Any]:
        """Return all parameters as plain data."""
        own = {field.name: _to_lists(getattr(self, field.name)) for field in fields(self)}
        return {"kind": self.kind, **own}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """Create a study from plain data; raise KeyError, TypeError or ValueError if invalid."""
        return cls(**{field.name: _to_tuples(data[field.name]) for field in fields(cls)})

    def check_faction_count(self, count: int) -> None:
        if count < 2 * self.players:
            raise SetupError(
                "{players} players need {factions} different factions to choose from.",
                players=self.players,
                factions=2 * self.players,
            )


def _to_lists(value: object) -> Any:
    return [_to_lists(item) for item in value] if isinstance(value, tuple) else value


def _to_tuples(value: object) -> Any:
    return tuple(_to_tuples(item) for item in value) if isinstance(value, list) else value


def fingerprint(files: tuple[str, ...] = ()) -> str:
    """Return a hash of all code that influences games: rules, cards, bots and studies.

    Games with different fingerprints, from other versions or machines, must not be mixed.
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
