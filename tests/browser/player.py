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

ENDING_SORTS: Final = ("done", "pass")
CONFIRM: Final = -1
"""The index of the button that sends several picks, in `table_probe.js`."""

# Players never click twice: they wait until the last click has had an effect.
HAS_NEW_CHOICES: Final = """(old) => {
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
    """Whether it is picked up or selected."""


@dataclass(frozen=True)
class TableState:
    """What a player sees."""

    question: str
    dialog: str
    over: bool
    taken: bool
    """Whether a card is picked up and needs a place."""
    choices: list[Choice]
    confirm: str
    """The button for several picks, if there is one."""
    enough: bool
    raw: str

    @property
    def has_choices(self) -> bool:
        return bool(self.choices)

    def of(self, *sorts: str) -> list[Choice]:
        return [choice for choice in self.choices if choice.sort in sorts]

    @property
    def is_menu(self) -> bool:
        """Whether this is the play menu of the player's own turn."""
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
        """Return what the page shows."""
        raw: str = self.page.evaluate("JSON.stringify(window.readTable())")
        seen: dict[str, Any] = json.loads(raw)
        choices = [Choice(at, **choice) for at, choice in enumerate(seen["choices"])]
        rest = {
            name: seen[name]
            for name in ("question", "dialog", "over", "taken", "confirm", "enough")
        }
        return TableState(choices=choices, raw=raw, **rest)

    def wait(self, timeout_ms: float = TIMEOUT_MS) -> TableState:
        """Wait until there is something new to do."""
        try:
            self.page.wait_for_function(
                HAS_NEW_CHOICES, arg=self._before, timeout=min(timeout_ms, 3000)
            )
        except PlaywrightTimeout:
            # The new state may look the same, or other players may be slow.
            self.page.wait_for_function(HAS_NEW_CHOICES, arg="", timeout=timeout_ms)
        self._before = ""
        # Other players may have acted in the meantime, which withdraws the question.
        return self.read_new_choices() or self.wait(timeout_ms)

    def read_new_choices(self) -> TableState | None:
        """Return the state if there is something to do; None until the last click has an effect."""
        state = self.read_table()
        waits = state.raw == self._before and time.monotonic() < self._clicked + 3
        return state if (state.has_choices or state.over or state.dialog) and not waits else None

    @property
    def hand(self) -> list[str]:
        """The cards in the player's hand, as a screen reader announces them."""
        cards: list[str] = self.page.evaluate("window.hand()")
        return cards

    @property
    def secrets(self) -> list[str]:
        """The names of cards in the player's hand that no other player has seen."""
        seen: str = self.page.evaluate("window.publicText()")
        return [name for card in self.hand if (name := card.split(",")[0]) not in seen]

    def base(self, serial: int | str) -> Locator:
        return self.page.locator(f"[data-base='{serial}']")

    # --- doing -----------------------------------------------------------------------------

    def click(self, choice: Choice | None) -> None:
        """Click a choice, or the button for several picks, with the mouse or a finger."""
        target = [CONFIRM, ""] if choice is None else [choice.index, choice.name]
        self._before = self.read_table().raw
        at = self._find_click_point(target)
        assert "covered" not in at, f"{choice} is highlighted and cannot be clicked: {at}"
        if at == "gone":  # since the state was read
            self._before = ""
        elif self.visitor.preferences.phone:
            self.page.touchscreen.tap(at["x"], at["y"])
        else:
            self.page.mouse.click(at["x"], at["y"])
        self._clicked = time.monotonic()
        self.clicks += 1

    def _find_click_point(self, target: list[Any]) -> Any:
        """Return where to click; wait for elements that are moving."""
        end = time.monotonic() + 2
        while True:
            at = self.page.evaluate("(target) => window.findClickPoint(target)", target)
            if "covered" not in at or time.monotonic() > end:
                return at
            self.page.wait_for_timeout(50)

    def act(self, state: TableState) -> None:
        """Make a choice, or answer a dialog."""
        if state.dialog:
            self._answer_dialog()
        elif state.confirm and (state.enough or self._unpicked_choices(state) == []):
            self.click(None)
        else:
            self.click(self._pick(state))

    def play(self, until: Callable[[TableState], bool], most: int = 600) -> TableState:
        """Make choices until a condition holds or the game is over."""
        for _ in range(most):
            state = self.wait()
            if state.over or until(state):
                return state
            self.act(state)
        raise AssertionError(f"After {most} clicks still: {state}")

    def finish(self) -> TableState:
        """Play until the game is over."""
        return self.play(lambda state: state.over)

    def play_to_own_turn(self) -> TableState:
        """Play until the play menu of the player's own turn."""
        return self.play(lambda state: state.is_menu and not state.dialog)

    def end_turn(self) -> None:
        """End the player's turn, even if there are plays left."""
        state = self.play_to_own_turn()
        self.click(state.of("done")[0])
        if self.wait().dialog:
            self._answer_dialog()

    # --- choosing --------------------------------------------------------------------------

    def _pick(self, state: TableState) -> Choice:
        """Play minions where the most power is, so that games end; otherwise choose at random."""
        if state.is_menu:
            hand = sorted(state.of("hand"), key=lambda card: _number(card.name), reverse=True)
            return next(iter(hand), state.of("done")[0])
        open_choices = [one for one in state.choices if not one.pressed]
        if state.taken and (bases := [one for one in open_choices if one.sort == "base"]):
            return max(bases, key=lambda base: _number(base.name))
        useful = [one for one in open_choices if one.sort not in ENDING_SORTS]
        return self.dice.choice(useful or open_choices or state.choices)

    def _unpicked_choices(self, state: TableState) -> list[Choice]:
        return [one for one in state.choices if not one.pressed and one.sort not in ENDING_SORTS]

    def _answer_dialog(self) -> None:
        """Confirm a warning, or the curtain between hands; no other dialogs open by themselves."""
        self._before = self.read_table().raw
        dialog = self.page.locator("dialog[open], [role=dialog]").last
        dialog.get_by_role("button").last.click()


def _number(label: str) -> int:
    """Return the power of a minion or the total at a base from a label; -1 if it has none."""
    found = re.search(r"\d+", label)
    return -1 if found is None else int(found[0])


def until(what: Callable[[], bool], seconds: float = TIMEOUT_MS / 1000) -> None:
    """Wait until a condition holds."""
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "the condition never held"
        time.sleep(0.05)
