"""The messages of a table's WebSocket.

Client messages are strictly validated models. Server messages are plain data; mypy checks their
types, and the tests validate what is sent. ``scripts/protocol_types.py`` generates the types of the
browser client from this module.
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
from smashup.server.errors import RefusalCode

PROTOCOL: Final = 2
"""The protocol version. It increases with every change that is incompatible with older pages."""
Language = Literal["en", "fr"]
MessageId = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
Secret = Annotated[str, Field(min_length=1, max_length=64)]
SpecialsPrompt = Literal["ask", "pass", "card", "always"]
"""When a player is asked in Specials windows: if there is something to play; never; for selected
cards only; or always, so that the time to answer reveals nothing."""
Phrase = Literal[
    "hello", "good_luck", "well_played", "thanks", "sorry", "oops", "nice_card", "ouch",
    "your_turn", "one_moment", "good_game", "again",
]  # fmt: skip
"""Chat phrases. Clients translate them."""
Count = Annotated[int, Field(ge=0, le=1_000_000)]


class ClientMessage(BaseModel):
    """A message from a client. The server replies with the same ``id``."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    id: MessageId


class Hello(ClientMessage):
    """The first message: the seat's secret, and the last update that the client has."""

    type: Literal["hello"]
    protocol: Count = 1
    """The protocol version of the client: `PROTOCOL`."""
    secret: Secret | None = None
    """The secret of a seat; without it, the client is a spectator."""
    stream: Annotated[str, Field(max_length=32)] | None = None
    version: Count | None = None
    """The version of the last update, and the stream it belongs to."""
    lang: Language | None = None
    """The server adds translations of all sentences in this language, as ``said``."""


class Answer(ClientMessage):
    """An answer to a decision. Several picks may be sent together: all of them count, or none."""

    type: Literal["answer"]
    number: Count
    """The number of the seat's decision, from the last update."""
    options: Annotated[list[Count], Field(min_length=1, max_length=60)]
    """Positions in the list of options, in the order of the picks."""
    done: bool = False
    """Whether to decline all further optional picks of this choice."""


class PreviewRequest(ClientMessage):
    """Request a preview of an option, without choosing it."""

    type: Literal["preview"]
    number: Count
    """The number of the seat's decision, from the last update."""
    option: Count


class Undo(ClientMessage):
    """Undo the player's last choice. Other people at the table have to agree."""

    type: Literal["undo"]
    number: Count
    """The number of the seat's next decision, from the last update."""


class UndoVote(ClientMessage):
    """Vote on an undo request. The player who made it can withdraw it with ``yes: false``."""

    type: Literal["agree"]
    wish: Count
    """The number of the request, from the last update."""
    yes: bool


class Chat(ClientMessage):
    """Send a chat message: free text, or a phrase that clients translate."""

    type: Literal["chat"]
    text: Annotated[str, Field(max_length=300)] = ""
    phrase: Phrase | None = None


class HintRequest(ClientMessage):
    """Request a hint from a strong bot. Only allowed if all other players are bots."""

    type: Literal["hint"]
    number: Count
    """The number of the seat's decision, from the last update."""


class Resync(ClientMessage):
    """Request a snapshot, because the client's view does not match the checksum of an update."""

    type: Literal["resync"]


class Ping(ClientMessage):
    """Check that the connection works."""

    type: Literal["ping"]


SeatMessage = Answer | PreviewRequest | Undo | UndoVote | Chat | HintRequest
"""Messages that only the owner of a seat may send."""
Incoming = Hello | SeatMessage | Resync | Ping
FromClient = Annotated[Incoming, Field(discriminator="type")]
FROM_CLIENT: Final[TypeAdapter[Incoming]] = TypeAdapter(FromClient)


# --- what the server sends ------------------------------------------------------------------


class SeatInfo(TypedDict):
    """The public information about a seat."""

    number: int
    kind: Literal["person", "bot", "open"]
    level: str
    name: str
    factions: list[str]
    ready: bool
    here: bool
    """Whether the owner is connected."""
    left: bool
    resigned: bool
    votes: list[int]
    """Seats that voted to replace this player with a bot."""


class TableInfo(TypedDict):
    """The public information about a table."""

    id: str
    state: Literal["open", "playing", "over"]
    listed: bool
    spectators: bool
    players: int
    mode: str
    """How factions are selected: random, choose or draft."""
    edition: str
    printing: str
    optional_titans: bool
    madness: bool
    clock: int
    """Time limit of a turn in seconds; 0: no limit."""
    undo: bool
    """Whether undo is enabled."""
    chat: bool
    """Whether chat is enabled."""
    created: float
    seats: list[SeatInfo]
    winners: list[int]
    rematch: str
    replay: bool
    """Whether a replay is available."""
    notice: Sentence | None
    """A notice for the players, such as a change of the rules."""


class SeatPreferences(TypedDict):
    """The settings of a seat's owner, visible only to them."""

    lang: str
    windows: SpecialsPrompt
    cards: list[str]
    """The cards for which the player is asked, with ``card``."""


class Clock(TypedDict):
    """The running clock of a table with a turn limit."""

    seat: int
    ends: float
    """When time runs out, in seconds since 1970 by the server's clock; a bot then takes over."""


class UndoRequestInfo(TypedDict):
    """A request to undo a choice, on which the other people vote."""

    number: int
    """The number to send in an `UndoVote`."""
    seat: int
    agreed: list[int]
    """Seats that have agreed so far. One refusal closes the request."""


class ChatMessage(TypedDict):
    """A chat message."""

    number: int
    seat: int
    at: float
    """The time in seconds since 1970."""
    text: str
    phrase: str
    """A phrase instead of text. Both are empty if the text was deleted."""


