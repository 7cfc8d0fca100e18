"""Seats of a game: humans, bots of a level, and random players."""

from __future__ import annotations

import random
import sys
from dataclasses import dataclass
from typing import Final

from smashup.bots.bot import ProgressCallback, ignore_progress
from smashup.bots.information_set import InformationSet
from smashup.bots.levels import LEVELS, make_bot
from smashup.bots.plugins import BotError, registered_names
from smashup.cards.authoring.places import suggest
from smashup.engine.errors import SetupError
from smashup.engine.game import Game
from smashup.engine.model.randomness import derive_seed
from smashup.engine.model.setup import Setup
from smashup.terminal.translation import printable, render, tr

HUMAN: Final = "human"
RANDOM: Final = "random"
SEAT_KINDS: Final = (HUMAN, RANDOM, *(level.name for level in LEVELS))
DEFAULT_OPPONENT: Final = "normal"
"""The bot in seats without a named player."""
MAX_NAME_LENGTH: Final = 20


@dataclass(frozen=True)
class Seat:
    """A seat: who answers for it, and the player's name."""

    kind: str
    name: str

    def __post_init__(self) -> None:
        name = printable(self.name).replace("\n", " ").strip()
        object.__setattr__(self, "name", name[:MAX_NAME_LENGTH])

    @property
    def is_human(self) -> bool:
        return self.kind == HUMAN

    def __str__(self) -> str:
        """The seat as on the command line and in save files."""
        return f"{self.kind}:{self.name}"

    @classmethod
    def parse(cls, text: str, number: int) -> Seat:
        """Parse “human”, “normal” or “hard:Bo”; seats without a name are named by number."""
        kind, _, name = text.strip().partition(":")
        kind = kind.strip().casefold()
        kinds = (*SEAT_KINDS, *registered_names())
        if kind not in kinds:
            raise SetupError(
                "Unknown seat “{text}”.{hint} Use one of {kinds}, optionally with a name, like"
                " human:NAME.",
                text=text.strip(),
                hint=suggest(kind, kinds),
                kinds=", ".join(kinds),
            )
        return cls(kind, name.strip() or default_name(number))


def default_name(number: int) -> str:
    return tr("P{number}", number=number)


def parse_saved_seats(texts: list[str], players: int) -> list[Seat]:
    """Parse the seats of a save file; missing ones are a human against bots."""
    seats: list[Seat] = []
    for number in range(1, players + 1):
        text = texts[number - 1] if number <= len(texts) else ""
        kind, colon, _ = text.partition(":")
        if kind in (*SEAT_KINDS, *registered_names()):
            seats.append(Seat.parse(text, number))
        elif colon:
            raise SetupError(
                "The saved game has a bot called {name}: name its file with --bot-file.", name=kind
            )
        elif text:
            seats.append(Seat(HUMAN, text))
        else:
            seats.append(Seat(HUMAN if number == 1 else DEFAULT_OPPONENT, default_name(number)))
    return seats


def pick_random_answer(setup: Setup, player: int, answered: int, options: int) -> int:
    """Pick a random answer that stays the same after a resume or an undo.

    It depends only on the seed, the player and the number of answers and options.
    """
    seed = setup.secret or setup.seed
    return random.Random(f"{seed}/{player}/{answered}").randrange(options)


def choose_bot_answer(game: Game, kind: str, progress: ProgressCallback = ignore_progress) -> int:
    """Answer the pending decision for a bot or a random player.

    The answer stays the same after a resume or an undo, except for bots with a time limit. A bot
    gets only the information of its seat.
    """
    decision = game.decision
    assert decision is not None
    if kind == RANDOM:
        answered = len(game.answers)
        return pick_random_answer(game.setup, decision.player, answered, len(decision.options))
    if len(decision.options) == 1:
        return 0
    bot = make_bot(kind, derive_bot_seed(game))
    bot.is_strict = True
    try:
        return bot.choose(InformationSet(game), progress)
    except Exception as error:
        if isinstance(error, BotError):
            print(error.details + render(error.message), file=sys.stderr)
        return bot.rng.randrange(len(decision.options))


def derive_bot_seed(game: Game) -> int:
    """Derive the seed of the bot that answers the pending decision."""
    decision = game.decision
    assert decision is not None
    return derive_seed(game.setup, decision.player, len(game.answers))
