"""How it stands at every base, as one seat sees it: what tables and options are told of alike."""

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


class Standing:
    """One base: power, minions and VP of each seat, the observer's first."""

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
        """All power there: what the breakpoint goes by."""
        self.totals = totals
        self.minions = minions
        self.points = points
        """The VP each seat would get if the base scored now."""


class Standings:
    """All bases, and what each seat has on the table."""

    __slots__ = ("bases", "minions", "power", "power_of", "slot_of", "titans")

    def __init__(self, game: Game, seat: int) -> None:
        s = game.table.state
        players = game.table.num_players
        kind = s.definition
        zone = s.zone
        controller = s.controller
        index = abilities.ability_index(game.table)
        minions_only = game.table.edition.minions_only
        # Mostly a player's total is the power of minions and titans; some cards say otherwise.
        intricate = bool(
            index[H_PLAYER_POWER] or index[H_EXCLUDED_FROM_TOTAL] or index[H_CARD_BONUS]
        )
        for effect in s.effects:
            if effect.kind == PLAYER_POWER:
                intricate = True
        self.minions = [0] * players
        self.power = [0] * players
        self.titans = [0] * players
        self.bases: list[Standing] = []
        self.slot_of: dict[int, int] = {}
        """Where in the list the site with this serial is."""
        self.power_of: dict[int, int] = {}
        """The power of each minion and titan at a base."""
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
            if intricate:
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
                Standing(
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
    """The VP for everybody's place, as `Game.ranking` has it."""
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
