"""The base classes of all cards.

A card is one class. Its figures are class attributes, and its abilities are the methods below that
it overrides; `find_hooks` records which ones, and the engine never calls the others.

* `on_play`, `talent` and the ``special`` family act when their card does.
* Triggers (`after_play`, `start_of_turn`, ...) take the event. The method of the same name ending
  in ``_if`` says whether the ability triggers; the engine calls it when the event happens.
* Queries (`power_bonus`, `protects`, ...) compute a value whenever the engine needs it and never
  ask a player.

``me`` is always the card that has the ability, even when the ability is a copy of another card's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final, Literal

from mypy_extensions import mypyc_attr

from smashup.engine.errors import CardError
from smashup.engine.model.constants import ACTION, BASE, MINION, ON_BASE, ON_MINION, STANDARD, TITAN
from smashup.engine.model.hooks import METHODS, Hook, hooks

if TYPE_CHECKING:
    from smashup.engine.card_api import Base, Card, Player
    from smashup.engine.model.events import Cause, Event
    from smashup.engine.model.permissions import PlayPermission

H_CAN_PLAY_AT: Final = Hook.CAN_PLAY_AT.value

Keyword = Literal["talent", "special", "ongoing", "counters", "extra"]
KEYWORDS: Final[tuple[Keyword, ...]] = ("talent", "special", "ongoing", "counters", "extra")


@mypyc_attr(allow_interpreted_subclasses=True)
class CardDefinition:
    """The definition of a card: one immutable object shared by all copies."""

    name: str = ""
    other_name: str = ""
    """Another name the card is known by, such as its name in the other printing."""
    name_fr: str = ""
    text: str = ""
    """What the card does, in our own words."""
    keywords: str = ""
    """The keywords of its text, for the card browser: some of `KEYWORDS`, separated by spaces."""
    type: int = 0
    types: int = 0
    """What it counts as where it is not in play: its type, or both types of a fusion card."""
    fused_action: CardDefinition | None = None
    """Minions: what the card is when it is played as an action instead (Fusion)."""
    fused_card: CardDefinition | None = None
    """For the action of a fusion card: the whole card, which it is again afterwards."""
    copies: int = 1
    power: int = 0
    """Printed power. The printed power of an action is only for display; `player_power` is what
    counts."""
    icon: str = ""
    """Its picture in the browser, for factions without pictures in the client."""
    faction: str = ""
    set_name: str = ""
    optional: bool = False
    """A titan of the event kit, in play only if the setup asks for it."""
    has_current_text: bool = False
    """True on the instance of the current printing."""
    only_printed: tuple[Hook, ...] = ()
    """Abilities only the printed card has."""
    only_current: tuple[Hook, ...] = ()
    """Abilities only the current printing has."""

    played_on: int = STANDARD
    """Actions: `ON_BASE`, `ON_MINION`, or `STANDARD` for a standard action."""
    special: str = ""
    """Actions: ``"only"`` when playable only at its special timing, ``"also"`` when then too."""
    special_timing: tuple[Hook, ...] = hooks(Hook.BEFORE_SCORE, Hook.AFTER_SCORE)
    """Cards played from hand as a Special: the events at which they may be played."""
    special_is_extra: bool = False
    """Cards played from hand as a Special: whether the text calls it an extra minion or action."""
    special_abilities: tuple[Hook, ...] = ()
    """Abilities of a card in play that are labeled Special."""
    breakpoint: int = 0
    vp: tuple[int, int, int] = (0, 0, 0)
    titan_cost: int = 0
    """Titans: the regular play it replaces (`MINION`, `ACTION`, or either), or `FREE`."""
    titans_coexist: bool = False
    """Bases: whether titans of different players do not clash here."""
    extra_titans: int = 0
    """How many additional titans its controller may control."""
    plays_from_discard: bool = False
    """Minions: whether their controller may play actions on them from the discard pile."""
    grants_to_host: CardDefinition | None = None
    """Actions on a minion: the ability the minion has while this action is on it."""
    while_set_aside: tuple[Hook, ...] = ()
    """Titans: the abilities that work while the titan is set aside."""
    at_any_base: tuple[Hook, ...] = ()
    """Whether its scoring abilities apply to every base, not only to the one the card is on."""
    once_for_ties: bool = False
    """Bases: whether only the first of tied players uses the ability, as twice would make no
    sense."""
    replaces_one_per_event: bool = False
    """Whether `instead_of_leaving` replaces only one of the cards that would leave play
    together."""
    prevents_continuous: bool = False
    """Whether `prevents` also applies to continuous power changes by cards in play."""
    mentions: ClassVar[tuple[str, ...]] = ()
    """Names of cards that its text mentions."""
    affects_minions: bool = False
    """Actions not played on a minion: whether playing one can directly affect a minion."""
    raises_minions: bool = False
    """Actions: whether what they do when played can directly raise a minion's power."""
    notes_start_of_turn: bool = False
    """For a titan: whether it matters that it was in play when the turn started."""
    counts_all_plays: bool = False
    """Whether it reads `Event.amount_by_all` or `Event.is_first_of_power`, which are kept only in
    games with such a card."""
    copies_abilities: bool = False
    """Whether the card can copy abilities of other cards, and so may have any ability."""
    is_madness: bool = False
    cancels_host_only: bool = False
    """Whether it only cancels abilities of the card it is on, wherever that card goes."""
    gives_kinds: bool = False
    """Whether what `gives_names` gives are kinds of cards, not names that make namesakes."""

    hooks: int = 0
    """Bit set of the abilities of this card, by the numbers of `Hook`."""
    aside_hooks: int = 0
    is_simple: bool = False
    """Whether its own text does not restrict where and when it is played."""

    def __init__(self) -> None:
        self.hooks = 0

    def apply_current_printing(self) -> None:
        """Change the figures and the text of this instance to those of the current printing."""

    # --- acting -----------------------------------------------------------------------------

    def on_play(self, me: Card) -> None:
        """Resolve the card when it is played."""

    def talent(self, me: Card) -> None:
        """Use the talent, once in each Play Cards phase of its controller."""

    def talent_if(self, me: Card) -> bool:
        return True

    def can_play_as_special(self, me: Card, ev: Event) -> bool:
        """Whether the card may be played from hand now, at its special timing."""
        return False

    def special_bases(self, me: Card, ev: Event) -> list[Base]:
        """The bases at which a minion may be played from hand at its special timing."""
        return []

    def special_hosts(self, me: Card, ev: Event) -> list[Card]:
        """The minions on which an action may be played from hand at its special timing."""
        return []

    def delayed_effect(self, me: Card, ev: Event) -> None:
        """Carry out what the card set up for later; ``me`` is the card it happens to."""

    def on_granted_play(self, me: Card, played: Card, by: Player) -> None:
        """React after a player played ``played`` with a permission this card granted."""

    # --- where it may be played ------------------------------------------------------------

    def can_play_at(self, me: Card, place: Base) -> bool:
        """Whether the card's own text lets it be played at this base."""
        return True

    def can_attach_to(self, me: Card, host: Card) -> bool:
        """Whether the card's own text lets it be played on this minion."""
        return True

    def can_play_titan_at(self, me: Card, place: Base) -> bool:
        """Whether this titan may be played here in the Play Cards phase, at its `titan_cost`."""
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
        """The starting power set by the card's own text; -1 for the printed power."""
        return -1

    def host_printed_power(self, me: Card, host: Card) -> int:
        """The printed power that the minion it is on is treated as having; -1 for no change."""
        return -1

    def player_power(self, me: Card, player: Player) -> int:
        """Power a player has at this card's base in addition to that of minions."""
        return 0

    def excluded_from_total(self, me: Card, card: Card) -> bool:
        """Whether the card's power does not count toward its controller's total."""
        return False

    def breakpoint_change(self, me: Card, base: Base) -> int:
        return 0

    def starting_breakpoint(self, me: Card, base: Base) -> int:
        """A starting breakpoint set by this card; -1 for none."""
        return -1

    def extra_names(self, me: Card) -> tuple[str, ...]:
        """Names the card has in addition to its own."""
        return ()

    def gives_names(self, me: Card, card: Card) -> tuple[str, ...]:
        """Names that another card in play has besides its own, because of this card."""
        return ()

    def reveals_base_deck_top(self, me: Card) -> bool:
        """Whether the top card of the base deck is face up and this base has its abilities too."""
        return False

    # --- queries: restrictions and permissions ----------------------------------------------

    def protects(self, me: Card, card: Card, cause: Cause) -> bool:
        """Whether ``card`` is not affected by the cause."""
        return False

    def forbids_destruction(self, me: Card, card: Card, cause: Cause) -> bool:
        """Whether ``card`` cannot be destroyed by the cause."""
        return False

    def forbids_move(self, me: Card, card: Card, to: Base, cause: Cause) -> bool:
        """Whether ``card`` cannot be moved there by the cause."""
        return False

    def forbids_return(self, me: Card, card: Card, cause: Cause) -> bool:
        """Whether ``card`` cannot be returned to a hand by the cause."""
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

    def ignores_base(self, me: Card, player: Player) -> bool:
        """For an action on a base: whether the player ignores the abilities of this base."""
        return False

    def grants_play(self, me: Card, player: Player) -> PlayPermission | None:
        """A permission to play a card that this card grants a player once on each of their
        turns."""
        return None

    def plays_like_hand(self, me: Card, player: Player) -> bool:
        """Of a minion in a discard pile: whether its owner may play it as if it were in hand,
        by any permission that names no card."""
        return False

    def grants_own_play(self, me: Card, player: Player) -> PlayPermission | None:
        """For a card in a discard pile: a permission to play it from there in its owner's Play
        Cards phase."""
        return None

    # --- replacements: these may ask players ------------------------------------------------

    def instead_of_discard(self, me: Card, card: Card) -> int:
        """The zone to which ``card`` goes from play instead of the discard pile; -1 for no
        change."""
        return -1

    def instead_of_discard_if(self, me: Card, card: Card) -> bool:
        return True

    def instead_of_leaving(self, me: Card, card: Card, how: int, to: int) -> bool:
        """Do something else instead of ``card`` leaving play; return whether it was replaced."""
        return False

    def instead_of_leaving_if(self, me: Card, card: Card, how: int, to: int) -> bool:
        return True

    def transfers_when_host_leaves(self, me: Card, leaving: list[Card]) -> Card | None:
        """Actions on a minion: the card to transfer to when that minion leaves play.

        Cards ``leaving`` at the same time, including that minion, are not possible hosts.
        """
        return None

    def prevents(self, me: Card, card: Card, cause: Cause) -> list[Card]:
        """As an ability is about to affect ``card``: the cards that it does not affect after all,
        this turn."""
        return []

    def prevents_if(self, me: Card, card: Card, cause: Cause) -> bool:
        return True

    def redirects(self, me: Card, card: Card, cause: Cause) -> bool:
        """Take on the effect of a card just played on ``card``; return whether it did."""
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

    def after_leaving_play(self, me: Card, ev: Event) -> None:
        """After ``ev.card`` left play (``ev.how``, ``ev.to``)."""

    def after_leaving_play_if(self, me: Card, ev: Event) -> bool:
        return True

    def after_discard(self, me: Card, ev: Event) -> None:
        """After ``ev.player`` discarded cards (``ev.cards``) from a zone (``ev.how``)."""

    def after_discard_if(self, me: Card, ev: Event) -> bool:
        return True

    def after_draw(self, me: Card, ev: Event) -> None:
        """After ``ev.player`` drew cards (``ev.cards``), also Madness cards; only they see them."""

    def after_draw_if(self, me: Card, ev: Event) -> bool:
        return True

    def after_talent(self, me: Card, ev: Event) -> None:
        """After ``ev.card`` used a talent."""

    def after_talent_if(self, me: Card, ev: Event) -> bool:
        return True

    def after_special(self, me: Card, ev: Event) -> None:
        """After ``ev.player`` used a Special ability of ``ev.card``."""

    def after_special_if(self, me: Card, ev: Event) -> bool:
        return True

    def after_deck_seen(self, me: Card, ev: Event) -> None:
        """After an ability revealed, looked at or searched cards of a deck."""

    def after_deck_seen_if(self, me: Card, ev: Event) -> bool:
        return True

    def after_entering_hand(self, me: Card, ev: Event) -> None:
        """After ``ev.card`` went to ``ev.player``'s hand from play or the discard pile."""

    def after_entering_hand_if(self, me: Card, ev: Event) -> bool:
        return True

    def after_giving(self, me: Card, ev: Event) -> None:
        """After ``ev.player`` placed ``ev.card`` into another player's hand."""

    def after_giving_if(self, me: Card, ev: Event) -> bool:
        return True

    def after_control_change(self, me: Card, ev: Event) -> None:
        """After control of ``ev.card`` went to ``ev.player``, from ``ev.giver`` if a player gave
        it."""

    def after_control_change_if(self, me: Card, ev: Event) -> bool:
        return True

    def after_transfer(self, me: Card, ev: Event) -> None:
        """After a power counter or an action went from one card to another (``ev.card``)."""

    def after_transfer_if(self, me: Card, ev: Event) -> bool:
        return True

    def after_base_played(self, me: Card, ev: Event) -> None:
        """After ``ev.base`` came into play, also for the base card itself."""

    def after_base_played_if(self, me: Card, ev: Event) -> bool:
        return True

    def before_score(self, me: Card, ev: Event) -> None: ...

    def before_score_if(self, me: Card, ev: Event) -> bool:
        return True

    def on_score(self, me: Card, ev: Event) -> None:
        """When VP are awarded at ``ev.base``; ``ev.winners`` are known by now."""

    def on_score_if(self, me: Card, ev: Event) -> bool:
        return True

    def after_score(self, me: Card, ev: Event) -> None: ...

    def after_score_if(self, me: Card, ev: Event) -> bool:
        return True

    def after_replacement(self, me: Card, ev: Event) -> None:
        """After a scored base was replaced by ``ev.base``; ``ev.winners`` won the old one while
        the titans ``ev.cards`` were set aside."""

    def after_replacement_if(self, me: Card, ev: Event) -> bool:
        return True


