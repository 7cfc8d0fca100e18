"""Hands of more cards than fit side by side."""

from __future__ import annotations

from typing import Final

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import EditTable
from tests.browser.edited_table import Message, action, sentence
from tests.browser.player import Choice, Player
from tests.browser.test_layout import visible_part

NAMES: Final = ("The Touch", "Roll Out", "Armory")


def ask_for_discards(shown: Message, count: int) -> None:
    """Give the player a hand of ``count`` cards and ask which of them to discard."""
    view = shown["view"]
    hand = [action(1200 + at, NAMES[at % len(NAMES)], 0) for at in range(count)]
    view["players"][0]["hand"] = hand
    view["decision"] = {
        "player": 0,
        "purpose": "target",
        "question": sentence("Which cards do you discard?"),
        "min": 0,
        "max": count,
        "options": [
            {"index": at, "verb": "discard", "card": card, "label": sentence(str(card["name"]))}
            for at, card in enumerate(hand)
        ],
    }


def open_hand(
    edit_table: EditTable, size: tuple[int, int], count: int, *, touch: bool = False
) -> Player:
    player, stage = edit_table(lambda shown: None, phone=touch)
    page = player.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    player.play_to_own_turn()
    stage.show(lambda shown: ask_for_discards(shown, count))
    page.get_by_text("Which cards do you discard?").first.wait_for()
    expect(page.locator("[data-anchor^=hand] [data-choice]")).to_have_count(count)
    return player


def is_covered(player: Player, card: Choice) -> bool:
    at = player.page.evaluate("(target) => window.findClickPoint(target)", [card.index, card.name])
    return "covered" in at


@pytest.mark.parametrize(
    ("size", "count", "touch"),
    [
        ((1440, 900), 14, False),
        pytest.param((1024, 768), 10, False, marks=pytest.mark.browser_full),
        pytest.param((820, 1180), 14, True, marks=pytest.mark.browser_full),
    ],
)
def test_a_raised_card_covers_no_other_card(
    edit_table: EditTable, size: tuple[int, int], count: int, touch: bool
) -> None:
    """The card that was clicked last is raised while the pointer rests on it."""
    player = open_hand(edit_table, size, count, touch=touch)
    for at in range(count):
        player.click(player.read_table().of("hand")[at])
        cards = player.read_table().of("hand")
        assert cards[at].pressed
        assert len(cards) == count
        player.visitor.picture(f"crowded-hand-{size[0]}-{at}")
        assert [card for card in cards if is_covered(player, card)] == [], f"clicked card {at}"


@pytest.mark.browser_full
def test_cards_can_be_clicked_at_the_lower_edge_of_the_window(edit_table: EditTable) -> None:
    """A card rises under the pointer, which still meets it."""
    player = open_hand(edit_table, (1440, 900), 14)
    for at, card in enumerate(player.page.locator("[data-anchor^=hand] [data-spot]").all()):
        box = card.bounding_box()
        assert box is not None
        if box["y"] + box["height"] < 900:
            continue
        player.page.mouse.click(box["x"] + 40, 899)
        expect(card).to_have_attribute("aria-pressed", "true")
        assert len([one for one in player.read_table().of("hand") if one.pressed]) == at + 1


@pytest.mark.browser_full
def test_the_keyboard_shows_the_whole_card(edit_table: EditTable) -> None:
    """In a low window the hand stands half below the edge; a pointer needs what the card covers."""
    player = open_hand(edit_table, (1280, 720), 14)
    page = player.page
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    focused = page.locator("[data-anchor^=hand] .spot:has(:focus)")
    player.visitor.picture("crowded-hand-keyboard")
    assert visible_part(page, focused) == 1
    next_card = page.locator("[data-anchor^=hand] li:has(:focus) + li")
    next_card.hover(position={"x": 100, "y": 60}, force=True)
    cards = player.read_table().of("hand")
    assert [card for card in cards if is_covered(player, card)] == []
