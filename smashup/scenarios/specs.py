"""Reading descriptions of made-up cards: every value is checked before a card is made of it.

A slip in a file should be told in a sentence when the file is read, and never be passed over.
`docs/scenarios.md` lists what may be said.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, Final, NoReturn

from smashup.scenarios.errors import ScenarioError

TYPES: Final = ("minion", "action", "base", "titan")
WHOSE: Final = ("yours", "others", "any")
HOW: Final = ("destroyed", "returned", "scored")
TURNS: Final = ("yours", "on", "during")
TIMINGS: Final = ("before_score", "after_score", "after_play")
"""When cards in hand may be played as Specials."""
PLACES: Final = ("hand", "deck_top", "deck_bottom")
"""Where a card may go instead of the discard pile."""
BANS: Final = (
    "destroyed", "destroyed by others", "moved", "moved by others", "affected by others",
    "affected by others' actions", "affected by others' minions",
)  # fmt: skip

ACTING: Final = frozenset({"played", "talent"})
TRIGGERS: Final = frozenset({
    "start_of_turn", "end_of_turn", "after_play", "after_move", "after_leave", "after_discard",
    "after_talent", "after_special", "after_transfer", "after_base_played", "before_score",
    "when_score", "after_score", "after_replacement", "after_control",
})  # fmt: skip
CONTINUOUS: Final = frozenset({
    "power_bonus", "host_bonus", "aura", "card_bonus", "player_power", "breakpoint_change",
    "starting_breakpoint", "cannot", "forbids", "cancels", "names", "needs", "titan_limit",
    "titans_coexist", "host_printed_power", "lends", "instead_of_discard", "redirects",
})  # fmt: skip
FIGURES: Final = frozenset({
    "type", "power", "on", "breakpoint", "vp", "special", "anywhere", "text", "faction", "goes",
    "special_label", "works_aside",
})  # fmt: skip
KNOWN: Final = FIGURES | ACTING | TRIGGERS | CONTINUOUS

WHICH: Final = frozenset({
    "what", "of", "owned", "here", "scoring", "max", "min", "printed_max", "named", "but_me",
    "affected",
})  # fmt: skip
CHOICE: Final = frozenset({"all", "may", "some", "one_base", "then", "until_end_of_turn"})
SELECTOR_KEYS: Final = WHICH | CHOICE
"""How cards are chosen. ``of`` goes by controller, ``owned`` by owner; ``affected`` keeps those
that the card just played affected; ``one_base`` has "you" choose a base first; ``some`` means any
number; ``then`` is what follows if it really happened."""
WHEN_KEYS: Final = frozenset({
    "by", "what", "here", "me", "how", "first", "not_owned", "turn", "on_base", "on_yours",
    "won_by", "affects", "once",
})  # fmt: skip
"""What an ability reacts to. ``affects`` takes a selector: the card just played directly affected
one of those; ``once`` means once a turn; ``on_yours`` means that the action is on a minion of its
controller; ``turn`` is yours (any phase of it), or as a text says it: ``on`` or ``during``."""

ABOUT_A_CARD: Final = TRIGGERS - {
    "start_of_turn", "end_of_turn", "after_discard", "before_score", "when_score", "after_score",
    "after_replacement",
}  # fmt: skip
"""Triggers whose event is about a card: ``it``."""
_ONLY_WITH: Final[dict[str, frozenset[str]]] = {
    "what": ABOUT_A_CARD,
    "me": ABOUT_A_CARD,
    "how": frozenset({"after_leave"}),
    "first": frozenset({"after_play"}),
    "affects": frozenset({"after_play"}),
    "on_base": frozenset({"after_play"}),
    "not_owned": frozenset({"after_play", "after_discard"}),
    "won_by": frozenset({"when_score", "after_score", "after_replacement"}),
    "on_yours": frozenset({"played"}),
    "here": TRIGGERS - {"start_of_turn", "end_of_turn", "after_discard"},
    "by": TRIGGERS,
    "turn": TRIGGERS,
}
"""The abilities under which a condition means something; the others all."""
_OF_TYPE: Final[dict[str, tuple[str, ...]]] = {
    "on": ("action",), "breakpoint": ("base",), "vp": ("base",), "special": ("minion", "action"),
    "goes": ("titan",), "works_aside": ("titan",), "played": ("minion", "action", "titan"),
    "talent": ("minion", "action", "titan"), "titans_coexist": ("base",),
    "player_power": ("action", "titan"), "needs": ("minion", "action"),
    "power": ("minion", "action"),
}  # fmt: skip
"""Types that a key is for."""
_ON_MINION: Final = frozenset({"host_bonus", "host_printed_power", "lends"})

Checker = Callable[[Any, str], None]


def refuse(where: str, sentence: str) -> NoReturn:
    raise ScenarioError(f"{where}: {sentence}")


# --- plain values ---------------------------------------------------------------------------


def number(value: Any, where: str) -> None:
    if not isinstance(value, int) or isinstance(value, bool):
        refuse(where, f"a whole number is needed here, not «{value}».")


def count(value: Any, where: str) -> None:
    number(value, where)
    if value < 1:
        refuse(where, f"a number from 1 up is needed here, not «{value}».")


def truth(value: Any, where: str) -> None:
    if not isinstance(value, bool):
        refuse(where, f"true or false is needed here, not «{value}».")


def just_true(value: Any, where: str) -> None:
    if value is not True:
        refuse(where, f"only «true» can stand here, not «{value}».")


def text(value: Any, where: str) -> None:
    if not isinstance(value, str | int) or isinstance(value, bool):
        refuse(where, f"words are needed here, not «{value}».")


def one_of(words: Collection[str]) -> Checker:
    def check(value: Any, where: str) -> None:
        if not isinstance(value, str) or value not in words:
            refuse(where, f"«{value}» means nothing here; it is one of {', '.join(words)}.")

    return check


def some_of(words: Collection[str]) -> Checker:
    """One of the words, or a list of them."""

    def check(value: Any, where: str) -> None:
        values = value if isinstance(value, list) else [value]
        if not values:
            refuse(where, "at least one word is needed here.")
        for word in values:
            one_of(words)(word, where)

    return check


def mapping(value: Any, where: str, known: Collection[str], needed: Collection[str] = ()) -> None:
    if not isinstance(value, dict):
        refuse(where, f"keys such as {', '.join(sorted(known))} are needed here, not «{value}».")
    for key in value:
        if key not in known:
            refuse(where, f"«{key}» means nothing here; known are {', '.join(sorted(known))}.")
    for key in needed:
        if key not in value:
            refuse(where, f"«{key}» is missing.")


def keyed(keys: dict[str, Checker], *needed: str) -> Checker:
    """A mapping whose values are checked key by key."""

    def check(value: Any, where: str) -> None:
        mapping(value, where, keys, needed)
        for key, inner in value.items():
            keys[key](inner, f"{where}, «{key}»")

    return check


# --- selectors ------------------------------------------------------------------------------


def selector(value: Any, where: str, choosing: bool = True) -> None:
    """Which cards: a word, or keys that narrow; with ``choosing``, also how they are chosen."""
    if isinstance(value, str) and value in ("me", "host", "it"):
        return
    known = SELECTOR_KEYS if choosing else WHICH | {"all"}
    if not isinstance(value, dict) or set(value) - known:
        refuse(
            where,
            f"«{value}» chooses no cards; say me, host, it, or keys among"
            f" {', '.join(sorted(known))}.",
        )
    for key, inner in value.items():
        _SELECTOR[key](inner, f"{where}, «{key}»")


def which(value: Any, where: str) -> None:
    """A selector where nobody chooses: it speaks of all such cards."""
    selector(value, where, choosing=False)


# --- abilities ------------------------------------------------------------------------------


def ability(value: Any, where: str, key: str, type_: str = "") -> None:
    """A list of effects, or ``{when: ..., do: [...]}``."""
    doing = value
    if isinstance(value, dict) and ("do" in value or "when" in value):
        mapping(value, where, ("when", "do"), ("do",))
        if value.get("when") is not None:
            when(value["when"], f"{where}, «when»", key, type_)
        doing = value["do"]
    effects(doing, where)


def effects(value: Any, where: str) -> None:
    listed: list[Any] = [value] if isinstance(value, dict) else value
    if not isinstance(listed, list):
        refuse(where, f"«{value}» should be a list of effects such as [draw: 1].")
    for effect in listed:
        if not isinstance(effect, dict) or not effect:
            refuse(where, f"«{value}» should be a list of effects such as [draw: 1].")
        for word, inner in effect.items():
            if word not in EFFECT_CHECKS:
                refuse(
                    where, f"«{word}» is no effect; effects are {', '.join(sorted(EFFECT_CHECKS))}."
                )
            EFFECT_CHECKS[word](inner, f"{where}, «{word}»")


def when(value: Any, where: str, key: str, type_: str = "") -> None:
    """The conditions of an ability; those that could never matter are refused."""
    mapping(value, where, WHEN_KEYS)
    for word, inner in value.items():
        allowed = _ONLY_WITH.get(word)
        if allowed is not None and key not in allowed:
            refuse(
                where,
                f"«{word}» says nothing about {key}; it goes with {', '.join(sorted(allowed))}.",
            )
        if word == "by" and type_ == "base" and inner == "others":
            refuse(where, "nobody controls a base: «you» is whoever the event is about.")
        _WHEN[word](inner, f"{where}, «{word}»")


def fixture(name: str, spec: Any) -> None:
    """Check a whole description."""
    where = f"The fixture «{name}»"
    if not isinstance(spec, dict):
        raise ScenarioError(f"{where} should be a mapping with a «type».")
    for key in spec:
        if key not in KNOWN:
            raise ScenarioError(
                f"{where} says «{key}», which means nothing; known are {', '.join(sorted(KNOWN))}."
            )
    type_ = spec.get("type")
    if type_ not in TYPES:
        raise ScenarioError(f"{where} needs a type: {', '.join(TYPES)}.")
    for key, value in spec.items():
        if type_ not in _OF_TYPE.get(key, TYPES):
            refuse(where, f"«{key}» means nothing for a {type_}.")
        if key in _ON_MINION and spec.get("on") != "minion":
            refuse(where, f"«{key}» is for actions with «on: minion».")
        inner = f"{where}, «{key}»"
        if key in ACTING | TRIGGERS:
            ability(value, inner, key, type_)
            if key not in ABOUT_A_CARD and _says("it", value):
                refuse(inner, "«it» is nobody: this is not about a card.")
            if spec.get("on") != "minion" and _says("host", value):
                refuse(inner, "«host» is nobody: this is no action with «on: minion».")
        elif key == "lends":
            lent(name, value)
        elif key == "special":
            special(value, inner)
        elif key in ("special_label", "works_aside"):
            some_of(sorted(TRIGGERS & set(spec)) or ["an ability of the card"])(value, inner)
        elif key != "type":
            _FIGURE_CHECKS[key](value, inner)


def _says(word: str, value: Any) -> bool:
    """Whether a word stands somewhere in an ability."""
    if isinstance(value, dict):
        return any(_says(word, inner) for inner in value.values())
    return any(_says(word, v) for v in value) if isinstance(value, list) else value == word


def lent(name: str, spec: Any) -> None:
    where = f"The fixture «{name}», «lends»"
    if not isinstance(spec, dict) or set(spec) & (FIGURES | _ON_MINION | {"played", "needs"}):
        refuse(where, "abilities of the minion are needed here, such as {talent: [draw: 1]}.")
    fixture(name, {"type": "minion", **spec})


def special(value: Any, where: str) -> None:
    mapping(value, where, ("timing", "when", "also"), ("timing",))
    one_of(TIMINGS)(value["timing"], f"{where}, «timing»")
    if value.get("when") is not None:
        when(value["when"], f"{where}, «when»", value["timing"])
    truth(value.get("also", False), f"{where}, «also»")


# --- the tables -----------------------------------------------------------------------------


def _prizes(value: Any, where: str) -> None:
    if not isinstance(value, list | tuple) or len(value) != 3:
        refuse(where, f"three numbers such as [4, 2, 1] are needed here, not «{value}».")
    for prize in value:
        number(prize, where)


def _extra(keys: dict[str, Checker]) -> Checker:
    """An extra play: how many, or what limits it."""

    def check(value: Any, where: str) -> None:
        if isinstance(value, bool):
            just_true(value, where)
        elif isinstance(value, int):
            count(value, where)
        else:
            keyed(keys)(value, where)

    return check


def _choose_one(value: Any, where: str) -> None:
    if not isinstance(value, dict) or len(value) < 2:
        refuse(where, "words and their effects are needed here: {Draw: [draw: 1], Win: [vp: 1]}.")
    for words, inner in value.items():
        effects(inner, f"{where}, «{words}»")


def _number_or(check: Checker) -> Checker:
    def checker(value: Any, where: str) -> None:
        (check if isinstance(value, dict) else number)(value, where)

    return checker


def _cannot(value: Any, where: str) -> None:
    if isinstance(value, dict):
        keyed({"be": some_of(BANS), "to": which}, "be")(value, where)
    else:
        some_of(BANS)(value, where)


def _forbids(value: Any, where: str) -> None:
    if isinstance(value, dict):
        play = one_of(("minion", "action", "any"))
        keyed({"play": play, "here": truth}, "play")(value, where)
    else:
        one_of(("scoring",))(value, where)


def _cancels(value: Any, where: str) -> None:
    if value not in ("host", "base"):
        which(value, where)


def _names(value: Any, where: str) -> None:
    if not isinstance(value, list) or not value:
        refuse(where, "a list of names is needed here.")
    for name in value:
        text(name, where)


def _instead(value: Any, where: str) -> None:
    if isinstance(value, dict):
        keyed({"to": one_of(PLACES), "may": truth, "cards": which}, "to")(value, where)
    else:
        one_of(PLACES)(value, where)


def _goes(value: Any, where: str) -> None:
    only = keyed({"minions_here": count, "actions_here": count, "power_here": count,
                  "no_minions_of_others": just_true})  # fmt: skip
    plays = some_of(("minion", "action"))
    keyed({"instead_of": plays, "free": just_true, "if": only})(value, where)
    if "instead_of" not in value and "free" not in value:
        refuse(where, "say «instead_of: minion» (or action), or «free: true».")


_SELECTOR: Final[dict[str, Checker]] = {
    "what": one_of(("minion", "action", "titan", "base", "card")), "of": one_of(WHOSE),
    "owned": truth, "here": truth, "scoring": truth, "max": number, "min": number,
    "printed_max": number, "named": text, "but_me": truth, "affected": truth, "all": truth,
    "may": truth, "some": truth, "one_base": truth, "until_end_of_turn": truth, "then": effects,
}  # fmt: skip

_WHEN: Final[dict[str, Checker]] = {
    "by": one_of(("you", "others", "any")), "what": one_of((*TYPES, "any")), "here": truth,
    "me": truth, "how": one_of(HOW), "first": truth, "not_owned": truth, "turn": one_of(TURNS),
    "on_base": truth, "on_yours": truth, "won_by": one_of(("you", "others")), "affects": which,
    "once": truth,
}  # fmt: skip

_FIGURE_CHECKS: Final[dict[str, Checker]] = {
    "power": number, "on": one_of(("base", "minion")), "breakpoint": number, "vp": _prizes,
    "anywhere": truth, "text": text, "faction": text,
    "goes": _goes,
    "power_bonus": _number_or(keyed({"by": number, "per": which}, "by", "per")),
    "host_bonus": number, "host_printed_power": number, "player_power": number,
    "breakpoint_change": number, "titan_limit": number, "titans_coexist": just_true,
    "aura": keyed({"by": number, "to": which}, "by", "to"),
    "card_bonus": keyed({"by": number, "to": which}, "by", "to"),
    "starting_breakpoint": _number_or(keyed({"to": number, "everyone_here": truth}, "to")),
    "cannot": _cannot, "forbids": _forbids, "cancels": _cancels, "names": _names,
    "needs": keyed({"power_here": count, "minion_here": truth, "your_minion": truth}),
    "instead_of_discard": _instead, "redirects": which,
}  # fmt: skip

EFFECT_CHECKS: Final[dict[str, Checker]] = {
    "draw": count, "discard": count, "they_discard": count, "vp": number, "extra_turn": just_true,
    "extra_minion": _extra({"max": number, "here": truth, "from": one_of(("discard",))}),
    "extra_action": _extra({"on_me": truth, "here": truth, "from": one_of(("discard",))}),
    "play_off_top": keyed({"what": one_of(("minion", "action")), "here": truth, "count": count}),
    "swap_off_top": keyed({"card": selector, "deck": one_of(("yours", "owner"))}, "card"),
    "play_me": just_true, "play_titan": text, "reveal": count,
    "take_from_discard": keyed(
        {"what": one_of(("minion", "action", "card")), "may": truth, "named": text}
    ),
    "draw_madness": count, "reduce_breakpoint": number, "play_base": just_true,
    "destroy": selector, "return": selector, "move": selector, "bottom": selector,
    "top": selector, "shuffle": selector, "bury": selector, "control": selector,
    "boost": keyed({"to": selector, "by": number}, "to", "by"),
    "counters": keyed({"to": selector, "by": count}, "to", "by"),
    "remove_counters": selector, "pay_power_to_destroy": selector, "destroy_base": selector,
    "transfer_counters": keyed(
        {"from": selector, "to": selector, "count": count}, "from", "to"
    ),
    "may": effects, "choose_one": _choose_one,
    "if_found": keyed({"cards": which, "count": count, "do": effects}, "cards", "do"),
}  # fmt: skip
"""Every effect, with what must stand behind it."""
