"""The games of a study and their records."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from math import comb

import polars as pl
import pytest

from smashup.bots.bot_game import BotGame
from smashup.cards import catalogue
from smashup.engine.errors import SetupError
from smashup.engine.game import Game
from smashup.lab.game_runner import GameSpec, GameTimeline, play_game
from smashup.lab.matrix import Matrix
from smashup.lab.study import Study, fingerprint
from smashup.lab.study_store import StudyStore
from smashup.lab.tournament import Tournament

CARDS = catalogue()
PAIRS = comb(len(CARDS.factions), 2)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_pair_is_dealt_once_a_round_and_sits_everywhere(players: int) -> None:
    study = Matrix(players=players)
    assert study.deals_per_round(CARDS) == PAIRS
    games = study.count_games(players, CARDS)
    jobs = [study.game_spec(game, CARDS) for game in range(games)]
    subjects = Counter((spec.setup.factions[spec.subject], spec.subject) for spec in jobs)
    assert len(subjects) == PAIRS * players
    assert set(subjects.values()) == {1}
    for spec in jobs:
        names = [name for team in spec.setup.factions for name in team]
        assert len(set(names)) == 2 * players
        assert spec.setup.first == 0
        spec.setup.check(CARDS)
    deal = jobs[:players]
    assert {spec.deal for spec in deal} == {0}
    assert len({spec.setup.seed for spec in deal}) == 1
    opponents = [
        tuple(team for seat, team in enumerate(spec.setup.factions) if seat != spec.subject)
        for spec in deal
    ]
    assert len(set(opponents)) == 1


def test_every_round_has_its_own_order() -> None:
    study = Matrix()
    rounds = [
        [study.game_spec(2 * (PAIRS * number + place), CARDS) for place in range(PAIRS)]
        for number in (0, 1)
    ]
    orders = [[spec.setup.factions[spec.subject] for spec in jobs] for jobs in rounds]
    assert sorted(orders[0]) == sorted(orders[1]) == sorted(study.pairs(CARDS))
    assert orders[0] != orders[1]


def test_opponents_are_a_fair_draw() -> None:
    study = Matrix()
    rivals: Counter[str] = Counter()
    for game in range(0, 4200, 2):
        spec = study.game_spec(game, CARDS)
        rivals.update(spec.setup.factions[1 - spec.subject])
    mean = 2100 * 2 / len(CARDS.factions)
    assert all(abs(count - mean) < 5 * mean**0.5 for count in rivals.values())


def test_more_games_of_each_are_whole_deals() -> None:
    assert Matrix(players=3).count_games(4, CARDS) == 6 * PAIRS
    assert Matrix(players=2).count_games(4, CARDS) == 4 * PAIRS


def test_bots_rotate_and_factions_stay() -> None:
    study = Tournament(players=3, entrants=("random", "easy", "normal", "quick"))
    assert len(study.tables()) == 4
    jobs = [study.game_spec(game, CARDS) for game in range(12)]
    for start in range(0, 12, 3):
        deal = jobs[start : start + 3]
        assert len({spec.setup for spec in deal}) == 1
        for seat in range(3):
            assert len({spec.bots[seat] for spec in deal}) == 3
    assert {frozenset(spec.bots) for spec in jobs} == {frozenset(table) for table in study.tables()}


def test_few_bots_at_a_large_table_sit_there_more_than_once() -> None:
    tables = Tournament(players=3, entrants=("random", "easy")).tables()
    assert tables == [("random", "random", "easy"), ("random", "easy", "easy")]


@pytest.mark.parametrize(
    "study", [Matrix(bot="quick", players=4, seed=9), Tournament(factions=(("Kaiju",), ()))]
)
def test_a_study_is_plain_data(study: Study) -> None:
    assert type(study).from_dict(study.to_dict()) == study


@pytest.mark.parametrize(
    ("study", "sentence"),
    [
        (Matrix(bot="nobody"), "There is no bot called “nobody”"),
        (Matrix(players=5), "2 to 4 players"),
        (Matrix(factions=("Kaiju", "Mounties")), "2 players need 4 different factions"),
        (Matrix(factions=("Kaiju",) * 4), "named twice"),
        (Matrix(printing="new"), "Unknown printing"),
        (Tournament(entrants=("easy",)), "at least two bots"),
        (Tournament(entrants=("easy", "easy")), "named twice"),
        (Tournament(entrants=("easy", "nobody")), "There is no bot called “nobody”"),
    ],
)
def test_an_invalid_study_is_refused(study: Study, sentence: str) -> None:
    with pytest.raises(SetupError, match=sentence):
        study.check(CARDS)


@pytest.mark.parametrize("players", [2, 3])
def test_the_timeline_ends_with_the_final_vp(players: int) -> None:
    study = Matrix(players=players, bot="quick", seed=3)
    for game in range(25):
        spec = study.game_spec(game, CARDS)
        bot_game = BotGame(spec.setup, spec.bots, CARDS)
        state = bot_game.game.table.state
        timeline = GameTimeline(bot_game.game.table.events, players)
        assert timeline.vp == state.vp
        assert sum(timeline.own_turns) == state.turn
        assert all(len(curve) == state.turn for curve in timeline.vp_by_turn)
        assert sum(timeline.broken) == timeline.bases > 0


def test_vp_by_turn_are_those_of_a_replay() -> None:
    """Compare at every change of turn."""
    setup = replace(Matrix(seed=4).game_spec(2, CARDS).setup)
    spec = GameSpec(0, 0, setup, ("random", "random"))
    bot_game = BotGame(setup, spec.bots, CARDS)
    rows = play_game(spec, CARDS)
    again = Game(setup, CARDS)
    seen: dict[int, list[int]] = {}
    for answer in bot_game.game.answers:
        again.choose(answer)
        if again.at_menu:
            seen.setdefault(again.table.state.turn, again.table.state.vp[:])
    at_starts = [[row.vp_by_turn[turn - 2] for row in rows] for turn in sorted(seen) if turn >= 2]
    gains = sum(before != seen[turn] for turn, before in enumerate(at_starts, 2))
    assert len(seen) == rows[0].turns
    assert gains <= 1  # a card may give VP at the very start of a turn


def test_rows_of_a_game_fit_together(matrix: StudyStore) -> None:
    frame = matrix.read_games()
    assert frame.height == matrix.plan.games * 2 == 120
    by_game = frame.group_by("game").agg(
        pl.col("won").sum(), pl.col("rank").sum(), pl.col("subject").sum(), pl.col("bases").max()
    )
    assert set(by_game["won"]) == {1.0}
    assert set(by_game["rank"]) == {3.0}
    assert set(by_game["subject"]) == {1}
    last = frame.select(pl.col("vp_by_turn").list.last() == pl.col("vp"))
    assert last.to_series().all()
    assert (frame["vp_by_turn"].list.len() == frame["turns"]).all()
    assert (frame.filter(pl.col("won") == 1)["vp"] >= 15).all()
    assert (frame["bases_first"] <= frame["bases_placed"]).all()
    assert (frame["bases_placed"] <= frame["bases"]).all()
    assert (frame["decisions"] > 0).all()


def test_the_fingerprint_distinguishes_programs(tmp_path: object) -> None:
    from pathlib import Path

    file = Path(str(tmp_path)) / "faction.py"
    file.write_text("one")
    first = fingerprint((str(file),))
    assert first == fingerprint((str(file),)) != fingerprint()
    file.write_text("two")
    assert fingerprint((str(file),)) != first
