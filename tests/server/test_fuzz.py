"""Whatever is sent, the server answers in sentences and no table is harmed."""

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
from tests.server.house import GENEROUS, Guest, House, a_decision_of, serving

MARKS_AND_LETTERS = "ae \u0301\u0489\u20dd\u200b\u200d\u202e\ufe0f"
EXAMPLES = 12
"""For each thing the lobby can do."""


@pytest.fixture(name="secret")
def _secret() -> str:
    return "s" * 43


def test_the_lobby_never_stumbles(tmp_path: Path, secret: str) -> None:
    """Everything the OpenAPI document allows, and some of what it does not."""
    app = create_app(Settings(database=tmp_path / "tables.sqlite", **GENEROUS))
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


def nonsense(dice: random.Random) -> str | bytes:
    """Something no client would send; now and then almost a real message."""
    kind = dice.randrange(6)
    if kind == 0:
        return bytes(dice.randrange(256) for _ in range(dice.randrange(60)))
    if kind == 1:
        return "".join(dice.choice(string.printable) for _ in range(dice.randrange(60)))
    if kind == 2:
        return "[" * dice.randrange(3000)
    said: dict[str, Any] = {
        "type": dice.choice(["answer", "undo", "agree", "chat", "hint", "hello", "ping", "sing"]),
        "id": dice.choice(["a", "", "x" * 70, 3, None, "é\ud800"]),
        "number": dice.choice([0, 1, -1, 2**70, 1.5, "0", None, True]),
        "options": dice.choice([[0], [], [-1], [10**9], [2**80], ["0"], "0", [0] * 61, [[0]]]),
        "secret": dice.choice(["", "s" * 64, "s" * 65, 5, None, "\x00"]),
        "wish": dice.choice([0, -1, 2**70, None, "1"]),
        "yes": dice.choice([True, False, "yes", None, 1]),
        "text": dice.choice(["", "x" * 400, "\ud800", 3, None]),
        "phrase": dice.choice(["hello", "love", "", 3, None]),
        "seat": 1,
    }
    for key in list(said):
        if dice.random() < 0.4:
            del said[key]
    return json.dumps(said)


def test_the_socket_never_stumbles(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def visit() -> None:
        async with serving(tmp_path, strikes=1000) as house:
            table, secrets = await house.table("me", "me")
            async with house.guest(table, secrets[0]) as one, house.guest(table, secrets[1]) as two:
                for _ in range(4):
                    asked = await a_decision_of([one, two])
                    await asked.answer(0)
                game = house.registry.tables[table].game
                assert game is not None
                before = game.digest()
                for seed in range(8):
                    await pester(house, table, None if seed % 2 else secrets[0], seed)
                after = house.registry.tables[table].game
                assert after is not None
                assert after.digest() == before
                asked = await a_decision_of([one, two])
                assert (await asked.answer(0))["type"] == "ack", "and it goes on"

    async def pester(house: House, table: str, secret: str | None, seed: int) -> None:
        dice = random.Random(seed)
        async with connect(house.socket(table), max_queue=None) as line:
            guest = Guest(line)
            await guest.hello(secret)
            for _ in range(60):
                try:
                    await line.send(nonsense(dice))
                except ConnectionClosed:  # a frame that is no text at all
                    return
            assert (await guest.say(type="ping"))["type"] == "ack"
            refused = [said for said in guest.heard if said["type"] == "refused"]
            assert len(refused) > 30
            assert not any("Traceback" in str(said) for said in guest.heard)

    asyncio.run(visit())
    assert "socket_failed" not in caplog.text
    assert "request_failed" not in caplog.text


@settings(max_examples=60, deadline=None)
@given(text=st.text(max_size=60) | st.text(MARKS_AND_LETTERS, max_size=60))
def test_names_are_fit_to_be_shown(text: str) -> None:
    from smashup.server.tables.seating import LONGEST_NAME, cleaned

    name = cleaned(text)
    assert name == name.strip()
    assert len(name) <= LONGEST_NAME
    assert all(c.isprintable() for c in name)
    marks = "".join("m" if unicodedata.category(c) in ("Mn", "Me") else " " for c in name)
    assert "mmmm" not in marks
    assert not marks.startswith("m")
    assert cleaned(name) == name
