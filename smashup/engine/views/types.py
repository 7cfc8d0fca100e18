"""The types of views, decisions, log lines and events as plain data."""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

from smashup.engine.model.decisions import Purpose


class Sentence(TypedDict):
    """A message: English text with placeholders, their values, and the complete sentence."""

    text: str
    args: dict[str, Any]
    english: str
    said: NotRequired[str]
    """The sentence in the language the client asked for."""


class LogLineView(TypedDict):
    """A line of the log."""

    number: int
    event: str
    """The id of its event, with the variant: ``card_played.at_base``."""
    message: Sentence


# --- what a seat sees -----------------------------------------------------------------------


class Face(TypedDict):
    """A card; one that the viewer may not see has only the field ``hidden``."""

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
    """One contribution to a number."""

    label: Sentence
    amount: int
    source: int | None
    """The card it comes from, if everybody sees that card now."""


class InPlay(Face):
    """A card at a base or on another card."""

    controller: int
    buried: NotRequired[bool]
    power: NotRequired[int]
    power_parts: NotRequired[list[Part]]
    """The breakdown of the power: the amounts add up to it."""
    withheld: NotRequired[bool]
    """Whether its power does not count toward its controller's total."""
    cancelled: NotRequired[bool]
    """Whether another card cancels its text."""
    counters: NotRequired[int]
    actions: NotRequired[list[InPlay]]


class Known(TypedDict):
    """A known card of a deck, and its depth."""

    from_top: int
    card: Face


class Standing(TypedDict):
    """The VP a player would get if the base scored now."""

    player: int
    place: int
    vp: int
    power: NotRequired[int]
    """For a base that has scored: the player's power there at that time."""


class SidePower(TypedDict):
    """Power of a player at a base that no card there shows as its own."""

    player: int
    parts: list[Part]


class BaseView(Face):
    """A base in play and all cards there."""

    serial: int
    breakpoint: int
    total: int
    totals: list[int]
    places: list[Standing]
    counters: int
    cards: list[InPlay]
    breakpoint_parts: list[Part]
    """The breakdown of the breakpoint: the amounts add up to it."""
    side_power: list[SidePower]
    """Power that players have here and that no card shows as its own."""


class PlayerView(TypedDict):
    """The public cards and numbers of a player, and what the viewer knows of the rest."""

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
    """A number of plays that the current player still has this turn."""

    kind: Literal["minion", "action", "card", "titan"]
    """What may be played; ``card`` is a minion or an action."""
    count: int
    normal: bool
    """Whether it is the regular play of the turn, as opposed to an extra one."""
    source: int | None
    """The card in play that allows it."""
    notes: list[Sentence]
    """What it demands and excludes, and where it comes from; empty for any card anywhere."""


class OptionView(TypedDict):
    """One of the options of a decision."""

    index: int
    label: Sentence
    declines: NotRequired[bool]
    """Whether it means no, none, or pass."""
    verb: NotRequired[str]
    card: NotRequired[Face]
    host: NotRequired[int]
    base: NotRequired[int]
    extra: NotRequired[bool]
    """Whether it uses an extra play, not the regular one."""
    player: NotRequired[int]
    mode: NotRequired[int]
    """The position of the mode on the card; for yes or no, 0 is yes."""
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
    """Why a card, or the rules, ask now: the event the asking card reacts to."""

    kind: ReasonKind
    card: NotRequired[NamedCard]
    """The card that was played, moved, destroyed ..."""
    player: NotRequired[int]
    """The player who did it, or whose turn it is."""
    base: NotRequired[int]
    """The base where it happened."""


class DecisionView(TypedDict):
    """The pending decision. Only the player who decides sees what it is about."""

    player: int | None
    """The player who decides; None for other viewers of a Specials window."""
    window: NotRequired[bool]
    """Whether it is a window for Specials."""
    purpose: NotRequired[Purpose]
    """The stable id that programs use to recognize it."""
    kind: NotRequired[str]
    question: NotRequired[Sentence]
    source: NotRequired[Face]
    """The card that asks; absent if the rules do."""
    subjects: NotRequired[list[int]]
    """The cards that the question is about, chosen just before or named in it."""
    reason: NotRequired[Reason]
    options: NotRequired[list[OptionView]]
    picked: NotRequired[int]
    """For one of several picks: how many were made before this one."""
    min: NotRequired[int]
    """The minimum number of further picks, this one included; up to ``max`` go in one answer."""
    max: NotRequired[int]
    ordered: NotRequired[bool]
    """Whether the order of the picks matters."""


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
    """The plays the current player still has this turn."""
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
    """One visible step of what happened, in order; log lines describe the same in words."""

    kind: Literal[
        "played", "moved", "destroyed", "returned", "discarded", "drawn", "revealed", "looked_at",
        "placed", "transferred", "buried", "base_played", "base_left", "shuffled", "reshuffled",
        "counters", "power", "control", "talent", "vp", "scoring", "scored", "turn", "over",
    ]  # fmt: skip
    cards: NotRequired[list[Face]]
    """The cards it is about, with id, name and type only; ``hidden`` for viewers who may not know
    them."""
    origin: NotRequired[Place]
    to: NotRequired[Place]
    player: NotRequired[int]
    base: NotRequired[int]
    amount: NotRequired[int]
    """The number of counters, the power or VP, or the turn number."""
    by: NotRequired[int]
    """The player whose card or ability did it; absent if the rules did."""
    cause: NotRequired[NamedCard]
    """The card that did it."""
    places: NotRequired[list[Standing]]
    """The VP of each player when a base scored; the winners when the game is over."""


# --- seats ------------------------------------------------------------------------------
