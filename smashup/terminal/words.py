"""Every string a person reads passes through `say` or `tell`, so that it can be translated."""

from __future__ import annotations

import argparse
import gettext
from collections.abc import Mapping

from smashup.locale import DEFAULT, ENGLISH, Spoken, Tongue, phrases

_in_use: Tongue = ENGLISH


def speak(lang: str) -> None:
    """Speak a language from now on, argparse included: it looks its own words up as `_`."""
    use(phrases(lang), lang)
    own = gettext.gettext, gettext.ngettext
    _, ngettext = own if lang == DEFAULT else (translate, _one_or_many)
    vars(argparse).update(_=_, ngettext=ngettext)


def use(table: Mapping[str, str], lang: str = DEFAULT) -> None:
    """Speak with these phrases: English texts and what stands for them. Empty for English."""
    global _in_use
    _in_use = Tongue(dict(table), lang)


def tongue() -> Tongue:
    """The language in use."""
    return _in_use


def translate(text: str) -> str:
    """A text in the language in use, its gaps still open."""
    return _in_use.translate(text)


def _one_or_many(one: str, many: str, count: int) -> str:
    return translate(one if count == 1 else many)


def say(text: str, /, **args: object) -> str:
    """A text in the language in use, with its gaps filled."""
    return _in_use.say(text, **args)


def tell(message: Spoken) -> str:
    """A message of the engine in the language in use: what an error says, for example."""
    return _in_use.render(message)


def phrase(text: str) -> str:
    """Marks a text that is said later; it is left as it is."""
    return text


def printable(text: str) -> str:
    """A text from outside without what could steer the terminal."""
    return "".join(c for c in text if c.isprintable() or c in "\n\u00a0")
