"""Renders messages of the engine with the names and colors of the players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.text import Text

from smashup.terminal.screens.console import PLAYER_STYLES
from smashup.terminal.translation import current_translator, tr


class PlayerNames:
    """The names of the players, and messages rendered with them."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = list(names)

    def style(self, player: int | None) -> str:
        return "" if player is None or player < 0 else PLAYER_STYLES[player]

    def name(self, player: int, weight: str = "bold") -> Text:
        return Text(self.names[player], style=f"{weight} {self.style(player)}")

    def join(self, players: Sequence[int]) -> Text:
        return _join([self.name(p) for p in players])

    def render(self, message: Mapping[str, Any], context: str = "") -> Text:
        """Render a message given as plain data (`smashup.engine.views.view.message`)."""
        spoken = Text()
        for piece, origin in current_translator().pieces(message, self.names, context):
            spoken.append(piece, style=self._style(origin))
        return spoken

    def _style(self, origin: object) -> str:
        """Style players in their colors, bases in italics, cards in bold."""
        if not isinstance(origin, Mapping):
            return ""
        if origin["sort"] == "player":
            return f"bold {self.style(origin['id'])}"
        return "italic" if origin["sort"] == "base" else "bold"


def _join(parts: list[Text]) -> Text:
    """Join names as in “a, b and c”."""
    if not parts:
        return Text(tr("nothing"))
    spoken = Text()
    for number, part in enumerate(parts):
        if number:
            spoken.append(tr(" and ") if number == len(parts) - 1 else ", ")
        spoken.append_text(part)
    return spoken
