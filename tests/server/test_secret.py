"""The secret that deals a game: from the system's randomness, and never on the wire."""

from __future__ import annotations

import asyncio
import json
import random
from pathlib import Path
from typing import Any

import pytest

from smashup.cards import catalogue
from smashup.engine.game import Game
from smashup.engine.model.randomness import KEYED
from smashup.engine.model.setup import Setup
from smashup.server.bots.bot_pool import Task
from tests.server.live_server import LiveServer, run_server, wait_for_decision

MIN_SHARED_DIGITS = 8
"""Hexadecimal digits of a secret that must not appear anywhere, in any case."""


def make_setup(server: LiveServer, table: str) -> dict[str, Any]:
    setup = server.registry.tables[table].record.setup
    assert setup is not None
    return setup


def assert_hidden(secret: str, *texts: str) -> None:
    """Check that the texts contain no part of a secret, as digits or as a number."""
    chunks = {secret[i : i + MIN_SHARED_DIGITS] for i in range(len(secret) - MIN_SHARED_DIGITS + 1)}
    for text in texts:
        lower = text.lower()
        assert not any(chunk in lower for chunk in chunks)
        assert str(int(secret, 16)) not in text


async def test_every_game_has_a_secret_of_256_bits(tmp_path: Path) -> None:
    """Server games are not dealt from 53-bit seeds: no other number of the setup is used."""

    async with run_server(tmp_path) as server:
        found = []
        for mode in ("choose", "random", "draft", "choose"):
            table, _ = await server.create_table("me", "easy", mode=mode)
            found.append(make_setup(server, table))
        assert len({setup["secret"] for setup in found}) == 4
        for setup in found:
            assert setup["generator"] == KEYED
            assert isinstance(setup["secret"], str)
            assert len(bytes.fromhex(setup["secret"])) == 32
            assert setup["seed"] == 0
            bits = int(setup["secret"], 16).bit_count()
            assert 80 < bits < 176, "this fails once in 10^9 runs"


async def test_the_deal_depends_only_on_the_secret(tmp_path: Path) -> None:
    async with run_server(tmp_path) as server:
        table, _ = await server.create_table("me", "me", mode="random")
        game, setup = server.registry.tables[table].game, Setup.from_json(make_setup(server, table))
        assert game is not None
        assert game.table.checkpoint.key == setup.key != b""
        again = Game(setup, catalogue())
        assert again.digest() == game.digest()
        changed = setup.secret[:-1] + f"{int(setup.secret[-1], 16) ^ 1:x}"
        other = Game(Setup.from_json({**setup.to_json(), "secret": changed}), catalogue())
        assert other.digest() != game.digest()


async def test_random_factions_do_not_depend_on_the_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are public and would allow testing guesses of the secret."""
    monkeypatch.setattr("smashup.server.tables.seats.seating.new_secret", lambda: "5c" * 32)

    async with run_server(tmp_path) as server:
        teams = set()
        for _ in range(4):
            table, _ = await server.create_table("me", "easy", mode="choose")
            teams.add(str(make_setup(server, table)["factions"]))
        assert len(teams) > 1


def test_seeds_of_bots_are_derived_from_the_secret() -> None:
    setup = Setup(generator=KEYED, secret="5c" * 32).to_json()
    task = Task("t", setup, {}, 0, [0] * 5, "easy", 1, 3)
    other = Task("t", {**setup, "secret": "5d" * 32}, {}, 0, [0] * 5, "easy", 1, 3)
    later = Task("t", setup, {}, 2, [0] * 5, "easy", 1, 3)
    assert task.seed == Task("t", setup, {}, 1, [0] * 4, "easy", 1, 3).seed, "as after a restart"
    assert len({task.seed, other.seed, later.seed}) == 3


def test_nothing_on_the_wire_contains_the_secret(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    async def visit() -> tuple[str, list[str]]:
        message: list[str] = []
        async with run_server(tmp_path) as server:
            table, secrets = await server.create_table("me", "me", "easy", listed=True)
            secret = make_setup(server, table)["secret"]
            async with (
                server.connect(table, secrets[0]) as one,
                server.connect(table, secrets[1], lang="fr") as two,
                server.connect(table) as watcher,
            ):
                rng = random.Random(1)
                for count in range(40):
                    asked = await wait_for_decision([one, two])
                    if count % 8 == 0:
                        await asked.line.send(
                            json.dumps(
                                {
                                    "type": "preview",
                                    "id": f"look{count}",
                                    "number": asked.number,
                                    "option": 0,
                                }
                            )
                        )
                        await asked.receive_until("preview", "refused")
                        await asked.answer(99)
                        await asked.answer(0, number=-1)
                        await asked.undo()
                    if asked.options:
                        await asked.answer(rng.randrange(len(asked.options)))
                for path in ("", "/replay", "/save"):
                    message.append((await server.http.get(f"/api/tables/{table}{path}")).text)
                for answer in (
                    await server.http.get("/api/tables?state=playing"),
                    await server.post(f"/{table}/reports", secrets[0], kind="bug", text="?"),
                    await server.post(f"/{table}/reports", kind="bug"),
                    await server.post(f"/{table}/branch", step=0, seat=0),
                    await server.post(f"/{table}/join", "wrong"),
                    await server.http.get("/healthz"),
                ):
                    message.append(answer.text)
                message += [str(client.received) for client in (one, two, watcher)]
        return secret, message

    secret, message = asyncio.run(visit())
    printed = capfd.readouterr()
    assert len(message) == 12
    assert_hidden(secret, *message, printed.out, printed.err, caplog.text)


async def test_the_secret_of_a_game_does_not_predict_others(tmp_path: Path) -> None:
    """A finished game's save shows its secret: rematches and branches have their own."""

    async with run_server(tmp_path) as server:
        table, secrets = await server.create_table("me", "me")
        used = {make_setup(server, table)["secret"]}
        early = await server.http.get(f"/api/tables/{table}/save")
        assert early.status_code == 409
        async with (
            server.connect(table, secrets[0]) as one,
            server.connect(table, secrets[1]) as two,
        ):
            for _ in range(12):
                asked = await wait_for_decision([one, two])
                await asked.answer(0)
        await server.post(f"/{table}/resign", secrets[0])
        save = (await server.http.get(f"/api/tables/{table}/save")).json()
        assert save["setup"]["secret"] in used
        for secret in secrets:
            again = await server.post(f"/{table}/rematch", secret)
        rematch = again.json()["table"]["id"]
        used.add(make_setup(server, rematch)["secret"])
        for step in (0, 2):
            answer = await server.post(f"/{table}/branch", step=step, seat=0)
            used.add(make_setup(server, answer.json()["table"]["id"])["secret"])
        assert len(used) == 4
