"""The first game that is taught: how it is dealt, what the coach advises, and who sits opposite.

The deal is a seed, so a lesson is a game like any other: it is kept, resumed, taken back and
replayed in the same way. Advice is written down turn by turn in ``lesson.yaml``, as labels of
options. The rival plays by a few plain rules, and so goes along with whatever the learner does
instead.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import yaml

from smashup.engine.game import Game
from smashup.engine.model.catalogue import Catalogue
from smashup.engine.model.constants import MINION, NONE
from smashup.engine.model.decisions import DONE, MOVES, PASS, PLAY_CARD, SITES, WORDS, Decision
from smashup.engine.model.setup import Setup
from smashup.engine.rules import queries
from smashup.rules import FOLDER

FILE: Final = FOLDER / "lesson.yaml"
LEARNER: Final = 0
RIVAL: Final = 1


@cache
def _lesson() -> dict[str, Any]:
    lesson: dict[str, Any] = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    return lesson


@cache
def lesson_setup() -> Setup:
    """How the first game is dealt: always the same."""
    lesson = _lesson()
    return Setup(
        players=2,
        factions=tuple(tuple(pair) for pair in lesson["factions"]),
        seed=lesson["seed"],
        first=LEARNER,
    )


def lesson_start(cards: Catalogue) -> dict[str, Any]:
    """The table on which it begins: dealt, and with some VP for both, so that it is over soon."""
    facts = Game(lesson_setup(), cards).table.checkpoint.to_dict()
    vp: int = _lesson()["vp"]
    facts["vp"] = [vp for _ in facts["vp"]]
    return facts


def advice() -> dict[int, list[str]]:
    """What the learner is advised to choose, by turn: the first label that is on offer."""
    found: dict[int, list[str]] = _lesson()["advice"]
    return found


def is_rival(setup: dict[str, Any], seat: int) -> bool:
    """Whether a seat is that of the rival in a lesson, which is known by its deal."""
    lesson = lesson_setup()
    return (
        seat == RIVAL
        and setup.get("seed") == lesson.seed
        and [tuple(pair) for pair in setup.get("factions", ())] == list(lesson.factions)
    )


def rival(game: Game) -> int:
    """What the rival answers: a minion where the learner leads, and nothing unkind."""
    decision = game.decision
    assert decision is not None
    if decision.kind == MOVES and decision.options[-1].verb != PASS:
        return _from_menu(game, decision)
    last = len(decision.options) - 1
    if decision.kind in (MOVES, WORDS) or decision.options[last] == NONE:
        return last  # passes, says no, or takes none
    return _quiet_site(game, decision.options) if decision.kind == SITES else 0


def _from_menu(game: Game, decision: Decision) -> int:
    """A minion that helps the learner to break a base and leaves them ahead there.

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
