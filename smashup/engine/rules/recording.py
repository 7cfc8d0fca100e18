"""Recording events: the only way in which rules log and trigger anything."""

from __future__ import annotations

from smashup.engine.events.base import NO_HOOK, GameEvent
from smashup.engine.events.log_text import line_of
from smashup.engine.events.visible_events import visible_events_of
from smashup.engine.model.events import ActiveAbility, Event
from smashup.engine.model.messages import LogLine
from smashup.engine.model.table import Table
from smashup.engine.rules import abilities


def is_observed(table: Table, hook: int) -> bool:
    """Whether recording an event that triggers this hook has any effect."""
    return table.logging or abilities.has_listeners(table, hook)


def record(
    table: Table,
    event: GameEvent,
    listening: list[ActiveAbility] | None = None,
    trigger: Event | None = None,
) -> None:
    """Write an event into the log and queue the abilities it triggers.

    ``listening``: the abilities that may trigger, if determined earlier. ``trigger``: the
    event as they see it, if created earlier.
    """
    if table.resolutions:
        cause = table.resolutions[-1].cause
        event.by, event.cause = cause.player, cause.card
    if table.logging:
        _append(table, event)
    hook = event.hook
    if hook != NO_HOOK and table.resolutions:
        if listening is None:
            listening = abilities.listeners(table, hook)
        if listening or abilities.specials_for(table, hook):
            abilities.emit(table, event.trigger(table) if trigger is None else trigger, listening)


def _append(table: Table, event: GameEvent) -> None:
    """Append an event. Events are numbered, so running a card again does not add them twice."""
    s = table.state
    number = s.event_count
    s.event_count = number + 1
    if number < len(table.events):
        return
    if event.cause >= 0:
        event.cause_seen_by = s.seen_by[event.cause]
    table.events.append(event)
    table.visible_events += visible_events_of(event)
    message = line_of(table, event)
    if message is not None:
        line = len(table.log)
        table.log.append(LogLine(line, message, event.seen_by, event.line_id, number))
