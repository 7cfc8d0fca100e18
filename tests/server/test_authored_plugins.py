"""Factions and bots of other people at a table: what fails is named, and the table goes on."""

from __future__ import annotations

import asyncio
from pathlib import Path

from smashup.bots import plugins
from tests.cards.wrong_factions import GOOD
from tests.server.house import a_decision_of, serving


def test_a_card_that_fails_is_named_and_the_choice_taken_back(tmp_path: Path) -> None:
    file = tmp_path / "stones.py"
    file.write_text(GOOD.replace("        # slide", "        raise ValueError('slip')"))

    async def visit() -> None:
        async with serving(tmp_path, faction_files=(str(file),)) as house:
            pairs = [["Stones", "Kaiju"], ["Mounties", "Ignobles"]]
            seats = [{"kind": "me", "factions": pair} for pair in pairs]
            made = (await house.post("", seats=seats, mode="choose")).json()
            table, secrets = made["table"]["id"], [seat["secret"] for seat in made["seats"]]
            async with (
                house.guest(table, secrets[0]) as one,
                house.guest(table, secrets[1]) as two,
            ):
                for _ in range(200):
                    asked = await a_decision_of((one, two))
                    slides = [
                        option["index"]
                        for option in asked.options
                        if option.get("card", {}).get("name") == "Slide"
                        and option.get("verb") == "play"
                    ]
                    if slides:
                        number = asked.number
                        told = await asked.answer(slides[0])
                        assert told["type"] == "refused"
                        assert "Slide" in str(told["reason"])
                        assert "slip" not in str(told)
                        assert str(file) not in str(told)
                        assert asked.number == number
                        assert (await asked.answer(len(asked.options) - 1))["type"] == "ack"
                        return
                    # End turns and discard the oldest cards, so that the hand changes.
                    is_menu = "verb" in asked.options[-1]
                    await asked.answer(len(asked.options) - 1 if is_menu else 0)
                raise AssertionError("the card was never offered")

    asyncio.run(visit())


def test_a_bot_of_the_operator_that_fails_does_not_stop_its_table(tmp_path: Path) -> None:
    file = tmp_path / "my_bot.py"
    file.write_text(
        "from smashup.bots.bot import Bot\n\n\nclass Bad(Bot):\n    name = 'bad'\n\n"
        "    def think(self, info, progress):\n        raise SystemExit\n"
    )

    async def visit() -> None:
        async with serving(tmp_path, bot_files=(str(file),)) as house:
            names = [
                level["name"] for level in (await house.http.get("/api/meta")).json()["levels"]
            ]
            assert names == ["easy", "normal", "hard", "expert", "bad"]
            wrong = await house.post("", seats=[{"kind": "me"}, {"kind": "bot", "level": "worse"}])
            assert wrong.status_code == 422
            table, secrets = await house.table("me", "bad")
            async with house.guest(table, secrets[0]) as one:
                for _ in range(12):
                    asked = await a_decision_of((one,))
                    assert (await asked.answer(len(asked.options) - 1))["type"] == "ack"

    try:
        asyncio.run(visit())
    finally:
        plugins._named.clear()
        plugins._loaded.clear()
