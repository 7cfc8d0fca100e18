"""Requests and responses of the HTTP API."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from smashup.analysis.report import GameReport
from smashup.engine.model.decisions import Purpose
from smashup.engine.model.definitions import Keyword
from smashup.engine.views.types import Sentence
from smashup.puzzles.explanation import SolutionStep
from smashup.puzzles.goals import GoalKind
from smashup.puzzles.model import Difficulty
from smashup.rules.lesson import LessonAdvice
from smashup.server.errors import RefusalCode
from smashup.server.live.protocol import Language, Secret, SpecialsPrompt, TableInfo

Level = Literal["easy", "normal", "hard", "expert"]
TABLE_ID: Final = r"^[A-Za-z0-9_-]{1,32}$"
"""Other ids are refused without a database query."""
BotName = Annotated[str, Field(pattern=r"^[\w-]{1,40}$")]
"""A level, or a bot that the operator has added."""
EditionKey = Literal["SB", "CD", "BIJ", "II", "CS"]
Printing = Literal["printed", "current"]
PersonName = Annotated[str, Field(max_length=40)]
FactionName = Annotated[str, Field(min_length=1, max_length=60)]
CardName = Annotated[str, Field(min_length=1, max_length=60)]
Factions = Annotated[list[FactionName], Field(max_length=2)]
SeatNumber = Annotated[int, Field(ge=0, le=3)]
Clock = Literal[0, 60, 120, 300, 900, 86_400, 259_200, 604_800]
"""Turn limit in seconds, from a minute to a week; 0: no limit."""


class Form(BaseModel):
    """The body of a request: no unknown fields, no type conversion."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class SeatForm(Form):
    """A seat of a new table."""

    kind: Literal["me", "open", "bot"]
    """A seat of the player who creates the table (several for hotseat play), a free seat, or a
    bot."""
    level: BotName = "normal"
    name: PersonName = ""
    factions: Factions = []


class TableForm(Form):
    """A new table."""

    seats: Annotated[list[SeatForm], Field(min_length=2, max_length=4)]
    mode: Literal["random", "choose", "draft"] = "random"
    """Random factions, factions chosen by each player (the rest at random), or a draft."""
    edition: EditionKey = "CS"
    printing: Printing = "printed"
    optional_titans: bool = False
    madness: bool = False
    listed: bool = False
    """Whether the lobby lists the table; otherwise players need its link."""
    spectators: bool = True
    clock: Clock = 0
    """Time limit of each turn in seconds; 0: no limit."""
    undo: bool = True
    """Whether players can undo choices."""
    chat: bool = True
    """Whether chat is enabled."""
    lang: Language = "en"


class JoinForm(Form):
    """A player who joins a table."""

    seat: SeatNumber | None = None
    """The seat number; without it, the first free seat."""
    name: PersonName = ""
    lang: Language = "en"
    factions: Factions = []


class SeatSettings(Form):
    """Settings that the owner of a seat can change; omitted fields stay unchanged."""

    name: PersonName | None = None
    lang: Language | None = None
    windows: SpecialsPrompt | None = None
    cards: Annotated[list[CardName], Field(max_length=40)] | None = None
    """The cards for which the player is asked, with ``card``."""


class ReplaceForm(Form):
    """A vote to replace an absent player with a bot."""

    level: Level = "normal"


class BranchForm(Form):
    """A new game against bots from a step of a finished one."""

    step: Annotated[int, Field(ge=0, le=1_000_000)]
    seat: SeatNumber
    level: Level = "normal"
    """The level of the bots in the other seats."""
    shuffle: bool = True
    """Whether to redeal all cards that the seat could not know, at the last play menu."""
    name: PersonName = ""
    lang: Language = "en"


class ReportForm(Form):
    """A report to the operator of the server."""

    kind: Literal["bug", "chat"]
    """A bug of the game, or a chat message."""
    text: Annotated[str, Field(max_length=2000)] = ""
    said: Annotated[int, Field(ge=0)] | None = None
    """The number of the chat message, for ``chat``."""


class Reported(BaseModel):
    """A report that was stored."""

    id: str
    scenario: str
    """The table as the reporter saw it, without hidden cards, for ``smashup scenario``."""


class SeatTaken(BaseModel):
    """A seat and its secret, which the server sends only once."""

    seat: int
    secret: Secret


class Seated(BaseModel):
    """A table with the seats that the client has just taken."""

    table: TableInfo
    seats: list[SeatTaken]


class TableResponse(BaseModel):
    """The current state of a table."""

    table: TableInfo


class Lobby(BaseModel):
    """The tables that the lobby lists."""

    tables: list[TableInfo]


