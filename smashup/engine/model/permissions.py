"""A permission to play a card: normal plays, extra plays and titan plays alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from smashup.engine.model.constants import HAND, NO_LIMIT, NONE
from smashup.engine.model.state import ANY_LIFE

if TYPE_CHECKING:
    from smashup.engine.model.definitions import CardDefinition
    from smashup.engine.model.table import Table


class PlayPermission:
    """Permission to play one card. Immutable: copies of a table share their permissions."""

    __slots__ = (
        "at",
        "card",
        "controls_destination",
        "follow_up",
        "from_zone",
        "granted_stamp",
        "has_demands",
        "is_normal",
        "is_unlimited",
        "max_power",
        "must_affect",
        "must_affect_life",
        "must_raise",
        "name",
        "not_at",
        "not_name",
        "on",
        "on_life",
        "on_opponents_minion",
        "once_per_turn_key",
        "source_card",
        "source_name",
        "types",
        "where_you_have_a_minion",
    )  # fmt: skip

    def __init__(
        self,
        types: int,
        *,
        is_normal: bool = False,
        from_zone: int = HAND,
        max_power: int = NO_LIMIT,
        name: str = "",
        not_name: str = "",
        card: int = -1,
        at: int = -1,
        not_at: int = -1,
        on: int = -1,
        must_affect: int = -1,
        must_raise: bool = False,
        on_opponents_minion: bool = False,
        where_you_have_a_minion: bool = False,
        controls_destination: bool = False,
        follow_up: CardDefinition | None = None,
        source_card: int = -1,
        source_name: str = "",
        once_per_turn_key: str = "",
        on_life: int = ANY_LIFE,
        must_affect_life: int = ANY_LIFE,
    ) -> None:
        self.types = types
        """Card types it covers (`MINION | ACTION`)."""
        self.is_normal = is_normal
        """The free minion or action of the turn."""
        self.from_zone = from_zone
        """The zone the card comes from; cards elsewhere are named one by one (`card`)."""
        self.max_power = max_power
        self.name = name
        self.not_name = not_name
        self.card = card
        """This very card only."""
        self.at = at
        """Only at this site (serial); for actions on minions, the minion's site."""
        self.not_at = not_at
        self.on = on
        """Only on this minion."""
        self.on_life = on_life
        """In this life of it: if it leaves play and comes back it is another minion."""
        self.must_affect = must_affect
        """An action that directly affects this card, or a minion at all (`ANY_MINION`)."""
        self.must_affect_life = must_affect_life
        """In this life of it."""
        self.must_raise = must_raise
        """An action that directly raises the power of what it affects."""
        self.on_opponents_minion = on_opponents_minion
        """Only on another player's minion."""
        self.where_you_have_a_minion = where_you_have_a_minion
        """Only at a base where the player has a minion."""
        self.controls_destination = controls_destination
        """Whether the follow-up decides what becomes of the played card, not the card itself."""
        self.follow_up = follow_up
        """The definition whose `on_granted_play` runs after the play."""
        self.source_card = source_card
        """The card that gave the permission, -1 for the rules."""
        self.source_name = source_name
        """Its name, if it may be in a deck again by the time the permission is used."""
        self.is_unlimited = (
            max_power == NO_LIMIT
            and not name
            and not not_name
            and card == at == not_at == on == must_affect == -1
            and not must_raise
            and not on_opponents_minion
            and not where_you_have_a_minion
        )
        """Whether it allows any card of its types anywhere."""
        self.has_demands = must_affect != -1 or must_raise
        """Whether it says what the card must directly do; trial runs show what can."""
        self.once_per_turn_key = once_per_turn_key
        """Key under which a permission given by a card in play is used up for the turn."""
        self.granted_stamp = 0
        """Since when the card that gives it has the ability, where another card grants it.

        Never part of a snapshot: such permissions are offered, not stored.
        """

    def usage_key(self, player: int, life: int) -> tuple[int, ...]:
        """What is recorded when a player uses a permission of a card in play, in this life."""
        if self.granted_stamp:  # an ability of its own, beside those the card has itself
            return (
                self.source_card,
                -2,
                life,
                player,
                self.granted_stamp,
                *self.once_per_turn_key.encode(),
            )
        return (self.source_card, -2, life, player, *self.once_per_turn_key.encode())

    def has_lapsed(self, t: Table) -> bool:
        """Whether the minion it is for has left play: one that came back is another one."""
        return not (
            (self.on == NONE or t.is_life(self.on, self.on_life))
            and (self.must_affect < 0 or t.is_life(self.must_affect, self.must_affect_life))
        )

    def to_tuple(self) -> tuple[int | str, ...]:
        """Everything the permission says, as plain data."""
        return (
            self.types, self.is_normal, self.from_zone, self.max_power, self.name, self.not_name,
            self.card, self.at, self.not_at, self.on, self.must_affect, self.must_raise,
            self.follow_up.name if self.follow_up is not None else "", self.source_card,
            self.once_per_turn_key, self.on_opponents_minion, self.controls_destination,
            self.where_you_have_a_minion, self.source_name, self.on_life, self.must_affect_life,
        )  # fmt: skip

    def allows_same_as(self, other: PlayPermission) -> bool:
        """Whether two permissions allow exactly the same."""
        return self.to_tuple() == other.to_tuple() and self.granted_stamp == other.granted_stamp
