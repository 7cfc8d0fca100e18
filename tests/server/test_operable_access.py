"""Limits per client behind a proxy, and factions added by the operator only."""

from __future__ import annotations

import asyncio
import json
import sys
import urllib.request
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.types import Scope

from smashup.server.http.guard import address_of
from tests.server.live_server import run_server, wait_for_decision
from tests.server.test_serve import run_serve
from tests.terminal.cli_process import ROOT

AT_ONCE = 10
"""Number of tables that an address may create in a burst."""


def test_clients_behind_a_proxy_have_separate_limits(tmp_path: Path) -> None:
    form = {"seats": [{"kind": "me"}, {"kind": "open"}]}

    async def visit(address: str) -> None:
        async def found(message: str, of: str = "127.0.0.1") -> int:
            """Create a table through a proxy that reports the client's address."""
            way = httpx.AsyncHTTPTransport(local_address=of)
            async with httpx.AsyncClient(base_url=address, transport=way) as proxy:
                headers = {"X-Forwarded-For": message}
                return (await proxy.post("/api/tables", json=form, headers=headers)).status_code

        async def is_exhausted(message: str, of: str = "127.0.0.1") -> bool:
            """Return whether an address has reached the limit of new tables."""
            return 429 in [await found(message, of) for _ in range(AT_ONCE // 2)]

        async def exhaust(message: str, of: str = "127.0.0.1") -> None:
            for _ in range(AT_ONCE):
                assert await found(message, of) == 201
            assert await is_exhausted(message, of)

        await exhaust("203.0.113.1")
        assert await found("203.0.113.2") == 201, "somebody else"
        # The address that a client claims precedes the one that the proxy has seen.
        assert await is_exhausted("198.51.100.7, 203.0.113.1"), "the same under another name"
        # Two proxies, one after the other.
        assert await is_exhausted("203.0.113.1, 127.0.0.3")
        # A client that is not a trusted proxy cannot set its address.
        try:
            await exhaust("203.0.113.9", of="127.0.0.2")
        except httpx.ConnectError:
            pytest.skip("this system has one address for itself only")
        assert await is_exhausted("203.0.113.10", of="127.0.0.2")

    with run_serve(tmp_path, "--port", "0", "--trusted-proxy", "127.0.0.3/32") as (_, address):
        asyncio.run(visit(address))


def test_address_groups() -> None:
    def known(address: str) -> str:
        scope: Scope = {"type": "http", "client": (address, 1)}
        return address_of(scope)

    assert known("203.0.113.1") == "203.0.113.1"
    assert known("::ffff:203.0.113.1") == "203.0.113.1"
    assert known("2001:db8:1:2:3:4:5:6") == known("2001:db8:1:2::1") == "2001:db8:1:2::/64"
    assert known("2001:db8:1:3::1") != known("2001:db8:1:2::1")
    assert known("testclient") == "testclient"
    assert address_of({"type": "http", "client": None}) == ""


def test_nothing_that_a_client_sends_loads_code(tmp_path: Path) -> None:
    """Only the operator can add factions, on the command line."""
    marker = tmp_path / "loaded"
    evil = tmp_path / "evil_faction.py"
    evil.write_text(f"open({str(marker)!r}, 'w').close()\n")
    names = [str(evil), f"file://{evil}", "evil_faction", "evil_faction:FACTION", "../evil_faction"]

    def forms(name: str) -> list[dict[str, Any]]:
        seat = {"kind": "me", "factions": [name[:60]]}
        plain = [{"kind": "me"}, {"kind": "bot", "level": "easy"}]
        return [
            {"seats": [seat, seat], "mode": "choose"},
            {"seats": plain, "faction_files": [name]},
            {"seats": plain, "factions": [name]},
            {"seats": plain, "edition": name},
            {"seats": plain, "printing": name},
            {"seats": [{"kind": "bot", "level": name}] * 2},
        ]

    async def visit() -> None:
        async with run_server(tmp_path) as server:
            before = {module for module in sys.modules if "evil" in module}
            table, secrets = await server.create_table("me", "me")
            for name in names:
                for form in forms(name):
                    answer = await server.post("", **form)
                    assert 400 <= answer.status_code < 500, answer.text
                own = {"Authorization": f"Bearer {secrets[0]}"}
                path = f"/api/tables/{table}/seat"
                answer = await server.http.patch(path, json={"cards": [name]}, headers=own)
                assert 400 <= answer.status_code < 500
                answer = await server.http.get("/api/cards", params={"printing": name})
                assert 400 <= answer.status_code < 500
            async with (
                server.connect(table, secrets[0]) as one,
                server.connect(table, secrets[1]) as two,
            ):
                asked = await wait_for_decision([one, two])
                for name in names:
                    message = {"type": "answer", "id": "1", "number": 0, "options": [0]}
                    await asked.line.send(json.dumps({**message, "faction_file": name}))
                    assert (await asked.receive_until("refused"))["type"] == "refused"
            assert {module for module in sys.modules if "evil" in module} == before

    sys.path.insert(0, str(tmp_path))
    try:
        asyncio.run(visit())
    finally:
        sys.path.remove(str(tmp_path))
    assert not marker.exists()


def test_the_operator_can_add_factions(tmp_path: Path) -> None:
    gnomes = str(ROOT / "examples" / "garden_gnomes.py")
    with (
        run_serve(tmp_path, "--port", "0", "--faction-file", gnomes) as (_, address),
        urllib.request.urlopen(f"{address}api/meta", timeout=10) as page,
    ):
        assert "Garden Gnomes" in {f["name"] for f in json.load(page)["factions"]}
