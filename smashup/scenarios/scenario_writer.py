"""Writes a game as a scenario file, as one player sees it, for bug reports.

The key “table” holds the exact table, with hidden cards redealt. The rest describes for readers
what the player sees and what happened.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from random import Random
from typing import Any, Final

from smashup.engine.game import Game
from smashup.scenarios.redaction import SPECTATOR, redact_table, rewind_to_last_menu

MAX_LOG_LINES: Final = 60
"""The number of log lines before the last play menu that are included."""
MAX_LINE_LENGTH: Final = 400
"""The maximum length of a line."""


def write_scenario(game: Game, viewer: int, name: str, text: str, dice: Random) -> str:
    """Write a scenario file with what a player (-1: a spectator) may know of a game.

    A card that is still resolving cannot be represented: the table is that of the last
    play menu, and the log contains what happened since then.
    """
    setup = game.setup
    table = rewind_to_last_menu(game)
    said = {
        "id": name,
        "title": "Reported from a table",
        "note": text or "No description.",
        "edition": setup.edition,
        "printing": setup.printing,
        "players": setup.players,
    }
    who = "a spectator" if viewer == SPECTATOR else f"P{viewer + 1}"
    lines = [*_comment([f"Seen by {who}. Hidden cards are redealt: they are not the real ones."])]
    lines += [f"{key}: {_json(value)}" for key, value in said.items()]
    if table is None:
        lines += ["", *_comment(["The game had only just begun:", *_log(game, viewer, 0)])]
        lines += _setup_instructions(game)
        return "\n".join(lines) + "\n"
    menu = _lines_until(game, table) if table.decision is not None else 0
    lines += ["", *_comment(_summarize_view(table.view(viewer)))]
    lines += ["", *_comment(["Before:", *_log(game, viewer, menu - MAX_LOG_LINES, menu)])]
    lines += ["", *_comment(["Since then:", *_log(game, viewer, menu)]), ""]
    lines += ["table:"]
    lines += [f"  optional_titans: {_json(setup.optional_titans)}"]
    lines += [f"  with_madness: {_json(setup.madness)}"]
    lines += [f"  ask_everyone: {_json(setup.ask_everyone)}"]
    lines += [f"  {key}: {_json(v)}" for key, v in redact_table(table, viewer, dice).items()]
    return "\n".join(lines) + "\n"


def _lines_until(game: Game, menu: Game) -> int:
    """Return the number of log lines of a game at a play menu."""
    events = menu.table.state.event_count
    return sum(line.event_number < events for line in game.table.log)


def _setup_instructions(game: Game) -> list[str]:
    """Return the setup of a game that has not reached a play menu."""
    setup = game.setup
    first = f"P{game.table.state.first + 1}"
    said = {"draft": setup.draft, "first": first, "optional_titans": setup.optional_titans}
    found = [f"setup: {_json(said)}"]
    if setup.madness:
        found.append("madness: 30")
    if setup.draft:
        found.append(f"expect: {_json({'asks': {'player': first}})}")
    return found


def _json(value: Any) -> str:
    """Format data as JSON, which is YAML as well; control characters are escaped."""
    text = json.dumps(value, ensure_ascii=False)
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)


def _comment(lines: Iterable[str]) -> list[str]:
    """Format lines as comments."""
    shown = [
        "".join(c if c.isprintable() else " " for c in line)[:MAX_LINE_LENGTH] for line in lines
    ]
    return [f"# {line}".rstrip() for line in shown]


def _log(game: Game, viewer: int, since: int, until: int | None = None) -> list[str]:
    """Log lines as the player may read them."""
    lines = game.log_lines(viewer)[max(0, since) : until]
    return [f"  {line}" for _, line in lines] or ["  (nothing)"]


# --- the summary ----------------------------------------------------------------------------


def _summarize_view(view: Mapping[str, Any]) -> list[str]:
    """Summarize a view in a few lines."""
    current = f"P{view['current'] + 1}"
    lines = [f"The table at the last play menu, in turn {view['turn']}, of {current}:"]
    for player in view["players"]:
        hand, discard = _format_names(player["hand"]), _format_names(player["discard"])
        lines.append(
            f"  P{player['index'] + 1}: {player['vp']} VP, {' and '.join(player['factions'])};"
            f" hand: {hand}; deck: {player['deck_size']}; discard: {discard}"
        )
    for base in view["bases"]:
        lines.append(
            f"  {base['name']}: {base['total']} of {base['breakpoint']}, VP {base['vp']}"
            + (f", {base['counters']} counters" if base["counters"] else "")
        )
        lines += [f"    {_format_card(card)}" for card in base["cards"]]
    asked = view["decision"]
    if asked is not None:
        lines.append(f"  P{asked['player'] + 1} is to play.")
    return lines


def _format_names(cards: list[dict[str, Any]]) -> str:
    seen = [card["name"] for card in cards if "name" in card]
    hidden = len(cards) - len(seen)
    if hidden:
        seen.append(f"{hidden} unknown")
    return ", ".join(seen) or "nothing"


def _format_card(card: dict[str, Any]) -> str:
    text = f"P{card['controller'] + 1}: {card.get('name', 'a buried card')}"
    if card.get("buried") and "name" in card:
        text += " (buried)"
    if "power" in card:
        text += f" {card['power']}"
    if card.get("counters"):
        text += f", {card['counters']} counters"
    if card.get("actions"):
        text += f" with {', '.join(_format_card(action) for action in card['actions'])}"
    return text
