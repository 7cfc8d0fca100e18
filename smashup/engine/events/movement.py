"""Events of cards that are played, move, leave play or change zones."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Final

from smashup.engine.events.base import GameEvent
from smashup.engine.model.constants import (
    DECK_BOTTOM,
    DECK_SHUFFLED,
    DECK_TOP,
    DISCARD,
    HAND,
    MADNESS_DECK,
    NONE,
    REMOVED,
    SET_ASIDE,
)
from smashup.engine.model.events import Event
from smashup.engine.model.hooks import Hook
from smashup.engine.model.messages import EVERYBODY

if TYPE_CHECKING:
    from smashup.engine.model.table import Table

_PLACES: Final = {
    HAND: "to_hand",
    DECK_TOP: "to_deck_top",
    DECK_BOTTOM: "to_deck_bottom",
    DECK_SHUFFLED: "shuffled_into_deck",
    DISCARD: "discarded",
    SET_ASIDE: "set_aside",
    MADNESS_DECK: "to_madness_deck",
    REMOVED: "removed",
}


@dataclass(eq=False)
class CardChangedZone(GameEvent):
    """A card changed its zone."""

    id: ClassVar[str] = "card_changed_zone"
    card: int
    origin: tuple[int, int]
    """The old zone and place."""
    to: tuple[int, int]
    """The new zone and place."""
    reason: int
    """How the card left play, or `BY_PLAY`; 0 for other changes."""
    seen_by: int


@dataclass(eq=False)
class CardPlayed(GameEvent):
    """A player played a card, which has not resolved yet."""

    id: ClassVar[str] = "card_played"
    player: int
    card: int
    host: int
    """The card it is on."""
    base: int

    @property
    def variant(self) -> str:
        if self.host != NONE:
            return "on_card"
        return "at_base" if self.base != NONE else ""


@dataclass(eq=False)
class ActionSwapped(GameEvent):
    """An action took the place of another one, without being played."""

    id: ClassVar[str] = "action_swapped"
    card: int
    host: int
    """The action that was there before."""


@dataclass(eq=False)
class PlayResolved(GameEvent):
    """A played card has resolved."""

    id: ClassVar[str] = "play_resolved"
    hook: ClassVar[int] = Hook.AFTER_PLAY.value
    player: int
    card: int


@dataclass(eq=False)
class SpecialResolved(GameEvent):
    """A Special, played or used, has resolved."""

    id: ClassVar[str] = "special_resolved"
    hook: ClassVar[int] = Hook.AFTER_SPECIAL.value
    player: int
    card: int
    base: int

    def trigger(self, table: Table) -> Event:
        event = Event(self.hook)
        event.card = table.cards[self.card]
        event.player = table.player(self.player)
        event.base = table.base(self.base) if self.base != NONE else None
        return event


@dataclass(eq=False)
class TalentUsed(GameEvent):
    """A player uses a talent, which has not resolved yet."""

    id: ClassVar[str] = "talent_used"
    player: int
    card: int


@dataclass(eq=False)
class TalentResolved(GameEvent):
    """A talent has resolved."""

    id: ClassVar[str] = "talent_resolved"
    hook: ClassVar[int] = Hook.AFTER_TALENT.value
    player: int
    card: int


@dataclass(eq=False)
class CardMoved(GameEvent):
    """A card moved from one base to another."""

    id: ClassVar[str] = "card_moved"
    hook: ClassVar[int] = Hook.AFTER_MOVE.value
    card: int
    origin: int
    base: int

    def trigger(self, table: Table) -> Event:
        event = Event(self.hook)
        event.card = table.card(self.card)
        event.base = table.base(self.base)
        event.origin = table.base(self.origin)
        event.player = table.player(self.by)
        return event


@dataclass(eq=False)
class MovePrevented(GameEvent):
    """A card could not be moved."""

    id: ClassVar[str] = "move_prevented"
    card: int


@dataclass(eq=False)
class LeavingPrevented(GameEvent):
    """A card would have left play but is protected."""

    id: ClassVar[str] = "leaving_prevented"
    card: int


@dataclass(eq=False)
class AttachmentRejected(GameEvent):
    """A card is not affected by an action on it, which is destroyed."""

    id: ClassVar[str] = "attachment_rejected"
    host: int
    card: int


@dataclass(eq=False)
class CardLeavesPlay(GameEvent):
    """A card is about to leave play: all that leave together are announced first."""

    id: ClassVar[str] = "card_leaves_play"
    card: int
    player: int
    """Its owner, or the player to whom it goes instead."""
    way: str
    """How it leaves: one of the variants."""
    host: int = NONE
    """The card it is on, if it is discarded with it."""
    base: int = NONE
    """The base it is discarded from."""
    names_cause: bool = True
    seen_by: int = EVERYBODY

    @property
    def variant(self) -> str:
        return self.way


@dataclass(eq=False)
class CardLeftPlay(GameEvent):
    """A card has left play."""

    id: ClassVar[str] = "card_left_play"
    hook: ClassVar[int] = Hook.AFTER_LEAVING_PLAY.value
    card: int
    player: int
    """The player who controlled it."""
    origin: int
    """The base it was at."""
    reason: int
    to: int
    """The zone it went to."""
    together: list[int] = field(default_factory=list)
    """All cards that left play at the same time."""


@dataclass(eq=False)
class CardTransferred(GameEvent):
    """An action went from one card to another."""

    id: ClassVar[str] = "card_transferred"
    hook: ClassVar[int] = Hook.AFTER_TRANSFER.value
    card: int
    host: int

    def trigger(self, table: Table) -> Event:
        return transfer_trigger(table, self.card, self.by)


def transfer_trigger(table: Table, card: int, player: int) -> Event:
    """Create the event for an action or a counter that went to another card."""
    event = Event(Hook.AFTER_TRANSFER.value)
    event.card = table.cards[card]
    event.player = table.player(player)
    return event


@dataclass(eq=False)
class CardBuried(GameEvent):
    """A card was put face down at a base."""

    id: ClassVar[str] = "card_buried"
    player: int
    card: int
    base: int
    seen_by: int


@dataclass(eq=False)
class CardPlaced(GameEvent):
    """A card that is not in play is about to go to a player's hand or deck."""

    id: ClassVar[str] = "card_placed"
    player: int
    """Whose hand or deck."""
    card: int
    to: int
    taken: bool = False
    """Whether the player takes it, rather than an ability putting it there."""
    seen_by: int = EVERYBODY

    @property
    def variant(self) -> str:
        return "taken" if self.taken else _PLACES[self.to]


@dataclass(eq=False)
class CardEnteredHand(GameEvent):
    """A visible card went to a player's hand."""

    id: ClassVar[str] = "card_entered_hand"
    hook: ClassVar[int] = Hook.AFTER_ENTERING_HAND.value
    card: int
    player: int

    def trigger(self, table: Table) -> Event:
        event = Event(self.hook)
        event.card = table.card(self.card)
        event.player = table.player(self.player)
        return event


@dataclass(eq=False)
class CardGiven(GameEvent):
    """A player put a card into another player's hand."""

    id: ClassVar[str] = "card_given"
    hook: ClassVar[int] = Hook.AFTER_GIVING.value
    player: int
    card: int
    other: int
    """The player who has it now."""
    seen_by: int

    def trigger(self, table: Table) -> Event:
        event = Event(self.hook)
        event.card = table.card(self.card)
        event.player = table.player(self.player)
        return event


def way_of_leaving(to: int) -> str:
    """Return the variant of `CardLeavesPlay` for a destination."""
    return _PLACES.get(to, "removed")
