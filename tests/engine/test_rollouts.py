"""Rollouts take shortcuts: they lead to the positions that the same answers lead to."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress

import pytest

from smashup.bots.rollout_policies import seeded_policy
from smashup.engine.game import Game
from smashup.engine.model.constants import PLAY
from smashup.engine.model.decisions import Decision, Purpose
from smashup.engine.replay import runner
from smashup.engine.replay.dealing import Dealer
from tests.random_games import new_game, random_setup, walk


class TurnOver(Exception):
    """Raised in a policy when cards may be played in a later turn."""


def games_at_decisions(seed: int) -> Iterator[Game]:
    """Return a game at some of its decisions, at menus and during cards."""
    rng = random.Random(seed)
    game = new_game(random_setup(rng, rng.choice((2, 3))))
    game.table.logging = False
    for number, _ in enumerate(walk(game, rng)):
        if game.table.state.turn and number % 9 == 0:
            yield game


def play_to_end_of_turn(game: Game, turn: int, first: int, ends_turn: bool) -> str:
    """Answer decisions one by one until the turn is over; return the digest of the position."""
    policy = seeded_policy(5)
    answers = 0

    def answer(decision: Decision) -> int:
        nonlocal answers
        answers += 1
        state = decision.table.state
        if answers == 1:
            return first
        if state.turn > turn and decision.purpose == Purpose.PLAY_MENU:
            raise TurnOver
        if ends_turn and decision.purpose == Purpose.PLAY_MENU:
            return len(decision.options) - 1
        return policy(decision)

    with suppress(TurnOver):
        game.play_out(answer)
    return game.table.state.digest()


@pytest.mark.parametrize("ends_turn", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_a_rollout_leads_where_the_same_answers_lead(seed: int, ends_turn: bool) -> None:
    for number, game in enumerate(games_at_decisions(seed)):
        decision = game.decision
        assert decision is not None
        option = number % len(decision.options)
        at_menu = game.at_menu
        dealer = Dealer(game, decision.player)
        turn = game.table.state.turn
        dealt = dealer.deal(random.Random(number))
        expected = play_to_end_of_turn(dealt, turn, option, ends_turn)
        policy = seeded_policy(5)
        chosen = at_menu

        def answer(decision: Decision) -> int:
            nonlocal chosen
            if not chosen:
                chosen = True
                return option  # noqa: B023
            return policy(decision)  # noqa: B023

        for _ in range(2):  # the second time, the deal is known
            chosen = at_menu
            sampled = dealer.deal_seeded(number)
            runner.roll_out(
                sampled.table,
                answer,
                turn,
                decision.options[option] if at_menu else None,
                skips_menus=ends_turn,
            )
            assert sampled.table.state.digest() == expected
            assert sampled.table.state.over or sampled.table.state.phase == PLAY
