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
from smashup.engine.errors import SmashUpError
from smashup.engine.model.catalogue import PRINTINGS, Catalogue, Faction, make_kind
from smashup.engine.model.constants import ACTION, BASE, MINION, TITAN
from smashup.engine.model.definitions import CardDefinition
from smashup.engine.model.messages import Message

GROUP: Final = "smashup.factions"
DECK_SIZE: Final = 20


Where = str | Message
"""Where a faction comes from: a path, or words about a package."""


class FactionError(SmashUpError):
    """A faction that cannot be used; the sentence says what is wrong and where."""


def with_plugins(files: Sequence[str] = ()) -> tuple[Catalogue, list[Message]]:
    """All factions there are, and sentences about those that had to be left out.

    A file that was asked for must work: it raises a `FactionError`. An installed package that is
    broken is only left out.
    """
    known = catalogue()
    factions = list(known.factions)
    refused: list[Message] = []
    for point in entry_points(group=GROUP):
        try:
            for faction in installed(point):
                add(faction, factions, _package(point))
        except FactionError as error:
            refused.append(error.message)
    for file in files:
        for faction in from_file(Path(file)):
            add(faction, factions, str(file))
    if len(factions) == len(known.factions):
        return known, refused
    return Catalogue(factions, madness=Madness), refused


def add(faction: Faction, factions: list[Faction], where: Where) -> None:
    """Take a faction in if it can be played and its names are free."""
    check(faction, where)
    if any(f.name.casefold() == faction.name.casefold() for f in factions):
        raise FactionError(
            "{where}: there is a faction called «{name}» already.", where=where, name=faction.name
        )
    taken = {cls().name for f in factions for cls in (*f.cards, *f.bases, *f.titans)}
    for cls in (*faction.cards, *faction.bases, *faction.titans):
        if cls().name in taken:
            raise FactionError(
                "{where}: «{card}» of {faction} is the name of another card.",
                where=where,
                card=cls().name,
                faction=faction.name,
            )
    factions.append(faction)


# --- reading --------------------------------------------------------------------------------


def from_file(path: Path) -> list[Faction]:
    """The factions of a single file."""
    if not path.is_file():
        raise FactionError("There is no faction file {path}.", path=str(path))
    name = f"smashup_faction_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise FactionError("{path} is not a Python file.", path=str(path))
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise FactionError(
            "{where} cannot be read: {reason}", where=str(path), reason=_place(error, str(path))
        ) from error
    return factions_of(module, str(path))


def installed(point: EntryPoint) -> list[Faction]:
    """The factions of an installed package."""
    where = _package(point)
    try:
        found = point.load()
    except Exception as error:
        raise FactionError(
            "{where} cannot be read: {reason}", where=where, reason=_place(error, "")
        ) from error
    if isinstance(found, Faction):
        return [found]
    if isinstance(found, ModuleType):
        return factions_of(found, where)
    return _only_factions(found, where)


def factions_of(module: ModuleType, where: Where) -> list[Faction]:
    """The factions a module declares."""
    found: Any = getattr(module, "FACTIONS", None)
    if found is None:
        one = getattr(module, "FACTION", None)
        found = [] if one is None else [one]
    if not found:
        raise FactionError("{where} declares no FACTION (and no FACTIONS).", where=where)
    return _only_factions(found, where)


def _only_factions(found: Any, where: Where) -> list[Faction]:
    if not isinstance(found, Iterable):
        raise FactionError("{where}: what it offers is no faction.", where=where)
    factions = list(found)
    for faction in factions:
        if not isinstance(faction, Faction):
            raise FactionError("{where}: {thing} is no Faction.", where=where, thing=repr(faction))
    return factions


def _place(error: Exception, path: str) -> Message:
    """An error and the line of the file it came from."""
    if isinstance(error, SyntaxError):
        shown = (error.text or "").strip()
        return Message(
            "line {line}: this is not valid Python: «{shown}».",
            {"line": error.lineno, "shown": shown},
        )
    reason = f"{type(error).__name__}: {error}"
    lines = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == path]
    if not lines:
        return Message("{reason}.", {"reason": reason})
    return Message("line {line}: {reason}.", {"line": lines[-1].lineno, "reason": reason})


def _package(point: EntryPoint) -> Message:
    return Message("The package {name}", {"name": point.name})


# --- checking -------------------------------------------------------------------------------


def check(faction: Faction, where: Where) -> None:
    """Refuse a faction that could not be played."""
    for problem in problems(faction):
        raise FactionError("{where}: {problem}", where=where, problem=problem)


def problems(faction: Faction) -> list[Message]:
    """What keeps a faction from being played, in sentences."""
    name: Any = faction.name
    if not isinstance(name, str) or not name.strip():
        return [Message("The faction has no name.", {})]
    found: list[Message] = []
    groups = (
        (Message("card", {}), faction.cards, MINION | ACTION),
        (Message("base", {}), faction.bases, BASE),
        (Message("titan", {}), faction.titans, TITAN),
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
                    Message(
                        "{faction} has {size} cards in the {printing} printing, not {expected}.",
                        {
                            "faction": faction.name,
                            "size": size,
                            "printing": printing,
                            "expected": DECK_SIZE,
                        },
                    )
                )
    if not faction.bases:
        found.append(Message("{faction} has no base.", {"faction": faction.name}))
    return list({str(problem): problem for problem in found}.values())


def _kind_problems(
    faction: Faction, cls: Any, printing: str, word: Message, types: int, names: set[str]
) -> list[Message]:
    if not (isinstance(cls, type) and issubclass(cls, CardDefinition)):
        return [Message("{thing} is no class of a {sort}.", {"thing": repr(cls), "sort": word})]
    try:
        kind = make_kind(cls, printing, faction.name, faction.set_name)
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        args = {"card": cls.__name__, "reason": reason}
        return [Message("{card} cannot be made: {reason}.", args)]
    card = {"card": kind.name or cls.__name__}
    found = []
    if not kind.name:
        found.append(Message("{card} has no name.", card))
    if kind.name in names:
        found.append(Message("Two cards are called {card}.", card))
    names.add(kind.name)
    if not kind.type & types:
        wrong = {**card, "sort": word}
        found.append(Message("{card} is not a {sort}, but stands among the {sort}s.", wrong))
    if not kind.text.strip():
        found.append(Message("{card} has no text.", card))
    if kind.copies < 0 or kind.power < 0:
        found.append(Message("{card} has a negative figure.", card))
    if kind.type == BASE and (kind.breakpoint <= 0 or len(kind.vp) != 3):
        found.append(Message("{card} needs a breakpoint and three numbers of VP.", card))
    found += [
        Message("{card}: «{name}» is not an ability the engine knows.", {**card, "name": name})
        for name in misspelt(cls)
    ]
    return found


def misspelt(cls: type[CardDefinition]) -> list[str]:
    """Methods that look like abilities but are none: the engine would never call them."""
    prefixes = ("after_", "before_", "when_", "start_of_", "end_of_", "instead_of_", "special_",
                "goes_", "can_", "forbids_")  # fmt: skip
    found = []
    for name, value in vars(cls).items():
        if callable(value) and name.startswith(prefixes) and not hasattr(CardDefinition, name):
            found.append(name)
    return found
