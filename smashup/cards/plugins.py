"""Third-party factions: installed packages (entry points) and single files.

A file is a Python module with a `FACTION`, or `FACTIONS` for several; a package names such a
module under the entry point group ``smashup.factions``. A faction that cannot be used raises a
`FactionError` with the problem and its location, and never affects the other factions.
"""

from __future__ import annotations

import io
import sys
import tokenize
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from smashup.cards import catalogue
from smashup.cards.authoring.ability_code import check_code
from smashup.cards.authoring.declarations import check_declarations, check_names_are_free
from smashup.cards.authoring.failures import author_code
from smashup.cards.authoring.module_code import check_imports, check_module
from smashup.cards.authoring.places import (
    FactionError,
    SourceLocation,
    describe_error,
    faction_error,
    shown_value,
)
from smashup.cards.authoring.sources import Source, source_of_module
from smashup.cards.madness import Madness
from smashup.engine.errors import reason
from smashup.engine.model.catalogue import Catalogue, Faction
from smashup.engine.model.messages import Message

__all__ = ["FactionError", "from_file", "installed", "load_file", "with_plugins"]

GROUP: Final = "smashup.factions"
MAX_FILE_SIZE: Final = 1_000_000
"""The maximum size of a file in bytes: Python would compile a larger one for minutes."""
LOAD_SECONDS: Final = 5
"""The maximum processor time for loading a file."""
TOO_SLOW: Final = "The file takes more than {limit} seconds to load."


@dataclass(frozen=True)
class FactionFile:
    """The factions of a file and its source code."""

    factions: list[Faction]
    source: Source


def with_plugins(files: Sequence[str] = ()) -> tuple[Catalogue, list[Message]]:
    """Return all factions, and a message about each one that was left out.

    A file that the user names must work: otherwise it raises a `FactionError`. A broken installed
    package is only left out.
    """
    known = catalogue()
    factions = list(known.factions)
    refused: list[Message] = []
    for point in entry_points(group=GROUP):
        try:
            for faction in installed(point):
                add(faction, factions, _source_of_faction(faction, point))
        except FactionError as error:
            refused.append(error.message)
    for file in files:
        loaded = load_file(Path(file))
        for faction in loaded.factions:
            add(faction, factions, loaded.source)
    if len(factions) == len(known.factions):
        return known, refused
    return Catalogue(factions, madness=Madness), refused


def add(faction: Faction, factions: list[Faction], source: Source) -> None:
    """Add a faction to others if it is valid and its names are not taken."""
    with author_code(source, LOAD_SECONDS, TOO_SLOW):
        check_declarations(faction, source)
        check_names_are_free(faction, factions, source)
    factions.append(faction)


# --- files ----------------------------------------------------------------------------------


def from_file(path: Path) -> list[Faction]:
    """Return the factions of a single file."""
    return load_file(path).factions


def load_file(path: Path) -> FactionFile:
    """Load a faction file."""
    module, source = load_module(path, "faction")
    return FactionFile(factions_of(module, source), source)


def check_file(path: Path) -> None:
    """Check the code of a faction file without running it; raise a `FactionError`."""
    source = Source(str(path), str(path), read_text(path))
    check_imports(source)
    check_module(source)
    check_code(source)


def load_module(path: Path, kind: str) -> tuple[ModuleType, Source]:
    """Load an author's Python file; raise a `FactionError` that explains any problem."""
    source = Source(str(path), str(path), read_text(path, kind))
    check_imports(source)
    if kind == "faction":
        check_module(source)
    module = ModuleType(f"smashup_{kind}_{path.stem}")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module

    def explain(error: BaseException) -> FactionError:
        place = source.place_of_line(source.place_of_error(error).line)
        if isinstance(error, SystemExit):
            return faction_error(place, "The file exits the program when it is loaded.")
        problem = describe_error(error)
        if "Faction.__init__" in str(problem) or "colors" in str(problem):
            place = source.faction_place()
        return faction_error(place, "The file cannot be loaded: {reason}", reason=problem)

    with author_code(source, LOAD_SECONDS, TOO_SLOW, explain):
        exec(compile(source.tree, str(path), "exec"), module.__dict__)
    return module, source


