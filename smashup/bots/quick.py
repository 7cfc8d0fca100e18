"""Players who answer at once without looking ahead: they play what there is to play.

They end the turns that a search does not look at closely. The quick player does anything. The
steady one has whims: this card rather than that one, here rather than there. On two tables that
differ in one thing it does the same as far as it can, so that what comes out differently is due
to that thing.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from smashup.engine.model.constants import NONE
from smashup.engine.model.decisions import CARDS, DONE, MOVES, PASS, PLAYERS, SITES, Decision
from smashup.engine.model.table import Policy

DECLINE = 0.15
"""How often something optional is declined."""
WHIMS: Final = 4096
"""How many steady players there are."""
_LIKING: Final = [Random(f"whim/{i}").random() for i in range(WHIMS)]
"""How much is liked what falls on this number; each player begins to count elsewhere."""
_STRENGTH: Final = 0.08
"""How much the power of a card adds to how much it is liked."""


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
                of = decision.table.state.definition
                if of[options[second].card].power > of[options[first].card].power:
                    return second
            return first
        if kind in (CARDS, SITES, PLAYERS) and last == NONE:
            return count - 1 if random() < DECLINE else int(random() * (count - 1))
        return int(random() * count)

    return answer


def steady_player(whim: int) -> Policy:
    """Somebody steady; there are `WHIMS` of them."""

    def answer(decision: Decision) -> int:
        options = decision.options
        count = len(options)
        if count == 1:
            return 0
        kind = decision.kind
        last = options[-1]
        best = -1.0
        pick = 0
        if kind == MOVES:
            if last.verb >= DONE:
                if last.verb == PASS and _liking(decision.player * 977) < DECLINE:
                    return count - 1
                count -= 1
            of = decision.table.state.definition
            for i in range(count):
                move = options[i]
                card = move.card
                liked = _LIKING[(whim + card * 61 + move.place * 7) % WHIMS]
                liked += _STRENGTH * of[card].power
                if liked > best:
                    best = liked
                    pick = i
            return pick
        if kind in (CARDS, SITES, PLAYERS):
            if last == NONE:
                count -= 1
                if _liking(options[0] * 61 + 3) < DECLINE:
                    return count
            for i in range(count):
                liked = _liking(options[i] * 61 + 1)
                if liked > best:
                    best = liked
                    pick = i
            return pick
        return int(_liking(count) * count)

    def _liking(number: int) -> float:
        return _LIKING[(whim + number) % WHIMS]

    return answer
