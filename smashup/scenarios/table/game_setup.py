"""Games that start from a regular setup with stacked decks, or from a stored table."""

from __future__ import annotations

from typing import Final

from smashup.engine.errors import SmashUpError
from smashup.engine.game import Game
from smashup.engine.model.catalogue import Catalogue
from smashup.engine.model.setup import Setup
from smashup.engine.saves.snapshots import restore
from smashup.scenarios.document import Scenario
from smashup.scenarios.errors import ScenarioError
from smashup.scenarios.references import parse_player
from smashup.scenarios.schema.base import as_list
from smashup.scenarios.table.director import ScenarioDirector

DAMAGE: Final = (
    ArithmeticError, AssertionError, AttributeError, LookupError, MemoryError, TypeError,
    ValueError,
)  # fmt: skip
"""Exceptions raised by data that only resembles a table."""


def set_up(scenario: Scenario, catalogue: Catalogue) -> Game:
    """Start a game with the regular setup, with the decks stacked as the scenario says."""
    data = scenario.data
    wanted = data["setup"]
    factions = wanted.get("factions") or {}
    players = data.get("players", len(factions) or 2)
    for key in factions:
        parse_player(key, players)
    setup = Setup(
        players=players,
        factions=tuple(tuple(map(str, as_list(factions[key]))) for key in sorted(factions)),
        draft=wanted.get("draft", False),
        pool=tuple(map(str, as_list(wanted.get("pool")))),
        edition=scenario.edition,
        printing=scenario.printing,
        seed=wanted.get("seed", data.get("seed", 1)),
        first=parse_player(wanted.get("first", "P1"), players),
        optional_titans=wanted.get("optional_titans", False),
        madness=bool(data.get("madness")),
        duplicates=wanted.get("duplicates", False),
    )
    game = Game(setup, catalogue)
    director = game.table.table_script = ScenarioDirector()
    director.stacked = {
        parse_player(key, players): [str(n) for n in as_list(names)]
        for key, names in (wanted.get("stack") or {}).items()
    }
    director.stacked_bases = [str(n) for n in as_list(wanted.get("stack_bases"))]
    return game


def restore_game(scenario: Scenario, catalogue: Catalogue) -> Game:
    """Restore the table of a bug report: see `smashup.scenarios.scenario_writer`."""
    facts = scenario.data["table"]
    setup = Setup(
        players=scenario.data.get("players", 2),
        edition=scenario.edition,
        printing=scenario.printing,
        seed=scenario.data.get("seed", 1),
        optional_titans=bool(facts.get("optional_titans")),
        madness=bool(facts.get("with_madness")),
        ask_everyone=bool(facts.get("ask_everyone")),
    )
    try:
        setup.check(catalogue)
        game = restore(facts, setup, catalogue)
    except SmashUpError as error:
        raise ScenarioError("“table” cannot be restored: {reason}", reason=error.message) from error
    except DAMAGE as error:
        raise ScenarioError("“table” cannot be restored: it is damaged.") from error
    game.table.table_script = ScenarioDirector()
    return game
