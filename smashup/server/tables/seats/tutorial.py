"""The table of the tutorial (`smashup.rules.lesson`)."""

from __future__ import annotations

import json
import secrets
from typing import TYPE_CHECKING, Final

from smashup.rules.lesson import LEARNER, RIVAL, lesson_setup, lesson_start_state
from smashup.server.http.schemas import Lesson, SeatForm, SeatTaken, TableForm, TutorialForm
from smashup.server.operations import timekeeping
from smashup.server.storage.records import BOT, PLAYING, SeatRecord, StoredTable, TableRecord
from smashup.server.tables.seats.seating import take_seat
from smashup.version import __version__

if TYPE_CHECKING:
    from smashup.server.tables.registry import TableRegistry

RIVAL_NAME: Final = "Pip"
"""The name of the rival in all languages."""
RIVAL_LEVEL: Final = "easy"
"""The bot that plays for the rival in a rematch, which is no tutorial."""


async def create_tutorial_table(form: TutorialForm, registry: TableRegistry) -> Lesson:
    """Create a table whose first turn has begun."""
    setup = lesson_setup()
    options = TableForm(
        seats=[SeatForm(kind="me"), SeatForm(kind="bot", level=RIVAL_LEVEL)],
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
    learner = SeatRecord(LEARNER, level=RIVAL_LEVEL, factions=list(setup.factions[LEARNER]))
    rival = SeatRecord(
        RIVAL, BOT, RIVAL_LEVEL, RIVAL_NAME, factions=list(setup.factions[RIVAL]), ready=True
    )  # fmt: skip
    secret = take_seat(learner, form.name, form.lang)
    info = await registry.add_game(StoredTable(table, [learner, rival]))
    return Lesson(table=info, seats=[SeatTaken(seat=LEARNER, secret=secret)])
