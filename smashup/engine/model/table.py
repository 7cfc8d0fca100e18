"""The table: everything a game holds, as data, and the few questions every rule asks of it.

Rules are functions over a `Table` (`smashup.engine.rules`). What a table needs from the layers
above it (handles for card texts, trial runs, the words for options) comes through its `Services`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mypy_extensions import mypyc_attr

from smashup.engine.model.constants import AT_BASE, BASE_IN_PLAY, BURIED, NONE, ON_CARD, PLAY
from smashup.engine.model.decisions import Decision, Move, MultiPick
from smashup.engine.model.definitions import CardDefinition
from smashup.engine.model.events import NO_SITE, ActiveAbility, Event, Resolution, Trigger
from smashup.engine.model.messages import LogLine, Message, base_name, card_name, player_name
from smashup.engine.model.state import ANY_LIFE, Site, State

if TYPE_CHECKING:
    from smashup.engine.card_api import Base, Card, Player
    from smashup.engine.events.base import GameEvent
    from smashup.engine.events.visible_events import VisibleEvent
    from smashup.engine.model.catalogue import Catalogue
    from smashup.engine.model.editions import Edition
    from smashup.engine.model.permissions import PlayPermission
    from smashup.engine.model.randomness import RandomPolicy
    from smashup.engine.model.redealing import Deal
    from smashup.engine.model.setup import Setup
    from smashup.engine.model.trials import AbilityIndex, Trial

Policy = Callable[[Decision], int]
"""Answers at once: takes a decision, returns the position of an option."""


class Services(ABC):
    """What a table needs from the layers above it; `smashup.engine.services` provides it."""

    __slots__ = ()

    @abstractmethod
    def new_card(self, table: Table, c: int) -> Card:
        """A handle for a card."""

    @abstractmethod
    def new_base(self, table: Table, serial: int) -> Base:
        """A handle for a base in play."""

    @abstractmethod
    def new_player(self, table: Table, player: int) -> Player:
        """A handle for a player."""

    @abstractmethod
    def moves_satisfying(
        self, table: Table, player: int, moves: list[Move], permission: PlayPermission
    ) -> list[Move]:
        """Those of the moves that can do what a permission to play demands."""

    @abstractmethod
    def viable_options(self, table: Table, player: int, count: int) -> list[int] | None:
        """Of a card's options, those after which it can still do what its permission demands."""

    @abstractmethod
    def label_options(self, table: Table, decision: Decision) -> list[Message]:
        """What the options of a decision mean, in words."""

    @abstractmethod
    def describe_asker(self, table: Table, decision: Decision) -> Message | None:
        """Which card asks, where several of its name might."""


@mypyc_attr(allow_interpreted_subclasses=True)
class TableScript:
    """Controls a staged game: a scenario, a puzzle, a lesson."""

    def stack_decks(self, table: Table) -> None:
        """Lay decks in order, right after they were shuffled in set-up."""

    def moves(self) -> list[Move]:
        """Moves of the director's own, offered in every play menu."""
        return []

    def perform(self, table: Table, move: Move) -> None:
        """Do one of these moves."""


