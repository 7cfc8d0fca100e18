"""Questions show their subject, who asks and why; pauses for Specials; titans to play."""

from __future__ import annotations

import re
from typing import Final

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import FACTIONS, EditTable, StartGame
from tests.browser.edited_table import Message, action, minion, sentence

SIZES: Final = [
    (1366, 768),
    pytest.param((1920, 1080), marks=pytest.mark.browser_full),
    pytest.param((1280, 720), marks=pytest.mark.browser_full),
    pytest.param((820, 1180), marks=pytest.mark.browser_full),
    (390, 844),
    pytest.param((844, 390), marks=pytest.mark.browser_full),
]


def ask_where_to_move(shown: Message) -> None:
    """Let a card of the bot at the second base ask where one of the player's minions goes."""
    view = shown["view"]
    first, second = view["bases"][:2]
    asker = minion(901, "Huffie", 1, 3)
    first["cards"].append(minion(902, "Space Prince", 0, 4))
    second["cards"].append(asker)
    view["decision"] = {
        "player": 0,
        "kind": "base",
        "question": sentence("Move it to which base?"),
        "source": asker,
        "subjects": [902],
        "reason": {"kind": "card_played", "card": {"id": 901, "name": "Huffie"}, "player": 1},
        "options": [
            {"index": at, "label": sentence("there"), "base": base["serial"]}
            for at, base in enumerate(view["bases"][1:])
        ],
    }


@pytest.mark.parametrize("size", SIZES)
def test_a_question_names_and_marks_its_subject(
    edit_table: EditTable, size: tuple[int, int]
) -> None:
    player, stage = edit_table(lambda shown: None)
    page = player.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    player.wait()
    stage.show(ask_where_to_move)
    first, second = (base["name"] for base in stage.view["bases"][:2])
    why = page.locator("[data-prompt] .why")
    expect(why.locator(".asker")).to_have_text(re.compile(rf"Huffie\s+Bot 2's, at {second}"))
    expect(why.locator(".reason")).to_have_text("because Bot 2 played Huffie")
    expect(why.locator(".subject")).to_have_text(
        re.compile(rf"About:\s+Space Prince\s+yours, at {first}")
    )
    expect(page.locator(".spot.asks")).to_have_attribute("data-card", "901")
    subject = page.locator(".spot.subject")
    expect(subject).to_have_attribute("data-card", "902")
    expect(subject).to_be_in_viewport(ratio=0.8)
    player.visitor.picture(f"subject-{size[0]}")


def ask_for_special(shown: Message) -> None:
    view = shown["view"]
    base = view["bases"][1]
    special = action(930, "Wormhole", 0)
    view["players"][0].update(hand=[special], hand_size=1)
    view["scoring"] = base["serial"]
    base.update(
        total=20, breakpoint=19, totals=[8, 12],
        places=[{"player": 1, "place": 1, "vp": 4}, {"player": 0, "place": 2, "vp": 2}],
    )  # fmt: skip
    base["cards"] += [minion(931, "Huffie", 1, 12), minion(932, "Space Prince", 0, 8)]
    view["decision"] = {
        "player": 0,
        "window": True,
        "purpose": "special_window",
        "kind": "move",
        "question": sentence("Play a Special, or pass?"),
        "reason": {"kind": "before_scoring", "player": 0, "base": base["serial"]},
        "options": [
            {"index": 0, "label": sentence("Play it"), "verb": "play", "card": special},
            {"index": 1, "label": sentence("Pass"), "verb": "pass"},
        ],
    }


@pytest.mark.parametrize("size", SIZES)
def test_a_pause_for_specials_tells_what_is_at_stake(
    edit_table: EditTable, size: tuple[int, int]
) -> None:
    player, stage = edit_table(lambda shown: None)
    page = player.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    player.wait()
    stage.show(ask_for_special)
    base = stage.view["bases"][1]
    window = page.locator("[data-window]")
    expect(window).to_contain_text(f"{base['name']} is about to score.")
    expect(window).to_contain_text("20/19")
    places = window.locator("li")
    expect(places.nth(0)).to_have_text(re.compile(r"1\.\s+Bot 2\s+12 power\s+\+4 VP"))
    expect(places.nth(1)).to_have_text(re.compile(r"2\.\s+You\s+8 power\s+\+2 VP"))
    expect(window).to_contain_text(re.compile(r"You can play:\s+Wormhole"))
    expect(window).to_contain_text("When everyone passes, the base scores like this.")
    expect(page.locator("[data-verb=pass]")).to_be_in_viewport(ratio=1)
    expect(page.locator(f"[data-base='{base['serial']}'] .middle > .face")).to_be_in_viewport(
        ratio=0.3
    )
    page.wait_for_timeout(500)
    player.visitor.picture(f"window-{size[0]}")

    stage.show(lambda shown: shown["view"]["decision"]["reason"].update(kind="after_scoring"))
    expect(window).to_contain_text(f"{base['name']} has scored.")
    expect(window).to_contain_text("the cards here are discarded and a new base comes")
    expect(places).to_have_count(0)


@pytest.mark.browser_full
def test_real_games_tell_why_they_ask(start_game: StartGame) -> None:
    """Over a whole game, every question of a card names that card, and every pause its base."""
    player = start_game()
    page = player.page
    player.play_to_own_turn()
    player.visitor.click("Table")
    page.get_by_text("Every time").click()
    page.wait_for_load_state("networkidle")
    page.keyboard.press("Escape")
    windows = askers = 0
    for _ in range(120):
        state = player.wait()
        if state.over:
            break
        if state.of("pass"):
            windows += page.locator("[data-window]").count()
        askers += page.locator("[data-prompt] .asker").count()
        player.act(state)
    assert windows > 0
    assert askers > 0


