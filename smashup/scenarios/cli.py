"""``smashup scenario FILE...``: runs scenario files and reports failures."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from smashup.cards import catalogue
from smashup.cards.authoring.time_limit import time_limit
from smashup.engine.model.catalogue import Catalogue
from smashup.engine.model.messages import HIDDEN, Name
from smashup.locale import ENGLISH, Translator
from smashup.scenarios.document import Scenario, load
from smashup.scenarios.errors import Failure, ScenarioError, ScenarioProblem, shorten
from smashup.scenarios.failure_details import log_lines
from smashup.scenarios.runner import run

MAX_CPU_SECONDS = 1.0
"""Processor time a scenario may take."""
MAX_TITLE = 160
"""Characters of a title that are shown."""


class _OriginalCardNames(Translator):
    """Translates messages but keeps the card names that scenario files use."""

    def __init__(self, translator: Translator) -> None:
        super().__init__(translator.table, translator.lang)

    def translate_name(self, name: Name) -> str:
        is_named = name.sort in ("card", "base") and name != HIDDEN
        return name.text if is_named else super().translate_name(name)


def run_files(
    paths: list[str],
    verbose: bool = False,
    translator: Translator = ENGLISH,
    cards: Catalogue | None = None,
) -> int:
    """Run all scenarios of files or folders; return the exit status, 0 if all pass."""
    try:
        code = _run_files(paths, verbose, _OriginalCardNames(translator), cards or catalogue())
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader closed the pipe; keep Python from failing when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return code


def _run_files(paths: list[str], verbose: bool, translator: Translator, cards: Catalogue) -> int:
    files = list(_find_files(paths))
    if not files:
        print(translator.translate("No scenario files there."), file=sys.stderr)
        return 2
    passed = failed = 0
    for file in files:
        for scenario in load(file):
            problem = _run_one(scenario, verbose, translator, cards)
            if problem is None:
                passed += 1
                continue
            failed += 1
            word = "FAILED" if isinstance(problem, Failure) else "CANNOT BE RUN"
            print(_format_heading(word, scenario, translator))
            print("  " + problem.render(translator).replace("\n", "\n  "))
    print(translator.translate("{passed} passed, {failed} failed", passed=passed, failed=failed))
    return 1 if failed else 0


def _find_files(paths: list[str]) -> Iterator[Path]:
    for path in map(Path, paths):
        if path.is_dir():
            yield from sorted(path.rglob("*.yaml"))
        else:
            yield path


def _run_one(
    scenario: Scenario, verbose: bool, translator: Translator, cards: Catalogue
) -> ScenarioProblem | None:
    """Run one scenario; return its problem, if any."""
    try:
        with time_limit(MAX_CPU_SECONDS):
            game = run(scenario, cards)
    except ScenarioProblem as problem:
        return problem
    except Exception as error:  # a mistake of ours, not of the file
        return ScenarioError(
            "The program failed to run it ({error}). Please report this scenario.",
            error=type(error).__name__,
        )
    if verbose:
        print(_format_heading("PASSED", scenario, translator))
        for message in log_lines(game) if game is not None else ():
            print("    " + translator.render(message))
    return None


def _format_heading(word: str, scenario: Scenario, translator: Translator) -> str:
    """The label of a scenario and the rules it was run with."""
    called = " / ".join(shorten(part, MAX_TITLE) for part in (scenario.id, scenario.run) if part)
    rules = f"[{scenario.edition}, {scenario.printing}]"
    title = shorten(scenario.title, MAX_TITLE) if scenario.title != scenario.id else ""
    return (
        translator.translate(word)
        + translator.translate(": ")
        + f"{called} {rules}  {title}".rstrip()
    )
