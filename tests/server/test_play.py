"""Playing over the socket: whole games, people who drop out, messages that come twice."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

from websockets.asyncio.client import connect

from smashup.engine.game import Game
from smashup.engine.model.setup import Setup
from tests.server.house import Guest, House, a_decision_of, serving


def replayed(house: House, table_id: str) -> Game:
    """A table's game, played again from what it holds."""
    table = house.registry.tables[table_id]
    setup = Setup.from_json(table.record.setup)
    return Game.replay(setup, house.registry.cards, [a.option for a in table.answers])


def unsaid(data: Any) -> Any:
    """A message without what was added in a language."""
    if isinstance(data, list):
        return [unsaid(item) for item in data]
    if isinstance(data, dict):
        return {key: unsaid(value) for key, value in data.items() if key != "said"}
    return data


def test_two_people_play_a_whole_game_with_mishaps(tmp_path: Path) -> None:
    """A reconnect, a message that comes twice, a stale one and an illegal one on the way."""

    async def play() -> None:
        async with serving(tmp_path) as house:
            table, (mine,) = await house.table("me", "open")
            joined = await house.post(f"/{table}/join", name="Bo")
            theirs = joined.json()["seats"][0]["secret"]
            dice = random.Random(7)
            async with house.guest(table, theirs) as bo, house.guest(table, lang="fr") as watcher:
                async with house.guest(table, mine) as ana:
                    other = asyncio.create_task(bo.play(random.Random(8)))
                    await ana.play(dice, 12)
                # Ana's connection drops; while she is away Bo may go on.
                async with house.back(ana, table, mine):
                    while not ana.options:
                        await ana.hear()
                    assert not any(m["type"] == "snapshot" for m in ana.heard), "only what is new"
                    await mishaps(ana)
                    await ana.play(dice)
                    await other
                    while not watcher.is_over:
                        await watcher.hear()
                    said = [
                        line["message"]["said"]
                        for m in watcher.heard
                        for line in m.get("lines", [])
                    ]
                    assert any(words.startswith("P1 pioche") for words in said)
                    assert any(words.startswith("Bo pioche") for words in said)
                    game = replayed(house, table)
                    live = house.registry.tables[table].game
                    assert live is not None
                    assert game.is_over
                    assert game.digest() == live.digest()
                    assert ana.view == game.view(0)
                    assert bo.view == game.view(1)
                    assert unsaid(watcher.view) == game.view(-1)
                    assert ana.table["winners"] == game.winners
                    assert bo.log == {n: str(line) for n, line in game.log_lines(1)}

    async def mishaps(ana: Guest) -> None:
        number = ana.number
        assert number is not None
        before = ana.view
        many = await ana.answer(10_000)
        assert (many["type"], many["stale"]) == ("refused", False)
        assert "10000 is not one of" in many["reason"]["english"]
        early = await ana.answer(0, number=number + 1)
        assert (early["type"], early["stale"]) == ("refused", True)
        assert before is not None
        assert early["decision"] == before["decision"]
        first = await ana.answer(0, id="once")
        again = await ana.answer(0, id="once")
        assert first == again == {"type": "ack", "id": "once", "number": number + 1}
        late = await ana.answer(0, number=number)
        # Bo plays on meanwhile: by now more than one further question may have come and gone.
        assert late["stale"]
        assert late["number"] > number

    asyncio.run(play())


def test_the_wrong_people_cannot_act(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as house:
            table, secrets = await house.table("me", "me")
            async with (
                house.guest(table, secrets[0]) as one,
                house.guest(table, secrets[1]) as two,
                house.guest(table) as watcher,
            ):
                asked, idle = (one, two) if one.options else (two, one)
                foreign = await idle.answer(0)
                assert foreign["reason"]["english"] == "It is not your decision."
                assert foreign["decision"].keys() == {"player"}, "nothing of somebody's options"
                spectator = await watcher.say(type="answer", number=0, options=[0])
                assert spectator["type"] == "refused"
                assert len(house.registry.tables[table].answers) == 0
                assert (await asked.answer(0))["type"] == "ack"
            async with house.guest(table, "x" * 43) as nobody:
                refused = nobody.heard[-1]
                assert refused["reason"]["english"] == "This secret opens no seat at this table."

    asyncio.run(play())


def test_spectators_see_what_everybody_sees(tmp_path: Path) -> None:
    """At every step a spectator has the view of a spectator, and so has each seat its own."""

    async def play() -> None:
        async with serving(tmp_path) as house:
            table, secrets = await house.table("me", "me")
            dice = random.Random(3)
            async with (
                house.guest(table, secrets[0]) as one,
                house.guest(table, secrets[1]) as two,
                house.guest(table) as watcher,
            ):
                for _ in range(30):
                    asked = await a_decision_of([one, two])
                    await asked.answer(dice.randrange(len(asked.options)))
                    live = house.registry.tables[table]
                    for guest, viewer in ((one, 0), (two, 1), (watcher, -1)):
                        game = None
                        while game is None or game is not live.game:  # the server passes for some
                            game = live.game
                            await guest.say(type="ping")
                        expected: Any = game.view(viewer)
                        shown = guest.view
                        assert shown is not None
                        decision = shown["decision"] or {}
                        if decision.get("window") and "question" in decision:
                            expected["decision"]["window"] = True
                        elif decision.get("window"):
                            expected["decision"] = {"player": None, "window": True}
                        assert shown == expected
                    text = str(watcher.heard)
                    assert "secret" not in text
                    assert "seed" not in text

    asyncio.run(play())


def test_several_picks_go_together_or_not_at_all(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as house:
            table, secrets = await house.table("me", "me", mode="draft")
            async with house.guest(table, secrets[0]) as one, house.guest(table, secrets[1]) as two:
                # In a snake draft the last player picks twice.
                asked = await a_decision_of([one, two])
                last = two if asked is one else one
                refused = await asked.answer(0, 1)
                assert "do not go together" in refused["reason"]["english"]
                assert (await asked.answer(0, 0))["type"] == "refused"
                assert house.registry.tables[table].answers == []
                await asked.answer(0)
                while not last.options:
                    await last.hear()
                wanted = [last.options[i]["faction"] for i in (4, 2)]
                both = await last.answer(4, 2, id="both")
                assert (both["type"], both["number"]) == ("ack", 2)
                assert (await last.answer(4, 2, id="both", number=0)) == both
                game = house.registry.tables[table].game
                assert game is not None
                seat = 0 if last is one else 1
                names = [game.catalogue.factions[i].name for i in game.table.state.drafted[seat]]
                assert names == wanted

    asyncio.run(play())


def test_who_knows_another_stream_is_told_everything(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as house:
            table, secrets = await house.table("me", "me")
            async with house.guest(table, secrets[0]) as one:
                version = one.version
            one.stream = "of another server"
            async with house.back(one, table, secrets[0]):
                assert (await one.until("snapshot"))["seat"] == 0
            assert one.stream != "of another server"
            one.version = version + 1000
            async with house.back(one, table, secrets[0]):
                assert (await one.until("snapshot"))["version"] < 1000

    asyncio.run(play())


def test_a_table_may_keep_its_doors_closed(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as house:
            table, (mine,) = await house.table("me", "open", spectators=False)
            async with house.guest(table, mine) as founder, connect(house.socket(table)) as line:
                refused = await Guest(line).hello(None)
                assert refused["reason"]["english"] == "Nobody may watch this table."
                assert founder.view is None, "it has not begun"
                early = await founder.answer(0)
                assert early["reason"]["english"] == "The game has not begun yet."

    asyncio.run(play())
