"""What is true on the table: powers, totals, breakpoints, names, what can and cannot be done.

Queries read the abilities in force; they change nothing and ask nobody.
"""

from __future__ import annotations

from smashup.engine.asking import Asking
from smashup.engine.events import Cause
from smashup.engine.kinds import (
    H_AURA,
    H_BREAKPOINT,
    H_CARD_BONUS,
    H_EXTRA_NAMES,
    H_FORBIDS_PLAY,
    H_FORBIDS_SCORING,
    H_FORBIDS_SPECIALS,
    H_HOST_BONUS,
    H_HOST_PRINTED_POWER,
    H_IMMOVABLE,
    H_INDESTRUCTIBLE,
    H_PLAYER_POWER,
    H_POWER_BONUS,
    H_PROTECTS,
    H_SHOWS_TOP_BASE,
    H_STARTING_BREAKPOINT,
    H_STARTING_POWER,
    H_TITAN_LIMIT,
    H_TITANS_COEXIST,
    H_WITHHOLDS,
)  # fmt: skip
from smashup.engine.state import BANNED_NAME, BREAKPOINT, CONTROL, PLAYER_POWER, POWER, Site
from smashup.engine.words import (
    ACTION,
    ANYONE,
    AT_BASE,
    BURIED,
    MINION,
    NO_LIMIT,
    NONE,
    ON_CARD,
    TITAN,
    WHILE_IN_PLAY,
    YOURS,
)  # fmt: skip


