"""Bases stay in place during a turn, and the cards attached to a minion fan out."""

from __future__ import annotations

import re
from typing import Final

import pytest
from playwright.sync_api import FloatRect, Locator, expect

from tests.browser.conftest import EditTable, StartGame
from tests.browser.edited_table import Message, action, minion

SIZES: Final = [
    (1366, 768),
    pytest.param((1920, 1080), marks=pytest.mark.browser_full),
    pytest.param((1280, 720), marks=pytest.mark.browser_full),
    pytest.param((820, 1180), marks=pytest.mark.browser_full),
    (390, 844),
    pytest.param((844, 390), marks=pytest.mark.browser_full),
]
ACTIONS: Final = ("Armory", "Temple of the Sun", "Shielding", "Recycle the Trash", "Going Bananas")


def box_of(what: Locator) -> FloatRect:
    box = what.bounding_box()
    assert box is not None
    return box


def edit_cards(cards: list[Message]) -> None:
    """Show a minion with five actions on it, beside others with one and none."""
    attached = [action(910 + at, name, 0) for at, name in enumerate(ACTIONS)]
    cards += [
        minion(901, "Furious George", 0, 7, actions=attached),
        minion(902, "Clyde 2.0", 0, 4, actions=[action(920, "Armory", 0)]),
        minion(903, "Huffie", 1, 3),
    ]


@pytest.mark.parametrize("size", SIZES)
def test_attached_actions_fan_out(edit_table: EditTable, size: tuple[int, int]) -> None:
    player, _ = edit_table(lambda shown: edit_cards(shown["view"]["bases"][0]["cards"]))
    page = player.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.wait_for_timeout(300)
    card = page.locator(".played:has(> .spot[data-card='901'])")
    host = card.locator("> .spot")
    expect(host).to_contain_text("5 cards attached")
    expect(page.locator(".spot[data-card='902']")).not_to_contain_text("attached")

    stack = card.locator(".actions")
    host_box, stack_box = box_of(host), box_of(stack)
    assert stack_box["width"] <= host_box["width"] + 1
    assert stack_box["height"] < host_box["height"]
    player.visitor.picture(f"stack-{size[0]}")

    page.mouse.move(
        stack_box["x"] + stack_box["width"] / 2, stack_box["y"] + stack_box["height"] / 2
    )
    page.wait_for_timeout(100)
    boxes = [box_of(stack.locator(f"[data-card='{910 + at}']")) for at in range(5)]
    for at, one in enumerate(boxes):
        assert one["x"] >= 0
        assert one["x"] + one["width"] <= size[0]
        middle = [one["x"] + one["width"] / 2, one["y"] + one["height"] / 2]
        hit = page.evaluate(
            "([x, y]) => document.elementFromPoint(x, y).closest('[data-card]')?.dataset.card",
            middle,
        )
        assert hit == str(910 + at), "a card of the fan is covered"
    player.visitor.picture(f"fan-{size[0]}")
    page.mouse.move(2, 2)
    page.wait_for_timeout(100)
    assert box_of(stack)["height"] == stack_box["height"]


def test_a_tap_fans_out_a_stack_before_it_chooses(edit_table: EditTable) -> None:
    def edit(shown: Message) -> None:
        edit_cards(shown["view"]["bases"][0]["cards"])

    player, _ = edit_table(edit, phone=True)
    page = player.page
    stack = page.locator(".played:has(> .spot[data-card='901']) .actions")
    stack.tap()
    expect(stack).to_have_class(re.compile(r"\bfanned\b"))
    expect(page.get_by_role("dialog")).to_have_count(0)
    stack.locator("[data-card='910'] button").tap()
    expect(page.get_by_role("dialog")).to_contain_text("Armory")


def places_of(bases: Locator) -> list[dict[str, float]]:
    found: list[dict[str, float]] = bases.evaluate_all(
        """(faces) => faces.map((face) => {
            const { x, y, width, height } = face.getBoundingClientRect();
            return { x, y, width, height };
        })"""
    )
    return found


@pytest.mark.parametrize("size", SIZES)
def test_bases_stay_where_they_are_during_a_turn(
    edit_table: EditTable, size: tuple[int, int]
) -> None:
    player, stage = edit_table(lambda shown: None, "easy", "easy")
    page = player.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.wait_for_timeout(300)
    faces = page.locator(".middle > .face")
    before = places_of(faces)

    def add(number: int, player: int) -> None:
        def edit(shown: Message) -> None:
            shown["view"]["bases"][0]["cards"].append(minion(900 + number, "Huffie", player))

        stage.show(edit)
        page.locator(f"[data-card='{900 + number}']").wait_for(state="attached")
        page.wait_for_timeout(50)

    for number, owner in enumerate((0, 0, 1, 2)):
        add(number, owner)
        for old, new in zip(before, places_of(faces), strict=True):
            assert all(abs(old[key] - new[key]) < 1 for key in old), (size, number, old, new)
    player.visitor.picture(f"bases-stay-{size[0]}")


def test_bases_stay_while_a_card_is_picked_up(start_game: StartGame) -> None:
    player = start_game()
    page = player.page
    player.visitor.page.set_viewport_size({"width": 1366, "height": 768})
    state = player.play_to_own_turn()
    faces = page.locator(".middle > .face")
    before = places_of(faces)
    player.click(state.of("hand")[0])
    page.wait_for_timeout(200)
    assert places_of(faces) == before
    page.keyboard.press("Escape")
    page.wait_for_timeout(200)
    assert places_of(faces) == before
