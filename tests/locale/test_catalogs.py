"""The translation catalogs are complete, and the check for that works."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from scripts import messages
from scripts.extraction import Sources
from smashup.locale import catalog_path


def test_every_text_is_translated_and_none_is_obsolete(capsys: pytest.CaptureFixture[str]) -> None:
    assert messages.main(["--check"]) == 0, capsys.readouterr().out


def replace_once(po: bytes, before: str, after: str) -> bytes:
    assert before.encode() in po
    return po.replace(before.encode(), after.encode(), 1)


@pytest.mark.parametrize(
    ("before", "after", "complaint"),
    [
        ('msgstr "{player} pioche {cards}."', 'msgstr ""', "is not translated"),
        ("{player} pioche {cards}.", "{player} pioche.", "the gaps are ['cards', 'player']"),
        ('msgid "Pass"', 'msgid "Pass on"', "«Pass on» is not said any more."),
        ("George en Furie", "Georges", "«Furious George» is called «George en Furie»"),
        ("Que faites-vous\u00a0?", "Que faites-vous ?", "no-break space"),
        ("Ce qui s’est passé", "Ce qui s'est passé", "the French apostrophe"),
        ('msgstr " et "', 'msgstr " et"', "ends with a space"),
    ],
)
def test_the_check_reports_each_problem(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    before: str,
    after: str,
    complaint: str,
) -> None:
    shutil.copy(catalog_path("fr"), tmp_path / "fr.po")
    monkeypatch.setattr(messages, "catalog_path", lambda lang: tmp_path / f"{lang}.po")
    po = tmp_path / "fr.po"
    po.write_bytes(replace_once(po.read_bytes(), before, after))
    assert messages.main(["--check"]) == 1
    assert complaint in capsys.readouterr().out


def test_updating_the_catalogs_twice_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(catalog_path("fr"), tmp_path / "fr.po")
    monkeypatch.setattr(messages, "catalog_path", lambda lang: tmp_path / f"{lang}.po")
    before = messages.read_translations("fr")
    assert messages.main([]) == 0
    po = (tmp_path / "fr.po").read_bytes()
    assert messages.main([]) == 0
    assert (tmp_path / "fr.po").read_bytes() == po
    assert messages.read_translations("fr") == before


def test_removed_texts_are_kept_until_pruned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(catalog_path("fr"), tmp_path / "fr.po")
    monkeypatch.setattr(messages, "catalog_path", lambda lang: tmp_path / f"{lang}.po")
    po = tmp_path / "fr.po"
    po.write_bytes(replace_once(po.read_bytes(), 'msgid "Pass"', 'msgid "Pass on"'))
    assert messages.main([]) == 0
    assert '#~ msgid "Pass on"' in po.read_text()
    po.write_bytes(replace_once(po.read_bytes(), '#~ msgid "Pass on"', '#~ msgid "Pass"'))
    assert messages.main([]) == 0
    assert 'msgid "Pass"\nmsgstr "Passer"' in po.read_text()
    assert "#~" not in po.read_text()


MODULE = '''
"""Not shown."""
PLACES = ("first", "second")

class Player:
    def may(self, prompt): return ask(self.t, 0, MAY, prompt, 1, ["Yes", "No"])
    def pick(self, *modes): return ask(self.t, 0, MODE, "Choose:", 1, list(modes))

class Odd(SmashUpError): ...

def ask_twice(me, question):
    me.may(question)

def play(me, place):
    text = "One." if me.alone else "Many."
    line = Wording("Most.", caused=text)
    line.tell(me.name("not shown"))
    me.pick("Left", "Right" if me.name == "not shown" else "Wrong")
    ask_twice(me, "Really?")
    tr(PLACES[place])
    raise Odd("It is {what}.", what="not shown")
'''


def test_strings_are_followed_to_where_they_are_shown(tmp_path: Path) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "errors.py").write_text("class SmashUpError(Exception): ...")
    (tmp_path / "code" / "module.py").write_text(MODULE)
    found = {text for text, _ in Sources(tmp_path, "code").strings()}
    assert found == {
        "Yes", "No", "Choose:", "One.", "Many.", "Most.", "Left", "Right", "Wrong", "Really?",
        "first", "second", "It is {what}.",
    }  # fmt: skip


NAMESAKES = """
def phrase(game: Game, position: int) -> str:
    return game.options[position]

def describe(game: Game, label: str) -> str:
    tr(label)
    return phrase(game, 0)

def paint(row: list[str]) -> None:
    describe("not shown", "Shown.")

def start(game: Game) -> None:
    phrase(game, 1)

start("not shown")
"""


def test_parameters_that_cannot_be_a_text_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "module.py").write_text(NAMESAKES)
    assert {text for text, _ in Sources(tmp_path, "code").strings()} == {"Shown."}
