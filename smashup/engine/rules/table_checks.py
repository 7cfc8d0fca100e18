"""Checks after each card: clashing titans, the titan limit, illegal attachments, continuous power
changes that an ability prevents."""

from __future__ import annotations

from typing import Final

from smashup.engine.events.course import TitansClashed
from smashup.engine.events.movement import AttachmentRejected
from smashup.engine.model.constants import (
    AT_BASE,
    DESTROYED,
    DISCARD,
    DISCARDED_BY_RULE,
    SET_ASIDE,
)  # fmt: skip
from smashup.engine.model.decisions import Purpose
from smashup.engine.model.events import Cause, Resolution
from smashup.engine.model.hooks import Hook
from smashup.engine.model.table import Table
from smashup.engine.rules import (
    abilities,
    choosing,
    direct_effects,
    leaving_play,
    queries,
    restrictions,
    zones,
)
from smashup.engine.rules.recording import record

H_AURA: Final = Hook.AURA.value
H_CARD_BONUS: Final = Hook.CARD_BONUS.value
H_PREVENTS: Final = Hook.PREVENTS.value
H_PROTECTS: Final = Hook.PROTECTS.value
H_REVEALS_BASE_DECK_TOP: Final = Hook.REVEALS_BASE_DECK_TOP.value
H_STARTING_BREAKPOINT: Final = Hook.STARTING_BREAKPOINT.value

# --- checks after each card -------------------------------------------------------------


def check_table(table: Table, resolution: Resolution) -> None:
    """Apply the checks: clashing titans, titans over the limit, illegal attachments."""
    reads = table.volatile_reads
    table.is_checked = True  # unless the checks below change the board
    index = table.index or abilities.ability_index(table)
    protecting = bool(index[H_PROTECTS] and table.state.on_card)
    preventing = bool(
        index[H_PREVENTS]
        and (index[H_AURA] or index[H_CARD_BONUS])
        and table.edition.power_and_control_affect
    )
    if (
        protecting
        or preventing
        or table.arrived_titans
        or (table.traits.titans and check_titan_limit(table))
    ):
        table.resolutions.append(resolution)
        cause = resolution.cause
        resolution.cause = abilities.RULES
        _check_titans(table)
        if protecting:
            _destroy_illegal_attachments(table)
        if preventing:
            direct_effects.prevent_continuous_changes(table)
        resolution.cause = cause
        table.resolutions.pop()
    if index[H_REVEALS_BASE_DECK_TOP] and table.state.base_deck:
        reveal_top_base(table)
    if len(index[H_STARTING_BREAKPOINT]) > 1:
        choose_breakpoint_resets(table)
        table.is_checked = False  # the player chooses once each turn
    if index[H_REVEALS_BASE_DECK_TOP] or table.volatile_reads != reads:
        table.is_checked = False


def reveal_top_base(table: Table) -> None:
    """Reveal a face-up card on top of the base deck to all players."""
    if restrictions.is_top_base_revealed(table):
        zones.reveal(table, table.state.base_deck[-1])


def _check_titans(table: Table) -> None:
    while table.arrived_titans:
        newcomer = table.arrived_titans.pop(0)
        if table.in_play(newcomer):
            _clash(table, newcomer)
    if not check_titan_limit(table):
        return
    for player in range(table.num_players):
        titans = queries.titans(table, player)
        if len(titans) > 1:
            while len(titans) > restrictions.titan_limit(table, player):
                c = choosing.ask_card(
                    table,
                    player,
                    Purpose.TITAN_LIMIT,
                    "You control too many titans: which leaves?",
                    titans,
                )
                leaving_play.leave_alone(table, c, DISCARDED_BY_RULE, SET_ASIDE)
                titans = queries.titans(table, player)


def check_titan_limit(table: Table) -> bool:
    """Whether two or more titans are in play: fewer never break a rule."""
    ids = table.traits.titans
    if len(ids) < 2:
        return False
    zone = table.state.zone
    out = 0
    for c in ids:
        if zone[c] == AT_BASE:
            out += 1
    return out > 1


def _clash(table: Table, newcomer: int) -> None:
    """Resolve a clash: of titans at one base only that of the highest total stays (Big in Japan p.
    7).

    The earlier titan wins ties. A player's own titans do not clash with each other.
    """
    s = table.state
    serial = table.site_serial(newcomer)
    titans = queries.titans(table, at=serial)
    controllers = {s.controller[c] for c in titans}
    if len(controllers) < 2 or not restrictions.do_titans_clash_at(table, serial):
        return
    totals = {p: queries.player_total(table, serial, p) for p in controllers}
    best = max(totals.values())
    winner = next(s.controller[c] for c in titans if totals[s.controller[c]] == best)
    if table.logging:
        record(table, TitansClashed(serial, winner))
    for c in titans:
        if s.controller[c] != winner:
            leaving_play.leave_alone(table, c, DISCARDED_BY_RULE, SET_ASIDE)


def _destroy_illegal_attachments(table: Table) -> None:
    """Destroy actions on minions that are not affected by them: staying would be an effect.

    The newest go first, since an action that never took effect protects from nothing.
    """
    s = table.state
    for host, attached in list(s.on_card.items()):
        for a in reversed(attached):
            controller = s.controller[a]
            cause: Cause | None = None
            for ability in abilities.listeners(table, H_PROTECTS):
                if s.controller[ability.card] == controller:
                    continue
                if cause is None:
                    cause = Cause(a, controller, s.definition[a].type, False)
                if ability.definition.protects(table.cards[ability.card], table.cards[host], cause):
                    if table.logging:
                        record(table, AttachmentRejected(host, a))
                    leaving_play.leave_alone(table, a, DESTROYED, DISCARD)
                    break


def choose_breakpoint_resets(table: Table) -> None:
    """Have the current player choose between competing starting breakpoints, once a turn."""
    s = table.state
    for site in s.sites:
        key = (-1, site.serial)
        if key in s.turn_counts:
            continue
        base = table.base(site.serial)
        resets: dict[int, int] = {}
        for ability in abilities.listeners(table, H_STARTING_BREAKPOINT):
            value = ability.definition.starting_breakpoint(table.cards[ability.card], base)
            if value >= 0:
                resets[ability.card] = value
        if len(set(resets.values())) > 1:
            c = choosing.ask_card(
                table,
                s.current,
                Purpose.STARTING_BREAKPOINT,
                "Which ability sets the starting breakpoint?",
                list(resets),
            )
            s.turn_counts[key] = resets[c]
            abilities.invalidate_board(table)
