"""Prompts leave the table in view, and nothing covers a prompt or the numbers beside it."""

from __future__ import annotations

import re
from functools import partial
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import EditTable
from tests.browser.edited_table import EditedTable, Message, action, minion, sentence
from tests.browser.player import Player
from tests.browser.test_crowded_table import box_of
from tests.browser.test_layout import resize, visible_part

BOTS: Final = ("easy", "easy", "easy")
GRID: Final = [(x / 10, y / 10) for x in (1, 3, 5, 7, 9) for y in (1, 3, 5, 7, 9)]
NAMES: Final = (
    "Huffie", "Space Prince", "Clyde 2.0", "Baboom", "Cyberback", "Furious George",
    "Gorgodzolla", "Flying Monkey", "Going Bananas", "Wormhole",
)  # fmt: skip
LARGE: Final = [
    (1180, 820),
    pytest.param((1366, 768), marks=pytest.mark.browser_full),
    pytest.param((1280, 720), marks=pytest.mark.browser_full),
    pytest.param((1920, 1080), marks=pytest.mark.browser_full),
]


def open_table(
    edit_table: EditTable, size: tuple[int, int], *bots: str, phone: bool = False
) -> tuple[Player, EditedTable]:
    player, stage = edit_table(lambda shown: None, *(bots or BOTS), phone=phone)
    resize(player.page, *size)
    player.play_to_own_turn()
    return player, stage


def ask_for_faction(shown: Message) -> None:
    """Ask the player to name a faction, as Sea Dogs does."""
    view = shown["view"]
    factions = [faction for player in view["players"] for faction in player["factions"]]
    view["decision"] = {
        "player": 0,
        "purpose": "name_faction",
        "question": sentence("Move the minions of which faction?"),
        "source": action(920, "Wormhole", 0),
        "options": [
            {"index": at, "label": sentence(name), "faction": name}
            for at, name in enumerate(factions)
        ],
    }


@pytest.mark.parametrize(
    "size", [(1366, 768), (390, 844), pytest.param((844, 390), marks=pytest.mark.browser_full)]
)
def test_factions_are_offered_in_the_prompt(edit_table: EditTable, size: tuple[int, int]) -> None:
    player, stage = open_table(edit_table, size)
    stage.show(ask_for_faction)
    options = player.page.locator("[data-prompt] .options [data-choice]")
    expect(options).to_have_count(8)
    player.visitor.picture(f"name-faction-{size[0]}")
    for option in options.all():
        option.scroll_into_view_if_needed()
        box = box_of(option)
        for x, y in GRID:
            at = [box["x"] + box["width"] * x, box["y"] + box["height"] * y]
            hit = player.page.evaluate(
                "([x, y]) => document.elementFromPoint(x, y).dataset.option", at
            )
            assert hit == option.get_attribute("data-option"), (size, x, y)


@pytest.mark.parametrize("size", LARGE)
def test_a_card_in_hand_never_covers_the_prompt(
    edit_table: EditTable, size: tuple[int, int]
) -> None:
    """Neither while it is pointed at, nor once it is picked up."""
    player, _ = open_table(edit_table, size)
    page = player.page
    prompt = page.locator("[data-prompt]")
    for card in page.locator("[data-anchor^=hand] [data-choice]").all():
        box = box_of(card)
        page.mouse.move(box["x"] + 20, box["y"] + 20)
        page.wait_for_timeout(100)
        assert box_of(card)["y"] >= box_of(prompt)["y"] + box_of(prompt)["height"] - 1
    box = box_of(page.locator("[data-anchor^=hand] [data-choice]").first)
    page.mouse.click(box["x"] + 20, box["y"] + 20)
    cancel = prompt.get_by_role("button", name="Cancel")
    expect(cancel).to_be_visible()
    page.wait_for_timeout(300)
    player.visitor.picture(f"picked-up-{size[0]}")
    picked = box_of(page.locator("[data-anchor^=hand] .picked"))
    assert picked["y"] >= box_of(prompt)["y"] + box_of(prompt)["height"] - 4
    assert visible_part(page, cancel) == 1


def ask_about_opponents_minion(shown: Message) -> None:
    """Ask about an opponent's minion at the same base as the asking minion."""
    view = shown["view"]
    base = view["bases"][1]
    asker = minion(901, "Space Prince", 0, 3)
    base["cards"] = [minion(950, "Huffie", 3), minion(951, "Huffie", 3), asker]
    view["decision"] = {
        "player": 0,
        "purpose": "yes_no",
        "question": sentence("Discard as many cards as Huffie has power to destroy it?"),
        "source": asker,
        "subjects": [951],
        "options": [
            {"index": 0, "verb": "yes", "label": sentence("Yes")},
            {"index": 1, "verb": "no", "label": sentence("No")},
        ],
    }


