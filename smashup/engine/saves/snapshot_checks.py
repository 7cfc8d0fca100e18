"""Checks of a snapshot before any of it is used.

A snapshot comes from a file or a database that may be damaged, or was edited by an attacker. The
rules assume a valid table: a phase that does not exist would run forever. So every
value is checked for its type and range here, and every card must lie in exactly one place.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from smashup.engine.errors import SaveError
from smashup.engine.model.constants import OVER, SETUP, ZONE_NAMES
from smashup.engine.model.knowledge import ALL_VIEWERS, SPECTATOR

if TYPE_CHECKING:
    from smashup.engine.model.setup import Setup

MAX_CARDS: Final = 2_000
"""The maximum number of cards: four players with decks, all bases and Madness have about 400."""
MAX_VALUES: Final = 50_000
MAX_DEPTH: Final = 4
MAX_TEXT: Final = 200
MAX_NUMBER: Final = 1 << 40
"""The maximum of any count, serial number or stamp in a game."""
MAX_RNG: Final = 1 << 64
MAX_COUNTERS: Final = 10_000
MAX_VP: Final = 10_000

_COLUMNS: Final = (
    "owner", "controller", "played_by", "zone", "place", "counters", "lives", "seen_by",
    "hidden_with",
)  # fmt: skip
_PILES_OF_PLAYERS: Final = ("hands", "decks", "discards", "set_aside")
_PILES: Final = ("base_deck", "base_discard", "madness", "limbo")
_COUNTS: Final = ("turn", "serial", "stamp")


class _DamagedField(Exception):
    """A field with an invalid value."""


def check_snapshot(data: dict[str, Any], setup: Setup, fields: Iterable[str]) -> None:
    """Raise a `SaveError` unless all ``fields`` are there and make sense together."""
    try:
        for field in fields:
            if field not in data:
                raise _DamagedField(field)
        _check_plain(data)
        _Snapshot(data, setup.players).check()
    except _DamagedField as damage:
        raise SaveError(
            "The snapshot in the save is damaged: “{field}” is invalid.", field=str(damage)
        ) from None


def _check_plain(data: dict[str, Any]) -> None:
    """Check that a snapshot holds only numbers, texts and lists, and not too many."""
    left = MAX_VALUES
    for field, value in data.items():
        if field == "rng":
            continue
        todo: list[tuple[Any, int]] = [(value, 1)]
        while todo:
            found, depth = todo.pop()
            left -= 1
            if left < 0 or depth > MAX_DEPTH:
                raise _DamagedField(field[:MAX_TEXT])
            if isinstance(found, list):
                if len(found) > left:
                    raise _DamagedField(field[:MAX_TEXT])
                todo += [(part, depth + 1) for part in found]
            elif isinstance(found, str):
                if len(found) > MAX_TEXT:
                    raise _DamagedField(field[:MAX_TEXT])
            elif not isinstance(found, int) or not -MAX_NUMBER < found < MAX_NUMBER:
                raise _DamagedField(field[:MAX_TEXT])


class _Snapshot:
    """Checks the fields of a snapshot of plain values."""

    def __init__(self, data: dict[str, Any], players: int) -> None:
        self.data = data
        self.players = players
        definitions = data["definition"]
        if not isinstance(definitions, list) or len(definitions) > MAX_CARDS:
            raise _DamagedField("definition")
        self.cards = len(definitions)

    def check(self) -> None:
        d = self.data
        self._texts("definition", d["definition"])
        self._check_columns()
        self._check_piles()
        self._check_sites()
        self._check_knowledge()
        self._check_abilities()
        self._check_turn()
        self._check_places()

    # --- values -----------------------------------------------------------------------------

    def _int(self, field: str, value: Any, minimum: int, maximum: int) -> None:
        if not isinstance(value, int) or isinstance(value, bool) or not minimum <= value <= maximum:
            raise _DamagedField(field)

    def _bool(self, field: str, value: Any) -> None:
        if not isinstance(value, bool):
            raise _DamagedField(field)

    def _ints(self, field: str, values: Any, minimum: int, maximum: int) -> None:
        if not isinstance(values, list):
            raise _DamagedField(field)
        for value in values:
            self._int(field, value, minimum, maximum)

    def _texts(self, field: str, values: Any) -> None:
        if not isinstance(values, list) or not all(isinstance(v, str) for v in values):
            raise _DamagedField(field)

    def _card(self, field: str, value: Any, none: bool = False) -> None:
        self._int(field, value, -1 if none else 0, self.cards - 1)

    def _player(self, field: str, value: Any, none: bool = False) -> None:
        self._int(field, value, -1 if none else 0, self.players - 1)

    def _rows(self, field: str, *lengths: int) -> list[list[Any]]:
        """Return the rows of a field, which must have one of these lengths if any are given."""
        found = self.data[field]
        if not isinstance(found, list):
            raise _DamagedField(field)
        for row in found:
            if not isinstance(row, list) or (lengths and len(row) not in lengths):
                raise _DamagedField(field)
        return found

    # --- fields -----------------------------------------------------------------------------

    def _check_columns(self) -> None:
        d = self.data
        for field in _COLUMNS:
            if not isinstance(d[field], list) or len(d[field]) != self.cards:
                raise _DamagedField(field)
        for field in ("owner", "controller", "played_by", "hidden_with"):
            self._ints(field, d[field], -1, self.players - 1)
        self._ints("zone", d["zone"], 0, len(ZONE_NAMES) - 1)
        self._ints("place", d["place"], -1, MAX_NUMBER)
        self._ints("counters", d["counters"], 0, MAX_COUNTERS)
        self._ints("lives", d["lives"], 0, MAX_NUMBER)
        self._ints("seen_by", d["seen_by"], 0, ALL_VIEWERS)

    def _check_piles(self) -> None:
        for field in _PILES_OF_PLAYERS:
            if len(self._rows(field)) != self.players:
                raise _DamagedField(field)
            for pile in self.data[field]:
                self._ints(field, pile, 0, self.cards - 1)
        for field in _PILES:
            self._ints(field, self.data[field], 0, self.cards - 1)

    def _check_sites(self) -> None:
        serials = set()
        for serial, base, cards in self._rows("sites", 3):
            self._int("sites", serial, 0, MAX_NUMBER)
            self._card("sites", base)
            self._ints("sites", cards, 0, self.cards - 1)
            serials.add(serial)
        if len(serials) != len(self.data["sites"]):
            raise _DamagedField("sites")
        for host, actions in self._rows("on_card", 2):
            self._card("on_card", host)
            self._ints("on_card", actions, 0, self.cards - 1)
        for card, count in self._rows("tokens", 2):
            self._card("tokens", card)
            self._int("tokens", count, 0, MAX_COUNTERS)
        if self.data["scoring"] != -1 and self.data["scoring"] not in serials:
            raise _DamagedField("scoring")

    def _check_knowledge(self) -> None:
        """Check the groups of mixed-up cards."""
        mixed: set[tuple[int, int]] = set()
        for viewer, cards, known in self._rows("mixes", 3):
            if viewer != SPECTATOR:
                self._player("mixes", viewer)
            self._ints("mixes", cards, 0, self.cards - 1)
            self._ints("mixes", known, 0, self.cards - 1)
            new = {(viewer, card) for card in cards}
            if not set(known) <= set(cards) or len(new) != len(cards) or new & mixed:
                raise _DamagedField("mixes")
            mixed |= new

    def _check_abilities(self) -> None:
        for card, definition, stamp, granted_by, for_turn in self._rows("abilities", 5):
            self._card("abilities", card)
            self._texts("abilities", [definition])
            self._int("abilities", stamp, 0, MAX_NUMBER)
            self._card("abilities", granted_by, none=True)
            self._bool("abilities", for_turn)
        for row in self._rows("effects", 7, 9):
            self._ints("effects", row[:8], -MAX_NUMBER, MAX_NUMBER)
            self._player("effects", row[3], none=True)
            self._player("effects", row[5], none=True)
            self._texts("effects", row[8:])
            for card in row[7:8]:
                self._card("effects", card, none=True)
        for definition, card, life, player, when in self._rows("delayed", 5):
            self._texts("delayed", [definition])
            self._card("delayed", card, none=True)
            self._int("delayed", life, -1, MAX_NUMBER)
            self._player("delayed", player, none=True)
            self._int("delayed", when, -1, MAX_NUMBER)
        for field in ("used_this_turn", "talents_used"):
            for key in self._rows(field):
                self._ints(field, key, -MAX_NUMBER, MAX_NUMBER)
        for key, count in self._rows("turn_counts", 2):
            self._ints("turn_counts", key, -MAX_NUMBER, MAX_NUMBER)
            self._int("turn_counts", count, -MAX_NUMBER, MAX_NUMBER)
        for key in self._rows("talents_used", 2):
            self._card("talents_used", key[0])

    def _check_turn(self) -> None:
        d = self.data
        self._ints("vp", d["vp"], 0, MAX_VP)
        if len(d["vp"]) != self.players:
            raise _DamagedField("vp")
        for field in ("current", "first", "turn_order_from"):
            self._player(field, d[field])
        for field in ("extra_turns", "winners"):
            self._ints(field, d[field], 0, self.players - 1)
        for row in self._rows("drafted"):
            self._ints("drafted", row, 0, MAX_CARDS)
        for field in _COUNTS:
            self._int(field, d[field], 0, MAX_NUMBER)
        self._int("phase", d["phase"], SETUP, OVER)
        self._bool("over", d["over"])
        if d["phase"] == OVER and not d["over"]:
            raise _DamagedField("phase")
        self._int("rng", d["rng"], 0, MAX_RNG - 1)

    def _check_places(self) -> None:
        """Check that every card is in at most one place; `invariants` checks more."""
        d = self.data
        lying: list[int] = [c for field in _PILES for c in d[field]]
        for field in _PILES_OF_PLAYERS:
            for pile in d[field]:
                lying += pile
        for _, base, cards in d["sites"]:
            lying += [base, *cards]
        for _, actions in d["on_card"]:
            lying += actions
        if len(set(lying)) != len(lying):
            raise _DamagedField("zone")
