"""A game written as a scenario: what one seat sees comes back, and nothing else goes out."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from smashup.cards import catalogue
from smashup.engine.game import Game
from smashup.engine.model.constants import BURIED
from smashup.engine.model.setup import Setup
from smashup.engine.model.state import State
from smashup.engine.rules import visibility
from smashup.scenarios.cli import run_files
from smashup.scenarios.document import parse
from smashup.scenarios.errors import ScenarioError
from smashup.scenarios.redaction import redact_table, rewind_to_last_menu
from smashup.scenarios.scenario_writer import write_scenario
from smashup.scenarios.table.table_builder import build_table


def positions(players: int, seed: int, every: int, **more: bool) -> Iterator[Game]:
    """A random game, looked at now and then, often in the middle of a card."""
    game = Game(Setup(players=players, seed=seed, **more), catalogue())  # type: ignore[arg-type]
    dice = random.Random(seed)
    given = 0
    while (decision := game.decision) is not None:
        game.choose(dice.randrange(len(decision.options)))
        given += 1
        if given % every == 0:
            yield game


@pytest.mark.parametrize(
    ("players", "seed", "madness"), [(2, 1, False), (3, 2, True), (4, 3, False), (2, 4, True)]
)
def test_the_table_comes_back_as_it_was_seen(players: int, seed: int, madness: bool) -> None:
    looked = middle = 0
    for game in positions(players, seed, 19, madness=madness):
        for viewer in range(-1, players):
            text = write_scenario(
                game, viewer, "REPORT-1", "It “cannot” be: #1\n- so", random.Random(1)
            )
            (scenario,) = parse(text)
            again = build_table(scenario, catalogue())
            menu = rewind_to_last_menu(game)
            assert menu is not None
            assert again.view(viewer) == menu.view(viewer)
            assert again.at_menu
            looked += 1
            middle += not game.at_menu
            # It can be played on.
            dice = random.Random(seed)
            for _ in range(10):
                if (decision := again.decision) is not None:
                    again.choose(dice.randrange(len(decision.options)))
        if looked > 12:
            break
    assert looked > 8
    assert middle, "some positions were in the middle of a card"


def swap_cards(menu: State, a: int, b: int) -> State:
    """The same table with two cards in each other's place."""
    s = menu.copy()
    columns = [s.zone, s.place, s.hidden_with, s.seen_by]
    if BURIED in (s.zone[a], s.zone[b]):
        columns += [s.controller, s.played_by]
    for column in columns:
        column[a], column[b] = column[b], column[a]
    other = {a: b, b: a}
    for pile in [*s.hands, *s.decks, s.base_deck, *(site.cards for site in s.sites)]:
        pile[:] = [other.get(c, c) for c in pile]
    return s


@pytest.mark.parametrize("players", [2, 3])
def test_where_hidden_cards_really_lie_makes_no_difference(players: int) -> None:
    """Not even by their numbers: the report is word for word the same."""
    tried = 0
    for game in positions(players, 9, 31):
        menu = game.table.last_menu
        assert menu is not None
        for viewer in range(-1, players):
            table = rewind_to_last_menu(game)
            assert table is not None
            redacted = redact_table(table, viewer, random.Random(3))
            table.table.pending = None
            for group in visibility.hidden_groups(table.table, viewer):
                if len(group) < 2:
                    continue
                a, b = random.Random(tried).sample(group, 2)
                other = Game(game.setup, game.catalogue, swap_cards(menu, a, b))
                assert redact_table(other, viewer, random.Random(3)) == redacted
                tried += 1
        if tried > 200:
            return
    assert tried > 50


def test_nothing_reveals_the_seed(tmp_path: Path) -> None:
    seed = 987_654_321_123
    game = next(positions(2, seed, 60))
    text = write_scenario(game, 0, "REPORT-2", "?", random.Random(5))
    assert str(seed) not in text
    assert str(game.table.state.rng) not in text
    assert game.table.last_menu is not None
    assert str(game.table.last_menu.rng) not in text


def test_the_program_opens_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = next(positions(3, 6, 70))
    file = tmp_path / "report.yaml"
    nasty = "x: [1, \"2'\n---\n- \x00\u2028 " + "é" * 300
    file.write_text(write_scenario(game, 1, "REPORT-3", nasty, random.Random(5)), encoding="utf-8")
    assert run_files([str(file)]) == 0, capsys.readouterr()
    (scenario,) = parse(file.read_text(encoding="utf-8"))
    assert scenario.data["note"] == nasty
    assert "1 passed" in capsys.readouterr().out


@pytest.mark.parametrize("draft", [True, False])
def test_a_game_that_has_hardly_begun(draft: bool, tmp_path: Path) -> None:
    game = Game(Setup(players=2, seed=3, draft=draft), catalogue())
    game.table.last_menu = None
    file = tmp_path / "report.yaml"
    file.write_text(write_scenario(game, 0, "REPORT-4", "", random.Random(5)), encoding="utf-8")
    assert run_files([str(file)]) == 0


def test_a_damaged_table_is_refused_in_a_sentence() -> None:
    for wrong in ("table: 3", "table: {}", "table: {kind: [Nobody]}"):
        (scenario,) = parse(f"id: x\nplayers: 2\n{wrong}")
        with pytest.raises(ScenarioError):
            build_table(scenario, catalogue())
    (scenario,) = parse("id: x\ntable: {}\nturn: P1")
    with pytest.raises(ScenarioError, match="leave out turn"):
        build_table(scenario, catalogue())
