"""`make docs`: update smashup/rules/rulings.json, the rulings that name each card.

The card browser shows them. `--check` changes nothing and fails if the file is out of date.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from scripts.site.pages.rulings import rulings
from smashup.cards import catalogue
from smashup.engine.model.catalogue import PRINTINGS

ROOT: Final = Path(__file__).resolve().parent.parent
RULINGS_FILE: Final = Path("smashup/rules/rulings.json")


def rulings_by_card(titles: Iterable[tuple[str, str]]) -> str:
    """Return rulings as JSON by card, from pairs of id and title."""
    names = {kind.name for printing in PRINTINGS for kind in catalogue().definitions(printing)}
    longest = sorted(names, key=lambda name: (-len(name), name))
    named = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in longest))
    found: dict[str, list[list[str]]] = {}
    for case, title in titles:
        for name in dict.fromkeys(named.findall(title)):
            found.setdefault(name, []).append([case, title])
    return json.dumps(found, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def expected_text() -> str:
    """Return the content of the file."""
    return rulings_by_card(
        (ruling.id, ruling.title) for listed in rulings().values() for ruling in listed
    )


def main(argv: Sequence[str] | None = None, root: Path = ROOT) -> int:
    """Write the file; with ``--check`` return 1 if it is out of date."""
    parser = argparse.ArgumentParser(prog="python -m scripts.card_rulings", description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; fail if out of date")
    options = parser.parse_args(argv)
    path = root / RULINGS_FILE
    text = expected_text()
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return 0
    if options.check:
        print(f"{RULINGS_FILE} is out of date: run `make docs`.", file=sys.stderr)
        return 1
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    print(f"Wrote {RULINGS_FILE}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
