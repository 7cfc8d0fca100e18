"""Finds the card a player asks for: first the cards the player sees, then all others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from smashup.terminal.card_index import CardIndex, SearchResult, closest_names, fold_name
from smashup.terminal.translation import tr


def find_card(index: CardIndex, name: str, view: dict[str, Any]) -> SearchResult:
    """Find a name: in full anywhere, otherwise a part of it in hand, in play, then anywhere."""
    wanted = fold_name(name)
    if not wanted:
        return SearchResult()
    exact = [card for card in index.cards if wanted in map(fold_name, card.names)]
    if exact:
        return index.find(name)
    groups = visible_names(view)
    for group in groups:
        cards = [card for card in index.cards if group & set(card.names)]
        for matches in (str.startswith, str.__contains__):
            found = [c for c in cards if any(matches(fold_name(n), wanted) for n in c.names)]
            if found:
                return SearchResult(cards=found)
    found_anywhere = index.find(name)
    if not found_anywhere.count:
        seen = sorted(set().union(*groups))
        known = closest_names(name, [*map(tr, seen), *seen], 1)
        found_anywhere.suggestions = known or found_anywhere.suggestions
    return found_anywhere


def visible_names(view: dict[str, Any]) -> list[set[str]]:
    """English names of the cards the player sees: in hand, then in play, then in piles."""
    you = view["you"]
    hand, in_play, piles = set[str](), set[str](), set[str]()
    for card in view["players"][you]["hand"]:
        hand.update(_names(card))
    for site in view["bases"]:
        in_play.add(site["name"])
        for card in site["cards"]:
            in_play.update(_names(card))
    for card in view["limbo"]:
        in_play.update(_names(card))
    for seat in view["players"]:
        for card in seat["aside"]:
            in_play.update(_names(card))
        for card in [*seat["discard"], *(seat["hand"] if seat["index"] != you else ())]:
            piles.update(_names(card))
    for card in view["base_discard"]:
        piles.update(_names(card))
    return [hand, in_play, piles]


def _names(card: dict[str, Any]) -> Iterator[str]:
    """The names of a card and of the actions on it, as far as they are visible."""
    if not card.get("hidden"):
        yield card["name"]
    for action in card.get("actions", ()):
        yield from _names(action)


def option_name(option: dict[str, Any], view: dict[str, Any]) -> str:
    """The card, base or faction that an option is about; an empty string for none."""
    if "faction" in option:
        return str(option["faction"])
    if "card" in option:
        return str(option["card"].get("name", ""))
    names = [str(site["name"]) for site in view["bases"] if site["serial"] == option.get("base")]
    return names[0] if names else ""
