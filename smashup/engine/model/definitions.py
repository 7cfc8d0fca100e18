"""What a card can do: the classes every card is written from.

A card is one class. Its figures are class attributes, its abilities are the methods below that it
overrides; the engine looks up which ones a class overrides (`hooks`) and never calls the others.

* `played`, `talent` and the ``special`` family act when their card does.
* Triggers (`after_play`, `start_of_turn`, ...) take the event. The method of the same name ending
  in ``_if`` says whether the ability triggers at all; it is asked when the event happens.
* Queries (`power_bonus`, `protects`, ...) are asked whenever a value is needed and never ask back.

``me`` is always the card that has the ability, even when the ability is a copy of another card's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from mypy_extensions import mypyc_attr

from smashup.engine.model.constants import ACTION, BASE, MINION, NOWHERE, ON_BASE, ON_MINION, TITAN

if TYPE_CHECKING:
    from smashup.engine.card_api import Base, Card, Player
    from smashup.engine.model.events import Cause, Event
    from smashup.engine.model.permissions import Right


@mypyc_attr(allow_interpreted_subclasses=True)
class Kind:
    """The definition of a card: one shared, unchanging object for all its copies."""

    name: str = ""
    aka: str = ""
    """Another name the card is known by, such as its name in the other printing."""
    name_fr: str = ""
    text: str = ""
    """What the card does, in our own words."""
    type: int = 0
    copies: int = 1
    power: int = 0
    """Printed power. Actions print theirs for show; what counts is `player_power`."""
    faction: str = ""
    set_name: str = ""
    optional: bool = False
    """A titan of the event kit: only in play when the setup asks for it."""
    reprint: bool = False
    """True on the instance that stands for the current printing."""
    only_printed: str = ""
    """Abilities (method names, with spaces between) only the printed card has."""
    only_current: str = ""
    """Abilities (method names) only the reprint has."""

    where: int = NOWHERE
    """Actions: `ON_BASE`, `ON_MINION`, or `NOWHERE` for a standard action."""
    special: str = ""
    """Actions: ``"only"`` when playable only at its special timing, ``"also"`` when then too."""
    timing: str = "before_score after_score"
    """Cards played from hand as a Special: the events (method names) that may let them."""
    specials: str = ""
    """Abilities (method names) of a card in play that are labelled Special."""
    breakpoint: int = 0
    vp: tuple[int, int, int] = (0, 0, 0)
    works_aside: str = ""
    """Titans: the abilities (method names) that work while the titan is set aside."""
    anywhere: str = ""
    """Scoring abilities that look at every base, not only at the one the card is on."""
    once_for_ties: bool = False
    """Bases: using the ability twice makes no sense, so only the first of tied players does."""
    keeps_one: bool = False
    """Of cards that would leave play together its `instead_of_leaving` keeps only one."""
    mentions: ClassVar[tuple[str, ...]] = ()
    """Names of cards that the ability speaks of."""
    affects_minions: bool = False
    """Actions not played on a minion: whether playing one can directly affect a minion."""
    raises_minions: bool = False
    """Actions: whether what they do when played can directly raise a minion's power."""
    copies_abilities: bool = False
    """Whether the card takes over abilities of other cards, so that it may have any."""
    is_madness: bool = False
    cancels_host_only: bool = False
    """Of a card that cancels abilities: only those of the card it is on, wherever that goes."""

    hooks: int = 0
    """Bit set of the abilities this card has, by position in `HOOKS`."""
    aside_hooks: int = 0
    is_simple: bool = False
    """Whether its own text never limits where and when it is played."""

    def __init__(self) -> None:
        self.hooks = 0

    def reprinted(self) -> None:
        """Turn this instance into the current printing: change the figures and text that differ."""

    # --- acting -----------------------------------------------------------------------------

    def played(self, me: Card) -> None:
        """What happens when the card is played."""

    def talent(self, me: Card) -> None:
        """The talent, once in each Play Cards phase of its controller."""

    def talent_if(self, me: Card) -> bool:
        return True

    def special_if(self, me: Card, ev: Event) -> bool:
        """From hand: whether the card may be played now, at its special timing."""
        return False

    def special_bases(self, me: Card, ev: Event) -> list[Base]:
        """From hand: where a minion played at its special timing may go."""
        return []

    def special_hosts(self, me: Card, ev: Event) -> list[Card]:
        """From hand: what an action played on a minion at its special timing may go on."""
        return []

    def later(self, me: Card, ev: Event) -> None:
        """What the card set up to happen later; ``me`` is the card it happens to."""

    def ridden(self, me: Card, played: Card, by: Player) -> None:
        """After a player played ``played`` by a right this card gave."""

    # --- where it may be played ------------------------------------------------------------

    def can_play_on(self, me: Card, place: Base) -> bool:
        """Whether the card's own text lets it be played at this base."""
        return True

    def can_attach(self, me: Card, host: Card) -> bool:
        """Whether the card's own text lets it be played on this minion."""
        return True

    def goes_instead_of_minion(self, me: Card, place: Base) -> bool:
        """Titans: whether it may be played here instead of the regular minion play."""
        return False

    def goes_instead_of_action(self, me: Card, place: Base) -> bool:
        """Titans: whether it may be played here instead of the regular action play."""
        return False

    def goes_free(self, me: Card, place: Base) -> bool:
        """Titans: whether it may be played here in the Play Cards phase at no cost."""
        return False

    # --- queries: power and breakpoint -----------------------------------------------------

    def power_bonus(self, me: Card) -> int:
        """Power this card has beyond its starting power."""
        return 0

    def host_bonus(self, me: Card, host: Card) -> int:
        """Power this action gives the minion it is on."""
        return 0

    def aura(self, me: Card, card: Card) -> int:
        """Power this card gives another card in play."""
        return 0

    def card_bonus(self, me: Card, card: Card) -> int:
        """Power this card gives any card in play, actions on bases included."""
        return 0

    def starting_power(self, me: Card) -> int:
        """The card's own starting power, where its text sets it; -1 leaves the printed one."""
        return -1

    def host_printed_power(self, me: Card, host: Card) -> int:
        """The printed power the minion it is on is treated as having; -1 leaves it."""
        return -1

    def player_power(self, me: Card, player: Player) -> int:
        """Power a player has at this card's base beyond that of minions."""
        return 0

    def withholds(self, me: Card, card: Card) -> bool:
        """Whether the card's power stays out of its controller's total."""
        return False

    def breakpoint_change(self, me: Card, base: Base) -> int:
        return 0

    def starting_breakpoint(self, me: Card, base: Base) -> int:
        """A starting breakpoint set by a text; -1 for none."""
        return -1

    def extra_names(self, me: Card) -> tuple[str, ...]:
        """Names the card has besides its own."""
        return ()

    def lends(self) -> Kind | None:
        """Actions on a minion: the ability the minion has while this action is on it."""
        return None

    def shows_top_base(self, me: Card) -> bool:
        """Whether the top card of the base deck is face up, and its abilities this base's too."""
        return False

    # --- queries: can and cannot -----------------------------------------------------------

    def protects(self, me: Card, card: Card, cause: Cause) -> bool:
        """Whether ``card`` is not affected by the cause."""
        return False

    def indestructible(self, me: Card, card: Card, cause: Cause) -> bool:
        """Whether ``card`` cannot be destroyed by the cause."""
        return False

    def immovable(self, me: Card, card: Card, to: Base, cause: Cause) -> bool:
        """Whether ``card`` cannot be moved there by the cause."""
        return False

    def forbids_play(self, me: Card, player: Player, card: Card, base: Base) -> bool:
        """Whether the player cannot play the card at this base."""
        return False

    def forbids_scoring(self, me: Card, base: Base) -> bool:
        return False

    def forbids_specials(self, me: Card, player: Player, scoring: Base) -> bool:
        """Whether the player cannot play Specials while that base scores."""
        return False

    def cancels(self, me: Card, card: Card) -> bool:
        """Whether the abilities of ``card`` are treated as if they did not exist."""
        return False

    def titan_limit(self, me: Card, player: Player) -> int:
        """How many titans more than one the player may control."""
        return 0

    def titans_coexist(self, me: Card) -> bool:
        """Bases: whether titans here leave each other alone."""
        return False

    def plays_from_discard(self, me: Card, card: Card) -> bool:
        """Whether this minion's controller may play the action on it from the discard pile."""
        return False

    def right(self, me: Card, player: Player) -> Right | None:
        """A right to play a card that this card gives a player on their turn, once a turn."""
        return None

    # --- replacements: these may ask -------------------------------------------------------

    def instead_of_discard(self, me: Card, card: Card) -> int:
        """Where ``card``, on its way from play to the discard pile, goes instead; -1: no change."""
        return -1

    def instead_of_discard_if(self, me: Card, card: Card) -> bool:
        return True

    def instead_of_leaving(self, me: Card, card: Card, how: int, to: int) -> bool:
        """Do something else instead of ``card`` leaving play; True when it was replaced."""
        return False

    def instead_of_leaving_if(self, me: Card, card: Card, how: int, to: int) -> bool:
        return True

    def outlives_host(self, me: Card, leaving: list[Card]) -> Card | None:
        """Actions on a minion: the card to transfer to when that minion leaves play.

        Cards ``leaving`` at the same time, that minion among them, are no place to go.
        """
        return None

    def redirects(self, me: Card, card: Card, cause: Cause) -> bool:
        """Take on what a card just played does to ``card``; True when taken on."""
        return False

    def redirects_if(self, me: Card, card: Card, cause: Cause) -> bool:
        return True

    # --- triggers --------------------------------------------------------------------------

    def start_of_turn(self, me: Card, ev: Event) -> None: ...

    def start_of_turn_if(self, me: Card, ev: Event) -> bool:
        return ev.player is me.controller

    def end_of_turn(self, me: Card, ev: Event) -> None: ...

    def end_of_turn_if(self, me: Card, ev: Event) -> bool:
        return ev.player is me.controller

    def after_play(self, me: Card, ev: Event) -> None:
        """After ``ev.player`` played ``ev.card`` (and its own ability is resolved)."""

    def after_play_if(self, me: Card, ev: Event) -> bool:
        return True

    def after_move(self, me: Card, ev: Event) -> None:
        """After ``ev.card`` moved from ``ev.origin`` to ``ev.base``."""

    def after_move_if(self, me: Card, ev: Event) -> bool:
        return True

    def after_leave(self, me: Card, ev: Event) -> None:
        """After ``ev.card`` left play (``ev.how``, ``ev.to``)."""

    def after_leave_if(self, me: Card, ev: Event) -> bool:
        return True

    def after_discard(self, me: Card, ev: Event) -> None:
        """After ``ev.player`` discarded cards (``ev.cards``) from a zone (``ev.how``)."""

    def after_discard_if(self, me: Card, ev: Event) -> bool:
        return True

    def after_talent(self, me: Card, ev: Event) -> None:
        """After ``ev.card`` used a talent."""

    def after_talent_if(self, me: Card, ev: Event) -> bool:
        return True

    def after_special(self, me: Card, ev: Event) -> None:
        """After ``ev.player`` used a Special ability of ``ev.card``."""

    def after_special_if(self, me: Card, ev: Event) -> bool:
        return True

    def after_peek(self, me: Card, ev: Event) -> None:
        """After an ability revealed, looked at or searched cards of a deck."""

    def after_peek_if(self, me: Card, ev: Event) -> bool:
        return True

    def after_to_hand(self, me: Card, ev: Event) -> None:
        """After ``ev.card`` went to ``ev.player``'s hand from play or the discard pile."""

    def after_to_hand_if(self, me: Card, ev: Event) -> bool:
        return True

    def after_given(self, me: Card, ev: Event) -> None:
        """After ``ev.player`` placed ``ev.card`` into another player's hand."""

    def after_given_if(self, me: Card, ev: Event) -> bool:
        return True

    def after_control(self, me: Card, ev: Event) -> None:
        """After control of ``ev.card`` went to ``ev.player``; ``ev.giver`` gave it, if anybody."""

    def after_control_if(self, me: Card, ev: Event) -> bool:
        return True

    def after_transfer(self, me: Card, ev: Event) -> None:
        """After a power counter or an action went from one card to another (``ev.card``)."""

    def after_transfer_if(self, me: Card, ev: Event) -> bool:
        return True

    def after_base_played(self, me: Card, ev: Event) -> None:
        """After ``ev.base`` came into play; its own base card included."""

    def after_base_played_if(self, me: Card, ev: Event) -> bool:
        return True

    def before_score(self, me: Card, ev: Event) -> None: ...

    def before_score_if(self, me: Card, ev: Event) -> bool:
        return True

    def when_score(self, me: Card, ev: Event) -> None:
        """When VP are awarded at ``ev.base``; ``ev.winners`` are known."""

    def when_score_if(self, me: Card, ev: Event) -> bool:
        return True

    def after_score(self, me: Card, ev: Event) -> None: ...

    def after_score_if(self, me: Card, ev: Event) -> bool:
        return True

    def after_replacement(self, me: Card, ev: Event) -> None:
        """After a scored base was replaced by ``ev.base``; ``ev.winners`` won the old one while
        the titans ``ev.cards`` were set aside."""

    def after_replacement_if(self, me: Card, ev: Event) -> bool:
        return True


