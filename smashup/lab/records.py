"""Rows in Parquet files: their schema, and atomic writing."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import polars as pl

from smashup.lab.game_runner import Row

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
"""The columns; `game_runner.Row` documents them."""
TEMPORARY_SUFFIX: Final = ".unfinished"
"""Suffix of files that are being written."""


def write_rows(path: Path, rows: Sequence[Row]) -> None:
    """Write rows atomically: the file is complete or does not exist.

    The unfinished file is in the parent folder, so that other programs can read the whole folder.
    """
    temporary = path.parent.parent / f"{path.name}.{os.getpid()}{TEMPORARY_SUFFIX}"
    frame = pl.DataFrame(rows, schema=SCHEMA, orient="row")
    with temporary.open("wb") as file:
        frame.write_parquet(file, compression="zstd")
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)


def count_rows(path: Path) -> int:
    """Count the rows of a file; -1 if it is unreadable or has another schema."""
    try:
        scan = pl.scan_parquet(path)
        if scan.collect_schema() != SCHEMA:
            return -1
        return int(scan.select(pl.len()).collect().item())
    except (pl.exceptions.PolarsError, OSError):
        return -1


def read_rows(paths: Sequence[Path]) -> pl.DataFrame:
    """Read all rows of the files, sorted by game and seat."""
    if not paths:
        return pl.DataFrame(schema=SCHEMA)
    return pl.read_parquet(list(paths)).sort("game", "seat")


def write_csv(path: Path, frame: pl.DataFrame) -> None:
    """Write rows as CSV; lists become numbers separated by spaces."""
    lists = pl.col("vp_by_turn").cast(pl.List(pl.String)).list.join(" ")
    frame.with_columns(lists).write_csv(path)
