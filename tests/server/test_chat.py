"""What people say at a table: heard by all, kept, cleaned, not too fast, and forgotten in time."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

from smashup.server.storage.records import ChatRecord
from smashup.server.tables.chat import AT_ONCE, TOLD, Talk
from smashup.server.tables.text import sanitize
from tests.server.house import Guest, serving


async def say(guest: Guest, text: str = "", **more: Any) -> dict[str, Any]:
    return await guest.say(type="chat", text=text, **more)


def test_words_are_tidied() -> None:
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


def test_people_talk_and_everybody_hears(tmp_path: Path) -> None:
    async def visit() -> None:
        async with serving(tmp_path) as house:
            table, secrets = await house.table("me", "open")
            async with house.guest(table, secrets[0]) as one, house.guest(table) as watcher:
                assert (await say(one, "Anybody\nthere?", id="a"))["type"] == "ack"
                assert (await say(one, "Anybody\nthere?", id="a"))["type"] == "ack", "counts once"
                assert (await say(one, phrase="hello"))["type"] == "ack"
                refused = await say(watcher, "me too")
                assert refused["type"] == "refused"
                await watcher.say(type="ping")
                heard = [(s["number"], s["seat"], s["text"], s["phrase"]) for s in watcher.chat]
                assert heard == [(0, 0, "Anybody there?", ""), (1, 0, "", "hello")]
                assert abs(watcher.chat[0]["at"] - time.time()) < 60
                for wrong in ("", " \n ", "\u200b"):
                    assert (await say(one, wrong))["type"] == "refused"
                assert (await say(one, "both", phrase="hello"))["type"] == "refused"
                assert (await say(one, phrase="rubbish"))["type"] == "refused"
                assert (await say(one, "x" * 301))["type"] == "refused"
                await watcher.say(type="ping")
                assert len(watcher.chat) == 2
        async with serving(tmp_path) as house, house.guest(table, secrets[0]) as one:
            assert [s["text"] for s in one.chat] == ["Anybody there?", ""]
            assert (await say(one, "Still here"))["type"] == "ack"
            await one.say(type="ping")
            assert one.chat[-1]["number"] == 2

    asyncio.run(visit())


def test_nobody_talks_too_fast(tmp_path: Path) -> None:
    async def visit() -> None:
        async with serving(tmp_path) as house:
            table, secrets = await house.table("me", "me")
            async with house.guest(table, secrets[0]) as one, house.guest(table, secrets[1]) as two:
                answers = [await say(one, f"number {i}") for i in range(AT_ONCE + 3)]
                said = [answer["type"] for answer in answers]
                assert said[:AT_ONCE] == ["ack"] * AT_ONCE
                assert said[-1] == "refused"
                assert "too fast" in answers[-1]["reason"]["english"]
                assert (await say(two, "I was quiet"))["type"] == "ack"

    asyncio.run(visit())


def test_a_table_may_be_silent(tmp_path: Path) -> None:
    async def visit() -> None:
        async with serving(tmp_path) as house:
            table, secrets = await house.table("me", "me", chat=False)
            async with house.guest(table, secrets[0]) as one:
                assert not one.table["chat"]
                assert (await say(one, "psst"))["type"] == "refused"
                assert (await say(one, phrase="hello"))["type"] == "refused"
                assert one.chat == []

    asyncio.run(visit())


def test_who_comes_is_told_the_last_of_it() -> None:
    talk = Talk([ChatRecord(number, 0, 1.0, "x") for number in range(TOLD + 20)], 2)
    assert [s["number"] for s in talk.since(0)] == list(range(20, TOLD + 20))
    assert [s["number"] for s in talk.since(TOLD + 18)] == [TOLD + 18, TOLD + 19]
    assert talk.next == TOLD + 20


def test_words_are_forgotten(tmp_path: Path) -> None:
    async def visit() -> None:
        async with serving(tmp_path) as house:
            table, secrets = await house.table("me", "me")
            async with house.guest(table, secrets[0]) as one:
                await say(one, "my address is a secret")
                await say(one, phrase="thanks")
                later = time.time() + 1
                assert await house.registry.store.cleanup.forget_words(later) == 1
                house.registry.tables[table].talk.forget_words(later)
            async with house.guest(table) as watcher:
                assert [(s["text"], s["phrase"]) for s in watcher.chat] == [
                    ("", ""),
                    ("", "thanks"),
                ]
            kept = await house.registry.store.load(table)
            assert kept is not None
            assert "secret" not in str(kept.chat)

    asyncio.run(visit())


def test_the_hub_forgets_words_and_names_in_time(tmp_path: Path) -> None:
    async def visit() -> None:
        seats = [{"kind": "me", "name": "Ana"}, {"kind": "bot", "name": "Robby"}]
        async with serving(tmp_path) as house:
            founded = (await house.post("", seats=seats)).json()
            table, secret = founded["table"]["id"], founded["seats"][0]["secret"]
            async with house.guest(table, secret) as one:
                await say(one, "my address is a secret")
            await house.post(f"/{table}/resign", secret)
            await house.post(f"/{table}/reports", secret, kind="chat", said=0)
            assert len(await house.registry.store.reports(9)) == 1
        async with serving(tmp_path) as house:
            kept = await house.registry.store.load(table)
            assert kept is not None
            assert kept.chat[0].text
            assert [seat.name for seat in kept.seats] == ["Ana", "Robby"]
        async with serving(tmp_path, keep_chat=0, keep_names=0, keep_reports=0) as house:
            for _ in range(100):
                await asyncio.sleep(0.02)
                kept = await house.registry.store.load(table)
                assert kept is not None
                if kept.seats[0].name != "Ana" and not await house.registry.store.reports(9):
                    break
            assert kept.chat[0].text == ""
            assert [seat.name for seat in kept.seats] == ["P1", "Robby"]
            assert await house.registry.store.reports(9) == []
            assert (await house.look(table))["seats"][0]["name"] == "P1"

    asyncio.run(visit())


def test_names_have_few_marks_on_a_letter(tmp_path: Path) -> None:
    """However somebody gets a name: as founder, by joining, or later."""
    zalgo = "Z" + "\u0336" * 30 + "o"

    async def visit() -> None:
        async with serving(tmp_path) as house:
            seats = [
                {"kind": "me", "name": zalgo},
                {"kind": "open"},
                {"kind": "bot", "name": zalgo},
            ]
            founded = (await house.post("", seats=seats)).json()
            table, secret = founded["table"]["id"], founded["seats"][0]["secret"]
            await house.post(f"/{table}/join", name=f"\u0301{zalgo}")
            headers = {"Authorization": f"Bearer {secret}"}
            await house.http.patch(
                f"/api/tables/{table}/seat", json={"name": zalgo}, headers=headers
            )
            names = [seat["name"] for seat in (await house.look(table))["seats"]]
            assert names == ["Z\u0336\u0336\u0336o"] * 3

    asyncio.run(visit())
