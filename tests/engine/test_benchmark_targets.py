"""The targets of `make bench`: scaled by the yardstick, missed below 90%."""

from __future__ import annotations

import pytest

from benchmarks.targets import INTERPRETED, REFERENCE_CHESS_GAMES, Target, missed_targets

EXACT = {"ratio": 3.0, "iterations": 3600.0, "step_us": 40.0, "view_us": 80.0}


@pytest.mark.parametrize("speed", [0.5, 1.0, 2.0])
def test_absolute_figures_scale_with_the_machine(speed: float) -> None:
    measured = {
        "chess": REFERENCE_CHESS_GAMES * speed,
        "ratio": EXACT["ratio"],
        "iterations": EXACT["iterations"] * speed,
        "step_us": EXACT["step_us"] / speed,
        "view_us": EXACT["view_us"] / speed,
    }
    assert [target.share_reached(measured) for target in INTERPRETED] == pytest.approx([1.0] * 4)
    assert missed_targets(INTERPRETED, measured) == []


@pytest.mark.parametrize("target", INTERPRETED, ids=lambda target: target.key)
def test_a_target_is_missed_below_nine_tenths(target: Target) -> None:
    slower = 1 / 0.89 if target.kind == "time" else 0.89
    close = 1 / 0.91 if target.kind == "time" else 0.91
    measured = {"chess": REFERENCE_CHESS_GAMES, **EXACT}
    assert missed_targets(INTERPRETED, measured | {target.key: EXACT[target.key] * close}) == []
    [(missed, share)] = missed_targets(
        INTERPRETED, measured | {target.key: EXACT[target.key] * slower}
    )
    assert missed is target
    assert share == pytest.approx(0.89)
