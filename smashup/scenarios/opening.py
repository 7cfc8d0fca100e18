"""Tables that are not laid: a real set-up with stacked decks, and a table told whole."""

from __future__ import annotations

from typing import Final

from smashup.engine.errors import SmashUpError
from smashup.engine.game import Game
from smashup.engine.model.catalogue import Catalogue
from smashup.engine.model.setup import Setup
from smashup.engine.saves.snapshots import restore
from smashup.scenarios.director import ScenarioDirector
from smashup.scenarios.document import Scenario
from smashup.scenarios.errors import ScenarioError
from smashup.scenarios.references import player_number
from smashup.scenarios.schema.base import as_list

DAMAGE: Final = (
    ArithmeticError, AssertionError, AttributeError, LookupError, MemoryError, TypeError,
    ValueError,
)  # fmt: skip
"""What data can lead to that only looks like a table."""


def set_up(scenario: Scenario, catalogue: Catalogue) -> Game:
    """A real set-up, with stacked decks where the scenario asks for them."""
    data = scenario.data
    wanted = data["setup"]
    factions = wanted.get("factions") or {}
    players = data.get("players", len(factions) or 2)
    for key in factions:
        player_number(key, players)
    setup = Setup(
        players=players,
        factions=tuple(tuple(map(str, as_list(factions[key]))) for key in sorted(factions)),
        draft=wanted.get("draft", False),
        pool=tuple(map(str, as_list(wanted.get("pool")))),
        edition=scenario.edition,
        printing=scenario.printing,
        seed=wanted.get("seed", data.get("seed", 1)),
        first=player_number(wanted.get("first", "P1"), players),
        optional_titans=wanted.get("optional_titans", False),
        madness=bool(data.get("madness")),
        duplicates=wanted.get("duplicates", False),
    )
    game = Game(setup, catalogue)
    director = game.table.table_script = ScenarioDirector()
    director.stacked = {
        player_number(key, players): [str(n) for n in as_list(names)]
        for key, names in (wanted.get("stack") or {}).items()
    }
    director.stacked_bases = [str(n) for n in as_list(wanted.get("stack_bases"))]
    return game


def restore_table(scenario: Scenario, catalogue: Catalogue) -> Game:
    """A table told exactly, as a bug report brings it: see `smashup.scenarios.writing`."""
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
        raise ScenarioError("«table» cannot be laid: {reason}", reason=error.message) from error
    except DAMAGE as error:
        raise ScenarioError("«table» cannot be laid: it is damaged.") from error
    game.table.table_script = ScenarioDirector()
    return game
