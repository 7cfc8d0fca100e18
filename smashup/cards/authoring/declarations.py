"""Checks of a faction's declarations: names, types and values, and the signatures of abilities.

The allowed names come from `CardDefinition` itself. The first mistake raises a `FactionError`.
"""

from __future__ import annotations

import sys
import unicodedata
from typing import Any, Final

from smashup.cards.authoring.card_members import (
    DECK_SIZE,
    ICON_NAME,
    KNOWN_NAMES,
    SET_BY_ENGINE,
    card_type,
    check_member,
    check_value,
    is_plain,
)
from smashup.cards.authoring.places import (
    FactionError,
    SourceLocation,
    describe_error,
    faction_error,
    shown_value,
    suggest,
)  # fmt: skip
from smashup.cards.authoring.sources import Source, source_of_class
from smashup.engine.errors import SmashUpError
from smashup.engine.model.catalogue import PRINTINGS, Faction, make_definition
from smashup.engine.model.constants import ACTION, BASE, MINION, STANDARD, TITAN
from smashup.engine.model.definitions import (
    Action,
    BaseCard,
    CardDefinition,
    Minion,
    Titan,
)  # fmt: skip
from smashup.engine.model.messages import Message

GROUPS: Final = (("cards", MINION | ACTION), ("bases", BASE), ("titans", TITAN))
TEXT_FIELDS: Final = ("name", "set_name", "blurb", "name_fr", "icon")
RESERVED_IN_NAMES: Final = frozenset("+,/")
"""Characters with which options such as ``--factions`` separate factions."""
FORBIDDEN_METHODS: Final = (
    "__del__", "__delattr__", "__eq__", "__getattr__", "__getattribute__", "__hash__", "__new__",
    "__setattr__", "__slots__",
)  # fmt: skip
MAX_NAME_LENGTH: Final = 60
MAX_TEXT_LENGTH: Final = 800


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
                if list(getattr(faction, group)).count(cls) > 1:
                    raise faction_error(
                        source.faction_place(group, faction.name),
                        "{group} lists {name} twice: list it once, and set copies in the class.",
                        group=group,
                        name=cls.__name__,
                    )
                other = names.setdefault(_comparable(definition.name), cls.__name__)
                if other != cls.__name__:
                    raise faction_error(
                        source.member_place(cls, "name", cls.__name__),
                        "{other} is called “{name}” too: every card needs a name of its own.",
                        other=other,
                        name=definition.name,
                    )
                size += definition.copies if group == "cards" else 0
        if size != DECK_SIZE:
            raise faction_error(
                source.faction_place("cards", faction.name),
                "{faction} has {size} cards in the printing “{printing}”, not {expected}: change"
                " the copies.{hint}",
                faction=faction.name,
                size=size,
                printing=printing,
                expected=DECK_SIZE,
                hint=_unlisted(faction, "cards"),
            )
    if not faction.bases:
        raise faction_error(
            source.faction_place("bases", faction.name),
            "{faction} has no base.{hint}",
            faction=faction.name,
            hint=_unlisted(faction, "bases"),
        )


def _unlisted(faction: Faction, group: str) -> Message | str:
    """Name the classes of the same file that the faction probably should list."""
    types = dict(GROUPS)[group]
    listed = [*faction.cards, *faction.bases, *faction.titans]
    modules = {cls.__module__ for cls in listed if not cls.__module__.startswith("smashup.")}
    forgotten = [
        value.__name__
        for module in sorted(modules)
        for value in vars(sys.modules[module]).values()
        if isinstance(value, type)
        and issubclass(value, CardDefinition)
        and value.__module__ == module
        and card_type(value) & types
        and not any(issubclass(cls, value) for cls in listed)
    ]
    if not forgotten:
        return ""
    return Message(" {group} does not list {names}.", {"group": group, "names": forgotten})


