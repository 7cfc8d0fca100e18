"""The five rulebooks as data: an `Edition` says how its booklet differs from the others.

Each rule reads the field it depends on; no other code asks which edition is played.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

OWN_DISCARDS: Final = "discards"
"""Owner routing: only discarded cards go to their owner (Science Fiction Double Feature)."""
OWN_CARDS: Final = "every card"
"""Owner routing: every card that goes to a hand, deck or discard pile goes to its owner's (Cease
and Desist)."""
OWN_VISIBLE_CARDS: Final = "visible cards"
"""Owner routing: cards that others can see go to their owner's zones (from Big in Japan on)."""


@dataclass(frozen=True)
class Edition:
    """The rules of one rulebook where the five booklets disagree."""

    key: str
    """Short name used in setups, saves and scenarios (``CS``)."""
    title: str
    year: int

    bases_of_chosen_sets: bool
    """Setup: only the sets of the chosen factions provide bases (2014: every base owned)."""
    mulligan_optional: bool
    """Setup: an opening hand without minions *may* be replaced (2014: it is)."""
    mulligan_into_deck: bool
    """Setup: the rejected hand is shuffled into the deck after the new draw (before: discarded)."""
    draft_pool: int
    """Kickin' It Queensberry: factions on offer; 0 means two per player."""
    titans: bool
    """Titans exist from Big in Japan on."""

    reshuffle_to_look: bool
    """An empty deck is refilled to search or look as well (2014: only to draw or reveal)."""
    stop_when_deck_runs_out: bool
    """Revealing until a card turns up ends when the deck is empty (Culture Shock p. 10); before,
    the discard pile is shuffled in once."""
    search_reveals_and_shuffles: bool
    """The card found in a search is revealed and the deck shuffled afterwards, by rule (from 2017).
    Before, that happens only if a card says so, and the player who searched knows the deck
    order."""
    power_and_control_affect: bool
    """A change of power or controller affects a card, as moving, returning, destroying it and
    attaching cards to it do (2014: it does not, so "not affected" does not prevent it)."""
    win_check_in_scoring: bool
    """2014 checks for 15 VP at the end of the Score Bases phase, later booklets at End Turn."""
    during_means_play_cards: bool
    """"During your turn" is the Play Cards phase too (International Incident only)."""

    on_turn_means_once: bool
    """What one may do "on your turn" can be done once a turn, unless the text says otherwise."""

    owner_routing: str
    """Which cards go to their owner's hand or deck instead of another player's (`OWN_*`).

    A discarded card always goes to its owner's discard pile.
    """

    nested_first: bool
    """A card played inside another settles its own triggers before the outer one goes on.

    Big in Japan's step 2 ("finish resolving other cards") makes them wait; the interrupt
    paragraph of 2019 and the plain four steps of 2016 do not.
    """
    extra_at_once: bool
    """An extra card may always be played at once, while the card that grants it resolves (2019)."""
    in_play_first: bool
    """Me First: abilities in play come before Specials from hand (from 2016)."""
    only_first_chooses_base: bool
    """Of players tied for an ability that makes no sense twice, only the first uses it (2019)."""

    minions_only: bool
    """Only minions count toward the breakpoint, and VP need a minion (until 2016)."""
    base_reshuffle: bool
    """An empty base deck is refilled from the base discard pile (2014: no replacement)."""
    madness_ties_shared: bool
    """Players still tied after counting Madness share the win (from 2016)."""


SERIES_B: Final = Edition(
    key="SB",
    title="Science Fiction Double Feature",
    year=2014,
    bases_of_chosen_sets=False,
    mulligan_optional=False,
    mulligan_into_deck=False,
    draft_pool=8,
    titans=False,
    reshuffle_to_look=False,
    stop_when_deck_runs_out=False,
    search_reveals_and_shuffles=False,
    power_and_control_affect=False,
    win_check_in_scoring=True,
    during_means_play_cards=False,
    on_turn_means_once=False,
    owner_routing=OWN_DISCARDS,
    nested_first=True,
    extra_at_once=False,
    in_play_first=False,
    only_first_chooses_base=False,
    minions_only=True,
    base_reshuffle=False,
    madness_ties_shared=False,
)
CEASE_AND_DESIST: Final = Edition(
    key="CD",
    title="Cease and Desist",
    year=2016,
    bases_of_chosen_sets=True,
    mulligan_optional=True,
    mulligan_into_deck=False,
    draft_pool=0,
    titans=False,
    reshuffle_to_look=True,
    stop_when_deck_runs_out=False,
    search_reveals_and_shuffles=False,
    power_and_control_affect=True,
    win_check_in_scoring=False,
    during_means_play_cards=False,
    on_turn_means_once=False,
    owner_routing=OWN_CARDS,
    nested_first=True,
    extra_at_once=False,
    in_play_first=True,
    only_first_chooses_base=False,
    minions_only=True,
    base_reshuffle=True,
    madness_ties_shared=True,
)
BIG_IN_JAPAN: Final = Edition(
    key="BIJ",
    title="Big in Japan",
    year=2017,
    bases_of_chosen_sets=True,
    mulligan_optional=True,
    mulligan_into_deck=False,
    draft_pool=0,
    titans=True,
    reshuffle_to_look=True,
    stop_when_deck_runs_out=False,
    search_reveals_and_shuffles=True,
    power_and_control_affect=True,
    win_check_in_scoring=False,
    during_means_play_cards=False,
    on_turn_means_once=False,
    owner_routing=OWN_VISIBLE_CARDS,
    nested_first=False,
    extra_at_once=False,
    in_play_first=True,
    only_first_chooses_base=False,
    minions_only=False,
    base_reshuffle=True,
    madness_ties_shared=True,
)
INTERNATIONAL_INCIDENT: Final = Edition(
    key="II",
    title="International Incident",
    year=2019,
    bases_of_chosen_sets=True,
    mulligan_optional=True,
    mulligan_into_deck=False,
    draft_pool=0,
    titans=True,
    reshuffle_to_look=True,
    stop_when_deck_runs_out=False,
    search_reveals_and_shuffles=True,
    power_and_control_affect=True,
    win_check_in_scoring=False,
    during_means_play_cards=True,
    on_turn_means_once=True,
    owner_routing=OWN_VISIBLE_CARDS,
    nested_first=True,
    extra_at_once=True,
    in_play_first=True,
    only_first_chooses_base=True,
    minions_only=False,
    base_reshuffle=True,
    madness_ties_shared=True,
)
CULTURE_SHOCK: Final = Edition(
    key="CS",
    title="Culture Shock",
    year=2019,
    bases_of_chosen_sets=True,
    mulligan_optional=True,
    mulligan_into_deck=True,
    draft_pool=0,
    titans=True,
    reshuffle_to_look=True,
    stop_when_deck_runs_out=True,
    search_reveals_and_shuffles=True,
    power_and_control_affect=True,
    win_check_in_scoring=False,
    during_means_play_cards=False,
    on_turn_means_once=True,
    owner_routing=OWN_VISIBLE_CARDS,
    nested_first=True,
    extra_at_once=True,
    in_play_first=True,
    only_first_chooses_base=True,
    minions_only=False,
    base_reshuffle=True,
    madness_ties_shared=True,
)

EDITIONS: Final[dict[str, Edition]] = {
    e.key: e
    for e in (SERIES_B, CEASE_AND_DESIST, BIG_IN_JAPAN, INTERNATIONAL_INCIDENT, CULTURE_SHOCK)
}
DEFAULT_EDITION: Final = CULTURE_SHOCK
