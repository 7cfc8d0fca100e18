"""Queries: powers, totals, breakpoints and names.

Queries read the abilities in force, change nothing and ask no player.
"""

from __future__ import annotations

from operator import itemgetter
from typing import Final

from smashup.engine.model.constants import (
    ACTION,
    ANYONE,
    AT_BASE,
    BURIED,
    MINION,
    NO_LIMIT,
    NONE,
    ON_CARD,
    TITAN,
    WHILE_ATTACHED,
    WHILE_IN_PLAY,
    YOURS,
)  # fmt: skip
from smashup.engine.model.events import ActiveAbility
from smashup.engine.model.hooks import Hook
from smashup.engine.model.state import BREAKPOINT, CONTROL, PLAYER_POWER, POWER, Site
from smashup.engine.model.table import Table
from smashup.engine.rules import abilities, protection

H_AURA: Final = Hook.AURA.value
H_BREAKPOINT_CHANGE: Final = Hook.BREAKPOINT_CHANGE.value
H_CARD_BONUS: Final = Hook.CARD_BONUS.value
H_GIVES_NAMES: Final = Hook.GIVES_NAMES.value
H_EXTRA_NAMES: Final = Hook.EXTRA_NAMES.value
H_HOST_BONUS: Final = Hook.HOST_BONUS.value
H_HOST_PRINTED_POWER: Final = Hook.HOST_PRINTED_POWER.value
H_PLAYER_POWER: Final = Hook.PLAYER_POWER.value
H_POWER_BONUS: Final = Hook.POWER_BONUS.value
H_STARTING_BREAKPOINT: Final = Hook.STARTING_BREAKPOINT.value
H_STARTING_POWER: Final = Hook.STARTING_POWER.value
H_EXCLUDED_FROM_TOTAL: Final = Hook.EXCLUDED_FROM_TOTAL.value

_PLACE: Final = itemgetter(1)

# --- power ------------------------------------------------------------------------------


def printed_power(table: Table, c: int) -> int:
    """Return the number on the card, or what another card says it is treated as."""
    s = table.state
    if c in s.on_card:
        for ability in abilities.listeners(table, H_HOST_PRINTED_POWER):
            if s.zone[ability.card] == ON_CARD and s.place[ability.card] == c:
                value = ability.definition.host_printed_power(
                    table.cards[ability.card], table.cards[c]
                )
                if value >= 0:
                    return value
    return s.definition[c].power


def starting_power(table: Table, c: int) -> int:
    """Return a minion's starting power: printed, or set by a text."""
    for ability in abilities.listeners(table, H_STARTING_POWER):
        if ability.card == c:
            value = ability.definition.starting_power(table.cards[c])
            if value >= 0:
                return value
    return printed_power(table, c)


def power(table: Table, c: int) -> int:
    """Return a minion's power; out of play only the printed one (Void Where Prohibited)."""
    known = table.power_cache.get(c)
    if known is not None:
        return known
    s = table.state
    definition = s.definition[c]
    if s.zone[c] != AT_BASE:
        return table.last_powers.get(c, definition.power)
    volatile_reads = table.volatile_reads
    index = table.index or abilities.ability_index(table)
    card = table.cards[c]
    total = s.counters[c]
    hosts = c in s.on_card
    if hosts:
        for ability in index[H_HOST_BONUS]:
            if s.place[ability.card] == c and s.zone[ability.card] == ON_CARD:
                if s.effects and protection.is_unaffected(table, c, ability.card):
                    continue
                total += ability.definition.host_bonus(table.cards[ability.card], card)
    if definition.type == MINION:
        if hosts or index[H_STARTING_POWER]:
            total += starting_power(table, c)
        else:
            total += definition.power
    for ability in index[H_POWER_BONUS]:
        if ability.card == c:
            total += ability.definition.power_bonus(card)
    if s.effects:
        for effect in s.effects:
            if effect.target == c and effect.kind == POWER:
                total += effect.amount
    if index[H_AURA] or index[H_CARD_BONUS]:
        changes = continuous_changes(table, c)
        if changes and protection.can_keep_power(table):
            changes = unprotected_changes(table, c, total, changes)
        for _, amount in changes:
            total += amount
    if total < 0:  # "Minion power ... never reduced below zero"
        total = 0
    if table.volatile_reads == volatile_reads:
        table.power_cache[c] = total
    return total


