"""The prompt: the screen of the player who decides, and what may be typed there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from rich.text import Text

from smashup.bots.insight import outlook
from smashup.terminal import screens
from smashup.terminal.board import board
from smashup.terminal.browser import not_found, page
from smashup.terminal.chronicle import Line
from smashup.terminal.hand import hand_rows, hand_table
from smashup.terminal.hint import ADVISER, advice_on, adviser
from smashup.terminal.look import is_low
from smashup.terminal.lookup import Index
from smashup.terminal.odds import opinion, outlook_line
from smashup.terminal.questions import Menu, menu, question
from smashup.terminal.thinking import Thinking
from smashup.terminal.translation import tr

if TYPE_CHECKING:
    from smashup.terminal.play import Sitting

SAYING_NO = ("done", "pass", "later")
MOST_HINTS = 10
"""Options of a hint that are shown."""


class Leave(Exception):
    """A person wants to stop playing for now."""


class Prompt:
    """One question to one person."""

    def __init__(self, sitting: Sitting, player: int) -> None:
        self.sitting = sitting
        self.player = player
        self.console = sitting.console
        self.voice = sitting.voice
        self.brief = is_low(self.console)
        self.view: dict[str, Any] = cast("dict[str, Any]", sitting.game.view(player))
        self.decision: dict[str, Any] = self.view["decision"]
        self.menu: Menu = menu(self.view, self.voice, self.brief, self._blurb)

    @property
    def is_play_menu(self) -> bool:
        return self.decision["kind"] == "move" and "source" not in self.decision

    def _blurb(self, faction: str) -> str:
        found = self.sitting.game.catalogue.faction(faction)
        return tr("{set}. {blurb}", set=tr(found.set_name), blurb=tr(found.blurb))

    # --- drawing ----------------------------------------------------------------------------

    def show(self, whole: bool, lines: list[Line]) -> None:
        """The screen: the whole table if asked for, the news, the options.

        The news stand close to the options: a low screen has room for the last lines only.
        """
        if whole:
            screens.clear(self.console)
            self._show_board()
            if lines:
                self._space()
                self.console.print(Text(tr("What happened"), style="bold"))
        if lines:
            self.console.print(screens.news(lines))
        if whole:
            self._space()
            if self.decision["kind"] != "move":
                self._show_hand()
                self._space()
        self._show_options()

    def _space(self) -> None:
        """An empty line, where there is room for it."""
        if not self.brief:
            self.console.print()

    def _show_board(self) -> None:
        if self.view["bases"]:
            self.console.print(board(self.view, self.voice))
            self.sitting.show_outlook(self.player)

    def _show_hand(self) -> None:
        rows = hand_rows(self.view["players"][self.player]["hand"])
        if rows:
            self.console.print(hand_table(tr("Your hand"), rows, self.brief))

    def _show_options(self) -> None:
        if not self.is_play_menu:
            self.console.print(question(self.view, self.voice))
        for part in self.menu.parts:
            self.console.print(part)

    # --- asking -----------------------------------------------------------------------------

    def ask(self) -> int | None:
        """The option the person chooses; None when they took back an earlier choice."""
        while True:
            text = self.sitting.listen(self.line()).strip()
            option = self._option(text)
            if option is not None:
                return option
            word, _, rest = text.partition(" ")
            word = word.casefold()
            if word == "u" and not rest:
                refusal = self.sitting.undo(self.player)
                if not refusal:
                    return None
                self._say(refusal)
            elif word == "q" and not rest:
                raise Leave
            else:
                self._obey(word, rest.strip(), text)

    def line(self) -> Text:
        count = len(self.menu.order)
        if self.is_play_menu:
            asked = self.voice.sentence(self.decision["question"]).plain
            text = tr("{question} (1-{count}, ? for help) ", question=asked, count=count)
        else:
            text = tr("Your choice (1-{count}, ? for help): ", count=count)
        return Text(text, style="bold")

    def _option(self, text: str) -> int | None:
        """The option that was typed: by number, by its words, or the one that says no."""
        if text.isdecimal() and len(text) < 6 and 1 <= int(text) <= len(self.menu.order):
            return self.menu.order[int(text) - 1]
        word = text.casefold()
        if not word:
            return None
        for option in self.decision["options"]:
            label = option["label"]["text"]
            if word == "e" and (option.get("verb") in SAYING_NO or label in ("None", "No")):
                return int(option["index"])
        if self.decision["kind"] == "words" and word not in "abcdehlqsu":
            fitting = [
                option["index"]
                for option in self.decision["options"]
                if self.voice.sentence(option["label"]).plain.casefold().startswith(word)
            ]
            if len(fitting) == 1:
                return int(fitting[0])
        return None

    def _obey(self, word: str, rest: str, text: str) -> None:
        """A command that changes nothing."""
        if not text:
            self._show_options()
        elif word in ("?", "help"):
            self.console.print(screens.help_screen())
        elif word == "c":
            self._show_card(rest)
        elif text.isdecimal():
            self._say(
                tr(
                    "There is no option {number}: choose 1 to {count}.",
                    number=text[:12],
                    count=len(self.menu.order),
                )
            )
        elif rest or word not in ("b", "d", "l", "s", "e", "h", "hint"):
            self._say(tr("«{text}» means nothing here; ? lists what does.", text=text[:40]))
        elif word == "b":
            self._show_board()
            if not self.brief:
                self._show_hand()
        elif word == "d":
            self.console.print(screens.piles(self.view, self.voice))
        elif word == "l":
            game = self.sitting.game
            for line in self.sitting.chronicle.lines(game, self.player):
                self.console.print(line)
        elif word == "s":
            self._say(self.sitting.save())
        elif word in ("h", "hint"):
            self._show_hint()
        else:
            self._say(tr("There is nothing to say no to here: choose a number."))

    def _show_hint(self) -> None:
        """What a bot would do here, told what this person may know."""
        game = self.sitting.game
        with Thinking(self.console) as thinking:
            thinking.about(ADVISER)
            advice = advice_on(game, adviser(game), thinking.progress)
        order = self.menu.order
        self.console.print(opinion(ADVISER, advice, self.decision, order, self.voice, MOST_HINTS))
        self.console.print(outlook_line(outlook(game, self.player), self.voice))

    def _say(self, sentence: str) -> None:
        self.console.print(sentence, soft_wrap=True)

    def _show_card(self, name: str) -> None:
        """A card by name, or by the number of the option it belongs to."""
        if name.isdecimal() and len(name) < 6 and 1 <= int(name) <= len(self.menu.order):
            wanted = self.menu.order[int(name) - 1]
            name = self.decision["options"][wanted].get("card", {}).get("name", "")
        if not name:
            self._say(tr("Which card? For example: c Jumper, or c 3 for the card of option 3."))
            return
        game = self.sitting.game
        index = Index(game.catalogue)
        found = index.find(name)
        if found.count:
            self.console.print(page(index, name, found, game.setup.printing))
        else:
            self._say(not_found(name, found.near))
