"""If a card raises an error, it is named and the game returns to the state before the choice."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random

from smashup.cards import catalogue
from smashup.engine.errors import CardFailure
from smashup.engine.game import Game
from smashup.engine.model.catalogue import Catalogue, Faction
from smashup.engine.model.definitions import BaseCard, Minion
from smashup.engine.model.setup import Setup
from tests.cards.wrong_factions import VALID_FACTION
from tests.terminal.cli_process import run


class Grumpy(Minion):
    name = "Grumpy"
    power = 1
    copies = 20
    text = "It fails when it is played."

    def on_play(self, me: object) -> None:
        raise RuntimeError("grump")


class Corner(BaseCard):
    name = "Corner"
    breakpoint = 10
    vp = (1, 1, 1)
    text = "A corner."


def test_a_failing_card_is_named_and_changes_nothing() -> None:
    grumps = Faction("Grumps", "Odd", (Grumpy,), (Corner,))
    cards = Catalogue([*catalogue().factions, grumps])
    setup = Setup(2, (("Grumps", "Kaiju"), ("Mounties", "Musketeers")), seed=5, first=0)
    game = Game(setup, cards)
    rng = Random(1)
    failed: list[CardFailure] = []
    while (decision := game.decision) is not None and len(failed) < 5:
        option = rng.randrange(len(decision.options))
        player = decision.player
        before = (game.digest(), game.answers[:], len(game.events(-1)), game.view(player))
        try:
            game.choose(option)
        except CardFailure as raised:
            failed.append(raised)
            after = (game.digest(), game.answers, len(game.events(-1)), game.view(player))
            assert after == before
            assert Game.replay(setup, cards, game.answers).digest() == game.digest()
    assert len(failed) == 5
    for failure in failed:
        assert "The card Grumpy failed in on_play" in str(failure)
        assert re.search(r"test_card_failures.py, line \d+\): RuntimeError: grump\.", str(failure))
        message = str(failure.public_message)
        assert message == "The card Grumpy failed; the choice was undone."


def test_the_terminal_names_the_card_saves_the_game_and_continues(tmp_path: Path) -> None:
    path = tmp_path / "stones.py"
    path.write_text(VALID_FACTION.replace("        # slide", "        raise ValueError('slip')"))
    save = tmp_path / "game.json"
    done = run(
        tmp_path, "play", "--faction-file", str(path),
        "--factions", "Stones+Kaiju,Mounties+Musketeers",
        "--seed", "3", "--first", "1", "--save", str(save), "--fast", "--no-eval",
        typed="".join(f"{n}\n" for n in [1, 2, 3, 4, 5, 6, 7, 8] * 6) + "q\n",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    shown = " ".join(done.stdout.split())
    assert "The card Slide failed in on_play" in shown
    assert "ValueError: slip. The choice was undone." in shown
    assert json.loads(save.read_text())["setup"]["seed"] == 3
