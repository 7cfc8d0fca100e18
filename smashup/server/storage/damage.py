"""Validates stored tables. A damaged table is refused without affecting the others."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from smashup.server.errors import Damaged, Refused, TransientError
from smashup.server.operations import logs
from smashup.server.storage.records import (
    BOT,
    OPEN,
    OVER,
    PERSON,
    PLAYING,
    WAITING,
    EntryKind,
    LogEntry,
    StoredTable,
)


@contextmanager
def report_damage(table_id: str) -> Iterator[None]:
    """Turn any error of a damaged table into a refusal, and log it."""
    try:
        yield
    except (Refused, TransientError):
        raise
    except Exception as error:
        logs.fail("table_damaged", table_id, error)
        raise Damaged("This table is damaged in the database and cannot be opened.") from error


class StoredOptions(BaseModel):
    """The stored options of a table. Fields that were added later have defaults."""

    model_config = ConfigDict(strict=True)

    mode: Literal["random", "choose", "draft"]
    edition: str
    printing: str
    optional_titans: bool
    madness: bool
    spectators: bool
    clock: Annotated[int, Field(ge=0, le=604_800)] = 0
    undo: bool = True
    chat: bool = True


def check_stored(stored: StoredTable) -> None:
    """Raise a `ValueError` if stored data is invalid. Restoring checks the game itself."""
    StoredOptions.model_validate(stored.table.options)
    seats = len(stored.seats)
    _require(2 <= seats <= 4)
    for number, seat in enumerate(stored.seats):
        _require(_is_valid_seat(seat, number))
    _require(_is_valid_table(stored.table, seats))
    for number, entry in enumerate(stored.entries):
        _require(_is_valid_entry(entry, number, seats))
    for message in stored.chat:
        _require(_is_valid_message(message, seats))


def _require(condition: bool) -> None:
    if not condition:
        raise ValueError


# The types of records are not reliable here: the fields contain what was read.


def _is_valid_seat(seat: Any, number: int) -> bool:
    return (
        seat.number == number
        and seat.kind in (PERSON, BOT, OPEN)
        and _are_texts([seat.level, seat.name, seat.lang, seat.windows, seat.secret])
        and _are_texts(seat.factions)
        and _are_texts(seat.stop_cards)
        and isinstance(seat.votes, dict)
        and all(voter.isdecimal() for voter in seat.votes)
        and _are_texts([*seat.votes.values()])
    )


def _is_valid_table(table: Any, seats: int) -> bool:
    setup = table.setup
    return (
        table.state in (WAITING, PLAYING, OVER)
        and _is_time(table.created)
        and _are_texts([table.id, table.rules])
        and (setup is not None or table.state != PLAYING)
        and (setup is None or (isinstance(setup, dict) and setup.get("players", 2) == seats))
        and isinstance(table.start, dict)
        and isinstance(table.start_at, int)
        and table.start_at >= 0
        and isinstance(table.winners, list)
        and all(isinstance(seat, int) and 0 <= seat < seats for seat in table.winners)
        and isinstance(table.rematch, str)
        and isinstance(table.clock, dict)
    )


def _is_valid_entry(entry: Any, number: int, seats: int) -> bool:
    data: Any = entry.data
    if not isinstance(data, dict) or entry.number != number:
        return False
    if not isinstance(entry.message_id, str):
        return False
    if entry.seat is not None and not (isinstance(entry.seat, int) and 0 <= entry.seat < seats):
        return False
    return _has_valid_data(entry, data)


def _has_valid_data(entry: LogEntry, data: dict[str, Any]) -> bool:
    match entry.kind:
        case EntryKind.ANSWER:
            return entry.seat is not None and _is_count(data.get("option"))
        case EntryKind.UNDO:
            return entry.seat is not None and _is_count(data.get("count")) and data["count"] > 0
        case EntryKind.UNDO_REQUEST:
            return entry.seat is not None and _is_count(data.get("request"))
        case EntryKind.UNDO_VOTE:
            return entry.seat is not None and isinstance(data.get("yes"), bool)
        case EntryKind.CLOCK:
            return entry.seat is not None
        case _:
            return True


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_valid_message(message: Any, seats: int) -> bool:
    return (
        isinstance(message.number, int)
        and isinstance(message.seat, int)
        and 0 <= message.seat < seats
        and _is_time(message.at)
        and isinstance(message.text, str)
        and isinstance(message.phrase, str)
    )


def _is_time(value: Any) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)
