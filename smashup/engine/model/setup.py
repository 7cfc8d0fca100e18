"""The setup of a game: players, factions, edition, printing, seed."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from smashup.engine.errors import SetupError, clipped
from smashup.engine.model.catalogue import PRINTED, PRINTINGS
from smashup.engine.model.constants import NONE
from smashup.engine.model.editions import DEFAULT_EDITION, EDITIONS, Edition
from smashup.engine.model.messages import Name
from smashup.engine.model.randomness import GENERATORS, KEYED, LINEAR, parse_secret

if TYPE_CHECKING:
    from smashup.engine.model.catalogue import Catalogue


MAX_NUMBER: Final = 1_000
MAX_POOL: Final = 1_000
"""The maximum number of factions in a setup."""
_BOUNDS: Final = {"seed": 1 << 256}


@dataclass(frozen=True)
class Setup:
    """The plain data that, together with the answers, determines a game."""

    players: int = 2
    factions: tuple[tuple[str, ...], ...] = ()
    """Two faction names per player; empty for random ones, unless `draft`."""
    draft: bool = False
    """Kickin' It Queensberry: players pick in snake order from a pool."""
    pool: tuple[str, ...] = ()
    """Factions available in the draft or for random picks; empty for all."""
    edition: str = DEFAULT_EDITION.key
    printing: str = PRINTED
    seed: int = 0
    first: int = -1
    """The first player; -1 for a random one."""
    optional_titans: bool = False
    """Whether the titans of the later event kit take part."""
    madness: bool = False
    """Whether the Madness deck is on the table even if no faction in the game uses it."""
    duplicates: bool = False
    """Whether different players may have the same faction in a draft or at random (two boxes)."""
    ask_everyone: bool = False
    """Whether all players who might hold a Special are asked in windows for Specials, so that being
    asked reveals nothing."""
    generator: str = LINEAR
    """The generator of randomness: linear, from `seed`, or keyed, from `secret`."""
    secret: str = field(default="", repr=False)
    """The key of the keyed generator in hexadecimal digits, 128 bits or more. It determines every
    hidden card of the game, so it is stored but not shown to any player before the game is over."""

    @property
    def key(self) -> bytes:
        """The secret as bytes; empty for the linear generator."""
        return (parse_secret(self.secret) or b"") if self.generator == KEYED else b""

    @property
    def rules(self) -> Edition:
        return EDITIONS[self.edition]

    def without_seed(self) -> Setup:
        """Return the setup without what reveals the shuffling."""
        return replace(self, seed=0, generator=LINEAR, secret="")

    def check(self, catalogue: Catalogue) -> None:
        """Raise a `SetupError` if the game cannot be set up."""
        if not 2 <= self.players <= 4:
            raise SetupError("Smash Up is for 2 to 4 players, not {players}.", players=self.players)
        if self.edition not in EDITIONS:
            raise SetupError(
                "Unknown edition “{edition}”; there are {known}.",
                edition=clipped(self.edition),
                known=", ".join(EDITIONS),
            )
        if self.printing not in PRINTINGS:
            raise SetupError(
                "Unknown printing “{printing}”; there are {known}.",
                printing=clipped(self.printing),
                known=", ".join(PRINTINGS),
            )
        if not -1 <= self.first < self.players:
            raise SetupError(
                "Player {number} cannot go first: there is no such player.", number=self.first + 1
            )
        self._check_generator()
        for name in self.pool:
            catalogue.faction(name)
        if self.factions:
            self._check_factions(catalogue)
        elif not self.duplicates and len(self.pool or catalogue.factions) < 2 * self.players:
            raise SetupError(
                "{players} players need {factions} different factions to choose from.",
                players=self.players,
                factions=2 * self.players,
            )

    def _check_generator(self) -> None:
        if self.generator not in GENERATORS:
            raise SetupError(
                "Unknown generator “{generator}”; there are {known}.",
                generator=clipped(self.generator),
                known=", ".join(GENERATORS),
            )
        if self.generator == KEYED and not self.key:
            # The message does not repeat the secret, since it could end up in a log.
            raise SetupError("The secret in the setup is not a key of 128 to 512 bits.")
        if self.generator == LINEAR and self.secret:
            raise SetupError("A setup with a secret needs the generator {known}.", known=KEYED)

    def _check_factions(self, catalogue: Catalogue) -> None:
        if len(self.factions) != self.players:
            raise SetupError(
                "Factions are given for {given} players, but {players} play.",
                given=len(self.factions),
                players=self.players,
            )
        for number, pair in enumerate(self.factions, 1):
            if len(pair) != 2:
                raise SetupError(
                    "P{number} needs two factions, not {given}.", number=number, given=len(pair)
                )
            names = [catalogue.faction(name).name for name in pair]
            if names[0] == names[1]:
                raise SetupError(
                    "P{number} cannot take {faction} twice: a deck is two different factions.",
                    number=number,
                    faction=Name("faction", NONE, names[0]),
                )

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Any) -> Setup:
        """Create a setup from plain data; raise a `SetupError` for anything unexpected."""
        if not isinstance(data, dict):
            raise SetupError("A setup is an object with names and values.")
        known = {name: type(value) for name, value in asdict(cls()).items()}
        for name, value in data.items():
            if name not in known:
                raise SetupError("A setup has no field “{name}”.", name=clipped(name))
            expected = list if known[name] is tuple else known[name]
            if not isinstance(value, expected | tuple) or (
                expected is int and isinstance(value, bool)
            ):
                raise SetupError(
                    "“{name}” in the setup should be a {sort}.", name=name, sort=expected.__name__
                )
            if isinstance(value, int) and abs(value) > _BOUNDS.get(name, MAX_NUMBER):
                raise SetupError("“{name}” in the setup is out of range.", name=name)
        fields = dict(data)
        if "factions" in fields:
            rows = fields["factions"]
            if len(rows) > MAX_POOL or not all(
                isinstance(row, list | tuple) and all(isinstance(x, str) for x in row)
                for row in rows
            ):
                raise SetupError("“factions” in the setup should be lists of names.")
            fields["factions"] = tuple(tuple(row) for row in rows)
        if "pool" in fields:
            pool = fields["pool"]
            if len(pool) > MAX_POOL or not all(isinstance(x, str) for x in pool):
                raise SetupError("“pool” in the setup should be a list of names.")
            fields["pool"] = tuple(fields["pool"])
        return cls(**fields)
