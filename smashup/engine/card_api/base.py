"""The handle on a base in play: the place, and the card that lies there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from smashup.engine.model.constants import (
    YOURS,
)  # fmt: skip
from smashup.engine.rules import effects, queries, scoring

if TYPE_CHECKING:
    from smashup.engine.card_api.card import Card
    from smashup.engine.card_api.player import Player
    from smashup.engine.model.table import Table


class Base:
    """A base in play: the place, and the card that lies there."""

    __slots__ = ("serial", "t")

    def __init__(self, table: Table, serial: int) -> None:
        self.t: Table = table
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
        return queries.breakpoint(self.t, self.serial)

    @property
    def total(self) -> int:
        """All power here, as the breakpoint counts it."""
        return queries.base_total(self.t, self.serial)

    def power_of(self, player: Player) -> int:
        """A player's total power here."""
        return queries.player_total(self.t, self.serial, player.index)

    def cards(self) -> list[Card]:
        """Cards on the base itself, in order of arrival."""
        return [self.t.card(c) for c in self.t.state.site_at[self.serial].cards]

    def minions_of(self, player: Player) -> list[Card]:
        return [self.t.card(c) for c in queries.minions(self.t, player.index, YOURS, self.serial)]

    def minions(self) -> list[Card]:
        return [self.t.card(c) for c in queries.minions(self.t, at=self.serial)]

    def actions_of(self, player: Player, on_minions: bool = True) -> list[Card]:
        """A player's actions on the base, and on minions here unless told otherwise."""
        found = queries.actions(self.t, player.index, YOURS, self.serial, True, on_minions)
        return [self.t.card(c) for c in found]

    def actions(self) -> list[Card]:
        """Actions on the base itself."""
        return [self.t.card(c) for c in queries.actions(self.t, at=self.serial, on_minions=False)]

    def titans(self) -> list[Card]:
        return [self.t.card(c) for c in queries.titans(self.t, at=self.serial)]

    def leaders(self) -> list[Player]:
        """Players with the most power here."""
        return [self.t.player(p) for p in queries.leaders(self.t, self.serial)]

    def has_minion_of(self, player: Player) -> bool:
        return queries.count_minions(self.t, player.index, self.serial) > 0

    def reduce_breakpoint(self, amount: int) -> None:
        """Until the end of the turn."""
        effects.change_breakpoint(self.t, self.serial, -amount)

    def destroy(self, spare: Card | None = None, to: Base | None = None) -> None:
        """Destroy this base and replace it normally; a spared titan moves away first."""
        if spare is not None and to is not None:
            effects.move_card(self.t, spare.id, to.serial)
        index = effects.destroy_base(self.t, self.serial)
        scoring.replace_destroyed_base(self.t, index)
