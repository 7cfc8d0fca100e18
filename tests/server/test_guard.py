"""Size and rate limits, origins and headers."""

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
from smashup.server.live.streams import MAX_QUEUED_MESSAGES
from tests.server.live_server import GameClient, LiveServer, run_server


async def wait_for_close(guest: GameClient) -> int:
    """Return the close code of a connection."""
    with pytest.raises(ConnectionClosed) as end:
        await guest.receive_until("never")
    assert end.value.rcvd is not None
    return end.value.rcvd.code


async def test_requests_are_limited(tmp_path: Path) -> None:
    async with run_server(tmp_path, max_body_bytes=2000, tables_per_second=0.1) as server:
        long = await server.http.post("/api/tables", content=b"x" * 2001)
        assert long.status_code == 413
        assert long.json()["reason"]["english"] == "This request is too long."
        founded = [
            (await server.post("", seats=[{"kind": "me"}, {"kind": "open"}])).status_code
            for _ in range(3)
        ]
        assert founded == [201, 429, 429], "the long one was counted too"
    async with run_server(tmp_path, requests_per_second=0.5) as server:
        codes = [(await server.http.get("/api/meta")).status_code for _ in range(12)]
        assert codes == [200] * 10 + [429] * 2


async def test_other_origins_are_refused(tmp_path: Path) -> None:
    async with run_server(tmp_path, allowed_origins=("https://friend.example",)) as server:
        body = {"seats": [{"kind": "me"}, {"kind": "open"}]}
        for origin, code in (
            ("https://evil.example", 403),
            ("null", 403),
            ("http://[", 403),
            ("https://friend.example", 201),
            (f"http://{server.address}", 201),
        ):
            answer = await server.http.post("/api/tables", json=body, headers={"Origin": origin})
            assert answer.status_code == code, origin
        table = answer.json()["table"]["id"]
        with pytest.raises(InvalidStatus):
            async with connect(server.socket_url(table), origin=Origin("https://evil.example")):
                pass
        async with connect(server.socket_url(table), origin=Origin(f"http://{server.address}")):
            pass


async def test_every_response_has_security_headers(tmp_path: Path) -> None:
    async with run_server(tmp_path) as server:
        for path in ("/", "/api/meta", "/api/tables/none", "/nothing"):
            answer = await server.http.get(path)
            assert "default-src 'self'" in answer.headers["Content-Security-Policy"], path
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
        table, _ = await server.create_table("me", "open")
        fresh = await server.http.get(f"/api/tables/{table}")
        assert fresh.headers["Cache-Control"] == "no-store"


async def test_internal_errors_reveal_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with run_server(tmp_path) as server:

        async def stumble(state: str) -> None:
            raise RuntimeError("Kaiju Island lies on top of the deck")

        monkeypatch.setattr(server.registry, "list_tables", stumble)
        answer = await server.http.get("/api/tables")
        assert answer.status_code == 500
        assert answer.json()["reason"]["english"].startswith("Internal server error.")
        assert "Kaiju" not in answer.text
        assert "Content-Security-Policy" in answer.headers


async def test_transient_errors_can_be_retried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with run_server(tmp_path) as server:

        async def away(state: str) -> None:
            raise DatabaseUnavailable

        monkeypatch.setattr(server.registry, "list_tables", away)
        answer = await server.http.get("/api/tables")
        assert answer.status_code == 503
        assert answer.json()["reason"]["english"].endswith("try again in a moment.")


def test_a_stopping_server_refuses_a_handshake_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """What the app sends afterwards is ignored."""

    async def visit() -> None:
        called, ends = asyncio.Event(), asyncio.Event()

        async def app(scope: Any, receive: Any, send: Any) -> None:
            await receive()
            called.set()
            await ends.wait()
            await send({"type": "websocket.close", "code": 1012})

        class Hasty(LimitedSocket):
            def shutdown(self) -> None:
                ends.set()  # the app continues before the client knows that the socket is closed
                super().shutdown()

        with socket.create_server(("127.0.0.1", 0)) as sock:
            config = uvicorn.Config(app, ws=Hasty, lifespan="off", log_config=None)
            uvicorn_server = uvicorn.Server(config)
            running = asyncio.create_task(uvicorn_server.serve([sock]))
            host, port = sock.getsockname()
            caller = asyncio.create_task(connect(f"ws://{host}:{port}/").__aenter__())
            await called.wait()
            uvicorn_server.should_exit = True
            with pytest.raises(InvalidStatus):
                await caller
            await running

    asyncio.run(visit())
    gc.collect()
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


def test_sockets_are_limited(tmp_path: Path) -> None:
    async def visit() -> None:
        async with run_server(
            tmp_path,
            messages_per_second=1,
            max_invalid_messages=5,
            max_sockets_per_address=1,
            max_message_bytes=500,
            hello_timeout_seconds=0.3,
        ) as server:
            table, (mine,) = await server.create_table("me", "open")
            async with server.connect(table, mine) as guest:
                with pytest.raises((InvalidStatus, ConnectionClosed)):
                    async with server.connect(table):
                        pass
                answers = [(await guest.request(type="ping"))["type"] for _ in range(11)]
                assert answers[:8] == ["ack"] * 8
                assert answers[-1] == "refused"
                for _ in range(20):
                    await guest.line.send("{}")
                assert await wait_for_close(guest) == 1008
            await wait_until_idle(server)
            async with server.connect(table, mine) as guest:
                await guest.line.send(json.dumps({"type": "ping", "id": "a", "x": "y" * 500}))
                assert await wait_for_close(guest) == 1009
            await wait_until_idle(server)
            async with connect(server.socket_url(table)) as silent:
                assert await wait_for_close(GameClient(silent)) == 1008
            await wait_until_idle(server)
            async with connect(server.socket_url(table)) as line:
                await line.send('{"type": "ping", "id": "early"}')
                assert (await GameClient(line).receive())["reason"]["english"] == "Say hello first."

    async def wait_until_idle(server: LiveServer) -> None:
        """Wait until the server has noticed that a connection is closed."""
        await asyncio.sleep(0.1)
        assert all(not table.connections for table in server.registry.tables.values())

    asyncio.run(visit())


async def test_a_slow_reader_is_disconnected_and_can_reconnect(tmp_path: Path) -> None:
    """A client that does not read blocks neither the table nor memory."""

    lazy: dict[str, Any] = {"max_queue": 1, "compression": None, "ping_interval": None}

    async with run_server(tmp_path, small_send_buffer=True) as server:
        table, (one, two) = await server.create_table("me", "me")
        host, port = server.address.split(":")
        with socket.socket() as narrow:
            narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            narrow.connect((host, int(port)))
            narrow.setblocking(False)
            async with (
                server.connect(table, one) as quick,
                connect(server.socket_url(table), sock=narrow, **lazy) as line,
            ):
                slow = GameClient(line)
                await slow.hello(two)
                live = server.registry.tables[table]
                assert live.is_connected(1)
                for number in range(600):
                    live.seats[0].name = f"P{number}"
                    live.publish()
                    await asyncio.sleep(0.001)
                    if not live.is_connected(1):
                        break
                    waiting = max(c.outbox.qsize() for c in live.connections)
                    assert waiting <= MAX_QUEUED_MESSAGES
                assert not live.is_connected(1)
                assert number >= MAX_QUEUED_MESSAGES
                while quick.table["seats"][1]["here"]:
                    await quick.receive()
                assert await wait_for_close(slow) in (1001, 1006)
                async with server.connect(table, two):
                    assert live.is_connected(1)
