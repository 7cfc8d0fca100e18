"""Checks where cards are and who owns or controls them."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from smashup.engine.game import Game
from smashup.engine.model.constants import (
    AT_BASE,
    BASE_DECK,
    BASE_DISCARD,
    BASE_IN_PLAY,
    BURIED,
    DECK,
    DISCARD,
    HAND,
    MADNESS_DECK,
    ON_CARD,
    REMOVED,
    SET_ASIDE,
    TITAN,
)
from smashup.engine.model.messages import Message
from smashup.scenarios.checks.compare import (
    Checker,
    compare,
    compare_cards,
    named_cards,
    per_player,
)
from smashup.scenarios.errors import Failure, format_value
from smashup.scenarios.references import (
    card_names,
    find_base,
    find_card,
    find_cards,
    has_name,
    no_card_error,
    parse_reference,
)

_ZONES: Final = {
    "hand": Message("Hand of {player}", {}),
    "deck": Message("Deck of {player}", {}),
    "discard": Message("Discard pile of {player}", {}),
}


def _zone(zone: str, who: str) -> Message:
    return Message(_ZONES[zone].text, {"player": who})


def _cards(game: Game, zone: str, p: int) -> list[int]:
    s = game.table.state
    return {"hand": s.hands, "deck": s.decks, "discard": s.discards}[zone][p]


def _whole(zone: str) -> Checker:
    def checker(game: Game, value: Any) -> None:
        for who, p, wanted in per_player(game, value):
            compare_cards(game, _zone(zone, who), wanted, _cards(game, zone, p))

    return checker


def _has(zone: str) -> Checker:
    def checker(game: Game, value: Any) -> None:
        for who, p, wanted in per_player(game, value):
            cards = _cards(game, zone, p)
            for name in named_cards(wanted):
                if not any(has_name(game, c, name) for c in cards):
                    raise Failure(
                        "{zone}: {card} should be there; there are {found}.",
                        zone=_zone(zone, who),
                        card=name,
                        found=format_value(sorted(card_names(game, cards))),
                    )

    return checker


def _size(zone: str) -> Checker:
    def checker(game: Game, value: Any) -> None:
        for who, p, wanted in per_player(game, value):
            what = Message("{zone}, number of cards", {"zone": _zone(zone, who)})
            compare(what, wanted, len(_cards(game, zone, p)))

    return checker


def _deck(game: Game, value: Any) -> None:
    """Check the top of the deck in order; an empty list means an empty deck."""
    for who, p, wanted in per_player(game, value):
        top = list(reversed(game.table.state.decks[p]))
        names = named_cards(wanted)
        if not names and top:
            raise Failure(
                "The deck of {player} should be empty; it holds {count} cards.",
                player=who,
                count=len(top),
            )
        _in_order(game, Message("Top of the deck of {player}", {"player": who}), names, top)


def _deck_bottom(game: Game, value: Any) -> None:
    """The bottom of the deck, lowest card first."""
    for who, p, wanted in per_player(game, value):
        what = Message("Bottom of the deck of {player}", {"player": who})
        _in_order(game, what, named_cards(wanted), game.table.state.decks[p])


def _in_order(game: Game, what: Message, names: list[str], cards: list[int]) -> None:
    """Fail unless the cards begin with these."""
    if len(cards) < len(names) or not all(
        has_name(game, c, n) for c, n in zip(cards, names, strict=False)
    ):
        raise Failure(
            "{what}: expected {expected}, found {found}.",
            what=what,
            expected=format_value(names),
            found=format_value(card_names(game, cards[: len(names)])),
        )


def _at(game: Game, value: Any) -> None:
    """Check each player's cards at a base, without actions on minions."""
    s = game.table.state
    for base, players in value.items():
        site = s.site_at[find_base(game, base)]
        for who, p, wanted in per_player(game, players):
            there = [c for c in site.cards if s.controller[c] == p]
            what = Message("Cards of {player} at {base}", {"player": who, "base": base})
            compare_cards(game, what, wanted, there)


def _on(game: Game, value: Any) -> None:
    """Check the actions on a minion."""
    for text, wanted in value.items():
        c = find_card(game, text)
        what = Message("Actions on {card}", {"card": text})
        compare_cards(game, what, wanted, list(game.table.state.on_card.get(c, ())))


