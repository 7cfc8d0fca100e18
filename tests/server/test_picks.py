"""Several picks in one message are atomic and reveal nothing."""

from __future__ import annotations

import random

import pytest

from smashup.cards import catalogue
from smashup.engine.errors import IllegalChoice
from smashup.engine.game import Game
from smashup.engine.model.constants import NONE
from smashup.engine.model.decisions import CARDS, Decision, Purpose
from smashup.engine.model.setup import Setup
from smashup.server.errors import IncompatiblePicks, IncompletePicks
from smashup.server.tables.decisions.picks import apply_picks


def make_choice(purpose: Purpose) -> Game:
    """Return a game at the first of several picks with this purpose, with more than two options."""
    for seed in range(300):
        game = Game(Setup(players=2, seed=seed), catalogue())
        rng = random.Random(seed)
        while (decision := game.decision) is not None:
            if decision.purpose is purpose and len(decision.options) > 2:
                following = game.clone()
                following.choose(0)
                if following.decision is not None and following.decision.purpose is purpose:
                    return game
            # A player who plays few cards has many to discard.
            last = len(decision.options) - 1
            game.choose(last if decision.kind == 5 else rng.randrange(last + 1))
    pytest.fail(f"nobody was ever asked {purpose} twice")


def test_picks_are_positions_of_the_shown_options() -> None:
    game = make_choice(Purpose.DISCARD)
    decision = game.decision
    assert decision is not None
    wanted = [decision.options[2], decision.options[0]]
    before = game.digest()
    after = apply_picks(game, [2, 0])
    assert after.answers[-2:] == [2, 0], "the others move up when one is picked"
    assert game.digest() == before
    later = apply_picks(game, [0, 2])
    assert later.answers[-2:] == [0, 1], "and here the second one has moved"
    assert wanted[0] != wanted[1]


def test_an_unavailable_pick_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    game = make_choice(Purpose.DISCARD)
    decision = game.decision
    assert decision is not None
    gone = decision.options[1]
    after = Game.after

    def and_one_more_goes(self: Game, option: int, log: bool = False) -> Game:
        again = after(self, option, log)
        following = again.decision
        assert following is not None
        assert following.kind == CARDS
        left = [c for c in following.options if c != gone]
        again.table.pending = Decision(
            again.table, following.player, following.purpose, following.prompt, CARDS, left,
            following.number, following.source, following.multi_pick,
        )  # fmt: skip
        return again

    monkeypatch.setattr(Game, "after", and_one_more_goes)
    before = len(game.answers)
    with pytest.raises(IncompatiblePicks):
        apply_picks(game, [0, 1])
    assert len(game.answers) == before


def test_picks_out_of_range_are_refused() -> None:
    game = make_choice(Purpose.DISCARD)
    for options in ([99], [0, 99], [0, 0]):
        with pytest.raises(IllegalChoice):
            apply_picks(game, options)


def up_to(game_seed: int = 0) -> tuple[Game, int]:
    """Return a game with optional picks from three cards or more, and the position of “none”."""
    for seed in range(game_seed, 300):
        game = Game(Setup(players=2, seed=seed), catalogue())
        rng = random.Random(seed)
        while (decision := game.decision) is not None:
            several = decision.multi_pick
            if several is not None and several.max > 2 and several.min == 0:
                return game, decision.options.index(NONE)
            game.choose(rng.randrange(len(decision.options)))
    pytest.fail("nobody ever had such a choice")


def test_done_declines_further_picks() -> None:
    game, none = up_to()
    decision = game.decision
    assert decision is not None
    assert decision.multi_pick is not None
    more = apply_picks(game, [1, 0])
    assert more.decision is not None
    assert more.decision.multi_pick is not None
    assert more.decision.multi_pick.picked == decision.multi_pick.picked + 2
    finished = apply_picks(game, [1, 0], done=True)
    assert finished.answers[:-1] == more.answers
    assert finished.digest() == apply_picks(game, [1, 0, none]).digest()
    every = [i for i in range(len(decision.options)) if i != none][: decision.multi_pick.max]
    assert apply_picks(game, every, done=True).digest() == apply_picks(game, every).digest()


def test_mandatory_picks_cannot_be_declined() -> None:
    game = make_choice(Purpose.DISCARD)
    with pytest.raises(IncompletePicks):
        apply_picks(game, [0], done=True)
