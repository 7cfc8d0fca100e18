"""Many games in step: one call answers a decision in each of them.

`games` plays them in this process, or spread over several; the results are the same however many
processes there are, because each game is dealt from the seed, its place and its number alone.
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
from smashup.rl.settings import House, Settings, settings


class Step(NamedTuple):
    """Where all games stand. The arrays are written anew by the next step: copy what you keep."""

    observation: Observation
    """What the seat that has to decide sees, a row a game."""
    seats: NDArray[np.int64]
    """Which seat that is."""
    rewards: NDArray[np.float32]
    """What the last action was worth, a row a game, a column a seat."""
    over: NDArray[np.bool_]
    """Games that ended with the last action; in their place a new one has already begun."""
    cut: NDArray[np.bool_]
    """Those of them that were cut short."""


def blank(encoder: Encoder, count: int) -> Step:
    """Arrays for so many games."""
    return Step(
        encoder.empty(count),
        np.zeros(count, np.int64),
        np.zeros((count, encoder.players), np.float32),
        np.zeros(count, np.bool_),
        np.zeros(count, np.bool_),
    )


class Games(ABC):
    """So many games that go on in step."""

    def __init__(self, count: int, terms: Settings) -> None:
        if count < 1:
            raise SetupError("There must be one game at least.")
        self.count = count
        self.settings = terms

    @abstractmethod
    def reset(self, seed: int = 0) -> Step:
        """Deal all games anew."""

    @abstractmethod
    def step(self, actions: NDArray[Any]) -> Step:
        """Answer the decision of every game, in their order."""

    @abstractmethod
    def close(self) -> None:
        """Leave all games."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _checked(self, actions: NDArray[Any]) -> NDArray[np.int64]:
        given = np.asarray(actions)
        if given.shape != (self.count,):
            raise SetupError(
                "{count} games need {count} actions, not an array of shape {shape}.",
                count=self.count,
                shape=str(given.shape),
            )
        return given.astype(np.int64)


class LocalGames(Games):
    """Games played one after the other in this process."""

    def __init__(
        self, count: int, terms: Settings, first: int = 0, into: Step | None = None
    ) -> None:
        """``first``: the place of the first game among all that go on, here and elsewhere."""
        super().__init__(count, terms)
        self.house = House(terms)
        self.first = first
        self.now = into if into is not None else blank(self.house.encoder, count)
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
        self.now.over.fill(False)
        self.now.cut.fill(False)
        for i in range(self.count):
            self._tell(i)
        return self.now

    def step(self, actions: NDArray[Any]) -> Step:
        if not self._matches:
            raise SetupError("There are no games yet: call reset() first.")
        now = self.now
        act = self.house.act
        for i, action in enumerate(self._checked(actions).tolist()):
            match = self._matches[i]
            now.rewards[i] = act(match, action)
            over = match.is_over
            now.over[i] = over
            now.cut[i] = over and match.is_cut
            if over:
                match.game.put_away()
                self._matches[i] = self._deal(i)
            self._tell(i)
        return now

    def close(self) -> None:
        for match in self._matches:
            match.close()
        self._matches = []

    def _deal(self, i: int) -> Match:
        """The next game in this place, from the seed, the place and its number alone."""
        sequence = np.random.SeedSequence((self._seed, self.first + i, self._dealt[i]))
        self._dealt[i] += 1
        return self.house.deal(int(sequence.generate_state(1, np.uint64)[0] >> np.uint64(2)))

    def _tell(self, i: int) -> None:
        match = self._matches[i]
        self.now.seats[i] = match.player
        self.house.encoder.write_match(self._parts[i], match, match.player)


def games(count: int, processes: int = 1, **options: Any) -> Games:
    """So many games in step; ``options`` are those of `smashup.rl.settings.settings`."""
    terms = settings(**options)
    if processes < 1:
        raise SetupError("There must be one process at least.")
    if processes == 1:
        return LocalGames(count, terms)
    from smashup.rl.fleet import Fleet

    return Fleet(count, terms, min(processes, count))
