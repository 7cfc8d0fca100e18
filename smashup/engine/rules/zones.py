"""Zones: the only code that moves a card from one zone to another.

Drawing, shuffling, discarding from hand, entering play. Only this module and the modules above it
write to the state.
"""

from __future__ import annotations

from typing import Final

from smashup.engine.events.movement import (
    CardChangedZone,
    CardEnteredHand,
    CardGiven,
    CardPlaced,
)
from smashup.engine.events.piles import (
    CardDiscardedToOwner,
    CardsDiscarded,
    CardsDrawn,
    DeckRefilled,
    DeckShuffled,
    ShuffleAnnounced,
)
from smashup.engine.model.constants import (
    AT_BASE,
    BASE_DECK,
    BASE_DISCARD,
    BASE_IN_PLAY,
    BURIED,
    DECK,
    DECK_BOTTOM,
    DECK_SHUFFLED,
    DECK_TOP,
    DISCARD,
    DRAW,
    HAND,
    LIMBO,
    MADNESS_DECK,
    MINION,
    NONE,
    ON_CARD,
    REMOVED,
    SET_ASIDE,
    TITAN,
    WHILE_ATTACHED,
)  # fmt: skip
from smashup.engine.model.editions import OWN_CARDS, OWN_VISIBLE_CARDS
from smashup.engine.model.events import Departure
from smashup.engine.model.hooks import Hook
from smashup.engine.model.knowledge import ALL_VIEWERS, lose_track, shuffle, sort_out
from smashup.engine.model.messages import EVERYBODY
from smashup.engine.model.state import (
    BANNED_NAME,
    BREAKPOINT,
    CONTROL,
    NO_EXTRAS,
    PLAYER_POWER,
    SHELTERED,
)
from smashup.engine.model.table import Table
from smashup.engine.rules import abilities, queries
from smashup.engine.rules.recording import is_observed, record

H_AFTER_DRAW: Final = Hook.AFTER_DRAW.value
H_AFTER_DISCARD: Final = Hook.AFTER_DISCARD.value
H_AFTER_GIVING: Final = Hook.AFTER_GIVING.value
H_AFTER_ENTERING_HAND: Final = Hook.AFTER_ENTERING_HAND.value

_BOARD: Final = 1 << AT_BASE | 1 << ON_CARD | 1 << BASE_IN_PLAY | 1 << BURIED | 1 << BASE_DECK
"""Zones (bits) on which cached values depend: cards in play, and a base deck with a face-up top
card."""
_NOT_OF_A_LIFE: Final = (PLAYER_POWER, BREAKPOINT, BANNED_NAME, NO_EXTRAS, SHELTERED)
"""Effects on a site or on all cards of a name, which do not end when a card leaves play."""


# --- zones: the only code that moves a card from one to another -------------------------


def take_from_zone(table: Table, c: int) -> None:
    """Remove a card from its zone."""
    s = table.state
    zone = s.zone[c]
    place = s.place[c]
    if zone == HAND:
        s.hands[place].remove(c)
    elif zone == DECK:
        s.decks[place].remove(c)
    elif zone == DISCARD:
        s.discards[place].remove(c)
    elif zone == AT_BASE:
        site = s.site_at[place]
        site.cards.remove(c)
        if s.definition[c].type == MINION:
            site.minions.remove(c)
    elif zone == BURIED:
        s.site_at[place].cards.remove(c)
    elif zone == ON_CARD:
        rest = tuple(a for a in s.on_card[place] if a != c)
        if rest:
            s.on_card[place] = rest
        else:
            del s.on_card[place]
    elif zone == SET_ASIDE:
        s.set_aside[place].remove(c)
    elif zone == LIMBO:
        s.limbo.remove(c)
        if c in s.held:
            s.held.remove(c)
        if (whole := s.definition[c].fused_card) is not None:
            s.definition[c] = whole
    elif zone == BASE_DECK:
        s.base_deck.remove(c)
    elif zone == BASE_DISCARD:
        s.base_discard.remove(c)
    elif zone == MADNESS_DECK:
        s.madness.remove(c)


