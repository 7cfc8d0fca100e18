"""Reads YAML into data with line numbers, and rejects features no scenario needs.

“on”, “yes” and “no” are words; only `true` and `false` are truth values, and only whole numbers are
numbers. A file is read event by event, so that one that is too large, nested too deeply or made of
references that multiply is given up early.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import yaml

from smashup.scenarios.errors import ScenarioError, shorten

MAX_BYTES: Final = 250_000
MAX_DEPTH: Final = 40
MAX_VALUES: Final = 100_000
"""Maximum values in a file, counting aliases each time."""

_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NUMBER: Final = re.compile(r"[-+]?(0|[1-9][0-9]{0,18})")
_CONSTANTS: Final = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None, "true": True, "false": False,
}  # fmt: skip
_MERGE: Final = "<<"


class LineDict(dict[str, Any]):
    """A mapping with the lines of its start and its keys."""

    def __init__(self, line: int) -> None:
        super().__init__()
        self.line = line
        self.lines: dict[str, int] = {}
        self.merged: list[LineDict] = []
        """Mappings merged into this one (`<<`)."""


class LineList(list[Any]):
    """A list with the lines of its start and its items."""

    def __init__(self, line: int) -> None:
        super().__init__()
        self.line = line
        self.lines: list[int] = []


def line_of(data: Any, path: tuple[str | int, ...] = ()) -> int:
    """The line of a value at a path, or of its nearest parent; 0 for other data."""
    line = getattr(data, "line", 0)
    for part in path:
        if isinstance(data, LineDict) and part in data:
            line = data.lines[str(part)]
        elif isinstance(data, LineList) and isinstance(part, int) and part < len(data):
            line = data.lines[part]
        else:
            break
        data = data[part]
    return line


def overlay(below: dict[str, Any], above: dict[str, Any]) -> LineDict:
    """Merge two mappings; keys of ``above`` override those of ``below``."""
    found = LineDict(line_of(below))
    for mapping in (below, above):
        found.update(mapping)
        found.lines.update({key: line_of(mapping, (key,)) for key in mapping})
    return found


def read_text(path: Path) -> str:
    """Read a file; raise a `ScenarioError` if it cannot be a scenario file."""
    try:
        if not path.exists():
            raise _error_at(path, 0, "there is no such file.")
        if not path.is_file():
            raise _error_at(path, 0, "this is not a file.")
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise _error_at(path, 0, "this file cannot be opened.") from error
    if len(content) > MAX_BYTES:
        raise _error_at(
            path, 0, "this is too large: a scenario file has at most {most} bytes.", most=MAX_BYTES
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise _error_at(path, line, "this is not UTF-8 text.") from error


def read_yaml(text: str, where: str) -> Any:
    """Parse a text; raise a `ScenarioError` for any problem."""
    builder = _Builder(where)
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            builder.handle_event(event)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        line = mark.line + 1 if mark is not None else _bad_line(text, error)
        lines = text.splitlines()
        if 0 < line <= len(lines) and _has_tab_indent(lines[line - 1]):
            raise _error_at(
                where, line, "YAML does not allow tabs as indentation: use spaces."
            ) from error
        context = getattr(error, "context_mark", None)
        if context is not None and not "".join(lines[line - 1 :]).strip():
            line = context.line + 1  # where the bracket that is not closed was opened
        shown = shorten(lines[line - 1].strip()) if 0 < line <= len(lines) else ""
        raise _error_at(
            where,
            line,
            "this cannot be read as YAML ({problem}): “{shown}”.",
            problem=getattr(error, "problem", None) or "unknown character",
            shown=shown,
        ) from error
    return builder.result


def _has_tab_indent(line: str) -> bool:
    return "\t" in line[: len(line) - len(line.lstrip())]


def _error_at(where: Path | str, line: int, text: str, /, **args: object) -> ScenarioError:
    error = ScenarioError(text, **args)
    error.place = f"{where}:{line}" if line else str(where)
    return error


def _bad_line(text: str, error: yaml.YAMLError) -> int:
    """The line of an invalid character."""
    position = getattr(error, "position", 0)
    return text.count("\n", 0, position) + 1


class _Builder:
    """Builds data from YAML events."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.result: Any = None
        self.documents = 0
        self.open: list[tuple[LineDict | LineList, str | None]] = []
        """Open containers, each with its anchor."""
        self.keys: list[tuple[str, int] | None] = []
        """For each open container, the key whose value comes next."""
        self.sizes: list[int] = []
        self.anchors: dict[str, tuple[Any, int]] = {}

    def handle_event(self, event: yaml.Event) -> None:
        line = event.start_mark.line + 1 if event.start_mark is not None else 0
        if isinstance(event, yaml.DocumentStartEvent):
            self.documents += 1
            if self.documents > 1:
                raise self._error(line, "a file holds one document: leave out “---”.")
        elif isinstance(event, yaml.AliasEvent):
            self._resolve_anchor(event.anchor, line)
        elif isinstance(event, yaml.ScalarEvent):
            self._check_tag(event, line)
            plain = event.implicit[0]
            self._scalar(event.value, plain, event.anchor, line)
        elif isinstance(event, yaml.CollectionStartEvent):
            self._check_tag(event, line)
            is_mapping = isinstance(event, yaml.MappingStartEvent)
            self._start_container(
                LineDict(line) if is_mapping else LineList(line), event.anchor, line
            )
        elif isinstance(event, yaml.CollectionEndEvent):
            container, anchor = self.open.pop()
            self.keys.pop()
            if isinstance(container, LineDict):
                _merge(container)
            self._add_value(container, anchor, self.sizes.pop() + 1, container.line)

    def _check_tag(self, event: yaml.NodeEvent, line: int) -> None:
        tag = getattr(event, "tag", None)
        if tag is not None and tag != "!":
            raise self._error(line, "a tag such as “{tag}” is not allowed here.", tag=shorten(tag))

    def _start_container(
        self, container: LineDict | LineList, anchor: str | None, line: int
    ) -> None:
        if len(self.open) >= MAX_DEPTH:
            raise self._error(line, "this is nested too deeply.")
        if self._expects_key():
            raise self._error(line, "a key should be a word, not a list or a mapping.")
        if anchor is not None:
            self.anchors.pop(anchor, None)  # a reference to it from inside is one to itself
        self.open.append((container, anchor))
        self.keys.append(None)
        self.sizes.append(0)

    def _resolve_anchor(self, anchor: str | None, line: int) -> None:
        if anchor is None or anchor not in self.anchors:
            raise self._error(line, "“*{name}” refers to itself or to nothing.", name=anchor)
        value, size = self.anchors[anchor]
        if self._expects_key():
            raise self._error(line, "a key should be a word, not a list or a mapping.")
        self._add_value(value, None, size, line)

    def _expects_key(self) -> bool:
        return bool(self.open) and isinstance(self.open[-1][0], LineDict) and not self.keys[-1]

    def _scalar(self, text: str, plain: bool, anchor: str | None, line: int) -> None:
        if self._expects_key():
            container = self.open[-1][0]
            assert isinstance(container, LineDict)
            if text in container:
                raise self._error(line, "“{key}” occurs twice.", key=shorten(text))
            self.keys[-1] = (text, line)
            return
        value: Any = text
        if plain and text in _CONSTANTS:
            value = _CONSTANTS[text]
        elif plain and _NUMBER.fullmatch(text):
            value = int(text)
        self._add_value(value, anchor, 1, line)

    def _add_value(self, value: Any, anchor: str | None, size: int, line: int) -> None:
        """Add a finished value to its container."""
        if anchor is not None:
            self.anchors[anchor] = (value, size)
        if not self.open:
            self.result = value
            return
        self.sizes[-1] += size
        if self.sizes[-1] > MAX_VALUES:
            raise self._error(
                line, "this contains too many values; at most {most} are allowed.", most=MAX_VALUES
            )
        container = self.open[-1][0]
        if isinstance(container, LineList):
            container.append(value)
            container.lines.append(line)
            return
        key = self.keys[-1]
        assert key is not None
        self.keys[-1] = None
        if key[0] == _MERGE:
            found = value if isinstance(value, LineList) else [value]
            container.merged += [mapping for mapping in found if isinstance(mapping, LineDict)]
            return
        container[key[0]] = value
        container.lines[key[0]] = key[1]

    def _error(self, line: int, text: str, /, **args: object) -> ScenarioError:
        return _error_at(self.where, line, text, **args)


def _merge(container: LineDict) -> None:
    for mapping in container.merged:
        for key, value in mapping.items():
            if key not in container:
                container[key] = value
                container.lines[key] = mapping.lines[key]
