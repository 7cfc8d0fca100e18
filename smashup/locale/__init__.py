"""Languages: what is read passes through a `Tongue`, which translates texts and fills their gaps.

The English text of a message is the key; ``<language>/LC_MESSAGES/smashup.po`` has what stands for
it, and the ``.mo`` beside it is the same, ready for use (`make messages`). A `Tongue` keeps no
state, so one game can be told in several languages at once.
"""

from __future__ import annotations

import gettext
import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any, Final

from smashup.engine.model.messages import HIDDEN, Message, Name, follow

LANGUAGES: Final = ("en", "fr")
DEFAULT: Final = "en"
DOMAIN: Final = "smashup"
FOLDER: Final = Path(__file__).parent
VARIABLES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")
"""Where a system says which language is spoken, the strongest first."""

Spoken = Message | Mapping[str, Any]
"""A message, or one as plain data (`smashup.engine.views.view.message`)."""
Piece = tuple[str, object]
"""A bit of a sentence, and the argument it comes from (None for the sentence itself)."""

_VOWELS: Final = "aeiouàâäéèêëîïôöùûüœæ"
_FRENCH_MARKS: Final = str.maketrans({",": "\u00a0", ".": ",", "%": "\u00a0%"})
"""What stands for the marks of an English number: «1,234.5%» is «1 234,5 %»."""


@cache
def phrases(lang: str) -> dict[str, str]:
    """English texts and what stands for them; empty for English."""
    if lang == DEFAULT:
        return {}
    with (FOLDER / lang / "LC_MESSAGES" / f"{DOMAIN}.mo").open("rb") as file:
        table: dict[object, str] = vars(gettext.GNUTranslations(file))["_catalog"]
    return {text: spoken for text, spoken in table.items() if isinstance(text, str) and text}


def language_of_environment(environ: Mapping[str, str] = os.environ) -> str:
    """The language the system is set to, if it is spoken here; otherwise English.

    Like GNU gettext: ``LANGUAGE`` is a list of wishes, heeded unless the system speaks C.
    """
    system = next((environ[name] for name in VARIABLES if environ.get(name)), "")
    wishes = [system]
    if environ.get("LANGUAGE") and _short(system) not in ("c", "posix"):
        wishes = [*environ["LANGUAGE"].split(":"), system]
    for wish in wishes:
        if _short(wish) in LANGUAGES:
            return _short(wish)
    return DEFAULT


def _short(code: str) -> str:
    """``fr`` for ``fr_FR.UTF-8``."""
    for mark in ".@_-":
        code = code.partition(mark)[0]
    return code.strip().casefold()


class Tongue:
    """A language in use: its phrases, and how it joins words and writes numbers."""

    def __init__(self, table: Mapping[str, str], lang: str = DEFAULT) -> None:
        self.table = table
        self.lang = lang

    def translate(self, text: str) -> str:
        """A text in this language, its gaps still open."""
        return self.table.get(text, text)

    def translate_name(self, name: Name) -> str:
        """What a card, base or faction is called in this language."""
        return self.translate(name.text)

    def say(self, text: str, /, **args: object) -> str:
        """A text in this language, with its gaps filled."""
        return self.render(Message(text, args)) if args else self.translate(text)

    def number(self, value: float, form: str) -> str:
        """A number as this language writes it; the form is Python's: ``.1f``, ``+.2f``, ``.0%``."""
        text = format(value, form)
        return text.translate(_FRENCH_MARKS) if self.lang == "fr" else text

    def render(self, message: Spoken, names: Sequence[str] = ()) -> str:
        """A message in this language; ``names`` are what the players are called."""
        return "".join(piece for piece, _ in self.pieces(message, names))

    def pieces(self, message: Spoken, names: Sequence[str] = ()) -> list[Piece]:
        """A message in this language, bit by bit, each with the argument it comes from."""
        text, args = _parts(message)
        if not args:
            return [(self.translate(text), None)]
        found: list[Piece] = []
        for literal, field, _, _ in Formatter().parse(self.translate(text)):
            if literal:
                literal = follow(found[-1][0] if found else "", literal)
                if literal:
                    found.append((literal, None))
            if field is not None:
                for piece in self._value(args[field], names):
                    self._add(found, piece)
        return found

    def _add(self, found: list[Piece], piece: Piece) -> None:
        """One more bit of a sentence, fitted to what stands before it."""
        words, origin = piece
        if not found and _is_hidden(origin):
            words = words[:1].upper() + words[1:]
        if self.lang == "fr" and found and _elides(found[-1], words):
            found[-1] = (found[-1][0][:-2] + "’", None)
        found.append((words, origin))

    def _value(self, value: object, names: Sequence[str]) -> Iterator[Piece]:
        """An argument as it stands in a sentence; lists are joined: «a, b and c»."""
        if isinstance(value, list | tuple):
            if not value:
                yield self.translate("nothing"), None
            for number, item in enumerate(value):
                if number:
                    last = number == len(value) - 1
                    yield (self.translate(" and ") if last else ", "), None
                yield from self._value(item, names)
            return
        if isinstance(value, Message) or (isinstance(value, Mapping) and "args" in value):
            yield from self.pieces(value, names)
            return
        if isinstance(value, Name) and value.sort != "player":
            spoken = {"sort": value.sort, "id": value.id, "text": value.text}
            yield self.translate_name(value), spoken
            return
        if isinstance(value, Name):
            value = {"sort": value.sort, "id": value.id, "text": value.text}
        if isinstance(value, Mapping):
            if value["sort"] == "player" and 0 <= value["id"] < len(names):
                yield names[value["id"]], value
            else:
                yield self.translate(value["text"]), value
            return
        yield str(value), value


def _elides(before: Piece, words: str) -> bool:
    """Whether «de» loses its vowel before these words: «la main d’Ana»."""
    text, source = before
    if source is not None or text[-3:].casefold() != "de " or text[-4:-3].isalpha():
        return False
    return bool(words) and words[0].casefold() in _VOWELS


def _parts(message: Spoken) -> tuple[str, Mapping[str, Any]]:
    if isinstance(message, Message):
        return message.text, message.args
    return message["text"], message["args"]


def _is_hidden(value: object) -> bool:
    return isinstance(value, Mapping) and (value["sort"], value["id"]) == (HIDDEN.sort, HIDDEN.id)


ENGLISH: Final = Tongue({})


@cache
def tongue(lang: str) -> Tongue:
    """The language of this name."""
    return Tongue(phrases(lang), lang)


def render(message: Spoken, lang: str, names: Sequence[str] = ()) -> str:
    """A message in a language: ``render(entry.message, "fr")``."""
    return tongue(lang).render(message, names)
