"""What the network sees of a position: numbers per seat, numbers per base, and cards.

Extraction is the larger part of an evaluation, so it is one pass over the table in plain Python,
which mypyc compiles; NumPy comes in afterwards (`smashup.bots.network.model`).
"""

from __future__ import annotations

from typing import Final

from smashup.bots.evaluation import FEATURES
from smashup.bots.network.vocabulary import (
    DECK_ZONE,
    DISCARD_ZONE,
    HAND_ZONE,
    NO_TOKEN,
    PLAY_ZONE,
    CardVocabulary,
)
from smashup.engine.game import Game
from smashup.engine.model.constants import ACTION, AT_BASE, BURIED, MINION, NONE, TITAN
from smashup.engine.model.definitions import CardDefinition
from smashup.engine.model.hooks import Hook
from smashup.engine.model.state import Site
from smashup.engine.model.table import Table
from smashup.engine.rules import abilities, queries, turns

H_PLAYER_POWER: Final = Hook.PLAYER_POWER.value
H_EXCLUDED_FROM_TOTAL: Final = Hook.EXCLUDED_FROM_TOTAL.value

SEAT_FEATURES: Final = (
    *FEATURES,
    "vp_missing",
    "hand_minions",
    "hand_actions",
    "hand_best",
    "deck",
    "discard",
    "titans_aside",
    "buried",
    "is_current",
    "seats_to_turn",
    "minions_played",
    "actions_played",
    "bases_led",
    "bases_present",
)
"""Numbers per seat. The first ones are those of the linear evaluation, which the network adds to
its own score."""
BASE_FEATURES: Final = (
    "mine",
    "best_other",
    "second_other",
    "others",
    "breakpoint",
    "missing",
    "full",
    "full_squared",
    "full_sixth",
    "first_vp",
    "second_vp",
    "third_vp",
    "worth",
    "lead",
    "my_minions",
    "other_minions",
    "my_actions",
    "my_titan",
    "hand_best",
    "hand_power",
    "is_current",
)
"""Numbers per base and seat."""
NUM_SEAT_FEATURES: Final = len(SEAT_FEATURES)
NUM_BASE_FEATURES: Final = len(BASE_FEATURES)


# Columns of `SEAT_FEATURES`, which `extract_position` fills in.
VP: Final = 0
VP_LATE: Final = 1
STANDING: Final = 2
PROSPECTS: Final = 3
NEARLY_BROKEN: Final = 4
POWER: Final = 5
MINIONS: Final = 6
ONGOING: Final = 7
TITANS: Final = 8
HAND: Final = 9
HAND_POWER: Final = 10
TEMPO: Final = 11
VP_MISSING: Final = 12
HAND_MINIONS: Final = 13
HAND_ACTIONS: Final = 14
HAND_BEST: Final = 15
DECK: Final = 16
DISCARD: Final = 17
TITANS_ASIDE: Final = 18
BURIED_CARDS: Final = 19
IS_CURRENT: Final = 20
SEATS_TO_TURN: Final = 21
MINIONS_PLAYED: Final = 22
ACTIONS_PLAYED: Final = 23
BASES_LED: Final = 24
BASES_PRESENT: Final = 25


class NetworkInput:
    """The inputs of the network for one position."""

    __slots__ = ("bases", "num_bases", "num_players", "offsets", "seats", "sites", "tokens")

    def __init__(self, num_players: int) -> None:
        self.num_players = num_players
        self.num_bases = 0
        self.seats: list[float] = []
        """`SEAT_FEATURES` of each seat, one seat after the other."""
        self.sites: list[float] = []
        """`BASE_FEATURES` of each seat at each base: all bases of the first seat first."""
        self.bases: list[int] = []
        """The row of each base in the vocabulary."""
        self.tokens: list[int] = []
        """The rows of the cards and factions of each seat, one seat after the other."""
        self.offsets: list[int] = []
        """Where the tokens of each seat begin."""


class _BaseTotals:
    """What each seat has at one base."""

    __slots__ = ("actions", "minions", "power", "titans")

    def __init__(self, players: int) -> None:
        self.power = [0] * players
        self.minions = [0] * players
        self.actions = [0] * players
        self.titans = [0] * players


def extract_position(game: Game, vocabulary: CardVocabulary) -> NetworkInput:
    """Read the inputs of the network from a table."""
    table = game.table
    s = table.state
    players = range(table.num_players)
    definitions = s.definition
    seats = [_read_seat(table, p) for p in players]
    in_play: list[list[int]] = [[] for _ in players]
    by_seat: list[list[float]] = [[] for _ in players]
    index = abilities.ability_index(table)
    is_special = bool(index[H_PLAYER_POWER] or index[H_EXCLUDED_FROM_TOTAL] or s.effects)
    for site in s.sites:
        totals = _count_cards(table, site.cards, seats, in_play)
        if is_special:
            totals.power = queries.player_totals(table, site.serial)
        _compare_seats(table, site, totals, seats, by_seat)
    position = NetworkInput(table.num_players)
    bases = [site.base for site in s.sites]
    position.num_bases = len(bases)
    position.bases = _find_rows(vocabulary, definitions, bases, PLAY_ZONE)
    for p in players:
        position.seats += seats[p]
        position.sites += by_seat[p]
        position.offsets.append(len(position.tokens))
        position.tokens.append(NO_TOKEN)
        position.tokens += _find_rows(vocabulary, definitions, s.hands[p], HAND_ZONE)
        position.tokens += _find_rows(vocabulary, definitions, s.discards[p], DISCARD_ZONE)
        position.tokens += _find_rows(vocabulary, definitions, s.decks[p], DECK_ZONE)
        position.tokens += _find_rows(vocabulary, definitions, in_play[p], PLAY_ZONE)
    return position


