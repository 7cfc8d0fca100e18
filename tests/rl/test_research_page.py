"""docs/research.md says what the code does. (Its examples run with those of the other pages.)"""

from __future__ import annotations

from pathlib import Path

from smashup.rl.fields import (
    BASE_COLUMNS,
    BASE_SEAT_COLUMNS,
    CARD_COLUMNS,
    OPTION_COLUMNS,
    SEAT_COLUMNS,
    ZONES,
    table_fields,
)
from smashup.rl.vocabulary import KIND_COLUMNS

PAGE = Path(__file__).parents[2] / "docs" / "research.md"


def row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def expected() -> list[str]:
    """Return the expected table rows about observations."""
    rows = []
    for field in table_fields(2):
        shape = " × ".join(map(str, field.shape))
        rows.append(row(f"`{field.name}`", shape, field.description))
    for column in (*CARD_COLUMNS, *OPTION_COLUMNS):
        rows.append(row(f"`{column.name}`", column.kind, f"{column.scale:g}", column.description))
    return rows


def test_the_tables_are_true() -> None:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    missing = [line for line in expected() if line not in lines]
    assert not missing, "docs/research.md should say:\n" + "\n".join(missing)
    heading = lines.index("### observation")
    shown = [line for line in lines[heading : lines.index("### action_mask")] if "| `" in line]
    assert len(shown) == len(expected()), "docs/research.md explains a field that is not there"


def test_the_lists_are_true() -> None:
    text = " ".join(PAGE.read_text(encoding="utf-8").split())
    for names in (SEAT_COLUMNS, BASE_COLUMNS, BASE_SEAT_COLUMNS, KIND_COLUMNS):
        assert ", ".join(f"`{name}`" for name in names) in text
    assert ", ".join(f"{i} {zone}" for i, zone in enumerate(ZONES) if i) in text
