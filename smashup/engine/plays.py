"""Playing cards and settling what they set off.

Culture Shock p. 7, Card Resolution Order: the card just played or triggered; cards in the middle
of resolving; cards in play it triggered; cards in hand it triggered; its discard.
"""

from __future__ import annotations

from smashup.engine.decisions import DONE, LATER, MOVES, PASS, PLAY_CARD, USE_TALENT, Move
from smashup.engine.events import Cause, Event, Frame, Source, Trigger
from smashup.engine.kinds import (
    H_AFTER_PLAY,
    H_AFTER_SPECIAL,
    H_AFTER_TALENT,
    H_CAN_ATTACH,
    H_CAN_PLAY_ON,
    H_FORBIDS_PLAY,
    H_GOES_FOR_ACTION,
    H_GOES_FOR_MINION,
    H_GOES_FREE,
    H_PLAYED,
    H_PLAYS_FROM_DISCARD,
    H_PROTECTS,
    H_RIGHT,
    H_SPECIAL,
    H_STARTING_BREAKPOINT,
    H_TALENT,
    HOOKS,
    Kind,
)  # fmt: skip
from smashup.engine.looking import Looking
from smashup.engine.rights import Right
from smashup.engine.words import (
    ACTION,
    ASIDE,
    AT_BASE,
    BURIED,
    DESTROYED,
    DISCARD,
    HAND,
    LIMBO,
    LOST,
    MINION,
    NONE,
    NOWHERE,
    ON_BASE,
    ON_MINION,
    PLACED,
    PLAY,
    TITAN,
)  # fmt: skip

MINION_PLAY = Right(MINION, normal=True)
ACTION_PLAY = Right(ACTION, normal=True)
EXTRA_MINION = Right(MINION)
EXTRA_ACTION = Right(ACTION)


_PLAYED = 1 << H_PLAYED
_CAN_PLAY_ON = 1 << H_CAN_PLAY_ON
_CAN_ATTACH = 1 << H_CAN_ATTACH
_FOR_MINION = 1 << H_GOES_FOR_MINION
_FOR_ACTION = 1 << H_GOES_FOR_ACTION
_FREE = 1 << H_GOES_FREE