def put_into_zone(table: Table, c: int, zone: int, place: int, bottom: bool = False) -> None:
    """Put a card that is in no zone into one."""
    s = table.state
    if table.logging and (s.zone[c], s.place[c]) != (zone, place):
        origin = (s.zone[c], s.place[c])
        record(table, CardChangedZone(c, origin, (zone, place), table.move_reason, s.seen_by[c]))
    if (_BOARD >> zone | _BOARD >> s.zone[c]) & 1:
        abilities.invalidate_board(table)
    s.zone[c] = zone
    s.place[c] = place
    if zone == HAND:
        s.hands[place].append(c)
    elif zone == DECK:
        if bottom:
            s.decks[place].insert(0, c)
        else:
            s.decks[place].append(c)
    elif zone == DISCARD:
        s.discards[place].append(c)
        reveal(table, c)
    elif zone == AT_BASE:
        site = s.site_at[place]
        site.cards.append(c)
        if s.definition[c].type == MINION:
            site.minions.append(c)
    elif zone == BURIED:
        s.site_at[place].cards.append(c)
    elif zone == ON_CARD:
        s.on_card[place] = (*s.on_card.get(place, ()), c)
    elif zone == SET_ASIDE:
        s.set_aside[place].append(c)
    elif zone == LIMBO:
        s.limbo.append(c)
    elif zone == BASE_DECK:
        if bottom:
            s.base_deck.insert(0, c)
        else:
            s.base_deck.append(c)
    elif zone == BASE_DISCARD:
        s.base_discard.append(c)
    elif zone == MADNESS_DECK:
        s.madness.append(c)


# --- who knows which card it is (`knowledge`) -------------------------------------------


def reveal(table: Table, c: int) -> None:
    """Show a card to everybody."""
    s = table.state
    s.seen_by[c] = ALL_VIEWERS
    if s.mixes:
        sort_out(s, c, ALL_VIEWERS)


def reveal_to(table: Table, c: int, player: int) -> None:
    """Show a card to one player only."""
    s = table.state
    s.seen_by[c] |= 1 << player
    if s.mixes:
        sort_out(s, c, 1 << player)


def conceal(table: Table, c: int, viewers: int) -> None:
    """Record that a player moves this card from among hidden ones to a hidden place.

    Only the ``viewers`` (bits) know which one it is. A face-up card stays known to all.
    """
    s = table.state
    zone, place = s.zone[c], s.place[c]
    if zone == HAND:
        among = s.hands[place]
    elif zone == DECK:
        among = s.decks[place]
    elif zone == LIMBO and c in s.held:
        among = [x for x in s.held if s.place[x] == place]
    else:
        return
    lose_track(s, among, viewers, table.num_players)


def home_of(table: Table, c: int, player: int, visible: bool) -> int:
    """Return to whose hand or deck a card goes that an ability sends to this player's.

    ``visible``: whether others can see the card ("Void Where Prohibited", owner's zones). A
    card that is drawn goes to the player who draws it, since a text put it into that deck.
    """
    routing = table.edition.owner_routing
    if routing == OWN_CARDS or (visible and routing == OWN_VISIBLE_CARDS):
        return queries.owner_of(table, c)
    return player


# --- decks ------------------------------------------------------------------------------


def shuffle_deck(table: Table, player: int) -> None:
    """Shuffle a player's deck, so that its order is unknown."""
    s = table.state
    deck = s.decks[player]
    table.shuffle(deck)
    shuffle(s, deck, player, table.num_players)
    if table.logging:
        record(table, DeckShuffled(player))


def log_shuffle(table: Table, player: int) -> None:
    """Log that a player shuffles their deck, if no other line says so."""
    if table.logging:
        record(table, ShuffleAnnounced(player))


def refill_deck(table: Table, player: int) -> bool:
    """Shuffle the discard pile into an empty deck; False when there is nothing to shuffle."""
    s = table.state
    if s.decks[player] or not s.discards[player]:
        return bool(s.decks[player])
    for c in s.discards[player]:
        s.zone[c] = DECK
    s.decks[player] = s.discards[player]
    s.discards[player] = []
    if table.logging:
        record(table, DeckRefilled(player))
    shuffle_deck(table, player)
    return True


