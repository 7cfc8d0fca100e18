"""What may be played: every way to use a right, and the menu of the Play Cards phase."""

from __future__ import annotations

from typing import TYPE_CHECKING

from smashup.engine.decisions import DONE_MOVE, PLAY_CARD, USE_TALENT, Move
from smashup.engine.kinds import (
    H_AFTER_SCORE,
    H_BEFORE_SCORE,
    H_CAN_ATTACH,
    H_CAN_PLAY_ON,
    H_FORBIDS_PLAY,
    H_GOES_FOR_ACTION,
    H_GOES_FOR_MINION,
    H_GOES_FREE,
    H_PLAYS_FROM_DISCARD,
    H_RIGHT,
    H_TALENT,
)  # fmt: skip
from smashup.engine.looking import Looking
from smashup.engine.rights import Right, rights_in_play
from smashup.engine.words import (
    ACTION,
    HAND,
    MINION,
    NONE,
    NOWHERE,
    ON_BASE,
    ON_MINION,
)  # fmt: skip

if TYPE_CHECKING:
    from smashup.engine.events import Event
    from smashup.engine.kinds import Kind

MINION_PLAY = Right(MINION, normal=True)
ACTION_PLAY = Right(ACTION, normal=True)
EXTRA_MINION = Right(MINION)
EXTRA_ACTION = Right(ACTION)
DEEPEST = 40
"""Cards that can be amid being played at once, each brought about by the one before."""
LONGEST = 200
"""Cards of a type that a player can play in one turn."""

_CAN_PLAY_ON = 1 << H_CAN_PLAY_ON
_CAN_ATTACH = 1 << H_CAN_ATTACH
_FOR_MINION = 1 << H_GOES_FOR_MINION
_FOR_ACTION = 1 << H_GOES_FOR_ACTION
_FREE = 1 << H_GOES_FREE


