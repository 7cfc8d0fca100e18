"""The part of a player's handle for state and choices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from smashup.engine.events.values import FactionNamed
from smashup.engine.model.constants import (
    ACTION,
    DISCARD,
    HAND,
    MINION,
    NO_LIMIT,
    NONE,
    PLAY,
)  # fmt: skip
from smashup.engine.model.decisions import WORDS, Purpose, next_pick
from smashup.engine.rules import choosing, play_counts, queries, restrictions, searching
from smashup.engine.rules.recording import record

if TYPE_CHECKING:
    from smashup.engine.card_api.base import Base
    from smashup.engine.card_api.card import Card
    from smashup.engine.card_api.player import Player
    from smashup.engine.model.table import Table


class PlayerChoices:
    """The state of a player and the choices they can be asked for; the base class of `Player`."""

    __slots__ = ("index", "table")

    def __init__(self, table: Table, index: int) -> None:
        self.table: Table = table
        self.index = index

    def __repr__(self) -> str:
        return f"P{self.index + 1}"

    # --- state ------------------------------------------------------------------------------

    @property
    def _is_current(self) -> bool:
        """Whether it is this player's turn."""
        self.table.volatile_reads += 1
        return self.table.state.current == self.index

    @property
    def is_on_turn(self) -> bool:
        """Whether it is "on your turn" for this player: their Play Cards phase."""
        return self._is_current and self.table.state.phase == PLAY

    @property
    def is_during_turn(self) -> bool:
        """Whether it is "during your turn": any phase, unless the edition equates it with "on"."""
        return self.is_on_turn if self.table.edition.during_means_play_cards else self._is_current

    def other_players(self) -> list[Player]:
        """The other players, clockwise from the current one."""
        self.table.volatile_reads += 1
        t = self.table
        return [t.player(p) for p in t.clockwise(t.state.current) if p != self.index]

    @property
    def vp(self) -> int:
        self.table.volatile_reads += 1
        return self.table.state.vp[self.index]

    @property
    def hand(self) -> list[Card]:
        self.table.volatile_reads += 1
        return [self.table.cards[c] for c in self.table.state.hands[self.index]]

    @property
    def discard_pile(self) -> list[Card]:
        self.table.volatile_reads += 1
        return [self.table.cards[c] for c in self.table.state.discards[self.index]]

    @property
    def acts_once_on_turn(self) -> bool:
        """Whether the edition reads "on your turn" as once a turn, unless a text says otherwise."""
        return self.table.edition.on_turn_means_once

    def cards_played(self, types: int, on_turn: bool = False) -> int:
        """How many cards of some types this player has played this turn.

        ``on_turn``: only those of the player's own Play Cards phase.
        """
        self.table.volatile_reads += 1
        return play_counts.count_plays(self.table, self.index, types, on_turn)

    @property
    def last_play_base(self) -> Base:
        """The base at which the card that was played last was played, wherever it is now."""
        self.table.volatile_reads += 1
        return self.table.base(self.table.last_play_site)

    def has_used(self, name: str, base: Base) -> bool:
        """Whether this player used an ability of cards of a name at a base this turn."""
        self.table.volatile_reads += 1
        key = (-3, self.index, base.serial, *name.encode())
        return key in self.table.state.used_this_turn

    def mark_has_used(self, name: str, base: Base) -> None:
        """Record the use of an ability of cards of a name at a base this turn."""
        self.table.state.used_this_turn.add((-3, self.index, base.serial, *name.encode()))

    def owns(self, card: Card) -> bool:
        """Whether the card belonged to this player at the start of the game; some belonged to no
        player."""
        return self.table.state.owner[card.id] == self.index

    def minions_owned(self, at: Base | None = None) -> list[Card]:
        """Minions in play (at a base) from this player's deck, whoever controls them."""
        t = self.table
        found = queries.minions(t, at=at.serial if at is not None else NONE)
        return [t.cards[c] for c in found if queries.owner_of(t, c) == self.index]

    def discarded(self, types: int, max_power: int = NO_LIMIT) -> list[Card]:
        """Cards of these types in the discard pile, minions up to some printed power."""
        return _matching(self.discard_pile, types, max_power)

    def deck_cards(self, types: int = MINION | ACTION, max_power: int = NO_LIMIT) -> list[Card]:
        """Cards that a deck search may find; an empty deck is refilled first."""
        searching.can_search(self.table, self.index)
        self.table.volatile_reads += 1
        deck = [self.table.cards[c] for c in self.table.state.decks[self.index]]
        return _matching(deck, types, max_power)

    @property
    def minion_names(self) -> tuple[str, ...]:
        """Names of all minions this player owns, in any zone."""
        s = self.table.state
        return tuple(
            dict.fromkeys(
                definition.name
                for definition, owner in zip(s.definition, s.owner, strict=True)
                if owner == self.index and definition.type == MINION
            )
        )

    @property
    def may_play_specials(self) -> bool:
        """Whether no card forbids this player to play Specials at the base being scored."""
        self.table.volatile_reads += 1
        return restrictions.can_play_specials(self.table, self.index)

    # --- choices ----------------------------------------------------------------------------

    def may(self, prompt: str, about: Card | None = None, purpose: Purpose = Purpose.MAY) -> bool:
        """Ask a yes-or-no question; ``{subject}`` in the prompt is the card it is about."""
        subject = NONE if about is None else about.id
        answer = choosing.ask_yes_no(self.table, self.index, purpose, prompt, subject)
        if not answer and self.table.resolutions:
            self.table.resolutions[-1].declined = True
        return answer

    def choose(
        self,
        prompt: str,
        cards: list[Card],
        optional: bool = False,
        distinct: bool = False,
        purpose: Purpose = Purpose.CHOOSE,
    ) -> Card | None:
        """Choose one of the cards; copies in a discard pile, in another player's hand, or if
        ``distinct`` is set, are offered only once.
        """
        ids = [x.id for x in cards]
        if distinct or (ids and self._are_copies_alike(ids[0])):
            ids = searching.distinct_cards(self.table, ids)
        return self._choose(prompt, ids, optional, purpose)

    def _are_copies_alike(self, c: int) -> bool:
        """Whether the player cannot tell copies apart where a card lies."""
        s = self.table.state
        in_foreign_hand = s.zone[c] == HAND and s.place[c] != self.index
        return in_foreign_hand or s.zone[c] == DISCARD

    def _choose(
        self, prompt: str, cards: list[int], optional: bool, purpose: Purpose
    ) -> Card | None:
        c = choosing.ask_card(self.table, self.index, purpose, prompt, cards, optional)
        if c == NONE:
            if optional and self.table.resolutions:
                self.table.resolutions[-1].declined = True
            return None
        return self.table.cards[c]

    def target(self, prompt: str, cards: list[Card], optional: bool = False) -> Card | None:
        """Choose what the ability affects."""
        return self._choose(prompt, [x.id for x in cards], optional, Purpose.TARGET)

    def choose_some(
        self, prompt: str, cards: list[Card], most: int = NO_LIMIT, least: int = 0
    ) -> list[Card]:
        """Choose cards one at a time, between ``least`` and ``most`` of them."""
        left = list(cards)
        chosen: list[Card] = []
        while left and len(chosen) < most:
            picked = len(chosen)
            self.table.multi_pick = next_pick(picked, least - picked, most - picked, len(left))
            ids = [x.id for x in left]
            card = self._choose(prompt, ids, picked >= least, Purpose.CHOOSE)
            self.table.multi_pick = None
            if card is None:
                break
            chosen.append(card)
            left.remove(card)
        if chosen and self.table.resolutions:
            self.table.resolutions[-1].declined = False
        return chosen

    def choose_base(
        self,
        prompt: str,
        bases: list[Base],
        optional: bool = False,
        purpose: Purpose = Purpose.CHOOSE_BASE,
    ) -> Base | None:
        serials = [b.serial for b in bases]
        serial = choosing.ask_base(self.table, self.index, purpose, prompt, serials, optional)
        if serial == NONE:
            if optional and self.table.resolutions:
                self.table.resolutions[-1].declined = True
            return None
        return self.table.base(serial)

    def choose_player(
        self, prompt: str, players: list[Player], optional: bool = False
    ) -> Player | None:
        indices = [x.index for x in players]
        p = choosing.ask_player(
            self.table, self.index, Purpose.CHOOSE_PLAYER, prompt, indices, optional
        )
        return self.table.player(p) if p != NONE else None

    def name_faction(self, prompt: str, of: Player | None = None) -> str:
        """Name a faction that is in this game, perhaps one of a given player's; "" for none."""
        t = self.table
        owner = of.index if of is not None else NONE
        number = choosing.ask_faction(t, self.index, prompt, owner)
        if number == NONE:
            return ""
        if t.logging:
            record(t, FactionNamed(self.index, number))
        return t.catalogue.factions[number].name

    def name_card(self, prompt: str, types: int) -> str:
        """Name a card of some types that is in the game, wherever it may be.

        All names are on offer: what is asked tells nothing of hidden cards.
        """
        kinds = set(self.table.state.definition)
        names = sorted({kind.name for kind in kinds if kind.types & types})
        return names[choosing.ask(self.table, self.index, Purpose.MODE, prompt, WORDS, names)]

    def choose_mode(self, *modes: str, optional: bool = False) -> int:
        """Choose one of several modes; return its position, or -1 for none of them."""
        t = self.table
        if not optional:
            return choosing.ask(t, self.index, Purpose.MODE, "Choose one:", WORDS, list(modes))
        offered = [*modes, "None of these"]
        answer = choosing.ask(t, self.index, Purpose.MAY_MODE, "Choose one:", WORDS, offered)
        if answer < len(modes):
            return answer
        if self.table.resolutions:
            self.table.resolutions[-1].declined = True
        return NONE


def _matching(cards: list[Card], types: int, max_power: int) -> list[Card]:
    return [c for c in cards if c.definition.types & types and c.definition.power <= max_power]
