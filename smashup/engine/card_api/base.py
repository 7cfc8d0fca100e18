"""The handle of a base in play: its place on the table and the base card there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from smashup.engine.model.constants import (
    ANYONE,
    DISCARDED_BY_RULE,
    MINION,
    NONE,
    YOUR_NEXT_TURN,
    YOURS,
)  # fmt: skip
from smashup.engine.model.state import NO_EXTRAS, SHELTERED
from smashup.engine.rules import abilities, effects, play_counts, queries, scoring

if TYPE_CHECKING:
    from smashup.engine.card_api.card import Card
    from smashup.engine.card_api.player import Player
    from smashup.engine.model.table import Table


class Base:
    """A base in play: its place on the table and the base card there."""

    __slots__ = ("serial", "table")

    def __init__(self, table: Table, serial: int) -> None:
        self.table: Table = table
        self.serial = serial

    def __repr__(self) -> str:
        return f"<base {self.serial}>"

    @property
    def card(self) -> Card:
        return self.table.card(self.table.state.site_at[self.serial].base)

    @property
    def name(self) -> str:
        return self.card.name

    @property
    def is_in_play(self) -> bool:
        return self.serial in self.table.state.site_at

    @property
    def breakpoint(self) -> int:
        return queries.breakpoint(self.table, self.serial)

    @property
    def starting_breakpoint(self) -> int:
        """The breakpoint before what other cards add or take away."""
        return queries.starting_breakpoint(self.table, self.serial)

    @property
    def total(self) -> int:
        """All power here, as it counts toward the breakpoint."""
        return queries.base_total(self.table, self.serial)

    def power_of(self, player: Player) -> int:
        """A player's total power here."""
        return queries.player_total(self.table, self.serial, player.index)

    def cards(self) -> list[Card]:
        """Cards on the base itself, in order of arrival."""
        return [self.table.cards[c] for c in self.table.state.site_at[self.serial].cards]

    def minions(self, of: Player | None = None) -> list[Card]:
        """Minions here: all, or one player's."""
        if of is None:
            return [self.table.cards[c] for c in queries.minions(self.table, at=self.serial)]
        found = queries.minions(self.table, of.index, YOURS, self.serial)
        return [self.table.cards[c] for c in found]

    def actions(self, of: Player | None = None, on_minions: bool = False) -> list[Card]:
        """Actions on the base itself (and on minions here): all, or one player's."""
        who = of.index if of is not None else NONE
        whose = YOURS if of is not None else ANYONE
        found = queries.actions(self.table, who, whose, self.serial, True, on_minions)
        return [self.table.cards[c] for c in found]

    def leaders(self) -> list[Player]:
        """Players with the most power here."""
        return [self.table.player(p) for p in queries.leaders(self.table, self.serial)]

    def has_minion_of(self, player: Player) -> bool:
        return queries.count_minions(self.table, player.index, self.serial) > 0

    def minions_played_by(self, player: Player) -> int:
        """How many minions a player has played here this turn."""
        self.table.volatile_reads += 1
        return play_counts.plays_at(self.table, MINION, player.index, self.serial)

    def minions_destroyed(self, of: Player) -> int:
        """How many minions of a player were destroyed here this turn."""
        self.table.volatile_reads += 1
        return play_counts.destroyed_minions(self.table, of.index, self.serial)

    def minions_moved_here_by(self, player: Player) -> int:
        """How many minions of other players a player has moved here this turn."""
        self.table.volatile_reads += 1
        return play_counts.moved_minions(self.table, player.index, self.serial)

    def forbid_extra_plays(self, by: Player) -> None:
        """Until ``by``'s next turn, other players with a minion here cannot play extra cards."""
        t = self.table
        abilities.add_effect(t, NO_EXTRAS, self.serial, 0, by.index, YOUR_NEXT_TURN, by.index)

    def shelter_minions(self, of: Player) -> None:
        """Until a player's next turn, other players' cards do not affect their minions here."""
        t = self.table
        abilities.add_effect(t, SHELTERED, self.serial, 0, of.index, YOUR_NEXT_TURN, of.index)

    def reduce_breakpoint(self, amount: int) -> None:
        """Reduce the breakpoint until the end of the turn."""
        effects.change_breakpoint(self.table, self.serial, -amount)

    def destroy(
        self, spare: Card | None = None, to: Base | None = None, only_discarding: bool = False
    ) -> None:
        """Destroy this base with the cards here and replace it normally.

        A spared titan moves away first. With ``only_discarding`` the cards are discarded, not
        destroyed.
        """
        if spare is not None and to is not None:
            effects.move_card(self.table, spare.id, to.serial)
        index = effects.destroy_base(self.table, self.serial, only_discarding)
        scoring.replace_destroyed_base(self.table, index)

    def clear(self) -> None:
        """Discard all cards still here; titans are set aside."""
        effects.clear_site(self.table, self.serial, DISCARDED_BY_RULE)
