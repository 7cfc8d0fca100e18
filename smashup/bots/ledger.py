"""Results of a duel, kept in a file: a line that says what is measured, then one for each game.

A line is written as soon as its game is over, so a measurement can be stopped at any time and goes
on after what is there. A last line that was cut off is dropped and its game played again. Any other
file is refused and left as it is.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from smashup.bots.duel import Duel, Result
from smashup.engine.errors import SaveError, reason
from smashup.engine.model.catalogue import Catalogue

FORMAT: Final = "smashup-duel"
FORMAT_VERSION: Final = 1


class Ledger:
    """One file with the results of one duel."""

    def __init__(self, path: Path, duel: Duel, cards: Catalogue) -> None:
        self.path = path
        self.duel = duel
        self.results: list[Result] = []
        """The games that are there, in their order."""
        facts = duel.facts(cards)
        self._title = {"format": FORMAT, "format_version": FORMAT_VERSION, **facts}
        self._size = 0
        """How much of the file counts; a last line that was cut off does not."""
        self._end = 0
        """How long the file is."""
        self._open()

    def add(self, result: Result) -> None:
        """Write down one more game, the next one."""
        line = line_of(result)
        try:
            with self.path.open("r+b") as file:
                if file.seek(0, 2) != self._end:
                    raise SaveError(
                        "{path} was changed while games were played; the rest is not kept.",
                        path=str(self.path),
                    )
                file.truncate(self._size)
                file.seek(self._size)
                file.write(line)
        except OSError as error:
            raise SaveError(
                "The results cannot be kept in {path}: {reason}.",
                path=str(self.path),
                reason=reason(error),
            ) from error
        self._size = self._end = self._size + len(line)
        self.results.append(result)

    def _open(self) -> None:
        """Read what is there, or begin the file."""
        title = _line(self._title)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            content = self.path.read_bytes() if self.path.exists() else b""
            if title.startswith(content) and content != title:
                self.path.write_bytes(title)
                content = title
        except OSError as error:
            raise SaveError(
                "The results cannot be kept in {path}: {reason}.",
                path=str(self.path),
                reason=reason(error),
            ) from error
        lines = content.split(b"\n")[:-1]
        self._check_title(lines[0] if lines else content)
        self.results = _results(self.path, lines[1:], self.duel.players)
        self._size = sum(len(line) + 1 for line in lines)
        self._end = len(content)

    def _check_title(self, line: bytes) -> None:
        found = _data(line)
        if found is None or found.get("format") != FORMAT:
            raise SaveError(
                "{path} exists and does not hold results of a duel; choose another name.",
                path=str(self.path),
            )
        for field, wanted in self._title.items():
            if found.get(field) != wanted:
                raise SaveError(
                    "{path} holds another measurement: there «{field}» is {found}, here {wanted}."
                    " Choose another name.",
                    path=str(self.path),
                    field=field,
                    found=json.dumps(found.get(field), ensure_ascii=False),
                    wanted=json.dumps(wanted, ensure_ascii=False),
                )


def line_of(result: Result) -> bytes:
    """A result as a line of the file."""
    return _line(
        {
            "game": result.game,
            "seat": result.seat,
            "winners": result.winners,
            "vp": result.vp,
            "turns": result.turns,
            "decisions": result.decisions,
            "seconds": result.seconds,
            "factions": ["+".join(team) for team in result.factions],
        }
    )


def result_of(data: dict[str, Any]) -> Result:
    """A result from the data of its line; where it is none, one of Python's own errors."""
    ours, theirs = data["decisions"]
    our_seconds, their_seconds = data["seconds"]
    return Result(
        int(data["game"]),
        int(data["seat"]),
        tuple(int(seat) for seat in data["winners"]),
        tuple(int(vp) for vp in data["vp"]),
        int(data["turns"]),
        (int(ours), int(theirs)),
        (float(our_seconds), float(their_seconds)),
        tuple(tuple(str(team).split("+")) for team in data["factions"]),
    )


def read(path: Path) -> tuple[dict[str, Any], list[Result]]:
    """What a file of results is about, and its games, whatever duel it belongs to."""
    lines = path.read_bytes().split(b"\n")[:-1]
    title = _data(lines[0]) if lines else None
    if title is None or title.get("format") != FORMAT:
        raise SaveError("{path} does not hold results of a duel.", path=str(path))
    return title, _results(path, lines[1:], int(title["players"]))


def _results(path: Path, lines: list[bytes], players: int) -> list[Result]:
    """The games of a file; each must be the one that belongs in its place."""
    found = []
    for game, line in enumerate(lines):
        try:
            result = result_of(_data(line) or {})
        except (KeyError, TypeError, ValueError):
            result = None
        if (
            result is None
            or (result.game, result.seat) != (game, game % players)
            or not len(result.vp) == len(result.factions) == players
            or not result.winners
            or not set(result.winners) <= set(range(players))
        ):
            raise SaveError(
                "{path} is damaged at line {line}: that is not the result of game {game}.",
                path=str(path),
                line=game + 2,
                game=game + 1,
            )
        found.append(result)
    return found


def _line(data: dict[str, Any]) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _data(line: bytes) -> dict[str, Any] | None:
    """An object of a line, or None if there is none in it."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None
