"""Everything that is on the table, as flat data that copies in microseconds.

Cards are numbers; a column per fact says what is true of each. Nothing here refers to a running
function, so a copy taken between two cards is a complete game.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from smashup.engine.model.constants import SETUP
from smashup.engine.model.randomness import keyed_below

if TYPE_CHECKING:
    from smashup.engine.model.definitions import Kind
    from smashup.engine.model.events import Source
    from smashup.engine.model.knowledge import Mix
    from smashup.engine.model.permissions import Right


class Effect:
    """Something that holds for a while: unchanging data with an expiry.

    ``what`` is one of the constants below; ``target`` a card or a site's serial.
    """

    __slots__ = (
        "amount", "giver", "player", "source", "stamp", "target", "until", "until_player", "what",
    )  # fmt: skip

    def __init__(
        self, what: int, target: int, amount: int, player: int, until: int, until_player: int,
        stamp: int, source: int = -1, giver: str = "",
    ) -> None:  # fmt: skip
        self.what = what
        self.target = target
        self.amount = amount
        self.player = player
        self.until = until
        self.until_player = until_player
        self.stamp = stamp
        self.source = source
        """The card that brought it about, for those who ask why; no rule goes by it."""
        self.giver = giver
        """Its name then: the card itself may be face down somewhere by now."""


_MASK = 0xFFFFFFFFFFFFFFFF
_STEP = 6364136223846793005
_RANGE = 1 << 30

POWER = 1
"""A card has more (or less) power."""
PLAYER_POWER = 2
"""A player has more power at a site."""
BREAKPOINT = 3
"""A site's breakpoint is changed."""
LOST_ABILITIES = 4
"""A card's abilities older than the stamp are lost."""
CONTROL = 5
"""A card is controlled by a player."""
BANNED_NAME = 6
"""A player cannot play cards of this kind (``target`` is the kind's index)."""
MOVED_FROM = 7
"""A card moved this turn from this site (``amount``)."""
TOP_BASE_DOWN = 8
"""The top card of the base deck lies face down again; ``target`` is what had turned it up."""


ANY_LIFE = -1
"""Of a delayed effect that happens even if its card has left play."""


class Delayed:
    """Something set up to happen at the end of the turn (or a later start of turn)."""

    __slots__ = ("card", "kind", "life", "player", "when")

    def __init__(self, kind: Kind, card: int, life: int, player: int, when: int) -> None:
        self.kind = kind
        self.card = card
        self.life = life
        self.player = player
        self.when = when


class Site:
    """A place in the middle of the table: the base card there now, and the cards on it."""

    __slots__ = ("base", "cards", "serial")

    def __init__(self, serial: int, base: int, cards: list[int]) -> None:
        self.serial = serial
        self.base = base
        self.cards = cards
        """Minions, titans, actions on the base and buried cards, in order of arrival."""


