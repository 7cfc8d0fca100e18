"""Trial runs: whether a card can do what the permission to play it demands.

Some texts allow only actions that directly affect, or directly raise, a given minion. Whether a
card qualifies is found by playing it on a copy of the table along the branches of its choices.
"""

from __future__ import annotations

from typing import Any, Final

from smashup.engine.card_api.card import Card
from smashup.engine.model.constants import ACTION, ANY_MINION, AT_BASE, NONE
from smashup.engine.model.decisions import CARDS, MOVES, PLAYERS, SITES, Decision, Move, Purpose
from smashup.engine.model.events import Cause
from smashup.engine.model.hooks import Hook
from smashup.engine.model.permissions import PlayPermission
from smashup.engine.model.state import State
from smashup.engine.model.table import Table
from smashup.engine.model.trials import Trial, TrialChoice, TrialSucceeded
from smashup.engine.replay import runner
from smashup.engine.rules import abilities, playing, queries, visibility
from smashup.engine.rules.choosing import AnswerNeeded

H_HOST_BONUS: Final = Hook.HOST_BONUS.value
H_HOST_PRINTED_POWER: Final = Hook.HOST_PRINTED_POWER.value
H_ON_PLAY: Final = Hook.ON_PLAY.value
H_REDIRECTS: Final = Hook.REDIRECTS.value

MAX_TRIALS = 250
"""How many branches of a card are tried before it is taken to be impossible."""
MAX_TRIALS_PER_CHOICE = 1500
"""How many trials may be spent on the options of one choice."""
MAX_PICKS = 2
"""How many cards are picked one by one where any number may be."""
MAX_TRIAL_DEPTH = 12
"""How many choices deep a trial goes."""

_STRENGTHENS_HOST = 1 << H_HOST_BONUS | 1 << H_HOST_PRINTED_POWER


def moves_satisfying(
    table: Table, player: int, moves: list[Move], permission: PlayPermission
) -> list[Move]:
    """The moves that can do what the permission demands.

    Each is tried on copies of the table, along every branch of its choices up to a bound.
    """
    if table.is_trial:
        return moves  # one trial inside another would tell nothing more
    trial_table: Table | None = None
    found: list[Move] = []
    for move in moves:
        if not _could_satisfy(table, move, permission):
            continue
        if _obviously_satisfies(table, player, move, permission):
            found.append(move)
            continue
        tried = Move(move.verb, move.card, move.place, move.on_card, permission)
        attempt = Trial(table.state, abilities.snapshot_index(table), player, tried)
        if trial_table is None:
            trial_table = _prepare_trial_table(table, attempt)
        if find_success(trial_table, attempt, [])[0] is not None:
            found.append(move)
    return found


def _could_satisfy(table: Table, move: Move, permission: PlayPermission) -> bool:
    """Whether a move is worth a trial: some cards say themselves that they cannot do it."""
    kind = table.state.definition[move.card]
    if not move.on_card and not kind.affects_minions:
        return False
    if permission.must_raise and not (kind.raises_minions or kind.hooks & _STRENGTHENS_HOST):
        return False
    acts = kind.hooks >> H_ON_PLAY & 1
    # What only lies there must lie where it should.
    return bool(acts) or (move.on_card and permission.must_affect in (NONE, ANY_MINION, move.place))


def _obviously_satisfies(table: Table, player: int, move: Move, permission: PlayPermission) -> bool:
    """Whether a move needs no trial: an action on the very minion, that takes hold there."""
    host = move.place
    if not move.on_card or permission.must_affect not in (NONE, ANY_MINION, host):
        return False
    if abilities.listeners(table, H_REDIRECTS) or queries.is_protected(
        table, host, Cause(move.card, player, ACTION, True)
    ):
        return False
    if not permission.must_raise:
        return True
    kind = table.state.definition[move.card]
    return (
        table.state.controller[host] == player
        and bool(kind.hooks >> H_HOST_BONUS & 1)
        and kind.host_bonus(table.cards[move.card], table.cards[host]) > 0
    )