class Plays(Looking):
    """The fifth layer of a table; see the module."""

    __slots__ = ()

    # --- what may be played -----------------------------------------------------------------

    def moves_by(self, player: int, right: Right) -> list[Move]:
        """Every way to use a right: card, place."""
        moves: list[Move] = []
        self._add_moves(player, right, self.distinct(self.state.hands[player]), moves)
        return moves

    def _add_moves(self, player: int, right: Right, hand: list[int], moves: list[Move]) -> None:
        s = self.state
        if right.card != NONE:
            self._moves_with(player, right.card, right, moves)
            return
        types = right.types
        free = right.is_unlimited and not self.abilities()[H_FORBIDS_PLAY] and not self.has_bans()
        for c in hand if right.source == HAND else self.distinct(s.discards[player]):
            kind = s.kind[c]
            if not kind.type & types:
                continue
            if free and kind.is_simple:  # anywhere, any time: most cards by most rights
                if kind.type == MINION or kind.where == ON_BASE:
                    moves += [Move(PLAY_CARD, c, site.serial, False, right) for site in s.sites]
                else:
                    moves.append(Move(PLAY_CARD, c, NONE, False, right))
            elif (
                (kind.type != MINION or kind.power <= right.max_power)
                and (not right.name or right.name == kind.name)
                and right.not_name != kind.name
            ):
                self._moves_with(player, c, right, moves)
        if types & ACTION and right.source == HAND:
            self._moves_from_discard(player, right, moves)

    def _moves_from_discard(self, player: int, right: Right, moves: list[Move]) -> None:
        """Actions that a minion in play lets its controller play onto it from the discard pile."""
        s = self.state
        for source in self.listeners(H_PLAYS_FROM_DISCARD):
            host = source.card
            if s.controller[host] != player:
                continue
            me = self.card(host)
            for c in self.distinct(s.discards[player]):
                if (
                    s.kind[c].where == ON_MINION
                    and s.kind[c].special != "only"
                    and source.kind.plays_from_discard(me, self.card(c))
                    and self._may_attach(player, c, host, right)
                ):
                    moves.append(Move(PLAY_CARD, c, host, True, right))

    def _moves_with(self, player: int, c: int, right: Right, moves: list[Move]) -> None:
        """Every place a card may be played at by a right."""
        s = self.state
        kind = s.kind[c]
        if kind.special == "only" and (right.card != c or s.scoring == NONE):
            return
        if s.effects and self.is_banned(player, c):
            return
        if kind.type == ACTION and kind.where == NOWHERE:
            if not right.on_base_only and right.on == NONE and right.at == NONE:
                moves.append(Move(PLAY_CARD, c, NONE, False, right))
            return
        if kind.type == ACTION and kind.where == ON_MINION:
            if not right.on_base_only:
                for host in self.minions(at=right.at, not_at=right.not_at):
                    if self._may_attach(player, c, host, right):
                        moves.append(Move(PLAY_CARD, c, host, True, right))
            return
        if right.on != NONE:
            return
        picky = bool(kind.hooks & _CAN_PLAY_ON)
        forbidden = bool(self.abilities()[H_FORBIDS_PLAY])
        at = right.at
        for site in s.sites:
            serial = site.serial
            if (at != NONE and at != serial) or serial == right.not_at:
                continue
            if picky and not kind.can_play_on(self.card(c), self.base(serial)):
                continue
            if forbidden and not self.may_play_at(player, c, serial):
                continue
            moves.append(Move(PLAY_CARD, c, serial, False, right))

    def _may_attach(self, player: int, c: int, host: int, right: Right) -> bool:
        s = self.state
        if right.on != NONE and right.on != host:
            return False
        kind = s.kind[c]
        if kind.hooks & _CAN_ATTACH:
            s.controller[c] = player
            if not kind.can_attach(self.card(c), self.card(host)):
                return False
        return self.may_play_at(player, c, self.site_serial(host))

    def _titan_moves(self, player: int, bit: int, right: Right | None, moves: list[Move]) -> None:
        """Titans that may be played instead of a regular play, or at no cost (``bit`` says)."""
        s = self.state
        for c in s.aside[player]:
            kind = s.kind[c]
            if not kind.hooks & bit:
                continue
            if len(self.titans(player)) >= self.allowed_titans(player):
                return
            me = self.card(c)
            for site in s.sites:
                base = self.base(site.serial)
                if bit == _FOR_MINION:
                    may = kind.goes_instead_of_minion(me, base)
                elif bit == _FOR_ACTION:
                    may = kind.goes_instead_of_action(me, base)
                else:
                    may = kind.goes_free(me, base)
                if may:
                    moves.append(Move(PLAY_CARD, c, site.serial, False, right))

    def menu(self, player: int) -> list[Move]:
        """Everything the current player may do in the Play Cards phase."""
        s = self.state
        moves: list[Move] = []
        rights = s.rights
        done: set[int] = set()
        hand = self.distinct(s.hands[player])
        aside = bool(s.aside[player])
        for right in rights:
            if right.normal:
                minion = right.types == MINION
                if aside:
                    self._titan_moves(player, _FOR_MINION if minion else _FOR_ACTION, right, moves)
                # An equal extra play is used first: the regular play can do more.
                if (EXTRA_MINION if minion else EXTRA_ACTION) in rights:
                    continue
            if id(right) not in done:
                done.add(id(right))
                self._add_moves(player, right, hand, moves)
        seat = self.seat(player)
        for source in self.listeners(H_RIGHT):
            offered = source.kind.right(self.card(source.card), seat)
            if offered is not None and (source.card, -2, player) not in s.once:
                moves.extend(self.moves_by(player, offered))
        if aside:
            self._titan_moves(player, _FREE, None, moves)
        for source in self.listeners(H_TALENT):
            c = source.card
            if (
                s.controller[c] == player
                and (c, source.stamp) not in s.talents_used
                and source.kind.talent_if(self.card(c))
            ):
                moves.append(Move(USE_TALENT, c, source=source))
        moves.append(Move(DONE))
        if self.director is not None:
            moves.extend(self.director.moves())
        return moves

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
        listening = self.listeners(H_AFTER_TALENT)[:]
        event = Event(H_AFTER_TALENT)
        event.card = self.card(c)
        event.player = self.seat(s.controller[c])
        event.base = self.base(self.site_serial(c))
        frame = Frame(self.cause_of(c))
        self.frames.append(frame)
        source.kind.talent(self.card(c))
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
            s.once.add((right.origin, -2, player))

    def play(
        self,
        player: int,
        c: int,
        place: int,
        hosted: bool,
        right: Right | None,
        window: Event | None = None,
        special: bool = False,
    ) -> None:
        """A player plays a card; ``window`` is the event its Special was played in.

        ``special`` is set when the card's own Special is what lets it be played.
        """
        s = self.state
        kind = s.kind[c]
        self.spend(player, right)
        event = Event(H_AFTER_PLAY)
        event.player = self.seat(player)
        event.card = self.card(c)
        event.how = s.zone[c]
        listening = self.listeners(H_AFTER_PLAY)[:]  # fixed now, even if the card destroys some
        if listening:
            event.stood = {x.card: self.site_serial(x.card) for x in listening}
        frame = Frame(Cause(c, player, kind.type, True))
        frame.right = right
        frame.event = window
        frame.special = window is not None
        self.frames.append(frame)
        self._arrive(player, c, place, hosted, frame)
        serial = self.site_serial(c)
        event.base = self.base(serial) if serial != NONE else None
        event.amount = self._count_play(player, kind, serial)
        if self.logging:
            self._log_play(player, c, hosted)
        if kind.hooks & _PLAYED:
            kind.played(event.card)
        if right is not None and right.rider is not None:
            right.rider.ridden(self.card(right.origin), self.card(c), self.seat(player))
        if listening or self.has_timing(H_AFTER_PLAY):
            event.affected = [self.card(x) for x in frame.affected]
            event.raised = [self.card(x) for x in frame.raised]
            self.emit(event, listening)
        if window is not None or special:
            self._emit_special(c, player)
        frame.in_hand = event
        self.frames.pop()
        if self.frames and not self.edition.nested_first:
            outer = self.frames[-1]
            outer.waiting = [*(outer.waiting or ()), frame]
        else:
            self.settle(frame)

    def _arrive(self, player: int, c: int, place: int, hosted: bool, frame: Frame) -> None:
        s = self.state
        kind = s.kind[c]
        if hosted:
            host = self.redirected(place, frame.cause)
            self.attach(c, host, player)
            frame.affected.append(host)
        elif place != NONE:
            self.enter(c, place, player)
            if kind.type == TITAN:
                self.arrivals.append(c)
        else:
            self._take(c)
            s.controller[c] = player
            self._put(c, LIMBO, player)
            self.show(c)
            frame.discard = c

    def _count_play(self, player: int, kind: Kind, serial: int) -> int:
        """Tally the play; how many of this type the player has now played at this place."""
        tally = self.state.tally
        keys: list[tuple[int, ...]] = [(kind.type, player, NONE)]
        if serial != NONE:
            keys.append((kind.type, player, serial))
            if kind.where == ON_BASE:
                keys.append((ON_BASE, player, serial, 0))
        for key in keys:
            tally[key] = tally.get(key, 0) + 1
        return tally[keys[1] if len(keys) > 1 else keys[0]]

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
            event.card = self.card(c)
            event.player = self.seat(player)
            serial = self.site_serial(c)
            event.base = self.base(serial) if serial != NONE else None
            self.emit(event)

    # --- extra cards ------------------------------------------------------------------------

    def extra_card(self, player: int, right: Right) -> int:
        """A player gets an extra card: the card if played at once, else `NONE`.

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
        return NONE

    def offer(self, player: int, right: Right, later: bool = False, must: bool = False) -> int:
        """Let a player use a right now: the card played, or `NONE`."""
        moves = self.moves_by(player, right)
        if not moves and not later:
            return NONE
        if later:
            moves.append(Move(LATER))
        elif not must:
            moves.append(Move(PASS))
        move = moves[self.ask(player, "Play a card?", MOVES, moves)]
        if move.verb == LATER:
            self.state.rights.append(right)
            return NONE
        if move.verb == PASS:
            return NONE
        self.play(player, move.card, move.place, move.hosted, right)
        return move.card

    def play_card(self, player: int, c: int, right: Right, must: bool = False) -> bool:
        """A player plays one given card, from wherever it is; whether it was played.

        Out on the table with no legal place (Shoggoth-like): it is discarded instead.
        """
        s = self.state
        if not self.moves_by(player, right):
            if s.zone[c] == LIMBO:
                self.discard(player, [c])
            return False
        return self.offer(player, right, must=must) != NONE

    def play_titan(self, player: int, c: int, sites: list[int], optional: bool) -> bool:
        """A card lets a player play a titan of theirs at one of these sites."""
        s = self.state
        if s.zone[c] != ASIDE or len(self.titans(player)) >= self.allowed_titans(player):
            return False
        moves = [Move(PLAY_CARD, c, serial) for serial in sites]
        if not moves:
            return False
        if optional:
            moves.append(Move(PASS))
        move = moves[self.ask(player, "Where is the titan played?", MOVES, moves)]
        if move.verb == PASS:
            return False
        self.play(player, c, move.place, False, None)
        return True

    # --- settling ---------------------------------------------------------------------------

    def settle(self, frame: Frame) -> None:
        """What a finished card set off: steps 2 to 5 of the resolution order."""
        self.check_table(frame)
        for inner in frame.waiting or ():
            self.settle(inner)
        if frame.queue:
            self.run_triggers(frame.queue)
        if frame.in_hand is not None:
            self.me_first(frame.in_hand)
        c = frame.discard
        if c != NONE and self.state.zone[c] == LIMBO:
            self._discard_played(c)

    def _discard_played(self, c: int) -> None:
        """Step 5: a standard action goes to its owner's discard pile."""
        owner = self.owner_of(c)
        self._take(c)
        self._put(c, DISCARD, owner)

    def run_triggers(self, queue: list[Trigger]) -> None:
        """Triggered abilities one at a time, in the order the current player chooses."""
        while queue:
            self.run_trigger(queue.pop(self.ask_trigger(queue)))

    def run_trigger(self, trigger: Trigger) -> None:
        source = trigger.source
        c = source.card
        name = HOOKS[trigger.hook]
        special = name in source.kind.specials.split()
        frame = Frame(self.cause_of(c))
        frame.event = trigger.event
        frame.special = special
        self.frames.append(frame)
        getattr(source.kind, name)(self.card(c), trigger.event)
        if special and not frame.declined:
            self._emit_special(c, self.state.controller[c])
        self.frames.pop()
        self.settle(frame)

    def resolve(self, event: Event) -> None:
        """Something the rules bring about (a phase, a scoring step): what it sets off."""
        frame = Frame(Cause(NONE, NONE, 0, False))
        self.frames.append(frame)
        self.emit(event)
        self.frames.pop()
        self.settle(frame)

    # --- Me First! --------------------------------------------------------------------------

    def special_moves(self, player: int, event: Event) -> list[Move]:
        """Cards in hand that a player may play at their special timing now."""
        s = self.state
        moves: list[Move] = []
        bit = 1 << H_SPECIAL
        for c in self.distinct([c for c in s.hands[player] if s.kind[c].hooks & bit]):
            kind = s.kind[c]
            s.controller[c] = player
            me = self.card(c)
            if not kind.special_if(me, event) or self.is_banned(player, c):
                continue
            if kind.type == MINION:
                moves.extend(
                    Move(PLAY_CARD, c, base.serial)
                    for base in kind.special_bases(me, event)
                    if self.may_play_at(player, c, base.serial)
                )
            elif kind.where == ON_MINION:
                moves.extend(
                    Move(PLAY_CARD, c, host.id, True) for host in kind.special_hosts(me, event)
                )
            else:
                moves.append(Move(PLAY_CARD, c))
        return moves if not moves or self.may_play_specials(player) else []

    def me_first(self, event: Event) -> bool:
        """Specials from hand, one each clockwise, until all pass in sequence (p. 8).

        Whether any was played. Players who hold nothing to play are passed over.
        """
        if not self.has_timing(event.hook):
            return False
        order = self.clockwise(self.state.current)
        passes = 0
        turn = 0
        played = False
        while passes < len(order):
            player = order[turn % len(order)]
            turn += 1
            moves = self.special_moves(player, event)
            if moves:
                moves.append(Move(PASS))
                move = moves[self.ask(player, "Play a Special, or pass?", MOVES, moves)]
                if move.verb != PASS:
                    self.play(player, move.card, move.place, move.hosted, None, event)
                    self.after_each_special(event)
                    passes = 0
                    played = True
                    continue
            passes += 1
        return played

    def after_each_special(self, event: Event) -> None:
        """Scoring looks again for abilities in play after each Special from hand."""

    # --- checks after each card -------------------------------------------------------------

    def check_table(self, frame: Frame) -> None:
        """Rules that mend the table: clashing titans, titans over the limit, shed actions."""
        index = self.abilities()
        protecting = bool(index[H_PROTECTS] and self.state.on_card)
        if protecting or self.arrivals or self._several_titans():
            self.frames.append(frame)
            cause = frame.cause
            frame.cause = Cause(NONE, NONE, 0, False)
            self._check_titans()
            if protecting:
                self._shed_actions()
            frame.cause = cause
            self.frames.pop()
        if len(index[H_STARTING_BREAKPOINT]) > 1:
            self.choose_resets()

    def _check_titans(self) -> None:
        while self.arrivals:
            newcomer = self.arrivals.pop(0)
            if self.in_play(newcomer):
                self._clash(newcomer)
        if not self._several_titans():
            return
        for player in range(self.players):
            titans = self.titans(player)
            if len(titans) > 1:
                while len(titans) > self.allowed_titans(player):
                    c = self.ask_card(player, "You control too many titans: which leaves?", titans)
                    self._leave(c, LOST, ASIDE)
                    titans = self.titans(player)

    def _several_titans(self) -> bool:
        """Whether two titans or more are in play: fewer never break a rule."""
        zone = self.state.zone
        out = 0
        for c in self.titan_ids:
            if zone[c] == AT_BASE:
                out += 1
        return out > 1

    def _clash(self, newcomer: int) -> None:
        """Big in Japan p. 7: of titans at one base only that of the highest total stays.

        The earlier titan wins ties. A player's own titans do not clash with each other.
        """
        s = self.state
        serial = self.site_serial(newcomer)
        titans = self.titans(at=serial)
        controllers = {s.controller[c] for c in titans}
        if len(controllers) < 2 or not self.titans_clash_at(serial):
            return
        totals = {p: self.total(serial, p) for p in controllers}
        best = max(totals.values())
        winner = next(s.controller[c] for c in titans if totals[s.controller[c]] == best)
        for c in titans:
            if s.controller[c] != winner:
                self._leave(c, LOST, ASIDE)

    def _shed_actions(self) -> None:
        """A minion not affected by a player's actions destroys them: one on it would affect it.

        The newest go first: one that never took hold protects from nothing.
        """
        s = self.state
        for host, attached in list(s.on_card.items()):
            for a in reversed(attached):
                controller = s.controller[a]
                for source in self.listeners(H_PROTECTS):
                    if s.controller[source.card] != controller and source.kind.protects(
                        self.card(source.card),
                        self.card(host),
                        Cause(a, controller, s.kind[a].type, False),
                    ):
                        self._leave(a, DESTROYED, DISCARD)
                        break

    def choose_resets(self) -> None:
        """Competing resets of a starting breakpoint: the current player chooses one a turn."""
        s = self.state
        for site in s.sites:
            key = (-1, site.serial)
            if key in s.tally:
                continue
            base = self.base(site.serial)
            resets: dict[int, int] = {}
            for source in self.listeners(H_STARTING_BREAKPOINT):
                value = source.kind.starting_breakpoint(self.card(source.card), base)
                if value >= 0:
                    resets[source.card] = value
            if len(set(resets.values())) > 1:
                c = self.ask_card(
                    s.current, "Which ability sets the starting breakpoint?", list(resets)
                )
                s.tally[key] = resets[c]
                self.touch()

    # --- buried cards (docs/mechanisms.md) --------------------------------------------------

    def bury(self, c: int, serial: int, controller: int) -> None:
        """Put a card face down at a base; only its controller may look at it."""
        s = self.state
        if self.in_play(c):
            for a in s.on_card.get(c, ()):
                self._leave(a, LOST, DISCARD)
            self.drop_sources(c)
            s.lives[c] += 1
        self._take(c)
        s.controller[c] = controller
        s.counters[c] = 0
        self._put(c, BURIED, serial)
        s.seen[c] |= 1 << controller
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

    def uncover(self, player: int) -> None:
        """At the start of one's turn one buried card may be turned up and played there."""
        s = self.state
        c = self.ask_card(player, "Uncover a buried card?", self.buried(player), optional=True)
        if c == NONE:
            return
        serial = s.place[c]
        self.show(c)
        self._take(c)
        self._put(c, LIMBO, player)
        kind = s.kind[c]
        at = serial if kind.type == MINION or kind.where != NOWHERE else NONE
        self.play_card(player, c, Right(kind.type, card=c, at=at), must=True)

    def place_in_play(self, c: int, to: int) -> bool:
        """Place a card in play elsewhere (top or bottom of its owner's deck)."""
        return bool(self.remove([c], PLACED, to))
