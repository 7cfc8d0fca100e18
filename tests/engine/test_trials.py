"""Actions that must directly affect a minion: every offered option can do so."""

from __future__ import annotations

import random

import pytest

from smashup.cards import catalogue
from smashup.engine.card_api import Card
from smashup.engine.game import Game
from smashup.engine.model.decisions import Decision
from smashup.engine.model.events import Event, Resolution
from smashup.engine.model.permissions import PlayPermission
from smashup.engine.model.setup import Setup
from smashup.engine.model.table import Table
from smashup.engine.rules import direct_effects, playing

DEMANDING_FACTIONS = ("Musketeers", "Astroknights")
# No Ignobles: if other players choose, the effect of an action cannot be guaranteed.
OTHER_FACTIONS = (
    "Sumo Wrestlers",
    "Luchadors",
    "Mounties",
    "Changerbots",
    "Polynesian Voyagers",
    "Kaiju",
)


class DemandRecorder:
    """Records whether cards played with a demanding permission met the demand."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.checked = 0
        self.failed: list[str] = []
        self._met: list[PlayPermission] = []
        play_card, constraint_met = playing.play_card, direct_effects._constraint_met

        def watched_play(
            table: Table,
            player: int,
            c: int,
            place: int,
            on_card: bool,
            right: PlayPermission | None,
            window: Event | None = None,
            special: bool = False,
        ) -> Card:
            played = play_card(table, player, c, place, on_card, right, window, special)
            if right is not None and right.has_demands and not table.is_trial:
                self.checked += 1
                if not any(x is right for x in self._met):
                    self.failed.append(table.state.definition[c].name)
            return played

        def watched_constraint(table: Table, frame: Resolution) -> None:
            if frame.permission is not None:
                self._met.append(frame.permission)
            constraint_met(table, frame)

        monkeypatch.setattr(playing, "play_card", watched_play)
        monkeypatch.setattr(direct_effects, "_constraint_met", watched_constraint)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_demanding_permissions_are_fulfilled(monkeypatch: pytest.MonkeyPatch, players: int) -> None:
    """An action offered for a minion affects it, whatever the player chooses."""
    watch = DemandRecorder(monkeypatch)
    for seed in range(25):
        dice = random.Random(seed)
        others = (
            dice.sample(OTHER_FACTIONS, 2 * players - 2) if players < 4 else list(OTHER_FACTIONS)
        )
        factions = dice.sample([*DEMANDING_FACTIONS, *others], 2 * players)
        pairs = tuple((factions[2 * i], factions[2 * i + 1]) for i in range(players))
        game = Game(Setup(players=players, seed=seed, factions=pairs), catalogue())

        def choose(decision: Decision, dice: random.Random = dice) -> int:
            return dice.randrange(len(decision.options))

        game.play_out(choose)
        assert not watch.failed, f"seed {seed}: {watch.failed}"
    assert watch.checked > 10
