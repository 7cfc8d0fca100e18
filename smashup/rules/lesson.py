"""The tutorial game: its deal, the coach's advice, and the opponent.

The deal is a seed, so a lesson is saved, resumed, undone and replayed like any other game.
``lesson.yaml`` lists the advice for each turn by what options refer to. The rival follows a few
simple rules, so it can react to whatever the learner does.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import yaml

from smashup.engine.game import Game
from smashup.engine.model.catalogue import Catalogue
from smashup.engine.model.constants import MINION, NONE
from smashup.engine.model.decisions import DONE, MOVES, PASS, PLAY_CARD, SITES, WORDS, Decision
from smashup.engine.model.setup import Setup
from smashup.engine.rules import queries
from smashup.engine.views.types import OptionView, View
from smashup.rules import RULES_FOLDER

FILE: Final = RULES_FOLDER / "lesson.yaml"
LEARNER: Final = 0
RIVAL: Final = 1


@cache
def _load_lesson() -> dict[str, Any]:
    lesson: dict[str, Any] = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    return lesson


@cache
def lesson_setup() -> Setup:
    """The setup of the lesson, which is always the same."""
    lesson = _load_lesson()
    return Setup(
        players=2,
        factions=tuple(tuple(pair) for pair in lesson["factions"]),
        seed=lesson["seed"],
        first=LEARNER,
    )


def lesson_start_state(cards: Catalogue) -> dict[str, Any]:
    """The state at the start: dealt, with some VP for both players to shorten the game."""
    facts = Game(lesson_setup(), cards).table.checkpoint.to_dict()
    vp: int = _load_lesson()["vp"]
    facts["vp"] = [vp for _ in facts["vp"]]
    return facts


@dataclass(frozen=True)
class LessonAdvice:
    """An option that the coach advises, described by what it refers to, with card names."""

    id: str
    """Id of the text that the client shows."""
    verb: str | None = None
    card: str | None = None
    host: str | None = None
    base: str | None = None
    """Where the card is played, or where its host is."""
    extra: bool = False
    mode: int | None = None
    """A mode of a card; 0 for yes."""
    by: str | None = None
    """The card that asks."""

    def matches(self, view: View, option: OptionView) -> bool:
        """Whether an option of the pending decision is the advised one."""
        decision = view["decision"]
        assert decision is not None
        serial, host = option.get("base"), None
        for base in view["bases"]:
            for card in base["cards"]:
                if "host" in option and card.get("id") == option["host"]:
                    serial, host = base["serial"], card.get("name")
        names = {base["serial"]: base.get("name") for base in view["bases"]}
        described = (
            (self.verb, option.get("verb")),
            (self.card, option.get("card", {}).get("name")),
            (self.host, host),
            (self.base, names.get(serial) if serial is not None else None),
            (self.mode, option.get("mode")),
            (self.by, decision.get("source", {}).get("name")),
        )
        is_extra = option.get("extra", False)
        return is_extra == self.extra and all(
            wanted is None or wanted == offered for wanted, offered in described
        )


@cache
def load_advice() -> dict[int, list[LessonAdvice]]:
    """Load the advice of each turn; the first entry that is offered applies."""
    found: dict[int, list[dict[str, Any]]] = _load_lesson()["advice"]
    return {turn: [LessonAdvice(**row) for row in rows] for turn, rows in found.items()}


def is_rival(setup: dict[str, Any], seat: int) -> bool:
    """Whether a seat is the rival's in a lesson, recognized by its deal."""
    lesson = lesson_setup()
    return (
        seat == RIVAL
        and setup.get("seed") == lesson.seed
        and [tuple(pair) for pair in setup.get("factions", ())] == list(lesson.factions)
    )


def choose_rival_answer(game: Game) -> int:
    """Choose the rival's answer: a minion where the learner leads, and nothing hostile."""
    decision = game.decision
    assert decision is not None
    if decision.kind == MOVES and decision.options[-1].verb != PASS:
        return _choose_from_menu(game, decision)
    last = len(decision.options) - 1
    if decision.kind in (MOVES, WORDS) or decision.options[last] == NONE:
        return last  # passes or declines
    return _quiet_site(game, decision.options) if decision.kind == SITES else 0


def _choose_from_menu(game: Game, decision: Decision) -> int:
    """Choose a minion that helps the learner to score a base and leaves them ahead.

    If there is none, a small one where they are; without minions, the end of the phase.
    """
    worth: dict[int, tuple[bool, float, int]] = {}
    end = 0
    for number, move in enumerate(decision.options):
        if move.verb == DONE:
            end = number
        if move.verb != PLAY_CARD or move.on_card or move.place == NONE:
            continue
        kind = game.table.state.definition[move.card]
        if kind.type == MINION:
            mine = queries.player_total(game.table, move.place, RIVAL) + kind.power
            theirs = queries.player_total(game.table, move.place, LEARNER)
            behind = mine < theirs
            near = (mine + theirs) / max(1, queries.breakpoint(game.table, move.place))
            worth[number] = behind, min(1.0, near) if behind else theirs, -kind.power
    return max(worth, key=worth.__getitem__) if worth else end


def _quiet_site(game: Game, sites: list[int]) -> int:
    """The base where the learner has least to lose."""
    return min(
        range(len(sites)),
        key=lambda number: queries.player_total(game.table, sites[number], LEARNER),
    )
