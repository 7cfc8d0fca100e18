"""Problems of a scenario: errors in the file, or failed expectations.

A problem is reported in the reader's language: a sentence, followed by lines with details.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Final

from smashup.engine.errors import SmashUpError
from smashup.engine.model.messages import Message
from smashup.locale import ENGLISH, Translator

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_VALUE_LENGTH: Final = 80
"""The maximum length of a value in a message."""


class ScenarioProblem(SmashUpError):
    """A reason why a scenario does not pass."""

    def __init__(self, text: str, /, **args: object) -> None:
        super().__init__(text, **args)
        self.place = ""
        """File and line: “case.yaml:12”."""
        self.details: list[tuple[int, Message]] = []
        """Lines below the message, each with its indentation."""

    def add_detail(self, text: str, /, **args: object) -> None:
        """Add a line of details."""
        self.details.append((0, Message(text, args)))

    def add_details(self, messages: Iterable[Message]) -> None:
        """Add indented lines of details."""
        self.details += [(1, message) for message in messages]

    def render(self, translator: Translator) -> str:
        """Render the message and details, without a final newline."""
        place = self.place + translator.translate(": ") if self.place else ""
        lines = [place + translator.render(self.message)]
        lines += ["    " * depth + translator.render(message) for depth, message in self.details]
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.render(ENGLISH)


class ScenarioError(ScenarioProblem):
    """The scenario file is invalid."""


def endless_loop_error(place: str = "") -> ScenarioError:
    """Return the error for abilities that trigger each other endlessly."""
    problem = ScenarioError(
        "This takes too long: the cards probably trigger each other, or depend on each other,"
        " without end."
    )
    problem.place = place
    return problem


class Failure(ScenarioProblem):
    """The game did not do what the scenario expects."""


def format_value(value: object) -> str:
    """Format a value as in a file."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k}: {format_value(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(format_value, value)) + "]"
    return "null" if value is None else str(value)


def shorten(value: object, most: int = MAX_VALUE_LENGTH) -> str:
    """Format a value, cut if it is long."""
    text = format_value(value)
    text = "".join(c if c.isprintable() else " " for c in text)
    return text if len(text) <= most else text[: most - 1] + "…"


def closest_match(word: object, known: Iterable[str]) -> str:
    """The known word most similar to a misspelled one, or an empty string."""
    lower = {name.casefold(): name for name in known}
    close = get_close_matches(str(word)[:MAX_VALUE_LENGTH].casefold(), list(lower), n=1, cutoff=0.6)
    return lower[close[0]] if close else ""


def suggestion(word: object, known: Iterable[str]) -> Message:
    """A “did you mean” sentence to append to an error, or an empty message."""
    meant = closest_match(word, known)
    return Message(" Did you mean “{name}”?", {"name": meant}) if meant else Message("", {})
