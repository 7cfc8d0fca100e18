"""A player who answers at once without looking ahead: plays what there is to play, anything goes.

It ends the turns that a search does not look at closely.
"""

from __future__ import annotations

from collections.abc import Callable

from smashup.engine.core import Policy
from smashup.engine.decisions import CARDS, DONE, MOVES, PASS, PLAYERS, SITES, Decision
from smashup.engine.words import NONE

DECLINE = 0.15
"""How often something optional is declined."""


def quick_player(random: Callable[[], float]) -> Policy:
    """Somebody quick; ``random`` gives numbers from 0 up to 1."""

    def answer(decision: Decision) -> int:
        options = decision.options
        count = len(options)
        if count == 1:
            return 0
        kind = decision.kind
        last = options[-1]
        if kind == MOVES:
            # Whoever can do something does it: nothing is kept for later.
            declining = last.verb >= DONE
            if declining and (last.verb != PASS or random() >= DECLINE):
                count -= 1
            elif declining:
                return count - 1
            first = int(random() * count)
            if count > 2:
                # Of two moves the one with the stronger card.
                second = int(random() * count)
                of = decision.table.state.kind
                if of[options[second].card].power > of[options[first].card].power:
                    return second
            return first
        if kind in (CARDS, SITES, PLAYERS) and last == NONE:
            return count - 1 if random() < DECLINE else int(random() * (count - 1))
        return int(random() * count)

    return answer
