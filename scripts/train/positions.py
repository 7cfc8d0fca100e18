"""Plays games for training in separate processes and stores positions with the results.

Positions are recorded at the start of turns, where the search evaluates most of them. A game
contributes only a few of them, since positions of one game share its result.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from rich.progress import track

from smashup.bots.evaluation import linear_evaluator
from smashup.bots.greedy import GreedyBot
from smashup.bots.information_set import InformationSet
from smashup.bots.network.features import (
    NUM_BASE_FEATURES,
    NUM_SEAT_FEATURES,
    NetworkInput,
    extract_position,
)
from smashup.bots.network.model import load_network
from smashup.bots.network.vocabulary import CardVocabulary
from smashup.bots.rollout_policies import random_policy
from smashup.cards import catalogue
from smashup.engine.game import Game
from smashup.engine.model.catalogue import PRINTINGS
from smashup.engine.model.decisions import Decision
from smashup.engine.model.setup import Setup

PLAYER_COUNTS = (2, 2, 2, 3, 4)
"""Numbers of players that games are dealt for, equally often."""
QUICK_SHARE = 0.12
"""Share of the turns of a quick game whose first position is recorded."""
RANDOM_TURNS = 0.25
"""Share of the turns of bots that are played at random: the search evaluates such positions too."""
TRACE_DECAY = 0.75
"""Lambda of the targets in games of bots: how much of what follows the next turn counts, rather
than the network's evaluation at the next turn."""
MAX_BASES = 8
QUICK_CHUNK = 256
"""Quick games per task of a process."""
BOT_CHUNK = 4


def card_names() -> list[str]:
    """Return the names of all cards and bases, in both printings."""
    cards = catalogue()
    found = {d.name for printing in PRINTINGS for d in cards.definitions(printing)}
    return sorted(found)


@dataclass(frozen=True)
class Outcome:
    """How a game ended."""

    shares: list[float]
    """Each seat's share of the victory."""
    points: list[int]
    """Each seat's VP."""

    @classmethod
    def of(cls, game: Game) -> Outcome:
        s = game.table.state
        players = range(game.table.num_players)
        return cls([float(p in s.winners) / len(s.winners) for p in players], s.vp[:])


@dataclass
class Examples:
    """Positions with the same number of players, as arrays."""

    players: int
    seats: list[list[float]] = field(default_factory=list)
    sites: list[list[float]] = field(default_factory=list)
    bases: list[list[int]] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)
    token_counts: list[list[int]] = field(default_factory=list)
    targets: list[list[float]] = field(default_factory=list)
    results: list[list[float]] = field(default_factory=list)
    points: list[list[int]] = field(default_factory=list)
    games: list[int] = field(default_factory=list)

    def add(
        self, position: NetworkInput, target: list[float] | None, outcome: Outcome, game: int
    ) -> None:
        bases = position.num_bases
        if bases > MAX_BASES:
            return
        missing = MAX_BASES - bases
        sites: list[float] = []
        for p in range(self.players):
            start = p * bases * NUM_BASE_FEATURES
            sites += position.sites[start : start + bases * NUM_BASE_FEATURES]
            sites += [0.0] * (missing * NUM_BASE_FEATURES)
        self.seats.append(position.seats)
        self.sites.append(sites)
        self.bases.append(position.bases + [-1] * missing)
        self.tokens += position.tokens
        ends = [*position.offsets[1:], len(position.tokens)]
        self.token_counts.append(
            [end - start for start, end in zip(position.offsets, ends, strict=True)]
        )
        self.targets.append(target or outcome.shares)
        self.results.append(outcome.shares)
        self.points.append(outcome.points)
        self.games.append(game)

    def to_arrays(self) -> dict[str, Any]:
        n, p = len(self.games), self.players
        return {
            "seats": np.array(self.seats, np.float32).reshape(n, p, NUM_SEAT_FEATURES),
            "sites": np.array(self.sites, np.float16).reshape(n, p, MAX_BASES, NUM_BASE_FEATURES),
            "bases": np.array(self.bases, np.int16).reshape(n, MAX_BASES),
            "tokens": np.array(self.tokens, np.int16),
            "token_counts": np.array(self.token_counts, np.int16).reshape(n, p),
            "targets": np.array(self.targets, np.float32).reshape(n, p),
            "results": np.array(self.results, np.float32).reshape(n, p),
            "points": np.array(self.points, np.float32).reshape(n, p),
            "games": np.array(self.games, np.int32),
        }


def play_quick_game(
    seed: int, vocabulary: CardVocabulary, player_counts: Sequence[int]
) -> tuple[int, list[Any], Outcome]:
    """Play a game with a random policy; return players, positions and the outcome."""
    rng = Random(seed)
    players = rng.choice(player_counts)
    game = Game(_setup(players, seed, rng), catalogue())
    game.table.logging = False
    quick = random_policy(rng.random)
    found: list[Any] = []
    turn = 0

    def answer(decision: Decision) -> int:
        nonlocal turn
        now = decision.table.state.turn
        if now > turn:
            turn = now
            if rng.random() < QUICK_SHARE:
                found.append((extract_position(game, vocabulary), None))
        return quick(decision)

    game.play_out(answer)
    return players, found, Outcome.of(game)


