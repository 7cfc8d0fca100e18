"""Chat: delivery, storage, sanitizing, rate limits and deletion."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

from smashup.server.storage.records import ChatRecord
from smashup.server.tables.chat import MAX_BURST, MAX_KEPT_MESSAGES, ChatHistory
from smashup.server.tables.text import sanitize
from tests.server.live_server import GameClient, run_server


async def say(client: GameClient, text: str = "", **more: Any) -> dict[str, Any]:
    return await client.request(type="chat", text=text, **more)


def test_chat_text_is_sanitized() -> None:
    assert sanitize("  hello\n\tthere \x00\x07") == "hello there"
    assert sanitize("a\u202eb\u2066c\u200b") == "abc", (
        "nothing turns the line around or hides in it"
    )
    assert sanitize("e\u0301" + "\u0301" * 50).count("\u0301") == 3
    assert sanitize("été 👩\u200d🚀") == "été 👩\u200d🚀"
    assert sanitize("\ud800x") == "x"
    assert sanitize(" \x1b[31m ") == "[31m"
    for between in ("\u200b", "\u200d", "\u202e", "\x00"):
        assert sanitize("x" + ("\u0301" + between) * 50).count("\u0301") == 3, "in small portions"


async def test_all_viewers_receive_chat_messages(tmp_path: Path) -> None:
    async with run_server(tmp_path) as server:
        table, secrets = await server.create_table("me", "open")
        async with server.connect(table, secrets[0]) as one, server.connect(table) as watcher:
            assert (await say(one, "Anybody\nthere?", id="a"))["type"] == "ack"
            assert (await say(one, "Anybody\nthere?", id="a"))["type"] == "ack", "counts once"
            assert (await say(one, phrase="hello"))["type"] == "ack"
            refused = await say(watcher, "me too")
            assert refused["type"] == "refused"
            await watcher.request(type="ping")
            heard = [(s["number"], s["seat"], s["text"], s["phrase"]) for s in watcher.chat]
            assert heard == [(0, 0, "Anybody there?", ""), (1, 0, "", "hello")]
            assert abs(watcher.chat[0]["at"] - time.time()) < 60
            for wrong in ("", " \n ", "\u200b"):
                assert (await say(one, wrong))["type"] == "refused"
            assert (await say(one, "both", phrase="hello"))["type"] == "refused"
            assert (await say(one, phrase="rubbish"))["type"] == "refused"
            assert (await say(one, "x" * 301))["type"] == "refused"
            await watcher.request(type="ping")
            assert len(watcher.chat) == 2
    async with run_server(tmp_path) as server, server.connect(table, secrets[0]) as one:
        assert [s["text"] for s in one.chat] == ["Anybody there?", ""]
        assert (await say(one, "Still here"))["type"] == "ack"
        await one.request(type="ping")
        assert one.chat[-1]["number"] == 2


async def test_chat_is_rate_limited(tmp_path: Path) -> None:
    async with run_server(tmp_path) as server:
        table, secrets = await server.create_table("me", "me")
        async with (
            server.connect(table, secrets[0]) as one,
            server.connect(table, secrets[1]) as two,
        ):
            answers = [await say(one, f"number {i}") for i in range(MAX_BURST + 3)]
            message = [answer["type"] for answer in answers]
            assert message[:MAX_BURST] == ["ack"] * MAX_BURST
            assert message[-1] == "refused"
            assert "too fast" in answers[-1]["reason"]["english"]
            assert (await say(two, "I was quiet"))["type"] == "ack"


async def test_chat_can_be_disabled(tmp_path: Path) -> None:
    async with run_server(tmp_path) as server:
        table, secrets = await server.create_table("me", "me", chat=False)
        async with server.connect(table, secrets[0]) as one:
            assert not one.table["chat"]
            assert (await say(one, "psst"))["type"] == "refused"
            assert (await say(one, phrase="hello"))["type"] == "refused"
            assert one.chat == []


def test_snapshots_contain_the_last_messages() -> None:
    talk = ChatHistory(
        [ChatRecord(number, 0, 1.0, "x") for number in range(MAX_KEPT_MESSAGES + 20)], 2
    )
    assert [s["number"] for s in talk.messages_since(0)] == list(range(20, MAX_KEPT_MESSAGES + 20))
    assert [s["number"] for s in talk.messages_since(MAX_KEPT_MESSAGES + 18)] == [
        MAX_KEPT_MESSAGES + 18,
        MAX_KEPT_MESSAGES + 19,
    ]
    assert talk.next_number == MAX_KEPT_MESSAGES + 20


async def test_old_chat_texts_are_deleted(tmp_path: Path) -> None:
    async with run_server(tmp_path) as server:
        table, secrets = await server.create_table("me", "me")
        async with server.connect(table, secrets[0]) as one:
            await say(one, "my address is a secret")
            await say(one, phrase="thanks")
            later = time.time() + 1
            assert await server.registry.store.cleanup.delete_chat_text(later) == 1
            server.registry.tables[table].chat.delete_text(later)
        async with server.connect(table) as watcher:
            assert [(s["text"], s["phrase"]) for s in watcher.chat] == [
                ("", ""),
                ("", "thanks"),
            ]
        stored = await server.registry.store.load(table)
        assert stored is not None
        assert "secret" not in str(stored.chat)


async def test_maintenance_deletes_old_texts_and_names(tmp_path: Path) -> None:
    seats = [{"kind": "me", "name": "Ana"}, {"kind": "bot", "name": "Robby"}]
    async with run_server(tmp_path) as server:
        founded = (await server.post("", seats=seats)).json()
        table, secret = founded["table"]["id"], founded["seats"][0]["secret"]
        async with server.connect(table, secret) as one:
            await say(one, "my address is a secret")
        await server.post(f"/{table}/resign", secret)
        await server.post(f"/{table}/reports", secret, kind="chat", said=0)
        assert len(await server.registry.store.list_reports(9)) == 1
    async with run_server(tmp_path) as server:
        stored = await server.registry.store.load(table)
        assert stored is not None
        assert stored.chat[0].text
        assert [seat.name for seat in stored.seats] == ["Ana", "Robby"]
    async with run_server(
        tmp_path, keep_chat_days=0, keep_names_days=0, keep_reports_days=0
    ) as server:
        for _ in range(100):
            await asyncio.sleep(0.02)
            stored = await server.registry.store.load(table)
            assert stored is not None
            if stored.seats[0].name != "Ana" and not await server.registry.store.list_reports(9):
                break
        assert stored.chat[0].text == ""
        assert [seat.name for seat in stored.seats] == ["P1", "Robby"]
        assert await server.registry.store.list_reports(9) == []
        assert (await server.get_table(table))["seats"][0]["name"] == "P1"


async def test_names_have_few_combining_marks(tmp_path: Path) -> None:
    """On creation, when joining, and when changed."""
    zalgo = "Z" + "\u0336" * 30 + "o"

    async with run_server(tmp_path) as server:
        seats = [
            {"kind": "me", "name": zalgo},
            {"kind": "open"},
            {"kind": "bot", "name": zalgo},
        ]
        founded = (await server.post("", seats=seats)).json()
        table, secret = founded["table"]["id"], founded["seats"][0]["secret"]
        await server.post(f"/{table}/join", name=f"\u0301{zalgo}")
        headers = {"Authorization": f"Bearer {secret}"}
        await server.http.patch(f"/api/tables/{table}/seat", json={"name": zalgo}, headers=headers)
        names = [seat["name"] for seat in (await server.get_table(table))["seats"]]
        assert names == ["Z\u0336\u0336\u0336o"] * 3
