"""Third-party factions and bots: failures are reported, and the table continues."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from smashup.bots import plugins
from smashup.server.operations import logs
from smashup.server.tables.seats import seating
from tests.cards.wrong_factions import VALID_FACTION
from tests.server.live_server import GameClient, LiveServer, run_server, wait_for_decision


async def test_a_failing_card_is_named_and_the_choice_undone(tmp_path: Path) -> None:
    file = tmp_path / "stones.py"
    file.write_text(VALID_FACTION.replace("        # slide", "        raise ValueError('slip')"))

    async with run_server(tmp_path, faction_files=(str(file),)) as server:
        pairs = [["Stones", "Kaiju"], ["Mounties", "Ignobles"]]
        seats = [{"kind": "me", "factions": pair} for pair in pairs]
        made = (await server.post("", seats=seats, mode="choose")).json()
        table, secrets = made["table"]["id"], [seat["secret"] for seat in made["seats"]]
        async with (
            server.connect(table, secrets[0]) as one,
            server.connect(table, secrets[1]) as two,
        ):
            for _ in range(200):
                asked = await wait_for_decision((one, two))
                slides = [
                    option["index"]
                    for option in asked.options
                    if option.get("card", {}).get("name") == "Slide"
                    and option.get("verb") == "play"
                ]
                if slides:
                    number = asked.number
                    received = await asked.answer(slides[0])
                    assert received["type"] == "refused"
                    assert "Slide" in str(received["reason"])
                    assert "slip" not in str(received)
                    assert str(file) not in str(received)
                    assert asked.number == number
                    assert (await asked.answer(len(asked.options) - 1))["type"] == "ack"
                    return
                # End turns and discard the oldest cards, so that the hand changes.
                is_menu = "verb" in asked.options[-1]
                await asked.answer(len(asked.options) - 1 if is_menu else 0)
            raise AssertionError("the card was never offered")


def write_stuck_faction(folder: Path) -> tuple[Path, int]:
    """Write a faction whose Rock fails at the start of each turn of its player; return the file
    and the line that fails."""
    file = folder / "stones.py"
    ability = "    def start_of_turn(self, me, ev):\n        raise ValueError('stuck')\n"
    file.write_text(VALID_FACTION.replace("    # rock\n", ability))
    return file, file.read_text().splitlines().index("        raise ValueError('stuck')") + 1


async def create_stuck_table(server: LiveServer) -> tuple[str, str]:
    """Create a table of a person with this faction and a bot; return the person's secret too."""
    seats = [
        {"kind": "me", "factions": ["Stones", "Kaiju"]},
        {"kind": "bot", "level": "easy", "factions": ["Mounties", "Ignobles"]},
    ]
    made = (await server.post("", seats=seats, mode="choose")).json()
    return made["table"]["id"], made["seats"][0]["secret"]


def shows_failure(client: GameClient) -> bool:
    return "The card Rock failed" in str(client.log)


async def play_until_failure(client: GameClient) -> None:
    """Play Rocks and end turns until the bot cannot answer and the end of the turn is undone."""
    while True:
        asked = await wait_for_decision((client,))
        if shows_failure(client):
            return
        rocks = [o for o in asked.options if o.get("card", {}).get("name") == "Rock"]
        plays = [o for o in rocks if o.get("verb") == "play"]
        others = [o for o in asked.options if o not in rocks]
        choice = (plays or others[-1:] or asked.options)[0]["index"]
        assert (await asked.answer(choice))["type"] == "ack"


async def test_a_choice_is_undone_if_all_answers_of_a_bot_after_it_fail(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seating, "new_secret", lambda: f"{1:064x}")  # always the same game
    monkeypatch.setattr(logs, "_THROTTLE", logs._Throttle())  # tests before may have filled it
    file, line = write_stuck_faction(tmp_path)
    async with run_server(tmp_path, faction_files=(str(file),)) as server:
        table, secret = await create_stuck_table(server)
        async with server.connect(table, secret) as client:
            await play_until_failure(client)
    assert f"stones.py:{line}" in caplog.text

    def is_rock_in_play() -> bool:
        assert client.view is not None
        return "Rock" in str(client.view["bases"])

    async with (
        run_server(tmp_path, faction_files=(str(file),)) as server,
        server.connect(table, secret) as client,
    ):
        assert shows_failure(client), "also after a restart"
        for number in range(9):  # undo until the Rock is back in the hand
            if is_rock_in_play():
                assert client.state["can_undo"]
                assert (await client.undo(id=f"undo-{number}"))["type"] == "ack"
                await client.request(type="ping")
        assert not is_rock_in_play()


def test_a_failing_custom_bot_does_not_stop_its_table(tmp_path: Path) -> None:
    file = tmp_path / "my_bot.py"
    file.write_text(
        "from smashup.bots.bot import Bot\n\n\nclass Bad(Bot):\n    name = 'bad'\n\n"
        "    def think(self, info, progress):\n        raise SystemExit\n"
    )

    async def visit() -> None:
        async with run_server(tmp_path, bot_files=(str(file),)) as server:
            names = [
                level["name"] for level in (await server.http.get("/api/meta")).json()["levels"]
            ]
            assert names == ["easy", "normal", "hard", "expert", "bad"]
            wrong = await server.post("", seats=[{"kind": "me"}, {"kind": "bot", "level": "worse"}])
            assert wrong.status_code == 422
            table, secrets = await server.create_table("me", "bad")
            async with server.connect(table, secrets[0]) as one:
                for _ in range(12):
                    asked = await wait_for_decision((one,))
                    assert (await asked.answer(len(asked.options) - 1))["type"] == "ack"

    try:
        asyncio.run(visit())
    finally:
        plugins._named.clear()
        plugins._loaded.clear()
