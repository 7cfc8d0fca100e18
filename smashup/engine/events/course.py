"""The course of a game: the draft, turns, bases, scoring and the end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from smashup.engine.events.base import GameEvent
from smashup.engine.model.events import Event
from smashup.engine.model.hooks import Hook

if TYPE_CHECKING:
    from smashup.engine.model.table import Table

_PLACES: Final = ("first", "second", "third")


@dataclass(eq=False)
class FactionDrafted(GameEvent):
    """A player took a faction."""

    id: ClassVar[str] = "faction_drafted"
    player: int
    faction: int


@dataclass(eq=False)
class TurnStarted(GameEvent):
    """A turn begins."""

    id: ClassVar[str] = "turn_started"
    turn: int
    player: int


@dataclass(eq=False)
class GameOver(GameEvent):
    """The game is over."""

    id: ClassVar[str] = "game_over"
    winners: list[int]
    vp: list[int]
    """The VP of each winner."""


@dataclass(eq=False)
class MadnessCounted(GameEvent):
    """The game is over, and Madness cards cost a player VP: one for every two."""

    id: ClassVar[str] = "madness_counted"
    player: int
    count: int
    """Madness cards in hand, deck and discard pile."""
    amount: int
    """VP lost."""


@dataclass(eq=False)
class BasePlayed(GameEvent):
    """A base came into play."""

    id: ClassVar[str] = "base_played"
    hook: ClassVar[int] = Hook.AFTER_BASE_PLAYED.value
    base: int
    card: int
    player: int
    """Whose turn it is."""

    def trigger(self, table: Table) -> Event:
        event = Event(self.hook)
        event.base = table.base(self.base)
        event.card = table.card(self.card)
        event.player = table.player(self.player)
        return event


@dataclass(eq=False)
class BaseDestroyed(GameEvent):
    """A base is about to be destroyed."""

    id: ClassVar[str] = "base_destroyed"
    base: int


@dataclass(eq=False)
class TitansClashed(GameEvent):
    """Titans clashed at a base; only those of one player stay."""

    id: ClassVar[str] = "titans_clashed"
    base: int
    player: int


@dataclass(eq=False)
class BaseScoring(GameEvent):
    """A base begins to score."""

    id: ClassVar[str] = "base_scoring"
    base: int
    total: int
    breakpoint: int


@dataclass(eq=False)
class PlaceAwarded(GameEvent):
    """A player gets the VP of a place at a base."""

    id: ClassVar[str] = "place_awarded"
    player: int
    base: int
    place: int
    total: int
    """The player's power there."""
    amount: int

    @property
    def variant(self) -> str:
        return _PLACES[self.place - 1]


@dataclass(eq=False)
class BaseScored(GameEvent):
    """The VP of a base have been awarded."""

    id: ClassVar[str] = "base_scored"
    hook: ClassVar[int] = Hook.ON_SCORE.value
    base: int
    places: list[tuple[int, int, int, int]]
    """Player, place, VP, power there."""


@dataclass(eq=False)
class BaseReplaced(GameEvent):
    """A new base replaced one that scored."""

    id: ClassVar[str] = "base_replaced"
    hook: ClassVar[int] = Hook.AFTER_REPLACEMENT.value
    base: int
