"""The prompt: shows a decision to a player and reads the answer or a command."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from rich.console import Group, RenderableType
from rich.text import Text

from smashup.bots.win_probability import win_probabilities
from smashup.terminal.card_index import CardIndex
from smashup.terminal.commands.cards import describe_no_match, render_page
from smashup.terminal.commands.hint import DEFAULT_ADVISER, get_advice, make_adviser
from smashup.terminal.game.bot_progress import BotProgress
from smashup.terminal.game.card_lookup import find_card, option_name, visible_names
from smashup.terminal.game.line_input import read_line, redraw_on_resize
from smashup.terminal.game.picks import FINISH, Picks, parse_picks
from smashup.terminal.screens import pages
from smashup.terminal.screens.advice import render_advice, render_chances
from smashup.terminal.screens.decision_screen import DecisionScreen, News
from smashup.terminal.screens.hand import Detail
from smashup.terminal.screens.long_page import LongPage
from smashup.terminal.screens.option_menu import Menu, build_menu
from smashup.terminal.translation import tr

if TYPE_CHECKING:
    from smashup.terminal.game.session import GameSession

MAX_HINT_OPTIONS = 10
"""How many options a hint shows."""


class QuitGame(Exception):
    """The player wants to save and quit."""


class Prompt:
    """One decision of one human player."""

    def __init__(self, session: GameSession, player: int, news: News) -> None:
        self.session = session
        self.player = player
        self.console = session.console
        self.player_names = session.player_names
        self.view: dict[str, Any] = cast("dict[str, Any]", session.game.view(player))
        self.decision: dict[str, Any] = self.view["decision"]
        self.screen = DecisionScreen(
            self.view, self.player_names, session.chances(player), self._build_menu, news
        )
        self.order = self._build_menu(Detail.DENSE).order
        """Number n on the screen is option ``order[n - 1]``."""
        self.notice: RenderableType | None = None
        """The answer to the last command, on the screen above the prompt."""
        self.page: LongPage | None = None
        """The answer to the last command, if it needs the whole screen."""

    def _build_menu(self, detail: Detail) -> Menu:
        return build_menu(self.view, self.player_names, detail, self._blurb)

    def _blurb(self, faction: str) -> str:
        found = self.session.game.catalogue.faction(faction)
        return tr("{set}. {blurb}", set=tr(found.set_name), blurb=tr(found.blurb))

    # --- drawing ----------------------------------------------------------------------------

    def draw(self) -> None:
        """Fill the terminal with the page that was asked for, or with the decision."""
        pages.clear_screen(self.console)
        rows = self._free_rows()
        if self.page is not None:
            self.console.print(self.page.compose(self.console, rows))
        else:
            self.console.print(self.screen.compose(self.console, rows, self.notice))

    def _free_rows(self) -> int:
        """The rows above the prompt, which needs room for what is typed, too."""
        prompt_rows = 1 + (self.prompt_line().cell_len + 3) // self.console.width
        return self.console.height - prompt_rows

    def print_all(self, is_new_turn: bool) -> None:
        """Print to a file or pipe: the news and the options, at times the board and the hand."""
        news = self.screen.news
        unread = news.lines[len(news.lines) - news.unread :]
        parts: list[RenderableType] = []
        if self.screen.is_play_menu or is_new_turn:
            parts = [self.screen.render_board(), Text()]
            parts += [Text(tr("What happened"), style="bold")] if unread else []
        parts += [pages.render_news(unread)] if unread else []
        if self.screen.is_play_menu or is_new_turn:
            hand = self.screen.render_hand(Detail.FULL)
            parts += [Text(), *hand, *([Text()] if hand else ())]
        self.console.print(Group(*parts, self.screen.render_options(Detail.FULL)))

    def _answer(self, page: RenderableType, alone: bool = False, from_end: bool = False) -> None:
        """Show the answer to a command: on the decision's screen, or ``alone`` if it is long."""
        if not self.console.is_terminal:
            self.console.print(page, soft_wrap=isinstance(page, str))
            return
        self.notice = self.page = None
        if not alone and self.screen.fits(self.console, self._free_rows(), page):
            self.notice = page
        else:
            self.page = LongPage(page, from_end)
        self.draw()

    # --- asking -----------------------------------------------------------------------------

    def ask(self) -> bool:
        """Let the player answer; return False if an earlier choice was undone instead."""
        while True:
            prompt_line = self.prompt_line()
            names = sorted(map(tr, set().union(*visible_names(self.view))))
            with redraw_on_resize(self.console, self.draw, prompt_line):
                text = read_line(self.console, prompt_line, names).strip()
            picks = self._parse_answer(text)
            if picks is not None:
                refusal = self._choose(picks)
                if not refusal:
                    return True
                self._answer(refusal)
                continue
            word, _, rest = text.partition(" ")
            word = word.casefold()
            if word == "u" and not rest:
                refusal = self.session.undo(self.player)
                if not refusal:
                    return False
                self._answer(refusal)
            elif word == "q" and not rest:
                raise QuitGame
            else:
                self._run_command(word, rest.strip(), text)

    def prompt_line(self) -> Text:
        count = len(self.order)
        if self.page is not None:
            text = tr("Your choice (1-{count}, Enter to go on): ", count=count)
        elif self.screen.is_play_menu:
            asked = self.player_names.render(self.decision["question"]).plain
            text = tr("{question} (1-{count}, ? for help) ", question=asked, count=count)
        elif self.decision.get("max", 1) > 1:
            text = tr("Your choice (1-{count}, or several: 1 3, ? for help): ", count=count)
        else:
            text = tr("Your choice (1-{count}, ? for help): ", count=count)
        return Text(text, style="bold")

    def _parse_answer(self, text: str) -> Picks | None:
        """Parse options: their numbers, the start of a label, or ``e`` to decline."""
        picks = parse_picks(text)
        word = text.casefold()
        if picks is not None or not word:
            return picks
        options = self.decision["options"]
        if word == FINISH:
            matches = [o for o in options if o.get("declines")][:1]
        elif self.decision["kind"] == "words" and word not in "abcdehlqsu":
            matches = [
                o
                for o in options
                if self.player_names.render(o["label"]).plain.casefold().startswith(word)
            ]
        else:
            return None
        if len(matches) != 1:
            return None
        return Picks((self.order.index(matches[0]["index"]) + 1,))

    def _choose(self, picks: Picks) -> str:
        """Apply an answer; return why not, or an empty string."""
        count = len(self.order)
        invalid = picks.first_invalid(count)
        if invalid is not None:
            return tr(
                "There is no option {number}: choose 1 to {count}.", number=invalid, count=count
            )
        most = self.decision.get("max", 1)
        is_draft = self.decision["kind"] == "faction"
        if len(picks.numbers) > most and not is_draft:
            if most == 1:
                return tr("Choose one option at a time here.")
            return tr("Choose at most {count} here.", count=most)
        return self.session.choose([self.order[n - 1] for n in picks.numbers], picks.is_final)

    def _run_command(self, word: str, rest: str, text: str) -> None:
        """Run a command that leaves the game unchanged."""
        if not text:
            self._redraw()
        elif word in ("?", "help"):
            self._answer(pages.render_help())
        elif word == "c":
            self._show_card(rest)
        elif rest or word not in ("b", "d", "l", "s", "e", "h", "hint"):
            self._answer(tr("“{text}” is not a command; type ? for help.", text=text[:40]))
        elif word == "b":
            self._show_board()
        elif word == "d":
            self._answer(pages.render_piles(self.view, self.player_names))
        elif word == "l":
            game = self.session.game
            log = self.session.annotated_log.lines(game, self.player)
            self._answer(Group(*log), from_end=True)
        elif word == "s":
            self._answer(self.session.save())
        elif word in ("h", "hint"):
            self._show_hint()
        else:
            self._answer(tr("There is nothing to decline here: choose a number."))

    def _show_hint(self) -> None:
        """Print the hints of the game, or a bot's advice, based on what this player may know."""
        if own := self.session.own_hints():
            self._answer(Group(*map(Text, own)))
            return
        game = self.session.game
        with BotProgress(self.console) as progress:
            progress.start(DEFAULT_ADVISER)
            advice = get_advice(game, make_adviser(game), progress.update)
        self._answer(
            Group(
                render_advice(
                    DEFAULT_ADVISER,
                    advice,
                    self.decision,
                    self.order,
                    self.player_names,
                    MAX_HINT_OPTIONS,
                ),
                render_chances(win_probabilities(game, self.player), self.player_names),
            )
        )

    def _redraw(self) -> None:
        """Show the decision again, or the next page of its options."""
        if not self.console.is_terminal:
            self.console.print(self.screen.render_options(Detail.FULL))
            return
        if self.page is None or not self.page.turn():
            if self.screen.has_pages and self.page is None and self.notice is None:
                self.screen.page += 1
            self.notice = self.page = None
        self.draw()

    def _show_board(self) -> None:
        """Show the board with the texts of bases, whatever its size."""
        hand = self.screen.render_hand(Detail.FULL)
        self._answer(Group(self.screen.render_board(), *hand), alone=True)

    def _show_card(self, name: str) -> None:
        """Show a card, given by name or by the number of its option."""
        number = int(name) if name.isdecimal() and len(name) < 6 else 0
        if 1 <= number <= len(self.order):
            name = option_name(self.decision["options"][self.order[number - 1]], self.view)
            if not name:
                self._answer(tr("Option {number} has no card.", number=number))
                return
        if not name:
            self._answer(tr("Which card? For example: c Jumper, or c 3 for the card of option 3."))
            return
        game = self.session.game
        index = CardIndex(game.catalogue)
        found = find_card(index, name, self.view)
        if found.count:
            self._answer(render_page(index, name, found, game.setup.printing))
        elif number:
            count = len(self.order)
            self._answer(
                tr("There is no option {number}: choose 1 to {count}.", number=number, count=count)
            )
        else:
            self._answer(describe_no_match(name, found.suggestions))
