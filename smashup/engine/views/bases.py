"""Bases in play and the cards there, with what their numbers are made of."""

from __future__ import annotations

from typing import Final, cast

from smashup.engine.model.constants import AT_BASE, BURIED, MINION, NONE, TITAN
from smashup.engine.model.hooks import Hook
from smashup.engine.model.state import Site
from smashup.engine.model.table import Table
from smashup.engine.rules import abilities, queries
from smashup.engine.views import types
from smashup.engine.views.breakdown import (
    Contribution,
    are_breakpoints_printed,
    breakpoint_contributions,
    cards_with_changed_power,
    has_other_power,
    has_power,
    other_power_contributions,
    power_contributions,
)
from smashup.engine.views.faces import Faces, face_for
from smashup.engine.views.sentences import message

H_EXCLUDED_FROM_TOTAL: Final = Hook.EXCLUDED_FROM_TOTAL.value


class BoardView:
    """Makes the bases of one view, with what is the same for all cards looked up once."""

    __slots__ = (
        "are_breakpoints_printed",
        "cancelled",
        "changed",
        "faces",
        "has_other_power",
        "is_withholding",
        "table",
        "viewer",
    )

    def __init__(self, table: Table, faces: Faces, viewer: int) -> None:
        self.table = table
        self.faces = faces
        self.viewer = viewer
        self.changed = cards_with_changed_power(table)
        self.cancelled = abilities.cards_with_cancelled_ability(table)
        self.are_breakpoints_printed = are_breakpoints_printed(table)
        self.has_other_power = has_other_power(table)
        self.is_withholding = bool(abilities.listeners(table, H_EXCLUDED_FROM_TOTAL))

    def bases(self) -> list[types.Base]:
        return [self._base(site) for site in self.table.state.sites]

    def _base(self, site: Site) -> types.Base:
        table = self.table
        s = table.state
        serial = site.serial
        players = range(table.num_players)
        face = self.faces.show(site.base)
        vp = face["vp"]
        totals = [queries.player_total(table, serial, p) for p in players]
        base = cast("types.Base", face)
        base["serial"] = serial
        base["total"] = queries.base_total(table, serial)
        base["totals"] = totals
        base["places"] = [
            {"player": p, "place": place, "vp": vp[place - 1]}
            for p, place, _ in queries.rank_totals(table, serial, totals)
        ]
        base["counters"] = s.counters[site.base]
        base["cards"] = [self._card(c) for c in site.cards]
        if self.are_breakpoints_printed:
            base["breakpoint"] = face["printed_breakpoint"]
            base["breakpoint_parts"] = [
                _unnamed_part("Printed breakpoint", face["printed_breakpoint"])
            ]
        else:
            base["breakpoint"] = queries.breakpoint(table, serial)
            base["breakpoint_parts"] = _parts(breakpoint_contributions(table, serial))
        base["side_power"] = self._side_power(serial) if self.has_other_power else []
        return base

    def _side_power(self, serial: int) -> list[types.SidePower]:
        table = self.table
        return [
            {"player": p, "parts": _parts(parts)}
            for p in range(table.num_players)
            if (parts := other_power_contributions(table, serial, p))
        ]

    def _card(self, c: int) -> types.InPlay:
        table = self.table
        s = table.state
        zone = s.zone[c]
        if zone == BURIED:
            return self._buried_card(c)
        shown = cast("types.InPlay", self.faces.show(c))
        shown["controller"] = s.controller[c]
        if zone == AT_BASE:
            type_ = s.definition[c].type
            if type_ == MINION and c not in self.changed:
                shown["power"] = s.definition[c].power + s.counters[c]
                shown["power_parts"] = _printed_power_parts(s.definition[c].power, s.counters[c])
            elif type_ in (MINION, TITAN) or has_power(table, c):
                shown["power"] = queries.power(table, c)
                shown["power_parts"] = _parts(power_contributions(table, c))
            is_minion = type_ == MINION
            if is_minion and self.is_withholding and queries.is_excluded_from_total(table, c):
                shown["withheld"] = True
        if c in self.cancelled:
            shown["cancelled"] = True
        if s.counters[c]:
            shown["counters"] = s.counters[c]
        if c in s.on_card:
            shown["actions"] = [self._card(a) for a in s.on_card[c]]
        return shown

    def _buried_card(self, c: int) -> types.InPlay:
        shown = cast("types.InPlay", face_for(self.table, self.faces, c, self.viewer))
        shown["buried"] = True
        shown["controller"] = self.table.state.controller[c]
        shown.pop("owner", None)
        return shown


def _parts(parts: list[Contribution]) -> list[types.Part]:
    """What a number is made of; a card that brings something is named if it is still seen."""
    return [
        {
            "label": message(part.label),
            "amount": part.amount,
            "source": part.source if part.source != NONE else None,
        }
        for part in parts
    ]


def _printed_power_parts(power: int, counters: int) -> list[types.Part]:
    """The same for a minion with nothing but its printed power and counters."""
    parts = [_unnamed_part("Printed power", power)]
    if counters:
        parts.append(_unnamed_part("+1 power counters", counters))
    return parts


def _unnamed_part(text: str, amount: int) -> types.Part:
    label: types.Sentence = {"text": text, "args": {}, "english": text}
    return {"label": label, "amount": amount, "source": None}
