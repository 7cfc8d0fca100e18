"""``smashup scenario FILE...``: run scenario files and tell what does not hold."""

from __future__ import annotations

import sys
from pathlib import Path

from smashup.cards import catalogue
from smashup.scenarios.document import Scenario, load
from smashup.scenarios.errors import Failure, ScenarioError
from smashup.scenarios.runner import run


def run_files(paths: list[str], verbose: bool = False) -> int:
    """Run every scenario of the files (or folders); the exit status: 0 when all hold."""
    scenarios: list[Scenario] = []
    files: list[Path] = []
    for path in map(Path, paths):
        files += sorted(path.rglob("*.yaml")) if path.is_dir() else [path]
    if not files:
        print("No scenario files there.", file=sys.stderr)
        return 2
    for file in files:
        try:
            scenarios += load(file)
        except ScenarioError as error:
            print(error, file=sys.stderr)
            return 2
    failed = 0
    for scenario in scenarios:
        try:
            run(scenario, catalogue())
        except (Failure, ScenarioError) as error:
            failed += 1
            word = "FAILED" if isinstance(error, Failure) else "CANNOT BE RUN"
            print(
                f"{word}: {scenario.label}  {scenario.title}\n  " + str(error).replace("\n", "\n  ")
            )
        else:
            if verbose:
                print(f"holds: {scenario.label}  {scenario.title}")
    print(f"{len(scenarios) - failed} passed, {failed} failed")
    return 1 if failed else 0
