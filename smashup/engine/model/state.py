"""The state of a game as flat data that copies in microseconds.

Cards are numbers, with one column per property. The state contains no reference to a running
function, so a copy taken between two cards is a complete game.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Final

from mypy_extensions import mypyc_attr

from smashup.engine.model.constants import NONE, SETUP
from smashup.engine.model.randomness import IS_COMPILED, keyed_below, shuffle_in_halves

if TYPE_CHECKING:
    from smashup.engine.model.definitions import CardDefinition
    from smashup.engine.model.events import ActiveAbility
    from smashup.engine.model.knowledge import Mix
    from smashup.engine.model.permissions import PlayPermission


@mypyc_attr(acyclic=True)
class Effect:
    """An effect with a duration; immutable.

    ``kind`` is one of the constants below; ``target`` a card or a site's serial.
    """

    __slots__ = (
        "amount",
        "kind",
        "player",
        "source",
        "source_name",
        "stamp",
        "target",
        "until",
        "until_player",
    )  # fmt: skip

    def __init__(
        self, kind: int, target: int, amount: int, player: int, until: int, until_player: int,
        stamp: int, source: int = -1, source_name: str = "",
    ) -> None:  # fmt: skip
        self.kind = kind
        self.target = target
        self.amount = amount
        self.player = player
        self.until = until
        self.until_player = until_player
        self.stamp = stamp
        self.source = source
        """The card that caused it, for explanations; control `WHILE_ATTACHED` ends with it."""
        self.source_name = source_name
        """The name of that card, which may be face down now."""


_MASK: Final = 0xFFFFFFFFFFFFFFFF
_STEP: Final = 6364136223846793005
_RANGE: Final = 1 << 30

POWER: Final = 1
"""A card has more (or less) power."""
PLAYER_POWER: Final = 2
"""A player has more power at a site."""
BREAKPOINT: Final = 3
"""A site's breakpoint is changed."""
LOST_ABILITIES: Final = 4
"""A card has lost its abilities that are older than the stamp."""
CONTROL: Final = 5
"""A player controls a card."""
BANNED_NAME: Final = 6
"""A player cannot play copies of a card (``target`` is its number)."""
MOVED_FROM: Final = 7
"""A card moved from a site this turn (``amount`` is the site)."""
UNAFFECTED: Final = 9
"""A card is not affected by another one (``amount``)."""
TOP_BASE_DOWN: Final = 8
"""The top card of the base deck is face down again; ``target`` is the card that revealed it."""

NO_EXTRAS: Final = 11
"""Players other than ``player`` who have a minion at this site cannot play extra cards."""
SHELTERED: Final = 12
"""Other players' cards do not affect the minions of ``player`` at this site."""
NO_ACTIONS: Final = 13
"""A player cannot play actions."""
NO_ACTIONS_NEXT_TURN: Final = 14
"""A player cannot play actions on their next turn: when it starts, it becomes `NO_ACTIONS`."""
NO_MOVES: Final = 15
"""A player cannot move minions."""
OF_A_PLAYER: Final = (NO_ACTIONS, NO_ACTIONS_NEXT_TURN, NO_MOVES)
"""Effects on a player, without a card or site as target."""
NAMED_FACTION: Final = 16
"""A faction was named for a card (``amount`` is its position in the catalogue)."""


ANY_LIFE: Final = -1
"""Marks a delayed effect that happens even if its card has left play."""


@mypyc_attr(acyclic=True)
class DelayedEffect:
    """Something set up to happen at the end of the turn (or a later start of turn)."""

    __slots__ = ("card", "definition", "life", "player", "when")

    def __init__(
        self, definition: CardDefinition, card: int, life: int, player: int, when: int
    ) -> None:
        self.definition = definition
        self.card = card
        self.life = life
        self.player = player
        self.when = when


@mypyc_attr(acyclic=True)
class Site:
    """A place in the middle of the table: the base card there now, and the cards on it."""

    __slots__ = ("base", "cards", "minions", "serial")

    def __init__(self, serial: int, base: int, cards: list[int], minions: list[int]) -> None:
        self.serial = serial
        self.base = base
        self.cards = cards
        """Minions, titans, actions on the base and buried cards, in order of arrival."""
        self.minions = minions
        """The minions among them, face up."""


