"""A user with a browser window, and the errors that the window reported."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, BrowserContext, Locator, Page, StorageState, ViewportSize

from tests.browser.live_server import CreatedTable, LiveServer

TIMEOUT_MS: Final = 20_000
"""Milliseconds after which an expected element counts as missing."""
WIDE_VIEWPORT: Final[ViewportSize] = {"width": 1440, "height": 900}
PHONE: Final[ViewportSize] = {"width": 390, "height": 844}

# Makes the random choices of the client reproducible.
SEED_RANDOM: Final = """
let seed = 1;
Math.random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
"""


@dataclass(frozen=True)
class Preferences:
    """The settings of a user, and the device."""

    motion: str = "off"
    lang: str = "en"
    name: str = ""
    warned: bool = True
    """Whether the client warns before a turn ends with plays left."""
    dark: bool = False
    phone: bool = False
    newcomer: bool = False
    """Whether this is a first visit, without stored settings."""
    bypass_csp: bool = False
    """Whether to disable the content security policy, for scripts that the test adds."""
    worker: bool = False
    """Whether the service worker may cache the client for offline use."""


class Visitor:
    """A browser window at a server."""

    def __init__(
        self,
        browser: Browser,
        server: LiveServer,
        preferences: Preferences,
        table: CreatedTable | None,
    ) -> None:
        self.server = server
        self.preferences = preferences
        self.context = _context(browser, server, preferences, table)
        self.errors: list[str] = []
        self.expected_errors: list[str] = []
        """Patterns of error messages that the test causes on purpose."""
        self.socket_messages: list[str] = []
        """All messages that the server has sent over sockets."""
        self.context.on("console", lambda said: self._note(said.type == "error", said.text))
        self.context.on("weberror", lambda error: self._note(True, str(error.error)))
        self.context.on(
            "requestfailed", lambda request: self._note(True, f"{request.url}: {request.failure}")
        )
        self.context.on(
            "response",
            lambda answer: self._note(answer.status >= 400, f"{answer.url}: {answer.status}"),
        )
        self.page: Page = self.context.new_page()
        self.page.on(
            "websocket",
            lambda line: line.on(
                "framereceived", lambda text: self.socket_messages.append(str(text))
            ),
        )

    def open(self, path: str = "/") -> Page:
        """Go to a page of the server."""
        self.page.goto(self.server.address + path)
        return self.page

    def button(self, name: str | re.Pattern[str]) -> Locator:
        return self.page.get_by_role("button", name=name, exact=isinstance(name, str))

    def click(self, name: str) -> None:
        self.button(name).click()

    def follow(self, name: str | re.Pattern[str]) -> None:
        self.page.get_by_role("link", name=name).first.click()

    def dialog(self, name: str | re.Pattern[str]) -> Locator:
        return self.page.get_by_role("dialog", name=name)

    @property
    def html(self) -> str:
        """The HTML of the page, including invisible elements."""
        text: str = self.page.evaluate("document.documentElement.outerHTML")
        return text

    def picture(self, name: str) -> None:
        """Keep a screenshot for review, if BROWSER_PICTURES names a folder."""
        if folder := os.environ.get("BROWSER_PICTURES"):
            self.page.screenshot(path=Path(folder) / f"{name}.png")

    def expect_errors(self, *patterns: str) -> None:
        """Declare error messages that the test causes on purpose."""
        self.expected_errors += patterns

    def close(self) -> None:
        """Close the window."""
        self.context.close()

    def unexpected_errors(self) -> list[str]:
        return [
            said
            for said in self.errors
            if not any(re.search(pattern, said) for pattern in self.expected_errors)
        ]

    def _note(self, wrong: bool, said: str) -> None:
        # Requests that a page aborts are not errors.
        if wrong and "net::ERR_ABORTED" not in said:
            self.errors.append(said)


def _context(
    browser: Browser, server: LiveServer, preferences: Preferences, table: CreatedTable | None
) -> BrowserContext:
    kept: dict[str, Any] = {}
    if not preferences.newcomer:
        kept["smashup.settings"] = {
            "name": preferences.name,
            "lang": preferences.lang,
            "motion": preferences.motion,
            "warnEndTurn": preferences.warned,
        }
        # Disable the hints for the first games.
        kept["smashup.games"] = ["a", "b", "c"]
        kept["smashup.told"] = ["symbols", "touch"]
    if table is not None:
        kept["smashup.seats"] = [{"table": table.id, "seats": table.seats}]
    storage: StorageState = {
        "cookies": [],
        "origins": [
            {
                "origin": server.address,
                "localStorage": [
                    {"name": name, "value": json.dumps(value)} for name, value in kept.items()
                ],
            }
        ],
    }
    context = browser.new_context(
        viewport=PHONE if preferences.phone else WIDE_VIEWPORT,
        has_touch=preferences.phone,
        is_mobile=preferences.phone,
        device_scale_factor=2 if preferences.phone else 1,
        color_scheme="dark" if preferences.dark else "light",
        locale="fr-FR" if preferences.lang == "fr" else "en-GB",
        bypass_csp=preferences.bypass_csp,
        service_workers="allow" if preferences.worker else "block",
        storage_state=storage,
    )
    context.set_default_timeout(TIMEOUT_MS)
    context.add_init_script(SEED_RANDOM)
    context.add_init_script(path=Path(__file__).with_name("table_probe.js"))
    return context
