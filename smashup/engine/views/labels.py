"""Labels: what each option of a decision means, in words for the player who decides.

A label says as little as it can. Where two options would read the same, whatever tells them apart
is added: who controls or owns a card, where it is, what is on it, by what right it is played.
Copies that differ in nothing keep the same label. Nothing is said that the player cannot see.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from smashup.engine.model.constants import (
    ASIDE,
    AT_BASE,
    BASE_DECK,
    BASE_DISCARD,
    BURIED,
    DECK,
    DISCARD,
    HAND,
    IN_MIDDLE,
    LIMBO,
    MINION,
    NONE,
    ON_CARD,
    TITAN,
    TYPE_NAMES,
)
from smashup.engine.model.decisions import (
    CARDS,
    DONE,
    FACTIONS,
    LATER,
    MOVES,
    PASS,
    PLAYERS,
    SITES,
    TRIGGERS,
    USE_TALENT,
    WORDS,
    Decision,
    Move,
)
from smashup.engine.model.events import UNCOVER
from smashup.engine.model.messages import (
    HIDDEN,
    Message,
    Name,
    base_name,
    card_name,
    faction_name,
    player_name,
)
from smashup.engine.model.permissions import PlayPermission
from smashup.engine.model.state import MOVED_FROM
from smashup.engine.rules import queries
from smashup.engine.rules.permissions import describe_restrictions

if TYPE_CHECKING:
    from smashup.engine.model.events import ActiveAbility, Event, Trigger
    from smashup.engine.model.table import Table

_FACE_DOWN: Final = (HAND, DECK, LIMBO, BASE_DECK, BURIED)
_PLACE: Final = "place"
"""Key of where a card is: a label says so by describing the card in full."""


def label_options(t: Table, decision: Decision) -> list[Message]:
    """The labels of all options, told apart wherever they lead to different things."""
    drafts = [_draft(t, decision, option) for option in decision.options]
    _tell_apart(drafts)
    return [draft.message() for draft in drafts]


def describe_asker(t: Table, c: int, viewer: int) -> Message | None:
    """Which card asks, where a card of the same name in play might ask as well."""
    s = t.state
    if s.zone[c] not in (AT_BASE, ON_CARD):
        return None
    name = s.definition[c].name
    namesakes = [
        x
        for x, kind in enumerate(s.definition)
        if kind.name == name and s.zone[x] in (AT_BASE, ON_CARD)
    ]
    if len(namesakes) < 2:
        return None
    drafts = [_card_draft(t, x, viewer) for x in namesakes]
    for draft in drafts:
        draft.is_asker = True
    _tell_apart(drafts)
    return drafts[namesakes.index(c)].message()


def is_special(t: Table, move: Move) -> bool:
    """Whether a move uses a Special of a card in play: no talents are used in a scoring window."""
    return move.verb == USE_TALENT and t.window is not None


# --- what tells options apart ---------------------------------------------------------------


class _Trait:
    """Something that may tell an option from others that read the same."""

    __slots__ = ("key", "subject", "words")

    def __init__(self, key: str, words: Message | None) -> None:
        self.key = key
        self.words = words
        """How it is said; None where there is nothing to say."""
        self.subject: _Subject | None = None
        """The card it is true of; None for the whole option."""


def _tell_apart(drafts: list[_Draft]) -> None:
    """Add to labels that read the same what tells the options apart."""
    for group in _alike(drafts):
        for draft in group:
            draft.collect_traits()
        _refine(group)


def _alike(drafts: list[_Draft]) -> list[list[_Draft]]:
    """Drafts that read the same, where there are several."""
    if len(drafts) < 2:
        return []
    by_label: dict[str, list[_Draft]] = {}
    for draft in drafts:
        by_label.setdefault(str(draft.message()), []).append(draft)
    return [group for group in by_label.values() if len(group) > 1]


def _refine(group: list[_Draft]) -> None:
    """Say what differs within a group: one thing, then as many more as are needed.

    Where something differs that has no words, the options are numbered.
    """
    for key in [trait.key for trait in group[0].traits]:
        if _say_trait(group, key):
            for rest in _alike(group):
                _refine(rest)
            return
    signatures = [draft.signature() for draft in group]
    if group[0].is_asker or any(x != signatures[0] for x in signatures[1:]):
        for number, draft in enumerate(group, 1):
            words = Message("{number} of {count}", {"number": number, "count": len(group)})
            draft.add_detail(words, draft.subjects["card"] if draft.is_card else None)


def _say_trait(group: list[_Draft], key: str) -> bool:
    """Say something about all of a group, if that tells some of them apart."""
    traits = [draft.take_trait(key) for draft in group]
    if len({str(trait.words) if trait is not None else "" for trait in traits}) < 2:
        return False
    for draft, trait in zip(group, traits, strict=True):
        if trait is None or trait.words is None:
            continue
        if trait.subject is not None and key.endswith(_PLACE):
            trait.subject.is_located = True  # the label describes the card in full
        else:
            draft.add_detail(trait.words, trait.subject)
    return True


def _trait(key: str, text: str, **args: Any) -> _Trait:
    return _Trait(key, Message(text, args) if text else None)


# --- cards that labels speak of -------------------------------------------------------------


class _Subject:
    """A card that a label speaks of, with as much about it as is needed."""

    __slots__ = ("card", "details", "is_located", "t", "viewer")

    def __init__(self, t: Table, card: int, viewer: int, is_located: bool = False) -> None:
        self.t = t
        self.card = card
        self.viewer = viewer
        self.is_located = is_located
        """Whether the label says whose it is and where."""
        self.details: list[Message] = []

    def is_hidden(self) -> bool:
        """Whether the player who decides does not know which card it is."""
        s = self.t.state
        face_down = s.zone[self.card] in _FACE_DOWN
        return face_down and not s.seen_by[self.card] >> self.viewer & 1

    def name(self) -> Any:
        """The card in a sentence: its name, and what was added."""
        if self.is_located:
            return self.describe()
        if not self.details:
            return card_name(self.t, self.card)
        args = {"card": card_name(self.t, self.card), "details": _join(self.details)}
        return Message("{card} ({details})", args)

    def describe(self, host: Any = None) -> Message:
        """The card with whose it is and where, or of what type; and what was added."""
        t, c = self.t, self.card
        s = t.state
        zone = s.zone[c]
        args: dict[str, Any] = {"card": HIDDEN if self.is_hidden() else card_name(t, c)}
        if zone in (AT_BASE, ON_CARD, BURIED):
            args["base"] = base_name(t, t.site_serial(c))
            args["player"] = _join([player_name(s.controller[c]), *self.details])
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
        args["type"] = _join(details)
        return Message("{card} ({type})", args)

    def traits(self, gap: str) -> list[_Trait]:
        """What may tell it from a card of the same name, the most telling first."""
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
            ]
            if gap == "host":  # the label says at which base
                controller = player_name(s.controller[c])
                found.insert(0, _trait("controller", "{player}", player=controller))
            elif not self.is_located:
                found.insert(0, self._place())
        elif zone == BURIED:
            found = [] if self.is_located else [self._place()]
        elif zone == IN_MIDDLE:
            found = []
        elif self.is_hidden():
            found = [self._zone()]
        else:
            found = [self._zone(), self._owner(s.place[c]), *self._counters(), *self._known()]
        for trait in found:
            trait.key = f"{gap} {trait.key}"
            trait.subject = self
        return found

    def _place(self) -> _Trait:
        words = _Subject(self.t, self.card, self.viewer).describe()
        return _Trait(_PLACE, words)

    def _owner(self, holder: int) -> _Trait:
        owner = self.t.state.owner[self.card]
        if owner in (holder, NONE):
            return _Trait("owner", None)
        return _trait("owner", "owned by {player}", player=player_name(owner))

    def _zone(self) -> _Trait:
        s = self.t.state
        zone = s.zone[self.card]
        if zone in (HAND, DECK, DISCARD):
            text = "in {player}'s discard pile"
            if zone != DISCARD:
                text = "in {player}'s hand" if zone == HAND else "in {player}'s deck"
            return _trait("zone", text, player=player_name(s.place[self.card]))
        text = ""
        if zone in (ASIDE, LIMBO):
            text = "set aside" if zone == ASIDE else "revealed"
        elif zone in (BASE_DECK, BASE_DISCARD):
            text = "in the base deck" if zone == BASE_DECK else "in the base discard pile"
        return _trait("zone", text)

    def _asking(self) -> _Trait:
        """Whether it is the card whose ability asks."""
        resolutions = self.t.resolutions
        asks = bool(resolutions) and resolutions[-1].cause.card == self.card
        return _trait("asking", "this card" if asks else "")

    def _power(self) -> _Trait:
        s = self.t.state
        c = self.card
        if s.zone[c] != AT_BASE or not s.definition[c].type & (MINION | TITAN):
            return _trait("power", "")
        return _trait("power", "power {power}", power=queries.power(self.t, c))

    def _counters(self) -> list[_Trait]:
        s = self.t.state
        count = s.counters[self.card]
        text = "with {count} +1 power counters" if count > 1 else "with a +1 power counter"
        tokens = s.tokens.get(self.card, 0)
        other = "with {count} counters" if tokens > 1 else "with a counter"
        return [
            _trait("counters", text if count else "", count=count),
            _trait("tokens", other if tokens else "", count=tokens),
        ]

    def _attached(self) -> _Trait:
        t = self.t
        kinds = t.state.definition
        attached = sorted(t.state.on_card.get(self.card, ()), key=lambda a: kinds[a].name)
        cards = [card_name(t, a) for a in attached]
        return _trait("attached", "with {cards}" if cards else "", cards=cards)

    def _used(self) -> _Trait:
        """Whether its talent was used this turn, or its Special in the scoring window."""
        if any(c == self.card for c, _, _ in self.t.used_in_scoring):
            return _trait("used", "Special used")
        used = any(c == self.card for c, _ in self.t.state.talents_used)
        return _trait("used", "talent used" if used else "")

    def _moved(self) -> _Trait:
        effects = self.t.state.effects
        moved = any(e.kind == MOVED_FROM and e.target == self.card for e in effects)
        return _trait("moved", "moved this turn" if moved else "")

    def _waits(self) -> _Trait:
        waits = any(x.ability.card == self.card for queue in _waiting(self.t) for x in queue)
        return _trait("waits", "ability yet to resolve" if waits else "")

    def _known(self) -> list[_Trait]:
        """Who else knows a card, or saw it and lost track of it."""
        if not _is_tracked(self.t, self.card, self.viewer):
            return []
        knowing, remembering = _seers(self.t, self.card)
        known = [player_name(p) for p in knowing if p != self.viewer]
        seen = [player_name(p) for p in remembering if p != self.viewer]
        return [
            _trait("known", "known to {players}" if known else "", players=known),
            _trait("seen", "seen by {players} before" if seen else "", players=seen),
        ]


def _is_tracked(t: Table, c: int, viewer: int) -> bool:
    """Whether a player knows who else has seen this very card.

    Nobody can tell which copy in another player's hand somebody else has seen.
    """
    s = t.state
    return s.zone[c] == LIMBO or (s.zone[c] == HAND and s.place[c] == viewer)


def _seers(t: Table, c: int) -> tuple[list[int], list[int]]:
    """The players who know a card by its place, and those who know it to be among some cards."""
    s = t.state
    knowing = [p for p in range(t.num_players) if s.seen_by[c] >> p & 1]
    return knowing, sorted(m.viewer for m in s.mixes if m.viewer < t.num_players and c in m.known)


def _known_by(t: Table, c: int) -> tuple[Any, ...]:
    """All that players know of a hidden card, and learn of others when it turns up elsewhere."""
    mixed = t.state.mixes
    mixes = [i for i, m in enumerate(mixed) if m.viewer < t.num_players and c in m.cards]
    return (*_seers(t, c), mixes)


def _signature(t: Table, c: int, viewer: int, depth: int = 2) -> tuple[Any, ...]:
    """Everything about a card in view that may matter later, except its number."""
    s = t.state
    zone = s.zone[c]
    place: Any = s.place[c]
    if zone == ON_CARD:
        place = _signature(t, place, viewer, depth - 1) if depth else ()
    used = s.talents_used | t.used_in_scoring
    attached = [_signature(t, a, viewer, 0) for a in s.on_card.get(c, ())] if depth else []
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
        sorted(x.hook for queue in _waiting(t) for x in queue if x.ability.card == c),
        sorted(
            (r.types, r.max_power, r.once_per_turn_key, r.card == c, r.on == c, r.must_affect == c)
            for r in s.permissions
            if c in (r.card, r.on, r.must_affect, r.source_card)
        ),
    )


def _use(key: tuple[int, ...]) -> tuple[int, ...]:
    """What was used this turn, without the card and its life."""
    return key[3:] if key[1] == -2 else key[2:]


def _waiting(t: Table) -> list[list[Trigger]]:
    """Abilities waiting for their turn."""
    return [*t.trigger_queues, *(resolution.queue for resolution in t.resolutions)]


def _join(parts: list[Any]) -> Any:
    """Details side by side: «P1, power 3»."""
    whole = parts[0]
    for part in parts[1:]:
        whole = Message("{first}, {second}", {"first": whole, "second": part})
    return whole


# --- drafts ---------------------------------------------------------------------------------


class _Draft:
    """A label in the making."""

    __slots__ = (
        "details", "is_asker", "is_card", "label", "subjects", "traits", "value",
    )  # fmt: skip

    def __init__(self, label: Message, value: Any = None) -> None:
        self.label = label
        """Its words, with gaps for the cards it speaks of."""
        self.value = value
        """What the option leads to depends on, beside its cards."""
        self.subjects: dict[str, _Subject] = {}
        """The cards it speaks of, by the gap each fills."""
        self.is_card = False
        """Whether the whole label describes its card."""
        self.is_asker = False
        """Whether it is for a card that asks: copies ask one by one, so even those are numbered."""
        self.details: list[Message] = []
        self.traits: list[_Trait] = []
        """What may tell it from others and was not said yet."""

    def message(self) -> Message:
        if self.is_card:
            host = self.subjects.get("host")
            label = self.subjects["card"].describe(host.name() if host is not None else None)
        else:
            args = dict(self.label.args)
            for gap, subject in self.subjects.items():
                args[gap] = subject.name()
            label = Message(self.label.text, args)
        for detail in self.details:
            label = Message("{label}, {detail}", {"label": label, "detail": detail})
        return label

    def collect_traits(self) -> None:
        """Look at the cards it speaks of, as it turns out that others read the same."""
        found = [x for gap, subject in self.subjects.items() for x in subject.traits(gap)]
        if self.is_asker:
            found = [x for x in found if x.key != "card asking"]
        self.traits = [*found, *self.traits]

    def take_trait(self, key: str) -> _Trait | None:
        for trait in self.traits:
            if trait.key == key:
                self.traits.remove(trait)
                return trait
        return None

    def add_detail(self, words: Message, subject: _Subject | None) -> None:
        (self.details if subject is None else subject.details).append(words)

    def signature(self) -> tuple[Any, ...]:
        """What the option leads to; a card that is not in view is not like any other."""
        cards = [
            (x.card,) if x.is_hidden() else _signature(x.t, x.card, x.viewer)
            for x in self.subjects.values()
        ]
        return (cards, self.value)


def _draft(t: Table, decision: Decision, option: Any) -> _Draft:
    """The shortest label of an option."""
    kind = decision.kind
    if kind == WORDS:
        return _Draft(Message(option, {}))
    if kind == MOVES:
        return _move_draft(t, option, decision.player)
    if kind == TRIGGERS:
        return _trigger_draft(t, option, decision.player)
    if option == NONE:
        return _Draft(Message("None", {}))
    if kind == CARDS:
        return _card_draft(t, option, decision.player)
    if kind == SITES:
        return _Draft(Message("{base}", {"base": base_name(t, option)}), option)
    if kind == PLAYERS:
        return _Draft(Message("{player}", {"player": player_name(option)}), option)
    assert kind == FACTIONS
    return _Draft(Message("{faction}", {"faction": faction_name(t, option)}), option)


def _card_draft(t: Table, c: int, viewer: int) -> _Draft:
    draft = _Draft(Message("", {}))
    draft.is_card = True
    draft.subjects["card"] = _Subject(t, c, viewer, is_located=True)
    if t.state.zone[c] == ON_CARD:
        draft.subjects["host"] = _Subject(t, t.state.place[c], viewer)
    return draft


def _ability_trait(t: Table, source: ActiveAbility) -> _Trait:
    """Which of a card's abilities it is: its own, a lent or a copied one."""
    if source.granted_by != NONE:
        lender = player_name(t.state.controller[source.granted_by])
        args = {"card": card_name(t, source.granted_by), "details": lender}
        words = Message("from {card}", {"card": Message("{card} ({details})", args)})
    elif source.definition.name != t.state.definition[source.card].name:
        words = Message("copied from {card}", {"card": Name("card", NONE, source.definition.name)})
    else:
        return _Trait("ability", None)
    return _Trait("ability", words)


