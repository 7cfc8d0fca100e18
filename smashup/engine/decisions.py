"""A decision: whose choice it is, what is asked, and the legal options.

Options are raw values (card numbers, site serials, players, moves, sentences); the words for them
are made only when somebody looks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from smashup.engine.events import UNCOVER
from smashup.engine.messages import (
    Message,
    Name,
    base_name,
    card_name,
    faction_name,
    player_name,
)  # fmt: skip
from smashup.engine.words import NONE

if TYPE_CHECKING:
    from smashup.engine.core import Core
    from smashup.engine.events import Source, Trigger
    from smashup.engine.rights import Right

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

    __slots__ = ("card", "hosted", "place", "right", "source", "verb")

    def __init__(
        self,
        verb: int,
        card: int = NONE,
        place: int = NONE,
        hosted: bool = False,
        right: Right | None = None,
        source: Source | None = None,
    ) -> None:
        self.verb = verb
        self.card = card
        self.place = place
        """A site's serial, or the host's card number when ``hosted``; -1 for neither."""
        self.hosted = hosted
        self.right = right
        self.source = source


class Several:
    """That a question is one of several picks which together are one choice. Never changed."""

    __slots__ = ("least", "most", "ordered", "picked")

    def __init__(self, picked: int, least: int, most: int, ordered: bool = False) -> None:
        self.picked = picked
        """How many picks were made before this one."""
        self.least = least
        """How many more there have to be, this one included."""
        self.most = most
        """How many more there may be, this one included."""
        self.ordered = ordered
        """Whether it matters what is picked first."""


def several(picked: int, least: int, most: int, left: int, ordered: bool = False) -> Several:
    """One of so many picks, of which there cannot be more than what is left to pick from."""
    highest = min(most, left)
    return Several(picked, min(max(least, 0), highest), highest, ordered)


DONE_MOVE: Final = Move(DONE)
PASS_MOVE: Final = Move(PASS)
LATER_MOVE: Final = Move(LATER)


class Decision:
    """A choice that some player has to make now."""

    __slots__ = ("kind", "number", "options", "player", "prompt", "several", "source", "table")

    def __init__(
        self, table: Core, player: int, prompt: str, kind: int, options: list[Any], number: int,
        source: int, several: Several | None = None,
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
        self.several = several
        """Where it is one of several picks of one choice."""

    def question(self) -> Message:
        """What is asked, ready to be shown to the player who decides."""
        args: dict[str, Any] = {"player": player_name(self.player)}
        if "{number}" in self.prompt:
            args["number"] = self.number
        if "{card}" in self.prompt:
            args["card"] = card_name(self.table, self.source)
        return Message(self.prompt, args)

    def label(self, index: int) -> Message:
        """What an option means, in words for the player who decides."""
        option = self.options[index]
        t = self.table
        if self.kind == WORDS:
            return Message(option, {})
        if option == NONE:
            return Message("None", {})
        if self.kind == CARDS:
            return t.describe_card(option, self.player)
        if self.kind == SITES:
            return Message("{base}", {"base": base_name(t, option)})
        if self.kind == PLAYERS:
            return Message("{player}", {"player": player_name(option)})
        if self.kind == FACTIONS:
            return Message("{faction}", {"faction": faction_name(t, option)})
        if self.kind == TRIGGERS and option.hook == UNCOVER:
            return Message("Uncover {card}", {"card": card_name(t, option.source.card)})
        if self.kind == TRIGGERS:
            return Message("{card}", {"card": self._trigger_name(option)})
        return self._move_label(option)

    def _trigger_name(self, trigger: Trigger) -> Name:
        """The card whose ability waits; it may be face down somewhere by now."""
        source = trigger.source
        if self.table.in_play(source.card):
            return card_name(self.table, source.card)
        return Name("card", source.card, source.kind.name)

    def _move_label(self, move: Move) -> Message:
        t = self.table
        if move.verb == DONE:
            return Message("End the Play Cards phase", {})
        if move.verb == PASS:
            return Message("Pass", {})
        if move.verb == LATER:
            return Message("Keep it for later this turn", {})
        args: dict[str, Any] = {"card": card_name(t, move.card)}
        if move.verb == USE_TALENT:
            return Message("Use the talent of {card}", args)
        origin = move.right.origin if move.right is not None else NONE
        extra = move.right is not None and not move.right.normal
        if origin != NONE:
            giver = move.right.giver if move.right is not None else ""
            args["origin"] = Name("card", NONE, giver) if giver else card_name(t, origin)
        if move.hosted:
            args["host"] = card_name(t, move.place)
            args["base"] = base_name(t, t.site_serial(move.place))
            if origin != NONE:
                return Message("Play {card} on {host} at {base} (by {origin})", args)
            if extra:
                return Message("Play {card} on {host} at {base} (extra)", args)
            return Message("Play {card} on {host} at {base}", args)
        if move.place != NONE:
            args["base"] = base_name(t, move.place)
            if origin != NONE:
                return Message("Play {card} on {base} (by {origin})", args)
            return Message(
                "Play {card} on {base} (extra)" if extra else "Play {card} on {base}", args
            )
        if origin != NONE:
            return Message("Play {card} (by {origin})", args)
        return Message("Play {card} (extra)" if extra else "Play {card}", args)
