"""The proof that a puzzle has one solution, for all hidden cards and replies of other players."""

from __future__ import annotations

from collections import Counter

import pytest

from smashup.cards import catalogue
from smashup.engine.game import Game
from smashup.puzzles.goals import Goal, GoalKind, Outcome, is_turn_over, judge_turn
from smashup.puzzles.proof import Line, describe_line, is_certain
from smashup.puzzles.turn_search import TurnSearch, TurnTooLarge, position_key
from smashup.scenarios.document import parse
from smashup.scenarios.table.table_builder import build_table

FIXTURES = """
fixtures:
  Rally: {type: action, played: [{extra_minion: 1}]}
  Luck: {type: action, played: [{draw: 1}]}
  Ambush: {type: action, special: {timing: before_score}, played: [{destroy: {of: others}}]}
"""


def table(text: str) -> Game:
    """Set up a table as a scenario does."""
    (scenario,) = parse("title: a puzzle\n" + FIXTURES + text)
    game = build_table(scenario, catalogue())
    assert game.decision is not None
    return game


def site(game: Game, name: str) -> int:
    """Return the serial of a base by its name."""
    state = game.table.state
    return next(s.serial for s in state.sites if state.definition[s.base].name == name)


def take(game: Game, name: str) -> Goal:
    return Goal(GoalKind.TAKE_BASE, site(game, name))


def play(game: Game, *labels: str) -> Line:
    """Play a turn by the labels of its options, then end it."""
    played = game.clone(log=True)
    turn = game.table.state.turn
    for label in labels:
        decision = played.decision
        assert decision is not None
        options = [str(decision.label(option)) for option in range(len(decision.options))]
        assert label in options, options
        played.choose(options.index(label))
    while not is_turn_over(played, turn):
        decision = played.decision
        assert decision is not None
        played.choose(len(decision.options) - 1)
    return describe_line(game, played.answers[len(game.answers) :])


def result(game: Game, line: Line) -> Outcome:
    """Return how the turn ends with a line."""
    played = game.clone(log=True).answer_all(line.answers)
    return judge_turn(played, 0, game.table.state.turn)


TIGHT = """
bases:
  - B1: {breakpoint: 10, P1: [V3], P2: [V4]}
  - B2
hands: {P1: [V3b, V1]}
"""


def test_a_line_that_nothing_replaces_is_the_solution() -> None:
    game = table(TIGHT)
    line = play(game, "Play V3b on B1")
    search = TurnSearch(game, take(game, "B1"))
    assert search.find_line(line.steps) == line.answers
    assert search.find_other_line(line.steps) is None
    assert search.visited > 3
    assert is_certain(game, line, take(game, "B1"), 1)
    assert (line.plays, len(line.steps)) == (1, 1)


def test_a_second_line_is_found() -> None:
    game = table(TIGHT.replace("V1]", "V5]"))
    line = play(game, "Play V3b on B1")
    other = TurnSearch(game, take(game, "B1")).find_other_line(line.steps)
    assert other is not None
    assert describe_line(game, other).steps == play(game, "Play V5 on B1").steps


def test_the_order_of_the_plays_makes_no_second_line() -> None:
    game = table(
        "bases: [B1: {breakpoint: 10, P1: [V3], P2: [V4]}, B2]\nhands: {P1: [V3b, V1, A1]}"
    )
    line = play(game, "Play V3b on B1", "Play A1")
    reverse = play(game, "Play A1", "Play V3b on B1")
    assert Counter(line.steps) == Counter(reverse.steps)
    assert line.plays == 2