# --- triggers -------------------------------------------------------------------------------


def _trigger_draft(t: Table, trigger: Trigger, viewer: int) -> _Draft:
    """The card whose ability waits; it may be face down somewhere by now."""
    source = trigger.ability
    c = source.card
    event = trigger.event
    if trigger.hook == UNCOVER:  # asked of its controller, who may look at it
        draft = _Draft(Message("Uncover {card}", {}))
        draft.subjects["card"] = _Subject(t, c, viewer)
        return draft
    draft = _Draft(Message("{card}", {"card": Name("card", c, source.definition.name)}))
    if t.state.zone[c] in (AT_BASE, ON_CARD):
        draft.subjects["card"] = _Subject(t, c, viewer)
    elif t.in_play(c):
        draft.label.args["card"] = card_name(t, c)
    elif t.state.controller[c] >= 0:
        controller = player_name(t.state.controller[c])
        words = Message("{player}", {"player": controller})
        draft.traits.append(_Trait("controller", words))
    draft.traits.append(_ability_trait(t, source))
    draft.traits += _event_traits(t, event, viewer)
    about = event.card.id if hasattr(event, "card") else NONE
    base = event.base.serial if event.base is not None else NONE
    player = event.player.index if hasattr(event, "player") else NONE
    draft.value = (source.definition.name, trigger.hook, about, base, player)
    return draft


