"""The pages are well formed, and list what they have to list."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.code_blocks import PAGES, ROOT


@pytest.mark.parametrize("page", [pytest.param(p, id=p.name) for p in PAGES])
def test_tables_are_complete(page: Path) -> None:
    """Every row has as many cells as the heading, and no line ends with a space."""
    cells = 0
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        place = f"{page.name}:{number}"
        assert line == line.rstrip(), f"{place} ends with a space"
        if not line.startswith("|"):
            cells = 0
            continue
        found = len(re.split(r"(?<!\\)\|", re.sub(r"`[^`]*`", "", line)))
        cells = cells or found
        assert found == cells, f"{place} has another number of cells than its heading"


def test_contributing_lists_every_target_of_make() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):.*## ", makefile, re.MULTILINE)) - {"help"}
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert set(re.findall(r"`make ([a-z-]+)`", text)) == targets
