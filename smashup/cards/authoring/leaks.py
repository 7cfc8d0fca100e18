"""Checks whether cards leak hidden cards, by comparing two tables that a player cannot tell apart.

The tables differ only in hidden cards. The player's views of them have to be equal, and after the
same choice the player has to see the same until a hidden card is shown or another player decides.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Final

from smashup.engine.game import Game
from smashup.engine.model.redealing import Deal
from smashup.engine.model.trials import TrialDeals
from smashup.engine.rules import visibility

MAX_STEPS: Final = 8
"""The number of answers after the choice that are compared."""


def find_difference(a: object, b: object, path: str = "") -> str:
    """Return the first field in which two views differ with both values, or ""."""
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        for key in sorted({*a, *b}, key=lambda key: (key != "kind", str(key))):
            if a.get(key) != b.get(key):
                return find_difference(
                    a.get(key), b.get(key), f"{path}.{key}" if path else str(key)
                )
        return ""
    if _is_list(a) and _is_list(b) and len(a) == len(b):  # type: ignore[arg-type]
        for number, (x, y) in enumerate(zip(a, b, strict=True)):  # type: ignore[call-overload]
            if x != y:
                return find_difference(x, y, f"{path}[{number}]")
        return ""
    if _is_list(a) and _is_list(b):
        return f"len({path}): {len(a)} / {len(b)}"  # type: ignore[arg-type]
    return f"{path}: {_shown(a)} / {_shown(b)}" if a != b else ""


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _shown(value: object) -> str:
    text = str(value)
    return text if len(text) <= 60 else text[:59] + "…"


def deal_hidden_cards(game: Game, player: int, rng: Random) -> list[Game]:
    """Return copies of a game at a play menu with the player's hidden cards permuted.

    One is random; the others are extreme, because a card may ask for something that almost every
    hand has. Unlike `Game.determinize`, it keeps the future randomness.
    """
    hidden = visibility.hidden_cards(game.table, player)
    extreme = TrialDeals(game.table.state, hidden, None)
    deals = [hidden.deal(rng.shuffle), *(extreme.deal(number) for number in range(4))]
    return [_lay(game, deal) for deal in deals]


def _lay(game: Game, deal: Deal) -> Game:
    copy = game.clone(log=True)
    assert copy.decision is not None  # brings it up to date
    state = copy.table.checkpoint.copy()
    deal.lay(state)
    copy.table.checkpoint = state
    copy.table.checkpoint_index = None
    copy.table.is_up_to_date = False
    return copy


def find_dependence(
    game: Game,
    option: int,
    rng: Random,
    count_looks: Callable[[], int] = lambda: 0,
    start_deal: Callable[[], None] = lambda: None,
) -> str:
    """Return what reveals a hidden card to the deciding player after an option, or "".

    The game has to be at a play menu of the player. ``count_looks`` says how often cards have
    shown hidden cards so far; what a card does after that may depend on them. ``start_deal`` is
    called before each deal that is tried.
    """
    decision = game.decision
    assert decision is not None
    for other in deal_hidden_cards(game, decision.player, rng):
        start_deal()
        tables = [game.clone(log=True), other]
        difference = _compare(tables, decision.player, option, rng, count_looks)
        if difference:
            return difference
    return ""


def _compare(
    tables: list[Game], player: int, option: int, rng: Random, count_looks: Callable[[], int]
) -> str:
    """Make the same choices on two tables; return what the player sees differently, or ""."""
    if any(table.decision is None for table in tables):
        return ""
    start = [len(table.events(player)) for table in tables]
    step = option
    looks = count_looks()
    for _ in range(MAX_STEPS):
        for table in tables:
            pending = table.decision
            if pending is None or step >= len(pending.options):
                return ""
            table.choose(step)
        if count_looks() != looks:
            return ""
        seen = [table.events(player, since) for table, since in zip(tables, start, strict=True)]
        for one, other in zip(*seen, strict=False):
            if one != other:
                return "" if _shows_cards(one, other) else find_difference(one, other, "event")
        pending_now = [table.decision for table in tables]
        is_mine = [d is not None and d.player == player for d in pending_now]
        if not all(is_mine):
            return ""
        if len(seen[0]) != len(seen[1]):
            longer = max(seen, key=len)
            return find_difference(longer[min(map(len, seen))], None, "event")
        # Options and names in the question may be cards that the player now looks at.
        asked = [
            [d.prompt, *(option for option in d.options if isinstance(option, str))]
            for d in pending_now
            if d is not None
        ]
        if asked[0] != asked[1]:
            return find_difference(asked[0], asked[1], "question")
        kinds = [(d.purpose, d.kind, len(d.options)) for d in pending_now if d is not None]
        if kinds[0] != kinds[1] or any(table.at_menu for table in tables):
            return ""
        step = rng.randrange(kinds[0][2])
    return ""


def _shows_cards(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two events differ only in which hidden cards they are about."""
    same = ("kind", "player", "amount", "by")
    return all(one.get(key) == other.get(key) for key in same) and (
        len(one.get("cards", ())) == len(other.get("cards", ()))
    )
