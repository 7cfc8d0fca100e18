"""A Ray cluster that plays chunks: the same ones, with the same results, on other machines.

Ray tries a chunk again when its worker or machine is lost. Rows come back to the process that was
started by a person, and only there are they kept: a chunk that was played twice is kept once.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Generator, Sequence
from typing import Any, Final

from smashup.lab.playing import Row
from smashup.lab.study import Study, fingerprint
from smashup.lab.work import Chunk, Crew, Played, WorkError

LOCAL: Final = "local"
"""Instead of an address: a cluster of our own, on this machine."""
RETRIES: Final = 10
"""How often Ray tries a chunk again whose worker was lost."""
AHEAD: Final = 2
"""Chunks waiting for each core of the cluster, so that none is idle; more would fill its memory."""
KNOCK_SECONDS: Final = 10.0
STORE: Final = 100_000_000
"""Bytes of shared memory for a cluster of our own; rows are small."""


class Cluster(Crew):
    """Workers of a Ray cluster."""

    def __init__(self, study: Study, address: str, processes: int) -> None:
        self.study = study
        self.ray = _ray()
        self._connect(address, processes)
        self._task = self.ray.remote(num_cpus=1, max_retries=RETRIES)(play_chunk)
        self._study = self.ray.put(study)
        self._mark = fingerprint(study.files)

    def play(self, chunks: Sequence[Chunk]) -> Generator[Played, None, None]:
        waiting = list(reversed(chunks))
        running: dict[Any, int] = {}
        while waiting or running:
            while waiting and len(running) < AHEAD * self._cores():
                chunk = waiting.pop()
                running[self._task.remote(self._study, chunk, self._mark)] = chunk.number
            done, _ = self.ray.wait(list(running), num_returns=1)
            for reference in done:
                number = running.pop(reference)
                yield number, self._rows(reference)

    def dismiss(self) -> None:
        self.ray.shutdown()

    def _connect(self, address: str, processes: int) -> None:
        quiet = {"log_to_driver": False, "logging_level": "ERROR"}
        try:
            _knock(address)
            if address == LOCAL:
                os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
                self.ray.init(
                    address=LOCAL,
                    num_cpus=processes,
                    include_dashboard=False,
                    object_store_memory=STORE,
                    **quiet,
                )
            else:
                self.ray.init(address=address, **quiet)
        except (ConnectionError, OSError, RuntimeError, ValueError) as error:
            raise WorkError(
                "There is no Ray cluster at {address}: {reason}",
                address=address,
                reason=str(error).strip().partition("\n")[0],
            ) from error

    def _cores(self) -> int:
        """How many chunks can be played at once; machines may come and go."""
        return max(1, int(self.ray.cluster_resources().get("CPU", 1)))

    def _rows(self, reference: Any) -> list[Row]:
        errors = self.ray.exceptions
        try:
            answer = self.ray.get(reference)
        except errors.RayTaskError as error:
            cause = error.as_instanceof_cause()
            if isinstance(cause, ModuleNotFoundError):
                raise WorkError(
                    "A worker of the Ray cluster cannot play: {reason}. Install the same version"
                    " of smashup there.",
                    reason=str(cause).partition("\n")[0],
                ) from error
            raise RuntimeError(f"A game could not be played to its end:\n{error}") from error
        except errors.RayError as error:
            raise WorkError(
                "The Ray cluster was lost: {reason}. Go on later with --resume.",
                reason=str(error).strip().partition("\n")[0].rstrip("."),
            ) from error
        if isinstance(answer, str):
            raise WorkError(
                "A worker of the Ray cluster has other rules, cards or bots than this program"
                " (version {version}); install the same version there.",
                version=answer,
            )
        return [Row(*values) for values in answer]


def play_chunk(study: Study, chunk: Chunk, mark: str) -> list[tuple[object, ...]] | str:
    """What a worker does; the version it has instead, where that is not the one asked for."""
    if fingerprint(study.files) != mark:
        from smashup.version import __version__

        return __version__
    return [tuple(row) for row in chunk.play(study, study.cards())]


def _knock(address: str) -> None:
    """Whether anybody is there at all: Ray itself would try for minutes to find out."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if colon and port.isdecimal():
        socket.create_connection((host, int(port)), KNOCK_SECONDS).close()


def _ray() -> Any:
    """Ray, if it is installed."""
    try:
        import ray
    except ModuleNotFoundError as error:
        raise WorkError(
            "--ray needs Ray, which is not installed: pip install 'smashup[ray]'"
        ) from error
    return ray
