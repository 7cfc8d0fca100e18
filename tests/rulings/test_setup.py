"""Rulings on the setup that no scenario can express: which sets provide bases, where titans are.

Made-up sets test the rule by numbers; the real ones follow.
"""

from __future__ import annotations

import random

import pytest

from smashup.cards import catalogue
from smashup.engine.game import Game
from smashup.engine.model.catalogue import Catalogue, Faction
from smashup.engine.model.constants import AT_BASE, SET_ASIDE
from smashup.engine.model.definitions import BaseCard, CardDefinition, Minion
from smashup.engine.model.setup import Setup
from tests.random_games import walk


class Recruit(Minion):
    name = "Recruit"
    power = 2
    copies = 20


def make_base(title: str) -> type[CardDefinition]:
    class MadeUpBase(BaseCard):
        name = title
        breakpoint = 20
        vp = (4, 2, 1)

    return MadeUpBase


def make_factions(*sets: tuple[str, dict[str, int]]) -> Catalogue:
    """Factions by set, each with a number of bases."""
    return Catalogue(
        [
            Faction(
                name=name,
                set_name=set_name,
                cards=(Recruit,),
                bases=tuple(make_base(f"{name} {i}") for i in range(1, count + 1)),
            )
            for set_name, factions in sets
            for name, count in factions.items()
        ]
    )


def start_game(cards: Catalogue, edition: str, *pairs: tuple[str, str]) -> Game:
    """Return a table right after the setup."""
    game = Game(Setup(players=len(pairs), factions=pairs, edition=edition, first=0), cards)
    assert game.decision is not None
    return game


def bases_of(game: Game) -> tuple[list[str], list[str]]:
    """Names of the bases face up and face down."""
    s = game.table.state
    up = [s.definition[site.base].name for site in s.sites]
    return up, [s.definition[c].name for c in s.base_deck]


FOUR_SETS = make_factions(
    ("Red", {"Kites": 2, "Moles": 2, "Swans": 2, "Wasps": 2}),
    ("Green", {"Bakers": 2, "Coopers": 2, "Tailors": 2, "Weavers": 2}),
    ("Blue", {"Cellos": 2, "Drums": 2, "Flutes": 2, "Harps": 2}),
    ("White", {"Ferns": 2, "Mosses": 2, "Reeds": 2, "Sedges": 2, "Water Lilies": 3}),
    ("Black", {"Nobodies": 2}),
)


@pytest.mark.parametrize("edition", ["BIJ", "II", "CS"])
def test_r_setup_04_all_bases_of_the_chosen_sets(edition: str) -> None:
    """R-SETUP-04: every base of each set a chosen faction is from, and no other."""
    up, down = bases_of(start_game(FOUR_SETS, edition, ("Kites", "Bakers"), ("Cellos", "Ferns")))
    assert (len(up), len(down)) == (3, 32)
    assert len(set(up + down)) == 35
    assert {"Moles 1", "Water Lilies 3"} <= set(up + down)
    assert not {"Nobodies 1", "Nobodies 2"} & set(up + down)


@pytest.mark.parametrize("edition", ["BIJ", "II", "CS"])
def test_r_setup_04_with_the_real_sets(edition: str) -> None:
    """R-SETUP-04: 8 + 8 + 8 + 11 bases, also those of factions that no player chose."""
    pairs = (("Kaiju", "Luchadors"), ("Ignobles", "Anansi Tales"))
    up, down = bases_of(start_game(catalogue(), edition, *pairs))
    assert (len(up), len(down)) == (3, 32)
    assert len(set(up + down)) == 35
    assert {"Itty City", "Tropical Paradise"} <= set(up + down)
    assert not {"Portal Room", "Monkey Lab"} & set(up + down)


def test_r_setup_04_all_bases_there_are_in_2014() -> None:
    """R-SETUP-04: the 2014 text shuffles all base cards, whatever the factions."""
    up, down = bases_of(start_game(FOUR_SETS, "SB", ("Kites", "Bakers"), ("Cellos", "Ferns")))
    assert (len(up), len(down)) == (3, 34)
    assert {"Nobodies 1", "Nobodies 2"} <= set(up + down)


def test_r_setup_05_a_faction_with_three_bases() -> None:
    """R-SETUP-05, covers CS-12: all three of them are used, once each."""
    pairs = (("Water Lilies", "Reeds"), ("Sedges", "Mosses"))
    up, down = bases_of(start_game(FOUR_SETS, "CS", *pairs))
    assert len(up + down) == 11
    assert sorted(n for n in up + down if n.startswith("Water")) == [
        "Water Lilies 1", "Water Lilies 2", "Water Lilies 3",
    ]  # fmt: skip


def test_r_setup_05_the_three_bases_of_the_polynesian_voyagers() -> None:
    """R-SETUP-05 with the real set: its 11 bases, each of them once."""
    pairs = (
        ("Polynesian Voyagers", "Russian Fairy Tales"),
        ("Grimms' Fairy Tales", "Ancient Incas"),
    )
    up, down = bases_of(start_game(catalogue(), "CS", *pairs))
    assert len(up + down) == len(set(up + down)) == 11
    assert {"Island Peak", "Island Chain", "Tropical Paradise"} <= set(up + down)


def test_r_setup_12_titans_are_set_aside_or_in_play() -> None:
    """R-SETUP-12: at no time is a titan in a hand, deck or discard pile."""
    pairs = (("Magical Girls", "Itty Critters"), ("Kaiju", "Mega Troopers"))
    game = Game(Setup(factions=pairs, printing="current", seed=5), catalogue())
    placed = set()
    for _ in walk(game, random.Random(5), 1000):
        for titan in game.table.traits.titans:
            assert game.table.state.zone[titan] in (SET_ASIDE, AT_BASE)
            assert game.table.in_play(titan) == (game.table.state.zone[titan] == AT_BASE)
            placed.add(game.table.state.zone[titan])
    assert len(game.table.traits.titans) == 4
    assert placed == {SET_ASIDE, AT_BASE}
