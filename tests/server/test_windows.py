"""Timing reveals nothing: Specials windows, and decisions that the server answers itself."""

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
from smashup.server.tables.decisions.specials_windows import is_forced, is_window
from smashup.server.tables.seats.seating import hash_secret
from smashup.server.tables.table_log import answer_entry
from tests.server.live_server import LiveServer, run_server
from tests.server.test_picks import make_choice

OPTIONS = {
    "mode": "random", "edition": "CS", "printing": "printed", "optional_titans": False,
    "madness": False, "spectators": True,
}  # fmt: skip


def make_window(players: int = 2, options: range = range(2, 99), everyone: bool = False) -> Game:
    """Return a game at the opening of a Specials window, with this many options to choose from."""
    for seed in range(300):
        setup = Setup(players=players, seed=seed, ask_everyone=everyone)
        game = Game(setup, catalogue())
        rng = random.Random(seed)
        inside = False
        while (decision := game.decision) is not None:
            if is_window(decision) and not inside and len(decision.options) in options:
                return game
            inside = is_window(decision)
            game.choose(rng.randrange(len(decision.options)))
    pytest.fail("nobody was ever asked for a Special")


async def change_preferences(
    server: LiveServer, table: str, seat: int, **more: Any
) -> httpx.Response:
    """Change the preferences of a seat's owner."""
    return await server.http.patch(
        f"/api/tables/{table}/seat", json=more, headers={"Authorization": f"Bearer s{seat}"}
    )


