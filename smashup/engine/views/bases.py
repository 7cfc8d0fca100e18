"""Views of the bases in play and the cards there, with breakdowns of their numbers."""

from __future__ import annotations

from typing import cast

from smashup.engine.model.constants import BURIED, NONE
from smashup.engine.model.state import Site
from smashup.engine.model.table import Table
from smashup.engine.views import types
from smashup.engine.views.board_numbers import board_numbers
from smashup.engine.views.breakdown import Contribution
from smashup.engine.views.faces import Faces, face_for
from smashup.engine.views.sentences import message


class BasesView:
    """Builds the bases of one view."""

    __slots__ = ("faces", "numbers", "table", "viewer")

    def __init__(self, table: Table, faces: Faces, viewer: int) -> None:
        self.table = table
        self.faces = faces
        self.viewer = viewer
        self.numbers = board_numbers(table)

    def bases(self) -> list[types.BaseView]:
        return [self._base(site) for site in self.table.state.sites]

    def _base(self, site: Site) -> types.BaseView:
        numbers = self.numbers.bases[site.serial]
        face = self.faces.show(site.base)
        vp = face["vp"]
        base = cast("types.BaseView", face)
        base["serial"] = site.serial
        base["breakpoint"] = numbers.breakpoint
        base["total"] = numbers.total
        base["totals"] = numbers.totals[:]
        base["places"] = [
            {"player": p, "place": place, "vp": vp[place - 1]} for p, place in numbers.places
        ]
        base["counters"] = self.table.state.counters[site.base]
        base["cards"] = [self._card(c) for c in site.cards]
        base["breakpoint_parts"] = _parts(numbers.breakpoint_parts)
        base["side_power"] = [
            {"player": p, "parts": _parts(parts)} for p, parts in numbers.side_power
        ]
        return base

    def _card(self, c: int) -> types.InPlay:
        s = self.table.state
        if s.zone[c] == BURIED:
            return self._buried_card(c)
        numbers = self.numbers
        shown = cast("types.InPlay", self.faces.show(c))
        shown["controller"] = s.controller[c]
        power = numbers.powers.get(c)
        if power is not None:
            shown["power"] = power
            shown["power_parts"] = _parts(numbers.power_parts[c])
            if c in numbers.withheld:
                shown["withheld"] = True
        if c in numbers.cancelled:
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
    """Convert contributions; the card behind one is included if it is still visible."""
    return [
        {
            "label": message(part.label),
            "amount": part.amount,
            "source": part.source if part.source != NONE else None,
        }
        for part in parts
    ]
