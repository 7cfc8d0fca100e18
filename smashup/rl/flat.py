"""Observations as one vector of numbers between -1 and 1, for networks that take no structure.

The vector consists of the normalized ``observation``, the purpose of the decision as one-hot, how
many copies of each card the seat sees in some zones, and the normalized ``options``, one row per
action.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from smashup.rl.encoding import Encoder, Observation
from smashup.rl.fields import (
    CARD_COLUMNS,
    OPTION_COLUMNS,
    Z_AT_BASE,
    Z_DISCARD,
    Z_HAND,
    Z_ON_CARD,
    column_scales,
    normalize,
    table_fields,
    table_scales,
)
from smashup.rl.vocabulary import PURPOSES

CARD_GROUPS: Final = ("hand", "in_play", "in_play_others", "discard", "discard_others")
"""The zones whose cards are counted: the seat's own, and those of all other players together."""
COPIES_SCALE: Final = 4.0
"""Number of copies that counts as 1."""

_COLUMN = {column.name: i for i, column in enumerate(CARD_COLUMNS)}
_OWN_SEAT = 1


class FlatEncoder:
    """Turns observations of an `Encoder` that does not normalize into vectors."""

    def __init__(self, encoder: Encoder) -> None:
        self.encoder = encoder
        sizes = {
            "observation": encoder.size,
            "purpose": len(PURPOSES),
            "cards": len(CARD_GROUPS) * len(encoder.vocabulary.kinds),
            "options": encoder.slots * len(OPTION_COLUMNS),
        }
        self.parts: dict[str, slice] = {}
        """Where each part of the vector is."""
        end = 0
        for name, size in sizes.items():
            self.parts[name] = slice(end, end + size)
            end += size
        self.size = end
        self._table_scales = table_scales(encoder.players)
        self._option_scales = column_scales(OPTION_COLUMNS)
        self._purpose = _offset_of("purpose", encoder.players)

    def encode(self, seen: Observation) -> NDArray[np.float32]:
        """Return the vector of an observation."""
        vector = np.zeros(self.size, np.float32)
        vector[self.parts["observation"]] = normalize(seen["observation"], self._table_scales)
        vector[self.parts["purpose"].start + int(seen["observation"][self._purpose])] = 1.0
        vector[self.parts["cards"]] = self._count_cards(seen["cards"])
        vector[self.parts["options"]] = normalize(seen["options"], self._option_scales).ravel()
        return vector

    def split(self, vectors: NDArray[np.float32]) -> dict[str, NDArray[np.float32]]:
        """Split vectors into parts: cards by group and number, options by action and column.

        Batches keep their leading dimensions.
        """
        batch = vectors.shape[:-1]
        found = {name: vectors[..., part] for name, part in self.parts.items()}
        found["cards"] = found["cards"].reshape(*batch, len(CARD_GROUPS), -1)
        found["options"] = found["options"].reshape(*batch, -1, len(OPTION_COLUMNS))
        return found

    def _count_cards(self, rows: NDArray[Any]) -> NDArray[np.float32]:
        counts = np.zeros((len(CARD_GROUPS), len(self.encoder.vocabulary.kinds)), np.float32)
        kind, zone = rows[:, _COLUMN["kind"]], rows[:, _COLUMN["zone"]]
        own = rows[:, _COLUMN["owner"]] == _OWN_SEAT
        controlled = rows[:, _COLUMN["controller"]] == _OWN_SEAT
        in_play = (zone == Z_AT_BASE) | (zone == Z_ON_CARD)
        groups = (
            (zone == Z_HAND) & controlled,
            in_play & controlled,
            in_play & ~controlled,
            (zone == Z_DISCARD) & own,
            (zone == Z_DISCARD) & ~own,
        )
        for group, chosen in enumerate(groups):
            np.add.at(counts[group], kind[chosen], 1.0 / COPIES_SCALE)
        return np.minimum(counts, 1.0).ravel()


def _offset_of(name: str, players: int) -> int:
    """Return where a field of ``observation`` begins."""
    at = 0
    for field in table_fields(players):
        if field.name == name:
            return at
        at += field.size
    raise KeyError(name)
