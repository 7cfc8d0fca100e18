"""What actions say of themselves against what they are seen to do in random games."""

from __future__ import annotations

import random

import pytest

from smashup.cards import catalogue
from smashup.engine.kinds import Kind
from smashup.engine.plays import Plays
from smashup.engine.words import ACTION, MINION, ON_MINION
from tests.tables import new_game, random_player, random_setup

GAMES = 40


def says(kind: Kind) -> bool:
    return kind.affects_minions or kind.where == ON_MINION


def test_actions_that_affect_minions_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """An action that says nothing is never found by a card that looks for such actions."""
    seen: dict[str, Kind] = {}
    note_affected = Plays.note_affected

    def watch(table: Plays, c: int) -> None:
        cause = table.cause
        if cause.playing and cause.type == ACTION and table.state.kind[c].type == MINION:
            kind = table.state.kind[cause.card]
            seen[f"{kind.name} ({'current' if kind.reprint else 'printed'})"] = kind
        note_affected(table, c)

    monkeypatch.setattr(Plays, "note_affected", watch)
    rng = random.Random(3)
    for _ in range(GAMES):
        game = new_game(random_setup(rng))
        game.logging = False
        game.play_out(random_player(rng))
    assert len(seen) > 80
    assert [name for name, kind in seen.items() if not says(kind)] == []


@pytest.mark.parametrize(
    "name", ["Super Effective!", "Hidden Base", "Performance Prize", "Mitosis"]
)
def test_actions_that_affect_none_say_nothing(name: str) -> None:
    assert not any(says(k) for k in catalogue().kinds("current") if k.name == name)
