"""Events of cards that are drawn, discarded, shuffled, shown or searched for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from smashup.engine.events.base import GameEvent
from smashup.engine.model.constants import NONE
from smashup.engine.model.events import Event
from smashup.engine.model.hooks import Hook
from smashup.engine.model.messages import EVERYBODY

if TYPE_CHECKING:
    from smashup.engine.model.table import Table


@dataclass(eq=False)
class CardsDrawn(GameEvent):
    """A player drew cards: off their deck, Madness cards (which all see), or discarded ones."""

    id: ClassVar[str] = "cards_drawn"
    hook: ClassVar[int] = Hook.AFTER_DRAW.value
    player: int
    cards: list[int]
    seen_by: int

    def trigger(self, table: Table) -> Event:
        event = Event(self.hook)
        event.player = table.player(self.player)
        event.cards = [table.card(c) for c in self.cards]
        return event


@dataclass(eq=False)
class CardsDiscarded(GameEvent):
    """Cards of a hand or deck went to discard piles."""

    id: ClassVar[str] = "cards_discarded"
    hook: ClassVar[int] = Hook.AFTER_DISCARD.value
    player: int
    cards: list[int]
    zone: int
    """The zone they were in."""
    is_over_limit: bool
    """Whether the player had more cards than the hand limit."""

    @property
    def variant(self) -> str:
        return "hand_limit" if self.is_over_limit else ""

    def trigger(self, table: Table) -> Event:
        event = Event(self.hook)
        event.player = table.player(self.player)
        event.cards = [table.card(c) for c in self.cards]
        event.how = self.zone
        return event


@dataclass(eq=False)
class CardDiscardedToOwner(GameEvent):
    """A card went to the discard pile of its owner, who is not the player who had it."""

    id: ClassVar[str] = "card_discarded_to_owner"
    card: int
    player: int


@dataclass(eq=False)
class DeckShuffled(GameEvent):
    """A deck was shuffled."""

    id: ClassVar[str] = "deck_shuffled"
    player: int


@dataclass(eq=False)
class ShuffleAnnounced(GameEvent):
    """A player shuffled their deck, and no other line of the log says so."""

    id: ClassVar[str] = "shuffle_announced"
    player: int


@dataclass(eq=False)
class DeckRefilled(GameEvent):
    """A discard pile became a new deck."""

    id: ClassVar[str] = "deck_refilled"
    player: int


@dataclass(eq=False)
class CardsSeen(GameEvent):
    """A player revealed or looked at cards."""

    id: ClassVar[str] = "cards_seen"
    player: int
    cards: list[int]
    other: int
    """Whose cards they are."""
    seen_by: int = EVERYBODY

    @property
    def variant(self) -> str:
        way = "revealed" if self.seen_by == EVERYBODY else "looked_at"
        return way if self.other == self.player else f"{way}_from_deck"


@dataclass(eq=False)
class HandSeen(GameEvent):
    """A player looked at another player's hand."""

    id: ClassVar[str] = "hand_seen"
    player: int
    cards: list[int]
    other: int
    """Whose hand it is."""
    seen_by: int


@dataclass(eq=False)
class MulliganTaken(GameEvent):
    """A player showed a hand without minions to draw a new one."""

    id: ClassVar[str] = "mulligan_taken"
    player: int
    cards: list[int]


@dataclass(eq=False)
class DeckSearched(GameEvent):
    """A player searched their deck."""

    id: ClassVar[str] = "deck_searched"
    player: int
    card: int
    """The card found."""
    seen_by: int = EVERYBODY

    @property
    def variant(self) -> str:
        if self.card == NONE:
            return "nothing_found"
        return "revealed" if self.seen_by == EVERYBODY else "taken_out"


@dataclass(eq=False)
class DeckSeen(GameEvent):
    """An ability showed some cards of a deck to a player."""

    id: ClassVar[str] = "deck_seen"
    hook: ClassVar[int] = Hook.AFTER_DECK_SEEN.value
    player: int
    """Whose deck it is."""
    amount: int
    """How often this has happened this turn."""

    def trigger(self, table: Table) -> Event:
        event = Event(self.hook)
        event.player = table.player(self.player)
        event.amount = self.amount
        return event
