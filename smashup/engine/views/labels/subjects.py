"""Cards named in labels, and the visible details that distinguish them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from smashup.engine.model.constants import (
    AT_BASE,
    BASE_DECK,
    BASE_DISCARD,
    BASE_IN_PLAY,
    BURIED,
    DECK,
    DISCARD,
    HAND,
    LIMBO,
    MINION,
    NONE,
    ON_CARD,
    SET_ASIDE,
    TITAN,
    TYPE_NAMES,
)
from smashup.engine.model.messages import (
    HIDDEN,
    Message,
    base_name,
    card_name,
    player_name,
)
from smashup.engine.model.state import MOVED_FROM
from smashup.engine.rules import queries

if TYPE_CHECKING:
    from smashup.engine.model.events import Trigger
    from smashup.engine.model.table import Table

_FACE_DOWN: Final = (HAND, DECK, LIMBO, BASE_DECK, BURIED)
PLACE: Final = "place"
"""Key of a card's place: a label shows it by describing the card in full."""


class Trait:
    """A detail that may distinguish an option from others that read the same."""

    __slots__ = ("key", "subject", "words")

    def __init__(self, key: str, words: Message | None) -> None:
        self.key = key
        self.words = words
        """Its text; None if it has none."""
        self.subject: Subject | None = None
        """The card it describes; None for the whole option."""


def make_trait(key: str, text: str, **args: Any) -> Trait:
    return Trait(key, Message(text, args) if text else None)


