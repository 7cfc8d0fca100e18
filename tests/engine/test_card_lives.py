"""A card that leaves play and returns is another card: handles, permissions and older snapshots."""

from __future__ import annotations

from smashup.cards import catalogue
from smashup.engine.game import Game
from smashup.engine.model.constants import (
    ACTION,
    AT_BASE,
    HAND,
    MINION,
)
from smashup.engine.model.permissions import PlayPermission
from smashup.engine.model.setup import Setup
from smashup.engine.rules import leaving_play, turns, zones


def table() -> Game:
    """Return a game at its first play menu."""
    factions = (("Kaiju", "Time Travelers"), ("Shapeshifters", "Super Spies"))
    game = Game(Setup(players=2, seed=7, factions=factions), catalogue())
    while not game.at_menu:
        game.choose(0)
    return game


def minion_in_hand(game: Game) -> int:
    s = game.table.state
    return next(c for c in s.hands[0] if s.definition[c].type == MINION)


def test_a_card_that_returns_has_another_handle() -> None:
    game = table()
    s = game.table.state
    c = minion_in_hand(game)
    first, second = s.sites[0].serial, s.sites[1].serial
    before = game.table.cards[c]
    zones.enter_base(game.table, c, first, 0)
    assert game.table.cards[c] is before, "a card from the hand keeps its handle when it is played"

    assert leaving_play.return_to_hand(game.table, [c]) == [c]
    assert before.is_in(HAND)
    zones.enter_base(game.table, c, second, 1)
    now = game.table.cards[c]

    assert now is not before
    assert now.is_in_play
    assert now.base is game.table.base(second)
    assert now.controller.index == 1
    assert before.former
    assert not before.is_in_play
    assert before.base is game.table.base(first)
    assert before.controller.index == 0
    assert before.life != now.life


def test_verbs_do_nothing_to_a_former_card() -> None:
    game = table()
    s = game.table.state
    c = minion_in_hand(game)
    first, second = s.sites[0].serial, s.sites[1].serial
    zones.enter_base(game.table, c, first, 0)
    before = game.table.cards[c]
    leaving_play.return_to_hand(game.table, [c])
    zones.enter_base(game.table, c, second, 0)
    now = game.table.cards[c]
    power = now.power

    assert not before.place_counters(1, on=before)
    assert not before.gain_power(before, 2)
    assert not before.move(before, game.table.base(first))
    assert not before.destroy(before)
    assert not before.return_to_hand(before)
    assert not before.take_control(before)
    assert now.power == power
    assert s.zone[c] == AT_BASE
    assert s.place[c] == second


def test_handles_are_renewed_between_cards() -> None:
    """No code can hold old handles between cards: the next play keeps the handle."""
    game = table()
    c = minion_in_hand(game)
    site = game.table.state.sites[0].serial
    zones.enter_base(game.table, c, site, 0)
    handle = game.table.cards[c]
    leaving_play.return_to_hand(game.table, [c])
    turns.forget_departed_cards(game.table)
    zones.enter_base(game.table, c, site, 0)
    assert game.table.cards[c] is handle
    assert not handle.former


def test_a_permission_for_a_minion_lapses_when_the_minion_leaves_play() -> None:
    game = table()
    c = minion_in_hand(game)
    site = game.table.state.sites[0].serial
    zones.enter_base(game.table, c, site, 0)
    life = game.table.cards[c].life
    on_it = PlayPermission(ACTION, on=c, on_life=life)
    affecting_it = PlayPermission(ACTION, must_affect=c, must_affect_life=life)
    assert not on_it.has_lapsed(game.table)
    assert not affecting_it.has_lapsed(game.table)
    leaving_play.return_to_hand(game.table, [c])
    zones.enter_base(game.table, c, site, 0)
    assert on_it.has_lapsed(game.table)
    assert affecting_it.has_lapsed(game.table)
