"""The game's log as one player may read it, with notes of the terminal client."""

from __future__ import annotations

from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderResult
from rich.padding import Padding
from rich.text import Text

from smashup.engine.game import Game
from smashup.engine.views.view import message
from smashup.terminal.screens.player_names import PlayerNames
from smashup.terminal.translation import tr


@dataclass(frozen=True)
class AnnotatedLine:
    """A line of the log, indented unless it starts a turn."""

    text: Text
    starts_turn: bool = False

    def dimmed(self) -> AnnotatedLine:
        """The same line for a player who has read it."""
        text = self.text.copy()
        text.stylize("dim")
        return AnnotatedLine(text, self.starts_turn)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Padding(self.text, (0, 0, 0, 0 if self.starts_turn else 2), expand=False)


@dataclass(frozen=True)
class LogNote:
    """A line that the client adds for one player at a position of the game's log."""

    position: int
    answer_count: int
    player: int
    text: Text


class AnnotatedLog:
    """Merges the game's log with notes."""

    def __init__(self, player_names: PlayerNames) -> None:
        self.player_names = player_names
        self.notes: list[LogNote] = []

    def note_forced_choice(self, game: Game, player: int, label: Text) -> None:
        """Note that a decision with only one option was answered automatically."""
        text = self.player_names.name(player, weight="not bold").append(tr(": ")).append_text(label)
        text.append(tr(" (only choice)"))
        text.stylize("dim")
        position = len(game.log_lines(player))
        self.notes.append(LogNote(position, len(game.answers), player, text))

    def drop_notes(self, answer_count: int) -> None:
        """Drop the notes on answers that were undone."""
        self.notes = [note for note in self.notes if note.answer_count < answer_count]

    def lines(self, game: Game, player: int, since: int = 0) -> list[AnnotatedLine]:
        """The lines a player (-1: a spectator) may read, starting at a line of the log."""
        notes = [n for n in self.notes if n.player == player and n.position >= since]
        lines: list[AnnotatedLine] = []
        for number, entry in game.log_lines(player, since):
            while notes and notes[0].position <= number:
                lines.append(AnnotatedLine(notes.pop(0).text))
            plain = message(entry)
            words = self.player_names.render(plain, game.table.log[number].event)
            lines.append(AnnotatedLine(words, "turn" in plain["args"]))
        return lines + [AnnotatedLine(note.text) for note in notes]