class Subject:
    """A card named in a label, with as many details as needed."""

    __slots__ = ("card", "details", "is_located", "t", "viewer")

    def __init__(self, t: Table, card: int, viewer: int, is_located: bool = False) -> None:
        self.t = t
        self.card = card
        self.viewer = viewer
        self.is_located = is_located
        """Whether the label gives its controller and place."""
        self.details: list[Message] = []

    def is_hidden(self) -> bool:
        """Whether the player who decides does not know which card it is."""
        s = self.t.state
        face_down = s.zone[self.card] in _FACE_DOWN
        return face_down and not s.seen_by[self.card] >> self.viewer & 1

    def name(self) -> Any:
        """Return the card's name with the added details."""
        if self.is_located:
            return self.describe()
        if not self.details:
            return card_name(self.t, self.card)
        args = {"card": card_name(self.t, self.card), "details": join(self.details)}
        return Message("{card} ({details})", args)

    def describe(self, host: Any = None) -> Message:
        """Return the card with its controller and place, or its type, and the added details."""
        t, c = self.t, self.card
        s = t.state
        zone = s.zone[c]
        args: dict[str, Any] = {"card": HIDDEN if self.is_hidden() else card_name(t, c)}
        if zone in (AT_BASE, ON_CARD, BURIED):
            args["base"] = base_name(t, t.site_serial(c))
            args["player"] = join([player_name(s.controller[c]), *self.details])
            if zone == BURIED:
                return Message("{card} ({player}) buried at {base}", args)
            if zone == ON_CARD:
                args["host"] = card_name(t, s.place[c]) if host is None else host
                return Message("{card} ({player}) on {host} at {base}", args)
            return Message("{card} ({player}) at {base}", args)
        details: list[Any] = list(self.details)
        if not self.is_hidden():
            details.insert(0, Message(TYPE_NAMES[s.definition[c].type], {}))
        if not details:
            return Message("{card}", args)
        args["type"] = join(details)
        return Message("{card} ({type})", args)

    def traits(self, gap: str) -> list[Trait]:
        """Return details that may distinguish it from a card of the same name, best first."""
        s = self.t.state
        c = self.card
        zone = s.zone[c]
        if zone in (AT_BASE, ON_CARD):
            found = [self._owner(s.controller[c]), self._asking(), self._power()]
            found += [
                *self._counters(),
                self._attached(),
                self._used(),
                self._moved(),
                self._waits(),
                self._reacted_to(),
                self._resolving(),
                self._chosen(),
                self._granted(),
            ]
            if gap == "host":  # the label says at which base
                controller = player_name(s.controller[c])
                found.insert(0, make_trait("controller", "{player}", player=controller))
            elif not self.is_located:
                found.insert(0, self._place())
        elif zone == BURIED:
            found = [] if self.is_located else [self._place()]
        elif zone == BASE_IN_PLAY:
            found = []
        elif self.is_hidden():
            found = [self._zone()]
        else:
            found = [self._zone(), self._owner(s.place[c]), *self._counters(), *self._known()]
        for trait in found:
            trait.key = f"{gap} {trait.key}"
            trait.subject = self
        return found

    def _place(self) -> Trait:
        words = Subject(self.t, self.card, self.viewer).describe()
        return Trait(PLACE, words)

    def _owner(self, holder: int) -> Trait:
        owner = self.t.state.owner[self.card]
        if owner in (holder, NONE):
            return Trait("owner", None)
        return make_trait("owner", "owned by {player}", player=player_name(owner))

    def _zone(self) -> Trait:
        s = self.t.state
        zone = s.zone[self.card]
        if zone in (HAND, DECK, DISCARD):
            text = "in {player}'s discard pile"
            if zone != DISCARD:
                text = "in {player}'s hand" if zone == HAND else "in {player}'s deck"
            return make_trait("zone", text, player=player_name(s.place[self.card]))
        text = ""
        if zone in (SET_ASIDE, LIMBO):
            text = "set aside" if zone == SET_ASIDE else "revealed"
        elif zone in (BASE_DECK, BASE_DISCARD):
            text = "in the base deck" if zone == BASE_DECK else "in the base discard pile"
        return make_trait("zone", text)

    def _asking(self) -> Trait:
        """Whether it is the card whose ability asks."""
        resolutions = self.t.resolutions
        asks = bool(resolutions) and resolutions[-1].cause.card == self.card
        return make_trait("asking", "this card" if asks else "")

    def _power(self) -> Trait:
        s = self.t.state
        c = self.card
        if s.zone[c] != AT_BASE or not s.definition[c].type & (MINION | TITAN):
            return make_trait("power", "")
        return make_trait("power", "power {power}", power=queries.power(self.t, c))

    def _counters(self) -> list[Trait]:
        s = self.t.state
        count = s.counters[self.card]
        text = "with {count} +1 power counters" if count > 1 else "with a +1 power counter"
        tokens = s.tokens.get(self.card, 0)
        other = "with {count} counters" if tokens > 1 else "with a counter"
        return [
            make_trait("counters", text if count else "", count=count),
            make_trait("tokens", other if tokens else "", count=tokens),
        ]

    def _attached(self) -> Trait:
        t = self.t
        definitions = t.state.definition
        attached = sorted(t.state.on_card.get(self.card, ()), key=lambda a: definitions[a].name)
        cards = [card_name(t, a) for a in attached]
        return make_trait("attached", "with {cards}" if cards else "", cards=cards)

    def _used(self) -> Trait:
        """Whether its talent was used this turn, or its Special in the scoring window."""
        if any(c == self.card for c, _, _ in self.t.used_in_scoring):
            return make_trait("used", "Special used")
        used = any(c == self.card for c, _ in self.t.state.talents_used)
        return make_trait("used", "talent used" if used else "")

    def _moved(self) -> Trait:
        effects = self.t.state.effects
        moved = any(e.kind == MOVED_FROM and e.target == self.card for e in effects)
        return make_trait("moved", "moved this turn" if moved else "")

    def _waits(self) -> Trait:
        waits = any(x.ability.card == self.card for queue in _waiting(self.t) for x in queue)
        return make_trait("waits", "ability yet to resolve" if waits else "")

    def _reacted_to(self) -> Trait:
        waits = bool(_reactions(self.t, self.card))
        return make_trait("reacted to", "others yet to react to it" if waits else "")

    def _resolving(self) -> Trait:
        """Whether it waits for the card that asks to finish resolving itself."""
        waiting = any(x.cause.card == self.card for x in self.t.resolutions[:-1])
        return make_trait("resolving", "still resolving" if waiting else "")

    def _chosen(self) -> Trait:
        """Whether it was chosen for a card that waits for the one that asks."""
        for resolution in self.t.resolutions[:-1]:
            if self.card in resolution.all_chosen and resolution.cause.card != NONE:
                chooser = card_name(self.t, resolution.cause.card)
                return make_trait("chosen", "chosen for {card}", card=chooser)
        return make_trait("chosen", "")

    def _granted(self) -> Trait:
        """Whether the card that let a player play it has more to do with it."""
        for played, source in self.t.follow_ups:
            if played == self.card and source != NONE:
                return make_trait("granted", "played with {card}", card=card_name(self.t, source))
        return make_trait("granted", "")

    def _known(self) -> list[Trait]:
        """Return which other players know a card, or saw it and lost track of it."""
        if not _is_tracked(self.t, self.card, self.viewer):
            return []
        knowing, remembering = _seers(self.t, self.card)
        known = [player_name(p) for p in knowing if p != self.viewer]
        seen = [player_name(p) for p in remembering if p != self.viewer]
        return [
            make_trait("known", "known to {players}" if known else "", players=known),
            make_trait("seen", "seen by {players} before" if seen else "", players=seen),
        ]


