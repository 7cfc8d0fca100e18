"""Comparison of two studies: which factions or bots do better in one than in the other."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from smashup.engine.errors import SetupError
from smashup.lab.findings import Findings, IntervalEstimate


@dataclass(frozen=True)
class Difference:
    """A faction's strength or a bot's Elo rating in both studies."""

    name: str
    first: IntervalEstimate
    second: IntervalEstimate
    change: float
    """Second minus first."""
    low: float
    high: float
    """95% interval of the change; the studies are independent samples."""

    @property
    def is_significant(self) -> bool:
        return self.low > 0 or self.high < 0


@dataclass(frozen=True)
class Comparison:
    """Two studies of the same kind."""

    kind: str
    commands: tuple[str, str]
    rows: list[Difference]
    """Those who took part in both studies; the largest increase first."""
    only_first: list[str]
    only_second: list[str]
    rank_correlation: float | None
    """Spearman's, from -1 to 1; None for fewer than three."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return asdict(self)


def compare_studies(first: Findings, second: Findings) -> Comparison:
    """Compare the factions of two matrices or the bots of two tournaments."""
    if first.kind != second.kind:
        raise SetupError("A matrix and a tournament cannot be compared.")
    one, other = _estimates(first), _estimates(second)
    rows = [_difference(name, one[name], other[name]) for name in one if name in other]
    if not rows:
        raise SetupError("The two studies have no faction or bot in common.")
    return Comparison(
        kind=first.kind,
        commands=(first.command, second.command),
        rows=sorted(rows, key=lambda row: (-row.change, row.name)),
        only_first=[name for name in one if name not in other],
        only_second=[name for name in other if name not in one],
        rank_correlation=rank_correlation(
            [row.first.value for row in rows], [row.second.value for row in rows]
        ),
    )


def rank_correlation(one: list[float], other: list[float]) -> float | None:
    """Return Spearman's rank correlation; None for fewer than three values."""
    if len(one) < 3:
        return None
    ranks = [np.argsort(np.argsort(values)) for values in (one, other)]
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])


def _estimates(findings: Findings) -> dict[str, IntervalEstimate]:
    if findings.factions:
        return {row.name: row.strength for row in findings.factions}
    return {row.name: row.elo for row in findings.entrants}


def _difference(name: str, first: IntervalEstimate, second: IntervalEstimate) -> Difference:
    change = second.value - first.value
    low = change - float(np.hypot(second.value - second.low, first.high - first.value))
    high = change + float(np.hypot(second.high - second.value, first.value - first.low))
    return Difference(name, first, second, change, low, high)
