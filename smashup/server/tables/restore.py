"""Restoring a stored game: its answers are played again, or it goes on from its last play menu.

Answers are exact under the rules that they were given under. If other rules lead elsewhere, the
game goes on from the snapshot of its last play menu; the log keeps what came before.
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
from smashup.server.tables.log_history import UndoMark
from smashup.server.tables.table_log import effective_answers, undo_positions
from smashup.server.tables.undo import UndoTracker, first_relevant_answer, knowledge
from smashup.server.tables.window_privacy import WindowTracker
from smashup.version import __version__


@dataclass
class RestoredGame:
    """A game as its log determines it."""

    game: Game | None
    record: TableRecord | None
    """The record of the table; changed if the game had to go on from its last play menu."""
    choices: UndoTracker
    """Which choices can still be undone."""
    undo_marks: list[UndoMark]
    """Where in the log lines a choice was undone."""
    window_start: int = 0
    """How long the log was when the Specials window opened that is open, if one is."""
    notice: Message | None = None
    """What the players should know about a change of the rules."""

    @classmethod
    def empty(cls) -> RestoredGame:
        """Of a table whose game has not begun."""
        return cls(None, None, UndoTracker(), [])


def begin_game(table: TableRecord, cards: Catalogue) -> Game:
    """The game of a table before the first of its answers."""
    setup = Setup.from_json(table.setup)
    return restore(table.start, setup, cards) if table.start else Game(setup, cards)


def restore_game(stored: StoredTable, cards: Catalogue) -> RestoredGame:
    """The game as it was; or, if the rules have changed, from its last play menu on."""
    table = stored.table
    try:
        return _replay(stored, cards)
    except Exception as error:
        # Changed rules may fail in any way on answers that were not meant for them.
        logs.warn("game_not_replayable", table.id, error)
    menu = _last_menu(stored)
    try:
        # One more for the entry that says so.
        changed = replace(table, start_at=len(stored.entries) + 1, rules=__version__)
        if menu is not None:  # else hardly begun: once more from where the answers begin
            changed.start = menu.facts
        game = begin_game(changed, cards)
        assert game.decision is not None or game.is_over
    except SmashUpError as error:
        raise Refused(
            "This table cannot be opened under the present rules: {reason}", reason=error.message
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
                raise ReplayMismatch(
                    "after answer {number} the table is another one.", number=menu.at
                )
            menu = None
        if at in undos:
            marks.append(UndoMark(at, len(game.log_lines(SPECTATOR)), undos[at]))
        windows.look_at(game, number)
        if answer is not None:
            replayer.choose(game, at, answer)
    window_start = windows.window_start(stored.entries)
    return RestoredGame(game, stored.table, replayer.choices, marks, window_start)


class _Replayer:
    """Finds out which choices can be undone while a game is replayed."""

    def __init__(self, answers: list[LogEntry]) -> None:
        self.choices = UndoTracker()
        self._begin = first_relevant_answer(answers)
        self._last: LogEntry | None = None

    def choose(self, game: Game, at: int, entry: LogEntry) -> None:
        """Give the game its next answer."""
        decision = game.decision
        if at < self._begin or decision is None:
            game.choose(entry.option)
            return
        before = knowledge(game)
        last = self._last
        if not entry.message_id or last is None or last.message_id != entry.message_id:
            # The picks of one message are one choice.
            self.choices.note_answer(decision, at, entry.message_id)
        self._last = entry
        game.choose(entry.option)
        self.choices.learn(before, knowledge(game))


def _digests(game: Game) -> tuple[str, ...]:
    """The fingerprints of a play menu: as it was marked, and of the game itself."""
    marked = game.table.last_menu
    return (game.digest(),) if marked is None else (marked.digest(), game.digest())


def _last_menu(stored: StoredTable) -> StoredSnapshot | None:
    """The last play menu, if there was one since the answers begin."""
    menu = stored.snapshot
    return menu if menu is not None and menu.at > stored.table.start_at else None
