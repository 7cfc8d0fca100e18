"""Compares expected values with actual ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from smashup.engine.game import Game
from smashup.engine.model.messages import Message
from smashup.scenarios.errors import Failure, format_value
from smashup.scenarios.references import card_names, has_name, parse_player
from smashup.scenarios.schema.base import as_list
from smashup.scenarios.schema.table import COPIES

Checker = Callable[[Game, Any], None]


def compare(what: Message, expected: Any, found: Any) -> None:
    """Fail unless two values are equal."""
    if expected != found:
        raise Failure(
            "{what}: expected {expected}, found {found}.",
            what=what,
            expected=format_value(expected),
            found=format_value(found),
        )


def compare_cards(game: Game, what: Message, expected: Any, cards: list[int]) -> None:
    """Fail unless these are the same cards in any order, by the names of either printing."""
    left = list(cards)
    wanted = named_cards(expected)
    missing = []
    for name in wanted:
        for c in left:
            if has_name(game, c, name):
                left.remove(c)
                break
        else:
            missing.append(name)
    if missing or left:
        failure = Failure(
            "{what}: expected {expected}, found {found}.",
            what=what,
            expected=format_value(sorted(wanted)),
            found=format_value(sorted(card_names(game, cards))),
        )
        if missing:
            failure.add_detail("Missing: {names}.", names=", ".join(missing))
        if left:
            failure.add_detail("Not expected: {names}.", names=", ".join(card_names(game, left)))
        raise failure


def named_cards(expected: Any) -> list[str]:
    """Expand a list of names: “2 x V1” is V1 twice."""
    wanted: list[str] = []
    for item in as_list(expected):
        if match := COPIES.fullmatch(str(item)):
            wanted += [match[2]] * int(match[1])
        else:
            wanted.append(str(item))
    return wanted


def per_player(game: Game, value: dict[str, Any]) -> list[tuple[str, int, Any]]:
    """Yield name, number and value for each player of a mapping."""
    return [(key, parse_player(key, game.table.num_players), inner) for key, inner in value.items()]
