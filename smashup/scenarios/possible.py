"""What a step may rule out: what is impossible from the start would prove nothing."""

from __future__ import annotations

import re
from typing import Final

from smashup.engine.catalogue import PRINTINGS
from smashup.engine.decisions import FACTIONS, WORDS
from smashup.engine.game import Game
from smashup.engine.kinds import H_AFTER_SCORE, H_BEFORE_SCORE, H_TALENT, Kind
from smashup.engine.words import ACTION, BASE, ON_BASE, ON_MINION
from smashup.scenarios.director import director_of
from smashup.scenarios.errors import ScenarioError, did_you_mean
from smashup.scenarios.options import DECLINING, SIMPLE
from smashup.scenarios.references import is_name, names_of, refer, same_name


def check_named(game: Game, text: str) -> None:
    """Make sure that what must not be possible names something: a slip would always hold."""
    rest = text.strip()
    lower = rest.casefold()
    if lower in SIMPLE or lower in DECLINING or lower in ("yes", "no") or _is_player(lower):
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
            return
    reference = refer(game, rest)
    decision = game.decision
    if decision is not None and decision.kind in (WORDS, FACTIONS):
        return  # an option may say anything
    if not is_name(game, reference.name) and not _names_a_move(game, rest):
        raise _names_nothing(game, text, reference.name)


def _names_nothing(game: Game, text: str, name: str) -> ScenarioError:
    names = names_of(game, list(range(len(game.state.kind))))
    return ScenarioError(
        "«{text}» names no card of this game.{proposal}",
        text=text,
        proposal=did_you_mean(re.split(" at | on | by ", name)[0], names),
    )


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
        return True
    wanted = refer(game, text).name
    if any(kind.hooks & _USABLE[verb] or kind.copies_abilities for kind in _kinds(game, wanted)):
        return True
    talented = {source.card for source in game.state.sources if source.kind.hooks & _USABLE[verb]}
    talented |= director_of(game).talented
    return any(same_name(game, c, wanted) for c in talented)


def _has_place(game: Game, text: str) -> bool:
    """Whether the place that a text names is one where a card of that name is played at all."""
    kinds = game.state.kind
    rest = re.sub(r" by (?!.* by ).*$", "", text.strip())
    for joint in re.finditer(r" (at|on) ", rest):
        found = _kinds(game, rest[: joint.start()])
        if not found:
            continue
        place = rest[joint.end() :]
        on_base = any(k.type == BASE and same_name(game, c, place) for c, k in enumerate(kinds))
        return any(
            (kind.where == ON_BASE if on_base else kind.where == ON_MINION)
            if kind.type == ACTION
            else on_base
            for kind in found
        )
    return True


def _kinds(game: Game, name: str) -> list[Kind]:
    """The cards of this name: those of this game, and the same in both printings."""
    found = {game.state.kind[c] for c in range(len(game.state.kind)) if same_name(game, c, name)}
    names = {kind.name for kind in found}
    others = [k for printing in PRINTINGS for k in game.catalogue.kinds(printing)]
    return [*found, *(kind for kind in others if names & {kind.name, kind.aka})]


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
