"""What viewers know about hidden cards.

`State.seen_by` holds, as bits, the viewers who know a hidden card by its place. When a player moves
one of several hidden cards and no other player sees which one, the others lose track: they still
know which cards those are together, but not which card is where. A `Mix` is that knowledge. It ends
when its cards are seen again, and grows when the cards are shuffled or moved in secret again.

Spectators share one viewer, who sees only public information.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from smashup.engine.model.state import State

SPECTATOR: Final = 7
"""The viewer number of all spectators; seats are 0 to 3."""
PUBLIC: Final = 1 << SPECTATOR
"""The bit of spectators: set if the information is public."""
ALL_VIEWERS: Final = 0xFF


def viewer_bit(viewer: int) -> int:
    """Return the bit of a player, or of spectators (-1)."""
    return 1 << (viewer & SPECTATOR)


class Mix:
    """Cards that a viewer cannot tell apart by their places. Immutable."""

    __slots__ = ("cards", "known", "viewer")

    def __init__(self, viewer: int, cards: frozenset[int], known: frozenset[int]) -> None:
        self.viewer = viewer
        self.cards = cards
        self.known = known
        """Cards the viewer knows to be among them; the others are unknown."""

    def to_list(self) -> list[object]:
        return [self.viewer, sorted(self.cards), sorted(self.known)]


def lose_track(s: State, cards: list[int], viewers: int, players: int) -> None:
    """Swap cards in secret: only the ``viewers`` (bits) know which card is where now."""
    if len(cards) < 2:
        return
    moved = frozenset(cards)
    for viewer in (*range(players), SPECTATOR):
        bit = 1 << viewer
        if viewers & bit:
            continue
        known = frozenset([c for c in cards if s.seen_by[c] & bit])
        touched = _touched(s, viewer, moved)
        if known == moved and _all_alike(s, moved):
            continue
        if known or touched or len({s.hidden_with[c] for c in cards}) > 1:
            _merge(s, Mix(viewer, moved, known), touched)
            for c in known:
                s.seen_by[c] &= ~bit


def shuffle(s: State, cards: list[int], pool: int, players: int) -> None:
    """Make the order of these cards unknown; they hide among a player's unknown cards."""
    strays: list[int] = []
    hidden_with = s.hidden_with
    seen_by = s.seen_by
    for c in cards:
        if hidden_with[c] != pool:
            if seen_by[c] == ALL_VIEWERS:
                hidden_with[c] = pool
            else:
                strays.append(c)  # for some viewers it is among another player's unknown cards
    if strays or s.mixes:
        shuffled = frozenset(cards)
        for viewer in (*range(players), SPECTATOR):
            touched = _touched(s, viewer, shuffled)
            if strays or touched:
                known = frozenset([c for c in strays if s.seen_by[c] >> viewer & 1])
                _merge(s, Mix(viewer, shuffled, known), touched)
    for c in cards:
        seen_by[c] = 0


def sort_out(s: State, c: int, viewers: int) -> None:
    """Update what viewers (bits) know of mixed-up cards after they have seen one of them."""
    mixed: list[Mix] = []
    for mix in s.mixes:
        if not (viewers >> mix.viewer & 1 and c in mix.cards):
            mixed.append(mix)
            continue
        # Copies are alike: the one that was seen may be the one that was known to be there.
        face = (s.definition[c], s.owner[c])
        alike = [k for k in sorted(mix.known) if (s.definition[k], s.owner[k]) == face]
        found = c if c in mix.known else alike[0] if alike else c
        cards = mix.cards - {c}
        known = (mix.known - {found}) & cards
        if cards == known and _all_alike(s, cards):
            for k in cards:
                s.seen_by[k] |= 1 << mix.viewer
        elif known or len({s.hidden_with[k] for k in cards}) > 1:
            mixed.append(Mix(mix.viewer, cards, known))
    s.mixes = mixed


def _touched(s: State, viewer: int, cards: frozenset[int]) -> list[Mix]:
    """Return the mixes of a viewer that contain any of these cards."""
    return [m for m in s.mixes if m.viewer == viewer and not m.cards.isdisjoint(cards)]


def _merge(s: State, new: Mix, touched: Iterable[Mix]) -> None:
    cards, known = new.cards, new.known
    for mix in touched:
        cards |= mix.cards
        known |= mix.known
    s.mixes = [m for m in s.mixes if m not in touched]
    s.mixes.append(Mix(new.viewer, cards, known))


def _all_alike(s: State, cards: frozenset[int]) -> bool:
    return len({(s.definition[c], s.owner[c]) for c in cards}) <= 1
