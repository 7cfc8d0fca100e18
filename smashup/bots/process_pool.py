"""The pool of worker processes for everything that runs in parallel: games, reviews, bots."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import connection, get_context, parent_process
from types import TracebackType
from typing import Any, Final, ParamSpec, TypeVar, cast

P = ParamSpec("P")
T = TypeVar("T")

STOP_SECONDS: Final = 2.0
"""How long `ProcessPool.stop` waits for the thread that manages the processes."""


class ProcessPool(ProcessPoolExecutor):
    """Processes that ignore Ctrl-C, which the parent process handles, that stop immediately, and
    that exit with the parent process, even if it is killed.

    All of them start with the first task. Otherwise the standard library would start them one by
    one, while its thread already counts those of a pool that breaks.
    """

    def __init__(self, processes: int, initializer: Callable[..., None], *initargs: object) -> None:
        super().__init__(
            processes,
            mp_context=get_context("spawn"),
            initializer=_start_worker,
            initargs=(initializer, initargs),
        )
        self._safe_to_dynamically_spawn_children = False

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        with _interrupts_blocked():
            return super().submit(fn, *args, **kwargs)

    def stop(self) -> None:
        """End the processes, also in the middle of a task."""
        processes = list((self._processes or {}).values())
        manager = cast("threading.Thread | None", self._executor_manager_thread)
        self.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()
        if manager is not None:
            manager.join(STOP_SECONDS)  # Python must not exit while it runs

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()


def _start_worker(initializer: Callable[..., None], initargs: tuple[Any, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    initializer(*initargs)


def _exit_with_parent() -> None:
    """Exit when the parent process has ended, which cannot stop its processes if it was killed."""
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(0)


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Hold back Ctrl-C; processes that start meanwhile never receive it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
