"""Many values that are mostly alike, written down so that every part of them is there only once.

A recording holds a table some hundred times over as five people see it, and from one time to the
next hardly anything changes. A pool keeps each text, number, list and object once and names it by
its place; whoever reads it has any value at once, without going through those before it.

- A plain value (null, true, 3, "Kaiju") stands for itself.
- ``[-1, a, b]`` is the list of the values at the places a and b.
- ``[s, a, b]`` is an object: ``shapes[s]`` are its keys, in this order.

Values only refer to earlier places. This is version 1 of the recordings' format: it stays.
"""

from __future__ import annotations

import json
from typing import Any, Final

LIST: Final = -1


class Pool:
    """Values, each written once."""

    def __init__(self) -> None:
        self.shapes: list[list[str]] = []
        self.values: list[Any] = []
        self._shapes: dict[tuple[str, ...], int] = {}
        self._places: dict[str | tuple[int, ...], int] = {}
        """Where a value is, by its text or by what it is made of."""

    def put(self, value: Any, changing: int = 0) -> int:
        """The place of a value, which is added if it is new.

        Values are recognised by their whole text. Of one that is known to be ``changing``, so many
        levels deep, only the parts are.
        """
        key: str | tuple[int, ...]
        if changing and isinstance(value, dict | list):
            written = self._written(value, changing - 1)
            key = tuple(written)
        else:
            written = None
            key = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        place = self._places.get(key)
        if place is None:
            # What is inside is put first, so that it lies before.
            if written is None:
                written = self._written(value, 0)
            place = self._places[key] = len(self.values)
            self.values.append(written)
        return place

    def _written(self, value: Any, changing: int) -> Any:
        if isinstance(value, dict):
            keys = tuple(value)
            shape = self._shapes.get(keys)
            if shape is None:
                shape = self._shapes[keys] = len(self.shapes)
                self.shapes.append(list(keys))
            return [shape, *(self.put(part, changing) for part in value.values())]
        if isinstance(value, list):
            return [LIST, *(self.put(part, changing) for part in value)]
        return value


def taken(shapes: list[list[str]], values: list[Any], place: int) -> Any:
    """The value at a place of a pool."""
    value = values[place]
    if not isinstance(value, list):
        return value
    kind, *parts = value
    if kind == LIST:
        return [taken(shapes, values, part) for part in parts]
    return {key: taken(shapes, values, part) for key, part in zip(shapes[kind], parts, strict=True)}
