"""Ten minions of the player at one base, four players: what stays in view during any question."""

from __future__ import annotations

from typing import Any, Final

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

from tests.browser.conftest import EditTable
from tests.browser.edited_table import EditedTable, Message, minion, name_of, sentence
from tests.browser.player import Player
from tests.browser.test_layout import visible_part

SIZES: Final = [
    (1280, 720),
    pytest.param((1366, 768), marks=pytest.mark.browser_full),
    pytest.param((1920, 1080), marks=pytest.mark.browser_full),
    pytest.param((1180, 820), marks=pytest.mark.browser_full),
]
NAMES: Final = ("Huffie", "Space Prince", "Clyde 2.0")
BOTS: Final = ("easy", "easy", "easy")
CAUSE: Final = {"id": 955, "name": "Going Bananas"}


def crowd(shown: Message) -> None:
    """Put ten minions of the player and two of every opponent at the second base."""
    base = shown["view"]["bases"][1]
    own = [minion(900 + at, NAMES[at % 3], 0, 2 + at % 3) for at in range(10)]
    others = [
        minion(1000 + 10 * player + at, "Huffie", player) for player in (1, 2, 3) for at in (0, 1)
    ]
    base["cards"] += own + others


def open_crowd(edit_table: EditTable, size: tuple[int, int]) -> tuple[Player, EditedTable]:
    player, stage = edit_table(crowd, *BOTS)
    player.page.set_viewport_size({"width": size[0], "height": size[1]})
    player.play_to_own_turn()
    player.page.wait_for_timeout(300)
    return player, stage


def ask(stage: EditedTable, **decision: Any) -> None:
    """Show another decision about one of the ten minions."""

    def edit(shown: Message) -> None:
        view = shown["view"]
        view["decision"] = {
            "player": 0,
            "purpose": "yes_no",
            "source": {"id": 901, "name": "Space Prince", "type": "minion", "text": ""},
            "reason": {"kind": "before_scoring", "base": view["bases"][1]["serial"]},
            **decision,
        }

    stage.show(edit)


def ask_at_length(stage: EditedTable) -> None:
    question = sentence("Discard a card to give this minion +2 power until the end of the turn?")
    asker = name_of("card", 901, "Space Prince (Player 1, Special used)")
    ask(
        stage,
        question=sentence("{asker}: {question}", asker=asker, question=question),
        options=[
            {"index": 0, "verb": "yes", "label": sentence("Yes")},
            {"index": 1, "verb": "no", "label": sentence("Keep it for later this turn")},
        ],
    )


def ask_with_cards(stage: EditedTable) -> None:
    cards = [
        {"id": 1200 + at, "name": NAMES[at % 3], "type": "minion", "text": "", "printed_power": 3}
        for at in range(8)
    ]
    ask(
        stage,
        purpose="target",
        question=sentence("Which card do you take?"),
        options=[
            {"index": at, "verb": "take", "card": card, "label": sentence(str(card["name"]))}
            for at, card in enumerate(cards)
        ],
    )


def face_tops(page: Page) -> list[float]:
    tops: list[float] = page.locator(".middle > .face").evaluate_all(
        "(faces) => faces.map((face) => face.getBoundingClientRect().top)"
    )
    return tops


def box_of(what: Locator) -> FloatRect:
    box = what.bounding_box()
    assert box is not None
    return box


def overlap(one: FloatRect, other: FloatRect) -> bool:
    return (
        one["x"] < other["x"] + other["width"] - 1
        and other["x"] < one["x"] + one["width"] - 1
        and one["y"] < other["y"] + other["height"] - 1
        and other["y"] < one["y"] + one["height"] - 1
    )


@pytest.mark.parametrize("size", SIZES)
def test_the_base_and_the_players_minions_stay_in_view(
    edit_table: EditTable, size: tuple[int, int]
) -> None:
    player, stage = open_crowd(edit_table, size)
    page = player.page
    base = page.locator("[data-base]").nth(1)
    own = base.locator(".own .tray")
    for ask_now in (None, ask_at_length, ask_with_cards):
        if ask_now is not None:
            ask_now(stage)
            page.wait_for_timeout(400)
        player.visitor.picture(f"crowd-{size[0]}-{getattr(ask_now, '__name__', 'menu')}")
        assert visible_part(page, base.locator(".middle > .face")) > 0.8, ask_now
        assert visible_part(page, own) > 0.8, ask_now


