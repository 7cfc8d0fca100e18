"""Third-party bots: single files and installed packages (entry points).

A file defines one or more subclasses of `Bot`; ``my_bot.py:Big`` names one of them. With
``--bot-file`` and in packages (entry point group ``smashup.bots``) a bot is known by its `name`.
"""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any, Final

from smashup.bots.bot import Advice, Bot, ProgressCallback
from smashup.bots.consistent_deals import deal_consistently
from smashup.bots.information_set import InformationSet
from smashup.cards.authoring.places import (
    FactionError,
    SourceLocation,
    closest,
    describe_error,
    faction_error,
    shown_value,
    suggest,
)
from smashup.cards.authoring.sources import Source
from smashup.cards.plugins import load_module
from smashup.engine.errors import SetupError
from smashup.engine.model.messages import Message

GROUP: Final = "smashup.bots"

_loaded: dict[str, dict[str, type[Bot]]] = {}
"""The bots of each file, by class."""
_named: dict[str, str] = {}
"""Bots registered by name: the name in lower case, and the bot as ``FILE:CLASS``."""


class BotError(SetupError):
    """A bot is invalid or failed."""

    details = ""
    """The traceback of a bot that failed."""


class BotFailure(BotError):
    """A bot failed during a game, or chose what is not an option."""


class PluginBot(Bot):
    """Runs a third-party bot and hides from it what its seat does not know."""

    def __init__(self, seed: int, name: str, bot: Bot) -> None:
        super().__init__(seed)
        self.name = name
        self.bot = bot

    def think(self, info: InformationSet, progress: ProgressCallback) -> Advice:
        if info.is_setup:
            # A table before its first turn contains the seed of the deal.
            return Advice(self.rng.randrange(info.num_options))
        safe = info.without_secrets(deal_consistently(info._game, info.player))
        try:
            answer: Any = self.bot.think(safe, progress)
        except (Exception, SystemExit) as error:
            raise _failure("The bot {name} failed: {reason}", self.name, error) from error
        advice = answer if isinstance(answer, Advice) else Advice(answer)
        pick: Any = advice.pick
        if isinstance(pick, bool) or not isinstance(pick, int) or not 0 <= pick < info.num_options:
            raise BotFailure(
                "The bot {name} chose {option}, which is not one of the {count} options (0 to"
                " {last}).",
                name=self.name,
                option=repr(pick),
                count=info.num_options,
                last=info.num_options - 1,
            )
        return advice


def register_bot_files(files: Sequence[str], taken: Iterable[str] = ()) -> list[str]:
    """Make the bots of these files available by name; return the names.

    Raise a `BotError` for a file that cannot be used or a name that is taken.
    """
    names: list[str] = []
    known = {name.casefold() for name in taken}
    for file in files:
        for class_name, cls in load_bots(Path(file)).items():
            name = bot_name(cls)
            spec = f"{file}:{class_name}"
            if name.casefold() in known or _named.get(name.casefold(), spec) != spec:
                raise BotError(
                    "{file}: there is a bot called {name} already; give {cls} another name.",
                    file=file,
                    name=name,
                    cls=class_name,
                )
            _named[name.casefold()] = spec
            names.append(name)
    return names


def bot_name(cls: type[Bot]) -> str:
    """The name of a bot: its `name`, or that of its class."""
    return str(vars(cls).get("name", "")) or cls.__name__


def resolve_name(name: str) -> str:
    """Return a bot of ``--bot-file`` as ``FILE:CLASS``, which works in other processes too."""
    return _named.get(name.strip().casefold(), name)


@cache
def _entry_points() -> tuple[EntryPoint, ...]:
    """The bots of installed packages. The search reads many files, which would delay a server."""
    return tuple(entry_points(group=GROUP))


def registered_names() -> list[str]:
    """The names of the bots of ``--bot-file`` and of installed packages, in lower case."""
    installed = (point.name.casefold() for point in _entry_points())
    return list(dict.fromkeys([*_named, *installed]))


