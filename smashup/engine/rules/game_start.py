"""Setting up: factions, decks, bases, opening hands, mulligan (Culture Shock p. 4)."""

from __future__ import annotations

from typing import Final

from smashup.engine.events.course import FactionDrafted
from smashup.engine.events.piles import MulliganTaken
from smashup.engine.model.catalogue import FactionDeck
from smashup.engine.model.constants import (
    BASE_DECK,
    DECK,
    DECK_SHUFFLED,
    MADNESS_DECK,
    MINION,
    NONE,
    SET_ASIDE,
    START,
)  # fmt: skip
from smashup.engine.model.decisions import FACTIONS, Purpose
from smashup.engine.model.definitions import CardDefinition
from smashup.engine.model.events import Resolution
from smashup.engine.model.game_traits import GameTraits
from smashup.engine.model.table import Table
from smashup.engine.rules import abilities, choosing, effects, playing, zones
from smashup.engine.rules.recording import record

HAND_SIZE: Final = 5
MADNESS_CARDS: Final = 30


def start_game(table: Table) -> None:
    """Set up an empty table up to the first turn."""
    s = table.state
    first = table.setup.first
    s.first = first if first >= 0 else s.random_below(table.num_players)
    s.current = s.first
    s.turn_order_from = s.first
    build_decks(
        table,
        [[table.catalogue.factions[i].name for i in pair] for pair in _assign_factions(table)],
    )
    for player in range(table.num_players):
        zones.shuffle_deck(table, player)
    s.shuffle(s.base_deck)
    if table.table_script is not None:
        table.table_script.stack_decks(table)
    resolution = Resolution(abilities.RULES)
    table.resolutions.append(resolution)
    for _ in range(table.num_players + 1):
        if effects.next_base(table) != NONE:
            effects.play_base(table, effects.next_base(table))
    table.resolutions.pop()
    playing.settle(table, resolution)  # abilities of bases resolve before hands are drawn
    for player in table.clockwise(s.first):
        zones.draw(table, player, HAND_SIZE)
    for player in table.clockwise(s.first):
        mulligan(table, player)
    s.phase = START


# --- factions ---------------------------------------------------------------------------


def _assign_factions(table: Table) -> list[list[int]]:
    """Return two factions per player, by number: given, drafted, or random."""
    names = [f.name for f in table.catalogue.factions]
    if table.setup.factions:
        return [
            [names.index(table.catalogue.faction(name).name) for name in pair]
            for pair in table.setup.factions
        ]
    pool = [names.index(table.catalogue.faction(n).name) for n in table.setup.pool]
    pool = pool or list(range(len(names)))
    return _draft_factions(table, pool) if table.setup.draft else _random_factions(table, pool)


def _random_factions(table: Table, pool: list[int]) -> list[list[int]]:
    s = table.state
    picked: list[list[int]] = []
    for _ in range(table.num_players):
        if table.setup.duplicates or not picked:
            s.shuffle(pool)
            picked.append(pool[:2])
        else:
            picked.append(pool[2 * len(picked) : 2 * len(picked) + 2])
    return picked


def _draft_factions(table: Table, pool: list[int]) -> list[list[int]]:
    """Draft by Kickin' It Queensberry: one faction each clockwise, then back from the last
    player."""
    s = table.state
    size = table.edition.draft_pool
    if not table.setup.pool and size and len(pool) > size >= 2 * table.num_players:
        s.shuffle(pool)
        pool = sorted(pool[:size])
    s.drafted = [[] for _ in range(table.num_players)]
    order = table.clockwise(s.first)
    for player in order + order[::-1]:
        offered = [
            f
            for f in pool
            if f not in s.drafted[player]
            and (table.setup.duplicates or not any(f in mine for mine in s.drafted))
        ]
        chosen = offered[
            choosing.ask(table, player, Purpose.DRAFT, "Choose a faction.", FACTIONS, offered)
        ]
        s.drafted[player].append(chosen)
        if table.logging:
            record(table, FactionDrafted(player, chosen))
    return s.drafted


