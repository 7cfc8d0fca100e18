"""A sitting: people and bots play a game to its end, or to the next save."""

from __future__ import annotations

import contextlib
import signal
import sys
import time
from types import FrameType
from typing import Any, cast

from rich.console import Console
from rich.text import Text

from smashup.bots.insight import outlook
from smashup.engine.errors import SaveError
from smashup.engine.game import Game
from smashup.engine.model.randomness import LINEAR
from smashup.engine.views.view import SPECTATOR
from smashup.terminal import screens
from smashup.terminal.board import board
from smashup.terminal.chronicle import Chronicle, Line
from smashup.terminal.keeping import Keeper
from smashup.terminal.odds import outlook_line
from smashup.terminal.prompt import Leave, Prompt
from smashup.terminal.seats import Seat, bot_answer
from smashup.terminal.sentences import Voice
from smashup.terminal.thinking import Thinking
from smashup.terminal.translation import render, tr

PAUSE = 0.7
"""Seconds between the turns of bots that somebody watches."""


class Sitting:
    """One game at one terminal."""

    def __init__(
        self,
        game: Game,
        seats: list[Seat],
        console: Console,
        keeper: Keeper | None,
        fast: bool = False,
        judging: bool = True,
    ) -> None:
        self.game = game
        self.seats = seats
        self.console = console
        self.keeper = keeper
        """None when there is nobody to keep the game for."""
        self.fast = fast
        self.judging = judging and not all(seat.is_human for seat in seats)
        """Whether everybody's chance to win is shown under the board: at tables with bots."""
        self.voice = Voice([seat.name for seat in seats])
        self.chronicle = Chronicle(self.voice)
        self.people = [p for p, seat in enumerate(seats) if seat.is_human]
        self.read = dict.fromkeys([*self.people, SPECTATOR], 0)
        """How much of the log each person has been shown."""
        self.facing = -1
        """The person who looks at the screen now."""
        self.scene = (0, -1)
        """Turn and player for whom the whole table was last drawn."""
        self.notice = ""
        """A sentence for the top of the next screen."""

    # --- the loop ---------------------------------------------------------------------------

    def run(self) -> int:
        """Play until the game is over or somebody leaves; the exit code of the program."""
        signals = {signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)}
        before = {number: signal.signal(number, _interrupt) for number in signals}
        try:
            self._play()
        except (Leave, EOFError, KeyboardInterrupt) as why:
            with contextlib.suppress(OSError):  # the terminal itself may be gone
                if not isinstance(why, Leave):
                    self.console.print()
                return self._leave()
            return 1
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
        self._end()
        return 0

    def _play(self) -> None:
        while (decision := self.game.decision) is not None:
            player = decision.player
            if not self.seats[player].is_human:
                self._let_bots_play()
            elif len(decision.options) == 1:
                shown = cast("dict[str, Any]", self.game.view(player))["decision"]["options"][0][
                    "label"
                ]
                self.chronicle.only_choice(self.game, player, self.voice.sentence(shown))
                self.game.choose(0)
            else:
                self._ask(player)

    def _let_bots_play(self) -> None:
        """Bots answer until a person has to; where everybody watches, until there is news."""
        with Thinking(self.console) as thinking:
            while (decision := self.game.decision) is not None:
                seat = self.seats[decision.player]
                if seat.is_human:
                    return
                thinking.about(seat.name)
                self.game.choose(bot_answer(self.game, seat.kind, thinking.progress))
                if not self.people:
                    break
        if not self.people:
            self._tell()

    def _ask(self, player: int) -> None:
        """Let a person answer, or take an answer back."""
        self._curtain(player)
        prompt = Prompt(self, player)
        scene = (prompt.view["turn"], player)
        if scene != self.scene:
            # Once a turn, in case the terminal goes away without a word.
            self._save_quietly()
        lines = [Line(Text(self.notice, style="italic"), True)] if self.notice else []
        lines += self.news(player)
        prompt.show(prompt.is_play_menu or scene != self.scene, lines)
        self.scene = scene
        self.notice = ""
        answer = prompt.ask()
        if answer is None:
            self.scene = (0, -1)
        else:
            self.game.choose(answer)

    # --- who sees the screen ----------------------------------------------------------------

    def _curtain(self, player: int) -> None:
        """Between two people the screen is emptied, so that hidden cards stay hidden."""
        if player == self.facing:
            return
        if len(self.people) > 1:
            screens.clear(self.console, scrollback=True)
            line = Text(tr("Pass the screen to ")).append_text(self.voice.player(player))
            self.console.rule(line)
            self.listen(Text(tr("{name}, press Enter. ", name=self.seats[player].name)))
            screens.clear(self.console, scrollback=True)
        self.facing = player

    def listen(self, prompt: Text) -> str:
        """What the person types; input from a file or pipe is shown as if it were typed."""
        text = self.console.input(prompt)
        if not sys.stdin.isatty():
            self.console.print(text)
        return text

    def news(self, player: int) -> list[Line]:
        """Log lines the player has not been shown yet."""
        lines = self.chronicle.lines(self.game, player, self.read[player])
        self.read[player] = len(self.game.events(player))
        return lines

    def _tell(self) -> None:
        """Those who watch are told what happens as it happens."""
        for line in self.news(SPECTATOR):
            if line.opens_turn and not self.fast and self.console.is_terminal:
                time.sleep(PAUSE)
            self.console.print(line)
            if line.opens_turn and not self.fast:
                view = cast("dict[str, Any]", self.game.view())
                if view["current"] == view["first"]:
                    self.console.print(board(view, self.voice))
                    self.show_outlook(SPECTATOR)

    def show_outlook(self, player: int) -> None:
        """Everybody's chance to win, as a player (-1: those who watch) may judge it."""
        if self.judging:
            self.console.print(outlook_line(outlook(self.game, player), self.voice))

    # --- undo, save, leave ------------------------------------------------------------------

    def undo(self, player: int) -> str:
        """Go back to the player's last real choice; a sentence about why not."""
        if len(self.people) > 1:
            return tr("Undo works only when all other players are bots.")
        again = self.game.fresh()
        again.table.logging = False
        last = -1
        for number, answer in enumerate(self.game.answers):
            decision = again.decision
            if decision is not None and decision.player == player and len(decision.options) > 1:
                last = number
            again.choose(answer)
        if last < 0:
            return tr("There is nothing to take back.")
        self.game = self.game.undo(len(self.game.answers) - last)
        self.chronicle.forget(last)
        self.read[player] = len(self.game.events(player))
        self.notice = tr("You took back your last choice.")
        return ""

    def save(self) -> str:
        """Save, and a sentence about it."""
        if self.keeper is None:
            return tr("This game cannot be saved.")
        try:
            self.keeper.save(self.game, self.seats)
        except SaveError as error:
            return render(error.message)
        return tr("Saved in {path}.", path=self.keeper.path)

    def _save_quietly(self) -> None:
        if self.keeper is None:
            return
        try:
            self.keeper.save(self.game, self.seats)
        except SaveError as error:
            self.console.print(render(error.message), style="red")

    def _leave(self) -> int:
        """Save and say how to come back."""
        if self.keeper is None:
            return 0
        try:
            self.keeper.save(self.game, self.seats)
        except SaveError as error:
            self.console.print(render(error.message), style="red")
            return 1
        self._say(tr("Saved in {path}.", path=self.keeper.path))
        if self.keeper.put_aside is not None:
            self._say(tr("Your earlier game is in {path}.", path=self.keeper.put_aside))
        self._say(tr("Go on with:  {command}", command=self.keeper.how_to_resume()))
        return 0

    def _say(self, sentence: str) -> None:
        self.console.print(sentence, soft_wrap=True)

    def _end(self) -> None:
        """The last news, the board and the result."""
        viewer = self.people[0] if len(self.people) == 1 else SPECTATOR
        if len(self.people) > 1:
            screens.clear(self.console, scrollback=True)
            self.read[SPECTATOR] = min(self.read[p] for p in self.people)
        view = cast("dict[str, Any]", self.game.view(viewer))
        self.console.print(screens.news(self.news(viewer)))
        self.console.print(board(view, self.voice))
        self.console.print(screens.result(view, self.voice))
        if self.game.setup.generator == LINEAR:
            self._say(tr("Seed {seed}.", seed=self.game.setup.seed))
        self._save_quietly()


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt
