"""The pool of worker processes."""

from __future__ import annotations

import os
import signal
import time

import pytest

from smashup.bots.process_pool import ProcessPool
from smashup.engine.errors import SetupError


def _initialize(number: int) -> None:
    os.environ["NUMBER"] = str(number)


def _interrupt() -> str:
    os.kill(os.getpid(), signal.SIGINT)
    return os.environ["NUMBER"]


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
