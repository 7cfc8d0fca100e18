"""The messages of a table's socket, each typed once.

What a client sends is a model that is checked strictly; what the server sends is plain data whose
types mypy checks here and the tests check on the wire. ``scripts/protocol_types.py`` writes the
types of the browser client from them.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, NotRequired

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter
from typing_extensions import TypedDict

from smashup.engine.model.decisions import Purpose
from smashup.engine.views.types import (
    DecisionView,
    EventView,
    Face,
    LogLineView,
    Part,
    Plays,
    Reason,
    Sentence,
    SidePower,
    Standing,
    View,
)

PROTOCOL: Final = 2
"""The version of the messages. It grows with every change that an older page cannot follow."""
Language = Literal["en", "fr"]
MessageId = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
Secret = Annotated[str, Field(min_length=1, max_length=64)]
Windows = Literal["ask", "pass", "card", "always"]
"""Windows for Specials: be asked where there is something to play; pass in all of them; be asked
for named cards only; be asked even with nothing to play, so that nobody can tell."""
Phrase = Literal[
    "hello", "good_luck", "well_played", "thanks", "sorry", "oops", "nice_card", "ouch",
    "your_turn", "one_moment", "good_game", "again",
]  # fmt: skip
"""What can be said with one click; clients know the words."""
Count = Annotated[int, Field(ge=0, le=1_000_000)]


class ClientMessage(BaseModel):
    """Something a client says. Every one is answered with its ``id``."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    id: MessageId


class Hello(ClientMessage):
    """The first message: who this is, and what it has seen already."""

    type: Literal["hello"]
    protocol: Count = 1
    """The version of the messages that the client was written for: `PROTOCOL`."""
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
    done: bool = False
    """Whether these are all: what more might be picked of this choice is declined."""


class Ask(ClientMessage):
    """What would one option bring about? Nothing is chosen by asking."""

    type: Literal["preview"]
    number: Count
    """Which of the seat's decisions this is about, as the last update had it."""
    option: Count


class Undo(ClientMessage):
    """Take back one's own last choice. Where other people play, they have to agree."""

    type: Literal["undo"]
    number: Count
    """Which of the seat's decisions is next, as the last update had it."""


class Agree(ClientMessage):
    """What a person says to somebody's wish to take a choice back, or who takes back the wish."""

    type: Literal["agree"]
    wish: Count
    """Which wish, as the last update had it."""
    yes: bool


class Chat(ClientMessage):
    """Say something to the table: own words, or a phrase that everybody reads in their language."""

    type: Literal["chat"]
    text: Annotated[str, Field(max_length=300)] = ""
    phrase: Phrase | None = None


class AskHint(ClientMessage):
    """What would a strong bot choose here? Only where everybody else is a bot."""

    type: Literal["hint"]
    number: Count
    """Which of the seat's decisions this is about, as the last update had it."""


class Resync(ClientMessage):
    """Ask for a snapshot: what the client has does not match the checksum of an update."""

    type: Literal["resync"]


class Ping(ClientMessage):
    """Is anybody there?"""

    type: Literal["ping"]


Asked = Answer | Ask | Undo | Agree | Chat | AskHint
"""What only the owner of a seat may say."""
Said = Hello | Asked | Resync | Ping
FromClient = Annotated[Said, Field(discriminator="type")]
FROM_CLIENT: Final[TypeAdapter[Said]] = TypeAdapter(FromClient)


# --- what the server sends ------------------------------------------------------------------


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
    clock: int
    """Seconds that a seat has for a turn; 0 without a limit."""
    undo: bool
    """Whether choices may be taken back here."""
    chat: bool
    """Whether people may talk here."""
    created: float
    seats: list[SeatInfo]
    winners: list[int]
    rematch: str
    replay: bool
    """Whether the game can be seen again: it is over, and how it went is kept."""
    notice: Sentence | None
    """Something the players should know, such as a change of the rules."""


# --- what the server says -------------------------------------------------------------------


