"""Actions that must directly affect a minion: what the menu offers keeps its promise."""

from __future__ import annotations

import random

import pytest

from smashup.cards import catalogue
from smashup.engine.decisions import Decision
from smashup.engine.events import Event, Frame
from smashup.engine.game import Game
from smashup.engine.handles import Card
from smashup.engine.rights import Right
from smashup.engine.setup import Setup

AIMING = ("Musketeers", "Astroknights")
# No Ignobles: where other players choose, nobody can promise what an action affects.
ACTING = ("Sumo Wrestlers", "Luchadors", "Mounties", "Changerbots", "Polynesian Voyagers", "Kaiju")


class WatchedGame(Game):
    """A game that notes whether cards played by a demanding permission did what it demands."""

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup, catalogue())
        self.checked = 0
        self.failed: list[str] = []
        self._met: list[Right] = []

    def play(
        self,
        player: int,
        c: int,
        place: int,
        hosted: bool,
        right: Right | None,
        window: Event | None = None,
        special: bool = False,
    ) -> Card:
        played = super().play(player, c, place, hosted, right, window, special)
        if right is not None and right.is_aimed and not self.on_trial:
            self.checked += 1
            if not any(x is right for x in self._met):
                self.failed.append(self.state.kind[c].name)
        return played

    def _aim_met(self, frame: Frame) -> None:
        if frame.right is not None:
            self._met.append(frame.right)
        super()._aim_met(frame)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_demanding_permissions_are_fulfilled(players: int) -> None:
    """Whatever is chosen on the way, an action offered for a minion affects that minion."""
    checked = 0
    for seed in range(25):
        dice = random.Random(seed)
        others = dice.sample(ACTING, 2 * players - 2) if players < 4 else list(ACTING)
        factions = dice.sample([*AIMING, *others], 2 * players)
        pairs = tuple((factions[2 * i], factions[2 * i + 1]) for i in range(players))
        game = WatchedGame(Setup(players=players, seed=seed, factions=pairs))

        def choose(decision: Decision, dice: random.Random = dice) -> int:
            return dice.randrange(len(decision.options))

        game.play_out(choose)
        assert not game.failed, f"seed {seed}: {game.failed}"
        checked += game.checked
    assert checked > 10
