"""The pool of worker processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from smashup.bots.process_pool import ProcessPool
from smashup.engine.errors import SetupError


def _initialize(number: int) -> None:
    os.environ["NUMBER"] = str(number)


PARENT = """
import os, time
from smashup.bots.process_pool import ProcessPool
if __name__ == "__main__":
    pool = ProcessPool(1, time.sleep, 0)
    print(pool.submit(os.getpid).result(), flush=True)
    time.sleep(600)
"""


def _interrupt() -> str:
    os.kill(os.getpid(), signal.SIGINT)
    return os.environ["NUMBER"]


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def _refuse() -> None:
    raise SetupError("No {what}.", what="{braces}")


def test_workers_ignore_ctrl_c() -> None:
    with ProcessPool(1, _initialize, 7) as pool:
        assert pool.submit(_interrupt).result() == "7"


def test_errors_keep_their_message() -> None:
    with ProcessPool(1, _initialize, 7) as pool, pytest.raises(SetupError) as caught:
        pool.submit(_refuse).result()
    assert str(caught.value) == "No {braces}."
    assert caught.value.message.args == {"what": "{braces}"}


def test_a_pool_stops_in_the_middle_of_a_task() -> None:
    with ProcessPool(1, _initialize, 7) as pool:
        worker = pool.submit(os.getpid).result()
        pool.submit(time.sleep, 600)
        began = time.monotonic()
    assert time.monotonic() - began < 30
    with pytest.raises(ProcessLookupError):
        os.kill(worker, 0)


def test_workers_exit_when_their_parent_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        parent.kill()
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and _is_running(worker):
        time.sleep(0.05)
    assert not _is_running(worker)
