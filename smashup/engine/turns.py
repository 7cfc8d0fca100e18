"""The phases of a turn and the end of the game (Culture Shock p. 6-7, 9)."""

from __future__ import annotations

from smashup.engine.changes import GAME_OVER, TURN, Change
from smashup.engine.decisions import DONE, MOVES, several
from smashup.engine.events import UNCOVER, Cause, Event, Frame, Source, Trigger
from smashup.engine.kinds import (
    CONDITIONS,
    H_END_OF_TURN,
    H_LATER,
    H_START_OF_TURN,
    H_STARTING_BREAKPOINT,
    Kind,
)
from smashup.engine.moves import ACTION_PLAY, MINION_PLAY
from smashup.engine.scoring import Scoring
from smashup.engine.state import CONTROL, LOST_ABILITIES, Delayed, Effect
from smashup.engine.words import (
    BURIED,
    DECK,
    DISCARD,
    DRAW,
    END,
    END_OF_TURN,
    HAND,
    NONE,
    OVER,
    PLAY,
    SCORE,
    START,
    START_OF_NEXT,
)  # fmt: skip

HAND_LIMIT = 10
WINNING_VP = 15


class Turns(Scoring):
    """The eleventh layer of a table; see the module."""

    __slots__ = ()

    def start_turn(self) -> None:
        s = self.state
        s.turn += 1
        s.phase = START
        s.once = set()
        s.tally = {}
        s.talents_used = set()
        if self.logging:
            self.log("Turn {turn}: {player}.", turn=s.turn, player=self.player_name(s.current))
            self.note(Change(TURN, player=s.current, amount=s.turn))
        # What expires now expires before anything else happens.
        self._expire(START_OF_NEXT)
        self._happen(H_START_OF_TURN, START)
        self.forget()
        s.phase = PLAY
        s.rights = [MINION_PLAY, ACTION_PLAY]

    def play_phase(self) -> None:
        """One thing from the menu; the phase goes on until the player ends it."""
        s = self.state
        moves = self.menu(s.current)
        move = moves[self.ask(s.current, "What do you do?", MOVES, moves)]
        if move.verb == DONE:
            s.rights = []
            s.phase = SCORE
        else:
            self.do_move(s.current, move)
        self.forget()

    def forget(self) -> None:
        """Between cards nobody needs to know how those that left looked."""
        if self.last_site:
            self.last_site.clear()
            self.last_power.clear()
            self.last_host.clear()
        if self.left_play:
            self._renew_handles()

    def score_bases(self) -> None:
        if self.score_phase():
            self.forget()
            return
        if not (self.edition.win_check_in_scoring and self.check_victory()):
            self.state.phase = DRAW

    def draw_phase(self) -> None:
        s = self.state
        self.draw(s.current, 2)
        excess = len(s.hands[s.current]) - HAND_LIMIT
        if excess > 0:
            frame = Frame(Cause(NONE, NONE, 0, False))
            self.frames.append(frame)
            self.discard(s.current, self.pick_from_hand(s.current, excess))
            self.frames.pop()
            self.settle(frame)
        s.phase = END

    def pick_from_hand(self, player: int, count: int) -> list[int]:
        """A player picks cards of their hand one by one, to discard them together."""
        picked: list[int] = []
        hand = self.state.hands[player]
        while len(picked) < count:
            left = [c for c in hand if c not in picked]
            if not left:
                break
            more = count - len(picked)
            self.several = several(len(picked), more, more, len(left))
            picked.append(self.ask_card(player, "Discard which card?", left))
            self.several = None
        return picked

    def end_turn(self) -> None:
        """What happens now happens first; then what expires now expires, all at once."""
        s = self.state
        self._happen(H_END_OF_TURN, END)
        changed = self._expire(END_OF_TURN)
        lasting = [x for x in s.sources if not x.until_end_of_turn]
        if len(lasting) < len(s.sources):
            s.sources = lasting
            self.touch_abilities()
            changed = True
        if changed:
            self.settle(Frame(Cause(NONE, NONE, 0, False)))
        self.forget()
        if not self.check_victory():
            self._pass_turn()

    def _happen(self, hook: int, when: int) -> None:
        """Everything that happens at the start or end of a turn, in an order of choice.

        "All of them can happen, in the order the current player chooses" (Culture Shock p. 6):
        whether one can is asked when its turn comes, so that others may make it possible.
        """
        s = self.state
        index = self.abilities()
        uncovers = when == START and BURIED in s.zone
        if not (s.delayed or index[hook] or uncovers):
            if len(index[H_STARTING_BREAKPOINT]) > 1:
                self.choose_resets()
            return
        event = Event(hook)
        event.player = self.seat(s.current)
        self.settle(Frame(Cause(NONE, NONE, 0, False)))
        done: set[tuple[int, int, Kind]] = set()
        may_uncover = when == START
        while True:
            possible = self._due_abilities(event, done)
            abilities = len(possible)
            delayed = [d for d in s.delayed if self._is_due(d, when)]
            possible += [self._delayed_trigger(d) for d in delayed]
            buried = self.buried(s.current) if may_uncover and BURIED in s.zone else []
            if buried and not possible:
                may_uncover = False
                self.uncover(s.current, self.ask_uncover(s.current, buried))
                continue
            possible += [self._uncovering(c, event) for c in buried]
            if not possible:
                break
            chosen = self.ask_trigger(possible)
            trigger = possible.pop(chosen)
            self.queues.append(possible)
            if trigger.hook == UNCOVER:
                may_uncover = False
                self.uncover(s.current, trigger.source.card)
            elif chosen >= abilities:
                s.delayed.remove(delayed[chosen - abilities])
                self.run_trigger(trigger)
            else:
                done.add((trigger.source.card, trigger.source.stamp, trigger.source.kind))
                self.run_trigger(trigger)
            self.queues.pop()
        s.delayed = [d for d in s.delayed if not self._is_of_phase(d, when)]
        if self.timed(hook):
            self.me_first(event)

    def _due_abilities(self, event: Event, done: set[tuple[int, int, Kind]]) -> list[Trigger]:
        """Abilities in play that can happen now and have not happened in this phase."""
        condition = CONDITIONS[event.hook]
        found: list[Trigger] = []
        for source in self.listeners(event.hook):
            me = self.cards[source.card]
            self.tested = source
            if (source.card, source.stamp, source.kind) not in done and getattr(
                source.kind, condition
            )(me, event):
                found.append(Trigger(source, event.hook, event, me))
        self.tested = None
        return found

    def _is_of_phase(self, delayed: Delayed, when: int) -> bool:
        return delayed.when == when and (when != START or delayed.player == self.state.current)

    def _is_due(self, delayed: Delayed, when: int) -> bool:
        """Whether an effect set up earlier happens now, to a card that is still the same."""
        return self._is_of_phase(delayed, when) and self.is_life(delayed.card, delayed.life)

    def _delayed_trigger(self, delayed: Delayed) -> Trigger:
        event = Event(H_LATER)
        event.player = self.seat(delayed.player)
        source = Source(delayed.card, delayed.kind, 0)
        return Trigger(source, H_LATER, event, self.cards[delayed.card])

    def _uncovering(self, c: int, event: Event) -> Trigger:
        """A buried card as one of the things to be ordered; only its controller is asked."""
        return Trigger(Source(c, self.state.kind[c], 0), UNCOVER, event, self.cards[c])

    def _expire(self, until: int) -> bool:
        """Effects with this end are over; control goes back. Whether there were any."""
        s = self.state
        kept: list[Effect] = []
        over: list[Effect] = []
        for effect in s.effects:
            if effect.until != until or effect.until_player not in (NONE, s.current):
                kept.append(effect)
            else:
                over.append(effect)
        if not over:
            return False
        s.effects = kept
        self.touch()
        for effect in over:
            if effect.what == CONTROL:
                self.settle_control(effect.target)
            elif effect.what == LOST_ABILITIES:
                self.touch_abilities()
        return True

    def _pass_turn(self) -> None:
        """Extra turns come after the current one; then play goes on to the left."""
        s = self.state
        if s.extra_turns:
            s.current = s.extra_turns.pop(0)
        else:
            s.turn_order_from = (s.turn_order_from + 1) % self.players
            s.current = s.turn_order_from
        s.phase = START

    # --- game over --------------------------------------------------------------------------

    def madness_held(self, player: int) -> int:
        """Madness cards in a player's hand, deck and discard pile."""
        s = self.state
        return sum(
            kind.is_madness and s.zone[c] in (HAND, DECK, DISCARD) and s.place[c] == player
            for c, kind in enumerate(s.kind)
        )

    def check_victory(self) -> bool:
        """15 VP end the game for the player with the most; a tie goes on, turn by turn.

        With Madness: each two cost 1 VP at the end, then fewest Madness breaks ties, and what is
        tied still is shared (from 2016).
        """
        s = self.state
        if max(s.vp) < WINNING_VP:
            return False
        madness = [self.madness_held(p) for p in range(self.players)]
        final = [vp - held // 2 for vp, held in zip(s.vp, madness, strict=True)]
        best = [p for p in range(self.players) if final[p] == max(final)]
        if len(best) > 1 and self.setup.madness:
            fewest = min(madness[p] for p in best)
            best = [p for p in best if madness[p] == fewest]
        if len(best) > 1 and not (self.setup.madness and self.edition.madness_ties_shared):
            return False
        s.over = True
        s.phase = OVER
        s.winners = best
        if any(madness):
            s.vp = [max(0, vp) for vp in final]
        if self.logging:
            text = "{winners} wins!" if len(best) == 1 else "{winners} win!"
            self.log(text, winners=[self.player_name(p) for p in best])
            self.note(Change(GAME_OVER, rows=tuple((p, 1, s.vp[p]) for p in best)))
        return True
