"""Handles the messages of a seat's owner: answers, previews, hints, chat and undo."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

from smashup.engine.errors import CardFailure
from smashup.engine.model.decisions import Decision
from smashup.server.errors import (
    BotPlaysSeat,
    EntryExists,
    GameNotStarted,
    GameOver,
    OutOfTime,
    Overtaken,
    Refused,
    Stale,
)
from smashup.server.live.protocol import (
    Ack,
    Answer,
    Chat,
    Hint,
    HintRequest,
    Preview,
    PreviewRequest,
    SeatMessage,
    Undo,
)
from smashup.server.operations import metrics
from smashup.server.storage.notifications import OTHER_CHANGE
from smashup.server.storage.records import OVER, PERSON, WAITING
from smashup.server.tables.decisions import undo
from smashup.server.tables.decisions.picks import apply_picks
from smashup.server.tables.decisions.previews import preview_option
from smashup.server.tables.decisions.specials_windows import is_window
from smashup.server.tables.decisions.window_privacy import visible_decision_number

if TYPE_CHECKING:
    from smashup.server.tables.table import Table

T = TypeVar("T")

MAX_ANSWER_ATTEMPTS: Final = 10
"""How often an answer is tried again because another worker was faster."""
MAX_CHAT_ATTEMPTS: Final = 10
"""How often a chat message is renumbered because another worker was faster."""


async def handle_message(table: Table, seat: int, message: SeatMessage) -> Ack | Preview | Hint:
    """Process a message of a seat's owner and return the reply."""
    if isinstance(message, PreviewRequest):
        return preview(table, seat, message)
    if isinstance(message, HintRequest):
        return await table.advice.hint(table, seat, message)
    if isinstance(message, Chat):
        return await _shielded(_post_chat(table, seat, message))
    if isinstance(message, Answer):
        commit = partial(answer_decision, table, seat, message)
    elif isinstance(message, Undo):
        commit = partial(undo.undo, table, seat, message)
    else:
        commit = partial(undo.vote, table, seat, message)
    for _ in range(MAX_ANSWER_ATTEMPTS - 1):
        try:
            return await _shielded(commit())
        except Refused as refusal:
            # A refused message must never count, but another worker may have committed this very
            # one, or may still commit it if the decision is open.
            if not await _shielded(_learn_of_changes(table, seat, message.id, refusal)):
                raise
    return await _shielded(commit())


async def _shielded(coroutine: Coroutine[Any, Any, T]) -> T:
    """Complete a change even if the client disconnects meanwhile."""
    task = asyncio.create_task(coroutine)
    task.add_done_callback(lambda done: done.cancelled() or done.exception())
    return await asyncio.shield(task)


async def _learn_of_changes(table: Table, seat: int, message_id: str, refusal: Refused) -> bool:
    """Catch up before a refusal; return whether other workers have committed something new."""
    if not table.services.store.is_shared:
        return False
    if isinstance(refusal, Overtaken):
        return True  # the table has caught up
    if table.log.position_after(seat, message_id) is not None:
        return True
    length = len(table.log)
    async with table.lock:
        await table.catch_up()
        if len(table.log) == length and isinstance(refusal, OutOfTime):
            # Another worker may still be committing the answer, which it received in time.
            try:
                await table.writer.commit_time_up(seat)
            except EntryExists:
                await table.catch_up()
    table.wake()
    return len(table.log) > length


async def answer_decision(table: Table, seat: int, message: Answer) -> Ack:
    """Commit a player's answer. A repeated message counts once."""
    is_new = table.log.position_after(seat, message.id) is None
    if is_new and is_window(require_decision(table, seat, message.number)):
        # Without the lock: otherwise other players could notice that this player has answered.
        await table.wait_for_window()
    with metrics.time_answer(table.record.id):
        async with table.edit():
            if table.log.position_after(seat, message.id) is None:
                require_decision(table, seat, message.number)
                assert table.game is not None
                try:
                    game = apply_picks(table.game, message.options, message.done)
                    await table.writer.commit_answers(game, seat, message.id)
                except CardFailure:
                    undo.offer_undo_after_failure(table, seat)
                    raise
    number = table.decision_number(seat, table.log.position_after(seat, message.id))
    return Ack(type="ack", id=message.id, number=number)


def require_decision(table: Table, seat: int, number: int) -> Decision:
    """Return the open decision if it is the seat's and has this number; otherwise refuse."""
    decision = table.game.decision if table.game is not None else None
    if table.record.state == WAITING:
        raise GameNotStarted("The game has not begun yet.")
    if table.record.state == OVER or decision is None:
        raise GameOver("The game is over: there is nothing to choose.")
    if table.seats[seat].kind != PERSON:
        raise BotPlaysSeat("A bot plays this seat; take it back first.")
    if number != visible_decision_number(table, seat):
        raise Stale("That decision is no longer open; this is the current one.")
    if decision.player != seat or table.is_auto_passed(decision):
        raise Refused("It is not your decision.")
    if table.is_out_of_time(seat):
        raise OutOfTime("Your time is up: a bot plays for you until the turn is over.")
    return decision


def preview(table: Table, seat: int, message: PreviewRequest) -> Preview:
    """Return a preview of an option."""
    require_decision(table, seat, message.number)
    assert table.game is not None
    if message.option not in table.previews:
        table.previews[message.option] = preview_option(table.game, seat, message.option)
    return {
        **table.previews[message.option],
        "type": "preview",
        "id": message.id,
        "number": message.number,
        "option": message.option,
    }


async def _post_chat(table: Table, seat: int, message: Chat) -> Ack:
    """Store a chat message and send it to all viewers."""
    if not table.record.options.get("chat", True):
        raise Refused("Chat is disabled at this table.")
    store, notifier = table.services.store, table.services.notifier
    async with table.chat.lock:
        record = None
        for _ in range(MAX_CHAT_ATTEMPTS):
            if table.chat.has_message(seat, message.id):
                break
            record = record or table.chat.make_record(seat, message)
            record = table.chat.renumber(record)
            try:
                await store.add_chat(table.record.id, record)
            except EntryExists:
                async with table.lock:
                    await table.catch_up()
                continue
            table.chat.extend([record])
            metrics.CHAT.inc()
            notifier.notify(table.record.id, OTHER_CHANGE)
            break
    table.publish()
    return Ack(type="ack", id=message.id, number=None)
