"""Rows as Parquet files: what the columns are, and how a file is written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import polars as pl

from smashup.lab.playing import Row

SCHEMA: Final = pl.Schema(
    {
        "game": pl.Int64(),
        "deal": pl.Int64(),
        "seed": pl.Int64(),
        "edition": pl.String(),
        "printing": pl.String(),
        "players": pl.Int8(),
        "seat": pl.Int8(),
        "subject": pl.Boolean(),
        "bot": pl.String(),
        "faction_a": pl.String(),
        "faction_b": pl.String(),
        "vp": pl.Int16(),
        "rank": pl.Float32(),
        "won": pl.Float32(),
        "turns": pl.Int16(),
        "own_turns": pl.Int16(),
        "bases": pl.Int16(),
        "bases_placed": pl.Int16(),
        "bases_first": pl.Int16(),
        "bases_broken": pl.Int16(),
        "vp_by_turn": pl.List(pl.Int16()),
        "decisions": pl.Int32(),
        "ms": pl.Float32(),
    }
)
"""The columns; `playing.Row` says what they mean."""
UNFINISHED: Final = ".unfinished"
"""How the name of a file ends that is still being written."""


def write(path: Path, rows: Sequence[Row]) -> None:
    """Write rows so that the file is there whole or not at all, whatever happens meanwhile."""
    draft = path.with_name(f"{path.name}.{os.getpid()}{UNFINISHED}")
    frame = pl.DataFrame(rows, schema=SCHEMA, orient="row")
    with draft.open("wb") as file:
        frame.write_parquet(file, compression="zstd")
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def count(path: Path) -> int:
    """How many rows a file has; -1 if it is not one of ours."""
    try:
        scan = pl.scan_parquet(path)
        if scan.collect_schema() != SCHEMA:
            return -1
        return int(scan.select(pl.len()).collect().item())
    except (pl.exceptions.PolarsError, OSError):
        return -1


def read(paths: Sequence[Path]) -> pl.DataFrame:
    """All rows of some files, in the order of games and seats."""
    if not paths:
        return pl.DataFrame(schema=SCHEMA)
    return pl.read_parquet(list(paths)).sort("game", "seat")
