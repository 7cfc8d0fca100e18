"""What changed from one view of a seat to the next, as a patch, and how a client applies it.

A view of some ten kilobytes changes in a few places with every answer. A patch holds the changed
fields of the view, of its players, bases and cards in play. Cards are named by id where the old
view showed them. ``client/src/net/patch.ts`` applies patches in the browser by the same rules.
"""

from __future__ import annotations

import json
import zlib
from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

from smashup.engine.views.types import Face, View
from smashup.server.live.protocol import SeatState, ViewPatch

FACE_FIELDS: Final = tuple(Face.__annotations__)
"""What every card shows, wherever it is. Cards in play and bases have further fields."""
FACE_LISTS: Final = ("hand", "discard", "aside", "limbo", "base_discard")
"""Fields of a view or a player that hold cards."""
KNOWN_LISTS: Final = ("deck_known", "base_deck_known")
"""Fields of a view or a player that hold cards of a deck with their depth."""

Data = Mapping[str, Any]
_encode_sorted = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode


# --- writing --------------------------------------------------------------------------------


def make_patch(old: View, new: View) -> ViewPatch:
    """Return what turns the old view into the new one."""
    return _PatchWriter(old).write(new)


class _PatchWriter:
    def __init__(self, old: View) -> None:
        self.old: Data = cast(Data, old)
        self.known = _known_cards(old)
        self.faces: dict[int, Data] = {}
        """Cards that the old view did not show, or not like this."""

    def write(self, new: View) -> ViewPatch:
        patch: dict[str, Any] = {}
        for field, value in new.items():
            if value == self.old[field]:
                continue
            if field == "players":
                patch[field] = self._players(cast("Sequence[Data]", value))
            elif field == "bases":
                patch[field] = self._bases(cast("Sequence[Data]", value))
            elif field == "decision":
                patch[field] = self._decision(cast("Data | None", value))
            else:
                patch[field] = self._field(field, value)
        if self.faces:
            patch["faces"] = list(self.faces.values())
        return cast(ViewPatch, patch)

    def _players(self, players: Sequence[Data]) -> list[Data]:
        return [
            {"index": new["index"], **self._changed_fields(new, old)}
            for new, old in zip(players, self.old["players"], strict=True)
            if new != old
        ]

    def _bases(self, bases: Sequence[Data]) -> list[int | Data]:
        known = {base["serial"]: base for base in self.old["bases"]}
        return [self._item(base, "serial", known) for base in bases]

    def _item(self, new: Data, key: str, known: Mapping[int, Data]) -> int | Data:
        """Write a base or a card in play: its number alone if nothing has changed."""
        number = new.get(key)
        old = known.get(number) if number is not None else None
        if old is None:
            return self._changed_fields(new, {})
        if new == old:
            return cast(int, number)
        patch = {key: number, **self._changed_fields(new, old)}
        if removed := [field for field in old if field not in new]:
            patch["removed"] = removed
        return patch

    def _changed_fields(self, new: Data, old: Data) -> dict[str, Any]:
        return {
            field: self._field(field, value)
            for field, value in new.items()
            if field not in old or old[field] != value
        }

    def _field(self, field: str, value: Any) -> Any:
        if field in FACE_LISTS:
            return [self._card(face) for face in value]
        if field in KNOWN_LISTS:
            return [{**known, "card": self._card(known["card"])} for known in value]
        if field in ("cards", "actions"):
            return [self._item(card, "id", self.known) for card in value]
        return value

    def _card(self, face: Data) -> int | None:
        """Write a card by its id; null stands for a hidden one."""
        number: int | None = face.get("id")
        if number is None:
            return None
        known = self.faces.get(number) or self.known.get(number)
        if known is None or (known != face and _face_of(known) != face):
            self.faces[number] = face
        return number

    def _decision(self, decision: Data | None) -> Data | None:
        if decision is None:
            return None
        patch = {**decision}
        if "source" in patch:
            patch["source"] = self._card(patch["source"])
        if "options" in patch:
            patch["options"] = [
                {**option, "card": self._card(option["card"])} if "card" in option else option
                for option in patch["options"]
            ]
        return patch


# --- applying -------------------------------------------------------------------------------


def apply_patch(old: View, patch: ViewPatch) -> View:
    """Return the view after a patch. The old one stays as it is."""
    return _PatchReader(old, patch).read()


