"""Which choices can be taken back: those after which nobody has learned anything."""

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
from smashup.server.tables.restore import _Replayer
from smashup.server.tables.specials_windows import is_forced
from smashup.server.tables.table_log import TableLog, answer_entry, effective_answers, undo_entry
from smashup.server.tables.undo import UndoTracker, depends_on_hidden, knowledge

TELLING = frozenset((
    "revealed", "looked_at", "shuffled", "reshuffled", "base_played",
))  # fmt: skip
"""What always shows somebody something hidden, or leaves something to chance."""


def walk(seed: int, players: int, answers: int) -> Iterator[tuple[Game, Game, UndoTracker, int]]:
    """A random game of people: before and after each choice, and what can be taken back."""
    game = Game(Setup(players=players, seed=seed, ask_everyone=True), catalogue())
    dice = random.Random(seed)
    choices = UndoTracker()
    for number in range(answers):
        decision = game.decision
        if decision is None:
            return
        message = "" if is_forced(decision, players) else f"m{number}"
        choices.note_answer(decision, len(game.answers), message)
        again = game.after(dice.randrange(len(decision.options)), log=True)
        choices.learn(knowledge(game), knowledge(again))
        yield game, again, choices, decision.player
        game = again


def shows_something_hidden(before: Game, after: Game) -> bool:
    """Whether a choice showed a player something unknown, or left something to chance."""
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
    return bool(drawn or happened & TELLING)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_nothing_can_be_taken_back_once_something_hidden_was_seen(players: int) -> None:
    undoable = told = 0
    for seed in range(2):
        for before, after, choices, player in walk(seed, players, 120):
            at = choices.last_of(player)
            if shows_something_hidden(before, after):
                told += 1
                assert at is None
            elif at is not None:
                undoable += 1
                if undoable % 5:
                    continue
                again = after.undo(len(after.answers) - at)
                for viewer in range(-1, players):
                    assert again.view(viewer) == before.view(viewer) or at < len(before.answers)
    assert undoable > 30, "a choice can often be taken back"
    assert told > 10


def test_who_can_take_something_back_knows_no_more_than_before() -> None:
    """Everything a seat did not know before its choice, it does not know afterwards."""
    looked = 0
    for before, after, choices, player in walk(11, 3, 200):
        at = choices.last_of(player)
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


def test_a_choice_of_somebody_else_ends_it() -> None:
    chosen = 0
    for before, _, choices, player in walk(4, 2, 200):
        assert before.decision is not None
        if not is_forced(before.decision, 2):
            chosen += 1
            assert choices.last_of(1 - player) is None
    assert chosen > 100


def test_what_a_bot_chooses_ends_it_and_what_answers_itself_does_not() -> None:
    """A bot plays the second seat, and for a while the first as well."""
    ended = went_along = 0
    for seed in range(6):
        game = Game(Setup(players=2, seed=seed), catalogue())
        dice = random.Random(seed)
        choices = UndoTracker()
        while (decision := game.decision) is not None and len(game.answers) < 100:
            before = list(choices.begin)
            by_itself = is_forced(decision, 2)
            late = len(game.answers) % 7 == 0
            message = "" if by_itself or late or decision.player == 1 else "m"
            choices.note_answer(decision, len(game.answers), message)
            if not message:
                own = decision.player == 0 and is_forced(decision, 1)
                assert choices.begin == (before if by_itself or own else [])
                ended += bool(before) and not choices.begin
                went_along += bool(before) and bool(choices.begin)
            again = game.after(dice.randrange(len(decision.options)))
            choices.learn(knowledge(game), knowledge(again))
            game = again
    assert ended > 5
    assert went_along > 1


def test_it_is_found_again_when_a_game_is_played_again() -> None:
    found = 0
    for seed in range(4):
        records: list[LogEntry] = []
        for before, after, choices, player in walk(seed, 2, 90):
            decision = before.decision
            assert decision is not None
            said = "" if is_forced(decision, 2) else f"m{len(records)}"
            records.append(answer_entry(len(records), player, after.answers[-1], said))
            if len(records) % 15 and choices.last_of(player) is None:
                continue
            game = before.from_start()
            recollection = _Replayer(records)
            for at, record in enumerate(records):
                recollection.choose(game, at, record)
            assert recollection.choices == choices
            found += bool(choices.begin)
            if found > 30:
                return
    raise AssertionError("hardly anything could be taken back")


def test_whether_a_choice_depends_on_hidden_cards_does_not_depend_on_them() -> None:
    """It says the same however hidden cards really lie: asking tells nothing."""
    seen = set()
    for before, after, choices, player in walk(7, 2, 120):
        if choices.last_of(player) is None:
            continue
        answers = after.answers[len(before.answers) :]
        real = depends_on_hidden(before, player, answers)
        dealt = Dealer(before, player).deal(random.Random(len(before.answers)))
        if real is False:
            assert depends_on_hidden(dealt, player, answers) is False
        seen.add(real)
    assert False in seen


def test_the_log_folds_and_numbers_never_repeat() -> None:
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
    assert log.received(0, "a") == 2
    assert log.decision_number(0, log.received(0, "a")) == numbers[1]
    assert log.received(0, "u") == 4
    assert log.received(1, "u") is None