def _read_seat(table: Table, player: int) -> list[float]:
    """Return `SEAT_FEATURES` of a seat, without what depends on the bases."""
    s = table.state
    seat = [0.0] * NUM_SEAT_FEATURES
    best = power = minions = 0
    hand = s.hands[player]
    for c in hand:
        definition = s.definition[c]
        power += definition.power
        if definition.type == MINION:
            minions += 1
            if definition.power > best:
                best = definition.power
    points = s.vp[player] - turns.count_madness(table, player) / 2
    seats_to_turn = (player - s.current) % table.num_players
    seat[VP] = points
    seat[VP_LATE] = max(0.0, points - 10)
    seat[VP_MISSING] = max(0.0, 15 - points)
    seat[HAND] = len(hand)
    seat[HAND_POWER] = power
    seat[HAND_MINIONS] = minions
    seat[HAND_ACTIONS] = len(hand) - minions
    seat[HAND_BEST] = best
    seat[DECK] = len(s.decks[player])
    seat[DISCARD] = len(s.discards[player])
    seat[TITANS_ASIDE] = len(s.set_aside[player])
    seat[TEMPO] = 1.0 - seats_to_turn / table.num_players
    seat[SEATS_TO_TURN] = seats_to_turn
    seat[IS_CURRENT] = 1.0 if player == s.current else 0.0
    seat[MINIONS_PLAYED] = s.turn_counts.get((MINION, player, NONE), 0)
    seat[ACTIONS_PLAYED] = s.turn_counts.get((ACTION, player, NONE), 0)
    return seat


def _count_cards(
    table: Table, cards: list[int], seats: list[list[float]], in_play: list[list[int]]
) -> _BaseTotals:
    """Count the cards at a base for their controllers; add them to ``seats`` and ``in_play``."""
    s = table.state
    zone = s.zone
    controller = s.controller
    totals = _BaseTotals(table.num_players)
    for c in cards:
        player = controller[c]
        if player < 0:
            continue
        seat = seats[player]
        if zone[c] != AT_BASE:
            if zone[c] == BURIED:
                seat[BURIED_CARDS] += 1
            continue
        type_ = s.definition[c].type
        in_play[player].append(c)
        if type_ == MINION:
            power = queries.power(table, c)
            totals.power[player] += power
            totals.minions[player] += 1
            seat[POWER] += power
            seat[MINIONS] += 1
            if c in s.on_card:
                for action in s.on_card[c]:
                    seats[controller[action]][ONGOING] += 1
                    in_play[controller[action]].append(action)
        elif type_ == ACTION:
            seat[ONGOING] += 1
            totals.actions[player] += 1
        elif type_ == TITAN:
            seat[TITANS] += 1
            totals.titans[player] += 1
            totals.power[player] += queries.power(table, c)
    return totals


def _compare_seats(
    table: Table,
    site: Site,
    totals: _BaseTotals,
    seats: list[list[float]],
    by_seat: list[list[float]],
) -> None:
    """Append `BASE_FEATURES` of a base for each seat; add what it is worth to ``seats``."""
    power = totals.power
    players = range(len(power))
    breakpoint = queries.breakpoint(table, site.serial)
    total = sum(power)
    full = min(1.0, total / breakpoint) if breakpoint > 0 else 1.0
    squared = full * full
    sixth = squared * squared * squared
    vp = table.state.definition[site.base].vp
    all_minions = sum(totals.minions)
    current = table.state.current
    for p in players:
        seat = seats[p]
        mine = power[p]
        best_other = second_other = place = tied = 0
        for other in players:
            if other == p:
                continue
            theirs = power[other]
            if theirs > best_other:
                second_other = best_other
                best_other = theirs
            elif theirs > second_other:
                second_other = theirs
            if theirs > mine:
                place += 1
            elif theirs == mine and mine > 0:
                tied += 1
        worth = 0.0
        if mine > 0 or totals.minions[p]:
            if place < 3:
                worth = vp[place] - (0.5 if tied and place == 0 else 0.0)
                seat[STANDING] += worth
                seat[PROSPECTS] += worth * squared
                seat[NEARLY_BROKEN] += worth * sixth
                if place == 0:
                    seat[BASES_LED] += 1
            seat[BASES_PRESENT] += 1
        by_seat[p] += (
            mine,
            best_other,
            second_other,
            total - mine,
            breakpoint,
            max(0, breakpoint - total),
            full,
            squared,
            sixth,
            vp[0],
            vp[1],
            vp[2],
            worth,
            mine - best_other,
            totals.minions[p],
            all_minions - totals.minions[p],
            totals.actions[p],
            totals.titans[p],
            seat[HAND_BEST],
            seat[HAND_POWER],
            1.0 if p == current else 0.0,
        )


def _find_rows(
    vocabulary: CardVocabulary, definitions: list[CardDefinition], cards: list[int], zone: int
) -> list[int]:
    """Return the rows of cards in a zone; cards not seen before are added to the vocabulary."""
    rows = vocabulary.rows
    try:
        return [rows[definitions[c].name] + zone for c in cards]
    except KeyError:
        for c in cards:
            if definitions[c].name not in rows:
                vocabulary.add_card(definitions[c])
        return [rows[definitions[c].name] + zone for c in cards]