def continuous_changes(table: Table, c: int) -> list[tuple[ActiveAbility, int]]:
    """Return the continuous abilities in play that change the power of a card, with amounts."""
    index = table.index or abilities.ability_index(table)
    card = table.cards[c]
    changes: list[tuple[ActiveAbility, int]] = []
    if table.state.definition[c].type == MINION:
        for ability in index[H_AURA]:
            amount = ability.definition.aura(table.cards[ability.card], card)
            if amount:
                changes.append((ability, amount))
    for ability in index[H_CARD_BONUS]:
        amount = ability.definition.card_bonus(table.cards[ability.card], card)
        if amount:
            changes.append((ability, amount))
    return changes


def unprotected_changes(
    table: Table, c: int, own_power: int, changes: list[tuple[ActiveAbility, int]]
) -> list[tuple[ActiveAbility, int]]:
    """Return the continuous power changes from which a card is not protected.

    A protection that depends on the power of the card sees its power without these changes.
    """
    cache = table.power_cache
    cache[c] = own_power if own_power > 0 else 0
    try:
        return [
            change
            for change in changes
            if not protection.keeps_continuous_power(table, c, change[0])
        ]
    finally:
        cache.pop(c, None)


def cache_powers(table: Table) -> None:
    """Compute the powers of all minions at once, for rules that need most of them.

    Most minions have only their printed power, counters and what auras give them; `power`
    computes the others one by one, and all of them while a card protects from auras.
    """
    s = table.state
    volatile_reads = table.volatile_reads
    index = table.index or abilities.ability_index(table)
    auras = index[H_AURA]
    bonuses = index[H_CARD_BONUS]
    if (auras or bonuses) and protection.can_keep_power(table):
        return
    cards = table.cards
    cache = table.power_cache
    others = _cards_with_own_power(table, index)
    for site in s.sites:
        for c in site.minions:
            if c in others or c in cache:
                continue
            total = s.definition[c].power + s.counters[c]
            for ability in auras:
                total += ability.definition.aura(cards[ability.card], cards[c])
            for ability in bonuses:
                total += ability.definition.card_bonus(cards[ability.card], cards[c])
            if table.volatile_reads != volatile_reads:
                return
            cache[c] = total if total > 0 else 0


def _cards_with_own_power(table: Table, index: list[list[ActiveAbility]]) -> set[int]:
    """Return the cards whose power differs for reasons of their own: abilities that set or raise
    it, cards on them, effects."""
    s = table.state
    found = set(s.on_card)
    for ability in index[H_POWER_BONUS]:
        found.add(ability.card)
    for ability in index[H_STARTING_POWER]:
        found.add(ability.card)
    for effect in s.effects:
        if effect.kind == POWER:
            found.add(effect.target)
    return found


def _minion_power(table: Table, site: Site) -> int:
    """Return the power of all minions at a site."""
    cache = table.power_cache
    total = 0
    for c in site.minions:
        known = cache.get(c)
        total += power(table, c) if known is None else known
    return total


def is_excluded_from_total(table: Table, c: int) -> bool:
    """Whether a minion's power does not count toward its controller's total."""
    for ability in abilities.listeners(table, H_EXCLUDED_FROM_TOTAL):
        if ability.definition.excluded_from_total(table.cards[ability.card], table.cards[c]):
            return True
    return False


def _actions_with_power(table: Table, site: Site) -> list[int]:
    """Return actions on a base that cards may give power of their own."""
    if not abilities.listeners(table, H_CARD_BONUS):
        return []
    s = table.state
    return [c for c in site.cards if s.definition[c].type == ACTION and s.zone[c] == AT_BASE]


def player_total(table: Table, serial: int, player: int) -> int:
    """Return a player's total power at a site, which decides VP and comparisons."""
    return _totals(table, serial, player)[player] if player >= 0 else 0


def player_totals(table: Table, serial: int) -> list[int]:
    """Return the total power of each player at a site."""
    return _totals(table, serial, NONE)


def _totals(table: Table, serial: int, only: int) -> list[int]:
    """Return the totals of all players at a site, or compute only that of one player."""
    s = table.state
    site = s.site_at[serial]
    index = table.index or abilities.ability_index(table)
    controller = s.controller
    withholding = index[H_EXCLUDED_FROM_TOTAL]
    totals = [0] * table.num_players
    for c in site.minions:
        player = controller[c]
        if only < 0 or player == only:
            if withholding and is_excluded_from_total(table, c):
                continue
            totals[player] += power(table, c)
    _add_other_power(table, site, only, totals)
    return [total if total > 0 else 0 for total in totals]


