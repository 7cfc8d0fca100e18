"""``python -m scripts.update_sizes``: compare updates of tables with whole views.

Plays games in which every seat decides like an easy bot, and makes for each person at the table
what a server sends after every answer: once as an update with the whole view, once with a patch
and its checksum. Reports bytes before compression and processor time.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from dataclasses import dataclass, field
from typing import Any, Final, cast

from smashup.bots.information_set import InformationSet
from smashup.bots.levels import make_bot
from smashup.cards import catalogue
from smashup.engine.game import Game
from smashup.engine.model.setup import Setup
from smashup.engine.views.types import View
from smashup.server.live.protocol import SeatInfo, TableInfo
from smashup.server.live.streams import encode, seat_state_changes
from smashup.server.live.view_patch import ViewChecksum
from smashup.server.tables.log_history import LogHistory

KINDS: Final = {
    "2 people": (2, 2),
    "1 person, 1 bot": (2, 1),
    "4 people": (4, 4),
    "1 person, 3 bots": (4, 1),
}
"""Number of seats, and how many of them are people."""


@dataclass
class Result:
    """Measurements for one kind of table."""

    whole: list[int] = field(default_factory=list)
    """Bytes of updates with the whole view."""
    small: list[int] = field(default_factory=list)
    """Bytes of updates with a patch."""
    view_seconds: float = 0.0
    whole_seconds: float = 0.0
    small_seconds: float = 0.0
    """Without the view, which both need."""

    def row(self, kind: str) -> str:
        count = len(self.whole)
        return (
            f"| {kind} | {count} | {_sizes(self.whole)} | {_sizes(self.small)}"
            f" | {self.view_seconds / count * 1e6:.0f}"
            f" | {self.whole_seconds / count * 1e6:.0f} | {self.small_seconds / count * 1e6:.0f} |"
        )


def _sizes(sizes: list[int]) -> str:
    p95 = statistics.quantiles(sizes, n=20, method="inclusive")[-1]
    return f"{statistics.mean(sizes):,.0f} | {p95:,.0f}"


class Viewer:
    """A person at the table."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.scene: dict[str, Any] | None = None
        self.text = ""
        self.checksum = ViewChecksum()
        self.lines = self.changes = self.version = 0

    def see(self, game: Game, story: LogHistory, info: TableInfo, result: Result) -> None:
        """Build the next update in both ways."""
        began = time.process_time()
        view = game.view(self.seat)
        result.view_seconds += time.process_time() - began
        scene: dict[str, Any] = {
            "table": info, "view": view, "number": len(game.answers), "wishes": None,
            "clock": None, "undo": None, "can_undo": False, "hints": False, "chances": None,
        }  # fmt: skip
        news: dict[str, Any] = {
            "type": "update", "version": self.version, "now": 1790000000.123, "rewound": None,
            "chat": [], "lines": story.lines(game, self.seat, self.lines),
            "changes": game.events(self.seat, self.changes),
        }  # fmt: skip
        old, self.scene = self.scene, scene
        self.version += 1
        self.lines += len(news["lines"])
        self.changes += len(news["changes"])
        if old is None:
            self.checksum.advance(None, view)
            self.text = encode(scene)
            return
        began = time.process_time()
        whole = self._write_whole(scene, news)
        between = time.process_time()
        small = self._write_small(cast(Any, old), cast(Any, scene), news, view)
        result.small_seconds += time.process_time() - between
        result.whole_seconds += between - began
        if whole is not None:
            result.whole.append(len(whole.encode()))
            result.small.append(len(small.encode()))

    def _write_whole(self, scene: dict[str, Any], news: dict[str, Any]) -> str | None:
        """Return an update with the whole view; None if nothing has changed."""
        text = encode(scene)
        if text == self.text and not news["lines"]:
            return None
        self.text = text
        return f"{encode(news)[:-1]},{text[1:]}"

    def _write_small(self, old: Any, scene: Any, news: dict[str, Any], view: View) -> str:
        checksum = self.checksum.advance(old["view"], view)
        return encode({**news, **seat_state_changes(old, scene), "checksum": checksum})


def play(players: int, people: int, seed: int, result: Result) -> None:
    """Play a game and build the updates of all people after every answer."""
    game = Game(Setup(players=players, seed=seed, ask_everyone=people > 1), catalogue())
    bots = [make_bot("easy", seed * 10 + seat) for seat in range(players)]
    story = LogHistory([])
    info = _table_info(game, people)
    viewers = [Viewer(seat) for seat in range(people)]
    while (decision := game.decision) is not None:
        if len(decision.options) == 1:
            game.choose(0)  # nobody is shown a question that answers itself
            continue
        for viewer in viewers:
            viewer.see(game, story, info, result)
        game.choose(bots[decision.player].choose(InformationSet(game, decision.player)))


def _table_info(game: Game, people: int) -> TableInfo:
    seats = [
        SeatInfo(
            number=seat, kind="person" if seat < people else "bot", level="", name=f"Player {seat}",
            factions=[], ready=True, here=True, left=False, resigned=False, votes=[],
        )
        for seat in range(game.table.num_players)
    ]  # fmt: skip
    return TableInfo(
        id="0123456789abcdef", state="playing", listed=True, spectators=True, players=len(seats),
        mode="random", edition="CS", printing="printed", optional_titans=False, madness=False,
        clock=0, undo=True, chat=True, created=1790000000.123, seats=seats, winners=[], rematch="",
        replay=False, notice=None,
    )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=3, help="of each kind")
    options = parser.parse_args()
    print("| game | updates | whole: mean bytes | p95 | patch: mean bytes | p95"
          " | view: µs | whole: µs | patch: µs |")  # fmt: skip
    print("|---|---|---|---|---|---|---|---|---|")
    for kind, (players, people) in KINDS.items():
        result = Result()
        for number in range(options.games):
            play(players, people, random.Random(f"{kind}/{number}").getrandbits(40), result)
        print(result.row(kind), flush=True)


if __name__ == "__main__":
    main()