def make_plugin_bot(name: str, seed: int) -> Bot | None:
    """Create a bot from a file or package; None if the name is not one of these."""
    cls = _find_class(resolve_name(name))
    if cls is None:
        return None
    try:
        bot = cls(seed)
    except Exception as error:
        raise _failure("The bot {name} cannot be created: {reason}", name, error) from error
    return PluginBot(seed, name, bot)


def _failure(text: str, name: str, error: BaseException) -> BotFailure:
    failure = BotFailure(text, name=name, reason=describe_error(error))
    trace = error.__traceback__
    frames = traceback.extract_tb(trace)[1:] if trace is not None else []
    lines = ["Traceback (most recent call last):\n", *traceback.format_list(frames)]
    failure.details = "".join([*lines, *traceback.format_exception_only(error)])
    return failure


def load_bots(path: Path) -> dict[str, type[Bot]]:
    """Return the bots that a file defines, by class; each file is loaded once."""
    key = str(path)
    if key not in _loaded:
        try:
            module, source = load_module(path, "bot")
            _loaded[key] = _bots_of(vars(module), module.__name__, source)
        except FactionError as error:
            raise BotError("{problem}", problem=error.message) from error
    return _loaded[key]


def _bots_of(names: dict[str, Any], module: str, source: Source) -> dict[str, type[Bot]]:
    found: dict[str, type[Bot]] = {}
    for name, value in names.items():
        if not inspect.isclass(value) or value.__module__ != module or value.__name__ != name:
            continue
        if not issubclass(value, Bot):
            if callable(getattr(value, "think", None)):
                raise faction_error(source.class_place(value), "The class has to extend Bot.")
            continue
        if inspect.isabstract(value):
            near = closest("think", [n for n in vars(value) if not n.startswith("_")])
            raise faction_error(
                source.class_place(value),
                "The bot has no method think(self, info, progress).{hint}",
                hint=Message(" Rename {name} to think?", {"name": near}) if near else "",
            )
        try:
            inspect.signature(value.think).bind(None, None, None)
        except TypeError:
            raise faction_error(
                source.member_place(value, "think"),
                "think has to take the parameters (self, info, progress).",
            ) from None
        called: Any = vars(value).get("name", "")
        if type(called) is not str or not called.isprintable() or {":", ","} & {*called}:
            raise faction_error(
                source.member_place(value, "name"),
                "name has to be text without commas and colons, not {value}.",
                value=shown_value(called),
            )
        found[name] = value
    if not found:
        place = SourceLocation(source.label)
        raise faction_error(place, "The file defines no bot: a class that extends Bot.")
    return found


def _find_class(name: str) -> type[Bot] | None:
    file, colon, class_name = name.rpartition(":")
    if colon and file.endswith(".py"):
        bots = load_bots(Path(file))
        if class_name in bots:
            return bots[class_name]
        raise BotError(
            "{file} has no bot {name}.{hint} Its bots: {known}.",
            file=file,
            name=class_name,
            hint=suggest(class_name, bots),
            known=list(bots),
        )
    if name.endswith(".py"):
        bots = load_bots(Path(name))
        if len(bots) == 1:
            return next(iter(bots.values()))
        raise BotError(
            "{file} has several bots: write {file}:{example}, for example.",
            file=name,
            example=next(iter(bots)),
        )
    for point in _entry_points():
        if point.name.casefold() == name.casefold():
            return _load_entry_point(point)
    return None


def _load_entry_point(point: Any) -> type[Bot]:
    try:
        found: Any = point.load()
    except Exception as error:
        raise BotError(
            "The bot {name} cannot be loaded: {reason}",
            name=point.name,
            reason=describe_error(error),
        ) from error
    if not (inspect.isclass(found) and issubclass(found, Bot)):
        raise BotError("The package's bot {name} is not a class that extends Bot.", name=point.name)
    return found
