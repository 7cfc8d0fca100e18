"""What is stored of one table may be damaged: then that table is refused, and all others go on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from smashup.server import logs
from smashup.server.refusals import Damaged, Passing, Refused


@contextmanager
def damage_told(table_id: str) -> Iterator[None]:
    """Whatever a stored table makes the program stumble over is said in one sentence."""
    try:
        yield
    except (Refused, Passing):
        raise
    except Exception as error:
        logs.fail("table_damaged", table_id, error)
        raise Damaged("This table is damaged in the database and cannot be opened.") from error
