"""Fixtures, the made-up cards of scenarios: plain ones by name, others with abilities from YAML.

``V3`` is a plain minion of power 3 (``V3b`` another one with its own name), ``A1`` a standard
action that does nothing, ``B1`` a base of breakpoint 20 worth 4/2/1. `docs/scenarios.md` lists
the abilities of fixtures.
"""

from __future__ import annotations

import re
from typing import Any, Final

from smashup.engine.card_api import Base, Card, Player
from smashup.engine.model.catalogue import make_definition
from smashup.engine.model.constants import (
    ACTION,
    BASE,
    DECK_BOTTOM,
    DECK_TOP,
    FREE,
    HAND,
    MINION,
    ON_BASE,
    ON_MINION,
    OTHERS,
    STANDARD,
    TITAN,
)
from smashup.engine.model.definitions import CardDefinition
from smashup.engine.model.events import Cause, Event
from smashup.engine.model.hooks import CONDITIONS, METHODS, Hook
from smashup.scenarios.schema.base import as_list
from smashup.scenarios.schema.fixtures import PLAYED_ABILITIES, PRINTED_VALUES, TRIGGERS
from smashup.scenarios.table.effects import Ability, matches, run, select

TYPES: Final = {"minion": MINION, "action": ACTION, "base": BASE, "titan": TITAN}
WHERE: Final = {"base": ON_BASE, "minion": ON_MINION, None: STANDARD}
INSTEAD: Final = {"hand": HAND, "deck_top": DECK_TOP, "deck_bottom": DECK_BOTTOM}

_HOOKS_OF: Final[dict[str, tuple[Hook, ...]]] = {
    "names": (Hook.EXTRA_NAMES,),
    "forbids": (Hook.FORBIDS_PLAY, Hook.FORBIDS_SCORING),
    "cannot": (Hook.FORBIDS_DESTRUCTION, Hook.FORBIDS_MOVE, Hook.PROTECTS),
    "special": (Hook.CAN_PLAY_AS_SPECIAL,),
    "lends": (),
    "needs": (Hook.CAN_PLAY_AT, Hook.CAN_ATTACH_TO),
    "goes": (Hook.CAN_PLAY_TITAN_AT,),
    "played": (Hook.ON_PLAY,),
    "withholds": (Hook.EXCLUDED_FROM_TOTAL,),
    "titan_limit": (Hook.EXTRA_TITANS,),
    "after_leave": (Hook.AFTER_LEAVING_PLAY,),
    "after_peek": (Hook.AFTER_DECK_SEEN,),
    "after_to_hand": (Hook.AFTER_ENTERING_HAND,),
    "after_given": (Hook.AFTER_GIVING,),
    "after_control": (Hook.AFTER_CONTROL_CHANGE,),
    "when_score": (Hook.ON_SCORE,),
    "later": (Hook.DELAYED_EFFECT,),
    "shows_top_base": (Hook.REVEALS_BASE_DECK_TOP,),
    "outlives_host": (Hook.TRANSFERS_WHEN_HOST_LEAVES,),
}
"""The hooks of keys of the scenario language, if they have other names."""


def hooks_of(key: str) -> tuple[Hook, ...]:
    """Return the hooks of a key."""
    if key in _HOOKS_OF:
        return _HOOKS_OF[key]
    return (Hook[key.upper()],) if key.upper() in Hook.__members__ else ()


def _hooks_of_all(keys: list[str]) -> tuple[Hook, ...]:
    return tuple(hook for key in keys for hook in hooks_of(key))


_NO_ABILITY: Final = PRINTED_VALUES - {"special", "goes"}


def plain(name: str) -> CardDefinition | None:
    """Return the plain fixture with this name, if it is one."""
    if match := re.fullmatch(r"V(\d{1,3})[a-z]*", name):
        return Fixture(name, {"type": "minion", "power": int(match[1])})
    if re.fullmatch(r"A\d+[a-z]*", name):
        return Fixture(name, {"type": "action"})
    if re.fullmatch(r"B\d+[a-z]*", name):
        return Fixture(name, {"type": "base"})
    return None


def refigured(kind: CardDefinition, figures: dict[str, Any], printing: str) -> CardDefinition:
    """Return the same base with another breakpoint or other VP; its ability stays."""
    if isinstance(kind, Fixture):
        return Fixture(kind.name, {**kind.spec, **figures})
    copy = make_definition(type(kind), printing, kind.faction, kind.set_name)
    copy.breakpoint = figures.get("breakpoint", kind.breakpoint)
    copy.vp = tuple(figures.get("vp", kind.vp))
    return copy


def _titan_cost(goes: dict[str, Any]) -> int:
    """Return the cost of playing a titan: a regular play (or one of two), or nothing."""
    cost = FREE if goes.get("free") else 0
    for key in as_list(goes.get("instead_of")):
        cost |= TYPES[key]
    return cost


