"""Hints and chances for somebody among bots, and for nobody else."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

from smashup.engine.replay.dealing import Dealer
from smashup.server.tables.table import Table
from tests.server.house import Guest, serving


async def ask(guest: Guest, **more: Any) -> dict[str, Any]:
    return await guest.say(**{"type": "hint", "number": guest.number, **more})


async def at_a_choice(guest: Guest, dice: random.Random) -> None:
    """Play until there is something to choose."""
    while len(guest.options) < 3:
        await guest.play(dice, 1)
        await guest.say(type="ping")


def test_a_strong_bot_gives_hints_among_bots(tmp_path: Path) -> None:
    async def visit() -> None:
        async with serving(tmp_path) as house:
            table, secrets = await house.table("me", "easy", "easy")
            async with house.guest(table, secrets[0]) as guest, house.guest(table) as watcher:
                dice = random.Random(3)
                for _ in range(4):
                    await at_a_choice(guest, dice)
                    given = len(house.registry.tables[table].answers)
                    assert guest.scene["hints"]
                    assert not watcher.scene["hints"]
                    hint = await ask(guest)
                    assert hint["type"] == "hint", hint
                    assert hint["number"] == guest.number
                    assert 0 <= hint["option"] < len(guest.options)
                    assert all(0 <= o["chance"] <= 1 for o in hint["opinions"])
                    assert {o["option"] for o in hint["opinions"]} <= set(range(len(guest.options)))
                    again = await ask(guest)
                    assert (again["option"], again["opinions"]) == (
                        hint["option"], hint["opinions"],
                    )  # fmt: skip
                    assert len(house.registry.tables[table].answers) == given, "nothing was chosen"
                    assert (await ask(guest, number=hint["number"] + 1))["stale"]
                    assert (await ask(watcher, number=0))["type"] == "refused"
                    answer = await guest.answer(hint["option"])
                    assert answer["type"] == "ack"

    asyncio.run(visit())


def test_nobody_gets_help_against_people(tmp_path: Path) -> None:
    async def visit() -> None:
        async with serving(tmp_path) as house:
            table, secrets = await house.table("me", "me", "easy")
            async with house.guest(table, secrets[0]) as one, house.guest(table, secrets[1]) as two:
                for guest in (one, two):
                    assert not guest.scene["hints"]
                    assert guest.scene["chances"] is None
                    refused = await ask(guest)
                    assert refused["type"] == "refused"
                # Who has resigned is no person any more: then there is help.
                await house.post(f"/{table}/resign", secrets[1])
                await one.say(type="ping")
                assert one.scene["hints"]

    asyncio.run(visit())


def test_chances_are_told_and_do_not_depend_on_hidden_cards(tmp_path: Path) -> None:
    async def visit() -> None:
        async with serving(tmp_path) as house:
            table, secrets = await house.table("me", "easy")
            async with house.guest(table, secrets[0]) as guest, house.guest(table) as watcher:
                dice = random.Random(4)
                told = set()
                for _ in range(25):
                    await guest.play(dice, 1)
                    await guest.say(type="ping")
                    chances = guest.scene["chances"]
                    if chances is not None:
                        assert abs(sum(chances) - 1) < 0.01
                        assert all(round(chance, 3) == chance for chance in chances)
                        told.add(tuple(chances))
                await watcher.say(type="ping")
                assert watcher.scene["chances"] is None
                assert len(told) > 3
                while not guest.options:
                    await guest.hear()  # the bot has played
                live = house.registry.tables[table]
                before = guest.version
                live.publish()
                await guest.say(type="ping")
                assert guest.version == before, "the same position is told once"
                async with live.lock:
                    same_on_a_dealt_table(live)

    asyncio.run(visit())


def same_on_a_dealt_table(live: Table) -> None:
    """What is told is the same when everything that the seat cannot know lies otherwise."""
    assert live.game is not None
    for seed in range(5):
        live.advice._judged, live.advice._chances = -1, None
        told = live.advice.chances(live, 0)
        assert told is not None
        real, dealt = live.game, Dealer(live.game, 0).deal(random.Random(seed))
        dealt.table.answers = real.answers[:]  # chance goes by how many there are
        live.game = dealt
        live.advice._judged, live.advice._chances = -1, None
        assert live.advice.chances(live, 0) == told
        live.game = real
