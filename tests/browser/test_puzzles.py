"""Puzzles in the browser: the list, solving, hints, failing, and the streak."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from smashup.cards import catalogue
from smashup.engine.model.constants import AT_BASE, NONE
from smashup.engine.model.decisions import CARDS, DONE, MOVES, PLAY_CARD, Decision
from smashup.puzzles.daily import choose_daily
from smashup.puzzles.model import Puzzle
from smashup.puzzles.puzzle_file import load_shipped_puzzles
from tests.browser.axe import find_violations
from tests.browser.conftest import OpenBrowser
from tests.browser.visitor import Visitor

DEVICES = [pytest.param(False, id="wide"), pytest.param(True, id="phone")]


def choice_at(spot: str) -> str:
    """Return the selector of a place, once it can be chosen (before, a click only zooms in)."""
    return f'[data-spot="{spot}"][data-choice]'


def clicks_for(decision: Decision, answer: int) -> list[str] | None:
    """Return what to click for an option, in order; None if this test does not know how."""
    chosen: Any = decision.options[answer]
    if decision.kind == CARDS and chosen != NONE and decision.multi_pick is None:
        at_base = decision.table.state.zone[chosen] == AT_BASE
        return [choice_at(f"card:{chosen}")] if at_base else None
    if decision.kind != MOVES or chosen.verb not in (PLAY_CARD, DONE):
        return None
    if chosen.verb == DONE:
        return ["[data-verb=done]"]
    card = choice_at(f"card:{chosen.card}")
    if chosen.place == NONE:
        return [card, f'[data-option="{answer}"], [data-prompt] [data-choice].main']
    return [card, choice_at(f"{'card' if chosen.on_card else 'base'}:{chosen.place}")]


def plan_clicks(puzzle: Puzzle) -> list[list[str]] | None:
    """Return the clicks of the solution; None if the test cannot play it."""
    game = puzzle.begin(catalogue())
    clicks: list[list[str]] = []
    for answer in puzzle.solution:
        decision = game.decision
        assert decision is not None
        found = clicks_for(decision, answer)
        if decision.player != puzzle.player or found is None:
            return None
        clicks.append(found)
        game.choose(answer)
    return clicks


def find_clickable_puzzle() -> tuple[Puzzle, list[list[str]]]:
    """Return a puzzle whose solution can be clicked on cards and bases."""
    for puzzle in sorted(load_shipped_puzzles().values(), key=lambda p: (p.setup.players, p.id)):
        clicks = plan_clicks(puzzle)
        if clicks is not None:
            return puzzle, clicks
    raise AssertionError("No puzzle is simple enough.")


def solve(page: Page, clicks: list[list[str]]) -> None:
    for selectors in clicks:
        for selector in selectors:
            page.locator(selector).locator("visible=true").first.click()


def open_puzzle(visitor: Visitor, puzzle: Puzzle) -> Page:
    page = visitor.open(f"/puzzles/{puzzle.id}")
    expect(page.locator(".puzzle")).to_be_visible()
    return page


@pytest.mark.parametrize("phone", DEVICES)
def test_a_puzzle_is_solved(open_browser: OpenBrowser, phone: bool) -> None:
    puzzle, clicks = find_clickable_puzzle()
    visitor = open_browser(phone=phone)
    device = "phone" if phone else "wide"
    page = open_puzzle(visitor, puzzle)
    visitor.picture(f"puzzle-{device}")
    solve(page, clicks)
    solved = visitor.dialog("Solved!")
    expect(solved).to_be_visible()
    expect(solved.get_by_role("heading", name="The solution")).to_be_visible()
    visitor.picture(f"puzzle-solved-{device}")
    solved.get_by_role("link", name="All puzzles").click()
    expect(page.get_by_role("heading", name="Puzzles")).to_be_visible()
    expect(page.get_by_text(f"1 of {len(load_shipped_puzzles())} solved")).to_be_visible()
    visitor.picture(f"puzzles-{device}")


def test_hints_lead_to_the_solution_and_a_failed_turn_can_be_repeated(
    open_browser: OpenBrowser,
) -> None:
    puzzle, clicks = find_clickable_puzzle()
    visitor = open_browser(warned=False)
    page = open_puzzle(visitor, puzzle)
    page.locator("[data-verb=done]").click()
    failed = visitor.dialog("Not solved")
    expect(failed).to_be_visible()
    failed.get_by_role("button", name="Another hint").click()
    expect(failed.get_by_text("Begin with")).to_be_visible()
    failed.get_by_role("button", name="Another hint").click()
    expect(failed.get_by_role("button", name="Another hint")).to_have_count(0)
    visitor.picture("puzzle-failed")
    failed.get_by_role("button", name="Show the solution").click()
    expect(failed.get_by_role("heading", name="The solution")).to_be_visible()
    failed.get_by_role("button", name="Try again").click()
    expect(failed).to_be_hidden()
    expect(page.locator(".puzzle")).to_be_visible()
    # The table of the failed turn is shown until the new one is there: its turn cannot end again.
    expect(page.locator("[data-verb=done]")).to_be_enabled()
    solve(page, clicks)
    expect(visitor.dialog("Solved!")).to_be_visible()
    stored = page.evaluate("JSON.parse(localStorage.getItem('smashup.puzzles')).solved")
    assert stored == [], "what was shown does not count as solved"
    # Nor after a reload.
    page = open_puzzle(visitor, puzzle)
    solve(page, clicks)
    expect(visitor.dialog("Solved!").get_by_text("does not count as solved")).to_be_visible()
    stored = page.evaluate("JSON.parse(localStorage.getItem('smashup.puzzles')).solved")
    assert stored == []


def test_the_daily_puzzle_begins_a_streak(open_browser: OpenBrowser) -> None:
    visitor = open_browser()
    page = visitor.open("/puzzles")
    today = datetime.now(UTC).date()
    daily = choose_daily(load_shipped_puzzles(), today)
    link = page.get_by_role("link", name="Puzzle of the day")
    expect(link).to_have_attribute("href", f"/puzzles/{daily}")
    page.evaluate(
        "progress => localStorage.setItem('smashup.puzzles', JSON.stringify(progress))",
        {"solved": [daily], "lastDay": today.isoformat(), "streak": 3, "bestStreak": 4},
    )
    page.reload()
    expect(page.get_by_text("Streak: 3 days")).to_be_visible()
    expect(page.get_by_text("Best: 4 days")).to_be_visible()
    expect(page.get_by_text("Solved today.")).to_be_visible()


def test_the_list_is_filtered_by_difficulty(open_browser: OpenBrowser) -> None:
    visitor = open_browser(lang="fr", dark=True, phone=True, bypass_csp=True)
    page = visitor.open("/puzzles")
    expect(page.get_by_role("heading", name="Problèmes")).to_be_visible()
    page.get_by_text("Facile", exact=True).first.click()
    easy = [p for p in load_shipped_puzzles().values() if p.difficulty == "easy"]
    expect(page.locator(".tag")).to_have_count(min(len(easy), 24))
    visitor.picture("puzzles-phone-fr")
    assert find_violations(page) == []


def test_a_puzzle_that_does_not_exist(open_browser: OpenBrowser) -> None:
    page = open_browser().open("/puzzles/00000000")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator(".puzzle")).to_have_count(0)
