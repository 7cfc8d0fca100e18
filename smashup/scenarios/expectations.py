"""What must hold: the checks under «expect»."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from smashup.engine.game import Game
from smashup.engine.words import (
    ASIDE,
    AT_BASE,
    BURIED,
    DECK,
    DISCARD,
    HAND,
    ON_CARD,
    PHASE_NAMES,
    TITAN,
)
from smashup.scenarios.document import as_list
from smashup.scenarios.errors import Failure, ScenarioError
from smashup.scenarios.references import (
    card_like,
    cards_like,
    check_named,
    find_base,
    options_like,
    refer,
    same_name,
)
from smashup.scenarios.stage import StageHand, label, player_number

Checker = Callable[[Game, Any], None]


def check(game: Game, expected: Any) -> None:
    """Check everything an «expect» says; raise a `Failure` at the first that does not hold."""
    if not isinstance(expected, dict):
        raise ScenarioError("«expect» should be a mapping such as «vp: {P1: 4}».")
    game.decision  # noqa: B018  (let the table catch up)
    for key, value in expected.items():
        checker = CHECKS.get(key)
        if checker is None:
            raise ScenarioError(
                f"«{key}» cannot be expected; known are {', '.join(sorted(CHECKS))}."
            )
        checker(game, value)


def _compare(what: str, expected: Any, found: Any) -> None:
    if expected != found:
        raise Failure(f"{what}: expected {expected}, found {found}.")


def _names(game: Game, cards: list[int]) -> list[str]:
    return [game.state.kind[c].name for c in cards]


def _compare_cards(game: Game, what: str, expected: Any, cards: list[int]) -> None:
    """The same cards, in any order; names of either printing will do."""
    left = list(cards)
    wanted: list[str] = []
    for item in as_list(expected):
        if match := re.fullmatch(r"(\d+) x (.+)", str(item)):
            wanted += [match[2]] * int(match[1])
        else:
            wanted.append(str(item))
    missing = []
    for name in wanted:
        for c in left:
            if same_name(game, c, name):
                left.remove(c)
                break
        else:
            missing.append(name)
    if missing or left:
        raise Failure(
            f"{what}: expected {sorted(Counter(wanted).elements())},"
            f" found {sorted(_names(game, cards))}."
        )


def _per_player(game: Game, value: Any) -> list[tuple[str, int, Any]]:
    if not isinstance(value, dict):
        raise ScenarioError(f"{value!r} should say what each player (P1, P2 ...) has.")
    return [(str(k), player_number(k, game.players), v) for k, v in value.items()]


def _mapping(value: Any, what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ScenarioError(f"«{what}» should say what is expected of which card or base.")
    return {str(k): v for k, v in value.items()}


def _number_of(
    game: Game,
    text: str,
    read: Callable[[int], int],
    what: str,
    wanted: Any,
    in_play: bool = True,
) -> None:
    """A number true of every card the text speaks of."""
    found = cards_like(game, text, in_play)
    if not found:
        raise Failure(f"{what} of {text}: there is no such card in play.")
    values = [read(c) for c in found]
    if any(v != wanted for v in values):
        shown = values[0] if len(set(values)) == 1 else values
        raise Failure(f"{what} of {text}: expected {wanted}, found {shown}.")


# --- the checks -----------------------------------------------------------------------------


def _vp(game: Game, value: Any) -> None:
    for who, p, wanted in _per_player(game, value):
        _compare(f"VP of {who}", wanted, game.state.vp[p])


def _power(game: Game, value: Any) -> None:
    for text, wanted in _mapping(value, "power").items():
        _number_of(game, str(text), game.power, "Power", wanted)


def _printed_power(game: Game, value: Any) -> None:
    for text, wanted in _mapping(value, "printed_power").items():
        _number_of(game, str(text), game.printed_power, "Printed power", wanted)


def _starting_power(game: Game, value: Any) -> None:
    for text, wanted in _mapping(value, "starting_power").items():
        _number_of(game, str(text), game.starting_power, "Starting power", wanted)


def _counters(game: Game, value: Any) -> None:
    """How many +1 power counters are on a card; one that left play should have none."""
    counters = game.state.counters
    for text, wanted in _mapping(value, "counters").items():
        _number_of(game, str(text), lambda c: counters[c], "+1 counters", wanted, in_play=False)


def _tokens(game: Game, value: Any) -> None:
    for text, wanted in _mapping(value, "tokens").items():
        c = card_like(game, str(text), in_play=False)
        _compare(f"Counters of {text}", wanted, game.state.tokens.get(c, 0))


def _controller(game: Game, value: Any) -> None:
    for text, wanted in _mapping(value, "controller").items():
        c = card_like(game, str(text))
        _compare(f"Controller of {text}", wanted, f"P{game.state.controller[c] + 1}")


def _total(game: Game, value: Any) -> None:
    for base, totals in _mapping(value, "total").items():
        serial = find_base(game, str(base))
        for who, p, wanted in _per_player(game, totals):
            _compare(f"Total of {who} at {base}", wanted, game.total(serial, p))


def _base_total(game: Game, value: Any) -> None:
    for base, wanted in _mapping(value, "base_total").items():
        _compare(f"Power at {base}", wanted, game.base_total(find_base(game, str(base))))


def _breakpoint(game: Game, value: Any) -> None:
    for base, wanted in _mapping(value, "breakpoint").items():
        _compare(f"Breakpoint of {base}", wanted, game.breakpoint(find_base(game, str(base))))


def _hand(game: Game, value: Any) -> None:
    for who, p, wanted in _per_player(game, value):
        _compare_cards(game, f"Hand of {who}", wanted, game.state.hands[p])


def _discard(game: Game, value: Any) -> None:
    for who, p, wanted in _per_player(game, value):
        _compare_cards(game, f"Discard pile of {who}", wanted, game.state.discards[p])


def _deck(game: Game, value: Any) -> None:
    """The deck in order, top first; a shorter list speaks of its top, an empty one of all."""
    for who, p, wanted in _per_player(game, value):
        top = list(reversed(game.state.decks[p]))
        names = [str(n) for n in as_list(wanted)]
        if not names and top:
            raise Failure(f"{who}'s deck should be empty; it holds {len(top)} cards.")
        shown = _names(game, top[: len(names)])
        if len(top) < len(names) or not all(
            same_name(game, c, n) for c, n in zip(top, names, strict=False)
        ):
            raise Failure(f"Top of {who}'s deck: expected {names}, found {shown}.")


def _deck_bottom(game: Game, value: Any) -> None:
    """The bottom of the deck, lowest card first."""
    for who, p, wanted in _per_player(game, value):
        names = [str(n) for n in as_list(wanted)]
        low = game.state.decks[p][: len(names)]
        if len(low) < len(names) or not all(
            same_name(game, c, n) for c, n in zip(low, names, strict=True)
        ):
            raise Failure(f"Bottom of {who}'s deck: expected {names}, found {_names(game, low)}.")


def _has(zone: str) -> Checker:
    def checker(game: Game, value: Any) -> None:
        for who, p, wanted in _per_player(game, value):
            cards = {
                "hand": game.state.hands, "deck": game.state.decks, "discard": game.state.discards
            }[zone][p]  # fmt: skip
            for name in as_list(wanted):
                if not any(same_name(game, c, str(name)) for c in cards):
                    raise Failure(
                        f"{who}'s {zone} should hold {name};"
                        f" it holds {sorted(_names(game, cards))}."
                    )

    return checker


def _size(zone: str) -> Checker:
    def checker(game: Game, value: Any) -> None:
        zones = {
            "hand": game.state.hands, "deck": game.state.decks, "discard": game.state.discards
        }[zone]  # fmt: skip
        for who, p, wanted in _per_player(game, value):
            _compare(f"Cards in {who}'s {zone}", wanted, len(zones[p]))

    return checker


def _at(game: Game, value: Any) -> None:
    """Who has which cards on a base (not counting actions on minions)."""
    s = game.state
    for base, players in _mapping(value, "at").items():
        site = s.site_at[find_base(game, str(base))]
        for who, p, wanted in _per_player(game, players):
            there = [c for c in site.cards if s.controller[c] == p]
            _compare_cards(game, f"Cards of {who} at {base}", wanted, there)


def _on(game: Game, value: Any) -> None:
    """Which actions are on a minion."""
    for text, wanted in _mapping(value, "on").items():
        c = card_like(game, str(text))
        _compare_cards(game, f"Actions on {text}", wanted, list(game.state.on_card.get(c, ())))


def _where(game: Game, value: Any) -> None:
    """Where a card is: a base's name, «on V3», «P1 hand|deck|discard», «aside», «buried at B1»."""
    for text, wanted in _mapping(value, "where").items():
        found = cards_like(game, str(text), in_play=False)
        if not found:
            raise ScenarioError(f"There is no card «{text}» in the game.")
        places = [_place(game, c) for c in found]
        if str(wanted).casefold() not in [p.casefold() for p in places]:
            shown = places[0] if len(set(places)) == 1 else ", ".join(places)
            raise Failure(f"{text} should be {wanted}; it is {shown}.")


