"""Reading scenario files: text in, `Scenario` objects out.

An invalid scenario becomes a `Scenario` with a `problem`: it stops neither the other
scenarios of its file nor those of other files.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any, Final

from smashup.engine.model.catalogue import PRINTED
from smashup.engine.model.editions import DEFAULT_EDITION
from smashup.scenarios.errors import ScenarioError, shorten
from smashup.scenarios.schema.base import Model, as_list, validate
from smashup.scenarios.schema.scenario import ScenarioModel, Version
from smashup.scenarios.yaml_reader import line_of, overlay, read_text, read_yaml


@dataclass(frozen=True)
class Scenario:
    """One run of a scenario under one edition, in one printing."""

    id: str
    title: str = ""
    run: str = ""
    edition: str = DEFAULT_EDITION.key
    printing: str = PRINTED
    data: dict[str, Any] = field(default_factory=dict, hash=False)
    covers: tuple[str, ...] = ()
    file: str = ""
    line: int = 0
    """Its first line in the file."""
    problem: ScenarioError | None = field(default=None, hash=False, compare=False)
    """The error in the file that prevents it from running."""

    @property
    def label(self) -> str:
        """Its id, its run, and its edition if the scenario has several."""
        parts = [self.id]
        if self.run:
            parts.append(self.run)
        if self.edition != DEFAULT_EDITION.key:
            parts.append(self.edition)
        return " / ".join(parts)


_LABELS: Final = {
    "scenario_version", "id", "title", "covers", "name", "note", "runs", "edition", "printing",
}  # fmt: skip
"""Keys that describe a scenario; all other keys set up a table or check something."""


class _ScenarioFile(Model):
    """A file with keys besides its scenarios."""

    scenario_version: Version = 1
    scenarios: list[Any]


def load(path: Path) -> list[Scenario]:
    """Load all runs of all scenarios in a file."""
    try:
        text = read_text(path)
    except ScenarioError as error:
        return [Scenario(path.name, file=str(path), problem=error)]
    return parse(text, str(path))


def parse(text: str, where: str = "scenario") -> list[Scenario]:
    """Parse all runs of all scenarios in a text."""
    name = Path(where).name
    try:
        data = read_yaml(text, where)
        if isinstance(data, dict) and "scenarios" in data:
            validate(_ScenarioFile, data, where)
            data = data["scenarios"]
        items = as_list(data)
        if not items:
            raise ScenarioError("this file contains no scenario.")
    except ScenarioError as error:
        return [Scenario(name, file=where, problem=error)]
    found: list[Scenario] = []
    for number, item in enumerate(items, 1):
        named = f"{name}, {number}"
        if isinstance(item, dict):
            named = str(item.get("id") or item.get("title") or named)
        try:
            validate(ScenarioModel, item, where)
            _check_content(item)
        except ScenarioError as error:
            if not error.place.rpartition(":")[2].isdigit():
                error.place = f"{where}:{line_of(data, (number - 1,)) or line_of(item) or 1}"
            found.append(_unreadable_scenario(named, item, where, error))
        else:
            found.extend(_expand_runs(item, named, where))
    return found


def _check_content(item: dict[str, Any]) -> None:
    """Reject a scenario that sets up and checks nothing: it would always pass."""
    for run in item.get("runs") or [{}]:
        if not set(overlay(item, run)) - _LABELS:
            raise ScenarioError(
                "there is nothing to check: write what happens (do) or what must be true (expect)."
            )


def _unreadable_scenario(name: str, item: Any, where: str, problem: ScenarioError) -> Scenario:
    """Represent an invalid scenario by its error and the labels that could be read."""
    said = item if isinstance(item, dict) else {}
    return Scenario(
        shorten(name),
        shorten(said.get("title", "")) if said.get("id") else "",
        edition=", ".join(map(shorten, as_list(said.get("edition", DEFAULT_EDITION.key)))),
        printing=", ".join(map(shorten, as_list(said.get("printing", PRINTED)))),
        file=where,
        problem=problem,
    )


def _expand_runs(item: dict[str, Any], name: str, where: str) -> Iterator[Scenario]:
    """Yield every run of a scenario under each of its editions and printings."""
    covers = tuple(str(c) for c in as_list(item.get("covers")))
    for number, run in enumerate(item.get("runs") or [{}], 1):
        data = overlay(item, run)
        data.pop("runs", None)
        label = str(run.get("name", f"run {number}" if item.get("runs") else ""))
        editions = as_list(data.get("edition", DEFAULT_EDITION.key))
        for edition, printing in product(editions, as_list(data.get("printing", PRINTED))):
            yield Scenario(
                name,
                str(item.get("title", "")),
                label,
                edition,
                printing,
                data,
                covers,
                where,
                line_of(run) or line_of(item),
            )