class Table:
    """A game in progress: the state, the abilities in force, what is resolving, the answers."""

    __slots__ = (
        "after_replacement",
        "answers",
        "arrived_titans",
        "base_handles",
        "board_numbers",
        "cards",
        "catalogue",
        "checkpoint",
        "checkpoint_index",
        "chosen_move",
        "cursor",
        "destinations",
        "edition",
        "events",
        "faces",
        "has_cancellers",
        "has_madness",
        "index",
        "index_is_volatile",
        "is_checked",
        "is_trial",
        "is_up_to_date",
        "last_hosts",
        "last_menu",
        "last_powers",
        "last_search",
        "last_sites",
        "left_play",
        "log",
        "logging",
        "move_reason",
        "multi_pick",
        "num_players",
        "offered_bases",
        "pending",
        "player_handles",
        "policy",
        "power_cache",
        "random_policy",
        "recording",
        "redeals",
        "resolutions",
        "script",
        "services",
        "setup",
        "special_timings",
        "spot_cache",
        "spot_cache_key",
        "state",
        "table_script",
        "tested_ability",
        "titan_ids",
        "trial_table",
        "trial_window",
        "trials",
        "trigger_queues",
        "used_in_scoring",
        "visible_events",
        "volatile_reads",
        "window",
    )

    def __init__(
        self,
        setup: Setup,
        catalogue: Catalogue,
        services: Services,
        checkpoint: State | None = None,
    ) -> None:
        """A new table; or one that goes on from a checkpoint that others share."""
        self.services = services
        self.setup = setup
        self.catalogue = catalogue
        self.edition: Edition = setup.rules
        self.num_players = setup.players
        self.state = State(setup.players, setup.seed & 0xFFFFFFFFFFFFFFFF, setup.key)
        self.policy: Policy | None = None
        self.random_policy: RandomPolicy | None = None
        """Decides random picks and shuffles instead of the generator, to try their outcomes."""
        self.script: list[int] = []
        """Answers since the last checkpoint."""
        self.cursor = 0
        self.redeals: list[tuple[int, Deal, int]] = []
        """Where in the script hidden cards were redealt: position, cards, randomness."""
        self.recording = True
        self.answers: list[int] = []
        """Every answer since the game began."""
        self.pending: Decision | None = None
        self.multi_pick: MultiPick | None = None
        """Set while one of several picks of one choice is asked for."""
        self.events: list[GameEvent] = []
        """Everything that happened, where a log is kept (`rules.recording`)."""
        self.log: list[LogLine] = []
        """What is said of it."""
        self.visible_events: list[VisibleEvent] = []
        """What is shown of it."""
        self.last_search: tuple[int, int, list[int]] = (NONE, NONE, [])
        """The card found last in a search of a deck, its place there, and the rest of the deck."""
        self.move_reason = 0
        """Set while cards go somewhere in a way that has a name (destroyed, played)."""
        self.logging = True
        self.table_script: TableScript | None = None
        self.is_trial = False
        """Whether this is a copy on which a card is only tried."""
        self.trials: list[Trial] = []
        """Cards resolving that have yet to do what the permission to play them demands."""
        self.destinations: dict[int, int] = {}
        """Where played actions go at step 5 of their resolution instead of the discard pile."""
        self.resolutions: list[Resolution] = []
        self.trigger_queues: list[list[Trigger]] = []
        """Abilities waiting for their turn, of each card that is being settled."""
        self.arrived_titans: list[int] = []
        """Titans that came to a base and have not yet faced the ones there."""
        self.titan_ids: list[int] = []
        """The titans of this game."""
        self.has_madness = False
        """Whether there are Madness cards in this game, wherever they are."""
        self.window: Event | None = None
        """The scoring window that is open, before or after."""
        self.tested_ability: ActiveAbility | None = None
        """The ability whose condition is being asked."""
        self.used_in_scoring: set[tuple[int, int, CardDefinition]] = set()
        """Abilities already used in the scoring window that is open."""
        self.offered_bases: list[tuple[Trigger, int]] = []
        """Ways to bring the next base that texts have offered: (ability, base card)."""
        self.after_replacement: list[Trigger] = []
        """What waits for the replacement of the base being scored."""
        self.cards: list[Card] = []
        """A handle for each card."""
        self.base_handles: dict[int, Base] = {}
        self.player_handles = [services.new_player(self, p) for p in (*range(setup.players), NONE)]
        """A handle for each player, and last the one for nobody, which `NONE` finds."""
        self.power_cache: dict[int, int] = {}
        """Powers computed since the board last changed, but only those that follow from it alone:
        see `volatile_reads`."""
        self.volatile_reads = 0
        """How often card texts have read what may change while the board stays the same: hands,
        decks, discard piles, VP, the turn, the phase. A value found without such a read may be
        cached until the board changes; any other is computed each time."""
        self.board_numbers: object = None
        """The numbers on the board, for views (`views.board_numbers`)."""
        self.faces: object = None
        """What the cards of this table show, for views (`views.faces`)."""
        self.is_checked = False
        """Whether the checks after each card found nothing to do since the board last changed."""
        self.special_timings: list[set[CardDefinition]] | None = None
        """The cards of this game that may be played from hand as Specials, by their timing."""
        self.spot_cache: dict[int, list[Move]] = {}
        """Plays at each base that were offered before, while the bases stay the same."""
        self.spot_cache_key = (NONE, NONE)
        self.index: list[list[ActiveAbility]] | None = None
        self.has_cancellers = False
        self.index_is_volatile = False
        """Whether some ability may be lost or cancelled: then the index is rebuilt each time."""
        self.last_sites: dict[int, int] = {}
        """Where cards that left play lately were, and how strong: what follows may need it."""
        self.last_powers: dict[int, int] = {}
        self.last_hosts: dict[int, Card] = {}
        self.left_play: list[int] = []
        """Cards that ended a life lately: handles held since then may name a former one."""
        # The checkpoint from which the table can run again.
        if checkpoint is None:
            checkpoint = self.state.copy()
        self.checkpoint = checkpoint
        """The last checkpoint. Never changed, so that clones share it."""
        self.checkpoint_index: AbilityIndex | None = None
        """The abilities in force then, where they were known."""
        self.chosen_move: Move | None = None
        """What the player chose from the play menu at the checkpoint: running the card again need
        not build the menu again."""
        self.last_menu: State | None = checkpoint if checkpoint.phase == PLAY else None
        """The checkpoint of the last play menu, from which other rules could go on."""
        self.is_up_to_date = False
        """Whether the live state has caught up with checkpoint and answers."""
        # Trial runs.
        self.trial_table: Table | None = None
        """The table for trial runs, kept from one to the next."""
        self.trial_window: Event | None = None
        """On a trial table: the scoring window in which the trial takes place."""

    # --- handles: what card texts hold in their hands ---------------------------------------

    def card(self, c: int) -> Card:
        return self.cards[c]

    def base(self, serial: int) -> Base:
        handle = self.base_handles.get(serial)
        if handle is None:
            handle = self.services.new_base(self, serial)
            self.base_handles[serial] = handle
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
            departure.site = self.last_sites.get(c, NO_SITE)
            departure.power = self.last_powers.get(c, self.state.definition[c].power)
            departure.host = self.last_hosts.get(c)
            self.cards[c] = self.services.new_card(self, c)

    def renew_handles(self) -> None:
        """No ability is running: handles held by one are gone, and each card has its own again."""
        for c in self.left_play:
            self.cards[c]._departure = None
        self.left_play = []

    def player(self, player: int) -> Player:
        """A player's handle; nobody's (who controls base cards) for `NONE`."""
        return self.player_handles[player]

    def clockwise(self, start: int) -> list[int]:
        """All players in clockwise order from one of them."""
        n = self.num_players
        return [(start + i) % n for i in range(n)]

    # --- places -----------------------------------------------------------------------------

    def shuffle(self, cards: list[int]) -> None:
        """Shuffle a deck in place."""
        if self.random_policy is None:
            self.state.shuffle(cards)
        else:
            self.random_policy.shuffle(cards)

    def site_serial(self, c: int) -> int:
        """The serial of the site a card is at; that of its last one if it left play lately."""
        s = self.state
        zone = s.zone[c]
        if zone in (AT_BASE, BURIED, BASE_IN_PLAY):
            return s.place[c]
        if zone == ON_CARD:
            return self.site_serial(s.place[c])
        return self.last_sites.get(c, NONE)

    def site(self, serial: int) -> Site | None:
        return self.state.site_at.get(serial)

    def in_play(self, c: int) -> bool:
        return self.state.zone[c] in (AT_BASE, ON_CARD, BASE_IN_PLAY, BURIED)

    # --- names for messages -----------------------------------------------------------------

    def name(self, c: int) -> Any:
        return card_name(self, c)

    def base_name(self, serial: int) -> Any:
        return base_name(self, serial)

    def player_name(self, p: int) -> Any:
        return player_name(p)