def _place(game: Game, c: int) -> str:
    s = game.state
    zone = s.zone[c]
    if zone == AT_BASE:
        return s.kind[s.site_at[s.place[c]].base].name
    if zone == BURIED:
        return "buried at " + s.kind[s.site_at[s.place[c]].base].name
    if zone == ON_CARD:
        return "on " + s.kind[s.place[c]].name
    if zone == ASIDE:
        return "aside"
    if zone in (HAND, DECK, DISCARD):
        return f"P{s.place[c] + 1} " + {HAND: "hand", DECK: "deck", DISCARD: "discard"}[zone]
    return {7: "base deck", 8: "base discard", 9: "in play", 11: "madness deck"}.get(zone, "limbo")


def _owned(game: Game, value: Any) -> None:
    """All a player owns but titans: how many cards of which faction."""
    s = game.state
    for who, p, wanted in _per_player(game, value):
        cards = [c for c, o in enumerate(s.owner) if o == p and s.kind[c].type != TITAN]
        factions = Counter(s.kind[c].faction for c in cards)
        _compare(f"Cards owned by {who}", wanted, dict(factions))


def _aside(game: Game, value: Any) -> None:
    for who, p, wanted in _per_player(game, value):
        _compare_cards(game, f"Titans set aside by {who}", wanted, game.state.aside[p])


