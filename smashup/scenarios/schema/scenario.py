"""A whole scenario, its runs and its steps."""

from __future__ import annotations

import re
from typing import Annotated, Any, Final, Literal

from pydantic import BeforeValidator, Strict, model_validator

from smashup.engine.model.editions import EDITIONS
from smashup.scenarios.errors import format_value, shorten, suggestion
from smashup.scenarios.schema.base import (
    OPTIONAL,
    AsList,
    Model,
    Number,
    Player,
    SchemaError,
    Text,
    optional_alias,
)
from smashup.scenarios.schema.expectations import ExpectationsModel, Words
from smashup.scenarios.schema.fixtures import check_fixture
from smashup.scenarios.schema.table import MAX_CARDS, SetupModel, TableLayout, count_cards

VERSION: Final = 1
"""The version of the language, which files without a version have as well."""

_STEP: Final = re.compile(r"(P[1-4])(?: (can|cannot))?")
_STEPS: Final = ("P1", "P1 can", "P1 cannot", "expect", "happens")


def _check_pair(value: Any) -> Any:
    if not isinstance(value, list) or len(value) != 2:
        raise SchemaError(
            "two things are needed here, such as [V3, 2], not “{value}”.", value=shorten(value)
        )
    return value


PAIR: Final = BeforeValidator(_check_pair)
TwoNames = Annotated[tuple[Text, Text], Strict(False), PAIR]
CardAndPlayer = Annotated[tuple[Text, Player], Strict(False), PAIR]
CardAndNumber = Annotated[tuple[Text, Number], Strict(False), PAIR]
PlayerAndCard = Annotated[tuple[Player, Text], Strict(False), PAIR]
PlayerAndNumber = Annotated[tuple[Player, Number], Strict(False), PAIR]


class ScriptedEvent(Model):
    """A `happens` step: one verb, and what it applies to."""

    destroy: Text = OPTIONAL
    return_: Text = optional_alias("return")
    bottom: Text = OPTIONAL
    shuffle: Text = OPTIONAL
    destroy_base: Text = OPTIONAL
    play_base: Text = OPTIONAL
    move: TwoNames = OPTIONAL
    control: CardAndPlayer = OPTIONAL
    discard: PlayerAndCard = OPTIONAL
    counters: CardAndNumber = OPTIONAL
    boost: CardAndNumber = OPTIONAL
    draw: PlayerAndNumber = OPTIONAL
    vp: PlayerAndNumber = OPTIONAL

    @model_validator(mode="after")
    def _check_one(self) -> ScriptedEvent:
        if len(self.model_fields_set) != 1:
            raise SchemaError(
                "“happens” takes exactly one of {known}.", known=", ".join(self.keys())
            )
        return self


class _Choices(Model):
    texts: Words


def _check_step(step: Any) -> Any:
    """Check that a step has one key: the player who chooses, ``expect`` or ``happens``."""
    if not isinstance(step, dict) or len(step) != 1:
        raise SchemaError(
            "a step has one key, like “P1: play V3”, not “{value}”.", value=shorten(step)
        )
    ((who, what),) = step.items()
    if who == "expect":
        ExpectationsModel.model_validate(what)
    elif who == "happens":
        ScriptedEvent.model_validate(what)
    elif _STEP.fullmatch(who):
        _Choices.model_validate({"texts": what})
    else:
        raise SchemaError(
            "“{who}” does not begin a step.{proposal} Steps begin with {known}.",
            who=shorten(who),
            proposal=suggestion(who, _STEPS),
            known=format_value(_STEPS),
        )
    return step


def _check_edition(value: Any) -> Any:
    if not isinstance(value, str) or value not in EDITIONS:
        raise SchemaError(
            "there is no edition “{value}”.{proposal} There are {known}.",
            value=shorten(value),
            proposal=suggestion(value, EDITIONS),
            known=", ".join(EDITIONS),
        )
    return value


def _check_version(value: Any) -> Any:
    if value == str(VERSION):
        raise SchemaError(
            "the version is a number: write {version} without quotes.", version=VERSION
        )
    if value != VERSION or isinstance(value, bool):
        raise SchemaError(
            "this program reads version {version} of the language, not “{value}”.",
            version=VERSION,
            value=shorten(value),
        )
    return value


Version = Annotated[int, BeforeValidator(_check_version)]


class ScenarioContent(TableLayout):
    """The keys that both scenarios and runs may have."""

    note: Text = OPTIONAL
    edition: Annotated[list[Annotated[str, BeforeValidator(_check_edition)]], AsList] = OPTIONAL
    printing: Annotated[list[Literal["printed", "current"]], AsList] = OPTIONAL
    fixtures: dict[str, Annotated[Any, BeforeValidator(check_fixture)]] | None = None
    setup: SetupModel = OPTIONAL
    table: dict[str, Any] = OPTIONAL
    do: list[Annotated[Any, BeforeValidator(_check_step)]] | None = None
    expect: ExpectationsModel | None = None
    error: Text = OPTIONAL

    @model_validator(mode="before")
    @classmethod
    def _check_whole(cls, data: Any) -> Any:
        """Reject zones beside ``setup`` or ``table``, which describe the whole table."""
        if isinstance(data, dict):
            for whole, useless in (
                ("setup", _LAYOUT),
                ("table", _LAYOUT | {"setup", "madness"}),
            ):
                excess = sorted(useless & set(data))
                if whole in data and excess:
                    raise SchemaError(
                        "“{whole}” describes the whole table; leave out {said}.",
                        whole=whole,
                        said=", ".join(excess),
                    )
            cards = count_cards({key: data[key] for key in _ZONES & set(data)})
            if cards > MAX_CARDS:
                raise SchemaError(
                    "a table has room for {most} cards, not {count}.", most=MAX_CARDS, count=cards
                )
        return data


_LAYOUT: Final = frozenset(TableLayout.model_fields) - {"madness", "seed", "players"} | {"fixtures"}
_ZONES: Final = frozenset(
    {"bases", "hands", "decks", "discards", "titans", "base_deck", "base_discard"}
)


class RunModel(ScenarioContent):
    """The keys of a run, which replace those of its scenario."""

    name: Text = OPTIONAL


class ScenarioModel(ScenarioContent):
    """The keys of a scenario."""

    scenario_version: Version = OPTIONAL
    id: Text = OPTIONAL
    title: Text = OPTIONAL
    covers: Annotated[list[Text], AsList] = OPTIONAL
    runs: list[RunModel] | None = None


KEYS: Final = frozenset(ScenarioModel.keys())
