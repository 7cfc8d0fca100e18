"""The definition of an observation, field by field.

The encoder fills these fields, the spaces are built from them, and a test compares the tables of
docs/research.md with them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, Final

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

CARD_SCALE: Final = 4096.0
"""Normalized card ids are multiples of 1/4096; fixed, so that other factions can be added."""
FACTION_SCALE: Final = 256.0
PURPOSE_SCALE: Final = 64.0
ROW_SCALE: Final = 256.0

NUMBER: Final = "number"
FLAG: Final = "flag"
ID: Final = "id"


@dataclass(frozen=True)
class Field:
    """A part of an observation: name, shape, kind of values, description and scale."""

    name: str
    shape: tuple[int, ...]
    kind: str
    description: str
    scale: float = 1.0
    """What normalized observations divide the values by."""

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
SEAT_SCALES: Final = (15, 10, 40, 40, FACTION_SCALE, FACTION_SCALE, 10, 30, 2)
BASE_COLUMNS: Final = (
    "kind", "breakpoint", "total", "to_go", "vp_first", "vp_second", "vp_third", "counters",
    "scoring",
)  # fmt: skip
BASE_SCALES: Final = (CARD_SCALE, 30, 30, 30, 5, 5, 5, 5, 1)
BASE_SEAT_COLUMNS: Final = ("total", "minions", "vp_now")
"""Columns that follow for each seat in the row of a base."""
BASE_SEAT_SCALES: Final = (30, 10, 5)
CARD_COLUMNS: Final = (
    Field("kind", (), ID, "which card; 0 if it lies face down", CARD_SCALE),
    Field("zone", (), ID, "where it is, see below; 0 for an empty row", 16),
    Field("owner", (), ID, "1 you, 2 the next player clockwise, ...; 0 nobody or not known", 4),
    Field(
        "controller", (), ID, "the same; for a card in a hand, who holds it; else 0 out of play", 4
    ),
    Field("base", (), ID, "1 + the row in `bases` of the base it is at, 0 elsewhere", BASES),
    Field("host", (), ID, "1 + the row of the card it is on, 0 for none", ROW_SCALE),
    Field("power", (), NUMBER, "power now at a base, printed power elsewhere", 10),
    Field("counters", (), NUMBER, "+1 power counters", 5),
    Field("tokens", (), NUMBER, "other counters", 5),
    Field("depth", (), NUMBER, "in a deck: 1 for the top card, 2 for the next, ...", 40),
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
    Field("special", (), FLAG, "use the Special of the card"),
    Field("done", (), FLAG, "end the Play Cards phase"),
    Field("pass", (), FLAG, "pass, in a window for Specials"),
    Field("later", (), FLAG, "keep an extra play for later this turn"),
    Field("none", (), FLAG, "none of these: decline"),
    Field("pick_card", (), FLAG, "choose this card"),
    Field("pick_base", (), FLAG, "choose this base"),
    Field("pick_player", (), FLAG, "choose this player"),
    Field("pick_words", (), FLAG, "choose this sentence (such as Yes), see `mode`"),
    Field("pick_trigger", (), FLAG, "let this ability happen first"),
    Field("pick_faction", (), FLAG, "take this faction in the draft"),
    Field("more", (), FLAG, "see the next page of options"),
    Field("index", (), NUMBER, "position among all options of the decision", 128),
    Field("declines", (), FLAG, "says no, takes none or passes"),
    Field("mode", (), ID, "1 + the position of the sentence; 0 if it is no sentence", 8),
    Field("row", (), ID, "1 + the row in `cards` of the card it is about, 0 for none", ROW_SCALE),
    Field("kind", (), ID, "which card; 0 for none, or one that lies face down", CARD_SCALE),
    Field("minion", (), FLAG, "the card is a minion"),
    Field("action", (), FLAG, "the card is an action"),
    Field("titan", (), FLAG, "the card is a titan"),
    Field("printed", (), NUMBER, "the card's printed power", 10),
    Field("power", (), NUMBER, "its power now, if it is at a base; else the printed one", 10),
    Field("counters", (), NUMBER, "+1 power counters on it", 5),
    Field("mine", (), FLAG, "the card (or player) is yours"),
    Field("theirs", (), FLAG, "the card (or player) is another player's"),
    Field("in_play", (), FLAG, "the card is in play"),
    Field("in_hand", (), FLAG, "the card is in a hand"),
    Field("in_discard", (), FLAG, "the card is in a discard pile"),
    Field("elsewhere", (), FLAG, "the card is in a deck, aside or in limbo"),
    Field("extra", (), FLAG, "an extra play, not the normal one of the turn"),
    Field("on_card", (), FLAG, "played on a minion"),
    Field("host_mine", (), FLAG, "that minion is yours"),
    Field("host_power", (), NUMBER, "that minion's power", 10),
    Field("player", (), ID, "the player it is about: 1 you, 2 the next clockwise, ...", 4),
    Field("faction", (), ID, "the faction, in a draft", FACTION_SCALE),
    Field("base", (), ID, "1 + the row in `bases` of where it is or goes, 0 for none", BASES),
    Field("base_kind", (), ID, "which base that is", CARD_SCALE),
    Field("base_to_go", (), NUMBER, "power missing there until the base scores", 30),
    Field("base_total", (), NUMBER, "all power there", 30),
    Field("base_mine", (), NUMBER, "your power there", 30),
    Field("base_rival", (), NUMBER, "the most power another player has there", 30),
    Field("base_vp_now", (), NUMBER, "VP you would get if it scored now", 5),
    Field("base_vp_first", (), NUMBER, "VP for the first place there", 5),
    Field("adds", (), NUMBER, "power that playing the minion there adds (printed)", 10),
    Field("breaks", (), FLAG, "with that the base reaches its breakpoint"),
    Field("lead_after", (), NUMBER, "your power there with that, less the rival's", 30),
)


def card_rows(players: int) -> int:
    """Return the number of card rows: enough for every card a seat can know."""
    return 44 * players + 44


def table_fields(players: int) -> tuple[Field, ...]:
    """Return the parts of the flat vector ``observation``, in order."""
    kinds = ", ".join(OPTION_KINDS[1:])
    return (
        Field("turn", (1,), NUMBER, "number of the turn", 50),
        Field("phase", (len(PHASE_NAMES),), FLAG, f"one of {', '.join(PHASE_NAMES)}"),
        Field("current", (players,), FLAG, "whose turn it is"),
        Field("decider", (players,), FLAG, "who has to decide; all 0 when the game is over"),
        Field("decision", (len(OPTION_KINDS) - 1,), FLAG, f"what you choose: {kinds}"),
        Field("source", (1,), ID, "the card that asks you; 0 for the rules", CARD_SCALE),
        Field("purpose", (1,), ID, "what the decision is for, see below", PURPOSE_SCALE),
        Field(
            "step", (1,), NUMBER, "how many questions that card asked before, while it resolves", 8
        ),
        Field("picks", (3,), NUMBER, "of several picks: made so far, still at least, at most", 10),
        Field("options", (1,), NUMBER, "how many options you have, on all pages", 128),
        Field("page", (2,), NUMBER, "which page of options is shown, of how many", 4),
        Field("plays", (4,), NUMBER, "plays left this turn: minion, action, either, titan", 4),
        Field("stacks", (3,), NUMBER, "cards in base deck, base discard pile, Madness deck", 40),
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


def table_scales(players: int) -> NDArray[np.float32]:
    """Return what each number of ``observation`` is divided by when it is normalized."""
    columns = {
        "seats": SEAT_SCALES * players,
        "bases": (*BASE_SCALES, *(s for s in BASE_SEAT_SCALES for _ in range(players))) * BASES,
    }
    scales = [columns.get(f.name, (f.scale,) * f.size) for f in table_fields(players)]
    return np.array([scale for part in scales for scale in part], np.float32)


def column_scales(columns: Sequence[Field]) -> NDArray[np.float32]:
    """Return what the columns of ``cards`` or ``options`` are divided by when normalized."""
    return np.array([column.scale for column in columns], np.float32)


def normalize(values: NDArray[Any], scales: NDArray[np.float32]) -> NDArray[np.float32]:
    """Divide by the scales and limit to the range from -1 to 1."""
    scaled: NDArray[np.float32] = (values / scales).astype(np.float32)
    return scaled.clip(-1.0, 1.0)