def _where(game: Game, value: Any) -> None:
    """Check a place: a base, “on V3”, “P1 hand|deck|discard”, “aside”, “buried at B1”."""
    for text, wanted in value.items():
        found = find_cards(game, text, in_play=False)
        if not found:
            raise no_card_error(game, text)
        places = [_place(game, c) for c in found]
        if str(wanted).casefold() not in [p.casefold() for p in places]:
            raise Failure(
                "{card} should be “{expected}”; it is “{found}”.",
                card=text,
                expected=wanted,
                found=", ".join(dict.fromkeys(places)),
            )


_UNOWNED: Final = {
    SET_ASIDE: "aside", BASE_DECK: "base deck", BASE_DISCARD: "base discard",
    BASE_IN_PLAY: "in play", MADNESS_DECK: "madness deck", REMOVED: "box",
}  # fmt: skip
_OWNED: Final = {HAND: "hand", DECK: "deck", DISCARD: "discard"}


def _place(game: Game, c: int) -> str:
    s = game.table.state
    zone = s.zone[c]
    if zone == AT_BASE:
        return s.definition[s.site_at[s.place[c]].base].name
    if zone == BURIED:
        return "buried at " + s.definition[s.site_at[s.place[c]].base].name
    if zone == ON_CARD:
        return "on " + s.definition[s.place[c]].name
    if zone in _OWNED:
        return f"P{s.place[c] + 1} {_OWNED[zone]}"
    return _UNOWNED.get(zone, "limbo")


def _controller(game: Game, value: Any) -> None:
    for text, wanted in value.items():
        c = find_card(game, text)
        what = Message("Controller of {card}", {"card": text})
        compare(what, wanted, f"P{game.table.state.controller[c] + 1}")


def _owned(game: Game, value: Any) -> None:
    """Check how many cards of each faction a player owns, without titans."""
    s = game.table.state
    for who, p, wanted in per_player(game, value):
        cards = [c for c, o in enumerate(s.owner) if o == p and s.definition[c].type != TITAN]
        factions = Counter(s.definition[c].faction for c in cards)
        compare(Message("Cards owned by {player}", {"player": who}), wanted, dict(factions))


def _aside(game: Game, value: Any) -> None:
    for who, p, wanted in per_player(game, value):
        what = Message("Titans set aside by {player}", {"player": who})
        compare_cards(game, what, wanted, game.table.state.set_aside[p])


def _bases(game: Game, value: Any) -> None:
    bases = [site.base for site in game.table.state.sites]
    if isinstance(value, int):
        compare(Message("Number of bases", {}), value, len(bases))
    else:
        compare_cards(game, Message("Bases in play", {}), value, bases)


def _base_discard(game: Game, value: Any) -> None:
    compare_cards(game, Message("Base discard pile", {}), value, game.table.state.base_discard)


def _base_deck(game: Game, value: Any) -> None:
    compare_cards(game, Message("Base deck", {}), value, game.table.state.base_deck)


def _base_deck_size(game: Game, value: Any) -> None:
    compare(Message("Cards in the base deck", {}), value, len(game.table.state.base_deck))


def _in_play(game: Game, value: Any) -> None:
    for text in named_cards(value):
        if not find_cards(game, text):
            raise Failure("{card} should be in play.", card=text)


def _not_in_play(game: Game, value: Any) -> None:
    for text in named_cards(value):
        if find_cards(game, text):
            raise Failure("{card} should not be in play.", card=text)
        if not find_cards(game, parse_reference(game, text).name, in_play=False):
            raise no_card_error(game, text)


CHECKS: Final[dict[str, Checker]] = {
    "controller": _controller, "owned": _owned, "hand": _whole("hand"),
    "discard": _whole("discard"), "deck": _deck, "deck_bottom": _deck_bottom,
    "hand_has": _has("hand"), "deck_has": _has("deck"), "discard_has": _has("discard"),
    "hand_size": _size("hand"), "deck_size": _size("deck"), "discard_size": _size("discard"),
    "at": _at, "on": _on, "where": _where, "aside": _aside, "bases": _bases,
    "base_discard": _base_discard, "base_deck": _base_deck, "base_deck_size": _base_deck_size,
    "in_play": _in_play, "not_in_play": _not_in_play,
}  # fmt: skip
