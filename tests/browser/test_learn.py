"""Learning: the first game with its coach, the rules behind prompts and lines, rules and cards."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

from tests.browser.axe import find_violations
from tests.browser.conftest import OpenBrowser, StartGame
from tests.browser.visitor import Visitor

FIRST_BUTTON = {"en": "Play my first game", "fr": "Jouer ma première partie"}
LAST_BUTTON = {"en": "Play your first real game", "fr": "Jouer votre première vraie partie"}
MAX_STEPS = 120
"""Clicks after which a lesson should be over."""


def _follow_the_coach(page: Page, until: str) -> list[str]:
    """Do what the coach says until a selector appears; return the advice on the way."""
    told: list[str] = []
    coach = page.locator("[data-coach]")
    ring = page.locator(".ring")
    for _ in range(MAX_STEPS):
        expect(coach.or_(page.locator(until)).first).to_be_visible()
        if page.locator(until).count():
            return told
        told.append(coach.get_attribute("data-coach") or "")
        following = page.locator("[data-coach-next]")
        if following.count():
            following.click()
            expect(page.locator(f'[data-coach="{told[-1]}"]')).to_have_count(0)
            continue
        box = _wait_for_ring(ring)
        before = page.evaluate("document.querySelector('[data-prompt]').innerText")
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.wait_for_function(
            "before => document.querySelector('dialog[open]') !== null"
            " || document.querySelector('[data-prompt]').innerText !== before",
            arg=before,
        )
    raise AssertionError(f"The lesson does not end: {told}")


def _wait_for_ring(ring: Locator) -> FloatRect:
    """Return the position of the highlight ring once the page has scrolled to it."""
    expect(ring).to_be_visible()
    viewport = ring.page.viewport_size
    assert viewport is not None
    last = None
    for _ in range(60):
        now = ring.bounding_box()
        if (
            now is not None
            and now == last
            and 0 <= now["x"] + now["width"] / 2 <= viewport["width"]
            and 0 <= now["y"] + now["height"] / 2 <= viewport["height"]
        ):
            return now
        last = now
        ring.page.wait_for_timeout(120)
    raise AssertionError(f"The ring does not come to rest in view: {last}")


@pytest.mark.parametrize(
    ("lang", "phone"), [pytest.param("en", False, marks=pytest.mark.browser_full), ("fr", True)]
)
def test_who_follows_the_coach_wins_the_first_game(
    lang: str, phone: bool, open_browser: OpenBrowser
) -> None:
    visitor = open_browser(lang=lang, phone=phone, name="Ana")
    page = visitor.open("/learn")
    visitor.click(FIRST_BUTTON[lang])
    told = _follow_the_coach(page, ".game-over")
    beats = [beat for beat in dict.fromkeys(told) if beat]
    assert beats[:4] == ["welcome", "bases", "hand", "first_minion"]
    assert {"gauge", "draw", "log", "scored", "special", "free", "race"} <= set(beats)
    assert {"talent", "special_played", "call_titan"} <= set(beats)
    expect(page.locator(".game-over .winner")).to_contain_text("Ana")
    expect(page.locator(".game-over .winner")).to_contain_text("16")
    visitor.follow(LAST_BUTTON[lang])
    expect(page).to_have_url(re.compile("/new/bots$"))
    visitor.open("/learn")
    expect(page.get_by_role("button", name=FIRST_BUTTON[lang])).to_have_count(0)


@pytest.mark.browser_full
def test_a_lesson_can_be_left_resumed_and_departed_from(open_browser: OpenBrowser) -> None:
    visitor = open_browser(name="Ana", warned=False)
    page = visitor.open("/learn")
    visitor.click(FIRST_BUTTON["en"])
    for beat in ("welcome", "bases", "hand"):
        expect(page.locator(f'[data-coach="{beat}"]')).to_be_visible()
        page.locator("[data-coach-next]").click()
    expect(page.get_by_role("region", name="Coach")).to_contain_text("First a minion")
    visitor.open("/learn")
    visitor.follow("Continue the lesson")
    # Advice is not repeated.
    expect(page.get_by_role("region", name="Coach")).to_contain_text("First a minion")
    visitor.click("Beta 6, minion of power 2 in hand")
    visitor.button(re.compile("^Base Tokyo")).click()
    expect(page.locator('[data-coach="gauge"]')).to_be_visible()
    page.locator("[data-coach-next]").click()
    # If the learner deviates, there is still advice and the game continues.
    visitor.click("End turn")
    expect(page.locator('[data-coach="draw"]')).to_be_visible()
    visitor.click("Hide the coach")
    expect(page.locator("[data-coach]")).to_have_count(0)
    visitor.click("Coach")
    expect(page.locator('[data-coach="draw"]')).to_be_visible()


def test_prompts_and_lines_of_the_log_tell_their_rule(start_game: StartGame) -> None:
    player = start_game(bypass_csp=True)
    page = player.page
    player.play_to_own_turn()
    asking = page.locator("[data-prompt]").get_by_role("button", name="Which rule is this?")
    asking.click()
    answer = page.get_by_role("dialog", name="Playing cards")
    expect(answer).to_contain_text("one minion and one action")
    assert find_violations(page) == []
    answer.get_by_role("button", name="Playing a minion").click()
    expect(page.get_by_role("dialog", name="Playing a minion")).to_contain_text("any base")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(asking).to_be_focused()

    line = page.get_by_role("log").locator("p").filter(has_text="comes into play").first
    line.hover()
    line.get_by_role("button", name="Which rule is this?").click()
    answer = page.get_by_role("dialog", name="The next base")
    expect(answer).to_be_visible()
    link = answer.get_by_role("link", name="In the rules")
    assert link.get_attribute("href") == "/rules?edition=CS#scoring.replace"
    page.mouse.click(5, 300)
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_the_card_browser(open_browser: OpenBrowser) -> None:
    visitor = open_browser()
    page = visitor.open("/cards?faction=Kaiju&type=action")
    cards = page.locator(".page li a")
    count = page.locator("main").get_by_role("status")
    expect(count).to_have_text("11 cards")
    page.get_by_role("searchbox").fill("destroy power")
    expect(page).to_have_url(re.compile(r"q=destroy\+power"))
    expect(count).to_have_text("4 cards")
    names = cards.evaluate_all("found => found.map(a => a.getAttribute('aria-label'))")
    assert all("Kaiju" in name for name in names)
    visitor.click("Clear all filters")
    expect(count).to_have_text(re.compile(r"^\d{3} cards$"))
    page.get_by_role("combobox", name="Keyword").select_option("Talent")
    page.get_by_role("combobox", name="Power").select_option("6+")
    expect(cards).to_have_count(2)
    visitor.follow("Yokozuna, Sumo Wrestlers")
    expect(page).to_have_url(re.compile("/cards/yokozuna$"))
    expect(page.get_by_role("heading", name="Yokozuna", level=2)).to_be_visible()
    visitor.follow("Talent")
    expect(page).to_have_url(re.compile("/rules#ability.talent$"))
    expect(page.locator("[id='ability.talent']")).to_be_in_viewport()

    visitor.open("/cards/operative")
    expect(page.get_by_text("Current text")).to_be_visible()
    assert page.locator("mark").count() > 1
    visitor.open("/cards/nobody")
    expect(page.get_by_role("heading", name="No such card")).to_be_visible()


def test_cards_are_found_in_french_too(open_browser: OpenBrowser) -> None:
    visitor = open_browser(lang="fr")
    page = visitor.open("/cards")
    page.get_by_role("searchbox").fill("george en furie")
    expect(page.locator("main").get_by_role("status")).to_have_text("1 carte")
    page.get_by_role("searchbox").fill("furious george")
    expect(page.locator("main").get_by_role("status")).to_have_text("1 carte")


def test_the_rules(open_browser: OpenBrowser) -> None:
    visitor = open_browser()
    page = visitor.open("/rules")
    mulligan = page.locator("[id='setup.mulligan']")
    expect(mulligan).to_contain_text("SB")
    expect(mulligan).to_contain_text("CD")
    page.get_by_label("Edition").select_option("CD · Cease and Desist (2016)")
    expect(mulligan).to_contain_text("goes to your discard pile")
    expect(mulligan).not_to_contain_text("You do not choose")
    page.get_by_role("searchbox").fill("mulligan")
    expect(page.locator("main").get_by_role("status")).to_have_text("1 rule found")
    expect(page.locator("article")).to_have_count(1)
    expect(page).to_have_url(re.compile(r"\?q=mulligan&edition=CD$"))
    mulligan.get_by_role("link", name="The opening hand").click()
    expect(page.locator("[id='setup.hand']")).to_be_in_viewport()
    visitor.open("/rules#scoring.ties")
    expect(page.locator("[id='scoring.ties']")).to_be_in_viewport()
    visitor.click("Français")
    expect(page.locator("[id='scoring.ties']")).to_contain_text("égalité")


@pytest.mark.browser_full
def test_axe_finds_nothing(open_browser: OpenBrowser) -> None:
    visitor = open_browser(bypass_csp=True)
    for path in ("/learn", "/rules?q=tie", "/cards?faction=Kaiju", "/cards/operative"):
        page = visitor.open(path)
        page.wait_for_load_state("networkidle")
        assert find_violations(page) == [], path
    visitor.open("/learn")
    visitor.click(FIRST_BUTTON["en"])
    _find_violations_at_coach(visitor)


def _find_violations_at_coach(visitor: Visitor) -> None:
    visitor.page.mouse.move(0, 0)  # off the cards, which are shown large under the pointer
    expect(visitor.page.locator('[data-coach="welcome"]')).to_be_visible()
    expect(visitor.page.get_by_role("tooltip")).to_have_count(0)
    assert find_violations(visitor.page) == [], "the coach"
