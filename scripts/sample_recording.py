"""``python -m scripts.sample_recording``: write a small recording that tests will always read.

Recordings of version 1 have to stay readable, whatever becomes of the rules and of this program. So
the file is made once and never again: where it is there already, nothing is written.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Final

from smashup.cards import catalogue
from smashup.engine.game import Game
from smashup.engine.model.setup import Setup
from smashup.server.replays.recording import VERSION, FinishedGame, record

FILE: Final = (
    Path(__file__).resolve().parent.parent / "tests" / "server" / f"recording-{VERSION}.json.gz"
)
TEAMS: Final = (("Kaiju", "Time Travelers"), ("Shapeshifters", "Super Spies"))


def main() -> None:
    if FILE.exists():
        print(f"{FILE.name} is there already, and stays as it is.")
        return
    cards = catalogue()
    game = Game(Setup(players=2, seed=7, factions=TEAMS), cards)
    dice = random.Random(3)
    # Far enough that bases have scored; then the second player gives up.
    while game.table.state.turn < 13 and (decision := game.decision) is not None:
        game.choose(dice.randrange(len(decision.options)))
    setup = game.setup.to_json()
    seats = [{"kind": "person", "level": ""}, {"kind": "bot", "level": "easy"}]
    FILE.write_bytes(record(FinishedGame(setup, {}, game.answers, seats, [0]), cards))
    print(f"{FILE.name}: {FILE.stat().st_size} bytes, {len(game.answers)} answers.")


if __name__ == "__main__":
    main()
