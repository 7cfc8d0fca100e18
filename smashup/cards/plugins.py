"""Factions from elsewhere: installed packages (entry points) and single files.

A file is a Python module with a `FACTION`, or `FACTIONS` for several; a package names such a
module under the entry point group ``smashup.factions``. What cannot be used is refused with a
sentence that says what and where, and never disturbs the other factions.
"""

from __future__ import annotations

import importlib.util
import sys
import traceback
from collections.abc import Iterable, Sequence
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from smashup.cards import catalogue
from smashup.cards.madness import Madness
from smashup.engine.catalogue import PRINTINGS, Catalogue, Faction, make_kind
from smashup.engine.errors import SmashUpError
from smashup.engine.kinds import Kind
from smashup.engine.words import ACTION, BASE, MINION, TITAN

GROUP: Final = "smashup.factions"
DECK_SIZE: Final = 20


class FactionError(SmashUpError):
    """A faction that cannot be used; the sentence says what is wrong and where."""


def with_plugins(files: Sequence[str] = ()) -> tuple[Catalogue, list[str]]:
    """All factions there are, and sentences about those that had to be left out.

    A file that was asked for must work: it raises a `FactionError`. An installed package that is
    broken is only left out.
    """
    known = catalogue()
    factions = list(known.factions)
    refused: list[str] = []
    for point in entry_points(group=GROUP):
        try:
            for faction in installed(point):
                add(faction, factions, f"The package {point.name}")
        except FactionError as error:
            refused.append(str(error))
    for file in files:
        for faction in from_file(Path(file)):
            add(faction, factions, str(file))
    if len(factions) == len(known.factions):
        return known, refused
    return Catalogue(factions, madness=Madness), refused


def add(faction: Faction, factions: list[Faction], where: str) -> None:
    """Take a faction in if it can be played and its names are free."""
    check(faction, where)
    if any(f.name.casefold() == faction.name.casefold() for f in factions):
        raise FactionError(f"{where}: there is a faction called «{faction.name}» already.")
    taken = {cls().name for f in factions for cls in (*f.cards, *f.bases, *f.titans)}
    for cls in (*faction.cards, *faction.bases, *faction.titans):
        if cls().name in taken:
            raise FactionError(
                f"{where}: «{cls().name}» of {faction.name} is the name of another card."
            )
    factions.append(faction)


# --- reading --------------------------------------------------------------------------------


def from_file(path: Path) -> list[Faction]:
    """The factions of a single file."""
    if not path.is_file():
        raise FactionError(f"There is no faction file {path}.")
    name = f"smashup_faction_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise FactionError(f"{path} is not a Python file.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise FactionError(f"{path} cannot be read: {_place(error, str(path))}") from error
    return factions_of(module, str(path))


def installed(point: EntryPoint) -> list[Faction]:
    """The factions of an installed package."""
    where = f"The package {point.name}"
    try:
        found = point.load()
    except Exception as error:
        raise FactionError(f"{where} cannot be read: {_place(error, '')}") from error
    if isinstance(found, Faction):
        return [found]
    if isinstance(found, ModuleType):
        return factions_of(found, where)
    return _only_factions(found, where)


def factions_of(module: ModuleType, where: str) -> list[Faction]:
    """The factions a module declares."""
    found: Any = getattr(module, "FACTIONS", None)
    if found is None:
        one = getattr(module, "FACTION", None)
        found = [] if one is None else [one]
    if not found:
        raise FactionError(f"{where} declares no FACTION (and no FACTIONS).")
    return _only_factions(found, where)


def _only_factions(found: Any, where: str) -> list[Faction]:
    if not isinstance(found, Iterable):
        raise FactionError(f"{where}: what it offers is no faction.")
    factions = list(found)
    for faction in factions:
        if not isinstance(faction, Faction):
            raise FactionError(f"{where}: {faction!r} is no Faction.")
    return factions


def _place(error: Exception, path: str) -> str:
    """An error and the line of the file it came from."""
    if isinstance(error, SyntaxError):
        return f"line {error.lineno}: {error.msg}."
    lines = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == path]
    line = f"line {lines[-1].lineno}: " if lines else ""
    return f"{line}{type(error).__name__}: {error}."


# --- checking -------------------------------------------------------------------------------


def check(faction: Faction, where: str) -> None:
    """Refuse a faction that could not be played."""
    for problem in problems(faction):
        raise FactionError(f"{where}: {problem}")


def problems(faction: Faction) -> list[str]:
    """What keeps a faction from being played, in sentences."""
    name: Any = faction.name
    if not isinstance(name, str) or not name.strip():
        return ["The faction has no name."]
    found: list[str] = []
    groups = (
        ("card", faction.cards, MINION | ACTION),
        ("base", faction.bases, BASE),
        ("titan", faction.titans, TITAN),
    )
    for printing in PRINTINGS:
        names: set[str] = set()
        for word, classes, types in groups:
            for cls in classes:
                found += _kind_problems(faction, cls, printing, word, types, names)
        if not found:
            cards = [make_kind(c, printing, faction.name, faction.set_name) for c in faction.cards]
            size = sum(kind.copies for kind in cards)
            if size != DECK_SIZE:
                found.append(
                    f"{faction.name} has {size} cards in the {printing} printing, not {DECK_SIZE}."
                )
    if not faction.bases:
        found.append(f"{faction.name} has no base.")
    return list(dict.fromkeys(found))


def _kind_problems(
    faction: Faction, cls: Any, printing: str, word: str, types: int, names: set[str]
) -> list[str]:
    if not (isinstance(cls, type) and issubclass(cls, Kind)):
        return [f"{cls!r} is no class of a {word}."]
    try:
        kind = make_kind(cls, printing, faction.name, faction.set_name)
    except Exception as error:
        return [f"{cls.__name__} cannot be made: {type(error).__name__}: {error}."]
    name = kind.name or cls.__name__
    found = []
    if not kind.name:
        found.append(f"{cls.__name__} has no name.")
    if kind.name in names:
        found.append(f"Two cards are called {kind.name}.")
    names.add(kind.name)
    if not kind.type & types:
        found.append(f"{name} is not a {word}, but stands among the {word}s.")
    if not kind.text.strip():
        found.append(f"{name} has no text.")
    if kind.copies < 0 or kind.power < 0:
        found.append(f"{name} has a negative figure.")
    if kind.type == BASE and (kind.breakpoint <= 0 or len(kind.vp) != 3):
        found.append(f"{name} needs a breakpoint and three numbers of VP.")
    found += [f"{name}: {p}" for p in misspelt(cls)]
    return found


def misspelt(cls: type[Kind]) -> list[str]:
    """Methods that look like abilities but are none: the engine would never call them."""
    prefixes = ("after_", "before_", "when_", "start_of_", "end_of_", "instead_of_", "special_",
                "goes_", "can_", "forbids_")  # fmt: skip
    found = []
    for name, value in vars(cls).items():
        if callable(value) and name.startswith(prefixes) and not hasattr(Kind, name):
            found.append(f"«{name}» is not an ability the engine knows.")
    return found
