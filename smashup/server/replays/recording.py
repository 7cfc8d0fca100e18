"""A finished game as a recording: everything that was to be seen, step by step, as plain data.

A recording is made once, when a game is over, by playing it again. It needs no rules to be looked
at: whatever becomes of the cards' code, it shows the game as it was. It is JSON, compressed with
gzip, in a format that has a version; clients read version 1 for good.

A step is what one answer brought about. An answer that nobody could see anything of, like a pass or
the first of several picks, belongs to the step after it. There is a view for everybody: first the
spectator's, then one for each seat.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any, Final, TypedDict

from smashup.bots.win_probability import win_probabilities
from smashup.engine.game import Game
from smashup.engine.model.catalogue import Catalogue
from smashup.engine.model.setup import Setup
from smashup.engine.saves import files as saves
from smashup.engine.saves.snapshots import restore
from smashup.engine.views.view import SPECTATOR, message
from smashup.server.errors import Damaged
from smashup.server.replays.value_pool import Pool
from smashup.version import __version__

FORMAT: Final = "smashup-replay"
VERSION: Final = 1
MAX_BYTES: Final = 64 << 20
"""A recording of a long game has some megabytes before it is compressed."""
CHANGING: Final = 2
"""A view, its players and its bases are different in nearly every step."""


@dataclass(frozen=True)
class Finished:
    """A game that is over: all that its recording is made of."""

    setup: dict[str, Any]
    start: dict[str, Any]
    """The snapshot in which it begins; empty where it was played from the beginning."""
    answers: list[int]
    seats: list[dict[str, str]]
    """For each seat, whether a person or a bot played it last, and how strong. No names: these
    belong to people, and are kept where they can be removed."""
    winners: list[int]

    def begin(self, cards: Catalogue) -> Game:
        """The game before its first answer."""
        setup = Setup.from_json(self.setup)
        return restore(self.start, setup, cards) if self.start else Game(setup, cards)

    def replay(self, cards: Catalogue) -> Game:
        """The game at its end, without a log."""
        game = self.begin(cards)
        game.table.logging = False
        return game.answer_all(self.answers)


class Turn(TypedDict):
    """How everybody stood when a turn was over; the first tells of the beginning."""

    turn: int
    player: int | None
    step: int
    """The first step of the turn."""
    vp: list[int]
    chances: list[float]
    """Each seat's chance to win, as a spectator could judge it."""


class Step(TypedDict):
    """What can be seen at one moment. Numbers in lists are places in the pool, one a viewer."""

    answers: int
    """How many answers had been given."""
    turn: int
    menu: str
    """The fingerprint of the table, where this is a play menu: a game can go on from there."""
    views: list[int]
    lines: list[int]
    """What was written in the log since the step before."""
    changes: list[int]
    choices: int
    """The answers since the step before: who was asked what, and what was chosen."""


def record(finished: Finished, cards: Catalogue) -> bytes:
    """The recording of a game, as it is kept and sent."""
    game = finished.begin(cards).answer_all(finished.answers)
    walk = _Walk(finished.begin(cards))
    for answer in finished.answers:
        walk.go_on(answer)
    walk.end()
    recording = {
        "format": FORMAT,
        "version": VERSION,
        "rules": __version__,
        "players": game.table.num_players,
        "seats": finished.seats,
        "winners": finished.winners,
        "whole": not finished.start,
        "turns": walk.turns,
        "steps": walk.steps,
        "shapes": walk.pool.shapes,
        "pool": walk.pool.values,
        "save": saves.to_json(game),
    }
    text = json.dumps(recording, ensure_ascii=False, separators=(",", ":"))
    return gzip.compress(text.encode(), 9, mtime=0)


def opened(recording: bytes) -> dict[str, Any]:
    """What is in a recording; a `Damaged` refusal if it cannot be read any more."""
    try:
        found: Any = json.loads(decompressed(recording))
    except (ValueError, RecursionError):
        found = None
    if not _is_recording(found):
        raise Damaged("This recording is damaged and cannot be shown.")
    recorded: dict[str, Any] = found
    return recorded


