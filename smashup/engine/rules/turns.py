"""The phases of a turn and the end of the game (Culture Shock p. 6-7, 9)."""

from __future__ import annotations

from typing import Final

from smashup.engine.events.course import GameOver, MadnessCounted, TurnStarted
from smashup.engine.model.constants import (
    AT_BASE,
    DRAW,
    END,
    END_OF_TURN,
    NONE,
    OVER,
    PLAY,
    SCORE,
    START,
    YOUR_NEXT_TURN,
)  # fmt: skip
from smashup.engine.model.decisions import DONE, MOVES, Move, Purpose, next_pick
from smashup.engine.model.definitions import CardDefinition
from smashup.engine.model.events import NO_SITE, UNCOVER, ActiveAbility, Event, Resolution, Trigger
from smashup.engine.model.hooks import Hook
from smashup.engine.model.state import (
    CONTROL,
    LOST_ABILITIES,
    NO_ACTIONS,
    NO_ACTIONS_NEXT_TURN,
    DelayedEffect,
    Effect,
)
from smashup.engine.model.table import Table
from smashup.engine.model.triggers import is_triggered
from smashup.engine.rules import (
    abilities,
    burying,
    choosing,
    menu,
    playing,
    scoring,
    table_checks,
    zones,
)
from smashup.engine.rules.permissions import ACTION_PLAY, MINION_PLAY
from smashup.engine.rules.recording import record

H_AFTER_DRAW: Final = Hook.AFTER_DRAW.value
H_END_OF_TURN: Final = Hook.END_OF_TURN.value
H_DELAYED_EFFECT: Final = Hook.DELAYED_EFFECT.value
H_STARTING_BREAKPOINT: Final = Hook.STARTING_BREAKPOINT.value
H_START_OF_TURN: Final = Hook.START_OF_TURN.value

HAND_LIMIT: Final = 10
IN_PLAY_AT_START: Final = -7
"""Key in the turn counts of a titan that was in play when the turn started."""
WINNING_VP: Final = 15


def start_turn(table: Table) -> None:
    """Start a turn: expire effects, resolve triggers, grant the regular plays."""
    s = table.state
    s.turn += 1
    s.phase = START
    s.used_this_turn = set()
    s.turn_counts = {}
    s.talents_used = set()
    if table.logging:
        record(table, TurnStarted(s.turn, s.current))
    # Effects that end now expire before anything else happens.
    _expire(table, YOUR_NEXT_TURN)
    for c in table.traits.titans:
        if s.zone[c] == AT_BASE and s.definition[c].notes_start_of_turn:
            s.turn_counts[(IN_PLAY_AT_START, c)] = 1
    _resolve_turn_event(table, H_START_OF_TURN, START)
    forget_departed_cards(table)
    s.phase = PLAY
    s.permissions = [MINION_PLAY, ACTION_PLAY]


def play_phase(table: Table) -> None:
    """Perform one move of the menu; the phase continues until the player ends it."""
    s = table.state
    moves = menu.play_menu(table, s.current)
    move = moves[
        choosing.ask(
            table, s.current, Purpose.PLAY_MENU, "Play cards or end the turn", MOVES, moves
        )
    ]
    take_from_menu(table, move)


def take_from_menu(table: Table, move: Move) -> None:
    """Perform the move the current player chose from the play menu."""
    s = table.state
    if move.verb == DONE:
        s.permissions = []
        s.phase = SCORE
    else:
        playing.perform_move(table, s.current, move)
    forget_departed_cards(table)


def forget_departed_cards(table: Table) -> None:
    """Drop the data of cards that left play: no rule needs it between cards."""
    table.last_play_site = NO_SITE
    if table.last_sites:
        table.last_sites.clear()
        table.last_powers.clear()
        table.last_hosts.clear()
        table.last_names.clear()
    if table.left_play:
        table.renew_handles()


def score_bases(table: Table, ready: list[int]) -> None:
    """Score one of the bases that are ready, or end the phase if none is."""
    if ready:
        scoring.score_one_base(table, ready)
        forget_departed_cards(table)
        return
    if not (table.edition.win_check_in_scoring and check_victory(table)):
        table.state.phase = DRAW