def _bases(game: Game, value: Any) -> None:
    bases = [site.base for site in game.state.sites]
    if isinstance(value, int):
        _compare("Number of bases", value, len(bases))
    else:
        _compare_cards(game, "Bases in play", value, bases)


def _base_discard(game: Game, value: Any) -> None:
    _compare_cards(game, "Base discard pile", value, game.state.base_discard)


def _base_deck(game: Game, value: Any) -> None:
    _compare_cards(game, "Base deck", value, game.state.base_deck)


def _base_deck_size(game: Game, value: Any) -> None:
    _compare("Cards in the base deck", value, len(game.state.base_deck))


def _in_play(game: Game, value: Any) -> None:
    for text in as_list(value):
        if not cards_like(game, str(text)):
            raise Failure(f"{text} should be in play.")


def _not_in_play(game: Game, value: Any) -> None:
    for text in as_list(value):
        if cards_like(game, str(text)):
            raise Failure(f"{text} should not be in play.")
        if not cards_like(game, refer(game, str(text)).name, in_play=False):
            raise ScenarioError(f"There is no card «{text}» in the game.")


def _turn(game: Game, value: Any) -> None:
    _compare("Whose turn it is", value, f"P{game.state.current + 1}")


def _phase(game: Game, value: Any) -> None:
    _compare("The phase", value, PHASE_NAMES[game.state.phase])


def _over(game: Game, value: Any) -> None:
    _compare("Whether the game is over", bool(value), game.state.over)


