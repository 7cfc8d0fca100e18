"""Validates negative checks: ruling out something impossible would prove nothing."""

from __future__ import annotations

import re
from typing import Final

from smashup.engine.game import Game
from smashup.engine.model.catalogue import PRINTINGS
from smashup.engine.model.constants import ACTION, BASE, MINION, NONE, ON_BASE, ON_MINION
from smashup.engine.model.decisions import FACTIONS, WORDS
from smashup.engine.model.definitions import CardDefinition
from smashup.engine.model.hooks import Hook
from smashup.scenarios.errors import ScenarioError, suggestion
from smashup.scenarios.options import AS_ACTION, CARDLESS_MOVES, DECLINE_WORDS
from smashup.scenarios.references import (
    Reference,
    card_names,
    has_name,
    is_card_name,
    parse_player,
    parse_reference,
)
from smashup.scenarios.table.director import director_of

H_AFTER_SCORE: Final = Hook.AFTER_SCORE.value
H_BEFORE_SCORE: Final = Hook.BEFORE_SCORE.value
H_DELAYED_EFFECT: Final = Hook.DELAYED_EFFECT.value
H_ON_PLAY: Final = Hook.ON_PLAY.value
H_PLAYS_FROM_DISCARD: Final = Hook.PLAYS_FROM_DISCARD.value
H_GRANTS_PLAY: Final = Hook.GRANTS_PLAY.value
H_START_OF_TURN: Final = Hook.START_OF_TURN.value
H_TALENT: Final = Hook.TALENT.value


def check_refers_to_something(game: Game, text: str) -> None:
    """Check that a ruled-out option names existing things: a typo would always pass."""
    rest = text.strip()
    lower = rest.casefold()
    if lower in CARDLESS_MOVES or lower in DECLINE_WORDS or lower in ("yes", "no"):
        return
    if _is_player(lower):
        parse_player(rest.upper(), game.table.num_players)
        return
    for verb in ("play ", "talent ", "use "):
        if lower.startswith(verb):
            named = re.sub(r" #\d+$", "", rest[len(verb) :])
            if named.endswith(AS_ACTION):
                named = _fusion_name(game, text, named.removesuffix(AS_ACTION))
            if not _is_known_move(game, named):
                raise _unknown_name_error(game, text, named)
            if verb == "talent " and not _has_ability(game, verb, named):
                raise ScenarioError("“{text}”: that card has no talent.", text=text)
            if verb == "use " and not _has_ability(game, verb, named):
                raise ScenarioError("“{text}”: that card has no Special to use.", text=text)
            if verb == "play " and not _has_place(game, named):
                raise ScenarioError(
                    "“{text}”: the card is never played at such a place.", text=text
                )
            _check_details(game, text, verb, named)
            return
    reference = parse_reference(game, rest)
    decision = game.decision
    if decision is not None and decision.kind in (WORDS, FACTIONS):
        return  # an option may say anything
    if not is_card_name(game, reference.name) and not _is_known_move(game, rest):
        raise _unknown_name_error(game, text, reference.name)
    if not is_card_name(game, reference.name):
        _check_details(game, text, "play ", re.sub(r" #\d+$", "", rest))
        return
    _check_player(game, text, reference)
    cards = sum(_could_match(game, reference, c) for c in range(len(game.table.state.definition)))
    abilities = sum(
        _could_match(game, reference, ability.card) for ability in game.table.state.abilities
    )
    _check_number(text, max(cards, abilities))


def _fusion_name(game: Game, text: str, name: str) -> str:
    """Return the name of a card that may be played as an action, not as a minion."""
    if any(definition.fused_action is None for definition in _definitions(game, name)):
        raise ScenarioError("“{text}”: that is not a fusion card.", text=text)
    return name


