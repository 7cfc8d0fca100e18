"""The puzzles of the project: the file, the position, the solution in sentences, the daily one."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from smashup.cards import catalogue
from smashup.engine.errors import SaveError
from smashup.engine.model.decisions import TRIGGERS
from smashup.engine.model.messages import Message
from smashup.engine.views.sentences import message
from smashup.locale import load_catalog
from smashup.puzzles import mining
from smashup.puzzles.candidates import Candidate
from smashup.puzzles.checking import Problem, check_puzzle
from smashup.puzzles.daily import choose_daily
from smashup.puzzles.difficulty import grade, is_too_simple
from smashup.puzzles.explanation import build_hints, describe_goal, explain_solution
from smashup.puzzles.mining import Mining
from smashup.puzzles.model import Difficulty, Puzzle, puzzle_id
from smashup.puzzles.puzzle_file import (
    SHIPPED,
    Origin,
    load_puzzle_file,
    load_shipped_puzzles,
    save_puzzle_file,
)
from smashup.puzzles.steps import rival_answer

PROVEN_COUNT = 12
"""Number of puzzles to prove again; `smashup puzzles check` proves all of them."""
ORDER_QUESTION = "Several abilities trigger: which comes first?"
MAX_BYTES = 600_000


def shipped_puzzles() -> list[Puzzle]:
    return list(load_shipped_puzzles().values())


def smallest_puzzles(count: int) -> list[Puzzle]:
    """Return the puzzles with the shortest proofs."""
    return sorted(shipped_puzzles(), key=lambda puzzle: (puzzle.positions, puzzle.id))[:count]


def test_the_file_is_small_and_complete() -> None:
    assert SHIPPED.stat().st_size <= MAX_BYTES
    found = load_puzzle_file(SHIPPED)
    assert len({puzzle.id for puzzle in found.puzzles}) == len(found.puzzles)
    assert found.origin.next_game > 0
    assert all(puzzle.id == puzzle_id(puzzle.start, puzzle.goal) for puzzle in found.puzzles)


def test_all_difficulties_and_many_factions_occur() -> None:
    assert {puzzle.difficulty for puzzle in shipped_puzzles()} == set(Difficulty)
    factions = Counter(name for p in shipped_puzzles() for name in p.factions[p.player])
    assert len(factions) >= len(catalogue().factions) // 2


def test_every_solution_reaches_its_goal() -> None:
    cards = catalogue()
    failed: list[str] = []
    for puzzle in shipped_puzzles():
        outcome = puzzle.judge(puzzle.begin(cards).answer_all(puzzle.solution))
        if outcome is None or not outcome.reaches(puzzle.goal):
            failed.append(puzzle.id)
    assert failed == [], "prove all again: smashup puzzles check"


def test_a_sample_of_the_puzzles_is_proven_again() -> None:
    cards = catalogue()
    assert [(p.id, check_puzzle(p, cards)) for p in smallest_puzzles(PROVEN_COUNT)] == [
        (p.id, None) for p in smallest_puzzles(PROVEN_COUNT)
    ]


def test_a_check_says_what_is_wrong() -> None:
    cards = catalogue()
    puzzle = smallest_puzzles(1)[0]
    ended = replace(puzzle, solution=_end_at_once(puzzle))
    assert check_puzzle(ended, cards) is Problem.SOLUTION
    assert check_puzzle(replace(puzzle, solution=(999,)), cards) is Problem.SOLUTION
    damaged = replace(puzzle, start={**puzzle.start, "sites": []})
    assert check_puzzle(damaged, cards) is Problem.POSITION
    assert check_puzzle(replace(puzzle, positions=-60), cards) is Problem.TOO_LARGE


def _end_at_once(puzzle: Puzzle) -> tuple[int, ...]:
    game = puzzle.begin(catalogue())
    while puzzle.judge(game) is None:
        decision = game.decision
        assert decision is not None
        game.choose(len(decision.options) - 1)
    return tuple(game.answers)


def test_a_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "some.jsonl.xz"
    save_puzzle_file(path, Origin(seed=5, next_game=7, rejections={"x": 1}), smallest_puzzles(3))
    found = load_puzzle_file(path)
    assert found.origin == Origin(seed=5, next_game=7, rejections={"x": 1})
    assert {p.id: p for p in found.puzzles} == {p.id: p for p in smallest_puzzles(3)}


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.jsonl.xz"
    path.write_bytes(b"no puzzles")
    with pytest.raises(SaveError, match="not a file of puzzles"):
        load_puzzle_file(path)


def test_the_daily_puzzle_depends_on_the_date_alone() -> None:
    ids = [puzzle.id for puzzle in shipped_puzzles()]
    first = date(2026, 11, 18)
    days = [choose_daily(ids, first + timedelta(days)) for days in range(len(ids))]
    assert sorted(days) == sorted(ids), "all have their turn before one comes again"
    assert choose_daily(reversed(ids), first) == days[0]
    assert choose_daily(ids, first + timedelta(len(ids))) == days[0]


def test_hints_say_more_and_more() -> None:
    cards = catalogue()
    for puzzle in smallest_puzzles(5):
        hints = build_hints(puzzle, cards)
        assert 1 <= len(hints) <= 2
        steps = explain_solution(puzzle, cards)
        assert steps[0]["label"] == message(hints[-1])
        assert sum(len(step["log"]) for step in steps) >= 3


def test_a_solution_is_explained_as_it_is_played_against_players_who_decline() -> None:
    """The answers in the file may contain help from others, and cards of theirs that are hidden."""
    cards = catalogue()
    helped = 0
    for puzzle in shipped_puzzles():
        game = puzzle.begin(cards)
        foreign: set[str] = set()
        for answer in puzzle.solution:
            decision = game.decision
            assert decision is not None
            if decision.player != puzzle.player and answer != rival_answer(decision):
                foreign.add(str(decision.label(answer)))
            game.choose(answer)
        labels = {step["label"]["english"] for step in explain_solution(puzzle, cards)}
        assert not foreign & labels
        helped += bool(foreign)
    assert helped


def test_an_explanation_names_an_order_only_if_another_one_fails() -> None:
    cards = catalogue()
    told = chosen = 0
    for puzzle in shipped_puzzles():
        game = puzzle.begin(cards)
        for answer in puzzle.solution:
            decision = game.decision
            assert decision is not None
            is_order = decision.kind == TRIGGERS and len(decision.options) > 1
            chosen += is_order and decision.player == puzzle.player
            game.choose(answer)
        steps = explain_solution(puzzle, cards)
        told += sum(
            step["question"] is not None and step["question"]["text"] == ORDER_QUESTION
            for step in steps
        )
        assert all(step["question"] or " " in step["label"]["english"] for step in steps)
    assert 0 <= told < chosen / 2


def test_goals_are_sentences_with_translations() -> None:
    french = load_catalog("fr")
    for puzzle in shipped_puzzles():
        goal = describe_goal(puzzle)
        assert isinstance(goal, Message)
        assert french[goal.text]


def test_difficulty_grows_with_steps_and_failures() -> None:
    assert is_too_simple(1, 1, 1)
    assert not is_too_simple(1, 1, 0)
    assert not is_too_simple(1, 2, 1)
    assert not is_too_simple(2, 2, 4)
    assert grade(2, 0.1, 1.0) is Difficulty.EASY
    assert grade(3, 0.1, 0.5) is Difficulty.MEDIUM
    assert grade(4, 0.01, 0.0) is Difficulty.HARD


def test_mining_a_game_is_reproducible(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mining, "HANDS", 2)
    cards = catalogue()
    one, other = Mining(seed=2).play(0, cards), Mining(seed=2).play(0, cards)
    assert one == other
    assert sum(one.rejections.values()) > 0


def test_a_position_is_restored_exactly() -> None:
    puzzle = smallest_puzzles(1)[0]
    candidate = Candidate(puzzle.setup, puzzle.start, catalogue())
    assert candidate.begin().digest() == puzzle.begin(catalogue()).digest()
