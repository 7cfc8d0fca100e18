"""The table: the data of a running game, and basic queries that every rule needs.

Rules are functions over a `Table` (`smashup.engine.rules`). The layers above provide handles for
card texts, trials and option labels through `Services`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from mypy_extensions import mypyc_attr

from smashup.engine.model.constants import AT_BASE, BASE_IN_PLAY, BURIED, NONE, ON_CARD, PLAY
from smashup.engine.model.decisions import Decision, Move, MultiPick
from smashup.engine.model.definitions import CardDefinition
from smashup.engine.model.events import NO_SITE, ActiveAbility, Event, Resolution, Trigger
from smashup.engine.model.game_traits import GameTraits
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
"""A function that takes a decision and returns the position of an option."""
NO_SEARCH: Final[tuple[int, int, list[int]]] = (NONE, NONE, [])
"""No card was found in a deck since the last checkpoint."""


class Services(ABC):
    """The functions a table needs from the layers above; `smashup.engine.services` provides
    them."""

    __slots__ = ()

    @abstractmethod
    def new_card(self, table: Table, c: int) -> Card:
        """Create a handle for a card."""

    @abstractmethod
    def new_base(self, table: Table, serial: int) -> Base:
        """Create a handle for a base in play."""

    @abstractmethod
    def new_player(self, table: Table, player: int) -> Player:
        """Create a handle for a player."""

    @abstractmethod
    def moves_satisfying(
        self, table: Table, player: int, moves: list[Move], permission: PlayPermission
    ) -> list[Move]:
        """Return the moves that can do what a permission demands."""

    @abstractmethod
    def viable_options(self, table: Table, player: int, count: int) -> list[int] | None:
        """Return the options after which a card can still do what its permission demands."""

    @abstractmethod
    def label_options(self, table: Table, decision: Decision) -> list[Message]:
        """Return the labels of the options of a decision."""

    @abstractmethod
    def describe_asker(self, table: Table, decision: Decision) -> Message | None:
        """Describe the card that asks, if several cards of its name could."""


@mypyc_attr(allow_interpreted_subclasses=True)
class TableScript:
    """Controls a staged game: a scenario, a puzzle, a lesson."""

    def stack_decks(self, table: Table) -> None:
        """Put decks in order after they are shuffled during setup."""

    def moves(self) -> list[Move]:
        """Return additional moves, offered in every play menu."""
        return []

    def perform(self, table: Table, move: Move) -> None:
        """Perform one of these moves."""


class Table:
    """A running game: the state, the abilities in force, the resolving cards and the answers."""

    __slots__ = (
        "after_replacement",
        "all_abilities",
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
        "follow_ups",
        "has_cancellers",
        "index",
        "index_is_volatile",
        "is_checked",
        "is_trial",
        "is_up_to_date",
        "last_hosts",
        "last_menu",
        "last_names",
        "last_play_site",
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
        "present_players",
        "random_policy",
        "recording",
        "redeals",
        "resolutions",
        "runners_up",
        "script",
        "services",
        "setup",
        "spot_cache",
        "spot_cache_key",
        "state",
        "table_script",
        "tested_ability",
        "traits",
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
        traits: GameTraits | None = None,
    ) -> None:
        """Create a new table, or one that continues from a shared checkpoint."""
        self.services = services
        self.setup = setup
        self.catalogue = catalogue
        self.edition: Edition = setup.rules
        self.num_players = setup.players
        if traits is None:
            traits = GameTraits([] if checkpoint is None else checkpoint.definition)
        self.traits = traits
        """What the cards of this game can do at all."""
        self.state = State(setup.players, setup.seed & 0xFFFFFFFFFFFFFFFF, setup.key)
        self.policy: Policy | None = None
        self.random_policy: RandomPolicy | None = None
        """Replaces the generator for random picks and shuffles, to try their outcomes."""
        self.script: list[int] = []
        """Answers since the last checkpoint."""
        self.cursor = 0
        self.redeals: list[tuple[int, Deal, int]] = []
        """Points of the replay at which hidden cards are redealt: position, cards, randomness."""
        self.recording = True
        self.answers: list[int] = []
        """All answers since the game began."""
        self.pending: Decision | None = None
        self.multi_pick: MultiPick | None = None
        """Set while the decision is one of several picks."""
        self.events: list[GameEvent] = []
        """All events, if a log is kept (`rules.recording`)."""
        self.log: list[LogLine] = []
        """The log lines."""
        self.visible_events: list[VisibleEvent] = []
        """The visible events."""
        self.last_search: tuple[int, int, list[int]] = NO_SEARCH
        """The card found in the last deck search, its position there, and the rest of the deck."""
        self.move_reason = 0
        """Set while cards leave or enter play in a named way (destroyed, played)."""
        self.logging = True
        self.table_script: TableScript | None = None
        self.is_trial = False
        """Whether this is a copy for trials."""
        self.trials: list[Trial] = []
        """Resolving cards that have not yet done what their permission demands."""
        self.destinations: dict[int, int] = {}
        """The zones to which played actions go at step 5 of their resolution instead of the discard
        pile."""
        self.resolutions: list[Resolution] = []
        self.trigger_queues: list[list[Trigger]] = []
        """Abilities waiting to resolve, for each card that is being settled."""
        self.follow_ups: list[tuple[int, int]] = []
        """Played cards with the card that granted the play, whose follow-up is yet to come."""
        self.arrived_titans: list[int] = []
        """Titans that entered a base and have not yet clashed with those there."""
        self.window: Event | None = None
        """The open scoring window, before or after."""
        self.tested_ability: ActiveAbility | None = None
        """The ability whose condition is being evaluated."""
        self.used_in_scoring: set[tuple[int, int, CardDefinition]] = set()
        """Abilities already used in the open scoring window."""
        self.offered_bases: list[tuple[Trigger, int]] = []
        """The choices for the next base that cards have offered: (ability, base card)."""
        self.after_replacement: list[Trigger] = []
        """Triggers that wait for the replacement of the base being scored."""
        self.cards: list[Card] = []
        """A handle for each card."""
        self.base_handles: dict[int, Base] = {}
        self.player_handles = [services.new_player(self, p) for p in (*range(setup.players), NONE)]
        """A handle for each player, and last one for "no player", at index `NONE`."""
        self.power_cache: dict[int, int] = {}
        """Powers computed since the board last changed, if they depend on the board alone:
        see `volatile_reads`."""
        self.volatile_reads = 0
        """How often card texts have read values that may change while the board stays the same:
        hands, decks, discard piles, VP, the turn, the phase. A value computed without such a read
        may be cached until the board changes; any other is computed each time."""
        self.board_numbers: object = None
        """The numbers on the board, for views (`views.board_numbers`)."""
        self.faces: object = None
        """The faces of the cards of this table, for views (`views.faces`)."""
        self.is_checked = False
        """Whether the checks after each card found nothing to do since the last change of the
        board."""
        self.spot_cache: dict[int, list[Move]] = {}
        """Plays at each base from earlier menus, kept while the bases stay the same."""
        self.spot_cache_key = (NONE, NONE)
        self.all_abilities: list[list[ActiveAbility]] | None = None
        """The abilities of all cards by hook, lost and cancelled ones too; None if not known."""
        self.index: list[list[ActiveAbility]] | None = None
        """The abilities in force by hook; the same list if none can be lost or cancelled."""
        self.has_cancellers = False
        self.index_is_volatile = False
        """Whether an ability may be lost or cancelled, so that the index is rebuilt each time."""
        self.last_sites: dict[int, int] = {}
        """The bases and powers of cards that left play recently, for effects that follow."""
        self.last_powers: dict[int, int] = {}
        self.last_hosts: dict[int, Card] = {}
        self.runners_up: list[int] = []
        """The players in second place at the base that was scored last."""
        self.present_players: list[int] = []
        """The players who had a minion there when its VP were awarded."""
        self.last_play_site = NO_SITE
        """Where the card that was played last was played, for the card that let it be played."""
        self.last_names: dict[int, tuple[tuple[str, ...], tuple[str, ...]]] = {}
        """Names that cards which left play had, where other cards give names."""
        self.left_play: list[int] = []
        """Cards whose life ended recently: older handles may refer to that life."""
        # The checkpoint from which the table can run again.
        if checkpoint is None:
            checkpoint = self.state.copy()
        self.checkpoint = checkpoint
        """The last checkpoint, which never changes, so that clones share it."""
        self.checkpoint_index: AbilityIndex | None = None
        """The abilities in force then, if known."""
        self.chosen_move: Move | None = None
        """The move chosen from the play menu at the checkpoint, so that running the card again
        does not need to build the menu again."""
        self.last_menu: State | None = checkpoint if checkpoint.phase == PLAY else None
        """The checkpoint of the last play menu, from which newer rules could continue."""
        self.is_up_to_date = False
        """Whether the live state has caught up with checkpoint and answers."""
        # Trials.
        self.trial_table: Table | None = None
        """The table for trials, reused from one to the next."""
        self.trial_window: Event | None = None
        """On a trial table: the scoring window of the trial."""

    # --- handles ----------------------------------------------------------------------------

    def card(self, c: int) -> Card:
        return self.cards[c]

    def base(self, serial: int) -> Base:
        handle = self.base_handles.get(serial)
        if handle is None:
            handle = self.services.new_base(self, serial)
            self.base_handles[serial] = handle
        return handle

    def is_life(self, c: int, life: int) -> bool:
        """Whether a card is in a given life, or any life is allowed."""
        return life in (ANY_LIFE, self.state.lives[c])

    def begin_life(self, c: int) -> None:
        """Begin a card's life in play. A card that left play recently gets a new handle.

        Older handles keep referring to the card that left.
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
        """Renew the handles: no ability is running, so no code holds an old one."""
        for c in self.left_play:
            self.cards[c]._departure = None
        self.left_play = []

    def player(self, player: int) -> Player:
        """Return a player's handle; for `NONE`, the handle of "no player", who controls base
        cards."""
        return self.player_handles[player]

    def clockwise(self, start: int) -> list[int]:
        """Return all players in clockwise order from one of them."""
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
        """Return the serial of the site a card is at, or was at if it left play recently."""
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
