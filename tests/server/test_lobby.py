"""The lobby: tables are founded, found, joined, left, given up and played again."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest

from smashup.cards import catalogue
from smashup.server.storage.records import OPEN
from tests.server.house import House, serving


async def said(house: House, path: str, secret: str = "", **body: object) -> str:
    """The sentence with which something is refused."""
    answer = await house.post(path, secret, **body)
    assert 400 <= answer.status_code < 500, answer.text
    sentence: str = answer.json()["reason"]["english"]
    return sentence


def test_a_table_is_found_and_joined(tmp_path: Path) -> None:
    async def visit() -> None:
        async with serving(tmp_path) as house:
            table, (mine,) = await house.table("me", "open", "easy", listed=True)
            hidden, _ = await house.table("me", "open")
            listed = (await house.http.get("/api/tables")).json()["tables"]
            assert [t["id"] for t in listed] == [table], "not the private one"
            assert (await house.look(hidden))["state"] == "open"
            joined = await house.post(f"/{table}/join", name="  Bo\u202e\n ", lang="fr")
            assert joined.status_code == 201
            (taken,) = joined.json()["seats"]
            assert taken["seat"] == 1
            assert len(taken["secret"]) == 43, "256 bits"
            info = await house.look(table)
            assert info["state"] == "playing"
            assert [seat["name"] for seat in info["seats"]] == ["P1", "Bo", ""]
            assert (await house.http.get("/api/tables")).json()["tables"] == []
            playing = (await house.http.get("/api/tables?state=playing")).json()["tables"]
            assert [t["id"] for t in playing] == [table]
            assert await said(house, f"/{table}/join") == "There is no free seat at this table."
            assert await said(house, "/nowhere/join") == "There is no such table."
            renamed = await house.http.patch(
                f"/api/tables/{table}/seat",
                json={"name": "Ana", "windows": "pass"},
                headers={"Authorization": f"Bearer {mine}"},
            )
            assert renamed.json()["table"]["seats"][0]["name"] == "Ana"
            async with house.guest(table, mine) as ana, house.guest(table, taken["secret"]) as bo:
                assert ana.heard[-1]["wishes"] == {"lang": "en", "windows": "pass", "cards": []}
                assert bo.heard[-1]["wishes"] == {"lang": "fr", "windows": "ask", "cards": []}
            wrong = await said(house, f"/{table}/resign", "z" * 43)
            assert wrong == "This secret opens no seat at this table."
            assert "bearer token" in await said(house, f"/{table}/resign")
        with sqlite3.connect(tmp_path / "tables.sqlite") as file:
            kept = str(list(file.execute("SELECT * FROM seats")))
            assert mine not in kept
            assert taken["secret"] not in kept
        file.close()

    asyncio.run(visit())


def test_factions_are_chosen_once(tmp_path: Path) -> None:
    async def visit() -> None:
        async with serving(tmp_path) as house:
            founded = await house.post(
                "",
                seats=[{"kind": "me", "factions": ["Kaiju", "time t"]}, {"kind": "open"}],
                mode="choose",
            )
            table = founded.json()["table"]["id"]
            seats = founded.json()["table"]["seats"]
            assert seats[0]["factions"] == ["Kaiju", "Time Travelers"]
            taken = await said(house, f"/{table}/join", factions=["Kaiju"])
            assert taken == "Kaiju is taken."
            assert "no faction called «Cats»" in await said(
                house, f"/{table}/join", factions=["Cats"]
            )
            assert (await house.look(table))["seats"][1]["kind"] == OPEN
            assert (await house.post(f"/{table}/join", factions=["Mounties"])).status_code == 201
            game = house.registry.tables[table].game
            assert game is not None
            assert game.decision is not None
            played = [set(p["factions"]) for p in game.view(-1)["players"]]
            assert played[0] == {"Kaiju", "Time Travelers"}
            assert "Mounties" in played[1]
            assert "not chosen at this table" in await said(
                house, "", seats=[{"kind": "me", "factions": ["Kaiju"]}, {"kind": "bot"}]
            )

    asyncio.run(visit())


def test_who_leaves_before_the_game_frees_the_seat(tmp_path: Path) -> None:
    async def visit() -> None:
        async with serving(tmp_path) as house:
            table, (mine,) = await house.table("me", "open", "open")
            bo = (await house.post(f"/{table}/join")).json()["seats"][0]["secret"]
            await house.post(f"/{table}/leave", bo)
            assert (await house.look(table))["seats"][1]["kind"] == OPEN
            assert await said(house, f"/{table}/leave", bo), "the secret is worth nothing now"
            await house.post(f"/{table}/leave", mine)
            assert (await house.look(table))["state"] == "over"

    asyncio.run(visit())


def test_resigning_and_playing_again(tmp_path: Path) -> None:
    async def visit() -> None:
        async with serving(tmp_path) as house:
            table, (one, two, three) = await house.table("me", "me", "me")
            assert "game that is over" in await said(house, f"/{table}/rematch", one)
            answer = await house.post(f"/{table}/resign", one)
            info = answer.json()["table"]
            assert (info["state"], info["seats"][0]["kind"]) == ("playing", "bot")
            assert "resigned" in await said(house, f"/{table}/return", one)
            info = (await house.post(f"/{table}/resign", three)).json()["table"]
            assert (info["state"], info["winners"]) == ("over", [1])
            first = (await house.post(f"/{table}/rematch", two)).json()["table"]
            assert (first["state"], first["players"]) == ("open", 3)
            assert [seat["ready"] for seat in first["seats"]] == [False, True, False]
            for secret in (one, three):
                again = (await house.post(f"/{table}/rematch", secret)).json()["table"]
                assert again["id"] == first["id"]
            assert again["state"] == "playing"
            async with house.guest(first["id"], three) as guest:
                assert guest.view is not None
                assert guest.view["you"] == 2

    asyncio.run(visit())


def test_a_bot_for_somebody_who_is_gone(tmp_path: Path) -> None:
    async def visit() -> None:
        async with serving(tmp_path, abandoned=1000) as house:
            table, (one, two, three) = await house.table("me", "me", "me")
            place = f"/{table}/seats/2/replace"
            assert await said(house, place, one) == "P3 is still here."
            await house.post(f"/{table}/leave", three)
            votes = (await house.post(place, one, level="easy")).json()["table"]["seats"][2]
            assert (votes["kind"], votes["votes"], votes["left"]) == ("person", [0], True)
            assert "own seat" in await said(house, place, three)
            seat = (await house.post(place, two, level="easy")).json()["table"]["seats"][2]
            assert (seat["kind"], seat["level"]) == ("bot", "easy")
            async with house.guest(table, three) as guest:
                refused = await guest.answer(0, number=guest.number)
                assert "bot plays this seat" in refused["reason"]["english"]
            back = (await house.post(f"/{table}/return", three)).json()["table"]["seats"][2]
            assert (back["kind"], back["left"], back["votes"]) == ("person", False, [])

    asyncio.run(visit())


def test_what_tables_are_made_of(tmp_path: Path) -> None:
    async def visit() -> None:
        async with serving(tmp_path) as house:
            meta = (await house.http.get("/api/meta")).json()
            assert [f["name"] for f in meta["factions"]] == [f.name for f in catalogue().factions]
            assert all(f["set_name"] and f["blurb"] for f in meta["factions"])
            assert [e["key"] for e in meta["editions"]] == ["SB", "CD", "BIJ", "II", "CS"]
            assert [level["name"] for level in meta["levels"]] == [
                "easy", "normal", "hard", "expert",
            ]  # fmt: skip
            decks = (await house.http.get("/api/cards?printing=current")).json()["decks"]
            assert sum(c["copies"] for deck in decks for c in deck["cards"]) == 20 * len(
                meta["factions"]
            )
            french = (await house.http.get("/api/phrases/fr")).json()["phrases"]
            assert french["Furious George"] == "George en Furie"
            one = (await house.http.get("/api/cards", params={"faction": "Kaiju"})).json()["decks"]
            assert [deck["faction"] for deck in one] == ["Kaiju"]
            unknown = await house.http.get("/api/cards", params={"faction": "Gnomes"})
            assert unknown.status_code == 404
            assert unknown.json()["reason"]["english"] == "There is no faction called «Gnomes»."

    asyncio.run(visit())


@pytest.mark.parametrize("name", ["nothing", "no.such-table", "a" * 33, "%C3%A9"])
def test_a_table_that_is_not_there(tmp_path: Path, name: str) -> None:
    async def visit() -> None:
        async with serving(tmp_path) as house:
            answer = await house.http.get(f"/api/tables/{name}")
            assert answer.status_code == 404
            assert answer.json()["reason"]["english"].startswith("There is no")

    asyncio.run(visit())


@pytest.mark.parametrize("name", ["nothing", "a%00b", "a" * 33, "%C3%A9"])
def test_a_socket_of_a_table_that_is_not_there(
    tmp_path: Path, database: Path | str, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def visit() -> None:
        async with serving(tmp_path, database=database) as house, house.guest(name) as guest:
            refused = guest.heard[-1]
            assert refused["reason"]["english"] == "There is no such table."

    asyncio.run(visit())
    assert "table_damaged" not in caplog.text


def test_what_never_changes_is_written_once(tmp_path: Path) -> None:
    async def visit() -> None:
        async with serving(tmp_path) as house:
            first = await house.http.get("/api/cards")
            assert first.headers["Content-Encoding"] == "gzip"
            assert "max-age" in first.headers["Cache-Control"]
            tag = {"If-None-Match": first.headers["ETag"]}
            again = await house.http.get("/api/cards", headers=tag)
            assert (again.status_code, again.content) == (304, b"")
            other = await house.http.get("/api/cards?printing=current", headers=tag)
            assert other.status_code == 200
            assert other.json()["printing"] == "current"

    asyncio.run(visit())