def share_a_base(shown: Message) -> None:
    """Put three minions of the player and two of each of two opponents at the second base."""
    own = [minion(900 + at, NAMES[at], 0, 2 + at) for at in range(3)]
    others = [
        minion(1000 + 10 * player + at, "Huffie", player) for player in (1, 2) for at in (0, 1)
    ]
    shown["view"]["bases"][1]["cards"] += own + others


def face_boxes(page: Page) -> list[list[int]]:
    boxes: list[list[int]] = page.locator(".middle > .face").evaluate_all(
        "(faces) => faces.map((face) => { const { x, y, width } = face.getBoundingClientRect();"
        " return [x, y, width].map(Math.round); })"
    )
    return boxes


@pytest.mark.parametrize(
    "size", [(1366, 768), pytest.param((1280, 720), marks=pytest.mark.browser_full)]
)
def test_bases_keep_their_size_after_a_question_with_cards(
    edit_table: EditTable, size: tuple[int, int]
) -> None:
    """All of a base that three players share is in view before and after the question."""
    player, stage = edit_table(share_a_base, "easy", "easy")
    page = player.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    player.play_to_own_turn()
    page.wait_for_timeout(300)
    before = face_boxes(page)
    menu = stage.view["decision"]
    hidden = page.get_by_role("button", name="Scroll up")
    expect(hidden).to_have_count(0)
    for _ in range(2):
        ask_with_cards(stage)
        page.wait_for_timeout(400)
        assert [(x, width) for x, _, width in face_boxes(page)] == [
            (x, width) for x, _, width in before
        ]
        stage.show(lambda shown: shown["view"].update(decision=menu))
        page.wait_for_timeout(400)
        assert face_boxes(page) == before
    player.visitor.picture(f"after-question-{size[0]}")
    expect(hidden).to_have_count(0)


@pytest.mark.parametrize("size", SIZES)
def test_bases_stay_in_place_whatever_is_asked(
    edit_table: EditTable, size: tuple[int, int]
) -> None:
    player, stage = edit_table(lambda shown: None, *BOTS)
    page = player.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    player.play_to_own_turn()
    page.wait_for_timeout(300)
    before = face_tops(page)
    for ask_now in (ask_at_length, ask_with_cards):
        ask_now(stage)
        page.wait_for_timeout(400)
        assert face_tops(page) == pytest.approx(before, abs=1), ask_now


def test_a_question_does_not_repeat_the_card_that_asks(edit_table: EditTable) -> None:
    player, stage = open_crowd(edit_table, (1280, 720))
    ask_at_length(stage)
    prompt = player.page.locator("[data-prompt]")
    prompt.get_by_text("Discard a card to give this minion").wait_for()
    assert "Special used" not in prompt.inner_text()
    assert prompt.inner_text().count("Space Prince") <= 2, "the chip and the link"


def lose_cards(stage: EditedTable) -> None:
    """Let an opponent destroy two of the player's minions, and a base score."""

    def edit(shown: Message) -> None:
        base = shown["view"]["bases"][1]
        base["cards"] = [card for card in base["cards"] if card["id"] not in (900, 901)]

    base = stage.view["bases"][1]
    places = [{"player": at, "place": at + 1, "vp": 3 - at, "power": 9 - at} for at in range(3)]
    gone = [
        {
            "kind": "destroyed", "cards": [{"id": 900 + at, "name": NAMES[at]}], "by": 1,
            "cause": CAUSE, "origin": {"zone": "base", "base": base["serial"]},
            "to": {"zone": "discard", "player": 0},
        }
        for at in (0, 1)
    ]  # fmt: skip
    scored = {"kind": "scored", "base": stage.view["bases"][0]["serial"], "places": places}
    stage.show(edit, changes=[*gone, scored])


@pytest.mark.parametrize("size", [*SIZES, (844, 390)])
def test_news_leave_room_for_the_log_and_the_cards(
    edit_table: EditTable, size: tuple[int, int]
) -> None:
    player, stage = open_crowd(edit_table, size)
    page = player.page
    lose_cards(stage)
    mark = page.get_by_role("button", name="Seen: Huffie, Space Prince")
    mark.wait_for()
    page.wait_for_timeout(300)
    player.visitor.picture(f"news-{size[0]}")
    for card in page.locator("[data-base] .played .spot").all():
        assert not overlap(box_of(mark), box_of(card)), "the mark covers a card"
    for panel in page.locator("aside .players > section").all():
        assert visible_part(page, panel) > 0.9, "news cover a player"
    names = page.locator(".news.score .name")
    assert names.evaluate_all("(all) => all.every((one) => one.scrollWidth <= one.clientWidth)")
    if size[1] > 500:
        assert page.locator("[role=log]").evaluate("(log) => log.clientHeight") >= 75


