"""The schema of what made-up cards do: effects, and the cards they apply to."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag

from smashup.scenarios.schema.base import (
    OPTIONAL,
    Count,
    Flag,
    Model,
    Number,
    SchemaError,
    Text,
    as_list,
    optional_alias,
)

# --- selectors ------------------------------------------------------------------------------


class CardSelector(Model):
    """The cards that match all keys; ``of`` is about controllers, ``owned`` about owners."""

    what: Literal["minion", "action", "titan", "base", "card"] = OPTIONAL
    of: Literal["yours", "others", "any"] = OPTIONAL
    owned: Flag = OPTIONAL
    here: Flag = OPTIONAL
    scoring: Flag = OPTIONAL
    max: Number = OPTIONAL
    min: Number = OPTIONAL
    printed_max: Number = OPTIONAL
    named: Text = OPTIONAL
    but_me: Flag = OPTIONAL
    affected: Flag = OPTIONAL
    all: Flag = OPTIONAL


class CardChoice(CardSelector):
    """The cards that match, and how a player chooses among them."""

    may: Flag = OPTIONAL
    some: Flag = OPTIONAL
    one_base: Flag = OPTIONAL
    until_end_of_turn: Flag = OPTIONAL
    then: Effects = OPTIONAL


def _selector_tag(value: Any) -> str:
    return "<word>" if isinstance(value, str) else "<keys>"


Word = Annotated[Literal["me", "host", "it"], Tag("<word>")]
AllCards = Annotated[Word | Annotated[CardSelector, Tag("<keys>")], Discriminator(_selector_tag)]
"""All cards that match: no player chooses."""
ChosenCards = Annotated[Word | Annotated[CardChoice, Tag("<keys>")], Discriminator(_selector_tag)]


# --- effects --------------------------------------------------------------------------------


def _check_not_empty(value: Any) -> Any:
    if value == {}:
        raise SchemaError("a list of effects such as [draw: 1] is needed here.")
    return value


def _effects_tag(value: Any) -> str:
    return "<one>" if isinstance(value, dict) else "<list>"


def _check_effects(value: Any) -> Any:
    if not isinstance(value, dict | list) or not all(isinstance(x, dict) for x in as_list(value)):
        raise SchemaError("a list of effects such as [draw: 1] is needed here.")
    return value


class PlayLimits(Model):
    here: Flag = OPTIONAL
    source: Literal["discard"] = optional_alias("from")


class MinionPlayLimits(PlayLimits):
    max: Number = OPTIONAL


class ActionPlayLimits(PlayLimits):
    on_me: Flag = OPTIONAL


def _extra_play_tag(value: Any) -> str:
    if isinstance(value, bool):
        return "<true>"
    return "<count>" if isinstance(value, int) else "<keys>"


TrueTag = Annotated[Literal[True], Tag("<true>")]
CountTag = Annotated[Count, Tag("<count>")]
ExtraMinion = Annotated[
    TrueTag | CountTag | Annotated[MinionPlayLimits, Tag("<keys>")], Discriminator(_extra_play_tag)
]
ExtraAction = Annotated[
    TrueTag | CountTag | Annotated[ActionPlayLimits, Tag("<keys>")], Discriminator(_extra_play_tag)
]


class PlayOffTop(Model):
    what: Literal["minion", "action"] = OPTIONAL
    here: Flag = OPTIONAL
    count: Count = OPTIONAL


class SwapOffTop(Model):
    card: ChosenCards
    deck: Literal["yours", "owner"] = OPTIONAL


class TakeFromDiscard(Model):
    what: Literal["minion", "action", "card"] = OPTIONAL
    may: Flag = OPTIONAL
    named: Text = OPTIONAL


class Boost(Model):
    to: ChosenCards
    by: Number


class PlaceCounters(Model):
    to: ChosenCards
    by: Count


class TransferCounters(Model):
    source: ChosenCards = Field(alias="from")
    to: ChosenCards
    count: Count = OPTIONAL


class ConditionOnCards(Model):
    cards: AllCards
    count: Count = OPTIONAL
    do: Effects


def _check_modes(value: Any) -> Any:
    if not isinstance(value, dict) or len(value) < 2:
        example = "{Draw: [draw: 1], Win: [vp: 1]}"
        raise SchemaError("words and their effects are needed here: {example}.", example=example)
    return value


class FixtureEffect(Model):
    """Effects, which happen in the order of the keys."""

    draw: Count = OPTIONAL
    discard: Count = OPTIONAL
    they_discard: Count = OPTIONAL
    vp: Number = OPTIONAL
    extra_turn: Literal[True] = OPTIONAL
    extra_minion: ExtraMinion = OPTIONAL
    extra_action: ExtraAction = OPTIONAL
    play_off_top: PlayOffTop = OPTIONAL
    swap_off_top: SwapOffTop = OPTIONAL
    play_me: Literal[True] = OPTIONAL
    play_titan: Text = OPTIONAL
    reveal: Count = OPTIONAL
    take_from_discard: TakeFromDiscard = OPTIONAL
    draw_madness: Count = OPTIONAL
    reduce_breakpoint: Number = OPTIONAL
    play_base: Literal[True] = OPTIONAL
    destroy: ChosenCards = OPTIONAL
    return_: ChosenCards = optional_alias("return")
    move: ChosenCards = OPTIONAL
    bottom: ChosenCards = OPTIONAL
    top: ChosenCards = OPTIONAL
    shuffle: ChosenCards = OPTIONAL
    bury: ChosenCards = OPTIONAL
    control: ChosenCards = OPTIONAL
    boost: Boost = OPTIONAL
    counters: PlaceCounters = OPTIONAL
    remove_counters: ChosenCards = OPTIONAL
    pay_power_to_destroy: ChosenCards = OPTIONAL
    destroy_base: ChosenCards = OPTIONAL
    transfer_counters: TransferCounters = OPTIONAL
    may: Effects = OPTIONAL
    choose_one: Annotated[dict[str, Effects], BeforeValidator(_check_modes)] = OPTIONAL
    if_found: ConditionOnCards = OPTIONAL


_OneFixtureEffect = Annotated[FixtureEffect, BeforeValidator(_check_not_empty)]
Effects = Annotated[
    Annotated[list[_OneFixtureEffect], Tag("<list>")] | Annotated[_OneFixtureEffect, Tag("<one>")],
    Discriminator(_effects_tag),
    BeforeValidator(_check_effects),
]
