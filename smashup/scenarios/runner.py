"""Runs scenarios: performs their steps and checks their expectations."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from smashup.cards.authoring.time_limit import TimeLimitExceeded
from smashup.engine.errors import CardFailure, SmashUpError
from smashup.engine.game import Game
from smashup.engine.model.catalogue import Catalogue
from smashup.engine.model.decisions import LATER, MOVES, Decision
from smashup.engine.model.hooks import Hook
from smashup.engine.rules import abilities
from smashup.scenarios.document import Scenario
from smashup.scenarios.errors import (
    Failure,
    ScenarioError,
    ScenarioProblem,
    endless_loop_error,
)
from smashup.scenarios.expectations import bool_to_word, check
from smashup.scenarios.failure_details import (
    AutomaticAnswer,
    add_automatic_answers,
    add_log,
    add_missing_step,
    add_question,
    format_step,
)
from smashup.scenarios.happenings import parse_happening
from smashup.scenarios.negative_checks import check_refers_to_something
from smashup.scenarios.options import (
    describe_option,
    is_possible_answer,
    is_special,
    is_specials_window,
    match_options,
    narrow_matches,
)
from smashup.scenarios.references import parse_player
from smashup.scenarios.schema.base import as_list
from smashup.scenarios.table.director import HAPPENS, director_of
from smashup.scenarios.table.game_setup import DAMAGE
from smashup.scenarios.table.table_builder import build_table
from smashup.scenarios.yaml_reader import line_of

H_TALENT: Final = Hook.TALENT.value


def run(scenario: Scenario, catalogue: Catalogue) -> Game | None:
    """Run a scenario; raise a `Failure` or `ScenarioError` if it does not pass.

    Return the game as it ended; None if the setup was expected to fail.
    """
    expected_error = scenario.data.get("error")
    try:
        game = build_table(scenario, catalogue)
        director_of(game)
        if expected_error:
            game.decision  # noqa: B018  (setting up may be what fails)
        else:
            ScenarioRun(scenario, game).execute()
            return game
    except ScenarioProblem as problem:
        problem.place = problem.place or _location(scenario, None)
        raise
    except (RecursionError, TimeLimitExceeded):
        raise endless_loop_error(_location(scenario, None)) from None
    except DAMAGE as error:
        if "table" not in scenario.data:
            raise
        damaged = ScenarioError("“table” cannot be continued: it is damaged.")
        damaged.place = _location(scenario, None)
        raise damaged from error
    except SmashUpError as error:
        if expected_error and str(expected_error).casefold() in str(error).casefold():
            return None
        failure = Failure("Setting up failed: {reason}", reason=error.message)
        failure.place = _location(scenario, None)
        raise failure from error
    failure = Failure("Setting up should fail with “{words}”, but it works.", words=expected_error)
    failure.place = _location(scenario, None)
    raise failure


def _location(scenario: Scenario, data: Any, *path: str | int) -> str:
    """Return file and line of a part of a scenario."""
    line = line_of(data, path) or scenario.line
    return f"{scenario.file}:{line}" if line else scenario.file


@contextmanager
def _report_endless_loops(place: str) -> Iterator[None]:
    """Turn an endless game into an error at a place, whichever limit it reaches first."""
    try:
        yield
    except (RecursionError, TimeLimitExceeded):
        raise endless_loop_error(place) from None
    except CardFailure as failure:
        if isinstance(failure.__cause__, RecursionError):
            raise endless_loop_error(place) from None
        raise


class ScenarioRun:
    """The execution of one scenario."""

    def __init__(self, scenario: Scenario, game: Game) -> None:
        self.scenario = scenario
        self.game = game
        game.decision  # noqa: B018  (let the table catch up)
        director_of(game).events_at_start = len(game.table.visible_events)
        self.step_turn = game.table.state.turn
        """The turn of the previous step; at first the turn in which the scenario starts."""
        self.silent: list[AutomaticAnswer] = []
        """Automatic answers since that step."""
        self.turn = game.table.state.turn
        """The turn to which the following two sets refer."""
        self.active: set[int] = set()
        """Players with a step in this turn."""
        self.passed: dict[int, AutomaticAnswer] = {}
        """Players for whom the runner passed on Specials in this turn."""

    def execute(self) -> None:
        data = self.scenario.data
        steps = data.get("do") or []
        for number, step in enumerate(steps):
            ((who, what),) = step.items()
            place = _location(self.scenario, steps, number)
            with _report_endless_loops(place):
                try:
                    self._step(who, what)
                except ScenarioProblem as problem:
                    self._add_context(problem, place)
                    raise
        expected = data.get("expect") or {}
        is_open = "asks" in expected or (bool(steps) and "asks" in (steps[-1].get("expect") or {}))
        with _report_endless_loops(_location(self.scenario, steps, len(steps) - 1)):
            try:
                self._finish(expected, is_open)
            except ScenarioProblem as problem:
                self._add_context(problem, _location(self.scenario, expected))
                raise

    def _add_context(self, problem: ScenarioProblem, place: str) -> None:
        """Add location and details to a problem."""
        problem.place = problem.place or place
        if isinstance(problem, Failure):
            add_automatic_answers(problem, self.silent)
            add_log(problem, self.game)

    def _finish(self, expected: dict[str, Any], is_open: bool) -> None:
        """Require that no decision but the play menu is pending, or that `asks` names it."""
        self.silent = []
        if "asks" not in expected:
            self._answer_automatically()
            decision = self._pending_decision()
            if decision is not None and not self.game.at_menu and not is_open:
                failure = Failure(
                    "A decision is pending at the end, but “asks” does not mention it."
                )
                add_missing_step(failure, self.game, decision)
                add_question(failure, self.game, decision)
                raise failure
        self._check(expected)

    def _check(self, expected: dict[str, Any]) -> None:
        """Check expectations; add the pending decision to failures."""
        try:
            check(self.game, expected)
        except Failure as failure:
            decision = self._pending_decision()
            if decision is not None and not self.game.at_menu and "asks" not in expected:
                add_missing_step(failure, self.game, decision)
                add_question(failure, self.game, decision)
            raise

    # --- steps ------------------------------------------------------------------------------

    def _step(self, who: str, what: Any) -> None:
        self.silent = []
        if who == "expect":
            if "asks" not in what:
                self._answer_automatically(windows=False)
            self._check(what)
            if "turn" in what:
                self.step_turn = self.game.table.state.turn
        elif who == "happens":
            self._perform_happening(what)
        elif who.endswith((" can", " cannot")):
            name, _, verb = who.rpartition(" ")
            player = parse_player(name, self.game.table.num_players)
            self._check_offers(
                player, [bool_to_word(text) for text in as_list(what)], verb == "can"
            )
        else:
            player = parse_player(who, self.game.table.num_players)
            for text in as_list(what):
                self.silent = []
                self._choose(player, bool_to_word(text))

    def _pending_decision(self) -> Decision | None:
        """The pending decision; resets the sets of players at a new turn."""
        decision = self.game.decision
        if self.game.table.state.turn != self.turn:
            self.turn = self.game.table.state.turn
            self.active = set()
            self.passed = {}
        return decision

    def _choose(self, player: int, text: str) -> None:
        """Choose the option a step means, after automatic answers."""
        game = self.game
        name = f"P{player + 1}"
        while True:
            decision = self._pending_decision()
            if decision is None:
                raise Failure(
                    "{player} should choose “{step}”, but the game is over.", player=name, step=text
                )
            if decision.player == player and (found := match_options(game, decision, text)):
                meant = narrow_matches(game, decision, found)
                if len(meant) > 1:
                    problem = ScenarioError("“{step}” could mean several options.", step=text)
                    add_question(problem, game, decision)
                    raise problem
                self._check_turn(decision, meant[0], player, text)
                self._mark_active(player)
                self._answer(meant[0])
                return
            if not self._try_automatic_answer(decision):
                failure = Failure(
                    "{player} should choose “{step}”, which is not offered.", player=name, step=text
                )
                same = decision.player == player
                add_missing_step(failure, game, decision, text if same else "")
                add_question(failure, game, decision)
                raise failure

    def _check_turn(self, decision: Decision, position: int, player: int, text: str) -> None:
        """Check that a step belongs to this turn and not to the rest of the last one.

        After “end” a step may answer a question in the rest of that turn; or it begins the next
        turn, at the play menu or as the first question that its player is asked.
        """
        s = self.game.table.state
        if self.step_turn in (0, s.turn):  # turn 0 is the set-up
            self.step_turn = s.turn
            return
        name = f"P{s.current + 1}"
        look = f"expect: {{turn: {name}}}"
        if self.game.at_menu:
            if is_special(self.game, decision.options[position]):
                raise ScenarioError(
                    "“{step}” could be a Special in the turn before, or a play in the turn of"
                    " {player}. If you mean that turn, write “{look}” before it.",
                    step=text,
                    player=name,
                    look=look,
                )
        elif player != s.current or self.silent:
            failure = Failure(
                "{player} should choose “{step}” in the turn before, but it was not"
                " offered there. If you mean the turn of {current}, write “{look}” before"
                " it.",
                player=f"P{player + 1}",
                step=text,
                current=name,
                look=look,
            )
            add_question(failure, self.game, decision)
            raise failure
        self.step_turn = s.turn

    def _mark_active(self, player: int) -> None:
        """Record that a player has a step in this turn, so that their Specials need steps."""
        if player in self.passed:
            answer = self.passed[player]
            failure = Failure(
                "{player} has a step in this turn, so an earlier window for Specials of"
                " {player} in it needs one too. To pass there, write “{step}” where it"
                " belongs.",
                player=f"P{player + 1}",
                step=format_step(player, answer.answer),
            )
            raise failure
        self.active.add(player)

    def _answer(self, position: int) -> None:
        """Choose an option and record the question."""
        decision = self.game.decision
        director = director_of(self.game)
        if decision is not None:
            director.asked.append((decision.player, str(decision.question())))
            director.talented |= {x.card for x in abilities.listeners(self.game.table, H_TALENT)}
        director.abilities = 0
        self.game.choose(position)

    def _check_offers(self, player: int, texts: list[str], can: bool) -> None:
        """Check whether a player is offered something now.

        Only questions with a single option are answered first, and only if the texts cannot answer
        them: “V3” does not answer a question for a base.
        """
        game = self.game
        name = f"P{player + 1}"
        for text in texts:
            if not can:
                check_refers_to_something(game, text)
        found: dict[str, list[int]] = {}
        while (decision := self._pending_decision()) is not None:
            asked = decision.player == player
            found = {text: match_options(game, decision, text) for text in texts if asked}
            if game.at_menu or len(decision.options) > 1 or any(found.values()):
                break
            if asked and any(is_possible_answer(game, decision, text) for text in texts):
                break
            self._try_automatic_answer(decision)
        self._mark_active(player)
        for text in texts:
            offered = found.get(text)
            if can and decision is not None and offered:
                self._check_turn(decision, offered[0], player, text)
            elif can or offered:
                failure = (
                    Failure("{player} should be able to “{step}”.", player=name, step=text)
                    if can
                    else Failure("{player} should not be able to “{step}”.", player=name, step=text)
                )
                if decision is not None:
                    add_question(failure, game, decision)
                raise failure

    # --- happens ----------------------------------------------------------------------------

    def _perform_happening(self, what: dict[str, Any]) -> None:
        """Perform a `happens` step at a play menu."""
        game = self.game
        self._answer_automatically()
        decision = self._pending_decision()
        if decision is None or not game.at_menu:
            problem = ScenarioError("“happens” works only at a play menu.")
            if decision is not None:
                add_missing_step(problem, game, decision)
                add_question(problem, game, decision)
            raise problem
        self.step_turn = game.table.state.turn
        director = director_of(game)
        director.happenings.append(parse_happening(game, what))
        game.table.is_up_to_date = False
        decision = game.decision
        assert decision is not None
        last = len(director.happenings) - 1
        for position, move in enumerate(decision.options):
            if move.verb == HAPPENS and move.card == last:
                self._answer(position)
                break

    # --- automatic answers ------------------------------------------------------------------

    def _answer_automatically(self, windows: bool = True) -> None:
        while (decision := self._pending_decision()) is not None:
            if self.game.at_menu or not self._try_automatic_answer(decision, windows):
                return

    def _try_automatic_answer(self, decision: Decision, windows: bool = True) -> bool:
        """Give the only answer, “later”, or a pass on Specials for players without a step.

        Returns whether there was one.
        """
        game = self.game
        if game.at_menu:
            return False
        last = len(decision.options) - 1
        is_window = is_specials_window(game, decision)
        if last > 0:
            if decision.kind != MOVES:
                return False
            is_passed = windows and is_window and decision.player not in self.active
            if decision.options[last].verb != LATER and not is_passed:
                return False
        answer = AutomaticAnswer(
            decision.player, decision.question(), describe_option(game, decision, last), is_window
        )
        self.silent.append(answer)
        if is_window and last > 0:
            self.passed[decision.player] = answer
        self._answer(last)
        return True
