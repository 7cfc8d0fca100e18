"""Every prompt and every line of the log knows its rule."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest

from scripts.extraction import Sources
from smashup.cards import catalogue
from smashup.engine.game import Game
from smashup.engine.model.catalogue import PRINTINGS
from smashup.engine.model.editions import EDITIONS
from smashup.engine.model.setup import Setup
from smashup.rules import sections
from smashup.rules.index import index

ROOT = Path(__file__).parents[2]
ASKED_AND_SAID = {"log": ("text",), "ask": ("table", "player", "purpose", "prompt", "kind")}
GAMES = 60


@cache
def written() -> dict[str, str]:
    """Everything that the rules and the cards can ask or write into the log, with its file."""
    return {
        text: file
        for text, file in Sources(ROOT, "smashup", ASKED_AND_SAID, errors=False).strings()
        if file.startswith(("smashup/engine/", "smashup/cards/")) and any(map(str.isalpha, text))
    }


def test_the_sources_are_read() -> None:
    texts = written()
    assert texts["What do you do?"] == "smashup/engine/rules/turns.py"
    assert "{card} is destroyed." in texts
    assert texts["Weaken which minion?"] == "smashup/cards/big_in_japan/magical_girls.py"
    assert len(texts) > 200


def test_every_text_rests_on_a_rule() -> None:
    assert [text for text in written() if not index().known(text)] == []


def test_what_the_rules_say_is_listed_word_for_word() -> None:
    engine = {text for text, file in written().items() if file.startswith("smashup/engine/")}
    assert engine - index().texts.keys() == set()
    assert index().texts.keys() - engine == set(), "nobody says this any more"


def test_every_pattern_is_needed() -> None:
    texts = [text for text in written() if text not in index().texts]
    first = {next(p for p in index().patterns if p.fits(text)) for text in texts}
    assert [p.words for p in index().patterns if p not in first] == []


def test_other_texts_rest_on_something_too() -> None:
    rules = index().rules("Wibble?")
    assert rules == index().otherwise
    assert set(rules) <= sections().keys()


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("What do you do?", "turn.play"),
        ("Destroy which minion?", "leaving.destroy"),
        ("Give +2 power to which minion?", "power.sum"),
        ("Give control of it to which player?", "control.change"),
        ("Discard a card to give +4 power instead of +2?", "ability.to"),
        ("Take which minion?", "leaving.place"),
        ("{player} shuffles the discard pile into a new deck.", "hidden.empty"),
    ],
)
def test_the_closest_rule_comes_first(text: str, rule: str) -> None:
    assert index().rules(text)[0] == rule


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_occurs_in_games_is_known(edition: str) -> None:
    """Random games, whatever is asked and told in them."""
    dice = random.Random(edition)
    for number in range(GAMES // len(EDITIONS)):
        setup = Setup(
            players=2 + number % 3,
            seed=dice.getrandbits(40),
            edition=edition,
            printing=PRINTINGS[number % 2],
            draft=number % 4 == 0,
            madness=number % 5 == 0,
        )
        game = Game(setup, catalogue())
        while (decision := game.decision) is not None:
            assert index().known(decision.prompt), decision.prompt
            game.choose(dice.randrange(len(decision.options)))
        for _, message in game.events(-1):
            assert index().known(message.text), message.text
