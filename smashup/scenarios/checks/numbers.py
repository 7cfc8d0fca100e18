"""Checks numbers of cards, bases and players; failures include a breakdown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from smashup.engine.game import Game
from smashup.engine.model.constants import BASE, MINION, TITAN
from smashup.engine.model.messages import Message
from smashup.engine.rules import queries
from smashup.engine.views.breakdown import (
    Contribution,
    breakpoint_contributions,
    has_power,
    other_power_contributions,
    power_contributions,
)
from smashup.scenarios.checks.compare import Checker, compare, per_player
from smashup.scenarios.errors import Failure, format_value
from smashup.scenarios.references import find_base, find_card, find_cards


def _number_of(
    game: Game, text: str, read: Callable[[int], int], what: Message, wanted: int, in_play: bool
) -> list[int]:
    """The matching cards for which a number is wrong."""
    found = find_cards(game, text, in_play)
    if in_play and any(game.table.state.definition[c].type == BASE for c in found):
        raise Failure("{card} is a base: use “total”, “base_total” or “breakpoint”.", card=text)
    if not found:
        raise Failure("{what} of {card}: there is no such card in play.", what=what, card=text)
    return [c for c in found if read(c) != wanted]


def _check_numbers(
    game: Game,
    value: dict[str, int],
    what: Message,
    read: Callable[[int], int],
    in_play: bool = True,
    explain: bool = False,
) -> None:
    for text, wanted in value.items():
        wrong = _number_of(game, text, read, what, wanted, in_play)
        if wrong:
            values = [read(c) for c in find_cards(game, text, in_play)]
            failure = Failure(
                "{what} of {card}: expected {expected}, found {found}.",
                what=what,
                card=text,
                expected=wanted,
                found=values[0] if len(set(values)) == 1 else format_value(values),
            )
            if explain:
                for c in wrong:
                    _explain(failure, _card(game, c), read(c), power_contributions(game.table, c))
            raise failure


def _explain(failure: Failure, what: Message, total: int, parts: list[Contribution]) -> None:
    """Add the breakdown of a number."""
    failure.add_detail("{what} has {total}:", what=what, total=total)
    failure.add_details(
        Message("{amount} {label}", {"amount": f"{part.amount:+d}", "label": part.label})
        for part in parts
    )


def _card(game: Game, c: int) -> Message:
    s = game.table.state
    player = f"P{s.controller[c] + 1}"
    site = s.site_at.get(game.table.site_serial(c)) if game.table.in_play(c) else None
    if site is None:
        return Message("{player}'s {card}", {"player": player, "card": s.definition[c].name})
    args = {"player": player, "card": s.definition[c].name, "base": s.definition[site.base].name}
    return Message("{player}'s {card} at {base}", args)


def _power(game: Game, value: Any) -> None:
    _check_numbers(
        game, value, Message("Power", {}), lambda c: queries.power(game.table, c), explain=True
    )


def _printed_power(game: Game, value: Any) -> None:
    _check_numbers(
        game, value, Message("Printed power", {}), lambda c: queries.printed_power(game.table, c)
    )


def _starting_power(game: Game, value: Any) -> None:
    _check_numbers(
        game, value, Message("Starting power", {}), lambda c: queries.starting_power(game.table, c)
    )


def _counters(game: Game, value: Any) -> None:
    """Check the +1 power counters on a card; a card that left play should have none."""
    counters = game.table.state.counters
    what = Message("+1 power counters", {})
    _check_numbers(game, value, what, lambda c: counters[c], in_play=False)


def _tokens(game: Game, value: Any) -> None:
    for text, wanted in value.items():
        c = find_card(game, text, in_play=False)
        what = Message("Other counters of {card}", {"card": text})
        compare(what, wanted, game.table.state.tokens.get(c, 0))


def _side(game: Game, failure: Failure, serial: int, p: int) -> None:
    """Add the breakdown of a player's power at a base."""
    s = game.table.state
    parts = []
    for c in s.site_at[serial].cards:
        if s.controller[c] == p and (
            s.definition[c].type in (MINION, TITAN) or has_power(game.table, c)
        ):
            label = Message("{card}", {"card": s.definition[c].name})
            parts.append(Contribution(label, queries.power(game.table, c)))
    parts += other_power_contributions(game.table, serial, p)
    what = Message("P{number} at {base}", {"number": p + 1, "base": _base(game, serial)})
    _explain(failure, what, queries.player_total(game.table, serial, p), parts)


def _base(game: Game, serial: int) -> str:
    return game.table.state.definition[game.table.state.site_at[serial].base].name


def _total(game: Game, value: Any) -> None:
    for base, totals in value.items():
        serial = find_base(game, base)
        for who, p, wanted in per_player(game, totals):
            try:
                what = Message("Total of {player} at {base}", {"player": who, "base": base})
                compare(what, wanted, queries.player_total(game.table, serial, p))
            except Failure as failure:
                _side(game, failure, serial, p)
                raise


def _base_total(game: Game, value: Any) -> None:
    for base, wanted in value.items():
        serial = find_base(game, base)
        try:
            compare(
                Message("Power at {base}", {"base": base}),
                wanted,
                queries.base_total(game.table, serial),
            )
        except Failure as failure:
            for p in range(game.table.num_players):
                _side(game, failure, serial, p)
            raise


def _breakpoint(game: Game, value: Any) -> None:
    for base, wanted in value.items():
        serial = find_base(game, base)
        found = queries.breakpoint(game.table, serial)
        what = Message("Breakpoint of {base}", {"base": base})
        try:
            compare(what, wanted, found)
        except Failure as failure:
            name = Message("{base}", {"base": base})
            _explain(failure, name, found, breakpoint_contributions(game.table, serial))
            raise


def _vp(game: Game, value: Any) -> None:
    for who, p, wanted in per_player(game, value):
        compare(Message("VP of {player}", {"player": who}), wanted, game.table.state.vp[p])


CHECKS: Final[dict[str, Checker]] = {
    "vp": _vp, "power": _power, "printed_power": _printed_power,
    "starting_power": _starting_power, "counters": _counters, "tokens": _tokens,
    "total": _total, "base_total": _base_total, "breakpoint": _breakpoint,
}  # fmt: skip