class State:
    """One table at one moment."""

    __slots__ = (
        "aside", "base_deck", "base_discard", "change_count", "controller", "counters", "current",
        "decks", "delayed", "discards", "drafted", "effects", "event_count", "extra_turns", "first",
        "hands", "held", "key", "kind", "lives", "madness", "mixed", "on_card", "once", "over",
        "owner",
        "phase", "place", "played_by", "pool", "revealed", "rights", "rng", "scoring", "seen",
        "serial", "site_at", "sites", "sources", "stamp", "talents_used", "tally", "tokens",
        "turn", "turn_order_from", "vp", "winners", "zone",
    )  # fmt: skip

    def __init__(self, players: int, seed: int, key: bytes = b"") -> None:
        if players == 0:
            return  # A blank, for `copy` to fill in.
        # Columns, one entry a card.
        self.kind: list[Kind] = []
        self.owner: list[int] = []
        self.controller: list[int] = []
        """Who controls it; kept when it leaves play, for the effects that follow."""
        self.played_by: list[int] = []
        self.zone: list[int] = []
        self.place: list[int] = []
        """A player, a site's serial or a host card, as the zone says."""
        self.counters: list[int] = []
        """+1 power counters."""
        self.lives: list[int] = []
        """How many lives in play the card has ended."""
        self.seen: list[int] = []
        """Viewers (bits) who know which card this is while it is face down."""
        self.pool: list[int] = []
        """The player among whose unknown cards it hides."""
        # Zones.
        self.hands: list[list[int]] = [[] for _ in range(players)]
        self.decks: list[list[int]] = [[] for _ in range(players)]
        """The last card is the top."""
        self.discards: list[list[int]] = [[] for _ in range(players)]
        self.aside: list[list[int]] = [[] for _ in range(players)]
        self.base_deck: list[int] = []
        self.base_discard: list[int] = []
        self.madness: list[int] = []
        self.revealed: list[int] = []
        """Cards in limbo: being played, or revealed and not yet put anywhere."""
        self.held: list[int] = []
        """Those in limbo that one player looks at and shows to nobody."""
        self.mixed: list[Mix] = []
        """What viewers know of cards that they cannot tell apart by their places."""
        self.sites: list[Site] = []
        self.site_at: dict[int, Site] = {}
        self.on_card: dict[int, tuple[int, ...]] = {}
        """Actions on each card, in order of arrival."""
        self.tokens: dict[int, int] = {}
        """Counters that are not +1 power counters."""
        # What holds and what waits.
        self.sources: list[Source] = []
        self.effects: list[Effect] = []
        self.delayed: list[Delayed] = []
        self.rights: list[Right] = []
        self.once: set[tuple[int, ...]] = set()
        """What has been used this turn."""
        self.tally: dict[tuple[int, ...], int] = {}
        """What has been counted this turn: plays by type, player and site."""
        self.talents_used: set[tuple[int, int]] = set()
        # The turn.
        self.vp: list[int] = [0] * players
        self.turn = 0
        self.current = 0
        self.first = 0
        self.phase = SETUP
        self.scoring = -1
        """The serial of the site being scored, -1 when none."""
        self.extra_turns: list[int] = []
        self.turn_order_from = 0
        """Whose regular turn it was last: extra turns do not change who comes next."""
        self.drafted: list[list[int]] = []
        self.over = False
        self.winners: list[int] = []
        # Numbers that only go up.
        self.serial = 0
        self.stamp = 0
        self.event_count = 0
        self.change_count = 0
        self.rng = 0
        """The linear generator's state; of the keyed one, the number of the next draw."""
        self.key = b""
        """The secret key of the keyed generator. Empty: the linear one draws. It is no fact of the
        table: snapshots and digests leave it out."""
        self.reseed(seed)
        if key:
            self.key = key
            self.rng = 0

    def copy(self) -> State:
        """An independent copy. Kinds, sources, rights, effects and delays never change."""
        s = State(0, 0)
        s.kind = self.kind[:]
        s.owner = self.owner[:]
        s.controller = self.controller[:]
        s.played_by = self.played_by[:]
        s.zone = self.zone[:]
        s.place = self.place[:]
        s.counters = self.counters[:]
        s.lives = self.lives[:]
        s.seen = self.seen[:]
        s.pool = self.pool[:]
        s.hands = [z[:] for z in self.hands]
        s.decks = [z[:] for z in self.decks]
        s.discards = [z[:] for z in self.discards]
        s.aside = [z[:] for z in self.aside]
        s.base_deck = self.base_deck[:]
        s.base_discard = self.base_discard[:]
        s.madness = self.madness[:]
        s.revealed = self.revealed[:]
        s.held = self.held[:]
        s.mixed = self.mixed[:]
        sites: list[Site] = []
        site_at: dict[int, Site] = {}
        for old in self.sites:
            site = Site(old.serial, old.base, old.cards[:])
            sites.append(site)
            site_at[site.serial] = site
        s.sites = sites
        s.site_at = site_at
        s.on_card = self.on_card.copy()
        s.tokens = self.tokens.copy()
        s.sources = self.sources[:]
        s.effects = self.effects[:]
        s.delayed = self.delayed[:]
        s.rights = self.rights[:]
        s.once = self.once.copy()
        s.tally = self.tally.copy()
        s.talents_used = self.talents_used.copy()
        s.vp = self.vp[:]
        s.turn = self.turn
        s.current = self.current
        s.first = self.first
        s.phase = self.phase
        s.scoring = self.scoring
        s.extra_turns = self.extra_turns[:]
        s.turn_order_from = self.turn_order_from
        s.drafted = [d[:] for d in self.drafted]
        s.over = self.over
        s.winners = self.winners[:]
        s.serial = self.serial
        s.stamp = self.stamp
        s.event_count = self.event_count
        s.change_count = self.change_count
        s.rng = self.rng
        s.key = self.key
        return s

    # --- randomness: a generator whose whole state is one integer (see `randomness`) ---------

    def use_linear(self, rng: int) -> None:
        """Draw from the linear generator in this state from now on: for imagined tables, which
        must not go on with the randomness of the real one."""
        self.key = b""
        self.rng = rng

    def reseed(self, seed: int) -> None:
        self.key = b""
        self.rng = (seed * 0x9E3779B97F4A7C15 + 0xD1B54A32D192ED03) & _MASK

    def random_below(self, n: int) -> int:
        """A uniform number from 0 to n-1: a linear congruence, mixed, by rejection."""
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
        """Fisher and Yates, with the generator above written out: decks are shuffled a lot."""
        if self.key:
            for i in range(len(cards) - 1, 0, -1):
                j, self.rng = keyed_below(self.key, self.rng, i + 1)
                cards[i], cards[j] = cards[j], cards[i]
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

    def facts(self) -> dict[str, Any]:
        """Everything that is true of the table, as plain data that compares and serialises."""
        return {
            "kind": [k.name for k in self.kind],
            "owner": self.owner,
            "controller": self.controller,
            "played_by": self.played_by,
            "zone": self.zone,
            "place": self.place,
            "counters": self.counters,
            "lives": self.lives,
            "seen": self.seen,
            "pool": self.pool,
            "hands": self.hands,
            "decks": self.decks,
            "discards": self.discards,
            "aside": self.aside,
            "base_deck": self.base_deck,
            "base_discard": self.base_discard,
            "madness": self.madness,
            "revealed": self.revealed,
            "held": self.held,
            "mixed": [m.facts() for m in self.mixed],
            "sites": [[s.serial, s.base, s.cards] for s in self.sites],
            "on_card": sorted([h, list(a)] for h, a in self.on_card.items()),
            "tokens": sorted([c, n] for c, n in self.tokens.items()),
            "sources": [
                [s.card, s.kind.name, s.stamp, s.lender, s.until_end_of_turn] for s in self.sources
            ],
            "effects": [
                [e.what, e.target, e.amount, e.player, e.until, e.until_player, e.stamp]
                for e in self.effects
            ],
            "delayed": [[d.kind.name, d.card, d.life, d.player, d.when] for d in self.delayed],
            "rights": [list(r.facts()) for r in self.rights],
            "once": sorted(list(k) for k in self.once),
            "tally": sorted([list(k), n] for k, n in self.tally.items()),
            "talents_used": sorted(list(k) for k in self.talents_used),
            "vp": self.vp,
            "turn": self.turn,
            "current": self.current,
            "first": self.first,
            "phase": self.phase,
            "scoring": self.scoring,
            "extra_turns": self.extra_turns,
            "turn_order_from": self.turn_order_from,
            "drafted": self.drafted,
            "over": self.over,
            "winners": self.winners,
            "serial": self.serial,
            "stamp": self.stamp,
            "rng": self.rng,
        }  # fmt: skip

    def digest(self) -> str:
        """A short fingerprint of the whole state, the same on every machine and Python."""
        return fingerprint(self.facts())


def fingerprint(facts: dict[str, Any]) -> str:
    """The digest of a state of which the facts are at hand."""
    return hashlib.blake2b(repr(facts).encode(), digest_size=8).hexdigest()
