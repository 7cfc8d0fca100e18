"""Batches of games: one call answers a decision in each of them.

`games` plays them in this process or in several. The results do not depend on the number of
processes, because each game is dealt from the seed, its slot and its number alone.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from types import TracebackType
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from smashup.engine.errors import SetupError
from smashup.rl.encoding import Encoder, Observation
from smashup.rl.match import Match
from smashup.rl.settings import GameFactory, Settings, make_settings


class Step(NamedTuple):
    """The state of all games. The next step overwrites the arrays: copy what you keep."""

    observation: Observation
    """Observations of the seats that have to decide, one row per game."""
    seats: NDArray[np.int64]
    """The seats that have to decide."""
    rewards: NDArray[np.float32]
    """Rewards of the last action, one row per game and one column per seat."""
    done: NDArray[np.bool_]
    """Games that ended with the last action; a new game has already started in their slot."""
    truncated: NDArray[np.bool_]
    """Those of them that reached the action limit."""


def empty_step(encoder: Encoder, count: int) -> Step:
    """Return zeroed arrays for a number of games."""
    return Step(
        encoder.empty(count),
        np.zeros(count, np.int64),
        np.zeros((count, encoder.players), np.float32),
        np.zeros(count, np.bool_),
        np.zeros(count, np.bool_),
    )


class Games(ABC):
    """A batch of games that advance together."""

    def __init__(self, count: int, settings: Settings) -> None:
        if count < 1:
            raise SetupError("There must be at least one game.")
        self.count = count
        self.settings = settings

    @abstractmethod
    def reset(self, seed: int = 0) -> Step:
        """Deal new games."""

    @abstractmethod
    def step(self, actions: NDArray[Any]) -> Step:
        """Answer the decision of every game, in order."""

    @abstractmethod
    def close(self) -> None:
        """Abandon all games."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _check_actions(self, actions: NDArray[Any]) -> NDArray[np.int64]:
        given = np.asarray(actions)
        if given.shape != (self.count,):
            raise SetupError(
                "{count} games need {count} actions, not an array of shape {shape}.",
                count=self.count,
                shape=str(given.shape),
            )
        return given.astype(np.int64)


class LocalGames(Games):
    """A batch of games in this process."""

    def __init__(
        self, count: int, settings: Settings, first: int = 0, into: Step | None = None
    ) -> None:
        """``first``: slot of the first game among the games of all processes."""
        super().__init__(count, settings)
        self.factory = GameFactory(settings)
        self.first = first
        self.now = into if into is not None else empty_step(self.factory.encoder, count)
        self._parts: list[Observation] = [
            {name: part[i] for name, part in self.now.observation.items()} for i in range(count)
        ]
        self._matches: list[Match] = []
        self._dealt = [0] * count
        self._seed = 0

    def reset(self, seed: int = 0) -> Step:
        self.close()
        self._seed = seed
        self._dealt = [0] * self.count
        self._matches = [self._deal(i) for i in range(self.count)]
        self.now.rewards.fill(0.0)
        self.now.done.fill(False)
        self.now.truncated.fill(False)
        for i in range(self.count):
            self._observe(i)
        return self.now

    def step(self, actions: NDArray[Any]) -> Step:
        if not self._matches:
            raise SetupError("There are no games yet: call reset() first.")
        now = self.now
        act = self.factory.act
        for i, action in enumerate(self._check_actions(actions).tolist()):
            match = self._matches[i]
            now.rewards[i] = act(match, action)
            over = match.is_over
            now.done[i] = over
            now.truncated[i] = over and match.is_truncated
            if over:
                match.game.dispose()
                self._matches[i] = self._deal(i)
            self._observe(i)
        return now

    def close(self) -> None:
        for match in self._matches:
            match.close()
        self._matches = []

    def _deal(self, i: int) -> Match:
        """Deal the next game of a slot from the seed, the slot and its number alone."""
        sequence = np.random.SeedSequence((self._seed, self.first + i, self._dealt[i]))
        self._dealt[i] += 1
        return self.factory.deal(int(sequence.generate_state(1, np.uint64)[0] >> np.uint64(2)))

    def _observe(self, i: int) -> None:
        match = self._matches[i]
        self.now.seats[i] = match.player
        self.factory.encoder.write_match(self._parts[i], match, match.player)


def games(count: int, processes: int = 1, **options: Any) -> Games:
    """Create a batch of games; ``options`` are those of `smashup.rl.settings.make_settings`."""
    settings = make_settings(**options)
    if processes < 1:
        raise SetupError("There must be at least one process.")
    if processes == 1:
        return LocalGames(count, settings)
    from smashup.rl.process_games import ProcessGames

    return ProcessGames(count, settings, min(processes, count))
