"""What the cards of a game can do at all, so that rules skip what no card of the game needs."""

from __future__ import annotations

from typing import Final

from smashup.engine.model.constants import TITAN
from smashup.engine.model.definitions import CardDefinition
from smashup.engine.model.hooks import METHODS, Hook

H_CAN_PLAY_AS_SPECIAL: Final = Hook.CAN_PLAY_AS_SPECIAL.value
H_PLAYS_LIKE_HAND: Final = Hook.PLAYS_LIKE_HAND.value
H_GRANTS_OWN_PLAY: Final = Hook.GRANTS_OWN_PLAY.value

_OUT_OF_PLAY: Final = 1 << H_CAN_PLAY_AS_SPECIAL | 1 << H_PLAYS_LIKE_HAND | 1 << H_GRANTS_OWN_PLAY
"""Abilities of cards in a hand or discard pile."""


class GameTraits:
    """Found once for the cards of a game, wherever they are. Immutable: clones share it."""

    __slots__ = ("counts_all_plays", "has_madness", "specials", "titans")

    def __init__(self, definitions: list[CardDefinition]) -> None:
        self.titans = [c for c, kind in enumerate(definitions) if kind.type == TITAN]
        """The titans of the game."""
        self.has_madness = False
        """Whether there are Madness cards."""
        self.counts_all_plays = False
        """Whether a card declares `counts_all_plays`."""
        nothing: set[CardDefinition] = set()
        self.specials: list[set[CardDefinition]] = [nothing] * len(METHODS)
        """The cards that may be played from hand as Specials, by their timing, and the cards with
        abilities in a discard pile, by hook."""
        kinds = set(definitions)
        for kind in list(kinds):
            if kind.grants_to_host is not None:
                kinds.add(kind.grants_to_host)
            if kind.fused_action is not None:
                kinds.add(kind.fused_action)
        for kind in kinds:
            if kind.is_madness:
                self.has_madness = True
            if kind.counts_all_plays:
                self.counts_all_plays = True
            if kind.hooks & _OUT_OF_PLAY:
                self._add_specials(kind)

    def _add_specials(self, kind: CardDefinition) -> None:
        hooks = [timing.value for timing in kind.special_timing]
        if not kind.hooks >> H_CAN_PLAY_AS_SPECIAL & 1:
            hooks = []
        if kind.hooks >> H_PLAYS_LIKE_HAND & 1:
            hooks.append(H_PLAYS_LIKE_HAND)
        if kind.hooks >> H_GRANTS_OWN_PLAY & 1:
            hooks.append(H_GRANTS_OWN_PLAY)
        for hook in hooks:
            self.specials[hook] = {*self.specials[hook], kind}
