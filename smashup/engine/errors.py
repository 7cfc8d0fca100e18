"""What can go wrong, as sentences for the person who reads them."""

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
    """A table that cannot be set up as asked."""


class IllegalChoice(SmashUpError):
    """An answer that is not one of the options. The game is as it was."""


class ReplayMismatch(SmashUpError):
    """Recorded answers that do not fit: they were written under other rules, or edited."""


class SaveError(SmashUpError):
    """A save file that cannot be used; the sentence says where and why."""


def reason(error: OSError) -> Message:
    """Why the system refused something, as a part of a sentence."""
    return Message(error.strerror or str(error), {})


MAX_SHOWN = 60
"""Characters of a value that a sentence repeats at most."""


def clipped(value: object) -> str:
    """A value as part of a sentence, however long it is."""
    if isinstance(value, int) and abs(value) >= 1 << 64:
        return "…"  # Python refuses to write very long numbers
    text = value if isinstance(value, str) else str(value)
    text = "".join(
        c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text[: MAX_SHOWN + 1]
    )
    return text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 1] + "…"


class CardFailure(SmashUpError):
    """A card raised an error while a game was played. The game is as it was before the choice."""

    public_message = Message("A card failed; the choice was undone.", {})
    """For other players: without details, and without cards that they may not see."""


class CardError(SmashUpError):
    """A card definition that cannot be used."""
