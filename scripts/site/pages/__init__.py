"""Pages generated from code, cards and tests: built with the site, not committed."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final

from scripts.site.pages.coverage import coverage_page
from scripts.site.pages.identifiers import identifiers_page
from scripts.site.pages.mechanisms import mechanisms_page
from scripts.site.pages.rules import rules_page
from scripts.site.pages.rulings import rulings_page

GENERATORS: Final[dict[str, Callable[[], str]]] = {
    "docs/coverage.md": coverage_page,
    "docs/identifiers.md": identifiers_page,
    "docs/mechanisms.md": mechanisms_page,
    "docs/rules.md": rules_page,
    "docs/rulings.md": rulings_page,
}
"""Each generated page by the path it would have in the project."""


@cache
def _generated_page(path: str) -> str:
    return GENERATORS[path]()


def page_exists(path: str, root: Path) -> bool:
    """Whether there is a file, a folder or a generated page at a path of the project."""
    return path in GENERATORS or (root / path).exists()


def read_page(path: str, root: Path) -> str:
    """Return the Markdown text of a page, from its file or generated."""
    if path in GENERATORS:
        return _generated_page(path)
    return (root / path).read_text(encoding="utf-8")
