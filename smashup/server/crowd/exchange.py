"""What workers say to each other, through Redis, and which of them are there.

Every worker has a key that expires unless it is renewed: whoever's key is gone is taken for dead.
It listens on a channel of its own. Nothing that is said there is kept: whatever is lost is noticed,
by numbers or because nobody listens, and then all that two workers were about begins anew.
"""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any, Final

from smashup.server.crowd.envelopes import ENOUGH, Bag, opened, sealed
from smashup.server.crowd.reach import NOBODY, QUICKLY, TROUBLE, bury, reached, unusable
from smashup.server.operations import logs

BEATS: Final = 4
"""How often a key is renewed before it would expire."""
Told = Callable[[str, Any, bytes], None]
"""What is done about a message: sender, what it is about, body."""
Asked = Callable[[str, Any, bytes], Awaitable[tuple[Any, bytes]]]
"""What is done about a question, and what is said to it."""


class Unreached(Exception):
    """A message did not reach the worker it was for: nobody listens there."""


class Cut(Exception):
    """The worker that was asked has died, or is out of reach, and may or may not have heard."""


class Exchange:
    """One worker's end of the line to all others."""

    def __init__(self, url: str, name: str, lease: float) -> None:
        self._url = url
        self.name = name
        self.lease = lease
        self.tells: dict[str, Told] = {}
        self.asks: dict[str, Asked] = {}
        self.cut: Callable[[str], None] = lambda worker: None
        """Called when nothing that was begun with a worker can go on."""
        self.lapsed: Callable[[], Awaitable[bool]] = _nothing
        """Called when others may have taken this worker for dead; whether it is known what of."""
        self.missed: Callable[[], None] = lambda: None
        """Called when somebody is said to be gone."""
        self.space = ""
        self._redis = reached(url)
        self._bags: defaultdict[str, Bag] = defaultdict(Bag)
        self._to_send = asyncio.Event()
        self._sent: defaultdict[str, int] = defaultdict(int)
        self._heard: dict[str, int] = {}
        self._heard_myself = time.monotonic()
        self._renewed = time.monotonic()
        """When the key was last renewed; for a lease from then on, nobody takes this for dead."""
        self._lapsed = False
        """Whether the key had expired, and it is not known yet what that has led to."""
        self._listening = asyncio.Event()
        self._answers: dict[str, tuple[str, asyncio.Future[tuple[Any, bytes]]]] = {}
        """Questions that are under way, and whom they were put to."""
        self._ids = 0
        self._left = False
        self._tasks: set[asyncio.Task[Any]] = set()

    # --- coming and going -------------------------------------------------------------------

    async def open(self, space: str) -> None:
        """Be there for the others that share a ``space``; a `SetupError` if Redis is not there."""
        self.space = f"smashup:{space}"
        try:
            # Whoever is not there yet when Redis has just started may only be late.
            moment = await self._now()
            await self._redis.set(f"{self.space}:since", moment, nx=True)
            self._renewed = time.monotonic()
            await self._redis.set(self._key(self.name), "", px=self._lifetime)
        except TROUBLE as error:
            await self._redis.aclose()
            raise unusable(self._url, error) from error
        for work in (self._listen, self._send, self._beat):
            self.do(work())
        await asyncio.wait_for(self._listening.wait(), QUICKLY)

    async def leave(self) -> None:
        """Say goodbye: all that was this worker's is free for the others."""
        self._left = True
        await self._emptied()
        with suppress(*TROUBLE):
            await bury(self._redis, self.space, self.name)

    async def close(self) -> None:
        """Hang up."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        with suppress(*TROUBLE):
            await self._redis.aclose()

    @property
    def is_sure(self) -> bool:
        """Whether nobody can have taken this worker for dead, since its key cannot have expired."""
        return time.monotonic() - self._renewed < self.lease

    async def is_gone(self, worker: str) -> bool:
        """Whether a worker is dead for sure: its key has expired, or it has said goodbye."""
        if worker == self.name:
            return False
        try:
            there, since = await self._redis.mget(self._key(worker), f"{self.space}:since")
            if there is not None:
                return False
            # A Redis that has lost its memory knows nobody until they have renewed their keys.
            return since is not None and await self._now() - int(since) > self._lifetime
        except TROUBLE:
            return False

    async def ping(self) -> None:
        """See that Redis answers."""
        await self._redis.ping()

    def do(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something beside everything else, for as long as this is open."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            logs.fail("something for another worker failed", error=error)

    # --- speaking ---------------------------------------------------------------------------

    def tell(self, worker: str, kind: str, about: Any, body: bytes = b"") -> None:
        """Send a message; there is no answer."""
        self._bags[worker].add(kind, about, body)
        self._to_send.set()

    def tell_one_more(self, worker: str, kind: str, whom: Any, body: bytes) -> None:
        """Send a message to one of the sockets at a worker."""
        self._bags[worker].add_for_one_more(kind, whom, body)
        self._to_send.set()

    async def inquire(
        self, worker: str, kind: str, about: Any, body: bytes = b"", within: float = 20
    ) -> tuple[Any, bytes]:
        """What a worker says to a question: `Unreached`, `Cut` or `TimeoutError` if nothing."""
        self._ids += 1
        number = f"{self.name}/{self._ids}"
        answer: asyncio.Future[tuple[Any, bytes]] = asyncio.get_running_loop().create_future()
        self._answers[number] = (worker, answer)
        try:
            self.tell(worker, "ask", (number, kind, about), body)
            async with asyncio.timeout(within):
                return await answer
        finally:
            del self._answers[number]

    async def _send(self) -> None:
        """Send what waits, all of it in one go; what comes meanwhile waits for the next."""
        while True:
            await self._to_send.wait()
            self._to_send.clear()
            bags = dict(self._bags)
            self._bags.clear()
            pipe = self._redis.pipeline(transaction=False)
            for worker, bag in bags.items():
                if bag.size > ENOUGH:
                    bag.parts = []  # it will notice that something is missing
                self._sent[worker] += 1
                pipe.publish(self._inbox(worker), sealed(self.name, self._sent[worker], bag.parts))
            try:
                reached = await pipe.execute()
            except TROUBLE as error:
                logs.warn("Redis is out of reach", error=error)
                reached = [-1] * len(bags)
                await asyncio.sleep(0.1)
            for (worker, bag), count in zip(bags.items(), reached, strict=True):
                if count != 1:
                    self._undelivered(worker, bag, sure=count == 0)

    def _undelivered(self, worker: str, bag: Bag, sure: bool) -> None:
        """Nobody heard this, or nobody knows."""
        for part in bag.parts:
            if part.kind == "ask" and sure:
                waiting = self._answers.get(part.about[0])
                if waiting is not None and not waiting[1].done():
                    waiting[1].set_exception(Unreached())
        if worker != self.name:
            self.lose(worker)

    # --- listening --------------------------------------------------------------------------

    async def _listen(self) -> None:
        """Hear what others say; whenever the line to Redis breaks, all begins anew."""
        while True:
            line = self._redis.pubsub()
            try:
                await line.subscribe(self._inbox(self.name), f"{self.space}:all")
                self._heard_myself = time.monotonic()
                self._listening.set()
                while time.monotonic() - self._heard_myself < self.lease:
                    said = await line.get_message(
                        ignore_subscribe_messages=True, timeout=self.lease / BEATS
                    )
                    if said is not None:
                        self._hear(bytes(said["data"]))
            except TROUBLE as error:
                logs.warn("Redis is out of reach", error=error)
            finally:
                with suppress(*TROUBLE):
                    await line.aclose()  # type: ignore[no-untyped-call]
            for worker in {*self._heard, *(worker for worker, _ in self._answers.values())}:
                self._begin_anew(worker)
            self._heard.clear()
            await asyncio.sleep(0.2)

    def _hear(self, data: bytes) -> None:
        try:
            sender, number, parts = opened(data)
        except ValueError:
            return
        if sender == self.name:
            self._heard_myself = time.monotonic()
        if sender != NOBODY:
            known = self._heard.get(sender, number - 1)
            self._heard[sender] = number
            if number != known + 1:
                self._begin_anew(sender)
        for part in parts:
            try:
                self._obey(sender, part.kind, part.about, part.body)
            except Exception as error:
                logs.fail("a message of another worker was not understood", error=error)

    def _obey(self, sender: str, kind: str, about: Any, body: bytes) -> None:
        if kind == "ask":
            self.do(self._answer(sender, about, body))
        elif kind == "answer":
            number, what = about
            waiting = self._answers.get(number)
            if waiting is not None and not waiting[1].done():
                waiting[1].set_result((what, body))
        elif kind == "anew":
            self.lose(sender)
        elif kind == "gone" and about != self.name:
            self._heard.pop(about, None)
            self.lose(about)
            self.missed()
        elif kind in self.tells:
            self.tells[kind](sender, about, body)

    async def _answer(self, sender: str, about: Any, body: bytes) -> None:
        number, kind, question = about
        found, text = await self.asks[kind](sender, question, body)
        self.tell(sender, "answer", (number, found), text)

    def _begin_anew(self, worker: str) -> None:
        """Something that this worker said was lost."""
        self.lose(worker)
        if worker != self.name:
            self.tell(worker, "anew", None)

    def lose(self, worker: str) -> None:
        """Nothing that was begun with a worker can go on."""
        for asked, answer in list(self._answers.values()):
            if asked == worker and not answer.done():
                answer.set_exception(Cut())
        self.cut(worker)

    # --- being there ------------------------------------------------------------------------

    async def _beat(self) -> None:
        """Renew the key; if it had expired, others may have taken over."""
        while True:
            await asyncio.sleep(self.lease / BEATS)
            self.tell(self.name, "beat", None)
            if self._left:
                continue
            began = time.monotonic()
            with suppress(*TROUBLE):
                key = self._key(self.name)
                if not await self._redis.set(key, "", px=self._lifetime, xx=True):
                    self._lapsed = True
                    await self._redis.set(f"{self.space}:since", await self._now(), nx=True)
                    await self._redis.set(key, "", px=self._lifetime)
                if self._lapsed:
                    self._lapsed = not await self.lapsed()
                if not self._lapsed:
                    self._renewed = began

    async def _emptied(self) -> None:
        """Wait until everything is sent, but not for long."""
        until = time.monotonic() + 1
        while self._bags and time.monotonic() < until:
            await asyncio.sleep(0.01)

    async def _now(self) -> int:
        """The time in milliseconds, by Redis's clock."""
        seconds, micros = await self._redis.time()
        return seconds * 1000 + micros // 1000

    @property
    def _lifetime(self) -> int:
        return int(self.lease * 1000)

    def _key(self, worker: str) -> str:
        return f"{self.space}:worker:{worker}"

    def _inbox(self, worker: str) -> str:
        return f"{self.space}:to:{worker}"


async def _nothing() -> bool:
    return True
