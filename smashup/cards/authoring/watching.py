"""Watches the abilities of a faction while games are played: calls and results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from smashup.cards.authoring.declarations import KNOWN_NAMES, PLAIN
from smashup.cards.authoring.places import faction_error
from smashup.cards.authoring.sources import Source, source_of_class
from smashup.engine.model.definitions import CardDefinition
from smashup.engine.model.hooks import METHODS

RESULT_TYPES: Final[dict[str, tuple[type, ...]]] = {
    "int": (int,), "list[Base]": (list,), "list[Card]": (list,), "tuple[str, ...]": (tuple,),
}  # fmt: skip
"""What abilities have to return, by their annotation in `CardDefinition`."""

Call = tuple[str, str, tuple[object, ...]]
"""Card, ability, and what it was called with."""


class AbilityWatch:
    """Counts the calls of each ability of some cards, and checks what they return."""

    def __init__(self, definitions: list[CardDefinition], source: Source) -> None:
        self.source = source
        self.calls: Counter[tuple[str, str]] = Counter()
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
            result = method(*args)
            if not isinstance(result, types) or (result is None and wanted == "bool"):
                self._reject(definition, name, wanted, result)
            if wanted == "int" and isinstance(result, bool):
                self._reject(definition, name, wanted, result)
            if self.results is not None:
                self.results[definition.name, name, tuple(map(_identify, args))] = result
            return result

        return watched

    def _reject(self, definition: CardDefinition, name: str, wanted: str, result: object) -> None:
        source = source_of_class(type(definition), self.source)
        raise faction_error(
            source.member_place(type(definition), name, definition.name, name),
            "The ability has to return {wanted}, not {value} ({type}).",
            wanted=wanted,
            value=repr(result),
            type=type(result).__name__,
        )

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
