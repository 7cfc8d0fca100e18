"""The handle on a base in play: the place, and the card that lies there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from smashup.engine.words import (
    YOURS,
)  # fmt: skip

if TYPE_CHECKING:
    from smashup.engine.handles.card import Card
    from smashup.engine.handles.player import Player
    from smashup.engine.opening import Opening


class Base:
    """A base in play: the place, and the card that lies there."""

    __slots__ = ("serial", "t")

    def __init__(self, table: object, serial: int) -> None:
        self.t: Opening = table  # type: ignore[assignment]
        self.serial = serial

    def __repr__(self) -> str:
        return f"<base {self.serial}>"

    @property
    def card(self) -> Card:
        return self.t.card(self.t.state.site_at[self.serial].base)

    @property
    def name(self) -> str:
        return self.card.name

    @property
    def is_in_play(self) -> bool:
        return self.serial in self.t.state.site_at

    @property
    def breakpoint(self) -> int:
        return self.t.breakpoint(self.serial)

    @property
    def total(self) -> int:
        """All power here, as the breakpoint counts it."""
        return self.t.base_total(self.serial)

    def power_of(self, player: Player) -> int:
        """A player's total power here."""
        return self.t.total(self.serial, player.index)

    def cards(self) -> list[Card]:
        """Cards on the base itself, in order of arrival."""
        return [self.t.card(c) for c in self.t.state.site_at[self.serial].cards]

    def minions_of(self, player: Player) -> list[Card]:
        return [self.t.card(c) for c in self.t.minions(player.index, YOURS, self.serial)]

    def minions(self) -> list[Card]:
        return [self.t.card(c) for c in self.t.minions(at=self.serial)]

    def actions_of(self, player: Player, on_minions: bool = True) -> list[Card]:
        """A player's actions on the base, and on minions here unless told otherwise."""
        found = self.t.actions(player.index, YOURS, self.serial, True, on_minions)
        return [self.t.card(c) for c in found]

    def actions(self) -> list[Card]:
        """Actions on the base itself."""
        return [self.t.card(c) for c in self.t.actions(at=self.serial, on_minions=False)]

    def titans(self) -> list[Card]:
        return [self.t.card(c) for c in self.t.titans(at=self.serial)]

    def leaders(self) -> list[Player]:
        """Players with the most power here."""
        return [self.t.seat(p) for p in self.t.leaders(self.serial)]

    def has_minion_of(self, player: Player) -> bool:
        return self.t.count_minions(player.index, self.serial) > 0

    def reduce_breakpoint(self, amount: int) -> None:
        """Until the end of the turn."""
        self.t.change_breakpoint(self.serial, -amount)

    def destroy(self, spare: Card | None = None, to: Base | None = None) -> None:
        """Destroy this base and replace it normally; a spared titan moves away first."""
        if spare is not None and to is not None:
            self.t.move(spare.id, to.serial)
        index = self.t.destroy_base(self.serial)
        self.t.replace_destroyed(index)
