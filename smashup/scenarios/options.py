"""Matches steps of scenarios to options of a decision, and writes options as steps."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from smashup.engine.game import Game
from smashup.engine.model.constants import (
    AT_BASE,
    BASE,
    BURIED,
    NONE,
    ON_CARD,
    TITAN,
)
from smashup.engine.model.decisions import (
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
from smashup.engine.model.hooks import Hook
from smashup.engine.rules import queries
from smashup.scenarios.references import has_name, parse_reference
from smashup.scenarios.table.director import HAPPENS

H_CAN_PLAY_AS_SPECIAL: Final = Hook.CAN_PLAY_AS_SPECIAL.value

AS_ACTION: Final = " as an action"
"""How a step plays a fusion card as an action, not as a minion."""
DECLINE_WORDS = ("none", "stop", "nothing", "no", "pass")
"""Words that decline an optional question."""


def _decline_options(decision: Decision) -> list[int]:
    """Positions of the options that decline: “None”, “None of these”, “No”."""
    if decision.kind != WORDS:
        return [i for i, o in enumerate(decision.options) if o == NONE]
    first = [word.casefold().partition(" ")[0] for word in decision.options]
    return [i for i, word in enumerate(first) if word in ("none", "no", "neither", "nothing")]


def match_options(game: Game, decision: Decision, text: str) -> list[int]:
    """Positions of the options that match a text."""
    wanted = text.strip()
    lower = wanted.casefold()
    if decision.kind == MOVES:
        return _match_moves(game, decision, wanted)
    if lower in DECLINE_WORDS and (declined := _decline_options(decision)):
        return declined
    if decision.kind == CARDS:
        reference = parse_reference(game, wanted)
        found = [
            i for i, c in enumerate(decision.options) if c != NONE and reference.matches(game, c)
        ]
        return found[reference.number - 1 : reference.number] if reference.number else found
    if decision.kind == TRIGGERS:
        reference = parse_reference(game, wanted)
        found = [
            i for i, o in enumerate(decision.options) if reference.matches(game, o.ability.card)
        ]
        return found[reference.number - 1 : reference.number] if reference.number else found
    if decision.kind == SITES:
        reference = parse_reference(game, wanted)
        found = [
            i
            for i, serial in enumerate(decision.options)
            if serial != NONE
            and has_name(game, game.table.state.site_at[serial].base, reference.name)
        ]
        return found[reference.number - 1 : reference.number] if reference.number else found
    if decision.kind == PLAYERS:
        return [i for i, p in enumerate(decision.options) if lower == f"p{p + 1}"]
    if decision.kind == FACTIONS:
        names = [game.catalogue.factions[f].name.casefold() for f in decision.options]
        return [i for i, name in enumerate(names) if name == lower]
    return [i for i, word in enumerate(decision.options) if word.casefold().startswith(lower)]


CARDLESS_MOVES = {
    "end": DONE, "end turn": DONE, "done": DONE, "pass": PASS, "none": PASS, "no": PASS,
    "later": LATER,
}  # fmt: skip
"""Moves without a card."""


def _match_moves(game: Game, decision: Decision, text: str) -> list[int]:
    lower = text.casefold()
    if lower in CARDLESS_MOVES:
        return [i for i, m in enumerate(decision.options) if m.verb == CARDLESS_MOVES[lower]]
    number = 0
    if match := re.fullmatch(r"(.*) #(\d+)", text):
        text, number = match[1], int(match[2])
    for word in ("talent ", "use "):
        if lower.startswith(word):
            rest = text[len(word) :]
            found = [i for i, m in enumerate(decision.options) if _is_talent(game, m, rest)]
            return _pick_numbered(decision, found, number)
    play = text[5:] if lower.startswith("play ") else text
    found = [i for i, m in enumerate(decision.options) if _is_play(game, m, play)]
    return _pick_numbered(decision, found, number)


def _pick_numbered(decision: Decision, found: list[int], number: int) -> list[int]:
    """Pick the moves with the n-th of several cards or hosts: “talent V3 #2”.

    Several permissions to play a card in one place count once.
    """
    if not number:
        return found
    moves = [decision.options[i] for i in found]
    ways = list(dict.fromkeys((m.card, m.place, m.on_card) for m in moves))
    if not 0 < number <= len(ways):
        return []
    way = ways[number - 1]
    return [i for i, m in zip(found, moves, strict=True) if (m.card, m.place, m.on_card) == way]


def _is_talent(game: Game, move: Move, text: str) -> bool:
    """Whether a move uses a talent of “X”, or one granted by Y: “X by Y”."""
    if move.verb != USE_TALENT:
        return False
    name, by, granter = text.rpartition(" by ")
    ability = move.ability
    is_granted = by and ability is not None and ability.granted_by != NONE
    if is_granted and ability is not None and has_name(game, ability.granted_by, granter):
        text = name
    return parse_reference(game, text).matches(game, move.card)


def _is_play(game: Game, move: Move, text: str) -> bool:
    """Whether a move is “X”, “X at B1”, “X on V3” or “X on V3 at B1”, optionally “by Y”."""
    if move.verb != PLAY_CARD:
        return False
    rest = text
    name = rest
    if match := re.fullmatch(r"(.*) by (.+)", rest):
        origin = move.permission.source_card if move.permission is not None else NONE
        by_rule = match[2].casefold() == "rule" and origin == NONE
        if not by_rule and (origin == NONE or not has_name(game, origin, match[2])):
            if not has_name(game, move.card, rest):
                return False
        else:
            rest = match[1]
    if rest.endswith(AS_ACTION) and move.place == NONE:
        fused = game.table.state.definition[move.card].fused_action is not None
        return fused and has_name(game, move.card, rest.removesuffix(AS_ACTION))
    name = rest
    if has_name(game, move.card, name):
        return True
    for joint in (" at ", " on "):
        left, found, right = rest.rpartition(joint)
        if found and not move.on_card and move.place != NONE and has_name(game, move.card, left):
            return has_name(game, game.table.state.site_at[move.place].base, right)
    for joint_at in re.finditer(" on ", rest):  # a card's own name may have an “on” in it
        if move.on_card and has_name(game, move.card, rest[: joint_at.start()]):
            return parse_reference(game, rest[joint_at.end() :]).matches(game, move.place)
    return False


# --- telling options apart ----------------------------------------------------------------


def is_specials_window(game: Game, decision: Decision) -> bool:
    """Whether players are asked for a Special, or to pass: nothing else is offered.

    Extra plays come by a permission, and a titan is set aside, not in a hand.
    """
    if decision.kind != MOVES or decision.options[-1].verb != PASS or game.at_menu:
        return False
    definitions = game.table.state.definition
    return all(
        move.verb in (PASS, USE_TALENT)
        or (
            move.verb == PLAY_CARD
            and move.permission is None
            and definitions[move.card].type != TITAN
        )
        for move in decision.options
    )


def is_special(game: Game, option: Any) -> bool:
    """Whether a move plays a card that may also be played as a Special."""
    return (
        isinstance(option, Move)
        and option.verb == PLAY_CARD
        and bool(game.table.state.definition[option.card].hooks >> H_CAN_PLAY_AS_SPECIAL & 1)
    )


def are_indistinguishable(game: Game, decision: Decision, positions: list[int]) -> bool:
    """Whether a player cannot tell options apart, such as copies of a card at a base."""
    if decision.kind not in (CARDS, MOVES, TRIGGERS):
        return len(set(positions)) == 1
    return len({_appearance(game, decision.options[i]) for i in positions}) == 1


def _appearance(game: Game, option: Any) -> tuple[Any, ...]:
    s = game.table.state
    if isinstance(option, Move):
        if option.verb == USE_TALENT:
            ability = option.ability.definition.name if option.ability is not None else ""
            return (option.verb, ability, *_appearance(game, option.card))
        place: Any = option.place
        if option.on_card:
            place = _appearance(game, option.place)
        return (option.verb, s.definition[option.card].name if option.card >= 0 else "", place)
    if not isinstance(option, int):
        return ("trigger", option.ability.definition.name, *_appearance(game, option.ability.card))
    if option == NONE:
        return (option,)
    where = game.table.site_serial(option) if s.zone[option] in (AT_BASE, ON_CARD, BURIED) else NONE
    on = s.on_card.get(option, ())
    return (
        s.definition[option].name, s.controller[option], s.owner[option], s.zone[option], where,
        s.counters[option], len(on),
        queries.power(game.table, option) if game.table.in_play(option) else 0,
    )  # fmt: skip


def narrow_matches(game: Game, decision: Decision, found: list[int]) -> list[int]:
    """Reduce matching options to those a step means; several if it is ambiguous.

    If there are several ways to play the same card there, the regular one is meant; of several
    abilities of a card, its own; unless “by” or a number says otherwise.
    """
    if len(found) < 2 or are_indistinguishable(game, decision, found):
        return found[:1]
    if decision.kind == TRIGGERS:
        definitions = game.table.state.definition
        abilities = {i: decision.options[i].ability for i in found}
        own = [
            i for i, ability in abilities.items() if ability.definition is definitions[ability.card]
        ]
        return own[:1] if own and are_indistinguishable(game, decision, own) else found
    moves = [i for i in found if isinstance(decision.options[i], Move)]
    if len(moves) != len(found):
        return found
    plain = [
        i
        for i in moves
        if (right := decision.options[i].permission) is None or right.source_card == NONE
    ]
    own = [
        i
        for i in plain
        if (ability := decision.options[i].ability) is None or ability.granted_by < 0
    ]
    best = own or plain or found
    return best[:1] if are_indistinguishable(game, decision, best) else best


def is_possible_answer(game: Game, decision: Decision, text: str) -> bool:
    """Whether a text could answer a decision of this kind, even if it is not offered.

    Words that decline can answer any question: a later one may be the one that is declined.
    """
    lower = text.strip().casefold()
    if lower in DECLINE_WORDS:
        return False
    is_move = lower in CARDLESS_MOVES or lower.startswith(("play ", "talent ", "use "))
    if decision.kind == MOVES:
        return is_move
    if is_move:
        return False
    if decision.kind == PLAYERS or re.fullmatch(r"p[1-4]", lower):
        return decision.kind == PLAYERS and re.fullmatch(r"p[1-4]", lower) is not None
    name = parse_reference(game, text).name
    definitions = game.table.state.definition
    types = {definitions[c].type for c in range(len(definitions)) if has_name(game, c, name)}
    if decision.kind == SITES:
        return BASE in types
    if decision.kind == CARDS:
        bases = [c for c in decision.options if c != NONE and definitions[c].type == BASE]
        return bool(types) and (BASE in types) == bool(bases)
    return bool(types) == (decision.kind == TRIGGERS)


# --- how to write an option -----------------------------------------------------------------


def describe_options(game: Game, decision: Decision) -> list[str]:
    """Write each option as a step, in order."""
    shown = [i for i, o in enumerate(decision.options) if getattr(o, "verb", 0) != HAPPENS]
    return [describe_option(game, decision, i) for i in shown]


def describe_option(game: Game, decision: Decision, position: int) -> str:
    """Write an option as a step, in the first wording that matches only it."""
    numbered: list[tuple[str, list[int]]] = []
    for words in _wordings(game, decision, decision.options[position]):
        found = match_options(game, decision, words)
        if position in found:
            meant = narrow_matches(game, decision, found)
            if len(meant) == 1 and are_indistinguishable(game, decision, [position, *meant]):
                return words
            numbered.append((words, found))
    for words, found in reversed(numbered):  # the fullest wording first
        for number in range(1, len(found) + 1):
            text = f"{words} #{number}"
            if narrow_matches(game, decision, match_options(game, decision, text)) == [position]:
                return text
    return str(decision.label(position))


def _wordings(game: Game, decision: Decision, option: Any) -> Iterator[str]:
    """Yield ways to write an option, shortest first."""
    s = game.table.state
    if decision.kind == WORDS:
        yield {"Yes": "yes", "No": "no"}.get(option, option)
    elif decision.kind == MOVES:
        yield from _move_wordings(game, option, is_specials_window(game, decision))
    elif option == NONE:
        yield "none"
    elif decision.kind == CARDS:
        yield from _card_wordings(game, option)
    elif decision.kind == TRIGGERS:
        yield from _card_wordings(game, option.ability.card)
    elif decision.kind == SITES:
        yield s.definition[s.site_at[option].base].name
    elif decision.kind == PLAYERS:
        yield f"P{option + 1}"
    elif decision.kind == FACTIONS:
        yield game.catalogue.factions[option].name


def _card_wordings(game: Game, c: int) -> Iterator[str]:
    """Yield “V3”, “P1's V3”, “V3 at B1”, “P1's V3 at B1”, “Cloak on V3”."""
    s = game.table.state
    name = s.definition[c].name
    owner = f"P{s.controller[c] + 1}'s " if s.controller[c] >= 0 else ""
    yield name
    yield owner + name
    if s.zone[c] == ON_CARD:
        yield f"{name} on {s.definition[s.place[c]].name}"
        yield f"{owner}{name} on {s.definition[s.place[c]].name}"
    if game.table.in_play(c) and s.definition[c].type != BASE:
        place = s.definition[s.site_at[game.table.site_serial(c)].base].name
        yield f"{name} at {place}"
        yield f"{owner}{name} at {place}"


def _move_wordings(game: Game, move: Move, in_window: bool) -> Iterator[str]:
    s = game.table.state
    simple = {DONE: "end", PASS: "pass", LATER: "later"}
    if move.verb in simple:
        yield simple[move.verb]
    elif move.verb == USE_TALENT:
        verb = "use" if in_window else "talent"
        granter = move.ability.granted_by if move.ability is not None else NONE
        by = f" by {s.definition[granter].name}" if granter != NONE else ""
        for words in _card_wordings(game, move.card):
            yield f"{verb} {words}"
        for words in _card_wordings(game, move.card):
            yield f"{verb} {words}{by}"
    elif move.verb == PLAY_CARD:
        name = s.definition[move.card].name
        plays = [f"play {name}"]
        if move.on_card:
            plays = [f"play {name} on {words}" for words in _card_wordings(game, move.place)]
        elif move.place != NONE:
            plays = [f"play {name} at {s.definition[s.site_at[move.place].base].name}"]
        elif s.definition[move.card].fused_action is not None:
            plays = [f"play {name}{AS_ACTION}"]
        yield from plays
        origin = move.permission.source_card if move.permission is not None else NONE
        by = s.definition[origin].name if origin != NONE else "rule"
        for words in plays:
            yield f"{words} by {by}"
