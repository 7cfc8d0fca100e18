"""`smashup lab`: many games, kept as data, and what they add up to."""

from __future__ import annotations

import argparse
import os
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

from smashup.bots.duel import Teams
from smashup.engine.errors import SetupError
from smashup.engine.model.catalogue import PRINTED, Catalogue
from smashup.lab.cluster import Cluster
from smashup.lab.crowd import Crowd
from smashup.lab.folder import Folder, Plan
from smashup.lab.matrix import Matrix
from smashup.lab.study import Study
from smashup.lab.tournament import Tournament
from smashup.lab.work import Alone, Crew, chunk_size, play_missing
from smashup.terminal import lab_report
from smashup.terminal.duel import decimal, teams
from smashup.terminal.invocation import program
from smashup.terminal.look import open_console
from smashup.terminal.lookup import find_faction
from smashup.terminal.parsing import INTERRUPTED
from smashup.terminal.tables import edition_key
from smashup.terminal.translation import gettext_noop, printable, tr

AN_HOUR = 3600.0
"""Chunks may take long: the time left is told from the pace of the last hour."""
KINDS: Final = {"matrix": gettext_noop("matrix"), "tournament": gettext_noop("tournament")}
"""What stands before the bar while games are played."""


def run(options: argparse.Namespace, cards: Catalogue) -> int:
    """Do what the options ask for."""
    if options.part == "report":
        return lab_report.run(options)
    for option in ("games", "processes", "chunk"):
        number = getattr(options, option)
        if number is not None and number < 1:
            raise SetupError(
                "{option} needs a number from 1 up, not {number}.",
                option=f"--{option}",
                number=number,
            )
    study = _matrix(options, cards) if options.part == "matrix" else _tournament(options, cards)
    study.check(cards)
    folder = _folder(options, study, cards)
    return _play(folder, options, cards)


# --- what is asked for ----------------------------------------------------------------------


def _matrix(options: argparse.Namespace, cards: Catalogue) -> Matrix:
    names = [name for name in (options.factions or "").split(",") if name.strip()]
    return Matrix(
        options.players,
        options.seed,
        edition_key(options.edition),
        (options.printing or PRINTED).strip().casefold(),
        tuple(options.faction_file),
        options.bot,
        tuple(find_faction(cards, name).name for name in names),
    )


def _tournament(options: argparse.Namespace, cards: Catalogue) -> Tournament:
    given: Teams = teams(options.factions, cards)
    return Tournament(
        options.players,
        options.seed,
        edition_key(options.edition),
        (options.printing or PRINTED).strip().casefold(),
        tuple(options.faction_file),
        tuple(name.strip() for name in options.bots.split(",") if name.strip()),
        given,
    )


def _folder(options: argparse.Namespace, study: Study, cards: Catalogue) -> Folder:
    games = study.games(options.games, cards)
    chunk = options.chunk or chunk_size(study, games)
    plan = Plan(study, games, chunk, study.command(options.games))
    path = Path(options.folder).expanduser()
    if not options.resume:
        return Folder.begin(path, plan)
    folder = Folder.resume(path, plan)
    if options.chunk is not None and options.chunk != folder.plan.chunk:
        raise SetupError(
            "{path} is kept in chunks of {chunk} games; leave --chunk out.",
            path=str(path),
            chunk=folder.plan.chunk,
        )
    return folder


def _crew(options: argparse.Namespace, study: Study, cards: Catalogue, chunks: int) -> Crew:
    processes = options.processes or _cores()
    if options.ray is not None:
        return Cluster(study, options.ray, processes)
    processes = min(processes, chunks)
    return Crowd(study, processes) if processes > 1 else Alone(study, cards)


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


# --- playing --------------------------------------------------------------------------------


def _play(folder: Folder, options: argparse.Namespace, cards: Catalogue) -> int:
    """Play what is missing, and tell where it is and what can be done next."""
    plan = folder.plan
    missing = folder.missing()
    code = 0
    if missing:
        try:
            with _crew(options, plan.study, cards, len(missing)) as crew:
                _watch(folder, crew, plan.games - sum(len(plan.numbers(c)) for c in missing))
        except KeyboardInterrupt:
            code = INTERRUPTED
    path = printable(str(folder.path))
    if code:
        told = tr(
            "Stopped: {done} of {games} games are kept in {path}. To go on:",
            done=folder.done(),
            games=plan.games,
            path=path,
        )
        print(f"{told}\n  {_again(folder, options)}")
    else:
        told = tr("{games} games are kept in {path}. To see them:", games=plan.games, path=path)
        print(f"{told}\n  {program()} lab report {shlex.quote(path)}")
    return code


def _watch(folder: Folder, crew: Crew, done: int) -> None:
    """Play what is missing under a bar that tells how long it will take."""
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
            speed_estimate_period=AN_HOUR,
        ) as progress,
        closing(play_missing(folder, crew)) as played,
    ):
        began, first = time.monotonic(), done
        kind = tr(KINDS[folder.plan.study.kind])
        task = progress.add_task(kind, total=folder.plan.games, completed=done, pace="")
        for games in played:
            done += games
            pace = decimal((done - first) / (time.monotonic() - began), 1)
            progress.update(task, completed=done, pace=tr("{pace} games/s", pace=pace))


def _again(folder: Folder, options: argparse.Namespace) -> str:
    """What to type to go on."""
    words = folder.plan.command.removeprefix("smashup")
    more = ["--folder", str(folder.path), "--resume"]
    for option in ("processes", "ray"):
        value = getattr(options, option)
        if value is not None:
            more += [f"--{option}", str(value)]
    return f"{program()}{words} {shlex.join(more)}"
