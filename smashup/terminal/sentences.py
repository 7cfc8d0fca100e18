"""The engine's messages as coloured text, with the players' own names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import Formatter
from typing import Any

from rich.text import Text

from smashup.terminal.look import PLAYER_STYLES
from smashup.terminal.words import say, translate


class Voice:
    """Speaks of players by name and colour."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = list(names)

    def style(self, player: int | None) -> str:
        return "" if player is None or player < 0 else PLAYER_STYLES[player]

    def player(self, player: int, weight: str = "bold") -> Text:
        return Text(self.names[player], style=f"{weight} {self.style(player)}")

    def players(self, players: Sequence[int]) -> Text:
        return _joined([self.player(p) for p in players])

    def sentence(self, message: Mapping[str, Any]) -> Text:
        """A message (as `smashup.engine.views.message` writes it) in words."""
        spoken = Text()
        args = message["args"]
        for literal, field, _, _ in Formatter().parse(translate(message["text"])):
            if literal.startswith(".") and spoken.plain.endswith("."):
                literal = literal[1:]  # a name may end in its own full stop
            spoken.append(literal)
            if field is not None:
                spoken.append_text(self._value(args[field]))
        return spoken

    def _value(self, value: Any) -> Text:
        if isinstance(value, Mapping):
            if value["sort"] == "player" and 0 <= value["id"] < len(self.names):
                return self.player(value["id"])
            style = "italic" if value["sort"] == "base" else "bold"
            return Text(say(value["text"]), style=style)
        if isinstance(value, list):
            return _joined([self._value(v) for v in value])
        return Text(say(value) if isinstance(value, str) else str(value))


def _joined(parts: list[Text]) -> Text:
    """Parts as they stand in a sentence: «a, b and c»."""
    if not parts:
        return Text(say("nothing"))
    spoken = Text()
    for number, part in enumerate(parts):
        if number:
            spoken.append(say(" and ") if number == len(parts) - 1 else ", ")
        spoken.append_text(part)
    return spoken
