"""Processes that play the games of a duel side by side."""

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

from smashup.cards.plugins import with_plugins
from smashup.engine.model.catalogue import Catalogue

if TYPE_CHECKING:
    from smashup.bots.duel import Duel, Result


class Crew:
    """Plays games in several processes, or in this one if one is enough."""

    def __init__(self, duel: Duel, cards: Catalogue, processes: int) -> None:
        self.duel = duel
        self.cards = cards
        self.processes = processes
        self._workers: list[tuple[BaseProcess, Connection]] = []

    def __enter__(self) -> Crew:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for process, _ in self._workers:
            process.terminate()
        for process, line in self._workers:
            process.join()
            process.close()
            line.close()
        self._workers.clear()

    def play(self, games: Sequence[int]) -> Iterator[Result]:
        """Play these games; their results in this order."""
        if self.processes == 1:
            for game in games:
                yield self.duel.play(game, self.cards)
            return
        self._hire()
        waiting = list(reversed(games))
        for _, line in self._workers:
            line.send(waiting.pop())
        done: dict[int, Result] = {}
        for game in games:
            while game not in done:
                for line in self._answered():
                    result = _received(line)
                    done[result.game] = result
                    if waiting:
                        line.send(waiting.pop())
            yield done.pop(game)

    def _hire(self) -> None:
        context = get_context("spawn")
        with _deaf_to_interrupts():
            for _ in range(self.processes):
                ours, theirs = context.Pipe()
                process = context.Process(target=_work, args=(self.duel, theirs), daemon=True)
                process.start()
                theirs.close()
                self._workers.append((process, ours))

    def _answered(self) -> list[Connection]:
        ready = wait([line for _, line in self._workers])
        return [line for _, line in self._workers if line in ready]


def _received(line: Connection) -> Result:
    try:
        answer = line.recv()
    except EOFError:
        raise RuntimeError("A process that played a game ended without a result.") from None
    if isinstance(answer, str):
        raise RuntimeError(f"A game could not be played to its end:\n{answer}")
    result: Result = answer
    return result


def _work(duel: Duel, line: Connection) -> None:
    """The life of a process: games come in, results go out, until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    cards, _ = with_plugins(duel.files)
    with suppress(EOFError, BrokenPipeError):
        while True:
            game: int = line.recv()
            try:
                answer: Result | str = duel.play(game, cards)
            except Exception:
                answer = traceback.format_exc()
            line.send(answer)


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Processes started meanwhile do not hear Ctrl-C; it is for the one that started them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