def draw(table: Table, player: int, count: int) -> list[int]:
    """Draw cards; an empty deck is refilled from the discard pile."""
    s = table.state
    drawn: list[int] = []
    logged = 0
    observed = is_observed(table, H_AFTER_DRAW)
    for _ in range(count):
        if not s.decks[player]:
            if observed:
                _record_draw(table, player, drawn)
                logged = len(drawn)
            if not refill_deck(table, player):
                break
        c = s.decks[player].pop()
        s.zone[c] = HAND
        s.hands[player].append(c)
        reveal_to(table, c, player)
        drawn.append(c)
    if observed:
        _record_draw(table, player, drawn[logged:])
    return drawn


def _record_draw(table: Table, player: int, drawn: list[int]) -> None:
    """Record what was drawn; before a new deck is shuffled, what was drawn until then."""
    if drawn:
        record(table, CardsDrawn(player, drawn[:], 1 << player))


def draw_madness(table: Table, player: int, count: int) -> list[int]:
    """Draw cards from the Madness deck; an empty one gives nothing.

    All see what they are, as the deck holds nothing else: they are known cards of the hand.
    """
    s = table.state
    drawn = s.madness[: -count - 1 : -1] if count > 0 else []
    for c in drawn:
        reveal(table, c)
        take_from_zone(table, c)
        put_into_zone(table, c, HAND, player)
        s.hidden_with[c] = player
    if drawn:
        record_draw(table, player, drawn)
    return drawn


def record_draw(table: Table, player: int, drawn: list[int]) -> None:
    """Record that a player drew cards which all see."""
    if is_observed(table, H_AFTER_DRAW):
        record(table, CardsDrawn(player, drawn[:], EVERYBODY))


def return_madness(table: Table, c: int) -> None:
    """Put a Madness card back into its deck, for all to see."""
    reveal(table, c)
    take_from_zone(table, c)
    if table.logging:
        record(table, CardPlaced(NONE, c, MADNESS_DECK))
    put_into_zone(table, c, MADNESS_DECK, NONE)


def remove_from_game(table: Table, c: int) -> None:
    """Put a card that is not in play into the box, for all to see; it never comes back."""
    reveal(table, c)
    take_from_zone(table, c)
    if table.logging:
        record(table, CardPlaced(NONE, c, REMOVED))
    put_into_zone(table, c, REMOVED, NONE)


# --- discarding cards not in play -------------------------------------------------------


def discard(table: Table, player: int, cards: list[int]) -> None:
    """Put cards from a hand or deck into their owners' discard piles, simultaneously."""
    if not cards:
        return
    origin = table.state.zone[cards[0]]
    for c in cards:
        owner = queries.owner_of(table, c)
        take_from_zone(table, c)
        put_into_zone(table, c, DISCARD, owner)
    if is_observed(table, H_AFTER_DISCARD):
        by_rule = abilities.current_cause(table).card == NONE
        is_over_limit = by_rule and table.state.phase == DRAW
        record(table, CardsDiscarded(player, cards[:], origin, is_over_limit))
    if table.logging:
        for c in cards:
            if table.state.place[c] != player:
                log_foreign_discard(table, c)


def log_foreign_discard(table: Table, c: int) -> None:
    """Record that a card went to the discard pile of its owner, who did not discard it."""
    record(table, CardDiscardedToOwner(c, table.state.place[c]))


def place_card(table: Table, c: int, to: int, player: int = NONE) -> None:
    """Put a card that is not in play into a zone of its owner (or of ``player``)."""
    s = table.state
    owner = queries.owner_of(table, c) if player == NONE else player
    from_discard = s.zone[c] == DISCARD
    public = s.zone[c] in (DISCARD, LIMBO)
    take_from_zone(table, c)
    if s.owner[c] < 0 and to in (DECK_TOP, DECK_BOTTOM, DECK_SHUFFLED) and player == NONE:
        owner = max(owner, 0)
    if to == HAND:
        put_into_zone(table, c, HAND, owner)
        reveal_to(table, c, owner)
    elif to == DECK_SHUFFLED:
        put_into_zone(table, c, DECK, owner)
        shuffle_deck(table, owner)
    elif to in (DECK_TOP, DECK_BOTTOM):
        put_into_zone(table, c, DECK, owner, to == DECK_BOTTOM)
    elif to == DISCARD:
        put_into_zone(table, c, DISCARD, owner)
    elif to == REMOVED:
        put_into_zone(table, c, REMOVED, NONE)
    s.hidden_with[c] = owner
    if to == HAND and from_discard and public:
        went_to_hand(table, c, owner)


