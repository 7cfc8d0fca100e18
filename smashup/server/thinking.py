"""Where bots think: in processes of their own, so that no table waits for another's bot.

A process builds the game anew from its setup and answers and hands the bot the sight of the seat
that decides, nothing else. Whatever goes wrong there, the table gets a legal answer.
"""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from multiprocessing import connection, get_context, parent_process
from random import Random
from typing import Any, ClassVar, Final, TypeVar, cast

from smashup.bots.bot import Advice
from smashup.bots.ladder import make_bot
from smashup.bots.sight import Sight
from smashup.cards.plugins import with_plugins
from smashup.engine.catalogue import Catalogue
from smashup.engine.game import Game
from smashup.engine.randomness import derive_seed
from smashup.engine.setup import Setup
from smashup.engine.snapshots import restore
from smashup.rules.lesson import is_rival, rival
from smashup.server import logs
from smashup.server.recording import Finished, record
from smashup.server.settings import Settings

T = TypeVar("T")

REMEMBERED: Final = 32
"""Games a process keeps, to go on from them."""
ATTEMPTS: Final = 2
GOODBYE: Final = 2.0
"""Seconds in which processes that are sent home have to be gone."""


@dataclass(frozen=True)
class Task:
    """A decision for a bot: the game so far, and who should think about it."""

    table: str
    setup: dict[str, Any]
    start: dict[str, Any]
    start_at: int
    answers: list[int]
    """Since the start."""
    level: str
    seat: int
    size: int
    """How many options there are."""

    @property
    def seed(self) -> int:
        """The same for the same decision, after a restart too."""
        given = self.start_at + len(self.answers)
        return derive_seed(Setup.from_json(self.setup), self.seat, given)


class Thinkers:
    """The processes. The first that is needed starts them."""

    def __init__(
        self,
        settings: Settings,
        measured: Callable[[str], AbstractContextManager[None]] = lambda what: nullcontext(),
    ) -> None:
        self.settings = settings
        self._measured = measured
        """Measures how long they take. Not of their business: they do not measure themselves."""
        self._pool: ProcessPoolExecutor | None = None

    async def pick(self, task: Task) -> int:
        """What a bot answers; any legal answer if it fails, dies or takes too long."""
        if task.size == 1:
            return 0
        option = await self._ask(think, task)
        if option is not None and 0 <= option < task.size:
            return option
        return Random(task.seed).randrange(task.size)

    async def advise(self, task: Task) -> Advice | None:
        """What a bot thinks of every option; None if it fails, dies or takes too long."""
        advice = await self._ask(advise, task)
        return advice if advice is not None and 0 <= advice.pick < task.size else None

    async def _ask(self, what: Callable[[Task], T], task: Task) -> T | None:
        for _ in range(ATTEMPTS):
            pool = self._ready()
            try:
                loop = asyncio.get_running_loop()
                with self._measured(what.__name__):
                    return await loop.run_in_executor(pool, what, task)
            except BrokenExecutor:
                # A process died, and all its tasks with it: the next attempt has new ones.
                if self._pool is pool:
                    self._pool = None
                pool.shutdown(wait=False)
            except Exception as error:
                logs.warn("a bot could not think", error=error)
                break
        return None

    async def record(self, finished: Finished) -> bytes:
        """The recording of a game that is over: nobody's thought, but as much work as one."""
        for attempt in range(ATTEMPTS):
            pool = self._ready()
            try:
                loop = asyncio.get_running_loop()
                with self._measured("record"):
                    return await loop.run_in_executor(pool, recorded, finished)
            except BrokenExecutor:
                if self._pool is pool:
                    self._pool = None
                pool.shutdown(wait=False)
                if attempt + 1 == ATTEMPTS:
                    raise
        raise AssertionError

    def close(self) -> None:
        """Send the processes home, also those that are in the middle of a thought."""
        if self._pool is not None:
            processes = list((self._pool._processes or {}).values())
            manager = cast("threading.Thread | None", self._pool._executor_manager_thread)
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None
            for process in processes:
                process.terminate()
            if manager is not None:
                manager.join(GOODBYE)  # else Python, ending, may find it half gone

    def _ready(self) -> ProcessPoolExecutor:
        if self._pool is None:
            told = (self.settings.log, self.settings.log_level)
            self._pool = ProcessPoolExecutor(
                self.settings.thinkers,
                mp_context=get_context("spawn"),
                initializer=prepare,
                initargs=(self.settings.faction_files, self.settings.think_limit, told),
            )
        return self._pool


# --- inside a process -----------------------------------------------------------------------


class Desk:
    """What a process has at hand: the cards, and the games it thought about last."""

    cards: Catalogue
    limit: int = 0
    games: ClassVar[OrderedDict[str, tuple[int, Game]]] = OrderedDict()


def prepare(
    faction_files: tuple[str, ...], limit: int, told: tuple[str, str] = ("text", "warning")
) -> None:
    """The first thing a process does."""
    logs.begin(*told)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server
    if hasattr(os, "nice"):
        os.nice(5)  # people who wait for the server go first
    Desk.cards, _ = with_plugins(faction_files)
    Desk.limit = limit
    threading.Thread(target=_end_with_the_server, daemon=True).start()


def _end_with_the_server() -> None:
    """A server that was killed cannot say goodbye."""
    server = parent_process()
    if server is not None:
        connection.wait([server.sentinel])
        os._exit(0)


def think(task: Task) -> int:
    """What the bot takes."""
    with _limited():
        game = _game(task)
        if is_rival(task.setup, task.seat):
            return rival(game)
        return make_bot(task.level, task.seed).choose(Sight(game))


def advise(task: Task) -> Advice:
    """What the bot thinks of every option."""
    with _limited():
        return make_bot(task.level, task.seed).advise(Sight(_game(task)))


@contextmanager
def _limited() -> Iterator[None]:
    """A process that thinks for too long is ended by its alarm."""
    if hasattr(signal, "alarm"):
        signal.alarm(Desk.limit)
    try:
        yield
    finally:
        if hasattr(signal, "alarm"):
            signal.alarm(0)


def recorded(finished: Finished) -> bytes:
    """The recording of a game."""
    if hasattr(signal, "alarm"):
        signal.alarm(Desk.limit)
    try:
        return record(finished, Desk.cards)
    finally:
        if hasattr(signal, "alarm"):
            signal.alarm(0)


def _game(task: Task) -> Game:
    """The game of a task, from where it was last seen if that is on the way."""
    start_at, game = Desk.games.pop(task.table, (-1, None))
    known = len(game.answers) if game is not None else 0
    if game is None or start_at != task.start_at or game.answers != task.answers[:known]:
        setup = Setup.from_json(task.setup)
        game = restore(task.start, setup, Desk.cards) if task.start else Game(setup, Desk.cards)
        game.logging = False
        known = 0
    game.answer_all(task.answers[known:])
    Desk.games[task.table] = (task.start_at, game)
    while len(Desk.games) > REMEMBERED:
        Desk.games.popitem(last=False)
    return game
