"""The numbers on the board and their breakdowns, the same for every viewer.

All views of one moment show the same numbers, so they are computed only once.
"""

from __future__ import annotations

from typing import Final

from smashup.engine.model.constants import AT_BASE, MINION, TITAN
from smashup.engine.model.hooks import Hook
from smashup.engine.model.state import Site
from smashup.engine.model.table import Table
from smashup.engine.rules import abilities, queries
from smashup.engine.views.breakdown import (
    Contribution,
    are_breakpoints_printed,
    breakpoint_contributions,
    cards_with_changed_power,
    has_other_power,
    has_power,
    other_power_contributions,
    power_contributions,
    printed_breakpoint_contributions,
    printed_power_contributions,
)

H_EXCLUDED_FROM_TOTAL: Final = Hook.EXCLUDED_FROM_TOTAL.value


class BaseNumbers:
    """The numbers of a base."""

    __slots__ = ("breakpoint", "breakpoint_parts", "places", "side_power", "total", "totals")

    def __init__(self, table: Table, site: Site, is_printed: bool, has_side_power: bool) -> None:
        serial = site.serial
        players = range(table.num_players)
        self.breakpoint_parts = (
            printed_breakpoint_contributions(table, serial)
            if is_printed
            else breakpoint_contributions(table, serial)
        )
        self.breakpoint = sum([part.amount for part in self.breakpoint_parts])
        self.total = 0
        self.totals = [0] * table.num_players
        self.places: list[tuple[int, int]] = []
        """Players and their places, best first."""
        self.side_power: list[tuple[int, list[Contribution]]] = []
        """Power of players that no card shows as its own."""
        if site.cards or has_side_power:
            self.total = queries.base_total(table, serial)
            self.totals = queries.player_totals(table, serial)
            ranks = queries.rank_totals(table, serial, self.totals)
            self.places = [(p, place) for p, place, _ in ranks]
        if has_side_power:
            for p in players:
                if parts := other_power_contributions(table, serial, p):
                    self.side_power.append((p, parts))


class BoardNumbers:
    """The numbers of all bases and of the cards there."""

    __slots__ = (
        "_abilities",
        "_controller",
        "_counters",
        "_decision",
        "_effects",
        "_place",
        "_zone",
        "bases",
        "cancelled",
        "power_parts",
        "powers",
        "withheld",
    )

    def __init__(self, table: Table) -> None:
        s = table.state
        self._decision = table.pending
        self._zone = s.zone[:]
        self._place = s.place[:]
        self._controller = s.controller[:]
        self._counters = s.counters[:]
        self._effects = s.effects[:]
        self._abilities = s.abilities[:]
        self.cancelled = abilities.cards_with_cancelled_ability(table)
        """Cards whose text has no effect."""
        self.withheld: set[int] = set()
        """Minions whose power stays out of their controller's total."""
        self.powers: dict[int, int] = {}
        self.power_parts: dict[int, list[Contribution]] = {}
        changed = cards_with_changed_power(table)
        is_withholding = bool(abilities.listeners(table, H_EXCLUDED_FROM_TOTAL))
        for site in s.sites:
            for c in site.cards:
                if s.zone[c] != AT_BASE:
                    continue
                definition = s.definition[c]
                if definition.type == MINION and c not in changed:
                    self.powers[c] = table.power_cache[c] = definition.power + s.counters[c]
                    self.power_parts[c] = printed_power_contributions(
                        definition.power, s.counters[c]
                    )
                elif definition.type in (MINION, TITAN) or has_power(table, c):
                    self.powers[c] = queries.power(table, c)
                    self.power_parts[c] = power_contributions(table, c)
                is_minion = definition.type == MINION
                if is_withholding and is_minion and queries.is_excluded_from_total(table, c):
                    self.withheld.add(c)
        is_printed = are_breakpoints_printed(table)
        has_side_power = has_other_power(table)
        self.bases = {
            site.serial: BaseNumbers(table, site, is_printed, has_side_power) for site in s.sites
        }

    def are_current(self, table: Table) -> bool:
        """Whether the decision and the board are unchanged."""
        s = table.state
        return (
            self._decision is not None
            and self._decision is table.pending
            and self._zone == s.zone
            and self._place == s.place
            and self._controller == s.controller
            and self._counters == s.counters
            and self._effects == s.effects
            and self._abilities == s.abilities
        )


def board_numbers(table: Table) -> BoardNumbers:
    """Return the current numbers on the board.

    They are cached for the next view, unless a card text read something other than the board.
    """
    known = table.board_numbers
    if isinstance(known, BoardNumbers) and known.are_current(table):
        return known
    volatile_reads = table.volatile_reads
    numbers = BoardNumbers(table)
    table.board_numbers = numbers if table.volatile_reads == volatile_reads else None
    return numbers
