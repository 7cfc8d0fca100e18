"""How a game stands and how it came to that, as one seat may judge it.

Positions are judged on tables with the hidden cards dealt anew, so nothing here tells where they
really lie. `outlook` is for the position on the table, `history` for all turns before it; both are
plain data that clients can draw.
"""

from __future__ import annotations

from random import Random
from typing import TypedDict

from smashup.bots.evaluation import chances
from smashup.engine.game import Game
from smashup.engine.rules import visibility

DEALS = 24
"""Tables imagined to judge one position."""


class Entry(TypedDict):
    """A finished turn: its number, whose it was, and how every seat then stood."""

    turn: int
    player: int
    vp: list[int]
    chances: list[float]


def outlook(game: Game, player: int, deals: int = DEALS) -> list[float]:
    """Each seat's chance to win as a seat (-1: a spectator) may judge it; they add up to 1.

    The mean over several dealt tables, the same each time. The game is left as it is.
    """
    table = game.clone()
    if table.is_over:
        return chances(table)
    # A pending question is forgotten: what it offers to others would tell of their hands.
    table.table.pending = None
    s = table.table.state
    hidden = visibility.hidden_cards(table.table, player)
    rng = Random(f"outlook/{len(game.answers)}")
    sums = [0.0] * game.table.num_players
    for _ in range(deals):
        hidden.deal(rng.shuffle).lay(s)
        for seat, chance in enumerate(chances(table)):
            sums[seat] += chance
    return [total / deals for total in sums]


def history(game: Game, player: int, deals: int = DEALS) -> list[Entry]:
    """One entry a finished turn, as a seat (-1: a spectator) could judge it when it ended.

    Made by playing the answers again. The last entry of a game that is over is its result.
    """
    again = game.fresh()
    again.table.logging = False
    entries: list[Entry] = []
    turn = current = 0
    if not again.is_over:  # asking wakes it
        turn, current = again.table.state.turn, again.table.state.current
    for answer in game.answers:
        again.choose(answer)
        s = again.table.state
        if turn and (s.turn > turn or s.over):
            entries.append(
                Entry(turn=turn, player=current, vp=s.vp[:], chances=outlook(again, player, deals))
            )
        turn, current = s.turn, s.current
    return entries
