"""Runs every scenario file in this folder: each run of each scenario is a separate test."""

from __future__ import annotations

from pathlib import Path

import pytest

from smashup.cards import catalogue
from smashup.scenarios.document import Scenario, load
from smashup.scenarios.runner import run

FILES = sorted(Path(__file__).parent.glob("*.yaml"))
SCENARIOS = [
    pytest.param(scenario, id=f"{path.stem}: {scenario.label}")
    for path in FILES
    for scenario in load(path)  # an unreadable one becomes a failing test
]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_scenario(scenario: Scenario) -> None:
    run(scenario, catalogue())


def test_ids_are_unique() -> None:
    """Each id occurs once, in one file."""
    seen: dict[str, str] = {}
    for path in FILES:
        for name in dict.fromkeys(s.id for s in load(path)):
            assert name not in seen, f"{name} is in {seen[name]} and in {path.name}"
            seen[name] = path.name
