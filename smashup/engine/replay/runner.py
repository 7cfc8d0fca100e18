"""Running a table: from checkpoint to checkpoint, until an answer is missing.

A game is its setup and its answers. The table runs until it needs an answer that is missing; when
the answer comes, the last checkpoint is restored and the card runs again with the answers so far.
With a policy the answers come at once and nothing runs twice.
"""

from __future__ import annotations

from smashup.engine.card_api.old_names import raise_explained
from smashup.engine.model.constants import (
    DRAW,
    END,
    NO_LIMIT,
    NONE,
    PLAY,
    SCORE,
    SETUP,
    START,
)  # fmt: skip
from smashup.engine.model.decisions import DONE_MOVE, Move
from smashup.engine.model.events import NO_SITE
from smashup.engine.model.table import NO_SEARCH, Policy, Table
from smashup.engine.rules import abilities, game_start, restrictions, turns
from smashup.engine.rules.choosing import AnswerNeeded


def _run_phase(table: Table) -> None:
    """Run any phase except Play Cards and Score Bases."""
    phase = table.state.phase
    if phase == START:
        turns.start_turn(table)
    elif phase == DRAW:
        turns.draw_phase(table)
    elif phase == END:
        turns.end_turn(table)
    elif phase == SETUP:
        game_start.start_game(table)


def _set_checkpoint(table: Table, is_restored: bool) -> None:
    """Set a checkpoint: at each play menu, and at each base that scores.

    A state that was just restored equals the checkpoint and needs no copy.
    """
    if not is_restored:
        table.checkpoint = table.state.copy()
    table.checkpoint_index = abilities.snapshot_index(table)
    if table.checkpoint.phase == PLAY:
        table.last_menu = table.checkpoint
    table.chosen_move = None
    if table.cursor:
        table.script = table.script[table.cursor :]
        table.redeals = []
        table.cursor = 0


def run(
    table: Table,
    is_restored: bool = False,
    last_turn: int = NO_LIMIT,
    skips_menus: bool = False,
) -> None:
    """Run until the game is over, an answer is missing, or cards may be played in a turn after the
    ``last_turn``.

    ``is_restored``: the state was just restored from the checkpoint. ``skips_menus``: players end
    their turns at play menus.
    """
    s = table.state
    try:
        chosen = table.chosen_move
        if chosen is not None:
            table.cursor = 1
            is_restored = False
            turns.take_from_menu(table, chosen)
        while not s.over:
            table.last_search = NO_SEARCH  # a game that is restored here does not know it either
            if s.phase == PLAY:
                if s.turn > last_turn:
                    break
                if table.recording:
                    _set_checkpoint(table, is_restored)
                if skips_menus and table.cursor >= len(table.script):
                    turns.take_from_menu(table, DONE_MOVE)
                else:
                    turns.play_phase(table)
            elif s.phase == SCORE:
                ready = restrictions.bases_ready_to_score(table)
                # In most turns no base scores, and running "done" again is faster than a copy.
                if table.recording and (ready or table.cursor > 1):
                    _set_checkpoint(table, is_restored)
                turns.score_bases(table, ready)
            else:
                _run_phase(table)
            is_restored = False
    except AnswerNeeded:
        pass
    except AttributeError as error:
        raise_explained(error)
    table.is_up_to_date = True


def restore_checkpoint(table: Table) -> None:
    """Restore the checkpoint; no card is resolving."""
    table.state = table.checkpoint.copy()
    for c in range(len(table.cards), len(table.state.definition)):
        table.cards.append(table.services.new_card(table, c))
    table.resolutions = []
    table.destinations = {}
    table.trigger_queues = []
    table.follow_ups = []
    table.trials = []
    table.arrived_titans = []
    table.offered_bases = []
    table.after_replacement = []
    table.window = None
    table.tested_ability = None
    table.used_in_scoring = set()
    table.last_sites = {}
    table.last_powers = {}
    table.last_hosts = {}
    table.last_names = {}
    table.last_play_site = NO_SITE
    table.renew_handles()
    table.cursor = 0
    table.pending = None
    table.multi_pick = None
    table.last_search = NO_SEARCH
    table.spot_cache_key = (NONE, NONE)
    abilities.invalidate_abilities(table)
    if table.checkpoint_index is not None:
        abilities.restore_index(table, table.checkpoint_index)


def catch_up(table: Table) -> None:
    """Run the live state up to the last answer."""
    if not table.is_up_to_date:
        restore_checkpoint(table)
        run(table, is_restored=True)


def roll_out(
    table: Table,
    policy: Policy,
    last_turn: int,
    first: Move | None = None,
    skips_menus: bool = False,
) -> None:
    """Play with a policy until cards may be played in a turn after the ``last_turn``.

    This is for positions to be evaluated: the table cannot be continued from there. ``first``: a
    move to perform at the pending play menu. ``skips_menus``: players end their turns at play
    menus.
    """
    restore_checkpoint(table)
    if first is not None:
        table.chosen_move = first
    table.recording = False
    table.policy = policy
    table.is_up_to_date = True
    try:
        run(table, last_turn=last_turn, skips_menus=skips_menus)
    finally:
        table.policy = None
        table.recording = True
