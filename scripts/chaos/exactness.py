"""What must be true of every table afterwards, as the database has it and as people saw it."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from scripts.chaos.notes import Book, Notes, Told, faces, fingerprint
from smashup.cards import catalogue
from smashup.engine.game import Game
from smashup.engine.model.catalogue import Catalogue
from smashup.server.storage.records import EntryKind, LogEntry, StoredTable
from smashup.server.storage.store import store_at
from smashup.server.tables.log_history import LogHistory
from smashup.server.tables.restore import begin_game, restore_game
from smashup.server.tables.specials_windows import is_window
from smashup.server.tables.table_log import TableLog, effective_answers


async def check(
    book: Book, database: str, seconds: float, dice: random.Random, say: Callable[[str], None]
) -> tuple[int, int]:
    """Check every table; and, for so many seconds, whether everything that people were ever shown
    at some of them was exact. How many were checked, and how many of these in full."""
    cards = catalogue()
    store = store_at(database)
    await store.open()
    try:
        checked: list[tuple[Notes, StoredTable]] = []
        for notes in book.tables:
            kept = await store.load(notes.id)
            if kept is None:
                book.fault("it is gone", notes)
                continue
            for fault in at_the_end(notes, kept, cards):
                book.fault(fault, notes)
            checked.append((notes, kept))
    finally:
        await store.close()
    say(f"{len(checked)} tables are as they should be in the end; now step by step ...")
    until = time.monotonic() + seconds
    dice.shuffle(checked)
    whole = 0
    for notes, kept in checked:
        if time.monotonic() > until:
            break
        for fault in step_by_step(notes, kept, cards):
            book.fault(fault, notes)
        whole += 1
    return len(checked), whole


# --- in the end -------------------------------------------------------------------------------


def at_the_end(notes: Notes, kept: StoredTable, cards: Catalogue) -> Iterator[str]:
    """What is wrong with a table as it is now."""
    numbers = [entry.number for entry in kept.entries]
    if numbers != list(range(len(numbers))):
        yield "the log has a gap"
        return
    yield from _acknowledged(notes, kept)
    if kept.table.setup is None:
        return
    restored = restore_game(kept, cards)
    game = restored.game
    if restored.notice is not None or restored.record is not kept.table or game is None:
        yield "the log does not replay"
        return
    answers = effective_answers(kept.entries)
    played = begin_game(kept.table, cards).answer_all([a.option for a in answers])
    if game.digest() != played.digest():
        yield "the log leads elsewhere"
    if not notes.resigned:
        if (kept.table.state == "over") != game.is_over:
            yield f"the table is {kept.table.state}, and its game is not"
        if kept.table.winners != list(game.winners):
            yield "somebody else has won"
    story = LogHistory(restored.undo_marks)
    given = TableLog(kept.entries)
    # Bots may have gone on since, also for people whose time is up.
    goes_on = not game.is_over and (notes.seats > len(notes.secrets) or notes.clock)
    for told in notes.told:
        if told.view is None or goes_on:
            continue
        if fingerprint(told.view) not in _shown(game, told.viewer):
            yield f"seat {told.viewer} was last shown something else"
        if told.viewer >= 0 and told.number != given.decision_number(told.viewer):
            yield f"seat {told.viewer} has another number"
        lines = story.lines(game, told.viewer, 0)
        truth = {line["number"]: line["message"]["english"] for line in lines}
        if any(truth.get(number) != line for number, line in told.log.items()):
            yield f"seat {told.viewer} was told another story"
        if told.log and max(told.log) != max(truth):
            yield f"seat {told.viewer} was not told the whole story"


def _acknowledged(notes: Notes, kept: StoredTable) -> Iterator[str]:
    """Everything that was acknowledged is there, once and in order; nothing that was refused."""
    first: dict[tuple[int | None, str], tuple[int, int]] = {}
    blocks: Counter[tuple[int | None, str]] = Counter()
    before: tuple[int | None, str] | None = None
    for answer in kept.entries:
        key = (answer.seat, answer.message_id)
        if answer.message_id and answer.kind is EntryKind.ANSWER:
            first.setdefault(key, (answer.number, answer.option))
            blocks[key] += key != before
        before = key
    for key, count in blocks.items():
        if count > 1:
            yield f"message {key[1]} counted {count} times"
    latest: dict[int, int] = {}
    for given in notes.given:
        found = first.get((given.seat, given.message))
        if found is None:
            yield f"message {given.message}, which was acknowledged, is lost"
            continue
        number, option = found
        if option != given.options[0]:
            yield f"message {given.message} became another answer"
        if number <= latest.get(given.seat, -1):
            yield f"message {given.message} is out of order"
        latest[given.seat] = number
    for refused in notes.refused:
        if refused in first:
            yield f"message {refused[1]}, which was refused, counted"
    said = Counter((line.seat, line.text) for line in kept.chat)
    for spoken in notes.said:
        if said[spoken] != 1:
            yield f"{spoken[1]} was said once and kept {said[spoken]} times"
    if [line.number for line in kept.chat] != list(range(len(kept.chat))):
        yield "what was said has a gap"


# --- step by step -----------------------------------------------------------------------------


def step_by_step(notes: Notes, kept: StoredTable, cards: Catalogue) -> Iterator[str]:
    """Whether whatever anybody was ever shown was the table at some moment, as they may see it,
    one moment after the other; and whether nobody was ever told of another card."""
    if kept.table.setup is None:
        return
    moments: dict[int, list[set[bytes]]] = {told.viewer: [] for told in notes.told}
    cards_seen: dict[int, set[tuple[int, str]]] = {viewer: set() for viewer in moments}
    changes: dict[int, set[bytes]] = {viewer: set() for viewer in moments}
    people = len(notes.secrets) if not notes.resigned else 0
    for game in _games(kept, cards):
        for viewer, seen in moments.items():
            view = game.view(viewer)
            cards_seen[viewer].update(faces(view))
            seen.append(_variants(game, view, viewer, people))
    for viewer in moments:
        for game in _ends(kept, cards):
            happened = game.events(viewer)
            changes[viewer].update(map(fingerprint, happened))
            cards_seen[viewer].update(faces(happened))
    for told in notes.told:
        if (mark := _out_of_order(told, moments[told.viewer])) is not None:
            known = any(mark in moment for moment in moments[told.viewer])
            what = "what was past" if known else "what never was, or what is lost"
            yield f"seat {told.viewer} was shown {what}"
        if secret := told.cards - cards_seen[told.viewer]:
            yield f"seat {told.viewer} was told of {len(secret)} hidden cards"
        if told.changes - changes[told.viewer]:
            yield f"seat {told.viewer} was told what did not happen"


def _out_of_order(told: Told, moments: list[set[bytes]]) -> bytes | None:
    """The first view that was shown when it could not have been any more; None if all is well."""
    at = 0
    for mark in told.views:
        while at < len(moments) and mark not in moments[at]:
            at += 1
        if at == len(moments):
            return mark
    return None


def _games(kept: StoredTable, cards: Catalogue) -> Iterator[Game]:
    """The game after each answer and undo."""
    game = begin_game(kept.table, cards)
    yield game
    for entry in _moves(kept):
        if count := entry.undo_count:
            game = game.undo(count)
        else:
            game.choose(entry.option)
        yield game


def _moves(kept: StoredTable) -> list[LogEntry]:
    kinds = (EntryKind.ANSWER, EntryKind.UNDO)
    return [entry for entry in kept.entries if entry.kind in kinds]


def _ends(kept: StoredTable, cards: Catalogue) -> Iterator[Game]:
    """The game where it was before each undo, and in the end."""
    moves = _moves(kept)
    for at in [*(i for i, entry in enumerate(moves) if entry.undo_count), len(moves)]:
        answers = effective_answers(moves[:at])
        yield begin_game(kept.table, cards).answer_all([a.option for a in answers])


def _shown(game: Game, viewer: int) -> set[bytes]:
    return _variants(game, game.view(viewer), viewer, 0)


def _variants(game: Game, view: Mapping[str, Any], viewer: int, people: int) -> set[bytes]:
    """How a view may be shown: in a window for Specials nobody learns who is asked."""
    decision = game.decision
    if decision is None or not is_window(decision):
        return {fingerprint(view)}
    masked = fingerprint({**view, "decision": {"player": None, "window": True}})
    if people > 1 and viewer != decision.player:
        return {masked}
    asked = {**view["decision"], "window": True} if view["decision"] is not None else None
    return {fingerprint(view), masked, fingerprint({**view, "decision": asked})}
