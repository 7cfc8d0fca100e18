"""Labels of options: short, without secrets, and different if the options are.

``python -m tests.engine.test_labels --games 500`` checks more random games than the test does.
"""

from __future__ import annotations

import argparse
import random
import time

import pytest

from smashup.cards import catalogue
from smashup.engine.game import Game
from smashup.engine.model.decisions import Decision
from smashup.scenarios.document import parse
from smashup.scenarios.table.table_builder import build_table
from tests.game_equivalence import ambiguous
from tests.random_games import new_game, random_setup, walk

GAMES = 4
"""Random games for each number of players."""


def find_ambiguous(seed: int, players: int = 0) -> list[str]:
    """Return all labels in a random game that two different options share."""
    rng = random.Random(f"labels/{seed}")
    game = new_game(random_setup(rng, players))
    return [
        f"seed {seed}, answer {len(game.answers)}, {decision.question()} {label}"
        for decision in walk(game, rng)
        for label in ambiguous(game, decision, seed)
    ]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_options_with_the_same_label_have_the_same_outcome(players: int) -> None:
    for seed in range(GAMES):
        assert find_ambiguous(100 * players + seed, players) == []


def table(text: str) -> Game:
    """Set up a table as a scenario does."""
    (scenario,) = parse(text)
    return build_table(scenario, catalogue())


def pending(game: Game) -> Decision:
    decision = game.decision
    assert decision is not None
    return decision


def labels(game: Game) -> list[str]:
    decision = pending(game)
    return [str(decision.label(i)) for i in range(len(decision.options))]


def choose(game: Game, label: str) -> None:
    game.choose(labels(game).index(label))


def test_labels_stay_short_if_they_are_unambiguous() -> None:
    game = table("""
    title: one of each
    bases:
      - Tokyo: {P1: [Huffie]}
      - Q Point: {P1: [Baboom], P2: [V2]}
    hands: {P1: [V3, A1]}
    """)
    assert labels(game) == [
        "Play V3 on Tokyo",
        "Play V3 on Q Point",
        "Play A1",
        "Use the talent of Huffie",
        "Use the talent of Baboom",
        "End turn",
    ]


def test_talents_of_copies_name_their_places() -> None:
    game = table("""
    title: two tattoos
    bases:
      - Tokyo: {P1: [V2: {on: [Ocean Tattoo]}]}
      - Q Point: {P1: [V3: {on: [Ocean Tattoo]}]}
    hands: {P1: []}
    """)
    assert labels(game)[:2] == [
        "Use the talent of Ocean Tattoo (P1) on V2 at Tokyo",
        "Use the talent of Ocean Tattoo (P1) on V3 at Q Point",
    ]


def test_labels_distinguish_hosts_of_the_same_name() -> None:
    game = table("""
    title: who carries it
    fixtures:
      Badge: {type: action, on: minion}
    bases:
      - Tokyo: {P1: [V2, V2: {counters: 2}], P2: [V2]}
    hands: {P1: [Badge]}
    """)
    assert labels(game)[:3] == [
        "Play Badge on V2 (P1, power 2) at Tokyo",
        "Play Badge on V2 (P1, power 4) at Tokyo",
        "Play Badge on V2 (P2) at Tokyo",
    ]


def test_identical_copies_share_a_label() -> None:
    game = table("""
    title: twins
    fixtures:
      Striker: {type: action, played: [{destroy: {what: minion}}]}
    bases:
      - Tokyo: {P2: [V2, V2, V2: {owner: P1}]}
    hands: {P1: [Striker]}
    """)
    choose(game, "Play Striker")
    assert labels(game) == [
        "V2 (P2) at Tokyo",
        "V2 (P2) at Tokyo",
        "V2 (P2, owned by P1) at Tokyo",
    ]


def test_labels_distinguish_copies_chosen_for_a_card_that_waits() -> None:
    game = table("""
    title: a disguise that is not over
    bases:
      - Tokyo: {P1: [V2, V2, V2, V2]}
      - Q Point
    hands: {P1: [Disguise, Supreme Overlord, V9]}
    """)
    for label in (
        "Play Disguise",
        "V2 (P1) at Tokyo",
        "V2 (P1) at Tokyo",
        "Play Supreme Overlord on Tokyo (extra)",
    ):
        choose(game, label)
    assert labels(game)[:4] == 2 * ["V2 (P1, chosen for Disguise) at Tokyo"] + 2 * [
        "V2 (P1) at Tokyo"
    ]


def test_labels_distinguish_copies_that_others_will_react_to() -> None:
    game = table("""
    title: the leprechaun waits for the minion just played
    printing: current
    turn: P2
    bases:
      - Asylum: {P1: [Leprechaun], P2: [V3]}
      - Q Point
    hands: {P2: [V3, A1]}
    """)
    choose(game, "Play V3 on Asylum")
    choose(game, next(label for label in labels(game) if label.startswith("Asylum")))
    choose(game, next(label for label in labels(game) if label.startswith("A1")))
    assert labels(game) == [
        "V3 (P2) at Asylum",
        "V3 (P2, others yet to react to it) at Asylum",
    ]