class Moves(Looking):
    """The seventh layer of a table; see the module."""

    __slots__ = ()

    # --- what may be played -----------------------------------------------------------------

    def moves_by(self, player: int, right: Right) -> list[Move]:
        """Every way to use a right: card, place."""
        moves: list[Move] = []
        if self._is_enough(player):
            return moves
        self._add_moves(player, right, self.distinct(self.state.hands[player]), moves)
        if right.is_aimed:
            moves = self.aimed(player, moves, right)
        return moves

    def _is_enough(self, player: int) -> bool:
        """Whether a player goes round in a circle: some cards can bring each other back for ever.

        Such a circle ends here, in the middle of a card and between cards; nobody else gets so far.
        """
        tally = self.state.tally
        return (
            len(self.frames) >= DEEPEST
            or tally.get((ACTION, player, NONE), 0) >= LONGEST
            or tally.get((MINION, player, NONE), 0) >= LONGEST
        )

    def aimed(self, player: int, moves: list[Move], right: Right) -> list[Move]:
        """Those of the moves that can affect or raise what the right says.

        Found by trial runs; the layer that drives the game makes them.
        """
        return moves

    def _add_moves(self, player: int, right: Right, hand: list[int], moves: list[Move]) -> None:
        s = self.state
        if not right.is_unlimited and right.has_lapsed(self):
            return
        if right.card != NONE:
            if not self._is_in_foreign_hand(player, right.card):
                self._moves_with(player, right.card, right, moves)
            return
        types = right.types
        hosts: list[int] | None = None
        free = (
            right.is_unlimited
            and not self.abilities()[H_FORBIDS_PLAY]
            and not (s.effects and self.has_bans())
        )
        for c in hand if right.source == HAND else self.distinct(s.discards[player]):
            kind = s.kind[c]
            if not kind.type & types:
                continue
            if free and kind.is_simple:  # anywhere, any time: most cards by most rights
                moves += self._anywhere(c, kind, right)
            elif free and kind.where == ON_MINION and kind.special != "only":
                if hosts is None:
                    hosts = self.minions()
                self._attach_moves(player, c, right, hosts, moves)
            elif (
                (kind.type != MINION or kind.power <= right.max_power)
                and (not right.name or right.name == kind.name)
                and right.not_name != kind.name
            ):
                self._moves_with(player, c, right, moves)
        if types & ACTION and right.source == HAND:
            self._moves_from_discard(player, right, moves)

    def _is_in_foreign_hand(self, player: int, c: int) -> bool:
        """Whether a card went to the hand of its owner: nobody else can play it from there."""
        s = self.state
        return s.zone[c] == HAND and s.place[c] != player and self.owner_of(c) != player

    def _anywhere(self, c: int, kind: Kind, right: Right) -> list[Move]:
        """A card at each base, or a standard action.

        Made once while the bases stay: menus offer it again and again.
        """
        s = self.state
        bases = (s.serial, len(s.sites))
        if self._spots_at != bases:
            self._spots_at = bases
            self._spots = {}
        moves = self._spots.get(c)
        if not moves or moves[0].right is not right:
            if kind.type == MINION or kind.where == ON_BASE:
                moves = [Move(PLAY_CARD, c, site.serial, False, right) for site in s.sites]
            else:
                moves = [Move(PLAY_CARD, c, NONE, False, right)]
            self._spots[c] = moves
        return moves

    def _moves_from_discard(self, player: int, right: Right, moves: list[Move]) -> None:
        """Actions that a minion in play lets its controller play onto it from the discard pile."""
        s = self.state
        for source in self.listeners(H_PLAYS_FROM_DISCARD):
            host = source.card
            if s.controller[host] != player:
                continue
            me = self.cards[host]
            for c in self.distinct(s.discards[player]):
                kind = s.kind[c]
                if (
                    kind.where == ON_MINION
                    and (not right.name or right.name == kind.name)
                    and right.not_name != kind.name
                    and source.kind.plays_from_discard(me, self.cards[c])
                    and not (s.effects and self.is_banned(player, c))
                    and self._may_attach(player, c, host, right)
                ):
                    moves.append(Move(PLAY_CARD, c, host, True, right))

    def fits_window(self, player: int, c: int) -> bool:
        """Whether the scoring window that is open is the special timing of a card."""
        event = self.window
        if event is None or self.state.kind[c] not in self.timed(event.hook):
            return False
        if not self.is_open(event) or not self.may_play_specials(player):
            return False
        self.state.controller[c] = player
        return self.state.kind[c].special_if(self.cards[c], event)

    def is_open(self, event: Event) -> bool:
        """Whether a window is still open: that of a scoring closes when the base leaves play."""
        scoring = event.hook in (H_BEFORE_SCORE, H_AFTER_SCORE)
        return not scoring or event.base is None or event.base.serial in self.state.site_at

    def _moves_with(self, player: int, c: int, right: Right, moves: list[Move]) -> None:
        """Every place a card may be played at by a right."""
        s = self.state
        kind = s.kind[c]
        if kind.special == "only" and not self.fits_window(player, c):
            return
        if s.effects and self.is_banned(player, c):
            return
        if kind.type == ACTION and kind.where == NOWHERE:
            if not right.on_others and right.on == NONE and right.at == NONE:
                moves.append(Move(PLAY_CARD, c, NONE, False, right))
            return
        if kind.type == ACTION and kind.where == ON_MINION:
            for host in self.minions(at=right.at, not_at=right.not_at):
                if self._may_attach(player, c, host, right):
                    moves.append(Move(PLAY_CARD, c, host, True, right))
            return
        if right.on != NONE or right.on_others:
            return
        picky = bool(kind.hooks & _CAN_PLAY_ON)
        if picky:
            s.controller[c] = player
        forbidden = bool(self.abilities()[H_FORBIDS_PLAY])
        at = right.at
        for site in s.sites:
            serial = site.serial
            if (at != NONE and at != serial) or serial == right.not_at:
                continue
            if right.with_yours and not self.count_minions(player, serial):
                continue
            if picky and not kind.can_play_on(self.cards[c], self.base(serial)):
                continue
            if forbidden and not self.may_play_at(player, c, serial):
                continue
            moves.append(Move(PLAY_CARD, c, serial, False, right))

    def _attach_moves(
        self, player: int, c: int, right: Right, hosts: list[int], moves: list[Move]
    ) -> None:
        """An action on a minion by a right without limits, where nothing is forbidden."""
        s = self.state
        kind = s.kind[c]
        if not kind.hooks & _CAN_ATTACH:
            moves += [Move(PLAY_CARD, c, host, True, right) for host in hosts]
            return
        s.controller[c] = player
        me = self.cards[c]
        for host in hosts:
            if kind.can_attach(me, self.cards[host]):
                moves.append(Move(PLAY_CARD, c, host, True, right))

    def _may_attach(self, player: int, c: int, host: int, right: Right) -> bool:
        s = self.state
        if right.on != NONE and right.on != host:
            return False
        if right.on_others and s.controller[host] == player:
            return False
        serial = self.site_serial(host)
        if (right.at != NONE and right.at != serial) or right.not_at == serial:
            return False
        kind = s.kind[c]
        if kind.special == "only":
            window = self.window
            if window is None or not self.fits_window(player, c):
                return False
            if self.cards[host] not in kind.special_hosts(self.cards[c], window):
                return False
        if kind.hooks & _CAN_ATTACH:
            s.controller[c] = player
            if not kind.can_attach(self.cards[c], self.cards[host]):
                return False
        return self.may_play_at(player, c, serial)

    def _titan_moves(self, player: int, bit: int, right: Right | None, moves: list[Move]) -> None:
        """Titans that may be played instead of a regular play, or at no cost (``bit`` says)."""
        s = self.state
        for c in s.aside[player]:
            kind = s.kind[c]
            if not kind.hooks & bit:
                continue
            if len(self.titans(player)) >= self.allowed_titans(player):
                return
            me = self.cards[c]
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
        if self._is_enough(player):
            return [DONE_MOVE]
        rights = s.rights
        done: set[int] = set()
        aimed: list[Right] = []
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
                if right.is_aimed:
                    if not any(right.same_as(other) for other in aimed):
                        aimed.append(right)
                        moves.extend(self.moves_by(player, right))
                else:
                    self._add_moves(player, right, hand, moves)
        index = self.abilities()
        if index[H_RIGHT]:
            for offered in rights_in_play(self, player):
                moves.extend(self.moves_by(player, offered))
        if aside:
            self._titan_moves(player, _FREE, None, moves)
        for source in index[H_TALENT]:
            c = source.card
            if (
                s.controller[c] == player
                and (c, source.stamp) not in s.talents_used
                and source.kind.talent_if(self.cards[c])
            ):
                moves.append(Move(USE_TALENT, c, source=source))
        moves.append(DONE_MOVE)
        if self.director is not None:
            moves.extend(self.director.moves())
        return moves
