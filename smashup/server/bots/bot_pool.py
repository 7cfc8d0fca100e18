"""Where bots think: in processes of their own, so that no table waits for another's bot.

A process builds the game anew from its setup and answers and hands the bot the sight of the seat
that decides, nothing else. Whatever goes wrong there, the table gets a legal answer. Turns are
given fairly (`smashup.server.bots.bot_turns`), and a bot that had to wait thinks for less time.
"""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from functools import lru_cache
from multiprocessing import connection, get_context, parent_process
from random import Random
from typing import Any, ClassVar, Final, TypeVar, cast

from smashup.analysis.report import TurningPoint, build_turning_point
from smashup.analysis.reviews import Review, review_game
from smashup.bots.bot import Advice, Bot
from smashup.bots.information_set import InformationSet
from smashup.bots.levels import BUILT_IN_NAMES, make_bot
from smashup.bots.mcts import MctsBot
from smashup.bots.plugins import register_bot_files
from smashup.cards.plugins import with_plugins
from smashup.engine.errors import SmashUpError
from smashup.engine.game import Game
from smashup.engine.model.catalogue import Catalogue
from smashup.engine.model.randomness import derive_seed
from smashup.engine.model.setup import Setup
from smashup.engine.saves.snapshots import restore
from smashup.rules.lesson import choose_rival_answer, is_rival
from smashup.server.bots.bot_turns import BotTurn, BotTurns, Claim
from smashup.server.operations import logs
from smashup.server.operations.settings import Settings
from smashup.server.replays.recording import Finished, record

A = TypeVar("A")
T = TypeVar("T")

REMEMBERED: Final = 32
"""Games a process keeps, to go on from them."""
ATTEMPTS: Final = 2
QUICK_SECONDS: Final = 0.02
"""About how long a bot without a search takes."""
RECORD_SECONDS: Final = 1.0
"""About how long it takes to record a game."""
MIN_SEARCH_MILLISECONDS: Final = 50
"""What is left of a search however long it had to wait."""
ANALYSIS_SECONDS: Final = 1.0
"""About how long a part of an analysis takes."""
RECORDINGS: Final = Claim("", ("recordings",), watched=False)
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
    milliseconds: float = 0
    """How long to search, if not as long as the level says."""
    limit: float = 0
    """Seconds after which the process is ended, if not as the settings say."""

    @property
    def seed(self) -> int:
        """The same for the same decision, after a restart too."""
        given = self.start_at + len(self.answers)
        return derive_seed(Setup.from_json(self.setup), self.seat, given)


@dataclass(frozen=True)
class AnalysisPart:
    """Decisions of a finished game to review, or reviews whose better lines are played."""

    finished: Finished
    iterations: int
    numbers: list[int] = field(default_factory=list)
    reviews: list[Review] = field(default_factory=list)


