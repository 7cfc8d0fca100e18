"""The log: causes, order, and correct sentences."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from smashup.cards import catalogue
from smashup.engine.game import Game
from smashup.engine.model.messages import Message, Name
from smashup.engine.views.sentences import message
from smashup.locale import Translator
from smashup.scenarios.document import parse
from smashup.scenarios.table.table_builder import build_table
from tests.random_games import new_game, random_setup, walk

FIXTURES = """
    fixtures:
      Striker: {type: action, played: [{destroy: {what: minion}}]}
      Shove: {type: action, played: [{move: {}}]}
      Recall: {type: action, played: [{return: {}}]}
      Dig: {type: action, played: [{return: {what: card}}]}
      Raid: {type: action, played: [{discard: 1}]}
      Sink: {type: action, played: [{bottom: {}}]}
      Prize: {type: action, played: [{counters: {to: {}, by: 1}}]}
      Feast: {type: action, played: [{counters: {to: {}, by: 2}}]}
      Wisdom: {type: action, played: [{draw: 3}]}
      Badge: {type: action, on: minion}
      Ambush:
        type: action
        special: {timing: before_score}
        played: [{destroy: {of: others, scoring: true}}]
      Walker: {type: minion, power: 2, talent: [{move: me}]}
"""


def table(text: str) -> Game:
    (scenario,) = parse(f"    title: a table\n{FIXTURES}{text}")
    return build_table(scenario, catalogue())


def play(game: Game, *labels: str) -> list[str]:
    """Choose these options one after the other; return the log lines."""
    log_start = len(game.table.log)
    for label in labels:
        decision = game.decision
        assert decision is not None
        shown = [str(decision.label(i)) for i in range(len(decision.options))]
        game.choose(shown.index(label))
    assert game.decision is not None or game.is_over
    return [str(entry.message) for entry in game.table.log[log_start:]]


BOARD = """
    bases:
      - Tokyo: {P2: [V2: {on: [Badge]}]}
      - Q Point: {P1: [V5]}
    hands: {P1: [Striker, Shove, Recall, Raid, Sink, Prize, Feast, A1]}
