"""Servers in separate processes, for `make load`, `make abuse` and `make chaos`.

``python -m scripts.servers SETTINGS`` runs one and prints its address. SETTINGS is a JSON object
with fields of `Settings`; also ``files``, the limit of its open files, and ``profile``, where to
write a profile.
"""

from __future__ import annotations

import cProfile
import json
import resource
import statistics
import sys
import time
from collections.abc import Sequence
from contextlib import nullcontext
from typing import IO, Any

import psutil

from smashup.cards import catalogue
from smashup.server.operations.running import serve
from smashup.server.operations.settings import Settings


def server_command(**settings: Any) -> list[str]:
    """Return the command that runs a server with these settings, by default at any free port."""
    return [sys.executable, "-m", "scripts.servers", json.dumps({"port": 0, **settings})]


def main() -> None:
    settings = json.loads(sys.argv[1])
    files, profile_file = settings.pop("files", 0), settings.pop("profile", None)
    if files:
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    profile = cProfile.Profile(time.thread_time)
    with profile if profile_file else nullcontext():
        serve(Settings(**settings), catalogue(), lambda address: print(address, flush=True))
    if profile_file:
        profile.dump_stats(profile_file)


def read_address(output: IO[str]) -> str:
    """Wait until a server has printed its address and return ``host:port``; "" if it has ended."""
    return output.readline().strip().removeprefix("http://").rstrip("/")


def children(pid: int) -> list[int]:
    """Return the child processes of a process, without resource trackers."""
    found = []
    try:
        for child in psutil.Process(pid).children():
            if not any("multiprocessing.resource_tracker" in word for word in child.cmdline()):
                found.append(child.pid)
    except psutil.Error:
        pass  # one of them has just ended
    return found


def memory_megabytes(pid: int) -> float:
    """Return the memory of a process; 0 if it has ended."""
    try:
        return float(psutil.Process(pid).memory_info().rss) / 1e6
    except psutil.Error:
        return 0.0


def cpu_seconds(pid: int) -> float:
    """Return the CPU time that a process has used; 0 if it has ended."""
    try:
        times = psutil.Process(pid).cpu_times()
    except psutil.Error:
        return 0.0
    return float(times.user + times.system)


def percentile(values: Sequence[float], percent: int) -> float:
    """Return a percentile of some values; 0 without any."""
    if len(values) < 2:
        return max(values, default=0.0)
    return statistics.quantiles(values, n=100, method="inclusive")[percent - 1]


if __name__ == "__main__":
    main()
