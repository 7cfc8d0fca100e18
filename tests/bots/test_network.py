"""The network: its inputs, its estimates, and cards it was not trained with."""

from __future__ import annotations

import random
from math import log
from pathlib import Path

import numpy as np
import pytest

from smashup.bots.evaluation import FEATURES, compute_features, evaluate
from smashup.bots.greedy import GreedyBot
from smashup.bots.information_set import InformationSet
from smashup.bots.network.features import (
    BASE_FEATURES,
    NUM_SEAT_FEATURES,
    SEAT_FEATURES,
    extract_position,
)
from smashup.bots.network.model import Network, load_network
from smashup.bots.network.vocabulary import ZONES, CardVocabulary
from smashup.bots.rollout_policies import random_policy
from smashup.cards import catalogue
from smashup.cards.plugins import with_plugins
from smashup.engine.game import Game
from smashup.engine.model.constants import AT_BASE, ON_CARD
from smashup.engine.model.decisions import Decision
from smashup.engine.model.setup import Setup
from tests.random_games import new_game, random_setup, walk

FACTION_FILE = Path(__file__).parent.parent.parent / "examples" / "garden_gnomes.py"


def positions(count: int, seed: int, players: int = 0) -> list[Game]:
    """Return random games, each somewhere before its end."""
    rng = random.Random(seed)
    found: list[Game] = []
    while len(found) < count:
        game = new_game(random_setup(rng, players))
        game.table.logging = False
        wanted = rng.randint(10, 150)
        for number, _ in enumerate(walk(game, rng)):
            if number >= wanted:
                found.append(game)
                break
    return found


def test_the_inputs_contain_those_of_the_linear_evaluation() -> None:
    for game in positions(10, seed=1):
        position = extract_position(game, CardVocabulary([]))
        rows = compute_features(game)
        for seat, row in enumerate(rows):
            start = seat * NUM_SEAT_FEATURES
            assert position.seats[start : start + len(FEATURES)] == pytest.approx(row)


def test_every_card_of_a_seat_is_one_token() -> None:
    for game in positions(10, seed=2):
        vocabulary = CardVocabulary([])
        position = extract_position(game, vocabulary)
        s = game.table.state
        names = {row: name for name, row in vocabulary.rows.items()}
        ends = [*position.offsets[1:], len(position.tokens)]
        for seat, (start, end) in enumerate(zip(position.offsets, ends, strict=True)):
            tokens = [t for t in position.tokens[start:end] if t]
            found = sorted(names[t // ZONES * ZONES] for t in tokens)
            expected = [*s.hands[seat], *s.decks[seat], *s.discards[seat]]
            expected += [
                c
                for c, controller in enumerate(s.controller)
                if controller == seat and s.zone[c] in (AT_BASE, ON_CARD)
            ]
            assert found == sorted(s.definition[c].name for c in expected)
        assert len(position.seats) == game.table.num_players * len(SEAT_FEATURES)
        assert len(position.sites) == game.table.num_players * len(s.sites) * len(BASE_FEATURES)


def test_chances_add_up_and_follow_points() -> None:
    network = load_network()
    for game in positions(12, seed=3):
        now = network.evaluate(game)
        assert sum(now) == pytest.approx(1, abs=1e-5)
        game.table.state.vp[0] += 4
        assert network.evaluate(game)[0] > now[0]


def test_a_finished_game_is_not_estimated() -> None:
    game = new_game(random_setup(random.Random(4), 3))
    game.table.logging = False
    game.play_out(random_policy(random.Random(4).random))
    chances = load_network().evaluate(game)
    assert [p for p, chance in enumerate(chances) if chance] == sorted(game.winners)


def test_the_network_predicts_winners_better_than_the_linear_evaluation() -> None:
    """On games it was not trained with; the difference in training was about a tenth."""
    losses = [0.0, 0.0]
    for seed in range(-150, 0):
        game = Game(Setup(2, seed=seed), catalogue())
        chances = play_and_estimate(game, turn=8)
        if chances and len(game.winners) == 1:
            for i, chance in enumerate(chances):
                losses[i] -= log(max(chance if game.winners == [0] else 1 - chance, 1e-6))
    by_network, by_linear = losses
    assert by_network < 0.97 * by_linear


def play_and_estimate(game: Game, turn: int) -> list[float]:
    """Play a random game to its end; return what the network and the linear evaluation thought of
    the first seat's chances in a turn."""
    game.table.logging = False
    quick = random_policy(random.Random(game.setup.seed).random)
    chances: list[float] = []

    def answer(decision: Decision) -> int:
        if decision.table.state.turn == turn and not chances:
            chances.extend((load_network().evaluate(game)[0], evaluate(game)[0]))
        return quick(decision)

    game.play_out(answer)
    return chances


def test_cards_of_other_factions_are_evaluated_by_their_properties() -> None:
    cards, warnings = with_plugins([str(FACTION_FILE)])
    assert not warnings
    name = next(f.name for f in cards.factions if f.name not in _own_factions())
    setup = Setup(2, factions=((name, "Kaiju"), ("Ignobles", "Luchadors")), seed=5)
    game = Game(setup, cards)
    game.table.logging = False
    network = load_network()
    for decision in walk(game, random.Random(5)):
        assert sum(network.evaluate(game)) == pytest.approx(1, abs=1e-5)
        if len(game.answers) == 40:
            assert 0 <= GreedyBot(1).choose(InformationSet(game)) < len(decision.options)
    rows = network.vocabulary.rows
    added = [c.name for c in cards.deck(name, "printed").cards]
    assert all(name in rows for name in added)
    vectors = [network.card_vectors[rows[name]] for name in added]
    assert any(np.abs(vector).max() > 0 for vector in vectors)


def _own_factions() -> set[str]:
    return {faction.name for faction in catalogue().factions}


def test_opponents_are_interchangeable() -> None:
    """The network sees opponents together, so it does not matter which seat they sit in."""
    network: Network = load_network()
    for game in positions(5, seed=6, players=3):
        position = extract_position(game, network.vocabulary)
        before = network.compute([position])[0]
        size = NUM_SEAT_FEATURES
        one, two, three = (position.seats[i * size : (i + 1) * size] for i in range(3))
        position.seats = one + three + two
        block = len(position.sites) // 3
        one, two, three = (position.sites[i * block : (i + 1) * block] for i in range(3))
        position.sites = one + three + two
        a, b = position.offsets[1:]
        tokens = position.tokens
        position.tokens = tokens[:a] + tokens[b:] + tokens[a:b]
        position.offsets = [0, a, a + len(tokens) - b]
        after = network.compute([position])[0]
        assert after == pytest.approx([before[0], before[2], before[1]], abs=1e-5)