class BotPool:
    """The processes. The first that is needed starts them."""

    def __init__(
        self,
        settings: Settings,
        measured: Callable[[str], AbstractContextManager[None]] = lambda what: nullcontext(),
    ) -> None:
        self.settings = settings
        self._measured = measured
        """Measures how long they take. Not of their business: they do not measure themselves."""
        self._turns = BotTurns(settings.thinkers)
        self._pool: ProcessPoolExecutor | None = None

    async def pick(self, task: Task, claim: Claim | None = None) -> int:
        """What a bot answers; any legal answer if it fails, dies or takes too long."""
        if task.size == 1:
            return 0
        option = await self._ask(think, task, claim)
        if option is not None and 0 <= option < task.size:
            return option
        return Random(task.seed).randrange(task.size)

    async def advise(self, task: Task, claim: Claim | None = None) -> Advice | None:
        """What a bot thinks of every option; None if it fails, dies or takes too long."""
        advice = await self._ask(advise, task, claim)
        return advice if advice is not None and 0 <= advice.pick < task.size else None

    def reclassify(self, claim: Claim) -> None:
        """Someone came to watch a table, or left."""
        self._turns.reclassify(claim)

    async def _ask(self, what: Callable[[Task], T], task: Task, claim: Claim | None) -> T | None:
        """Let a bot think within the time limit, which includes the time it waits for its turn.

        At a table that nobody watches, waiting costs nobody anything: only the thinking is limited.
        """
        claim = claim or Claim(task.table)
        began = time.monotonic()
        limit = self.settings.think_limit
        searches = search_milliseconds(task.level)
        for _ in range(ATTEMPTS):
            left = began + limit - time.monotonic()
            if claim.watched and left <= 0:
                break
            try:
                with self._measured(what.__name__):
                    turn = await self._turns.take(
                        claim, searches / 1000 or QUICK_SECONDS, is_quick=not searches,
                        timeout=left if claim.watched else None,
                    )  # fmt: skip
                    waited = time.monotonic() - began
                    if searches:
                        less = max(MIN_SEARCH_MILLISECONDS, searches - waited * 1000)
                        task = replace(task, milliseconds=less)
                    left = limit - waited if claim.watched else limit
                    task = replace(task, limit=max(1.0, left))
                    return await self._work(turn, what, task)
            except TimeoutError:
                logs.warn("bot_turn_timeout", task.table)
                break
            except BrokenExecutor:
                continue  # a process died: the next attempt has a new one
            except Exception as error:
                logs.warn("bot_failed", error=error)
                break
        return None

    async def record(self, finished: Finished) -> bytes:
        """The recording of a game that is over: nobody's thought, but as much work as one."""
        for attempt in range(ATTEMPTS):
            try:
                with self._measured("record"):
                    turn = await self._turns.take(RECORDINGS, RECORD_SECONDS, is_quick=False)
                    return await self._work(turn, recorded, finished)
            except BrokenExecutor:
                if attempt + 1 == ATTEMPTS:
                    raise
        raise AssertionError

    async def review(self, part: AnalysisPart, address: str) -> list[Review | None]:
        """Review some decisions of a finished game."""
        return await self._analyze(review_part, part, address)

    async def play_better_line(self, part: AnalysisPart, address: str) -> list[TurningPoint]:
        """Play the better lines of decisions of a finished game."""
        return await self._analyze(play_better_lines, part, address)

    async def _analyze(
        self, work: Callable[[AnalysisPart], list[T]], part: AnalysisPart, address: str
    ) -> list[T]:
        """Do a part of an analysis. Bots at tables with viewers go first."""
        for attempt in range(ATTEMPTS):
            try:
                with self._measured("analyze"):
                    claim = Claim("", (address,), watched=False)
                    turn = await self._turns.take(claim, ANALYSIS_SECONDS, is_quick=False)
                    return await self._work(turn, work, part)
            except BrokenExecutor:
                if attempt + 1 == ATTEMPTS:
                    raise
        raise AssertionError

    async def _work(self, turn: BotTurn, work: Callable[[A], T], argument: A) -> T:
        """Use a turn. It is over when the process is free again, even if nobody waits for it."""
        pool = self._ready()
        try:
            running = asyncio.get_running_loop().run_in_executor(pool, work, argument)
        except BaseException:
            turn.release()
            self._discard(pool)
            raise
        running.add_done_callback(lambda done: _finish(turn, done))
        try:
            return await asyncio.shield(running)
        except BrokenExecutor:
            self._discard(pool)
            raise

    def _discard(self, pool: ProcessPoolExecutor) -> None:
        """A process died, and all that was running with it."""
        if self._pool is pool:
            self._pool = None
        pool.shutdown(wait=False)

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
                self.settings.thinkers + 1,  # one more for bots that answer at once
                mp_context=get_context("spawn"),
                initializer=prepare,
                initargs=(
                    self.settings.faction_files,
                    self.settings.think_limit,
                    told,
                    self.settings.bot_files,
                ),
            )
            # The first task starts all processes: the pool would else start them one by one while
            # its thread counts those of a broken pool, and a quick bot would wait for its own.
            self._pool._safe_to_dynamically_spawn_children = False  # type: ignore[attr-defined]
        return self._pool


