"""Who is let in: limits for each address behind a proxy, and factions by the operator only."""

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
from tests.server.house import a_decision_of, serving
from tests.server.test_serve import running
from tests.terminal.cli_process import ROOT

AT_ONCE = 10
"""New tables that one address may found at once."""


def test_behind_a_proxy_everybody_has_limits_of_their_own(tmp_path: Path) -> None:
    form = {"seats": [{"kind": "me"}, {"kind": "open"}]}

    async def visit(address: str) -> None:
        async def found(said: str, of: str = "127.0.0.1") -> int:
            """Found a table by way of a proxy, which says where the call comes from."""
            way = httpx.AsyncHTTPTransport(local_address=of)
            async with httpx.AsyncClient(base_url=address, transport=way) as proxy:
                headers = {"X-Forwarded-For": said}
                return (await proxy.post("/api/tables", json=form, headers=headers)).status_code

        async def exhaust(said: str, of: str = "127.0.0.1") -> None:
            for _ in range(AT_ONCE):
                assert await found(said, of) == 201
            assert await found(said, of) == 429

        await exhaust("203.0.113.1")
        assert await found("203.0.113.2") == 201, "somebody else"
        # What a client says of itself stands before what the proxy has seen.
        assert await found("198.51.100.7, 203.0.113.1") == 429, "the same under another name"
        # Two proxies, one after the other.
        assert await found("203.0.113.1, 127.0.0.3") == 429
        # Somebody who is no proxy is not believed.
        try:
            await exhaust("203.0.113.9", of="127.0.0.2")
        except httpx.ConnectError:
            pytest.skip("this system has one address for itself only")
        assert await found("203.0.113.10", of="127.0.0.2") == 429

    with running(tmp_path, "--port", "0", "--proxy", "127.0.0.3/32") as (_, address):
        asyncio.run(visit(address))


def test_what_counts_as_one_address() -> None:
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
    """Factions are brought by who runs the server, on the command line."""
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
        async with serving(tmp_path) as house:
            before = {module for module in sys.modules if "evil" in module}
            table, secrets = await house.table("me", "me")
            for name in names:
                for form in forms(name):
                    answer = await house.post("", **form)
                    assert 400 <= answer.status_code < 500, answer.text
                own = {"Authorization": f"Bearer {secrets[0]}"}
                path = f"/api/tables/{table}/seat"
                answer = await house.http.patch(path, json={"cards": [name]}, headers=own)
                assert 400 <= answer.status_code < 500
                answer = await house.http.get("/api/cards", params={"printing": name})
                assert 400 <= answer.status_code < 500
            async with house.guest(table, secrets[0]) as one, house.guest(table, secrets[1]) as two:
                asked = await a_decision_of([one, two])
                for name in names:
                    said = {"type": "answer", "id": "1", "number": 0, "options": [0]}
                    await asked.line.send(json.dumps({**said, "faction_file": name}))
                    assert (await asked.until("refused"))["type"] == "refused"
            assert {module for module in sys.modules if "evil" in module} == before

    sys.path.insert(0, str(tmp_path))
    try:
        asyncio.run(visit())
    finally:
        sys.path.remove(str(tmp_path))
    assert not marker.exists()


def test_the_operator_brings_factions(tmp_path: Path) -> None:
    gnomes = str(ROOT / "examples" / "garden_gnomes.py")
    with (
        running(tmp_path, "--port", "0", "--faction-file", gnomes) as (_, address),
        urllib.request.urlopen(f"{address}api/meta", timeout=10) as page,
    ):
        assert "Garden Gnomes" in {f["name"] for f in json.load(page)["factions"]}
