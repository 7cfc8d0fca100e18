"""Tables without the real hidden cards that look the same to a player.

A dealt table still contains the real cards in the checkpoint from which a running card is run
again. Here the checkpoint itself is dealt, and the answers since then are given again, so that the
result contains nothing that its player cannot know.
"""

from __future__ import annotations

from random import Random
from typing import Any, Final, NamedTuple

from smashup.bots.information_set import OptionKey, option_keys
from smashup.engine.errors import SmashUpError
from smashup.engine.game import Game
from smashup.engine.model.constants import HAND, NONE
from smashup.engine.model.decisions import MOVES, PASS, TRIGGERS, WORDS, Decision
from smashup.engine.model.redealing import HiddenCards
from smashup.engine.replay.dealing import Dealer

FULL_TRIES: Final = 30
"""The number of deals of all hidden cards to try."""
PARTIAL_TRIES: Final = 30
"""The number of further deals, which leave more and more cards in opponents' hands in place."""
EXTRA_QUESTIONS: Final = 20
"""The maximum number of questions on the dealt table beyond those of the real one."""


class RecordedAnswer(NamedTuple):
    """An answer since the checkpoint, identified by its meaning."""

    player: int
    purpose: object
    option: object
    key: OptionKey


def deal_consistently(game: Game, player: int) -> Game:
    """Return a table at the same decision that a player cannot tell from the real one.

    What is dealt does not depend on the real cards, except as a last resort: if no deal leads to
    the decision, some cards in opponents' hands stay where they are.
    """
    dealer = Dealer(game, player)
    origin = dealer.origin
    if origin.at_menu:
        return dealer.deal(Random(0))
    answers = _answers_since_checkpoint(origin)
    view = origin.view(player)
    similar: Game | None = None
    for number in range(FULL_TRIES + PARTIAL_TRIES):
        if number == FULL_TRIES and similar is not None:
            return similar
        kept = max(0, number - FULL_TRIES) / PARTIAL_TRIES
        table = _deal_checkpoint(origin, dealer.hidden, player, Random(number), kept)
        try:
            if _answer_again(table, answers, origin):
                if table.view(player) == view:
                    return table
                similar = similar or table
        except (SmashUpError, ValueError, IndexError):
            continue  # these cards do not lead to the decision
    return similar or dealer.deal(Random(0))


def _deal_checkpoint(
    origin: Game, hidden: HiddenCards, player: int, rng: Random, kept: float
) -> Game:
    """Return a copy of a game with the hidden cards of its checkpoint permuted."""
    lots = hidden.lots(rng.shuffle)
    before = origin.table.checkpoint
    state = before.copy()
    size = len(state.definition)
    if kept:
        hands = [c for c in lots if origin.table.state.zone[c] == HAND and rng.random() < kept]
        for c in hands:
            _keep(lots, c)
    for c, other in lots.items():
        if c < size and other < size:
            state.definition[c] = before.definition[other]
            state.owner[c] = before.owner[other]
            state.hidden_with[c] = before.hidden_with[other]
    if state.rng == origin.table.state.rng:
        state.use_linear(rng.getrandbits(62))
    copy = origin.clone()
    copy.table.checkpoint = state
    copy.table.checkpoint_index = None
    copy.table.chosen_move = None
    copy.table.script = []
    return copy


def _keep(lots: dict[int, int], card: int) -> None:
    """Change a permutation so that a card keeps its place."""
    place = next(c for c, other in lots.items() if other == card)
    lots[place] = lots[card]
    lots[card] = card


def _answers_since_checkpoint(origin: Game) -> list[RecordedAnswer]:
    game = origin.clone()
    script = game.table.script
    game.table.script = []
    game.table.chosen_move = None
    answers: list[RecordedAnswer] = []
    for option in script:
        decision = game.decision
        assert decision is not None
        answers.append(
            RecordedAnswer(
                decision.player,
                decision.purpose,
                _identify(decision, option),
                option_keys(decision)[option],
            )
        )
        game.choose(option)
    return answers


def _answer_again(table: Game, answers: list[RecordedAnswer], origin: Game) -> bool:
    """Apply the answers by their meaning; return whether that leads to the same decision."""
    todo = list(answers)
    for _ in range(len(answers) + EXTRA_QUESTIONS):
        decision = table.decision
        if decision is None:
            return False
        if not todo and _is_same(table, origin):
            return True
        following = next(
            (
                n
                for n, answer in enumerate(todo)
                if answer.player == decision.player and answer.purpose == decision.purpose
            ),
            None,
        )
        if following is None:
            option = _passing_option(decision)
        else:
            option = _find_option(decision, todo[following])
            del todo[: following + 1]
        if option is None:
            return False
        table.choose(option)
    return False


def _is_same(table: Game, origin: Game) -> bool:
    """Whether a table is at the decision of another, with every card where it is there."""
    one, other = table.table.pending, origin.table.pending
    if one is None or other is None:
        return False
    s, real = table.table.state, origin.table.state
    return (
        one.player == other.player
        and one.purpose == other.purpose
        and s.zone == real.zone
        and s.place == real.place
        and option_keys(one) == option_keys(other)
    )


def _identify(decision: Decision, option: int) -> object:
    """Identify an option by the numbers of cards and abilities."""
    chosen: Any = decision.options[option]
    if decision.kind == MOVES:
        stamp = chosen.ability.stamp if chosen.ability is not None else NONE
        return (chosen.verb, chosen.card, chosen.place, stamp)
    if decision.kind == TRIGGERS:
        return (chosen.ability.card, chosen.ability.stamp, chosen.hook)
    return option if decision.kind == WORDS else chosen


def _find_option(decision: Decision, answer: RecordedAnswer) -> int | None:
    count = len(decision.options)
    options = [_identify(decision, option) for option in range(count)]
    if answer.option in options:
        return options.index(answer.option)
    keys = option_keys(decision)
    return keys.index(answer.key) if answer.key in keys else None


def _passing_option(decision: Decision) -> int | None:
    """Return the option that declines a question which the real table did not ask."""
    last: Any = decision.options[-1]
    declines = last.verb == PASS if decision.kind == MOVES else last == NONE
    return len(decision.options) - 1 if declines else None
