"""Connections that are slow, idle or too many."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from smashup.server.errors import RateLimited
from smashup.server.http.addresses import group_address
from smashup.server.http.connections import MAX_DEFAULT_CONNECTIONS, Proxies, connection_limit
from smashup.server.http.lobby_listing import INTERVAL_SECONDS
from smashup.server.http.request_gate import RequestGate
from tests.server.live_server import LiveServer, run_server

META = b"GET /api/meta HTTP/1.1\r\nHost: a\r\n\r\n"
HEALTH = b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
BODY = b"POST /api/tables HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\n"


class RawConnection:
    """A raw connection from one of the loopback addresses."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def ask(self, request: bytes) -> int:
        """Send a request; return the status of the response, 0 if there is none."""
        try:
            self.writer.write(request)
            return await self.status()
        except ConnectionError:
            return 0

    async def status(self) -> int:
        """Read the next response completely; return its status."""
        async with asyncio.timeout(10):
            head = b""
            while not head.endswith(b"\r\n\r\n"):
                line = await self.reader.readline()
                if not line:
                    return 0
                head += line
            length = next(
                int(line.split(b":")[1])
                for line in head.lower().splitlines()
                if line.startswith(b"content-length")
            )
            await self.reader.readexactly(length)
            return int(head.split()[1])

    async def is_closed(self, within: float = 0.1) -> bool:
        """Whether the server has closed the connection."""
        try:
            async with asyncio.timeout(within):
                return await self.reader.read(1) == b""
        except TimeoutError:
            return False
        except ConnectionError:
            return True


@asynccontextmanager
async def connect_from(
    server: LiveServer, source: str = "127.0.0.2"
) -> AsyncIterator[RawConnection]:
    host, port = server.address.split(":")
    reader, writer = await asyncio.open_connection(host, int(port), local_addr=(source, 0))
    try:
        yield RawConnection(reader, writer)
    finally:
        writer.close()


async def test_slow_requests_time_out(tmp_path: Path) -> None:
    async with (
        run_server(tmp_path, header_timeout_seconds=0.6, body_timeout_seconds=0.6) as server,
        connect_from(server) as idle,
        connect_from(server) as half,
        connect_from(server) as trickling,
        connect_from(server) as bodiless,
        connect_from(server) as second,
    ):
        started = time.monotonic()
        half.writer.write(META[:20])
        bodiless.writer.write(BODY + b"{")
        trickling.writer.write(META[:1])
        assert await second.ask(META) == 200
        second.writer.write(META[:20])
        for part in range(1, 4):
            trickling.writer.write(META[part : part + 1])
            await asyncio.sleep(0.1)
        assert await idle.is_closed(5)
        assert await half.status() == 408
        assert await trickling.status() == 408, "each byte alone does not buy more time"
        assert await bodiless.status() == 408
        assert await second.status() == 408, "the second request on a connection as well"
        for line in (half, trickling, bodiless, second):
            assert await line.is_closed(1)
        assert time.monotonic() - started < 9, "before the default timeout"
        async with connect_from(server) as quick:
            assert await quick.ask(META) == 200


async def test_connections_can_be_reused(tmp_path: Path) -> None:
    async with (
        run_server(tmp_path, header_timeout_seconds=0.4) as server,
        connect_from(server) as line,
    ):
        for _ in range(3):
            assert await line.ask(META) == 200
            await asyncio.sleep(0.2)
        assert [await line.ask(META * 2), await line.status()] == [200, 200]
        assert await line.ask(BODY + b"x" * 50) == 422


async def test_a_client_that_does_not_read_is_disconnected(tmp_path: Path) -> None:
    async with run_server(tmp_path, small_send_buffer=True, write_timeout_seconds=0.4) as server:
        whole = len((await server.http.get("/api/cards")).content)
        host, port = server.address.split(":")
        with socket.socket() as slow:
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            slow.connect((host, int(port)))
            slow.send(b"GET /api/cards HTTP/1.1\r\nHost: a\r\n\r\n")
            await asyncio.sleep(1.5)
            slow.settimeout(2)
            received = 0
            with suppress(ConnectionError):
                while data := slow.recv(65536):
                    received += len(data)
            assert received < whole / 2, "it was cut off in the middle"


async def test_connections_per_address_are_limited(tmp_path: Path) -> None:
    async with (
        run_server(tmp_path, max_connections_per_address=5) as server,
        AsyncExitStack() as stack,
    ):
        used = [await stack.enter_async_context(connect_from(server)) for _ in range(2)]
        assert [await line.ask(META) for line in used] == [200, 200]
        lines = [await stack.enter_async_context(connect_from(server)) for _ in range(12)]
        await asyncio.sleep(0.1)
        closed = [await line.is_closed() for line in [*used, *lines]]
        assert closed == [True] * 9 + [False] * 5, "the oldest idle ones go"
        assert await lines[-1].ask(META) == 200
        # Other addresses are not affected, and a trusted proxy serves many clients.
        for source in ("127.0.0.3", *["127.0.0.1"] * 8):
            other = await stack.enter_async_context(connect_from(server, source))
            assert await other.ask(META) == 200
        assert await lines[-1].ask(META) == 200


