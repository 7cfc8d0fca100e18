"""Checks of the members of a card's class: names, values, and the signatures of abilities.

The allowed names come from `CardDefinition` itself.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any, Final

from smashup.cards.authoring.places import faction_error, shown_value, suggest
from smashup.cards.authoring.sources import Source
from smashup.engine.model.constants import ACTION, BASE, MINION, ON_BASE, ON_MINION, STANDARD, TITAN
from smashup.engine.model.definitions import KEYWORDS, OLD_NAMES, CardDefinition
from smashup.engine.model.hooks import METHODS, Hook
from smashup.engine.model.messages import Message

DECK_SIZE: Final = 20
MAX_NUMBER: Final = 99
PLAIN: Final = CardDefinition()
KNOWN_NAMES: Final = frozenset(name for name in dir(PLAIN) if not name.startswith("_"))
SET_BY_ENGINE: Final = frozenset(
    {
        "aside_hooks",
        "faction",
        "has_current_text",
        "hooks",
        "is_madness",
        "is_simple",
        "set_name",
    }
)
HOOK_TUPLES: Final = frozenset(
    {"at_any_base", "only_current", "only_printed", "special_abilities", "special_timing",
     "while_set_aside"}
)  # fmt: skip
ONLY_FOR: Final = {
    "breakpoint": BASE, "vp": BASE, "titans_coexist": BASE, "once_for_ties": BASE,
    "power": MINION | ACTION | TITAN, "copies": MINION | ACTION, "special": MINION | ACTION,
    "special_is_extra": MINION | ACTION,
    "played_on": ACTION, "titan_cost": TITAN, "optional": TITAN,
    "can_attach_to": ACTION, "can_play_titan_at": TITAN, "host_bonus": ACTION,
    "host_printed_power": ACTION, "on_play": MINION | ACTION | TITAN, "special_hosts": ACTION,
    "talent": MINION | ACTION | TITAN, "transfers_when_host_leaves": ACTION,
}  # fmt: skip
"""The card types for which an attribute or ability is meaningful."""
ICON_NAME: Final = re.compile(r"[a-z0-9-]*")


def card_type(cls: type[CardDefinition]) -> int:
    """Return the card type of a class, from the engine class it extends."""
    for parent in cls.__mro__:
        if parent.__module__.startswith("smashup.engine") and issubclass(parent, CardDefinition):
            return int(parent().type)
    return 0


def check_member(cls: type[CardDefinition], name: str, value: Any, source: Source) -> None:
    """Raise a `FactionError` if a class declares something that the engine does not expect."""
    place = source.member_place(cls, name)
    if name in OLD_NAMES or name.removesuffix("_if") in OLD_NAMES:
        old = name if name in OLD_NAMES else name.removesuffix("_if")
        raise faction_error(
            place,
            "{old} is called {new} now.",
            old=name,
            new=OLD_NAMES[old] + name.removeprefix(old),
        )
    if name in SET_BY_ENGINE or name == "type":
        raise faction_error(place, "{name} is set by the engine; remove the line.", name=name)
    if name not in KNOWN_NAMES:
        if name not in source.used_attributes:
            raise faction_error(
                place,
                "{name} is neither an attribute nor an ability that the engine knows, and nothing"
                " here uses it.{hint}",
                name=name,
                hint=suggest(name, KNOWN_NAMES - SET_BY_ENGINE),
            )
        return
    expected = getattr(PLAIN, name)
    if callable(expected):
        _check_ability(cls, name, value, expected, source)
    else:
        check_value(cls, name, value, source)


def _check_ability(
    cls: type[CardDefinition], name: str, value: Any, expected: Callable[..., Any], source: Source
) -> None:
    place = source.member_place(cls, name, ability=name)
    if not inspect.isfunction(value):
        raise faction_error(
            place,
            "{name} has to be a method: def {name}({parameters}).",
            name=name,
            parameters=_parameters(expected),
        )
    if inspect.iscoroutinefunction(value) or inspect.isasyncgenfunction(value):
        raise faction_error(place, "{name} must not be async: write a plain def.", name=name)
    if inspect.isgeneratorfunction(value):
        raise faction_error(
            place, "{name} contains yield, so calling it does nothing: remove yield.", name=name
        )
    try:
        needed = list(inspect.signature(expected).parameters)
    except (TypeError, ValueError):
        return
    try:
        inspect.signature(value).bind(None, *needed)
    except TypeError as error:
        raise faction_error(
            place,
            "The engine calls {name}({parameters}), which does not fit this method.",
            name=name,
            parameters=_parameters(expected),
        ) from error
    _check_card_type(cls, name, source)
    base = name.removesuffix("_if")
    if name != base and base in METHODS and is_plain(cls, base):
        raise faction_error(
            place, "{name} has no effect: the card has no ability {base}.", name=name, base=base
        )


def _parameters(method: Callable[..., Any]) -> str:
    try:
        return ", ".join(["self", *inspect.signature(method).parameters])
    except (TypeError, ValueError):
        return "self, me"


def is_plain(cls: type[CardDefinition], name: str) -> bool:
    """Whether a class does not override an ability of `CardDefinition`."""
    return getattr(cls, name) is getattr(CardDefinition, name)


def check_value(cls: type[CardDefinition], name: str, value: Any, source: Source) -> None:
    """Raise a `FactionError` if an attribute has another value than the engine expects."""
    wanted = _mismatch(name, value)
    if wanted is not None:
        misspelled = name == "special" and isinstance(value, str)
        raise faction_error(
            source.member_place(cls, name),
            "{name} has to be {wanted}, not {value}.{hint}",
            name=name,
            wanted=wanted,
            value=shown_value(value),
            hint=suggest(value, ("only", "also")) if misspelled else "",
        )
    if value != getattr(PLAIN, name):
        _check_card_type(cls, name, source)


def _check_card_type(cls: type[CardDefinition], name: str, source: Source) -> None:
    """Raise a `FactionError` for an attribute or ability that cards of this type cannot use."""
    allowed = ONLY_FOR.get(name, 0)
    if allowed and not card_type(cls) & allowed:
        raise faction_error(
            source.member_place(cls, name),
            "{name} has no meaning for a card of this type; remove it.",
            name=name,
        )


def _mismatch(name: str, value: Any) -> Message | None:
    """Return what an attribute has to be, if the value is not that."""
    default = getattr(PLAIN, name)
    if name in HOOK_TUPLES:
        if not (isinstance(value, tuple) and all(isinstance(x, Hook) for x in value)):
            return Message("hooks such as hooks(Hook.TALENT)", {})
    elif name == "vp":
        if not (isinstance(value, tuple) and len(value) == 3 and all(_is_count(x) for x in value)):
            return Message("three whole numbers such as (4, 2, 1)", {})
    elif name == "mentions":
        if not (isinstance(value, tuple) and all(type(x) is str for x in value)):
            return Message("a tuple of names", {})
    elif name == "grants_to_host":
        if not (value is None or isinstance(value, CardDefinition)):
            return Message("an ability(...)", {})
    elif name == "icon":
        if not (type(value) is str and ICON_NAME.fullmatch(value)):
            return Message("the name of an icon, such as fishing-hook", {})
    elif name == "keywords":
        if not (type(value) is str and set(value.split()) <= set(KEYWORDS)):
            return Message("some of {words}, separated by spaces", {"words": list(KEYWORDS)})
    elif name == "special":
        if value not in ("", "only", "also"):
            return Message('"only" or "also"', {})
    elif name == "played_on":
        if value not in (STANDARD, ON_BASE, ON_MINION):
            return Message("STANDARD, ON_BASE or ON_MINION", {})
    elif isinstance(default, bool):
        if not isinstance(value, bool):
            return Message("True or False", {})
    elif isinstance(default, int):
        most = DECK_SIZE if name == "copies" else MAX_NUMBER
        if not _is_count(value) or value > most:
            return Message("a whole number from 0 to {most}", {"most": most})
    elif isinstance(default, str) and type(value) is not str:
        return Message("text in quotes", {})
    return None


def _is_count(value: Any) -> bool:
    """Whether a value is a small number, and not of a type that could calculate differently."""
    return type(value) is int and 0 <= value <= MAX_NUMBER