def _add_other_power(table: Table, site: Site, only: int, totals: list[int]) -> None:
    """Add the power players have at a site without minions: actions, titans, bases, effects."""
    s = table.state
    index = table.index or abilities.ability_index(table)
    serial = site.serial
    if table.traits.titans:
        for c in site.cards:
            if s.definition[c].type == TITAN and (only < 0 or s.controller[c] == only):
                # Big in Japan, Actions with Power: only the counters on a titan
                totals[s.controller[c]] += power(table, c)
    if index[H_CARD_BONUS]:
        for c in _actions_with_power(table, site):
            if only < 0 or s.controller[c] == only:
                totals[s.controller[c]] += power(table, c)
    for ability in index[H_PLAYER_POWER]:
        if table.site_serial(ability.card) == serial:
            me = table.cards[ability.card]
            for player in range(len(totals)) if only < 0 else (only,):
                totals[player] += ability.definition.player_power(me, table.player_handles[player])
    for effect in s.effects:
        if (
            effect.kind == PLAYER_POWER
            and effect.target == serial
            and (only < 0 or effect.player == only)
        ):
            totals[effect.player] += effect.amount


def base_total(table: Table, serial: int) -> int:
    """Return all power at a site, which counts toward the breakpoint (excluded power too)."""
    s = table.state
    site = s.site_at[serial]
    total = _minion_power(table, site)
    if table.edition.minions_only:
        return total
    index = table.index or abilities.ability_index(table)
    if table.traits.titans:
        for c in site.cards:
            if s.definition[c].type == TITAN and s.zone[c] == AT_BASE:
                total += power(table, c)
    if index[H_CARD_BONUS]:
        for c in _actions_with_power(table, site):
            total += power(table, c)
    for ability in index[H_PLAYER_POWER]:
        if table.site_serial(ability.card) == serial:
            me = table.cards[ability.card]
            for seat in table.player_handles[:-1]:
                total += ability.definition.player_power(me, seat)
    for effect in s.effects:
        if effect.kind == PLAYER_POWER and effect.target == serial:
            total += effect.amount
    return total if total > 0 else 0


def breakpoint(table: Table, serial: int) -> int:
    """Return the breakpoint of a base."""
    s = table.state
    index = table.index or abilities.ability_index(table)
    if index[H_STARTING_BREAKPOINT]:
        value = starting_breakpoint(table, serial)
    else:
        value = s.definition[s.site_at[serial].base].breakpoint
    for ability in index[H_BREAKPOINT_CHANGE]:
        value += ability.definition.breakpoint_change(table.cards[ability.card], table.base(serial))
    for effect in s.effects:
        if effect.kind == BREAKPOINT and effect.target == serial:
            value += effect.amount
    return value if value > 0 else 0


def sites_at_breakpoint(table: Table) -> list[int]:
    """Return the sites whose total power reaches the breakpoint."""
    cache_powers(table)
    s = table.state
    index = table.index or abilities.ability_index(table)
    if (
        s.effects
        or index[H_CARD_BONUS]
        or index[H_PLAYER_POWER]
        or index[H_BREAKPOINT_CHANGE]
        or index[H_STARTING_BREAKPOINT]
        or table.traits.titans
    ):
        return [
            site.serial
            for site in s.sites
            if base_total(table, site.serial) >= breakpoint(table, site.serial)
        ]
    return [
        site.serial
        for site in s.sites
        if _minion_power(table, site) >= s.definition[site.base].breakpoint
    ]


def starting_breakpoint(table: Table, serial: int) -> int:
    """Return the printed breakpoint or what a text sets it to.

    Of several such texts the current player picks one; as breakpoints are read very often,
    the default is the lowest, which every such text intends.
    """
    s = table.state
    resets = [
        value
        for ability in abilities.listeners(table, H_STARTING_BREAKPOINT)
        if (
            value := ability.definition.starting_breakpoint(
                table.cards[ability.card], table.base(serial)
            )
        )
        >= 0
    ]
    chosen = s.turn_counts.get((-1, serial), NONE)
    if len(resets) > 1 and chosen in resets:
        return chosen
    return min(resets) if resets else s.definition[s.site_at[serial].base].breakpoint


# --- cards in play ----------------------------------------------------------------------


def minions(
    table: Table,
    you: int = NONE,
    of: int = ANYONE,
    at: int = NONE,
    max_power: int = NO_LIMIT,
    but: int = NONE,
    not_at: int = NONE,
) -> list[int]:
    """Return minions in play, by site and arrival."""
    s = table.state
    found: list[int] = []
    if at != NONE:
        site = s.site_at.get(at)
        if site is not None and at != not_at:
            found += site.minions
    else:
        for site in s.sites:
            if site.serial != not_at:
                found += site.minions
    if of == YOURS:
        controller = s.controller
        found = [c for c in found if controller[c] == you]
    elif of != ANYONE:
        controller = s.controller
        found = [c for c in found if controller[c] != you]
    if but != NONE and but in found:
        found.remove(but)
    if max_power < NO_LIMIT:
        found = [c for c in found if power(table, c) <= max_power]
    return found