class Queries(Asking):
    """The second layer of a table; see the module."""

    __slots__ = ()

    # --- power ------------------------------------------------------------------------------

    def printed_power(self, c: int) -> int:
        """The number on the card, or what a card in play says it is treated as."""
        s = self.state
        if c in s.on_card:
            for source in self.listeners(H_HOST_PRINTED_POWER):
                if s.zone[source.card] == ON_CARD and s.place[source.card] == c:
                    value = source.kind.host_printed_power(self.cards[source.card], self.cards[c])
                    if value >= 0:
                        return value
        return s.kind[c].power

    def starting_power(self, c: int) -> int:
        for source in self.listeners(H_STARTING_POWER):
            if source.card == c:
                value = source.kind.starting_power(self.cards[c])
                if value >= 0:
                    return value
        return self.printed_power(c)

    def power(self, c: int) -> int:
        """A minion's power now; out of play only the printed one (Void Where Prohibited)."""
        known = self._power.get(c)
        if known is not None:
            return known
        s = self.state
        kind = s.kind[c]
        if s.zone[c] != AT_BASE:
            return self.last_power.get(c, kind.power)
        volatile_reads = self.volatile_reads
        index = self._index
        if index is None:
            index = self.abilities()
        card = self.cards[c]
        total = s.counters[c]
        hosts = c in s.on_card
        if hosts:
            for source in index[H_HOST_BONUS]:
                if s.place[source.card] == c and s.zone[source.card] == ON_CARD:
                    total += source.kind.host_bonus(self.cards[source.card], card)
        if kind.type == MINION:
            if hosts or index[H_STARTING_POWER]:
                total += self.starting_power(c)
            else:
                total += kind.power
            for source in index[H_AURA]:
                total += source.kind.aura(self.cards[source.card], card)
        for source in index[H_CARD_BONUS]:
            total += source.kind.card_bonus(self.cards[source.card], card)
        for source in index[H_POWER_BONUS]:
            if source.card == c:
                total += source.kind.power_bonus(card)
        if s.effects:
            for effect in s.effects:
                if effect.target == c and effect.what == POWER:
                    total += effect.amount
        if total < 0:  # "Minion power ... never reduced below zero"
            total = 0
        if self.volatile_reads == volatile_reads:
            self._power[c] = total
        return total

    def own_power(self, site: Site, player: int) -> int:
        """What a player's minions add to their total at a site."""
        s = self.state
        withholding = self.listeners(H_WITHHOLDS)
        total = 0
        for c in site.cards:
            if s.controller[c] == player and s.kind[c].type == MINION and s.zone[c] == AT_BASE:
                if withholding and self.is_withheld(c):
                    continue
                total += self.power(c)
        return total

    def is_withheld(self, c: int) -> bool:
        card = self.cards[c]
        return any(
            source.kind.withholds(self.cards[source.card], card)
            for source in self.listeners(H_WITHHOLDS)
        )

    def side_power(self, site: Site, player: int) -> int:
        """Power a player has at a site without minions: actions, titans, bases, effects."""
        s = self.state
        total = 0
        serial = site.serial
        if self.titan_ids:
            for c in site.cards:
                if s.controller[c] == player and s.kind[c].type == TITAN:
                    # Big in Japan, Actions with Power: only the counters on a titan
                    total += self.power(c)
        for c in self._strengthened(site):
            if s.controller[c] == player:
                total += self.power(c)
        for source in self.listeners(H_PLAYER_POWER):
            if self.site_serial(source.card) == serial:
                total += source.kind.player_power(self.cards[source.card], self.seats[player])
        for effect in s.effects:
            if effect.what == PLAYER_POWER and effect.target == serial and effect.player == player:
                total += effect.amount
        return total

    def _strengthened(self, site: Site) -> list[int]:
        """Actions on a base to which some card may give power of their own."""
        if not self.listeners(H_CARD_BONUS):
            return []
        s = self.state
        return [c for c in site.cards if s.kind[c].type == ACTION and s.zone[c] == AT_BASE]

    def total(self, serial: int, player: int) -> int:
        """A player's total power at a site: what VP and comparisons go by."""
        site = self.state.site_at[serial]
        total = self.own_power(site, player)
        if not self.edition.minions_only:
            total += self.side_power(site, player)
        return max(total, 0)

    def base_total(self, serial: int) -> int:
        """All power at a site: what the breakpoint goes by (withheld power included)."""
        s = self.state
        site = s.site_at[serial]
        minions_only = self.edition.minions_only
        total = 0
        kind = s.kind
        zone = s.zone
        for c in site.cards:
            if zone[c] == AT_BASE:
                sort = kind[c].type
                if sort == MINION or (sort == TITAN and not minions_only):
                    total += self.power(c)
        if minions_only:
            return total
        index = self.abilities()
        if index[H_CARD_BONUS]:
            for c in self._strengthened(site):
                total += self.power(c)
        for source in index[H_PLAYER_POWER]:
            if self.site_serial(source.card) == serial:
                me = self.cards[source.card]
                for seat in self.seats[:-1]:
                    total += source.kind.player_power(me, seat)
        for effect in s.effects:
            if effect.what == PLAYER_POWER and effect.target == serial:
                total += effect.amount
        return total if total > 0 else 0

    def breakpoint(self, serial: int) -> int:
        s = self.state
        index = self.abilities()
        if index[H_STARTING_BREAKPOINT]:
            value = self.starting_breakpoint(serial)
        else:
            value = s.kind[s.site_at[serial].base].breakpoint
        for source in index[H_BREAKPOINT]:
            value += source.kind.breakpoint_change(self.cards[source.card], self.base(serial))
        for effect in s.effects:
            if effect.what == BREAKPOINT and effect.target == serial:
                value += effect.amount
        return max(value, 0)

    def starting_breakpoint(self, serial: int) -> int:
        """The printed breakpoint or what a text resets it to.

        Of competing resets the current player picks one; as breakpoints are read all the time,
        the standing pick is the lowest, which every text of this kind is meant to bring about.
        """
        s = self.state
        resets = [
            value
            for source in self.listeners(H_STARTING_BREAKPOINT)
            if (
                value := source.kind.starting_breakpoint(self.cards[source.card], self.base(serial))
            )
            >= 0
        ]
        chosen = s.tally.get((-1, serial), NONE)
        if len(resets) > 1 and chosen in resets:
            return chosen
        return min(resets) if resets else s.kind[s.site_at[serial].base].breakpoint

    # --- who and what is there --------------------------------------------------------------

    def minions(
        self,
        you: int = NONE,
        of: int = ANYONE,
        at: int = NONE,
        max_power: int = NO_LIMIT,
        but: int = NONE,
        not_at: int = NONE,
    ) -> list[int]:
        """Minions in play, by site and arrival."""
        s = self.state
        kind = s.kind
        zone = s.zone
        found = []
        for site in s.sites:
            serial = site.serial
            if (at != NONE and at != serial) or serial == not_at:
                continue
            for c in site.cards:
                if kind[c].type == MINION and zone[c] == AT_BASE and c != but:
                    found.append(c)
        if of != ANYONE:
            yours = of == YOURS
            controller = s.controller
            found = [c for c in found if (controller[c] == you) == yours]
        if max_power < NO_LIMIT:
            found = [c for c in found if self.power(c) <= max_power]
        return found

    def count_minions(self, player: int, serial: int) -> int:
        s = self.state
        site = s.site_at.get(serial)
        if site is None:
            return 0
        count = 0
        for c in site.cards:
            if s.kind[c].type == MINION and s.controller[c] == player and s.zone[c] == AT_BASE:
                count += 1
        return count

    def actions(
        self,
        you: int = NONE,
        of: int = ANYONE,
        at: int = NONE,
        on_bases: bool = True,
        on_minions: bool = True,
    ) -> list[int]:
        """Actions in play, on bases and on minions."""
        s = self.state
        found = []
        for site in s.sites:
            if at not in (NONE, site.serial):
                continue
            for c in site.cards:
                if s.zone[c] != AT_BASE:
                    continue
                if on_bases and s.kind[c].type == ACTION:
                    found.append(c)
                if on_minions and c in s.on_card:
                    found.extend(a for a in s.on_card[c] if s.kind[a].type == ACTION)
        if of == ANYONE:
            return found
        return [c for c in found if (s.controller[c] == you) == (of == YOURS)]

    def titans(self, player: int = NONE, at: int = NONE) -> list[int]:
        s = self.state
        return [
            c
            for site in s.sites
            if at in (NONE, site.serial)
            for c in site.cards
            if s.kind[c].type == TITAN and player in (NONE, s.controller[c])
        ]

    def owner_of(self, c: int) -> int:
        """Whose zones a card goes to. A Madness card belongs to whoever has it."""
        s = self.state
        if s.owner[c] >= 0:
            return s.owner[c]
        if s.zone[c] in (AT_BASE, ON_CARD, BURIED):
            return s.controller[c]
        return s.place[c]

    def lasting_controller(self, c: int) -> int:
        """Who controls a card when all control for a while is over, as things stand."""
        s = self.state
        controller = s.played_by[c]
        for effect in s.effects:
            if effect.what == CONTROL and effect.target == c and effect.until == WHILE_IN_PLAY:
                controller = effect.player
        return controller

    def names(self, c: int) -> tuple[str, ...]:
        """All names a card has now."""
        extra: tuple[str, ...] = ()
        for source in self.listeners(H_EXTRA_NAMES):
            if source.card == c:
                extra += source.kind.extra_names(self.cards[c])
        return (self.state.kind[c].name, *extra)

    # --- can and cannot ---------------------------------------------------------------------

    def is_protected(self, c: int, cause: Cause) -> bool:
        """Whether a card is "not affected" by this cause. Bases and rules are nobody's cards."""
        if cause.controller < 0:
            return False
        for source in self.listeners(H_PROTECTS):
            if source.kind.protects(self.cards[source.card], self.cards[c], cause):
                return True
        return False

    def keeps_power_and_controller(self, c: int, cause: Cause) -> bool:
        """Whether "not affected" keeps this cause from changing a card's power or controller."""
        return self.edition.power_and_control_affect and self.is_protected(c, cause)

    def can_destroy(self, c: int, cause: Cause) -> bool:
        for source in self.listeners(H_INDESTRUCTIBLE):
            if source.kind.indestructible(self.cards[source.card], self.cards[c], cause):
                return False
        return True

    def can_move(self, c: int, serial: int, cause: Cause) -> bool:
        for source in self.listeners(H_IMMOVABLE):
            me = self.cards[source.card]
            if source.kind.immovable(me, self.cards[c], self.base(serial), cause):
                return False
        return True

    def may_play_at(self, player: int, c: int, serial: int) -> bool:
        """Whether no card forbids it: can't beats can."""
        for source in self.listeners(H_FORBIDS_PLAY):
            me = self.cards[source.card]
            base = self.base(serial)
            if source.kind.forbids_play(me, self.seats[player], self.cards[c], base):
                return False
        return True

    def has_bans(self) -> bool:
        """Whether some card may not be played by name."""
        return any(effect.what == BANNED_NAME for effect in self.state.effects)

    def is_banned(self, player: int, c: int) -> bool:
        s = self.state
        return any(
            e.what == BANNED_NAME and e.player == player and s.kind[e.target].name == s.kind[c].name
            for e in s.effects
        )

    def may_play_specials(self, player: int) -> bool:
        scoring = self.state.scoring
        if scoring < 0:
            return True
        seat = self.seats[player]
        base = self.base(scoring)
        return not any(
            source.kind.forbids_specials(self.cards[source.card], seat, base)
            for source in self.listeners(H_FORBIDS_SPECIALS)
        )

    def can_score(self, serial: int) -> bool:
        for source in self.listeners(H_FORBIDS_SCORING):
            if source.kind.forbids_scoring(self.cards[source.card], self.base(serial)):
                return False
        return True

    def ready_to_score(self) -> list[int]:
        """Sites whose total power reaches the breakpoint and that may score."""
        ready = []
        for site in self.state.sites:
            serial = site.serial
            if self.base_total(serial) >= self.breakpoint(serial) and self.can_score(serial):
                ready.append(serial)
        return ready

    def allowed_titans(self, player: int) -> int:
        seat = self.seats[player]
        return 1 + sum(
            source.kind.titan_limit(self.cards[source.card], seat)
            for source in self.listeners(H_TITAN_LIMIT)
        )

    def top_base_is_up(self) -> bool:
        """Whether the top card of the base deck lies face up."""
        for source in self.listeners(H_SHOWS_TOP_BASE):
            if source.kind.shows_top_base(self.cards[source.card]):
                return True
        return False

    def titans_clash_at(self, serial: int) -> bool:
        return not any(
            self.site_serial(source.card) == serial
            and source.kind.titans_coexist(self.cards[source.card])
            for source in self.listeners(H_TITANS_COEXIST)
        )

    # --- places in a scoring ----------------------------------------------------------------

    def ranking(self, serial: int) -> list[tuple[int, int, int]]:
        """(player, place 1-3, total) for everyone who takes a place, best first.

        Culture Shock p. 8, Awarding VP and Tie Fighter: tied players share the best place they
        tied for, and that many places below it go unpaid. A place needs a minion or 1 power.
        """
        present: list[tuple[int, int]] = []
        if serial not in self.state.site_at:
            return []  # it left play
        for player in range(self.players):
            total = self.total(serial, player)
            if self.count_minions(player, serial) or (total >= 1 and not self.edition.minions_only):
                present.append((player, total))
        result = []
        for player, total in present:
            place = 1 + sum(other > total for _, other in present)
            if place <= 3:
                result.append((player, place, total))
        result.sort(key=lambda row: row[1])
        return result

    def leaders(self, serial: int) -> list[int]:
        """Players with the most power at a site, none when nobody has a place there."""
        return [player for player, place, _ in self.ranking(serial) if place == 1]
