"""What stands before the tables: limits of size and rate, origins, headers."""

from __future__ import annotations

import asyncio
import gc
import json
import socket
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Origin

from smashup.server.errors import DatabaseUnavailable
from smashup.server.http.connections import LimitedSocket
from smashup.server.live.streams import WAITING
from tests.server.house import Guest, House, serving


async def closed(guest: Guest) -> int:
    """The code with which a connection ends."""
    with pytest.raises(ConnectionClosed) as end:
        await guest.until("never")
    assert end.value.rcvd is not None
    return end.value.rcvd.code


def test_requests_have_limits(tmp_path: Path) -> None:
    async def visit() -> None:
        async with serving(tmp_path, body_size=2000, creation_rate=0.1) as house:
            long = await house.http.post("/api/tables", content=b"x" * 2001)
            assert long.status_code == 413
            assert long.json()["reason"]["english"] == "This request is too long."
            founded = [
                (await house.post("", seats=[{"kind": "me"}, {"kind": "open"}])).status_code
                for _ in range(3)
            ]
            assert founded == [201, 429, 429], "the long one was counted too"
        async with serving(tmp_path, request_rate=0.5) as house:
            codes = [(await house.http.get("/api/meta")).status_code for _ in range(12)]
            assert codes == [200] * 10 + [429] * 2

    asyncio.run(visit())


def test_other_sites_are_kept_out(tmp_path: Path) -> None:
    async def visit() -> None:
        async with serving(tmp_path, origins=("https://friend.example",)) as house:
            body = {"seats": [{"kind": "me"}, {"kind": "open"}]}
            for origin, code in (
                ("https://evil.example", 403),
                ("null", 403),
                ("http://[", 403),
                ("https://friend.example", 201),
                (f"http://{house.address}", 201),
            ):
                answer = await house.http.post("/api/tables", json=body, headers={"Origin": origin})
                assert answer.status_code == code, origin
            table = answer.json()["table"]["id"]
            with pytest.raises(InvalidStatus):
                async with connect(house.socket(table), origin=Origin("https://evil.example")):
                    pass
            async with connect(house.socket(table), origin=Origin(f"http://{house.address}")):
                pass

    asyncio.run(visit())


def test_every_answer_has_its_headers(tmp_path: Path) -> None:
    async def visit() -> None:
        async with serving(tmp_path) as house:
            for path in ("/", "/api/meta", "/api/tables/none", "/nothing"):
                answer = await house.http.get(path)
                assert "default-src 'self'" in answer.headers["Content-Security-Policy"], path
                assert answer.headers["X-Content-Type-Options"] == "nosniff"
            table, _ = await house.table("me", "open")
            fresh = await house.http.get(f"/api/tables/{table}")
            assert fresh.headers["Cache-Control"] == "no-store"

    asyncio.run(visit())


def test_a_stumble_tells_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def visit() -> None:
        async with serving(tmp_path) as house:

            async def stumble(state: str) -> None:
                raise RuntimeError("Kaiju Island lies on top of the deck")

            monkeypatch.setattr(house.registry, "listed", stumble)
            answer = await house.http.get("/api/tables")
            assert answer.status_code == 500
            assert answer.json()["reason"]["english"].startswith("The server has stumbled.")
            assert "Kaiju" not in answer.text
            assert "Content-Security-Policy" in answer.headers

    asyncio.run(visit())


def test_what_passes_by_itself_can_be_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def visit() -> None:
        async with serving(tmp_path) as house:

            async def away(state: str) -> None:
                raise DatabaseUnavailable

            monkeypatch.setattr(house.registry, "listed", away)
            answer = await house.http.get("/api/tables")
            assert answer.status_code == 503
            assert answer.json()["reason"]["english"].endswith("try again in a moment.")

    asyncio.run(visit())