def test_a_second_copy_that_another_card_replaces_is_no_part_of_the_only_solution() -> None:
    game = table(
        "bases: [B1: {breakpoint: 12, P1: [V3], P2: [V4]}, B2]\nhands: {P1: [Rally, 2 x V3b, V2]}"
    )
    rally = ("Play Rally", "Keep it for later this turn", "Play V3b on B1 (extra)")
    line = play(game, *rally, "Play V3b on B1")
    assert result(game, line).reaches(take(game, "B1"))
    other = TurnSearch(game, take(game, "B1")).find_other_line(line.steps)
    assert other is not None
    assert set(line.steps) < set(play(game, *rally, "Play V2 on B1").steps)
    assert Counter(describe_line(game, other).steps)[line.steps[-1]] < 2


def test_irrelevant_plays_make_no_second_line() -> None:
    game = table(TIGHT.replace("V1]", "V1, A1]"))
    line = play(game, "Play V3b on B1")
    longer = play(game, "Play A1", "Play V3b on B1")
    assert set(line.steps) < set(longer.steps)
    assert TurnSearch(game, take(game, "B1")).find_other_line(line.steps) is None


def test_a_solution_may_not_need_a_card_from_the_deck() -> None:
    game = table(
        "bases: [B1: {breakpoint: 10, P1: [V3], P2: [V4]}, B2]\n"
        "hands: {P1: [Luck]}\ndecks: {P1: [V3b, V1, V1, V1, V1, V1]}"
    )
    goal = take(game, "B1")
    line = play(game, "Play Luck", "Play V3b on B1")
    outcome = result(game, line)
    assert outcome.reaches(goal), "it works with the cards as they really are"
    assert not is_certain(game, line, goal, 1)


@pytest.mark.parametrize(("hidden", "is_safe"), [("V2", True), ("Ambush", False)])
def test_a_solution_has_to_work_against_every_special(hidden: str, is_safe: bool) -> None:
    """The Special is deep in the deck on the real table, but might be in hand."""
    game = table(
        "bases: [B1: {breakpoint: 10, P1: [V3], P2: [V4]}, B2]\n"
        f"hands: {{P1: [V3b, V1], P2: [V1c]}}\ndecks: {{P2: [9 x V1b, {hidden}]}}"
    )
    assert is_certain(game, play(game, "Play V3b on B1"), take(game, "B1"), 1) == is_safe


def test_a_turn_with_too_many_lines_is_refused() -> None:
    game = table(TIGHT)
    line = play(game, "Play V3b on B1")
    with pytest.raises(TurnTooLarge):
        TurnSearch(game, take(game, "B1"), limit=2).find_other_line(line.steps)


def test_goals_are_judged_at_the_end_of_the_turn() -> None:
    game = table("vp: {P1: 12, P2: 13}\n" + TIGHT)
    for labels, won, leads, taken in (
        (["Play V3b on B1"], True, True, True),
        (["Play V3b on B2"], False, False, False),
    ):
        line = play(game, *labels)
        outcome = result(game, line)
        assert (outcome.won, outcome.leads) == (won, leads)
        assert outcome.reaches(Goal(GoalKind.WIN)) == won
        assert outcome.reaches(Goal(GoalKind.LEAD)) == leads
        assert outcome.reaches(take(game, "B1")) == taken


def test_a_shared_first_place_does_not_take_a_base() -> None:
    game = table("bases: [B1: {breakpoint: 8, P2: [V4]}, B2]\nhands: {P1: [V4b]}")
    line = play(game, "Play V4b on B1")
    outcome = result(game, line)
    assert outcome.taken == frozenset()


def test_positions_are_the_same_whatever_the_order_of_the_plays() -> None:
    game = table(
        "bases: [B1: {breakpoint: 30, P1: [V3], P2: [V4]}, B2]\nhands: {P1: [V3b, V1, A1]}"
    )
    keys = set()
    for labels in (("Play V3b on B1", "Play A1"), ("Play A1", "Play V3b on B1")):
        played = game.clone(log=True)
        for label in labels:
            decision = played.decision
            assert decision is not None
            options = [str(decision.label(option)) for option in range(len(decision.options))]
            played.choose(options.index(label))
        assert played.at_menu
        keys.add(position_key(played))
    assert len(keys) == 1
    assert position_key(game) not in keys
