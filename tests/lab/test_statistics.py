"""The statistics agree with textbook results."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from smashup.bots.statistics import wilson_interval
from smashup.lab import strengths
from smashup.lab.analysis import analyze
from smashup.lab.findings import TIERS, Findings, tier_of
from smashup.lab.ratings import rate_games
from smashup.lab.report.svg import Scale
from smashup.lab.strengths import GameData, fit, win_probability
from smashup.lab.study_store import StudyStore


def table(results: list[tuple[tuple[int, ...], int, int]], count: int) -> GameData:
    """Return game data of single-member teams, from seats, winning seat and number of games."""
    members, won = [], []
    for seats, winner, times in results:
        members += [[[member] for member in seats]] * times
        won += [[float(seat == winner) for seat in range(len(seats))]] * times
    return GameData(
        np.array(members, dtype=np.int64),
        np.array(won),
        np.arange(len(won), dtype=np.int64),
        count,
    )


def test_wilson_as_in_the_textbook() -> None:
    found = wilson_interval(15, 20)  # newcombe 1998 gives such values
    assert (round(found.low, 4), round(found.high, 4)) == (0.5313, 0.8881)


def test_two_members_differ_by_the_logit() -> None:
    games = table([((0, 1), 0, 3750), ((0, 1), 1, 1250), ((1, 0), 0, 1250), ((1, 0), 1, 3750)], 2)
    found = fit(games)
    difference = float(found.members[0] - found.members[1])
    assert difference == pytest.approx(math.log(3), abs=0.002)
    assert found.seats == pytest.approx([0, 0], abs=1e-6)
    draws = found.member_draws[:, 0] - found.member_draws[:, 1]
    assert float(draws.std()) == pytest.approx(1 / math.sqrt(10_000 * 0.75 * 0.25), rel=0.1)
    interval = found.interval(0)
    assert interval.low < found.members[0] < interval.high


def test_first_player_advantage_is_separated_from_strength() -> None:
    games = table([((0, 1), 0, 600), ((0, 1), 1, 400), ((1, 0), 0, 600), ((1, 0), 1, 400)], 2)
    found = fit(games)
    assert found.members == pytest.approx([0, 0], abs=1e-6)
    assert float(found.seats[0] - found.seats[1]) == pytest.approx(math.log(1.5), abs=0.01)


def test_three_seats_follow_luce() -> None:
    orders = [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    wins = {0: 500, 1: 300, 2: 200}
    games = table([(seats, seats.index(m), wins[m]) for seats in orders for m in wins], 3)
    found = fit(games)
    assert float(found.members[0] - found.members[2]) == pytest.approx(math.log(2.5), abs=0.01)
    assert float(found.members[1] - found.members[2]) == pytest.approx(math.log(1.5), abs=0.01)
    assert float(found.members.sum()) == pytest.approx(0, abs=1e-9)


def test_teams_add_up() -> None:
    rng = np.random.default_rng(3)
    true = np.array([0.8, 0.3, 0.0, -0.2, -0.3, -0.6])
    members = np.array([rng.permutation(6)[:4].reshape(2, 2) for _ in range(8000)])
    p = 1 / (1 + np.exp(-(true[members[:, 0]].sum(axis=1) - true[members[:, 1]].sum(axis=1))))
    first = rng.random(8000) < p
    won = np.stack([first, ~first], axis=1).astype(np.float64)
    found = fit(GameData(members.astype(np.int64), won, np.arange(8000, dtype=np.int64), 6))
    for member in range(6):
        interval = found.interval(member)
        assert interval.low - 0.03 < true[member] < interval.high + 0.03
    assert found.pair_win_rate((0, 5)) == pytest.approx(win_probability(0.2), abs=0.03)


def test_one_step_draws_agree_with_refitting() -> None:
    rng = np.random.default_rng(5)
    true = np.array([0.7, 0.0, -0.7])
    seats = np.array([rng.permutation(3)[:2] for _ in range(900)])
    first = rng.random(900) < 1 / (1 + np.exp(true[seats[:, 1]] - true[seats[:, 0]]))
    won = np.stack([first, ~first], axis=1).astype(np.float64)
    deals = np.arange(900, dtype=np.int64) // 2
    games = GameData(seats[:, :, None].astype(np.int64), won, deals, 3)
    quick = fit(games).member_draws.std(axis=0)
    again = []
    for _ in range(150):
        drawn = rng.integers(0, 450, 450)
        rows = np.stack([2 * drawn, 2 * drawn + 1], axis=1).ravel()
        part = GameData(games.members[rows], won[rows], deals, 3)
        again.append(fit(part, draws=1).members)
    assert quick == pytest.approx(np.array(again).std(axis=0), rel=0.25)


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    games = table([((0, 1), 0, 70), ((1, 0), 0, 50), ((0, 1), 1, 30)], 2)
    whole = fit(games, draws=20)
    monkeypatch.setattr(strengths, "BLOCK_SIZE", 7)
    parts = fit(games, draws=20)
    assert parts.members == pytest.approx(whole.members)
    assert parts.member_draws == pytest.approx(whole.member_draws)


def test_grouped_deals_give_the_same_intervals(monkeypatch: pytest.MonkeyPatch) -> None:
    in_order = table([((0, 1), 0, 1500), ((0, 1), 1, 700), ((1, 0), 0, 800), ((1, 0), 1, 1000)], 2)
    any_order = np.random.default_rng(2).permutation(4000)
    games = GameData(in_order.members[any_order], in_order.won[any_order], in_order.deals, 2)
    one_by_one = fit(games).member_draws.std(axis=0)
    monkeypatch.setattr(strengths, "MAX_GROUPS", 500)
    assert fit(games).member_draws.std(axis=0) == pytest.approx(one_by_one, rel=0.12)


def test_a_first_game_is_rated_as_the_formula_says() -> None:
    sigma, beta = 25 / 3, 25 / 6
    gain = sigma**2 / math.sqrt(2 * (sigma**2 + beta**2)) / 2
    winner, loser = rate_games([[(("a",), 1.0), (("b",), 2.0)]])
    assert (winner.name, loser.name) == ("a", "b")
    assert winner.mu == pytest.approx(25 + gain)
    assert loser.mu == pytest.approx(25 - gain)
    assert winner.sigma == loser.sigma < sigma


def test_ratings_find_the_order_and_grow_sure() -> None:
    rng = np.random.default_rng(1)
    games = []
    for _ in range(600):
        order = sorted(range(4), key=lambda n: n + rng.normal(0, 2))
        games.append([((f"bot {n}",), float(place)) for place, n in enumerate(order, 1)])
    found = rate_games(games)
    assert [row.name for row in found] == ["bot 0", "bot 1", "bot 2", "bot 3"]
    assert all(row.sigma < 2.5 for row in found)  # 8.3 before the first game
    assert all(row.low < row.mu < row.high for row in found)


def test_a_game_against_itself_changes_no_rating() -> None:
    assert rate_games([[(("a",), 1.0), (("a",), 2.0)]]) == []
    b, a = rate_games([[(("a",), 2.0), (("b",), 1.0), (("a",), 3.0)]])
    assert (a.name, b.name) == ("a", "b")
    assert a.mu < 25 < b.mu


def test_tiers_have_one_rule() -> None:
    assert [tier_of(rate) for rate in (0.7, 0.6, 0.599, 0.5, 0.46, 0.39, 0.0)] == list("SSABCDD")
    assert [name for name, _ in TIERS] == list("SABCD")


def test_findings_add_up(found: Findings) -> None:
    assert found.games == found.games_wanted == 60
    assert len(found.factions) == 5
    assert len(found.pairs) == 10
    assert sum(found.lengths.values()) == 60
    assert sum(seat.value for seat in found.seats) == pytest.approx(1)
    assert sum(pair.standing.won.games for pair in found.pairs) == 120
    won = sum(pair.standing.won.value * pair.standing.won.games for pair in found.pairs)
    assert won == pytest.approx(60)
    assert sum(row.strength.games for row in found.factions) == 240
    values = [row.strength.value for row in found.factions]
    assert values == sorted(values, reverse=True)
    for row in found.factions:
        assert row.strength.low <= row.strength.value <= row.strength.high
        assert row.tier in row.tiers
        assert row.curve[0] <= row.curve[-1]
    assert {rating.name for rating in found.ratings} == {row.name for row in found.factions}
    winners, others = found.curves
    assert winners.mean[-1] > others.mean[-1]
    assert winners.mean == sorted(winners.mean)


def test_findings_are_the_same_every_time(matrix: StudyStore, found: Findings) -> None:
    def steady(findings: Findings) -> dict[str, Any]:
        return findings.to_dict()

    assert steady(analyze(matrix)) == steady(found)


def test_a_tournament_ranks_bots(tournament: StudyStore) -> None:
    found = analyze(tournament)
    assert {row.name for row in found.entrants} == {"quick", "random"}
    assert found.games == 6
    assert {(row.a, row.b) for row in found.meetings} == {("quick", "random"), ("random", "quick")}
    assert sum(row.standing.won.games for row in found.entrants) == 18
    assert found.entrants[0].elo.value == pytest.approx(-found.entrants[1].elo.value)
    assert all(len(row.seats) == 3 for row in found.entrants)


def test_scales_have_round_ticks() -> None:
    assert Scale(0, 1, 0, 100).ticks(5) == [0, 0.2, 0.4, 0.6, 0.8, 1.0]
    assert Scale(-0.3, 31, 0, 100).ticks(8) == [0, 5, 10, 15, 20, 25, 30]
    assert Scale(0, 10, 100, 0)(2.5) == 75
