"""Reports of mistakes and of what was said, from a table to who runs the server."""

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
from smashup.scenarios.table_builder import build_table
from smashup.server.operations.reports import DailyCounter
from smashup.terminal.main import main
from tests.server.house import House, serving


async def begun(house: House, answers: int = 30) -> tuple[str, list[str]]:
    """A table at which a game has been going on for a while."""
    table, secrets = await house.table("me", "easy", "easy")
    async with house.guest(table, secrets[0]) as guest:
        await guest.play(random.Random(4), answers)
        while not guest.options:
            await guest.hear()
    return table, secrets


def test_a_mistake_is_reported_with_the_table_as_it_was_seen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def visit() -> str:
        async with serving(tmp_path) as house:
            table, secrets = await begun(house)
            live = house.registry.tables[table]
            assert live.game is not None
            menu = rewind_to_last_menu(live.game)
            assert menu is not None
            answer = await house.post(f"/{table}/reports", secrets[0], kind="bug", text="It sticks")
            assert answer.status_code == 201, answer.text
            told = answer.json()
            (scenario,) = parse(told["scenario"])
            assert scenario.data["note"] == "It sticks"
            assert build_table(scenario, catalogue()).view(0) == menu.view(0)
            for secret in (secrets[0], str(live.record.setup and live.record.setup["secret"])):
                assert secret not in told["scenario"]
            watched = await house.post(f"/{table}/reports", kind="bug")
            (scenario,) = parse(watched.json()["scenario"])
            assert build_table(scenario, catalogue()).view(-1) == menu.view(-1)
            found = await house.registry.store.reports(10)
            assert {report.id for report in found} == {told["id"], watched.json()["id"]}
            return str(told["id"])

    id_ = asyncio.run(visit())
    database, folder = str(tmp_path / "tables.sqlite"), tmp_path / "written"
    assert main(["reports", "--database", database, "--write", str(folder)]) == 0
    told = capsys.readouterr().out
    assert "It sticks" in told
    assert len(list(folder.glob("*.yaml"))) == 2
    assert main(["scenario", str(folder / f"{id_}.yaml")]) == 0
    assert "1 passed" in capsys.readouterr().out
    assert main(["reports", "--database", str(tmp_path / "nothing.sqlite")]) == 2


def test_hands_of_others_are_not_in_a_report(tmp_path: Path) -> None:
    """The cards others hold lie in the report as often as any other of their unknown cards."""

    async def visit() -> None:
        async with serving(tmp_path) as house:
            table, secrets = await begun(house)
            live = house.registry.tables[table]
            assert live.game is not None
            menu = rewind_to_last_menu(live.game)
            assert menu is not None
            assert menu.decision is not None
            real = [menu.table.state.hands[p][:] for p in (1, 2)]
            hands, decks = [], set()
            for _ in range(4):
                answer = await house.post(f"/{table}/reports", secrets[0], kind="bug")
                (scenario,) = parse(answer.json()["scenario"])
                hands.append(scenario.data["table"]["hands"][1:])
                decks.add(str(scenario.data["table"]["decks"]))
            assert [[len(h) for h in each] for each in hands] == [[len(h) for h in real]] * 4
            assert len(decks) == 4, "by lot"

    asyncio.run(visit())


def test_something_said_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def visit() -> None:
        async with serving(tmp_path) as house:
            table, secrets = await house.table("me", "me", spectators=False)
            async with house.guest(table, secrets[1]) as rude:
                await rude.say(type="chat", text="You play like a potato")
            url = f"/{table}/reports"
            taken = await house.post(url, secrets[0], kind="chat", said=0, text="Not nice")
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
                refused = await house.post(url, secret, **body)
                assert refused.status_code == status, refused.text
                assert refused.json()["reason"]["english"]
            early = await house.post(url, secrets[0], kind="bug", text="too early?")
            assert early.status_code == 201
            (found, *_) = [r for r in await house.registry.store.reports(10) if r.kind == "chat"]
            assert found.facts["said"][-1]["text"] == "You play like a potato"

    asyncio.run(visit())
    assert main(["reports", "--database", str(tmp_path / "tables.sqlite")]) == 0
    assert re.search("P2: You play like a potato", capsys.readouterr().out)


def test_reports_are_limited(tmp_path: Path) -> None:
    async def visit() -> None:
        async with serving(tmp_path) as house:
            table, secrets = await house.table("me", "open")
            sent = [await house.post(f"/{table}/reports", secrets[0], kind="bug") for _ in range(8)]
            codes = [answer.status_code for answer in sent]
            assert codes[:5] == [201] * 5
            assert codes[-1] == 429

    asyncio.run(visit())


def test_stored_reports_are_capped_by_table_address_and_day(tmp_path: Path) -> None:
    """Each cap has a sentence of its own, and what it refuses is not stored."""

    async def visit() -> None:
        cases: list[tuple[dict[str, Any], str]] = [
            ({"reports_of_table": 2}, "from this table"),
            ({"reports_of_address": 2}, "You have sent many"),
            ({"reports_of_all": 2}, "takes no more reports"),
        ]
        for caps, word in cases:
            folder = tmp_path / word
            folder.mkdir()
            async with serving(folder, **caps) as house:
                table, secrets = await house.table("me", "open")
                other, _ = await house.table("me", "open")
                for _ in range(2):
                    taken = await house.post(f"/{table}/reports", secrets[0], kind="bug")
                    assert taken.status_code == 201
                refused = await house.post(f"/{table}/reports", secrets[0], kind="bug")
                assert refused.status_code == 429
                assert word in refused.json()["reason"]["english"]
                elsewhere = await house.post(f"/{other}/reports", kind="bug")
                assert elsewhere.status_code == (201 if "reports_of_table" in caps else 429)
                stored = await house.registry.store.reports(10)
                assert len([r for r in stored if r.table_id == table]) == 2
                async with house.registry.store.transaction() as connection:
                    await connection.execute(text("UPDATE reports SET created = created - 90000"))
                house.registry.report_limits.addresses = DailyCounter(2)
                again = await house.post(f"/{other}/reports", kind="bug")
                assert again.status_code == 201, "the next day"

    asyncio.run(visit())


def test_reports_of_an_address_count_for_a_day(monkeypatch: pytest.MonkeyPatch) -> None:
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
