"""The types of what a viewer sees: views, decisions, log lines and changes as plain data."""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

from smashup.engine.model.decisions import Purpose


class Sentence(TypedDict):
    """A message: English text with gaps, what fills them, and how it reads."""

    text: str
    args: dict[str, Any]
    english: str
    said: NotRequired[str]
    """In the language the client asked for."""


class LogLineView(TypedDict):
    """A line of the log."""

    number: int
    event: str
    """The id of what it tells of, with its variant: ``card_played.at_base``."""
    message: Sentence


# --- what a seat sees -----------------------------------------------------------------------


class Face(TypedDict):
    """A card; one that may not be seen is ``hidden`` and nothing else."""

    hidden: NotRequired[bool]
    id: NotRequired[int]
    name: NotRequired[str]
    type: NotRequired[str]
    text: NotRequired[str]
    owner: NotRequired[int | None]
    printed_power: NotRequired[int]
    printed_breakpoint: NotRequired[int]
    vp: NotRequired[list[int]]
    tokens: NotRequired[int]


class Part(TypedDict):
    """One thing that a number is made of."""

    label: Sentence
    amount: int
    source: int | None
    """The card that brings it, if everybody sees it now."""


class InPlay(Face):
    """A card at a base or on another card."""

    controller: int
    buried: NotRequired[bool]
    power: NotRequired[int]
    power_parts: NotRequired[list[Part]]
    """What the power is made of: the amounts sum up to it."""
    withheld: NotRequired[bool]
    """Whether its power stays out of its controller's total."""
    cancelled: NotRequired[bool]
    """Whether its text has no effect, because of another card."""
    counters: NotRequired[int]
    actions: NotRequired[list[InPlay]]


class Known(TypedDict):
    """A card of a deck that has been seen, and how deep it lies."""

    from_top: int
    card: Face


class Standing(TypedDict):
    """Who would get what if a base scored now."""

    player: int
    place: int
    vp: int
    power: NotRequired[int]
    """Of a base that has scored: the player's power there at that time."""


class SidePower(TypedDict):
    """What gives a player power at a base beside the cards there."""

    player: int
    parts: list[Part]


class BaseView(Face):
    """A base in play and everything there."""

    serial: int
    breakpoint: int
    total: int
    totals: list[int]
    places: list[Standing]
    counters: int
    cards: list[InPlay]
    breakpoint_parts: list[Part]
    """What the breakpoint is made of: the amounts sum up to it."""
    side_power: list[SidePower]
    """Power that players have here without any card showing it as its own."""


class PlayerView(TypedDict):
    """What is open of a player, and what the viewer knows of the rest."""

    index: int
    vp: int
    factions: list[str]
    hand: list[Face]
    hand_size: int
    deck_size: int
    deck_known: list[Known]
    discard: list[Face]
    aside: list[Face]


class Plays(TypedDict):
    """Cards that the current player may still play this turn."""

    kind: Literal["minion", "action", "card", "titan"]
    """What may be played; ``card`` is a minion or an action."""
    count: int
    normal: bool
    """Whether it is the one play of the turn, as opposed to an extra one."""
    source: int | None
    """The card in play that allows it."""
    notes: list[Sentence]
    """What it demands, leaves out, and comes from; empty for any card anywhere."""


class OptionView(TypedDict):
    """One of the options of a decision."""

    index: int
    label: Sentence
    declines: NotRequired[bool]
    """Whether it says no, takes none, or passes."""
    verb: NotRequired[str]
    card: NotRequired[Face]
    host: NotRequired[int]
    base: NotRequired[int]
    extra: NotRequired[bool]
    """Whether it is played by an extra play, not the regular one."""
    player: NotRequired[int]
    mode: NotRequired[int]
    """Which of the modes in the order of the card; of a yes or no, 0 is yes."""
    faction: NotRequired[str]


class NamedCard(TypedDict):
    """A card by its number on this table and its name."""

    id: int
    name: str


ReasonKind = Literal[
    "start_of_turn", "end_of_turn", "card_played", "card_moved", "card_left",
    "card_destroyed", "card_returned", "cards_discarded", "talent_used", "control_changed",
    "base_played", "before_scoring", "scoring", "after_scoring", "base_replaced",
]  # fmt: skip


class Reason(TypedDict):
    """Why a card, or the rules, ask now: what the asking card reacts to."""

    kind: ReasonKind
    card: NotRequired[NamedCard]
    """The card that was played, moved, destroyed ..."""
    player: NotRequired[int]
    """Who did it, or whose turn it is."""
    base: NotRequired[int]
    """Where it was."""


class DecisionView(TypedDict):
    """The pending choice. Only who decides learns what it is about."""

    player: int | None
    """Who decides; None for other viewers of a Specials window."""
    window: NotRequired[bool]
    """Whether it is a window for Specials."""
    purpose: NotRequired[Purpose]
    """What it is for: by this, programs recognize it."""
    kind: NotRequired[str]
    question: NotRequired[Sentence]
    source: NotRequired[Face]
    """The card that asks; none where the rules do."""
    subjects: NotRequired[list[int]]
    """The cards that the question is about, chosen just before or named in it."""
    reason: NotRequired[Reason]
    options: NotRequired[list[OptionView]]
    picked: NotRequired[int]
    """Of several picks that are one choice: how many were made before this one."""
    min: NotRequired[int]
    """How many more there have to be, this one included; up to ``max`` go in one answer."""
    max: NotRequired[int]
    ordered: NotRequired[bool]
    """Whether it matters what is picked first."""


class View(TypedDict):
    """The table as one seat, or a spectator, may see it (`smashup.engine.views.view`)."""

    you: int | None
    edition: str
    printing: str
    turn: int
    current: int
    first: int
    phase: str
    scoring: int | None
    players: list[PlayerView]
    bases: list[BaseView]
    base_deck_size: int
    base_deck_known: list[Known]
    base_discard: list[Face]
    madness_size: int
    limbo: list[Face]
    permissions: int
    plays: list[Plays]
    """What the current player may still play this turn."""
    decision: DecisionView | None
    over: bool
    winners: list[int]


# --- what happens ---------------------------------------------------------------------------


class Place(TypedDict):
    """Where a card is or was."""

    zone: Literal[
        "deck", "hand", "discard", "base", "card", "aside", "limbo", "base_deck", "base_discard",
        "middle", "buried", "madness_deck", "box",
    ]  # fmt: skip
    player: NotRequired[int]
    base: NotRequired[int]
    """The serial of a base, for cards there and for the base card itself (``middle``)."""
    host: NotRequired[int]
    """The card it is on."""


class EventView(TypedDict):
    """One visible step of what happened, in order; lines of the log tell the same in words."""

    kind: Literal[
        "played", "moved", "destroyed", "returned", "discarded", "drawn", "revealed", "looked_at",
        "placed", "transferred", "buried", "base_played", "base_left", "shuffled", "reshuffled",
        "counters", "power", "control", "talent", "vp", "scoring", "scored", "turn", "over",
    ]  # fmt: skip
    cards: NotRequired[list[Face]]
    """The cards it is about, with id, name and type only; hidden ones for who may not know."""
    origin: NotRequired[Place]
    to: NotRequired[Place]
    player: NotRequired[int]
    base: NotRequired[int]
    amount: NotRequired[int]
    """How many counters, how much power or VP, which turn."""
    by: NotRequired[int]
    """The player whose card or ability did it; none where the rules did."""
    cause: NotRequired[NamedCard]
    """The card that did it."""
    places: NotRequired[list[Standing]]
    """Who got what when a base scored; who won when the game is over."""


# --- who sits there -------------------------------------------------------------------------
