"""Bots run in separate processes, so that no table waits for the bot of another table.

A process rebuilds the game from its setup and answers and gives the bot only the information set of
the deciding seat. If a bot fails, the table gets a random legal answer. Processes are shared fairly
(`smashup.server.bots.bot_turns`), and a bot that had to wait searches for less time.
"""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from functools import lru_cache
from random import Random
from typing import Any, ClassVar, Final, TypeVar

from smashup.analysis.report import TurningPoint, build_turning_point
from smashup.analysis.reviews import Review, review_game
from smashup.bots.bot import Advice, Bot
from smashup.bots.information_set import InformationSet
from smashup.bots.levels import BUILT_IN_NAMES, make_bot
from smashup.bots.mcts import MctsBot
from smashup.bots.plugins import register_bot_files
from smashup.bots.process_pool import ProcessPool
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
from smashup.server.replays.recording import FinishedGame, record

A = TypeVar("A")
T = TypeVar("T")

MAX_CACHED_GAMES: Final = 32
"""Games that a process keeps, to continue from them."""
MAX_ATTEMPTS: Final = 2
QUICK_SECONDS: Final = 0.02
"""Estimated time of a bot that does not search."""
RECORD_SECONDS: Final = 1.0
"""Estimated time to record a game."""
NICENESS: Final = 15
"""Low priority: on a busy machine, the requests of players come first."""
MIN_SEARCH_MILLISECONDS: Final = 50
"""Minimum search time of a bot that had to wait."""
ANALYSIS_SECONDS: Final = 1.0
"""Estimated time of a part of an analysis."""
RECORDING_CLAIM: Final = Claim("", ("recordings",), watched=False)


@dataclass(frozen=True)
class Task:
    """A decision for a bot: the game so far, the seat and the level."""

    table: str
    setup: dict[str, Any]
    start: dict[str, Any]
    start_at: int
    answers: list[int]
    """The answers since the start snapshot."""
    level: str
    seat: int
    num_options: int
    milliseconds: float = 0
    """Search time; 0: that of the level."""
    limit: float = 0
    """Seconds after which the process is terminated; 0: that of the settings."""

    @property
    def seed(self) -> int:
        """The seed of the bot, which is the same for the same decision after a restart."""
        num_answers = self.start_at + len(self.answers)
        return derive_seed(Setup.from_json(self.setup), self.seat, num_answers)


@dataclass(frozen=True)
class AnalysisPart:
    """Decisions of a finished game to review, or reviews whose better lines are to be played."""

    finished: FinishedGame
    iterations: int
    numbers: list[int] = field(default_factory=list)
    reviews: list[Review] = field(default_factory=list)


class BotPool:
    """The bot processes, which start when the first one is needed."""

    def __init__(
        self,
        settings: Settings,
        timer: Callable[[str], AbstractContextManager[None]] = lambda name: nullcontext(),
    ) -> None:
        self.settings = settings
        self._timer = timer
        """Measures the duration of tasks, by name."""
        self._turns = BotTurns(settings.bot_processes)
        self._pool: ProcessPool | None = None

    async def pick(self, task: Task, claim: Claim | None = None) -> int:
        """Return the answer of a bot; a random legal one if the bot fails or takes too long."""
        if task.num_options == 1:
            return 0
        option = await self._run_bot(choose, task, claim)
        if option is not None and 0 <= option < task.num_options:
            return option
        return Random(task.seed).randrange(task.num_options)

    async def advise(self, task: Task, claim: Claim | None = None) -> Advice | None:
        """Return a bot's estimates of all options; None if the bot fails or takes too long."""
        advice = await self._run_bot(advise, task, claim)
        return advice if advice is not None and 0 <= advice.pick < task.num_options else None

    def reclassify(self, claim: Claim) -> None:
        """Update the priority of a table whose viewers have changed."""
        self._turns.reclassify(claim)

    async def _run_bot(
        self, function: Callable[[Task], T], task: Task, claim: Claim | None
    ) -> T | None:
        """Run a bot within the time limit, which includes the wait for a process.

        At a table without viewers, the wait does not count.
        """
        claim = claim or Claim(task.table)
        started = time.monotonic()
        limit = self.settings.bot_timeout_seconds
        search_time = search_milliseconds(task.level)
        for _ in range(MAX_ATTEMPTS):
            left = started + limit - time.monotonic()
            if claim.watched and left <= 0:
                break
            try:
                with self._timer(function.__name__):
                    turn = await self._turns.take(
                        claim, search_time / 1000 or QUICK_SECONDS, is_quick=not search_time,
                        timeout=left if claim.watched else None,
                    )  # fmt: skip
                    waited = time.monotonic() - started
                    if search_time:
                        remaining = max(MIN_SEARCH_MILLISECONDS, search_time - waited * 1000)
                        task = replace(task, milliseconds=remaining)
                    left = limit - waited if claim.watched else limit
                    task = replace(task, limit=max(1.0, left))
                    return await self._run(turn, function, task)
            except TimeoutError:
                logs.warn("bot_turn_timeout", task.table)
                break
            except BrokenExecutor:
                continue  # a process died: the next attempt starts a new one
            except Exception as error:
                logs.warn("bot_failed", error=error)
                break
        return None

    async def record(self, finished: FinishedGame) -> bytes:
        """Return the recording of a finished game, which takes about as long as a search."""
        for attempt in range(MAX_ATTEMPTS):
            try:
                with self._timer("record"):
                    turn = await self._turns.take(RECORDING_CLAIM, RECORD_SECONDS, is_quick=False)
                    return await self._run(turn, record_game, finished)
            except BrokenExecutor:
                if attempt + 1 == MAX_ATTEMPTS:
                    raise
        raise AssertionError

    async def review(self, part: AnalysisPart, address: str) -> list[Review | None]:
        """Review some decisions of a finished game."""
        return await self._analyze(review_part, part, address)

    async def play_better_line(self, part: AnalysisPart, address: str) -> list[TurningPoint]:
        """Play the better lines of decisions of a finished game."""
        return await self._analyze(play_better_lines, part, address)

    async def _analyze(
        self, function: Callable[[AnalysisPart], list[T]], part: AnalysisPart, address: str
    ) -> list[T]:
        """Run a part of an analysis. Bots at tables with viewers have priority."""
        for attempt in range(MAX_ATTEMPTS):
            try:
                with self._timer("analyze"):
                    claim = Claim("", (address,), watched=False)
                    turn = await self._turns.take(claim, ANALYSIS_SECONDS, is_quick=False)
                    return await self._run(turn, function, part)
            except BrokenExecutor:
                if attempt + 1 == MAX_ATTEMPTS:
                    raise
        raise AssertionError

    async def _run(self, turn: BotTurn, function: Callable[[A], T], argument: A) -> T:
        """Run a function in a process. The turn ends when the process is free again, even if the
        caller was cancelled."""
        pool = self._get_pool()
        try:
            running = asyncio.get_running_loop().run_in_executor(pool, function, argument)
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

    def _discard(self, pool: ProcessPool) -> None:
        """Discard a pool in which a process died."""
        if self._pool is pool:
            self._pool = None
        pool.shutdown(wait=False)

    def close(self) -> None:
        """Stop the processes, including busy ones."""
        if self._pool is not None:
            self._pool.stop()
            self._pool = None

    def _get_pool(self) -> ProcessPool:
        if self._pool is None:
            log_settings = (self.settings.log_format, self.settings.log_level)
            self._pool = ProcessPool(
                self.settings.bot_processes + 1,  # one more for bots that do not search
                init_process,
                self.settings.faction_files,
                self.settings.bot_timeout_seconds,
                log_settings,
                self.settings.bot_files,
            )
        return self._pool


