"""What happens, why, and what it sets off: `Cause`, `Event`, `Trigger` and `Resolution`.

They live while a card is being resolved and never in the state: a resumed game makes new ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from smashup.engine.model.constants import DECK, HAND, LIMBO, MINION, ON_BASE
from smashup.engine.model.hooks import Hook

if TYPE_CHECKING:
    from smashup.engine.card_api import Base, Card, Player
    from smashup.engine.model.definitions import CardDefinition
    from smashup.engine.model.permissions import PlayPermission

H_AFTER_SCORE: Final = Hook.AFTER_SCORE.value
H_BEFORE_SCORE: Final = Hook.BEFORE_SCORE.value


NO_SITE: Final = -2
"""Of a card that left play: it was at no base."""


class Departure:
    """How a card was when it left play."""

    __slots__ = ("controller", "host", "life", "power", "site")

    def __init__(self, life: int, controller: int) -> None:
        self.life = life
        """Which of its lives in play ended."""
        self.controller = controller
        self.site = NO_SITE
        self.power = 0
        self.host: Card | None = None


class Cause:
    """Who does something: the card, who controls it (-1 for a base or the rules), its type.

    What protects from other players' *cards* asks for the controller: nobody controls a base. What
    other *players* cannot do asks for the player who acts: one who uses a base's ability does.
    """

    __slots__ = ("card", "controller", "is_being_played", "player", "type")

    def __init__(
        self, card: int, controller: int, type_: int, playing: bool, player: int = -1
    ) -> None:
        self.card = card
        self.controller = controller
        self.type = type_
        self.is_being_played = playing
        """Whether the card is being played just now, as opposed to acting from play."""
        self.player = player if player >= 0 else controller
        """The acting player: the controller, or who uses a base's ability; -1 for the rules."""


class ActiveAbility:
    """An ability in force: the card that has it, the kind that words it, and since when.

    A card in play has its own; a copy or a granted talent adds another with a later stamp, so that
    it can be cancelled or lost on its own.
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


# Events are made all the time and mostly say little: what they do not say they share, as values of
# the class. These are assigned where they matter, never mutated.
_NO_CARDS: list[Card] = []
_NO_PLAYERS: list[Player] = []
_NO_NUMBERS: list[int] = []
_NOWHERE: dict[int, int] = {}
_NO_PLACES: dict[Card, int] = {}


class Event:
    """Something that happened, as the abilities it sets off see it."""

    card: Card
    """The card it is about, where there is one."""
    player: Player
    """Who did it or whose turn it is; nobody where a base or the rules did it."""
    giver: Player
    """After control changed: who gave it away; nobody where it was taken."""

    base: Base | None = None
    origin: Base | None = None
    cards: list[Card] = _NO_CARDS
    winners: list[Player] = _NO_PLAYERS
    affected: list[Card] = _NO_CARDS
    """After a play: the cards the played card directly affected."""
    raised: list[Card] = _NO_CARDS
    """After a play: those whose power it directly increased."""
    affected_at: dict[Card, int] = _NO_PLACES
    """After a play: where each affected card stood when it was first affected."""
    affected_of: dict[Card, int] = _NO_PLACES
    """After a play: who controlled each affected card when it was first affected."""
    positions: dict[int, int] = _NOWHERE
    """After a play: where each listening card stood when the card was played."""
    how = 0
    """How a card left play; after a play or a discard, the zone the cards came from."""
    to = 0
    amount = 0
    """After a play: how many cards of this type the player has now played there this turn."""
    amount_on_turn = 0
    """After a play: the same, counting only plays "on your turn" (Play Cards phase)."""
    powers: list[int] = _NO_NUMBERS
    """After a minion: the power of each minion the player has now played there this turn, as
    it was when it was played; this one's last."""
    amount_anywhere = 0
    """After a play: how many of this type the player has now played this turn, anywhere."""
    amount_by_all = 0
    """After a play: how many of this type all players have now played there this turn."""
    amount_alike = 0
    """After an action: how many of its sort (standard, on this base, on minions here) the
    player has now played this turn."""

    def __init__(self, hook: int) -> None:
        self.hook = hook
        """The trigger it sets off, by position in `hooks.METHODS`."""

    @property
    def is_from_hand_or_deck(self) -> bool:
        """After a play or a discard: whether the cards came from a hand or deck.

        Cards in limbo were revealed from a deck. Buried cards and those discarded earlier were not.
        """
        return self.how in (HAND, DECK, LIMBO)

    def is_here(self, me: Card) -> bool:
        """After a play: whether it was at the base where ``me`` stood at that moment."""
        return self.base is not None and self.positions.get(me.id, -1) == self.base.serial

    def affected_here(self, me: Card) -> list[Card]:
        """After a play: minions it directly affected that were at the base of ``me`` then."""
        here = self.positions.get(me.id, -2)
        return [
            c
            for c in dict.fromkeys(self.affected)
            if c.definition.type == MINION and self.affected_at.get(c, -1) == here
        ]

    def own_affected_here(self, me: Card) -> list[Card]:
        """After a play: minions of whoever played it, at this base, that it directly affected."""
        you = self.player.index
        return [c for c in self.affected_here(me) if self.affected_of[c] == you]

    def affects_others_here(self, me: Card) -> bool:
        """After a play: whether it directly affected a minion of another player at this base."""
        you = self.player.index
        return any(self.affected_of[c] != you for c in self.affected_here(me))

    def minion_here(self, me: Card) -> bool:
        """After a play: whether a minion was played at the base where ``me`` stood."""
        return self.card.is_minion and self.is_here(me)

    def is_first_of_power(self, most: int) -> bool:
        """After a play: whether it is the player's first minion of at most some power there this
        turn."""
        powers = self.powers
        return powers[-1] <= most and sum(power <= most for power in powers) == 1

    def action_here(self, me: Card) -> bool:
        """After a play: whether an action was played on the base where ``me`` stood."""
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
"""In place of a hook: that a player uncovers a buried card, which is no card's ability."""


