"""Observations contain exactly what a seat may see."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from smashup.engine.game import Game
from smashup.engine.model.constants import NONE
from smashup.rl.encoding import Encoder, Observation
from smashup.rl.fields import (
    BASE_COLUMNS,
    CARD_COLUMNS,
    OPTION_COLUMNS,
    SEAT_COLUMNS,
    ZONES,
    table_fields,
    unflatten,
)
from smashup.rl.pages import MAX_OPTIONS, make_page
from smashup.rl.vocabulary import KIND_COLUMNS, vocabulary
from tests.random_games import new_game, random_setup, walk

CARD = {column.name: i for i, column in enumerate(CARD_COLUMNS)}
OPTION = {column.name: i for i, column in enumerate(OPTION_COLUMNS)}


def observe(game: Game, seat: int) -> Observation:
    encoder = Encoder(game.table.num_players, MAX_OPTIONS, vocabulary())
    seen = encoder.empty()
    decision = game.decision
    page = make_page(len(decision.options) if decision is not None else 0, MAX_OPTIONS)
    encoder.write(seen, game, seat, decision, page, vocabulary().factions_of(game))
    return seen


def positions(seed: int, every: int) -> list[Game]:
    """Yield copies of a random game at some of its decisions."""
    rng = random.Random(seed)
    game = new_game(random_setup(rng))
    game.table.logging = False
    return [
        game.clone()
        for number, _ in enumerate(walk(game, rng, steps=220))
        if number % every == seed % every
    ]


@pytest.mark.parametrize("seed", range(12))
def test_hidden_cards_make_no_difference(seed: int) -> None:
    """After all hidden cards are redealt, a seat observes the same."""
    rng = random.Random(seed)
    moved = 0
    for game in positions(seed, every=11):
        for seat in range(game.table.num_players):
            other = game.determinize(seat, rng.randrange)
            assert other.decision is not None
            moved += [k.name for k in game.table.state.definition] != [
                k.name for k in other.table.state.definition
            ]
            mine, theirs = observe(game, seat), observe(other, seat)
            for name in mine:
                assert np.array_equal(mine[name], theirs[name]), name
    assert moved  # otherwise nothing was tested


@pytest.mark.parametrize("seed", range(20, 26))
def test_observations_agree_with_views(seed: int) -> None:
    """The arrays contain what the view for a person in the seat contains."""
    words = vocabulary()
    for game in positions(seed, every=17):
        for seat in range(game.table.num_players):
            view = game.view(seat)
            seen = observe(game, seat)
            table = unflatten(seen["observation"], game.table.num_players)
            _compare_table(view, table, seat, game.table.num_players)
            _compare_bases(view, table["bases"], seat, game.table.num_players, words.kinds)
            _compare_cards(view, seen["cards"], seat, words.kinds)
            assert view["decision"] is not None
            if view["decision"]["player"] == seat:
                _compare_options(view, seen, words.kinds)
            else:
                assert not seen["action_mask"].any()
                assert not seen["options"].any()
                assert not table["decision"].any()
                assert not table["purpose"].any()
                assert not table["step"].any()


def _compare_table(view: Mapping[str, Any], table: dict[str, Any], seat: int, players: int) -> None:
    assert table["turn"] == view["turn"]
    assert table["current"][(view["current"] - seat) % players] == 1
    assert table["decider"][(view["decision"]["player"] - seat) % players] == 1
    assert table["stacks"][0] == view["base_deck_size"]
    assert table["plays"].sum() == sum(play["count"] for play in view["plays"])
    for i, row in enumerate(table["seats"]):
        shown = view["players"][(seat + i) % players]
        told = dict(zip(SEAT_COLUMNS, row, strict=True))
        assert told["vp"] == shown["vp"]
        assert told["hand"] == shown["hand_size"]
        assert told["deck"] == shown["deck_size"]
        assert told["discard"] == len(shown["discard"])
        names = {vocabulary().factions[int(told[f"faction_{n}"])] for n in (1, 2)}
        assert names == set(shown["factions"]) - {"Madness"}


def _compare_bases(
    view: Mapping[str, Any], rows: Any, seat: int, players: int, kinds: list[str]
) -> None:
    order = [(seat + i) % players for i in range(players)]
    for row, base in zip(rows, view["bases"], strict=False):
        told = dict(zip(BASE_COLUMNS, row, strict=False))
        assert kinds[int(told["kind"])] == base["name"]
        assert told["breakpoint"] == base["breakpoint"]
        assert told["total"] == base["total"]
        assert [told["vp_first"], told["vp_second"], told["vp_third"]] == base["vp"]
        assert told["scoring"] == (base["serial"] == view["scoring"])
        rest = row[len(BASE_COLUMNS) :].reshape(3, players)
        assert rest[0].tolist() == [base["totals"][p] for p in order]
        places = {place["player"]: place["vp"] for place in base["places"]}
        assert rest[2].tolist() == [places.get(p, 0) for p in order]
    assert not rows[len(view["bases"]) :].any()


def _shown_cards(view: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Every card in a view: where it is and its name, empty if it lies face down."""
    found = []

    def in_play(card: Mapping[str, Any], zone: str) -> None:
        found.append(("buried" if card.get("buried") else zone, card.get("name", "")))
        for action in card.get("actions", ()):
            in_play(action, "on a card")

    for base in view["bases"]:
        for card in base["cards"]:
            in_play(card, "at a base")
    for player in view["players"]:
        found += [("hand", card["name"]) for card in player["hand"] if "name" in card]
        found += [("discard pile", card["name"]) for card in player["discard"]]
        found += [("aside", card["name"]) for card in player["aside"]]
        found += [("deck", entry["card"]["name"]) for entry in player["deck_known"]]
    found += [("limbo", card.get("name", "")) for card in view["limbo"]]
    found += [("base deck", entry["card"]["name"]) for entry in view["base_deck_known"]]
    found += [("base discard pile", card["name"]) for card in view["base_discard"]]
    return found


