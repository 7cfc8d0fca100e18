"""Analysis of the games of a study.

All intervals are 95% confidence intervals: Wilson for rates, normal for means, bootstrap over deals
for strengths. The analysis is deterministic.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
import polars as pl

from smashup.bots.statistics import Z95, wilson_interval
from smashup.engine.errors import SaveError
from smashup.lab.findings import (
    TIERS,
    BotFactionRecord,
    BotFinding,
    Curve,
    FactionFinding,
    Findings,
    HeadToHead,
    IntervalEstimate,
    PairFinding,
    Performance,
    tier_of,
)
from smashup.lab.matrix import Matrix
from smashup.lab.ratings import Seat, rate_games
from smashup.lab.strengths import ELO, GameData, StrengthModel, fit
from smashup.lab.study_store import StudyStore

CURVE_GAMES: Final = 20_000
"""Maximum number of games for the curves, the first ones."""
CURVE_QUANTILE: Final = 0.95
"""Curves end at the turn by which this fraction of the games is over."""
PAIR_COLUMNS: Final = ["faction_a", "faction_b"]


def analyze(store: StudyStore) -> Findings:
    """Analyze the games of a store."""
    frame = store.read_games()
    if frame.is_empty():
        raise SaveError("There are no games in {path} yet.", path=str(store.path))
    plan = store.plan
    study = plan.study
    games = frame.filter(pl.col("seat") == 0)
    is_matrix = isinstance(study, Matrix)
    teams = PAIR_COLUMNS if is_matrix else ["bot"]
    model, members = _fit_model(frame, teams, study.players, study.seed)
    lengths = games.group_by("turns").len().sort("turns")
    return Findings(
        kind=study.kind,
        command=plan.command,
        seed=study.seed,
        version=str(store.manifest["version"]),
        fingerprint=str(store.manifest["fingerprint"]),
        games=games.height,
        games_wanted=plan.games,
        players=study.players,
        bots=list(study.bots),
        edition=study.edition,
        printing=study.printing,
        turns=_estimate_mean(games["turns"]),
        lengths=dict(lengths.iter_rows()),
        decisions=_to_float(frame["decisions"].sum()) / games.height,
        seconds=_to_float(frame["ms"].sum()) / 1000 / games.height,
        bases=_estimate_mean(games["bases"]),
        seats=[
            _estimate_rate(frame.filter(pl.col("seat") == seat)) for seat in range(study.players)
        ],
        curves=_vp_curves(frame, study.players),
        ratings=rate_games(_rated_games(frame, teams, study.players)),
        factions=_faction_findings(frame, model, members, study.players) if is_matrix else [],
        pairs=_pair_findings(frame, model, members) if is_matrix else [],
        entrants=[] if is_matrix else _bot_findings(frame, model, members, study.players),
        meetings=[] if is_matrix else _head_to_heads(frame, members),
        hands=[] if is_matrix else _bot_faction_records(frame),
    )


# --- numbers ----------------------------------------------------------------------------------


def _to_float(value: object) -> float:
    """Convert a sum or mean from polars, which is None for empty data."""
    return float(value) if isinstance(value, int | float) else 0.0


def _estimate_mean(values: pl.Series) -> IntervalEstimate:
    mean = _to_float(values.mean())
    spread = Z95 * _to_float(values.std()) / max(1, len(values)) ** 0.5
    return IntervalEstimate(mean, mean - spread, mean + spread, len(values))


def _estimate_rate(frame: pl.DataFrame) -> IntervalEstimate:
    won, games = _to_float(frame["won"].sum()), frame.height
    interval = wilson_interval(won, games)
    return IntervalEstimate(won / max(1, games), interval.low, interval.high, games)


def _performance(frame: pl.DataFrame) -> Performance:
    winners = frame.filter(pl.col("won") > 0)
    return Performance(
        won=_estimate_rate(frame),
        vp_per_turn=_estimate_mean(frame["vp"] / frame["own_turns"].clip(1)),
        turns_to_win=_estimate_mean(winners["own_turns"]),
        bases_first=_estimate_mean(frame["bases_first"]),
        bases_broken=_estimate_mean(frame["bases_broken"]),
    )


# --- the model --------------------------------------------------------------------------------


def _fit_model(
    frame: pl.DataFrame, teams: list[str], seats: int, seed: int
) -> tuple[StrengthModel, list[str]]:
    """Fit the strengths of factions or bots; return the model and the names in its order."""
    names = sorted({name for column in teams for name in frame[column].unique()})
    place = {name: number for number, name in enumerate(names)}
    shape = (frame.height // seats, seats)
    members = np.stack(
        [
            frame[column]
            .replace_strict(place, return_dtype=pl.Int64)
            .to_numpy()
            .reshape(shape)
            .astype(np.int64)
            for column in teams
        ],
        axis=2,
    )
    won = frame["won"].to_numpy().reshape(shape).astype(np.float64)
    deals = frame["deal"].to_numpy().reshape(shape)[:, 0].astype(np.int64)
    return fit(GameData(members, won, deals, len(names)), seed), names


def _rated_games(frame: pl.DataFrame, teams: list[str], seats: int) -> Iterator[list[Seat]]:
    """Yield the games in the format of `rate_games`."""
    rows = frame.select(*teams, "rank").iter_rows()
    for row in rows:
        table = [row, *(next(rows) for _ in range(seats - 1))]
        yield [(tuple(team), place) for *team, place in table]


# --- matrix -----------------------------------------------------------------------------------


def _pair_findings(
    frame: pl.DataFrame, model: StrengthModel, names: list[str]
) -> list[PairFinding]:
    """Return the findings of all pairs that played, best first."""
    found = []
    for (a, b), rows in frame.group_by(PAIR_COLUMNS):
        pair = names.index(str(a)), names.index(str(b))
        expected = model.pair_win_rate(pair)
        found.append(PairFinding(str(a), str(b), _performance(rows), expected))
    return sorted(found, key=lambda pair: (-pair.standing.won.value, pair.a, pair.b))


def _faction_findings(
    frame: pl.DataFrame, model: StrengthModel, names: list[str], players: int
) -> list[FactionFinding]:
    """Return the findings of all factions, strongest first."""
    found = []
    for number, name in enumerate(names):
        rows = frame.filter((pl.col("faction_a") == name) | (pl.col("faction_b") == name))
        interval = model.win_rate_interval(number)
        strength = IntervalEstimate(
            model.win_rate(number), interval.low, interval.high, rows.height
        )
        touched = _tier_range(tier_of(interval.high), tier_of(interval.low))
        curve = _mean_vp_by_round(rows, players)
        found.append(
            FactionFinding(
                name, strength, tier_of(strength.value), touched, _performance(rows), curve
            )
        )
    return sorted(found, key=lambda faction: (-faction.strength.value, faction.name))


def _tier_range(best: str, worst: str) -> str:
    order = [name for name, _ in TIERS]
    return "".join(order[order.index(best) : order.index(worst) + 1])


# --- tournament -------------------------------------------------------------------------------


def _bot_findings(
    frame: pl.DataFrame, model: StrengthModel, names: list[str], players: int
) -> list[BotFinding]:
    """Return the findings of all bots, strongest first."""
    found = []
    for number, name in enumerate(names):
        rows = frame.filter(pl.col("bot") == name)
        interval = model.interval(number)
        strength = float(model.members[number])
        found.append(
            BotFinding(
                name=name,
                standing=_performance(rows),
                elo=IntervalEstimate(
                    ELO * strength, ELO * interval.low, ELO * interval.high, rows.height
                ),
                rank=_estimate_mean(rows["rank"]),
                ms=_to_float(rows["ms"].sum()) / max(1.0, _to_float(rows["decisions"].sum())),
                seats=[
                    _estimate_rate(rows.filter(pl.col("seat") == seat)) for seat in range(players)
                ],
            )
        )
    return sorted(found, key=lambda bot: -bot.elo.value)


def _head_to_heads(frame: pl.DataFrame, names: list[str]) -> list[HeadToHead]:
    """Return each bot's win rate in games with each other bot."""
    tables = frame.group_by("game").agg(pl.col("bot").unique().alias("present"))
    rows = frame.join(tables, on="game")
    found = []
    for a in names:
        for b in names:
            both = rows.filter((pl.col("bot") == a) & pl.col("present").list.contains(b))
            if a != b and both.height:
                found.append(HeadToHead(a, b, _estimate_rate(both)))
    return found


