"""The accessibility checker axe-core, put into a page."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

PROGRAM = Path(__file__).resolve().parents[2] / "client/node_modules/axe-core/axe.min.js"


@cache
def _program() -> str:
    assert PROGRAM.exists(), "axe-core is not installed: run `make client`."
    return PROGRAM.read_text(encoding="utf-8")


def violations(page: Page) -> list[str]:
    """What axe finds wrong with a page, each in a line with the first places where it is."""
    if not page.evaluate("'axe' in window"):
        page.add_script_tag(content=_program())
    found: list[dict[str, Any]] = page.evaluate(
        "axe.run(document, { resultTypes: ['violations'] }).then((result) => result.violations)"
    )
    return [
        f"{one['id']}: {one['help']}: {[node['html'][:200] for node in one['nodes'][:3]]}"
        for one in found
    ]
