"""What the lobby is asked and what it answers, over HTTP: described once, for OpenAPI too."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from smashup.analysis.report import GameReport
from smashup.engine.model.decisions import Purpose
from smashup.engine.model.definitions import Keyword
from smashup.engine.views.types import Sentence
from smashup.rules.lesson import LessonAdvice
from smashup.server.live.protocol import Language, Secret, TableInfo, Windows

Level = Literal["easy", "normal", "hard", "expert"]
TABLE_ID: Final = r"^[A-Za-z0-9_-]{1,32}$"
"""Anything else cannot be the id of a table, and the database is not asked for it."""
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
"""From a minute a turn to a week a turn."""


class Form(BaseModel):
    """Something sent to the lobby: only what is known, and nothing converted."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class SeatForm(Form):
    """A seat of a new table."""

    kind: Literal["me", "open", "bot"]
    """The founder (more than once to pass one screen around), a free seat, or a bot."""
    level: BotName = "normal"
    name: PersonName = ""
    factions: Factions = []


class TableForm(Form):
    """A new table."""

    seats: Annotated[list[SeatForm], Field(min_length=2, max_length=4)]
    mode: Literal["random", "choose", "draft"] = "random"
    """Factions at random, chosen by each seat (the rest at random), or drafted."""
    edition: EditionKey = "CS"
    printing: Printing = "printed"
    optional_titans: bool = False
    madness: bool = False
    listed: bool = False
    """Whether the lobby shows it; else it is found by its link only."""
    spectators: bool = True
    clock: Clock = 0
    """Seconds that a seat has for each of its turns; 0 without a limit."""
    undo: bool = True
    """Whether choices may be taken back."""
    chat: bool = True
    """Whether people may talk."""
    lang: Language = "en"


class JoinForm(Form):
    """Somebody who sits down."""

    seat: SeatNumber | None = None
    """Which seat; without it, the first that is free."""
    name: PersonName = ""
    lang: Language = "en"
    factions: Factions = []


class SeatSettings(Form):
    """What the owner of a seat may change at any time; what is left out stays."""

    name: PersonName | None = None
    lang: Language | None = None
    windows: Windows | None = None
    cards: Annotated[list[CardName], Field(max_length=40)] | None = None
    """The cards for which windows are stopped at, with ``card``."""


class ReplaceForm(Form):
    """A bot for the seat of somebody who is gone."""

    level: Level = "normal"


class BranchForm(Form):
    """Play on from a step of a finished game, against bots."""

    step: Annotated[int, Field(ge=0, le=1_000_000)]
    seat: SeatNumber
    level: Level = "normal"
    """How strong the bots in the other seats are."""
    shuffle: bool = True
    """Whether all that the seat could not know is dealt anew, at the last play menu."""
    name: PersonName = ""
    lang: Language = "en"


class ReportForm(Form):
    """Something that who runs the server should know."""

    kind: Literal["bug", "chat"]
    """A mistake of the game, or something that somebody said."""
    text: Annotated[str, Field(max_length=2000)] = ""
    said: Annotated[int, Field(ge=0)] | None = None
    """The number of what was said, for ``chat``."""


class Reported(BaseModel):
    """A report was taken."""

    id: str
    scenario: str
    """The table as the reporter saw it, hidden cards left out, for ``smashup scenario``."""


class SeatTaken(BaseModel):
    """A seat and its secret. The secret is told this once."""

    seat: int
    secret: Secret


class Seated(BaseModel):
    """A table at which somebody has just sat down."""

    table: TableInfo
    seats: list[SeatTaken]


class TableAnswer(BaseModel):
    """A table as it is now."""

    table: TableInfo


class Lobby(BaseModel):
    """The tables that are shown to everybody."""

    tables: list[TableInfo]


class AnalysisProgress(BaseModel):
    """The analysis of a finished game, as far as it is."""

    done: int
    """Choices of the game that were reviewed."""
    total: int
    """0 if nobody asked for an analysis yet."""
    report: GameReport | None


class Problem(BaseModel):
    """Why something was not done, in a sentence."""

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
    """Something to choose by its name: a printing, the level of a bot."""

    name: str
    about: Sentence


class Meta(BaseModel):
    """What tables can be made of."""

    version: str
    languages: list[str]
    factions: list[FactionInfo]
    editions: list[EditionInfo]
    default_edition: str
    printings: list[Choice]
    levels: list[Choice]
    beat: float
    """Seconds that a window for Specials lasts at least, where two people or more play."""


class CardInfo(BaseModel):
    """A card, base or titan as printed."""

    name: str
    type: str
    text: str
    keywords: list[Keyword]
    """What its text contains: kinds of abilities, counters, extra plays."""
    copies: int
    power: int
    on: str
    """Where an action is played: base, minion, or empty."""
    breakpoint: int
    vp: list[int]
    optional: bool
    special: bool
    """Whether it may be played from hand in a window for Specials."""
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
    """A language: English texts and what stands for them."""

    lang: str
    phrases: dict[str, str]


class Rule(BaseModel):
    """A rule, in the words of the reference: a text with a little markup (`smashup.rules`)."""

    id: str
    title: str
    text: str
    example: str
    editions: dict[str, str]
    """How it is in some editions, by their keys."""
    terms: list[str]
    see: list[str]


class RuleChapter(BaseModel):
    """Rules that belong together."""

    id: str
    title: str
    rules: list[Rule]


class Rulebook(BaseModel):
    """The reference in a language, and which rules are behind decisions and lines of the log."""

    lang: str
    chapters: list[RuleChapter]
    purposes: dict[Purpose, list[str]]
    """By the purpose of a decision."""
    cards: dict[str, dict[Purpose, list[str]]]
    """By the card that asks and the purpose, where more is known than the purpose says."""
    events: dict[str, list[str]]
    """By the event that a line of the log tells of."""
    otherwise: list[str]
    """For other log lines."""


class Ruling(BaseModel):
    """A case about a card that the tests of the rules settle, in English."""

    id: str
    title: str


class Rulings(BaseModel):
    """Settled cases, by the names of the cards they are about."""

    cards: dict[str, list[Ruling]]


class TutorialForm(Form):
    """Somebody who wants to be taught."""

    name: PersonName = ""
    lang: Language = "en"


class TutorialPlan(BaseModel):
    """How the first game is meant to go: what the learner is advised to choose, turn by turn."""

    advice: dict[int, list[LessonAdvice]]
    """By turn: options by what they refer to; the first one on offer is meant."""


class Lesson(BaseModel):
    """A table on which the first game is taught."""

    table: TableInfo
    seats: list[SeatTaken]