def _compare_cards(view: Mapping[str, Any], rows: Any, seat: int, kinds: list[str]) -> None:
    told = [
        (ZONES[row[CARD["zone"]]], kinds[row[CARD["kind"]]]) for row in rows if row[CARD["zone"]]
    ]
    assert sorted(told) == sorted(_shown_cards(view))


def _compare_options(view: Mapping[str, Any], seen: Observation, kinds: list[str]) -> None:
    options = view["decision"]["options"]
    assert seen["action_mask"].sum() == min(len(options), MAX_OPTIONS)
    if len(options) > MAX_OPTIONS:
        return
    serials = [base["serial"] for base in view["bases"]]
    for row, option in zip(seen["options"], options, strict=False):
        card = option.get("card", {})
        assert kinds[int(row[OPTION["kind"]])] == card.get("name", "")
        if card.get("name") and card["type"] != "base":
            told = seen["cards"][int(row[OPTION["row"]]) - 1]
            assert kinds[told[CARD["kind"]]] == card["name"]
        if "base" in option:
            assert serials[int(row[OPTION["base"]]) - 1] == option["base"]
        if "verb" in option:
            assert row[OPTION[option["verb"]]] == 1
            assert row[OPTION["on_card"]] == ("host" in option)
        verbs = row[: OPTION["index"]]
        assert verbs.sum() == 1


def test_numbers_of_cards() -> None:
    words = vocabulary()
    assert words.kinds[0] == words.factions[0] == ""
    assert len(set(words.kinds)) == len(words.kinds)
    table = words.features()
    assert table.shape == (len(words.kinds), len(KIND_COLUMNS))
    king = table[words.kind_number["Furious George"]]
    told = dict(zip(KIND_COLUMNS, king, strict=True))
    assert told["minion"] == 1
    assert told["power"] == 2
    assert told["copies"] == 4
    assert words.factions[int(told["faction"])] == "Cyborg Apes"


def test_fields_add_up() -> None:
    for players in (2, 3, 4):
        encoder = Encoder(players, MAX_OPTIONS, vocabulary())
        assert encoder.empty()["observation"].size == sum(f.size for f in table_fields(players))
        batch = encoder.empty(5)
        parts = unflatten(batch["observation"], players)
        assert parts["seats"].shape == (5, players, len(SEAT_COLUMNS))
        parts["turn"][3] = 7
        assert batch["observation"][3, 0] == 7  # views, not copies
    assert NONE == -1


def test_new_sets_leave_the_numbers_of_older_cards_alone() -> None:
    """Version 1 of the encoding was published with five sets, 21 factions and 344 cards."""
    words = vocabulary()
    assert words.factions[21] == "Russian Fairy Tales"
    numbers = ["Cyberback", "Madness", "Omega Protocol", "Sagrado vs the Monsters"]
    assert [words.kind_number[name] for name in numbers] == [1, 339, 341, 344]
    pinned = hashlib.sha256("\n".join(words.kinds[:345]).encode()).hexdigest()
    assert pinned[:16] == "affb9c21216e2375"
