"""The generators of randomness: from a seed, or from a secret key.

A game with a chosen seed uses the *linear* generator of `State`: fast, reproducible, and easy to
reverse: anyone who sees an opening hand can find a 53-bit seed by trying them all. A game between
people who must not be able to do that uses the *keyed* one: draw number ``i`` is BLAKE2b of ``i``
under a secret key of at least 128 bits. Any number of known draws reveals nothing about the others
without the key. The state of the generator is the number of the next draw; the key stays in the
setup, so copies and snapshots of a table are as small as with the linear generator.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from random import Random
from typing import TYPE_CHECKING, Any, Final

from mypy_extensions import i64

if TYPE_CHECKING:
    from smashup.engine.model.setup import Setup

LINEAR: Final = "linear"
KEYED: Final = "blake2b"
GENERATORS: Final = (LINEAR, KEYED)

MIN_SECRET_BYTES: Final = 16
MAX_SECRET_BYTES: Final = 64
"""The maximum key length of BLAKE2b."""

# The same key serves two purposes; "person" makes them independent functions.
_DEALING: Final = b"smashup-dealing"
_DERIVING: Final = b"smashup-derived"

_HALF: Final = 0xFFFFFFFF
_STEP_HIGH: Final = 1481765933
_STEP_LOW: Final = 1284865837
_ADDED_HIGH: Final = 335903614
_ADDED_LOW: Final = 4150755663
"""The factor and the summand of the linear generator, in halves of 32 bits."""

_WORD_BYTES: Final = 8
_WORD_RANGE: Final = 1 << 64


def parse_secret(text: str) -> bytes | None:
    """Return the key given in hexadecimal digits; None if they are not a usable key."""
    if not MIN_SECRET_BYTES * 2 <= len(text) <= MAX_SECRET_BYTES * 2 or not text.isalnum():
        return None
    try:
        return bytes.fromhex(text)
    except ValueError:
        return None


def keyed_word(key: bytes, counter: int) -> int:
    """Return draw number ``counter``: 64 bits that cannot be predicted without the key."""
    block = hashlib.blake2b(
        counter.to_bytes(8, "big"), digest_size=_WORD_BYTES, key=key, person=_DEALING
    )
    return int.from_bytes(block.digest(), "big")


def keyed_below(key: bytes, counter: int, n: int) -> tuple[int, int]:
    """Return a uniform number from 0 to n-1 and the number of the next draw.

    Words from the incomplete last run of ``n`` are rejected: every result is equally likely.
    """
    limit = _WORD_RANGE - _WORD_RANGE % n
    while True:
        word = keyed_word(key, counter)
        counter += 1
        if word < limit:
            return word % n, counter


def shuffle_in_halves(cards: list[int], rng: int) -> int:
    """Shuffle by Fisher-Yates with the linear generator; return its new state.

    This is what `State.shuffle` does, with numbers of the machine instead of long integers:
    products may overflow, but the 32 bits that are used are right. It is slow unless it is
    compiled.
    """
    high: i64 = rng >> 32
    low: i64 = rng & _HALF
    i: i64 = len(cards) - 1
    while i > 0:
        n: i64 = i + 1
        limit: i64 = (1 << 30) - (1 << 30) % n
        value: i64 = limit
        while value >= limit:
            product: i64 = low * _STEP_LOW
            total: i64 = (product & _HALF) + _ADDED_LOW
            high = (
                (product >> 32 & _HALF) + high * _STEP_LOW + low * _STEP_HIGH
                + _ADDED_HIGH + (total >> 32)
            ) & _HALF  # fmt: skip
            low = total & _HALF
            value = (high >> 1 ^ high >> 23) & 0x3FFFFFFF
        j = value % n
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card
        i -= 1
    return int(high) << 32 | int(low)


IS_COMPILED: Final = not hasattr(shuffle_in_halves, "__code__")
"""Whether mypyc compiled this module."""


def derive_seed(setup: Setup, *parts: int | str) -> int:
    """Derive a seed for something other than the deal, such as a bot; the same after a restart.

    From a keyed game it is derived under the key, so it reveals neither the key nor the deal.
    """
    label = "/".join(str(part) for part in parts)
    if setup.key:
        block = hashlib.blake2b(label.encode(), digest_size=8, key=setup.key, person=_DERIVING)
        return int.from_bytes(block.digest(), "big")
    return Random(f"{setup.seed}/{label}").getrandbits(48)


class RandomPolicy(ABC):
    """Replaces the generator to try the outcomes of random picks one by one."""

    @abstractmethod
    def pick(self, items: list[Any]) -> int:
        """Return the position of the picked item."""

    @abstractmethod
    def shuffle(self, cards: list[int]) -> None:
        """Shuffle a deck in place."""
