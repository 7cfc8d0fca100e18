"""The rules reference: complete in every language, and consistent with the engine's editions."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from scripts.messages import find_flaws
from smashup import rules
from smashup.cards import catalogue
from smashup.engine.model.catalogue import PRINTINGS
from smashup.engine.model.editions import DEFAULT_EDITION, EDITIONS, Edition
from smashup.locale import LANGUAGES
from smashup.rules.index import load_index

ENGLISH = rules.load_sections()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_language_has_every_rule(lang: str) -> None:
    found = rules.load_sections(lang)
    assert list(found) == list(ENGLISH)
    for rule, other in zip(ENGLISH.values(), found.values(), strict=True):
        assert rule.editions.keys() == other.editions.keys(), rule.id
        assert other.title
        assert other.text
        assert other.terms, rule.id


def test_french_is_french() -> None:
    for rule in rules.load_sections("fr").values():
        english = ENGLISH[rule.id]
        assert rule.text != english.text, rule.id
        for text in (rule.title, rule.text, rule.example, *rule.editions.values(), *rule.terms):
            bare = text.replace("{", "").replace("}", "")
            assert not list(find_flaws(bare, bare, "fr")), (rule.id, text)


@pytest.mark.parametrize("field", [f.name for f in fields(Edition)])
def test_every_question_of_the_editions_is_answered(field: str) -> None:
    """If an edition differs from the newest one in the engine, a rule explains it."""
    if field in ("key", "title", "year"):
        return
    about = [rule for rule in ENGLISH.values() if field in rule.settles]
    assert about, f"no rule settles {field}"
    usual = getattr(DEFAULT_EDITION, field)
    different = {e.key for e in EDITIONS.values() if getattr(e, field) != usual}
    for rule in about:
        assert different <= rule.editions.keys(), (rule.id, field)


def test_rules_refer_to_existing_edition_fields() -> None:
    known = {f.name for f in fields(Edition)}
    assert {name for rule in ENGLISH.values() for name in rule.settles} <= known


def test_rules_are_short() -> None:
    assert 60 <= len(ENGLISH) <= 120
    for lang in LANGUAGES:
        for rule in rules.load_sections(lang).values():
            assert len(rule.text.split()) <= 130, (lang, rule.id)


def test_named_cards_exist() -> None:
    names = {kind.name for printing in PRINTINGS for kind in catalogue().definitions(printing)}
    for rule in ENGLISH.values():
        for target in rules.find_links(rule.text + rule.example):
            if target.startswith("card:"):
                assert target.removeprefix("card:") in names, rule.id


def test_every_rule_can_be_reached_from_another_or_from_the_table() -> None:
    found = load_index()
    behind = {rule for rules_ in found.events.values() for rule in rules_}
    behind |= {rule for rules_ in found.purposes.values() for rule in rules_}
    behind |= {rule for card in found.cards.values() for rules_ in card.values() for rule in rules_}
    pointed = {target for rule in ENGLISH.values() for target in rule.see}
    assert ENGLISH.keys() - pointed - behind == set()


def test_titles_are_distinguishable() -> None:
    for lang in LANGUAGES:
        titles = [rule.title for rule in rules.load_sections(lang).values()]
        assert len(set(titles)) == len(titles), lang


SECTION = "{chapter: a, title: A, sections: [{id: a.b, title: B, text: C%s}]}"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{chapter: a, title: A}", "expected chapter, sections, title"),
        (SECTION % ", colour: red", "expected id, text, title"),
        (SECTION % ", editions: {XX: no}", "“XX” is not an edition"),
        (SECTION % ", see: [c.d]", "a.b points to “c.d”"),
    ],
)
def test_invalid_files_are_named(
    text: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "en").mkdir()
    (tmp_path / "en" / "01.yaml").write_text(text, encoding="utf-8")
    monkeypatch.setattr(rules, "RULES_FOLDER", tmp_path)
    with pytest.raises(rules.RulesError, match=reason):
        rules.load_chapters.__wrapped__()


def test_a_language_that_differs_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "xx").mkdir()
    (tmp_path / "xx" / "01.yaml").write_text(SECTION % "", encoding="utf-8")
    monkeypatch.setattr(rules, "RULES_FOLDER", tmp_path)
    with pytest.raises(rules.RulesError, match="the chapters in “xx”"):
        rules.load_chapters.__wrapped__("xx")
