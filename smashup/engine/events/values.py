"""Events of changes in power, counters, control and VP."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from smashup.engine.events.base import GameEvent
from smashup.engine.events.movement import transfer_trigger
from smashup.engine.model.events import Event
from smashup.engine.model.hooks import Hook

if TYPE_CHECKING:
    from smashup.engine.model.table import Table


@dataclass(eq=False)
class PowerChanged(GameEvent):
    """A card gained or lost power for a while."""

    id: ClassVar[str] = "power_changed"
    card: int
    amount: int

    @property
    def variant(self) -> str:
        return "gained" if self.amount >= 0 else "lost"


@dataclass(eq=False)
class PlayerPowerChanged(GameEvent):
    """A player gained power at a base until the end of the turn."""

    id: ClassVar[str] = "player_power_changed"
    player: int
    base: int
    amount: int


@dataclass(eq=False)
class BreakpointChanged(GameEvent):
    """The breakpoint of a base changed until the end of the turn."""

    id: ClassVar[str] = "breakpoint_changed"
    base: int
    amount: int


@dataclass(eq=False)
class CountersAdded(GameEvent):
    """A card got +1 power counters."""

    id: ClassVar[str] = "counters_added"
    card: int
    count: int


@dataclass(eq=False)
class CountersRemoved(GameEvent):
    """A card lost +1 power counters."""

    id: ClassVar[str] = "counters_removed"
    card: int
    count: int


@dataclass(eq=False)
class CountersCleared(GameEvent):
    """A card lost its counters of every kind."""

    id: ClassVar[str] = "counters_cleared"
    card: int
    count: int
    """How many of them were +1 power counters."""


@dataclass(eq=False)
class CountersTransferred(GameEvent):
    """+1 power counters went from one card to another."""

    id: ClassVar[str] = "counters_transferred"
    hook: ClassVar[int] = Hook.AFTER_TRANSFER.value
    origin: int
    """The card they were on."""
    card: int
    count: int

    def trigger(self, table: Table) -> Event:
        return transfer_trigger(table, self.card, self.by)


@dataclass(eq=False)
class ControlChanged(GameEvent):
    """A player took control of a card."""

    id: ClassVar[str] = "control_changed"
    hook: ClassVar[int] = Hook.AFTER_CONTROL_CHANGE.value
    player: int
    card: int
    giver: int
    """The player who gave it away; `NONE` if it was taken."""

    def trigger(self, table: Table) -> Event:
        event = Event(self.hook)
        event.card = table.card(self.card)
        event.player = table.player(self.player)
        event.giver = table.player(self.giver)
        return event


@dataclass(eq=False)
class ControlMadeLasting(GameEvent):
    """A player who controlled a card temporarily now controls it permanently."""

    id: ClassVar[str] = "control_made_lasting"
    player: int
    card: int


@dataclass(eq=False)
class VictoryPointsGained(GameEvent):
    """A player got VP from an ability."""

    id: ClassVar[str] = "victory_points_gained"
    player: int
    amount: int


@dataclass(eq=False)
class VictoryPointsLost(GameEvent):
    """A player lost VP."""

    id: ClassVar[str] = "victory_points_lost"
    player: int
    amount: int


@dataclass(eq=False)
class FactionNamed(GameEvent):
    """A player named a faction."""

    id: ClassVar[str] = "faction_named"
    player: int
    faction: int


@dataclass(eq=False)
class ActionsForbidden(GameEvent):
    """A player cannot play actions for a while."""

    id: ClassVar[str] = "actions_forbidden"
    player: int
    is_next_turn: bool

    @property
    def variant(self) -> str:
        return "next_turn" if self.is_next_turn else ""


@dataclass(eq=False)
class MovesForbidden(GameEvent):
    """A player cannot move minions for a while."""

    id: ClassVar[str] = "moves_forbidden"
    player: int
