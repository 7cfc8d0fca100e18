"""Third-party factions and bots: failures are reported, and the table continues."""

from __future__ import annotations

import asyncio
from pathlib import Path

from smashup.bots import plugins
from tests.cards.wrong_factions import GOOD
from tests.server.live_server import run_server, wait_for_decision


async def test_a_failing_card_is_named_and_the_choice_undone(tmp_path: Path) -> None:
    file = tmp_path / "stones.py"
    file.write_text(GOOD.replace("        # slide", "        raise ValueError('slip')"))

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
