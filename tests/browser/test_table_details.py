"""Regression tests of details at the table: names, ranks, markers, plurals, bubbles."""

from __future__ import annotations

import time
from typing import Any, Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import EditTable, OpenBrowser, StartGame
from tests.browser.edited_table import Message, action, name_of, sentence
from tests.browser.live_server import CreatedTable, LiveServer

LONG_NAMES: Final = ("Alexandrina", "Bartholomew", "Christopher", "Wilhelmina")
POINTS: Final = (15, 12, 12, 3)


def resize(page: Page, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_timeout(200)


def with_points(*points: int) -> Any:
    def edit(shown: Message) -> None:
        for player, vp in zip(shown["view"]["players"], points, strict=True):
            player["vp"] = vp

    return edit


def show_end_of_game(shown: Message) -> None:
    with_points(*POINTS)(shown)
    shown["view"].update(over=True, winners=[0], decision=None, phase="over")
    shown["table"].update(state="over", winners=[0])


def test_the_result_waits_for_the_last_base_and_equal_points_share_a_place(
    edit_table: EditTable,
) -> None:
    player, stage = edit_table(lambda shown: None, "easy", "easy", "easy", motion="normal")
    player.wait()
    base = stage.view["bases"][0]
    number = 1000
    scores = sentence(
        "{base} scores: {total} power, breakpoint {breakpoint}.",
        base=name_of("base", base["serial"], base["name"]), total=20, breakpoint=20,
    )  # fmt: skip
    stage.show(
        show_end_of_game, lines=[{"number": number, "event": "base_scoring", "message": scores}]
    )
    expect(player.page.get_by_role("log")).to_contain_text(f"{base['name']} scores")
    dialog = player.page.get_by_role("dialog")
    player.page.wait_for_timeout(300)
    expect(dialog).to_have_count(0)
    expect(dialog.locator(".result")).to_be_visible(timeout=6000)
    assert dialog.locator(".place").all_inner_texts() == ["", "2", "2", "4"]
    player.visitor.picture("equal-points")


@pytest.mark.parametrize(
    "size",
    [
        (820, 1180),
        (390, 844),
        *(
            pytest.param(size, marks=pytest.mark.browser_full)
            for size in ((1366, 768), (1280, 720), (844, 390))
        ),
    ],
)
def test_names_are_complete_at_ten_points(edit_table: EditTable, size: tuple[int, int]) -> None:
    def edit(shown: Message) -> None:
        with_points(10, 12, 14, 11)(shown)
        for seat, name in zip(shown["table"]["seats"], LONG_NAMES, strict=True):
            seat["name"] = name

    player, _ = edit_table(edit, "easy", "easy", "easy")
    resize(player.page, *size)
    names = player.page.locator(".panel .name")
    expect(names).to_have_count(4)
    cut: list[str] = names.evaluate_all(
        """names => names.filter((name) => {
            const words = document.createRange();
            words.selectNodeContents(name.firstChild);
            const isBroken = words.getClientRects().length > 1;
            return isBroken || name.scrollWidth > name.clientWidth;
        }).map((name) => name.innerText)"""
    )
    player.visitor.picture(f"names-{size[0]}")
    assert cut == []


def test_numbers_have_the_right_plural(edit_table: EditTable) -> None:
    def edit(shown: Message) -> None:
        view = shown["view"]
        one = {"kind": "minion", "count": 1, "normal": True, "source": None, "notes": []}
        view["plays"] = [one, {**one, "kind": "action", "count": 2, "normal": False}]
        view["players"][0].update(deck_size=1, discard=[])

    player, _ = edit_table(edit)
    prompt = player.page.locator("[data-prompt]")
    expect(prompt).to_contain_text("1 minion")
    expect(prompt).not_to_contain_text("1 minions")
    expect(prompt).to_contain_text("2 extra actions")
    expect(player.visitor.button("Deck list of Player 1: 1 card in the deck")).to_be_visible()
    expect(player.visitor.button("Discard pile of Player 1: 0 cards")).to_be_visible()
    player.visitor.picture("plurals")


def give_eh_card(shown: Message) -> None:
    """Give the player one action in hand that is not played at a base."""
    view = shown["view"]
    card = action(900, "Eh?", 0)
    view["players"][0].update(hand=[card], hand_size=1)
    done = {"index": 1, "label": sentence("End turn"), "verb": "done"}
    play = {"index": 0, "label": sentence("Play {card}", card=name_of("card", 900, "Eh?"))}
    view["decision"]["options"] = [{**play, "verb": "play", "card": card}, done]


@pytest.mark.parametrize("size", [(1366, 768), (390, 844)])
def test_a_card_without_a_place_is_confirmed(edit_table: EditTable, size: tuple[int, int]) -> None:
    """Its prompt is a question and does not mention highlighted places on the table."""
    player, _ = edit_table(give_eh_card)
    resize(player.page, *size)
    player.click(player.wait().of("hand")[0])
    prompt = player.page.locator("[data-prompt]")
    expect(prompt.locator(".ask")).to_have_text("Play Eh?")
    expect(prompt).to_contain_text("Confirm, or put the card back.")
    expect(prompt).not_to_contain_text("highlighted")
    expect(player.visitor.button("Play it")).to_be_visible()
    player.visitor.picture(f"no-place-{size[0]}")


def test_a_card_with_a_place_highlights_it(start_game: StartGame) -> None:
    player = start_game()
    minions = [card for card in player.play_to_own_turn().of("hand") if "power" in card.name]
    player.click(minions[0])
    expect(player.page.locator("[data-prompt]")).to_contain_text("Choose a highlighted spot")
    assert player.page.locator(".column.target").count() > 0


@pytest.mark.browser_full
def test_late_spectators_see_no_old_chat_bubbles(
    open_browser: OpenBrowser, server: LiveServer
) -> None:
    table = server.create_table(
        "me", "me", factions=("Kaiju", "Astroknights", "Ignobles", "Cyborg Apes")
    )
    speaker, listener = (open_browser(CreatedTable(table.id, [seat])) for seat in table.seats)
    for visitor in (speaker, listener):
        visitor.open(f"/table/{table.id}")
    speaker.click("Chat")
    speaker.page.get_by_role("textbox").fill("Hello there")
    speaker.page.keyboard.press("Enter")
    bubble = listener.page.locator(".bubble")
    expect(bubble).to_contain_text("Hello there")
    listener.picture("chat-bubble")

    late = open_browser()
    late.open(f"/table/{table.id}")
    expect(late.button("Chat, 1 unread")).to_be_visible()
    end = time.monotonic() + 0.5
    while time.monotonic() < end:
        assert late.page.locator(".bubble").count() == 0
        late.page.wait_for_timeout(50)


@pytest.mark.browser_full
def test_the_home_page_names_the_bot(open_browser: OpenBrowser, server: LiveServer) -> None:
    table = server.create_table("me", "easy")
    visitor = open_browser(table)
    visitor.open()
    expect(visitor.page.get_by_role("link", name="Against Bot 2")).to_be_visible()

    # The bot of a quick game has no name of its own on the server.
    quick = open_browser(name="Ann")
    quick.open()
    quick.click("Play now")
    quick.page.wait_for_url("**/table/*")
    quick.open()
    expect(quick.page.get_by_role("link", name="Against Sprocket")).to_be_visible()
    quick.picture("home-against")


def boxes(what: Locator) -> list[dict[str, float]]:
    found: list[dict[str, float]] = what.evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().toJSON())"
    )
    return found


