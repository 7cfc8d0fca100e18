"""Find the card that raised an error, for messages to players and authors."""

from __future__ import annotations

import traceback

from smashup.engine.errors import CardFailure
from smashup.engine.model.definitions import CardDefinition
from smashup.engine.model.messages import Message

FROM_HAND = frozenset(
    {"can_play_as_special", "special_bases", "special_hosts", "can_play_at", "can_attach_to"}
)
"""Abilities of cards in hand: an error must not name a card that other players may not see."""


def explain_failure(error: Exception) -> CardFailure | None:
    """Return an error that names the card, ability, file and line; None if no card raised it."""
    found: tuple[CardDefinition, str, str, int] | None = None
    for frame, line in traceback.walk_tb(error.__traceback__):
        owner = frame.f_locals.get("self")
        if isinstance(owner, CardDefinition):
            found = (owner, frame.f_code.co_name, frame.f_code.co_filename, line)
    if found is None:
        return None
    definition, ability, file, line = found
    reason = f"{type(error).__name__}: {error}".rstrip(": .")
    failure = CardFailure(
        "The card {card} failed in {ability} ({file}, line {line}): {reason}.",
        card=definition.name,
        ability=ability,
        file=file,
        line=line,
        reason=reason,
    )
    failure.public_message = (
        Message(
            "A card of {faction} failed; the choice was undone.", {"faction": definition.faction}
        )
        if ability in FROM_HAND
        else Message("The card {card} failed; the choice was undone.", {"card": definition.name})
    )
    return failure
