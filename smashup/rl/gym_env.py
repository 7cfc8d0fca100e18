"""Smash Up as a Gymnasium environment: one seat learns, bots play the others.

>>> import gymnasium
>>> import smashup.rl  # registers the environment
>>> env = gymnasium.make("SmashUp-v0", opponents="easy")
>>> observation, info = env.reset(seed=7)
>>> mask = env.get_wrapper_attr("action_masks")().astype("int8")  # as Gymnasium's `sample` wants it
>>> observation, reward, terminated, truncated, info = env.step(env.action_space.sample(mask))
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space
from numpy.typing import NDArray

from smashup.bots.bot import Bot, RandomBot
from smashup.bots.information_set import InformationSet
from smashup.bots.levels import make_bot
from smashup.engine.errors import SetupError
from smashup.engine.game import Game
from smashup.engine.model.catalogue import Catalogue
from smashup.rl.environment import ILLEGAL_REWARD, observation_space
from smashup.rl.flat import FlatEncoder
from smashup.rl.match import Match
from smashup.rl.settings import GameFactory, make_settings
from smashup.rl.text_view import render_text

ENVIRONMENT_ID: Final = "SmashUp-v0"
FLAT: Final = "flat"
"""One vector: `smashup.rl.flat`."""
MASKED: Final = "masked"
"""``obs`` (the vector) and ``mask``, the dictionary that Tianshou expects."""
ARRAYS: Final = "arrays"
"""The arrays of the PettingZoo environment."""
OBSERVATIONS: Final = (FLAT, MASKED, ARRAYS)
MAX_OPTIONS: Final = 64
"""Default number of actions; 1 of 2,400 decisions has more options and gets pages."""
MAX_DEALS: Final = 100
"""How many games `reset` deals until one reaches a decision of the learning seat."""


class SmashUpEnv(gymnasium.Env[Any, Any]):
    """One learning seat against bots. An action outside the mask loses the game."""

    metadata: dict[str, Any] = {  # noqa: RUF012 -- as Gymnasium has it
        "render_modes": ["human", "ansi"],
        "render_fps": 2,
    }

    def __init__(
        self,
        opponents: str | Sequence[str] = "easy",
        seat: int | None = None,
        observation: str = FLAT,
        render_mode: str | None = None,
        max_options: int = MAX_OPTIONS,
        cards: Catalogue | None = None,
        normalized: bool = False,
        **options: Any,
    ) -> None:
        """``opponents``: a bot for all other seats, or one for each, clockwise from the learner.

        ``seat``: the learner's seat, or None for a random one in each game. ``normalized``: for
        ``arrays``, as flat observations always are. ``options`` are those of
        `smashup.rl.settings.make_settings`.
        """
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise SetupError("Unknown render mode “{mode}”.", mode=render_mode)
        if observation not in OBSERVATIONS:
            raise SetupError(
                "Unknown observation “{observation}”; there are {known}.",
                observation=observation,
                known=", ".join(OBSERVATIONS),
            )
        self.settings = make_settings(
            cards=cards,
            max_options=max_options,
            normalized=normalized and observation == ARRAYS,
            **options,
        )
        self.factory = GameFactory(self.settings, cards)
        self.flat = FlatEncoder(self.factory.encoder)
        self.opponents = self._check_opponents(opponents)
        if seat is not None and not 0 <= seat < self.settings.players:
            raise SetupError("There is no seat {seat}.", seat=seat)
        self.fixed_seat = seat
        self.observation_format = observation
        self.render_mode = render_mode
        self.observation_space = self._observation_space()
        self.action_space = Discrete(max_options)
        self.seat = 0
        """The learner's seat in the current game."""
        self._match: Match | None = None
        self._bots: dict[int, Bot] = {}
        self._seen = self.factory.encoder.empty()

    @property
    def game(self) -> Game:
        """The current game, for inspection: it contains all hidden cards."""
        return self._running().game

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Deal a new game and play until the learner decides."""
        super().reset(seed=seed)
        for _ in range(MAX_DEALS):
            self._deal()
            self._play_bots()
            if not self._running().is_over:
                return self._observe(), self._info()
        raise SetupError("The games end before the learner decides; raise max_actions.")

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Take an action, and play until the learner decides again or the game is over."""
        match = self._running()
        if match.is_over:
            raise SetupError("The game is over: call reset() first.")
        slot = int(action)
        if slot not in match.page.actions(match.slots):
            match.close()
            self._write()
            info = {**self._info(), "illegal_action": slot}
            return self._observe(), ILLEGAL_REWARD, True, False, info
        reward = self.factory.act(match, slot)[self.seat] + self._play_bots()
        if self.render_mode == "human":
            self.render()
        state = match.game.table.state
        return self._observe(), reward, state.over, match.is_truncated, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are legal now; sb3-contrib calls this."""
        return self._seen["action_mask"].astype(np.bool_)

    def render(self) -> str | None:
        """Print (``human``) or return (``ansi``) the table as the learner sees it."""
        match = self._running()
        text = render_text(match.game, match.decision, self.seat)
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        if self._match is not None:
            self._match.close()

    def _check_opponents(self, opponents: str | Sequence[str]) -> tuple[str, ...]:
        count = self.settings.players - 1
        names = (opponents,) * count if isinstance(opponents, str) else tuple(opponents)
        if len(names) != count:
            raise SetupError(
                "{players} players need {count} opponents, not {given}.",
                players=self.settings.players,
                count=count,
                given=len(names),
            )
        for name in names:
            make_bot(name)
        return names

    def _observation_space(self) -> Space[Any]:
        if self.observation_format == ARRAYS:
            return observation_space(self.factory.encoder)
        vector = Box(-1.0, 1.0, (self.flat.size,), np.float32)
        if self.observation_format == FLAT:
            return vector
        mask = Box(0, 1, (self.settings.max_options,), np.int8)
        return Dict({"obs": vector, "mask": mask})

    def _deal(self) -> None:
        self.close()
        players = self.settings.players
        seeds = self.np_random.integers(1 << 62, size=players + 1).tolist()
        drawn = int(self.np_random.integers(players))
        self.seat = drawn if self.fixed_seat is None else self.fixed_seat
        self._match = self.factory.deal(seeds[0])
        self._bots = {
            (self.seat + 1 + i) % players: make_bot(name, seeds[i + 1])
            for i, name in enumerate(self.opponents)
        }
        for bot in self._bots.values():
            bot.is_strict = True

    def _play_bots(self) -> float:
        """Let the bots decide until it is the learner's turn; return the learner's rewards."""
        match = self._running()
        reward = 0.0
        while (decision := match.decision) is not None and decision.player != self.seat:
            bot = self._bots[decision.player]
            if isinstance(bot, RandomBot):
                option = bot.rng.randrange(len(decision.options))
            else:
                option = bot.choose(InformationSet(match.game))
            reward += self.factory.choose(match, option)[self.seat]
        self._write()
        return reward

    def _write(self) -> None:
        self.factory.encoder.write_match(self._seen, self._running(), self.seat)

    def _observe(self) -> Any:
        if self.observation_format == ARRAYS:
            return {name: part.copy() for name, part in self._seen.items()}
        vector = self.flat.encode(self._seen)
        if self.observation_format == FLAT:
            return vector
        return {"obs": vector, "mask": self._seen["action_mask"].copy()}

    def _info(self) -> dict[str, Any]:
        state = self._running().game.table.state
        info: dict[str, Any] = {"seat": self.seat, "vp": list(state.vp)}
        if state.over:
            info["winners"] = list(state.winners)
        return info

    def _running(self) -> Match:
        if self._match is None:
            raise SetupError("There is no game yet: call reset() first.")
        return self._match


def register() -> None:
    """Register the environment with Gymnasium."""
    if ENVIRONMENT_ID not in gymnasium.registry:
        gymnasium.register(ENVIRONMENT_ID, "smashup.rl.gym_env:SmashUpEnv")