def _check_details(game: Game, text: str, verb: str, named: str) -> None:
    """Check that the player, the number and the “by” of a text could occur in a move."""
    card, place, by = _split_move(game, named)
    cards = range(len(game.table.state.definition))
    if verb != "play ":
        reference = parse_reference(game, named[: -len(f" by {by}")] if by else named)
        if by and not _could_grant_ability(game, verb, by):
            raise ScenarioError("“{text}”: {card} grants no talent.", text=text, card=by)
        _check_player(game, text, reference)
        _check_number(text, sum(_could_match(game, reference, c) for c in cards))
        return
    if match := re.match(r"P[1-4](?:'s)? ", card):
        raise ScenarioError(
            "“{text}”: name a card to play without “{player}”.",
            text=text,
            player=match[0].strip(),
        )
    if not (kinds := _definitions(game, card)):
        raise _unknown_name_error(game, text, named)
    if by and by.casefold() != "rule" and not _could_grant_plays(game, by):
        raise ScenarioError(
            "“{text}”: {card} does not let a player play a card.", text=text, card=by
        )
    copies = sum(has_name(game, c, card) for c in cards)
    if not place:
        places = max(_count_places(game, definition) for definition in kinds)
    else:
        reference = parse_reference(game, place)
        _check_player(game, text, reference)
        places = sum(_could_match(game, reference, c) for c in cards)
    _check_number(text, copies * places)


def _split_move(game: Game, text: str) -> tuple[str, str, str]:
    """Split a move such as “Cloak on V3 by Squire” into card, place and source (or "")."""
    rest, by = text.strip(), ""
    for found in reversed(list(re.finditer(" by ", rest))):
        giver = rest[found.end() :]
        is_giver = giver.casefold() == "rule" or is_card_name(game, giver)
        if is_giver and _is_known_move(game, rest[: found.start()]):
            rest, by = rest[: found.start()], giver
            break
    for joint in re.finditer(r" (at|on) ", rest):
        if _definitions(game, re.sub(r"^P[1-4](?:'s)? ", "", rest[: joint.start()])):
            return rest[: joint.start()], rest[joint.end() :], by
    return rest, "", by


def _could_match(game: Game, reference: Reference, c: int) -> bool:
    """Whether a card could match a reference if it were at the named place."""
    s = game.table.state
    if not has_name(game, c, reference.name):
        return False
    if not reference.player:
        return True
    return parse_player(reference.player, game.table.num_players) in (s.controller[c], s.owner[c])


def _check_player(game: Game, text: str, reference: Reference) -> None:
    if not any(_could_match(game, reference, c) for c in range(len(game.table.state.definition))):
        raise ScenarioError(
            "“{text}”: {player} has no card of that name.", text=text, player=reference.player
        )


def _check_number(text: str, count: int) -> None:
    match = _NUMBER.search(text.strip())
    if match is None or 0 < int(match[1]) <= count:
        return
    if count == 1:
        raise ScenarioError("“{text}”: there is only one, which is #1.", text=text)
    raise ScenarioError("“{text}”: numbers go from 1 to {count} here.", text=text, count=count)


def _count_places(game: Game, definition: CardDefinition) -> int:
    """Count the places where a card could be played."""
    if definition.type == ACTION and definition.played_on == ON_MINION:
        return sum(k.type == MINION for k in game.table.state.definition)
    if definition.type == ACTION and definition.played_on != ON_BASE:
        return 1
    return sum(k.type == BASE for k in game.table.state.definition)


def _could_grant_ability(game: Game, verb: str, granter: str) -> bool:
    """Whether a card of this name could grant such an ability to the minion it is on."""
    for definition in _definitions(game, granter):
        granted = definition.grants_to_host
        if definition.copies_abilities or (
            granted is not None and granted.hooks & _HOOKS_BY_VERB[verb]
        ):
            return True
    return False


def _could_grant_plays(game: Game, giver: str) -> bool:
    """Whether a card of this name has an ability that could let a player play a card."""
    for definition in _definitions(game, giver):
        if (
            definition.copies_abilities
            or (definition.hooks | definition.aside_hooks) & _ACTIVE_HOOKS
        ):
            return True
    return any(
        right.source_card != NONE and has_name(game, right.source_card, giver)
        for right in game.table.state.permissions
    )


