"""Speaking of things on the table: players, bases, cards, and the options of a decision."""

from __future__ import annotations

import re
from typing import Any, Final

from smashup.engine.catalogue import PRINTINGS
from smashup.engine.decisions import (
    CARDS,
    DONE,
    FACTIONS,
    LATER,
    MOVES,
    PASS,
    PLAY_CARD,
    PLAYERS,
    SITES,
    TRIGGERS,
    USE_TALENT,
    WORDS,
    Decision,
    Move,
)
from smashup.engine.game import Game
from smashup.engine.kinds import H_AFTER_SCORE, H_BEFORE_SCORE, H_SPECIAL, H_TALENT, Kind
from smashup.engine.words import (
    ACTION,
    AT_BASE,
    BASE,
    BURIED,
    NONE,
    ON_BASE,
    ON_CARD,
    ON_MINION,
    TITAN,
)
from smashup.scenarios.errors import ScenarioError
from smashup.scenarios.stage import StageHand, player_number


def same_name(game: Game, c: int, name: str) -> bool:
    """Whether a card goes by this name (in either printing, or in French)."""
    kind = game.state.kind[c]
    wanted = name.strip().casefold()
    return any(wanted == n.casefold() for n in (kind.name, kind.aka, kind.name_fr) if n)


def find_base(game: Game, name: str) -> int:
    """The serial of the base in play with this name."""
    found = [site.serial for site in game.state.sites if same_name(game, site.base, name)]
    if not found:
        names = ", ".join(game.state.kind[site.base].name for site in game.state.sites)
        raise ScenarioError(f"There is no base «{name}» in play; there are {names}.")
    return found[0]


class Reference:
    """A way to speak of cards: ``V3``, ``P2's V3``, ``V3 at B1``, ``Pin on V3``, ``V3 #2``."""

    def __init__(self, text: str) -> None:
        self.text = text
        rest = text.strip()
        self.number = 0
        self.player = ""
        self.base = ""
        self.host = ""
        if match := re.fullmatch(r"(.*) #(\d+)", rest):
            rest, self.number = match[1], int(match[2])
        if match := re.fullmatch(r"(P[1-4])(?:'s)? (.*)", rest):
            self.player, rest = match[1], match[2]
        self.name = rest
        self.full = rest

    def split(self, game: Game) -> None:
        """Take « at BASE» and « on HOST» off the name, unless the name itself has them."""
        rest = self.full
        if _is_name(game, rest):
            return
        if " at " in rest:
            left, _, base = rest.rpartition(" at ")
            if any(same_name(game, site.base, base) for site in game.state.sites):
                self.base, rest = base, left
        if not _is_name(game, rest) and " on " in rest:
            left, _, host = rest.rpartition(" on ")
            if _is_name(game, host):
                self.host, rest = host, left
        self.name = rest

    def fits(self, game: Game, c: int) -> bool:
        s = game.state
        if not same_name(game, c, self.name):
            return False
        if self.player and s.controller[c] != player_number(self.player, game.players):
            return False
        if self.base and (not game.in_play(c) or game.site_serial(c) != find_base(game, self.base)):
            return False
        return not self.host or (s.zone[c] == ON_CARD and same_name(game, s.place[c], self.host))


def _is_name(game: Game, name: str, bases: bool = True) -> bool:
    """Whether some card of the game has this name."""
    kinds = game.state.kind
    return any(
        same_name(game, c, name) for c in range(len(kinds)) if bases or kinds[c].type != BASE
    )


def refer(game: Game, text: str) -> Reference:
    reference = Reference(text)
    reference.split(game)
    return reference


def cards_like(game: Game, text: str, in_play: bool = True) -> list[int]:
    """Cards a text speaks of: those in play first; elsewhere if allowed and none is."""
    reference = refer(game, text)
    everything = [c for c in range(len(game.state.kind)) if reference.fits(game, c)]
    found = [c for c in everything if game.in_play(c)]
    if not found and not in_play:
        found = everything
    if reference.number:
        found = found[reference.number - 1 : reference.number]
    return found


def card_like(game: Game, text: str, in_play: bool = True) -> int:
    found = cards_like(game, text, in_play)
    if not found:
        where = "in play" if in_play else "in the game"
        raise ScenarioError(f"There is no card «{text}» {where}.")
    return found[0]


DECLINING = ("none", "stop", "nothing", "no", "pass")
"""Words that decline a question where that is an option."""


def _declining(decision: Decision) -> list[int]:
    """Positions of the options that take nothing: «None», «None of these», «No»."""
    if decision.kind != WORDS:
        return [i for i, o in enumerate(decision.options) if o == NONE]
    first = [word.casefold().partition(" ")[0] for word in decision.options]
    return [i for i, word in enumerate(first) if word in ("none", "no", "neither", "nothing")]


