"""A table on which the first game is taught (`smashup.rules.lesson`)."""

from __future__ import annotations

import json
import secrets
from typing import TYPE_CHECKING, Final

from smashup.rules.lesson import LEARNER, RIVAL, lesson_setup, lesson_start_state
from smashup.server.http.schemas import Lesson, SeatForm, SeatTaken, TableForm, TutorialForm
from smashup.server.operations import timekeeping
from smashup.server.storage.records import BOT, PLAYING, SeatRecord, StoredTable, TableRecord
from smashup.server.tables.seating import sit_down
from smashup.version import __version__

if TYPE_CHECKING:
    from smashup.server.tables.registry import TableRegistry

NAME: Final = "Pip"
"""What the rival is called, in all languages."""
LEVEL: Final = "easy"
"""Who plays in the rival's place at a table that is no lesson any more: a rematch."""


async def begin(form: TutorialForm, registry: TableRegistry) -> Lesson:
    """A table for the lesson, on which the first turn has begun."""
    setup = lesson_setup()
    options = TableForm(
        seats=[SeatForm(kind="me"), SeatForm(kind="bot", level=LEVEL)],
        mode="choose",
        chat=False,
        spectators=False,
    ).model_dump(exclude={"seats", "lang", "listed"})
    table = TableRecord(
        secrets.token_urlsafe(12),
        options,
        timekeeping.now(),
        state=PLAYING,
        setup=json.loads(json.dumps(setup.to_json())),
        start=json.loads(json.dumps(lesson_start_state(registry.cards))),
        rules=__version__,
    )
    learner = SeatRecord(LEARNER, level=LEVEL, factions=list(setup.factions[LEARNER]))
    rival = SeatRecord(
        RIVAL, BOT, LEVEL, NAME, factions=list(setup.factions[RIVAL]), ready=True
    )  # fmt: skip
    secret = sit_down(learner, form.name, form.lang)
    info = await registry.add_game(StoredTable(table, [learner, rival]))
    return Lesson(table=info, seats=[SeatTaken(seat=LEARNER, secret=secret)])
