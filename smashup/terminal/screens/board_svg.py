"""Draws docs/board.svg: a board in the middle of a game.

``python -m smashup.terminal.screens.board_svg docs/board.svg`` always draws the same image.
"""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path
from typing import Any, cast

from rich.console import Console

from smashup.cards import catalogue
from smashup.engine.game import Game
from smashup.engine.model.setup import Setup
from smashup.terminal.game.prompt import Prompt
from smashup.terminal.game.save_files import SaveFile
from smashup.terminal.game.seats import DEFAULT_OPPONENT, HUMAN, Seat, pick_random_answer
from smashup.terminal.game.session import GameSession
from smashup.terminal.translation import tr

WIDTH = 102
SETUP = Setup(
    players=2,
    factions=(("Cyborg Apes", "Super Spies"), ("Time Travelers", "Shapeshifters")),
    seed=78,
    first=0,
)
SEATS = [Seat(HUMAN, "Ana"), Seat(DEFAULT_OPPONENT, "Robo")]
CARDS_AT_EACH_BASE = 2
CARDS_IN_HAND = range(3, 6)


def draw_board_svg() -> str:
    """Draw the board of a fixed game as SVG."""
    game = _mid_game()
    console = Console(
        record=True,
        width=WIDTH,
        height=60,
        file=io.StringIO(),
        force_terminal=True,
        color_system="truecolor",
        highlight=False,
        markup=False,
        emoji=False,
    )
    session = GameSession(game, SEATS, console, SaveFile(Path()))
    session.lines_shown[0] = len(game.log_lines(0)) - _lines_since_my_turn(game)
    prompt = Prompt(session, 0, session.collect_news(0))
    prompt.draw()
    console.print(prompt.prompt_line())
    svg = console.export_svg(title=tr("smashup play"))
    # Viewers use their own fonts, so that the image downloads nothing.
    return re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)


def _mid_game() -> Game:
    """Play random answers up to a position that shows many features."""
    game = Game(SETUP, catalogue())
    while (decision := game.decision) is not None:
        starts = "turn" in game.log_lines(0)[-1][1].args
        if (
            starts
            and decision.player == 0
            and _is_presentable(cast("dict[str, Any]", game.view(0)))
        ):
            return game
        game.choose(_eager_answer(game, decision.player))
    raise SystemExit(tr("No position of this game is worth a picture; try another seed."))


def _eager_answer(game: Game, player: int) -> int:
    """Pick a random answer, preferring to play something over passing."""
    options = cast("dict[str, Any]", game.view(player))["decision"]["options"]
    eager = [o["index"] for o in options if o.get("verb", "play") in ("play", "talent", "special")]
    choice = pick_random_answer(SETUP, player, len(game.answers), len(eager) or len(options))
    return int(eager[choice]) if eager else choice


def _is_presentable(view: dict[str, Any]) -> bool:
    """Whether it is the start of a turn with cards and actions at many bases and some VP."""
    cards = [len(site["cards"]) for site in view["bases"]]
    carrying = [c for site in view["bases"] for c in site["cards"] if c.get("actions")]
    both = [sum(total > 0 for total in site["totals"]) for site in view["bases"]]
    return (
        view["decision"]["kind"] == "move"
        and min(cards) >= CARDS_AT_EACH_BASE
        and len(carrying) >= 2
        and sum(n == 2 for n in both) >= 2
        and len(view["players"][0]["hand"]) in CARDS_IN_HAND
        and all(seat["vp"] > 0 for seat in view["players"])
    )


def _lines_since_my_turn(game: Game) -> int:
    """Count the log lines since the start of the opponent's last turn."""
    lines = game.log_lines(0)
    turns = [number for number, line in enumerate(lines) if "turn" in line[1].args]
    return len(lines) - lines[turns[-2]][0]


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(tr("Usage: python -m smashup.terminal.screens.board_svg FILE.svg"))
    Path(sys.argv[1]).write_text(draw_board_svg(), encoding="utf-8")