"""


@pytest.mark.parametrize(
    ("choices", "lines"),
    [
        (
            ["Play Striker", "V2 (P2) at Tokyo"],
            ["Striker destroys V2.", "Badge is discarded with V2."],
        ),
        (
            ["Play Shove", "V2 (P2) at Tokyo", "Q Point"],
            ["Shove moves V2 from Tokyo to Q Point."],
        ),
        (
            ["Play Recall", "V2 (P2) at Tokyo"],
            ["Recall returns V2 to P2's hand.", "Badge is discarded with V2."],
        ),
        (
            ["Play Sink", "V2 (P2) at Tokyo"],
            ["Sink puts V2 on the bottom of P2's deck.", "Badge is discarded with V2."],
        ),
        (["Play Raid", "A1 (action)"], ["P1 discards A1 because of Raid."]),
        (["Play Prize", "V2 (P2) at Tokyo"], ["V2 gets a +1 power counter."]),
        (["Play Feast", "V2 (P2) at Tokyo"], ["V2 gets 2 +1 power counters."]),
    ],
)
def test_lines_say_which_card_did_it(choices: list[str], lines: list[str]) -> None:
    assert play(table(BOARD), *choices)[1:] == lines


def test_what_a_card_does_to_itself_needs_no_cause() -> None:
    game = table("""
    bases:
      - Tokyo: {P1: [Walker]}
      - Q Point: {}
    """)
    lines = play(game, "Use the talent of Walker", "Q Point")
    assert lines[-1] == "Walker moves from Tokyo to Q Point."


def test_a_cause_on_another_players_turn_is_named_with_its_player() -> None:
    game = table("""
    bases:
      - Tokyo: {P1: [V30], P2: [V3]}
    hands: {P2: [Ambush]}
    """)
    lines = play(game, "End turn", "Play Ambush", "V30 (P1) at Tokyo")
    assert "Ambush (P2) destroys V30." in lines


def test_a_line_about_a_hidden_card_still_names_its_cause() -> None:
    game = table("""
    bases:
      - Tokyo: {P2: [V2: {buried: true}]}
    hands: {P1: [Dig]}
    """)
    play(game, "Play Dig", "a card (P2) buried at Tokyo")
    line = game.table.log[-1]
    assert str(line.for_player(0)) == "Dig returns a card to P2's hand."
    assert str(line.for_player(1)) == "Dig returns V2 to P2's hand."


def test_a_search_is_followed_by_the_shuffle() -> None:
    game = table("""
    printing: current
    hands: {P1: [Yellow Demon]}
    decks: {P1: [Pin, Smart Set-Up, V1]}
    bases: [Tokyo]
    """)
    lines = play(game, "Play Yellow Demon on Tokyo", "Yes", "Smart Set-Up (action)")
    assert lines[1:] == [
        "P1 searches their deck and reveals Smart Set-Up.",
        "P1 shuffles their deck.",
        "P1 takes Smart Set-Up into hand.",
    ]


def test_a_new_deck_is_shuffled_in_the_middle_of_a_draw() -> None:
    game = table("""
    hands: {P1: [Wisdom]}
    decks: {P1: [V1]}
    discards: {P1: [V2, V2, V2]}
    """)
    lines = play(game, "Play Wisdom")
    assert lines == [
        "P1 plays Wisdom.",
        "P1 draws V1.",
        "P1 shuffles the discard pile into a new deck.",
        "P1 draws V2 and V2.",
    ]
    shown = [change["kind"] for change in game.events(0, 0)]
    assert shown[-5:] == ["drawn", "reshuffled", "shuffled", "drawn", "discarded"]


def test_a_new_deck_is_shuffled_in_the_middle_of_a_reveal() -> None:
    game = table("""
    hands: {P1: [Prepare for Battle]}
    decks: {P1: [V1]}
    discards: {P1: [V2]}
    """)
    lines = play(game, "Play Prepare for Battle")
    assert lines[1:] == [
        "P1 reveals V1.",
        "P1 shuffles the discard pile into a new deck.",
        "P1 reveals V2.",
    ]


def test_cards_over_the_hand_limit() -> None:
    game = table("""
    hands: {P1: [V1, V1, V1, V1, V1, V1, V1, V1, V1, V2]}
    decks: {P1: [A1, A2]}
    """)
    lines = play(game, "End turn", "V2 (minion)", "A1 (action)")
    assert "P1 discards V2 and A1 down to the hand limit." in lines


# --- sentences ------------------------------------------------------------------------------

EH = Name("card", 3, "Great White North, Eh?")
WOW = Name("card", 4, "Wow!")
REALLY = Name("card", 6, "“... Really?”")
DOT = Name("card", 5, "Dr. D.")


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        ("{card} scores at {card}.", EH, "Great White North, Eh? scores at Great White North, Eh?"),
        ("Play {card}?", EH, "Play Great White North, Eh?"),
        ("Play {card}?", WOW, "Play Wow!?"),
        ("Play {card}.", WOW, "Play Wow!"),
        ("Play {card}.", DOT, "Play Dr. D."),
        ("Play {card}?", DOT, "Play Dr. D.?"),
        ("Play {card}.", REALLY, "Play “... Really?”"),
        ("Play {card}?", REALLY, "Play “... Really?”"),
        (
            "Play {card}, then {card}.",
            EH,
            "Play Great White North, Eh?, then Great White North, Eh?",
        ),
    ],
)
def test_a_name_that_ends_in_punctuation_ends_the_sentence(
    text: str, name: Name, said: str
) -> None:
    message = Message(text, {"card": name})
    assert str(message) == said
    assert Translator({}).render(message) == said


def test_punctuation_after_a_space_is_not_doubled() -> None:
    french = Translator({"Play {card}?": "Jouer {card}\u00a0?", EH.text: "Hein\u00a0?"}, "fr")
    assert french.render(Message("Play {card}?", {"card": EH})) == "Jouer Hein\u00a0?"


BAD_PUNCTUATION = re.compile(r"[.?!]”?[.]|\?”?\?|!”?!|\(s\)|\b1 \+1 power counters|  ")


@pytest.mark.parametrize("seed", range(8))
def test_all_sentences_of_a_game_are_correct(seed: int) -> None:
    """No question, option or log line has doubled punctuation, a wrong plural or an empty name."""
    rng = random.Random(f"log/{seed}")
    game = new_game(random_setup(rng))
    for decision in walk(game, rng):
        said = [str(decision.question())]
        said += [str(decision.label(i)) for i in range(len(decision.options))]
        assert [words for words in said if BAD_PUNCTUATION.search(words.replace("...", "…"))] == []
    lines = [str(message) for _, message in game.log_lines(0)]
    assert [line for line in lines if BAD_PUNCTUATION.search(line.replace("...", "…"))] == []
    assert len(lines) > 50


@pytest.mark.parametrize("seed", range(4))
def test_a_game_with_a_compacted_history_continues_as_before(seed: int) -> None:
    """Its log reads the same, and later events are the same."""
    dice = random.Random(f"compact/{seed}")
    game = new_game(random_setup(dice))
    other = game.clone(log=True)
    viewers = range(-1, game.table.num_players)
    for _ in range(120):
        if game.decision is None:
            break
        shown = len(game.events(-1))
        answer = dice.randrange(len(game.decision.options))
        game.choose(answer)
        other.choose(answer)
        for viewer in viewers:
            assert other.events(viewer, shown) == game.events(viewer, shown)
            assert _lines(other, viewer) == _lines(game, viewer)
        other.compact_history(shown)
        assert len(other.events(-1)) == len(game.events(-1)) - shown
        if dice.random() < 0.2:
            other = other.clone(log=True)
    assert all(entry.is_packed for entry in other.table.log)
    assert [_lines(other, viewer) for viewer in viewers] == [_lines(game, v) for v in viewers]
    assert other.digest() == game.digest()


def _lines(game: Game, viewer: int) -> list[Any]:
    return [(number, message(line)) for number, line in game.log_lines(viewer)]
