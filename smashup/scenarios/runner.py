"""Running a scenario: choosing what its steps say, checking what it expects."""

from __future__ import annotations

from typing import Any

from smashup.engine.catalogue import Catalogue
from smashup.engine.decisions import LATER, MOVES, PASS, TRIGGERS, Decision, Move
from smashup.engine.errors import SmashUpError
from smashup.engine.game import Game
from smashup.engine.words import PHASE_NAMES
from smashup.locale import ENGLISH, Tongue
from smashup.scenarios.document import Scenario, as_list
from smashup.scenarios.errors import Failure, ScenarioError
from smashup.scenarios.expectations import check
from smashup.scenarios.references import (
    alike,
    card_like,
    check_named,
    find_base,
    options_like,
    same_name,
)
from smashup.scenarios.stage import HAPPENINGS, HAPPENS, StageHand, label, player_number, stage


def run(scenario: Scenario, catalogue: Catalogue) -> Game | None:
    """Run one scenario; raise a `Failure` or `ScenarioError` when it does not hold.

    The table as it was left; none where setting up was to be refused.
    """
    expected_error = scenario.data.get("error")
    try:
        game = stage(scenario, catalogue)
        if expected_error:
            game.decision  # noqa: B018  (setting up may be what fails)
    except ScenarioError:
        raise
    except SmashUpError as error:
        if expected_error and str(expected_error).casefold() in str(error).casefold():
            return None
        raise Failure(f"Setting up failed: {error}") from error
    if expected_error:
        raise Failure(f"Setting up should fail with «{expected_error}», but it works.")
    Run(scenario, game).go()
    return game


