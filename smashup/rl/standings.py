"""Power, minions and VP at each base from the view of a seat, for table and option features."""

from __future__ import annotations

from typing import Final

from smashup.engine.game import Game
from smashup.engine.model.constants import AT_BASE, MINION, TITAN
from smashup.engine.model.hooks import Hook
from smashup.engine.model.state import PLAYER_POWER, Site
from smashup.engine.rules import abilities, queries

H_CARD_BONUS: Final = Hook.CARD_BONUS.value
H_PLAYER_POWER: Final = Hook.PLAYER_POWER.value
H_EXCLUDED_FROM_TOTAL: Final = Hook.EXCLUDED_FROM_TOTAL.value


class BaseStanding:
    """One base: power, minions and VP of each seat, the observer first."""

    __slots__ = ("breakpoint", "minions", "points", "site", "total", "totals", "vp")

    def __init__(
        self,
        site: Site,
        vp: tuple[int, int, int],
        breakpoint: int,
        total: int,
        totals: list[int],
        minions: list[int],
        points: list[int],
    ) -> None:
        self.site = site
        self.vp = vp
        self.breakpoint = breakpoint
        self.total = total
        """All power at the base, compared with the breakpoint."""
        self.totals = totals
        self.minions = minions
        self.points = points
        """VP of each seat if the base scored now."""


class Standings:
    """All bases, and the totals of each seat."""

    __slots__ = ("bases", "minions", "power", "power_of", "slot_of", "titans")

    def __init__(self, game: Game, seat: int) -> None:
        s = game.table.state
        players = game.table.num_players
        kind = s.definition
        zone = s.zone
        controller = s.controller
        index = abilities.ability_index(game.table)
        minions_only = game.table.edition.minions_only
        # A player's total is the power of minions and titans, unless an ability changes it.
        has_modifiers = bool(
            index[H_PLAYER_POWER] or index[H_EXCLUDED_FROM_TOTAL] or index[H_CARD_BONUS]
        )
        for effect in s.effects:
            if effect.kind == PLAYER_POWER:
                has_modifiers = True
        self.minions = [0] * players
        self.power = [0] * players
        self.titans = [0] * players
        self.bases: list[BaseStanding] = []
        self.slot_of: dict[int, int] = {}
        """Index in `bases` by serial number of the site."""
        self.power_of: dict[int, int] = {}
        """Power of each minion and titan at a base."""
        for site in s.sites:
            serial = site.serial
            totals = [0] * players
            minions = [0] * players
            for c in site.cards:
                if zone[c] != AT_BASE:
                    continue
                sort = kind[c].type
                if sort == MINION:
                    who = (controller[c] - seat) % players
                    power = self.power_of[c] = queries.power(game.table, c)
                    totals[who] += power
                    minions[who] += 1
                    self.power[who] += power
                    self.minions[who] += 1
                elif sort == TITAN:
                    who = (controller[c] - seat) % players
                    self.titans[who] += 1
                    power = self.power_of[c] = queries.power(game.table, c)
                    if not minions_only:
                        totals[who] += power
            if has_modifiers:
                totals = [
                    queries.player_total(game.table, serial, (seat + i) % players)
                    for i in range(players)
                ]
                total = queries.base_total(game.table, serial)
            else:
                total = sum(totals)
            vp = kind[site.base].vp
            self.slot_of[serial] = len(self.bases)
            self.bases.append(
                BaseStanding(
                    site,
                    vp,
                    queries.breakpoint(game.table, serial),
                    total,
                    totals,
                    minions,
                    _points(totals, minions, vp, minions_only),
                )
            )


def _points(
    totals: list[int], minions: list[int], vp: tuple[int, int, int], minions_only: bool
) -> list[int]:
    """Return the VP for the place of each seat, as the scoring rules rank them."""
    points = []
    present = [
        minions[p] > 0 or (total >= 1 and not minions_only) for p, total in enumerate(totals)
    ]
    for p, mine in enumerate(totals):
        place = 0
        for other, theirs in enumerate(totals):
            if theirs > mine and present[other]:
                place += 1
        points.append(vp[place] if present[p] and place < 3 else 0)
    return points
