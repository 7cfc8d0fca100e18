"""The example learns: quickly, and the same from the same seed."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from smashup.rl import games

EXAMPLE = Path(__file__).parents[2] / "examples" / "train_policy.py"


@pytest.fixture(scope="module")
def example() -> Any:
    spec = importlib.util.spec_from_file_location("train_policy", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def score(example: Any, network: Any, count: int = 32, steps: int = 160) -> float:
    """Return a network's total reward against random players, minus theirs."""
    rng = np.random.default_rng(3)
    mine = np.arange(count) % 2
    scored = 0.0
    with games(count, reward="points") as table:
        step = table.reset(7)
        for _ in range(steps):
            decisions, _ = example.encode(step.observation)
            rows = decisions.starts + (rng.random(count) * decisions.counts).astype(np.int64)
            rows = np.where(step.seats == mine, network.best(decisions), rows)
            step = table.step(decisions.actions[rows])
            scored += float(step.rewards[np.arange(count), mine].sum())
    return scored


def test_it_gets_better(example: Any) -> None:
    """After a short training it scores more than before, and more than random players do."""
    before = score(example, example.train(updates=0))
    after = score(example, example.train(updates=12, length=96, rate=0.02))
    assert after > before + 2.0
    assert after > 0.0


def test_the_same_seed_learns_the_same(
    example: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = []
    for processes in (1, 2):
        file = tmp_path / f"{processes}.npz"
        words = f"--updates 1 --games 4 --final 2 --processes {processes} --network {file}".split()
        assert example.main(words) == 0
        with np.load(file) as weights:
            kept.append([weights[name] for name in weights.files])
    for one, other in zip(*kept, strict=True):
        assert np.array_equal(one, other)
    assert "2 games against classic:easy" in capsys.readouterr().out


def test_its_gradient_is_right(example: Any) -> None:
    """A small step makes choices with positive advantage more probable, the others less."""
    rng = np.random.default_rng(0)
    decisions = example.Decisions(
        rng.standard_normal((7, 5)).astype(np.float32),
        rng.integers(1, 9, (7, 3)),
        np.array([0, 1, 2, 0, 1, 2, 3]),
        np.array([0, 3]),
    )
    network = example.Network(5, rng)
    rows = np.array([1, 6])
    before = network.probabilities(decisions)[0]
    assert before[:3].sum() == pytest.approx(1.0, abs=1e-5)
    assert before[3:].sum() == pytest.approx(1.0, abs=1e-5)
    advantages = np.array([1.0, -1.0], np.float32)
    network.update(decisions, rows, before[rows], advantages, rate=0.01)
    after = network.probabilities(decisions)[0]
    assert after[1] > before[1]
    assert after[6] < before[6]
