"""Is a faction fit to be played? What anyone can run on theirs: ``smashup check-faction FILE``."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from smashup.cards.plugins import FactionError, problems
from smashup.engine.errors import SmashUpError
from smashup.engine.game import Game
from smashup.engine.invariants import problems as table_problems
from smashup.engine.model.catalogue import PRINTINGS, Catalogue, Faction
from smashup.engine.model.decisions import Decision
from smashup.engine.model.definitions import CardDefinition
from smashup.engine.model.editions import EDITIONS
from smashup.engine.model.hooks import METHODS
from smashup.engine.model.messages import Message
from smashup.engine.model.setup import Setup

GAMES: Final = 60
LIMIT: Final = 20_000
QUERIES_NEVER_CALLED: Final = frozenset({"special_if"})


@dataclass
class Report:
    """What a check found: problems forbid, remarks are worth a look."""

    faction: str
    problems: list[Message] = field(default_factory=list)
    remarks: list[Message] = field(default_factory=list)
    games: int = 0
    decisions: int = 0

    @property
    def passed(self) -> bool:
        return not self.problems


class Watched:
    """Counts how often each ability of a faction's cards is called, while it is watched."""

    def __init__(self, kinds: list[CardDefinition]) -> None:
        self.calls: Counter[tuple[str, str]] = Counter()
        self.abilities = [
            (kind, name)
            for kind in kinds
            for i, name in enumerate(METHODS)
            if kind.hooks >> i & 1 and callable(getattr(kind, name))
        ]
        for kind, name in self.abilities:
            setattr(kind, name, self._counted(kind.name, name, getattr(kind, name)))

    def _counted(self, card: str, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*args: Any) -> Any:
            self.calls[card, name] += 1
            return method(*args)

        return counted

    def stop(self) -> None:
        for kind, name in self.abilities:
            if name in vars(kind):
                delattr(kind, name)

    def never_called(self) -> list[tuple[str, str]]:
        """Cards and abilities that had no turn."""
        return sorted(
            (kind.name, name) for kind, name in self.abilities if not self.calls[kind.name, name]
        )


def check_faction(
    faction: Faction,
    others: Catalogue,
    games: int = GAMES,
    progress: Callable[[int, int], None] | None = None,
    seed: int = 1,
) -> Report:
    """Twenty cards, texts, every ability reachable, random games, clones, views and replays."""
    report = Report(faction.name)
    report.problems += problems(faction)
    if report.problems:
        return report
    if any(f.name == faction.name for f in others.factions):
        table = others
    else:
        table = Catalogue([*others.factions, faction], madness=others.madness_class)
    watched = {}
    for printing in PRINTINGS:
        deck = table.deck(faction.name, printing)
        watched[printing] = Watched(deck.cards + deck.titans + deck.bases)
    rng = random.Random(seed)
    try:
        for number in range(games):
            setup = _setup(faction, table, rng, number)
            try:
                report.decisions += _play(setup, table, rng, thorough=number % 6 == 0)
            except Exception as error:
                report.problems.append(
                    Message(
                        "A random game broke ({edition}, {printing}, seed {seed}): {reason}",
                        {
                            "edition": setup.edition,
                            "printing": setup.printing,
                            "seed": setup.seed,
                            "reason": _told(error),
                        },
                    )
                )
                break
            report.games += 1
            if progress is not None:
                progress(number + 1, games)
    finally:
        for watch in watched.values():
            watch.stop()
    idle = dict.fromkeys(pair for watch in watched.values() for pair in watch.never_called())
    report.remarks += [
        Message(
            "{card}: «{ability}» was never called in these games.",
            {"card": card, "ability": ability},
        )
        for card, ability in idle
    ]
    return report


def _told(error: Exception) -> Message:
    """What broke a game: our own words, or those of Python."""
    sort = type(error).__name__
    if isinstance(error, SmashUpError):
        return Message("{sort}: {reason}", {"sort": sort, "reason": error.message})
    return Message("{sort}: {reason}", {"sort": sort, "reason": str(error)})


def _setup(faction: Faction, table: Catalogue, rng: random.Random, number: int) -> Setup:
    """A table with the faction at it, of every sort in turn."""
    players = 2 + number % 3
    names = [f.name for f in table.factions if f.name != faction.name]
    pairs = [rng.sample(names, 2) for _ in range(players)]
    pairs[number % players][0] = faction.name
    return Setup(
        players=players,
        factions=tuple(tuple(pair) for pair in pairs),
        edition=list(EDITIONS)[number % len(EDITIONS)],
        printing=PRINTINGS[number % 2],
        seed=rng.getrandbits(40),
        optional_titans=True,
    )


def _play(setup: Setup, table: Catalogue, rng: random.Random, thorough: bool) -> int:
    """Play one random game; thoroughly: step by step, cloned, redealt, replayed."""
    game = Game(setup, table)
    game.table.logging = False
    if not thorough:
        count = 0

        def answer(decision: Decision) -> int:
            nonlocal count
            count += 1
            if count % 7 == 0:
                _look(game)
            if count > LIMIT:
                raise FactionError("The game does not end.")
            return rng.randrange(len(decision.options))

        game.play_out(answer, record=True)
        return count
    while (decision := game.decision) is not None:
        _look(game)
        if len(game.answers) % 8 == 0:
            player = decision.player
            if game.clone().digest() != game.digest():
                raise FactionError("A clone differs from its original.")
            if game.determinize(player, rng.randrange).view(player) != game.view(player):
                raise FactionError("Hidden cards show in a player's view.")
        if len(game.answers) > LIMIT:
            raise FactionError("The game does not end.")
        game.choose(rng.randrange(len(decision.options)))
    if Game.replay(setup, table, game.answers).digest() != game.digest():
        raise FactionError("A replay leads to another table.")
    return len(game.answers)


def _look(game: Game) -> None:
    wrong = table_problems(game)
    if wrong:
        raise FactionError("The table is out of order: {problems}", problems="; ".join(wrong))
