"""Checks of every table after a run: the database against what players sent and received."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from scripts.chaos.records import (
    ObservedTable,
    ReceivedState,
    Records,
    find_cards,
    fingerprint,
)
from smashup.cards import catalogue
from smashup.engine.game import Game
from smashup.engine.model.catalogue import Catalogue
from smashup.server.storage.records import EntryKind, LogEntry, StoredTable
from smashup.server.storage.store import store_at
from smashup.server.tables.decisions.specials_windows import is_window
from smashup.server.tables.decisions.window_privacy import (
    concealed_decision_number,
    has_open_window,
)
from smashup.server.tables.log_history import LogHistory
from smashup.server.tables.restore import begin_game, restore_game
from smashup.server.tables.table_log import TableLog, effective_answers


async def verify_tables(
    records: Records,
    database: str,
    history_seconds: float,
    rng: random.Random,
    log: Callable[[str], None],
) -> tuple[int, int]:
    """Check the final state of every table, and for a limited time the history of tables in random
    order. Return how many tables were checked, and how many with their history."""
    cards = catalogue()
    store = store_at(database)
    await store.open()
    try:
        checked: list[tuple[ObservedTable, StoredTable]] = []
        for table in records.tables:
            stored = await store.load(table.id)
            if stored is None:
                records.add_failure("the table is missing from the database", table)
                continue
            for failure in verify_final_state(table, stored, cards):
                records.add_failure(failure, table)
            checked.append((table, stored))
    finally:
        await store.close()
    log(f"checked the final state of {len(checked)} tables; checking their history ...")
    deadline = time.monotonic() + history_seconds
    rng.shuffle(checked)
    with_history = 0
    for table, stored in checked:
        if time.monotonic() > deadline:
            break
        for failure in verify_history(table, stored, cards):
            records.add_failure(failure, table)
        with_history += 1
    return len(checked), with_history


# --- final state ------------------------------------------------------------------------------


def verify_final_state(
    table: ObservedTable, stored: StoredTable, cards: Catalogue
) -> Iterator[str]:
    """Yield what is wrong with the stored table, or with what viewers received last."""
    numbers = [entry.number for entry in stored.entries]
    if numbers != list(range(len(numbers))):
        yield "the log has a gap"
        return
    yield from _verify_answers(table, stored)
    yield from _verify_chat(table, stored)
    if stored.table.setup is None:
        return
    restored = restore_game(stored, cards)
    game = restored.game
    if restored.notice is not None or restored.record is not stored.table or game is None:
        yield "the log cannot be replayed"
        return
    answers = effective_answers(stored.entries)
    replayed = begin_game(stored.table, cards).answer_all([a.option for a in answers])
    if game.digest() != replayed.digest():
        yield "the restored game differs from the replayed one"
    if (stored.table.state == "over") != game.is_over:
        yield f"the table is {stored.table.state}, but its game is not"
    if stored.table.winners != list(game.winners):
        yield "the stored winners are wrong"
    can_continue_alone = not game.is_over and (table.num_seats > len(table.secrets) or table.clock)
    if can_continue_alone:
        return  # bots may have played after the viewers disconnected
    history = LogHistory(restored.undo_marks)
    log = TableLog(stored.entries)
    for received in table.received:
        if received.view is not None:
            allowed = _allowed_numbers(game, log, restored.window_start, received.viewer)
            yield from _verify_received(received, game, history, allowed)


def _verify_received(
    received: ReceivedState, game: Game, history: LogHistory, numbers: set[int]
) -> Iterator[str]:
    """Check what a viewer received last against the final game."""
    viewer = received.viewer
    if fingerprint(received.view) not in _allowed_views(game, game.view(viewer), viewer, 0):
        yield f"seat {viewer} received a wrong last view"
    if viewer >= 0 and received.number not in numbers:
        yield f"seat {viewer} received a wrong decision number"
    lines = history.lines(game, viewer, 0)
    expected = {line["number"]: line["message"]["english"] for line in lines}
    if any(expected.get(number) != line for number, line in received.log.items()):
        yield f"seat {viewer} received a wrong log"
    if received.log and max(received.log) != max(expected):
        yield f"seat {viewer} did not receive the complete log"


def _allowed_numbers(game: Game, log: TableLog, window_start: int, viewer: int) -> set[int]:
    """Return the decision numbers that a seat may see: in an open Specials window perhaps not the
    passes of the server.
    """
    if viewer < 0:
        return set()
    numbers = {log.decision_number(viewer)}
    if has_open_window(game):
        numbers.add(concealed_decision_number(log, window_start, viewer))
    return numbers


def _verify_answers(table: ObservedTable, stored: StoredTable) -> Iterator[str]:
    """Check that each acknowledged answer is stored once and in order, and no refused one is."""
    first_entries: dict[tuple[int | None, str], tuple[int, int]] = {}
    blocks: Counter[tuple[int | None, str]] = Counter()
    previous: tuple[int | None, str] | None = None
    for entry in stored.entries:
        key = (entry.seat, entry.message_id)
        if entry.message_id and entry.kind is EntryKind.ANSWER:
            first_entries.setdefault(key, (entry.number, entry.option))
            blocks[key] += key != previous  # the picks of one message follow each other
        previous = key
    for (_, message_id), count in blocks.items():
        if count > 1:
            yield f"message {message_id} was stored {count} times"
    last_numbers: dict[int, int] = {}
    for answer in table.answers:
        entry_data = first_entries.get((answer.seat, answer.message_id))
        if entry_data is None:
            yield f"acknowledged message {answer.message_id} is lost"
            continue
        number, option = entry_data
        if option != answer.options[0]:
            yield f"message {answer.message_id} was stored with another option"
        if number <= last_numbers.get(answer.seat, -1):
            yield f"message {answer.message_id} was stored out of order"
        last_numbers[answer.seat] = number
    for key in table.refused:
        if key in first_entries:
            yield f"refused message {key[1]} was stored"


def _verify_chat(table: ObservedTable, stored: StoredTable) -> Iterator[str]:
    """Check that each acknowledged chat message is stored once."""
    counts = Counter((line.seat, line.text) for line in stored.chat)
    for seat, text in table.chat:
        if counts[seat, text] != 1:
            yield f"chat message {text} was stored {counts[seat, text]} times"
    if [line.number for line in stored.chat] != list(range(len(stored.chat))):
        yield "the chat has a gap"


# --- history ----------------------------------------------------------------------------------


def verify_history(table: ObservedTable, stored: StoredTable, cards: Catalogue) -> Iterator[str]:
    """Yield what is wrong with anything that viewers received during the game: views that never
    existed or came out of order, hidden cards, and events that did not happen."""
    if stored.table.setup is None:
        return
    views: dict[int, list[set[bytes]]] = {received.viewer: [] for received in table.received}
    visible_cards: dict[int, set[tuple[int, str]]] = {viewer: set() for viewer in views}
    events: dict[int, set[bytes]] = {viewer: set() for viewer in views}
    num_people = len(table.secrets)
    for game in _replay_games(stored, cards):
        for viewer, moments in views.items():
            view = game.view(viewer)
            visible_cards[viewer].update(find_cards(view))
            moments.append(_allowed_views(game, view, viewer, num_people))
    for viewer in views:
        for game in _games_before_undos(stored, cards):
            visible_events = game.events(viewer)
            events[viewer].update(map(fingerprint, visible_events))
            visible_cards[viewer].update(find_cards(visible_events))
    for received in table.received:
        viewer = received.viewer
        if (wrong := _first_unexpected_view(received, views[viewer])) is not None:
            is_past = any(wrong in moment for moment in views[viewer])
            kind = "an outdated view" if is_past else "a view that never existed or was lost"
            yield f"seat {viewer} received {kind}"
        if hidden := received.cards - visible_cards[viewer]:
            yield f"seat {viewer} received {len(hidden)} hidden cards"
        if received.events - events[viewer]:
            yield f"seat {viewer} received an event that did not happen"


def _first_unexpected_view(received: ReceivedState, moments: list[set[bytes]]) -> bytes | None:
    """Return the first view that does not fit the order of the game; None if all fit."""
    position = 0
    for view in received.views:
        while position < len(moments) and view not in moments[position]:
            position += 1
        if position == len(moments):
            return view
    return None


def _replay_games(stored: StoredTable, cards: Catalogue) -> Iterator[Game]:
    """Yield the game at its start and after each answer and undo."""
    game = begin_game(stored.table, cards)
    yield game
    for entry in _answers_and_undos(stored):
        if count := entry.undo_count:
            game = game.undo(count)
        else:
            game.choose(entry.option)
        yield game


def _games_before_undos(stored: StoredTable, cards: Catalogue) -> Iterator[Game]:
    """Yield the game before each undo, and at the end."""
    entries = _answers_and_undos(stored)
    for end in [*(i for i, entry in enumerate(entries) if entry.undo_count), len(entries)]:
        answers = effective_answers(entries[:end])
        yield begin_game(stored.table, cards).answer_all([a.option for a in answers])


def _answers_and_undos(stored: StoredTable) -> list[LogEntry]:
    kinds = (EntryKind.ANSWER, EntryKind.UNDO)
    return [entry for entry in stored.entries if entry.kind in kinds]


def _allowed_views(game: Game, view: Mapping[str, Any], viewer: int, num_people: int) -> set[bytes]:
    """Return the fingerprints of all forms in which the server may send a view.

    In a Specials window, the server hides from other viewers which player is asked.
    """
    decision = game.decision
    if decision is None or not is_window(decision):
        return {fingerprint(view)}
    masked = fingerprint({**view, "decision": {"player": None, "window": True}})
    if num_people > 1 and viewer != decision.player:
        return {masked}
    asked = {**view["decision"], "window": True} if view["decision"] is not None else None
    return {fingerprint(view), masked, fingerprint({**view, "decision": asked})}
