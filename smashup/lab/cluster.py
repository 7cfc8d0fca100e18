"""An executor that plays chunks on a Ray cluster, with the same results as on one machine.

Ray retries a chunk when its worker or machine is lost. Workers send rows back to the process that
started the study. Only that process writes files, so a chunk that was played twice is stored once.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Generator, Sequence
from typing import Any, Final

from smashup.extras import install_command
from smashup.lab.executor import Chunk, ChunkResult, ExecutionError, Executor
from smashup.lab.game_runner import Row
from smashup.lab.study import Study, fingerprint

LOCAL: Final = "local"
"""Address that starts a temporary cluster on this machine."""
MAX_RETRIES: Final = 10
"""How often Ray retries a chunk after losing its worker."""
CHUNKS_PER_CORE: Final = 2
"""Queued chunks per core of the cluster, so that no core is idle; more would fill its memory."""
CONNECT_TIMEOUT_SECONDS: Final = 10.0
OBJECT_STORE_BYTES: Final = 100_000_000
"""Shared memory of a local cluster; rows are small."""


class RayExecutor(Executor):
    """Plays chunks on the workers of a Ray cluster."""

    def __init__(self, study: Study, address: str, processes: int) -> None:
        self.study = study
        self.ray = _import_ray()
        self._connect(address, processes)
        self._task = self.ray.remote(num_cpus=1, max_retries=MAX_RETRIES)(play_chunk)
        self._study = self.ray.put(study)
        self._fingerprint = fingerprint(study.files)

    def play(self, chunks: Sequence[Chunk]) -> Generator[ChunkResult, None, None]:
        pending = list(reversed(chunks))
        running: dict[Any, int] = {}
        while pending or running:
            while pending and len(running) < CHUNKS_PER_CORE * self._cores():
                chunk = pending.pop()
                running[self._task.remote(self._study, chunk, self._fingerprint)] = chunk.number
            done, _ = self.ray.wait(list(running), num_returns=1)
            for reference in done:
                number = running.pop(reference)
                yield number, self._fetch_rows(reference)

    def shut_down(self) -> None:
        self.ray.shutdown()

    def _connect(self, address: str, processes: int) -> None:
        quiet = {"log_to_driver": False, "logging_level": "ERROR"}
        try:
            _check_reachable(address)
            if address == LOCAL:
                os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
                self.ray.init(
                    address=LOCAL,
                    num_cpus=processes,
                    include_dashboard=False,
                    object_store_memory=OBJECT_STORE_BYTES,
                    **quiet,
                )
            else:
                self.ray.init(address=address, **quiet)
        except (ConnectionError, OSError, RuntimeError, ValueError) as error:
            raise ExecutionError(
                "There is no Ray cluster at {address}: {reason}",
                address=address,
                reason=str(error).strip().partition("\n")[0],
            ) from error

    def _cores(self) -> int:
        """Return how many chunks can be played at once; machines may join and leave."""
        return max(1, int(self.ray.cluster_resources().get("CPU", 1)))

    def _fetch_rows(self, reference: Any) -> list[Row]:
        errors = self.ray.exceptions
        try:
            answer = self.ray.get(reference)
        except errors.RayTaskError as error:
            cause = error.as_instanceof_cause()
            if isinstance(cause, ModuleNotFoundError):
                raise ExecutionError(
                    "A worker of the Ray cluster cannot play: {reason}. Install the same version"
                    " of smashup there.",
                    reason=str(cause).partition("\n")[0],
                ) from error
            raise RuntimeError(f"A worker failed to finish a game:\n{error}") from error
        except errors.RayError as error:
            raise ExecutionError(
                "The Ray cluster was lost: {reason}. Go on later with --resume.",
                reason=str(error).strip().partition("\n")[0].rstrip("."),
            ) from error
        if isinstance(answer, str):
            raise ExecutionError(
                "A worker of the Ray cluster has other rules, cards or bots than this program"
                " (version {version}); install the same version there.",
                version=answer,
            )
        return [Row(*values) for values in answer]


def play_chunk(study: Study, chunk: Chunk, expected: str) -> list[tuple[object, ...]] | str:
    """Play a chunk on a worker; return its version instead if its fingerprint differs."""
    if fingerprint(study.files) != expected:
        from smashup.version import __version__

        return __version__
    return [tuple(row) for row in chunk.play(study, study.cards())]


def _check_reachable(address: str) -> None:
    """Fail fast if nothing listens at the address: Ray itself would retry for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if colon and port.isdecimal():
        socket.create_connection((host, int(port)), CONNECT_TIMEOUT_SECONDS).close()


def _import_ray() -> Any:
    """Import Ray, or raise an error that says how to install it."""
    try:
        import ray
    except ModuleNotFoundError as error:
        raise ExecutionError(
            "--ray needs Ray, which is not installed: {install}", install=install_command("ray")
        ) from error
    return ray
