"""A player who knows no rules: clicks what is highlighted until the game is over."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from playwright.sync_api import Locator, Page
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from tests.browser.visitor import TIMEOUT_MS, Visitor

QUITTING: Final = ("done", "pass")
CONFIRM: Final = -1
"""Where `table_probe.js` keeps the button that sends several picks."""

# Nothing is clicked twice: the next thing is looked for once the last click has shown an effect.
NEWS: Final = """(old) => {
    const now = window.readTable();
    return (now.asked || now.over || now.dialog !== "") && JSON.stringify(now) !== old;
}"""


@dataclass(frozen=True)
class Choice:
    """Something that can be clicked."""

    index: int
    name: str
    sort: str
    pressed: bool
    """Taken up, or picked."""


@dataclass(frozen=True)
class TableState:
    """What a player sees."""

    question: str
    dialog: str
    over: bool
    taken: bool
    """Whether a card has been taken up and wants a place."""
    choices: list[Choice]
    confirm: str
    """The button for several picks, if there is one."""
    enough: bool
    raw: str

    @property
    def asked(self) -> bool:
        return bool(self.choices)

    def of(self, *sorts: str) -> list[Choice]:
        return [choice for choice in self.choices if choice.sort in sorts]

    @property
    def is_menu(self) -> bool:
        """The play menu of one's own turn."""
        return bool(self.of("done")) and not self.taken


class Player:
    """A visitor at a table."""

    def __init__(self, visitor: Visitor, seed: int = 1) -> None:
        self.visitor = visitor
        self.page: Page = visitor.page
        self.dice = Random(seed)
        self.clicks = 0
        self._before = ""
        self._clicked = 0.0

    # --- looking ---------------------------------------------------------------------------

    def read_table(self) -> TableState:
        """What is to be seen right now."""
        raw: str = self.page.evaluate("JSON.stringify(window.readTable())")
        seen: dict[str, Any] = json.loads(raw)
        choices = [Choice(at, **choice) for at, choice in enumerate(seen["choices"])]
        rest = {
            name: seen[name]
            for name in ("question", "dialog", "over", "taken", "confirm", "enough")
        }
        return TableState(choices=choices, raw=raw, **rest)

    def wait(self, timeout_ms: float = TIMEOUT_MS) -> TableState:
        """Wait until there is something to do that was not there before."""
        try:
            self.page.wait_for_function(NEWS, arg=self._before, timeout=min(timeout_ms, 3000))
        except PlaywrightTimeout:
            # Perhaps it only looks the same; perhaps others take their time.
            self.page.wait_for_function(NEWS, arg="", timeout=timeout_ms)
        self._before = ""
        # Others may have acted in the meantime, and the question is withdrawn.
        return self.glance() or self.wait(timeout_ms)

    def glance(self) -> TableState | None:
        """What there is to do now; nothing while the last click has had no effect yet."""
        state = self.read_table()
        waits = state.raw == self._before and time.monotonic() < self._clicked + 3
        return state if (state.asked or state.over or state.dialog) and not waits else None

    @property
    def hand(self) -> list[str]:
        """The cards in one's hand, as a screen reader says them."""
        cards: list[str] = self.page.evaluate("window.hand()")
        return cards

    @property
    def secrets(self) -> list[str]:
        """The names of cards in one's hand that nobody else has seen."""
        seen: str = self.page.evaluate("window.publicText()")
        return [name for card in self.hand if (name := card.split(",")[0]) not in seen]

    def base(self, serial: int | str) -> Locator:
        return self.page.locator(f"[data-base='{serial}']")

    # --- doing -----------------------------------------------------------------------------

    def click(self, choice: Choice | None) -> None:
        """Point at something (or the button for several picks) and press, as a hand would."""
        target = [CONFIRM, ""] if choice is None else [choice.index, choice.name]
        self._before = self.read_table().raw
        at = self._aim(target)
        assert "covered" not in at, f"{choice} glows and cannot be clicked: {at}"
        if at == "gone":  # while it was being thought about
            self._before = ""
        elif self.visitor.preferences.phone:
            self.page.touchscreen.tap(at["x"], at["y"])
        else:
            self.page.mouse.click(at["x"], at["y"])
        self._clicked = time.monotonic()
        self.clicks += 1

    def _aim(self, target: list[Any]) -> Any:
        """Where to click. What is on its way to another place is there in a moment."""
        end = time.monotonic() + 2
        while True:
            at = self.page.evaluate("(target) => window.findClickPoint(target)", target)
            if "covered" not in at or time.monotonic() > end:
                return at
            self.page.wait_for_timeout(50)

    def act(self, state: TableState) -> None:
        """Do something about what is seen."""
        if state.dialog:
            self._answer_dialog()
        elif state.confirm and (state.enough or self._unpicked(state) == []):
            self.click(None)
        else:
            self.click(self._pick(state))

    def play(self, until: Callable[[TableState], bool], most: int = 600) -> TableState:
        """Click on until something is so, or the game is over."""
        for _ in range(most):
            state = self.wait()
            if state.over or until(state):
                return state
            self.act(state)
        raise AssertionError(f"After {most} clicks still: {state}")

    def finish(self) -> TableState:
        """Click until the game is over."""
        return self.play(lambda state: state.over)

    def my_turn(self) -> TableState:
        """Go on to the play menu of one's own turn."""
        return self.play(lambda state: state.is_menu and not state.dialog)

    def end_turn(self) -> None:
        """End one's turn, whatever could still be played."""
        state = self.my_turn()
        self.click(state.of("done")[0])
        if self.wait().dialog:
            self._answer_dialog()

    # --- how it is decided -----------------------------------------------------------------

    def _pick(self, state: TableState) -> Choice:
        """Minions to where the most power is, so that games end; all else by chance."""
        if state.is_menu:
            hand = sorted(state.of("hand"), key=lambda card: _number(card.name), reverse=True)
            return next(iter(hand), state.of("done")[0])
        open_choices = [one for one in state.choices if not one.pressed]
        if state.taken and (bases := [one for one in open_choices if one.sort == "base"]):
            return max(bases, key=lambda base: _number(base.name))
        useful = [one for one in open_choices if one.sort not in QUITTING]
        return self.dice.choice(useful or open_choices or state.choices)

    def _unpicked(self, state: TableState) -> list[Choice]:
        return [one for one in state.choices if not one.pressed and one.sort not in QUITTING]

    def _answer_dialog(self) -> None:
        """Only two kinds come by themselves: a warning, and the curtain between two hands."""
        self._before = self.read_table().raw
        dialog = self.page.locator("dialog[open], [role=dialog]").last
        dialog.get_by_role("button").last.click()


def _number(label: str) -> int:
    """The power of a minion, or the total at a base; -1 where a label tells of none."""
    found = re.search(r"\d+", label)
    return -1 if found is None else int(found[0])


def until(what: Callable[[], bool], seconds: float = TIMEOUT_MS / 1000) -> None:
    """Wait until something is so."""
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)