def play_bot_game(
    seed: int, vocabulary: CardVocabulary, player_counts: Sequence[int], use_network: bool
) -> tuple[int, list[Any], Outcome]:
    """Play a game of greedy bots; some turns are played at random.

    The positions at the start of all other turns are recorded, with lambda returns as targets: the
    evaluations of the turns that follow, and in the end the result, weighted by `TRACE_DECAY`.
    """
    rng = Random(seed)
    players = rng.choice(player_counts)
    game = Game(_setup(players, seed, rng), catalogue())
    game.table.logging = False
    network = load_network()
    evaluate = network.evaluate if use_network else linear_evaluator()
    bot = GreedyBot(seed, evaluate, samples=1)
    quick = random_policy(rng.random)
    turns: list[tuple[NetworkInput, list[float], bool]] = []
    turn = 0
    at_random = False
    while (decision := game.decision) is not None:
        now = game.table.state.turn
        if now > turn:
            turn = now
            at_random = rng.random() < RANDOM_TURNS
            position = extract_position(game, vocabulary)
            turns.append((position, network.evaluate(game), at_random))
        if at_random:
            game.choose(quick(decision))
        else:
            game.choose(bot.choose(InformationSet(game)))
    outcome = Outcome.of(game)
    found: list[Any] = []
    target = outcome.shares
    for position, values, was_random in reversed(turns):
        if not was_random:
            found.append((position, target))
        target = [
            TRACE_DECAY * later + (1 - TRACE_DECAY) * value
            for later, value in zip(target, values, strict=True)
        ]
    return players, found, outcome


def _setup(players: int, seed: int, rng: Random) -> Setup:
    return Setup(
        players,
        seed=seed,
        printing=rng.choice(PRINTINGS),
        optional_titans=rng.random() < 0.5,
    )


def play_chunk(
    first_seed: int, games: int, use_network: bool | None, player_counts: Sequence[int]
) -> dict[int, dict[str, Any]]:
    """Play some games and return their positions by number of players."""
    vocabulary = CardVocabulary(card_names())
    found = {players: Examples(players) for players in set(PLAYER_COUNTS)}
    for seed in range(first_seed, first_seed + games):
        if use_network is None:
            players, positions, outcome = play_quick_game(seed, vocabulary, player_counts)
        else:
            players, positions, outcome = play_bot_game(
                seed, vocabulary, player_counts, use_network
            )
        for position, target in positions:
            found[players].add(position, target, outcome, seed)
    return {players: examples.to_arrays() for players, examples in found.items()}


def play_games(
    games: int,
    seed: int,
    use_network: bool | None,
    processes: int | None = None,
    seconds: float = 0,
    player_counts: Sequence[int] = PLAYER_COUNTS,
) -> dict[int, dict[str, Any]]:
    """Play games in all cores, until they are played or the time is up.

    ``use_network`` says which evaluation greedy bots use; None plays quick games at random.
    ``player_counts`` are the numbers of players that games are dealt for.
    """
    chunk = QUICK_CHUNK if use_network is None else BOT_CHUNK
    began = time.monotonic()
    chunks: list[dict[int, dict[str, Any]]] = []
    play = partial(play_chunk, games=chunk, use_network=use_network, player_counts=player_counts)
    with multiprocessing.Pool(processes) as pool:
        results = pool.imap(play, range(seed, seed + games, chunk))
        for found in track(results, "Playing", total=-(-games // chunk)):
            chunks.append(found)
            if seconds and time.monotonic() - began > seconds:
                pool.terminate()
                break
    return merge(chunks)


def merge(chunks: list[dict[int, dict[str, Any]]]) -> dict[int, dict[str, Any]]:
    """Join the arrays of several chunks, by number of players."""
    return {
        players: {
            name: np.concatenate([chunk[players][name] for chunk in chunks])
            for name in chunks[0][players]
        }
        for players in chunks[0]
    }


def store(path: Path, examples: dict[int, dict[str, Any]], weight: float) -> None:
    """Write positions to a file, with how much each of them counts in training."""
    path.parent.mkdir(parents=True, exist_ok=True)
    flat = {
        f"{players}/{name}": array
        for players, arrays in examples.items()
        for name, array in arrays.items()
    }
    for players, arrays in examples.items():
        flat[f"{players}/weights"] = np.full(len(arrays["games"]), weight, np.float32)
    np.savez(path, **flat)


def load(path: Path) -> dict[int, dict[str, Any]]:
    """Read the positions of a file."""
    found: dict[int, dict[str, Any]] = {}
    with np.load(path) as data:
        for key in data.files:
            players, name = key.split("/")
            found.setdefault(int(players), {})[name] = data[key]
    return found
