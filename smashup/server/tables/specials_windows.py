"""Which decisions the server may take itself, and what a window for Specials hides.

Nothing may be learned of a hand from how fast a seat answers. So, where two people or more play,

* a decision with one option is answered by the server only if everybody can see that there is
  but one: bases, players, factions, cards in play;
* menus are never answered for a person, even if only "end" or "pass" is left;
* in a window for Specials ("Me First") everybody is asked who might hold one, as far as everybody
  knows (`Setup.ask_everyone`); the server passes for those who hold none, or wish to pass. Each
  has the same part of a beat, whatever the seat holds and however fast it answers, and nobody
  else is told who is being asked.

A person among bots is spared what has one option only: bots do not look at the clock.
"""

from __future__ import annotations

from typing import Final

from smashup.engine.model.constants import AT_BASE, DISCARD, NONE, ON_CARD
from smashup.engine.model.decisions import CARDS, FACTIONS, MOVES, PLAYERS, SITES, Decision, Purpose
from smashup.server.storage.records import ALWAYS, FOR_CARDS, SeatRecord
from smashup.server.storage.records import PASS as NEVER_STOP

_SEEN_BY_ALL: Final = frozenset((AT_BASE, ON_CARD, DISCARD))


def is_window(decision: Decision) -> bool:
    """Whether this asks for a Special, or to pass."""
    return decision.purpose is Purpose.SPECIAL_WINDOW


def passing(decision: Decision) -> int:
    """The option that passes in a window."""
    return len(decision.options) - 1


def is_skipped(decision: Decision, seat: SeatRecord) -> bool:
    """Whether a window is passed for the owner of a seat without asking."""
    if seat.windows == ALWAYS:
        return False
    if seat.windows == NEVER_STOP or len(decision.options) == 1:
        return True
    if seat.windows != FOR_CARDS:
        return False
    kinds = decision.table.state.definition
    playable = {kinds[m.card].name for m in decision.options if m.card != NONE}
    return playable.isdisjoint(seat.stops)


def is_forced(decision: Decision, people: int) -> bool:
    """Whether the server answers for a person: one option, and that tells nobody anything."""
    if len(decision.options) != 1 or decision.kind == MOVES:
        return False
    if people < 2 or decision.kind in (SITES, PLAYERS, FACTIONS):
        return True
    if decision.kind != CARDS or decision.options[0] == NONE:
        return False
    return decision.table.state.zone[decision.options[0]] in _SEEN_BY_ALL
