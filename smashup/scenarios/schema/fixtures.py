"""Made-up cards: what a description under “fixtures” may say. `docs/scenarios.md` explains it."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag

from smashup.scenarios.errors import shorten
from smashup.scenarios.schema.base import (
    NOT_SAID,
    Count,
    Listed,
    Model,
    Number,
    SchemaError,
    Text,
    Truth,
    as_list,
    written_as,
)
from smashup.scenarios.schema.effects import Cards, Effects

Type = Literal["minion", "action", "base", "titan"]
Ban = Literal[
    "destroyed", "destroyed by others", "moved", "moved by others", "affected by others",
    "affected by others' actions", "affected by others' minions",
]  # fmt: skip
Place = Literal["hand", "deck_top", "deck_bottom"]


def _is_mapping(value: Any) -> str:
    return "<keys>" if isinstance(value, dict) else "<value>"


# --- abilities ------------------------------------------------------------------------------


class When(Model):
    """What an ability reacts to: all of it must be true. ``affects``: the card just played
    directly affected one of these; ``turn``: any phase of yours, or as a text says it."""

    by: Literal["you", "others", "any"] = NOT_SAID
    what: Literal["minion", "action", "base", "titan", "any"] = NOT_SAID
    here: Truth = NOT_SAID
    me: Truth = NOT_SAID
    how: Literal["destroyed", "returned", "scored"] = NOT_SAID
    first: Truth = NOT_SAID
    not_owned: Truth = NOT_SAID
    turn: Literal["yours", "on", "during"] = NOT_SAID
    on_base: Truth = NOT_SAID
    on_yours: Truth = NOT_SAID
    won_by: Literal["you", "others"] = NOT_SAID
    affects: Cards = NOT_SAID
    once: Truth = NOT_SAID


class Conditional(Model):
    when: When | None = None
    do: Effects


def _form(value: Any) -> str:
    if isinstance(value, dict) and ("do" in value or "when" in value):
        return "<when>"
    return "<effects>"


Ability = Annotated[
    Annotated[Effects, Tag("<effects>")] | Annotated[Conditional, Tag("<when>")],
    Discriminator(_form),
]


class Triggers(Model):
    start_of_turn: Ability = NOT_SAID
    end_of_turn: Ability = NOT_SAID
    after_play: Ability = NOT_SAID
    after_move: Ability = NOT_SAID
    after_leave: Ability = NOT_SAID
    after_discard: Ability = NOT_SAID
    after_talent: Ability = NOT_SAID
    after_special: Ability = NOT_SAID
    after_transfer: Ability = NOT_SAID
    after_base_played: Ability = NOT_SAID
    before_score: Ability = NOT_SAID
    when_score: Ability = NOT_SAID
    after_score: Ability = NOT_SAID
    after_replacement: Ability = NOT_SAID
    after_control: Ability = NOT_SAID


class BonusPer(Model):
    by: Number
    per: Cards


class BonusTo(Model):
    by: Number
    to: Cards


class StartingBreakpoint(Model):
    to: Number
    everyone_here: Truth = NOT_SAID


class CannotBe(Model):
    be: Annotated[list[Ban], Listed, Field(min_length=1)]
    to: Cards = NOT_SAID


class ForbidsPlay(Model):
    play: Literal["minion", "action", "any"]
    here: Truth = NOT_SAID


class InsteadOfDiscard(Model):
    to: Place
    may: Truth = NOT_SAID
    cards: Cards = NOT_SAID


def _names_or_refuse(value: Any) -> Any:
    if not isinstance(value, list) or not value:
        raise SchemaError("a list of names is needed here.")
    return value


def _base_or_host(value: Any) -> str:
    return "<part>" if value in ("host", "base") else "<cards>"


class Continuous(Model):
    """Abilities that just hold."""

    power_bonus: Annotated[
        Annotated[Number, Tag("<value>")] | Annotated[BonusPer, Tag("<keys>")],
        Discriminator(_is_mapping),
    ] = NOT_SAID
    aura: BonusTo = NOT_SAID
    card_bonus: BonusTo = NOT_SAID
    breakpoint_change: Number = NOT_SAID
    starting_breakpoint: Annotated[
        Annotated[Number, Tag("<value>")] | Annotated[StartingBreakpoint, Tag("<keys>")],
        Discriminator(_is_mapping),
    ] = NOT_SAID
    cannot: Annotated[
        Annotated[Annotated[list[Ban], Listed, Field(min_length=1)], Tag("<value>")]
        | Annotated[CannotBe, Tag("<keys>")],
        Discriminator(_is_mapping),
    ] = NOT_SAID
    forbids: Annotated[
        Annotated[Literal["scoring"], Tag("<value>")] | Annotated[ForbidsPlay, Tag("<keys>")],
        Discriminator(_is_mapping),
    ] = NOT_SAID
    cancels: Annotated[
        Annotated[Literal["host", "base"], Tag("<part>")] | Annotated[Cards, Tag("<cards>")],
        Discriminator(_base_or_host),
    ] = NOT_SAID
    names: Annotated[list[Text], BeforeValidator(_names_or_refuse)] = NOT_SAID
    titan_limit: Number = NOT_SAID
    instead_of_discard: Annotated[
        Annotated[Place, Tag("<value>")] | Annotated[InsteadOfDiscard, Tag("<keys>")],
        Discriminator(_is_mapping),
    ] = NOT_SAID
    redirects: Cards = NOT_SAID


class Lent(Triggers, Continuous):
    """Abilities that an action lends the minion it is on."""

    talent: Ability = NOT_SAID


# --- whole cards ----------------------------------------------------------------------------


class Special(Model):
    timing: Literal["before_score", "after_score", "after_play"]
    when: When | None = None
    also: Truth = NOT_SAID


class Needs(Model):
    power_here: Count = NOT_SAID
    minion_here: Truth = NOT_SAID
    your_minion: Truth = NOT_SAID


class GoesIf(Model):
    minions_here: Count = NOT_SAID
    actions_here: Count = NOT_SAID
    power_here: Count = NOT_SAID
    no_minions_of_others: Literal[True] = NOT_SAID


class Goes(Model):
    instead_of: Annotated[list[Literal["minion", "action"]], Listed] = NOT_SAID
    free: Literal[True] = NOT_SAID
    if_: GoesIf = written_as("if")


class FixtureModel(Triggers, Continuous):
    type: Type
    text: Text = NOT_SAID
    faction: Text = NOT_SAID
    anywhere: Truth = NOT_SAID
    special_label: Annotated[list[Text], Listed, Field(min_length=1)] = NOT_SAID


class MinionModel(FixtureModel):
    power: Number = NOT_SAID
    special: Special = NOT_SAID
    played: Ability = NOT_SAID
    talent: Ability = NOT_SAID
    needs: Needs = NOT_SAID


class ActionModel(MinionModel):
    on: Literal["base", "minion"] = NOT_SAID
    player_power: Number = NOT_SAID
    host_bonus: Number = NOT_SAID
    host_printed_power: Number = NOT_SAID
    lends: Lent = NOT_SAID


def _three(value: Any) -> Any:
    if not isinstance(value, list) or len(value) != 3:
        raise SchemaError(
            "three numbers such as [4, 2, 1] are needed here, not “{value}”.", value=shorten(value)
        )
    return value


Prizes = Annotated[list[Number], BeforeValidator(_three)]


class BaseCardModel(FixtureModel):
    breakpoint: Number = NOT_SAID
    vp: Prizes = NOT_SAID
    titans_coexist: Literal[True] = NOT_SAID


class TitanModel(FixtureModel):
    goes: Goes = NOT_SAID
    works_aside: Annotated[list[Text], Listed, Field(min_length=1)] = NOT_SAID
    played: Ability = NOT_SAID
    talent: Ability = NOT_SAID
    player_power: Number = NOT_SAID


MODELS: Final[dict[str, type[FixtureModel]]] = {
    "minion": MinionModel, "action": ActionModel, "base": BaseCardModel, "titan": TitanModel,
}  # fmt: skip
ACTING: Final = frozenset({"played", "talent"})
TRIGGERS: Final = frozenset(Triggers.model_fields)
FIGURES: Final = frozenset({
    "type", "power", "on", "breakpoint", "vp", "special", "anywhere", "text", "faction", "goes",
    "special_label", "works_aside",
})  # fmt: skip
"""Keys that are no ability."""
FIXTURE_KEYS: Final = frozenset(key for model in MODELS.values() for key in model.model_fields)


# --- what the types cannot say --------------------------------------------------------------

_SCORING: Final = {"before_score", "when_score", "after_score"}
_ABOUT_A_CARD: Final = TRIGGERS - _SCORING - {
    "start_of_turn", "end_of_turn", "after_discard", "after_replacement",
}  # fmt: skip
"""Triggers whose event is about a card: ``it``."""
_ONLY_WITH: Final[dict[str, frozenset[str]]] = {
    "what": _ABOUT_A_CARD,
    "me": _ABOUT_A_CARD,
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
_ON_MINION: Final = ("host_bonus", "host_printed_power", "lends")


def check_fixture(spec: Any) -> Any:
    """Validate a whole description; for use as a validator. It stays the data it is."""
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
    """Refuse conditions and words that could never mean anything for their ability."""
    for key in spec:
        if key == "special":
            _check_when(spec[key].get("when"), spec[key]["timing"], type_)
        elif key in ACTING | TRIGGERS:
            value = spec[key]
            if isinstance(value, dict):
                _check_when(value.get("when"), key, type_)
            if key not in _ABOUT_A_CARD and _says("it", value):
                raise SchemaError("“it” is no card here: “{key}” is not about a card.", key=key)
            if spec.get("on") != "minion" and _says("host", value):
                raise SchemaError("“host” is no card here: this is no action with “on: minion”.")


def _check_when(when: dict[str, Any] | None, key: str, type_: str) -> None:
    for word, value in (when or {}).items():
        allowed = _ONLY_WITH.get(word)
        if allowed is not None and key not in allowed:
            raise SchemaError(
                "“{word}” says nothing about {key}; it goes with {allowed}.",
                word=word,
                key=key,
                allowed=", ".join(sorted(allowed)),
            )
        if word == "by" and type_ == "base" and value == "others":
            raise SchemaError("nobody controls a base: “you” is whoever the event is about.")


def _says(word: str, value: Any) -> bool:
    """Whether a word stands somewhere in an ability."""
    if isinstance(value, dict):
        return any(_says(word, inner) for inner in value.values())
    return any(_says(word, v) for v in value) if isinstance(value, list) else value == word
