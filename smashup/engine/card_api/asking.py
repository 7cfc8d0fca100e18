"""The first part of a player's handle: where things stand, and asking."""

from __future__ import annotations

from typing import TYPE_CHECKING

from smashup.engine.model.constants import (
    MINION,
    NO_LIMIT,
    NONE,
    PLAY,
)  # fmt: skip
from smashup.engine.model.decisions import WORDS, Purpose, several
from smashup.engine.rules import choosing, queries, searching

if TYPE_CHECKING:
    from smashup.engine.card_api.base import Base
    from smashup.engine.card_api.card import Card
    from smashup.engine.card_api.player import Player
    from smashup.engine.model.table import Table


class Asking:
    """A player as somebody who is asked; the first part of a `Player`."""

    __slots__ = ("index", "t")

    def __init__(self, table: Table, index: int) -> None:
        self.t: Table = table
        self.index = index

    def __repr__(self) -> str:
        return f"P{self.index + 1}"

    # --- where things stand -----------------------------------------------------------------

    @property
    def is_current(self) -> bool:
        """Whether it is this player's turn."""
        self.t.volatile_reads += 1
        return self.t.state.current == self.index

    @property
    def is_on_turn(self) -> bool:
        """Whether it is "on your turn" for this player: their Play Cards phase."""
        return self.is_current and self.t.state.phase == PLAY

    @property
    def is_during_turn(self) -> bool:
        """Whether it is "during your turn": any phase, where the edition does not mean "on"."""
        return self.is_on_turn if self.t.edition.during_means_play_cards else self.is_current

    def others(self) -> list[Player]:
        """The other players, clockwise from the current one."""
        self.t.volatile_reads += 1
        t = self.t
        return [t.player(p) for p in t.clockwise(t.state.current) if p != self.index]

    def everybody(self) -> list[Player]:
        """All players, clockwise from the current one."""
        self.t.volatile_reads += 1
        t = self.t
        return [t.player(p) for p in t.clockwise(t.state.current)]

    @property
    def vp(self) -> int:
        self.t.volatile_reads += 1
        return self.t.state.vp[self.index]

    @property
    def hand(self) -> list[Card]:
        self.t.volatile_reads += 1
        return [self.t.card(c) for c in self.t.state.hands[self.index]]

    @property
    def deck(self) -> list[Card]:
        """Top card last."""
        self.t.volatile_reads += 1
        return [self.t.card(c) for c in self.t.state.decks[self.index]]

    @property
    def discard_pile(self) -> list[Card]:
        self.t.volatile_reads += 1
        return [self.t.card(c) for c in self.t.state.discards[self.index]]

    @property
    def titans_aside(self) -> list[Card]:
        self.t.volatile_reads += 1
        return [self.t.card(c) for c in self.t.state.set_aside[self.index]]

    def titan(self, name: str) -> Card | None:
        """A titan of this player's by name: set aside, or in play under anybody's control."""
        t = self.t
        for c in t.titan_ids:
            if t.state.definition[c].name == name and t.state.owner[c] == self.index:
                return t.card(c)
        return None

    def owns(self, card: Card) -> bool:
        """Whether the card was this player's at the start of the game; some were nobody's."""
        return self.t.state.owner[card.id] == self.index

    def minions_owned(self, at: Base | None = None) -> list[Card]:
        """Minions in play (at a base) that come from this player's deck, whoever controls them."""
        t = self.t
        found = queries.minions(t, at=at.serial if at is not None else NONE)
        return [t.card(c) for c in found if queries.owner_of(t, c) == self.index]

    def minions_discarded(self, max_power: int = NO_LIMIT) -> list[Card]:
        """Minions in the discard pile, by printed power."""
        return [c for c in self.discard_pile if c.is_minion and c.definition.power <= max_power]

    def actions_discarded(self) -> list[Card]:
        return [c for c in self.discard_pile if c.is_action]

    def deck_cards(self) -> list[Card]:
        """What a search of the deck may find; the deck is refilled first if it is empty."""
        searching.can_search(self.t, self.index)
        return self.deck

    def deck_minions(self, max_power: int = NO_LIMIT) -> list[Card]:
        """Minions in the deck (refilled first if it is empty), by printed power."""
        return [c for c in self.deck_cards() if c.is_minion and c.definition.power <= max_power]

    @property
    def minion_names(self) -> tuple[str, ...]:
        """Names of every minion this player owns, wherever it is."""
        s = self.t.state
        return tuple(
            dict.fromkeys(
                kind.name
                for kind, owner in zip(s.definition, s.owner, strict=True)
                if owner == self.index and kind.type == MINION
            )
        )

    def plays_this_turn(self, type_: int, base: Base | None = None) -> int:
        """How many cards of a type this player has played this turn (at a base)."""
        self.t.volatile_reads += 1
        serial = base.serial if base is not None else NONE
        return self.t.state.turn_counts.get((type_, self.index, serial), 0)

    @property
    def may_play_specials(self) -> bool:
        """Whether no card forbids this player to play Specials at the base being scored."""
        self.t.volatile_reads += 1
        return queries.can_play_specials(self.t, self.index)

    # --- asking -----------------------------------------------------------------------------

    def may(self, prompt: str, about: Card | None = None, purpose: Purpose = Purpose.MAY) -> bool:
        """Ask yes or no; ``{subject}`` in the prompt names the card it is about."""
        answer = choosing.ask_yes_no(
            self.t, self.index, purpose, prompt, NONE if about is None else about.id
        )
        if not answer and self.t.resolutions:
            self.t.resolutions[-1].declined = True
        return answer

    def choose(
        self,
        prompt: str,
        cards: list[Card],
        optional: bool = False,
        purpose: Purpose = Purpose.CHOOSE,
    ) -> Card | None:
        c = choosing.ask_card(self.t, self.index, purpose, prompt, [x.id for x in cards], optional)
        if c == NONE:
            if optional and self.t.resolutions:
                self.t.resolutions[-1].declined = True
            return None
        return self.t.card(c)

    def target(self, prompt: str, cards: list[Card], optional: bool = False) -> Card | None:
        """Choose what the ability affects."""
        return self.choose(prompt, cards, optional, Purpose.TARGET)

    def choose_some(
        self, prompt: str, cards: list[Card], most: int = NO_LIMIT, least: int = 0
    ) -> list[Card]:
        """Choose any number of the cards, one at a time, between least and most."""
        left = list(cards)
        chosen: list[Card] = []
        while left and len(chosen) < most:
            picked = len(chosen)
            self.t.multi_pick = several(picked, least - picked, most - picked, len(left))
            card = self.choose(prompt, left, optional=picked >= least)
            self.t.multi_pick = None
            if card is None:
                break
            chosen.append(card)
            left.remove(card)
        if chosen and self.t.resolutions:
            self.t.resolutions[-1].declined = False
        return chosen

    def choose_distinct(
        self,
        prompt: str,
        cards: list[Card],
        optional: bool = False,
        purpose: Purpose = Purpose.CHOOSE,
    ) -> Card | None:
        """Choose a card of a pile or deck where copies are alike."""
        ids = searching.distinct_cards(self.t, [c.id for c in cards])
        return self.choose(prompt, [self.t.card(c) for c in ids], optional, purpose)

    def choose_base(
        self,
        prompt: str,
        bases: list[Base],
        optional: bool = False,
        purpose: Purpose = Purpose.CHOOSE_BASE,
    ) -> Base | None:
        serial = choosing.ask_base(
            self.t, self.index, purpose, prompt, [b.serial for b in bases], optional
        )
        if serial == NONE:
            if optional and self.t.resolutions:
                self.t.resolutions[-1].declined = True
            return None
        return self.t.base(serial)

    def choose_player(
        self, prompt: str, players: list[Player], optional: bool = False
    ) -> Player | None:
        p = choosing.ask_player(
            self.t, self.index, Purpose.CHOOSE_PLAYER, prompt, [x.index for x in players], optional
        )
        return self.t.player(p) if p != NONE else None

    def choose_mode(self, *modes: str) -> int:
        return choosing.ask(self.t, self.index, Purpose.MODE, "Choose one:", WORDS, list(modes))

    def may_choose_mode(self, *modes: str) -> int:
        """Choose one of several things to do, or none of them (-1)."""
        answer = choosing.ask(
            self.t, self.index, Purpose.MAY_MODE, "Choose one:", WORDS, [*modes, "None of these"]
        )
        if answer < len(modes):
            return answer
        if self.t.resolutions:
            self.t.resolutions[-1].declined = True
        return NONE