def test_labels_distinguish_a_copy_that_goes_back_at_the_end_of_the_turn() -> None:
    game = table("""
    title: the club puts the second Llama under the deck at the end of the turn
    edition: BIJ
    bases:
      - Critter Combat Club: {P1: [Llama, Sapa Inca]}
      - Q Point: {P1: [Armory]}
    hands: {P1: [Llama]}
    """)
    choose(game, next(label for label in labels(game) if "by Critter Combat Club" in label))
    choose(game, next(label for label in labels(game) if label.startswith("Armory")))
    choose(game, next(label for label in labels(game) if label.startswith("Play Armory")))
    assert [label for label in labels(game) if label.startswith("Llama")] == [
        "Llama (P1) at Critter Combat Club",
        "Llama (P1, played with Critter Combat Club) at Critter Combat Club",
    ]


def test_plays_from_the_discard_pile_name_the_play_they_use_up() -> None:
    game = table("""
    title: the regular minion or that of the mist
    bases:
      - Tokyo: {P1: [They're Coming To Get You, Enshrouding Mist]}
      - Q Point
    discards: {P1: [V2]}
    """)
    beginning = "Play V2 on Tokyo (by They're Coming To Get You), from the discard pile, at Tokyo, "
    assert labels(game)[:2] == [
        beginning + "instead of another play",
        beginning + "instead of a play by Enshrouding Mist",
    ]


def test_plays_from_the_discard_pile_name_the_base_of_the_extra_play_they_use_up() -> None:
    game = table("""
    title: the regular minion or that of the new base
    edition: CD
    printing: current
    bases:
      - Tokyo: {P1: [They're Coming To Get You]}
      - Q Point
    base_deck: [The Vats]
    hands: {P1: [Terraforming]}
    discards: {P1: [V2]}
    """)
    for start in ("Play Terraforming", "The Vats", "Tokyo"):
        choose(game, next(label for label in labels(game) if label.startswith(start)))
    beginning = "Play V2 on The Vats (by They're Coming To Get You), from the discard pile, "
    assert [label for label in labels(game) if label.startswith("Play V2")] == [
        beginning + "at The Vats, instead of another play",
        beginning + "at The Vats, instead of the extra play at The Vats",
    ]


def test_a_question_names_the_card_that_asks_if_several_could() -> None:
    game = table("""
    title: two ensigns
    fixtures:
      Striker: {type: action, played: [{destroy: {what: minion}}]}
    bases:
      - Tokyo: {P2: [V2, Ensign, Ensign]}
    hands: {P1: [Striker]}
    """)
    choose(game, "Play Striker")
    choose(game, "V2 (P2) at Tokyo")
    assert labels(game) == ["V2 (P2) at Tokyo", "None"]
    first = str(pending(game).question())
    choose(game, "None")
    second = str(pending(game).question())
    asked = "Take on what is done to this minion?"
    assert first == f"Ensign (P2, 1 of 2) at Tokyo: {asked}"
    assert second == f"Ensign (P2, 2 of 2) at Tokyo: {asked}"


def test_a_special_of_a_card_in_play_is_not_called_a_talent() -> None:
    game = table("""
    title: Moles under the rules of 2014
    edition: SB
    bases:
      - Tokyo: {P1: [Mole, V30], P2: [V3]}
    hands: {P1: []}
    """)
    choose(game, "End turn")
    assert labels(game) == ["Use the Special of Mole", "Pass"]
    decision = game.view(0)["decision"]
    assert decision is not None
    assert decision["options"][0]["verb"] == "special"


def test_triggers_of_one_base_name_their_player() -> None:
    """Each of two players played a minion there in one turn: two draws wait at its end."""
    game = table("""
    title: Spikey Chair Room for both
    fixtures:
      Swap: {type: action, played: [{swap_off_top: {card: {what: minion}}}]}
    bases:
      - Spikey Chair Room: {P2: [V2]}
    hands: {P1: [Swap, V3]}
    decks: {P2: [V4]}
    """)
    choose(game, "Play Swap")
    choose(game, "V2 (P2) at Spikey Chair Room")
    choose(game, "Play V4 on Spikey Chair Room (extra)")
    choose(game, "Play V3 on Spikey Chair Room")
    choose(game, "End turn")
    assert labels(game) == ["Spikey Chair Room, for P2", "Spikey Chair Room, for P1"]


def test_face_down_cards_stay_unknown() -> None:
    """Buried cards that the player has not seen differ by their place alone."""
    game = table("""
    title: two buried cards
    fixtures:
      Dig: {type: action, played: [{return: {what: card}}]}
    bases:
      - Tokyo: {P2: [V2: {buried: true}, V2: {buried: true}, V3: {buried: true}]}
    hands: {P1: [Dig]}
    """)
    choose(game, "Play Dig")
    assert labels(game)[:3] == [
        "a card (P2, 1 of 3) buried at Tokyo",
        "a card (P2, 2 of 3) buried at Tokyo",
        "a card (P2, 3 of 3) buried at Tokyo",
    ]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    for number in range(options.seed, options.seed + options.games):
        for problem in find_ambiguous(number):
            print(problem)