def viable_options(table: Table, player: int, count: int) -> list[int] | None:
    """Of a card's options, those after which it can still do what its permission demands."""
    attempt = table.trials[-1]
    if count < 2 or player != attempt.player or attempt.resolution is not table.resolutions[-1]:
        return None
    position = table.cursor
    if table.policy is None and position in table.viable:
        return table.viable[position]
    found = _find_viable(table, attempt, count)
    if table.policy is None:  # the card runs again up to here after each answer
        table.viable[position] = found
    return found


def _find_viable(table: Table, attempt: Trial, count: int) -> list[int] | None:
    """The options after which a trial succeeds; None when all do, or none can any more.

    None can where hidden cards turned out differently than in the trials before. As long as
    they did not, the choices that made the card playable remain, whatever the bounds.
    """
    trial_table = _prepare_trial_table(table, attempt)
    known = attempt.witnesses
    witnesses: list[list[int]] = []
    viable: list[int] = []
    left = MAX_TRIALS_PER_CHOICE
    for option in range(count):
        chosen = [*attempt.answers, option]
        witness = next((w for w in known if w[: len(chosen)] == chosen), None)
        if witness is None and left > 0:
            witness, trials = find_success(trial_table, attempt, chosen, min(left, MAX_TRIALS))
            left -= trials
        if witness is not None:
            viable.append(option)
            witnesses.append(witness)
    attempt.witnesses = witnesses
    return viable if 0 < len(viable) < count else None


def find_success(
    table: Table, attempt: Trial, chosen: list[int], limit: int = MAX_TRIALS
) -> tuple[list[int] | None, int]:
    """On a trial table: choices, beginning with these, by which a card does what it must.

    And how many trials it took. None when there are no such choices, or the limit is reached.
    Branches that depart least from the best guesses are tried first.
    """
    start = len(chosen)
    prefixes: list[list[int]] = [chosen]
    trials = 0
    while trials < len(prefixes):  # breadth first
        prefix = prefixes[trials]
        trials += 1
        choices, succeeded = run_trial(table, attempt, start, prefix)
        taken = [choice.taken for choice in choices]
        if succeeded:
            return taken, trials
        if trials >= limit:
            return None, trials
        if len(prefixes) < limit:
            for number in range(len(prefix), len(choices)):
                choice = choices[number]
                for i in range(1, choice.count):
                    option = (choice.guess + i) % choice.count
                    if option >= choice.least:
                        prefixes.append([*taken[:number], option])
    return None, trials


def _prepare_trial_table(table: Table, attempt: Trial) -> Table:
    """A copy of the table on which the branches of a card can be tried one by one."""
    dealt = attempt.redealt
    if dealt is None or attempt.seen_by != table.state.seen_by or _has_drawn_cards(table, attempt):
        dealt = attempt.redealt = attempt.before.copy()
        attempt.seen_by = table.state.seen_by[:]
        attempt.witnesses = []
        _redeal_for_trial(table, attempt, dealt)
    trial = table.trial_table
    if trial is None:
        trial = table.trial_table = Table(table.setup, table.catalogue, table.services, dealt)
        trial.titan_ids = table.titan_ids
        trial.logging = False
        trial.recording = False
        trial.is_trial = True
    trial.checkpoint = dealt
    trial.checkpoint_index = attempt.index
    trial.trial_window = table.window
    trial.special_timings = table.special_timings
    return trial


