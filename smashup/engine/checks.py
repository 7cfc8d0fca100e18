"""Rules that mend the table after each card: clashing titans, the titan limit, shed actions."""

from __future__ import annotations

from smashup.engine.events import Cause, Frame
from smashup.engine.kinds import (
    H_PROTECTS,
    H_SHOWS_TOP_BASE,
    H_STARTING_BREAKPOINT,
)  # fmt: skip
from smashup.engine.moves import Moves
from smashup.engine.words import (
    ASIDE,
    AT_BASE,
    DESTROYED,
    DISCARD,
    LOST,
    NONE,
)  # fmt: skip


class Checks(Moves):
    """The eighth layer of a table; see the module."""

    __slots__ = ()

    # --- checks after each card -------------------------------------------------------------

    def check_table(self, frame: Frame) -> None:
        """Rules that mend the table: clashing titans, titans over the limit, shed actions."""
        index = self.abilities()
        protecting = bool(index[H_PROTECTS] and self.state.on_card)
        if protecting or self.arrivals or (self.titan_ids and self._several_titans()):
            self.frames.append(frame)
            cause = frame.cause
            frame.cause = Cause(NONE, NONE, 0, False)
            self._check_titans()
            if protecting:
                self._shed_actions()
            frame.cause = cause
            self.frames.pop()
        if index[H_SHOWS_TOP_BASE] and self.state.base_deck:
            self.show_top_base()
        if len(index[H_STARTING_BREAKPOINT]) > 1:
            self.choose_resets()

    def show_top_base(self) -> None:
        """A base card that lies face up on the base deck is seen by all."""
        if self.top_base_is_up():
            self.show(self.state.base_deck[-1])

    def _check_titans(self) -> None:
        while self.arrivals:
            newcomer = self.arrivals.pop(0)
            if self.in_play(newcomer):
                self._clash(newcomer)
        if not self._several_titans():
            return
        for player in range(self.players):
            titans = self.titans(player)
            if len(titans) > 1:
                while len(titans) > self.allowed_titans(player):
                    c = self.ask_card(player, "You control too many titans: which leaves?", titans)
                    self._leave(c, LOST, ASIDE)
                    titans = self.titans(player)

    def _several_titans(self) -> bool:
        """Whether two titans or more are in play: fewer never break a rule."""
        ids = self.titan_ids
        if len(ids) < 2:
            return False
        zone = self.state.zone
        out = 0
        for c in ids:
            if zone[c] == AT_BASE:
                out += 1
        return out > 1

    def _clash(self, newcomer: int) -> None:
        """Big in Japan p. 7: of titans at one base only that of the highest total stays.

        The earlier titan wins ties. A player's own titans do not clash with each other.
        """
        s = self.state
        serial = self.site_serial(newcomer)
        titans = self.titans(at=serial)
        controllers = {s.controller[c] for c in titans}
        if len(controllers) < 2 or not self.titans_clash_at(serial):
            return
        totals = {p: self.total(serial, p) for p in controllers}
        best = max(totals.values())
        winner = next(s.controller[c] for c in titans if totals[s.controller[c]] == best)
        if self.logging:
            base = self.base_name(serial)
            player = self.player_name(winner)
            self.log(
                "Titans clash at {base}: {player} has the most power.", base=base, player=player
            )
        for c in titans:
            if s.controller[c] != winner:
                self._leave(c, LOST, ASIDE)

    def _shed_actions(self) -> None:
        """A minion not affected by a player's actions destroys them: one on it would affect it.

        The newest go first: one that never took hold protects from nothing.
        """
        s = self.state
        for host, attached in list(s.on_card.items()):
            for a in reversed(attached):
                controller = s.controller[a]
                for source in self.listeners(H_PROTECTS):
                    if s.controller[source.card] != controller and source.kind.protects(
                        self.cards[source.card],
                        self.cards[host],
                        Cause(a, controller, s.kind[a].type, False),
                    ):
                        if self.logging:
                            self.log(
                                "{host} is not affected by {card}.",
                                host=self.name(host),
                                card=self.name(a),
                            )
                        self._leave(a, DESTROYED, DISCARD)
                        break

    def choose_resets(self) -> None:
        """Competing resets of a starting breakpoint: the current player chooses one a turn."""
        s = self.state
        for site in s.sites:
            key = (-1, site.serial)
            if key in s.tally:
                continue
            base = self.base(site.serial)
            resets: dict[int, int] = {}
            for source in self.listeners(H_STARTING_BREAKPOINT):
                value = source.kind.starting_breakpoint(self.cards[source.card], base)
                if value >= 0:
                    resets[source.card] = value
            if len(set(resets.values())) > 1:
                c = self.ask_card(
                    s.current, "Which ability sets the starting breakpoint?", list(resets)
                )
                s.tally[key] = resets[c]
                self.touch()
