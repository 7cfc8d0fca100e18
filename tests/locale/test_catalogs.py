"""The translation catalogs are complete, and the check for that works."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from scripts import messages
from scripts.extraction import extract_texts
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
        (
            "{player} pioche {cards}.",
            "{player} pioche.",
            "placeholders are ['cards', 'player']",
        ),
        ('msgid "Pass"', 'msgid "Pass on"', "«Pass on» is obsolete."),
        ("George en Furie", "Georges", "«Furious George» is called «George en Furie»"),
        ("Quelle Créature prendre\u00a0?", "Quelle Créature prendre ?", "no-break space"),
        ("Ce qui s’est passé", "Ce qui s'est passé", "the French apostrophe"),
        ('msgstr " et "', 'msgstr " et"', "both end with a space"),
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
PLACES: Final = ("first", "second")

class Odd(Stranger): ...

class Player:
    def pick_some(self, count, prompt): ...

def play(me, place):
    text = "One." if me.alone else "Many."
    line = Wording("Most.", caused=text)
    line.write(me.name("not shown"))
    me.choose_mode("Left", "Right" if me.name == "not shown" else "Wrong")
    me.pick_some("not shown", "Really?")
    me.pick_some(prompt="Again?")
    ask(me.table, 0, MAY, "Draw?", 1, ["Yes", "No"])
    tr(PLACES[place])
    raise Odd("It is {what}.", what="not shown")
'''


def test_texts_are_found_in_calls(tmp_path: Path) -> None:
    code = tmp_path / "code"
    code.mkdir()
    (code / "errors.py").write_text(
        "class SmashUpError(Exception): ...\nclass Stranger(SmashUpError): ..."
    )
    (code / "module.py").write_text(MODULE)
    found = list(extract_texts(code))
    assert {file for _, file in found} == {"code/module.py"}
    assert {text for text, _ in found} == {
        "One.", "Many.", "Most.", "Left", "Right", "Wrong", "Really?", "Again?", "Draw?", "Yes",
        "No", "first", "second", "It is {what}.",
    }  # fmt: skip
