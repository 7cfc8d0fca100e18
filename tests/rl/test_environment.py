"""The PettingZoo environment: PettingZoo's own tests and further ones."""

from __future__ import annotations

import gc
import warnings
import weakref
from typing import Any

import numpy as np
import pytest

from smashup.engine.errors import IllegalChoice, SmashUpError
from smashup.rl import env, parallel_env, raw_env
from smashup.rl.environment import ILLEGAL_REWARD
from smashup.rl.fields import unflatten

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # they import an environment in a way that they deprecate
    from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test

TABLES: list[dict[str, Any]] = [
    {},
    {"players": 3, "reward": "points", "edition": "II", "printing": "current"},
    {"players": 4, "draft": True, "max_options": 6, "skip_forced": False, "normalized": True},
]

# PettingZoo knows its own environments with masks by name and warns about all others.
EXPECTED = (
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box",
)


def finish(table: Any, seed: int = 0) -> dict[str, float]:
    """Play a game at random; return every agent's total reward."""
    rng = np.random.default_rng(seed)
    got = dict.fromkeys(table.possible_agents, 0.0)
    for agent in table.agent_iter():
        seen, reward, over, cut, _ = table.last()
        got[agent] += reward
        legal = np.flatnonzero(seen["action_mask"])
        table.step(None if over or cut else rng.choice(legal))
    return got


@pytest.mark.parametrize("options", TABLES)
def test_pettingzoo_api(options: dict[str, Any]) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(env(**options), num_cycles=200)
    surprising = {str(w.message) for w in caught if not str(w.message).startswith(EXPECTED)}
    assert not surprising


@pytest.mark.parametrize("options", TABLES)
def test_pettingzoo_seed(options: dict[str, Any]) -> None:
    seed_test(lambda: env(**options), num_cycles=60)


@pytest.mark.parametrize("options", TABLES)
def test_pettingzoo_parallel_api(options: dict[str, Any]) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        parallel_api_test(parallel_env(**options), num_cycles=200)
    assert not [str(warning.message) for warning in caught]


def test_normalized_observations_are_the_others_scaled() -> None:
    plain, scaled = raw_env(), raw_env(normalized=True)
    for table in (plain, scaled):
        table.reset(seed=3)
    for _ in range(60):
        agent = plain.agent_selection
        before, after = plain.observe(agent), scaled.observe(agent)
        assert scaled.observation_space(agent).contains(after)
        parts = unflatten(before["observation"], 2), unflatten(after["observation"], 2)
        assert np.allclose(parts[0]["seats"][:, 0] / 15, parts[1]["seats"][:, 0])
        assert np.array_equal(before["options"][:, 0], after["options"][:, 0])  # a flag
        assert np.array_equal(before["options"] != 0, after["options"] != 0)
        action = int(np.flatnonzero(before["action_mask"])[-1])
        for table in (plain, scaled):
            table.step(action)


def test_pettingzoo_render(capsys: pytest.CaptureFixture[str]) -> None:
    render_test(env)
    assert "is asked:" in capsys.readouterr().out


def test_a_whole_game_ends_with_a_winner_and_adds_up_to_nothing() -> None:
    for players in (2, 4):
        table = env(players=players)
        table.reset(seed=5)
        got = finish(table)
        assert sorted(got.values())[-1] == 1.0
        assert sum(got.values()) == pytest.approx(0.0)


def test_points_are_paid_as_they_are_scored() -> None:
    table = raw_env(reward="points")
    table.reset(seed=3)
    got = finish(table)
    mine, theirs = table.game.table.state.vp
    assert got["player_0"] == pytest.approx((mine - theirs) / 15)
    assert got["player_1"] == pytest.approx((theirs - mine) / 15)


def test_seeds_deal_a_sequence_of_games() -> None:
    table = raw_env()
    table.reset(seed=1)
    first = table.game.digest()
    table.reset()
    second = table.game.digest()
    assert first != second
    table.reset(seed=1)
    assert table.game.digest() == first
    table.reset()
    assert table.game.digest() == second


def test_bots_can_sit_at_the_table() -> None:
    """The running game can be inspected and copied at any decision."""
    from smashup.bots.information_set import InformationSet
    from smashup.bots.levels import make_bot

    table = raw_env()
    table.reset(seed=2)
    bot = make_bot("easy", seed=1)
    for _ in range(25):
        table.step(bot.choose(InformationSet(table.game)))
    again = table.game.clone()
    assert again.digest() == table.game.digest()
    assert again.decision is not None


def test_illegal_actions() -> None:
    table = raw_env()
    table.reset(seed=1)
    before = table.game.digest()
    with pytest.raises(IllegalChoice, match="not legal"):
        table.step(127)
    assert table.game.digest() == before
    guarded = env()
    guarded.reset(seed=1)
    agent = guarded.agent_selection
    guarded.step(127)
    assert guarded.terminations[agent]
    assert guarded.rewards[agent] == ILLEGAL_REWARD


@pytest.mark.parametrize(
    "options",
    [
        {"players": 5},
        {"factions": [["Kaiju", "Nobody"], ["Mounties", "Ignobles"]]},
        {"edition": "none"},
        {"reward": "love"},
        {"max_options": 1},
        {"nonsense": 1},
        {"render_mode": "film"},
    ],
)
def test_nonsense_is_refused_in_a_sentence(options: dict[str, Any]) -> None:
    with pytest.raises(SmashUpError, match=r"\w+ .*\."):
        env(**options)


def test_long_games_are_cut_short() -> None:
    table = env(max_actions=30)
    table.reset(seed=1)
    steps = 0
    for agent in table.agent_iter():
        seen, reward, over, cut, _ = table.last()
        assert not over
        assert reward == 0.0
        table.step(None if cut else int(np.flatnonzero(seen["action_mask"])[0]))
        steps += not cut
        assert agent in table.possible_agents
    assert steps == 30


def test_an_unreferenced_game_is_freed() -> None:
    """A game that is paused in the middle of a card can be garbage-collected."""
    table = raw_env()
    table.reset(seed=1)
    assert table.match is not None
    match = weakref.ref(table.match)
    running = table.match._greenlet
    table.reset(seed=2)
    gc.collect()
    assert match() is None
    assert running.dead


def test_games_in_a_circle_are_cut_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cards that play each other endlessly end the game, not the program."""

    def run(game: Any, line: Any) -> None:
        def answer(decision: Any) -> int:
            if game.table.state.turn > 2:
                raise RecursionError
            chosen: int = line.answer(decision)
            return chosen

        game.play_out(answer, record=True)

    monkeypatch.setattr("smashup.rl.match._run", run)
    table = env()
    table.reset(seed=4)
    got = finish(table)
    assert set(got.values()) == {0.0}
    assert not table.agents
