"""Trials: whether a card can do what the permission to play it demands.

Some cards allow only actions that directly affect, or directly raise, a given minion. A trial plays
the card on a copy of the table along the branches of its choices to find out whether it qualifies.
"""

from __future__ import annotations

from typing import Final

from smashup.engine.model.constants import ACTION, ANY_MINION, NONE
from smashup.engine.model.decisions import Move
from smashup.engine.model.events import Cause
from smashup.engine.model.hooks import Hook
from smashup.engine.model.permissions import PlayPermission
from smashup.engine.model.table import Table
from smashup.engine.model.trials import DEAL_COUNT, Trial, TrialDeals
from smashup.engine.replay.trial_runs import TrialRun
from smashup.engine.rules import abilities, protection, visibility

H_HOST_BONUS: Final = Hook.HOST_BONUS.value
H_HOST_PRINTED_POWER: Final = Hook.HOST_PRINTED_POWER.value
H_ON_PLAY: Final = Hook.ON_PLAY.value
H_REDIRECTS: Final = Hook.REDIRECTS.value

MAX_TRIALS: Final = 250
"""The maximum number of branches tried before a card counts as impossible."""
MAX_TRIALS_PER_CHOICE: Final = 1500
"""The maximum number of trials for the options of one choice."""

_STRENGTHENS_HOST: Final = 1 << H_HOST_BONUS | 1 << H_HOST_PRINTED_POWER


def moves_satisfying(
    table: Table, player: int, moves: list[Move], permission: PlayPermission
) -> list[Move]:
    """Return the moves that can do what the permission demands.

    Each move is tried on copies of the table along all branches of its choices, up to a limit.
    """
    if table.is_trial:
        return moves  # trials are not nested
    trial_table: Table | None = None
    deals: TrialDeals | None = None
    found: list[Move] = []
    for move in moves:
        if not _could_satisfy(table, move, permission):
            continue
        if _obviously_satisfies(table, player, move, permission):
            found.append(move)
            continue
        tried = Move(move.verb, move.card, move.place, move.on_card, permission)
        trial = Trial(table.state, abilities.snapshot_index(table), player, tried)
        if trial_table is None:
            trial_table = _prepare_trial_table(table, trial)
            deals = trial.deals
        trial.deals = deals
        if find_success(trial_table, trial, [])[0] is not None:
            found.append(move)
    return found


def _could_satisfy(table: Table, move: Move, permission: PlayPermission) -> bool:
    """Whether a move is worth a trial: some cards declare that they cannot do it."""
    definition = table.state.definition[move.card]
    if not move.on_card and not definition.affects_minions:
        return False
    if permission.must_raise and not (
        definition.raises_minions or definition.hooks & _STRENGTHENS_HOST
    ):
        return False
    acts = definition.hooks >> H_ON_PLAY & 1
    # A card that only stays in play must be on the right minion.
    return bool(acts) or (move.on_card and permission.must_affect in (NONE, ANY_MINION, move.place))


def _obviously_satisfies(table: Table, player: int, move: Move, permission: PlayPermission) -> bool:
    """Whether a move needs no trial: an action on that minion, which is not protected from it."""
    host = move.place
    if not move.on_card or permission.must_affect not in (NONE, ANY_MINION, host):
        return False
    if abilities.listeners(table, H_REDIRECTS) or protection.is_protected(
        table, host, Cause(move.card, player, ACTION, True)
    ):
        return False
    if not permission.must_raise:
        return True
    definition = table.state.definition[move.card]
    return (
        table.state.controller[host] == player
        and bool(definition.hooks >> H_HOST_BONUS & 1)
        and definition.host_bonus(table.cards[move.card], table.cards[host]) > 0
    )


def viable_options(table: Table, player: int, count: int) -> list[int] | None:
    """Return the options after which a card can still do what its permission demands."""
    trial = table.trials[-1]
    if count < 2 or player != trial.player or trial.resolution is not table.resolutions[-1]:
        return None
    return _find_viable(table, trial, count)


