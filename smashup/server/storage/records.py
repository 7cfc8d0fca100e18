"""The stored data of a table, as plain records."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

PERSON: Final = "person"
BOT: Final = "bot"
OPEN: Final = "open"

WAITING: Final = "open"
"""A table with free seats, or with players who have not agreed to a rematch yet."""
PLAYING: Final = "playing"
OVER: Final = "over"

# When a player is asked in Specials windows.
ASK: Final = "ask"
"""If there is something to play."""
PASS: Final = "pass"
"""Never: pass in all windows."""
FOR_CARDS: Final = "card"
"""If one of the selected cards can be played."""
ALWAYS: Final = "always"
"""Always, so that the time to answer reveals nothing."""


@dataclass
class SeatRecord:
    """A seat: its owner or bot, and the owner's settings."""

    number: int
    kind: str = OPEN
    level: str = ""
    """The level of the bot; for a person, of the bot that would take over."""
    name: str = ""
    lang: str = "en"
    windows: str = ASK
    stop_cards: list[str] = field(default_factory=list)
    """The names of the cards for which the player is asked, with `FOR_CARDS`."""
    secret: str = ""
    """The hash of the owner's secret; empty for a seat without an owner."""
    factions: list[str] = field(default_factory=list)
    ready: bool = False
    """Whether the owner is ready to start."""
    left: bool = False
    """Whether the owner has left and not returned."""
    resigned: bool = False
    votes: dict[str, str] = field(default_factory=dict)
    """Votes to replace the owner with a bot: seat numbers, with the level of the bot."""


class EntryKind(StrEnum):
    """What an entry of a table's log records."""

    ANSWER = "answer"
    """A seat, a bot or the server answered a decision."""
    UNDO = "undo"
    UNDO_REQUEST = "undo_request"
    UNDO_VOTE = "undo_vote"
    SEATS = "seats"
    """Seats or the table's options changed."""
    START = "start"
    """The game started."""
    FORGET = "forget"
    """The operator deleted personal data: workers load the table again."""
    RESUME = "resume"
    """The game continued from a snapshot, because the rules had changed."""
    CLOCK = "clock"
    """A seat ran out of time."""
    OVER = "over"
    """The game ended without an answer, for instance because a player resigned."""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """An entry of a table's log, which is never changed or removed while the table exists."""

    number: int
    """Consecutive numbers from 0 at each table. The first worker to commit a number wins."""
    kind: EntryKind
    seat: int | None = None
    message_id: str = ""
    """The client's message id; empty for bots and the server."""
    data: dict[str, Any] = field(default_factory=dict)
    """Data that depends on the kind."""

    @property
    def option(self) -> int:
        """The chosen option of an answer."""
        option: int = self.data["option"]
        return option

    @property
    def undo_count(self) -> int:
        """The number of answers that an undo takes back; 0 for other entries."""
        return int(self.data["count"]) if self.kind is EntryKind.UNDO else 0


@dataclass
class StoredSnapshot:
    """The last play menu of a game, from which it continues if the rules change."""

    at: int
    """The number of log entries before it."""
    digest: str
    facts: dict[str, Any]


@dataclass
class TableRecord:
    """A table without its seats and log."""

    id: str
    options: dict[str, Any]
    """The options of the creator."""
    created: float
    listed: bool = False
    state: str = WAITING
    setup: dict[str, Any] | None = None
    """Set when the game starts."""
    start: dict[str, Any] = field(default_factory=dict)
    """The snapshot from which the game continued after a change of the rules."""
    start_at: int = 0
    """The number of log entries before that snapshot."""
    rules: str = ""
    """The version of the rules."""
    winners: list[int] = field(default_factory=list)
    rematch: str = ""
    """The id of the rematch table."""
    clock: dict[str, Any] = field(default_factory=dict)
    """The turn clock (`TurnClock.to_json`); empty without a limit."""
    due_at: float | None = None
    """When a bot move, an automatic pass or a clock is due; None if only a person can act."""


@dataclass(frozen=True)
class ChatRecord:
    """A chat message."""

    number: int
    seat: int
    at: float
    text: str = ""
    """Free text; empty for a phrase, or if it was deleted."""
    phrase: str = ""
    """A phrase that clients translate."""
    message_id: str = ""
    """The client's message id: a repeated message counts once."""


@dataclass(frozen=True)
class ReportRecord:
    """A report to the operator: a bug or a chat message."""

    id: str
    created: float
    table_id: str
    kind: str
    facts: dict[str, Any]


@dataclass
class StoredTable:
    """Everything the database has about a table, except its replay."""

    table: TableRecord
    seats: list[SeatRecord]
    entries: list[LogEntry] = field(default_factory=list)
    snapshot: StoredSnapshot | None = None
    chat: list[ChatRecord] = field(default_factory=list)
    present: set[int] = field(default_factory=set)
    """Seats whose owner is connected to another worker."""


@dataclass
class StoredChanges:
    """What a worker reads to catch up with a table it has in memory."""

    table: TableRecord
    seats: list[SeatRecord]
    entries: list[LogEntry]
    """The entries that the worker does not have yet."""
    chat: list[ChatRecord]
    """The chat messages that the worker does not have yet."""
    present: set[int] = field(default_factory=set)
