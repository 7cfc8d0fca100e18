"""``python -m tests.browser.screenshots FOLDER``: pictures of the main pages, to be looked at.

Each page by day and by night, on a wide screen and on a phone, in English and French; a table some
turns into a game, and the replay of another one. The picture in the README is
`table-wide-light-en.png`.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.browser.chromium import launch
from tests.browser.guest import Guest, Taste
from tests.browser.house import House, serving
from tests.browser.player import Player

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
TASTES = {
    "wide-light-en": Taste(name="Robin"),
    "wide-dark-fr": Taste(name="Robin", dark=True, lang="fr"),
    "phone-light-fr": Taste(name="Robin", phone=True, lang="fr"),
    "phone-dark-en": Taste(name="Robin", phone=True, dark=True),
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
        serving(Path(folder)) as house,
        sync_playwright() as playwright,
    ):
        browser = launch(playwright)
        for look, taste in TASTES.items():
            pages(browser, house, taste, out, look)
            table(browser, house, taste, out, look)
            replay(browser, house, taste, out, look)
        browser.close()
    return 0


def pages(browser: Browser, house: House, taste: Taste, out: Path, look: str) -> None:
    """The pages that need no game."""
    guest = Guest(browser, house, taste, None)
    for name, path in PAGES.items():
        guest.open(path)
        guest.page.wait_for_load_state("networkidle")
        guest.page.screenshot(path=out / f"{name}-{look}.png", full_page=True)
        print(f"{name}-{look}.png", flush=True)
    guest.leave()


def table(browser: Browser, house: House, taste: Taste, out: Path, look: str) -> None:
    """Three at a table, some turns into their game."""
    founded = house.found("me", "normal", "normal", factions=CROWD)
    guest = Guest(browser, house, taste, founded)
    guest.open(f"/table/{founded.id}")
    player = Player(guest)
    for _ in range(TURNS):
        player.my_turn()
        player.act(player.look())
    player.my_turn()
    guest.page.mouse.move(2, 2)
    guest.page.wait_for_timeout(600)
    guest.page.screenshot(path=out / f"table-{look}.png")
    print(f"table-{look}.png", flush=True)
    guest.leave()


def replay(browser: Browser, house: House, taste: Taste, out: Path, look: str) -> None:
    """In the middle of a game that two bots have played."""
    founded = house.found("easy", "easy", factions=CROWD[:4])
    while house.look(founded.id)["state"] != "over":
        time.sleep(0.2)
    guest = Guest(browser, house, taste, None)
    guest.open(f"/replay/{founded.id}?step=60")
    guest.page.wait_for_load_state("networkidle")
    guest.page.screenshot(path=out / f"replay-{look}.png", full_page=True)
    print(f"replay-{look}.png", flush=True)
    guest.leave()


if __name__ == "__main__":
    sys.exit(main())
