"""Buried cards: face down at a base until their controller uncovers them."""

from __future__ import annotations

from smashup.engine.events.movement import CardBuried, CardLeavesPlay
from smashup.engine.model.constants import (
    BURIED,
    DISCARD,
    DISCARDED_BY_RULE,
    LIMBO,
    MINION,
    NONE,
    STANDARD,
)
from smashup.engine.model.decisions import Purpose
from smashup.engine.model.events import Resolution
from smashup.engine.model.permissions import PlayPermission
from smashup.engine.model.table import Table
from smashup.engine.rules import (
    abilities,
    choosing,
    extra_plays,
    leaving_play,
    menu,
    playing,
    queries,
    zones,
)
from smashup.engine.rules.recording import record


def bury(table: Table, c: int, serial: int, controller: int) -> None:
    """Put a card face down at a base; only its controller may look at it."""
    s = table.state
    if table.in_play(c):
        for a in s.on_card.get(c, ()):
            leaving_play.leave_alone(table, a, DISCARDED_BY_RULE, DISCARD)
        zones.end_life(table, c)
    zones.conceal(table, c, 1 << controller)
    zones.take_from_zone(table, c)
    s.controller[c] = controller
    s.played_by[c] = controller
    s.counters[c] = 0
    zones.reveal_to(table, c, controller)
    zones.put_into_zone(table, c, BURIED, serial)
    s.hidden_with[c] = controller
    if table.logging:
        record(table, CardBuried(controller, c, serial, s.seen_by[c]))


def has_buried_cards(table: Table) -> bool:
    """Whether there is a buried card at any base."""
    s = table.state
    for site in s.sites:
        if len(site.cards) > len(site.minions):
            for c in site.cards:
                if s.zone[c] == BURIED:
                    return True
    return False


def buried_cards(table: Table, player: int) -> list[int]:
    """List the buried cards that a player controls."""
    s = table.state
    return [
        c
        for site in s.sites
        for c in site.cards
        if s.zone[c] == BURIED and s.controller[c] == player
    ]


def ask_uncover(table: Table, player: int, buried: list[int]) -> int:
    """Ask a player which buried card to uncover, if any."""
    return choosing.ask_card(
        table, player, Purpose.UNCOVER, "Uncover a buried card?", buried, optional=True
    )


def uncover(table: Table, player: int, c: int) -> None:
    """Turn a buried card face up and play it at its base, once at the start of a turn.

    It does not come from a hand or deck. If it cannot be played there it is discarded.
    """
    if c == NONE:
        return
    s = table.state
    resolution = Resolution(abilities.RULES)
    table.resolutions.append(resolution)
    serial = s.place[c]
    zones.reveal(table, c)
    zones.take_from_zone(table, c)
    zones.end_life(table, c)
    zones.put_into_zone(table, c, LIMBO, player)
    definition = s.definition[c]
    at = serial if definition.type == MINION or definition.played_on != STANDARD else NONE
    permission = PlayPermission(definition.type, card=c, at=at, from_zone=BURIED)
    if menu.moves_with(table, player, permission):
        extra_plays.offer_play(table, player, permission, must=True)
    else:
        _discard_uncovered(table, c, serial)
    table.resolutions.pop()
    playing.settle(table, resolution)


def _discard_uncovered(table: Table, c: int, serial: int) -> None:
    """Discard an uncovered card: it was in play, so this is not a discard from a hand or deck."""
    owner = queries.owner_of(table, c)
    table.last_sites[c] = serial
    zones.take_from_zone(table, c)
    zones.put_into_zone(table, c, DISCARD, owner)
    if table.logging:
        record(table, CardLeavesPlay(c, owner, "discarded"))
