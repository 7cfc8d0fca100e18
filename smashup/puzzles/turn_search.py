"""Searches a turn for a line of given steps, and for lines that leave one of them out.

The searches use the table as it is, with its real hidden cards, and the choices of other players
are branches like all others: what cannot be reached here cannot be reached even with luck and help.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable
from typing import Final

from smashup.engine.game import Game
from smashup.engine.model.constants import DRAW
from smashup.engine.model.decisions import Decision, Purpose
from smashup.puzzles.goals import Goal, is_turn_over, judge_turn
from smashup.puzzles.steps import NO_STEP, Step, distinct_options, step_of

MAX_POSITIONS: Final = 20_000
"""Maximum number of positions of a search."""
MAX_LINE_POSITIONS: Final = 200
"""The same for the search for a line of given steps."""


_Missing = frozenset[tuple[Step, int]]
"""Steps that a line has still to take, each with the number of times."""


class TurnTooLarge(Exception):
    """The turn has too many lines to search them all."""


class TurnSearch:
    """A search through one turn for a goal."""

    def __init__(self, game: Game, goal: Goal, limit: int = MAX_POSITIONS) -> None:
        """``game`` has to be at the first play menu of the turn, with a log."""
        decision = game.decision
        assert decision is not None
        self.game = game
        self.goal = goal
        self.player = decision.player
        self.turn = game.table.state.turn
        self.limit = limit
        self.visited = 0
        """Positions the search has looked at."""

    def find_line(self, steps: Collection[Step]) -> tuple[int, ...] | None:
        """Return the shortest answers that reach the goal with only these steps, or None.

        Options that are not steps are allowed too. If a question offers only other steps, all of
        its options are tried.
        """
        queue: list[tuple[Game, tuple[int, ...]]] = [(self.game.clone(log=True), ())]
        visited = 0
        for game, answers in queue:  # grows: breadth first
            visited += 1
            if visited > MAX_LINE_POSITIONS:
                return None
            skipped = skip_draw(game, self.turn)
            if self._is_over(game):
                if self._reaches(game):
                    return (*answers, *(0,) * skipped)
                continue
            decision = game.decision
            assert decision is not None
            for option in self._fitting_options(decision, steps):
                queue.append((game.after(option, log=True), (*answers, option)))
        return None

    def _fitting_options(self, decision: Decision, steps: Collection[Step]) -> list[int]:
        options = list(distinct_options(decision))
        if decision.player != self.player:
            return options
        found = [option for option in options if step_of(decision, option) in steps]
        free = [option for option in options if step_of(decision, option) == NO_STEP]
        return [*found, *free] or options

    def find_other_line(self, steps: Iterable[Step]) -> tuple[int, ...] | None:
        """Return answers that reach the goal without one of these steps; None if there are none.

        A step that is named twice has to be taken twice. Raises `TurnTooLarge` if not all lines can
        be searched.
        """
        missing = frozenset(Counter(steps).items())
        return self._search_without(self.game.clone(log=True), missing, (), set())

    def _search_without(
        self,
        game: Game,
        missing: _Missing,
        answers: tuple[int, ...],
        seen: set[Hashable],
    ) -> tuple[int, ...] | None:
        skipped = skip_draw(game, self.turn)
        if self._is_over(game):
            self._visit()
            return (*answers, *(0,) * skipped) if self._reaches(game) else None
        decision = game.decision
        assert decision is not None
        if decision.purpose is Purpose.PLAY_MENU:
            key = (position_key(game), missing)
            if key in seen:
                return None
            seen.add(key)
        self._visit()
        is_own = decision.player == self.player
        for option in distinct_options(decision):
            left = _without(missing, step_of(decision, option)) if is_own else missing
            if left:  # a line with all steps is not another one
                after = game.after(option, log=True)
                found = self._search_without(after, left, (*answers, option), seen)
                if found is not None:
                    return found
        game.dispose()
        return None

    def _visit(self) -> None:
        self.visited += 1
        if self.visited > self.limit:
            raise TurnTooLarge

    def _is_over(self, game: Game) -> bool:
        return is_turn_over(game, self.turn)

    def _reaches(self, game: Game) -> bool:
        return judge_turn(game, self.player, self.turn).reaches(self.goal)


def _without(missing: _Missing, step: Step) -> _Missing:
    """Return what is missing once a step is taken."""
    for known, times in missing:
        if known == step:
            rest = missing - {(known, times)}
            return rest | {(known, times - 1)} if times > 1 else rest
    return missing


def skip_draw(game: Game, turn: int) -> int:
    """Answer the questions of the draw phase, which no longer matter; return their number."""
    skipped = 0
    while not is_turn_over(game, turn) and game.table.state.phase == DRAW:
        game.choose(0)
        skipped += 1
    return skipped


def position_key(game: Game) -> Hashable:
    """Identify a play menu of a turn, whatever the order of the plays that led to it."""
    s = game.table.state
    return (
        tuple(s.zone),
        tuple(s.place),
        tuple(s.controller),
        tuple(s.counters),
        tuple(s.lives),
        tuple(tuple(deck) for deck in s.decks),
        tuple((site.serial, site.base) for site in s.sites),
        tuple(s.base_deck),
        tuple(sorted(s.tokens.items())),
        tuple(
            sorted(
                (e.kind, e.target, e.amount, e.player, e.until, e.until_player) for e in s.effects
            )
        ),
        tuple(sorted((a.card, a.definition.name, a.granted_by) for a in s.abilities)),
        tuple(sorted((d.definition.name, d.card, d.player, d.when) for d in s.delayed)),
        tuple(sorted(repr(permission.to_tuple()) for permission in s.permissions)),
        frozenset(s.used_this_turn),
        frozenset(s.turn_counts.items()),
        frozenset(card for card, _ in s.talents_used),
        tuple(s.vp),
        tuple(s.extra_turns),
        s.rng,
    )
