"""Seeing hidden cards: looking, revealing, searching, and putting cards back.

Looked at: only that player sees it. Revealed: all see it. Searched: from Big in Japan on the card
found is revealed and the deck shuffled afterwards (Void Where Prohibited); before that only if the
searching card says so.
"""

from __future__ import annotations

from typing import Final

from smashup.engine.events.piles import CardsSeen, DeckSearched, DeckSeen
from smashup.engine.model.constants import DECK, HAND, LIMBO, NONE
from smashup.engine.model.decisions import WORDS, Purpose, next_pick
from smashup.engine.model.definitions import CardDefinition
from smashup.engine.model.hooks import Hook
from smashup.engine.model.knowledge import lose_track
from smashup.engine.model.messages import EVERYBODY
from smashup.engine.model.table import NO_SEARCH, Table
from smashup.engine.rules import choosing, effects, zones
from smashup.engine.rules.recording import is_observed, record

H_AFTER_DECK_SEEN: Final = Hook.AFTER_DECK_SEEN.value

PEEKS: Final = -3
"""Key of the count of abilities that showed cards of a deck this turn."""


def note_deck_seen(table: Table, player: int, deck: int) -> None:
    """Record that an ability showed a player cards of a deck."""
    counts = table.state.turn_counts
    counts[(PEEKS,)] = counts.get((PEEKS,), 0) + 1
    if is_observed(table, H_AFTER_DECK_SEEN):
        record(table, DeckSeen(deck, counts[(PEEKS,)]))


def take_from_top(table: Table, player: int, deck: int, count: int, public: bool) -> list[int]:
    """Take the top cards of a deck for a player, or all players, to see; top first.

    If there are too few, the discard pile is shuffled and the rest taken from there.
    """
    s = table.state
    lifted: list[int] = []
    logged = 0
    for _ in range(count):
        if not s.decks[deck]:
            if not public and not table.edition.reshuffle_to_look:
                break
            _log_lifted(table, player, deck, lifted, public)
            logged = len(lifted)
            if not zones.refill_deck(table, deck):
                break
        c = s.decks[deck][-1]
        if public:
            zones.reveal(table, c)
        else:
            zones.reveal_to(table, c, player)
        zones.take_from_zone(table, c)
        zones.put_into_zone(table, c, LIMBO, deck)
        if not public:
            s.held.append(c)
        lifted.append(c)
    _log_lifted(table, player, deck, lifted[logged:], public)
    if lifted:
        note_deck_seen(table, player, deck)
    return lifted


def _log_lifted(table: Table, player: int, deck: int, lifted: list[int], public: bool) -> None:
    """Record which cards were seen; called before a refill for those seen until then."""
    if lifted and table.logging:
        seen_by = EVERYBODY if public else 1 << player
        record(table, CardsSeen(player, lifted[:], deck, seen_by))


def take_until(
    table: Table, deck: int, types: int, count: int = 1, where: int = NONE
) -> tuple[list[int], list[int]]:
    """Reveal cards from the top until ``count`` of the types appear; return (those, the others).

    ``where``: only actions that are played there count.
    Culture Shock p. 10: an empty deck is refilled before the first card only.
    """
    s = table.state
    found: list[int] = []
    others: list[int] = []
    revealed: list[int] = []
    logged = 0
    refills = 0
    while len(found) < count:
        if not s.decks[deck]:
            started = bool(found or others)
            if refills or (started and table.edition.stop_when_deck_runs_out):
                break
            refills += 1
            _log_lifted(table, deck, deck, revealed, public=True)
            logged = len(revealed)
            if not zones.refill_deck(table, deck):
                break
        c = s.decks[deck][-1]
        zones.reveal(table, c)
        zones.take_from_zone(table, c)
        zones.put_into_zone(table, c, LIMBO, deck)
        definition = s.definition[c]
        fits = definition.types & types and where in (NONE, definition.played_on)
        (found if fits else others).append(c)
        revealed.append(c)
    _log_lifted(table, deck, deck, revealed[logged:], public=True)
    note_deck_seen(table, deck, deck)
    return found, others


def put_back(table: Table, c: int, deck: int, bottom: bool = False) -> None:
    """Put a card back; viewers who saw it still know it.

    A card that was only seen never left its deck; a card from a hand goes there, or
    to its owner's deck if the edition says so, and only its holder knows which it was.
    """
    if table.state.zone[c] == HAND:
        zones.conceal(table, c, 1 << table.state.place[c])
        deck = zones.home_of(table, c, deck, False)
    zones.take_from_zone(table, c)
    zones.put_into_zone(table, c, DECK, deck, bottom)


