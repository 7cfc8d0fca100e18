"""Conditions that hold on every table at any time, whatever the cards do."""

from __future__ import annotations

from collections import Counter

from smashup.engine.game import Game
from smashup.engine.model.constants import (
    AT_BASE,
    BASE,
    BASE_DECK,
    BASE_DISCARD,
    BASE_IN_PLAY,
    BURIED,
    DECK,
    DISCARD,
    HAND,
    LIMBO,
    MADNESS_DECK,
    MINION,
    ON_CARD,
    REMOVED,
    SET_ASIDE,
    TITAN,
    ZONE_NAMES,
)
from smashup.engine.model.state import OF_A_PLAYER, State
from smashup.engine.rules import queries


def problems(game: Game) -> list[str]:
    """Describe what is wrong with the table; an empty list if nothing is."""
    return [
        *_places(game),
        *_handles(game),
        *_knowledge(game),
        *_numbers(game),
        *_decision(game),
        *_abilities(game),
    ]


def _places(game: Game) -> list[str]:
    wrong = misplaced(game.table.state, game.table.num_players)
    if game.at_menu and game.table.state.limbo:
        wrong.append(f"{len(game.table.state.limbo)} cards were left in limbo.")
    return wrong


def misplaced(s: State, players: int) -> list[str]:
    """Check that every physical card is in exactly one place and that the columns agree."""
    found: list[tuple[int, int, int]] = []
    for p in range(players):
        found += [(c, HAND, p) for c in s.hands[p]]
        found += [(c, DECK, p) for c in s.decks[p]]
        found += [(c, DISCARD, p) for c in s.discards[p]]
        found += [(c, SET_ASIDE, p) for c in s.set_aside[p]]
    found += [(c, BASE_DECK, s.place[c]) for c in s.base_deck]
    found += [(c, BASE_DISCARD, s.place[c]) for c in s.base_discard]
    found += [(c, MADNESS_DECK, s.place[c]) for c in s.madness]
    found += [(c, LIMBO, s.place[c]) for c in s.limbo]
    for site in s.sites:
        found.append((site.base, BASE_IN_PLAY, site.serial))
        for c in site.cards:
            found.append((c, BURIED if s.zone[c] == BURIED else AT_BASE, site.serial))
    for host, actions in s.on_card.items():
        found += [(a, ON_CARD, host) for a in actions]
    wrong = []
    seen = Counter(c for c, _, _ in found)
    for c in range(len(s.definition)):
        if seen[c] != (s.zone[c] != REMOVED):
            wrong.append(f"{s.definition[c].name} (card {c}) is in {seen[c]} places.")
    for c, zone, place in found:
        if (s.zone[c], s.place[c]) != (zone, place):
            wrong.append(
                f"{s.definition[c].name} (card {c}) lies in {ZONE_NAMES[zone]} {place} but"
                f" is recorded in {ZONE_NAMES[s.zone[c]]} {s.place[c]}."
            )
        definition = s.definition[c]
        if definition.type == TITAN and zone not in (SET_ASIDE, AT_BASE):
            wrong.append(f"The titan {definition.name} is in {ZONE_NAMES[zone]}.")
        if (definition.type == BASE) != (zone in (BASE_DECK, BASE_DISCARD, BASE_IN_PLAY)):
            wrong.append(f"{definition.name} cannot be in {ZONE_NAMES[zone]}.")
    for site in s.sites:
        if site.minions != [
            c for c in site.cards if s.definition[c].type == MINION and s.zone[c] == AT_BASE
        ]:
            wrong.append(f"The list of minions at {s.definition[site.base].name} is wrong.")
    for host in s.on_card:
        if s.zone[host] != AT_BASE:
            wrong.append(f"Actions lie on {s.definition[host].name}, which is not on a base.")
    return wrong


def _handles(game: Game) -> list[str]:
    """Check that the table's handle of each card belongs to the card's current life."""
    wrong = [f"{c!r} is a handle of a life that has ended." for c in game.table.cards if c.former]
    if game.at_menu and game.table.left_play:
        wrong.append("Cards that left play earlier are remembered at the play menu.")
    return wrong


def _knowledge(game: Game) -> list[str]:
    """Check that players know their hands, and that mixed-up cards are hidden and not known by
    place."""
    s = game.table.state
    wrong = [
        f"P{p + 1} does not know {s.definition[c].name} in hand."
        for p in range(game.table.num_players)
        for c in s.hands[p]
        if not s.seen_by[c] >> p & 1
    ]
    if not set(s.held) <= set(s.limbo):
        wrong.append("A card that a player looks at is not in limbo.")
    in_mix: set[tuple[int, int]] = set()
    for mix in s.mixes:
        if not mix.known <= mix.cards:
            wrong.append("A card is known to be mixed up with others, but is not among them.")
        for c in mix.cards:
            if s.zone[c] not in (HAND, DECK, BURIED, LIMBO) or s.seen_by[c] >> mix.viewer & 1:
                wrong.append(
                    f"{s.definition[c].name} is mixed up with others and still known by its place."
                )
            if (mix.viewer, c) in in_mix:
                wrong.append(f"{s.definition[c].name} is mixed up twice.")
            in_mix.add((mix.viewer, c))
    return wrong


def _numbers(game: Game) -> list[str]:
    """Check that totals, VP and counters are never negative."""
    s = game.table.state
    wrong = []
    for site in s.sites:
        name = s.definition[site.base].name
        numbers = [
            queries.breakpoint(game.table, site.serial),
            queries.base_total(game.table, site.serial),
        ]
        numbers += queries.player_totals(game.table, site.serial)
        numbers += [
            queries.power(game.table, c) for c in site.cards if s.definition[c].type == MINION
        ]
        if min(numbers) < 0:
            wrong.append(f"A number at {name} is negative: {numbers}.")
    if min(s.vp) < 0:
        wrong.append(f"A player has negative VP: {s.vp}.")
    if any(n < 0 for n in s.counters):
        wrong.append("A card has a negative number of counters.")
    return wrong


def _decision(game: Game) -> list[str]:
    """Check that a player has a decision with at least one option, or the game is over."""
    decision = game.table.pending
    if game.table.state.over:
        return [] if decision is None else ["The game is over but has a pending decision."]
    if decision is None:
        return ["The game is not over but has no pending decision."]
    if not decision.options:
        return [f"“{decision.prompt}” has no options."]
    if not 0 <= decision.player < game.table.num_players:
        return [f"“{decision.prompt}” has no player who decides."]
    return []


def _abilities(game: Game) -> list[str]:
    """Check that exactly the cards in play, and titans set aside, have their own ability in force.

    An action that was detached and waits for its transfer keeps its own.
    """
    s = game.table.state
    having = {x.card for x in s.abilities}
    wrong = []
    for c, zone in enumerate(s.zone):
        should = zone in (AT_BASE, ON_CARD, BASE_IN_PLAY, SET_ASIDE)
        if should != (c in having) and zone != LIMBO:
            wrong.append(f"{s.definition[c].name} in {ZONE_NAMES[zone]}: wrong abilities.")
    for effect in s.effects:
        if effect.target < 0 and effect.kind not in OF_A_PLAYER:
            wrong.append("An effect has no target.")
    return wrong
