"""The Big Score: the nine steps of scoring a base (Culture Shock p. 8-9)."""

from __future__ import annotations

from typing import Final

from smashup.engine.events.course import BaseReplaced, BaseScored, BaseScoring, PlaceAwarded
from smashup.engine.model.constants import BASE, BASE_DECK, BASE_DISCARD, NONE, SCORED, SET_ASIDE
from smashup.engine.model.decisions import (
    MOVES,
    PASS_MOVE,
    PLAY_CARD,
    TRIGGERS,
    USE_TALENT,
    Move,
    Purpose,
)
from smashup.engine.model.events import ActiveAbility, Event, Resolution, Trigger
from smashup.engine.model.hooks import Hook
from smashup.engine.model.table import Table
from smashup.engine.model.triggers import is_triggered
from smashup.engine.rules import (
    abilities,
    choosing,
    effects,
    menu,
    playing,
    queries,
    restrictions,
    specials,
)
from smashup.engine.rules.recording import record

H_AFTER_REPLACEMENT: Final = Hook.AFTER_REPLACEMENT.value
H_AFTER_SCORE: Final = Hook.AFTER_SCORE.value
H_BEFORE_SCORE: Final = Hook.BEFORE_SCORE.value
H_ON_SCORE: Final = Hook.ON_SCORE.value

NO_BASE: Final = -2
"""In place of the next base: the base being scored is not replaced."""


def score_one_base(table: Table, ready: list[int]) -> None:
    """Score one of the bases that are ready (steps 1, 2 and 9)."""
    s = table.state
    serial = ready[0]
    if len(ready) > 1:
        serial = choosing.ask_base(
            table,
            s.current,
            Purpose.ORDER_SCORING,
            "Several bases are ready: which scores first?",
            ready,
        )
    score_base(table, serial)


def score_base(table: Table, serial: int) -> None:
    """Score a base: windows, awards, and the base that replaces it."""
    s = table.state
    s.scoring = serial
    if table.logging:
        total = queries.base_total(table, serial)
        record(table, BaseScoring(serial, total, queries.breakpoint(table, serial)))
    scoring_window(table, H_BEFORE_SCORE, [])  # step 3
    if s.scoring != serial or serial not in s.site_at or not restrictions.can_score(table, serial):
        # A base that leaves play before VP are awarded, or cannot score by then, stops scoring.
        s.scoring = NONE
        return
    winners = _award(table, serial)  # step 4
    aside = [c for c in table.traits.titans if s.zone[c] == SET_ASIDE]
    scoring_window(table, H_AFTER_SCORE, winners)  # step 5
    if serial in s.site_at:
        _clear_and_replace(table, serial, winners, aside)  # steps 6 to 8
    s.scoring = NONE
    table.offered_bases = []
    table.after_replacement = []


def _award(table: Table, serial: int) -> list[int]:
    """Award VP for the first three places, then run "when scoring" abilities (step 4)."""
    s = table.state
    vp = s.definition[s.site_at[serial].base].vp
    ranking = queries.rank_players(table, serial)
    for player, place, total in ranking:
        amount = vp[place - 1]
        if table.logging:
            record(table, PlaceAwarded(player, serial, place, total, amount))
        s.vp[player] += amount
    winners = [player for player, place, _ in ranking if place == 1]
    table.runners_up = [player for player, place, _ in ranking if place == 2]
    table.present_players = sorted({s.controller[c] for c in s.site_at[serial].minions})
    event = _scoring_event(table, H_ON_SCORE, serial, winners)
    resolution = Resolution(abilities.RULES)
    table.resolutions.append(resolution)
    listening = [x for x in abilities.listeners(table, H_ON_SCORE) if _concerns(table, x, event)]
    places = [(player, place, vp[place - 1], power) for player, place, power in ranking]
    record(table, BaseScored(serial, places), listening, event)
    table.resolutions.pop()
    playing.settle(table, resolution)
    return winners


def _scoring_event(table: Table, hook: int, serial: int, winners: list[int]) -> Event:
    event = Event(hook)
    event.base = table.base(serial)
    event.player = table.player(table.state.current)
    order = table.clockwise(table.state.current)
    event.winners = [table.player(p) for p in order if p in winners]
    if hook != H_BEFORE_SCORE:
        event.runners_up = [table.player(p) for p in order if p in table.runners_up]
        event.present = [table.player(p) for p in order if p in table.present_players]
    return event


def _concerns(table: Table, ability: ActiveAbility, event: Event) -> bool:
    """Whether a scoring ability applies: at its own base, unless it says otherwise."""
    assert event.base is not None
    return (
        event.hook in ability.definition.at_any_base
        or event.hook in ability.definition.while_set_aside
        or table.site_serial(ability.card) == event.base.serial
    )


# --- windows before and after -----------------------------------------------------------


def scoring_window(table: Table, hook: int, winners: list[int]) -> None:
    """Resolve abilities in play in the current player's order, then Specials from hand.

    The 2014 booklet does not distinguish the two: players take turns with both.
    """
    event = _scoring_event(table, hook, table.state.scoring, winners)
    table.window = event
    if table.edition.in_play_first:
        _use_abilities_in_play(table, event)
        playing.me_first(table, event, _use_abilities_in_play)
    else:
        _rounds(table, event)
    table.window = None
    table.used_in_scoring = set()  # labels must not depend on a window that is over


