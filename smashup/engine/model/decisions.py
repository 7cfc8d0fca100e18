"""A decision: the player who chooses, the question, and the legal options.

Options are raw values (card numbers, site serials, players, moves, sentences); their labels are
built only on request.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from mypy_extensions import mypyc_attr

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


class Purpose(StrEnum):
    """The stable id of what a decision is for, independent of its English prompt.

    Together with the asking card it identifies a decision; views contain the value.
    """

    # The turn and its windows: options are moves.
    PLAY_MENU = "play_menu"
    """The Play Cards phase: play a card, use a talent, or end the phase."""
    SPECIAL_WINDOW = "special_window"
    """A pause before or after a base scores, or after another event: play a Special or pass."""
    EXTRA_PLAY = "extra_play"
    """Play an extra card now, pass, or keep the extra play for later."""
    TITAN_PLAY = "titan_play"
    """The base at which to play a titan, when a card allows it."""
    # Decisions of card texts.
    TARGET = "target"
    """What an ability affects."""
    CHOOSE = "choose"
    """Any other choice of a card."""
    CHOOSE_BASE = "choose_base"
    """A base."""
    CHOOSE_PLAYER = "choose_player"
    """A player."""
    MODE = "mode"
    """One of several things that a card can do."""
    MAY_MODE = "may_mode"
    """The same, or none of them."""
    MAY = "may"
    """Whether to use an optional part of an ability."""
    DISCARD = "discard"
    """A card of the hand to discard."""
    SEARCH = "search"
    """A card from a deck search."""
    SEARCH_PILES = "search_piles"
    """Which pile to search."""
    MAY_SEARCH = "may_search"
    """Whether to search at all."""
    MOVE_TO = "move_to"
    """The base that a card moves to."""
    ORDER_ON_TOP = "order_on_top"
    """Which card goes back on top of the deck next."""
    ORDER_ON_BOTTOM = "order_on_bottom"
    """Which card goes to the bottom of the deck next."""
    TOP_OR_BOTTOM = "top_or_bottom"
    """Whether a card goes on top of the deck or to its bottom."""
    # Decisions of the rules.
    DRAFT = "draft"
    """A faction to draft."""
    MULLIGAN = "mulligan"
    """Whether to replace an opening hand without minions."""
    UNCOVER = "uncover"
    """A buried card to uncover at the start of the turn."""
    ORDER_TRIGGERS = "order_triggers"
    """Which of several abilities that trigger at once resolves first."""
    ORDER_SCORING = "order_scoring"
    """Which of several bases scores first."""
    ORDER_REPLACEMENTS = "order_replacements"
    """Which of several replacements applies."""
    STARTING_BREAKPOINT = "starting_breakpoint"
    """Which ability sets the starting breakpoint of a base."""
    NEXT_BASE = "next_base"
    """Which ability brings the next base."""
    TITAN_LIMIT = "titan_limit"
    """A titan to give up, for a player who controls too many."""
    WHICH_TITAN = "which_titan"
    """One of several titans."""
    NAME_FACTION = "name_faction"
    """A faction to name."""


YES_NO: Final = frozenset((Purpose.MAY, Purpose.MAY_SEARCH, Purpose.MULLIGAN))
"""Purposes with the options yes and no, in this order."""


# What a move does.
PLAY_CARD: Final = 1
USE_TALENT: Final = 2
DONE: Final = 3
PASS: Final = 4
LATER: Final = 5
MOVE_NAMES: Final = ("", "play", "talent", "done", "pass", "later")


@mypyc_attr(acyclic=True)
class Move:
    """An option of a menu: play a card with a permission, or use a talent."""

    __slots__ = ("ability", "card", "on_card", "permission", "place", "verb")

    def __init__(
        self,
        verb: int,
        card: int = NONE,
        place: int = NONE,
        on_card: bool = False,
        permission: PlayPermission | None = None,
        ability: ActiveAbility | None = None,
    ) -> None:
        self.verb = verb
        self.card = card
        self.place = place
        """A site's serial, or the host's card number when ``on_card``; -1 for neither."""
        self.on_card = on_card
        self.permission = permission
        self.ability = ability


@mypyc_attr(acyclic=True)
class MultiPick:
    """Marks a decision as one of several picks that together are one choice. Immutable."""

    __slots__ = ("max", "min", "ordered", "picked")

    def __init__(self, picked: int, minimum: int, maximum: int, ordered: bool = False) -> None:
        self.picked = picked
        """How many picks were made before this one."""
        self.min = minimum
        """The minimum number of further picks, including this one."""
        self.max = maximum
        """The maximum number of further picks, including this one."""
        self.ordered = ordered
        """Whether the order of the picks matters."""


def next_pick(
    picked: int, minimum: int, maximum: int, left: int, ordered: bool = False
) -> MultiPick:
    """Describe the next of several picks, with at most as many picks as cards are left."""
    highest = min(maximum, left)
    return MultiPick(picked, min(max(minimum, 0), highest), highest, ordered)


DONE_MOVE: Final = Move(DONE)
PASS_MOVE: Final = Move(PASS)
LATER_MOVE: Final = Move(LATER)


@mypyc_attr(free_list_len=1)
class Decision:
    """A choice that a player has to make now."""

    __slots__ = (
        "_labels",
        "kind",
        "multi_pick",
        "number",
        "options",
        "player",
        "prompt",
        "purpose",
        "source",
        "subject",
        "table",
    )  # fmt: skip

    def __init__(
        self, table: Table, player: int, purpose: Purpose, prompt: str, kind: int,
        options: list[Any], number: int, source: int, multi_pick: MultiPick | None = None,
        subject: int = NONE,
    ) -> None:  # fmt: skip
        self.table = table
        self.player = player
        """The player who decides."""
        self.purpose = purpose
        """The stable id that programs use to recognize the decision."""
        self.prompt = prompt
        """The question: the English text of a message."""
        self.kind = kind
        self.options = options
        """The legal options; the answer is a position in this list."""
        self.number = number
        self.source = source
        """The card whose ability asks, -1 for the rules."""
        self.multi_pick = multi_pick
        """The position among several picks of one choice, if it is one of them."""
        self.subject = subject
        """The card that a yes-or-no question names."""
        self._labels: list[Message] | None = None

    def question(self) -> Message:
        """The question as shown to the player who decides."""
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

    def declines(self, index: int) -> bool:
        """Whether an option means no, none, or pass."""
        option = self.options[index]
        if self.kind == WORDS:
            may_decline = self.purpose is Purpose.MAY_MODE or self.purpose in YES_NO
            return may_decline and index == len(self.options) - 1
        if self.kind == MOVES:
            return option.verb in (DONE, PASS, LATER)
        return self.kind in (CARDS, SITES, PLAYERS) and bool(option == NONE)

    def label(self, index: int) -> Message:
        """Return the label of an option for the player who decides."""
        if self._labels is None:
            self._labels = self.table.services.label_options(self.table, self)
        return self._labels[index]
