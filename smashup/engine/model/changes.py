"""What has visibly happened, step by step: for whoever shows it, card by card, on a screen.

The log tells a story in words; changes tell which card went where. They are kept like lines of the
log: numbered, written once however often a card runs, each with who may know the card. No rule
reads them, and tables without a log keep none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from smashup.engine.model.constants import (
    AT_BASE,
    BASE_DISCARD,
    BURIED,
    DECK,
    DESTROYED,
    DISCARD,
    HAND,
    IN_MIDDLE,
    LIMBO,
    NONE,
    ON_CARD,
    RETURNED,
    SET_ASIDE,
    TYPE_NAMES,
    ZONE_NAMES,
)  # fmt: skip
from smashup.engine.model.knowledge import viewer_bit
from smashup.engine.model.messages import EVERYBODY

if TYPE_CHECKING:
    from smashup.engine.model.table import Table

BY_PLAY: Final = 9
"""How a card moves when it is played; the other ways are those of leaving play."""

# What may happen, besides cards that go from one place to another.
SHUFFLED: Final = "shuffled"
RESHUFFLED: Final = "reshuffled"
"""A discard pile has become a deck."""
COUNTERS: Final = "counters"
POWER: Final = "power"
CONTROL: Final = "control"
TALENT: Final = "talent"
VP: Final = "vp"
SCORING: Final = "scoring"
SCORED: Final = "scored"
TURN: Final = "turn"
GAME_OVER: Final = "over"
_MOVE: Final = "move"
SPECTATOR: Final = -1

OPEN_ZONES: Final = (DISCARD, AT_BASE, ON_CARD, SET_ASIDE, IN_MIDDLE, BASE_DISCARD)
_OF_A_PLAYER = (DECK, HAND, DISCARD, SET_ASIDE, LIMBO)
_AT_A_SITE = (AT_BASE, BURIED, IN_MIDDLE)


class Change:
    """One thing that happened. Never changed."""

    __slots__ = ("amount", "base", "by", "cards", "cause", "cause_seen_by", "how", "origin",
                 "player", "rows", "seen_by", "to", "what")  # fmt: skip

    def __init__(
        self,
        what: str,
        *,
        cards: tuple[int, ...] = (),
        seen_by: int = EVERYBODY,
        player: int = NONE,
        base: int = NONE,
        amount: int = 0,
        how: int = 0,
        origin: tuple[int, int] = (NONE, NONE),
        to: tuple[int, int] = (NONE, NONE),
        rows: tuple[tuple[int, ...], ...] = (),
    ) -> None:
        self.what = what
        self.cards = cards
        self.seen_by = seen_by
        """Bits of the viewers who may know which cards these are."""
        self.player = player
        self.base = base
        """A site's serial."""
        self.amount = amount
        self.how = how
        self.origin = origin
        """Zone and place where the cards were."""
        self.to = to
        """Zone and place where they are now."""
        self.rows = rows
        """Of a scored base: player, place, VP, power there."""
        self.by = NONE
        """The player who did it; -1 for the rules."""
        self.cause = NONE
        """The card that did it."""
        self.cause_seen_by = 0
        """Bits of the viewers who knew that card then."""


def move(
    cards: tuple[int, ...], origin: tuple[int, int], to: tuple[int, int], how: int, seen_by: int
) -> Change:
    """Cards go from one place to another."""
    if to[0] in OPEN_ZONES:
        seen_by = EVERYBODY
    elif to[0] == HAND:
        seen_by |= 1 << to[1]
    return Change(_MOVE, cards=cards, seen_by=seen_by, how=how, origin=origin, to=to)


def told(table: Table, viewer: int, since: int = 0) -> list[dict[str, Any]]:
    """The changes from a number on, as a player (-1: a spectator) may know them."""
    return [_told(table, change, viewer) for change in table.changes[since:]]


def _told(table: Table, change: Change, viewer: int) -> dict[str, Any]:
    shown: dict[str, Any] = {"kind": change.what}
    if change.what == _MOVE:
        shown["kind"] = _sort_of_move(change, _is_known(change, SPECTATOR))
        shown["origin"] = _place(change.origin)
        shown["to"] = _place(change.to)
    if change.cards:
        shown["cards"] = _faces(table, change, viewer)
    if change.player != NONE:
        shown["player"] = change.player
    if change.base != NONE:
        shown["base"] = change.base
    if change.what in (COUNTERS, POWER, VP, TURN):
        shown["amount"] = change.amount
    if change.what in (SCORED, GAME_OVER):
        shown["places"] = [
            dict(zip(("player", "place", "vp", "power"), row, strict=False)) for row in change.rows
        ]
    if change.by != NONE:
        shown["by"] = change.by
    if change.cause_seen_by & viewer_bit(viewer):
        name = table.state.definition[change.cause].name
        shown["cause"] = {"id": change.cause, "name": name}
    return shown


def _is_known(change: Change, viewer: int) -> bool:
    return bool(change.seen_by & viewer_bit(viewer))


def _faces(table: Table, change: Change, viewer: int) -> list[dict[str, Any]]:
    if not _is_known(change, viewer):
        return [{"hidden": True} for _ in change.cards]
    kinds = table.state.definition
    return [
        {"id": c, "name": kinds[c].name, "type": TYPE_NAMES[kinds[c].type]} for c in change.cards
    ]


def _place(where: tuple[int, int]) -> dict[str, Any]:
    zone, place = where
    shown: dict[str, Any] = {"zone": ZONE_NAMES[zone].replace(" ", "_")}
    if zone in _OF_A_PLAYER:
        shown["player"] = place
    elif zone in _AT_A_SITE:
        shown["base"] = place
    elif zone == ON_CARD:
        shown["host"] = place
    return shown


def _sort_of_move(change: Change, is_open: bool) -> str:
    """What players call it."""
    origin, to = change.origin[0], change.to[0]
    if change.how == BY_PLAY:
        return "played"
    if change.how == DESTROYED:
        return "destroyed"
    if change.how == RETURNED:
        return "returned"
    if to == IN_MIDDLE:
        return "base_played"
    if origin == IN_MIDDLE:
        return "base_left"
    if to == DISCARD:
        return "discarded"
    if origin == to == AT_BASE:
        return "moved"
    if to == ON_CARD:
        return "transferred"
    if to == BURIED:
        return "buried"
    if origin == DECK and to == HAND:
        return "drawn"
    if origin in (DECK, BURIED) and to == LIMBO:
        return "revealed" if is_open else "looked_at"
    return "placed"
