"""Who sits at the table: people, bots of some level, and players who answer at random."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final

from smashup.bots.bot import Progress, no_progress
from smashup.bots.ladder import LEVELS, make_bot
from smashup.bots.sight import Sight
from smashup.engine.errors import SetupError
from smashup.engine.game import Game
from smashup.engine.model.randomness import derive_seed
from smashup.engine.model.setup import Setup
from smashup.terminal.translation import printable, tr

HUMAN: Final = "human"
RANDOM: Final = "random"
KINDS: Final = (HUMAN, RANDOM, *(level.name for level in LEVELS))
OPPONENT: Final = "normal"
"""Who sits where nobody else was named."""
LONGEST_NAME: Final = 20


@dataclass(frozen=True)
class Seat:
    """One player: what answers for them, and what they are called."""

    kind: str
    name: str

    def __post_init__(self) -> None:
        name = printable(self.name).replace("\n", " ").strip()
        object.__setattr__(self, "name", name[:LONGEST_NAME])

    @property
    def is_human(self) -> bool:
        return self.kind == HUMAN

    def __str__(self) -> str:
        """The seat as it is written on the command line and in save files."""
        return f"{self.kind}:{self.name}"

    @classmethod
    def parse(cls, text: str, number: int) -> Seat:
        """A seat from «human», «normal» or «hard:Bo»; the number names those without a name."""
        kind, _, name = text.strip().partition(":")
        kind = kind.strip().casefold()
        if kind not in KINDS:
            raise SetupError(
                "Unknown seat «{text}»: a seat is one of {kinds}, or with a name, like human:NAME.",
                text=text.strip(),
                kinds=", ".join(KINDS),
            )
        return cls(kind, name.strip() or default_name(number))


def default_name(number: int) -> str:
    return tr("P{number}", number=number)


def saved_seats(texts: list[str], players: int) -> list[Seat]:
    """Seats as a save file has them; where it has none, a person against bots."""
    seats: list[Seat] = []
    for number in range(1, players + 1):
        text = texts[number - 1] if number <= len(texts) else ""
        if text.partition(":")[0] in KINDS:
            seats.append(Seat.parse(text, number))
        elif text:
            seats.append(Seat(HUMAN, text))
        else:
            seats.append(Seat(HUMAN if number == 1 else OPPONENT, default_name(number)))
    return seats


def random_answer(setup: Setup, player: int, answered: int, options: int) -> int:
    """What a random player answers: the same again after a resume or an undo.

    It knows nothing of the table but how many options there are.
    """
    seed = setup.secret or setup.seed
    return random.Random(f"{seed}/{player}/{answered}").randrange(options)


def bot_answer(game: Game, kind: str, progress: Progress = no_progress) -> int:
    """What a bot or a random player answers to the pending decision.

    The same again after a resume or an undo, but for bots that think by the clock. A bot is told
    what its seat may know, and nothing else.
    """
    decision = game.decision
    assert decision is not None
    if kind == RANDOM:
        answered = len(game.answers)
        return random_answer(game.setup, decision.player, answered, len(decision.options))
    if len(decision.options) == 1:
        return 0
    return make_bot(kind, bot_seed(game)).choose(Sight(game), progress)


def bot_seed(game: Game) -> int:
    """The seed of a bot that answers the pending decision."""
    decision = game.decision
    assert decision is not None
    return derive_seed(game.setup, decision.player, len(game.answers))
