"""``python -m scripts.sample_updates``: write the patches that the client's tests apply.

Each sequence is what one viewer is sent: the first view, then patches with their checksums; and the
view that these lead to. Run it again after a change of `smashup.server.live.view_patch`.
"""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path
from typing import Any, Final

from smashup.cards import catalogue
from smashup.engine.game import Game
from smashup.engine.model.setup import Setup
from smashup.engine.views.view import SPECTATOR
from smashup.server.live.view_patch import make_patch, view_checksum

FILE: Final = Path(__file__).resolve().parent.parent / "client" / "tests" / "updates.json.gz"
TEAMS: Final = (("Kaiju", "Grimms' Fairy Tales"), ("Polynesian Voyagers", "Changerbots"))
HIDDEN_TEAMS: Final = (
    ("Russian Fairy Tales", "Super Spies"),
    ("Mega Troopers", "Shapeshifters"),
)
SETUPS: Final = (
    Setup(players=2, seed=4, factions=TEAMS),
    Setup(players=4, seed=11, optional_titans=True, madness=True),
    Setup(players=3, seed=5, draft=True, ask_everyone=True),
    Setup(players=2, seed=0, factions=HIDDEN_TEAMS, printing="current"),
)
STEPS: Final = 150
UNDO: Final = 0.04
"""How often answers are undone instead of given."""


def sequences(setup: Setup) -> list[dict[str, Any]]:
    """Play at random and return what a seat and a spectator receive."""
    dice = random.Random(setup.seed)
    game = Game(setup, catalogue())
    views = {viewer: game.view(viewer) for viewer in (0, SPECTATOR)}
    found = {viewer: {"first": view, "updates": []} for viewer, view in views.items()}
    for _ in range(STEPS):
        decision = game.decision
        if decision is None:
            break
        if len(game.answers) > 3 and dice.random() < UNDO:
            game = game.undo(3)
        else:
            game.choose(dice.randrange(len(decision.options)))
        for viewer, old in views.items():
            view = views[viewer] = game.view(viewer)
            if patch := make_patch(old, view):
                update = {"patch": patch, "checksum": view_checksum(view)}
                found[viewer]["updates"].append(update)  # type: ignore[attr-defined]
    return [{**found[viewer], "last": view} for viewer, view in views.items()]


def main() -> None:
    written = [sequence for setup in SETUPS for sequence in sequences(setup)]
    text = json.dumps(written, ensure_ascii=False, separators=(",", ":"))
    FILE.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    print(f"{FILE.name}: {len(written)} sequences, {FILE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
