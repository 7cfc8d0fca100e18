"""``make soak``: a million random decisions or more, looking for anything that breaks.

Every game has a random setup (2-4 players, all editions and printings, titans, Madness). The
table is checked continuously; some games are also stepped, cloned, redealt, saved and replayed.
The first failure is written as a save file ready to be resumed, and the run stops. With
``--all-pairs`` the run continues until every pair of factions was a deck at least once.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import random
import sys
import time
import traceback
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import combinations
from multiprocessing.pool import Pool
from pathlib import Path
from typing import Any

from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from smashup.cards import catalogue
from smashup.engine.game import Game
from smashup.engine.invariants import problems
from smashup.engine.model.decisions import Decision
from smashup.engine.model.setup import Setup
from smashup.engine.saves import files as saves
from tests.game_equivalence import ambiguous
from tests.random_games import new_game, random_player, random_setup, walk

CHECK_EVERY = 5
"""Number of decisions between two checks of the whole table."""
THOROUGH_EVERY = 15
"""Every so many games, one is also stepped, cloned and replayed."""
BATCH_SIZE = 200
MAX_DECISIONS = 20_000
"""A game with more decisions than this is stuck."""


class GameFailed(Exception):
    """A failed game, with the data to reproduce it."""

    def __init__(self, setup: Setup, answers: list[int], why: str) -> None:
        super().__init__(why)
        self.setup = setup
        self.answers = answers
        self.why = why


def play_quickly(game: Game, rng: random.Random) -> int:
    """Play a game with a policy, checking the table now and then."""
    count = 0

    def answer(decision: Decision) -> int:
        nonlocal count
        count += 1
        if count % CHECK_EVERY == 0 and (wrong := problems(game)):
            raise AssertionError("; ".join(wrong))
        if count > MAX_DECISIONS:
            raise AssertionError("The game does not end.")
        return rng.randrange(len(decision.options))

    game.play_out(answer, record=True)
    if wrong := problems(game):
        raise AssertionError("; ".join(wrong))
    return count


def play_thoroughly(game: Game, rng: random.Random) -> int:
    """Play a game step by step, with clones, new deals, saves and a replay."""
    count = 0
    for decision in walk(game, rng, MAX_DECISIONS):
        count += 1
        if wrong := problems(game):
            raise AssertionError("; ".join(wrong))
        if alike := ambiguous(game, decision, count):
            raise AssertionError(f"Options that differ read the same: {'; '.join(alike)}")
        if count % 10:
            continue
        before = game.digest()
        fork = game.clone()
        if fork.digest() != before:
            raise AssertionError("A clone differs from its original.")
        other = game.determinize(decision.player, rng.randrange)
        if other.view(decision.player) != game.view(decision.player):
            raise AssertionError("A fresh deal shows in the player's view.")
        if game.determinize(-1, rng.randrange).view(-1) != game.view(-1):
            raise AssertionError("A fresh deal shows in a spectator's view.")
        if count % 50 == 0:
            other.play_out(random_player(rng))
            again = fork.clone()
            seed = rng.getrandbits(32)
            fork.play_out(random_player(random.Random(seed)))
            again.play_out(random_player(random.Random(seed)), record=True)
            if again.digest() != fork.digest():
                raise AssertionError("Two clones with the same answers went apart.")
        if game.digest() != before:
            raise AssertionError("A clone disturbed its original.")
    if not game.is_over:
        raise AssertionError("The game does not end.")
    loaded = saves.from_json(json.loads(json.dumps(saves.to_json(game))), game.catalogue)
    if loaded.game.digest() != game.digest():
        raise AssertionError("A save file holds another game.")
    return count


def make_setup(seed: int, all_pairs: bool = False) -> Setup:
    """Return the random setup of a seed; with ``all_pairs``, seeds in sequence use all pairs of
    factions in turn."""
    setup = random_setup(random.Random(seed))
    if not all_pairs:
        return setup
    pairs = list(combinations([faction.name for faction in catalogue().factions], 2))
    random.Random(0).shuffle(pairs)
    first = 2 * seed % len(pairs)
    return replace(setup, factions=(pairs[first], pairs[first - 1], *setup.factions[2:]))


def play_game(seed: int, all_pairs: bool = False) -> int:
    """Play one random game; return its number of decisions."""
    rng = random.Random(seed)
    setup = make_setup(seed, all_pairs)
    game = new_game(setup)
    game.table.logging = seed % 3 == 0
    try:
        return play_thoroughly(game, rng) if seed % THOROUGH_EVERY == 0 else play_quickly(game, rng)
    except Exception as error:
        why = "".join(traceback.format_exception(error))
        raise GameFailed(setup, list(game.answers), why) from error


def try_game(seed: int, all_pairs: bool) -> tuple[int, int, dict[str, Any] | None]:
    """Play a game in a worker process; return its seed, its decisions, and the failure if any."""
    try:
        return seed, play_game(seed, all_pairs), None
    except GameFailed as broken:
        return (
            seed,
            0,
            {
                "setup": broken.setup.to_json(),
                "answers": broken.answers,
                "why": broken.why,
            },
        )


def write_failure(seed: int, failure: dict[str, Any], folder: Path) -> Path:
    """Write a save file of the moment before the failure; drop answers until it loads."""
    setup = Setup.from_json(json.loads(json.dumps(failure["setup"])))
    answers = failure["answers"]
    path = folder / f"soak-failure-{seed}.json"
    while True:
        try:
            game = Game.replay(setup, new_game(setup).catalogue, answers)
            saves.save(game, path)
            return path
        except Exception:
            if not answers:
                raise
            answers = answers[:-1]


def results(
    pool: Pool, start: int, all_pairs: bool
) -> Iterator[tuple[int, int, dict[str, Any] | None]]:
    """Yield results endlessly, in batches so that no queue grows."""
    play = partial(try_game, all_pairs=all_pairs)
    while True:
        yield from pool.imap_unordered(play, range(start, start + BATCH_SIZE))
        start += BATCH_SIZE


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--decisions", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--processes", type=int, default=multiprocessing.cpu_count())
    parser.add_argument("--folder", type=Path, default=Path("."))
    parser.add_argument(
        "--all-pairs", action="store_true", help="continue until every pair of factions was played"
    )
    options = parser.parse_args()
    print(f"Soaking {options.decisions:,} decisions from seed {options.seed} on.")
    done = games = 0
    decks: set[frozenset[str]] = set()
    needed_decks = math.comb(len(catalogue().factions), 2) if options.all_pairs else 0
    began = time.monotonic()
    columns = (
        TextColumn("{task.completed:,.0f} decisions"),
        BarColumn(),
        TextColumn("{task.fields[games]:,} games"),
        TimeRemainingColumn(),
    )
    with multiprocessing.Pool(options.processes) as pool, Progress(*columns) as progress:
        task = progress.add_task("soak", total=options.decisions, games=0)
        for seed, count, failure in results(pool, options.seed, options.all_pairs):
            if failure is not None:
                pool.terminate()
                path = write_failure(seed, failure, options.folder)
                print(f"\n{failure['why']}", file=sys.stderr)
                print(
                    f"Seed {seed} broke. The moment before it is in {path}:"
                    f" smashup play --resume {path}",
                    file=sys.stderr,
                )
                return 1
            games += 1
            done += count
            setup = make_setup(seed, options.all_pairs)
            decks.update(frozenset(pair) for pair in setup.factions)
            progress.update(task, completed=done, games=games)
            if done >= options.decisions and len(decks) >= needed_decks:
                pool.terminate()
                break
    seconds = time.monotonic() - began
    print(
        f"{done:,} decisions in {games:,} games with {len(decks)} different decks,"
        f" {seconds:,.0f} s: nothing broke."
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
