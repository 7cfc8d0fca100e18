"""Seeing hidden cards: look, reveal, search, and putting them back.

Looked at: shown to nobody else. Revealed: shown to all. Searched: from Big in Japan on the card
found is revealed and the deck shuffled afterwards (Void Where Prohibited); before that only if the
card that searches says so.
"""

from __future__ import annotations

from smashup.engine.decisions import WORDS, several
from smashup.engine.events import Event
from smashup.engine.kinds import H_AFTER_PEEK, Kind
from smashup.engine.knowledge import lose_track
from smashup.engine.verbs import Verbs
from smashup.engine.words import DECK, HAND, LIMBO, NONE

PEEKS = -3
"""Key of the turn's tally of abilities that showed cards of a deck."""


class Looking(Verbs):
    """The sixth layer of a table; see the module."""

    __slots__ = ()

    def peeked(self, player: int, deck: int) -> None:
        """An ability showed somebody cards of a deck."""
        tally = self.state.tally
        tally[(PEEKS,)] = tally.get((PEEKS,), 0) + 1
        if self.listeners(H_AFTER_PEEK):
            event = Event(H_AFTER_PEEK)
            event.player = self.seat(deck)
            event.amount = tally[(PEEKS,)]
            self.emit(event)

    def lift(self, player: int, deck: int, count: int, public: bool) -> list[int]:
        """Take the top cards of a deck into view of a player, or of everybody; top first.

        Too few cards: the discard pile is shuffled and the rest taken from there.
        """
        s = self.state
        lifted: list[int] = []
        told = 0
        for _ in range(count):
            if not s.decks[deck]:
                if not public and not self.edition.reshuffle_to_look:
                    break
                self._log_lifted(player, deck, lifted, public)
                told = len(lifted)
                if not self.refill(deck):
                    break
            c = s.decks[deck][-1]
            if public:
                self.show(c)
            else:
                self.reveal_to(c, player)
            self._take(c)
            self._put(c, LIMBO, deck)
            if not public:
                s.held.append(c)
            lifted.append(c)
        self._log_lifted(player, deck, lifted[told:], public)
        if lifted:
            self.peeked(player, deck)
        return lifted

    def _log_lifted(self, player: int, deck: int, lifted: list[int], public: bool) -> None:
        """Say what was seen; before a new deck is shuffled, what was seen until then."""
        if lifted and self.logging:
            if deck == player:
                text = "{player} reveals {cards}." if public else "{player} looks at {cards}."
            elif public:
                text = "{player} reveals {cards} from {other}'s deck."
            else:
                text = "{player} looks at {cards} from {other}'s deck."
            self.log(
                text,
                -1 if public else 1 << player,
                player=self.player_name(player),
                cards=[self.name(c) for c in lifted],
                other=self.player_name(deck),
            )

    def lift_until(
        self, deck: int, types: int, count: int = 1, where: int = NONE
    ) -> tuple[list[int], list[int]]:
        """Reveal cards off the top until ``count`` of the types turned up: (those, the others).

        ``where``: only actions that are played there count.
        Culture Shock p. 10: an empty deck is refilled before the first card only.
        """
        s = self.state
        found: list[int] = []
        others: list[int] = []
        revealed: list[int] = []
        told = 0
        refills = 0
        while len(found) < count:
            if not s.decks[deck]:
                started = bool(found or others)
                if refills or (started and self.edition.stop_when_deck_runs_out):
                    break
                refills += 1
                self._log_lifted(deck, deck, revealed, public=True)
                told = len(revealed)
                if not self.refill(deck):
                    break
            c = s.decks[deck][-1]
            self.show(c)
            self._take(c)
            self._put(c, LIMBO, deck)
            kind = s.kind[c]
            fits = kind.type & types and where in (NONE, kind.where)
            (found if fits else others).append(c)
            revealed.append(c)
        self._log_lifted(deck, deck, revealed[told:], public=True)
        self.peeked(deck, deck)
        return found, others

    def put_back(self, c: int, deck: int, bottom: bool = False) -> None:
        """A lifted card goes back, still known to those who saw it.

        One that was only looked at or revealed never left its deck; one from a hand goes there, or
        to its owner's deck as the edition says, and only its holder knows which it was.
        """
        if self.state.zone[c] == HAND:
            self.conceal(c, 1 << self.state.place[c])
            deck = self.home_of(c, deck, False)
        self._take(c)
        self._put(c, DECK, deck, bottom)

    def shuffle_back(self, cards: list[int], deck: int) -> None:
        """Lifted cards, if there are any, are shuffled into a deck."""
        if not cards:
            return
        for c in cards:
            self.put_back(c, deck)
        self.shuffle_deck(deck)
        self.log_shuffle(deck)

    def arrange(
        self, player: int, cards: list[int], deck: int, top: bool = True, bottom: bool = False
    ) -> None:
        """A player puts cards on top and/or bottom of a deck in any order that nobody else sees.

        They stay where they are until all are picked: what is left would tell which are gone.
        """
        left = list(cards)
        count = len(left)
        sunk: list[int] = []
        while left and bottom:
            if top:
                self.several = several(count - len(left), 0, len(left), len(left), True)
                c = self.ask_card(player, "Which card goes to the bottom next?", left, True)
                self.several = None
            else:
                c = self._next(player, "Which card goes to the bottom next?", left, count)
            if c == NONE:
                break
            left.remove(c)
            sunk.append(c)
        raised: list[int] = []
        count = len(left)
        while left:
            prompt = "Which card goes on top next? The last is drawn first."
            c = self._next(player, prompt, left, count)
            left.remove(c)
            raised.append(c)
        lose_track(self.state, cards, 1 << player, self.players)
        for c in sunk:
            self.put_back(c, deck, bottom=True)
        for c in raised:
            self.put_back(c, deck)

    def _next(self, player: int, prompt: str, cards: list[int], count: int) -> int:
        """The next of so many cards, all of which are to be put somewhere in an order."""
        more = len(cards) - 1
        if not more:
            return cards[0]
        self.several = several(count - len(cards), more, more, more, True)
        c = self.ask_card(player, prompt, cards)
        self.several = None
        return c

    def top_or_bottom(self, player: int, c: int, deck: int) -> None:
        """A player puts one lifted card back on top or bottom."""
        answer = self.ask(
            player, "Where does it go?", WORDS, ["Top of the deck", "Bottom of the deck"]
        )
        self.put_back(c, deck, bottom=answer == 1)

    def distinct(self, cards: list[int]) -> list[int]:
        """One card of each kind and owner: copies are alike, and offering one tells no tales.

        The copy that most players know of goes first, so that playing a card whose twin everybody
        has seen does not tell them apart.
        """
        s = self.state
        if len(cards) < 2 or len(set(map(s.kind.__getitem__, cards))) == len(cards):
            return cards
        best: dict[tuple[Kind, int], int] = {}
        for c in cards:
            key = (s.kind[c], s.owner[c])
            known = best.setdefault(key, c)
            if known != c and s.seen[c] and s.seen[c].bit_count() > s.seen[known].bit_count():
                best[key] = c
        return list(best.values())

    def can_search(self, deck: int) -> bool:
        return bool(self.state.decks[deck]) or (
            self.edition.reshuffle_to_look and self.refill(deck)
        )

    def search_deck(
        self,
        player: int,
        matches: list[int],
        prompt: str,
        optional: bool,
        reveals: bool = False,
        shuffles: bool = False,
    ) -> int:
        """Find one of the matching cards in one's deck.

        It is revealed and the deck shuffled if the edition or the text says so. The card found
        waits in limbo for what becomes of it; `NONE` when nothing was taken.
        """
        s = self.state
        by_rule = self.edition.search_reveals_and_shuffles
        for c in s.decks[player]:  # forgotten if the deck is shuffled afterwards
            self.reveal_to(c, player)
        c = self.ask_card(player, prompt, self.distinct(matches), optional)
        is_open = reveals or by_rule
        if c != NONE:
            if is_open:
                self.show(c)
            else:
                self.conceal(c, 1 << player)
            position = s.decks[player].index(c)
            self._take(c)
            self._put(c, LIMBO, player)
            if not is_open:
                s.held.append(c)
            self.found_at = (c, position, s.decks[player][:])
        if self.logging:
            if c == NONE:
                self.log(
                    "{player} searches their deck and finds nothing.",
                    player=self.player_name(player),
                )
            elif is_open:
                self.log(
                    "{player} searches their deck and reveals {card}.",
                    player=self.player_name(player),
                    card=self.name(c),
                )
            else:
                self.log(
                    "{player} searches their deck and takes out {card}.",
                    1 << player,
                    player=self.player_name(player),
                    card=self.name(c),
                )
        if shuffles or by_rule:
            self.shuffle_deck(player)
            self.log_shuffle(player)
        self.peeked(player, player)
        assert c == NONE or s.zone[c] == LIMBO
        return c

    def put_back_found(self, c: int, player: int) -> None:
        """A card found in one's deck and not used goes back: where it was, if nothing was shuffled
        since, else it is shuffled in."""
        deck = self.state.decks[player]
        found, position, rest = self.found_at
        if found != c or rest != deck:
            self.shuffle_back([c], player)
            return
        self.put_back(c, player)
        deck.pop()
        deck.insert(position, c)