FIELDS: Final = (
    "definition", "owner", "controller", "played_by", "zone", "place", "counters", "lives",
    "seen_by", "hidden_with", "hands", "decks", "discards", "set_aside", "base_deck",
    "base_discard", "madness", "limbo", "held", "mixes", "sites", "site_at", "on_card", "tokens",
    "abilities", "effects", "delayed", "permissions", "used_this_turn", "turn_counts",
    "talents_used", "vp", "turn", "current", "first", "phase", "scoring", "extra_turns",
    "turn_order_from", "drafted", "over", "winners", "serial", "stamp", "event_count", "rng",
    "key",
)  # fmt: skip
"""All fields of the state, in the order of digests and snapshots."""
NOT_IN_SNAPSHOT: Final = ("site_at", "event_count", "key")


@mypyc_attr(acyclic=True)
class State:
    """The state of one table at one moment.

    `copy` lists every field for speed; a test checks that `copy`, digests and
    snapshots miss none.
    """

    __slots__ = FIELDS

    def __init__(self, players: int, seed: int, key: bytes = b"") -> None:
        if players == 0:
            return  # blank, for `copy` to fill in
        self.definition: list[CardDefinition] = []
        self.owner: list[int] = []
        self.controller: list[int] = []
        """The controller; kept when the card leaves play, for later effects."""
        self.played_by: list[int] = []
        self.zone: list[int] = []
        self.place: list[int] = []
        """A player, a site's serial or a host card, depending on the zone."""
        self.counters: list[int] = []
        """+1 power counters."""
        self.lives: list[int] = []
        """How many lives in play the card has completed."""
        self.seen_by: list[int] = []
        """The viewers (bits) who know this card while it is face down."""
        self.hidden_with: list[int] = []
        """The player among whose unknown cards it is hidden."""
        self.hands: list[list[int]] = [[] for _ in range(players)]
        self.decks: list[list[int]] = [[] for _ in range(players)]
        """The last card is the top."""
        self.discards: list[list[int]] = [[] for _ in range(players)]
        self.set_aside: list[list[int]] = [[] for _ in range(players)]
        self.base_deck: list[int] = []
        self.base_discard: list[int] = []
        self.madness: list[int] = []
        self.limbo: list[int] = []
        """Cards in limbo: being played, or revealed and not yet placed."""
        self.held: list[int] = []
        """The cards in limbo that only one player sees."""
        self.mixes: list[Mix] = []
        """Groups of cards that a viewer cannot tell apart by their places."""
        self.sites: list[Site] = []
        self.site_at: dict[int, Site] = {}
        self.on_card: dict[int, tuple[int, ...]] = {}
        """Actions on each card, in order of arrival."""
        self.tokens: dict[int, int] = {}
        """Counters that are not +1 power counters."""
        self.abilities: list[ActiveAbility] = []
        self.effects: list[Effect] = []
        self.delayed: list[DelayedEffect] = []
        self.permissions: list[PlayPermission] = []
        self.used_this_turn: set[tuple[int, ...]] = set()
        """The abilities used this turn."""
        self.turn_counts: dict[tuple[int, ...], int] = {}
        """Counts for this turn, such as plays by type, player and site."""
        self.talents_used: set[tuple[int, int]] = set()
        self.vp: list[int] = [0] * players
        self.turn: int = 0
        self.current: int = 0
        self.first: int = 0
        self.phase: int = SETUP
        self.scoring: int = NONE
        """The serial of the site being scored, -1 when none."""
        self.extra_turns: list[int] = []
        self.turn_order_from: int = 0
        """The player of the last regular turn: extra turns do not change who comes next."""
        self.drafted: list[list[int]] = []
        self.over: bool = False
        self.winners: list[int] = []
        self.serial: int = 0
        self.stamp: int = 0
        self.event_count: int = 0
        self.rng: int = 0
        """The state of the linear generator, or the number of the keyed generator's next draw."""
        self.key: bytes = b""
        """The secret key of the keyed generator; empty for the linear one. It is not part of
        snapshots and digests."""
        self.reseed(seed)
        if key:
            self.key = key
            self.rng = 0

    def copy(self) -> State:
        """Return an independent copy. Objects in lists are immutable, except sites."""
        new = State(0, 0)
        new.definition = self.definition[:]
        new.owner = self.owner[:]
        new.controller = self.controller[:]
        new.played_by = self.played_by[:]
        new.zone = self.zone[:]
        new.place = self.place[:]
        new.counters = self.counters[:]
        new.lives = self.lives[:]
        new.seen_by = self.seen_by[:]
        new.hidden_with = self.hidden_with[:]
        new.hands = [pile[:] for pile in self.hands]
        new.decks = [pile[:] for pile in self.decks]
        new.discards = [pile[:] for pile in self.discards]
        new.set_aside = [pile[:] for pile in self.set_aside]
        new.base_deck = self.base_deck[:]
        new.base_discard = self.base_discard[:]
        new.madness = self.madness[:]
        new.limbo = self.limbo[:]
        new.held = self.held[:]
        new.mixes = self.mixes[:]
        new.sites = [Site(x.serial, x.base, x.cards[:], x.minions[:]) for x in self.sites]
        new.site_at = {x.serial: x for x in new.sites}
        new.on_card = self.on_card.copy()
        new.tokens = self.tokens.copy()
        new.abilities = self.abilities[:]
        new.effects = self.effects[:]
        new.delayed = self.delayed[:]
        new.permissions = self.permissions[:]
        new.used_this_turn = self.used_this_turn.copy()
        new.turn_counts = self.turn_counts.copy()
        new.talents_used = self.talents_used.copy()
        new.vp = self.vp[:]
        new.turn = self.turn
        new.current = self.current
        new.first = self.first
        new.phase = self.phase
        new.scoring = self.scoring
        new.extra_turns = self.extra_turns[:]
        new.turn_order_from = self.turn_order_from
        new.drafted = [row[:] for row in self.drafted]
        new.over = self.over
        new.winners = self.winners[:]
        new.serial = self.serial
        new.stamp = self.stamp
        new.event_count = self.event_count
        new.rng = self.rng
        new.key = self.key
        return new

    # --- randomness: a generator whose whole state is one integer (see `randomness`) ---------

    def use_linear(self, rng: int) -> None:
        """Use the linear generator from now on: for determinized tables, which
        must not continue with the randomness of the real one."""
        self.key = b""
        self.rng = rng

    def reseed(self, seed: int) -> None:
        self.key = b""
        self.rng = (seed * 0x9E3779B97F4A7C15 + 0xD1B54A32D192ED03) & _MASK

    def random_below(self, n: int) -> int:
        """Return a uniform number from 0 to n-1: a linear congruence, mixed, by rejection."""
        if self.key:
            value, self.rng = keyed_below(self.key, self.rng, n)
            return value
        limit = _RANGE - _RANGE % n
        while True:
            state = (self.rng * _STEP + 1442695040888963407) & _MASK
            self.rng = state
            value = (state ^ (state >> 22)) >> 33 & 0x3FFFFFFF
            if value < limit:
                return value % n

    def shuffle(self, cards: list[int]) -> None:
        """Shuffle by Fisher-Yates, with the generator inlined for speed."""
        if self.key:
            for i in range(len(cards) - 1, 0, -1):
                j, self.rng = keyed_below(self.key, self.rng, i + 1)
                cards[i], cards[j] = cards[j], cards[i]
            return
        if IS_COMPILED:
            self.rng = shuffle_in_halves(cards, self.rng)
            return
        state = self.rng
        for i in range(len(cards) - 1, 0, -1):
            n = i + 1
            limit = _RANGE - _RANGE % n
            while True:
                state = (state * _STEP + 1442695040888963407) & _MASK
                value = (state ^ (state >> 22)) >> 33 & 0x3FFFFFFF
                if value < limit:
                    break
            j = value % n
            cards[i], cards[j] = cards[j], cards[i]
        self.rng = state

    # --- identity ---------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Return the whole state as plain data that compares and serializes."""
        data: dict[str, Any] = {
            name: getattr(self, name) for name in FIELDS if name not in NOT_IN_SNAPSHOT
        }
        data["definition"] = [d.name for d in self.definition]
        data["mixes"] = [m.to_list() for m in self.mixes]
        data["sites"] = [[x.serial, x.base, x.cards] for x in self.sites]
        data["on_card"] = sorted([h, list(a)] for h, a in self.on_card.items())
        data["tokens"] = sorted([c, n] for c, n in self.tokens.items())
        data["abilities"] = [
            [a.card, a.definition.name, a.stamp, a.granted_by, a.until_end_of_turn]
            for a in self.abilities
        ]
        data["effects"] = [
            [e.kind, e.target, e.amount, e.player, e.until, e.until_player, e.stamp]
            for e in self.effects
        ]
        data["delayed"] = [
            [d.definition.name, d.card, d.life, d.player, d.when] for d in self.delayed
        ]
        data["permissions"] = [list(p.to_tuple()) for p in self.permissions]
        data["used_this_turn"] = sorted(list(key) for key in self.used_this_turn)
        data["turn_counts"] = sorted([list(key), n] for key, n in self.turn_counts.items())
        data["talents_used"] = sorted(list(key) for key in self.talents_used)
        return data

    def digest(self) -> str:
        """Return a short hash of the state, the same on every machine and Python version."""
        return fingerprint(self.to_dict())


def fingerprint(facts: dict[str, Any]) -> str:
    """Return the digest of a state given as a dictionary."""
    return hashlib.blake2b(repr(facts).encode(), digest_size=8).hexdigest()
