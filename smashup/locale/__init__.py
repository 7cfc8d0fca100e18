"""Translation: a `Translator` translates a message and fills its placeholders.

The English text of a message is the key; a line of the log also has the id of its event as its
context (``msgctxt``), so that equal English can be translated differently. The file
``<language>/LC_MESSAGES/smashup.po`` holds the translations. A `Translator` keeps no state, so one
game can be shown in several languages at once.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any, Final

from smashup.engine.model.messages import HIDDEN, Message, Name, follow
from smashup.locale import french

LANGUAGES: Final = ("en", "fr")
DEFAULT_LANGUAGE: Final = "en"
DOMAIN: Final = "smashup"
LOCALE_FOLDER: Final = Path(__file__).parent
CONTEXT_END: Final = "\x04"
"""Separates the context from the text in a key, as in gettext's compiled catalogs."""
LOCALE_VARIABLES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")
"""Environment variables that set the language of a system; the first one set wins."""

MessageLike = Message | Mapping[str, Any]
"""A message, or one as plain data (`smashup.engine.views.view.message`)."""
Piece = tuple[str, object]
"""A part of a sentence, and the argument it comes from (None for the sentence itself)."""


def catalog_path(lang: str) -> Path:
    """Return the file with the translations into a language."""
    return LOCALE_FOLDER / lang / "LC_MESSAGES" / f"{DOMAIN}.po"


@cache
def load_catalog(lang: str) -> dict[str, str]:
    """Read the translation of every English text, with and without its context."""
    if lang == DEFAULT_LANGUAGE:
        return {}
    from babel.messages.pofile import read_po  # not needed for English

    with catalog_path(lang).open("rb") as file:
        messages = [message for message in read_po(file, locale=lang) if message.id]
    found: dict[str, str] = {}
    for message in messages:
        if message.context:
            found[message.context + CONTEXT_END + str(message.id)] = str(message.string)
        else:
            found[str(message.id)] = str(message.string)
    for message in messages:
        found.setdefault(str(message.id), str(message.string))
    return found


@cache
def load_translations(lang: str) -> dict[str, str]:
    """Read the translation of every English text; empty for English."""
    return {text: spoken for text, spoken in load_catalog(lang).items() if CONTEXT_END not in text}


def detect_language(environ: Mapping[str, str] = os.environ) -> str:
    """Return the language the system is set to, or English if it is not supported.

    Follows GNU gettext: ``LANGUAGE`` is a list of preferences, ignored if the locale is C.
    """
    system = next((environ[name] for name in LOCALE_VARIABLES if environ.get(name)), "")
    preferences = [system]
    if environ.get("LANGUAGE") and _language_code(system) not in ("c", "posix"):
        preferences = [*environ["LANGUAGE"].split(":"), system]
    for preference in preferences:
        if _language_code(preference) in LANGUAGES:
            return _language_code(preference)
    return DEFAULT_LANGUAGE


def _language_code(locale_name: str) -> str:
    """``fr`` for ``fr_FR.UTF-8``."""
    for separator in ".@_-":
        locale_name = locale_name.partition(separator)[0]
    return locale_name.strip().casefold()


