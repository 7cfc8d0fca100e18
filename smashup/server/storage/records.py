"""What is kept of a table: plain data, as the store writes and reads it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

PERSON: Final = "person"
BOT: Final = "bot"
OPEN: Final = "open"

WAITING: Final = "open"
"""A table at which seats are free, or somebody has not agreed to a rematch yet."""
PLAYING: Final = "playing"
OVER: Final = "over"

# What a seat wants done with windows for Specials, whatever it holds.
ASK: Final = "ask"
"""Be asked wherever there is something to play."""
PASS: Final = "pass"
"""Pass in all of them."""
FOR_CARDS: Final = "card"
"""Be asked where one of a few named cards can be played, and pass elsewhere."""
ALWAYS: Final = "always"
"""Be asked even with nothing to play: nobody can tell from the time it takes."""


@dataclass
class SeatRecord:
    """One seat: who sits there, and what they want."""

    number: int
    kind: str = OPEN
    level: str = ""
    """How strong the bot is; kept while a person sits there for when a bot takes over."""
    name: str = ""
    lang: str = "en"
    windows: str = ASK
    stops: list[str] = field(default_factory=list)
    """The names of the cards for which windows are stopped at, if only for these."""
    secret: str = ""
    """The hash of the secret of who owns the seat; empty for a seat without an owner."""
    factions: list[str] = field(default_factory=list)
    ready: bool = False
    """Whether its owner is willing to begin."""
    left: bool = False
    """Whether its owner has said goodbye, and not come back."""
    resigned: bool = False
    votes: dict[str, str] = field(default_factory=dict)
    """Who agreed to put a bot here, by seat number, and of which level."""


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
    """The game began: its setup is known."""
    FORGET = "forget"
    """The operator deleted names or words: workers read the table again."""
    RESUME = "resume"
    """The game went on from a snapshot, because the rules had changed."""
    CLOCK = "clock"
    """A seat ran out of time."""
    OVER = "over"
    """The game ended without an answer, for instance because a player resigned."""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One entry of a table's log. It is never changed and never removed while the table exists."""

    number: int
    """0, 1, 2 and so on at each table. The first worker to commit a number wins."""
    kind: EntryKind
    seat: int | None = None
    message_id: str = ""
    """The client's id of the message that caused it; empty for bots and the server."""
    data: dict[str, Any] = field(default_factory=dict)
    """What the kind needs; the storage does not look into it."""

    @property
    def option(self) -> int:
        """What was chosen, in an answer."""
        option: int = self.data["option"]
        return option

    @property
    def undo_count(self) -> int:
        """How many of the answers before it an undo takes back; 0 for other entries."""
        return int(self.data["count"]) if self.kind is EntryKind.UNDO else 0


@dataclass
class StoredSnapshot:
    """The table at its last play menu, from which other rules could go on."""

    at: int
    """How many answers had been given."""
    digest: str
    facts: dict[str, Any]


@dataclass
class TableRecord:
    """A table without its seats and answers."""

    id: str
    options: dict[str, Any]
    """What its founder asked for."""
    created: float
    listed: bool = False
    state: str = WAITING
    setup: dict[str, Any] | None = None
    """Set when the game begins."""
    start: dict[str, Any] = field(default_factory=dict)
    """The snapshot from which the game went on after a change of the rules."""
    start_at: int = 0
    """How many answers lie before that."""
    rules: str = ""
    """The version of the rules it was last played by."""
    winners: list[int] = field(default_factory=list)
    rematch: str = ""
    """The table at which it is played again."""
    clock: dict[str, Any] = field(default_factory=dict)
    """Where a turn has a time limit: whose time runs, since when, and what is left."""
    due_at: float | None = None
    """When a bot move, an automatic pass or a clock is due; None if only a person can act."""


@dataclass(frozen=True)
class ChatRecord:
    """Something said at a table."""

    number: int
    seat: int
    at: float
    text: str = ""
    """In the words of who said it; empty once these are deleted."""
    phrase: str = ""
    """One of the phrases that everybody reads in their own language."""
    message_id: str = ""
    """The client's id of the message: sent twice, it counts once."""


@dataclass(frozen=True)
class ReportRecord:
    """What somebody reported to who runs the server: a mistake, or something said."""

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
    """Seats whose player is connected, to whichever worker."""


@dataclass
class StoredChanges:
    """What a worker reads to catch up with a table it has in memory."""

    table: TableRecord
    seats: list[SeatRecord]
    entries: list[LogEntry]
    """The entries that the worker does not have yet."""
    chat: list[ChatRecord]
    """The chat lines that it does not have yet."""
    present: set[int] = field(default_factory=set)
