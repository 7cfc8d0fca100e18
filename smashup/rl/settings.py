"""Settings of games and observations, shared by all interfaces of this package."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from os import PathLike, fspath
from typing import Any

from smashup.cards import catalogue
from smashup.cards.plugins import with_plugins
from smashup.engine.errors import SetupError
from smashup.engine.model.catalogue import PRINTED, Catalogue
from smashup.engine.model.editions import DEFAULT_EDITION
from smashup.engine.model.setup import Setup
from smashup.rl.encoding import Encoder
from smashup.rl.match import ACTION_LIMIT, Match
from smashup.rl.pages import MAX_OPTIONS
from smashup.rl.rewards import POINTS, REWARDS, WIN, game_rewards, point_rewards
from smashup.rl.vocabulary import Vocabulary, vocabulary


@dataclass(frozen=True)
class Settings:
    """Plain data that can be sent to other processes; `make_settings` creates and checks it."""

    setup: Setup
    reward: str = WIN
    skip_forced: bool = True
    """Whether decisions with a single option are answered automatically."""
    max_options: int = MAX_OPTIONS
    max_actions: int = ACTION_LIMIT
    normalized: bool = False
    """Whether observations are scaled to numbers between -1 and 1."""
    faction_files: tuple[str, ...] = ()
    """Faction files to load in addition to the built-in factions."""

    @property
    def players(self) -> int:
        return self.setup.players


def make_settings(
    players: int = 2,
    factions: Sequence[Sequence[str]] = (),
    pool: Sequence[str] = (),
    draft: bool = False,
    edition: str = DEFAULT_EDITION.key,
    printing: str = PRINTED,
    reward: str = WIN,
    skip_forced: bool = True,
    max_options: int = MAX_OPTIONS,
    max_actions: int = ACTION_LIMIT,
    normalized: bool = False,
    faction_files: Sequence[str | PathLike[str]] = (),
    cards: Catalogue | None = None,
    **others: Any,
) -> Settings:
    """Check the options of `env`, `games` and the other interfaces.

    ``factions``: two names per player, or none for random ones (from ``pool``, or all).
    ``faction_files``: files with factions of your own. ``cards``: a catalogue instead of these.
    ``others``: further parameters of a `Setup` (``first``, ``madness``, ...).
    """
    files = tuple(fspath(file) for file in faction_files)
    setup = Setup.from_json(
        {
            "players": players,
            "factions": [list(pair) for pair in factions],
            "pool": list(pool),
            "draft": draft,
            "edition": edition,
            "printing": printing,
            **others,
        }
    )
    setup.check(cards if cards is not None else load_cards(files))
    if reward not in REWARDS:
        raise SetupError(
            "Unknown reward “{reward}”; there are {known}.",
            reward=reward,
            known=", ".join(REWARDS),
        )
    if max_options < 2:
        raise SetupError("There must be at least two option slots.")
    if max_actions < 1:
        raise SetupError("A game needs at least one action.")
    return Settings(setup, reward, skip_forced, max_options, max_actions, normalized, files)


def load_cards(files: tuple[str, ...]) -> Catalogue:
    """Return the built-in factions, and those of the files."""
    return with_plugins(files)[0] if files else catalogue()


class GameFactory:
    """Creates games with the same settings; holds their catalogue, vocabulary and encoder."""

    def __init__(self, settings: Settings, cards: Catalogue | None = None) -> None:
        self.settings = settings
        self.catalogue = cards if cards is not None else load_cards(settings.faction_files)
        self.vocabulary = (
            vocabulary() if self.catalogue is catalogue() else Vocabulary(self.catalogue)
        )
        self.encoder = Encoder(
            settings.players, settings.max_options, self.vocabulary, settings.normalized
        )

    def deal(self, seed: int) -> Match:
        """Create a new game."""
        settings = self.settings
        return Match(
            replace(settings.setup, seed=seed),
            self.catalogue,
            self.vocabulary,
            settings.max_options,
            settings.skip_forced,
            settings.max_actions,
        )

    def act(self, match: Match, action: int) -> list[float]:
        """Apply the current player's action and return the reward of each seat."""
        before = match.game.table.state.vp[:]
        match.act(action)
        return self._rewards(match, before)

    def choose(self, match: Match, option: int) -> list[float]:
        """The same with an option on any page, for bots."""
        before = match.game.table.state.vp[:]
        match.choose(option)
        return self._rewards(match, before)

    def _rewards(self, match: Match, before: list[int]) -> list[float]:
        state = match.game.table.state
        if self.settings.reward == POINTS:
            return point_rewards(before, state.vp)
        return game_rewards(match.game.table.num_players, state.winners if match.is_over else [])
