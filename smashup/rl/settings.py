"""What games are played, and how they are told: shared by all ways into this package."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from smashup.cards import catalogue
from smashup.engine.errors import SetupError
from smashup.engine.model.catalogue import PRINTED, Catalogue
from smashup.engine.model.editions import DEFAULT_EDITION
from smashup.engine.model.setup import Setup
from smashup.rl.encoding import Encoder
from smashup.rl.match import ACTION_LIMIT, Match
from smashup.rl.pages import MAX_OPTIONS
from smashup.rl.rewards import POINTS, REWARDS, WIN, outcome, points
from smashup.rl.vocabulary import Vocabulary, vocabulary


@dataclass(frozen=True)
class Settings:
    """Plain data that travels to other processes; `settings` makes and checks it."""

    setup: Setup
    reward: str = WIN
    skip_forced: bool = True
    """Whether decisions with a single option are taken without asking."""
    max_options: int = MAX_OPTIONS
    max_actions: int = ACTION_LIMIT

    @property
    def players(self) -> int:
        return self.setup.players


def settings(
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
    cards: Catalogue | None = None,
    **others: Any,
) -> Settings:
    """What the options of `env`, `games` and the like mean.

    ``factions``: two names a player, or none for random ones (of ``pool``, or of all). ``others``:
    whatever else a `Setup` knows (``first``, ``madness``, ...).
    """
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
    setup.check(cards if cards is not None else catalogue())
    if reward not in REWARDS:
        raise SetupError(
            "Unknown reward «{reward}»; there are {known}.",
            reward=reward,
            known=", ".join(REWARDS),
        )
    if max_options < 2:
        raise SetupError("There must be two slots for options at least.")
    if max_actions < 1:
        raise SetupError("A game needs one action at least.")
    return Settings(setup, reward, skip_forced, max_options, max_actions)


class House:
    """Everything that games of one sort have in common: cards, numbers, encoder."""

    def __init__(self, terms: Settings, cards: Catalogue | None = None) -> None:
        self.settings = terms
        self.catalogue = cards if cards is not None else catalogue()
        self.vocabulary = vocabulary() if cards is None else Vocabulary(cards)
        self.encoder = Encoder(terms.players, terms.max_options, self.vocabulary)

    def deal(self, seed: int) -> Match:
        """A new game."""
        terms = self.settings
        return Match(
            replace(terms.setup, seed=seed),
            self.catalogue,
            self.vocabulary,
            terms.max_options,
            terms.skip_forced,
            terms.max_actions,
        )

    def act(self, match: Match, action: int) -> list[float]:
        """Let the player who decides act; what that was worth to each seat."""
        before = match.game.table.state.vp[:]
        match.act(action)
        state = match.game.table.state
        if self.settings.reward == POINTS:
            return points(before, state.vp)
        return outcome(match.game.table.num_players, state.winners if match.is_over else [])
