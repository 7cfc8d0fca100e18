"""Causes, events and triggers of the card that is resolving.

They exist while a card resolves and are never part of the state: a resumed game creates new ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import mypyc_attr

from smashup.engine.errors import CardError
from smashup.engine.model.constants import DECK, HAND, LIMBO, MINION, ON_BASE
from smashup.engine.model.hooks import Hook

if TYPE_CHECKING:
    from smashup.engine.card_api import Base, Card, Player
    from smashup.engine.model.definitions import CardDefinition
    from smashup.engine.model.permissions import PlayPermission

H_AFTER_SCORE: Final = Hook.AFTER_SCORE.value
H_BEFORE_SCORE: Final = Hook.BEFORE_SCORE.value


NO_SITE: Final = -2
"""The base of a card that was at none when it left play."""


class Departure:
    """The properties of a card when it left play."""

    __slots__ = ("controller", "host", "life", "power", "site")

    def __init__(self, life: int, controller: int) -> None:
        self.life = life
        """The life in play that ended."""
        self.controller = controller
        self.site = NO_SITE
        self.power = 0
        self.host: Card | None = None


@mypyc_attr(acyclic=True, free_list_len=1)
class Cause:
    """The origin of an effect: the card, its controller (-1 for a base or the rules) and its type.

    Protection from other players' *cards* compares the controller, and a base has none.
    Restrictions on what other *players* can do compare the acting player, who may be using a base's
    ability.
    """

    __slots__ = ("card", "controller", "is_being_played", "player", "type")

    def __init__(
        self, card: int, controller: int, type_: int, playing: bool, player: int = -1
    ) -> None:
        self.card = card
        self.controller = controller
        self.type = type_
        self.is_being_played = playing
        """Whether the card is being played now, as opposed to acting from play."""
        self.player = player if player >= 0 else controller
        """The acting player: the controller, or the player who uses a base's ability; -1 for the
        rules."""


@mypyc_attr(acyclic=True)
class ActiveAbility:
    """An ability in force: the card that has it, the definition that contains it, and since when.

    A card in play has its own; a copied or granted ability is another one with a later stamp, so
    that it can be cancelled or lost independently.
    """

    __slots__ = ("card", "definition", "granted_by", "stamp", "until_end_of_turn")

    def __init__(
        self,
        card: int,
        definition: CardDefinition,
        stamp: int,
        granted_by: int = -1,
        until_end_of_turn: bool = False,
    ) -> None:
        self.card = card
        self.definition = definition
        self.stamp = stamp
        self.granted_by = granted_by
        """The card that grants the ability, -1 for the card's own text and for copies."""
        self.until_end_of_turn = until_end_of_turn


# Events are created very often and set few of these fields: unset fields share the values of the
# class, which are replaced but never mutated.
_NO_CARDS: Final[list[Card]] = []
_NO_PLAYERS: Final[list[Player]] = []
_NO_NUMBERS: Final[list[int]] = []
_NOWHERE: Final[dict[int, int]] = {}
_NO_ACTORS: Final[dict[Card, Player]] = {}
_NO_PLACES: Final[dict[Card, int]] = {}


