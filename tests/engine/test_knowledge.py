"""Viewers' knowledge of hidden cards, case by case."""

from __future__ import annotations

import random

import pytest

from smashup.engine.errors import SaveError
from smashup.engine.game import Game
from smashup.engine.model.constants import HAND
from smashup.engine.model.setup import Setup
from smashup.engine.rules import searching, visibility, zones
from smashup.engine.saves.snapshots import restore
from tests.random_games import new_game


def quiet_game(players: int = 2) -> Game:
    """Return a table at its first play menu, after choosing the first option of all questions."""
    names = ("Kaiju", "Cyborg Apes", "Mounties", "Luchadors", "Ignobles", "Changerbots")
    pairs = tuple((names[2 * p], names[2 * p + 1]) for p in range(players))
    game = new_game(Setup(players=players, seed=11, factions=pairs))
    while not game.at_menu:  # a hand without minions
        game.choose(1)
    game.table.policy = lambda decision: 0
    return game


def knows(game: Game, cards: list[int]) -> list[list[int]]:
    """Return the cards each player, and last a spectator, knows by their places."""
    viewers = (*range(game.table.num_players), -1)
    return [
        [c for c in cards if visibility.knows_card(game.table, viewer, c)] for viewer in viewers
    ]


def names_dealt(game: Game, viewer: int, cards: list[int], deals: int = 60) -> set[tuple[str, ...]]:
    """Return the cards at some places on tables dealt for a viewer."""
    game.table.pending = None  # the options of another player would stay fixed
    hidden = visibility.hidden_cards(game.table, viewer)
    rng = random.Random(3)
    dealt = (hidden.deal(rng.shuffle).definition for _ in range(deals))
    return {tuple(kinds[c].name for c in cards) for kinds in dealt}


def stack_different_cards(game: Game, deck: int, count: int) -> None:
    """Put cards of different names on top of a deck."""
    cards = game.table.state.decks[deck]
    top: dict[str, int] = {}
    for c in cards:
        top.setdefault(game.table.state.definition[c].name, c)
    chosen = list(top.values())[:count]
    assert len(chosen) == count
    game.table.state.decks[deck] = [c for c in cards if c not in chosen] + chosen


def test_cards_put_back_in_secret_are_known_as_a_set_only() -> None:
    game = quiet_game()
    stack_different_cards(game, 0, 2)
    cards = searching.take_from_top(game.table, 0, 0, 2, public=True)
    assert knows(game, cards) == [cards] * 3
    searching.arrange_on_deck(game.table, 0, cards, 0)
    assert knows(game, cards) == [cards, [], []]
    one, two = (game.table.state.definition[c].name for c in cards)
    assert names_dealt(game, 0, cards) == {(one, two)}
    assert names_dealt(game, 1, cards) == names_dealt(game, -1, cards) == {(one, two), (two, one)}
    zones.draw(game.table, 0, 1)
    drawn = game.table.state.hands[0][-1]
    zones.discard(game.table, 0, [drawn])
    (other,) = [c for c in cards if c != drawn]
    assert knows(game, [other]) == [[other]] * 3, "what is left can only be the other one"
    assert game.table.state.mixes == []


def test_cards_put_back_in_the_order_they_came_stay_known() -> None:
    game = quiet_game()
    cards = searching.take_from_top(game.table, 0, 0, 3, public=True)
    game.table.player(0).put_back([game.table.card(c) for c in cards])
    assert knows(game, cards) == [cards] * 3


def test_a_single_card_put_back_stays_known_wherever_it_goes() -> None:
    game = quiet_game()
    cards = searching.take_from_top(game.table, 0, 0, 1, public=True)
    searching.arrange_on_deck(game.table, 0, cards, 0, bottom=True)
    assert knows(game, cards) == [cards] * 3


def test_a_card_from_a_known_hand_may_be_any_of_them() -> None:
    game = quiet_game()
    hand = game.table.state.hands[0][:]
    game.table.player(1).look_at(game.table.player(0).hand)
    assert knows(game, hand) == [hand, hand, []]
    searching.put_back(game.table, hand[2], 0)
    assert knows(game, hand) == [hand, [], []]
    shown = game.view(1)["players"][0]
    assert shown["hand"] == [{"hidden": True}] * 4
    assert shown["deck_known"] == []
    kinds = game.table.state.definition
    dealt = names_dealt(game, 1, hand, 300)
    assert {row[2] for row in dealt} == {kinds[c].name for c in hand}
    assert {tuple(sorted(row)) for row in dealt} == {tuple(sorted(kinds[c].name for c in hand))}


