"""Watches the abilities of a faction while games are played: calls and results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from smashup.cards.authoring.card_members import KNOWN_NAMES, PLAIN
from smashup.cards.authoring.handle_types import MAY_ACT
from smashup.cards.authoring.places import SourceLocation, faction_error, shown_value
from smashup.cards.authoring.sources import Source, source_of_class
from smashup.engine.model.definitions import CardDefinition
from smashup.engine.model.hooks import METHODS

RESULT_TYPES: Final[dict[str, tuple[type, ...]]] = {
    "bool": (bool,), "int": (int,), "list[Base]": (list,), "list[Card]": (list,),
    "tuple[str, ...]": (tuple,),
}  # fmt: skip
"""What abilities have to return, by their annotation in `CardDefinition`."""

MAX_RESULT: Final = 999
"""The largest number that an ability may return."""

Call = tuple[str, str, tuple[object, ...]]
"""Card, ability, and what it was called with."""


class AbilityWatch:
    """Counts the calls of each ability of some cards, and checks what they return."""

    def __init__(self, definitions: list[CardDefinition], source: Source) -> None:
        self.source = source
        self.calls: Counter[tuple[str, str]] = Counter()
        self.last_acted: tuple[CardDefinition, str] | None = None
        """The ability that may have changed the table last."""
        self.running: list[str] = []
        """The abilities that run now, outermost first."""
        self.results: dict[Call, object] | None = None
        """The results of abilities while `record` runs; None otherwise."""
        self.abilities = [
            (definition, name)
            for definition in definitions
            for name in KNOWN_NAMES
            if callable(getattr(PLAIN, name))
            and name != "apply_current_printing"
            and getattr(type(definition), name) is not getattr(CardDefinition, name)
        ]
        for definition, name in self.abilities:
            setattr(definition, name, self._watched(definition, name, getattr(definition, name)))

    def _watched(
        self, definition: CardDefinition, name: str, method: Callable[..., Any]
    ) -> Callable[..., Any]:
        wanted = str(getattr(CardDefinition, name).__annotations__.get("return", ""))
        types = RESULT_TYPES.get(wanted, (object,))

        def watched(*args: Any) -> Any:
            self.calls[definition.name, name] += 1
            if name in MAY_ACT:
                self.last_acted = (definition, name)
            self.running.append(name)
            try:
                result = method(*args)
            finally:
                self.running.pop()
            if not isinstance(result, types):
                self._reject(definition, name, wanted, result)
            if wanted == "int" and (isinstance(result, bool) or abs(result) > MAX_RESULT):
                self._reject(definition, name, wanted, result)
            if self.results is not None:
                self.results[definition.name, name, tuple(map(_identify, args))] = result
            return result

        return watched

    def _reject(self, definition: CardDefinition, name: str, wanted: str, result: object) -> None:
        place = self.place_of(definition, name)
        if wanted == "int" and type(result) is int:
            raise faction_error(
                place,
                "The ability has to return a number from -{most} to {most}, not {value}.",
                most=MAX_RESULT,
                value=shown_value(result),
            )
        raise faction_error(
            place,
            "The ability has to return {wanted}, not {value} ({type}).",
            wanted=wanted,
            value=shown_value(result),
            type=type(result).__name__,
        )

    @property
    def is_query_running(self) -> bool:
        """Whether an ability runs that must neither ask nor act."""
        return bool(self.running) and self.running[-1] not in MAY_ACT

    def place_of(self, definition: CardDefinition, name: str) -> SourceLocation:
        """The line that declares an ability."""
        source = source_of_class(type(definition), self.source)
        return source.member_place(type(definition), name, definition.name, name)

    def place_of_last_change(self) -> SourceLocation:
        """The ability of the faction that acted last, which caused what is wrong with a table."""
        if self.last_acted is None:
            return SourceLocation(self.source.label)
        return self.place_of(*self.last_acted)

    def record(self, action: Callable[[], object]) -> dict[Call, object]:
        """Run something and return what the abilities called meanwhile returned."""
        self.results = {}
        try:
            action()
            return self.results
        finally:
            self.results = None

    def stop(self) -> None:
        for definition, name in self.abilities:
            if name in vars(definition):
                delattr(definition, name)

    def never_called(self) -> list[tuple[str, str]]:
        """Return cards and abilities that were never called."""
        return sorted(
            (definition.name, name)
            for definition, name in self.abilities
            if name in METHODS and not self.calls[definition.name, name]
        )


def _identify(argument: object) -> object:
    """What names a card, base or player on any copy of a table."""
    for name in ("id", "serial", "index"):
        number = getattr(argument, name, None)
        if isinstance(number, int):
            return (type(argument).__name__, number)
    return type(argument).__name__
