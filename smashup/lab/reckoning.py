"""Reckoning what the games of a study add up to.

All intervals are those of 95%: Wilson's for rates, the normal one for means, the bootstrap over
deals for strengths. The same games give the same findings.
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
    BotFinding,
    Curve,
    Estimate,
    FactionFinding,
    Findings,
    Hand,
    Meeting,
    PairFinding,
    Standing,
    tier,
)
from smashup.lab.folder import Folder
from smashup.lab.matrix import Matrix
from smashup.lab.ratings import Seat, rate
from smashup.lab.strengths import ELO, Fit, Games, fit

CURVE_GAMES: Final = 20_000
"""Games that curves are drawn from at most, the first ones."""
LONG: Final = 0.95
"""Curves end where so many games are over."""
PAIR: Final = ["faction_a", "faction_b"]


def find(folder: Folder) -> Findings:
    """What the games of a folder add up to."""
    frame = folder.read()
    if frame.is_empty():
        raise SaveError("There are no games in {path} yet.", path=str(folder.path))
    plan = folder.plan
    study = plan.study
    games = frame.filter(pl.col("seat") == 0)
    is_matrix = isinstance(study, Matrix)
    teams = PAIR if is_matrix else ["bot"]
    model, members = _model(frame, teams, study.players, study.seed)
    lengths = games.group_by("turns").len().sort("turns")
    return Findings(
        kind=study.kind,
        command=plan.command,
        seed=study.seed,
        version=str(folder.facts["version"]),
        fingerprint=str(folder.facts["fingerprint"]),
        games=games.height,
        games_wanted=plan.games,
        players=study.players,
        bots=list(study.bots),
        edition=study.edition,
        printing=study.printing,
        turns=_mean(games["turns"]),
        lengths=dict(lengths.iter_rows()),
        decisions=_number(frame["decisions"].sum()) / games.height,
        seconds=_number(frame["ms"].sum()) / 1000 / games.height,
        bases=_mean(games["bases"]),
        seats=[_rate(frame.filter(pl.col("seat") == seat)) for seat in range(study.players)],
        curves=_curves(frame, study.players),
        ratings=rate(_seats(frame, teams, study.players)),
        factions=_factions(frame, model, members, study.players) if is_matrix else [],
        pairs=_pairs(frame, model, members) if is_matrix else [],
        entrants=[] if is_matrix else _entrants(frame, model, members, study.players),
        meetings=[] if is_matrix else _meetings(frame, members),
        hands=[] if is_matrix else _hands(frame),
    )


# --- numbers ----------------------------------------------------------------------------------


def _number(value: object) -> float:
    """What polars gives for a sum or a mean, which is None for nothing."""
    return float(value) if isinstance(value, int | float) else 0.0


def _mean(values: pl.Series) -> Estimate:
    mean = _number(values.mean())
    spread = Z95 * _number(values.std()) / max(1, len(values)) ** 0.5
    return Estimate(mean, mean - spread, mean + spread, len(values))


def _rate(frame: pl.DataFrame) -> Estimate:
    won, games = _number(frame["won"].sum()), frame.height
    interval = wilson_interval(won, games)
    return Estimate(won / max(1, games), interval.low, interval.high, games)


def _standing(frame: pl.DataFrame) -> Standing:
    winners = frame.filter(pl.col("won") > 0)
    return Standing(
        won=_rate(frame),
        vp_per_turn=_mean(frame["vp"] / frame["own_turns"].clip(1)),
        turns_to_win=_mean(winners["own_turns"]),
        bases_first=_mean(frame["bases_first"]),
        bases_broken=_mean(frame["bases_broken"]),
    )


# --- the model --------------------------------------------------------------------------------


def _model(frame: pl.DataFrame, teams: list[str], seats: int, seed: int) -> tuple[Fit, list[str]]:
    """Strengths of factions or bots, and their names in the model's order."""
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
    return fit(Games(members, won, deals, len(names)), seed), names


def _seats(frame: pl.DataFrame, teams: list[str], seats: int) -> Iterator[list[Seat]]:
    """The games as openskill wants them: by seat, who plays and how it ended."""
    rows = frame.select(*teams, "rank").iter_rows()
    for row in rows:
        table = [row, *(next(rows) for _ in range(seats - 1))]
        yield [(tuple(team), place) for *team, place in table]


# --- matrix -----------------------------------------------------------------------------------


