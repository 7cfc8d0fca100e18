"""What a question is about: the cards chosen so far, and what the asking card reacts to.

For whoever shows the question; no rule reads it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from smashup.engine.model.constants import DESTROYED, RETURNED
from smashup.engine.model.decisions import MOVES
from smashup.engine.model.definitions import (
    H_AFTER_BASE_PLAYED,
    H_AFTER_CONTROL,
    H_AFTER_DISCARD,
    H_AFTER_GIVEN,
    H_AFTER_LEAVE,
    H_AFTER_MOVE,
    H_AFTER_PLAY,
    H_AFTER_REPLACEMENT,
    H_AFTER_SCORE,
    H_AFTER_TALENT,
    H_BEFORE_SCORE,
    H_END_OF_TURN,
    H_START_OF_TURN,
    H_WHEN_SCORE,
)
from smashup.engine.rules import visibility

if TYPE_CHECKING:
    from smashup.engine.model.decisions import Decision
    from smashup.engine.model.events import Event
    from smashup.engine.model.table import Table

_REASONS: Final = {
    H_START_OF_TURN: "start_of_turn",
    H_END_OF_TURN: "end_of_turn",
    H_AFTER_PLAY: "card_played",
    H_AFTER_MOVE: "card_moved",
    H_AFTER_LEAVE: "card_left",
    H_AFTER_DISCARD: "cards_discarded",
    H_AFTER_TALENT: "talent_used",
    H_AFTER_GIVEN: "control_changed",
    H_AFTER_CONTROL: "control_changed",
    H_AFTER_BASE_PLAYED: "base_played",
    H_BEFORE_SCORE: "before_scoring",
    H_WHEN_SCORE: "scoring",
    H_AFTER_SCORE: "after_scoring",
    H_AFTER_REPLACEMENT: "base_replaced",
}


def subjects_of(table: Table, decision: Decision) -> list[int]:
    """The cards that an ability asks more about: those chosen for it just before."""
    if decision.subject >= 0:
        return [decision.subject]
    is_same_choice = decision.several is not None and decision.several.picked > 0
    if decision.kind == MOVES or is_same_choice or not table.frames:
        return []
    return [c for c in table.frames[-1].chosen if visibility.knows_card(table, decision.player, c)]


def reason_for(table: Table, decision: Decision) -> dict[str, Any] | None:
    """Why the question comes up now; None if the player has just played or used the card."""
    event = table.frames[-1].event if table.frames else table.window
    if event is None or event.hook not in _REASONS:
        return None
    return _reason(table, event, decision.player)


def _reason(table: Table, event: Event, viewer: int) -> dict[str, Any]:
    reason: dict[str, Any] = {"kind": _REASONS[event.hook]}
    if event.hook == H_AFTER_LEAVE and event.how in (DESTROYED, RETURNED):
        reason["kind"] = "card_destroyed" if event.how == DESTROYED else "card_returned"
    card = getattr(event, "card", None)  # most events are about no card, and say so by having none
    if card is not None and visibility.knows_card(table, viewer, card.id):
        reason["card"] = {"id": card.id, "name": table.state.kind[card.id].name}
    player = getattr(event, "player", None)
    if player is not None and player.index >= 0:
        reason["player"] = player.index
    if event.base is not None:
        reason["base"] = event.base.serial
    return reason
