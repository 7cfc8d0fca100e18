"""Nothing is learned from the clock: windows for Specials, and what the server answers itself."""

from __future__ import annotations

import asyncio
import random
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from smashup.cards import catalogue
from smashup.engine.game import Game
from smashup.engine.model.constants import HAND
from smashup.engine.model.decisions import CARDS, MOVES, SITES, Decision, Purpose
from smashup.engine.model.setup import Setup
from smashup.server.storage.records import (
    PERSON,
    PLAYING,
    SeatRecord,
    StoredTable,
    TableRecord,
)
from smashup.server.storage.store import store_at
from smashup.server.tables.seating import hashed
from smashup.server.tables.specials_windows import is_forced, is_window
from smashup.server.tables.table_log import answer_entry
from tests.server.house import House, serving
from tests.server.test_picks import a_choice

OPTIONS = {
    "mode": "random", "edition": "CS", "printing": "printed", "optional_titans": False,
    "madness": False, "spectators": True,
}  # fmt: skip


def a_window(players: int = 2, options: range = range(2, 99), everyone: bool = False) -> Game:
    """A game in which a window for Specials opens, with so many options for the first asked."""
    for seed in range(300):
        setup = Setup(players=players, seed=seed, ask_everyone=everyone)
        game = Game(setup, catalogue())
        dice = random.Random(seed)
        inside = False
        while (decision := game.decision) is not None:
            if is_window(decision) and not inside and len(decision.options) in options:
                return game
            inside = is_window(decision)
            game.choose(dice.randrange(len(decision.options)))
    pytest.fail("nobody was ever asked for a Special")


async def wish(house: House, table: str, seat: int, **more: Any) -> httpx.Response:
    """Change what the owner of a seat wants."""
    return await house.http.patch(
        f"/api/tables/{table}/seat", json=more, headers={"Authorization": f"Bearer s{seat}"}
    )


async def kept(folder: Path, game: Game, **options: Any) -> str:
    """A table on disk with this game; the secrets of its seats are s0, s1, ..."""
    store = store_at(folder / "tables.sqlite")
    await store.open()
    table = TableRecord(
        "window", {**OPTIONS, **options}, 1.0, state=PLAYING, setup=game.setup.to_json()
    )
    seats = [
        SeatRecord(p, PERSON, "normal", secret=hashed(f"s{p}"), ready=True)
        for p in range(game.table.num_players)
    ]
    again = game.from_start()
    found = StoredTable(table, seats)
    for number, option in enumerate(game.answers):
        asked = again.decision
        assert asked is not None
        found.entries.append(answer_entry(number, asked.player, option))
        again.choose(option)
    await store.create_table(table, seats, found.entries)
    await store.close()
    return table.id


def test_a_window_lasts_a_beat_and_tells_nobody_whose_it_is(tmp_path: Path) -> None:
    game = a_window(3)
    assert game.decision is not None
    asked = game.decision.player
    others = [p for p in range(3) if p != asked]

    async def visit() -> None:
        table = await kept(tmp_path, game)
        async with serving(tmp_path, beat=3.0) as house:
            began = time.monotonic()  # the window opens when the table is read
            async with (
                house.guest(table, f"s{asked}") as one,
                house.guest(table, f"s{others[0]}") as two,
                house.guest(table) as watcher,
            ):
                for guest in (two, watcher):
                    assert guest.view is not None
                    assert guest.view["decision"] == {"player": None, "window": True}
                assert one.options[-1]["verb"] == "pass"
                assert (await one.answer(len(one.options) - 1))["type"] == "ack"
                assert time.monotonic() - began >= 1.0, "however fast the answer was"
            live = house.registry.tables[table]
            assert len(live.answers) > len(game.answers)

    asyncio.run(visit())


def test_who_wants_to_pass_is_passed_after_the_beat(tmp_path: Path) -> None:
    game = a_window()
    assert game.decision is not None
    asked = game.decision.player

    async def visit() -> None:
        table = await kept(tmp_path, game)
        async with serving(tmp_path, beat=2.0) as house:
            began = time.monotonic()
            async with house.guest(table, f"s{asked}") as one:
                before = one.number
                assert before is not None
                changed = await wish(house, table, asked, windows="pass")
                assert changed.status_code == 200
                while one.number == before:
                    await one.hear()
                assert time.monotonic() - began >= 1.0
            live = house.registry.tables[table]
            passed = live.answers[len(game.answers)]
            decision = game.decision
            assert decision is not None
            assert (passed.seat, passed.option) == (asked, len(decision.options) - 1)

    asyncio.run(visit())


def test_nobody_sees_that_somebody_cannot_act(tmp_path: Path) -> None:
    """Whoever holds nothing is passed for, after the same time, and not even shown a question."""
    game = a_window(options=range(1, 2), everyone=True)
    assert game.decision is not None
    asked = game.decision.player

    async def visit() -> None:
        table = await kept(tmp_path, game)
        async with serving(tmp_path, beat=2.0) as house:
            began = time.monotonic()
            async with (
                house.guest(table, f"s{asked}") as one,
                house.guest(table, f"s{1 - asked}") as two,
                house.guest(table) as watcher,
            ):
                live = house.registry.tables[table]
                for guest in (one, two, watcher):
                    await guest.say(type="ping")
                    assert guest.view is not None
                    assert guest.view["decision"] == {"player": None, "window": True}
                before = [guest.version for guest in (two, watcher)]
                while len(live.answers) == len(game.answers):
                    await asyncio.sleep(0.02)
                assert time.monotonic() - began >= 0.9
                passed = live.answers[len(game.answers)]
                assert (passed.seat, passed.option, passed.message_id) == (asked, 0, "")
                assert live.game is not None
                assert live.game.decision is not None
                if is_window(live.game.decision) and not live.passes(live.game.decision):
                    for guest in (two, watcher):
                        await guest.say(type="ping")
                    shown = two.options or {"player": None, "window": True}
                    assert shown
                    assert watcher.version == before[1]

    asyncio.run(visit())