def test_a_phone_shows_who_asks_and_about_whom(edit_table: EditTable) -> None:
    player, stage = open_table(edit_table, (390, 844), phone=True)
    stage.show(ask_about_opponents_minion)
    page = player.page
    expect(page.locator(".spot.subject")).to_have_count(1)
    page.wait_for_timeout(800)
    player.visitor.picture("asker-390")
    assert visible_part(page, page.locator(".spot.subject")) > 0.8
    assert visible_part(page, page.locator(".spot.asks")) > 0.3


def ask_at_length(own: bool, shown: Message, count: int = 6) -> None:
    """Ask a long question about the last of many minions of one player at a base."""
    view = shown["view"]
    cards = [minion(950 + at, "Huffie", 3) for at in range(count)]
    cards += [minion(960 + at, "Space Prince", 0, 3) for at in range(count)]
    view["bases"][1]["cards"] = cards
    view["decision"] = {
        "player": 0,
        "purpose": "yes_no",
        "question": sentence(
            "Discard as many cards as this minion has power to destroy it, and then draw as many"
            " cards as you have discarded, or one card for each base in play?"
        ),
        "source": cards[0 if own else -1],
        "subjects": [cards[-1 if own else 0]["id"]],
        "options": [
            {"index": 0, "verb": "yes", "label": sentence("Discard cards and destroy it")},
            {"index": 1, "verb": "no", "label": sentence("Leave it where it is")},
        ],
    }


@pytest.mark.parametrize("own", [True, False])
def test_the_card_in_question_is_whole_however_a_phone_is_held(
    edit_table: EditTable, own: bool
) -> None:
    """It stays so when the phone is turned in the middle of the question, and so do its buttons."""
    player, stage = open_table(edit_table, (390, 844), phone=True)
    page = player.page
    stage.show(partial(ask_at_length, own))
    subject = page.locator(".spot.subject")
    expect(subject).to_have_count(1)
    for size in ((390, 844), (844, 390), (390, 844), (844, 390)):
        resize(page, *size)
        page.wait_for_timeout(500)
        player.visitor.picture(f"in-question-{'own' if own else 'other'}-{size[0]}")
        assert visible_part(page, subject) > 0.95, size
        for answer in page.locator("[data-prompt] [data-option]").all():
            assert visible_part(page, answer) > 0.95, size


@pytest.mark.parametrize("own", [True, False])
def test_a_long_question_leaves_the_base_in_view_on_a_phone_held_sideways(
    edit_table: EditTable, own: bool
) -> None:
    player, stage = open_table(edit_table, (844, 390), phone=True)
    page = player.page
    stage.show(partial(ask_at_length, own, count=3))
    page.wait_for_timeout(500)
    player.visitor.picture(f"long-{'own' if own else 'other'}-844")
    base = page.locator(f"[data-base='{stage.view['bases'][1]['serial']}']")
    assert visible_part(page, base.locator(".middle > .face")) > 0.8
    assert visible_part(page, page.locator(".spot.subject")) > 0.95


def offer_cards(count: int, shown: Message) -> None:
    """Ask to pick any number of cards, beside one that is only looked at."""
    view = shown["view"]
    view["limbo"] = [minion(1300, "Cyberback", 0, 3)]
    view["decision"] = {
        "player": 0,
        "purpose": "target",
        "question": sentence("Which card do you take?"),
        "source": action(930, "Wormhole", 0),
        "min": 0,
        "max": count,
        "options": [
            *(
                {"index": at, "verb": "take", "card": minion(1200 + at, name, 0, 3),
                 "label": sentence(name)}
                for at, name in enumerate(NAMES[:count])
            ),
            {"index": count, "label": sentence("None"), "verb": "none"},
        ],
    }  # fmt: skip


@pytest.mark.parametrize("count", [4, 9])
@pytest.mark.parametrize("size", LARGE)
def test_options_take_little_more_height_than_their_cards(
    edit_table: EditTable, size: tuple[int, int], count: int
) -> None:
    player, stage = open_table(edit_table, size)
    page = player.page
    stage.show(partial(offer_cards, count))
    options = page.locator("[data-prompt] .options")
    options.locator("[data-choice]").nth(1).click()
    page.wait_for_timeout(300)
    player.visitor.picture(f"offer-{count}-{size[0]}")
    prompt = box_of(page.locator("[data-prompt]"))["height"]
    assert prompt - box_of(options)["height"] < (70 if size[0] > 1200 else 120)
    for button in page.locator("[data-prompt] button:not([data-option])").all():
        assert visible_part(page, button) == 1


