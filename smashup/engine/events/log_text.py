"""The log in English: the text of each event, by its id and variant.

Other languages translate the same sentences. Events that are not listed here are not logged.
"""

from __future__ import annotations

from string import Formatter
from typing import TYPE_CHECKING, Any, Final

from smashup.engine.model.constants import BURIED, DECK, HAND, NONE
from smashup.engine.model.messages import Message, Name, faction_name, player_name

if TYPE_CHECKING:
    from smashup.engine.events.base import GameEvent
    from smashup.engine.model.table import Table


class Wording:
    """The English texts of an event."""

    __slots__ = ("caused", "gaps", "one", "text")

    def __init__(self, text: str, *, caused: str = "", one: str = "") -> None:
        self.text = text
        self.caused = caused
        """The text if a card did it."""
        self.one = one
        """The text for one counter or one winner."""
        self.gaps = [gap for _, gap, _, _ in Formatter().parse(text + one) if gap]


WORDINGS: Final = {
    # setting up
    "faction_drafted": Wording("{player} takes {faction}."),
    "mulligan_taken": Wording("{player} has no minion and shows {cards}."),
    # the turn
    "turn_started": Wording("Turn {turn}: {player}."),
    "madness_counted": Wording(
        "{player} has {count} Madness cards: -{amount} VP.",
        one="{player} has a single Madness card, which costs nothing.",
    ),
    "game_over": Wording("{winners} win!", one="{winners} wins!"),
    "cards_drawn": Wording("{player} draws {cards}."),
    "cards_discarded": Wording(
        "{player} discards {cards}.", caused="{player} discards {cards} because of {cause}."
    ),
    "cards_discarded.hand_limit": Wording("{player} discards {cards} down to the hand limit."),
    "card_discarded_to_owner": Wording("{card} goes to {player}'s discard pile."),
    # playing
    "card_played": Wording("{player} plays {card}."),
    "card_played.at_base": Wording("{player} plays {card} at {base}."),
    "card_played.on_card": Wording("{player} plays {card} on {host} at {base}."),
    "talent_used": Wording("{player} uses the talent of {card}."),
    "action_swapped": Wording("{card} takes the place of {host}."),
    "faction_named": Wording("{player} names {faction}."),
    "actions_forbidden": Wording("{player} cannot play actions for now."),
    "actions_forbidden.next_turn": Wording("{player} cannot play actions on their next turn."),
    "moves_forbidden": Wording("{player} cannot move minions for now."),
    "card_buried": Wording("{player} buries {card} at {base}."),
    # bases
    "base_played": Wording("{base} comes into play."),
    "base_destroyed": Wording("{base} is destroyed.", caused="{cause} destroys {base}."),
    "breakpoint_changed": Wording("The breakpoint of {base} changes by {amount}."),
    "titans_clashed": Wording("Titans clash at {base}: {player} has the most power."),
    "base_scoring": Wording("{base} scores: {total} power, breakpoint {breakpoint}."),
    "place_awarded.first": Wording("{player} wins {base} with {total} power: {amount} VP."),
    "place_awarded.second": Wording(
        "{player} comes second at {base} with {total} power: {amount} VP."
    ),
    "place_awarded.third": Wording(
        "{player} comes third at {base} with {total} power: {amount} VP."
    ),
    # power, counters, control, VP
    "power_changed.gained": Wording("{card} gains +{amount} power."),
    "power_changed.lost": Wording("{card} has {amount} power."),
    "player_power_changed": Wording("{player} gains +{amount} power at {base}."),
    "counters_added": Wording(
        "{card} gets {count} +1 power counters.", one="{card} gets a +1 power counter."
    ),
    "counters_removed": Wording(
        "{card} loses {count} +1 power counters.", one="{card} loses a +1 power counter."
    ),
    "counters_cleared": Wording("{card} loses its counters."),
    "counters_transferred": Wording(
        "{count} +1 power counters go from {origin} to {card}.",
        one="A +1 power counter goes from {origin} to {card}.",
    ),
    "control_changed": Wording("{player} takes control of {card}."),
    "control_made_lasting": Wording("{player} takes control of {card}."),
    "victory_points_gained": Wording("{player} gains {amount} VP."),
    "victory_points_lost": Wording("{player} loses {amount} VP."),
    # moving
    "card_moved": Wording(
        "{card} moves from {origin} to {base}.",
        caused="{cause} moves {card} from {origin} to {base}.",
    ),
    "move_prevented": Wording("{card} cannot be moved."),
    "card_transferred": Wording(
        "{card} is transferred to {host}.", caused="{cause} transfers {card} to {host}."
    ),
    # leaving play
    "leaving_prevented": Wording("{card} is protected."),
    "attachment_rejected": Wording("{host} is not affected by {card}."),
    "card_leaves_play.destroyed": Wording(
        "{card} is destroyed.", caused="{cause} destroys {card}."
    ),
    "card_leaves_play.discarded": Wording(
        "{card} is discarded.", caused="{cause} discards {card}."
    ),
    "card_leaves_play.discarded_from_base": Wording("{card} is discarded from {base}."),
    "card_leaves_play.discarded_with_host": Wording("{card} is discarded with {host}."),
    "card_leaves_play.returned": Wording(
        "{card} returns to {player}'s hand.",
        caused="{cause} returns {card} to {player}'s hand.",
    ),
    "card_leaves_play.to_hand": Wording(
        "{card} goes to {player}'s hand.", caused="{cause} puts {card} into {player}'s hand."
    ),
    "card_leaves_play.to_deck_top": Wording(
        "{card} goes on top of {player}'s deck.",
        caused="{cause} puts {card} on top of {player}'s deck.",
    ),
    "card_leaves_play.to_deck_bottom": Wording(
        "{card} goes to the bottom of {player}'s deck.",
        caused="{cause} puts {card} on the bottom of {player}'s deck.",
    ),
    "card_leaves_play.shuffled_into_deck": Wording(
        "{card} is shuffled into {player}'s deck.",
        caused="{cause} shuffles {card} into {player}'s deck.",
    ),
    "card_leaves_play.set_aside": Wording(
        "{card} is set aside.", caused="{cause} sets {card} aside."
    ),
    "card_leaves_play.removed": Wording("{card} leaves the game."),
    # cards that are not in play
    "card_placed.taken": Wording("{player} takes {card} into hand."),
    "card_placed.to_hand": Wording("{card} goes to {player}'s hand."),
    "card_placed.to_deck_top": Wording("{card} goes on top of {player}'s deck."),
    "card_placed.to_deck_bottom": Wording("{card} goes to the bottom of {player}'s deck."),
    "card_placed.shuffled_into_deck": Wording("{card} is shuffled into {player}'s deck."),
    "card_placed.to_madness_deck": Wording("{card} goes back to the Madness deck."),
    "card_placed.removed": Wording("{card} leaves the game."),
    "card_given": Wording("{player} puts {card} into {other}'s hand."),
    # decks and hidden cards
    "shuffle_announced": Wording("{player} shuffles their deck."),
    "deck_refilled": Wording("{player} shuffles the discard pile into a new deck."),
    "cards_seen.revealed": Wording("{player} reveals {cards}."),
    "cards_seen.looked_at": Wording("{player} looks at {cards}."),
    "cards_seen.revealed_from_deck": Wording("{player} reveals {cards} from {other}'s deck."),
    "cards_seen.looked_at_from_deck": Wording("{player} looks at {cards} from {other}'s deck."),
    "hand_seen": Wording("{player} looks at {other}'s hand: {cards}."),
    "deck_searched.nothing_found": Wording("{player} searches their deck and finds nothing."),
    "deck_searched.revealed": Wording("{player} searches their deck and reveals {card}."),
    "deck_searched.taken_out": Wording("{player} searches their deck and takes out {card}."),
}  # fmt: skip


