"""Playing cards and settling what they set off.

Culture Shock p. 7, Card Resolution Order: the card just played or triggered; cards in the middle
of resolving; cards in play it triggered; cards in hand it triggered; its discard.
"""

from __future__ import annotations

from collections.abc import Set
from typing import Final

from smashup.engine.asking import Waiting
from smashup.engine.attempts import Attempt
from smashup.engine.changes import BY_PLAY, TALENT, Change
from smashup.engine.checks import Checks
from smashup.engine.decisions import (
    LATER,
    LATER_MOVE,
    MOVES,
    PASS,
    PASS_MOVE,
    PLAY_CARD,
    USE_TALENT,
    Move,
)
from smashup.engine.events import Cause, Event, Frame, Source, Trigger
from smashup.engine.handles import Card
from smashup.engine.kinds import (
    H_AFTER_BASE_PLAYED,
    H_AFTER_PLAY,
    H_AFTER_REPLACEMENT,
    H_AFTER_SCORE,
    H_AFTER_SPECIAL,
    H_AFTER_TALENT,
    H_BEFORE_SCORE,
    H_HOST_BONUS,
    H_HOST_PRINTED_POWER,
    H_LATER,
    H_PLAYED,
    H_PLAYS_FROM_DISCARD,
    H_PROTECTS,
    H_SHOWS_TOP_BASE,
    H_STARTING_BREAKPOINT,
    H_WHEN_SCORE,
    HOOKS,
    Kind,
)  # fmt: skip
from smashup.engine.knowledge import PUBLIC, SPECTATOR
from smashup.engine.rights import Right
from smashup.engine.words import (
    ACTION,
    ASIDE,
    BASE,
    BURIED,
    DISCARD,
    HAND,
    LIMBO,
    LOST,
    MINION,
    NONE,
    NOWHERE,
    ON_MINION,
    PLAY,
    TITAN,
)  # fmt: skip

_PLAYED = 1 << H_PLAYED
_OF_NO_PLAYER: Final = (
    H_BEFORE_SCORE, H_WHEN_SCORE, H_AFTER_SCORE, H_AFTER_REPLACEMENT, H_AFTER_BASE_PLAYED,
)  # fmt: skip
"""Events that concern all players alike: the current player does not bring them about."""

POWERS = -6
"""Key of the power that each minion had when it was played, for each player and base."""
EARLIER = -5
"""Key of the turn's tally of cards played outside the Play Cards phase: not "on your turn"."""