class SeatState(TypedDict):
    """The state of a table as a viewer may see it."""

    table: TableInfo
    view: View | None
    """None before the game starts."""
    number: int | None
    """The number of the seat's next decision, which an answer contains; None for spectators."""
    wishes: SeatPreferences | None
    """The settings of the seat's owner; None for spectators."""
    clock: Clock | None
    undo: UndoRequestInfo | None
    """The open undo request."""
    can_undo: bool
    """Whether this seat can undo its last choice, or request it."""
    hints: bool
    """Whether this seat may request hints: all other players are bots."""
    chances: list[float] | None
    """Each seat's win probability, estimated from what this seat knows; None if other people
    play."""


# --- patches of a view ----------------------------------------------------------------------


CardRef = int | None
"""The id of a card, whose face is in the patch's ``faces`` or in the last view; ``null`` for a
hidden card."""


class KnownPatch(TypedDict):
    """A known card of a deck and its depth."""

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
    """The changed fields of a card in play, or all fields of a card that is new in the view."""

    controller: NotRequired[int]
    buried: NotRequired[bool]
    power: NotRequired[int]
    power_parts: NotRequired[list[Part]]
    withheld: NotRequired[bool]
    cancelled: NotRequired[bool]
    counters: NotRequired[int]
    actions: NotRequired[list[int | CardPatch]]
    removed: NotRequired[list[str]]
    """Removed fields."""


class BasePatch(Face):
    """The changed fields of a base, or all fields of a new one."""

    serial: int
    breakpoint: NotRequired[int]
    total: NotRequired[int]
    totals: NotRequired[list[int]]
    places: NotRequired[list[Standing]]
    counters: NotRequired[int]
    cards: NotRequired[list[int | CardPatch]]
    """All cards at the base; unchanged ones as their id."""
    breakpoint_parts: NotRequired[list[Part]]
    side_power: NotRequired[list[SidePower]]
    removed: NotRequired[list[str]]


class OptionPatch(TypedDict):
    """An option of a decision, with its card as an id."""

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
    """The open decision (`DecisionView`), with cards as ids."""

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
    """Cards that are new in the view or look different."""
    you: int | None
    edition: str
    printing: str
    turn: int
    current: int
    first: int
    phase: str
    scoring: int | None
    players: list[PlayerPatch]
    """The players with changes."""
    bases: list[int | BasePatch]
    """All bases in order; unchanged ones as their serial."""
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


class UpdateContents(TypedDict):
    """The fields that snapshots and updates have in common."""

    version: int
    lines: list[LogLineView]
    """The last log lines in a snapshot; the new ones in an update."""
    rewound: int | None
    """After an undo: log lines from this number on are no longer valid."""
    chat: list[ChatMessage]
    """The last chat messages in a snapshot; the new ones in an update."""
    now: float
    """The server's time in seconds since 1970."""


class Snapshot(SeatState, UpdateContents):
    """The complete state: sent after a hello without a usable version, or after a resync."""

    type: Literal["snapshot"]
    stream: str
    seat: int | None


class SeatStateChanges(TypedDict, total=False):
    """The changed fields of a `SeatState`."""

    table: TableInfo
    view: View | None
    """The complete view, if there was none before."""
    patch: ViewPatch
    """Otherwise, its changes."""
    number: int | None
    wishes: SeatPreferences | None
    clock: Clock | None
    undo: UndoRequestInfo | None
    can_undo: bool
    hints: bool
    chances: list[float] | None


class Update(SeatStateChanges, UpdateContents):
    """The changes since the previous version."""

    type: Literal["update"]
    changes: list[EventView]
    """The events since then, for animations."""
    checksum: NotRequired[int]
    """The checksum of the new view (`view_patch.view_checksum`); missing if sentences are
    translated."""


class Ack(TypedDict):
    """A message was processed. An acknowledged answer is committed."""

    type: Literal["ack"]
    id: str
    number: int | None
    """After an answer: the number of the seat's next decision."""


class Refusal(TypedDict):
    """A message was refused. Nothing has changed."""

    type: Literal["refused"]
    id: str | None
    code: RefusalCode
    """Why, for programs."""
    reason: Sentence
    """Why, for people."""
    stale: bool
    """Whether the message answered a decision that is no longer open."""
    number: int | None
    decision: DecisionView | None
    """The decision that is open now."""
    outdated: bool
    """Whether the client uses another version of the protocol: the page has to be reloaded."""


class BasePreview(TypedDict):
    """A base after a previewed option."""

    serial: int
    breakpoint: int
    total: int
    totals: list[int]
    places: list[Standing]


class PreviewResult(TypedDict):
    """The table right after a previewed option."""

    complete: bool
    """Whether the option needs no further choices."""
    bases: list[BasePreview] | None
    """None if they depend on hidden cards."""
    vp: list[int] | None


class Preview(PreviewResult):
    """The reply to a `PreviewRequest`."""

    type: Literal["preview"]
    id: str
    number: int
    option: int


class OptionEstimate(TypedDict):
    """A bot's estimate of an option."""

    option: int
    chance: float
    """The win probability after choosing it."""
    visits: int
    """How often the bot tried it."""


class Hint(TypedDict):
    """The choice of a strong bot that knows only what the seat knows."""

    type: Literal["hint"]
    id: str
    number: int
    option: int
    """The option that the bot would choose."""
    opinions: list[OptionEstimate]


ToClient = Snapshot | Update | Ack | Preview | Hint | Refusal
FromServer = Annotated[ToClient, Field(discriminator="type")]
FROM_SERVER: Final[TypeAdapter[ToClient]] = TypeAdapter(FromServer)
