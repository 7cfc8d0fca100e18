"""Checks of a faction's declarations: names, types and values, and the signatures of abilities.

The allowed names come from `CardDefinition` itself. The first mistake raises a `FactionError`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Final

from smashup.cards.authoring.places import FactionError, describe_error, faction_error, suggest
from smashup.cards.authoring.sources import Source, source_of_class
from smashup.engine.errors import SmashUpError
from smashup.engine.model.catalogue import PRINTINGS, Faction, make_definition
from smashup.engine.model.constants import ACTION, BASE, MINION, ON_BASE, ON_MINION, STANDARD, TITAN
from smashup.engine.model.definitions import OLD_NAMES, CardDefinition
from smashup.engine.model.hooks import METHODS, Hook
from smashup.engine.model.messages import Message

DECK_SIZE: Final = 20
MAX_NUMBER: Final = 99
PLAIN: Final = CardDefinition()
KNOWN_NAMES: Final = frozenset(name for name in dir(PLAIN) if not name.startswith("_"))
SET_BY_ENGINE: Final = frozenset(
    {"aside_hooks", "faction", "has_current_text", "hooks", "is_madness", "is_simple", "set_name"}
)
HOOK_TUPLES: Final = frozenset(
    {"at_any_base", "only_current", "only_printed", "special_abilities", "special_timing",
     "while_set_aside"}
)  # fmt: skip
ONLY_FOR: Final = {
    "breakpoint": BASE, "vp": BASE, "titans_coexist": BASE, "once_for_ties": BASE,
    "power": MINION | ACTION | TITAN, "copies": MINION | ACTION, "special": MINION | ACTION,
    "played_on": ACTION, "titan_cost": TITAN, "optional": TITAN,
}  # fmt: skip
"""The card types for which an attribute is meaningful."""
GROUPS: Final = (("cards", MINION | ACTION), ("bases", BASE), ("titans", TITAN))
TEXT_FIELDS: Final = ("name", "set_name", "blurb", "name_fr", "icon")


def check_declarations(faction: Faction, source: Source) -> None:
    """Raise a `FactionError` for the first declaration that makes a faction unplayable."""
    _check_fields(faction, source)
    for group, types in GROUPS:
        for cls in getattr(faction, group):
            _check_class(cls, group, types, source_of_class(cls, source))
    for printing in PRINTINGS:
        names: dict[str, str] = {}
        size = 0
        for group, types in GROUPS:
            for cls in getattr(faction, group):
                definition = _make(cls, printing, faction, source_of_class(cls, source))
                _check_definition(definition, group, types, source_of_class(cls, source))
                other = names.setdefault(definition.name.casefold(), cls.__name__)
                if other != cls.__name__ or list(getattr(faction, group)).count(cls) > 1:
                    raise faction_error(
                        source.member_place(cls, "name", cls.__name__),
                        "{other} is called «{name}» too: every card needs a name of its own.",
                        other=other,
                        name=definition.name,
                    )
                size += definition.copies if group == "cards" else 0
        if size != DECK_SIZE:
            raise faction_error(
                source.faction_place("cards"),
                "{faction} has {size} cards in the printing “{printing}”, not {expected}: change"
                " the copies.",
                faction=faction.name,
                size=size,
                printing=printing,
                expected=DECK_SIZE,
            )
    if not faction.bases:
        raise faction_error(
            source.faction_place("bases"), "{faction} has no base.", faction=faction.name
        )


def check_names_are_free(faction: Faction, others: list[Faction], source: Source) -> None:
    """Raise a `FactionError` if a name of the faction belongs to another faction or its cards."""
    name = faction.name.strip().casefold()
    for other in others:
        if name in (other.name.casefold(), other.name_fr.casefold()):
            raise faction_error(
                source.faction_place("name"),
                "There is a faction called «{name}» already; choose another name.",
                name=faction.name.strip(),
            )
    taken = {
        cls().name.casefold(): other.name
        for other in others
        for cls in (*other.cards, *other.bases, *other.titans)
    }
    for cls in (*faction.cards, *faction.bases, *faction.titans):
        owner = taken.get(cls().name.casefold())
        if owner is not None:
            raise faction_error(
                source_of_class(cls, source).member_place(cls, "name", cls.__name__),
                "«{card}» is the name of a card of {faction}; choose another name.",
                card=cls().name,
                faction=owner,
            )


# --- Faction(...) ---------------------------------------------------------------------------


def _check_fields(faction: Faction, source: Source) -> None:
    for field in TEXT_FIELDS:
        value: Any = getattr(faction, field)
        if not isinstance(value, str):
            raise faction_error(
                source.faction_place(field),
                "{field} of the faction has to be text, not {value} ({type}).",
                field=field,
                value=_shown(value),
                type=type(value).__name__,
            )
    if not faction.name.strip():
        raise faction_error(source.faction_place("name"), "The faction has no name.")
    for group, _ in GROUPS:
        listed: Any = getattr(faction, group)
        if not isinstance(listed, tuple | list):
            raise faction_error(
                source.faction_place(group),
                "{group} of {faction} has to be a tuple of classes, like ({example},) with a comma,"
                " not {value}.",
                group=group,
                faction=faction.name,
                example=getattr(listed, "__name__", "Rock"),
                value=_shown(listed),
            )
        for item in listed:
            if not (isinstance(item, type) and issubclass(item, CardDefinition)):
                _reject_item(item, group, source)


def _reject_item(item: Any, group: str, source: Source) -> None:
    place = source.faction_place(group)
    if isinstance(item, CardDefinition):
        raise faction_error(
            place,
            "{group} lists the object {name}(): list the class {name} without parentheses.",
            group=group,
            name=type(item).__name__,
        )
    if isinstance(item, type):
        raise faction_error(
            source.class_place(item),
            "{group} lists this class, but it does not extend Minion, Action, BaseCard or Titan.",
            group=group,
        )
    raise faction_error(
        place, "{group} has to list classes of cards, not {value}.", group=group, value=_shown(item)
    )


# --- classes --------------------------------------------------------------------------------


def _check_class(cls: type[CardDefinition], group: str, types: int, source: Source) -> None:
    """Check what a class and its parents in the file declare."""
    for parent in cls.__mro__:
        if parent.__module__.startswith("smashup.engine"):
            continue
        if not issubclass(parent, CardDefinition):
            continue
        for name in vars(parent).get("__annotations__", ()):
            if name in KNOWN_NAMES and name not in vars(parent):
                raise faction_error(
                    source.member_place(cls, name),
                    "{name} has an annotation but no value: write {name} = ...",
                    name=name,
                )
        for name, value in vars(parent).items():
            if not name.startswith("_"):
                _check_member(cls, name, value, source)
    if not _card_type(cls) & types:
        raise faction_error(
            source.class_place(cls),
            "{group} lists this class, which belongs to {right}.",
            group=group,
            right=next((g for g, t in GROUPS if _card_type(cls) & t), "cards"),
        )


def _card_type(cls: type[CardDefinition]) -> int:
    """Return the card type of a class, from the engine class it extends."""
    for parent in cls.__mro__:
        if parent.__module__.startswith("smashup.engine") and issubclass(parent, CardDefinition):
            return int(parent().type)
    return 0


def _check_member(cls: type[CardDefinition], name: str, value: Any, source: Source) -> None:
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
        _check_value(cls, name, value, source)


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
    base = name.removesuffix("_if")
    if name != base and base in METHODS and _is_plain(cls, base):
        raise faction_error(
            place, "{name} has no effect: the card has no ability {base}.", name=name, base=base
        )


def _parameters(method: Callable[..., Any]) -> str:
    try:
        return ", ".join(["self", *inspect.signature(method).parameters])
    except (TypeError, ValueError):
        return "self, me"


def _is_plain(cls: type[CardDefinition], name: str) -> bool:
    """Whether a class does not override an ability of `CardDefinition`."""
    return getattr(cls, name) is getattr(CardDefinition, name)


# --- values ---------------------------------------------------------------------------------


def _check_value(cls: type[CardDefinition], name: str, value: Any, source: Source) -> None:
    wanted = _mismatch(name, value)
    if wanted is not None:
        misspelled = name == "special" and isinstance(value, str)
        raise faction_error(
            source.member_place(cls, name),
            "{name} has to be {wanted}, not {value}.{hint}",
            name=name,
            wanted=wanted,
            value=_shown(value),
            hint=suggest(value, ("only", "also")) if misspelled else "",
        )
    allowed = ONLY_FOR.get(name, 0)
    if allowed and not _card_type(cls) & allowed and value != getattr(PLAIN, name):
        raise faction_error(
            source.member_place(cls, name),
            "{name} has no meaning for a card of this type; remove the line.",
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
        if not (isinstance(value, tuple) and all(isinstance(x, str) for x in value)):
            return Message("a tuple of names", {})
    elif name == "grants_to_host":
        if not (value is None or isinstance(value, CardDefinition)):
            return Message("an ability(...)", {})
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
    elif isinstance(default, str) and not isinstance(value, str):
        return Message("text in quotes", {})
    return None


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_NUMBER


def _make(
    cls: type[CardDefinition], printing: str, faction: Faction, source: Source
) -> CardDefinition:
    try:
        return make_definition(cls, printing, faction.name, faction.set_name)
    except FactionError:
        raise
    except SmashUpError as error:
        raise faction_error(source.class_place(cls), "{reason}", reason=error.message) from error
    except Exception as error:
        place = source.place_of_error(error)
        raise faction_error(
            place if place.line else source.class_place(cls),
            "The card cannot be created: {reason}",
            reason=describe_error(error),
        ) from error


def _check_definition(definition: CardDefinition, group: str, types: int, source: Source) -> None:
    """Check a card as it is in one printing."""
    cls = type(definition)
    for name, value in vars(definition).items():
        if name not in KNOWN_NAMES and not name.startswith("_") and not hasattr(cls, name):
            raise faction_error(
                source.member_place(cls, name),
                "{name} is not an attribute that the engine knows.{hint}",
                name=name,
                hint=suggest(name, KNOWN_NAMES - SET_BY_ENGINE),
            )
        if name in KNOWN_NAMES - SET_BY_ENGINE:
            _check_value(cls, name, value, source)
    for name in ("name", "text"):
        value = getattr(definition, name)
        if not isinstance(value, str) or not value.strip():
            raise faction_error(
                source.member_place(cls, name), "The card has no {name}.", name=name
            )
    if group == "bases" and not definition.breakpoint:
        raise faction_error(
            source.member_place(cls, "breakpoint"), "A base needs a breakpoint above 0."
        )
    if definition.special == "only" and _is_plain(cls, "can_play_as_special"):
        raise faction_error(
            source.member_place(cls, "special"),
            "The card can never be played: it is a Special without the method {method}.",
            method="can_play_as_special",
        )


def _shown(value: Any) -> str:
    """Return a value as code, shortened if it is long."""
    if isinstance(value, type):
        return value.__name__
    try:
        text = repr(value)
    except Exception:
        text = type(value).__name__
    return text if len(text) <= 40 else text[:39] + "…"
