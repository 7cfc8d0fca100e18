"""Running a scenario: choosing what its steps say, checking what it expects."""

from __future__ import annotations

from typing import Any

from smashup.engine.catalogue import Catalogue
from smashup.engine.decisions import LATER, MOVES, PASS, Decision, Move
from smashup.engine.errors import SmashUpError
from smashup.engine.game import Game
from smashup.engine.kinds import H_TALENT
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
    is_special,
    is_specials_window,
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
        game.decision  # noqa: B018  (let the table catch up)
        self.step_turn = game.state.turn
        """The turn that the step before was for; at first the one the table is laid in."""
        self.answered = 0
        """Questions that the runner has answered by itself since that step."""
        self.turn = game.state.turn
        """The turn in which the players below did what is said of them."""
        self.active: set[int] = set()
        """Players with a step in this turn."""
        self.passed: set[int] = set()
        """Players for whom the runner has passed a Specials window in this turn."""

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
            self._settle()
            decision = self._question()
            if decision is not None and not self.game.at_menu:
                raise Failure(
                    "The table is not quiet at the end, and the scenario does not say so"
                    f" («asks»).{self._missing(decision)}\n{self._asked(decision)}"
                )
        check(self.game, expected)

    # --- steps ------------------------------------------------------------------------------

    def _step(self, step: Any, number: int) -> None:
        if not isinstance(step, dict) or len(step) != 1:
            raise ScenarioError(f"Step {number} should be one thing, like «P1: play V3 at B1».")
        ((who, what),) = step.items()
        who = str(who)
        self.answered = 0
        if who == "expect":
            if not isinstance(what, dict) or "asks" not in what:
                self._settle(windows=False)
            check(self.game, what)
            if "turn" in what:
                self.step_turn = self.game.state.turn
        elif who == "happens":
            self._happens(what)
        elif who.endswith((" can", " cannot")):
            name, _, verb = who.rpartition(" ")
            player = player_number(name, self.game.players)
            self._look(player, [_word(text) for text in as_list(what)], verb == "can")
        else:
            player = player_number(who, self.game.players)
            for text in as_list(what):
                self._choose(player, _word(text))
                self.answered = 0

    def _question(self) -> Decision | None:
        """The pending decision; a new turn begins without steps."""
        decision = self.game.decision
        if self.game.state.turn != self.turn:
            self.turn = self.game.state.turn
            self.active = set()
            self.passed = set()
        return decision

    def _choose(self, player: int, text: str) -> None:
        """Choose the option a step speaks of, answering what answers itself on the way."""
        game = self.game
        while True:
            decision = self._question()
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
                    self._check_turn(decision, found[0], player, text)
                    self._take_part(player, f"P{player + 1}: {text}")
                    self._answer(found[0])
                    return
            if not self._answer_itself(decision):
                raise Failure(
                    f"P{player + 1} should choose «{text}», which is not offered."
                    f"{self._missing(decision)}\n{self._asked(decision)}"
                )

    def _check_turn(self, decision: Decision, position: int, player: int, text: str) -> None:
        """Make sure that a step is for this turn, and not for what was left of the last one.

        After «end» a step may answer a question in the rest of that turn; or it begins the next
        turn, at the play menu or as the first question that its player is asked.
        """
        s = self.game.state
        if self.step_turn in (0, s.turn):  # turn 0 is the set-up
            self.step_turn = s.turn
            return
        name = f"P{s.current + 1}"
        if self.game.at_menu:
            if is_special(self.game, decision.options[position]):
                raise ScenarioError(
                    f"«{text}» could be a Special in the turn before, or a play in the turn of"
                    f" {name}: write «expect: {{turn: {name}}}» before it if you mean the latter."
                )
        elif player != s.current or self.answered:
            raise Failure(
                f"P{player + 1} should choose «{text}» in the turn before, but it was not offered"
                f" there. If it is for the turn of {name}, write «expect: {{turn: {name}}}»"
                f" before it.\n{self._asked(decision)}"
            )
        self.step_turn = s.turn

    def _take_part(self, player: int, step: str) -> None:
        """A player has a step in this turn: all their Specials windows in it need steps."""
        if player in self.passed:
            name = f"P{player + 1}"
            raise Failure(
                f"{name} was asked for a Special earlier in this turn, and no step answers that."
                f" Write «{name}: pass» before «{step}», where it belongs."
            )
        self.active.add(player)

    def _answer(self, position: int) -> None:
        """Choose an option, noting who was asked what."""
        decision = self.game.decision
        hand = self.game.director
        if decision is not None and isinstance(hand, StageHand):
            hand.asked.append(f"P{decision.player + 1}: {decision.question()}")
            hand.talented |= {x.card for x in self.game.listeners(H_TALENT)}
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
        self._settle()
        decision = self._question()
        if decision is None or not game.at_menu:
            asked = f"\n{self._asked(decision)}" if decision is not None else ""
            raise ScenarioError(f"«happens» works only at a play menu.{asked}")
        self.step_turn = game.state.turn
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

    def _look(self, player: int, texts: list[str], can: bool) -> None:
        """Look whether a player is offered something right now, passing single options by."""
        game = self.game
        name = f"P{player + 1}"
        for text in texts:
            if not can:
                check_named(game, text)
        while (decision := self._question()) is not None:
            asked = decision.player == player
            found = {text: options_like(game, decision, text) for text in texts if asked}
            if game.at_menu or len(decision.options) > 1 or any(found.values()):
                break
            self._answer(0)
        self._take_part(player, f"{name} {'can' if can else 'cannot'}: ...")
        for text in texts:
            if decision is None or decision.player != player:
                if can:
                    raise Failure(f"{name} should be able to «{text}», but is not asked now.")
                continue
            if can and not found[text]:
                raise Failure(f"{name} should be able to «{text}».\n{self._asked(decision)}")
            if found[text] and not can:
                raise Failure(f"{name} should not be able to «{text}».\n{self._asked(decision)}")
            if can:
                self._check_turn(decision, found[text][0], player, text)

    # --- answers that go without saying -----------------------------------------------------

    def _settle(self, windows: bool = True) -> None:
        while (decision := self._question()) is not None:
            if self.game.at_menu or not self._answer_itself(decision, windows):
                return

    def _answer_itself(self, decision: Decision, windows: bool = True) -> bool:
        """Give the answer that goes without saying: the only one, «later», or a pass in a
        Specials window of a player who has no step in this turn."""
        if self.game.at_menu:
            return False
        position = -1
        if len(decision.options) == 1:
            position = 0
        elif decision.kind == MOVES:
            last = len(decision.options) - 1
            if decision.options[last].verb == LATER:
                position = last
            elif (
                windows
                and decision.player not in self.active
                and is_specials_window(self.game, decision)
            ):
                position = last
                self.passed.add(decision.player)
        if position < 0:
            return False
        self.answered += 1
        self._answer(position)
        return True

    def _missing(self, decision: Decision) -> str:
        """The step that would decline the question, where it can be declined."""
        name = f"P{decision.player + 1}"
        if decision.kind == MOVES:
            word = "pass" if decision.options[-1].verb == PASS else ""
        elif options_like(self.game, decision, "none"):
            word = "no" if options_like(self.game, decision, "yes") else "none"
        else:
            word = ""
        if not word or self.game.at_menu:
            return ""
        return f" A step is missing: if {name} declines here, write «{name}: {word}» first."

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
