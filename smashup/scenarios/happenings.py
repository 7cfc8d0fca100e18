"""Reads `happens` steps: something that no card on the table does."""

from __future__ import annotations

from typing import Any

from smashup.engine.game import Game
from smashup.scenarios.errors import ScenarioError, format_value, suggestion
from smashup.scenarios.references import card_names, find_base, find_card, has_name, parse_player
from smashup.scenarios.schema.base import as_list


def parse_happening(game: Game, what: dict[str, Any]) -> tuple[str, list[int]]:
    """Return the verb of a step, and the cards, bases, players and numbers it is about."""
    ((verb, named),) = what.items()
    things: list[int] = []
    for position, spoken in enumerate(as_list(named)):
        things.append(_parse_argument(game, verb, position, spoken, things[0] if things else -1))
    return verb, things


def _parse_argument(game: Game, verb: str, position: int, spoken: Any, who: int) -> int:
    """Parse an argument of `happens`: a card, then a base, a player or a number."""
    if verb in ("draw", "discard", "vp") and position == 0:
        return parse_player(spoken, game.table.num_players)
    if verb == "destroy_base" or (verb == "move" and position == 1):
        return find_base(game, str(spoken))
    if verb == "control" and position == 1:
        return parse_player(spoken, game.table.num_players)
    if verb == "discard":
        return _find_in_pile(game, game.table.state.hands[who], str(spoken))
    if verb == "play_base":
        return _find_in_pile(game, game.table.state.base_deck, str(spoken))
    return int(spoken) if position == 1 else find_card(game, str(spoken))


def _find_in_pile(game: Game, cards: list[int], name: str) -> int:
    """Find a card in a hand or a base in the base deck by name."""
    for c in cards:
        if has_name(game, c, name):
            return c
    names = card_names(game, cards)
    raise ScenarioError(
        "There is no “{name}” there.{proposal} There are {names}.",
        name=name,
        proposal=suggestion(name, names),
        names=format_value(names),
    )
