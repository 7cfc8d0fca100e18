"""Reading scenario files: YAML in, checked `Scenario` objects out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import yaml

from smashup.engine.catalogue import PRINTED, PRINTINGS
from smashup.engine.editions import DEFAULT_EDITION, EDITIONS
from smashup.scenarios.errors import ScenarioError

KEYS: Final = {
    "id", "title", "covers", "note", "edition", "printing", "players", "turn", "phase", "seed",
    "fixtures", "bases", "hands", "decks", "discards", "titans", "vp", "base_deck",
    "base_discard", "used", "madness", "setup", "table", "do", "expect", "runs", "error",
}  # fmt: skip
"""Everything a scenario may say."""
RUN_KEYS: Final = KEYS - {"id", "title", "covers", "note", "runs"} | {"name"}

LAID: Final = {
    "bases", "hands", "decks", "discards", "titans", "vp", "base_deck", "base_discard", "used",
    "phase", "turn", "fixtures",
}  # fmt: skip
"""What a real set-up leaves no room for, and a table that is told whole neither."""

_TRUTH: Final = "tag:yaml.org,2002:bool"


class PlainYaml(yaml.SafeLoader):
    """YAML whose only truth values are true and false: «on», «yes» and «no» are words."""


PlainYaml.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != _TRUTH]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
PlainYaml.add_implicit_resolver(_TRUTH, re.compile("true|false"), ["t", "f"])


@dataclass(frozen=True)
class Scenario:
    """One run of one scenario under one edition, ready to be staged."""

    id: str
    title: str
    run: str
    edition: str
    printing: str
    data: dict[str, Any] = field(hash=False)
    covers: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        parts = [self.id]
        if self.run:
            parts.append(self.run)
        if self.edition != DEFAULT_EDITION.key:
            parts.append(self.edition)
        return " / ".join(parts)


def load(path: Path) -> list[Scenario]:
    """All runs of all scenarios in a file."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ScenarioError(f"{path} cannot be read: {error}.") from error
    return parse(text, str(path))


def parse(text: str, where: str = "scenario") -> list[Scenario]:
    try:
        data = yaml.load(text, PlainYaml)
    except yaml.YAMLError as error:
        raise ScenarioError(f"{where} is not YAML: {error}") from error
    if isinstance(data, dict):
        data = [data]
    if not isinstance(data, list) or not data:
        raise ScenarioError(f"{where} should hold a scenario or a list of scenarios.")
    found: list[Scenario] = []
    for number, item in enumerate(data, 1):
        found.extend(_scenarios(item, f"{where}, scenario {number}"))
    return found


def _scenarios(item: Any, where: str) -> Iterator[Scenario]:
    if not isinstance(item, dict):
        raise ScenarioError(f"{where} should be a mapping of keys like «bases» and «do».")
    _check_keys(item, KEYS, where)
    name = str(item.get("id") or item.get("title") or where)
    runs = item.get("runs") or [{}]
    if not isinstance(runs, list) or not all(isinstance(r, dict) for r in runs):
        raise ScenarioError(f"{name}: «runs» should be a list of mappings.")
    for number, run in enumerate(runs, 1):
        _check_keys(run, RUN_KEYS, f"{name}, run {number}")
        data = {k: v for k, v in item.items() if k != "runs"} | run
        label = str(run.get("name", f"run {number}" if item.get("runs") else ""))
        for edition in as_list(data.get("edition", DEFAULT_EDITION.key)):
            if not isinstance(edition, str) or edition not in EDITIONS:
                raise ScenarioError(
                    f"{name}: there is no edition «{edition}»; there are {', '.join(EDITIONS)}."
                )
            printing = data.get("printing", PRINTED)
            if printing not in PRINTINGS:
                raise ScenarioError(f"{name}: «printing» is {' or '.join(PRINTINGS)}.")
            covers = tuple(str(c) for c in as_list(item.get("covers", [])))
            yield Scenario(name, str(item.get("title", "")), label, edition, printing, data, covers)


def _check_keys(item: dict[Any, Any], known: set[str], where: str) -> None:
    for key in item:
        if key not in known:
            raise ScenarioError(
                f"{where} has a key «{key}» that means nothing; known are"
                f" {', '.join(sorted(known))}."
            )
    for whole in ("setup", "table"):
        useless = set(item) & (LAID if whole == "setup" else LAID | {"setup", "madness"})
        if whole in item and useless:
            raise ScenarioError(
                f"{where}: with «{whole}» nothing is laid; leave out {', '.join(sorted(useless))}."
            )


def as_list(value: Any) -> list[Any]:
    """A list as it is, anything else as a list of one; None as an empty list."""
    if value is None:
        return []
    return list(value) if isinstance(value, list | tuple) else [value]
