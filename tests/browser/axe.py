"""The accessibility checker axe-core, put into a page."""

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


def violations(page: Page) -> list[str]:
    """What axe finds wrong with a page, by day and by night, and the first places where it is."""
    if not page.evaluate("'axe' in window"):
        page.add_script_tag(content=_program())
    page.emulate_media(color_scheme="dark")
    by_night = _run(page, "color-contrast")  # all that differs
    page.emulate_media(color_scheme="light")
    return [*_run(page), *(f"by night, {one}" for one in by_night)]


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
