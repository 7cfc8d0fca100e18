"""Translation of what the program prints: `tr` for texts, `render` for messages."""

from __future__ import annotations

import argparse
import gettext
from collections.abc import Mapping

from smashup.locale import (
    DEFAULT_LANGUAGE,
    ENGLISH,
    MessageLike,
    Translator,
    load_catalog,
)

_current: Translator = ENGLISH


def set_language(lang: str) -> None:
    """Switch the language of the program and of argparse, which calls its own `_`."""
    use_translations(load_catalog(lang), lang)
    own = gettext.gettext, gettext.ngettext
    _, ngettext = own if lang == DEFAULT_LANGUAGE else (tr, _ngettext)
    vars(argparse).update(_=_, ngettext=ngettext)


def use_translations(table: Mapping[str, str], lang: str = DEFAULT_LANGUAGE) -> None:
    """Translate with a table from English texts to translations; empty for English."""
    global _current
    _current = Translator(dict(table), lang)


def current_translator() -> Translator:
    """Return the translator of the language in use."""
    return _current


def _ngettext(singular: str, plural: str, count: int) -> str:
    return _current.plural(count, singular, plural)


def tr(text: str, /, **args: object) -> str:
    """Translate a text and fill its placeholders."""
    return _current.translate(text, **args)


def tr_plural(count: float, one: str, other: str, /, **args: object) -> str:
    """Translate the text for one or the text for other counts; the count fills ``{count}``."""
    return _current.plural(count, one, other, **args)


def render(message: MessageLike) -> str:
    """Translate a message of the engine, such as that of an error."""
    return _current.render(message)


def gettext_noop(text: str) -> str:
    """Mark a text for translation that is passed to `tr` later; returns it unchanged."""
    return text


def printable(text: str) -> str:
    """Drop characters from untrusted text that could control the terminal."""
    return "".join(c for c in text if c.isprintable() or c in "\n\u00a0")