def _bot_faction_records(frame: pl.DataFrame) -> list[BotFactionRecord]:
    """Return each bot's win rate with each faction."""
    rows = pl.concat(
        [frame.select("bot", "won", faction=pl.col(column)) for column in PAIR_COLUMNS]
    ).group_by("bot", "faction")
    found = [
        BotFactionRecord(str(bot), str(faction), _estimate_rate(games))
        for (bot, faction), games in rows
    ]
    return sorted(found, key=lambda hand: (hand.faction, hand.bot))


# --- turn by turn -----------------------------------------------------------------------------


def _vp_after(turn: int) -> pl.Expr:
    """A seat's VP after a turn of the game; its final VP if the game was over."""
    then = pl.col("vp_by_turn").list.get(turn, null_on_oob=True)
    return then.fill_null(pl.col("vp")).cast(pl.Float64)


def _vp_curves(frame: pl.DataFrame, players: int) -> list[Curve]:
    """Return the VP curves of winners and of the others."""
    sample = frame.head(CURVE_GAMES * players)
    last = int(_to_float(sample["turns"].quantile(CURVE_QUANTILE, interpolation="higher")))
    curves = []
    for label, rows in (
        ("winners", sample.filter(pl.col("won") > 0)),
        ("others", sample.filter(pl.col("won") == 0)),
    ):
        wide = rows.select(_vp_after(turn).alias(str(turn)) for turn in range(last))
        curves.append(
            Curve(
                label,
                [round(_to_float(column.mean()), 3) for column in wide],
                [_to_float(column.quantile(0.1)) for column in wide],
                [_to_float(column.quantile(0.9)) for column in wide],
            )
        )
    return curves


def _mean_vp_by_round(rows: pl.DataFrame, players: int) -> list[float]:
    """Return the mean VP after each round of turns."""
    sample = rows.head(CURVE_GAMES)
    last = int(_to_float(sample["turns"].quantile(CURVE_QUANTILE, interpolation="higher")))
    wide = sample.select(
        _vp_after(turn).alias(str(turn)) for turn in range(players - 1, last, players)
    )
    return [round(_to_float(column.mean()), 3) for column in wide]