def test_the_buttons_beside_confirm_stay_in_one_line_on_a_phone(edit_table: EditTable) -> None:
    player, stage = open_table(edit_table, (390, 844), phone=True)
    page = player.page
    stage.show(partial(offer_cards, 4), can_undo=True, hints=True)
    page.locator("[data-prompt] .options [data-choice]").nth(1).click()
    names = ("Confirm 1", "Show table", re.compile("All 5 options"), "Undo", "Hint")
    tops = {box_of(page.get_by_role("button", name=name))["y"] for name in names}
    assert max(tops) - min(tops) < 10
    player.visitor.picture("confirm-390")


def pause_for_specials(shown: Message) -> None:
    """Open a Specials window at a base where three players, including this one, have minions."""
    view = shown["view"]
    base = view["bases"][1]
    special = action(930, "Wormhole", 0)
    view["players"][0].update(hand=[special], hand_size=1)
    view["scoring"] = base["serial"]
    base.update(
        total=24, breakpoint=19, totals=[8, 12, 4, 0],
        places=[{"player": at, "place": place, "vp": 5 - place}
                for place, at in enumerate((1, 0, 2), 1)],
        cards=[minion(931, "Huffie", 1, 12), minion(932, "Space Prince", 0, 8),
               minion(933, "Huffie", 2, 4)],
    )  # fmt: skip
    view["decision"] = {
        "player": 0,
        "window": True,
        "purpose": "special_window",
        "question": sentence("Play a Special, or pass?"),
        "reason": {"kind": "before_scoring", "player": 0, "base": base["serial"]},
        "options": [
            {"index": 0, "label": sentence("Play it"), "verb": "play", "card": special},
            {"index": 1, "label": sentence("Pass"), "verb": "pass"},
        ],
    }


@pytest.mark.parametrize(
    "size", [(390, 844), pytest.param((844, 390), marks=pytest.mark.browser_full)]
)
def test_a_phone_shows_the_base_and_own_minions_before_scoring(
    edit_table: EditTable, size: tuple[int, int]
) -> None:
    player, stage = open_table(edit_table, size, phone=True)
    stage.show(pause_for_specials)
    page = player.page
    page.locator("[data-window]").wait_for()
    page.wait_for_timeout(800)
    player.visitor.picture(f"specials-four-{size[0]}")
    base = page.locator(f"[data-base='{stage.view['bases'][1]['serial']}']")
    assert visible_part(page, base.locator(".middle > .face")) > 0.8
    assert visible_part(page, base.locator(".own .tray")) > 0.6


def test_the_standings_before_scoring_show_whole_names(edit_table: EditTable) -> None:
    """French words are longer, and many phones are narrower than others."""
    player, stage = edit_table(lambda shown: None, *BOTS, phone=True, lang="fr")
    page = player.page
    resize(page, 360, 740)
    player.wait()
    stage.show(pause_for_specials)
    names = page.locator("[data-window] .name")
    expect(names).to_have_text(["Bot 2", "Vous", "Bot 3"])
    page.wait_for_timeout(300)
    player.visitor.picture("specials-360")
    assert names.evaluate_all("(all) => all.every((one) => one.scrollWidth <= one.clientWidth)")


def test_counts_of_a_player_are_not_covered(edit_table: EditTable) -> None:
    """Two-digit piles on a phone held sideways: emblems of the factions leave them room."""

    def edit(shown: Message) -> None:
        for player in shown["view"]["players"]:
            discard = [action(2000 + at, "Wormhole", player["index"]) for at in range(18)]
            player.update(hand_size=11, deck_size=20, discard=discard)

    player, _ = edit_table(edit, *BOTS, phone=True)
    page = player.page
    resize(page, 844, 390)
    player.play_to_own_turn()
    player.visitor.picture("counts-844")
    for panel in page.locator("aside .players > section").all():
        emblems = box_of(panel.locator(".emblems"))
        for count in panel.locator(".count").all():
            box = box_of(count)
            beside = box["x"] + box["width"] <= emblems["x"] + 1
            assert beside or box["y"] >= emblems["y"] + emblems["height"], "emblems cover a count"


# The words of the names on small cards that are broken over two lines.
BROKEN_WORDS: Final = """() =>
[...document.querySelectorAll(".chip .name > span, .hand .name")].flatMap((name) => {
    const text = document.createTreeWalker(name, NodeFilter.SHOW_TEXT).nextNode();
    return [...text.data.matchAll(/\\S+/g)].flatMap(({ 0: word, index }) => {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        return lines.size > 1 ? [word] : [];
    });
})"""


# Names on small cards whose letters begin above what is shown of them.
CUT_NAMES: Final = """() => [...document.querySelectorAll(".chip .name > span")]
    .filter((name) => {
        const letters = document.createRange();
        letters.selectNodeContents(name);
        return letters.getBoundingClientRect().top < name.getBoundingClientRect().top;
    })
    .map((name) => name.textContent)"""


