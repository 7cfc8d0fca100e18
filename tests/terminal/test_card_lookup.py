"""Which card the command `c` shows."""

from __future__ import annotations

from typing import Any, cast

import pytest

from smashup.cards import catalogue
from smashup.engine.game import Game
from smashup.engine.model.setup import Setup
from smashup.terminal.card_index import CardIndex
from smashup.terminal.game.card_lookup import find_card, option_name


def make_view(hand: list[str], in_play: list[str], discard: list[str]) -> dict[str, Any]:
    """Return a player's view with these cards."""
    return {
        "you": 0,
        "bases": [{"name": "Monkey Lab", "serial": 7, "cards": [{"name": n} for n in in_play]}],
        "limbo": [],
        "base_discard": [],
        "players": [
            {
                "index": 0,
                "hand": [{"name": name} for name in hand],
                "aside": [],
                "discard": [{"name": name} for name in discard],
            }
        ],
    }


@pytest.mark.parametrize(
    ("typed", "hand", "in_play", "discard", "found"),
    [
        ("time", ["Time Walk"], ["Time Raider"], [], ["Time Walk"]),
        ("time", [], ["Time Raider"], ["Time Walk"], ["Time Raider"]),
        ("time", [], [], ["Time Walk"], ["Time Walk"]),
        ("walk", ["Time Walk"], [], [], ["Time Walk"]),
        ("Jumper", ["Time Walk"], [], [], ["Jumper"]),
        ("monkey", [], [], [], ["Monkey Lab"]),
    ],
)
def test_cards_in_hand_then_in_play_come_first(
    typed: str, hand: list[str], in_play: list[str], discard: list[str], found: list[str]
) -> None:
    result = find_card(CardIndex(catalogue()), typed, make_view(hand, in_play, discard))
    assert [card.definition.name for card in result.cards] == found


def test_cards_out_of_sight_are_found_too() -> None:
    result = find_card(CardIndex(catalogue()), "gigawatt", make_view([], [], []))
    assert [card.definition.name for card in result.cards] == ["1.21 Gigawatts"]


def test_a_misspelled_card_in_sight_is_suggested() -> None:
    result = find_card(CardIndex(catalogue()), "tme wlk", make_view(["Time Walk"], [], []))
    assert (result.count, result.suggestions) == (0, ["Time Walk"])


def test_hidden_cards_are_not_looked_up() -> None:
    game = Game(Setup(players=2, seed=1), catalogue())
    view = cast("dict[str, Any]", game.view(0))
    view["players"][0]["hand"] = [{"hidden": True}]
    assert find_card(CardIndex(catalogue()), "xyzzy", view).count == 0


def test_options_name_their_card_base_or_faction() -> None:
    view = make_view([], [], [])
    assert option_name({"card": {"name": "Jumper"}}, view) == "Jumper"
    assert option_name({"base": 7}, view) == "Monkey Lab"
    assert option_name({"faction": "Kaiju"}, view) == "Kaiju"
    assert option_name({"card": {"hidden": True}}, view) == ""
    assert option_name({"label": {}}, view) == ""
