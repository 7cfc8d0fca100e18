"""Made-up cards for scenarios: plain ones by name, others with simple abilities from YAML.

``V3`` is a plain minion of power 3 (``V3b`` another with a name of its own), ``A1`` a standard
action that does nothing, ``B1`` a base of breakpoint 20 worth 4/2/1. `docs/scenarios.md` lists
what a fixture's abilities may say.
"""

from __future__ import annotations

import re
from typing import Any, Final

from smashup.engine.events import Cause, Event
from smashup.engine.handles import Base, Card, Player
from smashup.engine.kinds import HOOKS, Kind
from smashup.engine.words import (
    ACTION,
    BASE,
    MINION,
    NOWHERE,
    ON_BASE,
    ON_MINION,
    TITAN,
)
from smashup.scenarios.effects import Ability, fits, run, select
from smashup.scenarios.errors import ScenarioError

TYPES: Final = {"minion": MINION, "action": ACTION, "base": BASE, "titan": TITAN}
WHERE: Final = {"base": ON_BASE, "minion": ON_MINION, None: NOWHERE}

ACTING: Final = {"played", "talent"}
TRIGGERS: Final = {
    "start_of_turn", "end_of_turn", "after_play", "after_move", "after_leave", "after_discard",
    "after_talent", "after_special", "after_transfer", "after_base_played", "before_score",
    "when_score", "after_score", "after_replacement", "after_control",
}  # fmt: skip
CONTINUOUS: Final = {
    "power_bonus", "host_bonus", "aura", "player_power", "breakpoint_change",
    "starting_breakpoint", "cannot", "forbids", "cancels", "names", "needs", "titan_limit",
    "titans_coexist", "host_printed_power", "lends",
}  # fmt: skip
FIGURES: Final = {
    "type",
    "power",
    "on",
    "breakpoint",
    "vp",
    "special",
    "anywhere",
    "text",
    "faction",
}
KNOWN: Final = FIGURES | ACTING | TRIGGERS | CONTINUOUS

_HOOK_OF: Final = {
    "names": ["extra_names"],
    "forbids": ["forbids_play", "forbids_scoring"],
    "cannot": ["indestructible", "immovable", "protects"],
    "special": ["special_if"],
    "lends": ["played"],
    "needs": ["can_play_on"],
}


def plain(name: str) -> Kind | None:
    """The plain fixture a name stands for, if it does."""
    if match := re.fullmatch(r"V(\d+)[a-z]*", name):
        return make(name, {"type": "minion", "power": int(match[1])})
    if re.fullmatch(r"A\d+[a-z]*", name):
        return make(name, {"type": "action"})
    if re.fullmatch(r"B\d+[a-z]*", name):
        return make(name, {"type": "base"})
    return None


def make(name: str, spec: Any) -> Kind:
    """A fixture kind from its description."""
    if not isinstance(spec, dict):
        raise ScenarioError(f"The fixture «{name}» should be a mapping with a «type».")
    for key in spec:
        if key not in KNOWN:
            raise ScenarioError(
                f"The fixture «{name}» says «{key}», which means nothing; known are"
                f" {', '.join(sorted(KNOWN))}."
            )
    if spec.get("type") not in TYPES:
        raise ScenarioError(f"The fixture «{name}» needs a type: {', '.join(TYPES)}.")
    return Fixture(name, spec)