def _finish(turn: BotTurn, done: asyncio.Future[Any]) -> None:
    turn.release()
    if not done.cancelled():
        done.exception()  # perhaps nobody waits for it any more


@lru_cache(maxsize=100)
def search_milliseconds(level: str) -> float:
    """How long a bot of this level searches for its answer; 0 if it does not search."""
    try:
        bot = make_bot(level)
    except SmashUpError:
        return 0.0
    return bot.milliseconds if isinstance(bot, MctsBot) else 0.0


# --- inside a process -----------------------------------------------------------------------


class WorkerState:
    """What a process has at hand: the cards, and the games it thought about last."""

    cards: Catalogue
    limit: int = 0
    games: ClassVar[OrderedDict[str, tuple[int, Game]]] = OrderedDict()


def prepare(
    faction_files: tuple[str, ...],
    limit: int,
    told: tuple[str, str] = ("text", "warning"),
    bot_files: tuple[str, ...] = (),
) -> None:
    """The first thing a process does."""
    logs.configure(*told)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server
    if hasattr(os, "nice"):
        os.nice(5)  # people who wait for the server go first
    WorkerState.cards, _ = with_plugins(faction_files)
    register_bot_files(bot_files, BUILT_IN_NAMES)
    WorkerState.limit = limit
    threading.Thread(target=_end_with_the_server, daemon=True).start()


def _end_with_the_server() -> None:
    """A server that was killed cannot say goodbye."""
    server = parent_process()
    if server is not None:
        connection.wait([server.sentinel])
        os._exit(0)


def think(task: Task) -> int:
    """What the bot takes."""
    with _limited(task.limit):
        game = _game(task)
        if is_rival(task.setup, task.seat):
            return choose_rival_answer(game)
        return _bot(task).choose(InformationSet(game))


def advise(task: Task) -> Advice:
    """What the bot thinks of every option."""
    with _limited(task.limit):
        return _bot(task).advise(InformationSet(_game(task)))


def _bot(task: Task) -> Bot:
    bot = make_bot(task.level, task.seed)
    if task.milliseconds and isinstance(bot, MctsBot):
        bot.milliseconds = task.milliseconds
    return bot


@contextmanager
def _limited(seconds: float = 0) -> Iterator[None]:
    """A process that thinks for too long is ended by its alarm."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds or WorkerState.limit)
    try:
        yield
    finally:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)


def recorded(finished: Finished) -> bytes:
    """The recording of a game."""
    with _limited():
        return record(finished, WorkerState.cards)


def review_part(part: AnalysisPart) -> list[Review | None]:
    """Review some decisions of a finished game."""
    with _limited():
        game = part.finished.replay(WorkerState.cards)
        return list(review_game(game, part.numbers, part.iterations))


def play_better_lines(part: AnalysisPart) -> list[TurningPoint]:
    """Play the better line of each review."""
    with _limited():
        game = part.finished.replay(WorkerState.cards)
        return [build_turning_point(game, review, part.iterations) for review in part.reviews]


def _game(task: Task) -> Game:
    """The game of a task, from where it was last seen if that is on the way."""
    start_at, game = WorkerState.games.pop(task.table, (-1, None))
    known = len(game.answers) if game is not None else 0
    if game is None or start_at != task.start_at or game.answers != task.answers[:known]:
        setup = Setup.from_json(task.setup)
        game = (
            restore(task.start, setup, WorkerState.cards)
            if task.start
            else Game(setup, WorkerState.cards)
        )
        game.table.logging = False
        known = 0
    game.answer_all(task.answers[known:])
    WorkerState.games[task.table] = (task.start_at, game)
    while len(WorkerState.games) > REMEMBERED:
        WorkerState.games.popitem(last=False)
    return game
