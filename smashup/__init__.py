"""The card game Smash Up (unofficial): a rules engine, cards, bots and tools.

>>> from smashup import Game, Setup, catalogue
>>> game = Game(Setup(players=2, seed=7), catalogue())
>>> game.decision is not None
True
>>> game.choose(0)
"""

from smashup.cards import catalogue
from smashup.cards.plugins import with_plugins
from smashup.engine.errors import (
    IllegalChoice,
    ReplayMismatch,
    SaveError,
    SetupError,
    SmashUpError,
)
from smashup.engine.game import Game
from smashup.engine.model.catalogue import Catalogue
from smashup.engine.model.decisions import Decision
from smashup.engine.model.editions import EDITIONS, Edition
from smashup.engine.model.setup import Setup
from smashup.engine.saves.files import load, save
from smashup.engine.views.types import View
from smashup.version import __version__

__all__ = [
    "EDITIONS",
    "Catalogue",
    "Decision",
    "Edition",
    "Game",
    "IllegalChoice",
    "ReplayMismatch",
    "SaveError",
    "Setup",
    "SetupError",
    "SmashUpError",
    "View",
    "__version__",
    "catalogue",
    "load",
    "save",
    "with_plugins",
]
