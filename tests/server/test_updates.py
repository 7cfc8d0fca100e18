"""Updates on the wire: small, completed by what came before, replaced by a snapshot on demand."""

from __future__ import annotations

import asyncio
import json
import random
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.extensions.permessage_deflate import PerMessageDeflate

from smashup.engine.game import Game
from smashup.server.live.protocol import PROTOCOL, Scene
from smashup.server.live.streams import MAX_RESYNCS_AT_ONCE
from smashup.server.tables import seating
from tests.server.house import Guest, a_decision_of, serving


def test_updates_are_small_and_complete(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`Guest` completes each update and compares its view with the checksum."""
    key = random.Random("updates").randbytes(32).hex()
    monkeypatch.setattr(seating, "new_secret", lambda: key)

    async def visit() -> None:
        async with serving(tmp_path) as house:
            table, (secret,) = await house.table("me", "easy")
            dice = random.Random(3)
            async with house.guest(table, secret) as guest, house.guest(table) as watcher:
                for _ in range(25):
                    await a_decision_of([guest])
                    await guest.answer(dice.randrange(len(guest.options)))
                await a_decision_of([guest])  # the bot has finished its turn
                await watcher.say(type="ping")
                for one in (guest, watcher):
                    assert len(one.updates) > 25
                    assert not any("view" in update or "wishes" in update for update in one.updates)
                    sizes = [len(json.dumps(update)) for update in one.updates]
                    assert sum(sizes) / len(sizes) < 2_800
                live = house.registry.tables[table].game
                assert live is not None
                assert watcher.view == json.loads(json.dumps(live.view()))

    asyncio.run(visit())


def test_a_snapshot_may_be_asked_for_but_not_all_the_time(tmp_path: Path) -> None:
    async def visit() -> None:
        async with serving(tmp_path) as house:
            table, (secret,) = await house.table("me", "easy")
            async with house.guest(table, secret) as guest, house.guest(table) as watcher:
                await a_decision_of([guest])
                await watcher.say(type="ping")
                for one in (guest, watcher):
                    before, one.view = one.scene, None
                    assert (await one.say(type="resync"))["type"] == "ack"
                    assert one.scene["type"] == "snapshot"
                    for field in (*Scene.__annotations__, "version"):
                        assert one.scene[field] == before[field]
                kinds = [(await guest.say(type="resync"))["type"] for _ in range(10)]
                assert kinds == ["ack"] * (MAX_RESYNCS_AT_ONCE - 1) + ["refused"] * (
                    11 - MAX_RESYNCS_AT_ONCE
                )
                await a_decision_of([guest])
                assert (await guest.answer(0))["type"] == "ack"

    asyncio.run(visit())


def test_what_was_told_takes_little_memory(tmp_path: Path) -> None:
    """The table packs its log and forgets events; those who come later miss no line."""

    async def visit() -> None:
        async with serving(tmp_path) as house:
            table, (secret,) = await house.table("me", "easy")
            dice = random.Random(3)
            async with house.guest(table, secret) as guest:
                for _ in range(30):
                    await a_decision_of([guest])
                    await guest.answer(dice.randrange(len(guest.options)))
                await a_decision_of([guest])
                live = house.registry.tables[table].game
                assert live is not None
                assert all(entry.is_packed for entry in live.table.log)
                assert live.events(0) == []
                assert len(live.table.visible_events) > 30
                changes = [change for update in guest.updates for change in update["changes"]]
                replayed = Game.replay(live.setup, live.catalogue, live.answers)
                assert changes == replayed.events(0)[-len(changes) :]
            async with house.guest(table) as late:
                assert late.log == {n: str(line) for n, line in replayed.log_lines(-1)}
                async with house.back(guest, table, secret):
                    for _ in range(5):
                        await a_decision_of([guest])
                        await guest.answer(dice.randrange(len(guest.options)))
                    await a_decision_of([guest])
                    live = house.registry.tables[table].game
                    assert live is not None
                    replayed = Game.replay(live.setup, live.catalogue, live.answers)
                    assert guest.log == {n: str(line) for n, line in replayed.log_lines(0)}

    asyncio.run(visit())


def test_idle_connections_hold_no_compressor(tmp_path: Path) -> None:
    async def visit() -> None:
        async with serving(tmp_path) as house:
            table, (secret,) = await house.table("me", "easy")
            async with house.guest(table, secret) as guest:
                (extension,) = guest.line.protocol.extensions
                assert isinstance(extension, PerMessageDeflate)
                assert extension.remote_no_context_takeover
                assert extension.local_no_context_takeover

    asyncio.run(visit())


def test_translated_updates_can_be_completed_too(tmp_path: Path) -> None:
    async def visit() -> None:
        async with serving(tmp_path) as house:
            table, (secret,) = await house.table("me", "easy")
            async with house.guest(table, secret, lang="fr") as guest:
                for _ in range(5):
                    await a_decision_of([guest])
                    await guest.answer(0)
                assert guest.updates
                assert not any("checksum" in update for update in guest.updates)
                await a_decision_of([guest])
                assert guest.view is not None
                assert guest.view["decision"]["question"]["said"]

    asyncio.run(visit())


def test_an_outdated_client_is_told_so(tmp_path: Path) -> None:
    async def visit() -> None:
        async with serving(tmp_path) as house:
            table, (secret,) = await house.table("me", "easy")
            for protocol in ({}, {"protocol": PROTOCOL - 1}, {"protocol": PROTOCOL + 1}):
                async with connect(house.socket(table)) as line:
                    hello = {"type": "hello", "id": "h", "secret": secret, **protocol}
                    await line.send(json.dumps(hello))
                    refused = await Guest(line).until("refused")
                    assert refused["id"] == "h"
                    assert refused["outdated"]
                    assert "Reload" in refused["reason"]["english"]
                    await line.wait_closed()
                    assert line.close_code == 1008
            async with house.guest(table, secret) as guest:
                assert guest.view is not None

    asyncio.run(visit())
