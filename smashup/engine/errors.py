"""The errors of the engine, with messages written for the person who reads them."""

from __future__ import annotations

from smashup.engine.model.messages import Message


class SmashUpError(Exception):
    """An error that a user can understand and fix.

    Like prompts and log lines an error is a `Message`, translated when it is shown:
    ``SetupError("Smash Up is for 2 to 4 players, not {players}.", players=5)``.
    """

    def __init__(self, text: str, /, **args: object) -> None:
        self.message = Message(text, args)
        super().__init__(str(self.message))


class SetupError(SmashUpError):
    """The requested game cannot be set up."""


class IllegalChoice(SmashUpError):
    """The answer is not one of the options. The game is unchanged."""


class ReplayMismatch(SmashUpError):
    """Recorded answers do not fit the game: other rules wrote them, or a person edited them."""


class SaveError(SmashUpError):
    """A save file cannot be used; the message says where and why."""


def reason(error: OSError) -> Message:
    """Describe why the operating system refused an operation, for use inside a sentence."""
    return Message(error.strerror or str(error), {})


MAX_SHOWN = 60
"""The maximum number of characters of a value that a message quotes."""


def clipped(value: object) -> str:
    """Quote a value in a message, shortened if it is long."""
    if isinstance(value, int) and abs(value) >= 1 << 64:
        return "…"  # Python refuses to write very long numbers
    text = value if isinstance(value, str) else str(value)
    text = "".join(
        c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text[: MAX_SHOWN + 1]
    )
    return text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 1] + "…"


class CardFailure(SmashUpError):
    """A card raised an error during a game. The game is as it was before the choice."""

    public_message = Message("A card failed; the choice was undone.", {})
    """The message for other players, without details and without cards they may not see."""


class CardError(SmashUpError):
    """A card definition is invalid."""
