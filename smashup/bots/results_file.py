"""The results of a duel in a file: a header line with the parameters, then one line per game.

Each line is written when its game ends, so a measurement can stop at any time and resume later. A
truncated last line is dropped and its game played again. Files of any other content are rejected
and left unchanged.
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


class ResultsFile:
    """The file with the results of one duel."""

    def __init__(self, path: Path, duel: Duel, cards: Catalogue) -> None:
        self.path = path
        self.duel = duel
        self.results: list[Result] = []
        """The stored games, in order."""
        fields = duel.to_dict(cards)
        self._header = {"format": FORMAT, "format_version": FORMAT_VERSION, **fields}
        self._valid_size = 0
        """Length in bytes without a truncated last line."""
        self._file_size = 0
        """Length of the file in bytes."""
        self._open()

    def add(self, result: Result) -> None:
        """Append the result of the next game."""
        line = encode_result(result)
        try:
            with self.path.open("r+b") as file:
                if file.seek(0, 2) != self._file_size:
                    raise SaveError(
                        "{path} was changed while games were played; the rest is not kept.",
                        path=str(self.path),
                    )
                file.truncate(self._valid_size)
                file.seek(self._valid_size)
                file.write(line)
        except OSError as error:
            raise SaveError(
                "The results cannot be kept in {path}: {reason}.",
                path=str(self.path),
                reason=reason(error),
            ) from error
        self._valid_size = self._file_size = self._valid_size + len(line)
        self.results.append(result)

    def _open(self) -> None:
        """Read the existing results, or create the file."""
        header = _encode(self._header)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            content = self.path.read_bytes() if self.path.exists() else b""
            if header.startswith(content) and content != header:
                self.path.write_bytes(header)
                content = header
        except OSError as error:
            raise SaveError(
                "The results cannot be kept in {path}: {reason}.",
                path=str(self.path),
                reason=reason(error),
            ) from error
        lines = content.split(b"\n")[:-1]
        self._check_header(lines[0] if lines else content)
        self.results = _decode_results(self.path, lines[1:], self.duel.players)
        self._valid_size = sum(len(line) + 1 for line in lines)
        self._file_size = len(content)

    def _check_header(self, line: bytes) -> None:
        found = _decode(line)
        if found is None or found.get("format") != FORMAT:
            raise SaveError(
                "{path} exists and does not hold results of a duel; choose another name.",
                path=str(self.path),
            )
        for field, wanted in self._header.items():
            if found.get(field) != wanted:
                raise SaveError(
                    "{path} holds another measurement: there “{field}” is {found}, here {wanted}."
                    " Choose another name.",
                    path=str(self.path),
                    field=field,
                    found=json.dumps(found.get(field), ensure_ascii=False),
                    wanted=json.dumps(wanted, ensure_ascii=False),
                )


def encode_result(result: Result) -> bytes:
    """Encode a result as a line of the file."""
    return _encode(
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


def decode_result(data: dict[str, Any]) -> Result:
    """Decode a result; raise KeyError, TypeError or ValueError if the data is invalid."""
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


def read_results(path: Path) -> tuple[dict[str, Any], list[Result]]:
    """Read the header and the results of a file, whichever duel it belongs to."""
    lines = path.read_bytes().split(b"\n")[:-1]
    header = _decode(lines[0]) if lines else None
    if header is None or header.get("format") != FORMAT:
        raise SaveError("{path} does not hold results of a duel.", path=str(path))
    return header, _decode_results(path, lines[1:], int(header["players"]))


def _decode_results(path: Path, lines: list[bytes], players: int) -> list[Result]:
    """Decode the games of a file; each must be in its place."""
    found = []
    for game, line in enumerate(lines):
        try:
            result = decode_result(_decode(line) or {})
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


def _encode(data: dict[str, Any]) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _decode(line: bytes) -> dict[str, Any] | None:
    """Decode a line as a JSON object; None if it is something else."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None
