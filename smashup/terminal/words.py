"""Every string a person reads passes through `say`, so that it can be translated."""

from __future__ import annotations

from collections.abc import Mapping

_phrases: dict[str, str] = {}


def use(phrases: Mapping[str, str]) -> None:
    """Speak another language: English texts and what stands for them. Empty for English."""
    _phrases.clear()
    _phrases.update(phrases)


def translate(text: str) -> str:
    """A text in the language in use, its gaps still open."""
    return _phrases.get(text, text)


def say(text: str, /, **args: object) -> str:
    """A text in the language in use, with its gaps filled."""
    spoken = translate(text)
    return spoken.format(**args) if args else spoken


def printable(text: str) -> str:
    """A text from outside without what could steer the terminal."""
    return "".join(c for c in text if c.isprintable() or c == "\n")
