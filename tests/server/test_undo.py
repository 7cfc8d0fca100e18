"""Undo at a real table: alone and with other people, before and after a restart."""

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
from smashup.server.tables.decisions.undo import UndoTracker, capture_knowledge, depends_on_hidden
from smashup.server.tables.seats.seating import hash_secret
from smashup.server.tables.table_log import answer_entry, effective_answers
from tests.server.live_server import GameClient, LiveServer, run_server, wait_for_decision
from tests.server.test_windows import OPTIONS


async def play_until_undoable(
    server: LiveServer, table: str, clients: list[GameClient], rng: random.Random
) -> tuple[GameClient, GameClient, Any]:
    """Play until a player can undo a choice; return that player's client, another player's client,
    and the view before the choice."""
    for _ in range(500):
        client = await wait_for_decision(clients)
        before = client.view
        answer = await client.answer(rng.randrange(len(client.options)))
        assert answer["type"] == "ack", answer
        for other in clients:
            await other.request(type="ping")
        if client.state["can_undo"] and client.view != before and not reveals_hidden(server, table):
            other = next((g for g in clients if g is not client), client)
            return client, other, before
    raise AssertionError("nothing can be undone")


def reveals_hidden(server: LiveServer, table: str) -> bool:
    """Return whether the last choice at a table reveals hidden cards."""
    live = server.registry.tables[table]
    game, at = live.game, live.choices.starts[-1]
    assert game is not None
    before = game.undo(len(game.answers) - at)
    return depends_on_hidden(before, live.choices.seat, game.answers[at:])


def request_number(client: GameClient) -> int:
    """Return the number of the open undo request."""
    number: int = client.state["undo"]["number"]
    return number


def restore_stored_game(server: LiveServer, table: str) -> Game:
    """Restore the game of a table from the database."""
    live = server.registry.tables[table]
    setup = Setup.from_json(live.record.setup)
    return Game.replay(
        setup, server.registry.cards, [a.option for a in effective_answers(live.answers)]
    )


async def test_undo_against_bots_needs_no_agreement(tmp_path: Path) -> None:
    async with run_server(tmp_path) as server:
        table, secrets = await server.create_table("me", "easy")
        async with server.connect(table, secrets[0]) as client, server.connect(table) as watcher:
            rng = random.Random(3)
            for turn in range(5):
                _, _, before = await play_until_undoable(server, table, [client], rng)
                number, lines = client.number, dict(client.log)
                message = await client.undo(id=f"undo-{turn}")
                assert message["type"] == "ack", message
                await client.request(type="ping")
                assert client.view == before
                assert message["number"] == client.number == (number or 0) + 1, "never the same"
                assert client.state["changes"] == []
                assert list(client.log.values())[-1] == "P1 undoes a move."
                still = len(client.log) - 1
                assert list(client.log.values())[:still] == list(lines.values())[:still]
                assert sorted(client.log) == list(range(len(client.log))), "no gap in the log"
                stale = await client.answer(0, number=number)
                assert stale["stale"], "what was sent for the question before is not taken"
                again = await client.undo(id=f"undo-{turn}", number=0)
                assert again["type"] == "ack", "said twice it counts once"
                assert client.view == before
                await watcher.request(type="ping")
                assert watcher.log.keys() == client.log.keys()
                refused = await watcher.undo(number=0)
                assert refused["type"] == "refused"
                await client.play(rng, 3)
                live = server.registry.tables[table]
                async with live.lock:
                    assert live.game is not None
                    assert restore_stored_game(server, table).digest() == live.game.digest()


async def test_other_people_have_to_agree(tmp_path: Path) -> None:
    async with run_server(tmp_path) as server:
        table, secrets = await server.create_table("me", "me", "easy")
        rng = random.Random(8)
        async with (
            server.connect(table, secrets[0]) as one,
            server.connect(table, secrets[1]) as two,
            server.connect(table) as watcher,
        ):
            client, other, before = await play_until_undoable(server, table, [one, two], rng)
            after = client.view
            await client.undo()
            await other.request(type="ping")
            wish = other.state["undo"]
            assert wish["seat"] == (0 if client is one else 1)
            assert wish["agreed"] == []
            assert client.view == after, "nothing is undone yet"
            assert not client.state["can_undo"]
            number = wish["number"]

            # Invalid votes: on other requests, on the player's own, by a spectator.
            wrong = await other.request(type="agree", wish=(number + 1) % 1_000_000, yes=True)
            assert wrong["type"] == "refused"
            own = await client.request(type="agree", wish=number, yes=True)
            assert own["code"] == "undo_not_possible"
            assert (await client.undo())["type"] == "refused"
            assert (await other.undo())["type"] == "refused"
            assert (await watcher.request(type="agree", wish=number, yes=True))["type"] == "refused"

            # The request is refused, then withdrawn, then agreed to.
            await other.request(type="agree", wish=number, yes=False)
            await client.request(type="ping")
            assert client.state["undo"] is None
            assert client.state["can_undo"]
            await client.undo()
            await client.request(type="ping")
            await client.request(type="agree", wish=request_number(client), yes=False)
            await other.request(type="ping")
            assert other.state["undo"] is None
            assert client.view == after
            await client.undo()
            await client.request(type="ping")
            await other.request(type="agree", wish=request_number(client), yes=True)
            for each in (client, other, watcher):
                await each.request(type="ping")
                assert each.state["undo"] is None
                assert list(each.log.values())[-1].endswith("undoes a move.")
            assert client.view == before

            # A request closes when a player answers.
            client, other, _ = await play_until_undoable(server, table, [one, two], rng)
            await client.undo()
            asked = await wait_for_decision([one, two])
            await asked.answer(0)
            await other.request(type="ping")
            assert other.state["undo"] is None