def _event_traits(t: Table, event: Event, viewer: int) -> list[_Trait]:
    """What an ability reacts to."""
    found: list[_Trait] = []
    if hasattr(event, "card"):
        c = event.card.id
        subject = _Subject(t, c, viewer, is_located=t.state.zone[c] in (AT_BASE, ON_CARD))
        name = HIDDEN if subject.is_hidden() else subject.name()
        found.append(_Trait("event card", Message("because of {card}", {"card": name})))
    if event.base is not None:
        base = base_name(t, event.base.serial)
        found.append(_Trait("event base", Message("at {base}", {"base": base})))
    if hasattr(event, "player") and event.player.index >= 0:
        player = player_name(event.player.index)
        found.append(_Trait("event player", Message("for {player}", {"player": player})))
    return found


# --- moves ----------------------------------------------------------------------------------


def _move_draft(t: Table, move: Move, viewer: int) -> _Draft:
    if move.verb == DONE:
        return _Draft(Message("End the Play Cards phase", {}))
    if move.verb == PASS:
        return _Draft(Message("Pass", {}))
    if move.verb == LATER:
        return _Draft(Message("Keep it for later this turn", {}))
    if move.verb == USE_TALENT:
        text = "Use the Special of {card}" if is_special(t, move) else "Use the talent of {card}"
        draft = _Draft(Message(text, {}))
        if move.ability is not None:
            draft.traits.append(_ability_trait(t, move.ability))
            draft.value = move.ability.definition.name
    else:
        draft = _play_draft(t, move, viewer)
    draft.subjects["card"] = _Subject(t, move.card, viewer)
    return draft


