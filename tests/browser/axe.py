"""Runs the accessibility checker axe-core in a page."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Page

PROGRAM: Final = Path(__file__).resolve().parents[2] / "client/node_modules/axe-core/axe.min.js"


@cache
def _program() -> str:
    assert PROGRAM.exists(), "axe-core is not installed: run `make client`."
    return PROGRAM.read_text(encoding="utf-8")


def find_violations(page: Page) -> list[str]:
    """Return the violations on a page in both themes, each with its first elements."""
    if not page.evaluate("'axe' in window"):
        page.add_script_tag(content=_program())
    page.emulate_media(color_scheme="dark")
    in_dark_mode = _run(page, "color-contrast")  # the only rule that depends on the theme
    page.emulate_media(color_scheme="light")
    return [*_run(page), *(f"in dark mode, {one}" for one in in_dark_mode)]


def _run(page: Page, *rules: str) -> list[str]:
    options: dict[str, Any] = {"resultTypes": ["violations"]}
    if rules:
        options["runOnly"] = list(rules)
    found: list[dict[str, Any]] = page.evaluate(
        "(options) => axe.run(document, options).then((result) => result.violations)", options
    )
    return [
        f"{one['id']}: {one['help']}: {[node['html'][:200] for node in one['nodes'][:3]]}"
        for one in found
    ]