class Fixture(CardDefinition):
    """A made-up card whose abilities are read from YAML."""

    def __init__(self, name: str, spec: dict[str, Any]) -> None:
        super().__init__()
        self.name = name
        self.type = self.types = TYPES[spec["type"]]
        self.text = str(spec.get("text", ""))
        self.faction = str(spec.get("faction", "Fixtures"))
        self.set_name = "Fixtures"
        # Possibly; trials find out.
        self.affects_minions = self.raises_minions = "played" in spec
        self.power = int(spec.get("power", 0))
        self.breakpoint = int(spec.get("breakpoint", 20))
        first, second, third = spec.get("vp", (4, 2, 1))
        self.vp = (int(first), int(second), int(third))
        self.played_on = WHERE[spec.get("on")]
        self.spec = spec
        self.abilities: dict[str, Ability] = {
            key: Ability(key, spec[key]) for key in spec if key in PLAYED_ABILITIES | TRIGGERS
        }
        hand = spec.get("special")
        if hand is not None:
            self.special_timing = hooks_of(hand["timing"])
            self.special = "" if self.type == MINION else "only"
            if hand.get("also"):
                self.special = "also"
        if spec.get("anywhere"):
            self.at_any_base = (Hook.BEFORE_SCORE, Hook.AFTER_SCORE, Hook.ON_SCORE)
        self.special_abilities = _hooks_of_all(as_list(spec.get("special_label")))
        self.while_set_aside = _hooks_of_all(as_list(spec.get("works_aside")))
        self.titans_coexist = bool(spec.get("titans_coexist"))
        self.extra_titans = int(spec.get("titan_limit", 0))
        self.titan_cost = _titan_cost(spec.get("goes") or {})
        if "lends" in spec:
            self.grants_to_host = Fixture(name, {"type": spec["type"], **spec["lends"]})
        for hook in _hooks_of_all([key for key in spec if key not in _NO_ABILITY]):
            if hook not in self.while_set_aside:
                self.hooks |= 1 << hook.value
        for hook in self.while_set_aside:
            self.aside_hooks |= 1 << hook.value

    # --- acting -----------------------------------------------------------------------------

    def _run(self, key: str, me: Card, ev: Event | None = None) -> None:
        ability = self.abilities.get(key)
        if ability is not None:
            run(ability, me, ev)

    def _if(self, key: str, me: Card, ev: Event) -> bool:
        ability = self.abilities.get(key)
        return ability is not None and matches(ability, me, ev)

    def on_play(self, me: Card) -> None:
        host = me.host
        ability = self.abilities.get("played")
        on_yours = host is not None and host.controller is me.controller
        if ability is not None and (on_yours or not ability.when.get("on_yours")):
            run(ability, me, None)

    def talent(self, me: Card) -> None:
        self._run("talent", me)

    def can_play_as_special(self, me: Card, ev: Event) -> bool:
        hand = self.spec["special"]
        if ev.hook not in self.special_timing:
            return False
        return matches(Ability("special", {"when": hand.get("when"), "do": []}), me, ev)

    def special_bases(self, me: Card, ev: Event) -> list[Base]:
        scoring = ev.before_scoring or ev.after_scoring
        return [me.scoring_base] if scoring else me.bases()

    def special_hosts(self, me: Card, ev: Event) -> list[Card]:
        return me.minions()

    # --- continuous -------------------------------------------------------------------------

    def can_play_at(self, me: Card, place: Base) -> bool:
        needs = self.spec.get("needs")
        if not needs:
            return True
        if "power_here" in needs and place.power_of(me.controller) < needs["power_here"]:
            return False
        return not needs.get("minion_here") or place.has_minion_of(me.controller)

    def can_attach_to(self, me: Card, host: Card) -> bool:
        needs = self.spec.get("needs") or {}
        if needs.get("your_minion") and host.controller is not me.controller:
            return False
        return self.can_play_at(me, host.base)

    def can_play_titan_at(self, me: Card, place: Base) -> bool:
        you = me.owner
        only = self.spec["goes"].get("if") or {}
        return (
            len(place.minions(of=you)) >= only.get("minions_here", 0)
            and len(place.actions(of=you, on_minions=True)) >= only.get("actions_here", 0)
            and place.power_of(you) >= only.get("power_here", 0)
            and not (only.get("no_minions_of_others") and me.minions(OTHERS, place))
        )

    def power_bonus(self, me: Card) -> int:
        bonus = self.spec["power_bonus"]
        if isinstance(bonus, int):
            return bonus
        return int(bonus["by"]) * len(select(me, bonus["per"], None))

    def host_bonus(self, me: Card, host: Card) -> int:
        return int(self.spec["host_bonus"])

    def aura(self, me: Card, card: Card) -> int:
        aura = self.spec["aura"]
        return int(aura["by"]) if card in select(me, aura["to"], None) else 0

    def card_bonus(self, me: Card, card: Card) -> int:
        bonus = self.spec["card_bonus"]
        return int(bonus["by"]) if card in select(me, bonus["to"], None) else 0

    def player_power(self, me: Card, player: Player) -> int:
        return int(self.spec["player_power"]) if player is me.controller else 0

    def breakpoint_change(self, me: Card, base: Base) -> int:
        return int(self.spec["breakpoint_change"]) if base is me.base else 0

    def host_printed_power(self, me: Card, host: Card) -> int:
        return int(self.spec["host_printed_power"])

    def starting_breakpoint(self, me: Card, base: Base) -> int:
        """A number, or ``{to: 0, everyone_here: true}``."""
        reset = self.spec["starting_breakpoint"]
        if base is not me.base:
            return -1
        if not isinstance(reset, dict):
            return int(reset)
        if reset.get("everyone_here") and not all(base.has_minion_of(p) for p in me.all_players()):
            return -1
        return int(reset["to"])

    def extra_names(self, me: Card) -> tuple[str, ...]:
        return tuple(str(n) for n in self.spec["names"])

    def cancels(self, me: Card, card: Card) -> bool:
        what = self.spec["cancels"]
        if what == "host":
            return card is me.host
        if what == "base":
            return card.is_base and card.base is me.base
        return card in select(me, what, None)

    # --- instead ----------------------------------------------------------------------------

    def instead_of_discard_if(self, me: Card, card: Card) -> bool:
        instead = self.spec["instead_of_discard"]
        cards = instead.get("cards", "me") if isinstance(instead, dict) else "me"
        return card in select(me, cards, None)

    def instead_of_discard(self, me: Card, card: Card) -> int:
        instead = self.spec["instead_of_discard"]
        if not isinstance(instead, dict):
            return INSTEAD[instead]
        if instead.get("may") and not me.may("Use the ability?"):
            return -1
        return INSTEAD[instead["to"]]

    def redirects_if(self, me: Card, card: Card, cause: Cause) -> bool:
        return self._foreign(me, cause) and card in select(me, self.spec["redirects"], None)

    def redirects(self, me: Card, card: Card, cause: Cause) -> bool:
        return me.may("Let this card be affected instead?")

    # --- cannot -----------------------------------------------------------------------------

    def _shelters(self, me: Card, card: Card) -> bool:
        cannot = self.spec["cannot"]
        to = cannot.get("to") if isinstance(cannot, dict) else None
        if to is None:
            return card is (me.host if me.is_on_card else me)
        return card in select(me, to, None)

    def _bans(self) -> list[str]:
        cannot = self.spec["cannot"]
        bans = cannot["be"] if isinstance(cannot, dict) else cannot
        return [bans] if isinstance(bans, str) else list(bans)

    def _foreign(self, me: Card, cause: Cause) -> bool:
        return cause.controller >= 0 and cause.controller != me.controller.index

    def forbids_destruction(self, me: Card, card: Card, cause: Cause) -> bool:
        bans = self._bans()
        if not self._shelters(me, card):
            return False
        return "destroyed" in bans or ("destroyed by others" in bans and self._foreign(me, cause))

    def forbids_move(self, me: Card, card: Card, to: Base, cause: Cause) -> bool:
        bans = self._bans()
        if not self._shelters(me, card):
            return False
        return "moved" in bans or ("moved by others" in bans and self._foreign(me, cause))

    def protects(self, me: Card, card: Card, cause: Cause) -> bool:
        if not self._shelters(me, card) or not self._foreign(me, cause):
            return False
        bans = self._bans()
        return (
            "affected by others" in bans
            or ("affected by others' actions" in bans and cause.type == ACTION)
            or ("affected by others' minions" in bans and cause.type == MINION)
        )

    def forbids_play(self, me: Card, player: Player, card: Card, base: Base) -> bool:
        ban = self.spec["forbids"]
        if not isinstance(ban, dict) or "play" not in ban:
            return False
        if ban["play"] not in ("any", "card") and TYPES.get(ban["play"]) != card.definition.type:
            return False
        return not ban.get("here") or base is me.base

    def forbids_scoring(self, me: Card, base: Base) -> bool:
        ban = self.spec["forbids"]
        return ban == "scoring" and base is me.base


def _add_triggers() -> None:
    """Make every trigger of a fixture run the ability of that name."""

    def runner(key: str) -> Any:
        return lambda self, me, ev: self._run(key, me, ev)

    def condition(key: str) -> Any:
        return lambda self, me, ev: self._if(key, me, ev)

    for key in TRIGGERS:
        for hook in hooks_of(key):
            setattr(Fixture, METHODS[hook], runner(key))
            setattr(Fixture, CONDITIONS[hook], condition(key))


_add_triggers()