def decompressed(recording: bytes) -> bytes:
    """A recording as text. Its checksum notices any bit that was changed."""
    try:
        with gzip.open(BytesIO(recording)) as file:
            text = file.read(MAX_BYTES + 1)
    except (OSError, EOFError, zlib.error):
        text = b""
    if not 0 < len(text) <= MAX_BYTES:
        raise Damaged("This recording is damaged and cannot be shown.")
    return text


def _is_recording(found: Any) -> bool:
    return (
        isinstance(found, dict)
        and (found.get("format"), found.get("version")) == (FORMAT, VERSION)
        and all(isinstance(found.get(name), list) for name in ("steps", "turns", "pool", "shapes"))
        and isinstance(found.get("save"), dict)
    )


@dataclass
class _Walk:
    """A game played again, and what is written down on the way."""

    game: Game
    pool: Pool = field(default_factory=Pool)
    steps: list[Step] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    _choices: list[dict[str, Any]] = field(default_factory=list)
    _begun: dict[int, int] = field(default_factory=dict)
    """Each turn's first step."""
    _lines: int = 0
    _changes: int = 0
    _turn: int = 0
    _player: int = 0

    def __post_init__(self) -> None:
        _awake(self.game)
        s = self.game.table.state
        self._turn, self._player = s.turn, s.current
        self.turns.append(
            Turn(turn=max(0, s.turn - 1), player=None, step=0, vp=s.vp[:], chances=self._chances())
        )
        self._write()

    def go_on(self, answer: int) -> None:
        """Give an answer; what can be seen of it is a step."""
        game = self.game
        decision = game.decision
        assert decision is not None
        self._choices.append(
            {
                "player": decision.player,
                "purpose": decision.purpose,
                "question": message(decision.question()),
                "chosen": message(decision.label(answer)),
            }
        )
        game.choose(answer)
        _awake(game)
        if len(game.table.log) > self._lines or len(game.table.visible_events) > self._changes:
            self._write()
        s = game.table.state
        if self._turn and (s.turn > self._turn or s.over):
            self._end_turn()
        self._turn, self._player = s.turn, s.current

    def end(self) -> None:
        """Nothing more comes. A turn in which everybody else gave up counts as it is."""
        if self._choices:
            self._write()
        if not self.game.table.state.over and self._turn:
            self._end_turn()

    def _end_turn(self) -> None:
        self.turns.append(
            Turn(
                turn=self._turn,
                player=self._player,
                step=self._begun.get(self._turn, len(self.steps) - 1),
                vp=self.game.table.state.vp[:],
                chances=self._chances(),
            )
        )

    def _chances(self) -> list[float]:
        return [round(chance, 3) for chance in win_probabilities(self.game, SPECTATOR)]

    def _write(self) -> None:
        game, put = self.game, self.pool.put
        viewers = range(SPECTATOR, game.table.num_players)
        menu = game.table.last_menu if game.at_menu else None
        self._begun.setdefault(game.table.state.turn, len(self.steps))
        self.steps.append(
            Step(
                answers=len(game.answers),
                turn=game.table.state.turn,
                menu=menu.digest() if menu is not None else "",
                views=[put(_seen(game, viewer), CHANGING) for viewer in viewers],
                lines=[put(_told(game, viewer, self._lines)) for viewer in viewers],
                changes=[put(game.events(viewer, self._changes)) for viewer in viewers],
                choices=put(self._choices),
            )
        )
        self._choices = []
        self._lines, self._changes = len(game.table.log), len(game.table.visible_events)


def _awake(game: Game) -> None:
    """Let a game go on to where it asks again."""
    assert game.decision is not None or game.is_over


def _seen(game: Game, viewer: int) -> Mapping[str, Any]:
    """A view, of a decision only who decides: what could have been chosen would be most of it."""
    view = game.view(viewer)
    if view["decision"] is not None:
        view["decision"] = {"player": view["decision"]["player"]}
    return view


def _told(game: Game, viewer: int, since: int) -> list[dict[str, Any]]:
    return [
        {"number": number, "event": game.table.log[number].event, "message": message(line)}
        for number, line in game.log_lines(viewer, since)
    ]