class AnalysisProgress(BaseModel):
    """The progress and result of the analysis of a finished game."""

    done: int
    """Reviewed choices."""
    total: int
    """All choices; 0 if no analysis was requested."""
    report: GameReport | None


class Problem(BaseModel):
    """Why the server refused a request: a code for programs and a sentence for people."""

    code: RefusalCode
    reason: Sentence


class FactionInfo(BaseModel):
    """A faction to choose."""

    name: str
    set_name: str
    blurb: str
    colors: list[str]
    """The main color and the accent; empty if the faction sets none."""
    icon: str


class EditionInfo(BaseModel):
    """A rulebook to play by."""

    key: str
    title: str
    year: int
    about: Sentence


class Choice(BaseModel):
    """A named option: a printing or the level of a bot."""

    name: str
    about: Sentence


class Meta(BaseModel):
    """The options for new tables."""

    version: str
    languages: list[str]
    factions: list[FactionInfo]
    editions: list[EditionInfo]
    default_edition: str
    printings: list[Choice]
    levels: list[Choice]
    beat: float
    """Minimum duration of a Specials window in seconds, at tables with two or more people."""


class CardInfo(BaseModel):
    """A card, base or titan as printed."""

    name: str
    type: str
    text: str
    keywords: list[Keyword]
    """Keywords for searching: kinds of abilities, counters, extra plays."""
    copies: int
    power: int
    on: str
    """Where an action is played: base, minion, or empty."""
    breakpoint: int
    vp: list[int]
    optional: bool
    special: bool
    """Whether it can be played from hand in a Specials window."""
    icon: str
    """The picture that a plug-in faction sets; empty for the client's own."""


class Deck(BaseModel):
    """The cards of a faction."""

    faction: str
    cards: list[CardInfo]
    bases: list[CardInfo]
    titans: list[CardInfo]


class Cards(BaseModel):
    """All cards of a printing."""

    printing: str
    decks: list[Deck]


class Phrases(BaseModel):
    """The translations of English texts into a language."""

    lang: str
    phrases: dict[str, str]


class Rule(BaseModel):
    """A rule of the reference: a text with simple markup (`smashup.rules`)."""

    id: str
    title: str
    text: str
    example: str
    editions: dict[str, str]
    """Differences in some editions, by their keys."""
    terms: list[str]
    see: list[str]


class RuleChapter(BaseModel):
    """A chapter of the rules reference."""

    id: str
    title: str
    rules: list[Rule]


class Rulebook(BaseModel):
    """The rules reference in a language, and the rules for decisions and log lines."""

    lang: str
    chapters: list[RuleChapter]
    purposes: dict[Purpose, list[str]]
    """By the purpose of a decision."""
    cards: dict[str, dict[Purpose, list[str]]]
    """By the card that asks and the purpose, for cards with more specific rules."""
    events: dict[str, list[str]]
    """By the event of a log line."""
    otherwise: list[str]
    """For other log lines."""


class Ruling(BaseModel):
    """A ruling about a card, in English."""

    id: str
    title: str


class Rulings(BaseModel):
    """All rulings by card name."""

    cards: dict[str, list[Ruling]]


class TutorialForm(Form):
    """A player who starts the tutorial."""

    name: PersonName = ""
    lang: Language = "en"


class TutorialPlan(BaseModel):
    """The plan of the tutorial: the advised choices of the learner, by turn."""

    advice: dict[int, list[LessonAdvice]]
    """By turn: descriptions of options; the first available one is advised."""


class Lesson(BaseModel):
    """The table of the tutorial."""

    table: TableInfo
    seats: list[SeatTaken]


class PuzzleForm(Form):
    """A player who starts a puzzle."""

    name: PersonName = ""
    lang: Language = "en"


class PuzzleInfo(BaseModel):
    """A puzzle, without its position and its solution."""

    id: str
    goal: Sentence
    kind: GoalKind
    player: int
    """The seat of the solver."""
    factions: list[list[str]]
    """By seat."""
    difficulty: Difficulty
    plays: int
    """Cards played and talents used in the solution."""


class Puzzles(BaseModel):
    """All puzzles."""

    puzzles: list[PuzzleInfo]


class DailyPuzzle(BaseModel):
    """The puzzle of the day."""

    date: str
    """The day in UTC, such as 2026-11-18."""
    puzzle: str
    """Its id."""


class PuzzleHint(BaseModel):
    """A hint for a puzzle."""

    hint: Sentence
    more: int
    """How many more hints there are."""


class PuzzleSolution(BaseModel):
    """The solution of a puzzle, with what happens after each choice."""

    steps: list[SolutionStep]


class PuzzleStatus(BaseModel):
    """Whether the puzzle at a table is solved."""

    puzzle: str
    outcome: Literal["open", "solved", "failed"]
