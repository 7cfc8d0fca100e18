"""A pool that stores many similar values without duplicates.

A recording contains several hundred views of a table for each of five viewers, which hardly differ
from one step to the next. A pool stores each text, number, list and object once and refers to it by
its index, so any value can be read without reading those before it.

- A plain value (null, true, 3, "Kaiju") stands for itself.
- ``[-1, a, b]`` is a list of the values with the indexes a and b.
- ``[s, a, b]`` is an object with the keys ``shapes[s]``, in this order.

Values only refer to smaller indexes. This is version 1 of the recording format, which must stay
readable.
"""

from __future__ import annotations

import json
from typing import Any, Final

LIST_MARKER: Final = -1


class ValuePool:
    """Values without duplicates."""

    def __init__(self) -> None:
        self.shapes: list[list[str]] = []
        self.values: list[Any] = []
        self._shapes: dict[tuple[str, ...], int] = {}
        self._indexes: dict[str | tuple[int, ...], int] = {}
        """The indexes of values, by their JSON or by their encoded parts."""

    def add(self, value: Any, volatile_depth: int = 0) -> int:
        """Return the index of a value, which is added if it is new.

        Values are recognized by their JSON. Down to the ``volatile_depth``, values differ nearly
        every time, so only their parts are looked up.
        """
        key: str | tuple[int, ...]
        if volatile_depth and isinstance(value, dict | list):
            encoded = self._encode(value, volatile_depth - 1)
            key = tuple(encoded)
        else:
            encoded = None
            key = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        index = self._indexes.get(key)
        if index is None:
            # Encoding adds the parts first, so that they have smaller indexes.
            if encoded is None:
                encoded = self._encode(value, 0)
            index = self._indexes[key] = len(self.values)
            self.values.append(encoded)
        return index

    def _encode(self, value: Any, volatile_depth: int) -> Any:
        if isinstance(value, dict):
            keys = tuple(value)
            shape = self._shapes.get(keys)
            if shape is None:
                shape = self._shapes[keys] = len(self.shapes)
                self.shapes.append(list(keys))
            return [shape, *(self.add(part, volatile_depth) for part in value.values())]
        if isinstance(value, list):
            return [LIST_MARKER, *(self.add(part, volatile_depth) for part in value)]
        return value


def read_value(shapes: list[list[str]], values: list[Any], index: int) -> Any:
    """Return the value with an index."""
    value = values[index]
    if not isinstance(value, list):
        return value
    kind, *parts = value
    if kind == LIST_MARKER:
        return [read_value(shapes, values, part) for part in parts]
    return {
        key: read_value(shapes, values, part) for key, part in zip(shapes[kind], parts, strict=True)
    }
