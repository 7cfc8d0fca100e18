"""Calls of triggered abilities by their hook.

The most frequent hooks are compared one by one, which is faster than to look a method up by name;
compiled code calls these methods directly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from smashup.engine.model.definitions import CardDefinition
from smashup.engine.model.hooks import CONDITIONS, METHODS, Hook

if TYPE_CHECKING:
    from smashup.engine.card_api import Card
    from smashup.engine.model.events import Event

H_AFTER_LEAVING_PLAY: Final = Hook.AFTER_LEAVING_PLAY.value
H_AFTER_MOVE: Final = Hook.AFTER_MOVE.value
H_AFTER_PLAY: Final = Hook.AFTER_PLAY.value
H_AFTER_SCORE: Final = Hook.AFTER_SCORE.value
H_BEFORE_SCORE: Final = Hook.BEFORE_SCORE.value
H_END_OF_TURN: Final = Hook.END_OF_TURN.value
H_START_OF_TURN: Final = Hook.START_OF_TURN.value


def is_triggered(definition: CardDefinition, hook: int, me: Card, event: Event) -> bool:
    """Whether the condition of a trigger is met."""
    if hook == H_AFTER_PLAY:
        return definition.after_play_if(me, event)
    if hook == H_AFTER_LEAVING_PLAY:
        return definition.after_leaving_play_if(me, event)
    if hook == H_START_OF_TURN:
        return definition.start_of_turn_if(me, event)
    if hook == H_END_OF_TURN:
        return definition.end_of_turn_if(me, event)
    if hook == H_AFTER_MOVE:
        return definition.after_move_if(me, event)
    if hook == H_BEFORE_SCORE:
        return definition.before_score_if(me, event)
    if hook == H_AFTER_SCORE:
        return definition.after_score_if(me, event)
    return bool(getattr(definition, CONDITIONS[hook])(me, event))


def resolve(definition: CardDefinition, hook: int, me: Card, event: Event) -> None:
    """Do what a triggered ability says."""
    if hook == H_AFTER_PLAY:
        definition.after_play(me, event)
    elif hook == H_START_OF_TURN:
        definition.start_of_turn(me, event)
    elif hook == H_AFTER_LEAVING_PLAY:
        definition.after_leaving_play(me, event)
    elif hook == H_BEFORE_SCORE:
        definition.before_score(me, event)
    elif hook == H_AFTER_SCORE:
        definition.after_score(me, event)
    else:
        getattr(definition, METHODS[hook])(me, event)
