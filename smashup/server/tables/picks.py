"""Answers tried on a copy of a game: one pick, or several picks of one choice, all or none."""

from __future__ import annotations

from collections.abc import Sequence

from smashup.engine.errors import IllegalChoice
from smashup.engine.game import Game
from smashup.engine.model.constants import NONE
from smashup.engine.model.decisions import CARDS, FACTIONS, PLAYERS, SITES, Decision, Purpose

_PLAIN = frozenset((CARDS, SITES, PLAYERS, FACTIONS))
"""Options that are the same thing from one pick to the next."""


def apply_picks(game: Game, options: Sequence[int], done: bool = False) -> Game:
    """The game after these picks, with no more of this choice if that is ``done``.

    The given game stays as it is.

    Several picks are positions among the options of the pending decision, which is all that its
    player has seen. They must be picks of one choice, of which the decisions say so, and nothing
    drawn, shuffled or shown in between, so that trying picks tells nothing new.
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
    if len(options) > 1 and (first.kind not in _PLAIN or len(set(options)) < len(options)):
        raise IllegalChoice("These picks do not go together; make them one by one.")
    again = game.after(options[0], log=True)
    state = game.table.state
    for option in options[1:]:
        following = again.decision
        wanted = first.options[option]
        if (
            following is None
            or not _is_same_choice(first, following)
            or again.table.state.rng != state.rng
            or again.table.state.seen_by != state.seen_by
            or wanted not in following.options
        ):
            raise IllegalChoice("These picks do not go together; make them one by one.")
        again.choose(following.options.index(wanted))
    if done and (following := again.decision) is not None and _continues(first, following):
        if NONE not in following.options:
            raise IllegalChoice("More has to be picked.")
        again.choose(following.options.index(NONE))
    return again


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