class _PatchReader:
    def __init__(self, old: View, patch: ViewPatch) -> None:
        self.old: Data = cast(Data, old)
        self.patch: Data = cast(Data, patch)
        self.known = _known_cards(old)
        self.faces = {face["id"]: face for face in self.patch.get("faces", ())}

    def read(self) -> View:
        new = {**self.old}
        for field, value in self.patch.items():
            if field == "players":
                players = {player["index"]: player for player in value}
                new[field] = [
                    self._merge(player, players.get(player["index"], {}))
                    for player in self.old["players"]
                ]
            elif field == "bases":
                known = {base["serial"]: base for base in self.old["bases"]}
                new[field] = [self._item(base, "serial", known) for base in value]
            elif field == "decision":
                new[field] = self._decision(value)
            elif field != "faces":
                new[field] = self._field(field, value)
        return cast(View, new)

    def _item(self, patch: int | Data, key: str, known: Mapping[int, Data]) -> Data:
        if isinstance(patch, int):
            return known[patch]
        return self._merge(known.get(patch.get(key, -1), {}), patch)

    def _merge(self, old: Data, patch: Data) -> Data:
        new = {**old}
        for field, value in patch.items():
            if field != "removed":
                new[field] = self._field(field, value)
        for field in patch.get("removed", ()):
            del new[field]
        return new

    def _field(self, field: str, value: Any) -> Any:
        if field in FACE_LISTS:
            return [self._card(number) for number in value]
        if field in KNOWN_LISTS:
            return [{**known, "card": self._card(known["card"])} for known in value]
        if field in ("cards", "actions"):
            return [self._item(card, "id", self.known) for card in value]
        return value

    def _card(self, number: int | None) -> Data:
        if number is None:
            return {"hidden": True}
        return self.faces.get(number) or _face_of(self.known[number])

    def _decision(self, patch: Data | None) -> Data | None:
        if patch is None:
            return None
        decision = {**patch}
        if "source" in decision:
            decision["source"] = self._card(decision["source"])
        if "options" in decision:
            decision["options"] = [
                {**option, "card": self._card(option["card"])} if "card" in option else option
                for option in decision["options"]
            ]
        return decision


def complete_update(last: Mapping[str, Any], update: Mapping[str, Any]) -> dict[str, Any]:
    """Return an update with everything that it leaves out because it stays as it was.

    ``last`` is the snapshot before it, or the completed update. A `ValueError` says that the view
    does not match the checksum: something was missed.
    """
    complete = {**{field: last[field] for field in SeatState.__annotations__}, **update}
    if "patch" in update:
        complete["view"] = apply_patch(last["view"], complete.pop("patch"))
    if update.get("checksum") not in (None, complete["view"] and view_checksum(complete["view"])):
        raise ValueError(f"The view of version {update['version']} does not match its checksum.")
    return complete


# --- cards ----------------------------------------------------------------------------------


def _known_cards(view: View) -> dict[int, Data]:
    """Return the cards that a view shows, by id; of those in play, everything that it shows."""
    known: dict[int | None, Any] = {}
    decision = view["decision"]
    if decision is not None and "options" in decision:
        if "source" in decision:
            known[decision["source"].get("id")] = decision["source"]
        for option in decision["options"]:
            if "card" in option:
                known[option["card"].get("id")] = option["card"]
    for card in (*view["limbo"], *view["base_discard"]):
        known[card.get("id")] = card
    for known_card in view["base_deck_known"]:
        known[known_card["card"].get("id")] = known_card["card"]
    for player in view["players"]:
        for card in (*player["hand"], *player["discard"], *player["aside"]):
            known[card.get("id")] = card
        for known_card in player["deck_known"]:
            known[known_card["card"].get("id")] = known_card["card"]
    for base in view["bases"]:
        known[base.get("id")] = base
        for card in base["cards"]:
            _add_in_play(known, card)
    known.pop(None, None)
    return cast("dict[int, Data]", known)


def _add_in_play(known: dict[int | None, Any], card: Any) -> None:
    known[card.get("id")] = card
    if "actions" in card:
        for action in card["actions"]:
            _add_in_play(known, action)


def _face_of(card: Data) -> Data:
    return {field: card[field] for field in FACE_FIELDS if field in card}


# --- checksums ------------------------------------------------------------------------------


def view_checksum(view: View) -> int:
    """Return the checksum of a view, by which a client notices that its own differs."""
    return combine_checksums([section_checksum(section) for section in sections(view)])


class ViewChecksum:
    """The checksum of a view that changes, computed from the parts that did."""

    def __init__(self) -> None:
        self._parts = array("I")

    def advance(self, old: View | None, new: View | None) -> int | None:
        """Return the checksum of the next view; None where there is none."""
        if new is None:
            return None
        known = list(sections(old)) if old is not None else []
        parts = array("I")
        for i, section in enumerate(sections(new)):
            # Sections shift where bases come and go, and Python takes False for 0; JSON does not.
            is_known = i < len(known) and type(known[i]) is type(section) and known[i] == section
            parts.append(self._parts[i] if is_known else section_checksum(section))
        self._parts = parts
        return combine_checksums(parts)


def sections(view: View) -> Iterator[Any]:
    """Iterate over the parts of a view whose checksums its own is made of."""
    for field, value in view.items():
        if field == "players":
            for player in view["players"]:
                yield from player.values()
        elif field == "bases":
            yield from view["bases"]
        else:
            yield value


def section_checksum(section: Any) -> int:
    """Return the CRC-32 of a value as JSON with sorted keys, without spaces, in UTF-8."""
    return zlib.crc32(_encode_sorted(section).encode())


def combine_checksums(checksums: Sequence[int]) -> int:
    """Return the CRC-32 of the decimal numbers, separated by commas."""
    return zlib.crc32(",".join(map(str, checksums)).encode())