def went_to_hand(table: Table, c: int, player: int) -> None:
    """Record that a card entered a hand from play or the discard pile."""
    if is_observed(table, H_AFTER_ENTERING_HAND):
        record(table, CardEnteredHand(c, player))


def give_to_hand(table: Table, giver: int, c: int, receiver: int, openly: bool = False) -> None:
    """Put a card that is not in play into another player's hand."""
    from_discard = table.state.zone[c] == DISCARD
    if openly:
        reveal(table, c)
    else:
        conceal(table, c, 1 << giver | 1 << receiver)
    take_from_zone(table, c)
    put_into_zone(table, c, HAND, receiver)
    reveal_to(table, c, receiver)
    if is_observed(table, H_AFTER_GIVING):
        record(table, CardGiven(giver, c, receiver, table.state.seen_by[c]))
    if from_discard:
        went_to_hand(table, c, receiver)


# --- entering play ----------------------------------------------------------------------


def enter_base(table: Table, c: int, serial: int, controller: int) -> None:
    """Put a card into play at a site."""
    s = table.state
    table.begin_life(c)
    take_from_zone(table, c)
    s.controller[c] = controller
    s.played_by[c] = controller
    s.counters[c] = 0
    put_into_zone(table, c, AT_BASE, serial)
    activate(table, c)


def attach(table: Table, c: int, host: int, controller: int) -> None:
    """Put an action into play on another card."""
    s = table.state
    table.begin_life(c)
    take_from_zone(table, c)
    s.controller[c] = controller
    s.played_by[c] = controller
    s.counters[c] = 0
    put_into_zone(table, c, ON_CARD, host)
    activate(table, c)
    grant_abilities_from(table, c)


def grant_abilities_from(table: Table, c: int) -> None:
    """Give the card an action is on the abilities the action grants, and take them from others.

    Abilities that a copied ability grants are included.
    """
    s = table.state
    texts = [x.definition for x in s.abilities if x.card == c and x.granted_by == NONE]
    granted = [definition for text in texts if (definition := text.grants_to_host) is not None]
    if granted:
        s.abilities = [x for x in s.abilities if x.granted_by != c]
        abilities.invalidate_abilities(table)
        for definition in granted:
            abilities.add_ability(table, s.place[c], definition, granted_by=c)


def update_controller(table: Table, c: int) -> None:
    """Apply the latest remaining control change after one expired, or the player who played the
    card."""
    s = table.state
    controller = s.played_by[c]
    for effect in s.effects:
        if effect.kind == CONTROL and effect.target == c:
            controller = effect.player
    s.controller[c] = controller
    abilities.invalidate_board(table)


def end_life(table: Table, c: int) -> None:
    """End a card's life when it leaves play or is turned face down."""
    s = table.state
    s.counters[c] = 0
    s.tokens.pop(c, None)
    table.cards[c]._departure = Departure(s.lives[c], s.controller[c])
    table.left_play.append(c)
    s.lives[c] += 1
    if s.effects:
        held = [e for e in s.effects if e.until == WHILE_ATTACHED and e.source == c]
        s.effects = [
            e for e in s.effects if (e.target != c or e.kind in _NOT_OF_A_LIFE) and e not in held
        ]
        for effect in held:
            if effect.target != c:
                update_controller(table, effect.target)
    abilities.drop_abilities(table, c)


def activate(table: Table, c: int) -> None:
    """Begin a card's life in play: all see it, and its abilities are in force."""
    reveal(table, c)
    if table.last_sites:
        table.last_sites.pop(c, None)
        table.last_powers.pop(c, None)
        table.last_hosts.pop(c, None)
        table.last_names.pop(c, None)
    definition = table.state.definition[c]
    if definition.type == TITAN:  # its abilities while set aside end
        abilities.drop_abilities(table, c)
    abilities.add_ability(table, c, definition)
