"""The table as text: all cards for observers, or what one seat can see."""

from __future__ import annotations

from collections.abc import Iterable

from smashup.engine.game import Game
from smashup.engine.model.constants import ACTION, BURIED, PHASE_NAMES, TYPE_NAMES
from smashup.engine.model.decisions import Decision
from smashup.engine.rules import queries, visibility
from smashup.engine.rules.permissions import plays_left

ALL_CARDS = -2
"""Instead of a seat: every card face up."""


def render_text(game: Game, decision: Decision | None, seat: int = ALL_CARDS) -> str:
    """Render the bases, the players and the pending decision."""
    return "\n".join(_TextRenderer(game, seat).lines(decision))


class _TextRenderer:
    def __init__(self, game: Game, seat: int) -> None:
        self.game = game
        self.s = game.table.state
        self.seat = seat

    def lines(self, decision: Decision | None) -> Iterable[str]:
        s = self.s
        yield f"Turn {s.turn}, P{s.current + 1}, {PHASE_NAMES[s.phase]}"
        for site in s.sites:
            yield from self._base(site.serial)
        for p in range(self.game.table.num_players):
            yield from self._seat(p)
        yield from self._pile("Limbo", self._names(s.limbo))
        yield from self._pile("Base discard pile", self._names(s.base_discard, known=True))
        yield from self._pile("Base deck", self._known(s.base_deck))
        plays = [
            f"{count} {'/'.join(name for sort, name in TYPE_NAMES.items() if right.types & sort)}"
            for right, count in plays_left(self.game.table)
        ]
        yield from self._pile("Plays left", plays)
        if decision is not None:
            yield from self._decision(decision)
        elif s.over:
            yield f"Won by {', '.join(f'P{p + 1}' for p in s.winners)}"

    def _base(self, serial: int) -> Iterable[str]:
        game = self.game
        site = self.s.site_at[serial]
        kind = self.s.definition[site.base]
        totals = " ".join(
            f"P{p + 1}:{queries.player_total(game.table, serial, p)}"
            for p in range(game.table.num_players)
        )
        power = f"{queries.base_total(game.table, serial)}/{queries.breakpoint(game.table, serial)}"
        scoring = ", scoring" if serial == self.s.scoring else ""
        yield f"  {kind.name} {kind.vp} {power}  {totals}{scoring}{self._marks(site.base)}"
        for c in site.cards:
            yield f"    {self._in_play(c)}"

    def _in_play(self, c: int) -> str:
        s = self.s
        who = f"P{s.controller[c] + 1}"
        if s.zone[c] == BURIED:
            return f"{who} {self._name(c)} (buried)"
        power = "" if s.definition[c].type == ACTION else f" {queries.power(self.game.table, c)}"
        on = [self._in_play(a) for a in s.on_card.get(c, ())]
        return f"{who} {s.definition[c].name}{power}{self._marks(c)}" + (
            f" with {', '.join(on)}" if on else ""
        )

    def _marks(self, c: int) -> str:
        tokens = self.s.tokens.get(c, 0)
        counters = self.s.counters[c]
        return f" +{counters}" * bool(counters) + f" *{tokens}" * bool(tokens)

    def _seat(self, p: int) -> Iterable[str]:
        s = self.s
        yield f"  P{p + 1}: {s.vp[p]} VP, hand {len(s.hands[p])}, deck {len(s.decks[p])}"
        yield from self._pile("  Hand", sorted(self._names(s.hands[p])))
        yield from self._pile("  Discard pile", self._names(s.discards[p], known=True))
        yield from self._pile("  Aside", self._names(s.set_aside[p], known=True))
        if self.seat != ALL_CARDS:
            yield from self._pile("  Deck", self._known(s.decks[p]))

    def _pile(self, title: str, cards: list[str]) -> Iterable[str]:
        if cards:
            yield f"  {title}: {', '.join(cards)}"

    def _names(self, cards: list[int], known: bool = False) -> list[str]:
        return [self.s.definition[c].name if known else self._name(c) for c in cards]

    def _known(self, deck: list[int]) -> list[str]:
        """Return the cards of a deck that the seat knows, with their positions from the top."""
        if self.seat == ALL_CARDS:
            return []
        return [
            f"{i + 1} {self.s.definition[c].name}"
            for i, c in enumerate(reversed(deck))
            if visibility.knows_card(self.game.table, self.seat, c)
        ]

    def _name(self, c: int) -> str:
        open_card = self.seat == ALL_CARDS or visibility.knows_card(self.game.table, self.seat, c)
        return self.s.definition[c].name if open_card else "?"

    def _decision(self, decision: Decision) -> Iterable[str]:
        """Show the question only to the player who decides."""
        who = f"P{decision.player + 1}"
        if self.seat not in (ALL_CARDS, decision.player):
            yield f"{who} decides"
            return
        yield f"{who} is asked: {decision.question()}"
        for i in range(len(decision.options)):
            yield f"    {i}: {decision.label(i)}"
