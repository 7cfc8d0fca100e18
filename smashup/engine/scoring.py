"""The Big Score: the nine steps of scoring a base (Culture Shock p. 8-9)."""

from __future__ import annotations

from smashup.engine.changes import SCORED as SCORED_BASE
from smashup.engine.changes import SCORING, Change
from smashup.engine.decisions import MOVES, PASS_MOVE, PLAY_CARD, TRIGGERS, USE_TALENT, Move
from smashup.engine.events import Cause, Event, Frame, Source, Trigger
from smashup.engine.kinds import (
    CONDITIONS,
    H_AFTER_REPLACEMENT,
    H_AFTER_SCORE,
    H_BEFORE_SCORE,
    H_WHEN_SCORE,
    HOOKS,
)  # fmt: skip
from smashup.engine.plays import Plays
from smashup.engine.words import ASIDE, BASE, BASE_DISCARD, NONE, SCORED

NO_BASE = -2
"""As the next base: the base being scored is not replaced."""


class Scoring(Plays):
    """The tenth layer of a table; see the module."""

    __slots__ = ()

    def score_phase(self) -> bool:
        """Steps 1, 2 and 9: score one base that is ready; False when none is."""
        s = self.state
        ready = self.ready_to_score()
        if not ready:
            return False
        serial = ready[0]
        if len(ready) > 1:
            serial = self.ask_site(s.current, "Several bases are ready: which scores first?", ready)
        self.score_base(serial)
        return True

    def score_base(self, serial: int) -> None:
        s = self.state
        s.scoring = serial
        if self.logging:
            self.log(
                "{base} scores: {total} power, breakpoint {breakpoint}.",
                base=self.base_name(serial),
                total=self.base_total(serial),
                breakpoint=self.breakpoint(serial),
            )
            self.note(Change(SCORING, base=serial))
        self.scoring_window(H_BEFORE_SCORE, [])  # step 3
        if serial not in s.site_at:
            # A base that leaves play before VP are awarded stops scoring.
            s.scoring = NONE
            return
        winners = self._award(serial)  # step 4
        aside = [c for c in self.titan_ids if s.zone[c] == ASIDE]
        self.scoring_window(H_AFTER_SCORE, winners)  # step 5
        if serial in s.site_at:
            self._clear_and_replace(serial, winners, aside)  # steps 6 to 8
        s.scoring = NONE
        self.next_bases = []
        self.after_replacing = []

    def _award(self, serial: int) -> list[int]:
        """Step 4: VP for the first three places, then "when scoring" abilities."""
        s = self.state
        vp = s.kind[s.site_at[serial].base].vp
        ranking = self.ranking(serial)
        for player, place, total in ranking:
            amount = vp[place - 1]
            if self.logging:
                text = "{player} wins {base} with {total} power: {amount} VP."
                if place == 2:
                    text = "{player} comes second at {base} with {total} power: {amount} VP."
                elif place == 3:
                    text = "{player} comes third at {base} with {total} power: {amount} VP."
                self.log(
                    text,
                    player=self.player_name(player),
                    base=self.base_name(serial),
                    total=total,
                    amount=amount,
                )
            s.vp[player] += amount
        if self.logging:
            rows = tuple((player, place, vp[place - 1]) for player, place, _ in ranking)
            self.note(Change(SCORED_BASE, base=serial, rows=rows))
        winners = [player for player, place, _ in ranking if place == 1]
        event = self._scoring_event(H_WHEN_SCORE, serial, winners)
        frame = Frame(Cause(NONE, NONE, 0, False))
        self.frames.append(frame)
        self.emit(event, [x for x in self.listeners(H_WHEN_SCORE) if self._concerns(x, event)])
        self.frames.pop()
        self.settle(frame)
        return winners

    def _scoring_event(self, hook: int, serial: int, winners: list[int]) -> Event:
        event = Event(hook)
        event.base = self.base(serial)
        event.player = self.seat(self.state.current)
        event.winners = [self.seat(p) for p in self.clockwise(self.state.current) if p in winners]
        return event

    def _concerns(self, source: Source, event: Event) -> bool:
        """Scoring abilities look at their own base unless they say otherwise."""
        assert event.base is not None
        return (
            HOOKS[event.hook] in source.kind.anywhere.split()
            or HOOKS[event.hook] in source.kind.works_aside.split()
            or self.site_serial(source.card) == event.base.serial
        )

    # --- windows before and after -----------------------------------------------------------

    def scoring_window(self, hook: int, winners: list[int]) -> None:
        """Abilities in play in the order the current player chooses, then Specials from hand.

        The 2014 booklet makes no difference between the two: players take turns with both.
        """
        event = self._scoring_event(hook, self.state.scoring, winners)
        self.window = event
        self.scoring_used = set()
        if self.edition.in_play_first:
            self._in_play(event)
            self.me_first(event)
        else:
            self._rounds(event)
        self.window = None

    def _usable(self, event: Event) -> list[Trigger]:
        """Abilities in play that the window is open to and that were not used in it yet."""
        found: list[Trigger] = []
        if not self.is_open(event):
            return found
        condition = CONDITIONS[event.hook]
        for source in self.listeners(event.hook):
            self.tested = source
            if (
                (source.card, source.stamp, source.kind) not in self.scoring_used
                and self._concerns(source, event)
                and getattr(source.kind, condition)(self.card(source.card), event)
            ):
                found.append(Trigger(source, event.hook, event, self.cards[source.card]))
        self.tested = None
        return found

    def _use(self, trigger: Trigger) -> None:
        source = trigger.source
        self.scoring_used.add((source.card, source.stamp, source.kind))
        self.run_trigger(trigger)

    def _in_play(self, event: Event) -> None:
        """Abilities in play, computed anew after each: cards come and go in the window."""
        while usable := self._usable(event):
            self._use(usable[self.ask_trigger(usable)])

    def after_each_special(self, event: Event) -> None:
        if event.hook in (H_BEFORE_SCORE, H_AFTER_SCORE):
            self._in_play(event)

    def _rounds(self, event: Event) -> None:
        """Moi d'abord ! (2014): one Special each, in play or from hand, until all pass."""
        s = self.state
        while bases := [x for x in self._usable(event) if s.kind[x.source.card].type == BASE]:
            self._use(bases[0])
        order = self.clockwise(s.current)
        passes = 0
        turn = 0
        while passes < len(order):
            player = order[turn % len(order)]
            turn += 1
            moves = [
                Move(USE_TALENT, x.source.card, source=x.source)
                for x in self._usable(event)
                if s.controller[x.source.card] == player
            ]
            moves.extend(self.special_moves(player, event))
            passes += 1
            if moves or (self.setup.ask_everyone and self.might_play(player, event)):
                moves.append(PASS_MOVE)
                move = moves[self.ask(player, "Use a Special, or pass?", MOVES, moves)]
                if move.verb == PLAY_CARD:
                    self.play(player, move.card, move.place, move.hosted, None, event)
                    passes = 0
                elif move.source is not None:
                    self._use(Trigger(move.source, event.hook, event, self.cards[move.card]))
                    passes = 0

    # --- back to your corners ---------------------------------------------------------------

    def _clear_and_replace(self, serial: int, winners: list[int], aside: list[int]) -> None:
        """Steps 6 to 8: cards, then the base, then its replacement.

        ``aside``: titans that were set aside when the base was won.

        What the discards set off happens between 7 and 8: neither base is there to be played on.
        """
        s = self.state
        frame = Frame(Cause(NONE, NONE, 0, False))
        self.frames.append(frame)
        self.clear_site(serial, SCORED)
        index = self.close_site(serial)
        self.frames.pop()
        self.settle(frame)
        frame = Frame(Cause(NONE, NONE, 0, False))
        self.frames.append(frame)
        new = self._replace(min(index, len(s.sites)))
        self.frames.pop()
        self.settle(frame)
        later = self.after_replacing
        self.after_replacing = []
        if new == NONE:
            return
        event = self._scoring_event(H_AFTER_REPLACEMENT, new, winners)
        event.cards = [self.cards[c] for c in aside]
        frame = Frame(Cause(NONE, NONE, 0, False))
        self.frames.append(frame)
        for trigger in later:
            trigger.event.base = self.base(new)
            frame.queue.append(trigger)
        self.emit(event)
        self.frames.pop()
        self.settle(frame)

    def _replace(self, index: int) -> int:
        """Step 8: the top card of the base deck, or one of the ways that texts offer.

        Of several ways the current player chooses just one (Culture Shock p. 15, Island Chain).
        """
        s = self.state
        ways = [way for way in self.next_bases if way[1] < 0 or s.zone[way[1]] == BASE_DISCARD]
        self.next_bases = []
        extra = False
        base = NONE
        if ways:
            chosen = 0
            if len(ways) > 1:
                chosen = self.ask(
                    s.current,
                    "Which ability brings the next base?",
                    TRIGGERS,
                    [trigger for trigger, _ in ways],
                )
            base = ways[chosen][1]
            extra = base == NONE
        if base == NO_BASE:
            return NONE
        if base == NONE:
            base = self.next_base()
        new = self.play_base(base, index) if base != NONE else NONE
        if extra:
            self.extra_base()
        return new

    def offer_next_base(self, c: int, player: int, base: int) -> None:
        """An ability of a card offers a way to replace the base being scored.

        By a base of the base discard pile, by one more than usual (`NONE`), or not (`NO_BASE`).
        """
        event = Event(H_AFTER_SCORE)
        event.player = self.seat(player)
        if base >= 0:
            event.cards = [self.cards[base]]
        way = Trigger(self.ability_of(c), H_AFTER_SCORE, event, self.cards[c])
        self.next_bases.append((way, base))

    def extra_base(self) -> int:
        """The top card of the base deck comes into play beside the other bases."""
        base = self.next_base()
        return self.play_base(base) if base != NONE else NONE

    def replace_destroyed(self, index: int) -> int:
        """A base destroyed by an ability is replaced normally."""
        base = self.next_base()
        return self.play_base(base, index) if base != NONE else NONE
