"""How a table is laid or set up: what the keys of a scenario before “do” may say."""

from __future__ import annotations

import re
from typing import Annotated, Any, Final, Literal, TypeVar

from pydantic import BeforeValidator, Discriminator, Field, Tag, model_validator

from smashup.scenarios.errors import shorten
from smashup.scenarios.schema.base import (
    OPTIONAL,
    Listed,
    Model,
    Names,
    Natural,
    Number,
    Player,
    SchemaError,
    Text,
    Truth,
    as_list,
    check_player,
)
from smashup.scenarios.schema.fixtures import Prizes

MAX_COPIES: Final = 100
MAX_CARDS: Final = 600
"""Cards on one table, all zones together."""
SEED_LIMIT: Final = 1 << 63
COPIES: Final = re.compile(r"(\d{1,9}) x (.+)")
"""“3 x V2” is V2 three times."""


def check_owner(value: Any) -> Any:
    return value if value == "nobody" else check_player(value)


Owner = Annotated[str, BeforeValidator(check_owner)]


def _check_name(value: Any) -> Any:
    """A card is a name, or one name with details."""
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


class InPile(Model):
    owner: Owner = OPTIONAL


class SetAside(Model):
    tokens: Natural = OPTIONAL


Details = TypeVar("Details", bound=Model)
Item = Annotated[
    Annotated[Text, Tag("<name>")] | Annotated[dict[str, Details], Tag("<details>")],
    Discriminator(_card_tag),
    BeforeValidator(_check_name),
]
Cards = Annotated[list[Item[Details]], Listed]
"""Cards of a zone: names, each perhaps with details."""


class Attached(Model):
    """An action on a minion."""

    owner: Player = OPTIONAL
    by: Player = OPTIONAL
    counters: Natural = OPTIONAL
    tokens: Natural = OPTIONAL
    talent_used: Truth = OPTIONAL
    anyway: Truth = OPTIONAL


class OnBase(Model):
    """A card at a base."""

    owner: Player = OPTIONAL
    on: Cards[Attached] = OPTIONAL
    counters: Natural = OPTIONAL
    tokens: Natural = OPTIONAL
    boost: Number = OPTIONAL
    talent_used: Truth = OPTIONAL
    buried: Truth = OPTIONAL
    anyway: Truth = OPTIONAL

    @model_validator(mode="after")
    def _check_buried(self) -> OnBase:
        if self.buried and self.model_fields_set - {"buried", "owner"}:
            raise SchemaError("a card that is buried may only have an “owner” besides.")
        return self


class NoDetails(Model):
    """A card of which nothing more is to be said."""


class BaseInPlay(Model):
    """A base: who has what on it, and its figures."""

    P1: Cards[OnBase] = OPTIONAL
    P2: Cards[OnBase] = OPTIONAL
    P3: Cards[OnBase] = OPTIONAL
    P4: Cards[OnBase] = OPTIONAL
    counters: Natural = OPTIONAL
    tokens: Natural = OPTIONAL
    breakpoint: Number = OPTIONAL
    vp: Prizes = OPTIONAL


Piles = dict[Player, Cards[InPile]] | None
Seed = Annotated[int, Field(ge=0, lt=SEED_LIMIT)]


class SetupModel(Model):
    """A real set-up."""

    factions: dict[Player, Names] | None = None
    draft: Truth = OPTIONAL
    pool: Names = OPTIONAL
    first: Player = OPTIONAL
    seed: Seed = OPTIONAL
    optional_titans: Truth = OPTIONAL
    duplicates: Truth = OPTIONAL
    stack: dict[Player, Names] | None = None
    stack_bases: Names = OPTIONAL


def count_cards(data: dict[str, Any]) -> int:
    """How many cards a table has on it, copies included."""
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
    """The zones of a laid table, by name."""

    bases: Cards[BaseInPlay] = OPTIONAL
    hands: Piles = OPTIONAL
    decks: Piles = OPTIONAL
    discards: Piles = OPTIONAL
    titans: dict[Player, Cards[SetAside]] | None = None
    vp: dict[Player, Number] | None = None
    base_deck: Cards[NoDetails] = OPTIONAL
    base_discard: Cards[NoDetails] = OPTIONAL
    used: Annotated[list[Literal["minion", "action"]], Listed] = OPTIONAL
    phase: Literal["start", "play", "score", "draw", "end"] = OPTIONAL
    turn: Player = OPTIONAL
    madness: Annotated[int, Field(ge=0, le=100)] = OPTIONAL
    seed: Seed = OPTIONAL
    players: Literal[2, 3, 4] = OPTIONAL
