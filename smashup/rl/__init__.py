"""Reinforcement-learning environments: Gymnasium, PettingZoo, OpenSpiel, and batches of games.

Needs ``pip install "smashup[rl]"``; `smashup.rl.openspiel` needs ``smashup[openspiel]`` as well.
"""

from __future__ import annotations

from smashup.extras import install_command

try:
    import greenlet as _greenlet  # noqa: F401
    import numpy as _numpy  # noqa: F401
    import pettingzoo as _pettingzoo  # noqa: F401
except ImportError as error:
    raise ImportError(
        f"smashup.rl needs {error.name}, which is not installed: {install_command('rl')}"
    ) from error

from smashup.rl.environment import env, parallel_env, raw_env
from smashup.rl.fields import table_fields, unflatten
from smashup.rl.gym_env import SmashUpEnv, register
from smashup.rl.pages import MAX_OPTIONS
from smashup.rl.vector import Games, Step, games
from smashup.rl.vocabulary import vocabulary

__all__ = [
    "MAX_OPTIONS",
    "Games",
    "SmashUpEnv",
    "Step",
    "env",
    "games",
    "parallel_env",
    "raw_env",
    "table_fields",
    "unflatten",
    "vocabulary",
]

register()
