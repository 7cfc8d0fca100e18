"""The ability of a base that some players ignore: for them and their cards it does not exist.

Bigger Geekier Box: whoever ignores a base's ability does not follow its instructions and is not
subject to its restrictions; their cards are neither affected nor protected by it. This module
stays interpreted: it wraps every method that a card may override.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from smashup.engine.model.definitions import CardDefinition
from smashup.engine.model.events import ActiveAbility
from smashup.engine.model.hooks import METHODS, Hook

SCORING: Final = (Hook.ON_SCORE, Hook.AFTER_SCORE, Hook.BEFORE_SCORE, Hook.AFTER_REPLACEMENT)
_COPIED: Final = (
    "name", "type", "hooks", "aside_hooks", "once_for_ties", "at_any_base", "special_abilities",
    "titans_coexist", "while_set_aside", "has_current_text", "cancels_host_only",
)  # fmt: skip


class IgnoredBase(CardDefinition):
    """A base's definition for all players but those who ignore it."""

    def __init__(self, original: CardDefinition, ignoring: tuple[ActiveAbility, ...]) -> None:
        super().__init__()
        self.original = original
        self.ignoring = ignoring
        for name in _COPIED:
            setattr(self, name, getattr(original, name))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, IgnoredBase) and other.original is self.original

    def __hash__(self) -> int:
        return hash(self.original)

    def is_ignored_by(self, me: Any, player: Any) -> bool:
        return any(
            ability.definition.ignores_base(me.table.cards[ability.card], player)
            for ability in self.ignoring
        )

    def concerns_ignoring(self, me: Any, name: str, subject: Any) -> bool:
        """Whether the ability would apply to a player who ignores it, or to one of their cards."""
        if hasattr(subject, "hook"):  # an event
            if name.startswith("after_leaving_play"):
                return self.is_ignored_by(me, subject.card.controller)
            return subject.hook not in SCORING and self.is_ignored_by(me, subject.player)
        if hasattr(subject, "controller"):  # a card
            return self.is_ignored_by(me, subject.controller)
        return hasattr(subject, "hand") and self.is_ignored_by(me, subject)

    def without_ignoring(self, me: Any, event: Any) -> Any:
        """A scoring as those see it who do not ignore the base."""
        if not hasattr(event, "hook") or event.hook not in SCORING:
            return event
        players = me.table.player_handles
        return event.among([p for p in players if not self.is_ignored_by(me, p)])


@lru_cache(maxsize=256)
def ignore_base(original: CardDefinition, ignoring: tuple[ActiveAbility, ...]) -> IgnoredBase:
    """Return a base's definition for all players but those whom these abilities let ignore it."""
    return IgnoredBase(original, ignoring)


def _wrap(name: str) -> Any:
    def call(self: IgnoredBase, me: Any, *rest: Any) -> Any:
        if rest and self.concerns_ignoring(me, name, rest[0]):
            if name.endswith("_if"):
                return False
            return getattr(CardDefinition, name)(self, me, *rest)
        if rest:
            rest = (self.without_ignoring(me, rest[0]), *rest[1:])
        return getattr(self.original, name)(me, *rest)

    return call


for _method in METHODS:
    for _name in (_method, f"{_method}_if"):
        if callable(getattr(CardDefinition, _name, None)):
            setattr(IgnoredBase, _name, _wrap(_name))
