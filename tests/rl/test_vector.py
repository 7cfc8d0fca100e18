"""Many games in step: the same games however they are spread."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import pytest

from smashup.engine.errors import SetupError
from smashup.rl import games, raw_env
from smashup.rl.vector import Games, Step


def pick_legal_actions(step: Step, rng: np.random.Generator) -> Any:
    """Return a random legal action for each game."""
    mask = step.observation["action_mask"]
    return np.array([rng.choice(np.flatnonzero(row)) for row in mask])


def compute_fingerprint(table: Games, steps: int) -> tuple[str, int]:
    """Return a fingerprint of all observations, and the number of games that ended."""
    rng = np.random.default_rng(4)
    hashed = hashlib.blake2b()
    step = table.reset(seed=9)
    ended = 0
    for _ in range(steps):
        for part in (*step.observation.values(), *step[1:]):
            hashed.update(np.ascontiguousarray(part).tobytes())
        step = table.step(pick_legal_actions(step, rng))
        ended += int(step.done.sum())
    return hashed.hexdigest(), ended


def test_the_number_of_processes_makes_no_difference() -> None:
    told = []
    for processes in (1, 2, 3):
        with games(4, processes, reward="points", max_actions=120) as table:
            told.append(compute_fingerprint(table, steps=150))
    assert told[0] == told[1] == told[2]
    assert told[0][1] >= 4


def test_a_reset_begins_again() -> None:
    with games(2, max_actions=40) as table:
        assert compute_fingerprint(table, 60) == compute_fingerprint(table, 60)


def test_finished_games_are_rewarded_and_restarted() -> None:
    with games(3) as table:
        rng = np.random.default_rng(0)
        step = table.reset(seed=1)
        ended = 0
        while ended < 3:
            step = table.step(pick_legal_actions(step, rng))
            assert np.all((step.rewards != 0).any(axis=1) == step.done)
            for i in np.flatnonzero(step.done):
                assert sorted(step.rewards[i]) == [-1, 1]
                assert step.observation["observation"][i, 0] <= 2  # turn
                ended += 1
            assert step.observation["action_mask"].any(axis=1).all()


def test_they_see_what_the_environment_sees() -> None:
    table = raw_env(players=3)
    with games(1, players=3) as many:
        step = many.reset(seed=6)
        table.match = many._matches[0]  # type: ignore[attr-defined]
        seen = table.observe(f"player_{step.seats[0]}")
        for name, part in seen.items():
            assert np.array_equal(step.observation[name][0], part)


def test_nonsense_is_refused_in_a_sentence() -> None:
    with pytest.raises(SetupError, match="one game"):
        games(0)
    with pytest.raises(SetupError, match="one process"):
        games(2, 0)
    with games(2) as table:
        with pytest.raises(SetupError, match="reset"):
            table.step(np.zeros(2, int))
        table.reset()
        with pytest.raises(SetupError, match="2 games need 2 actions"):
            table.step(np.zeros(3, int))


def test_an_error_in_a_process_is_reported() -> None:
    with games(2, 2) as table:
        table.reset()
        with pytest.raises(RuntimeError, match="not legal"):
            table.step(np.full(2, 127))
