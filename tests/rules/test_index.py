"""Every decision and every log line has a rule."""

from __future__ import annotations

import random

import pytest

from smashup.cards import catalogue
from smashup.engine.events.log_text import WORDINGS
from smashup.engine.game import Game
from smashup.engine.model.catalogue import PRINTINGS
from smashup.engine.model.decisions import Purpose
from smashup.engine.model.editions import EDITIONS
from smashup.engine.model.setup import Setup
from smashup.rules import load_sections
from smashup.rules.index import load_index

GAMES = 60


def test_log_lines_are_listed() -> None:
    assert load_index().events.keys() == WORDINGS.keys()
    assert load_index().sections_for_event("deck_refilled")[0] == "hidden.empty"


def test_the_index_names_cards_of_the_catalogue() -> None:
    names = {kind.name for printing in PRINTINGS for kind in catalogue().definitions(printing)}
    assert load_index().cards.keys() - names == set()


def test_other_lines_have_a_rule_too() -> None:
    rules = load_index().sections_for_event("wibble")
    assert rules == load_index().otherwise
    assert set(rules) <= load_sections().keys()


@pytest.mark.parametrize(
    ("purpose", "card", "rule"),
    [
        (Purpose.PLAY_MENU, None, "turn.play"),
        (Purpose.TARGET, "Big Bad Wolf", "leaving.destroy"),
        (Purpose.CHOOSE, "Astro Robot", "leaving.destroy"),
        (Purpose.TARGET, "Sakura Warrior", "power.sum"),
        (Purpose.CHOOSE_PLAYER, "Toad", "control.change"),
        (Purpose.DISCARD, "From Q With Love", "ability.to"),
        (Purpose.DISCARD, None, "leaving.discard"),
        (Purpose.CHOOSE, "A card of another project", "ability.choose"),
    ],
)
def test_the_closest_rule_comes_first(purpose: Purpose, card: str | None, rule: str) -> None:
    assert load_index().sections_for_decision(purpose, card)[0] == rule


@pytest.mark.parametrize("edition", EDITIONS)
def test_everything_in_random_games_has_a_rule(edition: str) -> None:
    """All questions and log lines of random games."""
    dice = random.Random(edition)
    asked: set[tuple[Purpose, str]] = set()
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
            if decision.source >= 0:
                card = game.table.state.definition[decision.source].name
                asked.add((decision.purpose, card))
            game.choose(dice.randrange(len(decision.options)))
        for line in game.table.log:
            assert line.event in load_index().events, str(line.message)
    listed = [purpose for purpose, card in asked if purpose in load_index().cards.get(card, {})]
    assert len(listed) > 50
