"""Save files: versioned JSON with setup, answers, digests and a snapshot.

Answers replay only with the rules that wrote them. Digests after every few answers show where a
replay first differs; the snapshot of the last play menu lets a running game continue with newer
rules from that menu.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from smashup.engine.errors import (
    ReplayMismatch,
    SaveError,
    SetupError,
    SmashUpError,
    clipped,
    reason,
)
from smashup.engine.game import Game
from smashup.engine.model.messages import Message
from smashup.engine.model.setup import Setup
from smashup.engine.saves.snapshots import restore, snapshot
from smashup.version import __version__

if TYPE_CHECKING:
    from smashup.engine.model.catalogue import Catalogue

FORMAT: Final = "smashup-save"
FORMAT_VERSION: Final = 2
DIGEST_EVERY: Final = 25
"""The number of answers between two digests."""
MAX_BYTES: Final = 8 << 20
"""The maximum size; a save of a long game has some hundred kilobytes."""
MAX_ANSWERS: Final = 20_000
"""The maximum number of answers, ten times that of the longest games."""
MAX_SEATS: Final = 16
MAX_OPTIONS: Final = 1 << 20


def to_json(game: Game, names: list[str] | None = None) -> dict[str, Any]:
    """Convert a game to plain data."""
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "rules_version": __version__,
        "setup": game.setup.to_json(),
        "start": game.start.to_dict() if game.start is not None else {},
        "answers": game.answers[:],
        "digests": digests(game),
        "snapshot": snapshot(game),
        "seats": names or [],
    }


def digests(game: Game) -> dict[str, str]:
    """Return digests of the game after every `DIGEST_EVERY` answers and after the last."""
    marks: dict[str, str] = {}
    again = game.from_start()
    again.table.logging = False
    for count, answer in enumerate(game.answers):
        if count % DIGEST_EVERY == 0:
            marks[str(count)] = again.digest()
        again.choose(answer)
    marks[str(len(game.answers))] = again.digest()
    return marks


def save(game: Game, path: Path, names: list[str] | None = None) -> None:
    """Write a save file atomically."""
    part = path.with_name(path.name + ".part")
    part.parent.mkdir(parents=True, exist_ok=True)
    part.write_text(json.dumps(to_json(game, names), ensure_ascii=False), encoding="utf-8")
    part.replace(path)


class Loaded:
    """A game read from a file, and a notice for the user."""

    def __init__(self, game: Game, names: list[str], notice: Message | None = None) -> None:
        self.game = game
        self.names = names
        self.notice = notice

    @property
    def warning(self) -> str:
        """The notice in English; empty when there is none."""
        return str(self.notice) if self.notice is not None else ""


def load(path: Path, catalogue: Catalogue) -> Loaded:
    """Read a save file, or raise a `SaveError` that says where and why it cannot be used."""
    try:
        text = _read(path)
    except FileNotFoundError:
        raise SaveError("There is no save file {path}.", path=str(path)) from None
    except OSError as error:
        raise SaveError(
            "The save file {path} cannot be read: {reason}.", path=str(path), reason=reason(error)
        ) from error
    except UnicodeDecodeError as error:
        raise SaveError(
            "The save file {path} is damaged: it is not text.", path=str(path)
        ) from error
    try:
        data = json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise SaveError(
            "The save file {path} is damaged at line {line}, column {column}: {reason}.",
            path=str(path),
            line=error.lineno,
            column=error.colno,
            reason=Message(error.msg, {}),
        ) from error
    except RecursionError:
        raise SaveError(
            "The save file {path} is damaged: it is nested too deeply.", path=str(path)
        ) from None
    except ValueError:  # numbers of thousands of digits, NaN
        raise SaveError(
            "The save file {path} is damaged: it contains an invalid number.", path=str(path)
        ) from None
    return from_json(data, catalogue)


def _read(path: Path) -> str:
    """Read a file; refuse pipes and devices, which may never end."""
    if not path.is_file():
        if path.exists():
            raise SaveError("{path} is not a file.", path=str(path))
        raise FileNotFoundError
    with path.open("rb") as file:
        found = file.read(MAX_BYTES + 1)
    if len(found) > MAX_BYTES:
        raise SaveError("The save file {path} is damaged: it is too long.", path=str(path))
    return found.decode("utf-8")


def _refuse_constant(name: str) -> None:
    raise ValueError(name)


def from_json(data: Any, catalogue: Catalogue) -> Loaded:
    """Create a game from plain data, completely or not at all."""
    setup, answers, marks, names = _checked(data, catalogue)
    same_rules = data["rules_version"] == __version__
    try:
        game = Game(setup, catalogue)
        if data["start"]:
            game = restore(data["start"], setup, catalogue)
        _replay(game, answers, marks)
    except ReplayMismatch as error:
        if same_rules:
            raise SaveError("The save does not replay: {reason}", reason=error.message) from error
        game = restore(data["snapshot"], setup, catalogue)
        _run_to_question(game)
        args = {"then": clipped(data["rules_version"]), "now": __version__}
        return Loaded(
            game,
            names,
            Message(
                "This game was saved under rules {then}; under {now} its answers lead to another"
                " game. It continues from its last play menu.",
                args,
            ),
        )
    return Loaded(game, names)


def _run_to_question(game: Game) -> None:
    """Check that the rules can run the table; otherwise it is not a table of a game."""
    try:
        assert game.decision is not None or game.is_over
    except Exception as error:
        raise SaveError(
            "The save is damaged: the rules cannot go on from the table in it."
        ) from error


def _replay(game: Game, answers: list[int], marks: dict[str, str]) -> None:
    _run_to_question(game)
    for count, answer in enumerate([*answers, None]):
        expected = marks.get(str(count))
        if expected is not None and game.digest() != expected:
            raise ReplayMismatch(
                "after answer {number} the table differs from the saved one.", number=count
            )
        if answer is not None:
            try:
                game.choose(answer)
            except SmashUpError as error:
                raise ReplayMismatch(
                    "answer {number} does not fit: {reason}", number=count + 1, reason=error.message
                ) from error
            except Exception as error:
                # The table cannot occur in a game, or an answer has no question.
                raise ReplayMismatch(
                    "answer {number} cannot be played.", number=count + 1
                ) from error


def _fit_answers(marks: dict[str, Any], count: int) -> bool:
    """Whether the last digest belongs to the last answer, and each digest to an answer.

    A later digest would mean that answers were lost.
    """
    known = {str(number) for number in range(count + 1)}
    return (
        str(count) in marks
        and marks.keys() <= known
        and all(isinstance(digest, str) for digest in marks.values())
    )


def _check_factions(setup: Setup, catalogue: Catalogue) -> None:
    """Raise a `SaveError` that names the first unknown faction of a save."""
    for name in (name for pair in setup.factions for name in pair):
        try:
            catalogue.faction(name)
        except SetupError as error:
            raise SaveError(
                "The save needs the faction “{name}”. If it is one of your own, add its file:"
                " {option} FILE.",
                name=clipped(name),
                option="--faction-file",
            ) from error


def _checked(data: Any, catalogue: Catalogue) -> tuple[Setup, list[int], dict[str, str], list[str]]:
    """Return the parts of a save after checking all of them."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise SaveError("This is not a Smash Up save file.")
    if data.get("format_version") != FORMAT_VERSION:
        raise SaveError(
            "This save has format version {found}; this program reads version {known}.",
            found=clipped(repr(data.get("format_version"))),
            known=FORMAT_VERSION,
        )
    for field, expected_type in (
        ("rules_version", str), ("setup", dict), ("answers", list), ("digests", dict),
        ("snapshot", dict), ("start", dict), ("seats", list),
    ):  # fmt: skip
        if not isinstance(data.get(field), expected_type):
            raise SaveError("The field “{field}” of the save is missing or damaged.", field=field)
    try:
        setup = Setup.from_json(data["setup"])
        _check_factions(setup, catalogue)
        setup.check(catalogue)
    except SetupError as error:
        raise SaveError(
            "The setup in the save cannot be used: {reason}", reason=error.message
        ) from error
    answers = data["answers"]
    if len(answers) > MAX_ANSWERS:
        raise SaveError("The save has {count} answers: no game is that long.", count=len(answers))
    for number, answer in enumerate(answers, 1):
        if not isinstance(answer, int) or isinstance(answer, bool):
            raise SaveError(
                "Answer number {number} in the save is not a number: {answer}.",
                number=number,
                answer=clipped(repr(answer)),
            )
        if not 0 <= answer < MAX_OPTIONS:
            raise SaveError("Answer number {number} in the save is out of range.", number=number)
    marks = data["digests"]
    if not _fit_answers(marks, len(answers)):
        raise SaveError("The digests in the save do not match its answers: it was edited.")
    names = data["seats"]
    if len(names) > MAX_SEATS or not all(isinstance(name, str) for name in names):
        raise SaveError("The field “{field}” of the save is missing or damaged.", field="seats")
    return setup, answers, marks, names