class Wishes(TypedDict):
    """What is remembered for the owner of a seat, and told to nobody else."""

    lang: str
    windows: Windows
    cards: list[str]
    """The cards for which windows are stopped at, with ``card``."""


class Clock(TypedDict):
    """Whose time is running where turns have a limit."""

    seat: int
    ends: float
    """When it is up, in seconds since 1970 by the server's clock; a bot then plays the turn on."""


class Wish(TypedDict):
    """Somebody wants to take a choice back, and the other people are asked."""

    number: int
    """Its name, for `Agree`."""
    seat: int
    agreed: list[int]
    """Which seats have agreed so far; one that refuses ends it."""


class Spoken(TypedDict):
    """Something said at the table."""

    number: int
    seat: int
    at: float
    """When, in seconds since 1970."""
    text: str
    """In the words of who said it."""
    phrase: str
    """Or one of the phrases; both are empty where the words were deleted."""


class Scene(TypedDict):
    """How things are: who sits there, and what is seen."""

    table: TableInfo
    view: View | None
    """None before the game begins."""
    number: int | None
    """Which of the seat's decisions is next: what an answer has to name."""
    wishes: Wishes | None
    """What the owner of the seat has set; None for spectators."""
    clock: Clock | None
    undo: Wish | None
    """A wish to take a choice back that is being asked about."""
    can_undo: bool
    """Whether this seat could take its last choice back, or ask for it."""
    hints: bool
    """Whether this seat may ask what a strong bot would choose: everybody else is a bot."""
    chances: list[float] | None
    """Each seat's chance to win as far as this seat can know; None where other people play."""


# --- what changed of a view -----------------------------------------------------------------


CardRef = int | None
"""A card by its id: its face is among the patch's ``faces``, else as the last view showed it.
``null`` is a hidden card."""


class KnownPatch(TypedDict):
    """A card of a deck that has been seen, and how deep it lies."""

    from_top: int
    card: CardRef


class PlayerPatch(TypedDict):
    """The changed fields of a player."""

    index: int
    vp: NotRequired[int]
    factions: NotRequired[list[str]]
    hand: NotRequired[list[CardRef]]
    hand_size: NotRequired[int]
    deck_size: NotRequired[int]
    deck_known: NotRequired[list[KnownPatch]]
    discard: NotRequired[list[CardRef]]
    aside: NotRequired[list[CardRef]]


class CardPatch(Face):
    """The changed fields of a card in play, or all of one that the last view did not show."""

    controller: NotRequired[int]
    buried: NotRequired[bool]
    power: NotRequired[int]
    power_parts: NotRequired[list[Part]]
    withheld: NotRequired[bool]
    cancelled: NotRequired[bool]
    counters: NotRequired[int]
    actions: NotRequired[list[int | CardPatch]]
    removed: NotRequired[list[str]]
    """Fields that it no longer has."""


class BasePatch(Face):
    """The changed fields of a base, or all of a new one."""

    serial: int
    breakpoint: NotRequired[int]
    total: NotRequired[int]
    totals: NotRequired[list[int]]
    places: NotRequired[list[Standing]]
    counters: NotRequired[int]
    cards: NotRequired[list[int | CardPatch]]
    """All cards there; those that have not changed by their id alone."""
    breakpoint_parts: NotRequired[list[Part]]
    side_power: NotRequired[list[SidePower]]
    removed: NotRequired[list[str]]


class OptionPatch(TypedDict):
    """One of the options of a decision (`Option`), with its card by id."""

    index: int
    label: Sentence
    declines: NotRequired[bool]
    verb: NotRequired[str]
    card: NotRequired[CardRef]
    host: NotRequired[int]
    base: NotRequired[int]
    extra: NotRequired[bool]
    player: NotRequired[int]
    mode: NotRequired[int]
    faction: NotRequired[str]


