"""Notices: how a base scored, and what other players did to the player's cards."""

from __future__ import annotations

import re
from typing import Any, Final

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import EditTable, StartGame
from tests.browser.edited_table import EditedTable, Message, minion, name_of, sentence
from tests.browser.test_layout import CROWD, visible_part

SIZES: Final = [
    (1366, 768),
    pytest.param((1920, 1080), marks=pytest.mark.browser_full),
    pytest.param((1280, 720), marks=pytest.mark.browser_full),
    pytest.param((820, 1180), marks=pytest.mark.browser_full),
    (390, 844),
    pytest.param((844, 390), marks=pytest.mark.browser_full),
]
CAUSE: Final = {"id": 955, "name": "Going Bananas"}


def own_minions(shown: Message) -> None:
    """Put three minions of the player at the first base, on the bot's turn."""
    view = shown["view"]
    names = ("Huffie", "Space Prince", "Clyde 2.0")
    view["bases"][0]["cards"] += [minion(950 + at, name, 0) for at, name in enumerate(names)]
    view.update(current=1, turn=8)
    view["decision"] = {"player": 1}


def attack_minions(stage: EditedTable) -> None:
    """Let the bot destroy one of them, move another and take control of the third."""

    def edit(shown: Message) -> None:
        first, second = shown["view"]["bases"][:2]
        _, moved, taken = first["cards"]
        first["cards"] = [{**taken, "controller": 1}]
        second["cards"] += [moved]

    serials = [base["serial"] for base in stage.view["bases"]]
    here, there = ({"zone": "base", "base": serial} for serial in serials[:2])

    def change(kind: str, id: int, name: str, **more: Any) -> Message:
        return {"kind": kind, "cards": [{"id": id, "name": name}], "by": 1, "cause": CAUSE, **more}

    line = sentence(
        "{cause} destroys {card}.",
        cause=name_of("card", 955, "Going Bananas"), card=name_of("card", 950, "Huffie"),
    )  # fmt: skip
    stage.show(
        edit,
        changes=[
            change("destroyed", 950, "Huffie", origin=here, to={"zone": "discard", "player": 0}),
            change("moved", 951, "Space Prince", origin=here, to=there),
            change("control", 952, "Clyde 2.0", player=1),
        ],
        lines=[{"number": 1000, "event": "card_leaves_play.destroyed", "message": line}],
    )


@pytest.mark.parametrize("size", SIZES)
def test_what_others_did_stays_marked_until_seen(
    edit_table: EditTable, size: tuple[int, int]
) -> None:
    player, stage = edit_table(own_minions)
    page = player.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.locator("[data-card='950']").wait_for(state="attached")
    attack_minions(stage)
    panel = page.get_by_role("region", name="What happened to your cards")
    expect(panel.locator("li")).to_have_text(
        [
            re.compile(r"Huffie\s+destroyed\s+\(\W*Bot 2, Going Bananas\)"),
            re.compile(r"Space Prince\s+moved\s+\(\W*Bot 2, Going Bananas\)"),
            re.compile(r"Clyde 2.0\s+control taken\s+\(\W*Bot 2, Going Bananas\)"),
        ]
    )
    assert visible_part(page, panel.locator("li").first) > 0.8
    # On the table: the two that are left, and a note where the other one was.
    for card in (951, 952):
        expect(page.locator(f"[data-card='{card}'] .loss")).to_have_count(1)
    gone = page.get_by_role("button", name="Seen: Huffie")
    expect(gone).to_be_visible()
    player.visitor.picture(f"losses-{size[0]}")

    # On the player's turn, all notices are still there.
    stage.show(lambda shown: shown["view"].update(current=0, turn=9))
    expect(panel.locator("li")).to_have_count(3)
    gone.click()
    expect(panel.locator("li")).to_have_count(2)
    panel.get_by_role("button", name="Got it").click()
    expect(panel).to_have_count(0)
    expect(page.locator(".loss")).to_have_count(0)


