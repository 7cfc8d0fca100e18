"""Asking players: every choice in the game goes through here.

The third layer of the table. An answer comes from the script, when a card runs again up to where it
was; from the policy, when somebody answers at once; or it is missing, and the card is left until
it comes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from smashup.engine.abilities import Abilities
from smashup.engine.decisions import CARDS, PLAYERS, SITES, TRIGGERS, WORDS, Decision
from smashup.engine.errors import Divergence, IllegalChoice
from smashup.engine.events import Trigger
from smashup.engine.messages import Message
from smashup.engine.words import NONE

if TYPE_CHECKING:
    from smashup.engine.dealing import Deal


class Waiting(Exception):
    """Raised to leave a running card when nobody has answered yet. Never seen outside."""


class Asking(Abilities):
    """A table that can ask; see the module."""

    __slots__ = ()

    def ask(
        self, player: int, prompt: str, kind: int, options: list[Any], number: int = 0,
        subject: int = NONE,
    ) -> int:  # fmt: skip
        """Have a player choose; the position of the chosen option."""
        promising: list[int] | None = None
        if self.attempts:
            promising = self.promising(player, len(options))
            if promising is not None:
                options = [options[i] for i in promising]
        position = self.cursor
        if self.redeals:
            for at, deal, rng in self.redeals:
                if at == position:
                    self._redeal(deal, rng)
        if position < len(self.script):
            answer = self.script[position]
            if not 0 <= answer < len(options):
                raise Divergence(
                    "Answer {answer} does not fit the question «{question}» with {count} options:"
                    " the game was written under other rules.",
                    answer=answer,
                    question=Message(prompt, {}),
                    count=len(options),
                )
        else:
            source = self.frames[-1].cause.card if self.frames else NONE
            decision = Decision(
                self, player, prompt, kind, options, number, source, self.several, subject
            )
            policy = self.policy
            if policy is None:
                self.pending = decision
                raise Waiting
            if self.recording:
                self.pending = decision
            answer = policy(decision)
            if not 0 <= answer < len(options):
                raise IllegalChoice(
                    "{option} is not one of the {count} options (0 to {last}).",
                    option=answer,
                    count=len(options),
                    last=len(options) - 1,
                )
            if self.recording:
                self.pending = None
                self.script.append(answer)
                self.answers.append(answer)
        self.cursor = position + 1
        if promising is not None:
            answer = promising[answer]
        for attempt in self.attempts:
            attempt.answers.append(answer)
        return answer

    def promising(self, player: int, count: int) -> list[int] | None:
        """Which of so many options let a card do what it must; None when all may be chosen.

        Found by trial runs; the layer that drives the game makes them.
        """
        return None

    def _redeal(self, deal: Deal, rng: int) -> None:
        deal.lay(self.state)
        self.state.use_linear(rng)
        self._spots_at = (NONE, NONE)
        self.touch_abilities()

    def ask_card(self, player: int, prompt: str, cards: list[int], optional: bool = False) -> int:
        """Have a player choose one of the cards; `NONE` when there is none or none is wanted."""
        if not cards:
            return NONE
        options = [*cards, NONE] if optional else cards
        chosen: int = options[self.ask(player, prompt, CARDS, options)]
        return chosen

    def ask_site(self, player: int, prompt: str, sites: list[int], optional: bool = False) -> int:
        if not sites:
            return NONE
        options = [*sites, NONE] if optional else sites
        chosen: int = options[self.ask(player, prompt, SITES, options)]
        return chosen

    def ask_player(
        self, player: int, prompt: str, players: list[int], optional: bool = False
    ) -> int:
        if not players:
            return NONE
        options = [*players, NONE] if optional else players
        chosen: int = options[self.ask(player, prompt, PLAYERS, options)]
        return chosen

    def ask_yes(self, player: int, prompt: str, subject: int = NONE) -> bool:
        return self.ask(player, prompt, WORDS, ["Yes", "No"], 0, subject) == 0

    def ask_trigger(self, triggers: list[Trigger]) -> int:
        """The current player orders what happens at the same time (Void Where Prohibited)."""
        if len(triggers) == 1:
            return 0
        return self.ask(
            self.state.current, "Several abilities trigger: which comes first?", TRIGGERS, triggers
        )
