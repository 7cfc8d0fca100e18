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
from smashup.rules import RULES_FOLDER, RulesError, load_sections

FILE: Final = RULES_FOLDER / "index.yaml"
Sections = tuple[str, ...]


@dataclass(frozen=True)
class Index:
    """Maps decisions and log lines to section ids, most relevant first."""

    purposes: dict[Purpose, Sections]
    cards: dict[str, dict[Purpose, Sections]]
    """By the name of the asking card, if it needs other rules than its purpose."""
    events: dict[str, Sections]
    """By the id of the event that a log line describes, with its variant."""
    otherwise: Sections
    """For log lines without an event, such as an undo."""

    def sections_for_decision(self, purpose: Purpose, card: str | None = None) -> Sections:
        """The sections behind a decision, asked by a card or (None) by the rules."""
        return self.cards.get(card or "", {}).get(purpose) or self.purposes[purpose]

    def sections_for_event(self, event: str) -> Sections:
        """The sections behind a line of the log; there is always one."""
        return self.events.get(event, self.otherwise)


@cache
def load_index() -> Index:
    """Load the index; raise a `RulesError` for unknown sections or missing purposes."""
    data = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    found = Index(
        {Purpose(purpose): tuple(rules) for purpose, rules in data["purposes"].items()},
        _by_card(data["cards"]),
        {event: tuple(rules) for event, rules in data["events"].items()},
        tuple(data["otherwise"]),
    )
    if missing := set(Purpose) - found.purposes.keys():
        raise RulesError(f"The index has no rules for purposes: {', '.join(sorted(missing))}.")
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
    if missing_rules := named - load_sections().keys():
        names = ", ".join(sorted(missing_rules))
        raise RulesError(f"The index names unknown sections: {names}.")
    return found


def _by_card(rows: list[dict[str, Any]]) -> dict[str, dict[Purpose, Sections]]:
    found: dict[str, dict[Purpose, Sections]] = {}
    for row in rows:
        rules = tuple(row["rules"])
        for key in row.keys() - {"rules"}:
            for name in row[key]:
                by_purpose = found.setdefault(name, {})
                if Purpose(key) in by_purpose:
                    raise RulesError(f"The index lists {name} twice for {key}.")
                by_purpose[Purpose(key)] = rules
    for by_purpose in found.values():
        for one, other in (
            (Purpose.TARGET, Purpose.CHOOSE),
            (Purpose.CHOOSE, Purpose.TARGET),
        ):
            if one in by_purpose:
                by_purpose.setdefault(other, by_purpose[one])
    return found