def check_completeness(faction: Faction, source: Source) -> None:
    """Raise a `FactionError` for the first card that no faction lists or that lacks an ability.

    The faction can be played all the same, for example while its author still works on it.
    """
    for name in source.card_names:
        if name not in source.used_names:
            raise faction_error(source.named_class_place(name), "No faction lists this class.")
    for printing in PRINTINGS:
        for group, _ in GROUPS:
            for cls in getattr(faction, group):
                definition = _make(cls, printing, faction, source_of_class(cls, source))
                _check_abilities(definition, source_of_class(cls, source))


def _check_abilities(definition: CardDefinition, source: Source) -> None:
    cls = type(definition)
    is_standard_action = definition.type == ACTION and definition.played_on == STANDARD
    if is_standard_action and is_plain(cls, "on_play"):
        raise faction_error(
            source.class_place(cls),
            "The action has no effect: it is not played on a base or minion and has no method"
            " on_play.",
        )
    if is_standard_action and definition.power:
        raise faction_error(
            source.member_place(cls, "power"),
            "{name} has no meaning for a card of this type; remove it.",
            name="power",
        )
    is_played_by_card = bool(definition.while_set_aside) or "titan" in source.used_attributes
    if definition.type == TITAN and is_plain(cls, "can_play_titan_at") and not is_played_by_card:
        raise faction_error(
            source.class_place(cls),
            "The titan can never be played: it has no method {method}.",
            method="can_play_titan_at",
        )
    has_talent = not is_plain(cls, "talent") or definition.grants_to_host is not None
    if "Talent:" in definition.text and not has_talent and not definition.copies_abilities:
        raise faction_error(
            source.member_place(cls, "text"),
            "The text has a Talent, but the class has no method talent.",
        )


def check_names_are_free(faction: Faction, others: list[Faction], source: Source) -> None:
    """Raise a `FactionError` if a name of the faction belongs to another faction or its cards."""
    name = _comparable(faction.name.strip())
    for other in others:
        if name in (_comparable(other.name), _comparable(other.name_fr)):
            raise faction_error(
                source.faction_place("name", faction.name),
                "There is a faction called “{name}” already; choose another name.",
                name=faction.name.strip(),
            )
    taken = {
        _comparable(name): other.name
        for other in others
        for cls in (*other.cards, *other.bases, *other.titans)
        for name in (cls().name, cls().name_fr)
        if name
    }
    for cls in (*faction.cards, *faction.bases, *faction.titans):
        for field in ("name", "name_fr"):
            card = getattr(cls(), field)
            owner = taken.get(_comparable(card))
            if owner is not None:
                raise faction_error(
                    source_of_class(cls, source).member_place(cls, field, cls.__name__),
                    "“{card}” is the name of a card of {faction}; choose another name.",
                    card=card,
                    faction=owner,
                )


def check_mentions(faction: Faction, others: list[Faction], source: Source) -> None:
    """Raise a `FactionError` if a card mentions a card that does not exist."""
    known = {
        name
        for one in (faction, *others)
        for cls in (*one.cards, *one.bases, *one.titans)
        for name in (cls().name, cls().other_name)
    }
    for cls in (*faction.cards, *faction.bases, *faction.titans):
        for name in cls().mentions:
            if name not in known:
                raise faction_error(
                    source_of_class(cls, source).member_place(cls, "mentions"),
                    "mentions names “{name}”, but there is no card of this name.{hint}",
                    name=name,
                    hint=suggest(name, known),
                )


def _comparable(name: str) -> str:
    """Return what two names that look the same have in common."""
    return unicodedata.normalize("NFKC", name).casefold()


# --- Faction(...) ---------------------------------------------------------------------------


