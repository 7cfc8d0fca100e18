"""The members of the objects that abilities receive, read from the card API."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Final

from smashup.engine.card_api import Base, Card, Player
from smashup.engine.card_api.old_names import (
    OLD_BASE_MEMBERS,
    OLD_CARD_MEMBERS,
    OLD_PLAYER_MEMBERS,
)
from smashup.engine.model.definitions import CardDefinition
from smashup.engine.model.events import Cause, Event
from smashup.engine.model.hooks import METHODS

HANDLES: Final[dict[str, type]] = {
    "Card": Card, "Base": Base, "Player": Player, "Event": Event, "Cause": Cause,
}  # fmt: skip
OLD_MEMBERS: Final = {
    "Card": OLD_CARD_MEMBERS, "Base": OLD_BASE_MEMBERS, "Player": OLD_PLAYER_MEMBERS,
}  # fmt: skip
ASKING: Final = frozenset(
    {"choose", "choose_base", "choose_mode", "choose_player", "choose_some", "discard_from_hand",
     "let_move", "may", "may_discard", "may_target", "name_card", "name_faction", "target"}
)  # fmt: skip
ACTING: Final = frozenset(
    {"after_replacement_do", "arrange_base_deck", "at_end_of_turn", "at_start_of_next_turn",
     "bring_extra_base", "bury", "cancel_abilities", "cannot_play", "clear", "copy_ability",
     "destroy", "discard", "discard_random", "draw", "draw_from_discard_pile", "extra_action",
     "extra_action_this_turn", "extra_card", "extra_minion", "forbid_actions",
     "forbid_actions_next_turn", "forbid_extra_plays", "forbid_moves", "gain_power",
     "gain_power_at", "gain_vp", "give", "give_control", "goes_to", "keep_or_play", "look_at",
     "look_at_base_deck", "look_at_deck", "lose_abilities", "mark_has_used", "mark_unused",
     "mark_used", "move", "move_to_or_from_here", "move_together", "note_faction", "pick_random",
     "place_counters", "play", "play_base", "play_off_top", "play_one_of", "put", "put_back",
     "put_top_base_on_bottom", "reduce_breakpoint", "remove_counters", "return_to_hand",
     "reveal_from_deck", "reveal_until", "search", "search_base_deck", "search_copies",
     "search_piles", "set_next_base", "shelter_minions", "show", "shuffle_deck", "swap_base",
     "swap_with", "take_control", "take_extra_turn", "transfer", "transfer_counters",
     "turn_top_base_down", "unmark_used"}
)  # fmt: skip
"""Verbs that change the table: queries and conditions must not use them."""
WITHOUT_EFFECT: Final = frozenset(
    {"actions", "actions_in_play", "bases", "cards", "cards_in_play", "choose", "choose_base",
     "choose_mode", "choose_player", "choose_some", "deck_cards", "discard_pile", "discarded",
     "hand", "has_minion_of", "has_used", "is_here", "is_in", "is_named", "may", "may_target",
     "minion_here", "minions", "other_bases", "owns", "power_of", "target", "titans_in_play",
     "used_this_turn"}
)  # fmt: skip
"""Questions and queries that change nothing by themselves."""
MAY_ACT: Final = frozenset(
    {"on_play", "talent", "delayed_effect", "on_granted_play", "instead_of_discard",
     "instead_of_leaving", "prevents", "redirects", "transfers_when_host_leaves", "on_score",
     "before_score"}
) | {name for name in METHODS if name.startswith(("after_", "start_of_", "end_of_"))}  # fmt: skip
"""Abilities that act; all others are queries and conditions."""


def members(handle: str) -> set[str]:
    """The public names of a type that abilities receive."""
    cls = HANDLES[handle]
    names = set(dir(cls)) | set(getattr(cls, "__annotations__", {}))
    if cls is Event:
        names.add("hook")
    return {name for name in names if not name.startswith("_")} - {"table"}


def is_method(handle: str, name: str) -> bool:
    """Whether a member has to be called."""
    return inspect.isroutine(inspect.getattr_static(HANDLES[handle], name, None))


def can_set(handle: str, name: str) -> bool:
    """Whether abilities may assign to a member."""
    member = getattr(HANDLES[handle], name, None)
    return isinstance(member, property) and member.fset is not None


def member_type(handle: str, name: str) -> str:
    """The type of a member or of what a method returns, as annotated; "" if unknown."""
    cls = HANDLES[handle]
    member: Any = inspect.getattr_static(cls, name, None)
    if isinstance(member, property):
        member = member.fget
    if callable(member):
        return plain_type(getattr(member, "__annotations__", {}).get("return", ""))
    return plain_type(getattr(cls, "__annotations__", {}).get(name, ""))


def plain_type(annotation: object) -> str:
    """``Card`` for ``Card | None``, ``list[Card]`` for a list; "" for anything else."""
    text = str(annotation).replace(" | None", "").strip()
    inner = text.removeprefix("list[").removesuffix("]")
    return text if inner in HANDLES or text == "CardDefinition" else ""


def parameter_types(ability: str) -> list[str]:
    """The types of the parameters after ``self`` that the engine calls an ability with."""
    method: Callable[..., Any] | None = getattr(CardDefinition, ability, None)
    try:
        parameters = list(inspect.signature(method).parameters.values()) if method else []
    except (TypeError, ValueError):
        return []
    return [plain_type(p.annotation) for p in parameters[1:]]