@pytest.mark.parametrize("size", SIZES)
def test_a_titan_is_offered_as_a_card(edit_table: EditTable, size: tuple[int, int]) -> None:
    def edit(shown: Message) -> None:
        view = shown["view"]
        titan = {"id": 940, "name": "Gorgodzolla", "type": "titan", "text": "", "owner": 0}
        view["players"][0]["aside"] = [titan]
        view["decision"]["options"] += [
            {"index": 90 + at, "label": sentence("Play it"), "verb": "play", "card": titan,
             "base": base["serial"]}
            for at, base in enumerate(view["bases"])
        ]  # fmt: skip

    player, _ = edit_table(edit)
    page = player.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    player.wait()
    titan = page.locator("[data-prompt]").get_by_role("button", name="Play the titan Gorgodzolla")
    expect(titan).to_be_visible()
    box = titan.bounding_box()
    assert box is not None
    assert box["width"] >= 32
    player.visitor.picture(f"titan-{size[0]}")
    titan.click()
    expect(page.locator("[data-prompt] .ask")).to_have_text("Play Gorgodzolla at which base?")
    expect(page.locator(".column.target")).to_have_count(3)


@pytest.mark.browser_full
def test_a_titan_is_played_from_the_prompt(start_game: StartGame) -> None:
    """In a real game with a faction that has a titan."""
    player = start_game(factions=("Kaiju", *FACTIONS[:1], *FACTIONS[1:3]))
    offer = player.page.locator("[data-prompt]").get_by_role(
        "button", name=re.compile("^Play the titan")
    )
    for _ in range(150):
        state = player.wait()
        if state.over or offer.count() > 0:
            break
        player.act(state)
    assert offer.count() > 0, "No titan could be played."
    offer.first.click()
    targets = player.page.locator(".column.target [data-spot^=base]")
    targets.first.click()
    expect(player.page.get_by_role("log")).to_contain_text("Gorgodzolla")


def offer_fusion_card(shown: Message) -> None:
    """Offer Pixie at each base as a minion, and as an action."""
    view = shown["view"]
    pixie = {
        "id": 940, "name": "Pixie", "type": "minion", "text": "", "owner": 0, "controller": 0,
        "printed_power": 2,
    }  # fmt: skip
    view["players"][0].update(hand=[pixie], hand_size=1)
    plays = [(sentence("Play {card} on {base}"), base["serial"]) for base in view["bases"]]
    view["decision"] = {
        "player": 0,
        "purpose": "play_menu",
        "kind": "move",
        "question": sentence("Play cards or end the turn"),
        "options": [
            *(
                {"index": at, "label": label, "verb": "play", "card": pixie, "base": base}
                for at, (label, base) in enumerate(plays)
            ),
            {
                "index": len(plays),
                "label": sentence("Play Pixie as an action"),
                "verb": "play",
                "card": pixie,
            },
            {"index": len(plays) + 1, "label": sentence("End the phase"), "verb": "done"},
        ],
    }


def test_a_fusion_card_goes_to_a_base_or_is_played_as_an_action(edit_table: EditTable) -> None:
    player, stage = edit_table(lambda shown: None)
    page = player.page
    player.wait()
    stage.show(offer_fusion_card)
    page.locator('[data-spot="card:940"]').click()
    for base in stage.view["bases"]:
        expect(page.locator(f'[data-spot="base:{base["serial"]}"]')).to_be_enabled()
    button = player.visitor.button(re.compile("as an action"))
    expect(button).to_be_visible()
    player.visitor.picture("fusion")


def offer_found_minions(shown: Message) -> None:
    """Let a card find two minions in the deck; each can be played at every base."""
    view = shown["view"]
    found = [
        {"id": 950 + at, "name": name, "type": "minion", "text": "", "owner": 0, "printed_power": 3}
        for at, name in enumerate(("Space Prince", "Star Lord"))
    ]
    plays = [(card, base) for card in found for base in view["bases"]]
    view["decision"] = {
        "player": 0,
        "purpose": "extra_play",
        "question": sentence("Play a minion?"),
        "options": [
            {"index": 0, "verb": "pass", "label": sentence("Pass")},
            *(
                {
                    "index": at,
                    "label": sentence(f"Play {card['name']} at {base['name']}"),
                    "verb": "play",
                    "base": base["serial"],
                    "card": card,
                }
                for at, (card, base) in enumerate(plays, 1)
            ),
        ],
    }


@pytest.mark.parametrize("phone", [False, True])
def test_a_card_from_a_deck_is_offered_once_and_then_its_bases(
    edit_table: EditTable, phone: bool
) -> None:
    player, stage = edit_table(lambda shown: None, phone=phone)
    page = player.page
    player.wait()
    stage.show(offer_found_minions)
    options = page.locator("[data-prompt] .option [data-choice]")
    expect(options).to_have_count(2)
    player.visitor.picture(f"found-{phone}")
    options.last.click()
    expect(page.locator("[data-prompt]")).to_contain_text("Play Star Lord at which base?")
    for base in stage.view["bases"]:
        expect(page.locator(f'[data-spot="base:{base["serial"]}"]').first).to_be_enabled()
    player.visitor.picture(f"found-place-{phone}")
    player.visitor.button("Cancel").click()
    expect(options).to_have_count(2)
