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


def points(example: Any, network: Any, count: int = 32, steps: int = 160) -> float:
    """What a network scores against random in some games, less what random scores."""
    dice = np.random.default_rng(3)
    mine = np.arange(count) % 2
    scored = 0.0
    with games(count, reward="points") as table:
        step = table.reset(7)
        for _ in range(steps):
            at, _ = example.look(step)
            rows = at.starts + (dice.random(count) * at.counts).astype(np.int64)
            rows = np.where(step.seats == mine, network.best(at), rows)
            step = table.step(at.slots[rows])
            scored += float(step.rewards[np.arange(count), mine].sum())
    return scored


def test_it_gets_better(example: Any) -> None:
    """After a few seconds of learning it scores more than before, and more than random does."""
    untaught, _ = example.train(updates=0, test_games=0)
    taught, _ = example.train(updates=6, length=64, rate=0.02, test_games=0)
    after = points(example, taught)
    assert after > points(example, untaught) + 2.0
    assert after > 0.0


def test_the_same_seed_learns_the_same(
    example: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = []
    for processes in (1, 2):
        file = tmp_path / f"{processes}.npz"
        drawn = tmp_path / "curve.svg"
        words = f"--updates 1 --games 4 --tests 4 --final 2 --processes {processes}".split()
        assert example.main([*words, "--network", str(file), "--picture", str(drawn)]) == 0
        with np.load(file) as weights:
            kept.append([weights[name] for name in weights.files])
        assert drawn.read_text(encoding="utf-8").startswith("<svg")
    for one, other in zip(*kept, strict=True):
        assert np.array_equal(one, other)
    assert "against random" in capsys.readouterr().out


def test_its_gradient_is_right(example: Any) -> None:
    """One small step of learning raises what it should: the chance of what was worth much."""
    rng = np.random.default_rng(0)
    at = example.Positions(
        rng.standard_normal((7, 5)).astype(np.float32),
        rng.integers(1, 9, (7, 3)),
        np.array([0, 1, 2, 0, 1, 2, 3]),
        np.array([0, 3]),
    )
    network = example.Network(5, rng)
    rows = np.array([1, 6])
    before = network.chances(at)[0]
    assert before[:3].sum() == pytest.approx(1.0, abs=1e-5)
    assert before[3:].sum() == pytest.approx(1.0, abs=1e-5)
    worth = np.array([1.0, -1.0], np.float32)
    network.learn(at, rows, before[rows], worth, rate=0.01)
    after = network.chances(at)[0]
    assert after[1] > before[1]
    assert after[6] < before[6]
