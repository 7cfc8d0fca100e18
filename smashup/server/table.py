"""A live table: its game, its seats, who watches, and everything that may happen to it.

One change at a time. A change is made on a copy, written to disk, and only then becomes what
everybody sees: whatever goes wrong before that leaves the table as it was.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from copy import deepcopy
from typing import Any, Final, cast

from smashup import __version__
from smashup.engine.catalogue import Catalogue
from smashup.engine.decisions import Decision
from smashup.engine.game import Game
from smashup.engine.messages import Message
from smashup.engine.state import fingerprint
from smashup.engine.views import SPECTATOR, message
from smashup.server.picks import answered
from smashup.server.previews import foretold
from smashup.server.protocol import (
    Ack,
    Answer,
    Ask,
    Foretold,
    Hello,
    Preview,
    SeatInfo,
    TableInfo,
)
from smashup.server.records import (
    BOT,
    OVER,
    PERSON,
    PLAYING,
    WAITING,
    AnswerRecord,
    Kept,
    SeatRecord,
    TableRecord,
)
from smashup.server.records import Snapshot as Menu
from smashup.server.refusals import NotYours, Refused, Stale
from smashup.server.revival import begin
from smashup.server.seating import opens, setup_of
from smashup.server.settings import Settings
from smashup.server.store import Store
from smashup.server.streams import Connection, Stream, dumps, said
from smashup.server.thinking import Task, Thinkers
from smashup.server.windows import is_forced, is_skipped, is_window, passing

LOGGER: Final = logging.getLogger(__name__)
TOUCHED: Final = 3600.0
"""Seconds after which it is noted again that a table is in use."""


class Table:
    """A table in memory."""

    def __init__(
        self,
        kept: Kept,
        game: Game | None,
        notice: Message | None,
        store: Store,
        thinkers: Thinkers,
        cards: Catalogue,
        settings: Settings,
    ) -> None:
        self.record: TableRecord = kept.table
        self.seats: list[SeatRecord] = kept.seats
        self.answers: list[AnswerRecord] = kept.answers
        self.game = game
        """None before it begins."""
        self.notice = notice
        self.lost = False
        """Whether it is not known what of it is on disk, so that it has to be read anew."""
        self.connections: set[Connection] = set()
        self.users = 0
        """How many requests and connections hold on to it."""
        self.used = time.monotonic()
        self.last_here = [time.monotonic()] * len(self.seats)
        """When the owner of each seat was last connected."""
        self._store = store
        self._thinkers = thinkers
        self._cards = cards
        self._settings = settings
        self._lock = asyncio.Lock()
        self._streams: dict[int, Stream] = {}
        self._driver: asyncio.Task[None] | None = None
        self._asked_at = time.monotonic()
        self._foretold: dict[int, Foretold] = {}
        """What was said about options of the decision on the table."""
        self._written = -TOUCHED
        """When its record was last written, with the time."""
        self._given = Counter(a.seat for a in self.answers)
        self._heard = {(a.seat, a.message): a.number for a in self.answers if a.message}

    # --- facts ------------------------------------------------------------------------------

    @property
    def names(self) -> list[str]:
        """What the players are called in sentences."""
        return [seat.name or f"P{seat.number + 1}" for seat in self.seats]

    @property
    def busy(self) -> bool:
        """Whether something is going on here, so that it must stay in memory."""
        driving = self._driver is not None and not self._driver.done()
        return bool(self.users or self.connections or driving or self._lock.locked())

    def people(self) -> int:
        """How many seats are played by people."""
        return sum(seat.kind == PERSON for seat in self.seats)

    def given(self, seat: int, up_to: int | None = None) -> int:
        """How many answers a seat has given: which of its decisions is next."""
        later = 0 if up_to is None else sum(a.seat == seat for a in self.answers[up_to:])
        return self._given[seat] - later

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
        record, options = self.record, self.record.options
        return TableInfo(
            id=record.id,
            state=cast(Any, record.state),
            listed=record.listed,
            spectators=options["spectators"],
            players=len(self.seats),
            mode=options["mode"],
            edition=options["edition"],
            printing=options["printing"],
            optional_titans=options["optional_titans"],
            madness=options["madness"],
            clock=options.get("clock", 0),
            undo=options.get("undo", True),
            chat=options.get("chat", True),
            created=record.created,
            seats=[self._seat_info(seat) for seat in self.seats],
            winners=record.winners,
            rematch=record.rematch,
            replay=False,
            notice=cast(Any, message(self.notice)) if self.notice is not None else None,
        )

    def _seat_info(self, seat: SeatRecord) -> SeatInfo:
        return SeatInfo(
            number=seat.number,
            kind=cast(Any, seat.kind),
            level=seat.level if seat.kind == BOT else "",
            name=seat.name,
            factions=seat.factions,
            ready=seat.ready,
            here=self.is_here(seat.number),
            left=seat.left,
            resigned=seat.resigned,
            votes=sorted(int(voter) for voter in seat.votes),
        )

    # --- watching ---------------------------------------------------------------------------

    def connect(self, connection: Connection, hello: Hello) -> None:
        """Let somebody watch: what they missed since the version they know, or everything."""
        if len(self.connections) >= self._settings.watchers:
            raise Refused("Too many people are watching this table.")
        if connection.viewer == SPECTATOR and not self.record.options["spectators"]:
            raise Refused("Nobody may watch this table.")
        self.connections.add(connection)
        self.publish(but=connection)
        stream = self._streams.setdefault(connection.viewer, Stream(connection.viewer))
        stream.refresh(self, self.info())
        missed = stream.missed(hello.stream, hello.version)
        for text in [stream.snapshot(self)] if missed is None else missed:
            connection.resend(text, self.names)
        self.wake()

    def disconnect(self, connection: Connection) -> None:
        """Somebody is not watching any more."""
        self.connections.discard(connection)
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

    # --- changing who sits there ------------------------------------------------------------

    @asynccontextmanager
    async def changing(self) -> AsyncIterator[tuple[TableRecord, list[SeatRecord]]]:
        """Change the table and its seats: on copies, which are written at the end.

        A game begins as soon as every seat is taken and ready.
        """
        async with self._lock:
            self._check_lost()
            record, seats = deepcopy(self.record), deepcopy(self.seats)
            yield record, seats
            game = self.game
            if record.state == WAITING and all(seat.ready for seat in seats):
                record.setup = json.loads(
                    json.dumps(setup_of(record, seats, self._cards).to_json())
                )
                record.state, record.rules = PLAYING, __version__
                game = begin(record, self._cards)
                self._asked_at = time.monotonic()
            await self._keep(record, seats)
            self.record, self.seats, self.game = record, seats, game
        self.publish()
        self.wake()

    # --- answers ----------------------------------------------------------------------------

    async def answer(self, seat: int, said: Answer) -> Ack:
        """What a person chooses. It is on disk when this returns; said twice it counts once.

        Who hangs up in the middle does not stop it.
        """
        return await asyncio.shield(asyncio.create_task(self._answer(seat, said)))

    async def _answer(self, seat: int, said: Answer) -> Ack:
        async with self._lock:
            self._check_lost()
            before = self._heard.get((seat, said.id))
            if before is None:
                await self._take(seat, said)
                before = self._heard[seat, said.id]
            # The picks of one message are one answer after another.
            last = before + 1
            while last < len(self.answers) and self.answers[last].message == said.id:
                last += 1
            number = self.given(seat, last)
        self.publish()
        self.wake()
        return Ack(type="ack", id=said.id, number=number)

    def preview(self, seat: int, said: Ask) -> Preview:
        """What an option would bring about, as far as the seat that decides can know."""
        self._decision_of(seat, said.number)
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

    def _decision_of(self, seat: int, number: int) -> Decision:
        """The decision on the table, if this is the seat's and goes by this number."""
        decision = self.game.decision if self.game is not None else None
        if self.record.state == WAITING:
            raise Refused("The game has not begun yet.")
        if self.record.state == OVER or decision is None:
            raise Refused("The game is over: there is nothing to choose.")
        if self.seats[seat].kind != PERSON:
            raise Refused("A bot plays this seat; take it back first.")
        if number != self.given(seat):
            raise Stale("That decision is past; this is the one on the table now.")
        if decision.player != seat:
            raise Refused("It is not your decision.")
        return decision

    async def _take(self, seat: int, said: Answer) -> None:
        decision = self._decision_of(seat, said.number)
        assert self.game is not None
        game = answered(self.game, said.options, said.done)
        if is_window(decision):
            await self._beat()
        await self._apply(game, seat, said.id)

    async def _apply(self, game: Game, seat: int, said: str = "") -> None:
        """Write down how a game went on, and let it be the game.

        What is forced then goes with it: nobody is shown a question that answers itself.
        """
        assert self.game is not None
        news = game.answers[len(self.game.answers) :]
        first = len(self.answers)
        records = [AnswerRecord(first + i, seat, option, said) for i, option in enumerate(news)]
        while (asked := game.decision) is not None and self._is_forced(asked):
            game.choose(0)
            records.append(AnswerRecord(first + len(records), asked.player, 0))
        record = self.record
        if game.is_over:
            record = deepcopy(record)
            record.state, record.winners = OVER, list(game.winners)
        menu = None
        if game.at_menu:
            assert game.last_menu is not None
            facts = game.last_menu.facts()
            menu = Menu(first + len(records), fingerprint(facts), facts)
        same = record is self.record and time.monotonic() - self._written < TOUCHED
        await self._keep(record, (), records, menu, same)
        self.record = record
        self.answers.extend(records)
        self._given.update(a.seat for a in records)
        if said:
            self._heard[seat, said] = first
        before, self.game = self.game, game
        before.put_away()
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

    def _check_lost(self) -> None:
        if self.lost:
            raise Refused("This table is being opened anew; try again in a moment.")

    async def _beat(self) -> None:
        """Between people, a window for Specials does not close before its time.

        Everybody who might play one has the same part of the beat, whether or not they can.
        """
        if self.people() > 1:
            slot = self._settings.beat / len(self.seats)
            left = self._asked_at + slot - time.monotonic()
            await asyncio.sleep(max(0.0, left))

    # --- what needs no person ---------------------------------------------------------------

    def wake(self) -> None:
        """Let bots, and what the server answers itself, go on if it is their turn."""
        if self._driver is None or self._driver.done():
            self._driver = asyncio.create_task(self._drive())

    async def stop(self) -> None:
        """Let go of everything that is under way. What was acknowledged is on disk."""
        if self._driver is not None:
            self._driver.cancel()
            await asyncio.gather(self._driver, return_exceptions=True)
        for connection in self.connections:
            connection.post(None)

    async def _drive(self) -> None:
        try:
            while await self._go_on():
                self.publish()
        except Exception as error:
            LOGGER.error("Table %s stands still: %s.", self.record.id, type(error).__name__)

    async def _go_on(self) -> bool:
        """Answer one decision, if nobody has to be asked; whether there was one."""
        game = self.game
        decision = game.decision if game is not None else None
        if game is None or decision is None or not self._goes_on(game):
            return False
        seat = self.seats[decision.player]
        passed = self.passes(decision)
        if seat.kind == BOT:
            option = await self._thinkers.pick(self._task(game, seat, len(decision.options)))
            if is_window(decision):
                await self._beat()
        elif passed:
            await self._beat()
            option = passing(decision)
        elif self._is_forced(decision):
            option = 0
        else:
            return False
        async with self._lock:
            # Somebody may have answered, resigned, come back or thought again in the meantime.
            same = self.seats[decision.player].kind == seat.kind
            if self._goes_on(game) and same and self.passes(decision) == passed:
                await self._apply(answered(game, [option]), decision.player)
        return True

    def passes(self, decision: Decision) -> bool:
        """Whether the server passes for who is asked, as they wished or because they have to."""
        seat = self.seats[decision.player]
        return seat.kind == PERSON and is_window(decision) and is_skipped(decision, seat)

    def _goes_on(self, game: Game) -> bool:
        """Whether this is how the game stands, and it may go on."""
        return self.game is game and self.record.state == PLAYING and not self.lost

    def _is_forced(self, decision: Decision) -> bool:
        is_person = self.seats[decision.player].kind == PERSON
        return is_person and is_forced(decision, self.people())

    def _task(self, game: Game, seat: SeatRecord, size: int) -> Task:
        record = self.record
        assert record.setup is not None
        return Task(
            record.id, record.setup, record.start, record.start_at, game.answers[:], seat.level,
            seat.number, size,
        )  # fmt: skip
