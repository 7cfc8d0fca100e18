"""Previews: the result of an option, for the player who decides.

The option is applied to tables with all unknown cards redealt, always with the same random seed.
So a preview depends only on what the seat knows, not on the real hidden cards (tested). If the
results differ, they depend on hidden cards, and the preview is empty.
"""

from __future__ import annotations

from random import Random
from typing import Any, Final, cast

from smashup.engine.errors import IllegalChoice
from smashup.engine.game import Game
from smashup.engine.replay.dealing import Dealer
from smashup.engine.rules import queries
from smashup.server.live.protocol import BasePreview, PreviewResult

REDEAL_COUNT: Final = 4
"""Redealt tables on which an option is tried if it involves hidden cards."""


def preview_option(game: Game, seat: int, option: int) -> PreviewResult:
    """Return the bases after an option of the deciding seat, as far as it can know them."""
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
    rng = Random(option)
    first, involves_hidden = _apply_option(dealer.deal(rng), option)
    for _ in range(REDEAL_COUNT - 1 if involves_hidden else 0):
        other, _ = _apply_option(dealer.deal(rng), option)
        first["complete"] = first["complete"] and other["complete"]
        if (other["bases"], other["vp"]) != (first["bases"], first["vp"]):
            return PreviewResult(complete=False, bases=None, vp=None)
    return first


def _apply_option(table: Game, option: int) -> tuple[PreviewResult, bool]:
    """Apply an option to a redealt table; return the result and whether hidden cards mattered."""
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
    involves_hidden = before != (s.rng, s.seen_by, s.decks) or base_deck != s.base_deck
    is_same_player = following is not None and following.player == asked.player
    return (
        PreviewResult(
            complete=is_same_player and table.at_menu,
            bases=[_base(table, site.serial) for site in s.sites],
            vp=s.vp[:],
        ),
        involves_hidden or not is_same_player,
    )


def _base(table: Game, serial: int) -> BasePreview:
    vp = table.table.state.definition[table.table.state.site_at[serial].base].vp
    return BasePreview(
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
