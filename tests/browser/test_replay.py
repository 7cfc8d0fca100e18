"""Replays: step by step, from any seat, and continuing from a step."""

from __future__ import annotations

import json
import re
import time

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from smashup.cards import catalogue
from smashup.engine.saves import files as saves
from tests.browser.axe import find_violations
from tests.browser.conftest import FACTIONS, OpenBrowser
from tests.browser.live_server import CreatedTable, LiveServer
from tests.browser.player import Player
from tests.browser.test_layout import resize, visible_part


@pytest.fixture(scope="module")
def finished(server: LiveServer) -> CreatedTable:
    """Play a game between two bots to the end."""
    table = server.create_table("easy", "easy", factions=FACTIONS, listed=True)
    end = time.monotonic() + 90
    while server.table_info(table.id)["state"] != "over":
        assert time.monotonic() < end, "the bots take too long"
        time.sleep(0.2)
    return table


def step_of(page: Page) -> int:
    return int(page.get_by_label("Position in the game").input_value())


def names(place: Locator) -> list[str]:
    """Return the names of the buttons there, which are mostly cards."""
    found: list[str] = place.get_by_role("button").evaluate_all(
        "all => all.map((b) => b.ariaLabel)"
    )
    return found


@pytest.mark.parametrize(
    "size", [(844, 390), pytest.param((1280, 720), marks=pytest.mark.browser_full)]
)
def test_the_chart_and_the_log_of_four_players_can_be_reached(
    open_browser: OpenBrowser, server: LiveServer, size: tuple[int, int]
) -> None:
    """Four players, three of whom resign, leave little of the height of the sidebar."""
    table = server.create_table("me", "me", "me", "me")
    for seat in table.seats[:3]:
        secret = {"Authorization": f"Bearer {seat['secret']}"}
        address = f"{server.address}/api/tables/{table.id}/resign"
        assert httpx.post(address, headers=secret).status_code == 200
    visitor = open_browser()
    page = visitor.open(f"/replay/{table.id}")
    resize(page, *size)
    for part in (
        page.get_by_label("VP and win probability, turn by turn"),
        page.get_by_role("region", name="The log of the whole game"),
    ):
        part.scroll_into_view_if_needed()
        assert visible_part(page, part) > 0.9
    visitor.picture(f"replay-four-{size[0]}")


def test_the_way_from_the_end_of_a_game_to_its_replay(
    open_browser: OpenBrowser, server: LiveServer
) -> None:
    """Players see the replay from their own seat."""
    table = server.create_table("me", "easy", factions=FACTIONS)
    visitor = open_browser(table)
    page = visitor.open(f"/table/{table.id}")
    player = Player(visitor)
    player.act(player.play_to_own_turn())
    player.play_to_own_turn()
    hand = [card.split(",")[0] for card in player.hand]
    address = f"{server.address}/api/tables/{table.id}"
    assert httpx.get(f"{address}/replay").status_code == 409, "nothing is told before the end"
    secret = {"Authorization": f"Bearer {table.seats[0]['secret']}"}
    assert httpx.post(f"{address}/resign", headers=secret).status_code == 200
    visitor.follow("Replay")
    expect(page.get_by_label("Viewed as")).to_have_value("0")
    page.keyboard.press("End")
    mine = page.get_by_role("region", name="Hand of Player 1")
    expect(mine.get_by_role("button")).to_have_count(len(hand))
    assert [name.split(",")[0] for name in names(mine)] == hand
    expect(page.locator(".caption")).to_contain_text("Bot 2 wins!")
    expect(page.get_by_text("(you)")).to_have_count(0)


