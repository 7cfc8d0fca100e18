"""The `smashup` command."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from smashup.bots.levels import BUILT_IN_NAMES
from smashup.bots.plugins import BotFailure, register_bot_files, resolve_name
from smashup.cards import catalogue
from smashup.cards.plugins import with_plugins
from smashup.engine.errors import SetupError, SmashUpError
from smashup.engine.game import Game
from smashup.engine.model.catalogue import Catalogue
from smashup.extras import install_command
from smashup.locale import LANGUAGES, detect_language
from smashup.terminal.card_index import CardIndex
from smashup.terminal.cli.invocation import COMMAND, format_command, program_name
from smashup.terminal.cli.options import (
    EXIT_BROKEN_PIPE,
    EXIT_INTERRUPTED,
    EXIT_USAGE_ERROR,
    find_language_option,
)
from smashup.terminal.cli.parser import build_parser
from smashup.terminal.cli.setup_options import build_setup
from smashup.terminal.commands import (
    analyze,
    card_list,
    cards,
    check_faction,
    completion,
    duel,
    forget,
    hint,
    new_faction,
    preview,
    puzzles,
    reports,
    serve,
)
from smashup.terminal.game.save_files import SaveFile, default_save_path, load_saved_game
from smashup.terminal.game.session import GameSession
from smashup.terminal.screens.console import open_console, set_encoding_fallback
from smashup.terminal.translation import current_translator, printable, render, set_language, tr

NEW_GAME_OPTIONS = (
    "players", "seats", "names", "first", "watch", "factions", "edition", "printing",
    "optional_titans", "madness", "seed",
)  # fmt: skip


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    arguments = sys.argv[1:] if argv is None else argv
    set_encoding_fallback()
    set_language(detect_language())
    wanted = find_language_option(arguments)
    if wanted and wanted not in LANGUAGES:
        print(
            tr(
                "There is no language “{lang}”; there are {known}.",
                lang=printable(wanted),
                known=list(LANGUAGES),
            ),
            file=sys.stderr,
        )
        return EXIT_USAGE_ERROR
    if wanted:
        set_language(wanted)
    try:
        return _run(arguments)
    except BrokenPipeError:  # as in `smashup cards | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_BROKEN_PIPE
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED


def _run(arguments: Sequence[str]) -> int:
    if arguments[:1] == ["help"]:  # as `git help log`
        arguments = [*arguments[1:], "--help"]
    options_parser = build_parser(program_name())
    options = options_parser.parse_args(arguments)
    commands = {
        "play": run_play,
        "hint": run_hint,
        "analyze": run_analyze,
        "puzzles": run_puzzles,
        "cards": run_cards,
        "scenario": run_scenario,
        "new-faction": new_faction.run_new_faction,
        "check-faction": check_faction.run_check_faction,
        "preview": preview.run_preview,
        "duel": run_duel,
        "lab": run_lab,
        "serve": run_serve,
        "reports": reports.run_reports,
        "forget": forget.run_forget,
        "completion": run_completion,
    }
    if options.command is None:
        options_parser.print_help()
        return 0
    try:
        return commands[options.command](options)
    except BotFailure as error:
        print(error.details + printable(render(error.message)), file=sys.stderr)
        return 1
    except SmashUpError as error:
        print(printable(render(error.message)), file=sys.stderr)
        return EXIT_USAGE_ERROR


def _load_catalogue(options: argparse.Namespace) -> Catalogue:
    """All factions, with installed ones and those of files; prints why any was rejected.

    Makes the bots of files available too.
    """
    register_bot_files(getattr(options, "bot_file", ()), BUILT_IN_NAMES)
    loaded, errors = with_plugins(options.faction_file)
    for error in errors:
        print(printable(render(error)), file=sys.stderr)
    return loaded


def run_play(options: argparse.Namespace) -> int:
    """`smashup play`."""
    console = open_console()
    path = Path(options.save).expanduser() if options.save is not None else None
    if options.resume is not None:
        return _resume_game(options, path)
    catalogue = _load_catalogue(options)
    setup, seats = build_setup(options, catalogue)
    save_file = None
    if path is not None or any(seat.is_human for seat in seats):
        save_file = SaveFile(path or default_save_path())
        save_file.resume_options = _resume_options(options)
        save_file.check_path()
    game = Game(setup, catalogue)
    return GameSession(game, seats, console, save_file, options.fast, not options.no_eval).run()


def _resume_options(options: argparse.Namespace) -> list[str]:
    """The files and settings that a save file does not contain."""
    words: list[str] = []
    for file in options.faction_file:
        words += ["--faction-file", file]
    for file in options.bot_file:
        words += ["--bot-file", file]
    if "lang" in options:
        words += ["--lang", options.lang]
    return words + (["--fast"] if options.fast else []) + (["--no-eval"] if options.no_eval else [])


def _resume_game(options: argparse.Namespace, path: Path | None) -> int:
    for name in NEW_GAME_OPTIONS:
        if getattr(options, name):
            option = "--" + name.replace("_", "-")
            print(
                tr(
                    "{option} cannot be changed in a saved game; omit it with --resume.",
                    option=option,
                ),
                file=sys.stderr,
            )
            return EXIT_USAGE_ERROR
    source = Path(options.resume).expanduser() if options.resume else default_save_path()
    game, seats, warning = load_saved_game(source, _load_catalogue(options))
    save_file = SaveFile(path or source, contains_this_game=path in (None, source))
    save_file.resume_options = _resume_options(options)
    save_file.check_path()
    session = GameSession(game, seats, open_console(), save_file, options.fast, not options.no_eval)
    session.notice = warning
    return session.run()


def run_hint(options: argparse.Namespace) -> int:
    """`smashup hint`."""
    try:
        return hint.run_hint(options, _load_catalogue(options), open_console())
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED


def run_analyze(options: argparse.Namespace) -> int:
    """`smashup analyze`."""
    try:
        return analyze.run_analyze(options, _load_catalogue(options), open_console())
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED


def run_puzzles(options: argparse.Namespace) -> int:
    """`smashup puzzles`."""
    try:
        return puzzles.run_puzzles(options)
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED


def run_cards(options: argparse.Namespace) -> int:
    """`smashup cards`."""
    name = " ".join(options.name)
    loaded = _load_catalogue(options)
    if options.text or options.json:
        return _list_cards(CardIndex(loaded), name, options)
    error = cards.print_card_page(loaded, name, options.printing, open_console())
    if error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _list_cards(index: CardIndex, words: str, options: argparse.Namespace) -> int:
    """`smashup cards --text` and `--json`."""
    found = card_list.select_cards(index, words, options.text, options.printing)
    if not found and options.text:
        sentence = tr("No card has all the words of “{words}”.", words=printable(words[:60]))
    elif not found:
        sentence = cards.describe_no_match(words, index.suggestions(words))
    else:
        if options.json:
            card_list.print_cards_json(found)
        else:
            card_list.print_card_texts(found, open_console())
        return 0
    print(sentence, file=sys.stderr)
    return 1


def run_scenario(options: argparse.Namespace) -> int:
    """`smashup scenario`."""
    cli = importlib.import_module("smashup.scenarios.cli")
    code: int = cli.run_files(
        options.files, options.verbose, current_translator(), _load_catalogue(options)
    )
    return code


def run_duel(options: argparse.Namespace) -> int:
    """`smashup duel`."""
    loaded = _load_catalogue(options)
    options.a, options.b = resolve_name(options.a), resolve_name(options.b)
    return duel.run(options, loaded)


def run_lab(options: argparse.Namespace) -> int:
    """`smashup lab`, which needs the extra `smashup[lab]`."""
    try:
        command = importlib.import_module("smashup.terminal.commands.lab")
    except ModuleNotFoundError as error:
        raise SetupError(
            "`{command}` needs {module}, which is not installed: {install}",
            command=format_command("lab"),
            module=error.name,
            install=install_command("lab"),
        ) from error
    plays = options.part in ("matrix", "tournament")
    catalogue_in_use = _load_catalogue(options) if plays else catalogue()
    if hasattr(options, "bot"):
        options.bot = resolve_name(options.bot)
    if hasattr(options, "bots"):
        options.bots = ",".join(resolve_name(name) for name in options.bots.split(","))
    code: int = command.run(options, catalogue_in_use)
    return code


def run_completion(options: argparse.Namespace) -> int:
    """`smashup completion`."""
    return completion.print_completion(build_parser(COMMAND), options.shell)


def run_serve(options: argparse.Namespace) -> int:
    """`smashup serve`."""
    if options.log_format != "json":
        return serve.run_serve(options, _load_catalogue(options))
    # All lines on standard error are JSON then, also those that other commands print as sentences.
    logs = importlib.import_module("smashup.server.operations.logs")
    logs.configure(options.log_format, options.log_level)
    try:
        register_bot_files(options.bot_file, BUILT_IN_NAMES)
        loaded, errors = with_plugins(options.faction_file)
        for error in errors:
            logs.warn("faction_rejected", reason=render(error))
        return serve.run_serve(options, loaded)
    except SmashUpError as error:
        logs.fail("server_cannot_start", reason=render(error.message))
        return EXIT_USAGE_ERROR