# --- options --------------------------------------------------------------------------------


def options_like(game: Game, decision: Decision, text: str) -> list[int]:
    """Positions of the options a text speaks of."""
    wanted = text.strip()
    lower = wanted.casefold()
    if decision.kind == MOVES:
        return _moves_like(game, decision, wanted)
    if lower in DECLINING and (declined := _declining(decision)):
        return declined
    if decision.kind == CARDS:
        reference = refer(game, wanted)
        found = [i for i, c in enumerate(decision.options) if c != NONE and reference.fits(game, c)]
        return found[reference.number - 1 : reference.number] if reference.number else found
    if decision.kind == TRIGGERS:
        reference = refer(game, wanted)
        found = [i for i, o in enumerate(decision.options) if reference.fits(game, o.source.card)]
        return found[reference.number - 1 : reference.number] if reference.number else found
    if decision.kind == SITES:
        return [
            i
            for i, serial in enumerate(decision.options)
            if serial != NONE and same_name(game, game.state.site_at[serial].base, wanted)
        ]
    if decision.kind == PLAYERS:
        return [i for i, p in enumerate(decision.options) if lower == f"p{p + 1}"]
    if decision.kind == FACTIONS:
        names = [game.catalogue.factions[f].name.casefold() for f in decision.options]
        return [i for i, name in enumerate(names) if name == lower]
    return [i for i, word in enumerate(decision.options) if word.casefold().startswith(lower)]


SIMPLE = {
    "end": DONE, "end turn": DONE, "done": DONE, "pass": PASS, "none": PASS, "no": PASS,
    "later": LATER,
}  # fmt: skip
"""Moves that go without a card."""


def _moves_like(game: Game, decision: Decision, text: str) -> list[int]:
    lower = text.casefold()
    if lower in SIMPLE:
        return [i for i, m in enumerate(decision.options) if m.verb == SIMPLE[lower]]
    number = 0
    if match := re.fullmatch(r"(.*) #(\d+)", text):
        text, number = match[1], int(match[2])
    for word in ("talent ", "use "):
        if lower.startswith(word):
            rest = text[len(word) :]
            found = [i for i, m in enumerate(decision.options) if _is_talent(game, m, rest)]
            return _numbered(decision, found, number)
    play = text[5:] if lower.startswith("play ") else text
    found = [i for i, m in enumerate(decision.options) if _is_play(game, m, play)]
    return _numbered(decision, found, number)


def _numbered(decision: Decision, found: list[int], number: int) -> list[int]:
    """The moves with the n-th of several cards or hosts: «talent V3 #2», «play Cloak on V3 #2».

    Several permissions to play a card in one place count once.
    """
    if not number:
        return found
    moves = [decision.options[i] for i in found]
    ways = list(dict.fromkeys((m.card, m.place, m.hosted) for m in moves))
    if not 0 < number <= len(ways):
        return []
    way = ways[number - 1]
    return [i for i, m in zip(found, moves, strict=True) if (m.card, m.place, m.hosted) == way]


def _is_talent(game: Game, move: Move, text: str) -> bool:
    """Whether a move uses a talent of «X», or the one that Y lends it: «X by Y»."""
    if move.verb != USE_TALENT:
        return False
    name, by, lender = text.rpartition(" by ")
    source = move.source
    lent = by and source is not None and source.lender != NONE
    if lent and source is not None and same_name(game, source.lender, lender):
        text = name
    return refer(game, text).fits(game, move.card)


def _is_play(game: Game, move: Move, text: str) -> bool:
    """Whether a move is «X», «X at B1», «X on V3», «X on V3 at B1», each perhaps «by Y»."""
    if move.verb != PLAY_CARD:
        return False
    rest = text
    name = rest
    if match := re.fullmatch(r"(.*) by (.+)", rest):
        origin = move.right.origin if move.right is not None else NONE
        by_rule = match[2].casefold() == "rule" and origin == NONE
        if not by_rule and (origin == NONE or not same_name(game, origin, match[2])):
            if not same_name(game, move.card, rest):
                return False
        else:
            rest = match[1]
    name = rest
    if same_name(game, move.card, name):
        return True
    for joint in (" at ", " on "):
        left, found, right = rest.rpartition(joint)
        if found and not move.hosted and move.place != NONE and same_name(game, move.card, left):
            return same_name(game, game.state.site_at[move.place].base, right)
    for joint_at in re.finditer(" on ", rest):  # a card's own name may have an «on» in it
        if move.hosted and same_name(game, move.card, rest[: joint_at.start()]):
            return refer(game, rest[joint_at.end() :]).fits(game, move.place)
    return False


