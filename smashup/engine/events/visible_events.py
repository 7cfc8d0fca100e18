"""Visible events: what clients animate, and who may know the cards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from smashup.engine.events import course, movement, piles, values
from smashup.engine.events.base import GameEvent
from smashup.engine.model.constants import (
    AT_BASE,
    BASE_DISCARD,
    BASE_IN_PLAY,
    BURIED,
    DECK,
    DESTROYED,
    DISCARD,
    HAND,
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
"""The reason of a move when a card is played; other reasons are those of leaving play."""

# Kinds of visible events, in addition to moves of cards.
SHUFFLED: Final = "shuffled"
RESHUFFLED: Final = "reshuffled"
"""A discard pile became a deck."""
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

OPEN_ZONES: Final = (DISCARD, AT_BASE, ON_CARD, SET_ASIDE, BASE_IN_PLAY, BASE_DISCARD)
_OF_A_PLAYER = (DECK, HAND, DISCARD, SET_ASIDE, LIMBO)
_AT_A_SITE = (AT_BASE, BURIED, BASE_IN_PLAY)


class VisibleEvent:
    """One visible step of an event. Immutable."""

    __slots__ = ("amount", "base", "by", "cards", "cause", "cause_seen_by", "kind", "origin",
                 "player", "reason", "rows", "seen_by", "to")  # fmt: skip

    def __init__(
        self,
        event: GameEvent,
        kind: str,
        *,
        cards: tuple[int, ...] = (),
        player: int = NONE,
        base: int = NONE,
        amount: int = 0,
        rows: tuple[tuple[int, ...], ...] = (),
    ) -> None:
        self.kind = kind
        self.cards = cards
        self.seen_by = event.seen_by
        """Bits of the viewers who may know which cards these are."""
        self.player = player
        self.base = base
        """A site's serial."""
        self.amount = amount
        self.reason = 0
        self.origin = (NONE, NONE)
        """The old zone and place of the cards."""
        self.to = (NONE, NONE)
        """Their new zone and place."""
        self.rows = rows
        """For a scored base: player, place, VP, power there."""
        self.by = event.by
        """The player who did it; -1 for the rules."""
        self.cause = event.cause
        """The card that did it."""
        self.cause_seen_by = event.cause_seen_by
        """Bits of the viewers who knew that card then."""


FORGOTTEN_EVENT: Final = GameEvent()
"""Replaces events dropped to save memory, so that the others keep their numbers."""
FORGOTTEN: Final = VisibleEvent(FORGOTTEN_EVENT, "forgotten")


def visible_events_of(event: GameEvent) -> list[VisibleEvent]:
    """Return the visible steps of an event; empty if it is not shown."""
    if isinstance(event, movement.CardChangedZone):
        return [_move(event, (event.card,), event.origin, event.to, event.reason)]
    if isinstance(event, piles.CardsDrawn):
        deck, hand = (DECK, event.player), (HAND, event.player)
        return [_move(event, tuple(event.cards), deck, hand)]
    if isinstance(event, piles.DeckShuffled):
        return [VisibleEvent(event, SHUFFLED, player=event.player)]
    if isinstance(event, piles.DeckRefilled):
        return [VisibleEvent(event, RESHUFFLED, player=event.player)]
    if isinstance(event, movement.TalentUsed):
        return [VisibleEvent(event, TALENT, cards=(event.card,), player=event.player)]
    if isinstance(event, values.ControlChanged | values.ControlMadeLasting):
        return [VisibleEvent(event, CONTROL, cards=(event.card,), player=event.player)]
    if isinstance(event, values.PowerChanged):
        return [VisibleEvent(event, POWER, cards=(event.card,), amount=event.amount)]
    if isinstance(event, values.PlayerPowerChanged):
        where, amount = event.base, event.amount
        return [VisibleEvent(event, POWER, player=event.player, base=where, amount=amount)]
    if isinstance(event, values.CountersAdded):
        return [VisibleEvent(event, COUNTERS, cards=(event.card,), amount=event.count)]
    if isinstance(event, values.CountersRemoved | values.CountersCleared):
        return [VisibleEvent(event, COUNTERS, cards=(event.card,), amount=-event.count)]
    if isinstance(event, values.CountersTransferred):
        return [
            VisibleEvent(event, COUNTERS, cards=(event.origin,), amount=-event.count),
            VisibleEvent(event, COUNTERS, cards=(event.card,), amount=event.count),
        ]
    if isinstance(event, values.VictoryPointsGained):
        return [VisibleEvent(event, VP, player=event.player, amount=event.amount)]
    if isinstance(event, values.VictoryPointsLost):
        return [VisibleEvent(event, VP, player=event.player, amount=-event.amount)]
    if isinstance(event, course.BaseScoring):
        return [VisibleEvent(event, SCORING, base=event.base)]
    if isinstance(event, course.BaseScored):
        return [VisibleEvent(event, SCORED, base=event.base, rows=tuple(event.places))]
    if isinstance(event, course.TurnStarted):
        return [VisibleEvent(event, TURN, player=event.player, amount=event.turn)]
    if isinstance(event, course.GameOver):
        rows = tuple((p, 1, vp) for p, vp in zip(event.winners, event.vp, strict=True))
        return [VisibleEvent(event, GAME_OVER, rows=rows)]
    return []