class Translator:
    """Translations into one language, with its rules for lists, elision and numbers."""

    def __init__(self, table: Mapping[str, str], lang: str = DEFAULT_LANGUAGE) -> None:
        self.table = table
        self.lang = lang

    def lookup(self, text: str, context: str = "") -> str:
        """Translate a text without filling its placeholders; ``context``: the id of an event."""
        if context:
            spoken = self.table.get(f"{context}{CONTEXT_END}{text}")
            if spoken is not None:
                return spoken
        return self.table.get(text, text)

    def translate_name(self, name: Name) -> str:
        """Translate the name of a card, base or faction."""
        return self.lookup(name.text)

    def translate(self, text: str, /, **args: object) -> str:
        """Translate a text and fill its placeholders."""
        return self.render(Message(text, args)) if args else self.lookup(text)

    def number(self, value: float, spec: str) -> str:
        """Format a number with a Python format spec: ``.1f``, ``+.2f``, ``.0%``."""
        text = format(value, spec)
        return french.write_number(text) if self.lang == "fr" else text

    def plural(self, count: float, one: str, other: str, /, **args: object) -> str:
        """Translate one of two texts by the language's plural rule, and fill its placeholders.

        The count fills ``{count}``: ``plural(2, "{count} game", "{count} games")``.
        """
        is_one = french.is_singular(count) if self.lang == "fr" else count == 1
        return self.translate(one if is_one else other, **{"count": count, **args})

    def render(self, message: MessageLike, names: Sequence[str] = (), context: str = "") -> str:
        """Translate a message; ``names`` are the names of the players."""
        return "".join(piece for piece, _ in self.pieces(message, names, context))

    def pieces(
        self, message: MessageLike, names: Sequence[str] = (), context: str = ""
    ) -> list[Piece]:
        """Translate a message into parts, each with the argument it comes from."""
        text, args = _text_and_args(message)
        if not args:
            return [(self.lookup(text, context), None)]
        pieces: list[Piece] = []
        for literal, field, _, _ in Formatter().parse(self.lookup(text, context)):
            if literal:
                literal = follow(pieces[-1][0] if pieces else "", literal)
                if literal:
                    pieces.append((literal, None))
            if field is not None:
                for piece in self._value_pieces(args[field], names):
                    self._append(pieces, piece)
        return pieces

    def _append(self, pieces: list[Piece], piece: Piece) -> None:
        """Append a part, with a capital at the start and French elision before a vowel."""
        words, origin = piece
        if not pieces and _is_hidden(origin):
            words = words[:1].upper() + words[1:]
        if self.lang == "fr" and pieces and pieces[-1][1] is None:
            pieces[-1] = (french.elide(pieces[-1][0], words), None)
        pieces.append((words, origin))

    def _value_pieces(self, value: object, names: Sequence[str]) -> Iterator[Piece]:
        """Yield the parts of an argument; lists are joined as in “a, b and c”."""
        if isinstance(value, list | tuple):
            if not value:
                yield self.lookup("nothing"), None
            for number, item in enumerate(value):
                if number:
                    is_last = number == len(value) - 1
                    yield (self.lookup(" and ") if is_last else ", "), None
                yield from self._value_pieces(item, names)
            return
        if isinstance(value, Message) or (isinstance(value, Mapping) and "args" in value):
            yield from self.pieces(value, names)
            return
        if isinstance(value, Name) and value.sort != "player":
            data = {"sort": value.sort, "id": value.id, "text": value.text}
            yield self.translate_name(value), data
            return
        if isinstance(value, Name):
            value = {"sort": value.sort, "id": value.id, "text": value.text}
        if isinstance(value, Mapping):
            if value["sort"] == "player" and 0 <= value["id"] < len(names):
                yield names[value["id"]], value
            else:
                yield self.lookup(value["text"]), value
            return
        is_french_number = self.lang == "fr" and isinstance(value, int | float)
        yield french.write_number(str(value)) if is_french_number else str(value), value


def _text_and_args(message: MessageLike) -> tuple[str, Mapping[str, Any]]:
    if isinstance(message, Message):
        return message.text, message.args
    return message["text"], message["args"]


def _is_hidden(value: object) -> bool:
    return isinstance(value, Mapping) and (value["sort"], value["id"]) == (HIDDEN.sort, HIDDEN.id)


ENGLISH: Final = Translator({})


@cache
def get_translator(lang: str) -> Translator:
    """Return the translator for a language code."""
    return Translator(load_catalog(lang), lang)


def render(message: MessageLike, lang: str, names: Sequence[str] = (), context: str = "") -> str:
    """Translate a message: ``render(entry.message, "fr", context=entry.event)``."""
    return get_translator(lang).render(message, names, context)