def count_minions(table: Table, player: int, serial: int) -> int:
    """Count the minions a player controls at a base."""
    s = table.state
    site = s.site_at.get(serial)
    if site is None:
        return 0
    controller = s.controller
    count = 0
    for c in site.minions:
        if controller[c] == player:
            count += 1
    return count


def actions(
    table: Table,
    you: int = NONE,
    of: int = ANYONE,
    at: int = NONE,
    on_bases: bool = True,
    on_minions: bool = True,
) -> list[int]:
    """Return actions in play, on bases and on minions."""
    s = table.state
    found = []
    for site in s.sites:
        if at not in (NONE, site.serial):
            continue
        for c in site.cards:
            if s.zone[c] != AT_BASE:
                continue
            if on_bases and s.definition[c].type == ACTION:
                found.append(c)
            if on_minions and c in s.on_card:
                found.extend(a for a in s.on_card[c] if s.definition[a].type == ACTION)
    if of == ANYONE:
        return found
    return [c for c in found if (s.controller[c] == you) == (of == YOURS)]


def titans(table: Table, player: int = NONE, at: int = NONE) -> list[int]:
    """Return the titans in play, optionally of one player or at one base."""
    s = table.state
    for c in table.traits.titans:
        if s.zone[c] == AT_BASE:
            break
    else:
        return []
    return [
        c
        for site in s.sites
        if at in (NONE, site.serial)
        for c in site.cards
        if s.definition[c].type == TITAN and player in (NONE, s.controller[c])
    ]


def owner_of(table: Table, c: int) -> int:
    """Return the player to whose zones a card goes. A Madness card belongs to the player who has
    it."""
    s = table.state
    if s.owner[c] >= 0:
        return s.owner[c]
    if s.zone[c] in (AT_BASE, ON_CARD, BURIED):
        return s.controller[c]
    return s.place[c]


def lasting_controller(table: Table, c: int) -> int:
    """Return the controller of a card once all temporary control is over."""
    s = table.state
    controller = s.played_by[c]
    for effect in s.effects:
        if (
            effect.kind == CONTROL
            and effect.target == c
            and effect.until
            in (
                WHILE_IN_PLAY,
                WHILE_ATTACHED,
            )
        ):
            controller = effect.player
    return controller


def card_names(table: Table, c: int, with_kinds: bool = False) -> tuple[str, ...]:
    """Return all current names of a card, perhaps also the kinds it counts as besides its own.

    Cards of the same kind do not have the same name.
    """
    names: tuple[str, ...] = (table.state.definition[c].name,)
    index = table.index or abilities.ability_index(table)
    for ability in index[H_EXTRA_NAMES]:
        if ability.card == c:
            names = (*names, *ability.definition.extra_names(table.cards[c]))
    if table.in_play(c):
        for ability in index[H_GIVES_NAMES]:
            if with_kinds or not ability.definition.gives_kinds:
                given = ability.definition.gives_names(table.cards[ability.card], table.cards[c])
                names = (*names, *given)
    elif table.last_names and c in table.last_names:
        names = table.last_names[c][with_kinds]
    return names


# --- places in a scoring ----------------------------------------------------------------


def rank_players(table: Table, serial: int) -> list[tuple[int, int, int]]:
    """Return (player, place 1-3, total) for every player with a place, best first.

    Culture Shock p. 8, Awarding VP and Tie Fighter: tied players share the best place they
    tied for, and that many places below it go unpaid. A place needs a minion or 1 power.
    """
    if serial not in table.state.site_at:
        return []  # the base left play
    return rank_totals(table, serial, player_totals(table, serial))


def rank_totals(table: Table, serial: int, totals: list[int]) -> list[tuple[int, int, int]]:
    """Rank players whose totals at the site are already known."""
    s = table.state
    with_minions = {s.controller[c] for c in s.site_at[serial].minions}
    needs_minion = table.edition.minions_only
    present = [
        (player, total)
        for player, total in enumerate(totals)
        if player in with_minions or (total >= 1 and not needs_minion)
    ]
    order = sorted([total for _, total in present], reverse=True)
    ranked = [(player, order.index(total) + 1, total) for player, total in present]
    ranked.sort(key=_PLACE)
    return [row for row in ranked if row[1] <= 3]


def leaders(table: Table, serial: int) -> list[int]:
    """Return the players with the most power at a site; empty if no player has a place there."""
    return [player for player, place, _ in rank_players(table, serial) if place == 1]