def test_a_phone_turns_to_the_base_in_question(edit_table: EditTable) -> None:
    player, stage = edit_table(crowd, *BOTS, phone=True)
    player.play_to_own_turn()
    ask_at_length(stage)
    face = player.page.locator("[data-base]").nth(1).locator(".middle > .face")
    player.page.wait_for_timeout(800)
    player.visitor.picture("crowd-phone")
    assert visible_part(player.page, face) > 0.8


def test_the_whole_panel_chooses_a_player(edit_table: EditTable) -> None:
    player, stage = open_crowd(edit_table, (820, 1180))
    page = player.page
    ask(
        stage,
        purpose="choose_player",
        question=sentence("Into whose hand?"),
        options=[
            {"index": at - 1, "verb": "choose", "player": at, "label": sentence(f"Bot {at + 1}")}
            for at in (1, 2, 3)
        ],
    )
    button = page.locator("button[data-spot='player:2']")
    button.wait_for()
    panel = box_of(page.locator("aside .players > section").nth(2))
    for across, down in ((0.1, 0.2), (0.5, 0.8), (0.9, 0.5)):
        x, y = panel["x"] + panel["width"] * across, panel["y"] + panel["height"] * down
        hit = page.evaluate(
            "([x, y]) => document.elementFromPoint(x, y).closest('button')?.dataset.spot", [x, y]
        )
        assert hit == "player:2"


def ask_about_the_last_base(stage: EditedTable) -> None:
    """Open a Specials window with a long text, at a base of the second row."""

    def edit(shown: Message) -> None:
        view = shown["view"]
        hand = view["players"][0]["hand"][0]
        view["decision"] = {
            "player": 0,
            "purpose": "special_window",
            "question": sentence("Play a Special, or pass?"),
            "reason": {"kind": "before_scoring", "base": view["bases"][-1]["serial"]},
            "options": [
                {"index": 0, "verb": "pass", "label": sentence("Pass")},
                {"index": 1, "verb": "play", "card": hand, "label": sentence("Play it")},
            ],
        }

    stage.show(edit)


def test_a_phone_held_sideways_shows_options_and_bases(edit_table: EditTable) -> None:
    """Cards to play, each with the place where it would go."""
    player, stage = open_crowd(edit_table, (844, 390))
    page = player.page
    card = {"id": 1200, "name": "Armory", "type": "action", "text": "", "owner": 0}
    where = "Play Armory on White Magicat at Neutral Space, as an extra action"
    ask(
        stage,
        purpose="extra_play",
        question=sentence("Play Armory?"),
        options=[
            {"index": 0, "verb": "pass", "label": sentence("Pass")},
            *(
                {"index": at, "verb": "play", "card": card, "label": sentence(where)}
                for at in (1, 2, 3)
            ),
        ],
    )
    page.wait_for_timeout(400)
    player.visitor.picture("options-844")
    prompt = box_of(page.locator("[data-prompt]"))
    assert prompt["y"] >= 100, "nothing is left of the bases"
    assert prompt["y"] + prompt["height"] <= 391
    hit = page.locator("[data-prompt] .option [data-choice]").first
    assert visible_part(page, hit) > 0.8


def test_an_upright_tablet_scrolls_to_the_base_in_question(edit_table: EditTable) -> None:
    player, stage = open_crowd(edit_table, (820, 1180))
    ask_about_the_last_base(stage)
    player.page.wait_for_timeout(400)
    player.visitor.picture("crowd-820-question")
    face = player.page.locator("[data-base]").last.locator(".middle > .face")
    assert visible_part(player.page, face) > 0.8


def test_a_card_below_the_edge_is_picked_up_where_it_is_touched(edit_table: EditTable) -> None:
    """The card rises under the finger, and the finger still meets it."""
    player, stage = edit_table(lambda shown: None, *BOTS, phone=True)
    page = player.page
    page.set_viewport_size({"width": 820, "height": 1180})
    player.play_to_own_turn()
    ask_about_the_last_base(stage)
    page.locator("[data-window]").wait_for()
    page.wait_for_timeout(400)
    box = box_of(page.locator("[data-anchor^=hand] [data-choice]").first)
    page.touchscreen.tap(box["x"] + box["width"] / 2, 1180 - 4)
    page.locator("[data-prompt]").get_by_role("button", name="Cancel").wait_for()
