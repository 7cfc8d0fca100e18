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


def extract_position(game: Game, vocabulary: CardVocabulary) -> NetworkInput:
    """Read the inputs of the network from a table."""
    table = game.table
    s = table.state
    players = table.num_players
    position = NetworkInput(players)
    definitions = s.definition
    zone = s.zone
    controller = s.controller
    current = s.current
    seats = [[0.0] * NUM_SEAT_FEATURES for _ in range(players)]
    tokens: list[list[int]] = []

    # --- hands and piles ---------------------------------------------------------------------
    hand_best = [0.0] * players
    hand_power = [0.0] * players
    for p in range(players):
        seat = seats[p]
        best = 0
        power_sum = 0
        minions = 0
        hand = s.hands[p]
        for c in hand:
            definition = definitions[c]
            power_sum += definition.power
            if definition.type == MINION:
                minions += 1
                if definition.power > best:
                    best = definition.power
        pile = s.discards[p]
        deck = s.decks[p]
        tokens.append(
            [
                NO_TOKEN,
                *_find_rows(vocabulary, definitions, hand, HAND_ZONE),
                *_find_rows(vocabulary, definitions, pile, DISCARD_ZONE),
                *_find_rows(vocabulary, definitions, deck, DECK_ZONE),
            ]
        )
        hand_best[p] = best
        hand_power[p] = power_sum
        points = s.vp[p] - turns.count_madness(table, p) / 2
        seat[0] = points
        seat[1] = max(0.0, points - 10)
        seat[9] = len(hand)
        seat[10] = power_sum
        seat[11] = 1.0 - ((p - current) % players) / players
        seat[12] = max(0.0, 15 - points)
        seat[13] = minions
        seat[14] = len(hand) - minions
        seat[15] = best
        seat[16] = len(deck)
        seat[17] = len(pile)
        seat[18] = len(s.set_aside[p])
        seat[20] = 1.0 if p == current else 0.0
        seat[21] = (p - current) % players
        seat[22] = s.turn_counts.get((MINION, p, NONE), 0)
        seat[23] = s.turn_counts.get((ACTION, p, NONE), 0)

    # --- bases -------------------------------------------------------------------------------
    index = abilities.ability_index(table)
    special = bool(index[H_PLAYER_POWER] or index[H_EXCLUDED_FROM_TOTAL] or s.effects)
    by_seat: list[list[float]] = [[] for _ in range(players)]
    in_play: list[list[int]] = [[] for _ in range(players)]
    bases: list[int] = []
    for site in s.sites:
        totals = [0] * players
        minion_counts = [0] * players
        action_counts = [0] * players
        titans = [0] * players
        for c in site.cards:
            owner = controller[c]
            if owner < 0:
                continue
            seat = seats[owner]
            if zone[c] != AT_BASE:
                if zone[c] == BURIED:
                    seat[19] += 1
                continue
            definition = definitions[c]
            in_play[owner].append(c)
            type_ = definition.type
            if type_ == MINION:
                power = queries.power(table, c)
                totals[owner] += power
                minion_counts[owner] += 1
                seat[5] += power
                seat[6] += 1
                if c in s.on_card:
                    for a in s.on_card[c]:
                        whose = controller[a]
                        seats[whose][7] += 1
                        in_play[whose].append(a)
            elif type_ == ACTION:
                seat[7] += 1
                action_counts[owner] += 1
            elif type_ == TITAN:
                seat[8] += 1
                titans[owner] += 1
                totals[owner] += queries.power(table, c)
        if special:
            totals = queries.player_totals(table, site.serial)
        point = queries.breakpoint(table, site.serial)
        total = sum(totals)
        full = min(1.0, total / point) if point > 0 else 1.0
        squared = full * full
        sixth = squared * squared * squared
        base = definitions[site.base]
        bases.append(site.base)
        vp = base.vp
        all_minions = sum(minion_counts)
        for p in range(players):
            mine = totals[p]
            best_other = 0
            second_other = 0
            place = 0
            tied = 0
            for other in range(players):
                if other == p:
                    continue
                power = totals[other]
                if power > best_other:
                    second_other = best_other
                    best_other = power
                elif power > second_other:
                    second_other = power
                if power > mine:
                    place += 1
                elif power == mine and mine > 0:
                    tied += 1
            worth = 0.0
            if mine > 0 or minion_counts[p]:
                seat = seats[p]
                if place < 3:
                    worth = vp[place] - (0.5 if tied and place == 0 else 0.0)
                    seat[2] += worth
                    seat[3] += worth * squared
                    seat[4] += worth * sixth
                    if place == 0:
                        seat[24] += 1
                seat[25] += 1
            by_seat[p] += (
                mine,
                best_other,
                second_other,
                total - mine,
                point,
                max(0, point - total),
                full,
                squared,
                sixth,
                vp[0],
                vp[1],
                vp[2],
                worth,
                mine - best_other,
                minion_counts[p],
                all_minions - minion_counts[p],
                action_counts[p],
                titans[p],
                hand_best[p],
                hand_power[p],
                1.0 if p == current else 0.0,
            )
    position.num_bases = len(bases)
    position.bases = _find_rows(vocabulary, definitions, bases, PLAY_ZONE)
    for p in range(players):
        position.seats += seats[p]
        position.sites += by_seat[p]
        position.offsets.append(len(position.tokens))
        position.tokens += tokens[p]
        position.tokens += _find_rows(vocabulary, definitions, in_play[p], PLAY_ZONE)
    return position


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
