"""What may stand under “expect”, and of which type it is."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Discriminator, Tag

from smashup.engine.model.decisions import Purpose
from smashup.scenarios.errors import shorten, suggestion
from smashup.scenarios.schema.base import (
    NOT_SAID,
    Listed,
    Model,
    Names,
    Natural,
    Number,
    Player,
    SchemaError,
    Text,
    Truth,
    check_player,
    written_as,
)


def _word(value: Any) -> Any:
    """“true” and “false” are also words: a step may have to say them."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else value


Words = Annotated[list[Annotated[Text, BeforeValidator(_word)]], Listed]
NumberOf = dict[Text, Number]
NumberOfPlayers = dict[Player, Number]
CardsOfPlayers = dict[Player, Names]


def _check_purpose(value: Any) -> Any:
    purposes = [purpose.value for purpose in Purpose]
    if value not in purposes:
        raise SchemaError(
            "“{value}” means nothing here.{proposal} It is one of {words}.",
            value=shorten(value),
            proposal=suggestion(str(value), purposes),
            words=", ".join(purposes),
        )
    return value


class Asks(Model):
    """The pending question."""

    player: Player = NOT_SAID
    purpose: Annotated[str, BeforeValidator(_check_purpose)] = NOT_SAID
    card: Text = NOT_SAID
    by: Text = NOT_SAID
    """The same as ``card``."""
    question: Text = NOT_SAID
    offers: Words = NOT_SAID
    only: Words = NOT_SAID
    not_: Words = written_as("not")
    count: Natural = NOT_SAID


def _asked_form(value: Any) -> str:
    return "<keys>" if isinstance(value, dict) else "<who>"


def _who_or_nobody(value: Any) -> Any:
    return value if value in (None, "nothing") else check_player(value)


Pending = Annotated[
    Annotated[str | None, BeforeValidator(_who_or_nobody), Tag("<who>")]
    | Annotated[Asks, Tag("<keys>")],
    Discriminator(_asked_form),
]


def _question(value: Any) -> Any:
    """Who was asked: “P1”, or “P1: part of the question”."""
    if isinstance(value, dict):
        if len(value) != 1:
            raise SchemaError(
                "“P1: part of the question” is needed here, not “{value}”.", value=shorten(value)
            )
        check_player(next(iter(value)))
        return value
    return check_player(value)


Question = Annotated[str | dict[str, Text], BeforeValidator(_question)]


def _number_or_names(value: Any) -> str:
    return "<number>" if isinstance(value, int) else "<names>"


class ExpectationsModel(Model):
    """Everything that can be expected, by name."""

    vp: NumberOfPlayers = NOT_SAID
    power: NumberOf = NOT_SAID
    printed_power: NumberOf = NOT_SAID
    starting_power: NumberOf = NOT_SAID
    counters: NumberOf = NOT_SAID
    tokens: NumberOf = NOT_SAID
    controller: dict[Text, Player] = NOT_SAID
    total: dict[Text, NumberOfPlayers] = NOT_SAID
    base_total: NumberOf = NOT_SAID
    breakpoint: NumberOf = NOT_SAID
    owned: dict[Player, dict[Text, Number]] = NOT_SAID
    hand: CardsOfPlayers = NOT_SAID
    discard: CardsOfPlayers = NOT_SAID
    deck: CardsOfPlayers = NOT_SAID
    deck_bottom: CardsOfPlayers = NOT_SAID
    hand_has: CardsOfPlayers = NOT_SAID
    deck_has: CardsOfPlayers = NOT_SAID
    discard_has: CardsOfPlayers = NOT_SAID
    hand_size: NumberOfPlayers = NOT_SAID
    deck_size: NumberOfPlayers = NOT_SAID
    discard_size: NumberOfPlayers = NOT_SAID
    at: dict[Text, CardsOfPlayers] = NOT_SAID
    on: dict[Text, Names] = NOT_SAID
    where: dict[Text, Text] = NOT_SAID
    aside: CardsOfPlayers = NOT_SAID
    bases: Annotated[
        Annotated[Natural, Tag("<number>")] | Annotated[Names, Tag("<names>")],
        Discriminator(_number_or_names),
    ] = NOT_SAID
    base_discard: Names = NOT_SAID
    base_deck: Names = NOT_SAID
    base_deck_size: Natural = NOT_SAID
    in_play: Names = NOT_SAID
    not_in_play: Names = NOT_SAID
    turn: Player = NOT_SAID
    phase: Literal["setup", "start", "play", "score", "draw", "end", "over"] = NOT_SAID
    over: Truth = NOT_SAID
    winner: Annotated[list[Player], Listed] = NOT_SAID
    log: Names = NOT_SAID
    not_log: Names = NOT_SAID
    log_for: CardsOfPlayers = NOT_SAID
    not_log_for: CardsOfPlayers = NOT_SAID
    asked: Annotated[list[Question], Listed] = NOT_SAID
    asks: Pending = NOT_SAID
    sees: dict[Player, dict[Text, Names]] = NOT_SAID
    knows_nothing_of: CardsOfPlayers = NOT_SAID
    shuffled: Annotated[
        Annotated[dict[Player, Natural], Tag("<keys>")]
        | Annotated[Annotated[list[Player], Listed], Tag("<who>")],
        Discriminator(_asked_form),
    ] = NOT_SAID
