"""Views: breakdowns of numbers, and plays left."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from smashup.engine.model.constants import AT_BASE, BASE_IN_PLAY, DISCARD, ON_CARD, PLAY
from smashup.engine.rules import queries
from tests.random_games import new_game, random_setup, walk

PUBLIC_ZONES = (AT_BASE, ON_CARD, BASE_IN_PLAY)


def cards_in_play(view: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Return every card at a base."""
    for base in view["bases"]:
        yield from base["cards"]


@pytest.mark.parametrize("seed", range(20))
def test_parts_sum_up_to_the_number_shown(seed: int) -> None:
    rng = random.Random(f"sums/{seed}")
    game = new_game(random_setup(rng))
    for _ in walk(game, rng):
        view = game.view(rng.randrange(-1, game.table.num_players))
        for card in cards_in_play(view):
            assert ("power" in card) == ("power_parts" in card)
            if "power" in card:
                parts = card["power_parts"]
                assert sum(part["amount"] for part in parts) == card["power"] >= 0
                assert not (card["type"] == "minion" and not parts)
                for part in parts:
                    seen = (*PUBLIC_ZONES, DISCARD)
                    assert part["source"] is None or game.table.state.zone[part["source"]] in seen
        for base in view["bases"]:
            parts = base["breakpoint_parts"]
            assert sum(part["amount"] for part in parts) == base["breakpoint"]
            for player, total in enumerate(base["totals"]):
                own = sum(
                    card["power"]
                    for card in base["cards"]
                    if card.get("controller") == player
                    and "power" in card
                    and "withheld" not in card
                    and (card["type"] == "minion" or not game.table.edition.minions_only)
                )
                side = sum(
                    part["amount"]
                    for row in base["side_power"]
                    if row["player"] == player
                    for part in row["parts"]
                )
                assert max(own + side, 0) == total


@pytest.mark.parametrize("seed", range(6))
def test_numbers_are_those_of_the_rules(seed: int) -> None:
    rng = random.Random(f"numbers/{seed}")
    game = new_game(random_setup(rng))
    table = game.table
    for _ in walk(game, rng):
        for base in game.view()["bases"]:
            serial = base["serial"]
            players = range(table.num_players)
            assert base["breakpoint"] == queries.breakpoint(table, serial)
            assert base["total"] == queries.base_total(table, serial)
            assert base["totals"] == [queries.player_total(table, serial, p) for p in players]
            ranks = queries.rank_players(table, serial)
            assert [(x["player"], x["place"]) for x in base["places"]] == [x[:2] for x in ranks]
            for card in base["cards"]:
                if "power" in card:
                    assert card["power"] == queries.power(table, card["id"])


def clear_containers(data: Any) -> None:
    """Empty all containers of a view, however deep."""
    for part in data.values() if isinstance(data, dict) else data:
        if isinstance(part, dict | list):
            clear_containers(part)
    data.clear()


@pytest.mark.parametrize("seed", range(3))
def test_views_share_nothing(seed: int) -> None:
    """A change of one view does not affect another."""
    rng = random.Random(f"shared/{seed}")
    game = new_game(random_setup(rng))
    for decision in walk(game, rng, 200):
        expected = copy.deepcopy(game.view(decision.player))
        clear_containers(game.view(decision.player))
        assert game.view(decision.player) == expected


def test_effects_name_the_card_that_caused_them() -> None:
    """Every type of contribution occurs in these games."""
    texts: set[str] = set()
    named = 0
    for seed in range(30):
        rng = random.Random(f"sorts/{seed}")
        game = new_game(random_setup(rng))
        for number, _ in enumerate(walk(game, rng, 400)):
            for card in () if number % 5 else cards_in_play(game.view()):
                for part in card.get("power_parts", ()):
                    texts.add(part["label"]["text"])
                    named += part["source"] is not None
    assert texts >= {"Printed power", "+1 power counters", "{card}", "Set by {card}"}
    assert "Never below zero" in texts
    assert "An effect" not in texts, "the cause is known"
    assert named


def test_plays_left_are_those_of_the_menu() -> None:
    """Without a permission no play is offered; with an unlimited one, every playable card is."""
    kinds: set[str] = set()
    notes: set[str] = set()
    for seed in range(15):
        rng = random.Random(f"plays/{seed}")
        game = new_game(random_setup(rng))
        for decision in walk(game, rng, 400):
            plays = game.view()["plays"]
            assert bool(plays) <= (game.table.state.phase == PLAY)
            assert sum(p["count"] for p in plays) >= len(game.table.state.permissions)
            kinds |= {p["kind"] for p in plays}
            notes |= {note["text"] for p in plays for note in p["notes"]}
            for play in plays:
                given = {note["text"]: note["args"] for note in play["notes"]}
                if "at {base}" in given and "by {card}" in given:  # named twice otherwise
                    assert given["at {base}"]["base"]["text"] != given["by {card}"]["card"]["text"]
            if game.at_menu and decision.player == game.table.state.current:
                allowed = {p["kind"] for p in plays}
                for move in decision.options:
                    if move.permission is not None:
                        assert allowed
    assert kinds >= {"minion", "action"}
    assert notes >= {"power {power} or less", "at {base}", "by {card}"}