def draw_phase(table: Table) -> None:
    """Draw two cards and discard down to the hand limit."""
    s = table.state
    if abilities.has_listeners(table, H_AFTER_DRAW):
        resolution = Resolution(abilities.RULES)
        table.resolutions.append(resolution)
        zones.draw(table, s.current, 2)
        table.resolutions.pop()
        playing.settle(table, resolution)
    else:
        zones.draw(table, s.current, 2)
    excess = len(s.hands[s.current]) - HAND_LIMIT
    if excess > 0:
        resolution = Resolution(abilities.RULES)
        table.resolutions.append(resolution)
        zones.discard(table, s.current, pick_from_hand(table, s.current, excess))
        table.resolutions.pop()
        playing.settle(table, resolution)
    s.phase = END


def pick_from_hand(table: Table, player: int, count: int) -> list[int]:
    """Have a player pick cards of their hand one by one, to discard them together."""
    picked: list[int] = []
    hand = table.state.hands[player]
    while len(picked) < count:
        left = [c for c in hand if c not in picked]
        if not left:
            break
        more = count - len(picked)
        table.multi_pick = next_pick(len(picked), more, more, len(left))
        picked.append(
            choosing.ask_card(table, player, Purpose.DISCARD, "Discard which card?", left)
        )
        table.multi_pick = None
    return picked


def end_turn(table: Table) -> None:
    """Resolve what happens at the end of the turn, then expire effects, all at once."""
    s = table.state
    _resolve_turn_event(table, H_END_OF_TURN, END)
    changed = _expire(table, END_OF_TURN)
    lasting = [x for x in s.abilities if not x.until_end_of_turn]
    if len(lasting) < len(s.abilities):
        s.abilities = lasting
        abilities.invalidate_abilities(table)
        changed = True
    if changed:
        playing.settle(table, Resolution(abilities.RULES))
    forget_departed_cards(table)
    if not check_victory(table):
        _pass_turn(table)


def _resolve_turn_event(table: Table, hook: int, when: int) -> None:
    """Resolve everything that happens at the start or end of a turn, in the chosen order.

    "All of them can happen, in the order the current player chooses" (Culture Shock p. 6):
    each condition is checked when its turn comes, so that others may make it possible.
    """
    s = table.state
    index = table.index or abilities.ability_index(table)
    uncovers = when == START and burying.has_buried_cards(table)
    if not (s.delayed or index[hook] or uncovers):
        if len(index[H_STARTING_BREAKPOINT]) > 1:
            table_checks.choose_breakpoint_resets(table)
        return
    event = Event(hook)
    event.player = table.player(s.current)
    playing.settle(table, Resolution(abilities.RULES))
    done: set[tuple[int, int, CardDefinition]] = set()
    may_uncover = when == START
    while True:
        possible = _due_abilities(table, event, done)
        ability_count = len(possible)
        delayed = [d for d in s.delayed if _is_due(table, d, when)]
        possible += [_delayed_trigger(table, d) for d in delayed]
        buried = burying.buried_cards(table, s.current) if may_uncover else []
        if buried and not possible:
            may_uncover = False
            burying.uncover(table, s.current, burying.ask_uncover(table, s.current, buried))
            continue
        possible += [_uncovering(table, c, event) for c in buried]
        if not possible:
            break
        chosen = choosing.ask_trigger(table, possible)
        trigger = possible.pop(chosen)
        table.trigger_queues.append(possible)
        if trigger.hook == UNCOVER:
            may_uncover = False
            burying.uncover(table, s.current, trigger.ability.card)
        elif chosen >= ability_count:
            s.delayed.remove(delayed[chosen - ability_count])
            playing.run_trigger(table, trigger)
        else:
            done.add((trigger.ability.card, trigger.ability.stamp, trigger.ability.definition))
            playing.run_trigger(table, trigger)
        table.trigger_queues.pop()
    s.delayed = [d for d in s.delayed if not _is_of_phase(table, d, when)]
    if abilities.specials_for(table, hook):
        playing.me_first(table, event)