async def test_idle_connections_make_room_for_new_ones(tmp_path: Path) -> None:
    """Even those of a proxy, of which only the total is limited."""

    async with run_server(tmp_path, max_connections=10) as server, AsyncExitStack() as stack:
        player = await stack.enter_async_context(connect_from(server, "127.0.0.3"))
        assert await player.ask(META) == 200
        for _ in range(30):
            await stack.enter_async_context(connect_from(server, "127.0.0.1"))
        await asyncio.sleep(0.1)
        assert await player.ask(META) == 200, "the address with the most of them gives way"
        other = await stack.enter_async_context(connect_from(server, "127.0.0.4"))
        assert await other.ask(META) == 200


async def test_a_full_server_answers_health_checks(tmp_path: Path) -> None:
    async with run_server(tmp_path, max_connections=6, max_sockets_per_table=50) as server:
        table, _ = await server.create_table("me", "open")
        await server.http.aclose()
        async with AsyncExitStack() as stack:
            for _ in range(6):
                await stack.enter_async_context(server.connect(table))
            async with connect_from(server) as line:
                assert await line.ask(HEALTH) == 200
                assert await line.ask(META) == 503
                assert await line.is_closed(1)
            with pytest.raises(InvalidStatus) as refused:
                await connect(server.socket_url(table)).__aenter__()
            assert refused.value.response.status_code == 503
        await asyncio.sleep(0.1)
        async with connect_from(server) as line:
            assert await line.ask(META) == 200


async def test_health_checks_have_a_separate_rate_limit(tmp_path: Path) -> None:
    async with (
        run_server(tmp_path, requests_per_second=0.5) as server,
        connect_from(server) as line,
    ):
        codes = [await line.ask(META) for _ in range(12)]
        assert codes[-1] == 429
        assert await line.ask(HEALTH) == 200


def test_requests_share_listings_and_get_current_ones(tmp_path: Path) -> None:
    async def visit() -> None:
        async with run_server(tmp_path) as server:
            made = 0
            listed = server.registry.list_tables

            async def counted(state: str) -> list[object]:
                nonlocal made
                made += 1
                return list(await listed(state))

            server.registry.list_tables = counted  # type: ignore[method-assign,assignment]
            started = time.monotonic()
            await asyncio.gather(*(server.http.get("/api/tables") for _ in range(60)))
            assert made <= 2 + (time.monotonic() - started) / INTERVAL_SECONDS
            for count in (1, 2):
                table, _ = await server.create_table("me", "open", listed=True)
                tables = (await server.http.get("/api/tables")).json()["tables"]
                assert len(tables) == count
                assert table in [info["id"] for info in tables]

    asyncio.run(visit())


async def test_concurrent_requests_are_limited_per_address() -> None:
    gate = RequestGate(max_concurrent=2, max_waiting=3)
    ends = asyncio.Event()
    inside: list[str] = []

    async def request(address: str) -> None:
        async with gate.enter(address):
            inside.append(address)
            await ends.wait()

    tasks = [asyncio.create_task(request("one")) for _ in range(5)]
    await asyncio.sleep(0)
    with pytest.raises(RateLimited):
        await request("one")
    tasks.append(asyncio.create_task(request("two")))
    await asyncio.sleep(0)
    assert inside == ["one", "one", "two"]
    tasks[4].cancel()
    ends.set()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert inside.count("one") == 4
    assert not gate._addresses


def test_connection_limit() -> None:
    assert connection_limit(0, 1024) == 768
    assert connection_limit(100, 1024) == 100
    assert connection_limit(5000, 1024) == 768, "never more than there are files for"
    assert connection_limit(0, 1_000_000) == MAX_DEFAULT_CONNECTIONS
    assert connection_limit(0, 256) == 192


def test_trusted_proxies() -> None:
    proxies = Proxies(("127.0.0.1", "10.0.0.0/24", "::1", "proxy.example"))
    assert all(address in proxies for address in ("127.0.0.1", "10.0.0.7", "::1"))
    assert not any(address in proxies for address in ("127.0.0.2", "10.0.1.7", ""))
    assert "1.2.3.4" in Proxies(("*",))
    assert group_address("2001:db8::1") == group_address("2001:db8::2") != group_address("::1")
    assert group_address("::ffff:1.2.3.4") == "1.2.3.4"