@pytest.mark.browser_full
def test_every_way_through_a_game(open_browser: OpenBrowser, finished: CreatedTable) -> None:
    visitor = open_browser()
    page = visitor.open(f"/replay/{finished.id}")
    where = page.get_by_label("Position in the game")
    last = int(where.get_attribute("max") or 0)
    assert last > 60
    assert step_of(page) == 0
    visitor.click("Next step")
    visitor.click("Next step")
    assert step_of(page) == 2
    visitor.click("Previous step")
    assert step_of(page) == 1
    visitor.click("Next turn")
    turn = page.get_by_role("slider", name="VP and win probability")
    expect(turn).to_have_attribute("aria-valuetext", re.compile("^Turn 2: "))
    visitor.click("To the end")
    assert step_of(page) == last
    winner = page.locator(".caption strong", has_text="wins!").inner_text()
    assert re.fullmatch(r"Bot [12] wins!", winner)
    # The final numbers, on the table and in the chart.
    points = page.locator("[data-vp] b").all_inner_texts()
    assert max(int(vp) for vp in points) >= 15
    told = turn.get_attribute("aria-valuetext") or ""
    assert re.findall(r"(\d+) VP", told) == points
    assert "chance 100%" in told
    # By keyboard.
    page.locator("h1").first.evaluate("() => document.activeElement.blur()")
    page.keyboard.press("ArrowLeft")
    assert step_of(page) == last - 1
    page.keyboard.press("Home")
    assert step_of(page) == 0
    page.keyboard.press("Space")
    expect(visitor.button("Pause")).to_be_visible()
    page.wait_for_function("() => Number(document.querySelector('input[type=range]').value) >= 1")
    page.keyboard.press("Space")
    expect(visitor.button("Play")).to_be_visible()
    # By the log, and by the table.
    line = page.locator("li", has_text=" scores: ").first
    line.locator(".go").click(position={"x": 2, "y": 2})
    scored = step_of(page)
    assert scored > 20
    expect(line).to_have_attribute("aria-current", "step")
    visitor.click("As a table")
    rows = page.get_by_role("dialog").get_by_role("row")
    rows.nth(4).get_by_role("button").click()
    expect(turn).to_have_attribute("aria-valuetext", re.compile("^Turn 3: "))
    # The address contains the step.
    page.wait_for_url(re.compile(rf"step={step_of(page)}&eyes=all"))


def test_whose_eyes(open_browser: OpenBrowser, finished: CreatedTable) -> None:
    visitor = open_browser()
    page = visitor.open(f"/replay/{finished.id}?step=2&eyes=1")
    eyes = page.get_by_label("Viewed as")
    expect(eyes).to_have_value("1")
    hand = page.get_by_role("region", name=re.compile("^Hand of "))
    expect(hand).to_have_count(1)
    expect(hand).to_have_attribute("aria-label", "Hand of Bot 2")
    mine = [name.split(",")[0] for name in names(hand)]
    assert len(mine) >= 5
    eyes.select_option("out")
    expect(hand).to_have_count(0)
    eyes.select_option("all")
    expect(hand).to_have_count(2)
    assert names(hand.nth(1)) == mine
    assert step_of(page) == 2


def test_playing_on_from_a_step(
    open_browser: OpenBrowser, finished: CreatedTable, server: LiveServer
) -> None:
    visitor = open_browser(name="Cleo")
    page = visitor.open(f"/replay/{finished.id}?step=30&eyes=0")
    expect(page.locator("[data-vp] b")).to_have_count(2)
    points = page.locator("[data-vp] b").all_inner_texts()
    visitor.click("Continue from here")
    dialog = page.get_by_role("dialog", name="Continue from here")
    dialog.get_by_text("Easy").click()
    expect(dialog.get_by_role("status")).to_contain_text("You continue from turn")
    dialog.get_by_role("button", name="Keep playing").click()
    page.wait_for_url(re.compile(r"/table/"))
    player = Player(visitor)
    player.play_to_own_turn()
    assert page.locator("[data-vp] b").all_inner_texts() == points
    table = server.table_info(page.url.rpartition("/")[2])
    assert [seat["kind"] for seat in table["seats"]] == ["person", "bot"]
    assert table["seats"][0]["name"] == "Cleo"
    player.act(player.play_to_own_turn())


def test_a_continued_game_keeps_the_log_and_names_the_player(
    open_browser: OpenBrowser, finished: CreatedTable
) -> None:
    visitor = open_browser()
    page = visitor.open(f"/replay/{finished.id}?step=60&eyes=0")
    # The log shows the lines of that step, and the chart has scales for VP and percentages.
    current = page.locator("[aria-current=step]").first
    expect(current).to_be_in_viewport()
    assert page.locator(".story").evaluate("story => story.scrollTop") > 0
    expect(page.locator(".legend li").first).to_have_text(re.compile(r"^\s*\d+ VP · \d+%$"))
    first = page.locator(".story h3").first.inner_text()
    visitor.click("Continue from here")
    visitor.click("Keep playing")
    page.wait_for_url(re.compile(r"/table/"))
    log = page.get_by_role("log")
    expect(log.locator("h3").first).to_have_text(re.compile(r"Turn 1: "))
    assert first.split(":")[0] in log.locator("h3").first.inner_text()
    expect(log).to_contain_text("The game continues from here.")
    expect(page.locator("[data-vp]").first).to_be_visible()
    expect(log).to_contain_text("Player 1")
    expect(page.get_by_text("P1", exact=True)).to_have_count(0)
    page.reload()
    expect(log).to_contain_text("The game continues from here.")