class Run:
    """A scenario under way."""

    def __init__(self, scenario: Scenario, game: Game) -> None:
        self.scenario = scenario
        self.game = game

    def go(self) -> None:
        data = self.scenario.data
        steps = data.get("do") or []
        if not isinstance(steps, list):
            raise ScenarioError("«do» should be a list of steps such as «P1: play V3 at B1».")
        try:
            for number, step in enumerate(steps, 1):
                self._step(step, number)
            self._finish(data.get("expect") or {})
        except Failure as failure:
            raise Failure(f"{failure}\n{self._story()}") from failure

    def _finish(self, expected: Any) -> None:
        """Every scenario ends quiet, or says what the table waits for."""
        if not isinstance(expected, dict):
            raise ScenarioError("«expect» should be a mapping such as «vp: {P1: 4}».")
        if "asks" not in expected:
            self._settle(windows=True)
            decision = self.game.decision
            if decision is not None and not self._quiet(decision):
                raise Failure(
                    "The table is not quiet at the end, and the scenario does not say so"
                    f" («asks»).\n{self._asked(decision)}"
                )
        check(self.game, expected)

    # --- steps ------------------------------------------------------------------------------

    def _step(self, step: Any, number: int) -> None:
        if not isinstance(step, dict) or len(step) != 1:
            raise ScenarioError(f"Step {number} should be one thing, like «P1: play V3 at B1».")
        ((who, what),) = step.items()
        who = str(who)
        if who == "expect":
            if not isinstance(what, dict) or "asks" not in what:
                self._settle(windows=False)
            check(self.game, what)
        elif who == "happens":
            self._happens(what)
        elif who.endswith(" cannot"):
            self._settle(windows=False)
            for text in as_list(what):
                self._cannot(who.removesuffix(" cannot"), _word(text))
        elif who.endswith(" can"):
            self._settle(windows=False)
            for text in as_list(what):
                self._can(who.removesuffix(" can"), _word(text))
        else:
            player = player_number(who, self.game.players)
            for text in as_list(what):
                self._choose(player, _word(text))

    def _choose(self, player: int, text: str) -> None:
        """Choose the option a step speaks of, answering what answers itself on the way."""
        game = self.game
        while True:
            decision = game.decision
            if decision is None:
                raise Failure(f"P{player + 1} should choose «{text}», but the game is over.")
            if decision.player == player:
                found = options_like(game, decision, text)
                if found:
                    if len(found) > 1 and not alike(game, decision, found):
                        found = self._plainest(decision, found)
                        if len(found) > 1 and not alike(game, decision, found):
                            raise ScenarioError(
                                f"«{text}» could mean several options.\n{self._asked(decision)}"
                            )
                    self._answer(found[0])
                    return
            if not self._answer_itself(decision, windows=True):
                raise Failure(
                    f"P{player + 1} should choose «{text}», which is not offered."
                    f"\n{self._asked(decision)}"
                )

    def _answer(self, position: int) -> None:
        """Choose an option, noting who was asked what."""
        decision = self.game.decision
        hand = self.game.director
        if decision is not None and isinstance(hand, StageHand):
            hand.asked.append(f"P{decision.player + 1}: {decision.question()}")
        self.game.choose(position)

    def _plainest(self, decision: Decision, found: list[int]) -> list[int]:
        """Of several ways to play the same card there, the regular one, unless «by» says else.

        Of several talents, the card's own.
        """
        moves = [i for i in found if isinstance(decision.options[i], Move)]
        if len(moves) != len(found):
            return found
        plain = [
            i for i in moves if (right := decision.options[i].right) is None or right.origin == -1
        ]
        own = [
            i for i in plain if (source := decision.options[i].source) is None or source.lender < 0
        ]
        return own or plain or found

    def _happens(self, what: Any) -> None:
        """Something happens by itself, at a play menu."""
        game = self.game
        self._settle(windows=True)
        decision = game.decision
        if decision is None or not self._quiet(decision):
            raise ScenarioError("«happens» works only at a play menu.")
        if not isinstance(what, dict) or len(what) != 1:
            raise ScenarioError(f"«happens» takes one of {', '.join(HAPPENINGS)}.")
        ((verb, named),) = what.items()
        args = as_list(named)
        if verb not in HAPPENINGS:
            raise ScenarioError(f"«happens» takes one of {', '.join(HAPPENINGS)}.")
        if len(args) != HAPPENINGS[verb]:
            raise ScenarioError(f"«happens: {verb}» names {HAPPENINGS[verb]} thing(s).")
        hand = game.director
        assert isinstance(hand, StageHand)
        things: list[int] = []
        for position, spoken in enumerate(args):
            things.append(self._thing(verb, position, spoken, things[0] if things else -1))
        hand.happenings.append((verb, things))
        game.awake = False
        decision = game.decision
        assert decision is not None
        last = len(hand.happenings) - 1
        for position, move in enumerate(decision.options):
            if move.verb == HAPPENS and move.card == last:
                self._answer(position)
                break

    def _thing(self, verb: str, position: int, spoken: Any, who: int) -> int:
        """What «happens» names: a card, then a base, a player or a number."""
        game = self.game
        if verb in ("draw", "discard", "vp") and position == 0:
            return player_number(spoken, game.players)
        if verb == "destroy_base" or (verb == "move" and position == 1):
            return find_base(game, str(spoken))
        if verb == "control" and position == 1:
            return player_number(spoken, game.players)
        if position == 1 and verb != "discard":
            if not isinstance(spoken, int) or isinstance(spoken, bool):
                raise ScenarioError(f"«happens: {verb}» needs a number, not «{spoken}».")
            return spoken
        if verb in ("discard", "play_base"):
            return self._held(verb, str(spoken), who)
        return card_like(game, str(spoken))

    def _held(self, verb: str, name: str, who: int) -> int:
        """A card of a hand, or a base of the base deck."""
        s = self.game.state
        cards = s.hands[who] if verb == "discard" else s.base_deck
        for c in cards:
            if same_name(self.game, c, name):
                return c
        where = f"P{who + 1}'s hand" if verb == "discard" else "the base deck"
        raise ScenarioError(f"There is no «{name}» in {where}.")

    def _can(self, who: str, text: str) -> None:
        game = self.game
        decision = game.decision
        player = player_number(who, game.players)
        if decision is None or decision.player != player:
            raise Failure(f"{who} should be able to «{text}», but is not asked anything now.")
        if not options_like(game, decision, text):
            raise Failure(f"{who} should be able to «{text}».\n{self._asked(decision)}")

    def _cannot(self, who: str, text: str) -> None:
        game = self.game
        decision = game.decision
        player = player_number(who, game.players)
        check_named(game, text)
        asked = decision is not None and decision.player == player
        if decision is not None and asked and options_like(game, decision, text):
            raise Failure(f"{who} should not be able to «{text}».\n{self._asked(decision)}")

    # --- answers that go without saying -----------------------------------------------------

    def _quiet(self, decision: Decision) -> bool:
        """Whether this is a play menu."""
        return self.game.at_menu

    def _settle(self, windows: bool) -> None:
        while (decision := self.game.decision) is not None:
            if self._quiet(decision) or not self._answer_itself(decision, windows):
                return

    def _answer_itself(self, decision: Decision, windows: bool) -> bool:
        """Give the answer that goes without saying: the only one, «later», or a pass.

        Passing a window for Specials goes without saying only when ``windows`` is set.
        """
        game = self.game
        if self._quiet(decision):
            return False
        if len(decision.options) == 1:
            self._answer(0)
            return True
        if decision.kind == MOVES:
            for position, move in enumerate(decision.options):
                if move.verb == LATER or (move.verb == PASS and windows):
                    self._answer(position)
                    return True
        if decision.kind == TRIGGERS and alike(game, decision, list(range(len(decision.options)))):
            self._answer(0)
            return True
        return False

    # --- telling ----------------------------------------------------------------------------

    def _asked(self, decision: Decision) -> str:
        s = self.game.state
        lines = [
            f"P{decision.player + 1} is asked (turn of P{s.current + 1},"
            f" {PHASE_NAMES[s.phase]} phase): {decision.question()}"
        ]
        lines += [f"    - {label(decision, i)}" for i in range(len(decision.options))]
        return "\n".join(lines)

    def _story(self) -> str:
        return "The game so far:\n" + story(self.game)


def story(game: Game, tongue: Tongue = ENGLISH) -> str:
    """The log so far, indented."""
    lines = ["    " + tongue.render(entry.message) for entry in game.entries]
    return "\n".join(lines) if lines else "    " + tongue.say("(nothing happened)")


def _word(text: Any) -> str:
    """YAML reads yes and no as truth values; a step means the words."""
    if isinstance(text, bool):
        return "yes" if text else "no"
    return str(text)
