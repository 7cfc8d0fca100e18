"""What made-up cards do: effects, and the cards that they are done to."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag

from smashup.scenarios.schema.base import (
    NOT_SAID,
    Count,
    Model,
    Number,
    SchemaError,
    Text,
    Truth,
    as_list,
    written_as,
)

# --- selectors ------------------------------------------------------------------------------


class Which(Model):
    """The cards that all these keys are true of; ``of`` goes by controller, ``owned`` by owner."""

    what: Literal["minion", "action", "titan", "base", "card"] = NOT_SAID
    of: Literal["yours", "others", "any"] = NOT_SAID
    owned: Truth = NOT_SAID
    here: Truth = NOT_SAID
    scoring: Truth = NOT_SAID
    max: Number = NOT_SAID
    min: Number = NOT_SAID
    printed_max: Number = NOT_SAID
    named: Text = NOT_SAID
    but_me: Truth = NOT_SAID
    affected: Truth = NOT_SAID
    all: Truth = NOT_SAID


class Choice(Which):
    """Cards, and how some of them are chosen."""

    may: Truth = NOT_SAID
    some: Truth = NOT_SAID
    one_base: Truth = NOT_SAID
    until_end_of_turn: Truth = NOT_SAID
    then: Effects = NOT_SAID


def _is_word(value: Any) -> str:
    return "<word>" if isinstance(value, str) else "<keys>"


Word = Annotated[Literal["me", "host", "it"], Tag("<word>")]
Cards = Annotated[Word | Annotated[Which, Tag("<keys>")], Discriminator(_is_word)]
"""Cards that nobody chooses among: all there are."""
Chosen = Annotated[Word | Annotated[Choice, Tag("<keys>")], Discriminator(_is_word)]


# --- effects --------------------------------------------------------------------------------


def _some_key(value: Any) -> Any:
    if value == {}:
        raise SchemaError("a list of effects such as [draw: 1] is needed here.")
    return value


def _is_list(value: Any) -> str:
    return "<one>" if isinstance(value, dict) else "<list>"


def _listed_effects(value: Any) -> Any:
    if not isinstance(value, dict | list) or not all(isinstance(x, dict) for x in as_list(value)):
        raise SchemaError("a list of effects such as [draw: 1] is needed here.")
    return value


class Limits(Model):
    here: Truth = NOT_SAID
    source: Literal["discard"] = written_as("from")


class MinionLimits(Limits):
    max: Number = NOT_SAID


class ActionLimits(Limits):
    on_me: Truth = NOT_SAID


def _how_many(value: Any) -> str:
    if isinstance(value, bool):
        return "<true>"
    return "<count>" if isinstance(value, int) else "<keys>"


True_ = Annotated[Literal[True], Tag("<true>")]
Times = Annotated[Count, Tag("<count>")]
ExtraMinion = Annotated[
    True_ | Times | Annotated[MinionLimits, Tag("<keys>")], Discriminator(_how_many)
]
ExtraAction = Annotated[
    True_ | Times | Annotated[ActionLimits, Tag("<keys>")], Discriminator(_how_many)
]


class OffTop(Model):
    what: Literal["minion", "action"] = NOT_SAID
    here: Truth = NOT_SAID
    count: Count = NOT_SAID


class SwapOffTop(Model):
    card: Chosen
    deck: Literal["yours", "owner"] = NOT_SAID


class FromDiscard(Model):
    what: Literal["minion", "action", "card"] = NOT_SAID
    may: Truth = NOT_SAID
    named: Text = NOT_SAID


class Boost(Model):
    to: Chosen
    by: Number


class PlaceCounters(Model):
    to: Chosen
    by: Count


class TransferCounters(Model):
    source: Chosen = Field(alias="from")
    to: Chosen
    count: Count = NOT_SAID


class IfFound(Model):
    cards: Cards
    count: Count = NOT_SAID
    do: Effects


def _several_modes(value: Any) -> Any:
    if not isinstance(value, dict) or len(value) < 2:
        example = "{Draw: [draw: 1], Win: [vp: 1]}"
        raise SchemaError("words and their effects are needed here: {example}.", example=example)
    return value


class Effect(Model):
    """Things that happen, in the order of the keys."""

    draw: Count = NOT_SAID
    discard: Count = NOT_SAID
    they_discard: Count = NOT_SAID
    vp: Number = NOT_SAID
    extra_turn: Literal[True] = NOT_SAID
    extra_minion: ExtraMinion = NOT_SAID
    extra_action: ExtraAction = NOT_SAID
    play_off_top: OffTop = NOT_SAID
    swap_off_top: SwapOffTop = NOT_SAID
    play_me: Literal[True] = NOT_SAID
    play_titan: Text = NOT_SAID
    reveal: Count = NOT_SAID
    take_from_discard: FromDiscard = NOT_SAID
    draw_madness: Count = NOT_SAID
    reduce_breakpoint: Number = NOT_SAID
    play_base: Literal[True] = NOT_SAID
    destroy: Chosen = NOT_SAID
    return_: Chosen = written_as("return")
    move: Chosen = NOT_SAID
    bottom: Chosen = NOT_SAID
    top: Chosen = NOT_SAID
    shuffle: Chosen = NOT_SAID
    bury: Chosen = NOT_SAID
    control: Chosen = NOT_SAID
    boost: Boost = NOT_SAID
    counters: PlaceCounters = NOT_SAID
    remove_counters: Chosen = NOT_SAID
    pay_power_to_destroy: Chosen = NOT_SAID
    destroy_base: Chosen = NOT_SAID
    transfer_counters: TransferCounters = NOT_SAID
    may: Effects = NOT_SAID
    choose_one: Annotated[dict[str, Effects], BeforeValidator(_several_modes)] = NOT_SAID
    if_found: IfFound = NOT_SAID


_OneEffect = Annotated[Effect, BeforeValidator(_some_key)]
Effects = Annotated[
    Annotated[list[_OneEffect], Tag("<list>")] | Annotated[_OneEffect, Tag("<one>")],
    Discriminator(_is_list),
    BeforeValidator(_listed_effects),
]
