"""Choices can be undone until a player learns something."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from smashup.cards import catalogue
from smashup.engine.game import Game
from smashup.engine.model.constants import MADNESS_DECK
from smashup.engine.model.setup import Setup
from smashup.engine.replay.dealing import Dealer
from smashup.engine.rules import visibility
from smashup.server.storage.records import LogEntry
from smashup.server.tables.decisions.specials_windows import is_forced
from smashup.server.tables.decisions.undo import UndoTracker, capture_knowledge, depends_on_hidden
from smashup.server.tables.restore import _Replayer
from smashup.server.tables.table_log import TableLog, answer_entry, effective_answers, undo_entry

REVEALING_EVENTS = frozenset((
    "revealed", "looked_at", "shuffled", "reshuffled", "base_played",
))  # fmt: skip
"""Kinds of events that always reveal something hidden, or depend on chance."""


def play_with_tracker(
    seed: int, players: int, answers: int
) -> Iterator[tuple[Game, Game, UndoTracker, int]]:
    """Play a random game; yield the game before and after each choice, and the tracker."""
    game = Game(Setup(players=players, seed=seed, ask_everyone=True), catalogue())
    rng = random.Random(seed)
    choices = UndoTracker()
    for number in range(answers):
        decision = game.decision
        if decision is None:
            return
        message = "" if is_forced(decision, players) else f"m{number}"
        choices.add_answer(decision, len(game.answers), message)
        again = game.after(rng.randrange(len(decision.options)), log=True)
        choices.update_knowledge(capture_knowledge(game), capture_knowledge(again))
        yield game, again, choices, decision.player
        game = again


def reveals_something(before: Game, after: Game) -> bool:
    """Return whether a choice revealed something to a player, or depended on chance."""
    state = after.table.state
    drawn = {
        c
        for player, hand in enumerate(state.hands)
        for c in hand
        if before.table.state.zone[c] != state.zone[c]
        and not visibility.knows_card(before.table, player, c)
        and before.table.state.zone[c] != MADNESS_DECK  # all its cards are alike
    }
    happened = {change["kind"] for change in after.events(-1, len(before.table.visible_events))}
    return bool(drawn or happened & REVEALING_EVENTS)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_no_undo_after_hidden_cards_were_seen(players: int) -> None:
    undoable = received = 0
    for seed in range(2):
        for before, after, choices, player in play_with_tracker(seed, players, 120):
            at = choices.last_choice_of(player)
            if reveals_something(before, after):
                received += 1
                assert at is None
            elif at is not None:
                undoable += 1
                if undoable % 5:
                    continue
                again = after.undo(len(after.answers) - at)
                for viewer in range(-1, players):
                    assert again.view(viewer) == before.view(viewer) or at < len(before.answers)
    assert undoable > 30, "a choice can often be taken back"
    assert received > 10


def test_undoable_choices_reveal_nothing() -> None:
    """Everything a seat did not know before its choice, it does not know afterwards."""
    looked = 0
    for before, after, choices, player in play_with_tracker(11, 3, 200):
        at = choices.last_choice_of(player)
        if at is None:
            continue
        looked += 1
        for c, zone in enumerate(before.table.state.zone):
            if zone == MADNESS_DECK:  # all its cards are alike
                continue
            for viewer in range(before.table.num_players):
                if visibility.knows_card(after.table, viewer, c) and not visibility.knows_card(
                    before.table, viewer, c
                ):
                    assert visibility.knows_card(before.table, player, c), (
                        "only what who chose has shown"
                    )
    assert looked > 40


def test_choices_of_other_players_prevent_undo() -> None:
    chosen = 0
    for before, _, choices, player in play_with_tracker(4, 2, 200):
        assert before.decision is not None
        if not is_forced(before.decision, 2):
            chosen += 1
            assert choices.last_choice_of(1 - player) is None
    assert chosen > 100


def test_choices_of_bots_prevent_undo_and_forced_answers_do_not() -> None:
    """A bot plays the second seat, and temporarily the first as well."""
    result = went_along = 0
    for seed in range(6):
        game = Game(Setup(players=2, seed=seed), catalogue())
        rng = random.Random(seed)
        choices = UndoTracker()
        while (decision := game.decision) is not None and len(game.answers) < 100:
            before = list(choices.starts)
            by_itself = is_forced(decision, 2)
            late = len(game.answers) % 7 == 0
            message = "" if by_itself or late or decision.player == 1 else "m"
            choices.add_answer(decision, len(game.answers), message)
            if not message:
                own = decision.player == 0 and is_forced(decision, 1)
                assert choices.starts == (before if by_itself or own else [])
                result += bool(before) and not choices.starts
                went_along += bool(before) and bool(choices.starts)
            again = game.after(rng.randrange(len(decision.options)))
            choices.update_knowledge(capture_knowledge(game), capture_knowledge(again))
            game = again
    assert result > 5
    assert went_along > 1


def test_undoable_choices_are_restored_by_a_replay() -> None:
    found = 0
    for seed in range(4):
        records: list[LogEntry] = []
        for before, after, choices, player in play_with_tracker(seed, 2, 90):
            decision = before.decision
            assert decision is not None
            said = "" if is_forced(decision, 2) else f"m{len(records)}"
            records.append(answer_entry(len(records), player, after.answers[-1], said))
            if len(records) % 15 and choices.last_choice_of(player) is None:
                continue
            game = before.from_start()
            recollection = _Replayer(records)
            for at, record in enumerate(records):
                recollection.choose(game, at, record)
            assert recollection.choices == choices
            found += bool(choices.starts)
            if found > 30:
                return
    raise AssertionError("hardly anything could be taken back")


def test_the_check_for_hidden_cards_does_not_depend_on_them() -> None:
    """The result is the same for all hidden cards, so the check reveals nothing."""
    seen = set()
    for before, after, choices, player in play_with_tracker(7, 2, 120):
        if choices.last_choice_of(player) is None:
            continue
        answers = after.answers[len(before.answers) :]
        real = depends_on_hidden(before, player, answers)
        dealt = Dealer(before, player).deal(random.Random(len(before.answers)))
        if real is False:
            assert depends_on_hidden(dealt, player, answers) is False
        seen.add(real)
    assert False in seen


def test_effective_answers_and_decision_numbers() -> None:
    log = TableLog([])
    numbers = [log.decision_number(0)]
    log.extend([answer_entry(0, 0, 3, "a"), answer_entry(1, 0, 4, "a"), answer_entry(2, 1, 0)])
    numbers.append(log.decision_number(0))
    assert [r.option for r in effective_answers(log.entries)] == [3, 4, 0]
    other = log.decision_number(1)
    log.extend([undo_entry(3, 0, 3, "u")])
    numbers.append(log.decision_number(0))
    assert effective_answers(log.entries) == []
    assert log.decision_number(1) == other + 1, "a question of somebody else is withdrawn as well"
    log.extend([answer_entry(4, 0, 1, "b")])
    numbers.append(log.decision_number(0))
    assert numbers == sorted(set(numbers))
    assert [r.option for r in effective_answers(log.entries)] == [1]
    assert log.position_after(0, "a") == 2
    assert log.decision_number(0, log.position_after(0, "a")) == numbers[1]
    assert log.position_after(0, "u") == 4
    assert log.position_after(1, "u") is None