def check_named(game: Game, text: str) -> None:
    """Make sure that what must not be possible names something: a slip would always hold."""
    rest = text.strip()
    lower = rest.casefold()
    if lower in SIMPLE or lower in DECLINING or lower in ("yes", "no") or is_player(lower):
        return
    for verb in ("play ", "talent ", "use "):
        if lower.startswith(verb):
            named = re.sub(r" #\d+$", "", rest[len(verb) :])
            if not _names_a_move(game, named):
                raise ScenarioError(f"«{text}» names no card of this game.")
            if verb != "play " and not _has_ability(game, verb, named):
                raise ScenarioError(f"«{text}»: that card has no {_USED[verb]}.")
            if verb == "play " and not _has_place(game, named):
                raise ScenarioError(f"«{text}»: the card is never played at such a place.")
            return
    reference = refer(game, rest)
    decision = game.decision
    if decision is not None and decision.kind in (WORDS, FACTIONS):
        return  # an option may say anything
    if not _is_name(game, reference.name) and not _names_a_move(game, rest):
        raise ScenarioError(f"«{text}» names no card of this game.")


_USABLE: Final = {
    "talent ": 1 << H_TALENT,
    "use ": 1 << H_TALENT | 1 << H_BEFORE_SCORE | 1 << H_AFTER_SCORE,
}
"""The abilities that a step with this verb may use."""


def _has_ability(game: Game, verb: str, text: str) -> bool:
    """Whether a card that a text names could have such an ability: in either printing, by copying
    another card's, or because it had one earlier in the scenario ("by" some card, perhaps)."""
    _, by, lender = text.rpartition(" by ")
    if by and _is_name(game, lender):
        return True
    wanted = refer(game, text).name
    if any(kind.hooks & _USABLE[verb] or kind.copies_abilities for kind in _kinds(game, wanted)):
        return True
    talented = {source.card for source in game.state.sources if source.kind.hooks & _USABLE[verb]}
    if isinstance(game.director, StageHand):
        talented |= game.director.talented
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


_USED: Final = {"talent ": "talent", "use ": "Special"}


def is_player(text: str) -> bool:
    return re.fullmatch(r"p[1-4]", text) is not None


def _names_a_move(game: Game, text: str) -> bool:
    """Whether this is a card, perhaps «at» or «on» something, perhaps «by» a card, all known."""
    rest = re.sub(r"^P[1-4](?:'s)? | #\d+$", "", text.strip())
    if _is_name(game, rest, bases=False):
        return True
    for joint in (" by ", " at ", " on "):
        for found in re.finditer(joint, rest):
            left, right = rest[: found.start()], rest[found.end() :]
            ends = right == "rule" or _is_name(game, refer(game, right).name)
            if ends and _names_a_move(game, left):
                return True
    return False


def is_specials_window(game: Game, decision: Decision) -> bool:
    """Whether players are asked for a Special, or to pass: nothing else is offered.

    Extra plays come by a permission, and a titan is set aside, not in a hand.
    """
    if decision.kind != MOVES or decision.options[-1].verb != PASS or game.at_menu:
        return False
    kinds = game.state.kind
    return all(
        move.verb in (PASS, USE_TALENT)
        or (move.verb == PLAY_CARD and move.right is None and kinds[move.card].type != TITAN)
        for move in decision.options
    )


def is_special(game: Game, option: Any) -> bool:
    """Whether a move plays a card that may also be played as a Special."""
    return (
        isinstance(option, Move)
        and option.verb == PLAY_CARD
        and bool(game.state.kind[option.card].hooks >> H_SPECIAL & 1)
    )


def alike(game: Game, decision: Decision, positions: list[int]) -> bool:
    """Whether options differ in nothing a person could tell: copies of a card side by side."""
    return len({_looks(game, decision.options[i]) for i in positions}) == 1


def _looks(game: Game, option: Any) -> tuple[Any, ...]:
    s = game.state
    if isinstance(option, Move):
        if option.verb == USE_TALENT:
            ability = option.source.kind.name if option.source is not None else ""
            return (option.verb, ability, *_looks(game, option.card))
        place: Any = option.place
        if option.hosted:
            place = _looks(game, option.place)
        return (option.verb, s.kind[option.card].name if option.card >= 0 else "", place)
    if isinstance(option, int) and 0 <= option < len(s.kind):
        where = game.site_serial(option) if s.zone[option] in (AT_BASE, ON_CARD, BURIED) else NONE
        on = s.on_card.get(option, ())
        return (
            s.kind[option].name, s.controller[option], s.owner[option], s.zone[option], where,
            s.counters[option], len(on), game.power(option) if game.in_play(option) else 0,
        )  # fmt: skip
    if hasattr(option, "source"):
        return ("trigger", s.kind[option.source.card].name, s.controller[option.source.card])
    return (option,)
