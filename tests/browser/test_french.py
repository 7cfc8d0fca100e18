"""English and French, switched in place."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from smashup.locale import load_translations
from tests.browser.conftest import FACTIONS, OpenBrowser, StartGame
from tests.browser.live_server import LiveServer
from tests.browser.player import Player, until


def test_the_language_is_switched_at_the_table(start_game: StartGame) -> None:
    player = start_game()
    page = player.page
    player.play_to_own_turn()
    english = (player.read_table().question, player.hand, _texts(player))
    log = page.get_by_role("log").inner_text()
    player.visitor.click("Français")
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    expect(page.get_by_role("region", name="Votre main")).to_be_visible()
    expect(page.locator("[data-prompt]")).to_contain_text("jouez une Créature et une Action")
    assert len(english[1]) == len(english[2]) >= 5
    for old, new in zip(english[1], player.hand, strict=True):
        name = old.split(",")[0]
        assert new.startswith(load_translations("fr").get(name, name) + ", ")
        assert new.endswith("en main")
    french = {_plain(text): _plain(said) for text, said in load_translations("fr").items()}
    assert _texts(player) == [french[text] for text in english[2]]
    assert page.get_by_role("log").inner_text() != log
    assert re.search(r"pioche .* et ", page.get_by_role("log").inner_text())
    assert "Your turn" not in page.locator("body").inner_text()
    player.visitor.click("English")
    assert (player.read_table().question, player.hand, _texts(player)) == english


def _texts(player: Player) -> list[str]:
    """Return the texts of the cards in hand."""
    texts = player.page.locator("[data-anchor^=hand] .text").all_text_contents()
    return [_plain(text) for text in texts]


def _plain(text: str) -> str:
    """Normalize the line breaks of a text."""
    return re.sub(r"\s", "", text)


def test_a_french_browser_is_greeted_in_french(open_browser: OpenBrowser) -> None:
    visitor = open_browser(newcomer=True, lang="fr")
    page = visitor.open()
    expect(visitor.button("Jouer")).to_be_visible()
    for path in ("/new/bots", "/tables", "/factions", "/about"):
        visitor.open(path)
        expect(page.locator("html")).to_have_attribute("lang", "fr")
        expect(page.get_by_role("heading", level=1)).to_have_text(re.compile(r"\S"))


def test_names_of_sets_and_cards_follow_one_style(open_browser: OpenBrowser) -> None:
    """Sets have the name of the language, and the settings say which cards have French names."""
    french = open_browser(lang="fr")
    page = french.open("/factions/Cyborg%20Apes")
    expect(page.get_by_text("Séries B", exact=True)).to_be_visible()
    french.click("Réglages")
    expect(page.get_by_role("dialog")).to_contain_text("portent leur nom français")
    english = open_browser()
    page = english.open("/factions/Cyborg%20Apes")
    expect(page.get_by_text("Science Fiction Double Feature", exact=True)).to_be_visible()
    expect(page.get_by_text("Séries B")).to_have_count(0)
    english.click("Settings")
    expect(page.get_by_role("dialog")).not_to_contain_text("French names")


def test_pages_after_a_replay_are_in_french(open_browser: OpenBrowser, server: LiveServer) -> None:
    """A replay loads only its own texts; the next page loads the others before it is shown."""
    table = server.create_table("easy", "easy", factions=FACTIONS)
    until(lambda: bool(server.table_info(table.id)["state"] == "over"), 60)
    visitor = open_browser(lang="fr")
    page = visitor.open(f"/replay/{table.id}")
    expect(page.get_by_role("button", name="Reprendre ici")).to_be_visible()
    visitor.click("Reprendre ici")
    expect(visitor.dialog("Reprendre ici")).to_contain_text("Mélanger les cartes cachées")
    page.keyboard.press("Escape")
    page.evaluate(
        "history.pushState(null, '', '/new/bots'); dispatchEvent(new PopStateEvent('popstate'))"
    )
    expect(page.get_by_role("heading", level=1)).to_have_text("Nouvelle partie")
    expect(page.get_by_text("Chacun reçoit deux Factions au hasard.")).to_be_visible()
