"""Locations in faction files, and errors that name them."""

from __future__ import annotations

import builtins
import difflib
import sys
from collections.abc import Iterable
from dataclasses import dataclass

from smashup.engine.errors import SmashUpError
from smashup.engine.model.catalogue import Faction
from smashup.engine.model.messages import Message


class FactionError(SmashUpError):
    """A faction is invalid; the message says what is wrong and where."""


@dataclass(frozen=True)
class SourceLocation:
    """A location in a faction file: the line, and the card and ability if known."""

    file: str
    line: int = 0
    card: str = ""
    ability: str = ""

    def __str__(self) -> str:
        position = f"{self.file}:{self.line}" if self.line else self.file
        owner = ", ".join(part for part in (self.card, self.ability) if part)
        return f"{position}: {owner}" if owner else position


def faction_error(place: SourceLocation | str | Message, text: str, **args: object) -> FactionError:
    """Return an error about a location in a faction file."""
    where = str(place) if isinstance(place, SourceLocation) else place
    return FactionError("{where}: {problem}", where=where, problem=Message(text, args))


MAX_ERROR_LENGTH = 300


def closest(name: str, known: Iterable[str]) -> str:
    """Return the known name closest to ``name``, or ""."""
    names = list(known)
    for candidate in names:
        if candidate.removeprefix("on_") == name or candidate == f"{name}s":
            return candidate
    found = difflib.get_close_matches(name, names, 1, 0.6)
    return found[0] if found else ""


def suggest(name: str, known: Iterable[str]) -> Message | str:
    """Return " Did you mean ...?" as part of a sentence, or nothing."""
    near = closest(name, known)
    return Message(" Did you mean {name}?", {"name": near}) if near else ""


def shown_value(value: object, length: int = 40) -> str:
    """Return a value as code, shortened if it is long."""
    if isinstance(value, type):
        return value.__name__
    try:
        text = repr(value)
    except (Exception, SystemExit):  # an author's __repr__
        return type(value).__name__
    if isinstance(value, int | str) and type(value) not in (bool, int, str):
        text = f"{type(value).__name__}({text})"
    return shortened(text, length)


def shortened(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"


def describe_error(error: BaseException) -> Message:
    """Describe a Python error in one line, with the name that was probably meant."""
    if isinstance(error, SmashUpError):
        return error.message
    kind = type(error).__name__
    if isinstance(error, RecursionError):
        return Message("{error}: the code calls itself without end.", {"error": kind})
    try:
        text = shortened(" ".join(str(error).split()), MAX_ERROR_LENGTH)
    except (Exception, SystemExit):  # an author's __str__
        text = ""
    what = f"{kind}: {text}" if text else kind
    return Message("{error}.{hint}", {"error": what.rstrip("."), "hint": _hint(error)})


def _hint(error: BaseException) -> Message | str:
    name = str(getattr(error, "name", None) or "")
    if isinstance(error, ImportError) and not isinstance(error, ModuleNotFoundError):
        wanted = getattr(error, "name_from", None) or _quoted(str(error))
        return suggest(wanted, dir(sys.modules.get(name)))
    if isinstance(error, TypeError) and "unexpected keyword argument" in str(error):
        is_faction = "Faction.__init__" in str(error)
        return suggest(_quoted(str(error)), Faction.__dataclass_fields__ if is_faction else ())
    if isinstance(error, NameError) and name:
        frame = error.__traceback__
        while frame is not None and frame.tb_next is not None:
            frame = frame.tb_next
        scope = {**vars(builtins)}
        if frame is not None:
            scope |= {**frame.tb_frame.f_globals, **frame.tb_frame.f_locals}
        return suggest(name, scope)
    if isinstance(error, AttributeError) and name and error.obj is not None:
        return suggest(name, [n for n in dir(error.obj) if not n.startswith("_")])
    return ""


def _quoted(text: str) -> str:
    """Return the first word between single quotes."""
    parts = text.split("'")
    return parts[1] if len(parts) > 2 else ""
