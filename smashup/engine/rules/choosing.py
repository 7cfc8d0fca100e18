"""Asking players: every choice in the game goes through here.

An answer comes from the recorded answers when a card runs again up to its open question, or from
the policy if there is one. Otherwise it is missing: the card is abandoned and runs again when the
answer arrives.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from smashup.engine.errors import IllegalChoice, ReplayMismatch
from smashup.engine.model.constants import NONE
from smashup.engine.model.decisions import (
    CARDS,
    FACTIONS,
    PLAYERS,
    SITES,
    TRIGGERS,
    WORDS,
    Decision,
    Purpose,
)
from smashup.engine.model.events import Trigger
from smashup.engine.model.messages import Message
from smashup.engine.model.table import Table
from smashup.engine.rules import abilities

if TYPE_CHECKING:
    from smashup.engine.model.redealing import Deal


class AnswerNeeded(Exception):
    """Raised to leave a running card whose question has no answer yet. Internal."""


def ask(
    table: Table, player: int, purpose: Purpose, prompt: str, kind: int, options: list[Any],
    number: int = 0, subject: int = NONE,
) -> int:  # fmt: skip
    """Have a player choose; return the position of the chosen option."""
    viable: list[int] | None = None
    if table.trials:
        viable = table.services.viable_options(table, player, len(options))
        if viable is not None:
            options = [options[i] for i in viable]
    position = table.cursor
    if table.redeals:
        for at, deal, rng in table.redeals:
            if at == position:
                _redeal(table, deal, rng)
    if position < len(table.script):
        answer = table.script[position]
        if not 0 <= answer < len(options):
            raise ReplayMismatch(
                "Answer {answer} does not fit the question “{question}” with {count} options:"
                " the game was written under other rules.",
                answer=answer,
                question=Message(prompt, {}),
                count=len(options),
            )
    else:
        source = table.resolutions[-1].cause.card if table.resolutions else NONE
        decision = Decision(
            table, player, purpose, prompt, kind, options, number, source, table.multi_pick, subject
        )
        policy = table.policy
        if policy is None:
            table.pending = decision
            raise AnswerNeeded
        if table.recording:
            table.pending = decision
        answer = policy(decision)
        if not 0 <= answer < len(options):
            raise IllegalChoice(
                "{option} is not one of the {count} options (0 to {last}).",
                option=answer,
                count=len(options),
                last=len(options) - 1,
            )
        if table.recording:
            table.pending = None
            table.script.append(answer)
            table.answers.append(answer)
    table.cursor = position + 1
    if table.resolutions:
        table.resolutions[-1].questions += 1
    if viable is not None:
        answer = viable[answer]
    for trial in table.trials:
        trial.answers.append(answer)
    return answer


def pick_random(table: Table, items: list[Any]) -> int:
    """Return the position of a random item, or the one the random policy picks."""
    if table.random_policy is None:
        picked = table.state.random_below(len(items))
    else:
        picked = table.random_policy.pick(items)
    for trial in table.trials:
        trial.answers.append(picked)
    return picked


def _redeal(table: Table, deal: Deal, rng: int) -> None:
    deal.lay(table.state)
    table.state.use_linear(rng)
    table.spot_cache_key = (NONE, NONE)
    abilities.invalidate_hidden(table)


def ask_card(
    table: Table, player: int, purpose: Purpose, prompt: str, cards: list[int],
    optional: bool = False,
) -> int:  # fmt: skip
    """Have a player choose a card; `NONE` if there is none or the player declines."""
    if not cards:
        return NONE
    options = [*cards, NONE] if optional else cards
    is_further = table.multi_pick is not None and table.multi_pick.picked > 0
    chosen: int = options[ask(table, player, purpose, prompt, CARDS, options)]
    if table.resolutions and chosen != NONE:
        frame = table.resolutions[-1]
        frame.chosen = [*frame.chosen, chosen] if is_further else [chosen]
        frame.all_chosen = [*frame.all_chosen, chosen]
    return chosen


def ask_base(
    table: Table, player: int, purpose: Purpose, prompt: str, sites: list[int],
    optional: bool = False,
) -> int:  # fmt: skip
    """Have a player choose a base; `NONE` if there is none or the player declines."""
    if not sites:
        return NONE
    options = [*sites, NONE] if optional else sites
    chosen: int = options[ask(table, player, purpose, prompt, SITES, options)]
    return chosen


def ask_player(
    table: Table, player: int, purpose: Purpose, prompt: str, players: list[int],
    optional: bool = False,
) -> int:  # fmt: skip
    """Have a player choose a player; `NONE` if there is none or the player declines."""
    if not players:
        return NONE
    options = [*players, NONE] if optional else players
    chosen: int = options[ask(table, player, purpose, prompt, PLAYERS, options)]
    return chosen


def ask_faction(table: Table, player: int, prompt: str, owner: int = NONE) -> int:
    """Have a player name a faction of a deck in this game, or of one player's deck; its position
    in the catalogue."""
    s = table.state
    present = {
        definition.faction
        for definition, whose in zip(s.definition, s.owner, strict=True)
        if whose >= 0 and owner in (NONE, whose)
    }
    factions = table.catalogue.factions
    options = [i for i, faction in enumerate(factions) if faction.name in present]
    if not options:
        return NONE
    return options[ask(table, player, Purpose.NAME_FACTION, prompt, FACTIONS, options)]


def ask_yes_no(
    table: Table, player: int, purpose: Purpose, prompt: str, subject: int = NONE
) -> bool:
    """Ask a player a yes-or-no question, perhaps about a card."""
    return ask(table, player, purpose, prompt, WORDS, ["Yes", "No"], 0, subject) == 0


def ask_trigger(table: Table, triggers: list[Trigger]) -> int:
    """Have the current player order simultaneous triggers (Void Where Prohibited)."""
    if len(triggers) == 1:
        return 0
    return ask(
        table,
        table.state.current,
        Purpose.ORDER_TRIGGERS,
        "Several abilities trigger: which comes first?",
        TRIGGERS,
        triggers,
    )
