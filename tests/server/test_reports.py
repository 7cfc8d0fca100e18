"""Reports of bugs and chat messages to the operator."""

from __future__ import annotations

import asyncio
import random
import re
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from smashup.cards import catalogue
from smashup.scenarios.document import parse
from smashup.scenarios.redaction import rewind_to_last_menu
from smashup.scenarios.table.table_builder import build_table
from smashup.server.operations.reports import DailyCounter
from smashup.terminal.main import main
from tests.server.live_server import LiveServer, run_server


async def create_running_game(server: LiveServer, answers: int = 30) -> tuple[str, list[str]]:
    """Create a table with a game in progress."""
    table, secrets = await server.create_table("me", "easy", "easy")
    async with server.connect(table, secrets[0]) as client:
        await client.play(random.Random(4), answers)
        while not client.options:
            await client.receive()
    return table, secrets


def test_bug_reports_contain_the_visible_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def visit() -> str:
        async with run_server(tmp_path) as server:
            table, secrets = await create_running_game(server)
            live = server.registry.tables[table]
            assert live.game is not None
            menu = rewind_to_last_menu(live.game)
            assert menu is not None
            answer = await server.post(
                f"/{table}/reports", secrets[0], kind="bug", text="It sticks"
            )
            assert answer.status_code == 201, answer.text
            received = answer.json()
            (scenario,) = parse(received["scenario"])
            assert scenario.data["note"] == "It sticks"
            assert build_table(scenario, catalogue()).view(0) == menu.view(0)
            for secret in (secrets[0], str(live.record.setup and live.record.setup["secret"])):
                assert secret not in received["scenario"]
            watched = await server.post(f"/{table}/reports", kind="bug")
            (scenario,) = parse(watched.json()["scenario"])
            assert build_table(scenario, catalogue()).view(-1) == menu.view(-1)
            found = await server.registry.store.list_reports(10)
            assert {report.id for report in found} == {received["id"], watched.json()["id"]}
            return str(received["id"])

    id_ = asyncio.run(visit())
    database, folder = str(tmp_path / "tables.sqlite"), tmp_path / "written"
    assert main(["reports", "--database", database, "--write", str(folder)]) == 0
    received = capsys.readouterr().out
    assert "It sticks" in received
    assert len(list(folder.glob("*.yaml"))) == 2
    assert main(["scenario", str(folder / f"{id_}.yaml")]) == 0
    assert "1 passed" in capsys.readouterr().out
    assert main(["reports", "--database", str(tmp_path / "nothing.sqlite")]) == 2


async def test_bug_reports_contain_no_hidden_cards(tmp_path: Path) -> None:
    """The real cards in other hands are no more likely in the report than other unknown cards."""

    async with run_server(tmp_path) as server:
        table, secrets = await create_running_game(server)
        live = server.registry.tables[table]
        assert live.game is not None
        menu = rewind_to_last_menu(live.game)
        assert menu is not None
        assert menu.decision is not None
        real = [menu.table.state.hands[p][:] for p in (1, 2)]
        hands, decks = [], set()
        for _ in range(4):
            answer = await server.post(f"/{table}/reports", secrets[0], kind="bug")
            (scenario,) = parse(answer.json()["scenario"])
            hands.append(scenario.data["table"]["hands"][1:])
            decks.add(str(scenario.data["table"]["decks"]))
        assert [[len(h) for h in each] for each in hands] == [[len(h) for h in real]] * 4
        assert len(decks) == 4, "by lot"


def test_chat_messages_can_be_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def visit() -> None:
        async with run_server(tmp_path) as server:
            table, secrets = await server.create_table("me", "me", spectators=False)
            async with server.connect(table, secrets[1]) as rude:
                await rude.request(type="chat", phrase="ouch")
                await rude.request(type="chat", text="You play like a potato")
            url = f"/{table}/reports"
            taken = await server.post(url, secrets[0], kind="chat", said=1, text="Not nice")
            assert taken.status_code == 201, taken.text
            assert taken.json()["scenario"] == ""
            refusals: list[tuple[dict[str, Any], str, int]] = [
                ({"kind": "chat", "said": 7}, secrets[0], 404),
                ({"kind": "chat"}, secrets[0], 409),
                ({"kind": "bug", "said": 0}, secrets[0], 409),
                ({"kind": "chat", "said": 0}, "", 403),
                ({"kind": "chat", "said": 0}, "wrong", 403),
                ({"kind": "chat", "said": -1}, secrets[0], 422),
                ({"kind": "love"}, secrets[0], 422),
                ({"kind": "bug", "text": "x" * 2001}, secrets[0], 422),
            ]
            for body, secret, status in refusals:
                refused = await server.post(url, secret, **body)
                assert refused.status_code == status, refused.text
                assert refused.json()["reason"]["english"]
            early = await server.post(url, secrets[0], kind="bug", text="too early?")
            assert early.status_code == 201
            (found, *_) = [
                r for r in await server.registry.store.list_reports(10) if r.kind == "chat"
            ]
            assert found.facts["said"][-1]["text"] == "You play like a potato"

    asyncio.run(visit())
    assert main(["reports", "--database", str(tmp_path / "tables.sqlite")]) == 0
    output = capsys.readouterr().out
    assert re.search("P2: ouch", output), "phrases are reported as context, too"
    assert re.search("P2: You play like a potato", output)


async def test_reports_are_rate_limited(tmp_path: Path) -> None:
    async with run_server(tmp_path) as server:
        table, secrets = await server.create_table("me", "open")
        sent = [await server.post(f"/{table}/reports", secrets[0], kind="bug") for _ in range(8)]
        codes = [answer.status_code for answer in sent]
        assert codes[:5] == [201] * 5
        assert codes[-1] == 429


async def test_daily_limits_of_reports(tmp_path: Path) -> None:
    """Each limit has its own sentence, and refused reports are not stored."""

    cases: list[tuple[dict[str, Any], str]] = [
        ({"max_daily_reports_per_table": 2}, "from this table"),
        ({"max_daily_reports_per_address": 2}, "You have sent many"),
        ({"max_daily_reports": 2}, "accepts no more reports"),
    ]
    for caps, word in cases:
        folder = tmp_path / word
        folder.mkdir()
        async with run_server(folder, **caps) as server:
            table, secrets = await server.create_table("me", "open")
            other, _ = await server.create_table("me", "open")
            for _ in range(2):
                taken = await server.post(f"/{table}/reports", secrets[0], kind="bug")
                assert taken.status_code == 201
            refused = await server.post(f"/{table}/reports", secrets[0], kind="bug")
            assert refused.status_code == 429
            assert word in refused.json()["reason"]["english"]
            elsewhere = await server.post(f"/{other}/reports", kind="bug")
            assert elsewhere.status_code == (201 if "max_daily_reports_per_table" in caps else 429)
            stored = await server.registry.store.list_reports(10)
            assert len([r for r in stored if r.table_id == table]) == 2
            async with server.registry.store.transaction() as connection:
                await connection.execute(text("UPDATE reports SET created = created - 90000"))
            server.registry.report_limits.by_address = DailyCounter(2)
            again = await server.post(f"/{other}/reports", kind="bug")
            assert again.status_code == 201, "the next day"


def test_report_counts_expire_after_a_day(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr("smashup.server.operations.reports.time.monotonic", lambda: now)
    counter = DailyCounter(2)
    for _ in range(2):
        assert counter.has_room("a")
        counter.add("a")
    assert not counter.has_room("a")
    assert counter.has_room("b")
    now += 86_399
    assert not counter.has_room("a")
    now += 2
    assert counter.has_room("a")
