"""What can be wrong with a scenario: how it is written, or what the table does.

A problem is told in the reader's language: a sentence, and below it lines with the details.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Final

from smashup.engine.errors import SmashUpError
from smashup.engine.model.messages import Message
from smashup.locale import ENGLISH, Translator

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_SHOWN: Final = 80
"""Characters of a value that are shown."""


class ScenarioProblem(SmashUpError):
    """Something that keeps a scenario from holding."""

    def __init__(self, text: str, /, **args: object) -> None:
        super().__init__(text, **args)
        self.place = ""
        """File and line: «case.yaml:12»."""
        self.details: list[tuple[int, Message]] = []
        """Lines below the sentence, each with how far it is indented."""

    def add_detail(self, text: str, /, **args: object) -> None:
        """Add a line of details."""
        self.details.append((0, Message(text, args)))

    def add_details(self, messages: Iterable[Message]) -> None:
        """Add indented lines of details."""
        self.details += [(1, message) for message in messages]

    def render(self, translator: Translator) -> str:
        """All of it in a language, without a newline at the end."""
        place = self.place + translator.translate(": ") if self.place else ""
        lines = [place + translator.render(self.message)]
        lines += ["    " * depth + translator.render(message) for depth, message in self.details]
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.render(ENGLISH)


class ScenarioError(ScenarioProblem):
    """The scenario itself cannot be understood."""


def endless(place: str = "") -> ScenarioError:
    """What to say where the cards keep each other busy."""
    problem = ScenarioError(
        "This takes too long: the cards probably set each other off, or depend on each other,"
        " without end."
    )
    problem.place = place
    return problem


class Failure(ScenarioProblem):
    """The table did something else than the scenario says."""


def show(value: object) -> str:
    """A value as it stands in a file."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k}: {show(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(show, value)) + "]"
    return "null" if value is None else str(value)


def shorten(value: object, most: int = MAX_SHOWN) -> str:
    """A value as it was written, cut off where it is long."""
    text = show(value)
    text = "".join(c if c.isprintable() else " " for c in text)
    return text if len(text) <= most else text[: most - 1] + "…"


def closest(word: object, known: Iterable[str]) -> str:
    """What was probably meant by a word; empty where nothing is close."""
    lower = {name.casefold(): name for name in known}
    close = get_close_matches(str(word)[:MAX_SHOWN].casefold(), list(lower), n=1, cutoff=0.6)
    return lower[close[0]] if close else ""


def did_you_mean(word: object, known: Iterable[str]) -> Message:
    """A sentence to add to another, with what was probably meant; perhaps empty."""
    meant = closest(word, known)
    return Message(" Did you mean «{name}»?", {"name": meant}) if meant else Message("", {})