OLD_NAMES: Final = {
    "played": "on_play",
    "special_if": "can_play_as_special",
    "withholds": "excluded_from_total",
    "indestructible": "forbids_destruction",
    "immovable": "forbids_move",
    "titan_limit": "extra_titans",
    "right": "grants_play",
    "after_leave": "after_leaving_play",
    "after_peek": "after_deck_seen",
    "after_to_hand": "after_entering_hand",
    "after_given": "after_giving",
    "after_control": "after_control_change",
    "when_score": "on_score",
    "later": "delayed_effect",
    "can_play_on": "can_play_at",
    "can_attach": "can_attach_to",
    "goes_instead_of_minion": "can_play_titan_at",
    "goes_instead_of_action": "can_play_titan_at",
    "goes_free": "can_play_titan_at",
    "shows_top_base": "reveals_base_deck_top",
    "outlives_host": "transfers_when_host_leaves",
    "ridden": "on_granted_play",
    "lends": "grants_to_host",
    "reprinted": "apply_current_printing",
    "works_aside": "while_set_aside",
    "anywhere": "at_any_base",
    "keeps_one": "replaces_one_per_event",
    "specials": "special_abilities",
    "timing": "special_timing",
    "reprint": "has_current_text",
    "aka": "other_name",
    "where": "played_on",
}
"""The names of abilities and attributes in version 0.1."""


