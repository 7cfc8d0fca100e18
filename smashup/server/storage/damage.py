"""What is stored of one table may be damaged: then that table is refused, and all others go on."""

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
    """Whatever a stored table makes the program stumble over is said in one sentence."""
    try:
        yield
    except (Refused, TransientError):
        raise
    except Exception as error:
        logs.fail("table_damaged", table_id, error)
        raise Damaged("This table is damaged in the database and cannot be opened.") from error


class StoredOptions(BaseModel):
    """What a table is stored with of its founder's form; earlier versions had fewer fields."""

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


def check_stored(kept: StoredTable) -> None:
    """Raise a `ValueError` if what is stored cannot be right; the rules check the game itself."""
    StoredOptions.model_validate(kept.table.options)
    seats = len(kept.seats)
    _demand(2 <= seats <= 4)
    for number, seat in enumerate(kept.seats):
        _demand(_is_seat(seat, number))
    _demand(_is_table(kept.table, seats))
    for number, entry in enumerate(kept.entries):
        _demand(_is_entry(entry, number, seats))
    for line in kept.chat:
        _demand(_is_line(line, seats))


def _demand(condition: bool) -> None:
    if not condition:
        raise ValueError


# Their types say what the fields of a record should be. Here they are what was read.


def _is_seat(seat: Any, number: int) -> bool:
    return (
        seat.number == number
        and seat.kind in (PERSON, BOT, OPEN)
        and _are_texts([seat.level, seat.name, seat.lang, seat.windows, seat.secret])
        and _are_texts(seat.factions)
        and _are_texts(seat.stops)
        and isinstance(seat.votes, dict)
        and all(voter.isdecimal() for voter in seat.votes)
        and _are_texts([*seat.votes.values()])
    )


def _is_table(table: Any, seats: int) -> bool:
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


def _is_entry(entry: Any, number: int, seats: int) -> bool:
    data: Any = entry.data
    if not isinstance(data, dict) or entry.number != number:
        return False
    if not isinstance(entry.message_id, str):
        return False
    if entry.seat is not None and not (isinstance(entry.seat, int) and 0 <= entry.seat < seats):
        return False
    return _has_data(entry, data)


def _has_data(entry: LogEntry, data: dict[str, Any]) -> bool:
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


def _is_count(found: Any) -> bool:
    return isinstance(found, int) and not isinstance(found, bool) and found >= 0


def _is_line(line: Any, seats: int) -> bool:
    return (
        isinstance(line.number, int)
        and isinstance(line.seat, int)
        and 0 <= line.seat < seats
        and _is_time(line.at)
        and isinstance(line.text, str)
        and isinstance(line.phrase, str)
    )


def _is_time(found: Any) -> bool:
    return isinstance(found, int | float) and math.isfinite(found)


def _are_texts(found: Any) -> bool:
    return isinstance(found, list) and all(isinstance(text, str) for text in found)
