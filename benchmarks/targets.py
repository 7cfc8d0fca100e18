"""Speed targets of the engine, and which of them a measurement misses.

Ratios to python-chess hold on every machine. Absolute figures refer to a machine on which
python-chess plays 70 random games a second; they are scaled by its speed in the same run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

REFERENCE_CHESS_GAMES: Final = 70.0
"""Random games of python-chess a second on the machine that absolute targets refer to."""
TOLERANCE: Final = 0.9
"""The share of a target below which it counts as missed: measurements are noisy."""


@dataclass(frozen=True)
class Target:
    """A figure to reach, identified by its key in a measurement."""

    key: str
    label: str
    value: float
    kind: Literal["ratio", "rate", "time"]

    def on_this_machine(self, chess_games: float) -> float:
        """Return the target on a machine where python-chess plays this many games a second."""
        if self.kind == "ratio":
            return self.value
        speed = chess_games / REFERENCE_CHESS_GAMES
        return self.value * speed if self.kind == "rate" else self.value / speed

    def share_reached(self, measured: Mapping[str, Any]) -> float:
        """Return the share of the target that a measurement reaches; 1 or more meets it."""
        target = self.on_this_machine(measured["chess"])
        figure: float = measured[self.key]
        return target / figure if self.kind == "time" else figure / target


INTERPRETED: Final = (
    Target("ratio", "ratio to python-chess, all factions", 3.0, "ratio"),
    Target("iterations", "search iterations/s", 3600, "rate"),
    Target("step_us", "one step, µs", 40, "time"),
    Target("view_us", "view, µs", 80, "time"),
)
COMPILED: Final = (
    Target("ratio", "ratio to python-chess, all factions", 12.0, "ratio"),
    Target("iterations", "search iterations/s", 8280, "rate"),
)


def missed_targets(
    targets: tuple[Target, ...], measured: Mapping[str, Any]
) -> list[tuple[Target, float]]:
    """Return the missed targets, each with the share that the measurement reaches."""
    shares = [(target, target.share_reached(measured)) for target in targets]
    return [(target, share) for target, share in shares if share < TOLERANCE]
