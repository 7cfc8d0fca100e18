"""The read-only part of a card's handle: what it is, where it is, and what is around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from smashup.engine.model.constants import (
    ACTION,
    ANYONE,
    AT_BASE,
    BASE,
    BURIED,
    MINION,
    NO_LIMIT,
    NONE,
    ON_CARD,
    ON_MINION,
    TITAN,
    YOURS,
)  # fmt: skip
from smashup.engine.model.events import NO_SITE, Departure, Event
from smashup.engine.rules import abilities, effects, protection, queries

if TYPE_CHECKING:
    from smashup.engine.card_api.base import Base
    from smashup.engine.card_api.card import Card
    from smashup.engine.card_api.player import Player
    from smashup.engine.model.definitions import CardDefinition
    from smashup.engine.model.table import Table


class CardState:
    """What a card is, where it is and what is around it; the base class of `Card`.

    A card that leaves play and comes back is another card: it gets a new handle. The old one is
    then ``former``: it is in no zone, no effect can change it, and it keeps its last values.
    """

    __slots__ = ("_departure", "former", "id", "table")

    def __init__(self, table: Table, id_: int) -> None:
        self.table: Table = table
        self.id = id_
        self._departure: Departure | None = None
        """Its properties when it left play, if it just did."""
        self.former = False
        """Whether the card has returned to play since, in a new life."""

    def __repr__(self) -> str:
        return f"<{self.name} #{self.id}>"

    # --- what it is -------------------------------------------------------------------------

    @property
    def definition(self) -> CardDefinition:
        return self.table.state.definition[self.id]

    @property
    def name(self) -> str:
        return self.table.state.definition[self.id].name

    @property
    def names(self) -> tuple[str, ...]:
        """All names the card has now."""
        return queries.card_names(self.table, self.id)

    @property
    def names_and_kinds(self) -> tuple[str, ...]:
        """All names the card has now, and the kinds of cards that others make it count as."""
        return queries.card_names(self.table, self.id, True)

    def is_named(self, name: str) -> bool:
        """Whether this is one of the names the card has now."""
        return name in queries.card_names(self.table, self.id)

    @property
    def mentions(self) -> list[str]:
        """Names of cards that its abilities in force mention."""
        t = self.table
        found = [
            x for x in t.state.abilities if x.card == self.id and not abilities.is_cancelled(t, x)
        ]
        return [name for source in found for name in source.definition.mentions]

    @property
    def is_minion(self) -> bool:
        return effects.is_type(self.table, self.id, MINION)

    @property
    def is_action(self) -> bool:
        return effects.is_type(self.table, self.id, ACTION)

    @property
    def is_titan(self) -> bool:
        return effects.is_type(self.table, self.id, TITAN)

    @property
    def is_base(self) -> bool:
        return effects.is_type(self.table, self.id, BASE)

    @property
    def is_madness(self) -> bool:
        """Whether it is a Madness card, wherever it is."""
        return self.definition.is_madness

    @property
    def played_on(self) -> int:
        """Where an action is played: `ON_BASE`, `ON_MINION`, or `STANDARD` for neither."""
        return self.definition.played_on

    @property
    def affects_minions(self) -> bool:
        """Whether playing it can directly affect a minion; an action on a minion always does."""
        return self.definition.affects_minions or self.played_on == ON_MINION

    @property
    def controller(self) -> Player:
        """The player who controls it, or last did; "you" on the card."""
        t = self.table
        if self.former and self._departure is not None:
            return t.player_handles[self._departure.controller]
        return t.player_handles[t.state.controller[self.id]]

    @property
    def lasting_controller(self) -> Player:
        """The player who controls it once control "until the end of the turn" is over."""
        return self.table.player_handles[queries.lasting_controller(self.table, self.id)]

    @property
    def owner(self) -> Player:
        return self.table.player(queries.owner_of(self.table, self.id))

    @property
    def power(self) -> int:
        """Current power; the last value if it just left play; printed power elsewhere."""
        if self.former and self._departure is not None:
            return self._departure.power
        return queries.power(self.table, self.id)

    @property
    def printed_power(self) -> int:
        return queries.printed_power(self.table, self.id)

    @property
    def counters(self) -> int:
        """+1 power counters on it."""
        return 0 if self.former else self.table.state.counters[self.id]

    @property
    def tokens(self) -> int:
        """Counters on it that are not +1 power counters."""
        self.table.volatile_reads += 1
        return 0 if self.former else self.table.state.tokens.get(self.id, 0)

    @tokens.setter
    def tokens(self, count: int) -> None:
        if not self.former:
            self.table.state.tokens[self.id] = count

    # --- where it is ------------------------------------------------------------------------

    @property
    def base(self) -> Base:
        """The base it is at (was at, if it just left play): "here"."""
        t = self.table
        if self.former and self._departure is not None:
            return t.base(self._departure.site)
        if t.state.zone[self.id] == AT_BASE:
            return t.base(t.state.place[self.id])
        return t.base(t.site_serial(self.id))

    @property
    def host(self) -> Card | None:
        """The card this action is on (was on, if it just left play)."""
        s = self.table.state
        if s.zone[self.id] == ON_CARD and not self.former:
            return self.table.card(s.place[self.id])
        if self.former and self._departure is not None:
            return self._departure.host
        return self.table.last_hosts.get(self.id)

    @property
    def actions(self) -> list[Card]:
        """Actions on this card, whoever controls them."""
        s = self.table.state
        if self.former:
            return []
        return [
            self.table.cards[a]
            for a in s.on_card.get(self.id, ())
            if s.definition[a].type == ACTION
        ]

    @property
    def life(self) -> int:
        """The number of its life in play, or of the one that just ended."""
        departure = self._departure
        return self.table.state.lives[self.id] if departure is None else departure.life

    @property
    def is_in_play(self) -> bool:
        return not self.former and self.table.in_play(self.id)

    def is_in(self, zone: int) -> bool:
        """Whether it is in a zone: `HAND`, `DISCARD`, `SET_ASIDE`, `BURIED`, ...

        `LIMBO` is for cards on the table without a place yet: an action just played, a card
        revealed.
        """
        if zone not in (ON_CARD, BURIED):
            self.table.volatile_reads += 1
        return not self.former and self.table.state.zone[self.id] == zone

    @property
    def is_on_card(self) -> bool:
        return self.is_in(ON_CARD)

    # --- what is around it ------------------------------------------------------------------

    def minions(
        self,
        of: int = ANYONE,
        at: Base | None = None,
        max_power: int = NO_LIMIT,
        but: Card | None = None,
        not_at: Base | None = None,
    ) -> list[Card]:
        """Minions in play: `YOURS`, `OTHERS` or `ANYONE`'s, at a base, up to some power."""
        t = self.table
        found = queries.minions(
            t,
            self.controller.index,
            of,
            at.serial if at is not None else NONE,
            max_power,
            but.id if but is not None else NONE,
            not_at.serial if not_at is not None else NONE,
        )
        cards = t.cards
        return [cards[c] for c in found]

    def actions_in_play(
        self,
        of: int = ANYONE,
        at: Base | None = None,
        on_bases: bool = True,
        on_minions: bool = True,
    ) -> list[Card]:
        t = self.table
        serial = at.serial if at is not None else NONE
        found = queries.actions(t, self.controller.index, of, serial, on_bases, on_minions)
        return [t.cards[c] for c in found]

    def titans_in_play(self, of: int = ANYONE, at: Base | None = None) -> list[Card]:
        t = self.table
        you = self.controller.index
        found = queries.titans(t, at=at.serial if at is not None else NONE)
        return [
            t.cards[c]
            for c in found
            if of == ANYONE or (t.state.controller[c] == you) == (of == YOURS)
        ]

    def cards_in_play(self) -> list[Card]:
        """Every card on a base or on a card: minions, actions, titans, buried cards."""
        t = self.table
        found: list[Card] = []
        for site in t.state.sites:
            for c in site.cards:
                found.append(t.cards[c])
                found.extend(t.cards[a] for a in t.state.on_card.get(c, ()))
        return found

    def bases(self) -> list[Base]:
        t = self.table
        return [t.base(site.serial) for site in t.state.sites]

    def other_bases(self, base: Base | None = None) -> list[Base]:
        """All bases except one (by default the card's own)."""
        but = self.base if base is None else base
        return [b for b in self.bases() if b is not but]

    def other_players(self) -> list[Player]:
        """The players other than "you", clockwise from the current one."""
        return self.controller.other_players()

    def all_players(self) -> list[Player]:
        """All players, clockwise from the current one; of a base, all who do not ignore it."""
        t = self.table
        t.volatile_reads += 1
        is_base = self.definition.type == BASE
        return [
            t.player(p)
            for p in t.clockwise(t.state.current)
            if not (is_base and protection.ignores_base(t, p, self.id))
        ]

    def titan(self, name: str) -> Card | None:
        """The titan with this name, set aside or in play: yours, or else the card owner's."""
        t = self.table
        for player in (self.controller.index, queries.owner_of(t, self.id)):
            for c in t.traits.titans:
                if t.state.definition[c].name == name and t.state.owner[c] == player:
                    return t.cards[c]
        return None

    @property
    def scoring_base(self) -> Base:
        """The base being scored; a base that is not in play if none is."""
        self.table.volatile_reads += 1
        serial = self.table.state.scoring
        return self.table.base(serial if serial != NONE else NO_SITE)

    @property
    def is_about_to_score(self) -> bool:
        """Whether this card's base is being scored and VP are not yet awarded."""
        self.table.volatile_reads += 1
        window = self.table.window
        return (
            window is not None
            and window.before_scoring
            and window.base is self.base
            and self.base.serial == self.table.state.scoring
        )

    @property
    def is_being_played(self) -> bool:
        """Whether this card is being played and its own ability is not yet done."""
        self.table.volatile_reads += 1
        cause = abilities.current_cause(self.table)
        return cause.card == self.id and cause.is_being_played

    @property
    def reacts_to(self) -> Event | None:
        """The event the running ability reacts to, or in whose window its card was played."""
        self.table.volatile_reads += 1
        return self.table.resolutions[-1].event if self.table.resolutions else None

    def ability_users(self, ev: Event) -> list[Player]:
        """The winners who use this base's ability: all, or the first if using it twice makes no
        sense."""
        ability = abilities.ability_of(self.table, self.id).definition
        if ability.once_for_ties and self.table.edition.only_first_chooses_base:
            return ev.winners[:1]
        return ev.winners

    def _handles(self, cards: list[int]) -> list[Card]:
        return [self.table.cards[c] for c in cards]
