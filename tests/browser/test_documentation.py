"""The documentation site in a browser, opened from a disk.

It requests nothing from other servers, its search works, it fits a phone, and it is accessible in
light and dark mode.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, expect

from scripts.site import build as site_build
from scripts.site.build import BUILD_DIR
from tests.browser.axe import PROGRAM

PAGES_TO_READ = ("index", "bots", "reference/bots/information_set", "rulings")
"""A landing page, a page with blocks and tables, one of the reference, and the longest."""


@contextmanager
def reader(chromium: Browser, width: int = 1280, night: bool = False) -> Iterator[Page]:
    """A window in which errors and requests to other servers fail the test."""
    site_build.build()
    context = chromium.new_context(
        viewport={"width": width, "height": 844}, color_scheme="dark" if night else "light"
    )
    page = context.new_page()
    unexpected_errors: list[str] = []
    page.on("pageerror", lambda error: unexpected_errors.append(str(error)))
    page.on("request", lambda asked: unexpected_errors.append(asked.url) if "://" in asked.url and
            not asked.url.startswith(("file:", "blob:", "data:")) else None)  # fmt: skip
    yield page
    context.close()
    assert not unexpected_errors, unexpected_errors


def open_page(page: Page, name: str) -> None:
    page.goto((BUILD_DIR / f"html/{name}.html").as_uri())


@pytest.mark.browser_full
def test_the_search_finds(chromium: Browser) -> None:
    with reader(chromium) as page:
        open_page(page, "index")
        page.get_by_role("button", name="Search").first.click()
        page.locator("input:focus").fill("determinize")
        expect(page.get_by_text(re.compile(r"^\d+ results?$"))).to_be_visible()
        page.keyboard.press("Enter")
        page.wait_for_url(re.compile(r"determinize"))


@pytest.mark.browser_full
@pytest.mark.parametrize("name", PAGES_TO_READ)
def test_it_fits_a_phone(name: str, chromium: Browser) -> None:
    with reader(chromium, width=375) as page:
        open_page(page, name)
        assert page.evaluate("document.documentElement.scrollWidth") <= 375


@pytest.mark.browser_full
@pytest.mark.parametrize("night", [False, True], ids=["day", "night"])
@pytest.mark.parametrize("name", PAGES_TO_READ[:3])
def test_it_can_be_read(name: str, night: bool, chromium: Browser) -> None:
    with reader(chromium, night=night) as page:
        open_page(page, name)
        page.add_script_tag(path=PROGRAM)
        found = page.evaluate(
            "axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa']})"
            ".then(r => r.violations.map(v => v.id + ': ' + v.nodes.slice(0, 3).map("
            "n => n.target + ' ' + (n.any[0]?.message ?? '')).join('; ')))"
        )
        assert not found, "\n".join(found)
