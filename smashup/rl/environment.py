"""Smash Up as a PettingZoo environment: agents take turns, each picks one of its options.

>>> from smashup.rl import env
>>> table = env(players=2)
>>> table.reset(seed=7)
>>> for agent in table.agent_iter():
...     observation, reward, terminated, truncated, info = table.last()
...     space = table.action_space(agent)
...     table.step(None if terminated or truncated else space.sample(observation["action_mask"]))
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.conversions import turn_based_aec_to_parallel
from pettingzoo.utils.wrappers import OrderEnforcingWrapper, TerminateIllegalWrapper

from smashup.engine.errors import IllegalChoice, SetupError
from smashup.engine.game import Game
from smashup.engine.model.catalogue import Catalogue
from smashup.rl.encoding import Encoder, Observation
from smashup.rl.fields import ENCODING_VERSION, OPTION_COLUMNS, Field, table_fields
from smashup.rl.match import Match
from smashup.rl.settings import GameFactory, make_settings
from smashup.rl.text_view import render_text

ILLEGAL_REWARD: Final = -1.0
"""Reward for an action outside the mask; the action ends the game."""

Agent = str


def observation_space(encoder: Encoder) -> Dict:
    """Return the space of all observations."""
    empty = encoder.empty()
    mask = Box(0, 1, empty["action_mask"].shape, np.int8)
    if encoder.normalized:
        parts = {
            name: Box(-1, 1, empty[name].shape) for name in ("observation", "cards", "options")
        }
        return Dict({**parts, "action_mask": mask})
    return Dict(
        {
            "observation": _box(table_fields(encoder.players), empty["observation"]),
            "cards": Box(0, np.iinfo(np.int16).max, empty["cards"].shape, np.int16),
            "options": _box(OPTION_COLUMNS, empty["options"]),
            "action_mask": mask,
        }
    )


def _box(fields: Sequence[Field], like: np.ndarray[Any, Any]) -> Box:
    """Return a box with the bounds of the fields, concatenated along the last dimension."""
    low = np.concatenate([np.full(f.size, f.low, like.dtype) for f in fields])
    high = np.concatenate([np.full(f.size, f.high, like.dtype) for f in fields])
    shape = like.shape
    return Box(np.broadcast_to(low, shape), np.broadcast_to(high, shape), dtype=like.dtype.type)


def env(**options: Any) -> AECEnv[Agent, Any, Any]:
    """Create the environment with wrappers that catch misuse.

    An illegal action ends the game and costs its agent 1.
    """
    guarded = TerminateIllegalWrapper(raw_env(**options), illegal_reward=ILLEGAL_REWARD)
    return OrderEnforcingWrapper(guarded)


def parallel_env(**options: Any) -> ParallelEnv[Agent, Any, Any]:
    """Create the environment for PettingZoo's parallel API: all agents act in every step.

    Only the action of the agent that decides counts; the masks of all others are empty.
    """
    return turn_based_aec_to_parallel(env(**options))


class raw_env(AECEnv[Agent, Any, Any]):  # noqa: N801 -- PettingZoo's name for it
    """The environment without wrappers; an illegal action raises `IllegalChoice`."""

    metadata: dict[str, Any] = {  # noqa: RUF012 -- as PettingZoo has it
        "name": f"smash_up_v{ENCODING_VERSION}",
        "render_modes": ["human", "ansi"],
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self, render_mode: str | None = None, cards: Catalogue | None = None, **options: Any
    ) -> None:
        """``options`` are those of `smashup.rl.settings.make_settings`."""
        super().__init__()
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise SetupError("Unknown render mode “{mode}”.", mode=render_mode)
        self.settings = make_settings(cards=cards, **options)
        self.factory = GameFactory(self.settings, cards)
        self.render_mode = render_mode
        self.possible_agents = [f"player_{i}" for i in range(self.settings.players)]
        self._seat_of = {agent: i for i, agent in enumerate(self.possible_agents)}
        space = observation_space(self.factory.encoder)
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {
            agent: Discrete(self.settings.max_options) for agent in self.possible_agents
        }
        self.match: Match | None = None
        self._rng = np.random.default_rng()

    def observation_space(self, agent: Agent) -> Dict:
        space = self.observation_spaces[agent]
        assert isinstance(space, Dict)
        return space

    def action_space(self, agent: Agent) -> Discrete:
        space = self.action_spaces[agent]
        assert isinstance(space, Discrete)
        return space

    @property
    def game(self) -> Game:
        """The current game, for bots and inspection."""
        return self._running().game

    def _running(self) -> Match:
        if self.match is None:
            raise SetupError("There is no game yet: call reset() first.")
        return self.match

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game. The same seed deals the same sequence of games."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        if self.match is not None:
            self.match.close()
        self.match = self.factory.deal(int(self._rng.integers(1 << 62)))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[Agent, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[max(self.match.player, 0)]

    def observe(self, agent: Agent) -> Observation:
        """Return the agent's observation; options and mask are empty unless it has to decide."""
        match = self._running()
        seen = self.factory.encoder.empty()
        self.factory.encoder.write_match(seen, match, self._seat_of[agent])
        return seen

    def step(self, action: int | np.integer[Any] | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise IllegalChoice("An agent that is still in the game has to act, not None.")
        match = self._running()
        worth = self.factory.act(match, int(action))
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(self.possible_agents, worth, strict=True))
        if match.is_over:
            self.terminations = dict.fromkeys(self.agents, not match.is_truncated)
            self.truncations = dict.fromkeys(self.agents, match.is_truncated)
            self._accumulate_rewards()
            self._deads_step_first()
        else:
            self.agent_selection = self.possible_agents[match.player]
            self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """Print (``human``) or return (``ansi``) the table as text."""
        match = self._running()
        text = render_text(match.game, match.decision)
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        if self.match is not None:
            self.match.close()
