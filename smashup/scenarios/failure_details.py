"""Details of a failure: the pending decision, automatic answers, and the log."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from smashup.engine.game import Game
from smashup.engine.model.constants import PHASE_NAMES
from smashup.engine.model.decisions import MOVES, Decision
from smashup.engine.model.messages import Message
from smashup.scenarios.errors import ScenarioError, ScenarioProblem, closest_match
from smashup.scenarios.options import describe_options, is_specials_window, match_options
from smashup.scenarios.yaml_reader import read_yaml

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class AutomaticAnswer:
    """A decision that the runner answered automatically."""

    player: int
    question: Message
    answer: str
    is_window: bool

    @property
    def message(self) -> Message:
        args = {"step": format_step(self.player, self.answer), "question": self.question}
        return Message("- {step}    ({question})", args)


def format_step(player: int, text: str) -> str:
    """Format a step for a file, quoted if YAML requires it."""
    try:
        plain = read_yaml(f"a: {text}", "") == {"a": text} and text.strip() == text
    except ScenarioError:
        plain = False
    return f"P{player + 1}: {text if plain else json.dumps(text, ensure_ascii=False)}"


def add_question(problem: ScenarioProblem, game: Game, decision: Decision) -> None:
    """Add the player, question and source of a decision, and each option as a step."""
    s = game.table.state
    args = {
        "player": f"P{decision.player + 1}",
        "current": f"P{s.current + 1}",
        "phase": PHASE_NAMES[s.phase],
        "question": decision.question(),
    }
    if decision.source >= 0:
        args["card"] = s.definition[decision.source].name
        problem.add_detail(
            "{player} is asked by {card} (turn of {current}, phase “{phase}”): {question}", **args
        )
    else:
        problem.add_detail(
            "{player} is asked (turn of {current}, phase “{phase}”): {question}", **args
        )
    problem.add_details(
        Message("- {step}", {"step": format_step(decision.player, words)})
        for words in dict.fromkeys(describe_options(game, decision))
    )


def add_missing_step(
    problem: ScenarioProblem, game: Game, decision: Decision, text: str = ""
) -> None:
    """Suggest the missing step or a correction."""
    offered = describe_options(game, decision)
    if text and (meant := closest_match(text, offered)):
        problem.add_detail("Did you mean “{name}”?", name=format_step(decision.player, meant))
        return
    if game.at_menu:
        return
    player = decision.player
    words = "pass" if decision.kind == MOVES else "none"
    if not match_options(game, decision, words):
        words = ""
    elif match_options(game, decision, "yes"):
        problem.add_detail(
            "A step is missing: write “{yes}” or “{no}”.",
            yes=format_step(player, "yes"),
            no=format_step(player, "no"),
        )
        return
    if words and is_specials_window(game, decision):
        problem.add_detail(
            "A step is missing: {player} has a step in this turn, so each of their"
            " windows for Specials needs one. To pass, write “{step}”.",
            player=f"P{player + 1}",
            step=format_step(player, words),
        )
    elif words:
        problem.add_detail(
            "A step is missing: to decline, write “{step}”.", step=format_step(player, words)
        )
    elif offered:
        problem.add_detail(
            "A step is missing that answers this, such as “{step}”.",
            step=format_step(player, offered[0]),
        )


def add_automatic_answers(problem: ScenarioProblem, answers: Sequence[AutomaticAnswer]) -> None:
    """Add the automatic answers since the previous step."""
    if answers:
        problem.add_detail("Answered automatically:")
        problem.add_details(answer.message for answer in answers)


def add_log(problem: ScenarioProblem, game: Game) -> None:
    """Add the log."""
    problem.add_detail("The game so far:")
    problem.add_details(log_lines(game))


def log_lines(game: Game) -> list[Message]:
    """The log so far."""
    return [entry.message for entry in game.table.log] or [Message("(nothing happened)", {})]