def _find_viable(table: Table, trial: Trial, count: int) -> list[int] | None:
    """Return the options after which a trial succeeds; None if all do, or none can any more.

    None can if hidden cards differ from those in earlier trials. As long as they do not
    differ, the choices that made the card playable remain, regardless of the limits.
    """
    trial_table = _prepare_trial_table(table, trial)
    known = trial.witnesses
    witnesses: list[list[int]] = []
    viable: list[int] = []
    left = MAX_TRIALS_PER_CHOICE
    for option in range(count):
        chosen = [*trial.answers, option]
        witness = next((w for w in known if w[: len(chosen)] == chosen), None)
        if witness is None and left > 0:
            witness, trials = find_success(trial_table, trial, chosen, min(left, MAX_TRIALS))
            left -= trials
        if witness is not None:
            viable.append(option)
            witnesses.append(witness)
    trial.witnesses = witnesses
    return viable if 0 < len(viable) < count else None


def find_success(
    table: Table, trial: Trial, chosen: list[int], limit: int = MAX_TRIALS
) -> tuple[list[int] | None, int]:
    """Find choices on a trial table, beginning with these, by which a card does what is demanded.

    Return them and the number of trials. None if there are no such choices, or none were found
    within the limit, for any way to deal hidden cards. If these do not matter, one way is enough.
    """
    trials = 0
    used = 0
    deals = trial.deals
    assert deals is not None
    for number in range(DEAL_COUNT):
        if number and not deals.is_relevant(number, used):
            continue
        _lay_deal(table, trial, deals, number)
        search = _BranchSearch(table, trial, chosen, number)
        witness = search.run(limit)
        trials += search.trials
        used |= search.used_hidden_cards
        if witness is not None:
            return witness, trials
    return None, trials


class _BranchSearch:
    """A breadth-first search for choices that succeed, for one deal of the hidden cards."""

    def __init__(self, table: Table, trial: Trial, chosen: list[int], deal: int) -> None:
        self.table = table
        self.trial = trial
        self.chosen = chosen
        self.deal = deal
        self.trials = 0
        self.used_hidden_cards = 0

    def run(self, limit: int) -> list[int] | None:
        """Return the choices. Branches closest to the best guesses are tried first."""
        start = len(self.chosen)
        prefixes: list[list[int]] = [self.chosen]
        while self.trials < min(len(prefixes), limit):
            prefix = prefixes[self.trials]
            self.trials += 1
            run = TrialRun(self.table, self.trial, start, prefix, self.deal)
            succeeded = run.play()
            taken = [choice.taken for choice in run.choices]
            if succeeded:
                return taken
            self.used_hidden_cards |= run.used_hidden_cards
            if len(prefixes) < limit:
                for number in range(len(prefix), len(run.choices)):
                    choice = run.choices[number]
                    for i in range(1, choice.count):
                        option = (choice.guess + i) % choice.count
                        if option >= choice.lowest:
                            prefixes.append([*taken[:number], option])
        return None


def _prepare_trial_table(table: Table, trial: Trial) -> Table:
    """Return a copy of the table for trying the branches of a card."""
    has_drawn = _has_drawn_cards(table, trial)
    if trial.deals is None or has_drawn or trial.seen_by != table.state.seen_by:
        hidden = visibility.hidden_cards(table, trial.player)
        if has_drawn:  # its effects stay: only the cards that are hidden now are redealt
            question = table.cursor - trial.first_question
            trial.deals = TrialDeals(table.state.copy(), hidden, question)
        else:
            trial.deals = TrialDeals(trial.before, hidden, None)
        trial.seen_by = table.state.seen_by[:]
        trial.witnesses = []
    trial_table = table.trial_table
    if trial_table is None:
        trial_table = table.trial_table = Table(
            table.setup, table.catalogue, table.services, trial.before, table.traits
        )
        trial_table.logging = False
        trial_table.recording = False
        trial_table.is_trial = True
    trial_table.checkpoint_index = trial.index
    trial_table.trial_window = table.window
    return trial_table


def _lay_deal(table: Table, trial: Trial, deals: TrialDeals, number: int) -> None:
    """Deal hidden cards on a trial table, the same ones wherever they really are, so that the legal
    options reveal nothing about them."""
    if number not in deals.checkpoints:
        before = trial.before.copy()
        if deals.question is None:
            deals.deal(number).lay(before)
        else:
            before.definition = deals.real.definition[:]
            before.owner = deals.real.owner[:]
        deals.checkpoints[number] = before
    table.checkpoint = deals.checkpoints[number]
    table.redeals = [] if deals.question is None else [(deals.question, deals.deal(number), number)]


def _has_drawn_cards(table: Table, trial: Trial) -> bool:
    """Whether the card has drawn or shuffled cards since it was played."""
    before = trial.before
    return before.rng != table.state.rng or before.decks != table.state.decks
