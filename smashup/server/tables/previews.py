"""What a play would bring about, for the one who may make it, before it is made.

A preview is played on tables on which everything the seat cannot know has been dealt anew, always
with the same randomness. It is therefore made of what the seat knows and of nothing else: however
hidden cards really lie, it is the same (tested). Where the deals end differently, what would
happen depends on hidden cards, and nothing is foretold.
"""

from __future__ import annotations

from random import Random
from typing import Any, Final, cast

from smashup.engine.errors import IllegalChoice
from smashup.engine.game import Game
from smashup.engine.replay.dealing import Dealer
from smashup.engine.rules import queries
from smashup.server.live.protocol import BaseAfter, Foretold

DEALS: Final = 4
"""Tables that are tried, where something hidden was touched."""


def foretold(game: Game, seat: int, option: int) -> Foretold:
    """The bases after one answer of a seat that is to decide, as far as that seat can know."""
    decision = game.decision
    assert decision is not None
    assert decision.player == seat
    if option >= len(decision.options):
        raise IllegalChoice(
            "{option} is not one of the {count} options (0 to {last}).",
            option=option,
            count=len(decision.options),
            last=len(decision.options) - 1,
        )
    dealer = Dealer(game, seat)
    dice = Random(option)
    first, touched = _after(dealer.deal(dice), option)
    for _ in range(DEALS - 1 if touched else 0):
        other, _ = _after(dealer.deal(dice), option)
        first["complete"] = first["complete"] and other["complete"]
        if (other["bases"], other["vp"]) != (first["bases"], first["vp"]):
            return Foretold(complete=False, bases=None, vp=None)
    return first


def _after(table: Game, option: int) -> tuple[Foretold, bool]:
    """A dealt table after an answer; and whether anything hidden was touched on the way."""
    asked = table.decision
    assert asked is not None
    before = (
        table.table.state.rng,
        table.table.state.seen_by[:],
        [d[:] for d in table.table.state.decks],
    )
    base_deck = table.table.state.base_deck[:]
    table.choose(option)
    following = table.decision
    s = table.table.state
    touched = before != (s.rng, s.seen_by, s.decks) or base_deck != s.base_deck
    same = following is not None and following.player == asked.player
    return (
        Foretold(
            complete=same and table.at_menu,
            bases=[_base(table, site.serial) for site in s.sites],
            vp=s.vp[:],
        ),
        touched or not same,
    )


def _base(table: Game, serial: int) -> BaseAfter:
    vp = table.table.state.definition[table.table.state.site_at[serial].base].vp
    return BaseAfter(
        serial=serial,
        breakpoint=queries.breakpoint(table.table, serial),
        total=queries.base_total(table.table, serial),
        totals=[
            queries.player_total(table.table, serial, p) for p in range(table.table.num_players)
        ],
        places=cast(
            Any,
            [
                {"player": player, "place": place, "vp": vp[place - 1]}
                for player, place, _ in queries.rank_players(table.table, serial)
            ],
        ),
    )
