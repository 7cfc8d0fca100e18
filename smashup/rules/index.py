"""Which rules are behind a decision or a line of the log.

A decision is looked up by its purpose and the card that asks; a line of the log by the id of
its event. All of it is listed in ``index.yaml``. A new card needs no entry: its purpose has one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import yaml

from smashup.engine.model.decisions import Purpose
from smashup.rules import FOLDER, Flawed, sections

FILE: Final = FOLDER / "index.yaml"
Sections = tuple[str, ...]


@dataclass(frozen=True)
class Index:
    """The way from decisions and log lines to the ids of sections, the closest first."""

    purposes: dict[Purpose, Sections]
    cards: dict[str, dict[Purpose, Sections]]
    """By the name of the asking card, where more is known than the purpose says."""
    events: dict[str, Sections]
    """By the id of the event that a line of the log tells of, with its variant."""
    otherwise: Sections
    """For lines that tell of no event of the game, such as that a choice was taken back."""

    def behind_decision(self, purpose: Purpose, card: str | None = None) -> Sections:
        """The sections behind a decision, asked by a card or (None) by the rules."""
        return self.cards.get(card or "", {}).get(purpose) or self.purposes[purpose]

    def behind_event(self, event: str) -> Sections:
        """The sections behind a line of the log; there is always one."""
        return self.events.get(event, self.otherwise)


@cache
def index() -> Index:
    """The index, checked: every section and purpose it names is there, and none is missing."""
    data = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    found = Index(
        {Purpose(purpose): tuple(rules) for purpose, rules in data["purposes"].items()},
        _by_card(data["cards"]),
        {event: tuple(rules) for event, rules in data["events"].items()},
        tuple(data["otherwise"]),
    )
    if missing := set(Purpose) - found.purposes.keys():
        raise Flawed(f"The index has no rules for purposes: {', '.join(sorted(missing))}.")
    named = {
        rule
        for rules in (
            *found.purposes.values(),
            *(rules for by_purpose in found.cards.values() for rules in by_purpose.values()),
            *found.events.values(),
            found.otherwise,
        )
        for rule in rules
    }
    if missing_rules := named - sections().keys():
        names = ", ".join(sorted(missing_rules))
        raise Flawed(f"The index names sections that there are not: {names}.")
    return found


def _by_card(rows: list[dict[str, Any]]) -> dict[str, dict[Purpose, Sections]]:
    found: dict[str, dict[Purpose, Sections]] = {}
    for row in rows:
        rules = tuple(row["rules"])
        for key in row.keys() - {"rules"}:
            for name in row[key]:
                by_purpose = found.setdefault(name, {})
                if Purpose(key) in by_purpose:
                    raise Flawed(f"The index lists {name} twice for {key}.")
                by_purpose[Purpose(key)] = rules
    for by_purpose in found.values():
        for one, other in (
            (Purpose.TARGET, Purpose.CHOOSE),
            (Purpose.CHOOSE, Purpose.TARGET),
        ):
            if one in by_purpose:
                by_purpose.setdefault(other, by_purpose[one])
    return found