HOOKS: Final[tuple[str, ...]] = (
    "played", "talent", "special_if",
    "power_bonus", "host_bonus", "aura", "starting_power", "host_printed_power", "player_power",
    "withholds", "breakpoint_change", "starting_breakpoint", "extra_names",
    "protects", "indestructible", "immovable", "forbids_play", "forbids_scoring",
    "forbids_specials", "cancels", "titan_limit", "titans_coexist", "plays_from_discard", "right",
    "instead_of_discard", "instead_of_leaving", "redirects",
    "start_of_turn", "end_of_turn", "after_play", "after_move", "after_leave", "after_discard",
    "after_talent", "after_special", "after_peek", "after_to_hand", "after_given",
    "after_control", "after_transfer", "after_base_played",
    "before_score", "when_score", "after_score", "after_replacement", "later",
    "can_play_on", "can_attach",
    "goes_instead_of_minion", "goes_instead_of_action", "goes_free",
    "card_bonus", "shows_top_base", "outlives_host",
)  # fmt: skip
"""Names of the abilities the engine listens for; an ability is known by its position here."""

CONDITIONS: Final[tuple[str, ...]] = tuple(name + "_if" for name in HOOKS)
"""Names of the conditions of triggers, by the same position."""

H_PLAYED: Final = 0
H_TALENT: Final = 1
H_SPECIAL: Final = 2
H_POWER_BONUS: Final = 3
H_HOST_BONUS: Final = 4
H_AURA: Final = 5
H_STARTING_POWER: Final = 6
H_HOST_PRINTED_POWER: Final = 7
H_PLAYER_POWER: Final = 8
H_WITHHOLDS: Final = 9
H_BREAKPOINT: Final = 10
H_STARTING_BREAKPOINT: Final = 11
H_EXTRA_NAMES: Final = 12
H_PROTECTS: Final = 13
H_INDESTRUCTIBLE: Final = 14
H_IMMOVABLE: Final = 15
H_FORBIDS_PLAY: Final = 16
H_FORBIDS_SCORING: Final = 17
H_FORBIDS_SPECIALS: Final = 18
H_CANCELS: Final = 19
H_TITAN_LIMIT: Final = 20
H_TITANS_COEXIST: Final = 21
H_PLAYS_FROM_DISCARD: Final = 22
H_RIGHT: Final = 23
H_INSTEAD_OF_DISCARD: Final = 24
H_INSTEAD_OF_LEAVING: Final = 25
H_REDIRECTS: Final = 26
H_START_OF_TURN: Final = 27
H_END_OF_TURN: Final = 28
H_AFTER_PLAY: Final = 29
H_AFTER_MOVE: Final = 30
H_AFTER_LEAVE: Final = 31
H_AFTER_DISCARD: Final = 32
H_AFTER_TALENT: Final = 33
H_AFTER_SPECIAL: Final = 34
H_AFTER_PEEK: Final = 35
H_AFTER_TO_HAND: Final = 36
H_AFTER_GIVEN: Final = 37
H_AFTER_CONTROL: Final = 38
H_AFTER_TRANSFER: Final = 39
H_AFTER_BASE_PLAYED: Final = 40
H_BEFORE_SCORE: Final = 41
H_WHEN_SCORE: Final = 42
H_AFTER_SCORE: Final = 43
H_AFTER_REPLACEMENT: Final = 44
H_LATER: Final = 45
H_CAN_PLAY_ON: Final = 46
H_CAN_ATTACH: Final = 47
H_GOES_FOR_MINION: Final = 48
H_GOES_FOR_ACTION: Final = 49
H_GOES_FREE: Final = 50
H_CARD_BONUS: Final = 51
H_SHOWS_TOP_BASE: Final = 52
H_OUTLIVES_HOST: Final = 53


