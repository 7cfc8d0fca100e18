"""Compares what actions declare about themselves with what they do in random games."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final

import pytest

from smashup.cards import catalogue
from smashup.engine.model.constants import ACTION, MINION, ON_MINION
from smashup.engine.model.definitions import CardDefinition
from smashup.engine.model.hooks import Hook
from smashup.engine.model.table import Table
from smashup.engine.rules import abilities, direct_effects
from tests.random_games import new_game, random_player, random_setup

H_HOST_BONUS: Final = Hook.HOST_BONUS.value
H_HOST_PRINTED_POWER: Final = Hook.HOST_PRINTED_POWER.value

GAMES = 40


def says(kind: CardDefinition) -> bool:
    return kind.affects_minions or kind.played_on == ON_MINION


def raises(kind: CardDefinition) -> bool:
    bonus = 1 << H_HOST_BONUS | 1 << H_HOST_PRINTED_POWER
    return kind.raises_minions or bool(kind.hooks & bonus)


Seen = dict[str, CardDefinition]


def watch(monkeypatch: pytest.MonkeyPatch, verb: str) -> Seen:
    """Return the actions that did this to a minion when they were played."""
    seen: Seen = {}
    original: Callable[..., bool | None] = getattr(direct_effects, verb)

    def note(table: Table, c: int, *rest: bool, **named: bool) -> bool | None:
        cause = abilities.current_cause(table)
        if (
            cause.is_being_played
            and cause.type == ACTION
            and table.state.definition[c].type == MINION
        ):
            kind = table.state.definition[cause.card]
            seen[f"{kind.name} ({'current' if kind.has_current_text else 'printed'})"] = kind
        return original(table, c, *rest, **named)

    monkeypatch.setattr(direct_effects, verb, note)
    return seen


def test_actions_declare_what_they_do_to_minions(monkeypatch: pytest.MonkeyPatch) -> None:
    """A card that looks for such actions never finds one that does not declare it."""
    affecting = watch(monkeypatch, "note_affected")
    raising = watch(monkeypatch, "note_raised")
    rng = random.Random(3)
    for _ in range(GAMES):
        game = new_game(random_setup(rng))
        game.table.logging = False
        game.play_out(random_player(rng))
    assert len(affecting) > 80
    assert [name for name, kind in affecting.items() if not says(kind)] == []
    assert len(raising) > 25
    assert [name for name, kind in raising.items() if not raises(kind)] == []


@pytest.mark.parametrize(
    "name", ["Super Effective!", "Hidden Base", "Performance Prize", "Mitosis"]
)
def test_actions_that_affect_no_minion_declare_nothing(name: str) -> None:
    assert not any(says(k) for k in catalogue().definitions("current") if k.name == name)