def test_losses_that_read_the_same_are_counted(edit_table: EditTable) -> None:
    """Five cards discarded by one card take one line, not five."""
    player, stage = edit_table(own_minions)
    page = player.page
    page.locator("[data-card='950']").wait_for(state="attached")
    stage.show(
        lambda shown: None,
        changes=[
            {
                "kind": "discarded", "cards": [{"id": 980 + at, "name": "Madness"}], "by": 1,
                "cause": CAUSE, "origin": {"zone": "hand", "player": 0},
                "to": {"zone": "discard", "player": 0},
            }
            for at in range(5)
        ],
    )  # fmt: skip
    panel = page.get_by_role("region", name="What happened to your cards")
    expect(panel.locator("li")).to_have_text(
        [re.compile(r"5\s×\s+Madness\s+discarded\s+\(\W*Bot 2, Going Bananas\)")]
    )
    panel.get_by_role("button", name="Got it").click()
    expect(panel).to_have_count(0)


def test_losses_are_marked_in_the_log(edit_table: EditTable) -> None:
    player, stage = edit_table(own_minions)
    page = player.page
    page.locator("[data-card='950']").wait_for(state="attached")
    attack_minions(stage)
    marked = page.locator("[role=log] .struck")
    expect(marked).to_have_text(re.compile("Going Bananas destroys Huffie"))
    player.visitor.click("Got it")
    expect(marked).to_have_count(0)


@pytest.mark.parametrize("size", SIZES)
def test_a_scored_base_is_summed_up(edit_table: EditTable, size: tuple[int, int]) -> None:
    player, stage = edit_table(lambda shown: None, "easy", "easy", "easy")
    page = player.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    player.wait()
    base = stage.view["bases"][0]
    stage.show(lambda shown: shown["view"].update(scoring=base["serial"]))
    places = [
        {"player": 2, "place": 1, "vp": 4, "power": 12},
        {"player": 0, "place": 2, "vp": 2, "power": 8},
        {"player": 3, "place": 3, "vp": 1, "power": 3},
    ]
    bonus = {"kind": "vp", "player": 0, "amount": 1, "cause": CAUSE}
    own = {"kind": "vp", "player": 2, "amount": 2, "cause": {"id": 9, "name": base["name"]}}
    stage.show(
        lambda shown: None,
        changes=[{"kind": "scored", "base": base["serial"], "places": places}, bonus, own],
    )
    panel = page.get_by_role("region", name=f"How {base['name']} scored")
    expect(panel.locator("li")).to_have_text(
        [
            re.compile(r"1\.\s+Bot 3\s+12 power\s+\+4 VP"),
            re.compile(r"2\.\s+You\s+8 power\s+\+2 VP"),
            re.compile(r"3\.\s+Bot 4\s+3 power\s+\+1 VP"),
            re.compile(r"You\s+Going Bananas\s+\+1 VP"),
            re.compile(r"Bot 3\s+ability of the base\s+\+2 VP"),
        ]
    )
    assert visible_part(page, panel.locator("li").first) > 0.8
    player.visitor.picture(f"score-{size[0]}")
    panel.get_by_role("button", name="Dismiss").click()
    expect(panel).to_have_count(0)


@pytest.mark.browser_full
def test_a_real_game_sums_up_its_bases(start_game: StartGame) -> None:
    player = start_game()
    panel = player.page.locator(".news.score")
    for _ in range(200):
        state = player.wait()
        if panel.count() > 0 or state.over:
            break
        player.act(state)
    expect(panel.first.locator("li").first).to_have_text(
        re.compile(r"1\.\s+(You|Bot 2)\s+\d+ power\s+\+\d VP")
    )


@pytest.mark.parametrize("size", [(1280, 720), (820, 1180), (390, 844)])
@pytest.mark.browser_full
def test_the_recap_fits_four_players(start_game: StartGame, size: tuple[int, int]) -> None:
    player = start_game("easy", "easy", "easy", factions=CROWD, warned=False)
    page = player.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    player.end_turn()
    player.play_to_own_turn()
    if size[0] < 768:
        page.get_by_role("button", name=re.compile("^Since your last turn")).click()
    names = page.locator(".recap .who")
    expect(names).to_have_count(3)
    player.visitor.picture(f"recap-{size[0]}")
    for number in range(3):
        assert visible_part(page, names.nth(number)) > 0.8, number


def test_players_are_told_that_the_rules_changed(edit_table: EditTable) -> None:
    notice = "The rules have changed since this game began. It continues from its last play menu."

    def change_rules(shown: Message) -> None:
        shown["table"]["notice"] = sentence(notice)

    player, _ = edit_table(change_rules)
    expect(player.page.get_by_role("alert").filter(has_text=notice)).to_be_visible()
