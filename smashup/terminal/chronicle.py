"""What happened, as one player may read it: the game's log and notes of the client."""

from __future__ import annotations

from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderResult
from rich.padding import Padding
from rich.text import Text

from smashup.engine.game import Game
from smashup.engine.views.view import message
from smashup.terminal.sentences import Voice
from smashup.terminal.translation import tr


@dataclass(frozen=True)
class Line:
    """A line as it is shown: what happens in a turn stands indented under it."""

    text: Text
    opens_turn: bool = False

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Padding(self.text, (0, 0, 0, 0 if self.opens_turn else 2))


@dataclass(frozen=True)
class Note:
    """A line the client adds for one player, after some line of the game's log."""

    after: int
    answers: int
    player: int
    text: Text


class Chronicle:
    """The log with the notes in place."""

    def __init__(self, voice: Voice) -> None:
        self.voice = voice
        self.notes: list[Note] = []

    def only_choice(self, game: Game, player: int, label: Text) -> None:
        """Note that a question had one possible answer and was not asked."""
        text = self.voice.player(player, weight="not bold").append(tr(": ")).append_text(label)
        text.append(tr(" (only choice)"))
        text.stylize("dim")
        after = len(game.events(player))
        self.notes.append(Note(after, len(game.answers), player, text))

    def forget(self, answers: int) -> None:
        """Drop the notes on answers that were taken back."""
        self.notes = [note for note in self.notes if note.answers < answers]

    def lines(self, game: Game, player: int, since: int = 0) -> list[Line]:
        """What a player (-1: a spectator) may read, from some line of the log on."""
        notes = [n for n in self.notes if n.player == player and n.after >= since]
        lines: list[Line] = []
        for number, entry in game.events(player, since):
            while notes and notes[0].after <= number:
                lines.append(Line(notes.pop(0).text))
            plain = message(entry)
            lines.append(Line(self.voice.sentence(plain), "turn" in plain["args"]))
        return lines + [Line(note.text) for note in notes]