class Trigger:
    """An ability waiting for its turn: Culture Shock p. 7, Card Resolution Order, step 3."""

    __slots__ = ("ability", "card", "event", "hook")

    def __init__(self, ability: ActiveAbility, hook: int, event: Event, me: Card) -> None:
        self.ability = ability
        self.hook = hook
        self.event = event
        self.card = me
        """The card that has the ability, in the life in which it was triggered."""


class DirectEffects:
    """What a resolving card has directly done to other cards."""

    __slots__ = ("affected", "controllers", "places", "raised")

    def __init__(self) -> None:
        self.affected: list[Card] = []
        self.raised: list[Card] = []
        """Those whose power it increased."""
        self.places: dict[Card, int] = {}
        """Where each affected card stood when it was first affected."""
        self.controllers: dict[Card, int] = {}
        """Who controlled it then."""


class Resolution:
    """A card in the middle of resolving, with what it has set off so far."""

    chosen: list[int] = _NO_NUMBERS
    """The cards chosen last while it resolves; what is asked next is often about them."""
    direct_effects: DirectEffects | None = None
    hand_events: list[Event] | None = None
    """What cards in hand may react to (step 4)."""
    event: Event | None = None
    """What the ability reacts to, or the window its card was played in."""
    permission: PlayPermission | None = None
    ability: ActiveAbility | None = None
    """The ability that is resolving; None for a card being played."""
    special: bool = False
    declined: bool = False
    """Whether its controller chose not to use the ability."""
    card_to_discard: int = -1
    """A standard action to be discarded at the very end (step 5)."""
    questions: int = 0
    """How many decisions it has asked for."""
    nested: list[Resolution] | None = None
    """Cards played inside this one whose triggers wait for it (Big in Japan's step 2)."""

    def __init__(self, cause: Cause) -> None:
        self.cause = cause
        self.queue: list[Trigger] = []
