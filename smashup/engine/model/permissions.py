"""Permissions to play cards: regular plays, extra plays and titan plays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import mypyc_attr

from smashup.engine.model.constants import HAND, NO_LIMIT, NONE
from smashup.engine.model.state import ANY_LIFE

if TYPE_CHECKING:
    from smashup.engine.model.definitions import CardDefinition
    from smashup.engine.model.table import Table


@mypyc_attr(acyclic=True)
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
        "instead_of",
        "is_normal",
        "is_own_special",
        "is_unlimited",
        "max_power",
        "must_affect",
        "must_affect_life",
        "must_raise",
        "name",
        "names",
        "not_at",
        "not_name",
        "on",
        "on_life",
        "on_opponents_minion",
        "once_per_turn_key",
        "replaces",
        "sites",
        "source_card",
        "source_name",
        "types",
        "where_you_have_a_minion",
        "where_you_have_no_minion",
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
        where_you_have_no_minion: bool = False,
        sites: tuple[int, ...] = (),
        instead_of: int = 0,
        is_own_special: bool = False,
        names: tuple[str, ...] = (),
    ) -> None:
        self.types = types
        """Card types it covers (`MINION | ACTION`)."""
        self.is_normal = is_normal
        """Whether it is the regular minion or action of the turn."""
        self.from_zone = from_zone
        """The zone the card comes from; for cards elsewhere, `card` names one."""
        self.max_power = max_power
        self.name = name
        self.names = names
        """Only a card of one of these names. Used at once or not at all: never in a snapshot."""
        self.not_name = not_name
        self.card = card
        """Only this card."""
        self.at = at
        """Only at this site (serial); for actions on minions, the minion's site."""
        self.not_at = not_at
        self.on = on
        """Only on this minion, in its current life."""
        self.on_life = on_life
        """The life of that minion: one that leaves play and returns is another minion."""
        self.must_affect = must_affect
        """Only an action that directly affects this card, or any minion (`ANY_MINION`)."""
        self.must_affect_life = must_affect_life
        """The life of that card."""
        self.must_raise = must_raise
        """Only an action that directly raises the power of a card it affects."""
        self.on_opponents_minion = on_opponents_minion
        """Only on another player's minion."""
        self.where_you_have_a_minion = where_you_have_a_minion
        """Only at a base where the player has a minion."""
        self.where_you_have_no_minion = where_you_have_no_minion
        """Only at a base where the player has no minion."""
        self.sites = sites
        """Only at one of these sites (serials)."""
        self.instead_of = instead_of
        """Not an extra play: using it uses up the regular play of its type (`REGULAR_PLAY`), or
        that or an extra play that names no card (`PLAIN_PLAY`)."""
        self.is_own_special = is_own_special
        """Given by a Special of the card itself, such as one in a discard pile."""
        self.controls_destination = controls_destination
        """Whether the follow-up, not the card itself, decides where the played card goes."""
        self.follow_up = follow_up
        """The definition whose `on_granted_play` runs after the play."""
        self.source_card = source_card
        """The card that granted the permission, -1 for the rules."""
        self.source_name = source_name
        """The name of that card, in case it is back in a deck when the permission is used."""
        self.is_unlimited = (
            max_power == NO_LIMIT
            and not name
            and not names
            and not not_name
            and card == at == not_at == on == must_affect == -1
            and not must_raise
            and not on_opponents_minion
            and not where_you_have_a_minion
            and not where_you_have_no_minion
            and not sites
        )
        """Whether it allows any card of its types at any place."""
        self.has_demands = must_affect != -1 or must_raise
        """Whether it demands a direct effect of the card; trials find the cards that can have
        it."""
        self.once_per_turn_key = once_per_turn_key
        """The key under which use of a permission from a card in play is recorded for the turn."""
        self.granted_stamp = 0
        """The stamp of the ability, if another card granted it to the card that gives the
        permission.

        Never part of a snapshot, since such permissions are computed and not stored.
        """
        self.replaces: PlayPermission | None = None
        """The extra play with limits that is used up with it; never part of a snapshot either."""

    def in_place_of(self, play: PlayPermission) -> PlayPermission | None:
        """Return this permission within the limits of an extra play from hand that it replaces, or
        ``None`` where it cannot."""
        is_generic = play.from_zone == HAND and play.card == NONE and not (play.name or play.names)
        is_here = (
            play.at in (NONE, self.at)
            and play.not_at != self.at
            and (not play.sites or self.at in play.sites)
        )
        if not (is_generic and is_here and play.types & self.types) or play.has_demands:
            return None
        form = PlayPermission(
            self.types,
            from_zone=self.from_zone,
            max_power=min(self.max_power, play.max_power),
            not_name=play.not_name,
            at=self.at,
            where_you_have_a_minion=play.where_you_have_a_minion,
            where_you_have_no_minion=play.where_you_have_no_minion,
            controls_destination=play.controls_destination,
            follow_up=play.follow_up,
            source_card=self.source_card,
            once_per_turn_key=self.once_per_turn_key,
            instead_of=self.instead_of,
        )
        form.granted_stamp = self.granted_stamp
        form.replaces = play
        return form

    def usage_key(self, player: int, life: int) -> tuple[int, ...]:
        """Return the key to record when a player uses a permission of a card in play."""
        if self.source_card < 0:  # shared by all cards with this key
            return (-1, -2, player, *self.once_per_turn_key.encode())
        if self.granted_stamp:  # a granted ability, in addition to the card's own
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
        """Whether the minion it is for has left play; if it returned, it is another minion."""
        return not (
            (self.on == NONE or t.is_life(self.on, self.on_life))
            and (self.must_affect < 0 or t.is_life(self.must_affect, self.must_affect_life))
        )

    def to_tuple(self) -> tuple[int | str, ...]:
        """Return the whole permission as plain data."""
        facts = (
            self.types, self.is_normal, self.from_zone, self.max_power, self.name, self.not_name,
            self.card, self.at, self.not_at, self.on, self.must_affect, self.must_raise,
            self.follow_up.name if self.follow_up is not None else "", self.source_card,
            self.once_per_turn_key, self.on_opponents_minion, self.controls_destination,
            self.where_you_have_a_minion, self.source_name, self.on_life, self.must_affect_life,
        )  # fmt: skip
        later = (self.where_you_have_no_minion, self.instead_of, self.is_own_special, *self.sites)
        return (*facts, *later) if any(later) else facts  # as saves before 0.3 have them

    def allows_same_as(self, other: PlayPermission) -> bool:
        """Whether two permissions allow exactly the same plays."""
        return (
            self.to_tuple() == other.to_tuple()
            and self.granted_stamp == other.granted_stamp
            and self.names == other.names
        )