class Plays(Checks):
    """The ninth layer of a table; see the module."""

    __slots__ = ()

    # --- using a talent ---------------------------------------------------------------------

    def use_talent(self, source: Source) -> None:
        s = self.state
        c = source.card
        s.talents_used.add((c, source.stamp))
        if self.logging:
            self.log(
                "{player} uses the talent of {card}.",
                player=self.player_name(s.controller[c]),
                card=self.name(c),
            )
            self.note(Change(TALENT, cards=(c,), player=s.controller[c]))
        listening = self.listeners(H_AFTER_TALENT)[:]
        event = Event(H_AFTER_TALENT)
        event.card = self.cards[c]
        event.player = self.seat(s.controller[c])
        event.base = self.base(self.site_serial(c))
        frame = Frame(self.cause_of(c))
        frame.source = source
        self.frames.append(frame)
        source.kind.talent(self.cards[c])
        self.emit(event, listening)
        self.frames.pop()
        self.settle(frame)

    # --- playing a card ---------------------------------------------------------------------

    def do_move(self, player: int, move: Move) -> None:
        """Do what was picked from a menu."""
        if move.verb == PLAY_CARD:
            titan = self.state.kind[move.card].type == TITAN  # played by its own Special
            self.play(player, move.card, move.place, move.hosted, move.right, special=titan)
        elif move.verb == USE_TALENT:
            assert move.source is not None
            self.use_talent(move.source)
        elif self.director is not None:
            frame = Frame(Cause(NONE, NONE, 0, False))
            self.frames.append(frame)
            self.director.happen(self, move)
            self.frames.pop()
            self.settle(frame)

    def spend(self, player: int, right: Right | None) -> None:
        """A right is used up."""
        s = self.state
        if right is None:
            return
        if right in s.rights:
            s.rights.remove(right)
        elif right.once:
            s.once.add(right.use_by(player, s.lives[right.origin]))

    def play(
        self,
        player: int,
        c: int,
        place: int,
        hosted: bool,
        right: Right | None,
        window: Event | None = None,
        special: bool = False,
    ) -> Card:
        """A player plays a card; ``window`` is the event its Special was played in.

        The card as it was played: if it has left play and come back meanwhile, a former card.
        ``special`` is set when the card's own Special is what lets it be played.
        """
        s = self.state
        kind = s.kind[c]
        if window is None and kind.special == "only":
            window = self.window  # an extra action uses its Special too
        attempt: Attempt | None = None
        if right is not None and right.is_aimed and not self.on_trial:
            move = Move(PLAY_CARD, c, place, hosted, right)
            attempt = Attempt(s.copy(), self.index_now(), player, move)
        self.spend(player, right)
        event = Event(H_AFTER_PLAY)
        event.player = self.seats[player]
        event.how = BURIED if right is not None and right.source == BURIED else s.zone[c]
        listening = self.listeners(H_AFTER_PLAY)[:]  # fixed now, even if the card destroys some
        if listening:
            event.stood = {x.card: self.site_serial(x.card) for x in listening}
        frame = Frame(Cause(c, player, kind.type, True))
        frame.right = right
        frame.event = window
        frame.special = window is not None
        self.frames.append(frame)
        if attempt is not None:
            attempt.frame = frame
            self.attempts.append(attempt)
        self._arrive(player, c, place, hosted, frame)
        event.card = self.cards[c]
        serial = self.site_serial(c)
        event.base = self.base(serial) if serial != NONE else None
        self._count_play(player, kind, serial, event)
        if listening:
            event.amount_by_all = self._played_by_all(kind, serial)
            if kind.type == MINION:
                here = (MINION, player, serial, POWERS)
                event.powers = [s.tally[(*here, i)] for i in range(1, event.amount + 1)]
        if self.logging:
            self._log_play(player, c, hosted)
        if kind.hooks & _PLAYED:
            kind.played(event.card)
        if self.on_trial and len(self.frames) == 1:
            raise Waiting  # all it does directly is done
        if attempt is not None:
            self.attempts = [x for x in self.attempts if x is not attempt]
        rider = right.rider if right is not None else None
        if rider is not None and right is not None and right.sealed:
            rider.ridden(self.cards[right.origin], event.card, event.player)
        if listening or rider is not None or self.timed(H_AFTER_PLAY):
            deeds = frame.deeds
            if deeds is not None:
                event.affected = deeds.affected
                event.affected_at = deeds.places
                event.affected_of = deeds.controllers
                event.raised = deeds.raised
            self.emit(event, listening)
        if window is not None or special:
            self._emit_special(c, player)
        self.frames.pop()
        if self.frames and not self.edition.nested_first:
            outer = self.frames[-1]
            outer.waiting = [*(outer.waiting or ()), frame]
        else:
            self.settle(frame)
        if rider is not None and right is not None and not right.sealed:
            self._ride(rider, right.origin, event)
        return event.card

    def _ride(self, rider: Kind, origin: int, event: Event) -> None:
        """A card was played by a right: what the card that gave the right goes on to do."""
        frame = Frame(self.cause_of(origin))
        frame.event = event
        self.frames.append(frame)
        rider.ridden(self.cards[origin], event.card, event.player)
        self.frames.pop()
        self.settle(frame)

    def _arrive(self, player: int, c: int, place: int, hosted: bool, frame: Frame) -> None:
        s = self.state
        kind = s.kind[c]
        if hosted:
            host = self.redirected(place, frame.cause)
            printed = self.printed_power(host)
            affected = not self.is_protected(host, frame.cause)
            if affected:
                self.note_affected(host)
            self.how = BY_PLAY
            self.attach(c, host, player)
            self.how = 0
            if affected:
                self.note_raised_host(kind, c, host, printed)
        elif place != NONE:
            self.how = BY_PLAY
            self.enter(c, place, player)
            self.how = 0
            if kind.type == TITAN:
                self.arrivals.append(c)
        else:
            self.show(c)
            self._take(c)
            s.controller[c] = player
            self.how = BY_PLAY
            self._put(c, LIMBO, player)
            self.how = 0
            frame.discard = c

    def note_raised_host(self, kind: Kind, c: int, host: int, printed: int) -> None:
        """An action that gives its host power, or a higher printed power, raises it directly.

        By its own ability or by one it has just copied (``kind``).
        """
        me = self.cards[c]
        if (kind.hooks >> H_HOST_BONUS & 1 and kind.host_bonus(me, self.cards[host]) > 0) or (
            kind.hooks >> H_HOST_PRINTED_POWER & 1
            and kind.host_printed_power(me, self.cards[host]) > printed
        ):
            self.note_raised(host)

    def _count_play(self, player: int, kind: Kind, serial: int, event: Event) -> None:
        """Tally the play and note how many of this type were now played, here and anywhere."""
        tally = self.state.tally
        anywhere = (kind.type, player, NONE)
        event.amount = event.amount_anywhere = tally[anywhere] = tally.get(anywhere, 0) + 1
        if serial != NONE:
            here = (kind.type, player, serial)
            event.amount = tally[here] = tally.get(here, 0) + 1
            earlier = (kind.type, player, serial, EARLIER)
            if self.state.phase != PLAY:
                tally[earlier] = tally.get(earlier, 0) + 1
            elif self.state.current == player:
                event.amount_on_turn = event.amount - tally.get(earlier, 0)
            if kind.type == MINION:
                tally[(*here, POWERS, event.amount)] = self.power(event.card.id)
        if kind.type == ACTION:
            sort = (kind.type, player, serial, kind.where)
            event.alike = tally[sort] = tally.get(sort, 0) + 1

    def _played_by_all(self, kind: Kind, serial: int) -> int:
        """How many cards of this type all players have now played there this turn."""
        tally = self.state.tally
        return sum(tally.get((kind.type, p, serial), 0) for p in range(self.players))

    def _log_play(self, player: int, c: int, hosted: bool) -> None:
        s = self.state
        serial = self.site_serial(c)
        if hosted:
            self.log(
                "{player} plays {card} on {host} at {base}.",
                player=self.player_name(player),
                card=self.name(c),
                host=self.name(s.place[c]),
                base=self.base_name(serial),
            )
        elif serial != NONE:
            self.log(
                "{player} plays {card} at {base}.",
                player=self.player_name(player),
                card=self.name(c),
                base=self.base_name(serial),
            )
        else:
            self.log("{player} plays {card}.", player=self.player_name(player), card=self.name(c))

    def _emit_special(self, c: int, player: int) -> None:
        if self.listeners(H_AFTER_SPECIAL):
            event = Event(H_AFTER_SPECIAL)
            event.card = self.cards[c]
            event.player = self.seats[player]
            serial = self.site_serial(c)
            event.base = self.base(serial) if serial != NONE else None
            self.emit(event)

    # --- extra cards ------------------------------------------------------------------------

    def extra_card(self, player: int, right: Right) -> Card | None:
        """A player gets an extra card: the card if it was played at once.

        Culture Shock p. 11, Extra: playable at once; later in the phase too, unless it names a
        specific card or a Special gave it. Outside Play Cards: now or not at all.
        """
        s = self.state
        special = bool(self.frames) and self.frames[-1].special
        may_wait = s.phase == PLAY and s.current == player and not special and right.card == NONE
        if may_wait and (right.source != HAND or right.name):
            may_wait = False  # "cards that specify how to choose the extra card": immediately
        if not may_wait:
            return self.offer(player, right)
        if self.edition.extra_at_once:
            return self.offer(player, right, later=True)
        s.rights.append(right)
        return None

    def offer(
        self, player: int, right: Right, later: bool = False, must: bool = False
    ) -> Card | None:
        """Let a player use a right now: the card, if one was played."""
        moves = self.moves_by(player, right)
        if not moves:
            if later:
                self.state.rights.append(right)
            return None
        if later:
            moves.append(LATER_MOVE)
        elif not must:
            moves.append(PASS_MOVE)
        move = moves[self.ask(player, "Play a card?", MOVES, moves)]
        if move.verb == LATER:
            self.state.rights.append(right)
            return None
        if move.verb == PASS:
            return None
        return self.play(player, move.card, move.place, move.hosted, right)

    def play_card(self, player: int, c: int, right: Right, must: bool = False) -> Card | None:
        """A player plays one given card, from wherever it is: the card, if it was played.

        Out on the table with no legal place (Shoggoth-like): it is discarded instead.
        """
        s = self.state
        if not self.moves_by(player, right):
            if s.zone[c] == LIMBO:
                self.discard(player, [c])
            return None
        return self.offer(player, right, must=must)

    def play_titan(self, player: int, c: int, sites: list[int], optional: bool) -> bool:
        """A card lets a player play a titan of theirs at one of these sites."""
        s = self.state
        if s.zone[c] != ASIDE or len(self.titans(player)) >= self.allowed_titans(player):
            return False
        moves = [Move(PLAY_CARD, c, serial) for serial in sites]
        if not moves:
            return False
        if optional:
            moves.append(PASS_MOVE)
        move = moves[self.ask(player, "Where is the titan played?", MOVES, moves)]
        if move.verb == PASS:
            return False
        self.play(player, c, move.place, False, None)
        return True

    # --- settling ---------------------------------------------------------------------------

    def settle(self, frame: Frame) -> None:
        """What a finished card set off: steps 2 to 5 of the resolution order."""
        index = self._index
        if (
            index is None
            or self.arrivals
            or (self.titan_ids and self._several_titans())
            or (index[H_PROTECTS] and self.state.on_card)
            or index[H_SHOWS_TOP_BASE]
            or index[H_STARTING_BREAKPOINT]
        ):
            self.check_table(frame)
        if frame.waiting is not None:
            for inner in frame.waiting:
                self.settle(inner)
        if frame.queue:
            self.run_triggers(frame.queue)
        if frame.in_hand is not None:
            for event in frame.in_hand:
                self.me_first(event)
        c = frame.discard
        if c != NONE:
            if self.state.zone[c] == LIMBO:
                self._discard_played(c)
            elif self.destinations:
                self.destinations.pop(c, None)  # it went somewhere else

    def _discard_played(self, c: int) -> None:
        """Step 5: a standard action goes to its owner's discard pile, or where its text says."""
        owner = self.owner_of(c)
        to = self.destinations.pop(c, DISCARD) if self.destinations else DISCARD
        if to != DISCARD:
            you = self.state.controller[c]
            home = self.home_of(c, you, True)
            if self.logging:
                text = "{card} goes to the bottom of {player}'s deck."
                if to == HAND and home == you:
                    text = "{player} takes {card} into hand."
                elif to == HAND:
                    text = "{card} goes to {player}'s hand."
                self.log(text, player=self.player_name(home), card=self.name(c))
            self.place_card(c, to, home)
            return
        self._take(c)
        self._put(c, DISCARD, owner)
        if self.logging and owner != self.state.controller[c]:
            self.log_foreign_discard(c)

    def run_triggers(self, queue: list[Trigger]) -> None:
        """Triggered abilities one at a time, in the order the current player chooses."""
        self.queues.append(queue)
        while queue:
            self.run_trigger(queue.pop(self.ask_trigger(queue)))
        self.queues.pop()

    def run_trigger(self, trigger: Trigger) -> None:
        source = trigger.source
        c = source.card
        name = HOOKS[trigger.hook]
        special = name in source.kind.specials.split()
        frame = Frame(self._cause_of_trigger(trigger))
        frame.source = source
        frame.event = trigger.event
        frame.special = special
        self.frames.append(frame)
        getattr(source.kind, name)(trigger.me, trigger.event)
        if special and not frame.declined:
            self._emit_special(c, self.state.controller[c])
        self.frames.pop()
        self.settle(frame)

    def _cause_of_trigger(self, trigger: Trigger) -> Cause:
        """The card that has the ability; what was set up earlier is done by who set it up."""
        c = trigger.source.card
        user = trigger.event.player.index
        if trigger.hook == H_LATER:
            kind = trigger.source.kind
            return Cause(c, NONE if kind.type == BASE else user, kind.type, False, user)
        kind = self.state.kind[c]
        if kind.type != BASE:
            return Cause(c, trigger.me.controller.index, kind.type, False)
        # What a base does when it comes or scores is not the current player's doing.
        return Cause(c, NONE, BASE, False, NONE if trigger.hook in _OF_NO_PLAYER else user)

    def resolve(self, event: Event) -> None:
        """Something the rules bring about (a phase, a scoring step): what it sets off."""
        frame = Frame(Cause(NONE, NONE, 0, False))
        self.frames.append(frame)
        self.emit(event)
        self.frames.pop()
        self.settle(frame)

    # --- Me First! --------------------------------------------------------------------------

    def special_moves(
        self, player: int, event: Event, answered: Set[int] = frozenset()
    ) -> list[Move]:
        """Cards in hand that a player may play at their special timing now.

        Not those that have ``answered`` the event before.
        """
        s = self.state
        moves: list[Move] = []
        timed = self.timed(event.hook)
        held = [c for c in s.hands[player] if s.kind[c] in timed and c not in answered]
        from_discard = self.listeners(H_PLAYS_FROM_DISCARD) if timed else []
        if not (held or from_discard) or not self.is_open(event):
            return moves
        for c in self.distinct(held):
            moves.extend(self._special_plays(player, c, event))
        for source in from_discard:
            if s.controller[source.card] == player:
                moves.extend(self._special_plays_from_discard(player, source, event, answered))
        return moves if not moves or self.may_play_specials(player) else []

    def _special_plays(self, player: int, c: int, event: Event) -> list[Move]:
        """Every way to play a card at its special timing now, for who has it in hand."""
        s = self.state
        kind = s.kind[c]
        s.controller[c] = player
        me = self.cards[c]
        if not kind.special_if(me, event) or self.is_banned(player, c):
            return []
        if kind.type == MINION:
            return [
                Move(PLAY_CARD, c, base.serial)
                for base in kind.special_bases(me, event)
                if self.may_play_at(player, c, base.serial)
            ]
        if kind.where == ON_MINION:
            return [
                Move(PLAY_CARD, c, host.id, True)
                for host in kind.special_hosts(me, event)
                if self.may_play_at(player, c, self.site_serial(host.id))
            ]
        return [Move(PLAY_CARD, c)]

    def _special_plays_from_discard(
        self, player: int, source: Source, event: Event, answered: Set[int]
    ) -> list[Move]:
        """Actions that a minion lets its controller play on it from the discard pile, now."""
        s = self.state
        host = source.card
        timed = self.timed(event.hook)
        found: list[Move] = []
        for c in self.distinct(s.discards[player]):
            if (
                s.kind[c] in timed
                and s.kind[c].where == ON_MINION
                and c not in answered
                and source.kind.plays_from_discard(self.cards[host], self.cards[c])
            ):
                plays = self._special_plays(player, c, event)
                found.extend(move for move in plays if move.place == host)
        return found

    def might_play(self, player: int, event: Event, answered: Set[int] = frozenset()) -> bool:
        """Whether, as far as everybody knows, a player may hold a card to play now.

        Made of what everybody has seen and of which cards are left, never of what is in the hand.
        Cards that have ``answered`` the event before were seen by everybody then.
        """
        s = self.state
        hand = s.hands[player]
        hiding = {s.pool[c] for c in hand if not s.seen[c] & PUBLIC}
        mixed: set[int] = set()
        for mix in s.mixed:
            if mix.viewer == SPECTATOR and not mix.cards.isdisjoint(hand):
                mixed |= mix.known
                hiding |= {s.pool[c] for c in mix.cards}
        timed = self.timed(event.hook)
        possible = [
            c
            for c, kind in enumerate(s.kind)
            if kind in timed
            and c not in answered
            and (c in hand if s.seen[c] & PUBLIC else c in mixed or s.pool[c] in hiding)
        ]
        if not possible or not self.is_open(event) or not self.may_play_specials(player):
            return False
        for c in possible:
            controller = s.controller[c]
            plays = self._special_plays(player, c, event)
            s.controller[c] = controller
            if plays:
                return True
        return False

    def me_first(self, event: Event) -> bool:
        """Specials from hand, one each clockwise, until all pass in sequence (p. 8).

        Whether any was played. Players who hold nothing to play are passed over, unless the
        table asks everyone who might.
        """
        if not self.timed(event.hook):
            return False
        everyone = self.setup.ask_everyone
        players = self.players
        player = self.state.current - 1
        passes = 0
        played = False
        # An ability answers an event once, even if its card is back in hand; "before a base
        # scores" is no event but a time to play.
        once = event.hook not in (H_BEFORE_SCORE, H_AFTER_SCORE)
        answered: set[int] = set()
        while passes < players:
            player = (player + 1) % players
            moves = self.special_moves(player, event, answered)
            if moves or (everyone and self.might_play(player, event, answered)):
                moves.append(PASS_MOVE)
                move = moves[self.ask(player, "Play a Special, or pass?", MOVES, moves)]
                if move.verb != PASS:
                    if once:
                        answered.add(move.card)
                    self.play(player, move.card, move.place, move.hosted, None, event)
                    self.after_each_special(event)
                    passes = 0
                    played = True
                    continue
            passes += 1
        return played

    def after_each_special(self, event: Event) -> None:
        """Scoring looks again for abilities in play after each Special from hand."""

    # --- buried cards (docs/mechanisms.md) --------------------------------------------------

    def bury(self, c: int, serial: int, controller: int) -> None:
        """Put a card face down at a base; only its controller may look at it."""
        s = self.state
        if self.in_play(c):
            for a in s.on_card.get(c, ()):
                self._leave(a, LOST, DISCARD)
            self.end_life(c)
        self.conceal(c, 1 << controller)
        self._take(c)
        s.controller[c] = controller
        s.counters[c] = 0
        self.reveal_to(c, controller)
        self._put(c, BURIED, serial)
        s.pool[c] = controller
        if self.logging:
            self.log(
                "{player} buries {card} at {base}.",
                s.seen[c],
                player=self.player_name(controller),
                card=self.name(c),
                base=self.base_name(serial),
            )

    def buried(self, player: int) -> list[int]:
        s = self.state
        return [
            c
            for site in s.sites
            for c in site.cards
            if s.zone[c] == BURIED and s.controller[c] == player
        ]

    def ask_uncover(self, player: int, buried: list[int]) -> int:
        return self.ask_card(player, "Uncover a buried card?", buried, optional=True)

    def uncover(self, player: int, c: int) -> None:
        """At the start of one's turn one buried card may be turned up and played there.

        It does not come from a hand or deck. If it cannot be played there it is discarded.
        """
        if c == NONE:
            return
        s = self.state
        frame = Frame(Cause(NONE, NONE, 0, False))
        self.frames.append(frame)
        serial = s.place[c]
        self.show(c)
        self._take(c)
        self.end_life(c)
        self._put(c, LIMBO, player)
        kind = s.kind[c]
        at = serial if kind.type == MINION or kind.where != NOWHERE else NONE
        right = Right(kind.type, card=c, at=at, source=BURIED)
        if self.moves_by(player, right):
            self.offer(player, right, must=True)
        else:
            self._discard_uncovered(c, serial)
        self.frames.pop()
        self.settle(frame)

    def _discard_uncovered(self, c: int, serial: int) -> None:
        """It was in play: this is no discard from a hand or deck."""
        owner = self.owner_of(c)
        self.last_site[c] = serial
        self._take(c)
        self._put(c, DISCARD, owner)
        if self.logging:
            self.log("{card} is discarded.", card=self.name(c))
