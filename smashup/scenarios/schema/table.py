"""The schema of a table or a regular setup: the keys of a scenario before “do”."""

from __future__ import annotations

import re
from typing import Annotated, Any, Final, Literal, TypeVar

from pydantic import BeforeValidator, Discriminator, Field, Tag, model_validator

from smashup.scenarios.errors import shorten
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
    as_list,
    check_player,
)
from smashup.scenarios.schema.fixtures import PlaceVP

MAX_COPIES: Final = 100
MAX_CARDS: Final = 600
"""Maximum number of cards on a table, in all zones together."""
SEED_LIMIT: Final = 1 << 63
COPIES: Final = re.compile(r"(\d{1,9}) x (.+)")
"""Matches “3 x V2”, which means three copies of V2."""


def check_owner(value: Any) -> Any:
    return value if value == "nobody" else check_player(value)


Owner = Annotated[str, BeforeValidator(check_owner)]


def _check_name(value: Any) -> Any:
    """Check that a card is a name, or one name with details."""
    if isinstance(value, dict) and len(value) != 1:
        raise SchemaError(
            "this should be one name and its details, not “{value}”.", value=shorten(value)
        )
    name = next(iter(value)) if isinstance(value, dict) else value
    if (match := COPIES.fullmatch(str(name))) and not 1 <= int(match[1]) <= MAX_COPIES:
        raise SchemaError(
            "at most {most} copies of a card, not “{value}”.", most=MAX_COPIES, value=name
        )
    return value


def _card_tag(value: Any) -> str:
    return "<details>" if isinstance(value, dict) else "<name>"


class PileCardDetails(Model):
    owner: Owner = OPTIONAL


class TitanDetails(Model):
    tokens: Natural = OPTIONAL


Details = TypeVar("Details", bound=Model)
Item = Annotated[
    Annotated[Text, Tag("<name>")] | Annotated[dict[str, Details], Tag("<details>")],
    Discriminator(_card_tag),
    BeforeValidator(_check_name),
]
Cards = Annotated[list[Item[Details]], AsList]
"""The cards of a zone: names, optionally with details."""


class AttachedActionDetails(Model):
    """An action on a minion."""

    owner: Player = OPTIONAL
    by: Player = OPTIONAL
    counters: Natural = OPTIONAL
    tokens: Natural = OPTIONAL
    talent_used: Flag = OPTIONAL
    anyway: Flag = OPTIONAL


class CardInPlayDetails(Model):
    """A card at a base."""

    owner: Player = OPTIONAL
    on: Cards[AttachedActionDetails] = OPTIONAL
    counters: Natural = OPTIONAL
    tokens: Natural = OPTIONAL
    boost: Number = OPTIONAL
    talent_used: Flag = OPTIONAL
    buried: Flag = OPTIONAL
    anyway: Flag = OPTIONAL

    @model_validator(mode="after")
    def _check_buried(self) -> CardInPlayDetails:
        if self.buried and self.model_fields_set - {"buried", "owner"}:
            raise SchemaError("a buried card may have no other detail than “owner”.")
        return self


class NoDetails(Model):
    """A card that has no details."""


class BaseDetails(Model):
    """A base: the cards of each player there, and its figures."""

    P1: Cards[CardInPlayDetails] = OPTIONAL
    P2: Cards[CardInPlayDetails] = OPTIONAL
    P3: Cards[CardInPlayDetails] = OPTIONAL
    P4: Cards[CardInPlayDetails] = OPTIONAL
    counters: Natural = OPTIONAL
    tokens: Natural = OPTIONAL
    breakpoint: Number = OPTIONAL
    vp: PlaceVP = OPTIONAL


Piles = dict[Player, Cards[PileCardDetails]] | None
Seed = Annotated[int, Field(ge=0, lt=SEED_LIMIT)]


class SetupModel(Model):
    """A regular setup."""

    factions: dict[Player, Names] | None = None
    draft: Flag = OPTIONAL
    pool: Names = OPTIONAL
    first: Player = OPTIONAL
    seed: Seed = OPTIONAL
    optional_titans: Flag = OPTIONAL
    duplicates: Flag = OPTIONAL
    stack: dict[Player, Names] | None = None
    stack_bases: Names = OPTIONAL


def count_cards(data: dict[str, Any]) -> int:
    """Count the cards on a table, including copies."""
    total = 0
    for value in data.values():
        for item in as_list(value):
            if isinstance(item, dict):
                for name, inner in item.items():
                    total += _copies(name) * (1 + count_cards({"": inner}))
            else:
                total += _copies(item)
    return total


def _copies(name: Any) -> int:
    match = COPIES.fullmatch(str(name))
    return int(match[1]) if match else 1


class TableLayout(Model):
    """The keys that describe a table: zones, turn, phase and so on."""

    bases: Cards[BaseDetails] = OPTIONAL
    hands: Piles = OPTIONAL
    decks: Piles = OPTIONAL
    discards: Piles = OPTIONAL
    titans: dict[Player, Cards[TitanDetails]] | None = None
    vp: dict[Player, Number] | None = None
    base_deck: Cards[NoDetails] = OPTIONAL
    base_discard: Cards[NoDetails] = OPTIONAL
    used: Annotated[list[Literal["minion", "action"]], AsList] = OPTIONAL
    phase: Literal["start", "play", "score", "draw", "end"] = OPTIONAL
    turn: Player = OPTIONAL
    madness: Annotated[int, Field(ge=0, le=100)] = OPTIONAL
    seed: Seed = OPTIONAL
    players: Literal[2, 3, 4] = OPTIONAL
