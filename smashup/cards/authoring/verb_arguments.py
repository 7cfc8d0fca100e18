"""Checks the arguments with which a faction's code calls the verbs of the card API.

The engine trusts its cards, so a wrong argument would raise an error deep inside it, or none.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable
from string import Formatter
from typing import Any, Final

from smashup.cards.authoring.handle_types import ACTING, ASKING
from smashup.cards.authoring.places import faction_error, shown_value
from smashup.cards.authoring.sources import Source, running_frames
from smashup.engine.card_api import Base, Card, Player
from smashup.engine.model.constants import NO_LIMIT
from smashup.engine.model.messages import Message

HANDLES: Final[dict[str, type]] = {"Card": Card, "Base": Base, "Player": Player}
MAX_AMOUNT: Final = 999
COUNTS: Final = frozenset({"count", "least", "most"})
"""Parameters that cannot be negative."""
MAX_TEXT_LENGTH: Final = 300
"""The number of characters of a question or mode that can be shown."""
MAX_MODES: Final = 40
PROMPT_FIELDS: Final = frozenset({None, "card", "number", "player", "subject"})
LOOKING: Final = frozenset(
    {"look_at", "look_at_base_deck", "look_at_deck", "play_off_top", "reveal_from_deck",
     "reveal_until", "search", "search_base_deck", "search_copies", "search_piles", "show"}
)  # fmt: skip
"""Verbs that show hidden cards to a player, so that what follows may depend on them."""

Check = Callable[[Any], bool]


class VerbWatch:
    """Checks the arguments of verbs that are called from one file, until it is stopped."""

    def __init__(self, source: Source, is_query_running: Callable[[], bool]) -> None:
        self.source = source
        self.is_query_running = is_query_running
        self.looks = 0
        """How often the file showed hidden cards to a player."""
        self.originals: list[tuple[type, str, Any]] = []
        for handle in HANDLES.values():
            for cls in handle.__mro__:
                for name, method in list(vars(cls).items()):
                    if inspect.isfunction(method) and not name.startswith("_"):
                        self.originals.append((cls, name, method))
                        setattr(cls, name, self._checked(name, method))
                    elif isinstance(method, property) and method.fset is not None:
                        self.originals.append((cls, name, method))
                        setter = self._checked(name, method.fset)
                        setattr(cls, name, property(method.fget, setter))

    def stop(self) -> None:
        for cls, name, method in self.originals:
            setattr(cls, name, method)

    def _checked(self, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
        signature = inspect.signature(method)
        expected = {
            parameter.name: check
            for parameter in signature.parameters.values()
            if (check := _check_for(parameter)) is not None
        }
        filename = self.source.filename

        def checked(*args: Any, **keywords: Any) -> Any:
            frame = sys._getframe(1)
            if frame.f_code.co_filename == filename:
                self.looks += name in LOOKING
                if name in ACTING | ASKING and self.is_query_running():
                    raise faction_error(
                        self.source.place_of_frames(running_frames(frame)),
                        "{name} asks a question, which only abilities that act may do."
                        if name in ASKING
                        else "{name} changes the table, which only abilities that act may do.",
                        name=name,
                    )
                if _needs_controller(args[0], name):
                    raise faction_error(
                        self.source.place_of_frames(running_frames(frame)),
                        "{name}: No player controls a base: use the player of the event, such as"
                        " {example}.",
                        name=name,
                        example=f"ev.player.{name}(...)",
                    )
                try:
                    given = signature.bind(*args, **keywords).arguments
                except TypeError:
                    return method(*args, **keywords)  # raises an error that says what is missing
                for parameter, (wanted, is_valid) in expected.items():
                    if parameter in given and not is_valid(given[parameter]):
                        raise faction_error(
                            self.source.place_of_frames(running_frames(frame)),
                            "{name}: {parameter} has to be {wanted}, not {value}.",
                            name=name,
                            parameter=parameter,
                            wanted=wanted,
                            value=shown_value(given[parameter]),
                        )
            return method(*args, **keywords)

        return checked


def _needs_controller(handle: Any, verb: str) -> bool:
    """Whether a verb is called for the controller of a base, which has none."""
    if isinstance(handle, Player):
        return handle.index < 0 and verb in ACTING | ASKING
    is_base = isinstance(handle, Card) and handle.is_base
    return is_base and (verb in ASKING or verb == "draw")


def _check_for(parameter: inspect.Parameter) -> tuple[Message, Check] | None:
    """Return what a parameter has to be, by its annotation; None if it may be anything."""
    annotation = str(parameter.annotation)
    plain = annotation.removesuffix(" | None")
    is_optional = plain != annotation
    if annotation == "int":
        least = 0 if parameter.name in COUNTS else -MAX_AMOUNT
        return (
            Message("a whole number from {least} to {most}", {"least": least, "most": MAX_AMOUNT}),
            lambda value: (
                type(value) is not bool
                and isinstance(value, int)
                and (least <= value <= MAX_AMOUNT or value == NO_LIMIT)
            ),
        )
    if annotation == "str" and parameter.kind is parameter.VAR_POSITIONAL:
        return (
            Message("at most {count} short texts in quotes", {"count": MAX_MODES}),
            lambda value: (
                len(value) <= MAX_MODES
                and all(isinstance(item, str) and len(item) <= MAX_TEXT_LENGTH for item in value)
            ),
        )
    if parameter.name == "prompt":
        return Message(
            "a question of one short line, without unknown names in braces", {}
        ), _is_prompt
    if annotation == "str":
        return Message("text in quotes", {}), lambda value: isinstance(value, str)
    if annotation == "Cards":
        return Message("a card, several cards or None", {}), _are_cards
    if plain in HANDLES:
        handle = HANDLES[plain]
        return (
            Message("a {handle}", {"handle": plain}),
            lambda value: isinstance(value, handle) or (is_optional and value is None),
        )
    if plain.startswith("list[") and plain[5:-1] in HANDLES:
        handle = HANDLES[plain[5:-1]]
        return (
            Message("a list of {handle}", {"handle": plain[5:-1]}),
            lambda value: (
                (is_optional and value is None)
                or (isinstance(value, list) and all(isinstance(item, handle) for item in value))
            ),
        )
    return None


def _is_prompt(value: object) -> bool:
    """Whether a question can be shown; the engine replaces some names in braces."""
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        return False
    if len(value) > MAX_TEXT_LENGTH:
        return False
    try:
        return {field for _, field, _, _ in Formatter().parse(value)} <= PROMPT_FIELDS
    except ValueError:
        return False


def _are_cards(value: object) -> bool:
    if value is None or isinstance(value, Card):
        return True
    # An iterator would be used up by the check, and the engine reports what it yields.
    if not isinstance(value, list | tuple | set | frozenset):
        return isinstance(value, Iterable) and not isinstance(value, str | bytes | dict)
    return all(item is None or isinstance(item, Card) for item in value)
