"""``smashup scenario FILE...``: run scenario files and tell what does not hold."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from smashup.cards import catalogue
from smashup.locale import ENGLISH, Tongue
from smashup.scenarios.document import Scenario, load
from smashup.scenarios.errors import Failure, ScenarioError
from smashup.scenarios.runner import run, story


def run_files(paths: list[str], verbose: bool = False, tongue: Tongue = ENGLISH) -> int:
    """Run every scenario of the files (or folders); the exit status: 0 when all hold."""
    try:
        code = _run_files(paths, verbose, tongue)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read this has seen enough; Python must not stumble over it when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return code


def _run_files(paths: list[str], verbose: bool, tongue: Tongue) -> int:
    scenarios: list[Scenario] = []
    files: list[Path] = []
    for path in map(Path, paths):
        files += sorted(path.rglob("*.yaml")) if path.is_dir() else [path]
    if not files:
        print(tongue.say("No scenario files there."), file=sys.stderr)
        return 2
    for file in files:
        try:
            scenarios += load(file)
        except ScenarioError as error:
            print(tongue.render(error.message), file=sys.stderr)
            return 2
    failed = 0
    for scenario in scenarios:
        trouble = _try(scenario, verbose, tongue)
        if trouble:
            failed += 1
            print(trouble)
    passed = len(scenarios) - failed
    print(tongue.say("{passed} passed, {failed} failed", passed=passed, failed=failed))
    return 1 if failed else 0


def _try(scenario: Scenario, verbose: bool, tongue: Tongue) -> str:
    """Run one scenario; what is wrong with it, if anything."""
    try:
        game = run(scenario, catalogue())
    except (Failure, ScenarioError) as error:
        word = "FAILED" if isinstance(error, Failure) else "CANNOT BE RUN"
        told = tongue.render(error.message)
    except Exception as error:  # a slip of ours, not of the file
        word = "CANNOT BE RUN"
        told = tongue.say(
            "The program stumbled over it ({error}). Please report this scenario.",
            error=repr(error),
        )
    else:
        if verbose:
            print(_heading("holds", scenario, tongue))
            if game is not None:
                print(story(game, tongue))
        return ""
    return _heading(word, scenario, tongue) + "\n  " + told.replace("\n", "\n  ")


def _heading(word: str, scenario: Scenario, tongue: Tongue) -> str:
    return tongue.say(word) + tongue.say(": ") + f"{scenario.label}  {scenario.title}"