def _is_tracked(t: Table, c: int, viewer: int) -> bool:
    """Whether a player knows who else has seen this very card.

    No player can tell which copy in another player's hand a third player has seen.
    """
    s = t.state
    return s.zone[c] == LIMBO or (s.zone[c] == HAND and s.place[c] == viewer)


def _seers(t: Table, c: int) -> tuple[list[int], list[int]]:
    """Return the players who know a card by its place, and those who know it is among some
    cards."""
    s = t.state
    knowing = [p for p in range(t.num_players) if s.seen_by[c] >> p & 1]
    return knowing, sorted(m.viewer for m in s.mixes if m.viewer < t.num_players and c in m.known)


def _known_by(t: Table, c: int) -> tuple[Any, ...]:
    """Return what players know of a hidden card, and would learn if it appears elsewhere."""
    mixed = t.state.mixes
    mixes = [i for i, m in enumerate(mixed) if m.viewer < t.num_players and c in m.cards]
    return (*_seers(t, c), mixes)


def signature(t: Table, c: int, viewer: int, depth: int = 2) -> tuple[Any, ...]:
    """Return everything about a visible card that may matter later, except its number."""
    s = t.state
    zone = s.zone[c]
    place: Any = s.place[c]
    if zone == ON_CARD:
        place = signature(t, place, viewer, depth - 1) if depth else ()
    used = s.talents_used | t.used_in_scoring
    attached = [signature(t, a, viewer, 0) for a in s.on_card.get(c, ())] if depth else []
    return (
        s.definition[c].name,
        s.owner[c],
        zone,
        place,
        (s.controller[c], s.played_by[c]) if t.in_play(c) else (),
        s.counters[c],
        s.tokens.get(c, 0),
        _known_by(t, c) if _is_tracked(t, c, viewer) else (),
        sorted(attached, key=repr),
        sorted(
            (e.kind, e.amount, e.player, e.until, e.until_player)
            for e in s.effects
            if e.target == c
        ),
        sorted(
            (x.definition.name, x.granted_by != NONE, x.until_end_of_turn, (c, x.stamp) in used)
            for x in s.abilities
            if x.card == c
        ),
        sorted((d.definition.name, d.player, d.when) for d in s.delayed if d.card == c),
        sorted(_use(key) for key in s.used_this_turn if key[0] == c),
        [i for i, resolution in enumerate(t.resolutions) if resolution.cause.card == c],
        [i for i, resolution in enumerate(t.resolutions[:-1]) if c in resolution.all_chosen],
        sorted(x.hook for queue in _waiting(t) for x in queue if x.ability.card == c),
        sorted(_reactions(t, c)),
        sorted(
            (r.types, r.max_power, r.once_per_turn_key, r.card == c, r.on == c, r.must_affect == c)
            for r in s.permissions
            if c in (r.card, r.on, r.must_affect, r.source_card)
        ),
    )


def _use(key: tuple[int, ...]) -> tuple[int, ...]:
    """Return a use of this turn without the card and its life."""
    return key[3:] if key[1] == -2 else key[2:]


def _waiting(t: Table) -> list[list[Trigger]]:
    """Return the abilities waiting to resolve."""
    return [*t.trigger_queues, *(resolution.queue for resolution in t.resolutions)]


def _reactions(t: Table, c: int) -> list[str]:
    """Return the abilities of other cards waiting to react to what happened to a card."""
    return [
        x.ability.definition.name
        for queue in _waiting(t)
        for x in queue
        if x.ability.card != c and getattr(x.event, "card", None) is t.cards[c]
    ]


def join(parts: list[Any]) -> Any:
    """Join details: “P1, power 3”."""
    whole = parts[0]
    for part in parts[1:]:
        whole = Message("{first}, {second}", {"first": whole, "second": part})
    return whole
