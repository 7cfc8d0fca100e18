"""The faces of cards: what a visible card shows."""

from __future__ import annotations

from functools import lru_cache

from smashup.engine.model.constants import BASE, MINION, NONE, TYPE_NAMES
from smashup.engine.model.definitions import CardDefinition
from smashup.engine.model.state import State
from smashup.engine.model.table import Table
from smashup.engine.rules import visibility
from smashup.engine.views import types


class Faces:
    """The faces of a table's cards, built when first needed; views contain copies of them.

    They depend on the owners of cards, the counters on them and the drafted factions.
    `faces_of` compares these and starts over when they differ.
    """

    __slots__ = ("_by_card", "_definition", "_drafted", "_owner", "_tokens", "factions")

    def __init__(self, table: Table) -> None:
        s = table.state
        self._definition = s.definition[:]
        self._owner = s.owner[:]
        self._tokens = s.tokens.copy()
        self._drafted = [picks[:] for picks in s.drafted]
        self._by_card: list[types.Face | None] = [None] * len(s.definition)
        self.factions = _factions(table)
        """The names of each player's factions, in order."""

    def are_current(self, s: State) -> bool:
        """Whether nothing they depend on has changed."""
        return (
            self._definition == s.definition
            and self._owner == s.owner
            and self._tokens == s.tokens
            and self._drafted == s.drafted
        )

    def show(self, c: int) -> types.Face:
        """Return a card as printed."""
        face = (self._by_card[c] or self._make(c)).copy()
        if "vp" in face:
            face["vp"] = face["vp"][:]
        return face

    def show_all(self, cards: list[int]) -> list[types.Face]:
        """Return several cards as printed."""
        known = self._by_card
        return [(known[c] or self._make(c)).copy() for c in cards]

    def _make(self, c: int) -> types.Face:
        definition = self._definition[c]
        face = _printed_face(definition).copy()
        face["id"] = c
        if self._owner[c] >= 0:
            face["owner"] = self._owner[c]
        if c in self._tokens:
            face["tokens"] = self._tokens[c]
        self._by_card[c] = face
        return face


def faces_of(table: Table) -> Faces:
    """Return the current faces of a table's cards."""
    faces = table.faces
    if isinstance(faces, Faces) and faces.are_current(table.state):
        return faces
    faces = table.faces = Faces(table)
    return faces


def face_for(table: Table, faces: Faces, c: int, viewer: int) -> types.Face:
    """Return a card as a viewer may see it."""
    return faces.show(c) if visibility.knows_card(table, viewer, c) else {"hidden": True}


def _factions(table: Table) -> list[list[str]]:
    s = table.state
    names: list[set[str]] = [set() for _ in range(table.num_players)]
    for definition, owner in set(zip(s.definition, s.owner, strict=True)):  # most cards have copies
        if owner >= 0:
            names[owner].add(definition.faction)
    for picks, known in zip(s.drafted, names, strict=False):  # empty unless factions are drafted
        known.update(table.catalogue.factions[pick].name for pick in picks)
    return [sorted(known) for known in names]


@lru_cache(maxsize=4096)
def _printed_face(definition: CardDefinition) -> types.Face:
    """Return what every copy of a card shows, wherever it is."""
    face: types.Face = {
        "id": NONE,
        "name": definition.name,
        "type": TYPE_NAMES[definition.type],
        "text": definition.text,
        "owner": None,
    }
    if definition.type == MINION or definition.power:
        face["printed_power"] = definition.power
    if definition.type == BASE:
        face["printed_breakpoint"] = definition.breakpoint
        face["vp"] = list(definition.vp)
    return face
