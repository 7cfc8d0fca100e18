"""Worker processes that play the games of a duel in parallel."""

from __future__ import annotations

import signal
import threading
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from types import TracebackType
from typing import TYPE_CHECKING

from smashup.bots.plugins import BotError
from smashup.cards.plugins import with_plugins
from smashup.engine.model.catalogue import Catalogue
from smashup.engine.model.messages import Message

if TYPE_CHECKING:
    from smashup.bots.duel import Duel, Result


class ProcessPool:
    """Plays games in several processes, or in the current one if `processes` is 1."""

    def __init__(self, duel: Duel, cards: Catalogue, processes: int) -> None:
        self.duel = duel
        self.cards = cards
        self.processes = processes
        self._workers: list[tuple[BaseProcess, Connection]] = []

    def __enter__(self) -> ProcessPool:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for process, _ in self._workers:
            process.terminate()
        for process, connection in self._workers:
            process.join()
            process.close()
            connection.close()
        self._workers.clear()

    def play(self, games: Sequence[int]) -> Iterator[Result]:
        """Play these games and yield their results in the given order."""
        if self.processes == 1:
            for game in games:
                yield self.duel.play(game, self.cards)
            return
        self._spawn()
        pending = list(reversed(games))
        for _, connection in self._workers:
            connection.send(pending.pop())
        done: dict[int, Result] = {}
        for game in games:
            while game not in done:
                for connection in self._ready_connections():
                    result = _receive_result(connection)
                    done[result.game] = result
                    if pending:
                        connection.send(pending.pop())
            yield done.pop(game)

    def _spawn(self) -> None:
        context = get_context("spawn")
        with ignore_interrupts():
            for _ in range(self.processes):
                ours, theirs = context.Pipe()
                process = context.Process(target=_run_worker, args=(self.duel, theirs), daemon=True)
                process.start()
                theirs.close()
                self._workers.append((process, ours))

    def _ready_connections(self) -> list[Connection]:
        ready = wait([connection for _, connection in self._workers])
        return [connection for _, connection in self._workers if connection in ready]


def _receive_result(connection: Connection) -> Result:
    try:
        answer = connection.recv()
    except EOFError:
        raise RuntimeError("A worker process exited before it returned a result.") from None
    if isinstance(answer, tuple):
        message, details = answer
        failure = BotError("{problem}", problem=message)
        failure.details = details
        raise failure
    if isinstance(answer, str):
        raise RuntimeError(f"A worker process failed to finish a game:\n{answer}")
    result: Result = answer
    return result


def _run_worker(duel: Duel, connection: Connection) -> None:
    """Play the games that arrive on the connection until the other end closes it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    cards, _ = with_plugins(duel.plugin_files)
    with suppress(EOFError, BrokenPipeError):
        while True:
            game: int = connection.recv()
            try:
                answer: Result | str | tuple[Message, str] = duel.play(game, cards)
            except BotError as error:
                answer = (error.message, error.details)
            except Exception:
                answer = traceback.format_exc()
            connection.send(answer)


@contextmanager
def ignore_interrupts() -> Iterator[None]:
    """Let processes started meanwhile ignore Ctrl-C; the parent process handles it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
