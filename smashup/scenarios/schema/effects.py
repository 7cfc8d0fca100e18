"""What made-up cards do: effects, and the cards that they are done to."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag

from smashup.scenarios.schema.base import (
    OPTIONAL,
    Count,
    Model,
    Number,
    SchemaError,
    Text,
    Truth,
    as_list,
    optional_alias,
)

# --- selectors ------------------------------------------------------------------------------


class CardSelector(Model):
    """The cards that all these keys are true of; ``of`` goes by controller, ``owned`` by owner."""

    what: Literal["minion", "action", "titan", "base", "card"] = OPTIONAL
    of: Literal["yours", "others", "any"] = OPTIONAL
    owned: Truth = OPTIONAL
    here: Truth = OPTIONAL
    scoring: Truth = OPTIONAL
    max: Number = OPTIONAL
    min: Number = OPTIONAL
    printed_max: Number = OPTIONAL
    named: Text = OPTIONAL
    but_me: Truth = OPTIONAL
    affected: Truth = OPTIONAL
    all: Truth = OPTIONAL


class CardChoice(CardSelector):
    """Cards, and how some of them are chosen."""

    may: Truth = OPTIONAL
    some: Truth = OPTIONAL
    one_base: Truth = OPTIONAL
    until_end_of_turn: Truth = OPTIONAL
    then: Effects = OPTIONAL


def _selector_tag(value: Any) -> str:
    return "<word>" if isinstance(value, str) else "<keys>"


Word = Annotated[Literal["me", "host", "it"], Tag("<word>")]
Cards = Annotated[Word | Annotated[CardSelector, Tag("<keys>")], Discriminator(_selector_tag)]
"""Cards that nobody chooses among: all there are."""
Chosen = Annotated[Word | Annotated[CardChoice, Tag("<keys>")], Discriminator(_selector_tag)]


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
    here: Truth = OPTIONAL
    source: Literal["discard"] = optional_alias("from")


class MinionPlayLimits(PlayLimits):
    max: Number = OPTIONAL


class ActionPlayLimits(PlayLimits):
    on_me: Truth = OPTIONAL


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


class OffTop(Model):
    what: Literal["minion", "action"] = OPTIONAL
    here: Truth = OPTIONAL
    count: Count = OPTIONAL


class SwapOffTop(Model):
    card: Chosen
    deck: Literal["yours", "owner"] = OPTIONAL


class FromDiscard(Model):
    what: Literal["minion", "action", "card"] = OPTIONAL
    may: Truth = OPTIONAL
    named: Text = OPTIONAL


class Boost(Model):
    to: Chosen
    by: Number


class PlaceCounters(Model):
    to: Chosen
    by: Count


class TransferCounters(Model):
    source: Chosen = Field(alias="from")
    to: Chosen
    count: Count = OPTIONAL


class IfFound(Model):
    cards: Cards
    count: Count = OPTIONAL
    do: Effects


def _check_modes(value: Any) -> Any:
    if not isinstance(value, dict) or len(value) < 2:
        example = "{Draw: [draw: 1], Win: [vp: 1]}"
        raise SchemaError("words and their effects are needed here: {example}.", example=example)
    return value


class FixtureEffect(Model):
    """Things that happen, in the order of the keys."""

    draw: Count = OPTIONAL
    discard: Count = OPTIONAL
    they_discard: Count = OPTIONAL
    vp: Number = OPTIONAL
    extra_turn: Literal[True] = OPTIONAL
    extra_minion: ExtraMinion = OPTIONAL
    extra_action: ExtraAction = OPTIONAL
    play_off_top: OffTop = OPTIONAL
    swap_off_top: SwapOffTop = OPTIONAL
    play_me: Literal[True] = OPTIONAL
    play_titan: Text = OPTIONAL
    reveal: Count = OPTIONAL
    take_from_discard: FromDiscard = OPTIONAL
    draw_madness: Count = OPTIONAL
    reduce_breakpoint: Number = OPTIONAL
    play_base: Literal[True] = OPTIONAL
    destroy: Chosen = OPTIONAL
    return_: Chosen = optional_alias("return")
    move: Chosen = OPTIONAL
    bottom: Chosen = OPTIONAL
    top: Chosen = OPTIONAL
    shuffle: Chosen = OPTIONAL
    bury: Chosen = OPTIONAL
    control: Chosen = OPTIONAL
    boost: Boost = OPTIONAL
    counters: PlaceCounters = OPTIONAL
    remove_counters: Chosen = OPTIONAL
    pay_power_to_destroy: Chosen = OPTIONAL
    destroy_base: Chosen = OPTIONAL
    transfer_counters: TransferCounters = OPTIONAL
    may: Effects = OPTIONAL
    choose_one: Annotated[dict[str, Effects], BeforeValidator(_check_modes)] = OPTIONAL
    if_found: IfFound = OPTIONAL


_OneFixtureEffect = Annotated[FixtureEffect, BeforeValidator(_check_not_empty)]
Effects = Annotated[
    Annotated[list[_OneFixtureEffect], Tag("<list>")] | Annotated[_OneFixtureEffect, Tag("<one>")],
    Discriminator(_effects_tag),
    BeforeValidator(_check_effects),
]