@mypyc_attr(free_list_len=1)
class Event:
    """Something that happened, as seen by the abilities it triggers."""

    card: Card
    """The card it is about, if any."""
    player: Player
    """The player who did it or whose turn it is; no player for a base or the rules."""
    by: Player
    """After a card left play: who made it leave; no player if a base or the rules did."""
    giver: Player
    """After control changed: the player who gave it away; no player if it was taken."""

    base: Base | None = None
    origin: Base | None = None
    cards: list[Card] = _NO_CARDS
    actors: dict[Card, Player] = _NO_ACTORS
    """After a card left play: who made each of those leave that left together with it."""
    winners: list[Player] = _NO_PLAYERS
    runners_up: list[Player] = _NO_PLAYERS
    """After scoring: the players who took the second place."""
    present: list[Player] = _NO_PLAYERS
    """After scoring: the players who had a minion there when VP were awarded."""
    affected: list[Card] = _NO_CARDS
    """After a play: the cards the played card directly affected."""
    raised: list[Card] = _NO_CARDS
    """After a play: the cards whose power it directly increased."""
    affected_at: dict[Card, int] = _NO_PLACES
    """After a play: the base of each affected card when it was first affected."""
    affected_of: dict[Card, int] = _NO_PLACES
    """After a play: the controller of each affected card when it was first affected."""
    positions: dict[int, int] = _NOWHERE
    """After a play: the base of each listening card when the card was played."""
    how = 0
    """How a card left play; after a play or a discard, the zone the cards came from."""
    to = 0
    amount = 0
    """After a play: how many cards of this type the player has played there this turn."""
    amount_on_turn = 0
    """After a play: the same, but only plays "on your turn" (Play Cards phase)."""
    powers: list[int] = _NO_NUMBERS
    """After a minion: the power of each minion the player has played there this turn, at the time
    it was played; this one is last. Only for cards with `counts_all_plays`."""
    amount_anywhere = 0
    """After a play: how many cards of this type the player has played this turn at any base."""
    amount_by_all = 0
    """After a play: how many cards of this type all players have played there this turn. Only for
    cards with `counts_all_plays`."""
    amount_alike = 0
    """After an action: how many actions of its placement (standard, on this base, on minions here)
    the player has played this turn."""

    def __init__(self, hook: int) -> None:
        self.hook = hook
        """The hook it triggers, as a position in `hooks.METHODS`."""

    def among(self, players: list[Player]) -> Event:
        """A scoring as these players see it: no other player has a place or was present."""
        seen = Event(self.hook)
        seen.base = self.base
        seen.player = self.player
        seen.cards = self.cards
        seen.winners = [p for p in self.winners if p in players]
        seen.runners_up = [p for p in self.runners_up if p in players]
        seen.present = [p for p in self.present if p in players]
        return seen

    @property
    def is_from_hand_or_deck(self) -> bool:
        """After a play or a discard: whether the cards came from a hand or deck.

        Cards in limbo were revealed from a deck. Buried cards and cards from a discard pile do not
        count.
        """
        return self.how in (HAND, DECK, LIMBO)

    def is_here(self, me: Card) -> bool:
        """After a play: whether it was at the base where ``me`` was then."""
        return self.base is not None and self.positions.get(me.id, -1) == self.base.serial

    def affected_here(self, me: Card) -> list[Card]:
        """After a play: minions it directly affected that were then at the base of ``me``."""
        here = self.positions.get(me.id, -2)
        return [
            c
            for c in dict.fromkeys(self.affected)
            if c.definition.type == MINION and self.affected_at.get(c, -1) == here
        ]

    def own_affected_here(self, me: Card) -> list[Card]:
        """After a play: minions of the player who played it that it directly affected at this
        base."""
        you = self.player.index
        return [c for c in self.affected_here(me) if self.affected_of[c] == you]

    def affects_others_here(self, me: Card) -> bool:
        """After a play: whether it directly affected a minion of another player at this base."""
        you = self.player.index
        return any(self.affected_of[c] != you for c in self.affected_here(me))

    def minion_here(self, me: Card) -> bool:
        """After a play: whether a minion was played at the base where ``me`` was."""
        return self.card.is_minion and self.is_here(me)

    def is_first_of_power(self, most: int) -> bool:
        """After a play: whether it is the first minion of at most this power that the player played
        there this turn."""
        powers = self.powers
        if not powers:
            raise CardError("Only cards with counts_all_plays can use is_first_of_power.")
        return powers[-1] <= most and sum(power <= most for power in powers) == 1

    def action_here(self, me: Card) -> bool:
        """After a play: whether an action was played on the base where ``me`` was."""
        return self.card.played_on == ON_BASE and self.is_here(me)

    @property
    def before_scoring(self) -> bool:
        """Whether this is the window before a base scores."""
        return self.hook == H_BEFORE_SCORE

    @property
    def after_scoring(self) -> bool:
        """Whether this is the window after a base scored."""
        return self.hook == H_AFTER_SCORE


UNCOVER: Final = -1
"""Instead of a hook: a player uncovers a buried card, which is not an ability of a card."""


class Trigger:
    """An ability waiting to resolve: Culture Shock p. 7, Card Resolution Order, step 3."""

    __slots__ = ("ability", "card", "event", "hook")

    def __init__(self, ability: ActiveAbility, hook: int, event: Event, me: Card) -> None:
        self.ability = ability
        self.hook = hook
        self.event = event
        self.card = me
        """The card that has the ability, in the life in which it triggered."""


class DirectEffects:
    """The direct effects of a resolving card on other cards."""

    __slots__ = ("affected", "controllers", "places", "raised")

    def __init__(self) -> None:
        self.affected: list[Card] = []
        self.raised: list[Card] = []
        """The cards whose power it increased."""
        self.places: dict[Card, int] = {}
        """The base of each affected card when it was first affected."""
        self.controllers: dict[Card, int] = {}
        """The controller of each affected card at that time."""


@mypyc_attr(free_list_len=1)
class Resolution:
    """A card that is resolving, with what it has triggered so far."""

    chosen: list[int] = _NO_NUMBERS
    """The cards chosen last while it resolves; the next question is often about them."""
    all_chosen: list[int] = _NO_NUMBERS
    """All cards chosen while it resolves."""
    direct_effects: DirectEffects | None = None
    hand_events: list[Event] | None = None
    """Events that cards in hand may react to (step 4)."""
    event: Event | None = None
    """The event the ability reacts to, or the window in which its card was played."""
    permission: PlayPermission | None = None
    ability: ActiveAbility | None = None
    """The ability that is resolving; None for a card being played."""
    special: bool = False
    declined: bool = False
    """Whether its controller chose not to use the ability."""
    card_to_discard: int = -1
    """A standard action to be discarded at the very end (step 5)."""
    questions: int = 0
    """The number of decisions it has asked for."""
    nested: list[Resolution] | None = None
    """Cards played inside this one whose triggers wait for it (Big in Japan's step 2)."""

    def __init__(self, cause: Cause) -> None:
        self.cause = cause
        self.queue: list[Trigger] = []
