"""Playing cards and resolving what they trigger.

Culture Shock p. 7, Card Resolution Order: the card just played or triggered; cards in the middle
of resolving; cards in play it triggered; cards in hand it triggered; its discard.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from smashup.engine.events.movement import (
    CardPlaced,
    CardPlayed,
    PlayResolved,
    SpecialResolved,
    TalentResolved,
    TalentUsed,
)
from smashup.engine.events.visible_events import BY_PLAY
from smashup.engine.model.constants import (
    AT_BASE,
    BASE,
    BURIED,
    DISCARD,
    HAND,
    LIMBO,
    NONE,
    TITAN,
)
from smashup.engine.model.decisions import (
    MOVES,
    PASS,
    PASS_MOVE,
    PLAY_CARD,
    USE_TALENT,
    Move,
    Purpose,
)
from smashup.engine.model.definitions import CardDefinition
from smashup.engine.model.events import NO_SITE, ActiveAbility, Cause, Event, Resolution, Trigger
from smashup.engine.model.hooks import Hook
from smashup.engine.model.permissions import PlayPermission
from smashup.engine.model.table import Table
from smashup.engine.model.trials import Trial
from smashup.engine.model.triggers import resolve
from smashup.engine.rules import (
    abilities,
    choosing,
    direct_effects,
    play_counts,
    protection,
    queries,
    specials,
    table_checks,
    zones,
)
from smashup.engine.rules.choosing import AnswerNeeded
from smashup.engine.rules.permissions import replaced_play
from smashup.engine.rules.recording import is_observed, record

if TYPE_CHECKING:
    from smashup.engine.card_api import Card

H_AFTER_BASE_PLAYED: Final = Hook.AFTER_BASE_PLAYED.value
H_AFTER_PLAY: Final = Hook.AFTER_PLAY.value
H_AFTER_REPLACEMENT: Final = Hook.AFTER_REPLACEMENT.value
H_AFTER_SCORE: Final = Hook.AFTER_SCORE.value
H_AFTER_SPECIAL: Final = Hook.AFTER_SPECIAL.value
H_AFTER_TALENT: Final = Hook.AFTER_TALENT.value
H_BEFORE_SCORE: Final = Hook.BEFORE_SCORE.value
H_HOST_BONUS: Final = Hook.HOST_BONUS.value
H_HOST_PRINTED_POWER: Final = Hook.HOST_PRINTED_POWER.value
H_DELAYED_EFFECT: Final = Hook.DELAYED_EFFECT.value
H_ON_PLAY: Final = Hook.ON_PLAY.value
H_ON_SCORE: Final = Hook.ON_SCORE.value

_PLAYED: Final = 1 << H_ON_PLAY
_OF_NO_PLAYER: Final = (
    H_BEFORE_SCORE, H_ON_SCORE, H_AFTER_SCORE, H_AFTER_REPLACEMENT, H_AFTER_BASE_PLAYED,
)  # fmt: skip
"""Events that no player causes, not even the current one."""


# --- using a talent ---------------------------------------------------------------------


def use_talent(table: Table, ability: ActiveAbility) -> None:
    """Resolve a talent and what it triggers."""
    s = table.state
    c = ability.card
    s.talents_used.add((c, ability.stamp))
    if table.logging:
        record(table, TalentUsed(s.controller[c], c))
    listening = abilities.listeners(table, H_AFTER_TALENT)[:]
    event = Event(H_AFTER_TALENT)
    event.card = table.cards[c]
    event.player = table.player(s.controller[c])
    event.base = table.base(table.site_serial(c))
    resolution = Resolution(abilities.cause_of(table, c))
    resolution.ability = ability
    special = Hook.TALENT in ability.definition.special_abilities
    resolution.special = special
    table.resolutions.append(resolution)
    ability.definition.talent(table.cards[c])
    if special:
        _record_special(table, c, event.player.index)
    elif table.logging or listening or abilities.specials_for(table, H_AFTER_TALENT):
        record(table, TalentResolved(event.player.index, c), listening, event)
    table.resolutions.pop()
    settle(table, resolution)


# --- playing a card ---------------------------------------------------------------------


def perform_move(table: Table, player: int, move: Move) -> None:
    """Perform a move from a menu."""
    if move.verb == PLAY_CARD:
        right = move.permission
        special = table.state.definition[move.card].type == TITAN or (
            right is not None and right.is_own_special
        )
        play_card(table, player, move.card, move.place, move.on_card, right, special=special)
    elif move.verb == USE_TALENT:
        assert move.ability is not None
        use_talent(table, move.ability)
    elif table.table_script is not None:
        resolution = Resolution(abilities.RULES)
        table.resolutions.append(resolution)
        table.table_script.perform(table, move)
        table.resolutions.pop()
        settle(table, resolution)


def use_permission(table: Table, player: int, permission: PlayPermission | None) -> None:
    """Mark a permission as used."""
    s = table.state
    if permission is None:
        return
    if permission in s.permissions:
        s.permissions.remove(permission)
    elif permission.once_per_turn_key:
        s.used_this_turn.add(permission.usage_key(player, s.lives[permission.source_card]))
    if permission.replaces is not None:
        use_permission(table, player, permission.replaces)
    elif permission.instead_of and (replaced := replaced_play(table, permission)) is not None:
        s.permissions.remove(replaced)


def play_card(
    table: Table,
    player: int,
    c: int,
    place: int,
    on_card: bool,
    permission: PlayPermission | None,
    window: Event | None = None,
    special: bool = False,
) -> Card:
    """Have a player play a card; ``window`` is the event at which its Special was played.

    Return the card in the life in which it was played.
    ``special``: whether the card's own Special allows the play.
    """
    s = table.state
    definition = s.definition[c]
    if window is None and definition.special == "only":
        window = table.window  # a card played as an extra action uses its Special too
    trial: Trial | None = None
    if permission is not None and permission.has_demands and not table.is_trial:
        move = Move(PLAY_CARD, c, place, on_card, permission)
        trial = Trial(s.copy(), abilities.snapshot_index(table), player, move, table.cursor)
    use_permission(table, player, permission)
    if place == NONE and definition.fused_action is not None:
        definition = s.definition[c] = definition.fused_action
    event = Event(H_AFTER_PLAY)
    event.player = table.player_handles[player]
    event.how = BURIED if permission is not None and permission.from_zone == BURIED else s.zone[c]
    # The abilities that can trigger are determined now, even if the card destroys some.
    listening = abilities.listeners(table, H_AFTER_PLAY)[:]
    if listening:
        zone = s.zone
        event.positions = {
            x.card: s.place[x.card] if zone[x.card] == AT_BASE else table.site_serial(x.card)
            for x in listening
        }
    resolution = Resolution(Cause(c, player, definition.type, True))
    resolution.permission = permission
    resolution.event = window
    resolution.special = window is not None
    table.resolutions.append(resolution)
    if trial is not None:
        trial.resolution = resolution
        table.trials.append(trial)
    _enter_play(table, player, c, place, on_card, resolution)
    event.card = table.cards[c]
    serial = table.site_serial(c)
    event.base = table.base(serial) if serial != NONE else None
    play_counts.count_play(table, player, definition, serial, event)
    if table.logging:
        record(table, CardPlayed(player, c, s.place[c] if on_card else NONE, serial))
    if definition.hooks & _PLAYED:
        definition.on_play(event.card)
    if table.is_trial and len(table.resolutions) == 1:
        raise AnswerNeeded  # its direct effects are complete
    if trial is not None:
        table.trials = [x for x in table.trials if x is not trial]
    follow_up = permission.follow_up if permission is not None else None
    giver = permission.replaces or permission if permission is not None else None
    if follow_up is not None and giver is not None and giver.controls_destination:
        follow_up.on_granted_play(table.cards[giver.source_card], event.card, event.player)
    if listening or follow_up is not None or is_observed(table, H_AFTER_PLAY):
        direct = resolution.direct_effects
        if direct is not None:
            event.affected = direct.affected
            event.affected_at = direct.places
            event.affected_of = direct.controllers
            event.raised = direct.raised
        if table.logging:
            record(table, PlayResolved(player, c), listening, event)
        else:
            abilities.emit(table, event, listening)
    if window is not None or special:
        _record_special(table, c, player)
    table.resolutions.pop()
    if follow_up is not None and giver is not None:
        table.follow_ups.append((c, giver.source_card))
    if table.resolutions and not table.edition.nested_first:
        outer = table.resolutions[-1]
        outer.nested = [*(outer.nested or ()), resolution]
    else:
        settle(table, resolution)
    if follow_up is not None and giver is not None:
        table.follow_ups.pop()
        if not giver.controls_destination:
            _follow_up(table, follow_up, giver.source_card, event)
    table.last_play_site = event.base.serial if event.base is not None else NO_SITE
    return event.card


def _follow_up(table: Table, follow_up: CardDefinition, origin: int, event: Event) -> None:
    """Run the follow-up of the card that granted the permission for this play."""
    resolution = Resolution(abilities.cause_of(table, origin))
    resolution.event = event
    table.resolutions.append(resolution)
    follow_up.on_granted_play(table.cards[origin], event.card, event.player)
    table.resolutions.pop()
    settle(table, resolution)


def _enter_play(
    table: Table, player: int, c: int, place: int, on_card: bool, resolution: Resolution
) -> None:
    s = table.state
    definition = s.definition[c]
    if on_card:
        zones.reveal(table, c)  # players see it before they may redirect it
        host = direct_effects.redirect(table, place, resolution.cause)
        printed = queries.printed_power(table, host)
        affected = not protection.is_protected(table, host, resolution.cause)
        if affected:
            affected = direct_effects.note_affected(table, host)
        table.move_reason = BY_PLAY
        zones.attach(table, c, host, player)
        table.move_reason = 0
        if affected:
            note_raised_host(table, definition, c, host, printed)
    elif place != NONE:
        table.move_reason = BY_PLAY
        zones.enter_base(table, c, place, player)
        table.move_reason = 0
        if definition.type == TITAN:
            table.arrived_titans.append(c)
    else:
        zones.reveal(table, c)
        zones.take_from_zone(table, c)
        s.controller[c] = player
        table.move_reason = BY_PLAY
        zones.put_into_zone(table, c, LIMBO, player)
        table.move_reason = 0
        resolution.card_to_discard = c


def note_raised_host(
    table: Table, definition: CardDefinition, c: int, host: int, printed: int
) -> None:
    """Record that an action which gives its host power, or a higher printed power, raises it
    directly.

    ``definition``: its own ability, or one it has just copied.
    """
    me = table.cards[c]
    if (
        definition.hooks >> H_HOST_BONUS & 1 and definition.host_bonus(me, table.cards[host]) > 0
    ) or (
        definition.hooks >> H_HOST_PRINTED_POWER & 1
        and definition.host_printed_power(me, table.cards[host]) > printed
    ):
        direct_effects.note_raised(table, host)


def _record_special(table: Table, c: int, player: int) -> None:
    if is_observed(table, H_AFTER_SPECIAL):
        record(table, SpecialResolved(player, c, table.site_serial(c)))


# --- settling ---------------------------------------------------------------------------


def settle(table: Table, resolution: Resolution) -> None:
    """Resolve what a finished card triggered: steps 2 to 5 of the resolution order."""
    if not table.is_checked or table.arrived_titans:
        table_checks.check_table(table, resolution)
    if resolution.nested is not None:
        for inner in resolution.nested:
            settle(table, inner)
    if resolution.queue:
        run_triggers(table, resolution.queue)
    if resolution.hand_events is not None:
        for event in resolution.hand_events:
            me_first(table, event)
    c = resolution.card_to_discard
    if c != NONE:
        if table.state.zone[c] == LIMBO:
            _discard_played(table, c)
        elif table.destinations:
            table.destinations.pop(c, None)  # it has another destination


def _discard_played(table: Table, c: int) -> None:
    """Move a standard action to its owner's discard pile, or where its text says (step 5)."""
    owner = queries.owner_of(table, c)
    to = table.destinations.pop(c, DISCARD) if table.destinations else DISCARD
    if to != DISCARD:
        you = table.state.controller[c]
        home = zones.home_of(table, c, you, True)
        if table.logging:
            record(table, CardPlaced(home, c, to, taken=to == HAND and home == you))
        zones.place_card(table, c, to, home)
        return
    zones.take_from_zone(table, c)
    zones.put_into_zone(table, c, DISCARD, owner)
    if table.logging and owner != table.state.controller[c]:
        zones.log_foreign_discard(table, c)