class DecisionPatch(TypedDict):
    """The pending choice (`DecisionView`), with cards by id."""

    player: int | None
    window: NotRequired[bool]
    purpose: NotRequired[Purpose]
    kind: NotRequired[str]
    question: NotRequired[Sentence]
    source: NotRequired[CardRef]
    subjects: NotRequired[list[int]]
    reason: NotRequired[Reason]
    options: NotRequired[list[OptionPatch]]
    picked: NotRequired[int]
    min: NotRequired[int]
    max: NotRequired[int]
    ordered: NotRequired[bool]


class ViewPatch(TypedDict, total=False):
    """The changed fields of a view (`smashup.server.live.view_patch`)."""

    faces: list[Face]
    """Cards that the last view did not show, or not like this."""
    you: int | None
    edition: str
    printing: str
    turn: int
    current: int
    first: int
    phase: str
    scoring: int | None
    players: list[PlayerPatch]
    """The players of whom something has changed."""
    bases: list[int | BasePatch]
    """All bases in order; those that have not changed by their serial alone."""
    base_deck_size: int
    base_deck_known: list[KnownPatch]
    base_discard: list[CardRef]
    madness_size: int
    limbo: list[CardRef]
    permissions: int
    plays: list[Plays]
    decision: DecisionPatch | None
    over: bool
    winners: list[int]


# --- snapshots and updates ------------------------------------------------------------------


class Contents(TypedDict):
    """What snapshots and updates both carry."""

    version: int
    lines: list[LogLineView]
    """The log: its last lines in a snapshot, the new ones in an update."""
    rewound: int | None
    """After a choice was undone: lines of the log from this number on no longer hold."""
    chat: list[Spoken]
    """What was said: the last of it in a snapshot, what is new in an update."""
    now: float
    """The server's clock when this was made, in seconds since 1970."""


class Snapshot(Scene, Contents):
    """Everything as it is now: the answer to a hello without a usable version, or to a resync."""

    type: Literal["snapshot"]
    stream: str
    seat: int | None


class SceneChanges(TypedDict, total=False):
    """What changed of how things are. Fields that are left out stay as they were."""

    table: TableInfo
    view: View | None
    """The whole view, where there was none before."""
    patch: ViewPatch
    """Else what changed of it."""
    number: int | None
    wishes: Wishes | None
    clock: Clock | None
    undo: Wish | None
    can_undo: bool
    hints: bool
    chances: list[float] | None


class Update(SceneChanges, Contents):
    """What is new since the version before."""

    type: Literal["update"]
    changes: list[EventView]
    """What happened since, card by card."""
    checksum: NotRequired[int]
    """That of the view after it (`view_patch.view_checksum`), unless sentences are translated."""


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
    decision: DecisionView | None
    outdated: bool
    """Whether the client speaks another version of the messages: the page has to be reloaded."""


class BaseAfter(TypedDict):
    """A base as it would be."""

    serial: int
    breakpoint: int
    total: int
    totals: list[int]
    places: list[Standing]


class Foretold(TypedDict):
    """How the table would stand right after an option was chosen."""

    complete: bool
    """Whether that would be all; else something more has to be chosen then."""
    bases: list[BaseAfter] | None
    """None where it depends on cards that the seat cannot know."""
    vp: list[int] | None


class Preview(Foretold):
    """What an option would bring about, for the seat that decides and asked."""

    type: Literal["preview"]
    id: str
    number: int
    option: int


class Opinion(TypedDict):
    """What a bot thinks of an option."""

    option: int
    chance: float
    """To win by choosing it."""
    visits: int
    """How often the bot tried it."""


class Hint(TypedDict):
    """What a strong bot would choose, knowing what the seat knows."""

    type: Literal["hint"]
    id: str
    number: int
    option: int
    """What it would choose."""
    opinions: list[Opinion]


ToClient = Snapshot | Update | Ack | Preview | Hint | Refusal
FromServer = Annotated[ToClient, Field(discriminator="type")]
FROM_SERVER: Final[TypeAdapter[ToClient]] = TypeAdapter(FromServer)
