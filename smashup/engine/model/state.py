"""Everything that is on the table, as flat data that copies in microseconds.

Cards are numbers; a column per fact says what is true of each. Nothing here refers to a running
function, so a copy taken between two cards is a complete game.
"""

from __future__ import annotations

import hashlib
from enum import Enum
from typing import TYPE_CHECKING, Any, Final

from smashup.engine.model.constants import NONE, SETUP
from smashup.engine.model.randomness import keyed_below

if TYPE_CHECKING:
    from smashup.engine.model.definitions import CardDefinition
    from smashup.engine.model.events import ActiveAbility
    from smashup.engine.model.knowledge import Mix
    from smashup.engine.model.permissions import PlayPermission


class Effect:
    """Something that holds for a while: unchanging data with an expiry.

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
        self, what: int, target: int, amount: int, player: int, until: int, until_player: int,
        stamp: int, source: int = -1, giver: str = "",
    ) -> None:  # fmt: skip
        self.kind = what
        self.target = target
        self.amount = amount
        self.player = player
        self.until = until
        self.until_player = until_player
        self.stamp = stamp
        self.source = source
        """The card that brought it about, for those who ask why; no rule goes by it."""
        self.source_name = giver
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


class DelayedEffect:
    """Something set up to happen at the end of the turn (or a later start of turn)."""

    __slots__ = ("card", "definition", "life", "player", "when")

    def __init__(self, kind: CardDefinition, card: int, life: int, player: int, when: int) -> None:
        self.definition = kind
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


class FieldKind(Enum):
    """How a field of the state begins and how it is copied."""

    NUMBER = ("0", "self.{0}")
    LIST = ("[]", "self.{0}[:]")
    PER_PLAYER = ("[0] * players", "self.{0}[:]")
    PILES = ("[[] for _ in range(players)]", "[pile[:] for pile in self.{0}]")
    NESTED = ("[]", "[row[:] for row in self.{0}]")
    DICT = ("{{}}", "self.{0}.copy()")
    SET = ("set()", "self.{0}.copy()")
    SITES = ("[]", "[Site(x.serial, x.base, x.cards[:]) for x in self.{0}]")
    SITE_INDEX = ("{{}}", "{{x.serial: x for x in new.sites}}")

    def __init__(self, initial: str, copied: str) -> None:
        self.initial = initial
        self.copied = copied


_K = FieldKind
FIELDS: Final[dict[str, FieldKind]] = {
    "definition": _K.LIST,
    "owner": _K.LIST,
    "controller": _K.LIST,
    "played_by": _K.LIST,
    "zone": _K.LIST,
    "place": _K.LIST,
    "counters": _K.LIST,
    "lives": _K.LIST,
    "seen_by": _K.LIST,
    "hidden_with": _K.LIST,
    "hands": _K.PILES,
    "decks": _K.PILES,
    "discards": _K.PILES,
    "set_aside": _K.PILES,
    "base_deck": _K.LIST,
    "base_discard": _K.LIST,
    "madness": _K.LIST,
    "limbo": _K.LIST,
    "held": _K.LIST,
    "mixes": _K.LIST,
    "sites": _K.SITES,
    "site_at": _K.SITE_INDEX,
    "on_card": _K.DICT,
    "tokens": _K.DICT,
    "abilities": _K.LIST,
    "effects": _K.LIST,
    "delayed": _K.LIST,
    "permissions": _K.LIST,
    "used_this_turn": _K.SET,
    "turn_counts": _K.DICT,
    "talents_used": _K.SET,
    "vp": _K.PER_PLAYER,
    "turn": _K.NUMBER,
    "current": _K.NUMBER,
    "first": _K.NUMBER,
    "phase": _K.NUMBER,
    "scoring": _K.NUMBER,
    "extra_turns": _K.LIST,
    "turn_order_from": _K.NUMBER,
    "drafted": _K.NESTED,
    "over": _K.NUMBER,
    "winners": _K.LIST,
    "serial": _K.NUMBER,
    "stamp": _K.NUMBER,
    "event_count": _K.NUMBER,
    "rng": _K.NUMBER,
    "key": _K.NUMBER,
}
"""Every field of the state. Copies, digests and snapshots go by this table."""
NOT_IN_SNAPSHOT: Final = ("site_at", "event_count", "key")


def _generate(signature: str, lines: list[str]) -> Any:
    """A function written out from the table above: state is copied all the time."""
    scope: dict[str, Any] = {"Site": Site}
    exec(f"def generated({signature}):\n    " + "\n    ".join(lines), scope)
    return scope["generated"]


_begin: Final = _generate(
    "new, players",
    [f"new.{name} = {kind.initial.format(name)}" for name, kind in FIELDS.items()],
)
_copy_into: Final = _generate(
    "self, new",
    [f"new.{name} = {kind.copied.format(name)}" for name, kind in FIELDS.items()],
)


class State:
    """One table at one moment."""

    __slots__ = tuple(FIELDS)

    definition: list[CardDefinition]
    owner: list[int]
    controller: list[int]
    """Who controls it; kept when it leaves play, for the effects that follow."""
    played_by: list[int]
    zone: list[int]
    place: list[int]
    """A player, a site's serial or a host card, as the zone says."""
    counters: list[int]
    """+1 power counters."""
    lives: list[int]
    """How many lives in play the card has ended."""
    seen_by: list[int]
    """Viewers (bits) who know which card this is while it is face down."""
    hidden_with: list[int]
    """The player among whose unknown cards it hides."""
    hands: list[list[int]]
    decks: list[list[int]]
    """The last card is the top."""
    discards: list[list[int]]
    set_aside: list[list[int]]
    base_deck: list[int]
    base_discard: list[int]
    madness: list[int]
    limbo: list[int]
    """Cards in limbo: being played, or revealed and not yet put anywhere."""
    held: list[int]
    """Those in limbo that one player looks at privately."""
    mixes: list[Mix]
    """What viewers know of cards that they cannot tell apart by their places."""
    sites: list[Site]
    site_at: dict[int, Site]
    on_card: dict[int, tuple[int, ...]]
    """Actions on each card, in order of arrival."""
    tokens: dict[int, int]
    """Counters that are not +1 power counters."""
    abilities: list[ActiveAbility]
    effects: list[Effect]
    delayed: list[DelayedEffect]
    permissions: list[PlayPermission]
    used_this_turn: set[tuple[int, ...]]
    """What has been used this turn."""
    turn_counts: dict[tuple[int, ...], int]
    """What has been counted this turn: plays by type, player and site."""
    talents_used: set[tuple[int, int]]
    vp: list[int]
    turn: int
    current: int
    first: int
    phase: int
    scoring: int
    """The serial of the site being scored, -1 when none."""
    extra_turns: list[int]
    turn_order_from: int
    """Whose regular turn it was last: extra turns do not change who comes next."""
    drafted: list[list[int]]
    over: bool
    winners: list[int]
    serial: int
    stamp: int
    event_count: int
    rng: int
    """The linear generator's state; of the keyed one, the number of the next draw."""
    key: bytes
    """The secret key of the keyed generator. Empty: the linear one draws. It is no fact of the
    table: snapshots and digests leave it out."""

    def __init__(self, players: int, seed: int, key: bytes = b"") -> None:
        if players == 0:
            return  # blank, for `copy` to fill in
        _begin(self, players)
        self.phase = SETUP
        self.scoring = NONE
        self.over = False
        self.key = b""
        self.reseed(seed)
        if key:
            self.key = key
            self.rng = 0

    def copy(self) -> State:
        """An independent copy. What lists hold besides numbers and sites never changes."""
        new = State(0, 0)
        _copy_into(self, new)
        return new

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

    def to_dict(self) -> dict[str, Any]:
        """Everything that is true of the table, as plain data that compares and serializes."""
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
        """A short fingerprint of the whole state, the same on every machine and Python."""
        return fingerprint(self.to_dict())


def fingerprint(facts: dict[str, Any]) -> str:
    """The digest of a state of which the facts are at hand."""
    return hashlib.blake2b(repr(facts).encode(), digest_size=8).hexdigest()
