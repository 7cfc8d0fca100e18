"""The director of a scenario: stacks decks during setup and performs `happens` steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from smashup.engine.game import Game
from smashup.engine.model.constants import DECK_BOTTOM, DECK_SHUFFLED
from smashup.engine.model.decisions import Move
from smashup.engine.model.table import Table, TableScript
from smashup.engine.rules import effects, leaving_play, zones
from smashup.scenarios.errors import ScenarioError, endless_loop_error, suggestion

HAPPENS: Final = 99
"""The verb of a move that performs a `happens` step."""
MAX_ABILITIES: Final = 2000
"""The maximum number of fixture abilities that one answer may trigger."""


class ScenarioDirector(TableScript):
    """The table script of a scenario, and what it records."""

    def __init__(self) -> None:
        self.stacked: dict[int, list[str]] = {}
        self.stacked_bases: list[str] = []
        self.happenings: list[tuple[str, list[Any]]] = []
        self.asked: list[tuple[int, str]] = []
        """The players and questions so far."""
        self.talented: set[int] = set()
        """Cards that have had a talent at some time."""
        self.events_at_start = 0
        """The number of events during setup: “shuffled” looks at those after them."""
        self.abilities = 0
        """Fixture abilities since the last answer."""

    def count_ability(self) -> None:
        """Raise an error if fixtures trigger each other endlessly."""
        self.abilities += 1
        if self.abilities > MAX_ABILITIES:
            raise endless_loop_error()

    def stack_decks(self, table: Table) -> None:
        """Move the named cards to the top of the shuffled decks, the first on top."""
        for player, names in self.stacked.items():
            _to_top(table, table.state.decks[player], names)
        _to_top(table, table.state.base_deck, self.stacked_bases)

    def moves(self) -> list[Move]:
        return [Move(HAPPENS, i) for i in range(len(self.happenings))]

    def perform(self, table: Table, move: Move) -> None:
        verb, args = self.happenings[move.card]
        _HAPPENINGS[verb](table, *args)


def director_of(game: Game) -> ScenarioDirector:
    assert isinstance(game.table.table_script, ScenarioDirector)
    return game.table.table_script


def _to_top(game: Table, deck: list[int], names: list[str]) -> None:
    kinds = game.state.definition
    for name in reversed(names):
        for c in deck:
            if name in (kinds[c].name, kinds[c].other_name, kinds[c].name_fr):
                deck.remove(c)
                deck.append(c)
                break
        else:
            raise ScenarioError(
                "There is no “{name}” in that deck to put on top.{proposal}",
                name=name,
                proposal=suggestion(name, [kinds[c].name for c in deck]),
            )


def _to_bottom(table: Table, c: int) -> None:
    table.card(c).put(table.card(c), to=DECK_BOTTOM)


def _shuffle_in(table: Table, c: int) -> None:
    table.card(c).put(table.card(c), to=DECK_SHUFFLED)


_HAPPENINGS: Final[dict[str, Callable[..., object]]] = {
    "destroy": lambda table, c: leaving_play.destroy(table, [c]),
    "return": lambda table, c: leaving_play.return_to_hand(table, [c]),
    "move": effects.move_card,
    "control": effects.take_control,
    "counters": effects.add_counters,
    "boost": effects.change_power,
    "draw": zones.draw,
    "discard": lambda table, player, c: zones.discard(table, player, [c]),
    "bottom": _to_bottom,
    "shuffle": _shuffle_in,
    "destroy_base": lambda table, site: table.base(site).destroy(),
    "vp": effects.gain_vp,
    "play_base": effects.play_base,
}
"""The `happens` verbs, carried out by the rules."""
