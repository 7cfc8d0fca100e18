"""Each seat's probability of winning, now and after every past turn, as one seat can estimate it.

The estimates average over resampled hidden cards and so reveal nothing about the real ones. They
are plain data for clients to draw.
"""

from __future__ import annotations

from random import Random
from typing import TypedDict

from smashup.bots.network.model import load_network
from smashup.engine.game import Game
from smashup.engine.rules import visibility

DEALS = 24
"""Tables sampled per position."""


class TurnEntry(TypedDict):
    """A finished turn: its number, its player, and every seat's VP and probability of winning."""

    turn: int
    player: int
    vp: list[int]
    chances: list[float]


def win_probabilities(game: Game, player: int, deals: int = DEALS) -> list[float]:
    """Estimate each seat's probability of winning from what ``player`` (-1: a spectator) can see.

    The mean over several deals, deterministic for a position. The game is not changed.
    """
    evaluate = load_network().evaluate
    sampled = game.clone()
    if sampled.is_over:
        return evaluate(sampled)
    # Drop the pending decision: options offered to others would reveal their hands.
    sampled.table.pending = None
    s = sampled.table.state
    hidden = visibility.hidden_cards(sampled.table, player)
    rng = Random(f"outlook/{len(game.answers)}")
    sums = [0.0] * game.table.num_players
    for _ in range(deals):
        hidden.deal(rng.shuffle).lay(s)
        for seat, chance in enumerate(evaluate(sampled)):
            sums[seat] += chance
    sampled.dispose()
    return [total / deals for total in sums]


def win_probability_history(game: Game, player: int, deals: int = DEALS) -> list[TurnEntry]:
    """Return an entry per finished turn, as ``player`` (-1: a spectator) could judge it then.

    Replays the answers of the game. The last entry of a finished game is its result.
    """
    again = game.from_start()
    again.table.logging = False
    entries: list[TurnEntry] = []
    turn = current = 0
    if not again.is_over:  # brings the game up to date
        turn, current = again.table.state.turn, again.table.state.current
    for answer in game.answers:
        again.choose(answer)
        s = again.table.state
        if turn and (s.turn > turn or s.over):
            entries.append(
                TurnEntry(
                    turn=turn,
                    player=current,
                    vp=s.vp[:],
                    chances=win_probabilities(again, player, deals),
                )
            )
        turn, current = s.turn, s.current
    return entries
