"""A kept game brought back to life: its answers played again, or its last play menu.

Answers are exact under the rules that they were given under. If other rules lead elsewhere, the
game goes on from the snapshot of its last play menu; the log of answers keeps what came before.
"""

from __future__ import annotations

from dataclasses import replace

from smashup.engine.errors import ReplayMismatch, SmashUpError
from smashup.engine.game import Game
from smashup.engine.model.catalogue import Catalogue
from smashup.engine.model.messages import Message
from smashup.engine.model.setup import Setup
from smashup.engine.saves.snapshots import restore
from smashup.engine.views.view import SPECTATOR
from smashup.server.errors import Refused
from smashup.server.operations import logs
from smashup.server.storage.records import Kept, Snapshot, TableRecord
from smashup.server.tables.answers import holding
from smashup.server.tables.answers import takers as takers_of
from smashup.server.tables.log_history import Remark
from smashup.server.tables.undoing import Recollection
from smashup.server.tables.window_privacy import WindowTracker
from smashup.version import __version__


def begin(table: TableRecord, cards: Catalogue) -> Game:
    """The game of a table before the first of its answers."""
    setup = Setup.from_json(table.setup)
    return restore(table.start, setup, cards) if table.start else Game(setup, cards)


def revive(kept: Kept, cards: Catalogue) -> tuple[Game, TableRecord, Message | None]:
    """The game as it was; the record of the table, changed if the game had to go on from its
    last play menu; and what the players should then be told."""
    table = kept.table
    try:
        return _replayed(kept, cards), table, None
    except Exception as error:
        # Rules that have changed may stumble in any way over answers that were not meant for them.
        logs.warn("a game does not replay", table.id, error)
    menu = _menu(kept)
    try:
        if menu is None:
            # Hardly begun, or hardly gone on: once more from where the answers begin.
            going_on = replace(table, start_at=len(kept.answers), rules=__version__)
        else:
            going_on = replace(
                table, start=menu.facts, start_at=len(kept.answers), rules=__version__
            )
        game = begin(going_on, cards)
        assert game.decision is not None or game.is_over
    except SmashUpError as error:
        raise Refused(
            "This table cannot be opened under the present rules: {reason}", reason=error.message
        ) from error
    return (
        game,
        going_on,
        Message(
            "The rules have changed since this game began. It goes on from its last play menu.", {}
        ),
    )


def _replayed(kept: Kept, cards: Catalogue) -> Game:
    game = begin(kept.table, cards)
    menu = _menu(kept)
    start_at = kept.table.start_at
    answers = holding(kept.answers[start_at:])
    recollection = Recollection(answers)
    windows = WindowTracker()
    takers = dict(takers_of(kept.answers[start_at:]))
    for at, answer in enumerate([*answers, None]):
        number = len(kept.answers) if answer is None else answer.number
        # Whatever is taken back has a menu written after it: from then on all answers hold.
        if menu is not None and number >= menu.at:
            if menu.digest not in _digests(game):
                raise ReplayMismatch(
                    "after answer {number} the table is another one.", number=menu.at
                )
            menu = None
        if at in takers:
            kept.remarks.append(Remark(at, len(game.log_lines(SPECTATOR)), takers[at]))
        windows.look_at(game, number)
        if answer is not None:
            recollection.choose(game, at, answer)
    kept.choices = recollection.choices
    kept.window_start = windows.window_start(kept.answers)
    return game


def _digests(game: Game) -> tuple[str, ...]:
    """The fingerprints of a play menu: as it was marked, and as earlier versions took it."""
    marked = game.table.last_menu
    return (game.digest(),) if marked is None else (marked.digest(), game.digest())


def _menu(kept: Kept) -> Snapshot | None:
    """The last play menu, if there was one since the answers begin."""
    menu = kept.snapshot
    return menu if menu is not None and menu.at > kept.table.start_at else None
