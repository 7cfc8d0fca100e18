"""Taking choices back at a real table, alone and among people, before and after a restart."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

from smashup.cards import catalogue
from smashup.engine.game import Game
from smashup.engine.model.setup import Setup
from smashup.server.storage.records import (
    BOT,
    PERSON,
    PLAYING,
    SeatRecord,
    TableRecord,
)
from smashup.server.storage.store import store_at
from smashup.server.tables.seating import hashed
from smashup.server.tables.table_log import answer_entry, effective_answers
from smashup.server.tables.undo import UndoTracker, depends_on_hidden, knowledge
from tests.server.house import Guest, House, a_decision_of, serving
from tests.server.test_windows import OPTIONS


async def until_undoable(
    house: House, table: str, guests: list[Guest], dice: random.Random
) -> tuple[Guest, Guest, Any]:
    """Play until somebody can take back what they have just chosen: who, what was seen before by
    them, and the others."""
    for _ in range(500):
        guest = await a_decision_of(guests)
        before = guest.view
        answer = await guest.answer(dice.randrange(len(guest.options)))
        assert answer["type"] == "ack", answer
        for other in guests:
            await other.say(type="ping")
        if guest.scene["can_undo"] and guest.view != before and not tells(house, table):
            other = next((g for g in guests if g is not guest), guest)
            return guest, other, before
    raise AssertionError("nothing can be taken back")


def tells(house: House, table: str) -> bool:
    """Whether the last choice at a table tells of hidden cards after all."""
    live = house.registry.tables[table]
    game, at = live.game, live.choices.begin[-1]
    assert game is not None
    before = game.undo(len(game.answers) - at)
    return depends_on_hidden(before, live.choices.seat, game.answers[at:])


def wish_of(guest: Guest) -> int:
    """What the wish that is being asked about is called."""
    number: int = guest.scene["undo"]["number"]
    return number


def replayed(house: House, table: str) -> Game:
    """The game of a table from what is kept of it."""
    live = house.registry.tables[table]
    setup = Setup.from_json(live.record.setup)
    return Game.replay(
        setup, house.registry.cards, [a.option for a in effective_answers(live.answers)]
    )


def test_against_bots_a_choice_is_taken_back_at_once(tmp_path: Path) -> None:
    async def visit() -> None:
        async with serving(tmp_path) as house:
            table, secrets = await house.table("me", "easy")
            async with house.guest(table, secrets[0]) as guest, house.guest(table) as watcher:
                dice = random.Random(3)
                for turn in range(5):
                    _, _, before = await until_undoable(house, table, [guest], dice)
                    number, lines = guest.number, dict(guest.log)
                    said = await guest.undo(id=f"undo-{turn}")
                    assert said["type"] == "ack", said
                    await guest.say(type="ping")
                    assert guest.view == before
                    assert said["number"] == guest.number == (number or 0) + 1, "never the same"
                    assert guest.scene["changes"] == []
                    assert list(guest.log.values())[-1] == "P1 takes a choice back."
                    still = len(guest.log) - 1
                    assert list(guest.log.values())[:still] == list(lines.values())[:still]
                    assert sorted(guest.log) == list(range(len(guest.log))), "no gap in the log"
                    stale = await guest.answer(0, number=number)
                    assert stale["stale"], "what was sent for the question before is not taken"
                    again = await guest.undo(id=f"undo-{turn}", number=0)
                    assert again["type"] == "ack", "said twice it counts once"
                    assert guest.view == before
                    await watcher.say(type="ping")
                    assert watcher.log.keys() == guest.log.keys()
                    refused = await watcher.undo(number=0)
                    assert refused["type"] == "refused"
                    await guest.play(dice, 3)
                    live = house.registry.tables[table]
                    async with live.lock:
                        assert live.game is not None
                        assert replayed(house, table).digest() == live.game.digest()

    asyncio.run(visit())


def test_other_people_have_to_agree(tmp_path: Path) -> None:
    async def visit() -> None:
        async with serving(tmp_path) as house:
            table, secrets = await house.table("me", "me", "easy")
            dice = random.Random(8)
            async with (
                house.guest(table, secrets[0]) as one,
                house.guest(table, secrets[1]) as two,
                house.guest(table) as watcher,
            ):
                guest, other, before = await until_undoable(house, table, [one, two], dice)
                after = guest.view
                await guest.undo()
                await other.say(type="ping")
                wish = other.scene["undo"]
                assert wish["seat"] == (0 if guest is one else 1)
                assert wish["agreed"] == []
                assert guest.view == after, "nothing is taken back yet"
                assert not guest.scene["can_undo"]
                number = wish["number"]

                # Hostile or mistaken: other wishes, one's own, a spectator.
                wrong = await other.say(type="agree", wish=(number + 1) % 1_000_000, yes=True)
                assert wrong["type"] == "refused"
                own = await guest.say(type="agree", wish=number, yes=True)
                assert "your own wish" in own["reason"]["english"]
                assert (await guest.undo())["type"] == "refused"
                assert (await other.undo())["type"] == "refused"
                assert (await watcher.say(type="agree", wish=number, yes=True))["type"] == "refused"

                # Refused; then asked and withdrawn; then agreed to.
                await other.say(type="agree", wish=number, yes=False)
                await guest.say(type="ping")
                assert guest.scene["undo"] is None
                assert guest.scene["can_undo"]
                await guest.undo()
                await guest.say(type="ping")
                await guest.say(type="agree", wish=wish_of(guest), yes=False)
                await other.say(type="ping")
                assert other.scene["undo"] is None
                assert guest.view == after
                await guest.undo()
                await guest.say(type="ping")
                await other.say(type="agree", wish=wish_of(guest), yes=True)
                for each in (guest, other, watcher):
                    await each.say(type="ping")
                    assert each.scene["undo"] is None
                    assert list(each.log.values())[-1].endswith("takes a choice back.")
                assert guest.view == before

                # A wish lapses when somebody answers.
                guest, other, _ = await until_undoable(house, table, [one, two], dice)
                await guest.undo()
                asked = await a_decision_of([one, two])
                await asked.answer(0)
                await other.say(type="ping")
                assert other.scene["undo"] is None

    asyncio.run(visit())


def test_who_is_gone_is_not_asked(tmp_path: Path) -> None:
    async def visit() -> None:
        async with serving(tmp_path, abandoned=0.1) as house:
            table, secrets = await house.table("me", "me")
            dice = random.Random(8)
            async with house.guest(table, secrets[0]) as one:
                async with house.guest(table, secrets[1]) as two:
                    while True:
                        guest, _, before = await until_undoable(house, table, [one, two], dice)
                        if guest is one:
                            break
                await asyncio.sleep(0.2)
                await one.undo()
                await one.say(type="ping")
                assert one.view == before

    asyncio.run(visit())


def test_it_is_on_disk_what_was_taken_back(tmp_path: Path) -> None:
    """After a restart the table is as it was, and what could be taken back still can."""

    async def visit() -> None:
        dice = random.Random(5)
        async with serving(tmp_path) as house:
            table, secrets = await house.table("me", "easy")
            async with house.guest(table, secrets[0]) as guest:
                # At the very beginning, and later on.
                await guest.play(dice, 1)
                await guest.say(type="ping")
                if guest.scene["can_undo"] and not tells(house, table):
                    await guest.undo(id="first")
                await until_undoable(house, table, [guest], dice)
                await until_undoable(house, table, [guest], dice)
                await guest.undo(id="second")
                await guest.say(type="ping")
                view, log, number = guest.view, guest.log, guest.number
                lines = len(house.registry.tables[table].answers)
        async with serving(tmp_path) as house, house.guest(table, secrets[0]) as guest:
            assert (guest.view, guest.log, guest.number) == (view, log, number)
            live = house.registry.tables[table]
            assert live.notice is None
            assert len(live.answers) == lines
            assert (await guest.undo(id="second"))["type"] == "ack", "heard before"
            assert guest.view == view
            _, _, before = await until_undoable(house, table, [guest], dice)
        async with serving(tmp_path) as house, house.guest(table, secrets[0]) as guest:
            assert guest.scene["can_undo"]
            await guest.undo()
            await guest.say(type="ping")
            assert guest.view == before
        async with serving(tmp_path) as house, house.guest(table, secrets[0]) as guest:
            assert guest.view == before
            assert house.registry.tables[table].notice is None

    asyncio.run(visit())


def test_a_table_may_do_without(tmp_path: Path) -> None:
    async def visit() -> None:
        async with serving(tmp_path) as house:
            table, secrets = await house.table("me", "easy", undo=False)
            async with house.guest(table, secrets[0]) as guest:
                assert not guest.table["undo"]
                for _ in range(20):
                    await guest.play(random.Random(1), 1)
                    assert not guest.scene["can_undo"]
                    refused = await guest.undo()
                    assert "Undo is disabled" in refused["reason"]["english"]

    asyncio.run(visit())


def test_who_comes_back_hears_what_was_taken_back(tmp_path: Path) -> None:
    async def visit() -> None:
        async with serving(tmp_path) as house:
            table, secrets = await house.table("me", "easy")
            dice = random.Random(6)
            async with house.guest(table, secrets[0]) as away:
                pass
            async with house.guest(table, secrets[0]) as guest:
                await until_undoable(house, table, [guest], dice)
                await guest.undo()
                await until_undoable(house, table, [guest], dice)
                await guest.undo()
                await guest.say(type="ping")
                async with house.back(away, table, secrets[0]) as back:
                    await back.say(type="ping")
                    assert back.view == guest.view
                    assert back.log == guest.log

    asyncio.run(visit())


def a_telling_choice() -> tuple[Game, int]:
    """A game in which somebody's last choice, whose again it is to choose, tells of hidden cards
    although nothing was seen; and who that is."""
    for seed in range(40):
        dice = random.Random(seed)
        game = Game(Setup(players=2, seed=seed), catalogue())
        choices = UndoTracker()
        while (decision := game.decision) is not None and len(game.answers) < 120:
            choices.note_answer(decision, len(game.answers), "m")
            before = game
            game = game.after(dice.randrange(len(decision.options)))
            choices.learn(knowledge(before), knowledge(game))
            asked, player = game.decision, decision.player
            if asked is None or asked.player != player or choices.last_of(player) is None:
                continue
            if depends_on_hidden(before, player, game.answers[-1:]):
                return game, player
    raise AssertionError("no choice told anything")


def test_what_tells_of_hidden_cards_is_not_taken_back(tmp_path: Path) -> None:
    """That somebody was not asked for a Special can be learned from a choice, too."""
    game, player = a_telling_choice()

    async def visit() -> None:
        store = store_at(tmp_path / "tables.sqlite")
        await store.open()
        setup = game.setup.to_json()
        table = TableRecord("telling", OPTIONS, 1.0, state=PLAYING, setup=setup)
        seats = [SeatRecord(p, BOT, "easy", ready=True) for p in range(2)]
        seats[player] = SeatRecord(player, PERSON, secret=hashed("s"), ready=True)
        records = [answer_entry(i, player, o, f"m{i}") for i, o in enumerate(game.answers)]
        await store.create_table(table, seats, records)
        await store.close()
        async with serving(tmp_path) as house, house.guest(table.id, "s") as guest:
            view = guest.view
            assert guest.scene["can_undo"]
            refused = await guest.undo()
            assert "would reveal cards" in refused["reason"]["english"]
            await guest.say(type="ping")
            assert guest.view == view
            assert not guest.scene["can_undo"]
            assert len(house.registry.tables[table.id].answers) == len(records)

    asyncio.run(visit())