def _finish(turn: BotTurn, done: asyncio.Future[Any]) -> None:
    turn.release()
    if not done.cancelled():
        done.exception()  # the caller may have been cancelled


@lru_cache(maxsize=100)
def search_milliseconds(level: str) -> float:
    """Return how long a bot of this level searches; 0 if it does not search."""
    try:
        bot = make_bot(level)
    except SmashUpError:
        return 0.0
    return bot.milliseconds if isinstance(bot, MctsBot) else 0.0


# --- inside a process -----------------------------------------------------------------------


class WorkerState:
    """The state of a bot process: the cards, and the last games."""

    cards: Catalogue
    limit: int = 0
    games: ClassVar[OrderedDict[str, tuple[int, Game]]] = OrderedDict()


def init_process(
    faction_files: tuple[str, ...],
    limit: int,
    log_settings: tuple[str, str] = ("text", "warning"),
    bot_files: tuple[str, ...] = (),
) -> None:
    """Initialize a bot process."""
    logs.configure(*log_settings)
    WorkerState.cards, _ = with_plugins(faction_files)
    register_bot_files(bot_files, BUILT_IN_NAMES)
    WorkerState.limit = limit
    if hasattr(os, "nice"):
        os.nice(NICENESS)


def choose(task: Task) -> int:
    """Return the answer of a bot."""
    with _time_limit(task.limit):
        game = _load_game(task)
        if is_rival(task.setup, task.seat):
            return choose_rival_answer(game)
        return _make_bot(task).choose(InformationSet(game))


def advise(task: Task) -> Advice:
    """Return a bot's estimates of all options."""
    with _time_limit(task.limit):
        return _make_bot(task).advise(InformationSet(_load_game(task)))


def _make_bot(task: Task) -> Bot:
    bot = make_bot(task.level, task.seed)
    if task.milliseconds and isinstance(bot, MctsBot):
        bot.milliseconds = task.milliseconds
    return bot


@contextmanager
def _time_limit(seconds: float = 0) -> Iterator[None]:
    """Let an alarm terminate the process after the time limit."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds or WorkerState.limit)
    try:
        yield
    finally:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)


def record_game(finished: FinishedGame) -> bytes:
    """Return the recording of a game."""
    with _time_limit():
        return record(finished, WorkerState.cards)


def review_part(part: AnalysisPart) -> list[Review | None]:
    """Review some decisions of a finished game."""
    with _time_limit():
        game = part.finished.replay(WorkerState.cards)
        return list(review_game(game, part.numbers, part.iterations))


def play_better_lines(part: AnalysisPart) -> list[TurningPoint]:
    """Play the better line of each review."""
    with _time_limit():
        game = part.finished.replay(WorkerState.cards)
        return [build_turning_point(game, review, part.iterations) for review in part.reviews]


def _load_game(task: Task) -> Game:
    """Return the game of a task, continued from the cached one if possible."""
    start_at, game = WorkerState.games.pop(task.table, (-1, None))
    num_known = len(game.answers) if game is not None else 0
    if game is None or start_at != task.start_at or game.answers != task.answers[:num_known]:
        setup = Setup.from_json(task.setup)
        game = (
            restore(task.start, setup, WorkerState.cards)
            if task.start
            else Game(setup, WorkerState.cards)
        )
        game.table.logging = False
        num_known = 0
    game.answer_all(task.answers[num_known:])
    WorkerState.games[task.table] = (task.start_at, game)
    while len(WorkerState.games) > MAX_CACHED_GAMES:
        WorkerState.games.popitem(last=False)
    return game
