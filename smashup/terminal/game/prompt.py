"""The prompt: shows a decision to a player and reads the answer or a command."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from rich.text import Text

from smashup.bots.win_probability import win_probabilities
from smashup.terminal.card_index import CardIndex
from smashup.terminal.commands.cards import describe_no_match, render_page
from smashup.terminal.commands.hint import DEFAULT_ADVISER, get_advice, make_adviser
from smashup.terminal.game.annotated_log import LogLine
from smashup.terminal.game.bot_progress import BotProgress
from smashup.terminal.screens import pages
from smashup.terminal.screens.advice import render_advice, render_chances
from smashup.terminal.screens.board import render_board
from smashup.terminal.screens.console import is_short
from smashup.terminal.screens.hand import group_hand, render_hand
from smashup.terminal.screens.option_menu import Menu, build_menu, render_question
from smashup.terminal.translation import tr

if TYPE_CHECKING:
    from smashup.terminal.game.session import GameSession

MAX_HINT_OPTIONS = 10
"""How many options a hint shows."""


class QuitGame(Exception):
    """The player wants to save and quit."""


class Prompt:
    """One decision of one human player."""

    def __init__(self, session: GameSession, player: int) -> None:
        self.session = session
        self.player = player
        self.console = session.console
        self.player_names = session.player_names
        self.brief = is_short(self.console)
        self.view: dict[str, Any] = cast("dict[str, Any]", session.game.view(player))
        self.decision: dict[str, Any] = self.view["decision"]
        self.menu: Menu = build_menu(self.view, self.player_names, self.brief, self._blurb)

    @property
    def is_play_menu(self) -> bool:
        return self.decision["kind"] == "move" and "source" not in self.decision

    def _blurb(self, faction: str) -> str:
        found = self.session.game.catalogue.faction(faction)
        return tr("{set}. {blurb}", set=tr(found.set_name), blurb=tr(found.blurb))

    # --- drawing ----------------------------------------------------------------------------

    def show(self, whole: bool, lines: list[LogLine]) -> None:
        """Print the news and options; if ``whole``, the board and hand as well.

        The news come right before the options, because a short terminal shows only the last lines.
        """
        if whole:
            pages.clear_screen(self.console)
            self._show_board()
            if lines:
                self._print_gap()
                self.console.print(Text(tr("What happened"), style="bold"))
        if lines:
            self.console.print(pages.render_news(lines))
        if whole:
            self._print_gap()
            if self.decision["kind"] != "move":
                self._show_hand()
                self._print_gap()
        self._show_options()

    def _print_gap(self) -> None:
        """Print an empty line, unless the terminal is short."""
        if not self.brief:
            self.console.print()

    def _show_board(self) -> None:
        if self.view["bases"]:
            self.console.print(render_board(self.view, self.player_names))
            self.session.print_chances(self.player)

    def _show_hand(self) -> None:
        rows = group_hand(self.view["players"][self.player]["hand"])
        if rows:
            self.console.print(render_hand(tr("Your hand"), rows, self.brief))

    def _show_options(self) -> None:
        if not self.is_play_menu:
            self.console.print(render_question(self.view, self.player_names))
        for part in self.menu.parts:
            self.console.print(part)

    # --- asking -----------------------------------------------------------------------------

    def ask(self) -> int | None:
        """Return the chosen option; None if the player undid an earlier choice."""
        while True:
            text = self.session.read_input(self.prompt_line()).strip()
            option = self._parse_option(text)
            if option is not None:
                return option
            word, _, rest = text.partition(" ")
            word = word.casefold()
            if word == "u" and not rest:
                refusal = self.session.undo(self.player)
                if not refusal:
                    return None
                self._print(refusal)
            elif word == "q" and not rest:
                raise QuitGame
            else:
                self._run_command(word, rest.strip(), text)

    def prompt_line(self) -> Text:
        count = len(self.menu.order)
        if self.is_play_menu:
            asked = self.player_names.render(self.decision["question"]).plain
            text = tr("{question} (1-{count}, ? for help) ", question=asked, count=count)
        else:
            text = tr("Your choice (1-{count}, ? for help): ", count=count)
        return Text(text, style="bold")

    def _parse_option(self, text: str) -> int | None:
        """Parse an option: its number, the start of its label, or ``e`` to decline."""
        if text.isdecimal() and len(text) < 6 and 1 <= int(text) <= len(self.menu.order):
            return self.menu.order[int(text) - 1]
        word = text.casefold()
        if not word:
            return None
        for option in self.decision["options"]:
            if word == "e" and option.get("declines"):
                return int(option["index"])
        if self.decision["kind"] == "words" and word not in "abcdehlqsu":
            fitting = [
                option["index"]
                for option in self.decision["options"]
                if self.player_names.render(option["label"]).plain.casefold().startswith(word)
            ]
            if len(fitting) == 1:
                return int(fitting[0])
        return None

    def _run_command(self, word: str, rest: str, text: str) -> None:
        """Run a command that leaves the game unchanged."""
        if not text:
            self._show_options()
        elif word in ("?", "help"):
            self.console.print(pages.render_help())
        elif word == "c":
            self._show_card(rest)
        elif text.isdecimal():
            self._print(
                tr(
                    "There is no option {number}: choose 1 to {count}.",
                    number=text[:12],
                    count=len(self.menu.order),
                )
            )
        elif rest or word not in ("b", "d", "l", "s", "e", "h", "hint"):
            self._print(tr("“{text}” is not a command; type ? for help.", text=text[:40]))
        elif word == "b":
            self._show_board()
            if not self.brief:
                self._show_hand()
        elif word == "d":
            self.console.print(pages.render_piles(self.view, self.player_names))
        elif word == "l":
            game = self.session.game
            for line in self.session.annotated_log.lines(game, self.player):
                self.console.print(line)
        elif word == "s":
            self._print(self.session.save())
        elif word in ("h", "hint"):
            self._show_hint()
        else:
            self._print(tr("There is nothing to decline here: choose a number."))

    def _show_hint(self) -> None:
        """Print a bot's advice, based on what this player may know."""
        game = self.session.game
        with BotProgress(self.console) as progress:
            progress.start(DEFAULT_ADVISER)
            advice = get_advice(game, make_adviser(game), progress.update)
        order = self.menu.order
        self.console.print(
            render_advice(
                DEFAULT_ADVISER, advice, self.decision, order, self.player_names, MAX_HINT_OPTIONS
            )
        )
        self.console.print(render_chances(win_probabilities(game, self.player), self.player_names))

    def _print(self, sentence: str) -> None:
        self.console.print(sentence, soft_wrap=True)

    def _show_card(self, name: str) -> None:
        """Print a card, given by name or by the number of its option."""
        if name.isdecimal() and len(name) < 6 and 1 <= int(name) <= len(self.menu.order):
            wanted = self.menu.order[int(name) - 1]
            name = self.decision["options"][wanted].get("card", {}).get("name", "")
        if not name:
            self._print(tr("Which card? For example: c Jumper, or c 3 for the card of option 3."))
            return
        game = self.session.game
        index = CardIndex(game.catalogue)
        found = index.find(name)
        if found.count:
            self.console.print(render_page(index, name, found, game.setup.printing))
        else:
            self._print(describe_no_match(name, found.suggestions))