def shuffle_into_deck(table: Table, cards: list[int], deck: int) -> None:
    """Shuffle taken cards, if any, into a deck."""
    if not cards:
        return
    for c in cards:
        put_back(table, c, deck)
    zones.shuffle_deck(table, deck)
    zones.log_shuffle(table, deck)


def arrange_on_deck(
    table: Table, player: int, cards: list[int], deck: int, top: bool = True, bottom: bool = False
) -> None:
    """Have a player put cards on the top or bottom of a deck in an order that no other player sees.

    They stay in place until all are picked, so that the remaining ones reveal nothing.
    """
    left = list(cards)
    count = len(left)
    sunk: list[int] = []
    while left and bottom:
        if top:
            table.multi_pick = next_pick(count - len(left), 0, len(left), len(left), True)
            c = choosing.ask_card(
                table,
                player,
                Purpose.ORDER_ON_BOTTOM,
                "Which card goes to the bottom next?",
                left,
                True,
            )
            table.multi_pick = None
        else:
            c = _next(
                table,
                player,
                Purpose.ORDER_ON_BOTTOM,
                "Which card goes to the bottom next?",
                left,
                count,
            )
        if c == NONE:
            break
        left.remove(c)
        sunk.append(c)
    raised: list[int] = []
    count = len(left)
    while left:
        prompt = "Which card goes on top next? The last is drawn first."
        c = _next(table, player, Purpose.ORDER_ON_TOP, prompt, left, count)
        left.remove(c)
        raised.append(c)
    lose_track(table.state, cards, 1 << player, table.num_players)
    for c in sunk:
        put_back(table, c, deck, bottom=True)
    for c in raised:
        put_back(table, c, deck)


def _next(
    table: Table, player: int, purpose: Purpose, prompt: str, cards: list[int], count: int
) -> int:
    """Ask for the next card of several to be placed in order."""
    more = len(cards) - 1
    if not more:
        return cards[0]
    table.multi_pick = next_pick(count - len(cards), more, more, more, True)
    c = choosing.ask_card(table, player, purpose, prompt, cards)
    table.multi_pick = None
    return c


def top_or_bottom(table: Table, player: int, c: int, deck: int) -> None:
    """Have a player put a card back on the top or bottom."""
    answer = choosing.ask(
        table,
        player,
        Purpose.TOP_OR_BOTTOM,
        "Where does it go?",
        WORDS,
        ["Top of the deck", "Bottom of the deck"],
    )
    put_back(table, c, deck, bottom=answer == 1)


def look_at_base_deck(table: Table, player: int, count: int) -> list[int]:
    """Show a player the top cards of the base deck, which stay there; top card first."""
    if not effects.refill_bases(table):
        return []
    top = table.state.base_deck[: -count - 1 : -1]
    for c in top:
        zones.reveal_to(table, c, player)
    return top


def search_base_deck(table: Table, player: int, prompt: str) -> int:
    """A player searches the base deck for a base, which everybody sees; it stays there."""
    if not effects.refill_bases(table):
        return NONE
    for c in table.state.base_deck:
        zones.reveal_to(table, c, player)
    c = choosing.ask_card(table, player, Purpose.SEARCH, prompt, table.state.base_deck[::-1])
    if c != NONE:
        zones.reveal(table, c)
    return c


def arrange_base_deck(table: Table, player: int, cards: list[int]) -> None:
    """A player puts cards of the base deck on top of it in an order that no other player sees."""
    left = list(cards)
    raised: list[int] = []
    while left:
        prompt = "Which base goes on top next? The last comes next."
        c = _next(table, player, Purpose.ORDER_ON_TOP, prompt, left, len(cards))
        left.remove(c)
        raised.append(c)
    for c in cards:  # others know no place any more
        table.state.seen_by[c] &= 1 << player
    deck = table.state.base_deck
    for c in raised:
        deck.remove(c)
        deck.append(c)


def distinct_cards(table: Table, cards: list[int]) -> list[int]:
    """Return one card of each definition and owner, so that the offer does not reveal copies.

    The copy that most players know goes first: playing a card whose copy everybody has
    seen then does not reveal another one.
    """
    if len(cards) < 2:
        return cards
    s = table.state
    definitions = s.definition
    first: dict[CardDefinition, int] = {}
    for c in cards:
        definition = definitions[c]
        if definition not in first:
            first[definition] = c
            continue
        known = first[definition]
        if s.seen_by[known] != s.seen_by[c] or s.owner[known] != s.owner[c]:
            return _best_known_copies(table, cards)
    return cards if len(first) == len(cards) else list(first.values())


