"""The recording of a finished game: everything that each viewer could see, step by step.

A recording is made once, when a game is over, by replaying it. Showing it needs no rules, so it
stays correct when the code of the cards changes. It is gzipped JSON in a versioned format; clients
must always be able to read version 1.

A step shows the effect of one answer. An answer without a visible effect, such as a pass or the
first of several picks, is part of the next step. Each step has a view for every viewer: first the
spectators, then each seat.
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
from smashup.server.replays.value_pool import ValuePool
from smashup.version import __version__

FORMAT: Final = "smashup-replay"
VERSION: Final = 1
MAX_BYTES: Final = 64 << 20
"""Maximum size before compression. Long games have some megabytes."""
VOLATILE_DEPTH: Final = 2
"""A view, its players and its bases differ in nearly every step (`ValuePool.add`)."""


@dataclass(frozen=True)
class FinishedGame:
    """A finished game, from which its recording is made."""

    setup: dict[str, Any]
    start: dict[str, Any]
    """The snapshot from which it started; empty for a complete game."""
    answers: list[int]
    seats: list[dict[str, str]]
    """For each seat, whether a person or a bot played it last, and the level. No names: these are
    personal data and stored where they can be deleted."""
    winners: list[int]

    def begin(self, cards: Catalogue) -> Game:
        """Return the game before its first answer."""
        setup = Setup.from_json(self.setup)
        return restore(self.start, setup, cards) if self.start else Game(setup, cards)

    def replay(self, cards: Catalogue) -> Game:
        """Return the game at its end, without a log."""
        game = self.begin(cards)
        game.table.logging = False
        return game.answer_all(self.answers)


class Turn(TypedDict):
    """The scores at the end of a turn; the first one is the start of the game."""

    turn: int
    player: int | None
    step: int
    """The first step of the turn."""
    vp: list[int]
    chances: list[float]
    """Each seat's win probability, estimated from public information."""


class Step(TypedDict):
    """What is visible at one moment. Lists contain a pool index for each viewer."""

    answers: int
    """The number of answers so far."""
    turn: int
    menu: str
    """The digest of the table at a play menu, from which a game can continue; else empty."""
    views: list[int]
    lines: list[int]
    """The new log lines since the previous step."""
    changes: list[int]
    choices: int
    """The pool index of the answers since the previous step, with their questions."""


def record(finished: FinishedGame, cards: Catalogue) -> bytes:
    """Return the recording of a game, as it is stored and sent."""
    game = finished.begin(cards).answer_all(finished.answers)
    recorder = _Recorder(finished.begin(cards))
    for answer in finished.answers:
        recorder.apply_answer(answer)
    recorder.finish()
    recording = {
        "format": FORMAT,
        "version": VERSION,
        "rules": __version__,
        "players": game.table.num_players,
        "seats": finished.seats,
        "winners": finished.winners,
        "whole": not finished.start,
        "turns": recorder.turns,
        "steps": recorder.steps,
        "shapes": recorder.pool.shapes,
        "pool": recorder.pool.values,
        "save": saves.to_json(game),
    }
    text = json.dumps(recording, ensure_ascii=False, separators=(",", ":"))
    return gzip.compress(text.encode(), 9, mtime=0)


def load_recording(recording: bytes) -> dict[str, Any]:
    """Decode a recording; raise `Damaged` if it cannot be read."""
    try:
        data: Any = json.loads(decompress_recording(recording))
    except (ValueError, RecursionError):
        data = None
    if not _is_recording(data):
        raise Damaged("This recording is damaged and cannot be shown.")
    recording_data: dict[str, Any] = data
    return recording_data


def decompress_recording(recording: bytes) -> bytes:
    """Decompress a recording and verify its checksum; raise `Damaged` if that fails."""
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
class _Recorder:
    """Replays a game and records its steps."""

    game: Game
    pool: ValuePool = field(default_factory=ValuePool)
    steps: list[Step] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    _choices: list[dict[str, Any]] = field(default_factory=list)
    _turn_starts: dict[int, int] = field(default_factory=dict)
    """Each turn's first step."""
    _lines: int = 0
    _changes: int = 0
    _turn: int = 0
    _player: int = 0

    def __post_init__(self) -> None:
        _advance(self.game)
        s = self.game.table.state
        self._turn, self._player = s.turn, s.current
        self.turns.append(
            Turn(
                turn=max(0, s.turn - 1),
                player=None,
                step=0,
                vp=s.vp[:],
                chances=self._win_probabilities(),
            )
        )
        self._add_step()

    def apply_answer(self, answer: int) -> None:
        """Apply an answer, and add a step if it has visible effects."""
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
        _advance(game)
        if len(game.table.log) > self._lines or len(game.table.visible_events) > self._changes:
            self._add_step()
        s = game.table.state
        if self._turn and (s.turn > self._turn or s.over):
            self._end_turn()
        self._turn, self._player = s.turn, s.current

    def finish(self) -> None:
        """Complete the recording. A last turn that ended by resignation counts as it is."""
        if self._choices:
            self._add_step()
        if not self.game.table.state.over and self._turn:
            self._end_turn()

    def _end_turn(self) -> None:
        self.turns.append(
            Turn(
                turn=self._turn,
                player=self._player,
                step=self._turn_starts.get(self._turn, len(self.steps) - 1),
                vp=self.game.table.state.vp[:],
                chances=self._win_probabilities(),
            )
        )

    def _win_probabilities(self) -> list[float]:
        return [round(chance, 3) for chance in win_probabilities(self.game, SPECTATOR)]

    def _add_step(self) -> None:
        game, add = self.game, self.pool.add
        viewers = range(SPECTATOR, game.table.num_players)
        menu = game.table.last_menu if game.at_menu else None
        self._turn_starts.setdefault(game.table.state.turn, len(self.steps))
        self.steps.append(
            Step(
                answers=len(game.answers),
                turn=game.table.state.turn,
                menu=menu.digest() if menu is not None else "",
                views=[add(_slim_view(game, viewer), VOLATILE_DEPTH) for viewer in viewers],
                lines=[add(_log_lines(game, viewer, self._lines)) for viewer in viewers],
                changes=[add(game.events(viewer, self._changes)) for viewer in viewers],
                choices=add(self._choices),
            )
        )
        self._choices = []
        self._lines, self._changes = len(game.table.log), len(game.table.visible_events)


def _advance(game: Game) -> None:
    """Let a game continue to its next decision."""
    assert game.decision is not None or game.is_over


def _slim_view(game: Game, viewer: int) -> Mapping[str, Any]:
    """Return a view without the options of the decision, which would be most of its size."""
    view = game.view(viewer)
    if view["decision"] is not None:
        view["decision"] = {"player": view["decision"]["player"]}
    return view


def _log_lines(game: Game, viewer: int, since: int) -> list[dict[str, Any]]:
    return [
        {"number": number, "event": game.table.log[number].event, "message": message(line)}
        for number, line in game.log_lines(viewer, since)
    ]
