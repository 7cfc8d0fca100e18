"""``python -m benchmarks.catalogue_size``: measure what further factions cost a game without them.

The same games are played with a catalogue of only their factions and with the whole one, in turn.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time

from smashup.cards import catalogue
from smashup.engine.game import Game
from smashup.engine.model.catalogue import Catalogue
from smashup.engine.model.decisions import Decision
from smashup.engine.model.setup import Setup

NEW_SETS = frozenset({"Core Set", "Awesome Level 9000", "The Obligatory Cthulhu Set"})
"""The sets whose factions do not take part in the games."""


def random_setups(names: list[str], count: int) -> list[Setup]:
    """Return setups of two to four players, the same in each run."""
    rng = random.Random(1)
    setups = []
    for _ in range(count):
        players = rng.choice((2, 2, 3, 4))
        picked = rng.sample(names, 2 * players)
        pairs = tuple(zip(picked[::2], picked[1::2], strict=True))
        setups.append(Setup(players=players, factions=pairs, seed=rng.getrandbits(50)))
    return setups


def play_games(setups: list[Setup], cards: Catalogue) -> tuple[float, list[str]]:
    """Play a random game of each setup; return the CPU seconds and the digests of the games."""
    started = time.process_time()
    digests = []
    for number, setup in enumerate(setups):
        rng = random.Random(number)

        def answer(decision: Decision, rng: random.Random = rng) -> int:
            return rng.randrange(len(decision.options))

        game = Game(setup, cards)
        game.play_out(answer)
        digests.append(game.digest())
    return time.process_time() - started, digests


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=11)
    options = parser.parse_args()
    whole = catalogue()
    factions = [faction for faction in whole.factions if faction.set_name not in NEW_SETS]
    part = Catalogue(factions, whole.madness_class)
    setups = random_setups([faction.name for faction in factions], options.games)
    times: dict[int, list[float]] = {len(part.factions): [], len(whole.factions): []}
    for round_number in range(options.rounds + 1):  # the first only warms up
        digests = []
        for cards in (part, whole) if round_number % 2 else (whole, part):
            seconds, played = play_games(setups, cards)
            digests.append(played)
            if round_number:
                times[len(cards.factions)].append(seconds)
        assert digests[0] == digests[1], "The games differ."
    few, many = (statistics.median(seconds) for seconds in times.values())
    print(f"{options.games} games, {options.rounds} rounds, median of the CPU time:")
    print(f"{few:.3f} s with {len(factions)} factions, {many:.3f} s with {len(whole.factions)}")
    print(f"x{many / few:.3f}")


if __name__ == "__main__":
    main()
