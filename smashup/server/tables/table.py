"""A live table: its game, its seats, who watches, and everything that may happen to it.

One change at a time. A change is made on a copy, written to disk, and only then becomes what
everybody sees: whatever goes wrong before that leaves the table as it was.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager
from copy import deepcopy
from typing import Any, Final

from smashup.engine.game import Game
from smashup.engine.model.catalogue import Catalogue
from smashup.engine.model.decisions import Decision
from smashup.engine.model.messages import Message
from smashup.engine.model.state import fingerprint
from smashup.engine.views.view import SPECTATOR
from smashup.server.bots.bot_pool import Task, Thinkers
from smashup.server.bots.bot_turns import Claim
from smashup.server.errors import NotYours, Refused, Stale
from smashup.server.http.guard import Bucket
from smashup.server.live.protocol import (
    Ack,
    Answer,
    Ask,
    Asked,
    AskHint,
    Chat,
    Foretold,
    Hello,
    Hint,
    Preview,
    TableInfo,
    Undo,
)
from smashup.server.live.seat_state import table_info
from smashup.server.live.streams import Connection, Stream, compact_history, dumps, said
from smashup.server.operations import logs, metrics, timekeeping
from smashup.server.operations.settings import Settings
from smashup.server.storage.records import (
    OVER,
    PERSON,
    PLAYING,
    WAITING,
    AnswerRecord,
    Kept,
    SeatRecord,
    TableRecord,
)
from smashup.server.storage.records import Snapshot as Menu
from smashup.server.storage.store import Ledger
from smashup.server.tables import takebacks
from smashup.server.tables.advice import Advice
from smashup.server.tables.answers import AnswerLog, taken_back, taking_back
from smashup.server.tables.autoplay import Driver
from smashup.server.tables.chat import Talk
from smashup.server.tables.clocks import Times
from smashup.server.tables.log_history import Story
from smashup.server.tables.picks import answered
from smashup.server.tables.previews import foretold
from smashup.server.tables.restore import begin
from smashup.server.tables.seating import opens, setup_of
from smashup.server.tables.specials_windows import is_forced, is_skipped, is_window
from smashup.server.tables.undoing import Choices, knowledge
from smashup.server.tables.undoing import Wish as Wished
from smashup.server.tables.window_privacy import has_open_window, shown_number
from smashup.version import __version__

TOUCHED: Final = 3600.0
"""Seconds after which it is noted again that a table is in use."""
REPORTS: Final = 1 / 30
"""Reports from one table a second; a few at once."""
REPORTS_AT_ONCE: Final = 5


class Table:
    """A table in memory."""

    def __init__(
        self,
        kept: Kept,
        game: Game | None,
        notice: Message | None,
        store: Ledger,
        thinkers: Thinkers,
        cards: Catalogue,
        settings: Settings,
    ) -> None:
        self.record: TableRecord = kept.table
        self.seats: list[SeatRecord] = kept.seats
        self.log = AnswerLog(kept.answers)
        """Everything that was answered."""
        self.game = game
        """None before it begins."""
        self.notice = notice
        self.lost = False
        """Whether it is not known what of it is on disk, so that it has to be read anew."""
        self.connections: set[Connection] = set()
        self.address = ""
        """Where the table was created, or its last player came from; only ever in memory."""
        self.users = 0
        """How many requests and connections hold on to it."""
        self.used = time.monotonic()
        self.last_here = [time.monotonic()] * len(self.seats)
        """When the owner of each seat was last connected."""
        self.settings = settings
        self.thinkers = thinkers
        self.lock = asyncio.Lock()
        """Held while the table changes."""
        self.story = Story(kept.remarks)
        self.talk = Talk(kept.chat, len(self.seats))
        self.reports = Bucket(REPORTS, REPORTS_AT_ONCE)
        self.choices = kept.choices or Choices()
        """What can still be taken back."""
        self.window_start = kept.window_start
        """How long the log was when the open Specials window opened."""
        self.wish: Wished | None = None
        """Somebody wants to take a choice back, and the others are being asked."""
        limit = self.record.options.get("clock", 0)
        self.times: Times | None = None
        """The clock, where turns have a time limit."""
        if limit:
            clock = self.record.clock
            self.times = Times.from_json(limit, len(self.seats), clock, timekeeping.now())
            if game is not None and not clock:
                self.times = self._timed(self.times, game, self.seats)
        self._store = store
        self._cards = cards
        self._streams: dict[int, Stream] = {}
        self._driver = Driver(self)
        self.advice = Advice()
        self._asked_at = time.monotonic()
        self._foretold: dict[int, Foretold] = {}
        """What was said about options of the decision on the table."""
        self._written = -TOUCHED
        """When its record was last written, with the time."""

    # --- facts ------------------------------------------------------------------------------

    @property
    def names(self) -> list[str]:
        """What the players are called in sentences."""
        return [seat.name or f"P{seat.number + 1}" for seat in self.seats]

    @property
    def busy(self) -> bool:
        """Whether something is going on here, so that it must stay in memory."""
        going = self._driver.busy or self.lock.locked()
        return bool(self.users or self.connections or going)

    @property
    def answers(self) -> list[AnswerRecord]:
        """All lines of the log of answers."""
        return self.log.records

    def people(self) -> int:
        """How many seats are played by people."""
        return sum(seat.kind == PERSON for seat in self.seats)

    def given(self, seat: int, up_to: int | None = None) -> int:
        """Which of a seat's decisions is next."""
        return self.log.given(seat, up_to)

    def seat_of(self, secret: str) -> int:
        """The seat that a secret is for."""
        found = [seat.number for seat in self.seats if opens(secret, seat)]
        if not found:
            raise NotYours("This secret opens no seat at this table.")
        return found[0]

    def is_here(self, seat: int) -> bool:
        """Whether the owner of a seat is connected."""
        return any(c.viewer == seat for c in self.connections)

    def info(self) -> TableInfo:
        """What everybody with the link may know."""
        return table_info(self)

    # --- watching ---------------------------------------------------------------------------

    def connect(self, connection: Connection, hello: Hello) -> None:
        """Let somebody watch: what they missed since the version they know, or everything."""
        if len(self.connections) >= self.settings.watchers:
            raise Refused("Too many people are watching this table.")
        if connection.viewer == SPECTATOR and not self.record.options["spectators"]:
            raise Refused("Nobody may watch this table.")
        self.connections.add(connection)
        if connection.viewer != SPECTATOR or not self.address:
            self.address = connection.address
        self.thinkers.reclassify(self.claim())
        self.publish(but=connection)
        missed = self._streams[connection.viewer].missed(hello.stream, hello.version)
        if missed is None:
            self.send_snapshot(connection)
        for text in missed or ():
            connection.resend(text, self.names)
        self.wake()

    def send_snapshot(self, connection: Connection) -> None:
        """Tell a client everything, as of the last update."""
        connection.resend(self._streams[connection.viewer].snapshot(self), self.names)

    def disconnect(self, connection: Connection) -> None:
        """Somebody is not watching any more."""
        self.connections.discard(connection)
        self.thinkers.reclassify(self.claim())
        self.used = time.monotonic()
        if connection.viewer != SPECTATOR:
            self.last_here[connection.viewer] = time.monotonic()
        self.publish()

    def publish(self, but: Connection | None = None) -> None:
        """Tell everybody who watches what is new to them."""
        info = self.info()
        for viewer in sorted({c.viewer for c in self.connections}):
            news = self._streams.setdefault(viewer, Stream(viewer)).refresh(self, info)
            if news is None:
                continue
            texts: dict[str | None, str] = {None: news.text}
            for connection in self.connections:
                if connection.viewer == viewer and connection is not but:
                    lang = connection.lang
                    if lang is not None and lang not in texts:
                        texts[lang] = dumps(said(news.update, lang, self.names))
                    connection.post(texts[lang])
        compact_history(self, self._streams.values())

    # --- changing who sits there ------------------------------------------------------------

    @asynccontextmanager
    async def changing(self) -> AsyncIterator[tuple[TableRecord, list[SeatRecord]]]:
        """Change the table and its seats: on copies, which are written at the end.

        A game begins as soon as every seat is taken and ready.
        """
        async with self.lock:
            self.check_lost()
            record, seats = deepcopy(self.record), deepcopy(self.seats)
            yield record, seats
            game, times = self.game, self.times
            if record.state == WAITING and all(seat.ready for seat in seats):
                record.setup = json.loads(
                    json.dumps(setup_of(record, seats, self._cards).to_json())
                )
                record.state, record.rules = PLAYING, __version__
                game = begin(record, self._cards)
                self._asked_at = time.monotonic()
            if game is not None and times is not None:
                times = self._timed(times, game, seats)
                record.clock = times.to_json()
            await self._keep(record, seats)
            if game is not self.game:
                metrics.GAMES.labels("begun").inc()
                logs.write_line("a game begins", record.id, seats=len(seats))
            self.record, self.seats, self.game, self.times = record, seats, game, times
            await takebacks.settle(self)  # who had to agree may be gone
        self.publish()
        self.wake()

    # --- answers ----------------------------------------------------------------------------

    async def obey(self, seat: int, said: Asked) -> Ack | Preview | Hint:
        """Do what the owner of a seat asks for; what is said to that."""
        if isinstance(said, Ask):
            return self.preview(seat, said)
        if isinstance(said, Answer):
            return await self.answer(seat, said)
        if isinstance(said, AskHint):
            return await self.advice.hint(self, seat, said)
        if isinstance(said, Chat):
            return await self._whole(self._say(seat, said))
        if isinstance(said, Undo):
            return await self._whole(takebacks.undo(self, seat, said))
        return await self._whole(takebacks.agree(self, seat, said))

    async def answer(self, seat: int, said: Answer) -> Ack:
        """What a person chooses. It is on disk when this returns; said twice it counts once."""
        return await self._whole(self._answer(seat, said))

    async def _whole(self, doing: Coroutine[Any, Any, Ack]) -> Ack:
        """Do something to its end: who hangs up in the middle does not stop it."""
        task = asyncio.create_task(doing)
        # Nobody may be left who hears how it ended.
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
        return await asyncio.shield(task)

    async def _say(self, seat: int, said: Chat) -> Ack:
        if not self.record.options.get("chat", True):
            raise Refused("At this table nobody talks.")
        async with self.talk.lock:
            self.check_lost()
            if not self.talk.was_heard(seat, said.id):
                line = self.talk.line(seat, said)
                await self._store.say(self.record.id, line)
                self.talk.add(line, said.id)
                metrics.CHAT.inc()
        self.publish()
        return Ack(type="ack", id=said.id, number=None)

    async def _answer(self, seat: int, said: Answer) -> Ack:
        if self.log.heard(seat, said.id) is None and is_window(self.decision_of(seat, said.number)):
            # Nobody else is kept waiting: they could tell from it that somebody has answered.
            await self.beat()
        with metrics.answering(self.record.id):
            async with self.lock:
                self.check_lost()
                if self.log.heard(seat, said.id) is None:
                    await self._take(seat, said)
                number = self.given(seat, self.log.heard(seat, said.id))
        self.publish()
        self.wake()
        return Ack(type="ack", id=said.id, number=number)

    def preview(self, seat: int, said: Ask) -> Preview:
        """What an option would bring about, as far as the seat that decides can know."""
        self.decision_of(seat, said.number)
        assert self.game is not None
        if said.option not in self._foretold:
            self._foretold[said.option] = foretold(self.game, seat, said.option)
        return {
            **self._foretold[said.option],
            "type": "preview",
            "id": said.id,
            "number": said.number,
            "option": said.option,
        }

    def decision_of(self, seat: int, number: int) -> Decision:
        """The decision on the table, if this is the seat's and goes by this number."""
        decision = self.game.decision if self.game is not None else None
        if self.record.state == WAITING:
            raise Refused("The game has not begun yet.")
        if self.record.state == OVER or decision is None:
            raise Refused("The game is over: there is nothing to choose.")
        if self.seats[seat].kind != PERSON:
            raise Refused("A bot plays this seat; take it back first.")
        if number != shown_number(self, seat):
            raise Stale("That decision is past; this is the one on the table now.")
        if decision.player != seat or self.passes(decision):
            raise Refused("It is not your decision.")
        if self.is_late(seat):
            raise Refused("Your time is up: a bot plays for you until the turn is over.")
        return decision

    async def _take(self, seat: int, said: Answer) -> None:
        self.decision_of(seat, said.number)
        assert self.game is not None
        await self.apply(answered(self.game, said.options, said.done), seat, said.id)

    async def apply(self, game: Game, seat: int, said: str = "") -> None:
        """Write down how a game went on, and let it be the game.

        What is forced then goes with it: nobody is shown a question that answers itself.
        """
        assert self.game is not None
        assert self.game.decision is not None
        before = knowledge(self.game)
        choices = deepcopy(self.choices)
        held = len(self.game.answers)
        choices.answered(self.game.decision, held, said)
        first = len(self.log)
        records = [
            AnswerRecord(first + i, seat, option, said)
            for i, option in enumerate(game.answers[held:])
        ]
        while (asked := game.decision) is not None and self.is_forced(asked):
            choices.answered(asked, len(game.answers))
            game.choose(0)
            records.append(AnswerRecord(first + len(records), asked.player, 0))
        choices.learn(before, knowledge(game))
        await self._go_to(game, records, game.at_menu)
        self.choices = choices

    async def take_back(self, game: Game, seat: int, said: str) -> None:
        """Write down that a choice was taken back, and let this be the game again."""
        assert self.game is not None
        count = len(self.game.answers) - len(game.answers)
        # A menu in any case: the one on disk may be taken back as well.
        await self._go_to(game, [taking_back(len(self.log), seat, count, said)], menu=True)
        self.choices.undone()
        self.story.rewind(game, seat)

    async def _go_to(self, game: Game, records: Sequence[AnswerRecord], menu: bool) -> None:
        """Let this be the game, once it is on disk how it came to that."""
        assert self.game is not None
        record, times = self.record, self.times
        if game.is_over or times is not None:
            record = deepcopy(record)
        if game.is_over:
            record.state, record.winners = OVER, list(game.winners)
        if times is not None:
            times = self._timed(times, game, self.seats)
            record.clock = times.to_json()
        kept = None
        if menu and game.table.last_menu is not None:
            facts = game.table.last_menu.to_dict()
            kept = Menu(len(self.log) + len(records), fingerprint(facts), facts)
        same = record is self.record and time.monotonic() - self._written < TOUCHED
        await self._keep(record, (), records, kept, same)
        self.record, self.times, self.wish = record, times, None
        self.log.extend(records)
        metrics.count_answers(records, self.seats)
        if record.state == OVER:
            metrics.GAMES.labels("over").inc()
            logs.write_line("a game is over", record.id, answers=len(self.log))
        undone = any(taken_back(record) for record in records)
        if undone or not has_open_window(self.game):
            self.window_start = len(self.log)
        before, self.game = self.game, game
        before.dispose()
        self._foretold = {}
        self.used = self._asked_at = time.monotonic()

    async def _keep(
        self,
        record: TableRecord,
        seats: Sequence[SeatRecord] = (),
        answers: Sequence[AnswerRecord] = (),
        menu: Menu | None = None,
        same: bool = False,
    ) -> None:
        """Write, or let go of a table of which nobody knows what is on disk."""
        try:
            await self._store.write(record, seats, answers, menu, same)
        except BaseException:
            self.lost = True
            for connection in self.connections:
                connection.post(None)
            raise
        if not same:
            self._written = time.monotonic()

    def check_lost(self) -> None:
        if self.lost:
            raise Refused("This table is being opened anew; try again in a moment.")

    async def beat(self, least: float = 0.0) -> None:
        """Between people, a window for Specials does not close before its time.

        Everybody who might play one has the same part of the beat, whether or not they can; bots
        that search, at ``least`` as long as they search.
        """
        if self.people() > 1 and self.settings.beat:
            slot = max(self.settings.beat / len(self.seats), least)
            left = self._asked_at + slot - time.monotonic()
            await asyncio.sleep(max(0.0, left))

    # --- clocks -----------------------------------------------------------------------------

    def _timed(self, times: Times, game: Game, seats: Sequence[SeatRecord]) -> Times:
        """The clock of a table at which it came to this."""
        decision = game.decision
        asked, window = -1, False
        if decision is not None:
            window = is_window(decision)
            seat = seats[decision.player]
            if seat.kind == PERSON and not (window and is_skipped(decision, seat)):
                asked = seat.number
        turn = game.table.state.turn
        if game is self.game and (asked, turn, window) == (times.seat, times.turn, times.window):
            return times  # it is the same question still
        return times.asks(asked, turn, window, timekeeping.now())

    def is_late(self, seat: int) -> bool:
        """Whether a bot has to play for somebody until the turn is over."""
        return self.times is not None and self.times.is_up(seat, timekeeping.now())

    # --- what needs no person ---------------------------------------------------------------

    def wake(self) -> None:
        """Let bots, and what the server answers itself, go on if it is their turn."""
        self._driver.wake()

    async def stop(self) -> None:
        """Let go of everything that is under way. What was acknowledged is on disk."""
        await self._driver.stop()
        for connection in self.connections:
            connection.post(None)

    def passes(self, decision: Decision) -> bool:
        """Whether the server passes for who is asked, as they wished or because they have to."""
        seat = self.seats[decision.player]
        return seat.kind == PERSON and is_window(decision) and is_skipped(decision, seat)

    def goes_on(self, game: Game) -> bool:
        """Whether this is how the game stands, and it may go on."""
        return self.game is game and self.record.state == PLAYING and not self.lost

    def is_forced(self, decision: Decision) -> bool:
        """Whether the server answers for who is asked."""
        is_person = self.seats[decision.player].kind == PERSON
        return is_person and is_forced(decision, self.people())

    def claim(self) -> Claim:
        """On whose behalf bots think here: people at the table, else who was here last."""
        here = {c.address for c in self.connections if c.viewer != SPECTATOR}
        return Claim(self.record.id, tuple(sorted(here)) or (self.address,), bool(self.connections))

    def task(self, game: Game, seat: int, size: int, level: str) -> Task:
        """A decision as a bot is asked about it."""
        record = self.record
        assert record.setup is not None
        return Task(
            record.id, record.setup, record.start, record.start_at, game.answers[:], level, seat,
            size,
        )  # fmt: skip
