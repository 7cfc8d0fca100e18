"""What a client animates, step by step: derived from events, each with who may know the cards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from smashup.engine.events import course, movement, piles, values
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
    from smashup.engine.events.base import GameEvent
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
    """One step to show. Never changed."""

    __slots__ = ("amount", "base", "by", "cards", "cause", "cause_seen_by", "how", "origin",
                 "player", "rows", "seen_by", "to", "what")  # fmt: skip

    def __init__(
        self,
        event: GameEvent,
        what: str,
        *,
        cards: tuple[int, ...] = (),
        player: int = NONE,
        base: int = NONE,
        amount: int = 0,
        rows: tuple[tuple[int, ...], ...] = (),
    ) -> None:
        self.what = what
        self.cards = cards
        self.seen_by = event.seen_by
        """Bits of the viewers who may know which cards these are."""
        self.player = player
        self.base = base
        """A site's serial."""
        self.amount = amount
        self.how = 0
        self.origin = (NONE, NONE)
        """Zone and place where the cards were."""
        self.to = (NONE, NONE)
        """Zone and place where they are now."""
        self.rows = rows
        """Of a scored base: player, place, VP, power there."""
        self.by = event.by
        """The player who did it; -1 for the rules."""
        self.cause = event.cause
        """The card that did it."""
        self.cause_seen_by = event.cause_seen_by
        """Bits of the viewers who knew that card then."""


def changes_of(event: GameEvent) -> list[Change]:
    """What there is to show of an event."""
    if isinstance(event, movement.CardChangedZone):
        return [_move(event, (event.card,), event.origin, event.to, event.reason)]
    if isinstance(event, piles.CardsDrawn):
        deck, hand = (DECK, event.player), (HAND, event.player)
        return [_move(event, tuple(event.cards), deck, hand)]
    if isinstance(event, piles.DeckShuffled):
        return [Change(event, SHUFFLED, player=event.player)]
    if isinstance(event, piles.DeckRefilled):
        return [Change(event, RESHUFFLED, player=event.player)]
    if isinstance(event, movement.TalentUsed):
        return [Change(event, TALENT, cards=(event.card,), player=event.player)]
    if isinstance(event, values.ControlChanged | values.ControlMadeLasting):
        return [Change(event, CONTROL, cards=(event.card,), player=event.player)]
    if isinstance(event, values.PowerChanged):
        return [Change(event, POWER, cards=(event.card,), amount=event.amount)]
    if isinstance(event, values.PlayerPowerChanged):
        where, amount = event.base, event.amount
        return [Change(event, POWER, player=event.player, base=where, amount=amount)]
    if isinstance(event, values.CountersAdded):
        return [Change(event, COUNTERS, cards=(event.card,), amount=event.count)]
    if isinstance(event, values.CountersRemoved | values.CountersCleared):
        return [Change(event, COUNTERS, cards=(event.card,), amount=-event.count)]
    if isinstance(event, values.CountersTransferred):
        return [
            Change(event, COUNTERS, cards=(event.origin,), amount=-event.count),
            Change(event, COUNTERS, cards=(event.card,), amount=event.count),
        ]
    if isinstance(event, values.VictoryPointsGained):
        return [Change(event, VP, player=event.player, amount=event.amount)]
    if isinstance(event, values.VictoryPointsLost):
        return [Change(event, VP, player=event.player, amount=-event.amount)]
    if isinstance(event, course.BaseScoring):
        return [Change(event, SCORING, base=event.base)]
    if isinstance(event, course.BaseScored):
        return [Change(event, SCORED, base=event.base, rows=tuple(event.places))]
    if isinstance(event, course.TurnStarted):
        return [Change(event, TURN, player=event.player, amount=event.turn)]
    if isinstance(event, course.GameOver):
        rows = tuple((p, 1, vp) for p, vp in zip(event.winners, event.vp, strict=True))
        return [Change(event, GAME_OVER, rows=rows)]
    return []


def _move(
    event: GameEvent,
    cards: tuple[int, ...],
    origin: tuple[int, int],
    to: tuple[int, int],
    how: int = 0,
) -> Change:
    """Cards go from one place to another; in most zones everybody sees them."""
    change = Change(event, _MOVE, cards=cards)
    change.origin, change.to, change.how = origin, to, how
    if to[0] in OPEN_ZONES:
        change.seen_by = EVERYBODY
    elif to[0] == HAND:
        change.seen_by |= 1 << to[1]
    return change


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
