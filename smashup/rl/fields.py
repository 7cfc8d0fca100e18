"""The definition of an observation, field by field.

The encoder fills these fields, the spaces are built from them, and a test compares the tables of
docs/research.md with them.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from smashup.engine.model.constants import PHASE_NAMES
from smashup.engine.model.decisions import OPTION_KINDS

ENCODING_VERSION: Final = 1
"""Raised with every change of observations or actions; part of the environment's name."""
BASES: Final = 16
"""Rows for bases. Games have one more base than players, rarely more; the maximum seen was 15."""
MAX_VALUE: Final = 4095.0
"""Upper bound of all values in an observation."""
MIN_VALUE: Final = -128.0

NUMBER: Final = "number"
FLAG: Final = "flag"
ID: Final = "id"


@dataclass(frozen=True)
class Field:
    """A part of an observation: name, shape, kind of values and description."""

    name: str
    shape: tuple[int, ...]
    kind: str
    description: str

    @property
    def size(self) -> int:
        return prod(self.shape)

    @property
    def low(self) -> float:
        return MIN_VALUE if self.kind == NUMBER else 0.0

    @property
    def high(self) -> float:
        return 1.0 if self.kind == FLAG else MAX_VALUE


SEAT_COLUMNS: Final = (
    "vp", "hand", "deck", "discard", "faction_1", "faction_2", "minions", "power", "titans",
)  # fmt: skip
BASE_COLUMNS: Final = (
    "kind", "breakpoint", "total", "to_go", "vp_first", "vp_second", "vp_third", "counters",
    "scoring",
)  # fmt: skip
BASE_SEAT_COLUMNS: Final = ("total", "minions", "vp_now")
"""Columns that follow for each seat in the row of a base."""
CARD_COLUMNS: Final = (
    Field("kind", (), ID, "which card; 0 if it lies face down"),
    Field("zone", (), ID, "where it is, see below; 0 for an empty row"),
    Field("owner", (), ID, "1 you, 2 the next player clockwise, ...; 0 nobody or not known"),
    Field("controller", (), ID, "the same; 0 out of play"),
    Field("base", (), ID, "1 + the row in `bases` of the base it is at, 0 elsewhere"),
    Field("host", (), ID, "1 + the row of the card it is on, 0 for none"),
    Field("power", (), NUMBER, "power now at a base, printed power elsewhere"),
    Field("counters", (), NUMBER, "+1 power counters"),
    Field("tokens", (), NUMBER, "other counters"),
    Field("depth", (), NUMBER, "in a deck: 1 for the top card, 2 for the next, ..."),
)
ZONES: Final = (
    "", "at a base", "on a card", "buried", "hand", "limbo", "aside", "deck", "discard pile",
    "base deck", "base discard pile",
)  # fmt: skip
"""What the column ``zone`` of a card means. Limbo: being played, or shown and not yet put away."""
(
    _, Z_AT_BASE, Z_ON_CARD, Z_BURIED, Z_HAND, Z_LIMBO, Z_ASIDE, Z_DECK, Z_DISCARD,
    Z_BASE_DECK, Z_BASE_DISCARD,
) = range(len(ZONES))  # fmt: skip

