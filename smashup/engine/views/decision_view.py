"""The pending decision as a viewer may see it: in full only for the player who decides."""

from __future__ import annotations

from smashup.engine.model.constants import AT_BASE, NONE, ON_CARD
from smashup.engine.model.decisions import (
    CARDS,
    FACTIONS,
    MOVE_NAMES,
    MOVES,
    OPTION_KINDS,
    PLAY_CARD,
    PLAYERS,
    SITES,
    TRIGGERS,
    WORDS,
    Decision,
)
from smashup.engine.model.table import Table
from smashup.engine.rules import visibility
from smashup.engine.views import types
from smashup.engine.views.faces import Faces, face_for
from smashup.engine.views.labels import is_special
from smashup.engine.views.question_context import reason_for, subjects_of
from smashup.engine.views.sentences import message


def view_decision(
    table: Table, faces: Faces, decision: Decision | None, viewer: int
) -> types.DecisionView | None:
    """Return the pending decision. Only the player who decides sees the options."""
    if decision is None:
        return None
    shown: types.DecisionView = {"player": decision.player}
    if decision.player != viewer:
        return shown
    shown["purpose"] = decision.purpose
    shown["kind"] = OPTION_KINDS[decision.kind]
    shown["question"] = message(decision.question())
    if decision.source != NONE:
        shown["source"] = face_for(table, faces, decision.source, viewer)
    if subjects := subjects_of(table, decision):
        shown["subjects"] = subjects
    if (reason := reason_for(table, decision)) is not None:
        shown["reason"] = reason
    if decision.multi_pick is not None:
        shown["picked"] = decision.multi_pick.picked
        shown["min"] = decision.multi_pick.min
        shown["max"] = decision.multi_pick.max
        shown["ordered"] = decision.multi_pick.ordered
    shown["options"] = [
        _option(table, faces, decision, i, viewer)
        for i, option in enumerate(decision.options)
        # Moves of a table script are not options of the player.
        if decision.kind != MOVES or option.verb < len(MOVE_NAMES)
    ]
    return shown


def _option(
    table: Table, faces: Faces, decision: Decision, index: int, viewer: int
) -> types.OptionView:
    option = decision.options[index]
    shown: types.OptionView = {"index": index, "label": message(decision.label(index))}
    if decision.declines(index):
        shown["declines"] = True
    if decision.kind == MOVES:
        shown["verb"] = "special" if is_special(table, option) else MOVE_NAMES[option.verb]
        if option.card != NONE:
            shown["card"] = faces.show(option.card)
        if option.verb == PLAY_CARD and option.place != NONE:
            shown["host" if option.on_card else "base"] = option.place
        if option.permission is not None and not option.permission.is_normal:
            shown["extra"] = True
    elif decision.kind == CARDS and option != NONE:
        hidden = table.state.zone[option] not in (AT_BASE, ON_CARD)
        shown["card"] = face_for(table, faces, option, viewer) if hidden else faces.show(option)
    elif decision.kind == SITES and option != NONE:
        shown["base"] = option
    elif decision.kind == PLAYERS and option != NONE:
        shown["player"] = option
    elif decision.kind == WORDS:
        shown["mode"] = index
    elif decision.kind == TRIGGERS:
        card = option.ability.card
        open_card = table.in_play(card) or visibility.knows_card(table, viewer, card)
        shown["card"] = faces.show(card) if open_card else {"hidden": True}
    elif decision.kind == FACTIONS:
        shown["faction"] = table.catalogue.factions[option].name
    return shown
