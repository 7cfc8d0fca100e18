"""Puzzles on the server: listed without solutions, played at a table, judged at the end."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from smashup.cards import catalogue
from smashup.puzzles.daily import choose_daily
from smashup.puzzles.model import Puzzle
from smashup.puzzles.puzzle_file import load_shipped_puzzles
from tests.server.live_server import GameClient, LiveServer, run_server


def find_easiest_puzzle() -> Puzzle:
    """Return the puzzle with the shortest proof without decisions of others."""
    ordered = sorted(load_shipped_puzzles().values(), key=lambda p: (p.positions, p.id))
    return next(puzzle for puzzle in ordered if _asks_only_the_solver(puzzle))


def _asks_only_the_solver(puzzle: Puzzle) -> bool:
    game = puzzle.begin(catalogue())
    for answer in puzzle.solution:
        decision = game.decision
        assert decision is not None
        if decision.player != puzzle.player:
            return False
        game.choose(answer)
    return True


async def get(server: LiveServer, path: str, secret: str = "") -> Any:
    headers = {"Authorization": f"Bearer {secret}"} if secret else {}
    return await server.http.get(f"/api{path}", headers=headers)


async def open_puzzle(server: LiveServer, puzzle: Puzzle) -> tuple[str, str]:
    """Create a table with a puzzle; return its id and the secret of the seat."""
    answer = await server.http.post(f"/api/puzzles/{puzzle.id}", json={"name": "Ana"})
    assert answer.status_code == 201, answer.text
    found = answer.json()
    assert [seat["seat"] for seat in found["seats"]] == [puzzle.player]
    return found["table"]["id"], found["seats"][0]["secret"]


async def outcome_at(server: LiveServer, table: str, secret: str) -> str:
    answer = await get(server, f"/tables/{table}/puzzle", secret)
    assert answer.status_code == 200, answer.text
    outcome: str = answer.json()["outcome"]
    return outcome


async def end_turn(client: GameClient, turn: int) -> None:
    """Choose the last option, which ends or declines, until the turn is over."""
    while client.view is not None and client.view["turn"] == turn and client.options:
        assert (await client.answer(len(client.options) - 1))["type"] == "ack"
        await client.request(type="ping")


async def test_the_list_contains_no_positions_and_solutions(tmp_path: Path) -> None:
    async with run_server(tmp_path) as server:
        listed = (await get(server, "/puzzles")).json()["puzzles"]
        assert {row["id"] for row in listed} == set(load_shipped_puzzles())
        assert set(listed[0]) == {
            "id", "goal", "kind", "player", "factions", "difficulty", "plays",
        }  # fmt: skip
        daily = (await get(server, "/puzzles/daily")).json()
        today = datetime.now(UTC).date()
        assert daily == {
            "date": today.isoformat(),
            "puzzle": choose_daily(load_shipped_puzzles(), today),
        }


async def test_the_solution_solves_a_puzzle(tmp_path: Path) -> None:
    puzzle = find_easiest_puzzle()
    async with run_server(tmp_path) as server:
        table, secret = await open_puzzle(server, puzzle)
        assert await outcome_at(server, table, secret) == "open"
        async with server.connect(table, secret) as client:
            assert not client.state["hints"]
            assert client.state["chances"] is None
            # The server answers questions with only one option.
            while await outcome_at(server, table, secret) == "open":
                game = server.registry.tables[table].game
                assert game is not None
                if client.options:
                    answer = await client.answer(puzzle.solution[len(game.answers)])
                    assert answer["type"] == "ack"
                await client.request(type="ping")
            assert await outcome_at(server, table, secret) == "solved"


async def test_another_line_fails_and_the_table_stops(tmp_path: Path) -> None:
    puzzle = next(p for p in load_shipped_puzzles().values() if p.goal.kind == "take_base")
    async with run_server(tmp_path) as server:
        table, secret = await open_puzzle(server, puzzle)
        async with server.connect(table, secret) as client:
            await end_turn(client, puzzle.turn)
            assert await outcome_at(server, table, secret) == "failed"
            answers = len(server.registry.tables[table].answers)
            await client.request(type="ping")
            assert len(server.registry.tables[table].answers) == answers
            assert not server.registry.tables[table].is_autoplaying


async def test_hidden_cards_stay_hidden(tmp_path: Path) -> None:
    puzzle = find_easiest_puzzle()
    async with run_server(tmp_path) as server:
        table, secret = await open_puzzle(server, puzzle)
        async with server.connect(table, secret) as client:
            assert client.view is not None
            for player in client.view["players"]:
                if player["index"] != puzzle.player:
                    hand = puzzle.start["hands"][player["index"]]
                    seen = [c for c in hand if puzzle.start["seen_by"][c] & 1 << puzzle.player]
                    hidden = [card for card in player["hand"] if card == {"hidden": True}]
                    assert len(hidden) == len(hand) - len(seen)
        assert (await get(server, f"/tables/{table}/save", secret)).status_code != 200
        assert (await get(server, f"/tables/{table}/puzzle", "x" * 20)).status_code == 403
        assert (await get(server, f"/tables/{table}/puzzle")).status_code == 403


async def test_hints_and_solution(tmp_path: Path) -> None:
    puzzle = find_easiest_puzzle()
    async with run_server(tmp_path) as server:
        first = (await get(server, f"/puzzles/{puzzle.id}/hints/1")).json()
        assert first["hint"]["text"] == "Begin with {card}."
        assert first["more"] == 1
        second = (await get(server, f"/puzzles/{puzzle.id}/hints/2")).json()
        assert second["more"] == 0
        assert (await get(server, f"/puzzles/{puzzle.id}/hints/3")).status_code == 404
        steps = (await get(server, f"/puzzles/{puzzle.id}/solution")).json()["steps"]
        assert steps[0]["label"] == second["hint"]
        assert all(step["log"] for step in steps[-1:])


async def test_unknown_puzzles_are_not_found(tmp_path: Path) -> None:
    async with run_server(tmp_path) as server:
        assert (await server.http.post("/api/puzzles/00000000", json={})).status_code == 404
        assert (await server.http.post("/api/puzzles/nonsense", json={})).status_code == 404
        table, secrets = await server.create_table("me", "easy")
        assert (await get(server, f"/tables/{table}/puzzle", secrets[0])).status_code == 404


async def test_a_table_with_a_puzzle_is_restored(tmp_path: Path) -> None:
    puzzle = find_easiest_puzzle()
    async with run_server(tmp_path) as server:
        table, secret = await open_puzzle(server, puzzle)
    async with run_server(tmp_path) as server:
        async with server.connect(table, secret) as client:
            await end_turn(client, puzzle.turn)
        assert await outcome_at(server, table, secret) == "failed"