def _unknown_name_error(game: Game, text: str, name: str) -> ScenarioError:
    names = card_names(game, list(range(len(game.table.state.definition))))
    return ScenarioError(
        "“{text}” names no card of this game.{proposal}",
        text=text,
        proposal=suggestion(re.split(" at | on | by ", name)[0], names),
    )


_NUMBER: Final = re.compile(r" #(\d+)$")
_ACTIVE_HOOKS: Final = (
    1 << H_ON_PLAY
    | 1 << H_TALENT
    | 1 << H_PLAYS_FROM_DISCARD
    | 1 << H_GRANTS_PLAY
    | sum(1 << hook for hook in range(H_START_OF_TURN, H_DELAYED_EFFECT + 1))
)
"""Hooks of abilities that do or allow something; other hooks only modify values."""
_HOOKS_BY_VERB: Final = {
    "talent ": 1 << H_TALENT,
    "use ": 1 << H_TALENT | 1 << H_BEFORE_SCORE | 1 << H_AFTER_SCORE,
}
"""The hooks of abilities that a step with this verb can use."""


def _has_ability(game: Game, verb: str, text: str) -> bool:
    """Whether a card that a text names could have such an ability: in either printing, by copying
    another card's, or because it had one earlier in the scenario ("by" some card, perhaps)."""
    _, by, granter = text.rpartition(" by ")
    if by and is_card_name(game, granter):
        return True  # see `_check_details`
    wanted = parse_reference(game, text).name
    if any(
        definition.hooks & _HOOKS_BY_VERB[verb] or definition.copies_abilities
        for definition in _definitions(game, wanted)
    ):
        return True
    talented = {
        ability.card
        for ability in game.table.state.abilities
        if ability.definition.hooks & _HOOKS_BY_VERB[verb]
    }
    talented |= director_of(game).talented
    return any(has_name(game, c, wanted) for c in talented)


def _has_place(game: Game, text: str) -> bool:
    """Whether a card of this name can be played at the kind of place a text names."""
    kinds = game.table.state.definition
    rest = re.sub(r" by (?!.* by ).*$", "", text.strip())
    for joint in re.finditer(r" (at|on) ", rest):
        found = _definitions(game, rest[: joint.start()])
        if not found:
            continue
        place = rest[joint.end() :]
        on_base = any(k.type == BASE and has_name(game, c, place) for c, k in enumerate(kinds))
        return any(
            (definition.played_on == ON_BASE if on_base else definition.played_on == ON_MINION)
            if definition.type == ACTION
            else on_base
            for definition in found
        )
    return True


def _definitions(game: Game, name: str) -> list[CardDefinition]:
    """Definitions with this name, in this game and in both printings."""
    found = {
        game.table.state.definition[c]
        for c in range(len(game.table.state.definition))
        if has_name(game, c, name)
    }
    names = {definition.name for definition in found}
    others = [k for printing in PRINTINGS for k in game.catalogue.definitions(printing)]
    return [
        *found,
        *(definition for definition in others if names & {definition.name, definition.other_name}),
    ]


def _is_player(text: str) -> bool:
    return re.fullmatch(r"p[1-4]", text) is not None


def _is_known_move(game: Game, text: str) -> bool:
    """Whether a text is a known card, optionally “at”, “on” or “by” known things."""
    rest = re.sub(r"^P[1-4](?:'s)? | #\d+$", "", text.strip())
    if is_card_name(game, rest, bases=False):
        return True
    for joint in (" by ", " at ", " on "):
        for found in re.finditer(joint, rest):
            left, right = rest[: found.start()], rest[found.end() :]
            ends = right == "rule" or is_card_name(game, parse_reference(game, right).name)
            if ends and _is_known_move(game, left):
                return True
    return False
