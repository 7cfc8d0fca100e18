"""Nothing is learned from the clock: windows for Specials, and what the server answers itself."""

from __future__ import annotations

import asyncio
import random
import time
from pathlib import Path

import pytest

from smashup.cards import catalogue
from smashup.engine.decisions import MOVES, SITES, Decision
from smashup.engine.game import Game
from smashup.engine.setup import Setup
from smashup.engine.words import HAND
from smashup.server.records import PERSON, PLAYING, AnswerRecord, Kept, SeatRecord, TableRecord
from smashup.server.seating import hashed
from smashup.server.store import Store
from smashup.server.windows import is_forced, is_window
from tests.server.house import serving
from tests.server.test_picks import a_choice

OPTIONS = {
    "mode": "random", "edition": "CS", "printing": "printed", "optional_titans": False,
    "madness": False, "spectators": True,
}  # fmt: skip


def a_window(players: int = 2) -> Game:
    """A game in which somebody is asked for a Special."""
    for seed in range(200):
        game = Game(Setup(players=players, seed=seed), catalogue())
        dice = random.Random(seed)
        while (decision := game.decision) is not None:
            if is_window(decision):
                return game
            game.choose(dice.randrange(len(decision.options)))
    pytest.fail("nobody was ever asked for a Special")


async def kept(folder: Path, game: Game) -> str:
    """A table on disk with this game; the secrets of its seats are s0, s1, ..."""
    store = Store(folder / "tables.sqlite")
    await store.open()
    table = TableRecord("window", OPTIONS, 1.0, state=PLAYING, setup=game.setup.to_json())
    seats = [
        SeatRecord(p, PERSON, "normal", secret=hashed(f"s{p}"), ready=True)
        for p in range(game.players)
    ]
    again = game.fresh()
    found = Kept(table, seats)
    for number, option in enumerate(game.answers):
        asked = again.decision
        assert asked is not None
        found.answers.append(AnswerRecord(number, asked.player, option))
        again.choose(option)
    await store.write(table, seats, found.answers)
    await store.close()
    return table.id


def test_a_window_lasts_a_beat_and_tells_nobody_whose_it_is(tmp_path: Path) -> None:
    game = a_window(3)
    assert game.decision is not None
    asked = game.decision.player
    others = [p for p in range(3) if p != asked]

    async def visit() -> None:
        table = await kept(tmp_path, game)
        async with serving(tmp_path, beat=1.0) as house:
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
            live = house.hub.tables[table]
            assert len(live.answers) > len(game.answers)

    asyncio.run(visit())


def test_who_wants_to_pass_is_passed_after_the_beat(tmp_path: Path) -> None:
    game = a_window()
    assert game.decision is not None
    asked = game.decision.player

    async def visit() -> None:
        table = await kept(tmp_path, game)
        async with serving(tmp_path, beat=1.0) as house:
            began = time.monotonic()
            async with house.guest(table, f"s{asked}") as one:
                before = one.number
                assert before is not None
                changed = await house.http.patch(
                    f"/api/tables/{table}/seat",
                    json={"windows": "pass"},
                    headers={"Authorization": f"Bearer s{asked}"},
                )
                assert changed.status_code == 200
                while one.number == before:
                    await one.hear()
                assert time.monotonic() - began >= 1.0
            live = house.hub.tables[table]
            passed = live.answers[len(game.answers)]
            decision = game.decision
            assert decision is not None
            assert (passed.seat, passed.option) == (asked, len(decision.options) - 1)

    asyncio.run(visit())


def test_what_is_forced() -> None:
    game = a_window()
    decision = game.decision
    assert decision is not None
    hand = next(c for c, zone in enumerate(game.state.zone) if zone == HAND)
    base = Decision(game, 0, "Where to?", SITES, [game.state.sites[0].serial], 0, -1)
    card = Decision(game, 0, "Discard which card?", 1, [hand], 0, -1)
    menu = Decision(game, 0, "Play?", MOVES, decision.options[-1:], 0, -1)
    assert [is_forced(d, 2) for d in (base, card, menu, decision)] == [True, False, False, False]
    assert [is_forced(d, 1) for d in (base, card, menu, decision)] == [True, True, False, False]


def test_nobody_counts_the_picks_of_others(tmp_path: Path) -> None:
    """The first of several picks changes nothing for anybody else, not even a number."""
    game = a_choice("Discard which card?")
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