# --- cards ------------------------------------------------------------------------------


def add_card(table: Table, definition: CardDefinition, owner: int, zone: int, place: int) -> int:
    """Add a physical card to the game."""
    c = len(table.state.definition)
    _add_cards(table, [definition], owner, zone, place)
    table.traits = GameTraits(table.state.definition)
    return c


def _add_cards(
    table: Table, definitions: list[CardDefinition], owner: int, zone: int, place: int
) -> None:
    """Add cards to the game, all in one place."""
    s = table.state
    first = len(s.definition)
    count = len(definitions)
    s.definition += definitions
    s.owner += [owner] * count
    s.controller += [owner] * count
    s.played_by += [owner] * count
    s.zone += [zone] * count
    s.place += [place] * count
    s.counters += [0] * count
    s.lives += [0] * count
    s.seen_by += [0] * count
    s.hidden_with += [owner] * count
    for c in range(len(table.cards), len(s.definition)):  # a repeated setup has its handles
        table.cards.append(table.services.new_card(table, c))
    if zone == DECK:
        s.decks[place] += range(first, first + count)
    elif zone == BASE_DECK:
        s.base_deck += range(first, first + count)
    else:
        for c in range(first, first + count):
            zones.put_into_zone(table, c, zone, place)


def build_decks(table: Table, factions: list[list[str]]) -> None:
    """Create decks, titans and the base deck from the chosen factions."""
    printing = table.setup.printing
    sets: list[str] = []
    with_madness = table.setup.madness
    for player, pair in enumerate(factions):
        for name in pair:
            deck = table.catalogue.deck(name, printing)
            _add_cards(table, deck.copies, player, DECK, player)
            _add_titans(table, deck, player)
            if deck.faction.set_name not in sets:
                sets.append(deck.faction.set_name)
    for faction in table.catalogue.factions:
        if not table.edition.bases_of_chosen_sets or faction.set_name in sets:
            bases = table.catalogue.deck(faction.name, printing).bases
            _add_cards(table, bases, NONE, BASE_DECK, NONE)
            with_madness |= faction.uses_madness
    if with_madness:
        madness = [table.catalogue.madness()] * MADNESS_CARDS
        _add_cards(table, madness, NONE, MADNESS_DECK, NONE)
    table.traits = GameTraits(table.state.definition)


def _add_titans(table: Table, deck: FactionDeck, player: int) -> None:
    if not table.edition.titans:
        return
    for definition in deck.titans:
        if table.setup.optional_titans or not definition.optional:
            c = len(table.state.definition)
            _add_cards(table, [definition], player, SET_ASIDE, player)
            zones.reveal(table, c)
            abilities.add_ability(table, c, definition)


# --- opening hands ----------------------------------------------------------------------


def mulligan(table: Table, player: int) -> None:
    """Let a player replace a hand without minions once (2014: it is replaced)."""
    s = table.state
    hand = s.hands[player]
    if any(s.definition[c].type == MINION for c in hand):
        return
    if table.edition.mulligan_optional and not choosing.ask_yes_no(
        table, player, Purpose.MULLIGAN, "No minion in your hand: show it and draw a new one?"
    ):
        return
    old = hand[:]
    for c in old:
        zones.reveal(table, c)
    if table.logging:
        record(table, MulliganTaken(player, old))
    resolution = Resolution(abilities.RULES)
    table.resolutions.append(resolution)
    if table.edition.mulligan_into_deck:
        zones.draw(table, player, HAND_SIZE)
        for c in old:
            zones.place_card(table, c, DECK_SHUFFLED, player)
        zones.log_shuffle(table, player)
    else:
        zones.discard(table, player, old)
        zones.draw(table, player, HAND_SIZE)
    table.resolutions.pop()