class Fixture(Kind):
    """A made-up card whose abilities are read from YAML."""

    def __init__(self, name: str, spec: dict[str, Any]) -> None:
        super().__init__()
        self.name = name
        self.type = TYPES[spec["type"]]
        self.text = str(spec.get("text", ""))
        self.faction = str(spec.get("faction", "Fixtures"))
        self.set_name = "Fixtures"
        self.power = int(spec.get("power", 0))
        self.breakpoint = int(spec.get("breakpoint", 20))
        first, second, third = spec.get("vp", (4, 2, 1))
        self.vp = (int(first), int(second), int(third))
        if spec.get("on") not in WHERE:
            raise ScenarioError(f"The fixture «{name}» is played «on: base» or «on: minion».")
        self.where = WHERE[spec.get("on")]
        self.spec = spec
        self.abilities: dict[str, Ability] = {
            key: Ability(name, key, spec[key]) for key in spec if key in ACTING | TRIGGERS
        }
        hand = spec.get("special")
        if hand is not None:
            if not isinstance(hand, dict) or "timing" not in hand:
                raise ScenarioError(
                    f"The fixture «{name}»: «special» needs a «timing» such as before_score."
                )
            self.timing = str(hand["timing"])
            self.special = "" if self.type == MINION else "only"
            if hand.get("also"):
                self.special = "also"
        if spec.get("anywhere"):
            self.anywhere = "before_score after_score when_score"
        self.lent: Kind | None = None
        """What an action on a minion lends that minion: an ability of the minion's own."""
        if "lends" in spec:
            self.lent = make(name, {"type": spec["type"], **spec["lends"]})
        names: set[str] = set()
        for key in spec:
            names.update(_HOOK_OF.get(key, [key]) if key not in FIGURES - {"special"} else [])
        self.hooks = sum(1 << i for i, hook in enumerate(HOOKS) if hook in names)

    # --- acting -----------------------------------------------------------------------------

    def _run(self, key: str, me: Card, ev: Event | None = None) -> None:
        ability = self.abilities.get(key)
        if ability is not None:
            run(ability, me, ev)

    def _if(self, key: str, me: Card, ev: Event) -> bool:
        ability = self.abilities.get(key)
        return ability is not None and fits(ability, me, ev)

    def played(self, me: Card) -> None:
        host = me.host
        if self.lent is not None and host is not None:
            me.t.add_source(host.id, self.lent, lender=me.id)
        ability = self.abilities.get("played")
        on_yours = host is not None and host.controller is me.controller
        if ability is not None and (on_yours or not ability.when.get("on_yours")):
            run(ability, me, None)

    def talent(self, me: Card) -> None:
        self._run("talent", me)

    def special_if(self, me: Card, ev: Event) -> bool:
        hand = self.spec["special"]
        if HOOKS[ev.hook] != hand["timing"]:
            return False
        return fits(Ability(self.name, "special", {"when": hand.get("when"), "do": []}), me, ev)

    def special_bases(self, me: Card, ev: Event) -> list[Base]:
        scoring = ev.before_scoring or ev.after_scoring
        return [me.scoring_base] if scoring else me.bases()

    def special_hosts(self, me: Card, ev: Event) -> list[Card]:
        return me.minions()

    # --- continuous -------------------------------------------------------------------------

    def can_play_on(self, me: Card, place: Base) -> bool:
        needs = self.spec.get("needs")
        if not needs:
            return True
        if "power_here" in needs and place.power_of(me.controller) < needs["power_here"]:
            return False
        return "minion_here" not in needs or place.has_minion_of(me.controller)

    def can_attach(self, me: Card, host: Card) -> bool:
        needs = self.spec.get("needs") or {}
        return not needs.get("your_minion") or host.controller is me.controller

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
        if reset.get("everyone_here") and not all(base.has_minion_of(p) for p in me.everybody()):
            return -1
        return int(reset["to"])

    def extra_names(self, me: Card) -> tuple[str, ...]:
        return tuple(str(n) for n in self.spec["names"])

    def titan_limit(self, me: Card, player: Player) -> int:
        return int(self.spec["titan_limit"]) if player is me.controller else 0

    def titans_coexist(self, me: Card) -> bool:
        return bool(self.spec["titans_coexist"])

    def cancels(self, me: Card, card: Card) -> bool:
        what = self.spec["cancels"]
        if what == "host":
            return card is me.host
        if what == "base":
            return card.is_base and card.base is me.base
        return card in select(me, what, None)

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

    def indestructible(self, me: Card, card: Card, cause: Cause) -> bool:
        bans = self._bans()
        if not self._shelters(me, card):
            return False
        return "destroyed" in bans or ("destroyed by others" in bans and self._foreign(me, cause))

    def immovable(self, me: Card, card: Card, to: Base, cause: Cause) -> bool:
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
        if ban["play"] not in ("any", "card") and TYPES.get(ban["play"]) != card.kind.type:
            return False
        return not ban.get("here") or base is me.base

    def forbids_scoring(self, me: Card, base: Base) -> bool:
        ban = self.spec["forbids"]
        return ban == "scoring" and base is me.base


def _add_triggers() -> None:
    """Every trigger of a fixture runs the ability of that name."""

    def runner(key: str) -> Any:
        return lambda self, me, ev: self._run(key, me, ev)

    def condition(key: str) -> Any:
        return lambda self, me, ev: self._if(key, me, ev)

    for key in TRIGGERS:
        setattr(Fixture, key, runner(key))
        setattr(Fixture, key + "_if", condition(key))


_add_triggers()