@pytest.mark.parametrize(
    "points",
    [(0, 0, 0, 0), (0, 0, 1, 1), pytest.param((15, 15, 7, 7), marks=pytest.mark.browser_full)],
)
def test_markers_on_the_track_are_whole_on_a_phone(
    edit_table: EditTable, points: tuple[int, ...]
) -> None:
    player, _ = edit_table(with_points(*points), "easy", "easy", "easy", phone=True)
    marks = player.page.locator(".track .pawn svg")
    expect(marks).to_have_count(4)
    (track,) = boxes(player.page.locator(".track"))
    player.visitor.picture(f"track-{points[0]}-{points[2]}")
    for mark in boxes(marks):
        assert mark["top"] >= track["top"]
        assert mark["bottom"] <= track["bottom"]
        assert mark["left"] >= track["left"] + 2
        assert mark["right"] <= track["right"] - 2


@pytest.mark.browser_full
@pytest.mark.parametrize("size", [(1366, 768), (390, 844)])
def test_breakpoint_stars_are_whole_in_the_card_browser(
    open_browser: OpenBrowser, size: tuple[int, int]
) -> None:
    visitor = open_browser()
    visitor.open("/cards?type=base")
    resize(visitor.page, *size)
    star = visitor.page.locator("main li.base .breakpoint .disc").first
    star.scroll_into_view_if_needed()
    visitor.picture(f"stars-{size[0]}")
    # It stands out of its item, which is clipped: by less than the margin of the clip.
    beyond, margin = star.evaluate(
        """(star) => {
            const item = star.closest("li");
            const [inner, outer] = [star.getBoundingClientRect(), item.getBoundingClientRect()];
            return [
                Math.max(outer.top - inner.top, outer.left - inner.left),
                parseFloat(getComputedStyle(item).overflowClipMargin),
            ];
        }"""
    )
    assert 0 < beyond < margin