async def store_game(folder: Path, game: Game, **options: Any) -> str:
    """Store a table with this game; the secrets of its seats are s0, s1, ..."""
    store = store_at(folder / "tables.sqlite")
    await store.open()
    table = TableRecord(
        "window", {**OPTIONS, **options}, 1.0, state=PLAYING, setup=game.setup.to_json()
    )
    seats = [
        SeatRecord(p, PERSON, "normal", secret=hash_secret(f"s{p}"), ready=True)
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


async def test_a_window_has_a_minimum_duration_and_hides_who_is_asked(tmp_path: Path) -> None:
    game = make_window(3)
    assert game.decision is not None
    asked = game.decision.player
    others = [p for p in range(3) if p != asked]

    table = await store_game(tmp_path, game)
    async with run_server(tmp_path, min_window_seconds=3.0) as server:
        started = time.monotonic()  # the window opens when the table is loaded
        async with (
            server.connect(table, f"s{asked}") as one,
            server.connect(table, f"s{others[0]}") as two,
            server.connect(table) as watcher,
        ):
            for client in (two, watcher):
                assert client.view is not None
                assert client.view["decision"] == {"player": None, "window": True}
            assert one.options[-1]["verb"] == "pass"
            assert (await one.answer(len(one.options) - 1))["type"] == "ack"
            assert time.monotonic() - started >= 1.0, "however fast the answer was"
        live = server.registry.tables[table]
        assert len(live.answers) > len(game.answers)


async def test_automatic_passes_take_the_minimum_duration(tmp_path: Path) -> None:
    game = make_window()
    assert game.decision is not None
    asked = game.decision.player

    table = await store_game(tmp_path, game)
    async with run_server(tmp_path, min_window_seconds=2.0) as server:
        started = time.monotonic()
        async with server.connect(table, f"s{asked}") as one:
            before = one.number
            assert before is not None
            changed = await change_preferences(server, table, asked, windows="pass")
            assert changed.status_code == 200
            while one.number == before:
                await one.receive()
            assert time.monotonic() - started >= 1.0
        live = server.registry.tables[table]
        passed = live.answers[len(game.answers)]
        decision = game.decision
        assert decision is not None
        assert (passed.seat, passed.option) == (asked, len(decision.options) - 1)


async def test_players_without_specials_are_not_revealed(tmp_path: Path) -> None:
    """The server passes for a player without Specials after the same time, without a question."""
    game = make_window(options=range(1, 2), everyone=True)
    assert game.decision is not None
    asked = game.decision.player

    table = await store_game(tmp_path, game)
    async with run_server(tmp_path, min_window_seconds=2.0) as server:
        started = time.monotonic()
        async with (
            server.connect(table, f"s{asked}") as one,
            server.connect(table, f"s{1 - asked}") as two,
            server.connect(table) as watcher,
        ):
            live = server.registry.tables[table]
            for client in (one, two, watcher):
                await client.request(type="ping")
                assert client.view is not None
                assert client.view["decision"] == {"player": None, "window": True}
            before = [client.version for client in (two, watcher)]
            while len(live.answers) == len(game.answers):
                await asyncio.sleep(0.02)
            assert time.monotonic() - started >= 0.9
            passed = live.answers[len(game.answers)]
            assert (passed.seat, passed.option, passed.message_id) == (asked, 0, "")
            assert live.game is not None
            assert live.game.decision is not None
            if is_window(live.game.decision) and not live.is_auto_passed(live.game.decision):
                for client in (two, watcher):
                    await client.request(type="ping")
                shown = two.options or {"player": None, "window": True}
                assert shown
                assert watcher.version == before[1]


async def test_players_can_select_stop_cards(tmp_path: Path) -> None:
    game = make_window()
    decision = game.decision
    assert decision is not None
    asked = decision.player
    name = game.table.state.definition[decision.options[0].card].name

    table = await store_game(tmp_path, game)
    async with (
        run_server(tmp_path, min_window_seconds=4.0) as server,
        server.connect(table, f"s{asked}") as one,
    ):
        live = server.registry.tables[table]
        unknown = await change_preferences(server, table, asked, cards=["The Ace of Spades"])
        assert unknown.status_code == 404
        for wanted, is_asked in (([], False), ([name], True), (["Furious George"], False)):
            changed = await change_preferences(server, table, asked, windows="card", cards=wanted)
            assert changed.status_code == 200
            while one.preferences != {"lang": "en", "windows": "card", "cards": wanted}:
                await one.receive()
            assert live.game is not None
            assert live.game.decision is not None
            assert len(live.answers) == len(game.answers), "it is not over yet"
            assert live.is_auto_passed(live.game.decision) is not is_asked
            assert bool(one.options) is is_asked
            shown = (one.view or {})["decision"]
            assert shown["window"] is True
            assert ("question" in shown) is is_asked


async def test_players_can_be_asked_with_nothing_to_play(tmp_path: Path) -> None:
    game = make_window(options=range(1, 2), everyone=True)
    assert game.decision is not None
    asked = game.decision.player

    table = await store_game(tmp_path, game)
    async with run_server(tmp_path, min_window_seconds=2.0) as server:
        # The first request: a window whose player has not asked for it closes after a second.
        assert (await change_preferences(server, table, asked, windows="always")).status_code == 200
        async with server.connect(table, f"s{asked}") as one:
            while not one.options:
                await one.receive()
            assert [option["verb"] for option in one.options] == ["pass"]
            await asyncio.sleep(1.2)
            live = server.registry.tables[table]
            assert len(live.answers) == len(game.answers), "it waits for a person"
            assert (await one.answer(0))["type"] == "ack"


async def test_seat_preferences_are_stored(tmp_path: Path) -> None:
    async with run_server(tmp_path) as server:
        table, (secret,) = await server.create_table("me", "open")
        changed = await server.http.patch(
            f"/api/tables/{table}/seat",
            json={"windows": "card", "cards": ["Eh?", "Eh?"]},
            headers={"Authorization": f"Bearer {secret}"},
        )
        assert changed.status_code == 200
    async with run_server(tmp_path) as server, server.connect(table, secret) as client:
        assert client.preferences == {"lang": "en", "windows": "card", "cards": ["Eh?"]}


async def test_two_people_are_both_asked_and_a_person_alone_is_not(tmp_path: Path) -> None:
    async with run_server(tmp_path) as server:
        for kinds, everyone in ((("me", "me"), True), (("me", "easy"), False)):
            table, _ = await server.create_table(*kinds)
            setup = server.registry.tables[table].record.setup
            assert setup is not None
            assert setup["ask_everyone"] is everyone


def test_forced_decisions() -> None:
    game = make_window()
    decision = game.decision
    assert decision is not None
    hand = next(c for c, zone in enumerate(game.table.state.zone) if zone == HAND)

    def make_decision(purpose: Purpose, kind: int, options: list[Any]) -> Decision:
        return Decision(game.table, 0, purpose, "?", kind, options, 0, -1)

    base = make_decision(Purpose.CHOOSE_BASE, SITES, [game.table.state.sites[0].serial])
    card = make_decision(Purpose.DISCARD, CARDS, [hand])
    menu = make_decision(Purpose.PLAY_MENU, MOVES, decision.options[-1:])
    assert [is_forced(d, 2) for d in (base, card, menu, decision)] == [True, False, False, False]
    assert [is_forced(d, 1) for d in (base, card, menu, decision)] == [True, True, False, False]


async def test_updates_do_not_reveal_the_number_of_picks(tmp_path: Path) -> None:
    """The first of several picks changes nothing for other viewers, not even a number."""
    game = make_choice(Purpose.DISCARD)
    assert game.decision is not None
    asked = game.decision.player

    table = await store_game(tmp_path, game)
    async with (
        run_server(tmp_path) as server,
        server.connect(table) as watcher,
        server.connect(table, f"s{1 - asked}") as other,
        server.connect(table, f"s{asked}") as one,
    ):
        for client in (other, watcher):
            await client.request(type="ping")
        before = (other.version, watcher.version, one.version)
        assert (await one.answer(0))["type"] == "ack"
        for client in (other, watcher):
            await client.request(type="ping")
        assert (other.version, watcher.version) == before[:2]
        assert one.version == before[2] + 1