def _usable_abilities(table: Table, event: Event) -> list[Trigger]:
    """Return abilities in play that can be used in the window and were not yet used in it."""
    found: list[Trigger] = []
    if not menu.is_window_open(table, event):
        return found
    for ability in abilities.listeners(table, event.hook):
        table.tested_ability = ability
        if (
            (ability.card, ability.stamp, ability.definition) not in table.used_in_scoring
            and _concerns(table, ability, event)
            and is_triggered(ability.definition, event.hook, table.cards[ability.card], event)
        ):
            found.append(Trigger(ability, event.hook, event, table.cards[ability.card]))
    table.tested_ability = None
    return found


def _use_ability(table: Table, trigger: Trigger) -> None:
    ability = trigger.ability
    table.used_in_scoring.add((ability.card, ability.stamp, ability.definition))
    playing.run_trigger(table, trigger)


def _use_abilities_in_play(table: Table, event: Event) -> None:
    """Use abilities in play, looked up again after each one, since cards come and go."""
    while usable := _usable_abilities(table, event):
        _use_ability(table, usable[choosing.ask_trigger(table, usable)])


def _rounds(table: Table, event: Event) -> None:
    """Let players use one Special each, in play or from hand, until all pass (2014, Moi d'abord
    !)."""
    s = table.state
    while bases := [
        x for x in _usable_abilities(table, event) if s.definition[x.ability.card].type == BASE
    ]:
        _use_ability(table, bases[0])
    order = table.clockwise(s.current)
    passes = 0
    turn = 0
    while passes < len(order):
        player = order[turn % len(order)]
        turn += 1
        moves = [
            Move(USE_TALENT, x.ability.card, ability=x.ability)
            for x in _usable_abilities(table, event)
            if s.controller[x.ability.card] == player
        ]
        moves.extend(specials.special_moves(table, player, event))
        passes += 1
        if moves or (
            table.setup.ask_everyone and specials.might_have_special(table, player, event)
        ):
            moves.append(PASS_MOVE)
            move = moves[
                choosing.ask(
                    table, player, Purpose.SPECIAL_WINDOW, "Use a Special, or pass?", MOVES, moves
                )
            ]
            if move.verb == PLAY_CARD:
                playing.play_card(table, player, move.card, move.place, move.on_card, None, event)
                passes = 0
            elif move.ability is not None:
                _use_ability(
                    table, Trigger(move.ability, event.hook, event, table.cards[move.card])
                )
                passes = 0


# --- back to your corners ---------------------------------------------------------------


def _clear_and_replace(table: Table, serial: int, winners: list[int], aside: list[int]) -> None:
    """Discard the cards and the base, then replace the base (steps 6 to 8).

    ``aside``: titans that were set aside when the base was won.

    What the discards trigger happens between 7 and 8, when neither base can be played on.
    """
    s = table.state
    resolution = Resolution(abilities.RULES)
    table.resolutions.append(resolution)
    effects.clear_site(table, serial, SCORED)
    index = effects.close_site(table, serial)
    table.resolutions.pop()
    playing.settle(table, resolution)
    resolution = Resolution(abilities.RULES)
    table.resolutions.append(resolution)
    new = _replace(table, min(index, len(s.sites)))
    table.resolutions.pop()
    playing.settle(table, resolution)
    later = table.after_replacement
    table.after_replacement = []
    if new == NONE:
        return
    event = _scoring_event(table, H_AFTER_REPLACEMENT, new, winners)
    event.cards = [table.cards[c] for c in aside]
    resolution = Resolution(abilities.RULES)
    table.resolutions.append(resolution)
    for trigger in later:
        trigger.event.base = table.base(new)
        resolution.queue.append(trigger)
    record(table, BaseReplaced(new), trigger=event)
    table.resolutions.pop()
    playing.settle(table, resolution)


def _replace(table: Table, index: int) -> int:
    """Put the top card of the base deck into play, or what card texts offer instead (step 8).

    Of several offers the current player chooses one (Culture Shock p. 15, Island Chain).
    """
    s = table.state
    ways = [
        way
        for way in table.offered_bases
        if way[1] < 0 or s.zone[way[1]] in (BASE_DISCARD, BASE_DECK)
    ]
    table.offered_bases = []
    extra = False
    base = NONE
    if ways:
        chosen = 0
        if len(ways) > 1:
            chosen = choosing.ask(
                table,
                s.current,
                Purpose.NEXT_BASE,
                "Which ability brings the next base?",
                TRIGGERS,
                [trigger for trigger, _ in ways],
            )
        base = ways[chosen][1]
        extra = base == NONE
    if base == NO_BASE:
        return NONE
    if base == NONE:
        base = effects.next_base(table)
    new = effects.play_base(table, base, index) if base != NONE else NONE
    if extra:
        play_extra_base(table)
    return new


def offer_next_base(table: Table, c: int, player: int, base: int) -> None:
    """Offer a choice for the replacement of the base being scored, by an ability of a card.

    A base of the base discard pile, one more base than usual (`NONE`), or none (`NO_BASE`).
    """
    event = Event(H_AFTER_SCORE)
    event.player = table.player(player)
    if base >= 0 and table.state.zone[base] == BASE_DISCARD:  # one in the deck is hidden
        event.cards = [table.cards[base]]
    way = Trigger(abilities.ability_of(table, c), H_AFTER_SCORE, event, table.cards[c])
    table.offered_bases.append((way, base))


def play_extra_base(table: Table) -> int:
    """Put the top card of the base deck into play as an additional base."""
    base = effects.next_base(table)
    return effects.play_base(table, base) if base != NONE else NONE


def replace_destroyed_base(table: Table, index: int) -> int:
    """Replace a base that an ability destroyed."""
    base = effects.next_base(table)
    return effects.play_base(table, base, index) if base != NONE else NONE
