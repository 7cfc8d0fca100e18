"""The schema of made-up cards under “fixtures”; `docs/scenarios.md` explains the keys."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag

from smashup.scenarios.errors import shorten
from smashup.scenarios.schema.base import (
    OPTIONAL,
    AsList,
    Count,
    Flag,
    Model,
    Number,
    SchemaError,
    Text,
    as_list,
    optional_alias,
)
from smashup.scenarios.schema.effects import AllCards, Effects

Type = Literal["minion", "action", "base", "titan"]
Prohibition = Literal[
    "destroyed", "destroyed by others", "moved", "moved by others", "affected by others",
    "affected by others' actions", "affected by others' minions",
]  # fmt: skip
Place = Literal["hand", "deck_top", "deck_bottom"]


def _mapping_tag(value: Any) -> str:
    return "<keys>" if isinstance(value, dict) else "<value>"


# --- abilities ------------------------------------------------------------------------------


class TriggerCondition(Model):
    """The conditions of an ability, all of which must be met.

    ``affects``: the card just played directly affected one of these; ``turn``: any phase of your
    turn, or as a text with "on" or "during" means it.
    """

    by: Literal["you", "others", "any"] = OPTIONAL
    what: Literal["minion", "action", "base", "titan", "any"] = OPTIONAL
    here: Flag = OPTIONAL
    me: Flag = OPTIONAL
    how: Literal["destroyed", "returned", "scored"] = OPTIONAL
    first: Flag = OPTIONAL
    not_owned: Flag = OPTIONAL
    turn: Literal["yours", "on", "during"] = OPTIONAL
    on_base: Flag = OPTIONAL
    on_yours: Flag = OPTIONAL
    won_by: Literal["you", "others"] = OPTIONAL
    affects: AllCards = OPTIONAL
    once: Flag = OPTIONAL


class ConditionalEffects(Model):
    when: TriggerCondition | None = None
    do: Effects


def _ability_tag(value: Any) -> str:
    if isinstance(value, dict) and ("do" in value or "when" in value):
        return "<when>"
    return "<effects>"


Ability = Annotated[
    Annotated[Effects, Tag("<effects>")] | Annotated[ConditionalEffects, Tag("<when>")],
    Discriminator(_ability_tag),
]


class Triggers(Model):
    start_of_turn: Ability = OPTIONAL
    end_of_turn: Ability = OPTIONAL
    after_play: Ability = OPTIONAL
    after_move: Ability = OPTIONAL
    after_leave: Ability = OPTIONAL
    after_discard: Ability = OPTIONAL
    after_talent: Ability = OPTIONAL
    after_special: Ability = OPTIONAL
    after_transfer: Ability = OPTIONAL
    after_base_played: Ability = OPTIONAL
    before_score: Ability = OPTIONAL
    when_score: Ability = OPTIONAL
    after_score: Ability = OPTIONAL
    after_replacement: Ability = OPTIONAL
    after_control: Ability = OPTIONAL


class BonusPer(Model):
    by: Number
    per: AllCards


class BonusTo(Model):
    by: Number
    to: AllCards


class StartingBreakpoint(Model):
    to: Number
    everyone_here: Flag = OPTIONAL


class CannotBe(Model):
    be: Annotated[list[Prohibition], AsList, Field(min_length=1)]
    to: AllCards = OPTIONAL


class ForbidsPlay(Model):
    play: Literal["minion", "action", "any"]
    here: Flag = OPTIONAL


class InsteadOfDiscard(Model):
    to: Place
    may: Flag = OPTIONAL
    cards: AllCards = OPTIONAL


def _check_names(value: Any) -> Any:
    if not isinstance(value, list) or not value:
        raise SchemaError("a list of names is needed here.")
    return value


def _protection_tag(value: Any) -> str:
    return "<part>" if value in ("host", "base") else "<cards>"


class Continuous(Model):
    """Continuous abilities."""

    power_bonus: Annotated[
        Annotated[Number, Tag("<value>")] | Annotated[BonusPer, Tag("<keys>")],
        Discriminator(_mapping_tag),
    ] = OPTIONAL
    aura: BonusTo = OPTIONAL
    card_bonus: BonusTo = OPTIONAL
    breakpoint_change: Number = OPTIONAL
    starting_breakpoint: Annotated[
        Annotated[Number, Tag("<value>")] | Annotated[StartingBreakpoint, Tag("<keys>")],
        Discriminator(_mapping_tag),
    ] = OPTIONAL
    cannot: Annotated[
        Annotated[Annotated[list[Prohibition], AsList, Field(min_length=1)], Tag("<value>")]
        | Annotated[CannotBe, Tag("<keys>")],
        Discriminator(_mapping_tag),
    ] = OPTIONAL
    forbids: Annotated[
        Annotated[Literal["scoring"], Tag("<value>")] | Annotated[ForbidsPlay, Tag("<keys>")],
        Discriminator(_mapping_tag),
    ] = OPTIONAL
    cancels: Annotated[
        Annotated[Literal["host", "base"], Tag("<part>")] | Annotated[AllCards, Tag("<cards>")],
        Discriminator(_protection_tag),
    ] = OPTIONAL
    names: Annotated[list[Text], BeforeValidator(_check_names)] = OPTIONAL
    titan_limit: Number = OPTIONAL
    instead_of_discard: Annotated[
        Annotated[Place, Tag("<value>")] | Annotated[InsteadOfDiscard, Tag("<keys>")],
        Discriminator(_mapping_tag),
    ] = OPTIONAL
    redirects: AllCards = OPTIONAL


class GrantedAbilities(Triggers, Continuous):
    """Abilities that an action grants to the minion it is on."""

    talent: Ability = OPTIONAL


# --- whole cards ----------------------------------------------------------------------------


class Special(Model):
    timing: Literal["before_score", "after_score", "after_play"]
    when: TriggerCondition | None = None
    also: Flag = OPTIONAL


class PlayRequirements(Model):
    power_here: Count = OPTIONAL
    minion_here: Flag = OPTIONAL
    your_minion: Flag = OPTIONAL


class TitanPlayCondition(Model):
    minions_here: Count = OPTIONAL
    actions_here: Count = OPTIONAL
    power_here: Count = OPTIONAL
    no_minions_of_others: Literal[True] = OPTIONAL


class TitanPlayRule(Model):
    instead_of: Annotated[list[Literal["minion", "action"]], AsList] = OPTIONAL
    free: Literal[True] = OPTIONAL
    if_: TitanPlayCondition = optional_alias("if")


class FixtureModel(Triggers, Continuous):
    type: Type
    text: Text = OPTIONAL
    faction: Text = OPTIONAL
    anywhere: Flag = OPTIONAL
    special_label: Annotated[list[Text], AsList, Field(min_length=1)] = OPTIONAL


class MinionModel(FixtureModel):
    power: Number = OPTIONAL
    special: Special = OPTIONAL
    played: Ability = OPTIONAL
    talent: Ability = OPTIONAL
    needs: PlayRequirements = OPTIONAL


class ActionModel(MinionModel):
    on: Literal["base", "minion"] = OPTIONAL
    player_power: Number = OPTIONAL
    host_bonus: Number = OPTIONAL
    host_printed_power: Number = OPTIONAL
    lends: GrantedAbilities = OPTIONAL


def _check_three_numbers(value: Any) -> Any:
    if not isinstance(value, list) or len(value) != 3:
        raise SchemaError(
            "three numbers such as [4, 2, 1] are needed here, not “{value}”.", value=shorten(value)
        )
    return value


PlaceVP = Annotated[list[Number], BeforeValidator(_check_three_numbers)]


class BaseCardModel(FixtureModel):
    breakpoint: Number = OPTIONAL
    vp: PlaceVP = OPTIONAL
    titans_coexist: Literal[True] = OPTIONAL


class TitanModel(FixtureModel):
    goes: TitanPlayRule = OPTIONAL
    works_aside: Annotated[list[Text], AsList, Field(min_length=1)] = OPTIONAL
    played: Ability = OPTIONAL
    talent: Ability = OPTIONAL
    player_power: Number = OPTIONAL


MODELS: Final[dict[str, type[FixtureModel]]] = {
    "minion": MinionModel, "action": ActionModel, "base": BaseCardModel, "titan": TitanModel,
}  # fmt: skip
PLAYED_ABILITIES: Final = frozenset({"played", "talent"})
TRIGGERS: Final = frozenset(Triggers.model_fields)
PRINTED_VALUES: Final = frozenset({
    "type", "power", "on", "breakpoint", "vp", "special", "anywhere", "text", "faction", "goes",
    "special_label", "works_aside",
})  # fmt: skip
"""Keys that are not abilities."""


# --- checks beyond types --------------------------------------------------------------------

_SCORING: Final = {"before_score", "when_score", "after_score"}
_CARD_TRIGGERS: Final = TRIGGERS - _SCORING - {
    "start_of_turn", "end_of_turn", "after_discard", "after_replacement",
}  # fmt: skip
"""Triggers whose event is about a card, which ``it`` refers to."""
_REQUIRED_KEYS: Final[dict[str, frozenset[str]]] = {
    "what": _CARD_TRIGGERS,
    "me": _CARD_TRIGGERS,
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
"""The abilities that a condition applies to; other conditions apply to all abilities."""
_ON_MINION: Final = ("host_bonus", "host_printed_power", "lends")


def check_fixture(spec: Any) -> Any:
    """Validate the description of a fixture and return it unchanged."""
    type_ = spec.get("type") if isinstance(spec, dict) else None
    if not isinstance(spec, dict) or not isinstance(type_, str) or type_ not in MODELS:
        raise SchemaError("a mapping with a “type” is needed: {types}.", types=", ".join(MODELS))
    MODELS[type_].model_validate(spec)
    _check_conditions(spec, type_)
    for key in _ON_MINION:
        if key in spec and spec.get("on") != "minion":
            raise SchemaError("“{key}” is for actions with “on: minion”.", key=key)
    if "lends" in spec:
        _check_conditions(spec["lends"], "minion")
    for key in ("special_label", "works_aside"):
        for word in as_list(spec.get(key)):
            if word not in TRIGGERS or word not in spec:
                raise SchemaError(
                    "“{key}” names an ability of the card, not “{word}”.", key=key, word=word
                )
    goes = spec.get("goes")
    if goes is not None and "instead_of" not in goes and "free" not in goes:
        raise SchemaError("“goes” says “instead_of: minion” (or action), or “free: true”.")
    return spec


def _check_conditions(spec: dict[str, Any], type_: str) -> None:
    """Reject conditions and words that make no sense for their ability."""
    for key in spec:
        if key == "special":
            _check_when(spec[key].get("when"), spec[key]["timing"], type_)
        elif key in PLAYED_ABILITIES | TRIGGERS:
            value = spec[key]
            if isinstance(value, dict):
                _check_when(value.get("when"), key, type_)
            if key not in _CARD_TRIGGERS and _mentions("it", value):
                raise SchemaError("“it” is not a card here: “{key}” is not about a card.", key=key)
            if spec.get("on") != "minion" and _mentions("host", value):
                raise SchemaError(
                    "“host” is not a card here: this is not an action with “on: minion”."
                )


def _check_when(when: dict[str, Any] | None, key: str, type_: str) -> None:
    for word, value in (when or {}).items():
        allowed = _REQUIRED_KEYS.get(word)
        if allowed is not None and key not in allowed:
            raise SchemaError(
                "“{word}” does not apply to {key}, only to {allowed}.",
                word=word,
                key=key,
                allowed=", ".join(sorted(allowed)),
            )
        if word == "by" and type_ == "base" and value == "others":
            raise SchemaError("no player controls a base: “you” is the player the event is about.")


def _mentions(word: str, value: Any) -> bool:
    """Whether an ability contains a word."""
    if isinstance(value, dict):
        return any(_mentions(word, inner) for inner in value.values())
    return any(_mentions(word, v) for v in value) if isinstance(value, list) else value == word