def run_triggers(table: Table, queue: list[Trigger]) -> None:
    """Resolve triggered abilities one at a time, in the order the current player chooses."""
    table.trigger_queues.append(queue)
    while queue:
        run_trigger(table, queue.pop(choosing.ask_trigger(table, queue)))
    table.trigger_queues.pop()


def run_trigger(table: Table, trigger: Trigger) -> None:
    """Resolve a triggered ability and what it triggers in turn."""
    ability = trigger.ability
    c = ability.card
    special = trigger.hook in ability.definition.special_abilities
    resolution = Resolution(_cause_of_trigger(table, trigger))
    resolution.ability = ability
    resolution.event = trigger.event
    resolution.special = special
    table.resolutions.append(resolution)
    resolve(ability.definition, trigger.hook, trigger.card, trigger.event)
    if special and not resolution.declined:
        _record_special(table, c, table.state.controller[c])
    table.resolutions.pop()
    settle(table, resolution)


def _cause_of_trigger(table: Table, trigger: Trigger) -> Cause:
    """Return the cause of a trigger: the card with the ability; for delayed effects, the card that
    set it up."""
    c = trigger.ability.card
    user = trigger.event.player.index
    if trigger.hook == H_DELAYED_EFFECT:
        definition = trigger.ability.definition
        return Cause(c, NONE if definition.type == BASE else user, definition.type, False, user)
    definition = table.state.definition[c]
    if definition.type != BASE:
        return Cause(c, trigger.card.controller.index, definition.type, False)
    # What a base does when it enters play or scores is not caused by the current player.
    return Cause(c, NONE, BASE, False, NONE if trigger.hook in _OF_NO_PLAYER else user)