async def test_absent_players_do_not_vote(tmp_path: Path) -> None:
    async with run_server(tmp_path, abandoned_seat_seconds=0.1) as server:
        table, secrets = await server.create_table("me", "me")
        rng = random.Random(8)
        async with server.connect(table, secrets[0]) as one:
            async with server.connect(table, secrets[1]) as two:
                while True:
                    client, _, before = await play_until_undoable(server, table, [one, two], rng)
                    if client is one:
                        break
            await asyncio.sleep(0.2)
            await one.undo()
            await one.request(type="ping")
            assert one.view == before


async def test_undo_is_stored(tmp_path: Path) -> None:
    """A restart changes neither the table nor what can be undone."""

    rng = random.Random(5)
    async with run_server(tmp_path) as server:
        table, secrets = await server.create_table("me", "easy")
        async with server.connect(table, secrets[0]) as client:
            # At the very beginning, and later on.
            await client.play(rng, 1)
            await client.request(type="ping")
            if client.state["can_undo"] and not reveals_hidden(server, table):
                await client.undo(id="first")
            await play_until_undoable(server, table, [client], rng)
            await play_until_undoable(server, table, [client], rng)
            await client.undo(id="second")
            await client.request(type="ping")
            view, log, number = client.view, client.log, client.number
            lines = len(server.registry.tables[table].answers)
    async with run_server(tmp_path) as server, server.connect(table, secrets[0]) as client:
        assert (client.view, client.log, client.number) == (view, log, number)
        live = server.registry.tables[table]
        assert live.notice is None
        assert len(live.answers) == lines
        assert (await client.undo(id="second"))["type"] == "ack", "heard before"
        assert client.view == view
        _, _, before = await play_until_undoable(server, table, [client], rng)
    async with run_server(tmp_path) as server, server.connect(table, secrets[0]) as client:
        assert client.state["can_undo"]
        await client.undo()
        await client.request(type="ping")
        assert client.view == before
    async with run_server(tmp_path) as server, server.connect(table, secrets[0]) as client:
        assert client.view == before
        assert server.registry.tables[table].notice is None


async def test_undo_can_be_disabled(tmp_path: Path) -> None:
    async with run_server(tmp_path) as server:
        table, secrets = await server.create_table("me", "easy", undo=False)
        async with server.connect(table, secrets[0]) as client:
            assert not client.table["undo"]
            for _ in range(20):
                await client.play(random.Random(1), 1)
                assert not client.state["can_undo"]
                refused = await client.undo()
                assert "Undo is disabled" in refused["reason"]["english"]


async def test_a_reconnected_client_learns_of_an_undo(tmp_path: Path) -> None:
    async with run_server(tmp_path) as server:
        table, secrets = await server.create_table("me", "easy")
        rng = random.Random(6)
        async with server.connect(table, secrets[0]) as away:
            pass
        async with server.connect(table, secrets[0]) as client:
            await play_until_undoable(server, table, [client], rng)
            await client.undo()
            await play_until_undoable(server, table, [client], rng)
            await client.undo()
            await client.request(type="ping")
            async with server.reconnect(away, table, secrets[0]) as back:
                await back.request(type="ping")
                assert back.view == client.view
                assert back.log == client.log


def find_revealing_choice() -> tuple[Game, int]:
    """Return a game and the player to decide, whose last choice showed nothing but would reveal
    hidden cards if it were undone."""
    factions = (("Mega Troopers", "Luchadors"), ("Time Travelers", "Astroknights"))
    for seed in range(20):
        rng = random.Random(seed)
        game = Game(Setup(players=2, seed=seed, factions=factions), catalogue())
        choices = UndoTracker()
        while (decision := game.decision) is not None and len(game.answers) < 120:
            choices.add_answer(decision, len(game.answers), "m")
            before = game
            game = game.after(rng.randrange(len(decision.options)))
            choices.update_knowledge(capture_knowledge(before), capture_knowledge(game))
            asked, player = game.decision, decision.player
            if asked is None or asked.player != player or choices.last_choice_of(player) is None:
                continue
            if depends_on_hidden(before, player, game.answers[-1:]):
                return game, player
    raise AssertionError("no choice told anything")


async def test_choices_that_reveal_hidden_cards_cannot_be_undone(tmp_path: Path) -> None:
    """A choice can also reveal that a player was not asked for a Special."""
    game, player = find_revealing_choice()

    store = store_at(tmp_path / "tables.sqlite")
    await store.open()
    setup = game.setup.to_json()
    table = TableRecord("telling", OPTIONS, 1.0, state=PLAYING, setup=setup)
    seats = [SeatRecord(p, BOT, "easy", ready=True) for p in range(2)]
    seats[player] = SeatRecord(player, PERSON, secret=hash_secret("s"), ready=True)
    records = [answer_entry(i, player, o, f"m{i}") for i, o in enumerate(game.answers)]
    await store.create_table(table, seats, records)
    await store.close()
    async with run_server(tmp_path) as server, server.connect(table.id, "s") as client:
        view = client.view
        assert client.state["can_undo"]
        refused = await client.undo()
        assert "would reveal cards" in refused["reason"]["english"]
        await client.request(type="ping")
        assert client.view == view
        assert not client.state["can_undo"]
        assert len(server.registry.tables[table.id].answers) == len(records)