OPTION_COLUMNS: Final = (
    Field("play", (), FLAG, "play the card"),
    Field("talent", (), FLAG, "use the talent of the card"),
    Field("done", (), FLAG, "end the Play Cards phase"),
    Field("pass", (), FLAG, "pass, in a window for Specials"),
    Field("later", (), FLAG, "keep an extra play for later this turn"),
    Field("none", (), FLAG, "none of these: decline"),
    Field("pick_card", (), FLAG, "choose this card"),
    Field("pick_base", (), FLAG, "choose this base"),
    Field("pick_player", (), FLAG, "choose this player"),
    Field("pick_words", (), FLAG, "choose this sentence (such as Yes)"),
    Field("pick_trigger", (), FLAG, "let this ability happen first"),
    Field("pick_faction", (), FLAG, "take this faction in the draft"),
    Field("more", (), FLAG, "see the next page of options"),
    Field("index", (), NUMBER, "position among all options of the decision"),
    Field("row", (), ID, "1 + the row in `cards` of the card it is about, 0 for none"),
    Field("kind", (), ID, "which card; 0 for none, or one that lies face down"),
    Field("minion", (), FLAG, "the card is a minion"),
    Field("action", (), FLAG, "the card is an action"),
    Field("titan", (), FLAG, "the card is a titan"),
    Field("printed", (), NUMBER, "the card's printed power"),
    Field("power", (), NUMBER, "its power now, if it is at a base; else the printed one"),
    Field("counters", (), NUMBER, "+1 power counters on it"),
    Field("mine", (), FLAG, "the card (or player) is yours"),
    Field("theirs", (), FLAG, "the card (or player) is another player's"),
    Field("in_play", (), FLAG, "the card is in play"),
    Field("in_hand", (), FLAG, "the card is in a hand"),
    Field("in_discard", (), FLAG, "the card is in a discard pile"),
    Field("elsewhere", (), FLAG, "the card is in a deck, aside or in limbo"),
    Field("extra", (), FLAG, "an extra play, not the normal one of the turn"),
    Field("on_card", (), FLAG, "played on a minion"),
    Field("host_mine", (), FLAG, "that minion is yours"),
    Field("host_power", (), NUMBER, "that minion's power"),
    Field("player", (), ID, "the player it is about: 1 you, 2 the next clockwise, ..."),
    Field("faction", (), ID, "the faction, in a draft"),
    Field("base", (), ID, "1 + the row in `bases` of where it is or goes, 0 for none"),
    Field("base_kind", (), ID, "which base that is"),
    Field("base_to_go", (), NUMBER, "power missing there until the base scores"),
    Field("base_total", (), NUMBER, "all power there"),
    Field("base_mine", (), NUMBER, "your power there"),
    Field("base_rival", (), NUMBER, "the most power another player has there"),
    Field("base_vp_now", (), NUMBER, "VP you would get if it scored now"),
    Field("base_vp_first", (), NUMBER, "VP for the first place there"),
    Field("adds", (), NUMBER, "power that playing the minion there adds (printed)"),
    Field("breaks", (), FLAG, "with that the base reaches its breakpoint"),
    Field("lead_after", (), NUMBER, "your power there with that, less the rival's"),
)


def card_rows(players: int) -> int:
    """Return the number of card rows: enough for every card a seat can know."""
    return 44 * players + 44


def table_fields(players: int) -> tuple[Field, ...]:
    """Return the parts of the flat vector ``observation``, in order."""
    kinds = ", ".join(OPTION_KINDS[1:])
    return (
        Field("turn", (1,), NUMBER, "number of the turn"),
        Field("phase", (len(PHASE_NAMES),), FLAG, f"one of {', '.join(PHASE_NAMES)}"),
        Field("current", (players,), FLAG, "whose turn it is"),
        Field("decider", (players,), FLAG, "who has to decide; all 0 when the game is over"),
        Field("decision", (len(OPTION_KINDS) - 1,), FLAG, f"what you choose: {kinds}"),
        Field("source", (1,), ID, "the card that asks you; 0 for the rules"),
        Field("purpose", (1,), ID, "what the decision is for, see below"),
        Field("step", (1,), NUMBER, "how many questions that card asked before, while it resolves"),
        Field("picks", (3,), NUMBER, "of several picks: made so far, still at least, at most"),
        Field("options", (1,), NUMBER, "how many options you have, on all pages"),
        Field("page", (2,), NUMBER, "which page of options is shown, of how many"),
        Field("plays", (4,), NUMBER, "plays left this turn: minion, action, either, titan"),
        Field("stacks", (3,), NUMBER, "cards in base deck, base discard pile, Madness deck"),
        Field("seats", (players, len(SEAT_COLUMNS)), NUMBER, "a row a seat, yours first"),
        Field(
            "bases",
            (BASES, len(BASE_COLUMNS) + len(BASE_SEAT_COLUMNS) * players),
            NUMBER,
            "a row a base",
        ),
    )


def unflatten(vector: NDArray[np.float32], players: int) -> dict[str, NDArray[np.float32]]:
    """Split the flat vector ``observation`` into named, shaped views.

    Batches keep their leading dimensions.
    """
    parts: dict[str, NDArray[np.float32]] = {}
    at = 0
    for field in table_fields(players):
        part = vector[..., at : at + field.size]
        parts[field.name] = part.reshape(*vector.shape[:-1], *field.shape)
        at += field.size
    return parts