def _pairs(frame: pl.DataFrame, model: Fit, names: list[str]) -> list[PairFinding]:
    """All pairs that played, best first."""
    found = []
    for (a, b), rows in frame.group_by(PAIR):
        pair = names.index(str(a)), names.index(str(b))
        expected = model.pair_rate(pair)
        found.append(PairFinding(str(a), str(b), _standing(rows), expected))
    return sorted(found, key=lambda pair: (-pair.standing.won.value, pair.a, pair.b))


def _factions(
    frame: pl.DataFrame, model: Fit, names: list[str], players: int
) -> list[FactionFinding]:
    """All factions, strongest first."""
    found = []
    for number, name in enumerate(names):
        rows = frame.filter((pl.col("faction_a") == name) | (pl.col("faction_b") == name))
        interval = model.win_rate_interval(number)
        strength = Estimate(model.win_rate(number), interval.low, interval.high, rows.height)
        touched = _between(tier(interval.high), tier(interval.low))
        curve = _curve(rows, players)
        found.append(
            FactionFinding(name, strength, tier(strength.value), touched, _standing(rows), curve)
        )
    return sorted(found, key=lambda faction: (-faction.strength.value, faction.name))


def _between(best: str, worst: str) -> str:
    order = [name for name, _ in TIERS]
    return "".join(order[order.index(best) : order.index(worst) + 1])


# --- tournament -------------------------------------------------------------------------------


def _entrants(frame: pl.DataFrame, model: Fit, names: list[str], players: int) -> list[BotFinding]:
    """All bots, strongest first."""
    found = []
    for number, name in enumerate(names):
        rows = frame.filter(pl.col("bot") == name)
        interval = model.interval(number)
        strength = float(model.members[number])
        found.append(
            BotFinding(
                name=name,
                standing=_standing(rows),
                elo=Estimate(ELO * strength, ELO * interval.low, ELO * interval.high, rows.height),
                rank=_mean(rows["rank"]),
                ms=_number(rows["ms"].sum()) / max(1.0, _number(rows["decisions"].sum())),
                seats=[_rate(rows.filter(pl.col("seat") == seat)) for seat in range(players)],
            )
        )
    return sorted(found, key=lambda bot: -bot.elo.value)


def _meetings(frame: pl.DataFrame, names: list[str]) -> list[Meeting]:
    """Who won how much where both sat at one table."""
    tables = frame.group_by("game").agg(pl.col("bot").unique().alias("present"))
    rows = frame.join(tables, on="game")
    found = []
    for a in names:
        for b in names:
            both = rows.filter((pl.col("bot") == a) & pl.col("present").list.contains(b))
            if a != b and both.height:
                found.append(Meeting(a, b, _rate(both)))
    return found


def _hands(frame: pl.DataFrame) -> list[Hand]:
    """How each bot did with each faction."""
    rows = pl.concat(
        [frame.select("bot", "won", faction=pl.col(column)) for column in PAIR]
    ).group_by("bot", "faction")
    found = [Hand(str(bot), str(faction), _rate(games)) for (bot, faction), games in rows]
    return sorted(found, key=lambda hand: (hand.faction, hand.bot))


# --- turn by turn -----------------------------------------------------------------------------


def _after(turn: int) -> pl.Expr:
    """A seat's VP after a turn of the game; those at its end if it was over before."""
    then = pl.col("vp_by_turn").list.get(turn, null_on_oob=True)
    return then.fill_null(pl.col("vp")).cast(pl.Float64)


def _curves(frame: pl.DataFrame, players: int) -> list[Curve]:
    """VP of those who won and of the others."""
    sample = frame.head(CURVE_GAMES * players)
    last = int(_number(sample["turns"].quantile(LONG, interpolation="higher")))
    curves = []
    for label, rows in (
        ("winners", sample.filter(pl.col("won") > 0)),
        ("others", sample.filter(pl.col("won") == 0)),
    ):
        wide = rows.select(_after(turn).alias(str(turn)) for turn in range(last))
        curves.append(
            Curve(
                label,
                [round(_number(column.mean()), 3) for column in wide],
                [_number(column.quantile(0.1)) for column in wide],
                [_number(column.quantile(0.9)) for column in wide],
            )
        )
    return curves


def _curve(rows: pl.DataFrame, players: int) -> list[float]:
    """Mean VP after each round of turns."""
    sample = rows.head(CURVE_GAMES)
    last = int(_number(sample["turns"].quantile(LONG, interpolation="higher")))
    wide = sample.select(
        _after(turn).alias(str(turn)) for turn in range(players - 1, last, players)
    )
    return [round(_number(column.mean()), 3) for column in wide]