def _play_draft(t: Table, move: Move, viewer: int) -> _Draft:
    """A play: what, where, and by whose leave if it is not the regular play."""
    permission = move.permission
    given = permission is not None and permission.source_card != NONE
    extra = permission is not None and not permission.is_normal
    args: dict[str, Any] = {}
    if move.on_card:
        args["base"] = base_name(t, t.site_serial(move.place))
        text = "Play {card} on {host} at {base}"
        if given:
            text = "Play {card} on {host} at {base} (by {origin})"
        elif extra:
            text = "Play {card} on {host} at {base} (extra)"
    elif move.place != NONE:
        args["base"] = base_name(t, move.place)
        text = "Play {card} on {base}"
        if given:
            text = "Play {card} on {base} (by {origin})"
        elif extra:
            text = "Play {card} on {base} (extra)"
    elif given:
        text = "Play {card} (by {origin})"
    else:
        text = "Play {card} (extra)" if extra else "Play {card}"
    draft = _Draft(Message(text, args))
    if move.on_card:
        draft.subjects["host"] = _Subject(t, move.place, viewer)
    if permission is not None:
        if permission.source_name:
            args["origin"] = Name("card", NONE, permission.source_name)
        elif given:
            draft.subjects["origin"] = _Subject(t, permission.source_card, viewer)
        _add_right(t, permission, draft)
    return draft


def _add_right(t: Table, permission: PlayPermission, draft: _Draft) -> None:
    """What a right demands, and which regular play it uses up."""
    regular: Message | None = None
    if permission.is_normal:
        text = "instead of a minion" if permission.types == MINION else "instead of an action"
        regular = Message(text, {})
    notes = [note for note in describe_restrictions(t, permission) if note.text != "by {card}"]
    demands = Message("{details}", {"details": _join(notes)}) if notes else None
    draft.traits = [_Trait("regular", regular), _Trait("demands", demands)]
    follow_up = permission.follow_up.name if permission.follow_up is not None else ""
    draft.value = (
        permission.types,
        permission.is_normal,
        [str(note) for note in notes],
        follow_up,
        permission.once_per_turn_key,
    )
