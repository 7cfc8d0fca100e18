"""The context of a question: the cards chosen so far, and what the asking card reacts to.

It helps programs that show the question; no rule reads it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from smashup.engine.model.constants import DESTROYED, RETURNED
from smashup.engine.model.decisions import MOVES
from smashup.engine.model.hooks import Hook
from smashup.engine.rules import visibility
from smashup.engine.views import types

if TYPE_CHECKING:
    from smashup.engine.model.decisions import Decision
    from smashup.engine.model.events import Event
    from smashup.engine.model.table import Table

_REASONS: Final[dict[int, types.ReasonKind]] = {
    Hook.START_OF_TURN.value: "start_of_turn",
    Hook.END_OF_TURN.value: "end_of_turn",
    Hook.AFTER_PLAY.value: "card_played",
    Hook.AFTER_MOVE.value: "card_moved",
    Hook.AFTER_LEAVING_PLAY.value: "card_left",
    Hook.AFTER_DISCARD.value: "cards_discarded",
    Hook.AFTER_TALENT.value: "talent_used",
    Hook.AFTER_GIVING.value: "control_changed",
    Hook.AFTER_CONTROL_CHANGE.value: "control_changed",
    Hook.AFTER_BASE_PLAYED.value: "base_played",
    Hook.BEFORE_SCORE.value: "before_scoring",
    Hook.ON_SCORE.value: "scoring",
    Hook.AFTER_SCORE.value: "after_scoring",
    Hook.AFTER_REPLACEMENT.value: "base_replaced",
}


def subjects_of(table: Table, decision: Decision) -> list[int]:
    """Return the cards a question is about: those chosen for the ability just before."""
    if decision.subject >= 0:
        return [decision.subject]
    is_same_choice = decision.multi_pick is not None and decision.multi_pick.picked > 0
    if decision.kind == MOVES or is_same_choice or not table.resolutions:
        return []
    return [
        c for c in table.resolutions[-1].chosen if visibility.knows_card(table, decision.player, c)
    ]


def reason_for(table: Table, decision: Decision) -> types.Reason | None:
    """Return why the question is asked now; None if the player has just played or used the card."""
    event = table.resolutions[-1].event if table.resolutions else table.window
    if event is None or event.hook not in _REASONS:
        return None
    return _reason(table, event, decision.player)


def _reason(table: Table, event: Event, viewer: int) -> types.Reason:
    reason: types.Reason = {"kind": _REASONS[event.hook]}
    if event.hook == Hook.AFTER_LEAVING_PLAY.value and event.how in (DESTROYED, RETURNED):
        reason["kind"] = "card_destroyed" if event.how == DESTROYED else "card_returned"
    card = getattr(event, "card", None)  # most events concern no card and do not set it
    if card is not None and visibility.knows_card(table, viewer, card.id):
        reason["card"] = {"id": card.id, "name": table.state.definition[card.id].name}
    player = getattr(event, "player", None)
    if player is not None and player.index >= 0:
        reason["player"] = player.index
    if event.base is not None:
        reason["base"] = event.base.serial
    return reason
