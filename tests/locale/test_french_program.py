"""The program in French: help, screens, errors, scenarios, checks."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console
from rich.text import Text

from smashup.cards import catalogue
from smashup.engine.model.catalogue import PRINTINGS
from smashup.locale import load_translations
from smashup.terminal import translation
from smashup.terminal.card_index import CardIndex
from smashup.terminal.commands.cards import render_card, render_faction
from smashup.terminal.main import main
from tests.terminal.cli_process import AGAINST_RANDOM, run

pytestmark = pytest.mark.usefixtures("english_afterwards")

ROOT = Path(__file__).parents[2]


@pytest.fixture
def french() -> Iterator[None]:
    translation.set_language("fr")
    yield
    translation.set_language("en")


def collapse_whitespace(text: str) -> str:
    """Join a screen into one line, without its frames."""
    return re.sub(r"[\s│╭╮╰╯─]+", " ", text)


def card_texts() -> set[str]:
    """Return the card texts longer than two words."""
    return {k.text for p in PRINTINGS for k in catalogue().definitions(p) if len(k.text) > 20}


def test_help_is_french_with_the_option_before_or_after_the_subcommand(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for line in (["--lang", "fr", "play", "--help"], ["play", "--lang=fr", "--help"]):
        with pytest.raises(SystemExit) as leaving:
            main(line)
        assert leaving.value.code == 0
        shown = capsys.readouterr().out
        assert shown.startswith("utilisation\u00a0: ")
        for expected in (
            "options\u00a0:",
            "qui joue\u00a0:",
            "afficher cette aide",
            "exemples\u00a0:",
        ):
            assert expected in shown
        for english in ("usage:", "options:", "show this", "default", "examples:"):
            assert english not in shown
        assert max(map(len, shown.splitlines())) <= 80


@pytest.mark.parametrize("command", ["cards", "scenario", "check-faction", "hint", "duel"])
def test_every_subcommand_has_french_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help", "--lang", "fr"])
    shown = capsys.readouterr().out
    assert "afficher cette aide et quitter" in shown
    assert "la langue" in shown


def test_the_environment_selects_french_and_the_option_overrides_it(tmp_path: Path) -> None:
    assert "utilisation" in run(tmp_path, "--help", LANG="fr_FR.UTF-8").stdout
    assert "usage:" in run(tmp_path, "--lang", "en", "--help", LANG="fr_FR.UTF-8").stdout
    assert "usage:" in run(tmp_path, "--help", LANG="de_DE.UTF-8").stdout


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (["play", "--factions", "xyzzy"], "Il n’y a pas de Faction nommée «\u00a0xyzzy\u00a0»."),
        (["play", "--players", "5"], "Smash Up se joue de 2 à 4 joueurs, pas à 5."),
        (["play", "--players", "deux"], "Argument --players\u00a0: «\u00a0deux\u00a0» n’est pas"),
        (["play", "--players"], "une valeur est attendue"),
        (["play", "--seats", "human,robot"], "Place inconnue\u00a0: «\u00a0robot\u00a0»."),
        (["play", "--resume", "nulle-part.json"], "Il n’y a pas de partie enregistrée"),
        (["play", "--save", "."], "est un dossier"),
        (["play", "--frob"], "L’option --frob n’existe pas."),
        (["frob"], "La commande «\u00a0frob\u00a0» n’existe pas."),
        (["play", "frob"], "Arguments inconnus\u00a0: frob."),
        (["cards", "--printing", "frob"], "«\u00a0frob\u00a0» n’est pas un choix possible"),
        (["scenario"], "Il manque ces arguments\u00a0: FICHIER."),
        (["cards", "--faction-file", "rien.py"], "Il n’y a pas de fichier de Faction rien.py."),
        (["cards", "--lang"], "Argument --lang\u00a0: une valeur est attendue."),
    ],
)
def test_errors_are_french(tmp_path: Path, line: list[str], sentence: str) -> None:
    done = run(tmp_path, *line, LANG="fr_FR.UTF-8")
    assert done.returncode == 2
    assert sentence in done.stderr
    assert done.stdout == ""


def test_an_unknown_language_is_refused_in_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--lang", "tlh"]) == 2
    assert capsys.readouterr().err == "There is no language “tlh”; there are en and fr.\n"


def test_a_damaged_save_is_reported_in_french(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text("{")
    done = run(tmp_path, "play", "--lang", "fr", "--resume", str(path))
    assert "est endommagé, ligne 1, colonne 2\u00a0: un nom entre guillemets" in done.stderr
    assert run(tmp_path, "play", "--resume", str(path)).stderr.count("damaged at line 1") == 1


def test_no_english_on_the_screens_of_a_game(tmp_path: Path) -> None:
    typed = "1\n" * 60 + "?\nb\nd\nl\nc george\nzzz\nq\n"
    done = run(
        tmp_path, "play", *AGAINST_RANDOM, "--lang", "fr", "--seed", "4", typed=typed, COLUMNS="300"
    )
    assert done.returncode == 0
    screen = collapse_whitespace(done.stdout)
    for text in card_texts():
        assert text not in screen
    for printing in PRINTINGS:
        for kind in catalogue().definitions(printing):
            screen = screen.replace(kind.name, "…")
    for word in (
        "Your", "hand", "deck", "discard", "Turn", "plays", "draws", "power", "VP", "minion",
        "base", "scores", "breakpoint", "What", "choose", "Saved",
    ):  # fmt: skip
        assert not re.search(rf"\b{word}\b", screen), word
    for word in ("Votre main", "finissez le tour", "Tour 2", "joue", "pioche", "PV", "Conquête"):
        assert word in screen


def test_a_watched_game_is_french_to_its_end(tmp_path: Path) -> None:
    done = run(
        tmp_path,
        "play",
        "--watch",
        "--fast",
        "--seed",
        "2",
        "--lang",
        "fr",
        "--seats",
        "random,random",
    )
    assert done.returncode == 0
    screen = collapse_whitespace(done.stdout)
    assert "gagne\u00a0!" in done.stdout
    assert "Graine 2." in screen
    assert not re.search(r"\b(plays|draws|discards|moves|is destroyed|gains|wins|power)\b", screen)


@pytest.mark.usefixtures("french")
def test_no_english_text_in_the_card_browser() -> None:
    index = CardIndex(catalogue())
    console = Console(file=io.StringIO(), width=600, markup=False, highlight=False)
    for faction in index.catalogue.factions:
        for printing in PRINTINGS:
            console.print(render_faction(index, faction, printing))
    for card in index.cards:
        console.print(render_card(card))
    file = console.file
    assert isinstance(file, io.StringIO)
    screen = collapse_whitespace(file.getvalue())
    assert "George en Furie (Furious George)" in screen
    assert "Singes Cyborgs (Cyborg Apes)" in screen
    for text in card_texts():
        assert text not in screen
    assert not re.search(r"\b(Talent|Special|Ongoing):", screen)


def test_cards_are_found_by_either_name_and_shown_by_the_french_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in ("furious george", "george en furie"):
        assert main(["cards", name, "--lang", "fr"]) == 0
        assert "George en Furie (Furious George)" in capsys.readouterr().out
    assert main(["cards", "jorge"]) == 1
    assert main(["cards", "george en furie"]) == 0
    assert "Furious George (George en Furie)" in capsys.readouterr().out


def test_scenario_results_are_french(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "case.yaml"
    path.write_text(
        "- {id: A, title: a draw, bases: [B1], expect: {vp: {P1: 0}}}\n"
        "- {id: B, title: not so, bases: [B1], expect: {vp: {P1: 3}}}\n"
    )
    assert main(["scenario", "--lang", "fr", "--verbose", str(path)]) == 1
    shown = capsys.readouterr().out
    assert "RÉUSSI\u00a0: A [CS, printed]  a draw" in shown
    assert "ÉCHEC\u00a0: B [CS, printed]  not so" in shown
    assert shown.endswith("Réussis\u00a0: 1, échoués\u00a0: 1\n")


def test_a_faction_is_checked_in_french(capsys: pytest.CaptureFixture[str]) -> None:
    example = ROOT / "examples" / "garden_gnomes.py"
    assert main(["check-faction", str(example), "--games", "2", "--lang", "fr"]) == 0
    shown = capsys.readouterr().out
    assert "Garden Gnomes\u00a0: jouable (parties aléatoires\u00a0: 2, décisions" in shown
    assert "was never called" not in shown


def test_no_line_starts_with_a_punctuation_mark() -> None:
    text = "Play on a base. Ongoing: you have +2 power here for each other action of yours on it."
    translated = load_translations("fr")[text]
    for width in range(12, 60):
        file = io.StringIO()
        Console(file=file, width=width).print(Text(translated))
        lines = [line.strip() for line in file.getvalue().splitlines()]
        assert " ".join(lines) == translated
        assert not [line for line in lines if line.startswith(":")]


def test_a_terminal_without_accents_gets_plain_letters(tmp_path: Path) -> None:
    done = run(tmp_path, "cards", "--lang", "fr", "george", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert "Creature, Force 2, 4 exemplaires" in done.stdout
