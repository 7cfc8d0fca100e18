"""The table's core: everything it holds, who is who, places, the log.

`Core` is the first layer of the table. The layers above add, one idea a file: which abilities are
in force (`abilities`), having players choose (`asking`), what is true (`queries`), where cards lie
(`zones`), how they leave play (`leaving`), what else changes (`verbs`), seeing hidden cards
(`looking`), what may be played (`moves`), rules that mend the table (`checks`), playing cards and
settling what they set off (`plays`), scoring, the turn, the opening, and driving the game from
outside (`game`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mypy_extensions import mypyc_attr

from smashup.engine.attempts import Attempt
from smashup.engine.changes import Change
from smashup.engine.decisions import Decision, Move, Several
from smashup.engine.events import Event, Frame, Source, Trigger
from smashup.engine.handles import Base, Card, Player
from smashup.engine.handles.card import NO_SITE
from smashup.engine.kinds import Kind
from smashup.engine.messages import (
    EVERYBODY,
    Entry,
    Message,
    base_name,
    card_name,
    player_name,
)
from smashup.engine.state import ANY_LIFE, Site, State
from smashup.engine.words import AT_BASE, BURIED, IN_MIDDLE, NONE, ON_CARD

if TYPE_CHECKING:
    from smashup.engine.catalogue import Catalogue
    from smashup.engine.dealing import Deal
    from smashup.engine.editions import Edition
    from smashup.engine.setup import Setup

Policy = Callable[[Decision], int]
"""Somebody who answers at once: takes a decision, returns the position of an option."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Director:
    """Somebody behind the curtain of a staged game: a scenario, a puzzle, a lesson."""

    def stack_decks(self, table: Core) -> None:
        """Lay decks in order, right after they were shuffled in set-up."""

    def moves(self) -> list[Move]:
        """Moves of the director's own, offered in every play menu."""
        return []

    def happen(self, table: Core, move: Move) -> None:
        """Do one of these moves."""