def run_trial(
    table: Table, attempt: Trial, chosen: int, script: list[int]
) -> tuple[list[TrialChoice], bool]:
    """One trial, by a script and then by best guesses.

    Returns the card's choices, of which the first were really ``chosen``, and whether it succeeded.
    """
    runner.restore_checkpoint(table)
    table.window = table.trial_window
    choices: list[TrialChoice] = []
    asked: tuple[Purpose, int] | None = None

    def answer(decision: Decision) -> int:
        nonlocal asked
        number = len(choices)
        again = (decision.purpose, decision.source) == asked
        asked = decision.purpose, decision.source
        count = len(decision.options)
        if number >= chosen + MAX_TRIAL_DEPTH:
            raise AnswerNeeded
        if number >= chosen and decision.kind == MOVES:
            # What is played during the card is not what the card does: pass.
            choices.append(TrialChoice(1, count - 1, count - 1, 0))
            return count - 1
        guess = 0
        least = 0
        if number >= chosen:
            guess = _best_guess(table, decision, attempt, again)
            several = decision.multi_pick
            if several is not None and several.picked and not several.ordered and choices:
                # In one order is enough; and two picks show what more of them could do.
                least = choices[-1].taken if several.picked < MAX_PICKS else count
        taken = script[number] if number < len(script) else guess
        if taken >= count:
            raise AnswerNeeded
        least = max(least, _first_alternative(table, decision, attempt))
        choices.append(TrialChoice(count, guess, taken, least))
        return taken

    def pick_random(items: list[Any]) -> int:
        """Each outcome of a random pick is a branch, like an option: no offer depends on luck."""
        table.state.random_below(len(items))  # in step with the generator of the real table
        number = len(choices)
        if number >= chosen + MAX_TRIAL_DEPTH:
            raise AnswerNeeded
        guess = _best_pick(table, items, attempt)
        taken = script[number] if number < len(script) else guess
        if taken >= len(items):
            raise AnswerNeeded
        choices.append(TrialChoice(len(items), guess, taken, 0))
        return taken

    table.policy = answer
    table.random_policy = pick_random
    move = attempt.move
    succeeded = False
    try:
        playing.play_card(
            table, attempt.player, move.card, move.place, move.on_card, move.permission
        )
    except TrialSucceeded:
        succeeded = True
    except AnswerNeeded:
        pass
    return choices, succeeded


def _first_alternative(table: Table, decision: Decision, attempt: Trial) -> int:
    """The lowest option of a choice that is worth a trial beside the best guess.

    None in the middle of another card, which does not count. Of what other players choose
    only the last, by which they decline: nobody can tell what they pick.
    """
    if any(resolution.cause.is_being_played for resolution in table.resolutions[1:]):
        return len(decision.options)
    return 0 if decision.player == attempt.player else len(decision.options) - 1


def _best_guess(table: Table, decision: Decision, attempt: Trial, again: bool) -> int:
    """The option to try first: what the permission demands, if it is among them.

    Asked the same ``again``, one is enough of what may be declined.
    """
    permission = attempt.move.permission
    if decision.kind == CARDS and permission is not None:
        for i, c in enumerate(decision.options):
            if c != NONE and _is_wanted(table, c, attempt, permission):
                return i
        if again and decision.options[-1] == NONE:
            return len(decision.options) - 1
    elif decision.kind == PLAYERS and permission is not None and permission.must_affect >= 0:
        controller = table.state.controller[permission.must_affect]
        if controller in decision.options:
            return decision.options.index(controller)
    elif decision.kind == SITES and permission is not None:
        for i, serial in enumerate(decision.options):
            if serial != NONE and (
                serial == table.site_serial(permission.must_affect)
                if permission.must_affect >= 0
                else queries.count_minions(table, attempt.player, serial) > 0
            ):
                return i
    return 0


def _best_pick(table: Table, items: list[Any], attempt: Trial) -> int:
    """The outcome of a random pick to try first."""
    permission = attempt.move.permission
    if permission is not None:
        for i, item in enumerate(items):
            if isinstance(item, Card) and _is_wanted(table, item.id, attempt, permission):
                return i
    return 0


def _is_wanted(table: Table, c: int, attempt: Trial, permission: PlayPermission) -> bool:
    """Whether a card is one that the permission demands to affect."""
    return c == permission.must_affect or (
        permission.must_affect == NONE
        and table.state.zone[c] == AT_BASE
        and table.state.controller[c] == attempt.player
    )


def _redeal_for_trial(table: Table, attempt: Trial, s: State) -> None:
    """Redeal hidden cards for a trial, so that what is legal reveals nothing about them:
    the same cards wherever they really are.

    Not once the card has come to draw, show or shuffle some: what it did stays done.
    """
    now = table.state
    s.definition = now.definition[:]
    s.owner = now.owner[:]
    if _has_drawn_cards(table, attempt):
        return
    s.reseed(s.stamp)
    visibility.hidden_cards(table, attempt.player).deal(s.shuffle).lay(s)


def _has_drawn_cards(table: Table, attempt: Trial) -> bool:
    """Whether a card that is tried has come to draw or shuffle cards since it was played."""
    before = attempt.before
    return before.rng != table.state.rng or before.decks != table.state.decks