def test_stopping_for_some_cards_only(tmp_path: Path) -> None:
    game = a_window()
    decision = game.decision
    assert decision is not None
    asked = decision.player
    name = game.table.state.definition[decision.options[0].card].name

    async def visit() -> None:
        table = await kept(tmp_path, game)
        async with serving(tmp_path, beat=4.0) as house, house.guest(table, f"s{asked}") as one:
            live = house.registry.tables[table]
            unknown = await wish(house, table, asked, cards=["The Ace of Spades"])
            assert unknown.status_code == 404
            for wanted, is_asked in (([], False), ([name], True), (["Furious George"], False)):
                changed = await wish(house, table, asked, windows="card", cards=wanted)
                assert changed.status_code == 200
                while one.wishes != {"lang": "en", "windows": "card", "cards": wanted}:
                    await one.hear()
                assert live.game is not None
                assert live.game.decision is not None
                assert len(live.answers) == len(game.answers), "it is not over yet"
                assert live.passes(live.game.decision) is not is_asked
                assert bool(one.options) is is_asked
                shown = (one.view or {})["decision"]
                assert shown["window"] is True
                assert ("question" in shown) is is_asked

    asyncio.run(visit())


def test_being_asked_with_nothing_to_play(tmp_path: Path) -> None:
    game = a_window(options=range(1, 2), everyone=True)
    assert game.decision is not None
    asked = game.decision.player

    async def visit() -> None:
        table = await kept(tmp_path, game)
        async with serving(tmp_path, beat=2.0) as house, house.guest(table, f"s{asked}") as one:
            assert (await wish(house, table, asked, windows="always")).status_code == 200
            while not one.options:
                await one.hear()
            assert [option["verb"] for option in one.options] == ["pass"]
            await asyncio.sleep(1.2)
            live = house.registry.tables[table]
            assert len(live.answers) == len(game.answers), "it waits for a person"
            assert (await one.answer(0))["type"] == "ack"

    asyncio.run(visit())


def test_wishes_are_kept(tmp_path: Path) -> None:
    async def visit() -> None:
        async with serving(tmp_path) as house:
            table, (secret,) = await house.table("me", "open")
            changed = await house.http.patch(
                f"/api/tables/{table}/seat",
                json={"windows": "card", "cards": ["Eh?", "Eh?"]},
                headers={"Authorization": f"Bearer {secret}"},
            )
            assert changed.status_code == 200
        async with serving(tmp_path) as house, house.guest(table, secret) as guest:
            assert guest.wishes == {"lang": "en", "windows": "card", "cards": ["Eh?"]}

    asyncio.run(visit())


def test_two_people_are_both_asked_and_a_person_alone_is_not(tmp_path: Path) -> None:
    async def visit() -> None:
        async with serving(tmp_path) as house:
            for kinds, everyone in ((("me", "me"), True), (("me", "easy"), False)):
                table, _ = await house.table(*kinds)
                setup = house.registry.tables[table].record.setup
                assert setup is not None
                assert setup["ask_everyone"] is everyone

    asyncio.run(visit())


def test_what_is_forced() -> None:
    game = a_window()
    decision = game.decision
    assert decision is not None
    hand = next(c for c, zone in enumerate(game.table.state.zone) if zone == HAND)

    def a_decision(purpose: Purpose, kind: int, options: list[Any]) -> Decision:
        return Decision(game.table, 0, purpose, "?", kind, options, 0, -1)

    base = a_decision(Purpose.CHOOSE_BASE, SITES, [game.table.state.sites[0].serial])
    card = a_decision(Purpose.DISCARD, CARDS, [hand])
    menu = a_decision(Purpose.PLAY_MENU, MOVES, decision.options[-1:])
    assert [is_forced(d, 2) for d in (base, card, menu, decision)] == [True, False, False, False]
    assert [is_forced(d, 1) for d in (base, card, menu, decision)] == [True, True, False, False]


def test_nobody_counts_the_picks_of_others(tmp_path: Path) -> None:
    """The first of several picks changes nothing for anybody else, not even a number."""
    game = a_choice(Purpose.DISCARD)
    assert game.decision is not None
    asked = game.decision.player

    async def visit() -> None:
        table = await kept(tmp_path, game)
        async with (
            serving(tmp_path) as house,
            house.guest(table) as watcher,
            house.guest(table, f"s{1 - asked}") as other,
            house.guest(table, f"s{asked}") as one,
        ):
            for guest in (other, watcher):
                await guest.say(type="ping")
            before = (other.version, watcher.version, one.version)
            assert (await one.answer(0))["type"] == "ack"
            for guest in (other, watcher):
                await guest.say(type="ping")
            assert (other.version, watcher.version) == before[:2]
            assert one.version == before[2] + 1

    asyncio.run(visit())