def line_of(table: Table, event: GameEvent) -> Message | None:
    """Return the log text of an event that happens now; None if it is not logged."""
    wording = WORDINGS.get(event.line_id)
    if wording is None:
        return None
    args = {gap: _name(table, event, gap) for gap in wording.gaps}
    text = wording.text
    if wording.one and _is_one(args):
        text = wording.one
    if wording.caused and event.names_cause:
        cause = describe_cause(table, event)
        if cause is not None:
            text = wording.caused
            args["cause"] = cause
    return Message(text, args)


def _is_one(args: dict[str, Any]) -> bool:
    winners = args.get("winners")
    return args["count"] == 1 if winners is None else len(winners) == 1


def _name(table: Table, event: GameEvent, gap: str) -> Any:
    """Return the value of a placeholder: the name of what the field of that name refers to."""
    value: Any = getattr(event, gap)
    if gap in ("card", "host") or (gap == "origin" and event.id == "counters_transferred"):
        return table.name(value)
    if gap == "cards":
        return [table.name(c) for c in value]
    if gap in ("player", "other"):
        return player_name(value)
    if gap == "winners":
        return [player_name(p) for p in value]
    if gap in ("base", "origin"):
        return table.base_name(value)
    if gap == "faction":
        return faction_name(table, value)
    return value


def describe_cause(table: Table, event: GameEvent) -> Message | None:
    """The card that did it; None for the rules, or for what a card does to itself.

    Its controller is named on another player's turn. It is a message of its own, so that a
    line about a hidden card still says what moved it.
    """
    c = event.cause
    if c in (NONE, getattr(event, "card", NONE)):
        return None
    s = table.state
    zone = s.zone[c]
    if zone == BURIED:
        return None
    name = Name("card", NONE if zone in (HAND, DECK) else c, s.definition[c].name)
    controller = table.resolutions[-1].cause.controller
    if controller in (NONE, s.current):
        return Message("{card}", {"card": name})
    return Message("{card} ({player})", {"card": name, "player": player_name(controller)})
