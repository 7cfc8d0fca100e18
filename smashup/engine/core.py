"""The table's core: asking players, the stack of resolving cards, abilities in force, the log.

`Core` is the first layer of the table. The layers above add, one idea a file: what is true
(`queries`), where cards lie (`zones`), how they leave play (`leaving`), what else changes
(`verbs`), seeing hidden cards (`looking`), what may be played (`moves`), rules that mend the table
(`checks`), playing cards and settling what they set off (`plays`), scoring, the turn, the opening,
and driving the game from outside (`game`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mypy_extensions import mypyc_attr

from smashup.engine.attempts import Attempt, Index
from smashup.engine.changes import Change
from smashup.engine.decisions import (
    CARDS,
    PLAYERS,
    SITES,
    TRIGGERS,
    WORDS,
    Decision,
    Move,
    Several,
)
from smashup.engine.errors import Divergence, IllegalChoice
from smashup.engine.events import Cause, Event, Frame, Source, Trigger
from smashup.engine.handles import Base, Card, Player
from smashup.engine.kinds import CONDITIONS, H_CANCELS, H_SHOWS_TOP_BASE, H_SPECIAL, HOOKS, Kind
from smashup.engine.messages import (
    EVERYBODY,
    HIDDEN,
    Entry,
    Message,
    base_name,
    card_name,
    player_name,
)
from smashup.engine.state import LOST_ABILITIES, Effect, Site, State
from smashup.engine.words import (
    AT_BASE,
    BASE,
    BURIED,
    IN_MIDDLE,
    NONE,
    ON_CARD,
    START_OF_NEXT,
    TYPE_NAMES,
)  # fmt: skip

if TYPE_CHECKING:
    from smashup.engine.catalogue import Catalogue
    from smashup.engine.editions import Edition
    from smashup.engine.setup import Setup

Policy = Callable[[Decision], int]
"""Somebody who answers at once: takes a decision, returns the position of an option."""


class Waiting(Exception):
    """Raised to leave a running card when nobody has answered yet. Never seen outside."""


RULES = Cause(-1, -1, 0, False)


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


_CANCELS = 1 << H_CANCELS
_CHANGEABLE = _CANCELS | 1 << H_SHOWS_TOP_BASE
"""Abilities that change which others are in force: then nothing is remembered for long."""
_SPECIAL = 1 << H_SPECIAL
_NOBODY_LISTENS: list[Source] = []
_NO_KINDS: set[Kind] = set()
_BITS: dict[int, list[int]] = {}


def _bits(hooks: int) -> list[int]:
    """The positions set in a set of abilities, remembered for each set."""
    found = _BITS.get(hooks)
    if found is None:
        found = _BITS[hooks] = [i for i in range(len(HOOKS)) if hooks >> i & 1]
    return found


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
        "director",
        "edition",
        "entries",
        "frames",
        "how",
        "last_host",
        "last_power",
        "last_site",
        "logging",
        "next_bases",
        "on_trial",
        "pending",
        "players",
        "policy",
        "recording",
        "redeals",
        "scoring_used",
        "script",
        "seats",
        "setup",
        "several",
        "state",
        "titan_ids",
        "window",
    )  # fmt: skip

    def __init__(self, setup: Setup, catalogue: Catalogue) -> None:
        self.setup = setup
        self.catalogue = catalogue
        self.edition: Edition = setup.rules
        self.players = setup.players
        self.state = State(setup.players, setup.seed & 0xFFFFFFFFFFFFFFFF)
        self.policy: Policy | None = None
        self.script: list[int] = []
        """Answers since the last checkpoint."""
        self.cursor = 0
        self.redeals: list[tuple[int, list[Kind], list[int], int]] = []
        """Where in the script hidden cards were dealt anew: position, kinds, owners, randomness."""
        self.recording = True
        self.answers: list[int] = []
        """Every answer since the game began."""
        self.pending: Decision | None = None
        self.several: Several | None = None
        """Set while one of several picks of one choice is asked for."""
        self.entries: list[Entry] = []
        self.changes: list[Change] = []
        """What has visibly happened; kept where a log is kept."""
        self.how = 0
        """Set while cards go somewhere in a way that has a name (destroyed, played)."""
        self.logging = True
        self.director: Director | None = None
        self.on_trial = False
        """Whether this is a copy on which a card is only tried."""
        self.attempts: list[Attempt] = []
        """Cards resolving that have yet to do what the right to play them demands."""
        self.frames: list[Frame] = []
        self.arrivals: list[int] = []
        """Titans that came to a base and have not yet faced the ones there."""
        self.titan_ids: list[int] = []
        """The titans of this game."""
        self.window: Event | None = None
        """The scoring window that is open, before or after."""
        self.scoring_used: set[tuple[int, int]] = set()
        """Abilities already used in the scoring window that is open."""
        self.next_bases: list[tuple[int, int]] = []
        """Ways to bring the next base that texts have offered: (card, base card)."""
        self.after_replacing: list[Trigger] = []
        """What waits for the replacement of the base being scored."""
        self.cards: list[Card] = []
        """A handle for each card."""
        self._bases: dict[int, Base] = {}
        self.seats = [Player(self, p) for p in (*range(setup.players), NONE)]
        """A handle for each player, and last the one for nobody, which `NONE` finds."""
        self._power: dict[int, int] = {}
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
        self.last_host: dict[int, int] = {}

    # --- handles: what card texts hold in their hands ---------------------------------------

    def card(self, c: int) -> Card:
        return self.cards[c]

    def base(self, serial: int) -> Base:
        handle = self._bases.get(serial)
        if handle is None:
            handle = Base(self, serial)
            self._bases[serial] = handle
        return handle

    def seat(self, player: int) -> Player:
        """A player's handle; nobody's (who controls base cards) for `NONE`."""
        return self.seats[player]

    def clockwise(self, start: int) -> list[int]:
        """All players in clockwise order from one of them."""
        n = self.players
        return [(start + i) % n for i in range(n)]

    # --- asking -----------------------------------------------------------------------------

    def ask(self, player: int, prompt: str, kind: int, options: list[Any], number: int = 0) -> int:
        """Have a player choose; the position of the chosen option."""
        promising: list[int] | None = None
        if self.attempts:
            promising = self.promising(player, len(options))
            if promising is not None:
                options = [options[i] for i in promising]
        position = self.cursor
        if self.redeals:
            for at, kinds, owners, rng in self.redeals:
                if at == position:
                    self._redeal(kinds, owners, rng)
        if position < len(self.script):
            answer = self.script[position]
            if not 0 <= answer < len(options):
                raise Divergence(
                    "Answer {answer} does not fit the question «{question}» with {count} options:"
                    " the game was written under other rules.",
                    answer=answer,
                    question=Message(prompt, {}),
                    count=len(options),
                )
        else:
            source = self.frames[-1].cause.card if self.frames else NONE
            decision = Decision(self, player, prompt, kind, options, number, source, self.several)
            policy = self.policy
            if policy is None:
                self.pending = decision
                raise Waiting
            if self.recording:
                self.pending = decision
            answer = policy(decision)
            if not 0 <= answer < len(options):
                raise IllegalChoice(
                    "{option} is not one of the {count} options (0 to {last}).",
                    option=answer,
                    count=len(options),
                    last=len(options) - 1,
                )
            if self.recording:
                self.pending = None
                self.script.append(answer)
                self.answers.append(answer)
        self.cursor = position + 1
        if promising is not None:
            answer = promising[answer]
        for attempt in self.attempts:
            attempt.answers.append(answer)
        return answer

    def promising(self, player: int, count: int) -> list[int] | None:
        """Which of so many options let a card do what it must; None when all may be chosen.

        Found by trial runs; the layer that drives the game makes them.
        """
        return None

    def _redeal(self, kinds: list[Kind], owners: list[int], rng: int) -> None:
        self.state.kind = kinds[:]
        self.state.owner = owners[:]
        self.state.rng = rng
        self._spots_at = (NONE, NONE)
        self.touch_abilities()

    def ask_card(self, player: int, prompt: str, cards: list[int], optional: bool = False) -> int:
        """Have a player choose one of the cards; `NONE` when there is none or none is wanted."""
        if not cards:
            return NONE
        options = [*cards, NONE] if optional else cards
        chosen: int = options[self.ask(player, prompt, CARDS, options)]
        return chosen

    def ask_site(self, player: int, prompt: str, sites: list[int], optional: bool = False) -> int:
        if not sites:
            return NONE
        options = [*sites, NONE] if optional else sites
        chosen: int = options[self.ask(player, prompt, SITES, options)]
        return chosen

    def ask_player(
        self, player: int, prompt: str, players: list[int], optional: bool = False
    ) -> int:
        if not players:
            return NONE
        options = [*players, NONE] if optional else players
        chosen: int = options[self.ask(player, prompt, PLAYERS, options)]
        return chosen

    def ask_yes(self, player: int, prompt: str) -> bool:
        return self.ask(player, prompt, WORDS, ["Yes", "No"]) == 0

    def ask_trigger(self, triggers: list[Trigger]) -> int:
        """The current player orders what happens at the same time (Void Where Prohibited)."""
        if len(triggers) == 1:
            return 0
        return self.ask(
            self.state.current, "Several abilities trigger: which comes first?", TRIGGERS, triggers
        )

    # --- resolving cards --------------------------------------------------------------------

    @property
    def cause(self) -> Cause:
        """Who is doing what is being done."""
        return self.frames[-1].cause if self.frames else RULES

    def cause_of(self, c: int, playing: bool = False) -> Cause:
        s = self.state
        kind = s.kind[c]
        controller = NONE if kind.type == BASE else s.controller[c]
        return Cause(c, controller, kind.type, playing)

    def emit(self, event: Event, sources: list[Source] | None = None) -> None:
        """Note which abilities an event triggers; they wait for the resolving card to finish.

        So do the cards in hand that may react to it.
        """
        if self.timed(event.hook):
            frame = self.frames[-1]
            frame.in_hand = [*(frame.in_hand or ()), event]
        listening = self.listeners(event.hook) if sources is None else sources
        if not listening:
            return
        queue = self.frames[-1].queue
        condition = CONDITIONS[event.hook]
        for source in listening:
            if getattr(source.kind, condition)(self.cards[source.card], event):
                queue.append(Trigger(source, event.hook, event))

    def is_heeded(self, hook: int) -> bool:
        """Whether anything in play, or perhaps in a hand, reacts to such an event."""
        return bool(self.listeners(hook) or self.timed(hook))

    def timed(self, hook: int) -> set[Kind]:
        """The cards of this game to be played from hand after such an event."""
        timings = self._timings
        if timings is None:
            by_name: dict[str, set[Kind]] = {}
            for kind in set(self.state.kind):
                if kind.hooks & _SPECIAL:
                    for name in kind.timing.split():
                        by_name.setdefault(name, set()).add(kind)
            timings = self._timings = [by_name.get(name, _NO_KINDS) for name in HOOKS]
        return timings[hook]

    # --- abilities in force -----------------------------------------------------------------

    def listeners(self, hook: int) -> list[Source]:
        """The abilities of this kind in force, oldest first. Not to be changed by the caller."""
        index = self._index
        if index is None:
            index = self.abilities()
        return index[hook]

    def abilities(self) -> list[list[Source]]:
        """All abilities in force, by kind."""
        index = self._index
        if index is None:
            index = self._index = self._listen()
        return index

    def index_now(self) -> Index | None:
        """The abilities in force, to be taken up by a copy of this table; None if not known."""
        index = self._index
        return None if index is None else Index(index[:], self._cancelling, self._doubtful)

    def take_index(self, index: Index) -> None:
        """Go by the abilities that were found to be in force at this very moment."""
        self._index = index.by_hook[:]
        self._cancelling = index.cancelling
        self._doubtful = index.doubtful

    def _listen(self) -> list[list[Source]]:
        s = self.state
        index = [_NOBODY_LISTENS] * len(HOOKS)
        cancellers = [x for x in s.sources if x.kind.hooks & _CHANGEABLE]
        lost = [e for e in s.effects if e.what == LOST_ABILITIES]
        self._cancelling = any(not x.kind.cancels_host_only for x in cancellers)
        self._doubtful = bool(cancellers or lost)
        for source in s.sources:
            if self._doubtful and self._is_cancelled(source, cancellers, lost):
                continue
            for hook in self._hooks_of(source):
                if index[hook]:
                    index[hook].append(source)
                else:
                    index[hook] = [source]
        for source in index[H_SHOWS_TOP_BASE]:
            self._lend_top_base(source, index)
        return index

    def _lend_top_base(self, source: Source, index: list[list[Source]]) -> None:
        """The base a card is at also has the abilities of the top card of the base deck."""
        s = self.state
        site = s.site_at.get(self.site_serial(source.card))
        if site is None or not s.base_deck:
            return
        if source.kind.shows_top_base(self.cards[source.card]):
            top = s.kind[s.base_deck[-1]]
            lent = Source(site.base, top, source.stamp, source.card)
            for hook in _bits(top.hooks):
                index[hook] = [*index[hook], lent]

    def _hooks_of(self, source: Source) -> list[int]:
        """The abilities of a source that work where its card is."""
        kind = source.kind
        in_play = self.state.zone[source.card] in (AT_BASE, ON_CARD, IN_MIDDLE)
        return _bits(kind.hooks if in_play else kind.aside_hooks)

    def is_cancelled(self, source: Source) -> bool:
        """Whether an ability is lost or cancelled now."""
        s = self.state
        cancellers = [x for x in s.sources if x.kind.hooks & _CANCELS]
        lost = [e for e in s.effects if e.what == LOST_ABILITIES]
        return self._is_cancelled(source, cancellers, lost)

    def _is_cancelled(self, source: Source, cancellers: list[Source], lost: list[Effect]) -> bool:
        """Whether an ability is lost (an effect newer than it) or cancelled by a card in play."""
        zone = self.state.zone
        if zone[source.card] not in (AT_BASE, ON_CARD, IN_MIDDLE):
            return False
        for effect in lost:
            if effect.target == source.card and effect.stamp > source.stamp:
                return True
        for other in cancellers:
            if (
                other is not source
                and other.kind.hooks & _CANCELS
                and zone[other.card] in (AT_BASE, ON_CARD, IN_MIDDLE)
                and other.kind.cancels(self.cards[other.card], self.cards[source.card])
            ):
                return True
        return False

    def add_source(self, card: int, kind: Kind, lender: int = NONE, for_turn: bool = False) -> None:
        """A card has an ability from now on."""
        s = self.state
        s.stamp += 1
        source = Source(card, kind, s.stamp, lender, for_turn)
        s.sources.append(source)
        index = self._index
        # What was lost was older than this; only what cancels now could reach it.
        if index is None or self._cancelling or kind.hooks & _CHANGEABLE:
            self.touch_abilities()
            return
        self._power.clear()
        if self._doubtful and self.is_cancelled(source):
            return
        for hook in self._hooks_of(source):
            # A new list: somebody may be going through the old one.
            index[hook] = [*index[hook], source]

    def drop_sources(self, card: int) -> None:
        """Forget the abilities a card has, and those it lends."""
        s = self.state
        gone: list[Source] = []
        kept: list[Source] = []
        for source in s.sources:
            if source.card == card or source.lender == card:
                gone.append(source)
            else:
                kept.append(source)
        if not gone:
            return
        s.sources = kept
        index = self._index
        if index is None or self._cancelling or any(x.kind.hooks & _CHANGEABLE for x in gone):
            self.touch_abilities()
            return
        self._power.clear()
        for source in gone:
            for hook in _bits(source.kind.hooks | source.kind.aside_hooks):
                if index[hook]:
                    index[hook] = [x for x in index[hook] if x is not source]

    def touch(self) -> None:
        """Something changed that values may depend on."""
        self._power.clear()

    def touch_table(self) -> None:
        """Cards in play or who has them changed: values, and what cancels or lends abilities."""
        self._power.clear()
        if self._cancelling:
            self._index = None

    def touch_abilities(self) -> None:
        """An ability came or went, or may be cancelled now."""
        self._power.clear()
        self._index = None

    # --- effects ----------------------------------------------------------------------------

    def add_effect(
        self, what: int, target: int, amount: int, player: int, until: int, until_player: int = NONE
    ) -> None:
        s = self.state
        s.stamp += 1
        if until == START_OF_NEXT and until_player == NONE:
            until_player = player
        by = self.frames[-1].cause.card if self.frames else NONE
        giver = s.kind[by].name if by != NONE else ""
        s.effects.append(
            Effect(what, target, amount, player, until, until_player, s.stamp, by, giver)
        )
        if what == LOST_ABILITIES:
            self.touch_abilities()
        else:
            self.touch_table()

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

    def describe_card(self, c: int, viewer: int) -> Message:
        """A card as an option in a player's list: its name, and what tells it from others."""
        s = self.state
        kind = s.kind[c]
        zone = s.zone[c]
        if zone == BURIED:
            shown = bool(s.seen[c] >> viewer & 1)
            return Message(
                "{card} ({player}) buried at {base}",
                {
                    "card": card_name(self, c) if shown else HIDDEN,
                    "base": base_name(self, self.site_serial(c)),
                    "player": player_name(s.controller[c]),
                },
            )
        args: dict[str, Any] = {"card": card_name(self, c)}
        if zone in (AT_BASE, ON_CARD):
            args["base"] = base_name(self, self.site_serial(c))
            args["player"] = player_name(s.controller[c])
            if zone == ON_CARD:
                args["host"] = card_name(self, s.place[c])
                return Message("{card} ({player}) on {host} at {base}", args)
            return Message("{card} ({player}) at {base}", args)
        args["type"] = Message(TYPE_NAMES[kind.type], {})
        return Message("{card} ({type})", args)
