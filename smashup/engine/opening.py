"""Setting up: factions, decks, bases, opening hands, mulligan (Culture Shock p. 4)."""

from __future__ import annotations

from smashup.engine.catalogue import Deck
from smashup.engine.decisions import FACTIONS
from smashup.engine.events import Cause, Frame
from smashup.engine.handles import Card
from smashup.engine.kinds import Kind
from smashup.engine.messages import faction_name
from smashup.engine.turns import Turns
from smashup.engine.words import (
    ASIDE,
    BASE_DECK,
    DECK,
    DECK_SHUFFLE,
    MADNESS_DECK,
    MINION,
    NONE,
    START,
)  # fmt: skip

HAND_SIZE = 5
MADNESS_CARDS = 30


class Opening(Turns):
    """The twelfth layer of a table; see the module."""

    __slots__ = ()

    def open_game(self) -> None:
        """From an empty table to the first turn."""
        s = self.state
        first = self.setup.first
        s.first = first if first >= 0 else s.random_below(self.players)
        s.current = s.first
        s.turn_order_from = s.first
        self.build([[self.catalogue.factions[i].name for i in pair] for pair in self._factions()])
        for player in range(self.players):
            self.shuffle_deck(player)
        s.shuffle(s.base_deck)
        if self.director is not None:
            self.director.stack_decks(self)
        frame = Frame(Cause(NONE, NONE, 0, False))
        self.frames.append(frame)
        for _ in range(self.players + 1):
            if self.next_base() != NONE:
                self.play_base(self.next_base())
        self.frames.pop()
        self.settle(frame)  # a base may have something to say before hands are drawn
        for player in self.clockwise(s.first):
            self.draw(player, HAND_SIZE)
        for player in self.clockwise(s.first):
            self.mulligan(player)
        s.phase = START

    # --- factions ---------------------------------------------------------------------------

    def _factions(self) -> list[list[int]]:
        """Two factions a player, by number: as given, drafted, or drawn at random."""
        names = [f.name for f in self.catalogue.factions]
        if self.setup.factions:
            return [
                [names.index(self.catalogue.faction(name).name) for name in pair]
                for pair in self.setup.factions
            ]
        pool = [names.index(self.catalogue.faction(n).name) for n in self.setup.pool]
        pool = pool or list(range(len(names)))
        return self._draft(pool) if self.setup.draft else self._random(pool)

    def _random(self, pool: list[int]) -> list[list[int]]:
        s = self.state
        picked: list[list[int]] = []
        for _ in range(self.players):
            if self.setup.duplicates or not picked:
                s.shuffle(pool)
                picked.append(pool[:2])
            else:
                picked.append(pool[2 * len(picked) : 2 * len(picked) + 2])
        return picked

    def _draft(self, pool: list[int]) -> list[list[int]]:
        """Kickin' It Queensberry: one each clockwise, then back from the last player."""
        s = self.state
        size = self.edition.draft_pool
        if not self.setup.pool and size and len(pool) > size >= 2 * self.players:
            s.shuffle(pool)
            pool = sorted(pool[:size])
        s.drafted = [[] for _ in range(self.players)]
        order = self.clockwise(s.first)
        for player in order + order[::-1]:
            offered = [
                f
                for f in pool
                if f not in s.drafted[player]
                and (self.setup.duplicates or not any(f in mine for mine in s.drafted))
            ]
            chosen = offered[self.ask(player, "Choose a faction.", FACTIONS, offered)]
            s.drafted[player].append(chosen)
            if self.logging:
                self.log(
                    "{player} takes {faction}.",
                    player=self.player_name(player),
                    faction=faction_name(self, chosen),
                )
        return s.drafted

    # --- cards ------------------------------------------------------------------------------

    def add_card(self, kind: Kind, owner: int, zone: int, place: int) -> int:
        """A physical card joins the game."""
        c = len(self.state.kind)
        self._add_cards([kind], owner, zone, place)
        return c

    def _add_cards(self, kinds: list[Kind], owner: int, zone: int, place: int) -> None:
        """Cards join the game, all in one place."""
        s = self.state
        first = len(s.kind)
        count = len(kinds)
        s.kind += kinds
        s.owner += [owner] * count
        s.controller += [owner] * count
        s.played_by += [owner] * count
        s.zone += [zone] * count
        s.place += [place] * count
        s.counters += [0] * count
        s.lives += [0] * count
        s.seen += [0] * count
        s.pool += [owner] * count
        self._timings = None
        for c in range(len(self.cards), len(s.kind)):  # a set-up that runs again has its handles
            self.cards.append(Card(self, c))
        if zone == DECK:
            s.decks[place] += range(first, first + count)
        elif zone == BASE_DECK:
            s.base_deck += range(first, first + count)
        else:
            for c in range(first, first + count):
                self._put(c, zone, place)

    def build(self, factions: list[list[str]]) -> None:
        """Decks, titans and base deck from the chosen factions."""
        printing = self.setup.printing
        sets: list[str] = []
        self.titan_ids = []
        for player, pair in enumerate(factions):
            for name in pair:
                deck = self.catalogue.deck(name, printing)
                self._add_cards(deck.copies, player, DECK, player)
                self._add_titans(deck, player)
                if deck.faction.set_name not in sets:
                    sets.append(deck.faction.set_name)
        for faction in self.catalogue.factions:
            if not self.edition.bases_of_chosen_sets or faction.set_name in sets:
                bases = self.catalogue.deck(faction.name, printing).bases
                self._add_cards(bases, NONE, BASE_DECK, NONE)
        if self.setup.madness:
            madness = [self.catalogue.madness()] * MADNESS_CARDS
            self._add_cards(madness, NONE, MADNESS_DECK, NONE)

    def _add_titans(self, deck: Deck, player: int) -> None:
        if not self.edition.titans:
            return
        for kind in deck.titans:
            if self.setup.optional_titans or not kind.optional:
                c = self.add_card(kind, player, ASIDE, player)
                self.show(c)
                self.titan_ids.append(c)
                self.add_source(c, kind)

    # --- opening hands ----------------------------------------------------------------------

    def mulligan(self, player: int) -> None:
        """A hand without minions may be replaced once (2014: is replaced)."""
        s = self.state
        hand = s.hands[player]
        if any(s.kind[c].type == MINION for c in hand):
            return
        if self.edition.mulligan_optional and not self.ask_yes(
            player, "No minion in your hand: show it and draw a new one?"
        ):
            return
        old = hand[:]
        for c in old:
            self.show(c)
        if self.logging:
            self.log(
                "{player} has no minion and shows {cards}.",
                player=self.player_name(player),
                cards=[self.name(c) for c in old],
            )
        frame = Frame(Cause(NONE, NONE, 0, False))
        self.frames.append(frame)
        if self.edition.mulligan_into_deck:
            self.draw(player, HAND_SIZE)
            for c in old:
                self.place_card(c, DECK_SHUFFLE, player)
            self.log_shuffle(player)
        else:
            self.discard(player, old)
            self.draw(player, HAND_SIZE)
        self.frames.pop()