def _check_fields(faction: Faction, source: Source) -> None:
    for field in TEXT_FIELDS:
        value: Any = getattr(faction, field)
        if type(value) is not str:
            raise faction_error(
                source.faction_place(field, faction.name),
                "{field} of the faction has to be text, not {value} ({type}).",
                field=field,
                value=shown_value(value),
                type=type(value).__name__,
            )
        _check_printable(field, value, source.faction_place(field, faction.name))
        reserved = RESERVED_IN_NAMES & set(value)
        if field in ("name", "name_fr") and reserved:
            raise faction_error(
                source.faction_place(field, faction.name),
                "The name of a faction must not contain {character}, which separates factions in"
                " options.",
                character=min(reserved),
            )
    if not ICON_NAME.fullmatch(faction.icon):
        raise faction_error(
            source.faction_place("icon", faction.name),
            "icon has to be the name of an icon, such as fishing-hook, not {value}.",
            value=shown_value(faction.icon),
        )
    if not faction.name.strip():
        raise faction_error(source.faction_place("name", faction.name), "The faction has no name.")
    if not faction.set_name.strip():
        raise faction_error(
            source.faction_place("set_name", faction.name),
            "The faction has no set: set_name groups factions in lists.",
        )
    for group, _ in GROUPS:
        listed: Any = getattr(faction, group)
        if not isinstance(listed, tuple | list):
            raise faction_error(
                source.faction_place(group, faction.name),
                "{group} of {faction} has to be a tuple of classes, like ({example},) with a comma,"
                " not {value}.",
                group=group,
                faction=faction.name,
                example=getattr(listed, "__name__", "Rock"),
                value=shown_value(listed),
            )
        for item in listed:
            if not (isinstance(item, type) and issubclass(item, CardDefinition)):
                _reject_item(item, group, source)


def _check_printable(field: str, value: str, place: SourceLocation) -> None:
    """Check that a text of a faction or card can be shown on a card."""
    most = MAX_TEXT_LENGTH if field in ("text", "blurb") else MAX_NAME_LENGTH
    if len(value) > most:
        raise faction_error(
            place,
            "{field} has {length} characters; at most {most} can be shown.",
            field=field,
            length=len(value),
            most=most,
        )
    if not value.isprintable():
        raise faction_error(
            place,
            "{field} contains a line break or another character that cannot be shown: {value}.",
            field=field,
            value=shown_value(value).encode("ascii", "backslashreplace").decode(),
        )


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
        place,
        "{group} has to list classes of cards, not {value}.",
        group=group,
        value=shown_value(item),
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
                check_member(cls, name, value, source)
    for name in FORBIDDEN_METHODS:
        if getattr(cls, name, None) is not getattr(CardDefinition, name, None):
            raise faction_error(
                source.member_place(cls, name),
                "A card must not define {name} (and cannot be a dataclass).",
                name=name,
            )
    parents = [p.__name__ for p in (Minion, Action, BaseCard, Titan) if issubclass(cls, p)]
    if len(parents) > 1:
        raise faction_error(
            source.class_place(cls),
            "The class extends {parents}, but a card has one type.",
            parents=parents,
        )
    if not card_type(cls) & types:
        raise faction_error(
            source.class_place(cls),
            "{group} lists this class, which belongs to {right}.",
            group=group,
            right=next((g for g, t in GROUPS if card_type(cls) & t), "cards"),
        )


def _declares(cls: type[CardDefinition], name: str) -> bool:
    """Whether a class or one of its parents outside the engine sets an attribute."""
    return any(
        name in vars(parent)
        for parent in cls.__mro__
        if not parent.__module__.startswith("smashup.engine")
    )


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
            check_value(cls, name, value, source)
    for name in ("name", "text"):
        value = getattr(definition, name)
        if not value.strip():
            raise faction_error(
                source.member_place(cls, name), "The card has no {name}.", name=name
            )
        _check_printable(name, value, source.member_place(cls, name))
    if definition.name != definition.name.strip():
        raise faction_error(
            source.member_place(cls, "name"), "The name begins or ends with a space."
        )
    if group == "bases" and not definition.breakpoint:
        raise faction_error(
            source.member_place(cls, "breakpoint"), "A base needs a breakpoint above 0."
        )
    if group == "bases" and not any(definition.vp) and not _declares(cls, "vp"):
        raise faction_error(
            source.class_place(cls), "A base needs the VP it is worth, like vp = (4, 2, 1)."
        )
    if definition.special == "only" and is_plain(cls, "can_play_as_special"):
        raise faction_error(
            source.member_place(cls, "special"),
            "The card can never be played: it is a Special without the method {method}.",
            method="can_play_as_special",
        )
