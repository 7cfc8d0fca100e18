"""The lobby: creating, joining, leaving, resigning and rematches."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest

from smashup.cards import catalogue
from smashup.server.storage.records import OPEN
from tests.server.live_server import LiveServer, run_server


async def refusal_text(server: LiveServer, path: str, secret: str = "", **body: object) -> str:
    """Return the sentence of a refusal."""
    answer = await server.post(path, secret, **body)
    assert 400 <= answer.status_code < 500, answer.text
    sentence: str = answer.json()["reason"]["english"]
    return sentence


async def test_create_and_join_a_table(tmp_path: Path) -> None:
    async with run_server(tmp_path) as server:
        table, (mine,) = await server.create_table("me", "open", "easy", listed=True)
        hidden, _ = await server.create_table("me", "open")
        listed = (await server.http.get("/api/tables")).json()["tables"]
        assert [t["id"] for t in listed] == [table], "not the private one"
        assert (await server.get_table(hidden))["state"] == "open"
        joined = await server.post(f"/{table}/join", name="  Bo\u202e\n ", lang="fr")
        assert joined.status_code == 201
        (taken,) = joined.json()["seats"]
        assert taken["seat"] == 1
        assert len(taken["secret"]) == 43, "256 bits"
        info = await server.get_table(table)
        assert info["state"] == "playing"
        assert [seat["name"] for seat in info["seats"]] == ["P1", "Bo", ""]
        assert (await server.http.get("/api/tables")).json()["tables"] == []
        playing = (await server.http.get("/api/tables?state=playing")).json()["tables"]
        assert [t["id"] for t in playing] == [table]
        assert (
            await refusal_text(server, f"/{table}/join") == "There is no free seat at this table."
        )
        assert await refusal_text(server, "/nowhere/join") == "There is no such table."
        renamed = await server.http.patch(
            f"/api/tables/{table}/seat",
            json={"name": "Ana", "windows": "pass"},
            headers={"Authorization": f"Bearer {mine}"},
        )
        assert renamed.json()["table"]["seats"][0]["name"] == "Ana"
        async with server.connect(table, mine) as ana, server.connect(table, taken["secret"]) as bo:
            assert ana.received[-1]["wishes"] == {"lang": "en", "windows": "pass", "cards": []}
            assert bo.received[-1]["wishes"] == {"lang": "fr", "windows": "ask", "cards": []}
        wrong = await refusal_text(server, f"/{table}/resign", "z" * 43)
        assert wrong == "This secret is not valid at this table."
        assert "bearer token" in await refusal_text(server, f"/{table}/resign")
    with sqlite3.connect(tmp_path / "tables.sqlite") as file:
        stored = str(list(file.execute("SELECT * FROM seats")))
        assert mine not in stored
        assert taken["secret"] not in stored
    file.close()


async def test_a_faction_can_be_chosen_once(tmp_path: Path) -> None:
    async with run_server(tmp_path) as server:
        founded = await server.post(
            "",
            seats=[{"kind": "me", "factions": ["Kaiju", "time t"]}, {"kind": "open"}],
            mode="choose",
        )
        table = founded.json()["table"]["id"]
        seats = founded.json()["table"]["seats"]
        assert seats[0]["factions"] == ["Kaiju", "Time Travelers"]
        taken = await refusal_text(server, f"/{table}/join", factions=["Kaiju"])
        assert taken == "Kaiju is taken."
        assert "no faction called “Cats”" in await refusal_text(
            server, f"/{table}/join", factions=["Cats"]
        )
        assert (await server.get_table(table))["seats"][1]["kind"] == OPEN
        assert (await server.post(f"/{table}/join", factions=["Mounties"])).status_code == 201
        game = server.registry.tables[table].game
        assert game is not None
        assert game.decision is not None
        played = [set(p["factions"]) for p in game.view(-1)["players"]]
        assert played[0] == {"Kaiju", "Time Travelers"}
        assert "Mounties" in played[1]
        assert "not chosen at this table" in await refusal_text(
            server, "", seats=[{"kind": "me", "factions": ["Kaiju"]}, {"kind": "bot"}]
        )


async def test_leaving_before_the_game_frees_the_seat(tmp_path: Path) -> None:
    async with run_server(tmp_path) as server:
        table, (mine,) = await server.create_table("me", "open", "open")
        bo = (await server.post(f"/{table}/join")).json()["seats"][0]["secret"]
        await server.post(f"/{table}/leave", bo)
        assert (await server.get_table(table))["seats"][1]["kind"] == OPEN
        assert await refusal_text(server, f"/{table}/leave", bo), "the secret is worth nothing now"
        await server.post(f"/{table}/leave", mine)
        assert (await server.get_table(table))["state"] == "over"


async def test_resign_and_rematch(tmp_path: Path) -> None:
    async with run_server(tmp_path) as server:
        table, (one, two, three) = await server.create_table("me", "me", "me")
        assert "once the game is over" in await refusal_text(server, f"/{table}/rematch", one)
        answer = await server.post(f"/{table}/resign", one)
        info = answer.json()["table"]
        assert (info["state"], info["seats"][0]["kind"]) == ("playing", "bot")
        assert "resigned" in await refusal_text(server, f"/{table}/return", one)
        info = (await server.post(f"/{table}/resign", three)).json()["table"]
        assert (info["state"], info["winners"]) == ("over", [1])
        first = (await server.post(f"/{table}/rematch", two)).json()["table"]
        assert (first["state"], first["players"]) == ("open", 3)
        assert [seat["ready"] for seat in first["seats"]] == [False, True, False]
        for secret in (one, three):
            again = (await server.post(f"/{table}/rematch", secret)).json()["table"]
            assert again["id"] == first["id"]
        assert again["state"] == "playing"
        async with server.connect(first["id"], three) as client:
            assert client.view is not None
            assert client.view["you"] == 2


async def test_players_can_replace_an_absent_player(tmp_path: Path) -> None:
    async with run_server(tmp_path, abandoned_seat_seconds=1000) as server:
        table, (one, two, three) = await server.create_table("me", "me", "me")
        place = f"/{table}/seats/2/replace"
        assert (
            await refusal_text(server, place, one)
            == "P3 is still connected, or was until a moment ago."
        )
        await server.post(f"/{table}/leave", three)
        votes = (await server.post(place, one, level="easy")).json()["table"]["seats"][2]
        assert (votes["kind"], votes["votes"], votes["left"]) == ("person", [0], True)
        assert "own seat" in await refusal_text(server, place, three)
        seat = (await server.post(place, two, level="easy")).json()["table"]["seats"][2]
        assert (seat["kind"], seat["level"]) == ("bot", "easy")
        async with server.connect(table, three) as client:
            refused = await client.answer(0, number=client.number)
            assert "bot plays this seat" in refused["reason"]["english"]
        back = (await server.post(f"/{table}/return", three)).json()["table"]["seats"][2]
        assert (back["kind"], back["left"], back["votes"]) == ("person", False, [])


async def test_meta_lists_the_options_for_tables(tmp_path: Path) -> None:
    async with run_server(tmp_path) as server:
        meta = (await server.http.get("/api/meta")).json()
        assert [f["name"] for f in meta["factions"]] == [f.name for f in catalogue().factions]
        assert all(f["set_name"] and f["blurb"] for f in meta["factions"])
        assert [e["key"] for e in meta["editions"]] == ["SB", "CD", "BIJ", "II", "CS"]
        assert [level["name"] for level in meta["levels"]] == [
            "easy", "normal", "hard", "expert",
        ]  # fmt: skip
        decks = (await server.http.get("/api/cards?printing=current")).json()["decks"]
        assert sum(c["copies"] for deck in decks for c in deck["cards"]) == 20 * len(
            meta["factions"]
        )
        french = (await server.http.get("/api/phrases/fr")).json()["phrases"]
        assert french["Furious George"] == "George en Furie"
        one = (await server.http.get("/api/cards", params={"faction": "Kaiju"})).json()["decks"]
        assert [deck["faction"] for deck in one] == ["Kaiju"]
        unknown = await server.http.get("/api/cards", params={"faction": "Gnomes"})
        assert unknown.status_code == 404
        assert unknown.json()["reason"]["english"] == "There is no faction called “Gnomes”."


@pytest.mark.parametrize("name", ["nothing", "no.such-table", "a" * 33, "%C3%A9"])
async def test_unknown_tables_are_not_found(tmp_path: Path, name: str) -> None:
    async with run_server(tmp_path) as server:
        answer = await server.http.get(f"/api/tables/{name}")
        assert answer.status_code == 404
        assert answer.json()["reason"]["english"].startswith("There is no")


@pytest.mark.parametrize("name", ["nothing", "a%00b", "a" * 33, "%C3%A9"])
def test_sockets_of_unknown_tables_are_refused(
    tmp_path: Path, database: Path | str, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def visit() -> None:
        async with (
            run_server(tmp_path, database=database) as server,
            server.connect(name) as client,
        ):
            refused = client.received[-1]
            assert refused["reason"]["english"] == "There is no such table."

    asyncio.run(visit())
    assert "table_damaged" not in caplog.text


async def test_constant_responses_are_cached(tmp_path: Path) -> None:
    async with run_server(tmp_path) as server:
        first = await server.http.get("/api/cards")
        assert first.headers["Content-Encoding"] == "gzip"
        assert "max-age" in first.headers["Cache-Control"]
        tag = {"If-None-Match": first.headers["ETag"]}
        again = await server.http.get("/api/cards", headers=tag)
        assert (again.status_code, again.content) == (304, b"")
        other = await server.http.get("/api/cards?printing=current", headers=tag)
        assert other.status_code == 200
        assert other.json()["printing"] == "current"
