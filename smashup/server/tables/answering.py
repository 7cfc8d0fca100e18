"""What the owner of a seat may send to a table: answers, previews, hints, chat and undo."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, Final

from smashup.engine.model.decisions import Decision
from smashup.server.errors import EntryExists, Refused, Stale
from smashup.server.live.protocol import Ack, Answer, Ask, Asked, AskHint, Chat, Hint, Preview, Undo
from smashup.server.operations import metrics
from smashup.server.storage.notifications import SOMETHING_ELSE
from smashup.server.storage.records import OVER, PERSON, WAITING
from smashup.server.tables import undo
from smashup.server.tables.picks import apply_picks
from smashup.server.tables.previews import foretold
from smashup.server.tables.specials_windows import is_window
from smashup.server.tables.window_privacy import shown_number

if TYPE_CHECKING:
    from smashup.server.tables.table import Table

CHAT_ATTEMPTS: Final = 10
"""How often a chat message gets another number because another worker was faster."""


async def handle_message(table: Table, seat: int, said: Asked) -> Ack | Preview | Hint:
    """Do what the owner of a seat asks for; the reply."""
    if isinstance(said, Answer):
        return await _shielded(answer_decision(table, seat, said))
    if isinstance(said, Ask):
        return preview(table, seat, said)
    if isinstance(said, AskHint):
        return await table.advice.hint(table, seat, said)
    if isinstance(said, Chat):
        return await _shielded(_say(table, seat, said))
    if isinstance(said, Undo):
        return await _shielded(undo.undo(table, seat, said))
    return await _shielded(undo.agree(table, seat, said))


async def _shielded(doing: Coroutine[Any, Any, Ack]) -> Ack:
    """Finish what was begun, even if the client hangs up in the middle."""
    task = asyncio.create_task(doing)
    task.add_done_callback(lambda done: done.cancelled() or done.exception())
    return await asyncio.shield(task)


async def answer_decision(table: Table, seat: int, said: Answer) -> Ack:
    """A player's answer. It is committed when this returns; sent twice, it counts once."""
    is_new = table.log.received(seat, said.id) is None
    if is_new and is_window(decision_of(table, seat, said.number)):
        # Nobody else is kept waiting: they could tell from it that the player has answered.
        await table.beat()
    with metrics.answering(table.record.id):
        try:
            async with table.changing():
                if table.log.received(seat, said.id) is None:
                    decision_of(table, seat, said.number)
                    assert table.game is not None
                    game = apply_picks(table.game, said.options, said.done)
                    await table.writer.commit_answers(game, seat, said.id)
        except Stale:
            # Another worker may have committed this very message.
            if table.log.received(seat, said.id) is None:
                raise
    number = table.given(seat, table.log.received(seat, said.id))
    return Ack(type="ack", id=said.id, number=number)


def decision_of(table: Table, seat: int, number: int) -> Decision:
    """The decision on the table, if it is the seat's and has this number."""
    decision = table.game.decision if table.game is not None else None
    if table.record.state == WAITING:
        raise Refused("The game has not begun yet.")
    if table.record.state == OVER or decision is None:
        raise Refused("The game is over: there is nothing to choose.")
    if table.seats[seat].kind != PERSON:
        raise Refused("A bot plays this seat; take it back first.")
    if number != shown_number(table, seat):
        raise Stale("That decision is past; this is the one on the table now.")
    if decision.player != seat or table.passes(decision):
        raise Refused("It is not your decision.")
    if table.is_late(seat):
        raise Refused("Your time is up: a bot plays for you until the turn is over.")
    return decision


def preview(table: Table, seat: int, said: Ask) -> Preview:
    """What an option would bring about, as far as the seat that decides can know."""
    decision_of(table, seat, said.number)
    assert table.game is not None
    if said.option not in table.foretold:
        table.foretold[said.option] = foretold(table.game, seat, said.option)
    return {
        **table.foretold[said.option],
        "type": "preview",
        "id": said.id,
        "number": said.number,
        "option": said.option,
    }


async def _say(table: Table, seat: int, said: Chat) -> Ack:
    """Store a chat message, and send it to everyone."""
    if not table.record.options.get("chat", True):
        raise Refused("Chat is disabled at this table.")
    store, notifier = table.services.store, table.services.notifier
    async with table.talk.lock:
        line = None
        for _ in range(CHAT_ATTEMPTS):
            if table.talk.was_heard(seat, said.id):
                break
            line = line or table.talk.check(seat, said)
            line = table.talk.numbered(line)
            try:
                await store.add_chat(table.record.id, line)
            except EntryExists:
                async with table.lock:
                    await table.catch_up()
                continue
            table.talk.extend([line])
            metrics.CHAT.inc()
            notifier.notify(table.record.id, SOMETHING_ELSE)
            break
    table.publish()
    return Ack(type="ack", id=said.id, number=None)
