"""The messages of a table's socket, each typed once.

What a client sends is a model that is checked strictly; what the server sends is plain data whose
types mypy checks here and the tests check on the wire. ``scripts/protocol_types.py`` writes the
types of the browser client from them.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, NotRequired

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter
from typing_extensions import TypedDict

Language = Literal["en", "fr"]
MessageId = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
Secret = Annotated[str, Field(min_length=1, max_length=64)]
Count = Annotated[int, Field(ge=0, le=1_000_000)]


class ClientMessage(BaseModel):
    """Something a client says. Every one is answered with its ``id``."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    id: MessageId


class Hello(ClientMessage):
    """The first message: who this is, and what it has seen already."""

    type: Literal["hello"]
    secret: Secret | None = None
    """The secret of a seat; without it, a spectator."""
    stream: Annotated[str, Field(max_length=32)] | None = None
    version: Count | None = None
    """The last update it has seen, and of which stream."""
    lang: Language | None = None
    """Sentences come in this language too, as ``said``."""


class Answer(ClientMessage):
    """What a seat chooses. Several picks of one choice may be sent together: all or none."""

    type: Literal["answer"]
    number: Count
    """Which of the seat's decisions this answers, as the last update had it."""
    options: Annotated[list[Count], Field(min_length=1, max_length=60)]
    """Positions among the options shown, in the order they are picked."""


class Ping(ClientMessage):
    """Is anybody there?"""

    type: Literal["ping"]


FromClient = Annotated[Hello | Answer | Ping, Field(discriminator="type")]
FROM_CLIENT: Final[TypeAdapter[Hello | Answer | Ping]] = TypeAdapter(FromClient)


# --- sentences ------------------------------------------------------------------------------


class Sentence(TypedDict):
    """A message: English text with gaps, what fills them, and how it reads."""

    text: str
    args: dict[str, Any]
    english: str
    said: NotRequired[str]
    """In the language the client asked for."""


class Line(TypedDict):
    """A line of the log."""

    number: int
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


class InPlay(Face):
    """A card at a base or on another card."""

    controller: int
    buried: NotRequired[bool]
    power: NotRequired[int]
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


class Base(Face):
    """A base in play and everything there."""

    serial: int
    breakpoint: int
    total: int
    totals: list[int]
    places: list[Standing]
    counters: int
    cards: list[InPlay]


class Player(TypedDict):
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


class Option(TypedDict):
    """One of the options of a decision."""

    index: int
    label: Sentence
    verb: NotRequired[str]
    card: NotRequired[Face]
    host: NotRequired[int]
    base: NotRequired[int]
    faction: NotRequired[str]


class Decision(TypedDict):
    """The pending choice. Only who decides learns what it is about."""

    player: int | None
    """Who decides; None in a window for Specials, where nobody else is told."""
    window: NotRequired[bool]
    kind: NotRequired[str]
    question: NotRequired[Sentence]
    source: NotRequired[Face]
    options: NotRequired[list[Option]]


class View(TypedDict):
    """The table as one seat, or a spectator, may see it (`smashup.engine.views`)."""

    you: int | None
    edition: str
    printing: str
    turn: int
    current: int
    first: int
    phase: str
    scoring: int | None
    players: list[Player]
    bases: list[Base]
    base_deck_size: int
    base_deck_known: list[Known]
    base_discard: list[Face]
    madness_size: int
    limbo: list[Face]
    rights: int
    decision: Decision | None
    over: bool
    winners: list[int]


# --- who sits there -------------------------------------------------------------------------


class SeatInfo(TypedDict):
    """A seat as everybody may know it."""

    number: int
    kind: Literal["person", "bot", "open"]
    level: str
    name: str
    factions: list[str]
    ready: bool
    here: bool
    """Whether its owner is connected."""
    left: bool
    resigned: bool
    votes: list[int]
    """Which seats agreed to put a bot here."""


class TableInfo(TypedDict):
    """A table as everybody with its link may know it."""

    id: str
    state: Literal["open", "playing", "over"]
    listed: bool
    spectators: bool
    players: int
    mode: str
    """How factions are found: random, choose or draft."""
    edition: str
    printing: str
    optional_titans: bool
    madness: bool
    created: float
    seats: list[SeatInfo]
    winners: list[int]
    rematch: str
    notice: Sentence | None
    """Something the players should know, such as a change of the rules."""


# --- what the server says -------------------------------------------------------------------


class Wishes(TypedDict):
    """What is remembered for the owner of a seat, and told to nobody else."""

    lang: str
    windows: str
    """Windows for Specials: ask, or pass in all of them."""


class Contents(TypedDict):
    """What a stream of updates tells: who sits there, what is seen, what was said."""

    version: int
    table: TableInfo
    view: View | None
    """None before the game begins."""
    lines: list[Line]
    """The log: its last lines in a snapshot, the new ones in an update."""
    number: int | None
    """Which of the seat's decisions is next: what an answer has to name."""
    wishes: Wishes | None
    """What the owner of the seat has set; None for spectators."""


class Snapshot(Contents):
    """Everything as it is now: the answer to a hello without a usable version."""

    type: Literal["snapshot"]
    stream: str
    seat: int | None


class Update(Contents):
    """What is new since the version before."""

    type: Literal["update"]


class Ack(TypedDict):
    """A message was heard and obeyed; an answer is on disk."""

    type: Literal["ack"]
    id: str
    number: int | None
    """After an answer: which of the seat's decisions is next."""


class Refusal(TypedDict):
    """A message was not obeyed, and nothing has changed."""

    type: Literal["refused"]
    id: str | None
    reason: Sentence
    stale: bool
    """Whether it answered another decision than the one on the table, which is this:"""
    number: int | None
    decision: Decision | None


FromServer = Annotated[Snapshot | Update | Ack | Refusal, Field(discriminator="type")]
FROM_SERVER: Final[TypeAdapter[Snapshot | Update | Ack | Refusal]] = TypeAdapter(FromServer)