def find_hooks(kind: Kind) -> None:
    """Note on the kind which abilities it has: those it overrides, less the other printing's."""
    missing = (kind.only_printed if kind.reprint else kind.only_current).split()
    works_aside = kind.works_aside.split()
    cls = type(kind)
    hooks = 0
    aside = 0
    for bit, name in enumerate(HOOKS):
        if getattr(cls, name) is getattr(Kind, name) or name in missing:
            continue
        if name in works_aside:
            aside |= 1 << bit
        else:
            hooks |= 1 << bit
    kind.hooks = hooks
    kind.aside_hooks = aside
    kind.is_simple = (
        kind.special != "only" and kind.where != ON_MINION and not hooks >> H_CAN_PLAY_ON & 1
    )


def ability(kind: Kind) -> Kind:
    """A kind that is no card of its own but an ability lent to other cards; name it well."""
    find_hooks(kind)
    return kind


@mypyc_attr(allow_interpreted_subclasses=True)
class Minion(Kind):
    type: int = MINION


@mypyc_attr(allow_interpreted_subclasses=True)
class Action(Kind):
    """A standard action: it does its job and leaves."""

    type: int = ACTION


@mypyc_attr(allow_interpreted_subclasses=True)
class ActionOnBase(Action):
    where: int = ON_BASE


@mypyc_attr(allow_interpreted_subclasses=True)
class ActionOnMinion(Action):
    where: int = ON_MINION


@mypyc_attr(allow_interpreted_subclasses=True)
class BaseCard(Kind):
    """A base. Nobody controls it: "you" is whoever its text describes, so ask the event."""

    type: int = BASE

    def start_of_turn_if(self, me: Card, ev: Event) -> bool:
        return True

    def end_of_turn_if(self, me: Card, ev: Event) -> bool:
        return True


@mypyc_attr(allow_interpreted_subclasses=True)
class Titan(Kind):
    type: int = TITAN
