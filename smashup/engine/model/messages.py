"""Messages as data: an English text with placeholders, and their values.

The English text is also the key of translations.
"""

from __future__ import annotations

import marshal
import re
from string import Formatter
from typing import TYPE_CHECKING, Any, Final

from smashup.engine.model.knowledge import viewer_bit

if TYPE_CHECKING:
    from smashup.engine.model.table import Table

EVERYBODY: Final = -1


class Name:
    """A card, base, player or faction named in a message.

    Viewers who may not know a hidden card do not see its name.
    """

    __slots__ = ("id", "sort", "text")

    def __init__(self, sort: str, id_: int, text: str) -> None:
        self.sort = sort
        """``card``, ``base``, ``player`` or ``faction``."""
        self.id = id_
        self.text = text

    def __str__(self) -> str:
        return self.text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Name) and (self.sort, self.id, self.text) == (
            other.sort, other.id, other.text,
        )  # fmt: skip

    def __hash__(self) -> int:
        return hash((self.sort, self.id, self.text))


HIDDEN: Final = Name("card", -1, "a card")


class Message:
    """A sentence: English text with placeholders, and their values.

    Names and messages among the arguments are translated too; plain strings come from outside the
    program and stay as they are. A message never changes once it has been read.
    """

    __slots__ = ("_english", "args", "text")

    def __init__(self, text: str, args: dict[str, Any]) -> None:
        self.text = text
        self.args = args
        self._english: str | None = None if args else text

    def __str__(self) -> str:
        if self._english is None:
            self._english = self._render()
        return self._english

    def _render(self) -> str:
        """Return the text with its placeholders filled."""
        said = self.text.format_map({k: say(v) for k, v in self.args.items()})
        if not ("." in said or "?" in said or "!" in said) or _DOUBLED.search(said) is None:
            return said
        said = ""
        for literal, gap, _, _ in Formatter().parse(self.text):
            said += follow(said, literal)
            if gap is not None:
                said += say(self.args[gap])
        return said


_DOUBLED: Final = re.compile(r"[.?!”]\.|[?”]\?|[!”]!")
"""Punctuation that may appear twice in a row after substitution."""


def follow(before: str, words: str) -> str:
    """Return the words after a name without punctuation the name already ends with (“Eh?”).

    A space may precede the punctuation, as in French.
    """
    marks = words.lstrip(" \u00a0\u202f")
    name = before.rstrip("”»")
    if not name or not marks:
        return words
    mark, last = marks[0], name[-1]
    if (mark == "." and last in ".?!…") or (mark in "?!" and mark == last):
        return marks[1:]
    return words


def say(value: object) -> str:
    """Return a value as it appears in a sentence; lists of names are joined."""
    if isinstance(value, Name):
        return value.text
    if isinstance(value, (list, tuple)):
        words = [say(v) for v in value]
        if not words:
            return "nothing"
        return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]
    return str(value)


class LogLine:
    """A line of the game log: a message, and who may read the card names in it."""

    __slots__ = ("_message", "_packed", "event", "event_number", "number", "seen_by")

    def __init__(
        self, number: int, message: Message, seen_by: int, event: str = "", event_number: int = 0
    ) -> None:
        self.number = number
        self._message: Message | None = message
        self._packed: bytes | None = None
        """The packed message, which needs a quarter of the memory."""
        self.seen_by = seen_by
        """Bits of the viewers who may see its cards; `EVERYBODY` for a public line."""
        self.event = event
        """The id of its event, with the variant (`events.log_text`)."""
        self.event_number = event_number
        """The number of its event."""

    @property
    def message(self) -> Message:
        """The line with all card names in it."""
        if self._message is not None:
            return self._message
        assert self._packed is not None
        message: Message = _unpack(marshal.loads(self._packed))
        return message

    @property
    def is_packed(self) -> bool:
        """Whether the message is packed."""
        return self._packed is not None

    def pack(self) -> None:
        """Pack the message."""
        if self._message is not None:
            self._packed = marshal.dumps(_pack(self._message))
            self._message = None

    def for_player(self, player: int) -> Message:
        """Return the line as a player (-1: a spectator) may read it."""
        message = self.message
        if self.seen_by & viewer_bit(player):
            return message
        return Message(message.text, {k: _hide(v) for k, v in message.args.items()})


def _pack(value: object) -> Any:
    """Convert a message or a placeholder value to plain data."""
    if isinstance(value, Message):
        return (_MESSAGE, value.text, {k: _pack(v) for k, v in value.args.items()})
    if isinstance(value, Name):
        return (_NAME, value.sort, value.id, value.text)
    if isinstance(value, (list, tuple)):
        return [_pack(v) for v in value]
    return value


def _unpack(data: Any) -> Any:
    if isinstance(data, tuple):
        if data[0] == _NAME:
            return Name(data[1], data[2], data[3])
        return Message(data[1], {k: _unpack(v) for k, v in data[2].items()})
    if isinstance(data, list):
        return [_unpack(v) for v in data]
    return data


_NAME: Final = 0
_MESSAGE: Final = 1


def _hide(value: object) -> object:
    if isinstance(value, Name) and value.sort == "card":
        return HIDDEN
    if isinstance(value, (list, tuple)):
        count = sum(isinstance(v, Name) and v.sort == "card" for v in value)
        if count:
            return HIDDEN if count == 1 else Message("{count} cards", {"count": count})
    return value


def player_name(player: int) -> Name:
    return Name("player", player, f"P{player + 1}")


def card_name(table: Table, card: int) -> Name:
    return Name("card", card, table.state.definition[card].name if card >= 0 else "the rules")


def base_name(table: Table, serial: int) -> Name:
    site = table.state.site_at.get(serial)
    if site is None:
        return Name("base", serial, "a base no longer in play")
    return Name("base", serial, table.state.definition[site.base].name)


def faction_name(table: Table, index: int) -> Name:
    return Name("faction", index, table.catalogue.factions[index].name)
