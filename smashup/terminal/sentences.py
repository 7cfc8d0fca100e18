"""The engine's messages as coloured text, with the players' own names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.text import Text

from smashup.terminal.look import PLAYER_STYLES
from smashup.terminal.translation import current_translator, tr


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
        """A message (as `smashup.engine.views.view.message` writes it) in words."""
        spoken = Text()
        for piece, origin in current_translator().pieces(message, self.names):
            spoken.append(piece, style=self._style(origin))
        return spoken

    def _style(self, origin: object) -> str:
        """Players in their colours, bases in italics, cards in bold."""
        if not isinstance(origin, Mapping):
            return ""
        if origin["sort"] == "player":
            return f"bold {self.style(origin['id'])}"
        return "italic" if origin["sort"] == "base" else "bold"


def _joined(parts: list[Text]) -> Text:
    """Parts as they stand in a sentence: «a, b and c»."""
    if not parts:
        return Text(tr("nothing"))
    spoken = Text()
    for number, part in enumerate(parts):
        if number:
            spoken.append(tr(" and ") if number == len(parts) - 1 else ", ")
        spoken.append_text(part)
    return spoken