def _move(
    event: GameEvent,
    cards: tuple[int, ...],
    origin: tuple[int, int],
    to: tuple[int, int],
    reason: int = 0,
) -> VisibleEvent:
    """Return a move of cards; in most zones everybody sees them."""
    visible = VisibleEvent(event, _MOVE, cards=cards)
    visible.origin, visible.to, visible.reason = origin, to, reason
    if to[0] in OPEN_ZONES:
        visible.seen_by = EVERYBODY
    elif to[0] == HAND:
        visible.seen_by |= 1 << to[1]
    return visible


def visible_to(table: Table, viewer: int, since: int = 0) -> list[dict[str, Any]]:
    """Return the events from a number on as plain data, as a player (-1: a spectator) may know
    them."""
    return [
        _event_data(table, event, viewer)
        for event in table.visible_events[since:]
        if event is not FORGOTTEN
    ]


def _event_data(table: Table, event: VisibleEvent, viewer: int) -> dict[str, Any]:
    shown: dict[str, Any] = {"kind": event.kind}
    if event.kind == _MOVE:
        shown["kind"] = _kind_of_move(event, _is_known(event, SPECTATOR))
        shown["origin"] = _place(event.origin)
        shown["to"] = _place(event.to)
    if event.cards:
        shown["cards"] = _faces(table, event, viewer)
    if event.player != NONE:
        shown["player"] = event.player
    if event.base != NONE:
        shown["base"] = event.base
    if event.kind in (COUNTERS, POWER, VP, TURN):
        shown["amount"] = event.amount
    if event.kind in (SCORED, GAME_OVER):
        shown["places"] = [
            dict(zip(("player", "place", "vp", "power"), row, strict=False)) for row in event.rows
        ]
    if event.by != NONE:
        shown["by"] = event.by
    if event.cause_seen_by & viewer_bit(viewer):
        name = table.state.definition[event.cause].name
        shown["cause"] = {"id": event.cause, "name": name}
    return shown


def _is_known(event: VisibleEvent, viewer: int) -> bool:
    return bool(event.seen_by & viewer_bit(viewer))


def _faces(table: Table, event: VisibleEvent, viewer: int) -> list[dict[str, Any]]:
    if not _is_known(event, viewer):
        return [{"hidden": True} for _ in event.cards]
    definitions = table.state.definition
    return [
        {"id": c, "name": definitions[c].name, "type": TYPE_NAMES[definitions[c].type]}
        for c in event.cards
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


def _kind_of_move(event: VisibleEvent, is_open: bool) -> str:
    """Return the kind of a move in players' terms."""
    origin, to = event.origin[0], event.to[0]
    if event.reason == BY_PLAY:
        return "played"
    if event.reason == DESTROYED:
        return "destroyed"
    if event.reason == RETURNED:
        return "returned"
    if to == BASE_IN_PLAY:
        return "base_played"
    if origin == BASE_IN_PLAY:
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
