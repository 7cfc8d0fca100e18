"""A session: humans and bots play a game in one terminal until it ends or is saved."""

from __future__ import annotations

import contextlib
import signal
import time
from types import FrameType
from typing import Any, cast

from rich.console import Console
from rich.text import Text

from smashup.bots.win_probability import win_probabilities
from smashup.engine.errors import CardFailure, IllegalChoice, SaveError
from smashup.engine.game import Game
from smashup.engine.model.randomness import LINEAR
from smashup.engine.views.view import SPECTATOR
from smashup.server.tables.decisions.picks import apply_picks
from smashup.terminal.game.annotated_log import AnnotatedLine, AnnotatedLog
from smashup.terminal.game.bot_progress import BotProgress
from smashup.terminal.game.line_input import forget_lines, read_line
from smashup.terminal.game.prompt import Prompt, QuitGame
from smashup.terminal.game.save_files import SaveFile
from smashup.terminal.game.seats import Seat, choose_bot_answer
from smashup.terminal.screens import pages
from smashup.terminal.screens.advice import render_chances
from smashup.terminal.screens.board import render_board
from smashup.terminal.screens.decision_screen import MAX_NEWS_LINES, News
from smashup.terminal.screens.player_names import PlayerNames
from smashup.terminal.translation import render, tr

BOT_TURN_PAUSE_SECONDS = 0.7
"""Pause between turns in games that only bots play."""


MAX_FAILURES = 5
"""Card failures without an answer in between, after which the game is saved and left."""


