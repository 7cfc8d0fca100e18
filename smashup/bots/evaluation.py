"""The linear evaluation: each seat's probability of winning, from the cards on the table.

Each seat's score is a weighted sum of simple features; the probabilities are the softmax of the
scores. `scripts/tune.py` fits the weights to games between bots. The network
(`smashup.bots.network`) adds to these scores; the ``classic:`` bots use them alone.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from importlib.resources import files
from math import exp
from typing import Any, Final

from mypy_extensions import mypyc_attr

from smashup.engine.game import Game
from smashup.engine.model.constants import ACTION, AT_BASE, MINION, TITAN
from smashup.engine.model.hooks import Hook
from smashup.engine.rules import abilities, queries, turns

H_PLAYER_POWER: Final = Hook.PLAYER_POWER.value
H_EXCLUDED_FROM_TOTAL: Final = Hook.EXCLUDED_FROM_TOTAL.value

FEATURES: Final = (
    "vp",
    "vp_late",
    "standing",
    "prospects",
    "nearly_broken",
    "power",
    "minions",
    "ongoing",
    "titans",
    "hand",
    "hand_power",
    "tempo",
)
"""Names of the values that `compute_features` returns for a seat."""

Weights = tuple[float, ...]


@mypyc_attr(allow_interpreted_subclasses=True)
class Evaluator(ABC):
    """Estimates each seat's probability of winning; they add up to 1."""

    @abstractmethod
    def __call__(self, game: Game) -> list[float]:
        """Evaluate the current position."""

    def read(self, game: Game) -> Any:
        """Return the current position for `evaluate_all`."""
        return self(game)

    def evaluate_all(self, positions: list[Any]) -> list[list[float]]:
        """Evaluate positions returned by `read`, which may be faster than one by one."""
        return positions


def load_weights() -> Weights:
    """Load the tuned weights from weights.json in this package."""
    text = files("smashup.bots").joinpath("weights.json").read_text(encoding="utf-8")
    found = json.loads(text)["weights"]
    return tuple(float(found[name]) for name in FEATURES)


WEIGHTS: Final = load_weights()


def compute_features(game: Game) -> list[list[float]]:
    """Return the values of `FEATURES` for each seat.

    ``vp`` (less the half VP that each Madness card costs in the end) and ``vp_late`` (those above
    10); ``standing``, the VP the seat would get if all bases scored now, ``prospects`` and
    ``nearly_broken``, the same weighted by how full each base is (squared, and to the sixth
    power); its ``power``, ``minions``, ``ongoing`` actions and ``titans`` in play; cards in
    ``hand`` and their total power; and ``tempo``: how soon the seat's turn comes, 1 for the
    current player.
    """
    s = game.table.state
    players = game.table.num_players
    rows = [[0.0] * len(FEATURES) for _ in range(players)]
    kind = s.definition
    zone = s.zone
    controller = s.controller
    index = abilities.ability_index(game.table)
    special = bool(index[H_PLAYER_POWER] or index[H_EXCLUDED_FROM_TOTAL] or s.effects)
    for site in s.sites:
        totals = [0] * players
        present = [False] * players
        for c in site.cards:
            if zone[c] != AT_BASE:
                continue
            type_ = kind[c].type
            owner = controller[c]
            if owner < 0:
                continue
            row = rows[owner]
            if type_ == MINION:
                power = queries.power(game.table, c)
                totals[owner] += power
                present[owner] = True
                row[5] += power
                row[6] += 1
                if c in s.on_card:
                    for a in s.on_card[c]:
                        rows[controller[a]][7] += 1
            elif type_ == ACTION:
                row[7] += 1
            elif type_ == TITAN:
                row[8] += 1
                totals[owner] += queries.power(game.table, c)
        if special:
            totals = queries.player_totals(game.table, site.serial)
        point = queries.breakpoint(game.table, site.serial)
        full = min(1.0, sum(totals) / point) if point > 0 else 1.0
        squared = full * full
        vp = kind[site.base].vp
        for p in range(players):
            mine = totals[p]
            if mine <= 0 and not present[p]:
                continue
            place = 0
            tied = 0
            for other in range(players):
                if other != p:
                    if totals[other] > mine:
                        place += 1
                    elif totals[other] == mine and mine > 0:
                        tied += 1
            if place < 3:
                worth = vp[place] - (0.5 if tied and place == 0 else 0.0)
                row = rows[p]
                row[2] += worth
                row[3] += worth * squared
                row[4] += worth * squared * squared * squared
    hands = s.hands
    for p, row in enumerate(rows):
        points = s.vp[p] - turns.count_madness(game.table, p) / 2
        row[0] = points
        row[1] = max(0, points - 10)
        hand = hands[p]
        row[9] = len(hand)
        power = 0
        for c in hand:
            power += kind[c].power
        row[10] = power
        row[11] = 1.0 - ((p - s.current) % players) / players
    return rows


def evaluate(game: Game, weights: Weights = WEIGHTS) -> list[float]:
    """Estimate each seat's probability of winning from the current position; they add up to 1."""
    s = game.table.state
    if s.over:
        share = 1.0 / len(s.winners)
        return [share if p in s.winners else 0.0 for p in range(game.table.num_players)]
    scores = []
    for row in compute_features(game):
        score = 0.0
        for weight, value in zip(weights, row, strict=True):
            score += weight * value
        scores.append(score)
    return softmax(scores)


class LinearEvaluator(Evaluator):
    """The linear evaluation with given weights."""

    def __init__(self, weights: Weights = WEIGHTS) -> None:
        self.weights = weights

    def __call__(self, game: Game) -> list[float]:
        return evaluate(game, self.weights)


def linear_evaluator(weights: Weights = WEIGHTS) -> Evaluator:
    """Return the linear evaluation with given weights."""
    return LinearEvaluator(weights)


def softmax(scores: list[float]) -> list[float]:
    best = max(scores)
    powers = [exp(score - best) for score in scores]
    total = sum(powers)
    return [power / total for power in powers]
