"""The log lines of a table: the lines of the game, and a line for each undone choice.

Lines are numbered consecutively. After an undo, all lines from some number on are invalid; new
lines use the same numbers again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, cast

from smashup.engine.game import Game
from smashup.engine.model.messages import Message, player_name
from smashup.engine.views.types import LogLineView
from smashup.engine.views.view import message
from smashup.server.storage.records import LogEntry

CHOICE_TAKEN_BACK: Final = "choice_taken_back"
"""The id of the log line for an undo, which is no event of the game."""


@dataclass(frozen=True)
class UndoMark:
    """An undone choice in the log."""

    answers: int
    """How many answers remained."""
    line: int
    """How many lines the game had then."""
    message: Message


@dataclass(frozen=True)
class Truncation:
    """The lines and events that an undo made invalid."""

    first_line: int
    first_event: int


class LogHistory:
    """The log lines of a table."""

    def __init__(self, undo_marks: list[UndoMark]) -> None:
        self.undo_marks = undo_marks
        self.truncations: list[Truncation] = []
        """All undos since the table was loaded."""

    def lines(self, game: Game, viewer: int, since: int) -> list[LogLineView]:
        """Return the lines from a number on, as a viewer may read them."""
        past = sum(r.line + i < since for i, r in enumerate(self.undo_marks))
        result: list[LogLineView] = []
        number = since
        undo_marks = self.undo_marks[past:]
        lines: list[tuple[int, Message]] = game.log_lines(viewer, since - past)
        count = len(game.table.log)
        for at, line in [*lines, (count, None)]:
            while undo_marks and undo_marks[0].line <= at:
                result.append(_line(number, CHOICE_TAKEN_BACK, undo_marks.pop(0).message))
                number += 1
            if line is not None:
                result.append(_line(number, game.table.log[at].event, line))
                number += 1
        return result

    def rewind(self, game: Game, undo: LogEntry) -> None:
        """Record that a choice was undone; ``game`` is the game after it."""
        answers, count = len(game.answers), len(game.table.log)
        self.undo_marks = [r for r in self.undo_marks if r.answers < answers]
        self.truncations.append(
            Truncation(count + len(self.undo_marks), len(game.table.visible_events))
        )
        self.undo_marks.append(UndoMark(answers, count, undo_message(undo)))


def undo_message(undo: LogEntry) -> Message:
    """Return the line for an undo: by a player, or because a card failed."""
    failed = undo.data.get("failed")
    if failed is not None and "card" in failed:
        return Message("The card {card} failed; the choice was undone.", failed)
    if failed is not None:
        return Message("A card of {faction} failed; the choice was undone.", failed)
    assert undo.seat is not None
    return Message("{player} undoes a move.", {"player": player_name(undo.seat)})


def _line(number: int, event: str, line: Message) -> LogLineView:
    return LogLineView(number=number, event=event, message=cast(Any, message(line)))
