"""One run of a trial: a card is played on a copy of the table, by a script and then by best
guesses."""

from __future__ import annotations

from typing import Any, Final

from smashup.engine.card_api.card import Card
from smashup.engine.model.constants import AT_BASE, NONE
from smashup.engine.model.decisions import CARDS, MOVES, PLAYERS, SITES, Decision, Purpose
from smashup.engine.model.permissions import PlayPermission
from smashup.engine.model.randomness import RandomPolicy
from smashup.engine.model.table import Table
from smashup.engine.model.trials import (
    IN_DECKS,
    Trial,
    TrialChoice,
    TrialSucceeded,
    arrange_cards,
)
from smashup.engine.replay import runner
from smashup.engine.rules import playing, queries
from smashup.engine.rules.choosing import AnswerNeeded

MAX_PICKS: Final = 2
"""The maximum number of picks if any number is allowed."""
MAX_TRIAL_DEPTH: Final = 12
"""The maximum number of choices in a trial."""


class TrialRun(RandomPolicy):
    """A run of a trial. Each outcome of a random pick is a branch, like each option of a choice."""

    def __init__(
        self, table: Table, trial: Trial, chosen: int, script: list[int], deal: int
    ) -> None:
        """``chosen``: how many of the choices were really made or are the options being tested."""
        self.table = table
        self.trial = trial
        self.chosen = chosen
        self.script = script
        self.deal = deal
        self.choices: list[TrialChoice] = []
        self.used_hidden_cards = 0
        """Where hidden cards were seen or moved: bits `IN_DECKS`, `ELSEWHERE`."""
        self._asked: tuple[Purpose, int] | None = None

    def play(self) -> bool:
        """Return whether the card did what its permission demands."""
        table, trial, move = self.table, self.trial, self.trial.move
        runner.restore_checkpoint(table)
        table.window = table.trial_window
        table.policy = self.answer
        table.random_policy = self
        succeeded = False
        try:
            playing.play_card(
                table, trial.player, move.card, move.place, move.on_card, move.permission
            )
        except TrialSucceeded:
            succeeded = True
        except AnswerNeeded:
            pass
        deals = trial.deals
        if not succeeded and deals is not None:
            self.used_hidden_cards |= deals.find_used(table.state)
        return succeeded

    def answer(self, decision: Decision) -> int:
        """Choose by the script or the best guess."""
        choices = self.choices
        again = (decision.purpose, decision.source) == self._asked
        self._asked = decision.purpose, decision.source
        count = len(decision.options)
        guess = 0
        lowest = 0
        if len(choices) >= self.chosen:
            if decision.kind == MOVES and len(choices) < self.chosen + MAX_TRIAL_DEPTH:
                # Cards played during the card do not count as its effect: pass.
                choices.append(TrialChoice(1, count - 1, count - 1, 0))
                return count - 1
            guess = _best_guess(self.table, decision, self.trial, again)
            multi_pick = decision.multi_pick
            if multi_pick is not None and multi_pick.picked and not multi_pick.ordered and choices:
                # One order is enough, and two picks show what more of them could do.
                lowest = choices[-1].taken if multi_pick.picked < MAX_PICKS else count
        lowest = max(lowest, _first_alternative(self.table, decision, self.trial))
        return self._take(count, guess, lowest)

    def pick(self, items: list[Any]) -> int:
        """Pick by the script or the best guess."""
        self.table.state.random_below(len(items))  # keep the generator in step with the real table
        return self._take(len(items), _best_pick(self.table, items, self.trial), 0)

    def shuffle(self, cards: list[int]) -> None:
        """Leave a deck in the order of the deal; shuffles before the trial stay."""
        s = self.table.state
        if len(self.choices) < self.chosen:
            s.shuffle(cards)
            return
        self.used_hidden_cards |= IN_DECKS
        arrange_cards(s, cards, self.deal)
        cards.reverse()  # the top card is the last

    def _take(self, count: int, guess: int, lowest: int) -> int:
        number = len(self.choices)
        if number >= self.chosen + MAX_TRIAL_DEPTH:
            raise AnswerNeeded
        taken = self.script[number] if number < len(self.script) else guess
        if taken >= count:
            raise AnswerNeeded
        self.choices.append(TrialChoice(count, guess, taken, lowest))
        return taken


def _first_alternative(table: Table, decision: Decision, trial: Trial) -> int:
    """Return the lowest option of a choice that is worth trying besides the best guess.

    There is none while another card resolves, which does not count. For choices of other players it
    is only the last option, which declines: their picks cannot be predicted.
    """
    if any(resolution.cause.is_being_played for resolution in table.resolutions[1:]):
        return len(decision.options)
    return 0 if decision.player == trial.player else len(decision.options) - 1


def _best_guess(table: Table, decision: Decision, trial: Trial, again: bool) -> int:
    """Return the option to try first: one that the permission demands, if offered.

    If the same question is asked ``again`` and may be declined, one pick is enough.
    """
    permission = trial.move.permission
    if decision.kind == CARDS and permission is not None:
        for i, c in enumerate(decision.options):
            if c != NONE and _is_wanted(table, c, trial, permission):
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
                else queries.count_minions(table, trial.player, serial) > 0
            ):
                return i
    return 0


def _best_pick(table: Table, items: list[Any], trial: Trial) -> int:
    """Return the outcome of a random pick to try first."""
    permission = trial.move.permission
    if permission is not None:
        for i, item in enumerate(items):
            if isinstance(item, Card) and _is_wanted(table, item.id, trial, permission):
                return i
    return 0


def _is_wanted(table: Table, c: int, trial: Trial, permission: PlayPermission) -> bool:
    """Whether the permission demands an effect on this card."""
    return c == permission.must_affect or (
        permission.must_affect == NONE
        and table.state.zone[c] == AT_BASE
        and table.state.controller[c] == trial.player
    )