def test_names_on_small_cards_break_between_words(edit_table: EditTable) -> None:
    names = ("Enchantress", "Unfathomable Goals", "Hypnotist", "Cyberevolution", "Space Prince")

    def edit(shown: Message) -> None:
        for number, base in enumerate(shown["view"]["bases"]):
            base["cards"] += [
                minion(900 + 100 * number + at, name, player)
                for at, name in enumerate(names)
                for player in (0, 1)
            ]
        player = shown["view"]["players"][0]
        player["hand"] = [action(3000 + at, name, 0) for at, name in enumerate(names)]
        player["aside"] = [
            {"id": 940, "name": "Gorgodzolla", "type": "titan", "text": "", "owner": 0}
        ]

    player, _ = edit_table(edit, *BOTS)
    page = player.page
    for size in ((1280, 720), (1366, 768), (1920, 1080), (844, 390)):
        resize(page, *size)
        page.wait_for_timeout(200)
        assert page.evaluate(BROKEN_WORDS) == [], size
        assert page.evaluate(CUT_NAMES) == [], size


@pytest.mark.parametrize("size", LARGE)
def test_buttons_line_up_with_the_one_that_ends_the_turn(
    edit_table: EditTable, size: tuple[int, int]
) -> None:
    player, stage = open_table(edit_table, size)
    for edit in (ask_about_opponents_minion, pause_for_specials):
        stage.show(edit)
        player.page.wait_for_timeout(300)
        middles = player.page.evaluate(
            """() => [...document.querySelectorAll("[data-prompt] .end-turn button, "
                + "[data-prompt] .buttons > button")].map((button) => {
                const { top, height } = button.getBoundingClientRect();
                return top + height / 2;
            })"""
        )
        assert max(middles) - min(middles) <= 8, middles


def hand_bottom(page: Page) -> float:
    bottoms: list[float] = page.locator("[data-anchor^=hand] li").evaluate_all(
        "(cards) => cards.map((card) => card.getBoundingClientRect().bottom)"
    )
    return max(bottoms)


def test_the_hand_stays_whole_on_a_large_screen(edit_table: EditTable) -> None:
    player, stage = open_table(edit_table, (1920, 1080))
    page = player.page
    page.mouse.move(2, 2)
    assert hand_bottom(page) <= 1080 + 12
    stage.show(ask_about_opponents_minion)
    page.wait_for_timeout(300)
    player.visitor.picture("hand-1920")
    assert hand_bottom(page) <= 1080 + 12


def test_panels_that_scroll_fade_at_the_edge(edit_table: EditTable) -> None:
    """A notice about many losses is not cut off in the middle of a line."""

    def own_minions(shown: Message) -> None:
        view = shown["view"]
        view["bases"][0]["cards"] += [minion(950 + at, name, 0) for at, name in enumerate(NAMES)]
        view.update(current=1, turn=8)
        view["decision"] = {"player": 1}

    player, stage = edit_table(own_minions, *BOTS)
    page = player.page
    resize(page, 1280, 720)
    page.locator("[data-card='950']").wait_for(state="attached")
    here = {"zone": "base", "base": stage.view["bases"][0]["serial"]}

    def destroy(shown: Message) -> None:
        shown["view"]["bases"][0]["cards"] = []

    stage.show(
        destroy,
        changes=[
            {
                "kind": "destroyed", "cards": [{"id": 950 + at, "name": name}], "by": 1,
                "cause": {"id": 955, "name": "Going Bananas"}, "origin": here,
                "to": {"zone": "discard", "player": 0},
            }
            for at, name in enumerate(NAMES)
        ],
    )  # fmt: skip
    expect(page.get_by_role("region", name="What happened to your cards")).to_be_visible()
    panels = page.locator("aside .panels")
    expect(panels).to_have_attribute("data-more-below", "")
    panels.evaluate("(panels) => panels.scrollTo({ top: panels.scrollHeight })")
    expect(panels).not_to_have_attribute("data-more-below", "")
    expect(panels).to_have_attribute("data-more-above", "")


@pytest.mark.parametrize("size", [*LARGE, (820, 1180)])
def test_an_empty_hand_leaves_the_prompt_where_it_is(
    edit_table: EditTable, size: tuple[int, int]
) -> None:
    player, stage = open_table(edit_table, size)
    page = player.page
    button = page.locator("[data-prompt] .end-turn button")
    before = box_of(button)

    def play_last_card(shown: Message) -> None:
        view = shown["view"]
        view["players"][0].update(hand=[], hand_size=0)
        options = view["decision"]["options"]
        view["decision"]["options"] = [one for one in options if one.get("verb") == "done"]

    stage.show(play_last_card)
    expect(page.get_by_text("Your hand is empty.")).to_be_visible()
    page.wait_for_timeout(300)
    player.visitor.picture(f"empty-hand-{size[0]}")
    assert visible_part(page, button) == 1
    assert box_of(button)["y"] == pytest.approx(before["y"], abs=1)
