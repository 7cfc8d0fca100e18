"""Save files of games in progress."""

from __future__ import annotations

import os
from pathlib import Path

from smashup.engine.errors import SaveError, reason
from smashup.engine.game import Game
from smashup.engine.model.catalogue import Catalogue
from smashup.engine.saves.files import FORMAT, load, save
from smashup.terminal.cli.invocation import format_play_command
from smashup.terminal.game.seats import Seat, parse_saved_seats
from smashup.terminal.translation import render

SIGNATURE_LENGTH = 200
"""A save file names its format within this many characters."""


def data_folder() -> Path:
    """The user's data folder for this program, by the XDG specification."""
    given = os.environ.get("XDG_DATA_HOME", "")
    home = Path(given) if os.path.isabs(given) else Path.home() / ".local" / "share"
    return home / "smashup"


def default_save_path() -> Path:
    return data_folder() / "last-game.json"


class SaveFile:
    """The file in which one game is saved."""

    def __init__(self, path: Path, contains_this_game: bool = False) -> None:
        self.path = path
        self.contains_this_game = contains_this_game
        self.resume_options: list[str] = []
        """Options that the game needs again when it is resumed."""
        self.previous_game_path: Path | None = None
        """Where the earlier game of the default file was moved to."""

    def check_path(self) -> None:
        """Raise a `SaveError` if the path cannot hold a save file."""
        if self.path.is_dir():
            raise SaveError("{path} is a folder; --save needs a file.", path=str(self.path))
        if self.path.exists() and not _is_save_file(self.path):
            raise SaveError(
                "{path} exists and is not a Smash Up save file; choose another name.",
                path=str(self.path),
            )

    def save(self, game: Game, seats: list[Seat]) -> None:
        """Write the game, or raise a `SaveError`."""
        try:
            if (
                not self.contains_this_game
                and self.path == default_save_path()
                and self.path.exists()
            ):
                self.previous_game_path = self.path.with_name("previous-game.json")
                self.path.replace(self.previous_game_path)
            save(game, self.path, [str(seat) for seat in seats])
        except OSError as error:
            raise SaveError(
                "The game cannot be saved in {path}: {reason}.",
                path=str(self.path),
                reason=reason(error),
            ) from error
        self.contains_this_game = True

    def resume_command(self) -> str:
        """The command that resumes this game."""
        path = [] if self.path == default_save_path() else [str(self.path)]
        return format_play_command("--resume", *path, *self.resume_options)


def _is_save_file(path: Path) -> bool:
    try:
        with path.open(encoding="utf-8") as file:
            return f'"{FORMAT}"' in file.read(SIGNATURE_LENGTH)
    except (OSError, UnicodeDecodeError):
        return False


def load_saved_game(path: Path, catalogue: Catalogue) -> tuple[Game, list[Seat], str]:
    """Load a game, its seats, and a warning for the player (may be empty)."""
    if not path.exists() and path == default_save_path():
        raise SaveError("There is no saved game yet ({path}).", path=str(path))
    loaded = load(path, catalogue)
    warning = render(loaded.notice) if loaded.notice is not None else ""
    return loaded.game, parse_saved_seats(loaded.names, loaded.game.table.num_players), warning
