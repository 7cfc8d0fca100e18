"""Updates: small, based on previous ones, and replaced by a snapshot on demand."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.extensions.permessage_deflate import PerMessageDeflate

from smashup.engine.game import Game
from smashup.server.live.protocol import PROTOCOL, SeatState
from smashup.server.live.streams import MAX_RESYNC_BURST
from smashup.server.tables.seats import seating
from tests.server.live_server import GameClient, run_server, wait_for_decision


async def test_updates_are_small_and_complete(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`GameClient` completes each update and compares its view with the checksum."""
    key = random.Random("updates").randbytes(32).hex()
    monkeypatch.setattr(seating, "new_secret", lambda: key)

    async with run_server(tmp_path) as server:
        table, (secret,) = await server.create_table("me", "easy")
        rng = random.Random(3)
        async with server.connect(table, secret) as guest, server.connect(table) as watcher:
            for _ in range(25):
                await wait_for_decision([guest])
                await guest.answer(rng.randrange(len(guest.options)))
            await wait_for_decision([guest])  # the bot has finished its turn
            await watcher.request(type="ping")
            for one in (guest, watcher):
                assert len(one.updates) > 25
                assert not any("view" in update or "wishes" in update for update in one.updates)
                sizes = [len(json.dumps(update)) for update in one.updates]
                assert sum(sizes) / len(sizes) < 2_800
            live = server.registry.tables[table].game
            assert live is not None
            assert watcher.view == json.loads(json.dumps(live.view()))


async def test_resyncs_are_rate_limited(tmp_path: Path) -> None:
    async with run_server(tmp_path) as server:
        table, (secret,) = await server.create_table("me", "easy")
        async with server.connect(table, secret) as guest, server.connect(table) as watcher:
            await wait_for_decision([guest])
            await watcher.request(type="ping")
            for one in (guest, watcher):
                before, one.view = one.state, None
                assert (await one.request(type="resync"))["type"] == "ack"
                assert one.state["type"] == "snapshot"
                for field in (*SeatState.__annotations__, "version"):
                    assert one.state[field] == before[field]
            kinds = [(await guest.request(type="resync"))["type"] for _ in range(10)]
            assert kinds == ["ack"] * (MAX_RESYNC_BURST - 1) + ["refused"] * (11 - MAX_RESYNC_BURST)
            await wait_for_decision([guest])
            assert (await guest.answer(0))["type"] == "ack"


async def test_sent_updates_use_little_memory(tmp_path: Path) -> None:
    """The table packs its log and drops events; later viewers get all lines."""

    async with run_server(tmp_path) as server:
        table, (secret,) = await server.create_table("me", "easy")
        rng = random.Random(3)
        async with server.connect(table, secret) as guest:
            for _ in range(30):
                await wait_for_decision([guest])
                await guest.answer(rng.randrange(len(guest.options)))
            await wait_for_decision([guest])
            live = server.registry.tables[table].game
            assert live is not None
            assert all(entry.is_packed for entry in live.table.log)
            assert live.events(0) == []
            assert len(live.table.visible_events) > 30
            changes = [change for update in guest.updates for change in update["changes"]]
            replayed = Game.replay(live.setup, live.catalogue, live.answers)
            assert changes == replayed.events(0)[-len(changes) :]
        async with server.connect(table) as late:
            assert late.log == {n: str(line) for n, line in replayed.log_lines(-1)}
            async with server.reconnect(guest, table, secret):
                for _ in range(5):
                    await wait_for_decision([guest])
                    await guest.answer(rng.randrange(len(guest.options)))
                await wait_for_decision([guest])
                live = server.registry.tables[table].game
                assert live is not None
                replayed = Game.replay(live.setup, live.catalogue, live.answers)
                assert guest.log == {n: str(line) for n, line in replayed.log_lines(0)}


async def test_idle_connections_hold_no_compressor(tmp_path: Path) -> None:
    async with run_server(tmp_path) as server:
        table, (secret,) = await server.create_table("me", "easy")
        async with server.connect(table, secret) as guest:
            (extension,) = guest.line.protocol.extensions
            assert isinstance(extension, PerMessageDeflate)
            assert extension.remote_no_context_takeover
            assert extension.local_no_context_takeover


async def test_translated_updates_can_be_completed_too(tmp_path: Path) -> None:
    async with run_server(tmp_path) as server:
        table, (secret,) = await server.create_table("me", "easy")
        async with server.connect(table, secret, lang="fr") as guest:
            for _ in range(5):
                await wait_for_decision([guest])
                await guest.answer(0)
            assert guest.updates
            assert not any("checksum" in update for update in guest.updates)
            await wait_for_decision([guest])
            assert guest.view is not None
            assert guest.view["decision"]["question"]["said"]


async def test_outdated_clients_are_refused(tmp_path: Path) -> None:
    async with run_server(tmp_path) as server:
        table, (secret,) = await server.create_table("me", "easy")
        for protocol in ({}, {"protocol": PROTOCOL - 1}, {"protocol": PROTOCOL + 1}):
            async with connect(server.socket_url(table)) as line:
                hello = {"type": "hello", "id": "h", "secret": secret, **protocol}
                await line.send(json.dumps(hello))
                refused = await GameClient(line).receive_until("refused")
                assert refused["id"] == "h"
                assert refused["outdated"]
                assert "Reload" in refused["reason"]["english"]
                await line.wait_closed()
                assert line.close_code == 1008
        async with server.connect(table, secret) as guest:
            assert guest.view is not None
