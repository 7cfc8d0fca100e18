"""Where games are kept: save files and the sentences about them."""

from __future__ import annotations

import os
from pathlib import Path

from smashup.engine.errors import SaveError, reason
from smashup.engine.game import Game
from smashup.engine.model.catalogue import Catalogue
from smashup.engine.saves.files import FORMAT, load, save
from smashup.terminal.invocation import play_command
from smashup.terminal.seats import Seat, saved_seats
from smashup.terminal.translation import render

SIGNATURE_WITHIN = 200
"""A save file names its format within so many characters."""


def data_folder() -> Path:
    """The user's folder for this program, after the XDG rules."""
    given = os.environ.get("XDG_DATA_HOME", "")
    home = Path(given) if os.path.isabs(given) else Path.home() / ".local" / "share"
    return home / "smashup"


def default_path() -> Path:
    return data_folder() / "last-game.json"


class Keeper:
    """Keeps one game in one file."""

    def __init__(self, path: Path, holds_this_game: bool = False) -> None:
        self.path = path
        self.holds_this_game = holds_this_game
        self.put_aside: Path | None = None
        """Where an earlier game went that was in the default place."""

    def check(self) -> None:
        """Refuse a path that is no place for a save, before anything is played."""
        if self.path.is_dir():
            raise SaveError("{path} is a folder; --save needs a file.", path=str(self.path))
        if self.path.exists() and not _is_save(self.path):
            raise SaveError(
                "{path} exists and is not a Smash Up save file; choose another name.",
                path=str(self.path),
            )

    def save(self, game: Game, seats: list[Seat]) -> None:
        """Write the game, or raise a `SaveError`."""
        try:
            if not self.holds_this_game and self.path == default_path() and self.path.exists():
                self.put_aside = self.path.with_name("previous-game.json")
                self.path.replace(self.put_aside)
            save(game, self.path, [str(seat) for seat in seats])
        except OSError as error:
            raise SaveError(
                "The game cannot be saved in {path}: {reason}.",
                path=str(self.path),
                reason=reason(error),
            ) from error
        self.holds_this_game = True

    def how_to_resume(self) -> str:
        """The command that goes on with the kept game."""
        if self.path == default_path():
            return play_command("--resume")
        return play_command("--resume", str(self.path))


def _is_save(path: Path) -> bool:
    try:
        with path.open(encoding="utf-8") as file:
            return f'"{FORMAT}"' in file.read(SIGNATURE_WITHIN)
    except (OSError, UnicodeDecodeError):
        return False


def resume(path: Path, catalogue: Catalogue) -> tuple[Game, list[Seat], str]:
    """A kept game, who plays it, and a warning if there is something to say."""
    if not path.exists() and path == default_path():
        raise SaveError("There is no saved game yet ({path}).", path=str(path))
    loaded = load(path, catalogue)
    warning = render(loaded.notice) if loaded.notice is not None else ""
    return loaded.game, saved_seats(loaded.names, loaded.game.table.num_players), warning
