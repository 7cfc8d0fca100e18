"""``python -m tests.browser.screenshots FOLDER``: take pictures of the main pages for review.

Each page in light and dark mode, on a wide screen and on a phone, in English and French; a table
after some turns, and the replay of another game. The picture in the README is
`table-wide-light-en.png`.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.browser.chromium import launch
from tests.browser.live_server import LiveServer, run_server
from tests.browser.player import Player
from tests.browser.visitor import Preferences, Visitor

PAGES = {
    "home": "/",
    "new": "/new/bots",
    "tables": "/tables",
    "factions": "/factions",
    "faction": "/factions/Kaiju",
    "cards": "/cards",
    "card": "/cards/Gorgodzolla",
    "rules": "/rules",
    "learn": "/learn",
    "about": "/about",
}
PREFERENCES = {
    "wide-light-en": Preferences(name="Robin"),
    "wide-dark-fr": Preferences(name="Robin", dark=True, lang="fr"),
    "phone-light-fr": Preferences(name="Robin", phone=True, lang="fr"),
    "phone-dark-en": Preferences(name="Robin", phone=True, dark=True),
}
CROWD = ("Astroknights", "Cyborg Apes", "Kaiju", "Magical Girls", "Luchadors", "Ancient Incas")
TURNS = 9


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__)
        return 2
    out = Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        run_server(Path(folder)) as server,
        sync_playwright() as playwright,
    ):
        browser = launch(playwright)
        for look, preferences in PREFERENCES.items():
            pages(browser, server, preferences, out, look)
            table(browser, server, preferences, out, look)
            replay(browser, server, preferences, out, look)
        browser.close()
    return 0


def pages(
    browser: Browser, server: LiveServer, preferences: Preferences, out: Path, look: str
) -> None:
    """Take pictures of the pages that need no game."""
    visitor = Visitor(browser, server, preferences, None)
    for name, path in PAGES.items():
        visitor.open(path)
        visitor.page.wait_for_load_state("networkidle")
        visitor.page.screenshot(path=out / f"{name}-{look}.png", full_page=True)
        print(f"{name}-{look}.png", flush=True)
    visitor.close()


def table(
    browser: Browser, server: LiveServer, preferences: Preferences, out: Path, look: str
) -> None:
    """Take pictures of a three-player game after some turns."""
    founded = server.create_table("me", "normal", "normal", factions=CROWD)
    visitor = Visitor(browser, server, preferences, founded)
    visitor.open(f"/table/{founded.id}")
    player = Player(visitor)
    for _ in range(TURNS):
        player.play_to_own_turn()
        player.act(player.read_table())
    player.play_to_own_turn()
    visitor.page.mouse.move(2, 2)
    visitor.page.wait_for_timeout(600)
    visitor.page.screenshot(path=out / f"table-{look}.png")
    print(f"table-{look}.png", flush=True)
    visitor.close()


def replay(
    browser: Browser, server: LiveServer, preferences: Preferences, out: Path, look: str
) -> None:
    """Take pictures of the replay of a game between bots, in the middle."""
    founded = server.create_table("easy", "easy", factions=CROWD[:4])
    while server.table_info(founded.id)["state"] != "over":
        time.sleep(0.2)
    visitor = Visitor(browser, server, preferences, None)
    visitor.open(f"/replay/{founded.id}?step=60")
    visitor.page.wait_for_load_state("networkidle")
    visitor.page.screenshot(path=out / f"replay-{look}.png", full_page=True)
    print(f"replay-{look}.png", flush=True)
    visitor.close()


if __name__ == "__main__":
    sys.exit(main())
