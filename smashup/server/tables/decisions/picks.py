"""Applies answers to a copy of a game: one pick, or several picks of one choice."""

from __future__ import annotations

from collections.abc import Sequence

from smashup.engine.errors import IllegalChoice
from smashup.engine.game import Game
from smashup.engine.model.constants import NONE
from smashup.engine.model.decisions import CARDS, FACTIONS, PLAYERS, SITES, Decision, Purpose
from smashup.server.errors import IncompatiblePicks, IncompletePicks

_SIMPLE_KINDS = frozenset((CARDS, SITES, PLAYERS, FACTIONS))
"""Kinds of options that keep their meaning from one pick to the next."""


def apply_picks(game: Game, options: Sequence[int], done: bool = False) -> Game:
    """Return the game after these picks; ``done`` declines further optional picks.

    The given game is not changed.

    Several picks are positions in the options of the open decision, because its player has seen
    no others. They must belong to one choice, and no card may be drawn, shuffled or revealed in
    between, so that trying picks reveals nothing.
    """
    first = game.decision
    if first is None:
        raise IllegalChoice("The game is over: there is nothing to choose.")
    for option in options:
        if option >= len(first.options):
            raise IllegalChoice(
                "{option} is not one of the {count} options (0 to {last}).",
                option=option,
                count=len(first.options),
                last=len(first.options) - 1,
            )
    if len(options) > 1 and (first.kind not in _SIMPLE_KINDS or len(set(options)) < len(options)):
        raise IncompatiblePicks("These picks do not go together; make them one by one.")
    copy = game.after(options[0], log=True)
    state = game.table.state
    for option in options[1:]:
        following = copy.decision
        wanted = first.options[option]
        if (
            following is None
            or not _is_same_choice(first, following)
            or copy.table.state.rng != state.rng
            or copy.table.state.seen_by != state.seen_by
            or wanted not in following.options
        ):
            raise IncompatiblePicks("These picks do not go together; make them one by one.")
        copy.choose(following.options.index(wanted))
    if done and (following := copy.decision) is not None and _continues(first, following):
        if NONE not in following.options:
            raise IncompletePicks("Pick more before you finish this choice.")
        copy.choose(following.options.index(NONE))
    return copy


def _continues(first: Decision, following: Decision) -> bool:
    """Whether a decision is for one more pick of the same choice."""
    several = following.multi_pick
    return several is not None and several.picked > 0 and _has_same_source(first, following)


def _is_same_choice(first: Decision, following: Decision) -> bool:
    """Whether picks of both decisions may be sent together: in a draft, the last player picks twice
    in a row."""
    if following.purpose is Purpose.DRAFT:
        return _has_same_source(first, following)
    return _continues(first, following)


def _has_same_source(first: Decision, following: Decision) -> bool:
    return (first.player, first.purpose, first.source) == (
        following.player, following.purpose, following.source,
    )  # fmt: skip
