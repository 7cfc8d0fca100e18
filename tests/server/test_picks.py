"""Several picks at once: they fit together, or the game stays as it is and nothing is learned."""

from __future__ import annotations

import random

import pytest

from smashup.cards import catalogue
from smashup.engine.decisions import CARDS, Decision
from smashup.engine.errors import IllegalChoice
from smashup.engine.game import Game
from smashup.engine.setup import Setup
from smashup.server.picks import answered


def a_choice(prompt: str) -> Game:
    """A game in which this is asked for the first of several times, with enough to pick from."""
    for seed in range(300):
        game = Game(Setup(players=2, seed=seed), catalogue())
        dice = random.Random(seed)
        while (decision := game.decision) is not None:
            if decision.prompt == prompt and len(decision.options) > 2:
                following = game.clone()
                following.choose(0)
                if following.decision is not None and following.decision.prompt == prompt:
                    return game
            # Whoever plays little has much to discard.
            last = len(decision.options) - 1
            game.choose(last if decision.kind == 5 else dice.randrange(last + 1))
    pytest.fail(f"nobody was ever asked «{prompt}» twice")


def test_picks_are_positions_of_what_was_shown() -> None:
    game = a_choice("Discard which card?")
    decision = game.decision
    assert decision is not None
    wanted = [decision.options[2], decision.options[0]]
    before = game.digest()
    after = answered(game, [2, 0])
    assert after.answers[-2:] == [2, 0], "the others move up when one is picked"
    assert game.digest() == before
    later = answered(game, [0, 2])
    assert later.answers[-2:] == [0, 1], "and here the second one has moved"
    assert wanted[0] != wanted[1]


def test_a_pick_that_is_gone_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    game = a_choice("Discard which card?")
    decision = game.decision
    assert decision is not None
    gone = decision.options[1]
    choose = Game.choose

    def and_one_more_goes(self: Game, option: int) -> None:
        choose(self, option)
        following = self.pending
        assert following is not None
        assert following.kind == CARDS
        left = [c for c in following.options if c != gone]
        self.pending = Decision(
            self, following.player, following.prompt, CARDS, left, following.number,
            following.source,
        )  # fmt: skip

    monkeypatch.setattr(Game, "choose", and_one_more_goes)
    before = len(game.answers)
    with pytest.raises(IllegalChoice, match="do not go together"):
        answered(game, [0, 1])
    assert len(game.answers) == before


def test_what_is_not_there_cannot_be_picked() -> None:
    game = a_choice("Discard which card?")
    for options in ([99], [0, 99], [0, 0]):
        with pytest.raises(IllegalChoice):
            answered(game, options)