def test_a_socket_in_its_handshake_is_refused_once_when_the_server_stops(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """What the app says about it afterwards comes too late, and nobody stumbles over it."""

    async def visit() -> None:
        called, ends = asyncio.Event(), asyncio.Event()

        async def app(scope: Any, receive: Any, send: Any) -> None:
            await receive()
            called.set()
            await ends.wait()
            await send({"type": "websocket.close", "code": 1012})

        class Hasty(LimitedSocket):
            def shutdown(self) -> None:
                ends.set()  # the app is next, before anybody hears that the line is closed
                super().shutdown()

        with socket.create_server(("127.0.0.1", 0)) as sock:
            config = uvicorn.Config(app, ws=Hasty, lifespan="off", log_config=None)
            server = uvicorn.Server(config)
            running = asyncio.create_task(server.serve([sock]))
            host, port = sock.getsockname()
            caller = asyncio.create_task(connect(f"ws://{host}:{port}/").__aenter__())
            await called.wait()
            server.should_exit = True
            with pytest.raises(InvalidStatus):
                await caller
            await running

    asyncio.run(visit())
    gc.collect()
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


def test_sockets_have_limits(tmp_path: Path) -> None:
    async def visit() -> None:
        async with serving(
            tmp_path, message_rate=1, strikes=5, sockets_each=1, message_size=500, hello_within=0.3
        ) as house:
            table, (mine,) = await house.table("me", "open")
            async with house.guest(table, mine) as guest:
                with pytest.raises((InvalidStatus, ConnectionClosed)):
                    async with house.guest(table):
                        pass
                answers = [(await guest.say(type="ping"))["type"] for _ in range(11)]
                assert answers[:8] == ["ack"] * 8
                assert answers[-1] == "refused"
                for _ in range(20):
                    await guest.line.send("{}")
                assert await closed(guest) == 1008
            await settled(house)
            async with house.guest(table, mine) as guest:
                await guest.line.send(json.dumps({"type": "ping", "id": "a", "x": "y" * 500}))
                assert await closed(guest) == 1009
            await settled(house)
            async with connect(house.socket(table)) as silent:
                assert await closed(Guest(silent)) == 1008
            await settled(house)
            async with connect(house.socket(table)) as line:
                await line.send('{"type": "ping", "id": "early"}')
                assert (await Guest(line).hear())["reason"]["english"] == "Say hello first."

    async def settled(house: House) -> None:
        """Until the server has noticed that a connection is gone."""
        await asyncio.sleep(0.1)
        assert all(not table.connections for table in house.registry.tables.values())

    asyncio.run(visit())


def test_a_slow_reader_is_sent_away_and_may_come_back(tmp_path: Path) -> None:
    """Somebody who reads nothing holds up neither the table nor the server's memory."""

    lazy: dict[str, Any] = {"max_queue": 1, "compression": None, "ping_interval": None}

    async def visit() -> None:
        async with serving(tmp_path, narrow=True) as house:
            table, (one, two) = await house.table("me", "me")
            host, port = house.address.split(":")
            with socket.socket() as narrow:
                narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                narrow.connect((host, int(port)))
                narrow.setblocking(False)
                async with (
                    house.guest(table, one) as quick,
                    connect(house.socket(table), sock=narrow, **lazy) as line,
                ):
                    slow = Guest(line)
                    await slow.hello(two)
                    live = house.registry.tables[table]
                    assert live.is_connected(1)
                    for number in range(600):
                        live.seats[0].name = f"P{number}"
                        live.publish()
                        await asyncio.sleep(0.001)
                        if not live.is_connected(1):
                            break
                        waiting = max(c.outbox.qsize() for c in live.connections)
                        assert waiting <= WAITING
                    assert not live.is_connected(1)
                    assert number >= WAITING
                    while quick.table["seats"][1]["here"]:
                        await quick.hear()
                    assert await closed(slow) in (1001, 1006)
                    async with house.guest(table, two):
                        assert live.is_connected(1)

    asyncio.run(visit())