def _best_known_copies(table: Table, cards: list[int]) -> list[int]:
    """Return the best-known of copies that differ in owner or in who has seen them."""
    s = table.state
    best: dict[tuple[CardDefinition, int], int] = {}
    for c in cards:
        key = (s.definition[c], s.owner[c])
        known = best.setdefault(key, c)
        if known != c and s.seen_by[c] and s.seen_by[c].bit_count() > s.seen_by[known].bit_count():
            best[key] = c
    return list(best.values())


def can_search(table: Table, deck: int) -> bool:
    """Whether there is anything to search in a player's deck."""
    return bool(table.state.decks[deck]) or (
        table.edition.reshuffle_to_look and zones.refill_deck(table, deck)
    )


def search_deck(
    table: Table,
    player: int,
    matches: list[int],
    prompt: str,
    optional: bool,
    reveals: bool = False,
    shuffles: bool = False,
) -> int:
    """Have a player search their deck for one of the matching cards.

    It is revealed and the deck shuffled if the edition or the text says so. The card found
    waits in limbo until it is placed; `NONE` if no card was taken.
    """
    s = table.state
    by_rule = table.edition.search_reveals_and_shuffles
    for c in s.decks[player]:  # forgotten if the deck is shuffled afterwards
        zones.reveal_to(table, c, player)
    c = choosing.ask_card(
        table, player, Purpose.SEARCH, prompt, distinct_cards(table, matches), optional
    )
    is_open = reveals or by_rule
    if c != NONE:
        if is_open:
            zones.reveal(table, c)
        else:
            zones.conceal(table, c, 1 << player)
        position = s.decks[player].index(c)
        zones.take_from_zone(table, c)
        zones.put_into_zone(table, c, LIMBO, player)
        if not is_open:
            s.held.append(c)
        table.last_search = (c, position, s.decks[player][:])
    if table.logging:
        record(table, DeckSearched(player, c, EVERYBODY if is_open else 1 << player))
    if shuffles or by_rule:
        zones.shuffle_deck(table, player)
        zones.log_shuffle(table, player)
    note_deck_seen(table, player, player)
    assert c == NONE or s.zone[c] == LIMBO
    return c


def search_copies(
    table: Table,
    player: int,
    matches: list[int],
    prompt: str,
    reveals: bool = False,
    shuffles: bool = False,
) -> list[int]:
    """Find any number of the matching cards in one's deck that have the same name.

    As in `search_deck`, but all of them before the deck is shuffled. They wait in limbo.
    """
    s = table.state
    by_rule = table.edition.search_reveals_and_shuffles
    is_open = reveals or by_rule
    for c in s.decks[player]:  # forgotten if the deck is shuffled afterwards
        zones.reveal_to(table, c, player)
    found: list[int] = []
    left = matches
    while left:
        table.multi_pick = next_pick(len(found), 0, len(left), len(left))
        c = choosing.ask_card(
            table, player, Purpose.SEARCH, prompt, distinct_cards(table, left), True
        )
        table.multi_pick = None
        if c == NONE:
            break
        found.append(c)
        left = [x for x in left if x != c and s.definition[x] is s.definition[c]]
    for c in found:
        if is_open:
            zones.reveal(table, c)
        else:
            zones.conceal(table, c, 1 << player)
        zones.take_from_zone(table, c)
        zones.put_into_zone(table, c, LIMBO, player)
        if not is_open:
            s.held.append(c)
        if table.logging:
            record(table, DeckSearched(player, c, EVERYBODY if is_open else 1 << player))
    if not found and table.logging:
        record(table, DeckSearched(player, NONE, EVERYBODY))
    if shuffles or by_rule:
        zones.shuffle_deck(table, player)
        zones.log_shuffle(table, player)
    note_deck_seen(table, player, player)
    return found


def forget_search(table: Table) -> None:
    """Do not take the card for found when it waits in limbo for another reason."""
    table.last_search = NO_SEARCH


def put_back_found(table: Table, c: int, player: int) -> None:
    """Return an unused card to the deck after a search: to its old position if nothing was shuffled
    since, else by shuffling it in."""
    deck = table.state.decks[player]
    found, position, rest = table.last_search
    if found != c or rest != deck:
        shuffle_into_deck(table, [c], player)
        return
    put_back(table, c, player)
    deck.pop()
    deck.insert(position, c)
