"""Restores a stored game by replaying its answers, or from its last play menu.

A replay is exact under the rules of the time. If changed rules lead to another position, the game
continues from the snapshot of its last play menu; the log keeps the entries before it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from smashup.engine.errors import ReplayMismatch, SmashUpError
from smashup.engine.game import Game
from smashup.engine.model.catalogue import Catalogue
from smashup.engine.model.messages import Message
from smashup.engine.model.setup import Setup
from smashup.engine.saves.snapshots import restore
from smashup.engine.views.view import SPECTATOR
from smashup.server.errors import Refused
from smashup.server.operations import logs
from smashup.server.storage.records import LogEntry, StoredSnapshot, StoredTable, TableRecord
from smashup.server.tables.decisions.undo import (
    UndoTracker,
    capture_knowledge,
    choices_before_failure,
    first_relevant_answer,
)
from smashup.server.tables.decisions.window_privacy import WindowTracker
from smashup.server.tables.log_history import UndoMark, undo_message
from smashup.server.tables.table_log import effective_answers, undo_positions
from smashup.version import __version__


@dataclass
class RestoredGame:
    """A game restored from its log."""

    game: Game | None
    record: TableRecord | None
    """The record of the table; another one if the game continues from its last play menu."""
    choices: UndoTracker
    """Which choices can still be undone."""
    undo_marks: list[UndoMark]
    """Where in the log lines a choice was undone."""
    window_start: int = 0
    """The length of the log when the open Specials window opened, if there is one."""
    notice: Message | None = None
    """A notice for the players about changed rules."""

    @classmethod
    def empty(cls) -> RestoredGame:
        """Return the result for a table without a game."""
        return cls(None, None, UndoTracker(), [])


def begin_game(table: TableRecord, cards: Catalogue) -> Game:
    """Return the game of a table before its first answer."""
    setup = Setup.from_json(table.setup)
    return restore(table.start, setup, cards) if table.start else Game(setup, cards)


def restore_game(stored: StoredTable, cards: Catalogue) -> RestoredGame:
    """Restore a game; if the rules have changed, from its last play menu."""
    table = stored.table
    try:
        return _replay(stored, cards)
    except Exception as error:
        # Changed rules may fail in any way on old answers.
        logs.warn("game_not_replayable", table.id, error)
    menu = _last_menu(stored)
    try:
        # One more for the RESUME entry.
        changed = replace(table, start_at=len(stored.entries) + 1, rules=__version__)
        if menu is not None:  # without a menu, the game starts again
            changed.start = menu.facts
        game = begin_game(changed, cards)
        assert game.decision is not None or game.is_over
    except SmashUpError as error:
        raise Refused(
            "This table cannot be opened with the current rules: {reason}", reason=error.message
        ) from error
    notice = Message(
        "The rules have changed since this game began. It continues from its last play menu.", {}
    )
    return RestoredGame(game, changed, UndoTracker(), [], changed.start_at, notice)


def _replay(stored: StoredTable, cards: Catalogue) -> RestoredGame:
    game = begin_game(stored.table, cards)
    menu = _last_menu(stored)
    entries = stored.entries[stored.table.start_at :]
    answers = effective_answers(entries)
    undos = dict(undo_positions(entries))
    replayer = _Replayer(answers)
    windows = WindowTracker()
    marks: list[UndoMark] = []
    for at, answer in enumerate([*answers, None]):
        number = len(stored.entries) if answer is None else answer.number
        # An undo stores a menu after it: from then on all answers count.
        if menu is not None and number >= menu.at:
            if menu.digest not in _digests(game):
                raise ReplayMismatch("after answer {number} the table differs.", number=menu.at)
            menu = None
        if at in undos:
            marks.append(UndoMark(at, len(game.log_lines(SPECTATOR)), undo_message(undos[at])))
        windows.observe(game, number)
        if answer is not None:
            replayer.choose(game, at, answer)
    window_start = windows.window_start(stored.entries)
    choices, last_undo = replayer.choices, undos.get(len(answers))
    if last_undo is not None and "failed" in last_undo.data:
        choices = choices_before_failure(answers, stored.seats)
    return RestoredGame(game, stored.table, choices, marks, window_start)


class _Replayer:
    """Replays answers and tracks which choices can be undone."""

    def __init__(self, answers: list[LogEntry]) -> None:
        self.choices = UndoTracker()
        self._first_relevant = first_relevant_answer(answers)
        self._last: LogEntry | None = None

    def choose(self, game: Game, at: int, entry: LogEntry) -> None:
        """Apply the next answer."""
        decision = game.decision
        if at < self._first_relevant or decision is None:
            game.choose(entry.option)
            return
        before = capture_knowledge(game)
        last = self._last
        if not entry.message_id or last is None or last.message_id != entry.message_id:
            # The picks of one message are one choice.
            self.choices.add_answer(decision, at, entry.message_id)
        self._last = entry
        game.choose(entry.option)
        self.choices.update_knowledge(before, capture_knowledge(game))


def _digests(game: Game) -> tuple[str, ...]:
    """Return the digests of a play menu: of its snapshot, and of the game itself."""
    menu = game.table.last_menu
    return (game.digest(),) if menu is None else (menu.digest(), game.digest())


def _last_menu(stored: StoredTable) -> StoredSnapshot | None:
    """Return the last play menu since the start of the answers, if there is one."""
    menu = stored.snapshot
    return menu if menu is not None and menu.at > stored.table.start_at else None
