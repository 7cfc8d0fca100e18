"""The `smashup` command."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence
from pathlib import Path

from smashup.cards import catalogue, conformance
from smashup.cards.plugins import from_file, with_plugins
from smashup.engine.errors import SetupError, SmashUpError
from smashup.engine.game import Game
from smashup.engine.model.catalogue import Catalogue
from smashup.locale import LANGUAGES, detect_language
from smashup.terminal import duel as duels
from smashup.terminal import forgetting, reporting, serving
from smashup.terminal.arguments import parser
from smashup.terminal.browser import browse
from smashup.terminal.hint import hint
from smashup.terminal.invocation import program
from smashup.terminal.keeping import Keeper, default_path, resume
from smashup.terminal.look import counting, open_console, show_plainly
from smashup.terminal.parsing import INTERRUPTED, WRONG, language
from smashup.terminal.play import Sitting
from smashup.terminal.tables import lay_table
from smashup.terminal.translation import current_translator, printable, render, set_language, tr

NOT_WITH_RESUME = (
    "players", "seats", "names", "first", "watch", "factions", "edition", "printing",
    "optional_titans", "madness", "seed",
)  # fmt: skip


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; the exit code."""
    words = sys.argv[1:] if argv is None else argv
    show_plainly()
    set_language(detect_language())
    wanted = language(words)
    if wanted and wanted not in LANGUAGES:
        print(
            tr(
                "There is no language «{lang}»; there are {known}.",
                lang=printable(wanted),
                known=list(LANGUAGES),
            ),
            file=sys.stderr,
        )
        return WRONG
    if wanted:
        set_language(wanted)
    return _run(words)


def _run(words: Sequence[str]) -> int:
    options_parser = parser(program())
    options = options_parser.parse_args(words)
    commands = {
        "play": play,
        "hint": advise,
        "cards": cards,
        "scenario": scenario,
        "check-faction": check_faction,
        "duel": duel,
        "lab": lab,
        "serve": serve,
        "reports": reporting.tell_reports,
        "forget": forgetting.forget,
    }
    if options.command is None:
        options_parser.print_help()
        return 0
    try:
        return commands[options.command](options)
    except SmashUpError as error:
        print(printable(render(error.message)), file=sys.stderr)
        return WRONG


def _catalogue(options: argparse.Namespace) -> Catalogue:
    """All factions, installed ones and those of files included; what was left out is told."""
    table, refused = with_plugins(options.faction_file)
    for sentence in refused:
        print(printable(render(sentence)), file=sys.stderr)
    return table


def play(options: argparse.Namespace) -> int:
    """`smashup play`."""
    console = open_console()
    path = Path(options.save).expanduser() if options.save is not None else None
    if options.resume is not None:
        return _resume(options, path)
    table = _catalogue(options)
    setup, seats = lay_table(options, table)
    keeper = None
    if path is not None or any(seat.is_human for seat in seats):
        keeper = Keeper(path or default_path())
        keeper.check()
    game = Game(setup, table)
    return Sitting(game, seats, console, keeper, options.fast, not options.no_eval).run()


def _resume(options: argparse.Namespace, path: Path | None) -> int:
    for name in NOT_WITH_RESUME:
        if getattr(options, name):
            option = "--" + name.replace("_", "-")
            print(
                tr(
                    "{option} cannot be changed in a saved game; leave it out with --resume.",
                    option=option,
                ),
                file=sys.stderr,
            )
            return WRONG
    source = Path(options.resume).expanduser() if options.resume else default_path()
    game, seats, warning = resume(source, _catalogue(options))
    keeper = Keeper(path or source, holds_this_game=path in (None, source))
    keeper.check()
    sitting = Sitting(game, seats, open_console(), keeper, options.fast, not options.no_eval)
    sitting.notice = warning
    return sitting.run()


def advise(options: argparse.Namespace) -> int:
    """`smashup hint`."""
    try:
        return hint(options, _catalogue(options), open_console())
    except KeyboardInterrupt:
        return INTERRUPTED


def cards(options: argparse.Namespace) -> int:
    """`smashup cards`."""
    sentence = browse(_catalogue(options), " ".join(options.name), options.printing, open_console())
    if sentence:
        print(sentence, file=sys.stderr)
        return 1
    return 0


def scenario(options: argparse.Namespace) -> int:
    """`smashup scenario`."""
    runner = importlib.import_module("smashup.scenarios.cli")
    code: int = runner.run_files(
        options.files, options.verbose, current_translator(), _catalogue(options)
    )
    return code


def check_faction(options: argparse.Namespace) -> int:
    """`smashup check-faction`."""
    passed = True
    for faction in from_file(Path(options.file)):
        with counting(open_console(), faction.name) as progress:
            report = conformance.check_faction(
                faction, catalogue(), options.games, progress, options.seed
            )
        for line in report.problems:
            print(tr("Problem: {line}", line=printable(render(line))))
        for line in report.remarks:
            print(tr("Remark: {line}", line=printable(render(line))))
        passed = passed and report.passed
        verdict = tr("fit to be played") if report.passed else tr("not fit to be played")
        print(
            tr(
                "{faction}: {verdict} ({games} random games, {decisions} decisions).",
                faction=printable(report.faction),
                verdict=verdict,
                games=report.games,
                decisions=report.decisions,
            )
        )
    return 0 if passed else 1


def duel(options: argparse.Namespace) -> int:
    """`smashup duel`."""
    return duels.run(options, _catalogue(options))


def lab(options: argparse.Namespace) -> int:
    """`smashup lab`; what it needs is an extra of the package."""
    try:
        part = importlib.import_module("smashup.terminal.lab")
    except ModuleNotFoundError as error:
        raise SetupError(
            "`smashup lab` needs {module}, which is not installed: pip install 'smashup[lab]'",
            module=error.name,
        ) from error
    cards = catalogue() if options.part == "report" else _catalogue(options)
    code: int = part.run(options, cards)
    return code


def serve(options: argparse.Namespace) -> int:
    """`smashup serve`."""
    return serving.serve(options, _catalogue(options))
