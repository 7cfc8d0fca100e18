"""Which decisions the server answers itself, and what a Specials window hides.

The time until an answer must not reveal anything about a hand. So, with two or more people:

* The server answers a decision with one option only if all players can see that there is only one:
  bases, players, factions, cards in play.
* It never answers a play menu for a person, even if only "end" or "pass" is left.
* A Specials window ("Me First") includes every player who might hold a Special, as far as others
  know (`Setup.ask_everyone`). The server passes for players who hold none or want to pass. Each has
  the same part of the window's minimum duration, whatever they hold and however fast they answer,
  and the other players do not learn who is being asked.

For a single person among bots, the server answers all decisions with one option.
"""

from __future__ import annotations

from typing import Final

from smashup.engine.model.constants import AT_BASE, DISCARD, NONE, ON_CARD
from smashup.engine.model.decisions import CARDS, FACTIONS, MOVES, PLAYERS, SITES, Decision, Purpose
from smashup.server.storage.records import ALWAYS, FOR_CARDS, SeatRecord
from smashup.server.storage.records import PASS as NEVER_STOP

_PUBLIC_ZONES: Final = frozenset((AT_BASE, ON_CARD, DISCARD))


def is_window(decision: Decision) -> bool:
    """Return whether a decision is part of a Specials window."""
    return decision.purpose is Purpose.SPECIAL_WINDOW


def pass_option(decision: Decision) -> int:
    """Return the option that passes in a Specials window."""
    return len(decision.options) - 1


def is_skipped(decision: Decision, seat: SeatRecord) -> bool:
    """Return whether the server passes for the owner of a seat without asking."""
    if seat.windows == ALWAYS:
        return False
    if seat.windows == NEVER_STOP or len(decision.options) == 1:
        return True
    if seat.windows != FOR_CARDS:
        return False
    definitions = decision.table.state.definition
    playable = {definitions[m.card].name for m in decision.options if m.card != NONE}
    return playable.isdisjoint(seat.stop_cards)


def is_forced(decision: Decision, num_people: int) -> bool:
    """Return whether the server answers for a person: one option, which reveals nothing."""
    if len(decision.options) != 1 or decision.kind == MOVES:
        return False
    if num_people < 2 or decision.kind in (SITES, PLAYERS, FACTIONS):
        return True
    if decision.kind != CARDS or decision.options[0] == NONE:
        return False
    return decision.table.state.zone[decision.options[0]] in _PUBLIC_ZONES