def _winner(game: Game, value: Any) -> None:
    _compare("The winner", as_list(value), [f"P{p + 1}" for p in game.state.winners])


def _in_order(lines: list[str], value: Any, what: str) -> None:
    """Lines (or parts of lines) that must appear, in this order."""
    position = 0
    for wanted in as_list(value):
        for i in range(position, len(lines)):
            if str(wanted).casefold() in lines[i].casefold():
                position = i + 1
                break
        else:
            raise Failure(f"{what} should go on to say «{wanted}».")


def _not_among(lines: list[str], value: Any, what: str) -> None:
    for wanted in as_list(value):
        if any(str(wanted).casefold() in line.casefold() for line in lines):
            raise Failure(f"{what} should not say «{wanted}».")


def _log(game: Game, value: Any) -> None:
    _in_order([str(entry.message) for entry in game.entries], value, "The log")


def _not_log(game: Game, value: Any) -> None:
    _not_among([str(entry.message) for entry in game.entries], value, "The log")


def _log_of(game: Game, p: int) -> list[str]:
    """The log as one player reads it."""
    return [str(entry.for_player(p)) for entry in game.entries]


def _log_for(game: Game, value: Any) -> None:
    for who, p, wanted in _per_player(game, value):
        _in_order(_log_of(game, p), wanted, f"The log as {who} reads it")


def _not_log_for(game: Game, value: Any) -> None:
    for who, p, wanted in _per_player(game, value):
        _not_among(_log_of(game, p), wanted, f"The log as {who} reads it")


def _asked(game: Game, value: Any) -> None:
    """Who was asked what so far, in this order: «P1», or «P1: part of the question»."""
    hand = game.director
    assert isinstance(hand, StageHand)
    left = list(hand.asked)
    for item in as_list(value):
        if isinstance(item, dict) and len(item) == 1:
            ((who, words),) = item.items()
        else:
            who, words = item, ""
        player_number(who, game.players)
        while left:
            player, _, question = left.pop(0).partition(": ")
            if player == who and str(words).casefold() in question.casefold():
                break
        else:
            asked = "; ".join(hand.asked) or "nothing"
            raise Failure(f"{who} should have been asked «{words}» next; asked were {asked}.")


def _knows_nothing_of(game: Game, value: Any) -> None:
    """Cards a player has no trace of: not on their table, not in the log as they read it."""
    for who, p, wanted in _per_player(game, value):
        shown = [*_words(game.view(p)), *_log_of(game, p)]
        for name in as_list(wanted):
            if not cards_like(game, str(name), in_play=False):
                raise ScenarioError(f"There is no card «{name}» in the game.")
            found = re.compile(rf"(?<!\w){re.escape(str(name))}(?!\w)", re.IGNORECASE)
            for text in shown:
                if found.search(text):
                    raise Failure(f"{who} should know nothing of {name}, but reads «{text}».")


def _words(view: Any) -> list[str]:
    """Everything a view says in words, but for the texts of cards."""
    if isinstance(view, dict):
        return [w for key, inner in view.items() if key != "text" for w in _words(inner)]
    if isinstance(view, list):
        return [w for inner in view for w in _words(inner)]
    return [view] if isinstance(view, str) else []


ASKS: Final = ("player", "question", "offers", "only", "not", "count")


