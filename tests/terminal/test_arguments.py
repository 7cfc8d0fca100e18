"""The command line: help, usage errors, and the effect of options."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from smashup.cards import catalogue
from smashup.engine.model.catalogue import Catalogue
from smashup.terminal.cli.invocation import format_command
from smashup.terminal.main import main
from smashup.version import __version__
from tests.terminal.cli_process import APES, DUEL, ROOT, environment, run


def test_without_arguments_it_prints_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    shown = capsys.readouterr().out
    assert "examples:" in shown
    assert "at the prompt:" in shown


def test_help_of_play_names_the_editions(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as leaving:
        main(["play", "--help"])
    assert leaving.value.code == 0
    shown = capsys.readouterr().out
    for title in (
        "Science Fiction Double Feature",
        "Cease and Desist",
        "Big in Japan",
        "International Incident",
    ):
        assert title in shown
    assert "Culture Shock, 2019 (default)" in shown


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as leaving:
        main(["--version"])
    assert leaving.value.code == 0
    assert capsys.readouterr().out == f"smashup {__version__}\n"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--factions", "Tme Travelers+Cyborg Apes"], "Did you mean Time Travelers?"),
        (["--factions", "xyzzy"], "There is no faction called “xyzzy”."),
        (["--factions", f"{APES}+Super Spies"], "names 3 factions"),
        (["--factions", "Cyborg Apes+Cyborg Apes"], "cannot take Cyborg Apes twice"),
        (["--edition", "XX"], "There is no edition “XX”"),
        (["--printing", "draft"], "There is no printing “draft”"),
        (["--players", "5"], "2 to 4 players"),
        (["--players", "1"], "2 to 4 players"),
        (["--players", "2", "--seats", "human,random,random"], "seats for 3 players"),
        (["--seats", "human,robot"], "Unknown seat “robot”"),
        (["--seats", "human,nrml:Bo"], "Unknown seat “nrml:Bo”. Did you mean normal?"),
        (["--names", "Ana,ana"], "same name"),
        (["--first", "3"], "cannot go first"),
        (["--watch", "--seats", "human"], "--watch is for games between bots"),
        (["--save", "."], "is a folder"),
        (["--resume"], "There is no saved game yet"),
        (["--resume", "nowhere.json"], "There is no save file nowhere.json."),
        (["--resume", "--seed", "3"], "--seed cannot be changed in a saved game"),
    ],
)
def test_invalid_options_give_one_error_sentence(
    tmp_path: Path, words: list[str], sentence: str
) -> None:
    done = run(tmp_path, "play", *words, typed="1\n1\n")
    assert done.returncode == 2
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("line", "usage", "sentence"),
    [
        ("paly", "usage: {prog} [-h]", "There is no command “paly”. Did you mean play?"),
        ("xyzzy", "usage: {prog} [-h]", "There is no command “xyzzy”. See {prog} --help."),
        (
            "duel --gamse 3",  # although A and B are missing as well
            "usage: {prog} duel [-h]",
            "There is no option --gamse. Did you mean --games? See {prog} duel --help.",
        ),
        ("duel a b --until", "usage: {prog} duel", "--until-above or --until-best?"),
        ("lab", "usage: {prog} lab [-h]", "The following arguments are required: COMMAND."),
        ("lab matrx", "usage: {prog} lab [-h]", "Did you mean matrix?"),
        ("lab matrix --bto x", "usage: {prog} lab matrix", "Did you mean --bot?"),
        ("--lnag fr cards", "usage: {prog} [-h]", "Did you mean --lang?"),
        ("duel greedy", "usage: {prog} duel", "The following arguments are required: B."),
        ("play human", "usage: {prog} play", "Unrecognized arguments: human."),
        ("play --players two", "usage: {prog} play", "--players: “two” is not a whole number."),
        ("duel a b --games x", "usage: {prog} duel", "--games: “x” is not a whole number."),
        (
            "puzzles list --difficulty hrad",
            "usage: {prog} puzzles list",
            "“hrad” is not one of easy, medium, hard. Did you mean hard?",
        ),
        (
            "hint --seconds x",
            "usage: {prog} hint",
            "Argument --seconds: “x” is not a number. See {prog} hint --help.",
        ),
        ("play --frobnicate=3", "usage: {prog} play", "There is no option --frobnicate. See"),
    ],
)
def test_usage_errors_show_the_usage_of_the_subcommand(
    tmp_path: Path, line: str, usage: str, sentence: str
) -> None:
    done = run(tmp_path, *line.split())
    prog = re.match(r"usage: (.* -m smashup) ", done.stderr)
    assert prog is not None
    assert done.returncode == 2
    assert done.stderr.startswith(usage.format(prog=prog[1]))
    assert sentence.format(prog=prog[1]) in done.stderr.splitlines()[-1]
    assert done.stdout == ""


def test_help_of_a_subcommand_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    shown = []
    for words in (["help", "duel"], ["duel", "--help"]):
        with pytest.raises(SystemExit) as leaving:
            main(words)
        assert leaving.value.code == 0
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1] != ""


def test_a_closed_pipe_ends_the_program_quietly(tmp_path: Path) -> None:
    command = f"{sys.executable} -m smashup.terminal cards --json | head -1"
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"],
        capture_output=True, text=True, env=environment(tmp_path), timeout=60, check=False,
    )  # fmt: skip
    assert done.stdout.count("\n") == 1
    assert done.stderr == ""
    assert done.returncode == 141


# --- commands printed in messages -----------------------------------------------------------


@pytest.mark.parametrize(
    ("program", "path", "name"),
    [
        ("bin/smashup", "bin", "smashup"),
        ("bin/smashup", "", "bin/smashup"),
        ("my tools/smashup", "", "'my tools/smashup'"),
    ],
)
def test_printed_commands_start_the_same_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, path: str, name: str
) -> None:
    script = tmp_path / program
    script.parent.mkdir()
    script.write_text("#!/bin/sh\necho started $1\n")
    script.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{tmp_path / path if path else ''}:/usr/bin:/bin")
    monkeypatch.setattr(sys, "argv", [str(script), "cards"])
    command = format_command("cards", "Time Travelers")
    assert command == f"{name} cards 'Time Travelers'"
    assert subprocess.check_output(command, shell=True, text=True) == "started cards\n"


def test_the_resume_command_keeps_paths_with_spaces(tmp_path: Path) -> None:
    """Under make and without it, a shell starts exactly this game again."""
    save = tmp_path / "my $5 game.json"
    folders = {"": ROOT, "MAKELEVEL": tmp_path}
    for variable, folder in folders.items():
        more = {variable: "1"} if variable else {}
        done = run(tmp_path, "play", *DUEL, "--save", str(save), typed="q\n", **more)
        command = done.stdout.rpartition("Resume with:")[2].strip()
        if more:
            rule = tmp_path / "Makefile"
            rule.write_text(f"terminal:\n\t@{sys.executable} -m smashup.terminal play $(ARGS)\n")
        again = subprocess.run(
            command, shell=True, input="q\n", capture_output=True, text=True, encoding="utf-8",
            env=environment(tmp_path), cwd=folder, timeout=60, check=False,
        )  # fmt: skip
        assert f"Saved in {save}" in again.stdout, command
        save.unlink()


def test_the_resume_command_repeats_files_and_language(tmp_path: Path) -> None:
    faction = ROOT / "examples" / "garden_gnomes.py"
    done = run(
        tmp_path, "play", *DUEL, "--faction-file", str(faction), "--lang", "fr", "--no-eval",
        typed="q\n",
    )  # fmt: skip
    command = done.stdout.splitlines()[-1]
    assert command.endswith(f"play --resume --faction-file {faction} --lang fr --no-eval")


def test_a_file_that_is_not_a_save_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Ana")
    done = run(tmp_path, "play", "--save", str(path), *DUEL, typed="q\n")
    assert done.returncode == 2
    assert "is not a Smash Up save file" in done.stderr
    assert path.read_text() == "Dear Ana"


@pytest.mark.parametrize("content", ["", "{", "[]", '{"format": "smashup-save"}', "\x00\x01"])
def test_a_damaged_save_gives_one_error_sentence(tmp_path: Path, content: str) -> None:
    path = tmp_path / "broken.json"
    path.write_text(content)
    done = run(tmp_path, "play", "--resume", str(path))
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert path.read_text() == content


def test_options_set_up_the_game(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "game.json"
    done = run(
        tmp_path, "play", "--players", "3", "--names", "Ana", "--first", "ana", "--seed", "12",
        "--factions", f"{APES}, super spies", "--edition", "big in japan", "--printing", "current",
        "--optional-titans", "--save", str(path), typed="q\n",
    )  # fmt: skip
    assert done.returncode == 0
    assert str(path) in done.stdout.replace("\n", "")
    data = json.loads(path.read_text())
    setup = data["setup"]
    assert setup["factions"][0] == ["Cyborg Apes", "Time Travelers"]
    assert setup["factions"][1][0] == "Super Spies"
    drawn = [name for pair in setup["factions"] for name in pair]
    assert len(set(drawn)) == 6
    assert (setup["edition"], setup["printing"], setup["first"]) == ("BIJ", "current", 0)
    assert setup["optional_titans"]
    assert data["seats"] == ["human:Ana", "normal:P2", "normal:P3"]


def test_scenario_calls_the_scenario_runner(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[object] = []

    def run_files(paths: list[str], verbose: bool, translator: object, cards: Catalogue) -> int:
        seen.append((paths, verbose, cards is catalogue()))
        return 7

    runner = ModuleType("smashup.scenarios.cli")
    vars(runner)["run_files"] = run_files
    monkeypatch.setitem(sys.modules, "smashup.scenarios.cli", runner)
    assert main(["scenario", "a.yaml", "b.yaml", "--verbose"]) == 7
    assert seen == [(["a.yaml", "b.yaml"], True, True)]
