"""The network at play time, with NumPy only.

For each seat, card vectors, numbers per seat and numbers per base add up to the inputs of a small
network: those of the seat itself, and those of all its opponents together. It returns a score per
seat, to which the linear evaluation is added; the softmax of the scores is the probability to win.

The same weights serve any number of players. `scripts/train` trains them; `docs/bots.md` describes
the shape.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import TYPE_CHECKING, Final

import numpy as np

from smashup.bots.evaluation import FEATURES
from smashup.bots.network.features import (
    NUM_BASE_FEATURES,
    NUM_SEAT_FEATURES,
    NetworkInput,
    extract_position,
)
from smashup.bots.network.vocabulary import ZONES, CardVocabulary, card_properties

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from smashup.engine.game import Game

    Floats = NDArray[np.float32]

WEIGHTS_FILE: Final = "weights.npz"
NUM_LINEAR: Final = len(FEATURES)


class Network:
    """A trained network; `evaluate` estimates each seat's probability to win."""

    def __init__(self, weights: dict[str, NDArray[np.generic]]) -> None:
        def floats(name: str) -> Floats:
            return np.ascontiguousarray(weights[name], dtype=np.float32)

        self.vocabulary = CardVocabulary([str(name) for name in weights["names"]])
        self.property_weights = floats("property_weights")
        """Per zone, from properties to a card vector. The first half of a card vector counts for
        the seat itself, the second for its opponents."""
        self.embedding_weights = floats("embedding_weights")
        """The same from a learned embedding."""
        self.base_property_weights = floats("base_property_weights")
        self.base_embedding_weights = floats("base_embedding_weights")
        self.base_bias = floats("base_bias")
        self.card_vectors, self.base_vectors = self._compute_vectors(
            floats("properties"), floats("embedding")
        )
        """By row of the vocabulary; the rows of nothing come first."""
        self.card_vectors[:ZONES] = 0.0
        self.base_weights = floats("base_weights")
        self.base_output = floats("base_output")
        self.seat_weights = floats("seat_weights")
        self.player_bias = floats("player_bias")
        """Per number of players."""
        self.hidden_weights = floats("hidden_weights")
        self.hidden_bias = floats("hidden_bias")
        self.output_weights = floats("output_weights")
        self.linear_weights = floats("linear_weights")
        self.width = self.hidden_weights.shape[0]

    def evaluate(self, game: Game) -> list[float]:
        """Estimate each seat's probability to win from the current position; they add up to 1."""
        s = game.table.state
        if s.over:
            share = 1.0 / len(s.winners)
            return [share if p in s.winners else 0.0 for p in range(game.table.num_players)]
        position = extract_position(game, self.vocabulary)
        if self.vocabulary.added:
            self._add_vectors()
        result: list[float] = self.compute(position).tolist()
        return result

    def compute(self, position: NetworkInput) -> Floats:
        """Return each seat's probability to win."""
        players = position.num_players
        seats = np.array(position.seats, dtype=np.float32).reshape(players, NUM_SEAT_FEATURES)
        sites = np.array(position.sites, dtype=np.float32).reshape(
            players, position.num_bases, NUM_BASE_FEATURES
        )
        at_bases = sites @ self.base_weights
        at_bases += self.base_vectors.take(position.bases, axis=0)
        np.maximum(at_bases, 0.0, out=at_bases)
        cards = self.card_vectors.take(position.tokens, axis=0)
        inputs = np.add.reduceat(cards, position.offsets, axis=0)
        inputs += seats @ self.seat_weights
        inputs += at_bases.sum(axis=1) @ self.base_output
        width = self.width
        mine = inputs[:, :width] - inputs[:, width:]
        mine += inputs[:, width:].sum(axis=0)
        mine += self.player_bias[players]
        np.maximum(mine, 0.0, out=mine)
        hidden = mine @ self.hidden_weights
        hidden += self.hidden_bias
        np.maximum(hidden, 0.0, out=hidden)
        scores = hidden @ self.output_weights
        scores += seats[:, :NUM_LINEAR] @ self.linear_weights
        scores -= scores.max()
        np.exp(scores, out=scores)
        scores /= scores.sum()
        probabilities: Floats = scores
        return probabilities

    def _add_vectors(self) -> None:
        """Compute the vectors of cards that the network was not trained with."""
        added, self.vocabulary.added = self.vocabulary.added, []
        properties = np.array([card_properties(d) for d in added], dtype=np.float32)
        no_embedding = np.zeros((len(added), self.embedding_weights.shape[1]), dtype=np.float32)
        cards, bases = self._compute_vectors(properties, no_embedding)
        self.card_vectors = np.concatenate([self.card_vectors, cards])
        self.base_vectors = np.concatenate([self.base_vectors, bases])

    def _compute_vectors(self, properties: Floats, embedding: Floats) -> tuple[Floats, Floats]:
        """Return the card vectors and the base vectors of some cards, a row per zone."""
        cards = np.einsum("cp,zpw->czw", properties, self.property_weights)
        cards += np.einsum("ce,zew->czw", embedding, self.embedding_weights)
        bases = properties @ self.base_property_weights + self.base_bias
        bases += embedding @ self.base_embedding_weights
        return cards.reshape(len(properties) * ZONES, -1), np.repeat(bases, ZONES, axis=0)


@cache
def load_network() -> Network:
    """Load the network that comes with this package."""
    data = files("smashup.bots.network").joinpath(WEIGHTS_FILE).read_bytes()
    with np.load(BytesIO(data), allow_pickle=False) as weights:
        return Network(dict(weights))