class GameSession:
    """One game at one terminal."""

    def __init__(
        self,
        game: Game,
        seats: list[Seat],
        console: Console,
        save_file: SaveFile | None,
        fast: bool = False,
        shows_chances: bool = True,
    ) -> None:
        self.game = game
        self.seats = seats
        self.console = console
        self.save_file = save_file
        """None for games without humans that need no save."""
        self.fast = fast
        self.shows_chances = shows_chances and not all(seat.is_human for seat in seats)
        """Whether win chances are shown below the board; only in games with bots."""
        self.player_names = PlayerNames([seat.name for seat in seats])
        self.annotated_log = AnnotatedLog(self.player_names)
        self.humans = [p for p, seat in enumerate(seats) if seat.is_human]
        self.lines_shown = dict.fromkeys([*self.humans, SPECTATOR], 0)
        """How many log lines each human has been shown."""
        self.viewer = -1
        """The human who sees the screen now, or -1."""
        self.drawn_for = (0, -1)
        """Turn and player for whom the whole board was last drawn."""
        self.notice = ""
        """A line for the top of the next screen."""
        self.failures = 0
        """How often cards failed since a human last answered."""

    # --- the loop ---------------------------------------------------------------------------

    def run(self) -> int:
        """Play until the game is over or a player quits; return the exit code."""
        signals = {signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)}
        before = {number: signal.signal(number, _interrupt) for number in signals}
        try:
            self._play()
        except (QuitGame, EOFError, KeyboardInterrupt) as why:
            with contextlib.suppress(OSError):  # the terminal itself may be gone
                if not isinstance(why, QuitGame):
                    self.console.print()
                return self._save_and_leave()
            return 1
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
        self._show_result()
        return 0

    def _play(self) -> None:
        """Play to the end. If a card fails, its name is shown and the choice undone."""
        while True:
            try:
                self._play_on()
                return
            except CardFailure as failure:
                self.failures += 1
                message = render(failure.message)
                if self.failures >= MAX_FAILURES or not self.humans:
                    self._print(message)
                    raise QuitGame from failure
                self._undo_failure()
                self._autosave()
                self.notice = message + " " + tr("The choice was undone.")
                self.drawn_for = (0, -1)

    def _undo_failure(self) -> None:
        """Go back to a position that can be shown, if even the board fails."""
        for steps in range(len(self.game.answers) + 1):
            try:
                game = self.game.undo(steps) if steps else self.game
                decision = game.decision
                game.view(self.humans[0])
            except CardFailure:
                continue
            if decision is not None and self.seats[decision.player].is_human:
                self.game = game
                return

    def _play_on(self) -> None:
        while (decision := self.game.decision) is not None:
            player = decision.player
            if not self.seats[player].is_human:
                self._let_bots_play()
            elif len(decision.options) == 1:
                shown = cast("dict[str, Any]", self.game.view(player))["decision"]["options"][0][
                    "label"
                ]
                self.annotated_log.note_forced_choice(
                    self.game, player, self.player_names.render(shown)
                )
                self.game.choose(0)
            else:
                self._ask(player)

    def _let_bots_play(self) -> None:
        """Let bots answer until a human must, or once if only bots play."""
        with BotProgress(self.console) as progress:
            while (decision := self.game.decision) is not None:
                seat = self.seats[decision.player]
                if seat.is_human:
                    return
                progress.start(seat.name)
                answer = choose_bot_answer(self.game, seat.kind, progress.update)
                self._choose_for_bot(answer, len(decision.options))
                if not self.humans:
                    break
        if not self.humans:
            self._print_news()

    def _choose_for_bot(self, answer: int, count: int) -> None:
        """Give a bot's answer; another one if a card fails after it."""
        choices = [answer, *(other for other in range(count) if other != answer)]
        for choice in choices:
            try:
                self.game.choose(choice)
                return
            except CardFailure as failure:
                self.notice = render(failure.message)
                if choice == choices[-1]:
                    raise

    def _ask(self, player: int) -> None:
        """Ask a human for an answer, or undo one."""
        self._hand_over_screen(player)
        prompt = Prompt(self, player, self.collect_news(player))
        drawn_for = (prompt.view["turn"], player)
        if drawn_for != self.drawn_for:
            # Once per turn, in case the terminal closes without a signal.
            self._autosave()
        if self.console.is_terminal:
            prompt.draw()
        else:
            prompt.print_all(drawn_for != self.drawn_for)
        self.drawn_for = drawn_for if prompt.ask() else (0, -1)

    def collect_news(self, player: int) -> News:
        """The latest log lines, and a notice if there is one; those not shown yet count as new."""
        seen = self.lines_shown[player]
        lines = self.annotated_log.lines(self.game, player, max(0, seen - MAX_NEWS_LINES))
        unread = self.unread_lines(player)
        if self.notice:
            notice = AnnotatedLine(Text(self.notice, style="italic"), True)
            lines.append(notice)
            unread.append(notice)
            self.notice = ""
        return News(lines, len(unread))

    def choose(self, options: list[int], is_final: bool = False) -> str:
        """Apply one pick, or several of one choice; return why not, or an empty string."""
        try:
            if len(options) == 1 and not is_final:
                self.game.choose(options[0])
            else:
                self.game = apply_picks(self.game, options, is_final)
        except IllegalChoice as error:
            return render(error.message)
        self.failures = 0
        return ""

    # --- who sees the screen ----------------------------------------------------------------

    def _hand_over_screen(self, player: int) -> None:
        """Clear the screen before another human looks at it, to keep hands hidden."""
        if player == self.viewer:
            return
        if len(self.humans) > 1:
            pages.clear_screen(self.console, scrollback=True)
            forget_lines()
            line = Text(tr("Pass the screen to ")).append_text(self.player_names.name(player))
            self.console.rule(line)
            read_line(self.console, Text(tr("{name}, press Enter. ", name=self.seats[player].name)))
            pages.clear_screen(self.console, scrollback=True)
        self.viewer = player

    def unread_lines(self, player: int) -> list[AnnotatedLine]:
        """Log lines the player has not been shown yet."""
        lines = self.annotated_log.lines(self.game, player, self.lines_shown[player])
        self.lines_shown[player] = len(self.game.log_lines(player))
        return lines

    def _print_news(self) -> None:
        """Print new log lines to spectators."""
        for line in self.unread_lines(SPECTATOR):
            if line.starts_turn and not self.fast and self.console.is_terminal:
                time.sleep(BOT_TURN_PAUSE_SECONDS)
            self.console.print(line)
            if line.starts_turn and not self.fast:
                view = cast("dict[str, Any]", self.game.view())
                if view["current"] == view["first"]:
                    self.console.print(render_board(view, self.player_names))
                    if chances := self.chances(SPECTATOR):
                        self.console.print(render_chances(chances, self.player_names))

    def own_hints(self) -> list[str]:
        """Hints that the game itself has; none if a bot gives advice."""
        return []

    def chances(self, player: int) -> list[float]:
        """The win chances from what a player (-1: a spectator) may know; none if hidden."""
        return win_probabilities(self.game, player) if self.shows_chances else []

    # --- undo, save, leave ------------------------------------------------------------------

    def undo(self, player: int) -> str:
        """Undo the player's last choice among several options; return why not, or ""."""
        if len(self.humans) > 1:
            return tr("Undo works only when all other players are bots.")
        again = self.game.from_start()
        again.table.logging = False
        last = -1
        for number, answer in enumerate(self.game.answers):
            decision = again.decision
            if decision is not None and decision.player == player and len(decision.options) > 1:
                last = number
            again.choose(answer)
        if last < 0:
            return tr("There is nothing to undo.")
        self.game = self.game.undo(len(self.game.answers) - last)
        self.annotated_log.drop_notes(last)
        self.lines_shown[player] = len(self.game.log_lines(player))
        self.notice = tr("You undid your last choice.")
        return ""

    def save(self) -> str:
        """Save the game; return a sentence about the result."""
        if self.save_file is None:
            return tr("This game cannot be saved.")
        try:
            self.save_file.save(self.game, self.seats)
        except SaveError as error:
            return render(error.message)
        return tr("Saved in {path}.", path=self.save_file.path)

    def _autosave(self) -> None:
        if self.save_file is None:
            return
        try:
            self.save_file.save(self.game, self.seats)
        except SaveError as error:
            self.console.print(render(error.message), style="red")

    def _save_and_leave(self) -> int:
        """Save the game and print how to resume it; return the exit code."""
        if self.save_file is None:
            return 0
        try:
            self.save_file.save(self.game, self.seats)
        except SaveError as error:
            self.console.print(render(error.message), style="red")
            return 1
        self._print(tr("Saved in {path}.", path=self.save_file.path))
        if self.save_file.previous_game_path is not None:
            self._print(
                tr("Your earlier game is in {path}.", path=self.save_file.previous_game_path)
            )
        self._print(tr("Resume with:  {command}", command=self.save_file.resume_command()))
        return 0

    def _print(self, sentence: str) -> None:
        self.console.print(sentence, soft_wrap=True)

    def _show_result(self) -> None:
        """Print the last log lines, the board and the result."""
        viewer = self.humans[0] if len(self.humans) == 1 else SPECTATOR
        if len(self.humans) > 1:
            pages.clear_screen(self.console, scrollback=True)
            self.lines_shown[SPECTATOR] = min(self.lines_shown[p] for p in self.humans)
        view = cast("dict[str, Any]", self.game.view(viewer))
        self.console.print(pages.render_news(self.unread_lines(viewer)))
        self.console.print(render_board(view, self.player_names))
        self.console.print(pages.render_result(view, self.player_names))
        if self.game.setup.generator == LINEAR:
            self._print(tr("Seed {seed}.", seed=self.game.setup.seed))
        self._autosave()


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt
