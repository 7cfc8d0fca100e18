"""What a step may rule out: what is impossible from the start would prove nothing."""

from __future__ import annotations

import re
from typing import Final

from smashup.engine.game import Game
from smashup.engine.model.catalogue import PRINTINGS
from smashup.engine.model.constants import ACTION, BASE, MINION, NONE, ON_BASE, ON_MINION
from smashup.engine.model.decisions import FACTIONS, WORDS
from smashup.engine.model.definitions import CardDefinition
from smashup.engine.model.hooks import Hook
from smashup.scenarios.director import director_of
from smashup.scenarios.errors import ScenarioError, did_you_mean
from smashup.scenarios.options import DECLINING, SIMPLE
from smashup.scenarios.references import (
    Reference,
    is_name,
    names_of,
    player_number,
    refer,
    same_name,
)

H_AFTER_SCORE: Final = Hook.AFTER_SCORE.value
H_BEFORE_SCORE: Final = Hook.BEFORE_SCORE.value
H_DELAYED_EFFECT: Final = Hook.DELAYED_EFFECT.value
H_ON_PLAY: Final = Hook.ON_PLAY.value
H_PLAYS_FROM_DISCARD: Final = Hook.PLAYS_FROM_DISCARD.value
H_GRANTS_PLAY: Final = Hook.GRANTS_PLAY.value
H_START_OF_TURN: Final = Hook.START_OF_TURN.value
H_TALENT: Final = Hook.TALENT.value


def check_named(game: Game, text: str) -> None:
    """Make sure that what must not be possible names something: a slip would always hold."""
    rest = text.strip()
    lower = rest.casefold()
    if lower in SIMPLE or lower in DECLINING or lower in ("yes", "no"):
        return
    if _is_player(lower):
        player_number(rest.upper(), game.table.num_players)
        return
    for verb in ("play ", "talent ", "use "):
        if lower.startswith(verb):
            named = re.sub(r" #\d+$", "", rest[len(verb) :])
            if not _names_a_move(game, named):
                raise _names_nothing(game, text, named)
            if verb == "talent " and not _has_ability(game, verb, named):
                raise ScenarioError("«{text}»: that card has no talent.", text=text)
            if verb == "use " and not _has_ability(game, verb, named):
                raise ScenarioError("«{text}»: that card has no Special to use.", text=text)
            if verb == "play " and not _has_place(game, named):
                raise ScenarioError(
                    "«{text}»: the card is never played at such a place.", text=text
                )
            _check_details(game, text, verb, named)
            return
    reference = refer(game, rest)
    decision = game.decision
    if decision is not None and decision.kind in (WORDS, FACTIONS):
        return  # an option may say anything
    if not is_name(game, reference.name) and not _names_a_move(game, rest):
        raise _names_nothing(game, text, reference.name)
    if not is_name(game, reference.name):
        _check_details(game, text, "play ", re.sub(r" #\d+$", "", rest))
        return
    _check_player(game, text, reference)
    cards = sum(_could_be(game, reference, c) for c in range(len(game.table.state.definition)))
    abilities = sum(
        _could_be(game, reference, source.card) for source in game.table.state.abilities
    )
    _check_number(text, max(cards, abilities))


def _check_details(game: Game, text: str, verb: str, named: str) -> None:
    """Make sure that a move with the player, the number and the «by» of a text could exist."""
    card, place, by = _split(game, named)
    cards = range(len(game.table.state.definition))
    if verb != "play ":
        reference = refer(game, named[: -len(f" by {by}")] if by else named)
        if by and not _lends(game, verb, by):
            raise ScenarioError("«{text}»: {card} lends no talent.", text=text, card=by)
        _check_player(game, text, reference)
        _check_number(text, sum(_could_be(game, reference, c) for c in cards))
        return
    if match := re.match(r"P[1-4](?:'s)? ", card):
        raise ScenarioError(
            "«{text}»: a card to play goes by its name alone, without «{player}».",
            text=text,
            player=match[0].strip(),
        )
    if not (kinds := _kinds(game, card)):
        raise _names_nothing(game, text, named)
    if by and by.casefold() != "rule" and not _gives_plays(game, by):
        raise ScenarioError("«{text}»: {card} lets nobody play a card.", text=text, card=by)
    copies = sum(same_name(game, c, card) for c in cards)
    if not place:
        places = max(_places(game, kind) for kind in kinds)
    else:
        reference = refer(game, place)
        _check_player(game, text, reference)
        places = sum(_could_be(game, reference, c) for c in cards)
    _check_number(text, copies * places)


def _split(game: Game, text: str) -> tuple[str, str, str]:
    """The card of a move, its place and who allows it: «Cloak on V3 by Squire»; perhaps empty."""
    rest, by = text.strip(), ""
    for found in reversed(list(re.finditer(" by ", rest))):
        giver = rest[found.end() :]
        is_giver = giver.casefold() == "rule" or is_name(game, giver)
        if is_giver and _names_a_move(game, rest[: found.start()]):
            rest, by = rest[: found.start()], giver
            break
    for joint in re.finditer(r" (at|on) ", rest):
        if _kinds(game, re.sub(r"^P[1-4](?:'s)? ", "", rest[: joint.start()])):
            return rest[: joint.start()], rest[joint.end() :], by
    return rest, "", by


def _could_be(game: Game, reference: Reference, c: int) -> bool:
    """Whether a card could be the one that is spoken of, once it is at the place that is named."""
    s = game.table.state
    if not same_name(game, c, reference.name):
        return False
    if not reference.player:
        return True
    return player_number(reference.player, game.table.num_players) in (s.controller[c], s.owner[c])


def _check_player(game: Game, text: str, reference: Reference) -> None:
    if not any(_could_be(game, reference, c) for c in range(len(game.table.state.definition))):
        raise ScenarioError(
            "«{text}»: {player} has no card of that name.", text=text, player=reference.player
        )


def _check_number(text: str, count: int) -> None:
    match = _NUMBER.search(text.strip())
    if match is None or 0 < int(match[1]) <= count:
        return
    if count == 1:
        raise ScenarioError("«{text}»: there is only one, which is #1.", text=text)
    raise ScenarioError("«{text}»: numbers go from 1 to {count} here.", text=text, count=count)


def _places(game: Game, kind: CardDefinition) -> int:
    """In how many places a card could be played."""
    if kind.type == ACTION and kind.played_on == ON_MINION:
        return sum(k.type == MINION for k in game.table.state.definition)
    if kind.type == ACTION and kind.played_on != ON_BASE:
        return 1
    return sum(k.type == BASE for k in game.table.state.definition)


def _lends(game: Game, verb: str, lender: str) -> bool:
    """Whether a card of this name could lend such an ability to the minion it is on."""
    for kind in _kinds(game, lender):
        lent = kind.grants_to_host()
        if kind.copies_abilities or (lent is not None and lent.hooks & _USABLE[verb]):
            return True
    return False


def _gives_plays(game: Game, giver: str) -> bool:
    """Whether a card of this name has an ability that could let somebody play a card."""
    for kind in _kinds(game, giver):
        if kind.copies_abilities or (kind.hooks | kind.aside_hooks) & _ACTING:
            return True
    return any(
        right.source_card != NONE and same_name(game, right.source_card, giver)
        for right in game.table.state.permissions
    )


def _names_nothing(game: Game, text: str, name: str) -> ScenarioError:
    names = names_of(game, list(range(len(game.table.state.definition))))
    return ScenarioError(
        "«{text}» names no card of this game.{proposal}",
        text=text,
        proposal=did_you_mean(re.split(" at | on | by ", name)[0], names),
    )


_NUMBER: Final = re.compile(r" #(\d+)$")
_ACTING: Final = (
    1 << H_ON_PLAY
    | 1 << H_TALENT
    | 1 << H_PLAYS_FROM_DISCARD
    | 1 << H_GRANTS_PLAY
    | sum(1 << hook for hook in range(H_START_OF_TURN, H_DELAYED_EFFECT + 1))
)
"""The abilities that do something, or allow it; the others only change what is true."""
_USABLE: Final = {
    "talent ": 1 << H_TALENT,
    "use ": 1 << H_TALENT | 1 << H_BEFORE_SCORE | 1 << H_AFTER_SCORE,
}
"""The abilities that a step with this verb may use."""


def _has_ability(game: Game, verb: str, text: str) -> bool:
    """Whether a card that a text names could have such an ability: in either printing, by copying
    another card's, or because it had one earlier in the scenario ("by" some card, perhaps)."""
    _, by, lender = text.rpartition(" by ")
    if by and is_name(game, lender):
        return True  # see `_check_details`
    wanted = refer(game, text).name
    if any(kind.hooks & _USABLE[verb] or kind.copies_abilities for kind in _kinds(game, wanted)):
        return True
    talented = {
        source.card
        for source in game.table.state.abilities
        if source.definition.hooks & _USABLE[verb]
    }
    talented |= director_of(game).talented
    return any(same_name(game, c, wanted) for c in talented)


def _has_place(game: Game, text: str) -> bool:
    """Whether the place that a text names is one where a card of that name is played at all."""
    kinds = game.table.state.definition
    rest = re.sub(r" by (?!.* by ).*$", "", text.strip())
    for joint in re.finditer(r" (at|on) ", rest):
        found = _kinds(game, rest[: joint.start()])
        if not found:
            continue
        place = rest[joint.end() :]
        on_base = any(k.type == BASE and same_name(game, c, place) for c, k in enumerate(kinds))
        return any(
            (kind.played_on == ON_BASE if on_base else kind.played_on == ON_MINION)
            if kind.type == ACTION
            else on_base
            for kind in found
        )
    return True


def _kinds(game: Game, name: str) -> list[CardDefinition]:
    """The cards of this name: those of this game, and the same in both printings."""
    found = {
        game.table.state.definition[c]
        for c in range(len(game.table.state.definition))
        if same_name(game, c, name)
    }
    names = {kind.name for kind in found}
    others = [k for printing in PRINTINGS for k in game.catalogue.kinds(printing)]
    return [*found, *(kind for kind in others if names & {kind.name, kind.other_name})]


def _is_player(text: str) -> bool:
    return re.fullmatch(r"p[1-4]", text) is not None


def _names_a_move(game: Game, text: str) -> bool:
    """Whether this is a card, perhaps «at» or «on» something, perhaps «by» a card, all known."""
    rest = re.sub(r"^P[1-4](?:'s)? | #\d+$", "", text.strip())
    if is_name(game, rest, bases=False):
        return True
    for joint in (" by ", " at ", " on "):
        for found in re.finditer(joint, rest):
            left, right = rest[: found.start()], rest[found.end() :]
            ends = right == "rule" or is_name(game, refer(game, right).name)
            if ends and _names_a_move(game, left):
                return True
    return False
