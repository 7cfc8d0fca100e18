"""`smashup lab`: plays studies of many games and stores their results."""

from __future__ import annotations

import argparse
import shlex
import time
from contextlib import closing
from pathlib import Path
from typing import Final

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from smashup.bots.bot_game import Teams
from smashup.engine.errors import SetupError
from smashup.engine.model.catalogue import PRINTED, Catalogue
from smashup.lab.cluster import RayExecutor
from smashup.lab.executor import Executor, SerialExecutor, chunk_size, play_missing
from smashup.lab.local_pool import LocalPool
from smashup.lab.matrix import Matrix
from smashup.lab.study import Study
from smashup.lab.study_store import StudyPlan, StudyStore
from smashup.lab.tournament import Tournament
from smashup.terminal.card_index import find_faction
from smashup.terminal.cli.invocation import program_name
from smashup.terminal.cli.options import EXIT_INTERRUPTED
from smashup.terminal.cli.setup_options import parse_edition
from smashup.terminal.commands import lab_compare, lab_report
from smashup.terminal.commands.duel import available_cores, format_decimal, parse_teams
from smashup.terminal.screens.console import open_console
from smashup.terminal.translation import gettext_noop, printable, tr

PACE_WINDOW_SECONDS = 3600.0
"""Chunks may take long, so the remaining time is estimated over this period."""
STUDY_LABELS: Final = {"matrix": gettext_noop("matrix"), "tournament": gettext_noop("tournament")}
"""Labels of the progress bar."""


def run(options: argparse.Namespace, cards: Catalogue) -> int:
    """Play a study, or show, compare or export its results."""
    if options.part == "report":
        return lab_report.run(options)
    if options.part == "compare":
        return lab_compare.run_compare(options)
    if options.part == "export":
        return lab_compare.run_export(options)
    for option in ("games", "processes", "chunk"):
        number = getattr(options, option)
        if number is not None and number < 1:
            raise SetupError(
                "{option} needs a number of at least 1, not {number}.",
                option=f"--{option}",
                number=number,
            )
    study = (
        _build_matrix(options, cards)
        if options.part == "matrix"
        else _build_tournament(options, cards)
    )
    study.check(cards)
    store = _open_folder(options, study, cards)
    return _play(store, options, cards)


# --- the study ------------------------------------------------------------------------------


def _build_matrix(options: argparse.Namespace, cards: Catalogue) -> Matrix:
    names = [name for name in (options.factions or "").split(",") if name.strip()]
    return Matrix(
        options.players,
        options.seed,
        parse_edition(options.edition),
        (options.printing or PRINTED).strip().casefold(),
        tuple(options.faction_file),
        options.bot,
        tuple(find_faction(cards, name).name for name in names),
    )


def _build_tournament(options: argparse.Namespace, cards: Catalogue) -> Tournament:
    given: Teams = parse_teams(options.factions, cards)
    return Tournament(
        options.players,
        options.seed,
        parse_edition(options.edition),
        (options.printing or PRINTED).strip().casefold(),
        tuple(options.faction_file),
        tuple(name.strip() for name in options.bots.split(",") if name.strip()),
        given,
    )


def _open_folder(options: argparse.Namespace, study: Study, cards: Catalogue) -> StudyStore:
    games = study.count_games(options.games, cards)
    chunk = options.chunk or chunk_size(study, games)
    plan = StudyPlan(study, games, chunk, study.command(options.games))
    path = Path(options.folder).expanduser()
    if not options.resume:
        return StudyStore.create(path, plan)
    store = StudyStore.resume(path, plan)
    if options.chunk is not None and options.chunk != store.plan.chunk_size:
        raise SetupError(
            "{path} has chunks of {chunk} games; omit --chunk.",
            path=str(path),
            chunk=store.plan.chunk_size,
        )
    return store


def _executor(options: argparse.Namespace, study: Study, cards: Catalogue, chunks: int) -> Executor:
    processes = options.processes or available_cores()
    if options.ray is not None:
        return RayExecutor(study, options.ray, processes)
    processes = min(processes, chunks)
    return LocalPool(study, processes) if processes > 1 else SerialExecutor(study, cards)


# --- playing --------------------------------------------------------------------------------


def _play(store: StudyStore, options: argparse.Namespace, cards: Catalogue) -> int:
    """Play the missing games; print where they are and how to continue."""
    plan = store.plan
    missing = store.missing_chunks()
    code = 0
    if missing:
        try:
            with _executor(options, plan.study, cards, len(missing)) as executor:
                _play_with_progress(
                    store, executor, plan.games - sum(len(plan.games_in_chunk(c)) for c in missing)
                )
        except KeyboardInterrupt:
            code = EXIT_INTERRUPTED
    path = printable(str(store.path))
    if code:
        note = tr(
            "Stopped: {done} of {games} games are in {path}. To continue:",
            done=store.count_games(),
            games=plan.games,
            path=path,
        )
        print(f"{note}\n  {_resume_command(store, options)}")
    else:
        note = tr("{games} games are in {path}. To see the results:", games=plan.games, path=path)
        print(f"{note}\n  {program_name()} lab report {shlex.quote(path)}")
    return code


def _play_with_progress(store: StudyStore, executor: Executor, done: int) -> None:
    """Play the missing games below a progress bar."""
    console = open_console(stderr=True)
    with (
        Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[pace]}"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=console,
            disable=not console.is_terminal,
            transient=True,
            speed_estimate_period=PACE_WINDOW_SECONDS,
        ) as progress,
        closing(play_missing(store, executor)) as played,
    ):
        began, first = time.monotonic(), done
        kind = tr(STUDY_LABELS[store.plan.study.kind])
        task = progress.add_task(kind, total=store.plan.games, completed=done, pace="")

        def show(finished: int) -> None:
            """Show the games of unfinished chunks too, so that there is progress at once."""
            progress.update(task, completed=done + finished)

        executor.on_progress = show
        for games in played:
            done += games
            pace = format_decimal((done - first) / (time.monotonic() - began), 1)
            progress.update(task, completed=done, pace=tr("{pace} games/s", pace=pace))


def _resume_command(store: StudyStore, options: argparse.Namespace) -> str:
    """Format the command that resumes the study."""
    words = store.plan.command.removeprefix("smashup")
    more = ["--folder", str(store.path), "--resume"]
    for option in ("processes", "ray"):
        value = getattr(options, option)
        if value is not None:
            more += [f"--{option}", str(value)]
    return f"{program_name()}{words} {shlex.join(more)}"