class Core:
    """The first layer of a table; see the module."""

    __slots__ = (
        "_bases",
        "_cancelling",
        "_doubtful",
        "_index",
        "_power",
        "_spots",
        "_spots_at",
        "_timings",
        "after_replacing",
        "answers",
        "arrivals",
        "attempts",
        "cards",
        "catalogue",
        "changes",
        "cursor",
        "destinations",
        "director",
        "edition",
        "entries",
        "found_at",
        "frames",
        "how",
        "last_host",
        "last_power",
        "last_site",
        "left_play",
        "logging",
        "next_bases",
        "on_trial",
        "pending",
        "players",
        "policy",
        "queues",
        "recording",
        "redeals",
        "scoring_used",
        "script",
        "seats",
        "setup",
        "several",
        "state",
        "tested",
        "titan_ids",
        "volatile_reads",
        "window",
    )  # fmt: skip

    def __init__(self, setup: Setup, catalogue: Catalogue) -> None:
        self.setup = setup
        self.catalogue = catalogue
        self.edition: Edition = setup.rules
        self.players = setup.players
        self.state = State(setup.players, setup.seed & 0xFFFFFFFFFFFFFFFF, setup.key)
        self.policy: Policy | None = None
        self.script: list[int] = []
        """Answers since the last checkpoint."""
        self.cursor = 0
        self.redeals: list[tuple[int, Deal, int]] = []
        """Where in the script hidden cards were redealt: position, cards, randomness."""
        self.recording = True
        self.answers: list[int] = []
        """Every answer since the game began."""
        self.pending: Decision | None = None
        self.several: Several | None = None
        """Set while one of several picks of one choice is asked for."""
        self.entries: list[Entry] = []
        self.changes: list[Change] = []
        """What has visibly happened; kept where a log is kept."""
        self.found_at: tuple[int, int, list[int]] = (NONE, NONE, [])
        """The card found last in a search of a deck, its place there, and the rest of the deck."""
        self.how = 0
        """Set while cards go somewhere in a way that has a name (destroyed, played)."""
        self.logging = True
        self.director: Director | None = None
        self.on_trial = False
        """Whether this is a copy on which a card is only tried."""
        self.attempts: list[Attempt] = []
        """Cards resolving that have yet to do what the right to play them demands."""
        self.destinations: dict[int, int] = {}
        """Where played actions go at step 5 of their resolution instead of the discard pile."""
        self.frames: list[Frame] = []
        self.queues: list[list[Trigger]] = []
        """Abilities waiting for their turn, of each card that is being settled."""
        self.arrivals: list[int] = []
        """Titans that came to a base and have not yet faced the ones there."""
        self.titan_ids: list[int] = []
        """The titans of this game."""
        self.window: Event | None = None
        """The scoring window that is open, before or after."""
        self.tested: Source | None = None
        """The ability whose condition is being asked."""
        self.scoring_used: set[tuple[int, int, Kind]] = set()
        """Abilities already used in the scoring window that is open."""
        self.next_bases: list[tuple[Trigger, int]] = []
        """Ways to bring the next base that texts have offered: (ability, base card)."""
        self.after_replacing: list[Trigger] = []
        """What waits for the replacement of the base being scored."""
        self.cards: list[Card] = []
        """A handle for each card."""
        self._bases: dict[int, Base] = {}
        self.seats = [Player(self, p) for p in (*range(setup.players), NONE)]
        """A handle for each player, and last the one for nobody, which `NONE` finds."""
        self._power: dict[int, int] = {}
        """Powers computed since the board last changed, but only those that follow from it alone:
        see `volatile_reads`."""
        self.volatile_reads = 0
        """How often card texts have read what may change while the board stays the same: hands,
        decks, discard piles, VP, the turn, the phase. A value found without such a read may be
        cached until the board changes; any other is computed each time."""
        self._timings: list[set[Kind]] | None = None
        """The cards of this game that may be played from hand as Specials, by their timing."""
        self._spots: dict[int, list[Move]] = {}
        """Plays at each base that were offered before, while the bases stay the same."""
        self._spots_at = (NONE, NONE)
        self._index: list[list[Source]] | None = None
        self._cancelling = False
        self._doubtful = False
        """Whether some ability may be lost or cancelled: then the index is made anew each time."""
        self.last_site: dict[int, int] = {}
        """Where cards that left play lately were, and how strong: what follows may need it."""
        self.last_power: dict[int, int] = {}
        self.last_host: dict[int, Card] = {}
        self.left_play: list[int] = []
        """Cards that ended a life lately: handles held since then may name a former one."""

    # --- handles: what card texts hold in their hands ---------------------------------------

    def card(self, c: int) -> Card:
        return self.cards[c]

    def base(self, serial: int) -> Base:
        handle = self._bases.get(serial)
        if handle is None:
            handle = Base(self, serial)
            self._bases[serial] = handle
        return handle

    def is_life(self, c: int, life: int) -> bool:
        """Whether a card is in the life that something was said of, or any life was meant."""
        return life in (ANY_LIFE, self.state.lives[c])

    def begin_life(self, c: int) -> None:
        """A card comes into play. One that has left play lately is another card from now on.

        Whoever still holds the old handle means the card that left.
        """
        old = self.cards[c]
        departure = old._departure
        if departure is not None:
            old.former = True
            departure.site = self.last_site.get(c, NO_SITE)
            departure.power = self.last_power.get(c, self.state.kind[c].power)
            departure.host = self.last_host.get(c)
            self.cards[c] = Card(self, c)

    def _renew_handles(self) -> None:
        """No ability is running: handles held by one are gone, and each card has its own again."""
        for c in self.left_play:
            self.cards[c]._departure = None
        self.left_play = []

    def seat(self, player: int) -> Player:
        """A player's handle; nobody's (who controls base cards) for `NONE`."""
        return self.seats[player]

    def clockwise(self, start: int) -> list[int]:
        """All players in clockwise order from one of them."""
        n = self.players
        return [(start + i) % n for i in range(n)]

    # --- places -----------------------------------------------------------------------------

    def site_serial(self, c: int) -> int:
        """The serial of the site a card is at; that of its last one if it left play lately."""
        s = self.state
        zone = s.zone[c]
        if zone in (AT_BASE, BURIED, IN_MIDDLE):
            return s.place[c]
        if zone == ON_CARD:
            return self.site_serial(s.place[c])
        return self.last_site.get(c, NONE)

    def site(self, serial: int) -> Site | None:
        return self.state.site_at.get(serial)

    def in_play(self, c: int) -> bool:
        return self.state.zone[c] in (AT_BASE, ON_CARD, IN_MIDDLE, BURIED)

    # --- the log ----------------------------------------------------------------------------

    def log(self, text: str, seen_by: int = EVERYBODY, **args: Any) -> None:
        """Write a line. Running a card again writes no line twice: lines are numbered."""
        number = self.state.event_count
        self.state.event_count = number + 1
        if number < len(self.entries):
            return
        self.entries.append(Entry(number, Message(text, args), seen_by))

    def note(self, change: Change) -> None:
        """Keep something that happened for those who show it; as lines of the log, only once."""
        number = self.state.change_count
        self.state.change_count = number + 1
        if number >= len(self.changes):
            self.changes.append(change)

    def name(self, c: int) -> Any:
        return card_name(self, c)

    def base_name(self, serial: int) -> Any:
        return base_name(self, serial)

    def player_name(self, p: int) -> Any:
        return player_name(p)

    def label_options(self, decision: Decision) -> list[Message]:
        """What the options of a decision mean; the layer that drives the game puts it in words."""
        raise NotImplementedError

    def describe_asker(self, decision: Decision) -> Message | None:
        """Which card asks, where several of its name might; also put in words further up."""
        raise NotImplementedError
