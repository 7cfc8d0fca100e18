"""A picture of a table in the middle of a game, for the front page.

``python -m smashup.terminal.picture docs/board.svg`` draws the same picture every time.
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
from smashup.terminal.keeping import Keeper
from smashup.terminal.play import Sitting
from smashup.terminal.prompt import Prompt
from smashup.terminal.seats import HUMAN, OPPONENT, Seat, random_answer
from smashup.terminal.translation import tr

WIDTH = 102
SETUP = Setup(
    players=2,
    factions=(("Cyborg Apes", "Super Spies"), ("Time Travelers", "Shapeshifters")),
    seed=78,
    first=0,
)
SEATS = [Seat(HUMAN, "Ana"), Seat(OPPONENT, "Robo")]
CARDS_AT_EACH_BASE = 2
CARDS_IN_HAND = range(3, 6)


def picture() -> str:
    """The picture as SVG."""
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
    sitting = Sitting(game, SEATS, console, Keeper(Path()))
    sitting.read[0] = len(game.events(0)) - _lines_since_my_turn(game)
    prompt = Prompt(sitting, 0)
    prompt.show(True, sitting.news(0))
    console.print(prompt.line())
    svg = console.export_svg(title=tr("smashup play"))
    # The fonts of whoever looks at it are good enough: a picture should fetch nothing.
    return re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)


def _mid_game() -> Game:
    """Random answers up to a position worth a look."""
    game = Game(SETUP, catalogue())
    while (decision := game.decision) is not None:
        starts = "turn" in game.events(0)[-1][1].args
        if starts and decision.player == 0 and _is_handsome(cast("dict[str, Any]", game.view(0))):
            return game
        game.choose(_eager_answer(game, decision.player))
    raise SystemExit(tr("No position of this game is worth a picture; try another seed."))


def _eager_answer(game: Game, player: int) -> int:
    """A random answer that never says no while there is something to say yes to."""
    options = cast("dict[str, Any]", game.view(player))["decision"]["options"]
    eager = [o["index"] for o in options if o.get("verb", "play") in ("play", "talent", "special")]
    choice = random_answer(SETUP, player, len(game.answers), len(eager) or len(options))
    return int(eager[choice]) if eager else choice


def _is_handsome(view: dict[str, Any]) -> bool:
    """The start of a turn with cards everywhere, some of them carrying others, and some VP."""
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
    """Log lines from the last turn of the other player on."""
    lines = game.events(0)
    turns = [number for number, line in enumerate(lines) if "turn" in line[1].args]
    return len(lines) - lines[turns[-2]][0]


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(tr("Say where the picture goes: python -m smashup.terminal.picture FILE.svg"))
    Path(sys.argv[1]).write_text(picture(), encoding="utf-8")