def test_a_known_card_is_somewhere_among_unknown_ones() -> None:
    game = quiet_game()
    known, *others = game.table.state.hands[0]
    zones.reveal_to(game.table, known, 1)
    searching.put_back(game.table, others[0], 0, bottom=True)
    assert knows(game, [known])[1] == []
    name = game.table.state.definition[known].name
    for row in names_dealt(game, 1, [known, *others], 100):
        assert name in row, "it cannot have left for the rest of the deck"
    zones.shuffle_deck(game.table, 0)
    assert visibility.hidden_cards(game.table, 1).mixes[0][1] == [known]
    for c in others[1:]:
        zones.reveal(game.table, c)
    assert knows(game, [known])[1] == [], "it may have been shuffled into the deck"


def test_a_card_handed_on_in_secret_is_known_to_two_players() -> None:
    game = quiet_game(3)
    hand = game.table.state.hands[0][:]
    game.table.player(0).show(game.table.player(0).hand)
    zones.give_to_hand(game.table, 0, hand[1], 2)
    rest = [c for c in hand if c != hand[1]]
    assert knows(game, hand) == [hand, [], hand, []]
    assert [card.get("id") for card in game.view(1)["players"][0]["hand"]] == [None] * len(rest)
    # The receiver puts a card on the deck: for the giver it may be the one received.
    searching.put_back(game.table, game.table.state.hands[2][0], 2)
    assert knows(game, [hand[1]]) == [[], [], [hand[1]], []]


def test_a_card_taken_from_several_that_were_looked_at() -> None:
    game = quiet_game()
    top = searching.take_from_top(game.table, 0, 0, 1, public=True)
    searching.put_back(game.table, top[0], 0)
    cards = searching.take_from_top(game.table, 0, 0, 3, public=False)
    assert knows(game, cards) == [cards, top, top]
    game.table.player(0).put(game.table.card(cards[1]), to=HAND)
    assert knows(game, cards) == [cards, [], []]
    assert "a card" in str(game.table.log[-1].for_player(1))


def test_known_to_all_players_is_not_public() -> None:
    game = quiet_game()
    hand = game.table.state.hands[0][:]
    game.table.player(1).look_at(game.table.player(0).hand)
    assert knows(game, hand) == [hand, hand, []]
    assert game.view(-1)["players"][0]["hand"] == [{"hidden": True}] * 5
    line = game.table.log[-1]
    assert "5 cards" in str(line.for_player(-1))
    assert game.table.state.definition[hand[0]].name in str(line.for_player(1))
    zones.give_to_hand(game.table, 0, hand[0], 1)
    assert game.events(-1)[-1]["cards"] == [{"hidden": True}]
    assert game.events(1)[-1]["cards"][0]["id"] == hand[0]


def test_a_snapshot_remembers_what_is_mixed_up() -> None:
    game = quiet_game()
    stack_different_cards(game, 0, 2)
    searching.arrange_on_deck(
        game.table, 0, searching.take_from_top(game.table, 0, 0, 2, public=True), 0
    )
    again = restore(game.table.state.to_dict(), game.setup, game.catalogue)
    assert [m.to_list() for m in again.table.checkpoint.mixes] == [
        m.to_list() for m in game.table.state.mixes
    ]
    assert len(again.table.checkpoint.mixes) == 2


@pytest.mark.parametrize(
    "mixes",
    [
        [[4, [1, 2], [1]]],
        [[0, [1, 2], [3]]],
        [[0, [1, 2], [1]], [0, [2, 3], [3]]],
        [[0, [1, 9999], [1]]],
        [[0, [1, 2]]],
    ],
)
def test_a_damaged_mix_is_refused(mixes: list[list[object]]) -> None:
    game = quiet_game()
    with pytest.raises(SaveError, match="mixes"):
        restore({**game.table.state.to_dict(), "mixes": mixes}, game.setup, game.catalogue)
