"""Checks everything under `expect`, including the pending decision."""

from __future__ import annotations

from typing import Any, Final

from smashup.engine.game import Game
from smashup.engine.model.messages import Message
from smashup.scenarios.checks import history, numbers, zones
from smashup.scenarios.checks.compare import Checker, compare
from smashup.scenarios.errors import Failure, format_value
from smashup.scenarios.failure_details import add_question
from smashup.scenarios.negative_checks import check_refers_to_something
from smashup.scenarios.options import describe_option, describe_options, match_options
from smashup.scenarios.references import has_name
from smashup.scenarios.schema.base import as_list


def check(game: Game, expected: dict[str, Any]) -> None:
    """Check an `expect` mapping; raise a `Failure` at the first unmet expectation."""
    game.decision  # noqa: B018  (let the table catch up)
    for key, value in expected.items():
        CHECKS[key](game, value)


def bool_to_word(value: Any) -> str:
    """Turn the booleans that YAML makes of yes and no back into words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _asks(game: Game, value: Any) -> None:
    """Check the pending decision: player, question, offered and missing options."""
    decision = game.decision
    if value in (None, "nothing"):
        if decision is not None:
            failure = Failure("No player should be asked anything.")
            add_question(failure, game, decision)
            raise failure
        return
    if decision is None:
        raise Failure("A player should be asked something, but the game is over.")
    expected = {"player": value} if isinstance(value, str) else value
    try:
        for key, wanted in expected.items():
            _ASKS[key](game, wanted)
    except Failure as failure:
        add_question(failure, game, decision)
        raise


def _player(game: Game, wanted: Any) -> None:
    decision = game.decision
    assert decision is not None
    compare(Message("Who is asked", {}), wanted, f"P{decision.player + 1}")


def _question(game: Game, wanted: Any) -> None:
    decision = game.decision
    assert decision is not None
    if str(wanted).casefold() not in str(decision.question()).casefold():
        raise Failure("The question should be “{words}”.", words=wanted)


def _purpose(game: Game, wanted: Any) -> None:
    decision = game.decision
    assert decision is not None
    compare(Message("Purpose of the decision", {}), wanted, str(decision.purpose))


def _by(game: Game, wanted: Any) -> None:
    decision = game.decision
    assert decision is not None
    if decision.source < 0 or not has_name(game, decision.source, str(wanted)):
        raise Failure("The question should come from {card}.", card=wanted)


def _covered(game: Game, wanted: Any) -> set[int]:
    """The options that match texts; fail for a text that matches none."""
    decision = game.decision
    assert decision is not None
    covered: set[int] = set()
    for text in map(bool_to_word, as_list(wanted)):
        found = match_options(game, decision, text)
        if not found:
            raise Failure("“{option}” should be offered.", option=text)
        covered.update(found)
    return covered


def _offers(game: Game, wanted: Any) -> None:
    _covered(game, wanted)


def _only(game: Game, wanted: Any) -> None:
    decision = game.decision
    assert decision is not None
    covered = _covered(game, wanted)
    extra = [i for i in range(len(decision.options)) if i not in covered]
    if extra:
        raise Failure(
            "Only {expected} should be offered, but so are {extra}.",
            expected=format_value(as_list(wanted)),
            extra=format_value([describe_option(game, decision, i) for i in extra]),
        )


def _not(game: Game, wanted: Any) -> None:
    decision = game.decision
    assert decision is not None
    for text in map(bool_to_word, as_list(wanted)):
        check_refers_to_something(game, text)
        if match_options(game, decision, text):
            raise Failure("“{option}” should not be offered.", option=text)


def _count(game: Game, wanted: Any) -> None:
    decision = game.decision
    assert decision is not None
    compare(Message("Number of options", {}), wanted, len(describe_options(game, decision)))


_ASKS: Final[dict[str, Checker]] = {
    "player": _player, "purpose": _purpose, "card": _by, "by": _by, "question": _question,
    "offers": _offers, "only": _only, "not": _not, "count": _count,
}  # fmt: skip

CHECKS: Final[dict[str, Checker]] = {
    **numbers.CHECKS, **zones.CHECKS, **history.CHECKS, "asks": _asks,
}  # fmt: skip
"""The checks by their keys under `expect`."""
