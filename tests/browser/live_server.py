"""A server process with the built client, and requests to it outside of the browser."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx

from smashup.server.http.pages import CLIENT

CLIENT_FOLDER: Final = Path(os.environ.get("BROWSER_CLIENT", CLIENT))
"""The build of the client to test, by default that of `make client`."""


@dataclass(frozen=True)
class CreatedTable:
    """A table and the seats of the player who created it."""

    id: str
    seats: list[dict[str, Any]]


class LiveServer:
    """A running server."""

    def __init__(self, address: str) -> None:
        self.address = address

    def create_table(
        self, *kinds: str, factions: tuple[str, ...] = (), **more: Any
    ) -> CreatedTable:
        """Create a table with seats like "me", "open" or "easy", optionally with factions."""
        seats: list[dict[str, Any]] = []
        for number, kind in enumerate(kinds):
            seat: dict[str, Any] = {"kind": kind, "name": f"Player {number + 1}"}
            if kind not in ("me", "open"):
                seat = {"kind": "bot", "level": kind, "name": f"Bot {number + 1}"}
            if factions and kind != "open":
                seat["factions"] = list(factions[2 * number : 2 * number + 2])
            seats.append(seat)
        form = {"seats": seats, "mode": "choose" if factions else "random", **more}
        answer = httpx.post(f"{self.address}/api/tables", json=form)
        assert answer.status_code == 201, answer.text
        return CreatedTable(answer.json()["table"]["id"], answer.json()["seats"])

    def table_info(self, table: str) -> dict[str, Any]:
        """Return the public information about a table."""
        found: dict[str, Any] = httpx.get(f"{self.address}/api/tables/{table}").json()["table"]
        return found


@contextmanager
def run_server(folder: Path, *faction_files: Path) -> Iterator[LiveServer]:
    """Run a server on any free port, with its own database."""
    assert (CLIENT_FOLDER / "index.html").exists(), (
        "The browser client is not built: run `make client`."
    )
    command = [
        sys.executable,
        "-m",
        "tests.browser.serve",
        str(folder / "tables.sqlite"),
        str(CLIENT_FOLDER),
        *map(str, faction_files),
    ]
    root = Path(__file__).resolve().parents[2]
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().strip()
            assert address, "The server did not start."
            yield LiveServer(address)
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(timeout=20)
