"""Checks turns, phases, the log, questions, shuffles, and what players know."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from smashup.engine.events.visible_events import SHUFFLED
from smashup.engine.game import Game
from smashup.engine.model.constants import PHASE_NAMES
from smashup.engine.model.messages import Message
from smashup.scenarios.checks.compare import Checker, compare, named_cards, per_player
from smashup.scenarios.errors import Failure, ScenarioError
from smashup.scenarios.references import find_cards, no_card_error, parse_player
from smashup.scenarios.schema.base import as_list
from smashup.scenarios.table.director import director_of


def _turn(game: Game, value: Any) -> None:
    compare(Message("Whose turn it is", {}), value, f"P{game.table.state.current + 1}")


def _phase(game: Game, value: Any) -> None:
    compare(Message("The phase", {}), value, PHASE_NAMES[game.table.state.phase])


def _over(game: Game, value: Any) -> None:
    compare(Message("Whether the game is over", {}), value, game.table.state.over)


def _winner(game: Game, value: Any) -> None:
    compare(
        Message("The winner", {}), as_list(value), [f"P{p + 1}" for p in game.table.state.winners]
    )


# --- the log --------------------------------------------------------------------------------


def _in_order(lines: list[str], value: Any, what: Message) -> None:
    """Fail unless lines contain these texts in order."""
    position = 0
    for wanted in as_list(value):
        for i in range(position, len(lines)):
            if str(wanted).casefold() in lines[i].casefold():
                position = i + 1
                break
        else:
            raise Failure("{what} should then say “{words}”.", what=what, words=wanted)


def _not_among(lines: list[str], value: Any, what: Message) -> None:
    for wanted in as_list(value):
        if any(str(wanted).casefold() in line.casefold() for line in lines):
            raise Failure("{what} should not say “{words}”.", what=what, words=wanted)


_LOG: Final = Message("The log", {})


def _log(game: Game, value: Any) -> None:
    _in_order([str(entry.message) for entry in game.table.log], value, _LOG)


def _not_log(game: Game, value: Any) -> None:
    _not_among([str(entry.message) for entry in game.table.log], value, _LOG)


def _log_of(game: Game, p: int) -> list[str]:
    """Return the log as one player reads it."""
    return [str(entry.for_player(p)) for entry in game.table.log]


def _as_read_by(who: str) -> Message:
    return Message("The log as {player} reads it", {"player": who})


def _log_for(game: Game, value: Any) -> None:
    for who, p, wanted in per_player(game, value):
        _in_order(_log_of(game, p), wanted, _as_read_by(who))


def _not_log_for(game: Game, value: Any) -> None:
    for who, p, wanted in per_player(game, value):
        _not_among(_log_of(game, p), wanted, _as_read_by(who))


# --- questions and shuffles -----------------------------------------------------------------


def _asked(game: Game, value: Any) -> None:
    """Check past questions in order: “P1”, or “P1: part of the question”."""
    asked = director_of(game).asked
    left = list(asked)
    for item in as_list(value):
        ((who, words),) = item.items() if isinstance(item, dict) else ((item, ""),)
        player = parse_player(who, game.table.num_players)
        while left:
            p, question = left.pop(0)
            if p == player and str(words).casefold() in question.casefold():
                break
        else:
            failure = (
                Failure("{player} should have been asked “{words}” next.", player=who, words=words)
                if words
                else Failure("{player} should have been asked something next.", player=who)
            )
            if not asked:
                failure.add_detail("No player was asked anything.")
                raise failure
            failure.add_detail("Questions so far:")
            failure.add_details(
                Message("P{number}: {question}", {"number": p + 1, "question": question})
                for p, question in asked
            )
            raise failure


def _shuffled(game: Game, value: Any) -> None:
    """Check whose decks were shuffled since the setup; as a mapping, how often."""
    since = director_of(game).events_at_start
    times = Counter(
        f"P{c.player + 1}" for c in game.table.visible_events[since:] if c.kind == SHUFFLED
    )
    if isinstance(value, dict):
        for who, _, wanted in per_player(game, value):
            what = Message("How often the deck of {player} was shuffled", {"player": who})
            compare(what, wanted, times[who])
    else:
        for who in as_list(value):
            parse_player(who, game.table.num_players)
            if not times[who]:
                raise Failure("The deck of {player} should have been shuffled.", player=who)


# --- hidden cards ---------------------------------------------------------------------------


def _knows_nothing_of(game: Game, value: Any) -> None:
    """Check that neither a player's view nor their log names these cards."""
    for who, p, wanted in per_player(game, value):
        shown = [*_words(game.view(p)), *_log_of(game, p)]
        for name in as_list(wanted):
            if not find_cards(game, str(name), in_play=False):
                raise no_card_error(game, str(name))
            found = re.compile(rf"(?<!\w){re.escape(str(name))}(?!\w)", re.IGNORECASE)
            for text in shown:
                if found.search(text):
                    raise Failure(
                        "{player} should know nothing about {card}, but reads “{text}”.",
                        player=who,
                        card=name,
                        text=text,
                    )


def _words(view: Any) -> list[str]:
    """Collect all texts of a view except card texts."""
    if isinstance(view, dict):
        return [w for key, inner in view.items() if key != "text" for w in _words(inner)]
    if isinstance(view, list):
        return [w for inner in view for w in _words(inner)]
    return [view] if isinstance(view, str) else []


def _sees(game: Game, value: Any) -> None:
    """Check which cards of a hidden zone a player knows: “P1: {P2 hand: [Jumper]}”.

    “limbo” means cards on the table without a place yet: just revealed or looked at;
    “buried” means the buried cards of all players.
    """
    for who, p, zones in per_player(game, value):
        table = game.view(p)
        for zone, wanted in zones.items():
            what = Message("What {player} sees of {zone}", {"player": who, "zone": zone})
            known = _known(table, zone, game.table.num_players)
            compare(what, sorted(named_cards(wanted)), sorted(known))


def _known(table: Mapping[str, Any], zone: str, players: int) -> list[str]:
    """Names of the cards of a zone that are shown in a view."""
    if zone == "limbo":
        return [c["name"] for c in table["limbo"] if "name" in c]
    if zone == "base deck":
        return [c["card"]["name"] for c in table["base_deck_known"]]
    if zone == "buried":
        cards = [c for base in table["bases"] for c in base["cards"]]
        return [c["name"] for c in cards if c.get("buried") and "name" in c]
    owner, _, place = zone.partition(" ")
    if place not in ("hand", "deck", "discard", "aside"):
        raise ScenarioError(
            "“{zone}” is not a zone; use “limbo”, “buried”, “base deck”, “P2 hand”, “P2"
            " deck”, “P2 discard” or “P2 aside”.",
            zone=zone,
        )
    seat = table["players"][parse_player(owner, players)]
    if place == "deck":
        return [c["card"]["name"] for c in seat["deck_known"]]
    return [c["name"] for c in seat[place] if "name" in c]


CHECKS: Final[dict[str, Checker]] = {
    "turn": _turn, "phase": _phase, "over": _over, "winner": _winner, "log": _log,
    "not_log": _not_log, "log_for": _log_for, "not_log_for": _not_log_for, "asked": _asked,
    "shuffled": _shuffled, "sees": _sees,
    "knows_nothing_of": _knows_nothing_of,
}  # fmt: skip