def reject_old_names(cls: type[CardDefinition]) -> None:
    """Reject a card that uses a name of version 0.1: the engine would never call it."""
    for name in vars(cls):
        old = name.removesuffix("_if") if name not in OLD_NAMES else name
        if old in OLD_NAMES:
            raise CardError(
                "The card {card} defines {old}, which is called {new} now.",
                card=cls.__name__,
                old=name,
                new=OLD_NAMES[old] + name.removeprefix(old),
            )


def _has_ability(definition: CardDefinition, name: str) -> bool:
    """Whether a card overrides a method or sets an attribute that stands for an ability."""
    ability = getattr(definition, name)
    if callable(ability):
        return getattr(type(definition), name) is not getattr(CardDefinition, name)
    return bool(ability)


def find_hooks(definition: CardDefinition) -> None:
    """Record which abilities a card has: those it overrides, without those of the other
    printing."""
    reject_old_names(type(definition))
    missing = definition.only_printed if definition.has_current_text else definition.only_current
    found = 0
    aside = 0
    for hook, method in zip(Hook, METHODS, strict=True):
        if hook in missing or not _has_ability(definition, method):
            continue
        if hook in definition.while_set_aside:
            aside |= 1 << hook.value
        else:
            found |= 1 << hook.value
    definition.hooks = found
    definition.aside_hooks = aside
    definition.types = definition.type
    if definition.fused_action is not None:
        definition.types |= ACTION
    definition.is_simple = (
        definition.special != "only"
        and definition.fused_action is None
        and definition.played_on != ON_MINION
        and not found >> H_CAN_PLAY_AT & 1
    )


def ability(definition: CardDefinition) -> CardDefinition:
    """Prepare a definition that is not a card but an ability granted to other cards."""
    find_hooks(definition)
    return definition


@mypyc_attr(allow_interpreted_subclasses=True)
class Minion(CardDefinition):
    type: int = MINION


@mypyc_attr(allow_interpreted_subclasses=True)
class Action(CardDefinition):
    """A standard action: it resolves and is discarded."""

    type: int = ACTION


@mypyc_attr(allow_interpreted_subclasses=True)
class ActionOnBase(Action):
    played_on: int = ON_BASE


@mypyc_attr(allow_interpreted_subclasses=True)
class ActionOnMinion(Action):
    played_on: int = ON_MINION


@mypyc_attr(allow_interpreted_subclasses=True)
class BaseCard(CardDefinition):
    """A base. No player controls it: "you" is the player its text describes, so read it from the
    event."""

    type: int = BASE

    def start_of_turn_if(self, me: Card, ev: Event) -> bool:
        return True

    def end_of_turn_if(self, me: Card, ev: Event) -> bool:
        return True


@mypyc_attr(allow_interpreted_subclasses=True)
class Titan(CardDefinition):
    type: int = TITAN