def test_the_save_file(open_browser: OpenBrowser, finished: CreatedTable) -> None:
    visitor = open_browser()
    page = visitor.open(f"/replay/{finished.id}")
    with page.expect_download() as started:
        visitor.click("Download the save file")
    assert started.value.suggested_filename == f"smash-up-{finished.id}.json"
    save = json.loads(started.value.path().read_text(encoding="utf-8"))
    assert saves.from_json(save, catalogue()).game.is_over
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visitor.click("Copy the link")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == f"{page.url.partition('/replay')[0]}/replay/{finished.id}?step=0&eyes=all"


def test_in_the_lobby(open_browser: OpenBrowser, finished: CreatedTable) -> None:
    visitor = open_browser()
    page = visitor.open("/tables")
    expect(page.get_by_role("heading", name="Finished games")).to_be_visible()
    page.locator(f"a[href='/replay/{finished.id}']").click()
    expect(page.get_by_label("Position in the game")).to_be_visible()


@pytest.mark.browser_full
@pytest.mark.parametrize("phone", [False, True])
def test_for_everybody(open_browser: OpenBrowser, finished: CreatedTable, phone: bool) -> None:
    """Nothing that axe finds, nothing outside the screen, and all of it in French."""
    visitor = open_browser(lang="fr", phone=phone, bypass_csp=True)
    page = visitor.open(f"/replay/{finished.id}?step=40")
    expect(page.get_by_label("Position dans la partie")).to_be_visible()
    if phone:
        visitor.click("Graphique et journal")
        expect(page.get_by_role("slider", name="PV et chances de gagner")).to_be_visible()
    assert find_violations(page) == []
    width = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert width <= 0
    visitor.click("En tableau")
    assert find_violations(page) == []


def test_what_cannot_be_shown(open_browser: OpenBrowser, server: LiveServer) -> None:
    """Replays of a running game and of a missing one."""
    table = server.create_table("me", "easy")
    visitor = open_browser(table)
    visitor.expect_errors("404", "409")
    page = visitor.open(f"/replay/{table.id}")
    expect(page.get_by_text("This game is not over yet")).to_be_visible()
    visitor.follow("To the table")
    expect(page.get_by_role("region", name="Bases", exact=True)).to_be_visible()
    visitor.open("/replay/nowhere")
    expect(page.get_by_role("heading", name="No such table")).to_be_visible()


@pytest.mark.browser_full
@pytest.mark.parametrize("phone", [False, True])
def test_the_analysis_of_a_game(
    open_browser: OpenBrowser, finished: CreatedTable, phone: bool
) -> None:
    """It shows progress, survives closing the dialog, and leads to the position of a mistake."""
    visitor = open_browser(phone=phone, bypass_csp=True)
    page = visitor.open(f"/replay/{finished.id}")
    page.get_by_role("button", name="Analyze").click()
    dialog = page.get_by_role("dialog", name="Game analysis")
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_be_hidden()
    page.get_by_role("button", name="Analyze").click()
    expect(dialog.get_by_role("table")).to_contain_text("Bot 1", timeout=180_000)
    expect(dialog.get_by_role("heading", name="Turning points")).to_be_visible()
    visitor.picture(f"analysis-{'phone' if phone else 'wide'}")
    assert find_violations(page) == []
    turn = dialog.get_by_role("heading", name=re.compile(r"^Turn \d+: ")).first
    number = re.match(r"Turn (\d+)", turn.inner_text().strip())
    assert number is not None
    dialog.get_by_role("button", name="Show the position").first.click()
    expect(dialog).to_be_hidden()
    expect(page.locator("main")).to_contain_text(f"Turn {number[1]}")


def test_the_log_of_a_replay_groups_lines_that_say_the_same(
    open_browser: OpenBrowser, finished: CreatedTable
) -> None:
    """The cards that a scored base leaves behind take one line, which opens."""
    visitor = open_browser()
    page = visitor.open(f"/replay/{finished.id}")
    log = page.get_by_role("region", name="The log of the whole game")
    group = log.locator("details").first
    expect(group.locator("summary")).to_have_text(re.compile(r"^\d+ cards (are|return|get)"))
    expect(group.locator("p").first).to_be_hidden()
    group.locator("summary").click()
    expect(group.locator("p").first).to_be_visible()
    # No three such lines stand one after the other outside of a group.
    lines = log.locator("li").all_inner_texts()
    alone = [" is discarded from " in line for line in lines]
    assert not any(all(alone[at : at + 3]) for at in range(len(alone) - 2))