def read_text(path: Path, kind: str = "faction") -> str:
    """Read a Python file; raise a `FactionError` if it is not one."""
    where = str(path)
    if path.is_dir():
        raise FactionError("{path} is a folder, not a Python file.", path=where)
    if not path.exists():
        if kind == "bot":
            raise FactionError("There is no bot file {path}.", path=where)
        raise FactionError("There is no faction file {path}.", path=where)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise FactionError(
            "{path} cannot be read: {why}.", path=where, why=reason(error)
        ) from error
    if kind == "faction" and len(content) > MAX_FILE_SIZE:
        raise faction_error(
            SourceLocation(where), "The file is larger than {most} kB.", most=MAX_FILE_SIZE // 1000
        )
    if b"\0" in content:
        raise faction_error(
            SourceLocation(where), "This is not a Python file: it contains binary data."
        )
    try:
        declared, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
    except SyntaxError as error:  # also if the first lines are not UTF-8
        declared = "" if "unknown encoding" in str(error) else "utf-8"
    if declared not in ("utf-8", "utf-8-sig"):
        raise faction_error(
            SourceLocation(where, 1),
            "The file declares another encoding than UTF-8: save it as UTF-8 and remove the"
            " declaration.",
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise faction_error(
            SourceLocation(where, line), "The line is not UTF-8 text: save the file as UTF-8."
        ) from error


# --- packages -------------------------------------------------------------------------------


def installed(point: EntryPoint) -> list[Faction]:
    """Return the factions of an installed package."""
    where = Message("The package {name}", {"name": point.name})
    try:
        found = point.load()
    except (Exception, SystemExit) as error:
        raise FactionError(
            "{where} cannot be read: {reason}", where=where, reason=describe_error(error)
        ) from error
    if isinstance(found, Faction):
        return [found]
    if isinstance(found, ModuleType):
        return factions_of(found, source_of_module(found))
    return _only_factions(found, point.attr, source_of_module(sys.modules[point.module]))


def _source_of_faction(faction: Faction, point: EntryPoint) -> Source:
    cards: Any = faction.cards
    first = cards[0] if isinstance(cards, tuple | list) and cards else None
    module = sys.modules.get(getattr(first, "__module__", ""), sys.modules[point.module])
    return source_of_module(module)


def factions_of(module: ModuleType, source: Source) -> list[Faction]:
    """Return the factions that a module declares."""
    for name in ("FACTIONS", "FACTION"):
        found: Any = getattr(module, name, None)
        if found is not None:
            return _only_factions((found,) if name == "FACTION" else found, name, source)
    for name, value in vars(module).items():
        if isinstance(value, Faction):
            raise faction_error(
                source.assignment_place(name),
                "The file declares no FACTION: write FACTION instead of {name}.",
                name=name,
            )
    raise faction_error(
        SourceLocation(source.label), "The file declares no FACTION (and no FACTIONS)."
    )


def _only_factions(found: Any, name: str, source: Source) -> list[Faction]:
    place = source.assignment_place(name)
    if not isinstance(found, tuple | list):
        raise faction_error(
            place, "{name} has to be a tuple of Faction(...), not {value}.", name=name,
            value=shown_value(found),
        )  # fmt: skip
    factions = list(found)
    if not factions:
        raise faction_error(place, "{name} is empty: it has to list a Faction(...).", name=name)
    if len({id(faction) for faction in factions}) < len(factions):
        raise faction_error(place, "{name} lists a faction twice.", name=name)
    for faction in factions:
        if not isinstance(faction, Faction):
            raise faction_error(
                place, "{name} has to be a Faction(...), not {value}.", name=name,
                value=shown_value(faction),
            )  # fmt: skip
    return factions
