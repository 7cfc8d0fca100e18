"""A decision: whose choice it is, what is asked, and the legal options.

Options are raw values (card numbers, site serials, players, moves, sentences); the words for them
are made only when somebody looks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from smashup.engine.model.constants import NONE
from smashup.engine.model.messages import Message, card_name, player_name

if TYPE_CHECKING:
    from smashup.engine.model.events import ActiveAbility
    from smashup.engine.model.permissions import PlayPermission
    from smashup.engine.model.table import Table

# What the options are.
CARDS: Final = 1
SITES: Final = 2
PLAYERS: Final = 3
WORDS: Final = 4
MOVES: Final = 5
TRIGGERS: Final = 6
FACTIONS: Final = 7
OPTION_KINDS: Final = ("", "card", "base", "player", "words", "move", "trigger", "faction")

# What a move does.
PLAY_CARD: Final = 1
USE_TALENT: Final = 2
DONE: Final = 3
PASS: Final = 4
LATER: Final = 5
MOVE_NAMES: Final = ("", "play", "talent", "done", "pass", "later")


class Move:
    """Something a player may do from a menu: play a card somewhere by some right, or a talent."""

    __slots__ = ("ability", "card", "on_card", "permission", "place", "verb")

    def __init__(
        self,
        verb: int,
        card: int = NONE,
        place: int = NONE,
        hosted: bool = False,
        permission: PlayPermission | None = None,
        source: ActiveAbility | None = None,
    ) -> None:
        self.verb = verb
        self.card = card
        self.place = place
        """A site's serial, or the host's card number when ``on_card``; -1 for neither."""
        self.on_card = hosted
        self.permission = permission
        self.ability = source


class MultiPick:
    """That a question is one of several picks which together are one choice. Never changed."""

    __slots__ = ("max", "min", "ordered", "picked")

    def __init__(self, picked: int, least: int, most: int, ordered: bool = False) -> None:
        self.picked = picked
        """How many picks were made before this one."""
        self.min = least
        """How many more there have to be, this one included."""
        self.max = most
        """How many more there may be, this one included."""
        self.ordered = ordered
        """Whether it matters what is picked first."""


def several(picked: int, least: int, most: int, left: int, ordered: bool = False) -> MultiPick:
    """One of so many picks, of which there cannot be more than what is left to pick from."""
    highest = min(most, left)
    return MultiPick(picked, min(max(least, 0), highest), highest, ordered)


DONE_MOVE: Final = Move(DONE)
PASS_MOVE: Final = Move(PASS)
LATER_MOVE: Final = Move(LATER)


class Decision:
    """A choice that some player has to make now."""

    __slots__ = (
        "_labels",
        "kind",
        "multi_pick",
        "number",
        "options",
        "player",
        "prompt",
        "source",
        "subject",
        "table",
    )  # fmt: skip

    def __init__(
        self, table: Table, player: int, prompt: str, kind: int, options: list[Any], number: int,
        source: int, several: MultiPick | None = None, subject: int = NONE,
    ) -> None:  # fmt: skip
        self.table = table
        self.player = player
        """Whose choice it is."""
        self.prompt = prompt
        """What is asked: the English text of a message."""
        self.kind = kind
        self.options = options
        """The legal options; the answer is a position in this list."""
        self.number = number
        self.source = source
        """The card whose ability asks, -1 for the rules."""
        self.multi_pick = several
        """Where it is one of several picks of one choice."""
        self.subject = subject
        """The card that a yes or no is about, where the question names it."""
        self._labels: list[Message] | None = None

    def question(self) -> Message:
        """What is asked, ready to be shown to the player who decides."""
        args: dict[str, Any] = {"player": player_name(self.player)}
        if "{number}" in self.prompt:
            args["number"] = self.number
        if "{card}" in self.prompt:
            args["card"] = card_name(self.table, self.source)
        if "{subject}" in self.prompt:
            args["subject"] = card_name(self.table, self.subject)
        question = Message(self.prompt, args)
        asker = self.table.services.describe_asker(self.table, self)
        if asker is None:
            return question
        return Message("{asker}: {question}", {"asker": asker, "question": question})

    def label(self, index: int) -> Message:
        """What an option means, in words for the player who decides."""
        if self._labels is None:
            self._labels = self.table.services.label_options(self.table, self)
        return self._labels[index]