# --- Me First! --------------------------------------------------------------------------


def me_first(
    table: Table, event: Event, after_each: Callable[[Table, Event], None] | None = None
) -> bool:
    """Let players use Specials from hand, one each clockwise, until all pass in sequence (p. 8).

    Return whether any was played. Players with nothing to play are skipped, unless the
    setup asks everyone who might hold one.
    """
    if not abilities.specials_for(table, event.hook):
        return False
    everyone = table.setup.ask_everyone
    players = table.num_players
    player = table.state.current - 1
    passes = 0
    played = False
    # An ability reacts to an event once, even if its card is back in hand; "before a base
    # scores" is not an event but a time to play.
    once = event.hook not in (H_BEFORE_SCORE, H_AFTER_SCORE)
    answered: set[int] = set()
    while passes < players:
        player = (player + 1) % players
        moves = specials.special_moves(table, player, event, answered)
        if moves or (everyone and specials.might_have_special(table, player, event, answered)):
            moves.append(PASS_MOVE)
            move = moves[
                choosing.ask(
                    table, player, Purpose.SPECIAL_WINDOW, "Play a Special, or pass?", MOVES, moves
                )
            ]
            if move.verb != PASS:
                if once:
                    answered.add(move.card)
                play_card(table, player, move.card, move.place, move.on_card, None, event)
                if after_each is not None:
                    after_each(table, event)
                passes = 0
                played = True
                continue
        passes += 1
    return played