def _asks(game: Game, value: Any) -> None:
    """The pending decision: who decides, what is asked, what is offered and what is not."""
    decision = game.decision
    if value in (None, "nothing"):
        if decision is not None:
            raise Failure(f"Nobody should be asked anything, but P{decision.player + 1} is.")
        return
    if isinstance(value, str):
        value = {"player": value}
    if not isinstance(value, dict):
        raise ScenarioError(f"«asks» may say {', '.join(ASKS)}.")
    if decision is None:
        raise Failure("Somebody should be asked something, but the game is over.")
    shown = [str(label(decision, i)) for i in range(len(decision.options))]
    for key, wanted in value.items():
        if key == "player":
            _compare("Who is asked", wanted, f"P{decision.player + 1}")
        elif key == "question":
            if str(wanted).casefold() not in str(decision.question()).casefold():
                raise Failure(f"The question should be «{wanted}»; it is «{decision.question()}».")
        elif key in ("offers", "only"):
            covered: set[int] = set()
            for text in as_list(wanted):
                found = options_like(game, decision, _word(text))
                if not found:
                    raise Failure(f"«{_word(text)}» should be offered; offered are {shown}.")
                covered.update(found)
            if key == "only" and len(covered) != len(decision.options):
                extra = [shown[i] for i in range(len(shown)) if i not in covered]
                raise Failure(f"Only {wanted} should be offered, but so are {extra}.")
        elif key == "not":
            for text in as_list(wanted):
                check_named(game, _word(text))
                if options_like(game, decision, _word(text)):
                    raise Failure(f"«{_word(text)}» should not be offered; offered are {shown}.")
        elif key == "count":
            _compare("The number of options", wanted, len(decision.options))
        else:
            raise ScenarioError(f"«asks» may say {', '.join(ASKS)}.")


def _word(text: Any) -> str:
    return {True: "yes", False: "no"}.get(text, str(text)) if isinstance(text, bool) else str(text)


def _sees(game: Game, value: Any) -> None:
    """Which cards of a hidden zone a player knows: «P1: {P2 hand: [Jumper]}».

    «limbo» speaks of cards out on the table: just revealed or looked at, not yet put anywhere;
    «buried» of the buried cards of all players.
    """
    for who, p, zones in _per_player(game, value):
        table = game.view(p)
        for zone, wanted in _mapping(zones, "sees").items():
            known = _known(table, str(zone), game.players)
            _compare(
                f"What {who} sees of {zone}", sorted(str(n) for n in as_list(wanted)), sorted(known)
            )


def _known(table: dict[str, Any], zone: str, players: int) -> list[str]:
    """Names of the cards of a zone that are shown in a view."""
    if zone == "limbo":
        return [c["name"] for c in table["limbo"] if "name" in c]
    if zone == "base deck":
        return [c["card"]["name"] for c in table["base_deck_known"]]
    if zone == "buried":
        cards = [c for base in table["bases"] for c in base["cards"]]
        return [c["name"] for c in cards if c.get("buried") and "name" in c]
    owner, _, place = zone.partition(" ")
    seat = table["players"][player_number(owner, players)]
    if place == "hand":
        return [c["name"] for c in seat["hand"] if "name" in c]
    if place == "deck":
        return [c["card"]["name"] for c in seat["deck_known"]]
    if place in ("discard", "aside"):
        return [c["name"] for c in seat[place]]
    raise ScenarioError(f"«{zone}» is no zone; say «limbo», «P2 hand», «P2 deck» ...")


CHECKS: Final[dict[str, Checker]] = {
    "vp": _vp, "power": _power, "printed_power": _printed_power,
    "starting_power": _starting_power, "owned": _owned, "counters": _counters, "tokens": _tokens,
    "controller": _controller, "total": _total, "base_total": _base_total,
    "breakpoint": _breakpoint, "hand": _hand, "discard": _discard, "deck": _deck,
    "deck_bottom": _deck_bottom, "hand_has": _has("hand"), "deck_has": _has("deck"),
    "discard_has": _has("discard"), "hand_size": _size("hand"), "deck_size": _size("deck"),
    "discard_size": _size("discard"), "at": _at, "on": _on, "where": _where, "aside": _aside,
    "bases": _bases, "base_discard": _base_discard, "base_deck": _base_deck,
    "base_deck_size": _base_deck_size, "in_play": _in_play, "not_in_play": _not_in_play,
    "turn": _turn, "phase": _phase, "over": _over, "winner": _winner, "log": _log,
    "not_log": _not_log, "log_for": _log_for, "not_log_for": _not_log_for, "asked": _asked,
    "asks": _asks, "sees": _sees, "knows_nothing_of": _knows_nothing_of,
}  # fmt: skip
"""Everything that can be expected, by name."""
