"""The Gymnasium environment `SmashUp-v0`: Gymnasium's own check, masks, opponents, observations."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from smashup.engine.errors import SmashUpError
from smashup.rl import SmashUpEnv, games, vocabulary
from smashup.rl.environment import ILLEGAL_REWARD
from smashup.rl.fields import CARD_SCALE, FACTION_SCALE, OPTION_COLUMNS, unflatten
from smashup.rl.flat import CARD_GROUPS, COPIES_SCALE
from smashup.rl.vocabulary import PURPOSES

GNOMES = Path(__file__).parents[2] / "examples" / "garden_gnomes.py"
OPTION = {column.name: i for i, column in enumerate(OPTION_COLUMNS)}


def play(env: SmashUpEnv, seed: int, steps: int = 10_000) -> tuple[float, dict[str, Any]]:
    """Play a game with random legal actions; return the sum of rewards and the last info."""
    rng = np.random.default_rng(seed)
    _, info = env.reset(seed=seed)
    total = 0.0
    for _ in range(steps):
        legal = np.flatnonzero(env.action_masks())
        _, reward, terminated, truncated, info = env.step(rng.choice(legal))
        total += reward
        if terminated or truncated:
            break
    return total, info


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"observation": "masked", "opponents": "random", "reward": "points"},
        {
            "observation": "arrays",
            "players": 3,
            "opponents": ["random", "easy"],
            "max_options": 6,
            "normalized": True,
        },
    ],
)
def test_gymnasium_check(options: dict[str, Any]) -> None:
    env = gymnasium.make("SmashUp-v0", **options)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)


def test_masked_actions_are_the_options_of_the_learner() -> None:
    """Every legal option has an action on some page, and nothing else is legal."""
    env = SmashUpEnv(opponents="random", max_options=6)
    env.reset(seed=4)
    rng = np.random.default_rng(1)
    pages = 0
    for _ in range(400):
        decision = env.game.decision
        assert decision is not None
        assert decision.player == env.seat
        mask = env.action_masks()
        assert mask.dtype == np.bool_
        assert mask.shape == (6,)
        match = env._running()
        assert mask.sum() == match.page.shown + (match.page.pages > 1)
        pages += match.page.pages > 1
        _, _, terminated, truncated, info = env.step(rng.choice(np.flatnonzero(mask)))
        assert "illegal_action" not in info
        if terminated or truncated:
            assert not env.action_masks().any()
            env.reset()
    assert pages > 20


def test_an_illegal_action_loses_the_game() -> None:
    env = SmashUpEnv(opponents="random")
    env.reset(seed=1)
    illegal = int(np.flatnonzero(~env.action_masks())[0])
    _, reward, terminated, _, info = env.step(illegal)
    assert (reward, terminated, info["illegal_action"]) == (ILLEGAL_REWARD, True, illegal)
    with pytest.raises(SmashUpError, match="reset"):
        env.step(0)


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_rewards_of_a_game_are_those_of_the_learner(seat: int) -> None:
    env = SmashUpEnv(opponents=["random", "easy"], players=3, seat=seat)
    total, info = play(env, seed=seat)
    assert env.seat == info["seat"] == seat
    assert total == pytest.approx(1.0 if seat in info["winners"] else -0.5)
    points = SmashUpEnv(opponents="random", seat=1, reward="points")
    total, info = play(points, seed=seat)
    assert total == pytest.approx((info["vp"][1] - info["vp"][0]) / 15)


def test_the_same_seed_plays_the_same_games() -> None:
    one, other = (SmashUpEnv(opponents="easy") for _ in range(2))
    for env in (one, other):
        env.reset(seed=11)
    for _ in range(40):
        seats = one.seat, other.seat
        assert seats[0] == seats[1]
        action = int(np.flatnonzero(one.action_masks())[-1])
        steps = one.step(action), other.step(action)
        assert np.array_equal(steps[0][0], steps[1][0])
        if steps[0][2]:
            one.reset()
            other.reset()
    seen = set()
    for seed in range(12):
        one.reset(seed=seed)
        seen.add(one.seat)
    assert seen == {0, 1}


def test_the_vector_says_what_the_arrays_say() -> None:
    env = SmashUpEnv(opponents="random")
    words = vocabulary()
    vector, _ = env.reset(seed=5)
    rng = np.random.default_rng(2)
    for _ in range(150):
        decision = env.game.decision
        assert decision is not None
        assert np.abs(vector).max() <= 1.0
        parts = env.flat.split(vector)
        assert PURPOSES[int(parts["purpose"].argmax())] == decision.purpose
        assert parts["purpose"].sum() == 1.0
        table = unflatten(parts["observation"], 2)
        vp = [env.game.table.state.vp[(env.seat + i) % 2] for i in range(2)]
        assert (table["seats"][:, 0] * 15).round().tolist() == [min(points, 15) for points in vp]
        hand = parts["cards"][CARD_GROUPS.index("hand")] * COPIES_SCALE
        cards = [
            env.game.table.state.definition[c].name for c in env.game.table.state.hands[env.seat]
        ]
        assert {words.kinds[i] for i in np.flatnonzero(hand)} == set(cards)
        shown = env._seen["options"]
        kinds = (parts["options"][:, OPTION["kind"]] * CARD_SCALE).round()
        assert np.array_equal(kinds, shown[:, OPTION["kind"]])
        vector, _, terminated, truncated, _ = env.step(
            rng.choice(np.flatnonzero(env.action_masks()))
        )
        if terminated or truncated:
            vector, _ = env.reset()


def test_modes_and_refusals_have_ids() -> None:
    """Sentences are distinguished by their position, and refusals are marked."""
    env = SmashUpEnv(opponents="random")
    env.reset(seed=3)
    rng = np.random.default_rng(5)
    words = declines = 0
    for _ in range(600):
        decision = env.game.decision
        assert decision is not None
        rows = env._seen["options"][: len(decision.options)]
        for i, row in enumerate(rows):
            assert row[OPTION["declines"]] == decision.declines(i)
            assert row[OPTION["mode"]] == (i + 1 if row[OPTION["pick_words"]] else 0)
        words += int(rows[:, OPTION["pick_words"]].sum())
        declines += int(rows[:, OPTION["declines"]].sum())
        _, _, terminated, truncated, _ = env.step(rng.choice(np.flatnonzero(env.action_masks())))
        if terminated or truncated:
            env.reset()
    assert words
    assert declines


def test_vector_environments() -> None:
    envs: Any = gymnasium.make_vec(
        "SmashUp-v0", num_envs=2, vectorization_mode="sync", opponents="random"
    )
    seen, _ = envs.reset(seed=1)
    assert seen.shape == (2, *envs.single_observation_space.shape)
    masks = np.stack(envs.call("action_masks"))
    envs.step(masks.argmax(axis=1))
    envs.close()


def test_factions_of_your_own() -> None:
    """A faction file adds cards after the built-in ones, also in other processes."""
    env = SmashUpEnv(
        opponents="random",
        seat=0,
        faction_files=[GNOMES],
        factions=[["Garden Gnomes", "Kaiju"], ["Mounties", "Ignobles"]],
    )
    own = vocabulary()
    words = env.factory.vocabulary
    assert words.kinds[: len(own.kinds)] == own.kinds
    assert words.factions[: len(own.factions)] == own.factions
    assert words.factions[-1] == "Garden Gnomes"
    vector, _ = env.reset(seed=1)
    seats = unflatten(env.flat.split(vector)["observation"], 2)["seats"]
    faction = words.faction_number["Garden Gnomes"]
    assert faction in (seats[0, 4:6] * FACTION_SCALE).round().tolist()
    _, info = play(env, seed=2)
    assert info["winners"]
    options = {
        "faction_files": [str(GNOMES)],
        "pool": ["Garden Gnomes", "Kaiju", "Mounties", "Ignobles"],
    }
    for processes in (1, 2):
        with games(2, processes, **options) as table:
            step = table.reset(seed=1)
            parts = unflatten(step.observation["observation"], 2)
            assert faction in parts["seats"][:, :, 4:6]


@pytest.mark.parametrize(
    "options",
    [
        {"opponents": "nobody"},
        {"opponents": ["easy", "easy"]},
        {"seat": 2},
        {"observation": "picture"},
        {"render_mode": "film"},
        {"faction_files": ["nowhere.py"]},
        {"players": 7},
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(SmashUpError, match=r"\w+ .*\."):
        SmashUpEnv(**options)


def test_rendering_hides_the_opponents_hand() -> None:
    env = SmashUpEnv(opponents="random", render_mode="ansi", seat=0)
    env.reset(seed=1)
    text = env.render()
    assert text is not None
    assert "Hand: ?, ?" in text
    hidden = env.game.table.state.hands[1][0]
    mine = [env.game.table.state.definition[c].name for c in env.game.table.state.hands[0]]
    name = env.game.table.state.definition[hidden].name
    assert name in mine or name not in text


def test_games_too_short_for_a_decision_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("smashup.rl.gym_env.MAX_DEALS", 1)
    env = SmashUpEnv(opponents="random", max_actions=1, seat=1, first=0)
    with pytest.raises(SmashUpError, match="max_actions"):
        env.reset(seed=1)