def _due_abilities(
    table: Table, event: Event, done: set[tuple[int, int, CardDefinition]]
) -> list[Trigger]:
    """Return abilities in play that can resolve now and have not resolved in this phase."""
    found: list[Trigger] = []
    for ability in abilities.listeners(table, event.hook):
        me = table.cards[ability.card]
        table.tested_ability = ability
        key = (ability.card, ability.stamp, ability.definition)
        if key not in done and is_triggered(ability.definition, event.hook, me, event):
            found.append(Trigger(ability, event.hook, event, me))
    table.tested_ability = None
    return found


def _is_of_phase(table: Table, delayed: DelayedEffect, when: int) -> bool:
    return delayed.when == when and (when != START or delayed.player == table.state.current)


def _is_due(table: Table, delayed: DelayedEffect, when: int) -> bool:
    """Whether a delayed effect happens now, to a card still in the same life."""
    return _is_of_phase(table, delayed, when) and table.is_life(delayed.card, delayed.life)


def _delayed_trigger(table: Table, delayed: DelayedEffect) -> Trigger:
    event = Event(H_DELAYED_EFFECT)
    event.player = table.player(delayed.player)
    ability = ActiveAbility(delayed.card, delayed.definition, 0)
    return Trigger(ability, H_DELAYED_EFFECT, event, table.cards[delayed.card])


def _uncovering(table: Table, c: int, event: Event) -> Trigger:
    """Return the uncovering of a buried card as a trigger to order; only its controller decides."""
    return Trigger(ActiveAbility(c, table.state.definition[c], 0), UNCOVER, event, table.cards[c])


def _expire(table: Table, until: int) -> bool:
    """Expire effects that end now and return control; return whether there were any."""
    s = table.state
    if not s.effects:
        return False
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
    abilities.invalidate_board(table)
    for effect in over:
        if effect.kind == CONTROL:
            zones.update_controller(table, effect.target)
        elif effect.kind == LOST_ABILITIES:
            abilities.invalidate_abilities(table)
        elif effect.kind == NO_ACTIONS_NEXT_TURN:
            abilities.add_effect(table, NO_ACTIONS, NONE, 0, effect.player, END_OF_TURN)
    return True


def _pass_turn(table: Table) -> None:
    """Pass the turn: extra turns first, then to the left."""
    s = table.state
    if s.extra_turns:
        s.current = s.extra_turns.pop(0)
    else:
        s.turn_order_from = (s.turn_order_from + 1) % table.num_players
        s.current = s.turn_order_from
    s.phase = START


# --- game over --------------------------------------------------------------------------


def count_madness(table: Table, player: int) -> int:
    """Count the Madness cards in a player's hand, deck and discard pile."""
    if not table.traits.has_madness:
        return 0
    s = table.state
    definitions = s.definition
    cards = s.hands[player] + s.decks[player] + s.discards[player]
    return len([c for c in cards if definitions[c].is_madness])


def check_victory(table: Table) -> bool:
    """Check whether the game is won: 15 VP and the most VP; in a tie the game continues.

    With Madness, every two cards cost 1 VP at the end, the fewest Madness cards break ties, and
    players still tied share the win (from 2016).
    """
    s = table.state
    if not any(vp >= WINNING_VP for vp in s.vp):
        return False
    madness = [count_madness(table, p) for p in range(table.num_players)]
    final = [vp - held // 2 for vp, held in zip(s.vp, madness, strict=True)]
    best = [p for p in range(table.num_players) if final[p] == max(final)]
    if len(best) > 1 and table.traits.has_madness:
        fewest = min(madness[p] for p in best)
        best = [p for p in best if madness[p] == fewest]
    if len(best) > 1 and not (table.traits.has_madness and table.edition.madness_ties_shared):
        return False
    s.over = True
    s.phase = OVER
    s.winners = best
    if any(madness):
        if table.logging:
            for player, held in enumerate(madness):
                if held:
                    record(table, MadnessCounted(player, held, held // 2))
        s.vp = [max(0, vp) for vp in final]
    if table.logging:
        record(table, GameOver(best, [s.vp[p] for p in best]))
    return True
