"""Steps: what a choice does, identified equally on every deal and whatever was played before.

Two lines that play the same cards in another order consist of the same steps.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any, Final

from smashup.bots.information_set import option_keys
from smashup.engine.model.constants import AT_BASE, BURIED, DISCARD, NONE, ON_CARD
from smashup.engine.model.decisions import CARDS, MOVES, TRIGGERS, Decision, Purpose

_IDENTIFIED_ZONES: Final = frozenset((AT_BASE, ON_CARD, DISCARD, BURIED))
"""Zones in which a card is identified by its place too; elsewhere its name is enough."""
_ORDERS: Final = frozenset(
    (Purpose.ORDER_TRIGGERS, Purpose.ORDER_SCORING, Purpose.ORDER_REPLACEMENTS)
)

Step = tuple[Hashable, ...]
NO_STEP: Final[Step] = ()
"""Stands for choices that are not steps: ending the turn, declining, ordering, forced ones."""


def step_of(decision: Decision, option: int) -> Step:
    """Return the step that an option stands for, or `NO_STEP`."""
    if (
        len(decision.options) == 1
        or decision.kind == TRIGGERS
        or decision.purpose in _ORDERS
        or decision.declines(option)
    ):
        return NO_STEP
    return identify(decision, option)


def identify(decision: Decision, option: int) -> Step:
    """Identify an option of any kind among those of all decisions of the turn."""
    state = decision.table.state
    chosen: Any = decision.options[option]
    source = state.definition[decision.source].name if decision.source != NONE else ""
    what: Hashable
    if decision.declines(option):
        what = "decline"
    elif decision.kind == MOVES:
        what = (chosen.verb, _card_key(decision, chosen.card), chosen.place, chosen.on_card)
    elif decision.kind == CARDS:
        what = _card_key(decision, chosen)
    elif decision.kind == TRIGGERS:
        what = (chosen.ability.card, chosen.hook)
    else:
        what = option_keys(decision)[option]
    return (decision.purpose, source, what)


def distinct_options(decision: Decision) -> Iterator[int]:
    """Yield one option of each group that means the same."""
    seen: set[Hashable] = set()
    for option, key in enumerate(option_keys(decision)):
        if key not in seen:
            seen.add(key)
            yield option


def rival_answer(decision: Decision) -> int:
    """Return another player's answer in a puzzle: they decline what they can.

    The solution works whatever they answer, and no other line ever does.
    """
    options = range(len(decision.options))
    return next((option for option in options if decision.declines(option)), 0)


def _card_key(decision: Decision, card: int) -> Hashable:
    state = decision.table.state
    if card == NONE:
        return card
    name, zone = state.definition[card].name, state.zone[card]
    if zone in _IDENTIFIED_ZONES:
        # Copies of a card that one player has at one base are the same, unless they carry anything.
        mark = card if state.counters[card] or card in state.on_card else NONE
        return (name, zone, state.controller[card], state.place[card], mark)
    return (name, zone)
