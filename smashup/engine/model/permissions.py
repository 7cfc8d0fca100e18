"""The right to play a card is an object: normal plays, extra plays and titan plays alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from smashup.engine.model.constants import HAND, NO_LIMIT, NONE
from smashup.engine.model.state import ANY_LIFE

if TYPE_CHECKING:
    from smashup.engine.model.definitions import Kind
    from smashup.engine.model.table import Table


class Right:
    """Permission to play one card. Unchanging data: copies of a table share their rights."""

    __slots__ = (
        "aim_life",
        "at",
        "card",
        "giver",
        "is_aimed",
        "is_unlimited",
        "lent",
        "max_power",
        "must_affect",
        "must_raise",
        "name",
        "normal",
        "not_at",
        "not_name",
        "on",
        "on_life",
        "on_others",
        "once",
        "origin",
        "rider",
        "sealed",
        "source",
        "types",
        "with_yours",
    )  # fmt: skip

    def __init__(
        self,
        types: int,
        *,
        normal: bool = False,
        source: int = HAND,
        max_power: int = NO_LIMIT,
        name: str = "",
        not_name: str = "",
        card: int = -1,
        at: int = -1,
        not_at: int = -1,
        on: int = -1,
        must_affect: int = -1,
        must_raise: bool = False,
        on_others: bool = False,
        with_yours: bool = False,
        sealed: bool = False,
        rider: Kind | None = None,
        origin: int = -1,
        giver: str = "",
        once: str = "",
        on_life: int = ANY_LIFE,
        aim_life: int = ANY_LIFE,
    ) -> None:
        self.types = types
        """Card types it covers (`MINION | ACTION`)."""
        self.normal = normal
        """The free minion or action of the turn."""
        self.source = source
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
        self.aim_life = aim_life
        """In this life of it."""
        self.must_raise = must_raise
        """An action that directly raises the power of what it affects."""
        self.on_others = on_others
        """Only on another player's minion."""
        self.with_yours = with_yours
        """Only at a base where the player has a minion."""
        self.sealed = sealed
        """What becomes of the card afterwards is the rider's business, not the card's own."""
        self.rider = rider
        """The kind whose `ridden` follows the play."""
        self.origin = origin
        """The card that gave the right, -1 for the rules."""
        self.giver = giver
        """Its name, if it may be in a deck again by the time the right is used."""
        self.is_unlimited = (
            max_power == NO_LIMIT
            and not name
            and not not_name
            and card == at == not_at == on == must_affect == -1
            and not must_raise
            and not on_others
            and not with_yours
        )
        """Whether it allows any card of its types anywhere."""
        self.is_aimed = must_affect != -1 or must_raise
        """Whether it says what the card must directly do; trial runs show what can."""
        self.once = once
        """Key under which a right given by a card in play is used up for the turn."""
        self.lent = 0
        """Since when the card that gives it has the ability, where another card lends it.

        Never part of a snapshot: such rights are offered, not kept.
        """

    def use_by(self, player: int, life: int) -> tuple[int, ...]:
        """What is noted when a player uses a right given by a card in play, in this life of it."""
        if self.lent:  # an ability of its own, beside those the card has itself
            return (self.origin, -2, life, player, self.lent, *self.once.encode())
        return (self.origin, -2, life, player, *self.once.encode())

    def has_lapsed(self, t: Table) -> bool:
        """Whether the minion it is for has left play: one that came back is another one."""
        return not (
            (self.on == NONE or t.is_life(self.on, self.on_life))
            and (self.must_affect < 0 or t.is_life(self.must_affect, self.aim_life))
        )

    def facts(self) -> tuple[int | str, ...]:
        """Everything the right says, as plain data."""
        return (
            self.types, self.normal, self.source, self.max_power, self.name, self.not_name,
            self.card, self.at, self.not_at, self.on, self.must_affect,
            self.must_raise, self.rider.name if self.rider is not None else "", self.origin,
            self.once, self.on_others, self.sealed, self.with_yours, self.giver,
            self.on_life, self.aim_life,
        )  # fmt: skip

    def same_as(self, other: Right) -> bool:
        """Whether two rights allow exactly the same."""
        return self.facts() == other.facts() and self.lent == other.lent
