"""The network at play time, with NumPy only.

For each seat, card vectors, numbers per seat and numbers per base add up to the inputs of a small
network: those of the seat itself, and those of all its opponents together. It returns a score per
seat, to which the linear evaluation is added. The softmax of the scores is the win probability.

The same weights serve any number of players. `scripts/train` trains them; `docs/bots.md` describes
the shape.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import TYPE_CHECKING, Final

import numpy as np

from smashup.bots.evaluation import FEATURES, Evaluator, softmax
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
MAX_SEATS: Final = 32
"""Seats per batch: NumPy multiplies larger matrices with several threads, which costs more."""
DECIMALS: Final = 6
"""Decimals of an evaluation."""


Position = NetworkInput | list[float]
"""The inputs of the network, or the result of a game that is over."""


def _matrix(numbers: list[float], columns: int) -> Floats:
    count = len(numbers)
    return np.fromiter(numbers, np.float32, count).reshape(count // columns, columns)


class Network(Evaluator):
    """A trained network."""

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

    @property
    def evaluate(self) -> Evaluator:
        """The network as the evaluation of bots."""
        return self

    def __call__(self, game: Game) -> list[float]:
        return self.evaluate_all([self.read(game)])[0]

    def read(self, game: Game) -> Position:
        s = game.table.state
        if s.over:
            share = 1.0 / len(s.winners)
            return [share if p in s.winners else 0.0 for p in range(game.table.num_players)]
        position = extract_position(game, self.vocabulary)
        if self.vocabulary.added:
            self._add_vectors()
        return position

    def evaluate_all(self, positions: list[Position]) -> list[list[float]]:
        results: list[list[float]] = [[]] * len(positions)
        by_shape: dict[tuple[int, int], list[tuple[int, NetworkInput]]] = {}
        for number, position in enumerate(positions):
            if isinstance(position, NetworkInput):
                shape = (position.num_players, position.num_bases)
                by_shape.setdefault(shape, []).append((number, position))
            else:
                results[number] = position
        for (players, _), alike in by_shape.items():
            size = MAX_SEATS // players
            for start in range(0, len(alike), size):
                batch = alike[start : start + size]
                computed = self.compute([position for _, position in batch])
                for (number, _), chances in zip(batch, computed, strict=True):
                    results[number] = chances
        return results

    def compute(self, positions: list[NetworkInput]) -> list[list[float]]:
        """Return each seat's probability of winning, for positions with equally many players and
        bases."""
        players = positions[0].num_players
        bases = positions[0].num_bases
        seat_numbers: list[float] = []
        site_numbers: list[float] = []
        base_rows: list[int] = []
        tokens: list[int] = []
        ends: list[int] = []
        for position in positions:
            seat_numbers += position.seats
            site_numbers += position.sites
            base_rows += position.bases * players
            ends += [len(tokens) + offset for offset in position.offsets[1:]]
            tokens += position.tokens
            ends.append(len(tokens))
        seats = _matrix(seat_numbers, NUM_SEAT_FEATURES)
        at_bases = _matrix(site_numbers, NUM_BASE_FEATURES).dot(self.base_weights)
        at_bases += self.base_vectors.take(base_rows, axis=0)
        np.maximum(at_bases, 0.0, out=at_bases)
        base_sums = np.add.reduce(at_bases.reshape(len(ends), bases, at_bases.shape[1]), axis=1)
        inputs = seats.dot(self.seat_weights)
        inputs += base_sums.dot(self.base_output)
        cards = self.card_vectors.take(tokens, axis=0)
        ones = np.ones(len(tokens), dtype=np.float32)
        start = 0
        for row, end in zip(inputs, ends, strict=True):
            row += ones[start:end].dot(cards[start:end])  # faster than to add up the cards
            start = end
        inputs = inputs.reshape(len(positions), players, -1)
        mine = inputs[:, :, : self.width]
        others = inputs[:, :, self.width :]
        if players == 2:
            mine = mine + others[:, ::-1]
        else:
            mine = mine - others
            mine += np.add.reduce(others, axis=1, keepdims=True)
        mine += self.player_bias[players]
        np.maximum(mine, 0.0, out=mine)
        hidden = mine.reshape(len(ends), -1).dot(self.hidden_weights)
        hidden += self.hidden_bias
        np.maximum(hidden, 0.0, out=hidden)
        scores = hidden.dot(self.output_weights)
        scores += seats[:, :NUM_LINEAR].dot(self.linear_weights)
        found: list[list[float]] = scores.reshape(len(positions), players).tolist()
        # Rounded, because equal positions in a batch may differ in the last digits.
        return [[round(chance, DECIMALS) for chance in softmax(row)] for row in found]

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
