"""What may stand under “expect”, and of which type it is."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Discriminator, Tag

from smashup.engine.model.decisions import Purpose
from smashup.scenarios.errors import shorten, suggestion
from smashup.scenarios.schema.base import (
    OPTIONAL,
    AsList,
    Flag,
    Model,
    Names,
    Natural,
    Number,
    Player,
    SchemaError,
    Text,
    check_player,
    optional_alias,
)


def _bool_to_word(value: Any) -> Any:
    """Convert booleans back to words, because steps may contain “yes” and “no”."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else value


Words = Annotated[list[Annotated[Text, BeforeValidator(_bool_to_word)]], AsList]
NumberOf = dict[Text, Number]
NumberOfPlayers = dict[Player, Number]
CardsOfPlayers = dict[Player, Names]


def _check_purpose(value: Any) -> Any:
    purposes = [purpose.value for purpose in Purpose]
    if value not in purposes:
        raise SchemaError(
            "“{value}” is not allowed here.{proposal} Use one of {words}.",
            value=shorten(value),
            proposal=suggestion(str(value), purposes),
            words=", ".join(purposes),
        )
    return value


class PendingDecision(Model):
    """The pending question."""

    player: Player = OPTIONAL
    purpose: Annotated[str, BeforeValidator(_check_purpose)] = OPTIONAL
    card: Text = OPTIONAL
    by: Text = OPTIONAL
    """The same as ``card``."""
    question: Text = OPTIONAL
    offers: Words = OPTIONAL
    only: Words = OPTIONAL
    not_: Words = optional_alias("not")
    count: Natural = OPTIONAL


def _pending_tag(value: Any) -> str:
    return "<keys>" if isinstance(value, dict) else "<who>"


def _check_player_or_nothing(value: Any) -> Any:
    return value if value in (None, "nothing") else check_player(value)


Pending = Annotated[
    Annotated[str | None, BeforeValidator(_check_player_or_nothing), Tag("<who>")]
    | Annotated[PendingDecision, Tag("<keys>")],
    Discriminator(_pending_tag),
]


def _check_question(value: Any) -> Any:
    """Who was asked: “P1”, or “P1: part of the question”."""
    if isinstance(value, dict):
        if len(value) != 1:
            raise SchemaError(
                "“P1: part of the question” is needed here, not “{value}”.", value=shorten(value)
            )
        check_player(next(iter(value)))
        return value
    return check_player(value)


Question = Annotated[str | dict[str, Text], BeforeValidator(_check_question)]


def _expectation_tag(value: Any) -> str:
    return "<number>" if isinstance(value, int) else "<names>"


class ExpectationsModel(Model):
    """The keys of `expect`."""

    vp: NumberOfPlayers = OPTIONAL
    power: NumberOf = OPTIONAL
    printed_power: NumberOf = OPTIONAL
    starting_power: NumberOf = OPTIONAL
    counters: NumberOf = OPTIONAL
    tokens: NumberOf = OPTIONAL
    controller: dict[Text, Player] = OPTIONAL
    total: dict[Text, NumberOfPlayers] = OPTIONAL
    base_total: NumberOf = OPTIONAL
    breakpoint: NumberOf = OPTIONAL
    owned: dict[Player, dict[Text, Number]] = OPTIONAL
    hand: CardsOfPlayers = OPTIONAL
    discard: CardsOfPlayers = OPTIONAL
    deck: CardsOfPlayers = OPTIONAL
    deck_bottom: CardsOfPlayers = OPTIONAL
    hand_has: CardsOfPlayers = OPTIONAL
    deck_has: CardsOfPlayers = OPTIONAL
    discard_has: CardsOfPlayers = OPTIONAL
    hand_size: NumberOfPlayers = OPTIONAL
    deck_size: NumberOfPlayers = OPTIONAL
    discard_size: NumberOfPlayers = OPTIONAL
    at: dict[Text, CardsOfPlayers] = OPTIONAL
    on: dict[Text, Names] = OPTIONAL
    where: dict[Text, Text] = OPTIONAL
    aside: CardsOfPlayers = OPTIONAL
    bases: Annotated[
        Annotated[Natural, Tag("<number>")] | Annotated[Names, Tag("<names>")],
        Discriminator(_expectation_tag),
    ] = OPTIONAL
    base_discard: Names = OPTIONAL
    base_deck: Names = OPTIONAL
    base_deck_size: Natural = OPTIONAL
    in_play: Names = OPTIONAL
    not_in_play: Names = OPTIONAL
    turn: Player = OPTIONAL
    phase: Literal["setup", "start", "play", "score", "draw", "end", "over"] = OPTIONAL
    over: Flag = OPTIONAL
    winner: Annotated[list[Player], AsList] = OPTIONAL
    log: Names = OPTIONAL
    not_log: Names = OPTIONAL
    log_for: CardsOfPlayers = OPTIONAL
    not_log_for: CardsOfPlayers = OPTIONAL
    asked: Annotated[list[Question], AsList] = OPTIONAL
    asks: Pending = OPTIONAL
    sees: dict[Player, dict[Text, Names]] = OPTIONAL
    knows_nothing_of: CardsOfPlayers = OPTIONAL
    shuffled: Annotated[
        Annotated[dict[Player, Natural], Tag("<keys>")]
        | Annotated[Annotated[list[Player], AsList], Tag("<who>")],
        Discriminator(_pending_tag),
    ] = OPTIONAL
