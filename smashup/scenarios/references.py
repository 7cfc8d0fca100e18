"""References to players, bases and cards in steps and expectations."""

from __future__ import annotations

import re
from typing import Any

from smashup.engine.game import Game
from smashup.engine.model.constants import BASE, ON_CARD
from smashup.scenarios.errors import ScenarioError, shorten, suggestion


def parse_player(word: Any, players: int) -> int:
    """Parse a player such as “P2”."""
    match = re.fullmatch(r"P([1-4])", str(word))
    if match is None or int(match[1]) > players:
        raise ScenarioError(
            "“{word}” is not a player; there are P1 to P{players}.",
            word=shorten(word),
            players=players,
        )
    return int(match[1]) - 1


def has_name(game: Game, c: int, name: str) -> bool:
    """Whether a card has this name in either printing or in French."""
    kind = game.table.state.definition[c]
    wanted = name.strip().casefold()
    return any(wanted == n.casefold() for n in (kind.name, kind.other_name, kind.name_fr) if n)


def card_names(game: Game, cards: list[int]) -> list[str]:
    """The names of cards."""
    return [game.table.state.definition[c].name for c in cards]


def find_base(game: Game, name: str) -> int:
    """The serial of the base in play with this name."""
    found = [site.serial for site in game.table.state.sites if has_name(game, site.base, name)]
    if not found:
        names = card_names(game, [site.base for site in game.table.state.sites])
        raise ScenarioError(
            "There is no base “{name}” in play.{proposal} There are {names}.",
            name=name,
            proposal=suggestion(name, names),
            names=", ".join(names),
        )
    return found[0]


class Reference:
    """A reference to cards: ``V3``, ``P2's V3``, ``V3 at B1``, ``Pin on V3``, ``V3 #2``."""

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
        """Split “at BASE” and “on HOST” from the name, unless they are part of it."""
        rest = self.full
        if is_card_name(game, rest):
            return
        if " at " in rest:
            left, _, base = rest.rpartition(" at ")
            if any(has_name(game, site.base, base) for site in game.table.state.sites):
                self.base, rest = base, left
        if not is_card_name(game, rest) and " on " in rest:
            left, _, host = rest.rpartition(" on ")
            if is_card_name(game, host):
                self.host, rest = host, left
        self.name = rest

    def matches(self, game: Game, c: int) -> bool:
        s = game.table.state
        if not has_name(game, c, self.name):
            return False
        if self.player and s.controller[c] != parse_player(self.player, game.table.num_players):
            return False
        if self.base and (
            not game.table.in_play(c) or game.table.site_serial(c) != find_base(game, self.base)
        ):
            return False
        return not self.host or (s.zone[c] == ON_CARD and has_name(game, s.place[c], self.host))


def is_card_name(game: Game, name: str, bases: bool = True) -> bool:
    """Whether some card of the game has this name."""
    kinds = game.table.state.definition
    return any(has_name(game, c, name) for c in range(len(kinds)) if bases or kinds[c].type != BASE)


def parse_reference(game: Game, text: str) -> Reference:
    reference = Reference(text)
    reference.split(game)
    return reference


def find_cards(game: Game, text: str, in_play: bool = True) -> list[int]:
    """Find the cards in play that match a text; without any, cards elsewhere if allowed."""
    reference = parse_reference(game, text)
    everything = [c for c in range(len(game.table.state.definition)) if reference.matches(game, c)]
    found = [c for c in everything if game.table.in_play(c)]
    if not found and not in_play:
        found = everything
    if reference.number:
        found = found[reference.number - 1 : reference.number]
    return found


def find_card(game: Game, text: str, in_play: bool = True) -> int:
    """Find the first card that matches a text."""
    found = find_cards(game, text, in_play)
    if not found:
        raise no_card_error(game, text, in_play)
    return found[0]


def no_card_error(game: Game, text: str, in_play: bool = False) -> ScenarioError:
    """The error for a name that no card has."""
    cards = [
        c for c in range(len(game.table.state.definition)) if not in_play or game.table.in_play(c)
    ]
    proposal = suggestion(parse_reference(game, text).name, card_names(game, cards))
    if in_play:
        return ScenarioError(
            "There is no card “{name}” in play.{proposal}", name=text, proposal=proposal
        )
    return ScenarioError(
        "There is no card “{name}” in the game.{proposal}", name=text, proposal=proposal
    )
