"""The log as a table tells it: the lines of the game, and in between who took a choice back.

Lines are numbered through. When a choice is taken back, all lines from some number on no longer
hold; the next ones go by the same numbers again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, cast

from smashup.engine.game import Game
from smashup.engine.model.messages import Message, player_name
from smashup.engine.views.types import LogLineView
from smashup.engine.views.view import message

CHOICE_TAKEN_BACK: Final = "choice_taken_back"
"""The one line of a table's log that tells of no event of the game."""


@dataclass(frozen=True)
class UndoMark:
    """Somebody took a choice back."""

    held: int
    """How many answers held then."""
    line: int
    """How many lines the game had then."""
    seat: int


@dataclass(frozen=True)
class Truncation:
    """From where on the story no longer holds after a choice was undone."""

    line: int
    change: int


class LogHistory:
    """What is told of a table."""

    def __init__(self, remarks: list[UndoMark]) -> None:
        self.remarks = remarks
        self.cuts: list[Truncation] = []
        """Every choice that was taken back since the table was opened."""

    def lines(self, game: Game, viewer: int, since: int) -> list[LogLineView]:
        """The lines from a number on, as a seat may read them."""
        past = sum(r.line + i < since for i, r in enumerate(self.remarks))
        found: list[LogLineView] = []
        number = since
        remarks = self.remarks[past:]
        lines: list[tuple[int, Message]] = game.log_lines(viewer, since - past)
        count = len(game.table.log)
        for at, line in [*lines, (count, None)]:
            while remarks and remarks[0].line <= at:
                found.append(_line(number, CHOICE_TAKEN_BACK, _told(remarks.pop(0))))
                number += 1
            if line is not None:
                found.append(_line(number, game.table.log[at].event, line))
                number += 1
        return found

    def rewind(self, game: Game, seat: int) -> None:
        """A seat took a choice back; this is the game again."""
        held, count = len(game.answers), len(game.table.log)
        self.remarks = [r for r in self.remarks if r.held < held]
        self.cuts.append(Truncation(count + len(self.remarks), len(game.table.visible_events)))
        self.remarks.append(UndoMark(held, count, seat))


def _told(remark: UndoMark) -> Message:
    return Message("{player} takes a choice back.", {"player": player_name(remark.seat)})


def _line(number: int, event: str, line: Message) -> LogLineView:
    return LogLineView(number=number, event=event, message=cast(Any, message(line)))
