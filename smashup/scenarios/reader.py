"""Reading YAML: plain data that knows its lines, and a refusal of what no scenario needs.

«on», «yes» and «no» are words; only `true` and `false` are truth values, and only whole numbers are
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
"""Values in a file, each counted as often as it is referred to."""

_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NUMBER: Final = re.compile(r"[-+]?(0|[1-9][0-9]{0,18})")
_CONSTANTS: Final = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None, "true": True, "false": False,
}  # fmt: skip
_MERGE: Final = "<<"


class LinedDict(dict[str, Any]):
    """A mapping that knows the line on which it begins, and those of its keys."""

    def __init__(self, line: int) -> None:
        super().__init__()
        self.line = line
        self.lines: dict[str, int] = {}
        self.merged: list[LinedDict] = []
        """Mappings that this one takes over (`<<`), where it has no key of its own."""


class LinedList(list[Any]):
    """A list that knows the line on which it begins, and those of its items."""

    def __init__(self, line: int) -> None:
        super().__init__()
        self.line = line
        self.lines: list[int] = []


def line_of(data: Any, path: tuple[str | int, ...] = ()) -> int:
    """The line of a value inside some data, as near as it is known; 0 for made-up data."""
    line = getattr(data, "line", 0)
    for part in path:
        if isinstance(data, LinedDict) and part in data:
            line = data.lines[str(part)]
        elif isinstance(data, LinedList) and isinstance(part, int) and part < len(data):
            line = data.lines[part]
        else:
            break
        data = data[part]
    return line


def overlaid(below: dict[str, Any], above: dict[str, Any]) -> LinedDict:
    """Two mappings as one; what the one above says replaces what the one below says."""
    found = LinedDict(line_of(below))
    for mapping in (below, above):
        found.update(mapping)
        found.lines.update({key: line_of(mapping, (key,)) for key in mapping})
    return found


def read_text(path: Path) -> str:
    """The text of a file, refused where it cannot be a scenario file."""
    try:
        if not path.exists():
            raise _refusal(path, 0, "there is no such file.")
        if not path.is_file():
            raise _refusal(path, 0, "this is not a file.")
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise _refusal(path, 0, "this file cannot be opened.") from error
    if len(content) > MAX_BYTES:
        raise _refusal(
            path, 0, "this is too large: a scenario file has at most {most} bytes.", most=MAX_BYTES
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise _refusal(path, line, "this is not UTF-8 text.") from error


def read_yaml(text: str, where: str) -> Any:
    """The data of a text. Everything that can be wrong with it is a `ScenarioError`."""
    builder = _Builder(where)
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            builder.take(event)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        line = mark.line + 1 if mark is not None else _bad_line(text, error)
        lines = text.splitlines()
        shown = shorten(lines[line - 1].strip()) if 0 < line <= len(lines) else ""
        raise _refusal(
            where, line, "this cannot be read as YAML: «{shown}».", shown=shown
        ) from error
    return builder.result


def _refusal(where: Path | str, line: int, text: str, /, **args: object) -> ScenarioError:
    error = ScenarioError(text, **args)
    error.place = f"{where}:{line}" if line else str(where)
    return error


def _bad_line(text: str, error: yaml.YAMLError) -> int:
    """The line of a character that YAML does not allow."""
    position = getattr(error, "position", 0)
    return text.count("\n", 0, position) + 1


class _Builder:
    """Makes data of events."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.result: Any = None
        self.documents = 0
        self.open: list[tuple[LinedDict | LinedList, str | None]] = []
        """The containers around the next value, each with its anchor."""
        self.keys: list[tuple[str, int] | None] = []
        """For each container the key whose value comes next."""
        self.sizes: list[int] = []
        self.anchors: dict[str, tuple[Any, int]] = {}

    def take(self, event: yaml.Event) -> None:
        line = event.start_mark.line + 1 if event.start_mark is not None else 0
        if isinstance(event, yaml.DocumentStartEvent):
            self.documents += 1
            if self.documents > 1:
                raise self._refuse(line, "a file holds one document: leave out «---».")
        elif isinstance(event, yaml.AliasEvent):
            self._refer(event.anchor, line)
        elif isinstance(event, yaml.ScalarEvent):
            self._check_tag(event, line)
            plain = event.implicit[0]
            self._scalar(event.value, plain, event.anchor, line)
        elif isinstance(event, yaml.CollectionStartEvent):
            self._check_tag(event, line)
            is_mapping = isinstance(event, yaml.MappingStartEvent)
            self._begin(LinedDict(line) if is_mapping else LinedList(line), event.anchor, line)
        elif isinstance(event, yaml.CollectionEndEvent):
            container, anchor = self.open.pop()
            self.keys.pop()
            if isinstance(container, LinedDict):
                _merge(container)
            self._place(container, anchor, self.sizes.pop() + 1, container.line)

    def _check_tag(self, event: yaml.NodeEvent, line: int) -> None:
        tag = getattr(event, "tag", None)
        if tag is not None and tag != "!":
            raise self._refuse(line, "a tag such as «{tag}» means nothing here.", tag=shorten(tag))

    def _begin(self, container: LinedDict | LinedList, anchor: str | None, line: int) -> None:
        if len(self.open) >= MAX_DEPTH:
            raise self._refuse(line, "this is nested too deeply.")
        if self._awaits_key():
            raise self._refuse(line, "a key should be a word, not a list or a mapping.")
        if anchor is not None:
            self.anchors.pop(anchor, None)  # a reference to it from inside is one to itself
        self.open.append((container, anchor))
        self.keys.append(None)
        self.sizes.append(0)

    def _refer(self, anchor: str | None, line: int) -> None:
        if anchor is None or anchor not in self.anchors:
            raise self._refuse(line, "«*{name}» refers to itself or to nothing.", name=anchor)
        value, size = self.anchors[anchor]
        if self._awaits_key():
            raise self._refuse(line, "a key should be a word, not a list or a mapping.")
        self._place(value, None, size, line)

    def _awaits_key(self) -> bool:
        return bool(self.open) and isinstance(self.open[-1][0], LinedDict) and not self.keys[-1]

    def _scalar(self, text: str, plain: bool, anchor: str | None, line: int) -> None:
        if self._awaits_key():
            container = self.open[-1][0]
            assert isinstance(container, LinedDict)
            if text in container:
                raise self._refuse(line, "«{key}» stands here twice.", key=shorten(text))
            self.keys[-1] = (text, line)
            return
        value: Any = text
        if plain and text in _CONSTANTS:
            value = _CONSTANTS[text]
        elif plain and _NUMBER.fullmatch(text):
            value = int(text)
        self._place(value, anchor, 1, line)

    def _place(self, value: Any, anchor: str | None, size: int, line: int) -> None:
        """Put a finished value where it belongs."""
        if anchor is not None:
            self.anchors[anchor] = (value, size)
        if not self.open:
            self.result = value
            return
        self.sizes[-1] += size
        if self.sizes[-1] > MAX_VALUES:
            raise self._refuse(line, "this holds too much: at most {most} values.", most=MAX_VALUES)
        container = self.open[-1][0]
        if isinstance(container, LinedList):
            container.append(value)
            container.lines.append(line)
            return
        key = self.keys[-1]
        assert key is not None
        self.keys[-1] = None
        if key[0] == _MERGE:
            found = value if isinstance(value, LinedList) else [value]
            container.merged += [mapping for mapping in found if isinstance(mapping, LinedDict)]
            return
        container[key[0]] = value
        container.lines[key[0]] = key[1]

    def _refuse(self, line: int, text: str, /, **args: object) -> ScenarioError:
        return _refusal(self.where, line, text, **args)


def _merge(container: LinedDict) -> None:
    for mapping in container.merged:
        for key, value in mapping.items():
            if key not in container:
                container[key] = value
                container.lines[key] = mapping.lines[key]
