"""Policies that answer at once, without lookahead; rollouts use them to finish turns.

Both play a card whenever they can. The random policy has no memory. A seeded policy has fixed
preferences among cards and places: on two tables that differ in one point it behaves the same where
possible, so differences in the outcome are due to that point.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from smashup.engine.model.constants import NONE
from smashup.engine.model.decisions import CARDS, DONE, MOVES, PASS, PLAYERS, SITES, Decision, Move
from smashup.engine.model.table import Policy

DECLINE_RATE = 0.15
"""Probability to decline something optional."""
POLICY_COUNT: Final = 4096
"""Number of seeded policies."""
_PREFERENCE: Final = [Random(f"whim/{i}").random() for i in range(POLICY_COUNT)]
"""Random preference per slot; each policy starts at a different offset."""
_POWER_WEIGHT: Final = 0.08
"""How much each point of a card's power adds to its preference."""


def random_policy(random: Callable[[], float]) -> Policy:
    """Return a random policy; ``random`` returns numbers in [0, 1)."""

    def answer(decision: Decision) -> int:
        options = decision.options
        count = len(options)
        if count == 1:
            return 0
        kind = decision.kind
        if kind == MOVES:
            # Play a card if possible.
            moves: list[Move] = options
            verb = moves[-1].verb
            declining = verb >= DONE
            if declining and (verb != PASS or random() >= DECLINE_RATE):
                count -= 1
            elif declining:
                return count - 1
            first = int(random() * count)
            if count > 2:
                # Of two random moves, take the one with the stronger card.
                second = int(random() * count)
                of = decision.table.state.definition
                if of[moves[second].card].power > of[moves[first].card].power:
                    return second
            return first
        if kind in (CARDS, SITES, PLAYERS) and options[-1] == NONE:
            return count - 1 if random() < DECLINE_RATE else int(random() * (count - 1))
        return int(random() * count)

    return answer


def seeded_policy(policy: int) -> Policy:
    """Return the policy with this number, from 0 to `POLICY_COUNT` - 1."""

    def answer(decision: Decision) -> int:
        options = decision.options
        count = len(options)
        if count == 1:
            return 0
        kind = decision.kind
        best = -1.0
        pick = 0
        if kind == MOVES:
            moves: list[Move] = options
            verb = moves[-1].verb
            if verb >= DONE:
                if verb == PASS and _preference(decision.player * 977) < DECLINE_RATE:
                    return count - 1
                count -= 1
            of = decision.table.state.definition
            for i in range(count):
                move = moves[i]
                card = move.card
                preference = _PREFERENCE[(policy + card * 61 + move.place * 7) % POLICY_COUNT]
                preference += _POWER_WEIGHT * of[card].power
                if preference > best:
                    best = preference
                    pick = i
            return pick
        if kind in (CARDS, SITES, PLAYERS):
            numbers: list[int] = options
            if numbers[-1] == NONE:
                count -= 1
                if _preference(numbers[0] * 61 + 3) < DECLINE_RATE:
                    return count
            for i in range(count):
                preference = _preference(numbers[i] * 61 + 1)
                if preference > best:
                    best = preference
                    pick = i
            return pick
        return int(_preference(count) * count)

    def _preference(number: int) -> float:
        return _PREFERENCE[(policy + number) % POLICY_COUNT]

    return answer
