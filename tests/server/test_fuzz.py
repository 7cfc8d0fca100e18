"""The server answers any input with a sentence, and no table is harmed."""

from __future__ import annotations

import asyncio
import json
import random
import string
import unicodedata
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from smashup.server.http.app import create_app
from smashup.server.operations.settings import Settings
from tests.server.live_server import (
    UNLIMITED,
    GameClient,
    LiveServer,
    run_server,
    wait_for_decision,
)

MARKS_AND_LETTERS = "ae \u0301\u0489\u20dd\u200b\u200d\u202e\ufe0f"
EXAMPLES = 12
"""For each endpoint of the lobby."""


@pytest.fixture(name="secret")
def _secret() -> str:
    return "s" * 43


def test_random_requests_never_fail_internally(tmp_path: Path, secret: str) -> None:
    """Send requests that the OpenAPI document allows, and some invalid ones."""
    app = create_app(Settings(database=tmp_path / "tables.sqlite", **UNLIMITED))
    schema = schemathesis.openapi.from_asgi("/api/openapi.json", app)
    tried = 0
    for found in schema.get_all_operations():
        assert isinstance(found, Ok)
        operation = found.ok()

        @settings(
            max_examples=EXAMPLES, deadline=None, database=None, derandomize=True,
            suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        @given(case=operation.as_strategy())
        def attempt(case: Any) -> None:
            nonlocal tried
            tried += 1
            case.call_and_validate(
                headers={"Authorization": f"Bearer {secret}"}, checks=[not_a_server_error]
            )

        attempt()
    assert tried > 50


def nonsense(rng: random.Random) -> str | bytes:
    """Generate invalid messages, some of them almost valid."""
    kind = rng.randrange(6)
    if kind == 0:
        return bytes(rng.randrange(256) for _ in range(rng.randrange(60)))
    if kind == 1:
        return "".join(rng.choice(string.printable) for _ in range(rng.randrange(60)))
    if kind == 2:
        return "[" * rng.randrange(3000)
    message: dict[str, Any] = {
        "type": rng.choice(["answer", "undo", "agree", "chat", "hint", "hello", "ping", "sing"]),
        "id": rng.choice(["a", "", "x" * 70, 3, None, "é\ud800"]),
        "number": rng.choice([0, 1, -1, 2**70, 1.5, "0", None, True]),
        "options": rng.choice([[0], [], [-1], [10**9], [2**80], ["0"], "0", [0] * 61, [[0]]]),
        "secret": rng.choice(["", "s" * 64, "s" * 65, 5, None, "\x00"]),
        "wish": rng.choice([0, -1, 2**70, None, "1"]),
        "yes": rng.choice([True, False, "yes", None, 1]),
        "text": rng.choice(["", "x" * 400, "\ud800", 3, None]),
        "phrase": rng.choice(["hello", "love", "", 3, None]),
        "seat": 1,
    }
    for key in list(message):
        if rng.random() < 0.4:
            del message[key]
    return json.dumps(message)


def test_random_messages_never_fail_internally(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def visit() -> None:
        async with run_server(tmp_path, max_invalid_messages=1000) as server:
            table, secrets = await server.create_table("me", "me")
            async with (
                server.connect(table, secrets[0]) as one,
                server.connect(table, secrets[1]) as two,
            ):
                for _ in range(4):
                    asked = await wait_for_decision([one, two])
                    await asked.answer(0)
                game = server.registry.tables[table].game
                assert game is not None
                before = game.digest()
                for seed in range(8):
                    await pester(server, table, None if seed % 2 else secrets[0], seed)
                after = server.registry.tables[table].game
                assert after is not None
                assert after.digest() == before
                asked = await wait_for_decision([one, two])
                assert (await asked.answer(0))["type"] == "ack", "and it goes on"

    async def pester(server: LiveServer, table: str, secret: str | None, seed: int) -> None:
        rng = random.Random(seed)
        async with connect(server.socket_url(table), max_queue=None) as line:
            guest = GameClient(line)
            await guest.hello(secret)
            for _ in range(60):
                try:
                    await line.send(nonsense(rng))
                except ConnectionClosed:  # a binary frame
                    return
            assert (await guest.request(type="ping"))["type"] == "ack"
            refused = [message for message in guest.received if message["type"] == "refused"]
            assert len(refused) > 30
            assert not any("Traceback" in str(message) for message in guest.received)

    asyncio.run(visit())
    assert "socket_failed" not in caplog.text
    assert "request_failed" not in caplog.text


@settings(max_examples=60, deadline=None)
@given(text=st.text(max_size=60) | st.text(MARKS_AND_LETTERS, max_size=60))
def test_random_names_are_sanitized(text: str) -> None:
    from smashup.server.tables.seats.seating import MAX_NAME_LENGTH, clean_name

    name = clean_name(text)
    assert name == name.strip()
    assert len(name) <= MAX_NAME_LENGTH
    assert all(c.isprintable() for c in name)
    marks = "".join("m" if unicodedata.category(c) in ("Mn", "Me") else " " for c in name)
    assert "mmmm" not in marks
    assert not marks.startswith("m")
    assert clean_name(name) == name
