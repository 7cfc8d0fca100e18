"""Replays: recordings, their visibility, and branches."""

from __future__ import annotations

import asyncio
import gzip
import json
import random
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import update

from smashup.cards import catalogue
from smashup.engine.game import Game
from smashup.engine.model.randomness import KEYED
from smashup.engine.model.setup import Setup
from smashup.engine.saves import files as saves
from smashup.engine.views.view import SPECTATOR, message
from smashup.server.errors import TableReloading
from smashup.server.replays import recording as recordings
from smashup.server.replays.recording import FinishedGame, load_recording, record
from smashup.server.replays.replays import Replays
from smashup.server.replays.value_pool import read_value
from smashup.server.storage.records import (
    BOT,
    OVER,
    PERSON,
    PLAYING,
    LogEntry,
    SeatRecord,
    StoredTable,
    TableRecord,
)
from smashup.server.storage.schema import TABLES
from smashup.server.storage.store import store_at
from smashup.server.tables.seats.seating import hash_secret
from smashup.server.tables.table_log import answer_entry
from tests.server.live_server import LiveServer, run_server, wait_for_decision

CARDS = catalogue()
GOLDEN = Path(__file__).parent / "recording-1.json.gz"
OPTIONS = {
    "mode": "random",
    "edition": "CS",
    "printing": "printed",
    "optional_titans": False,
    "madness": False,
    "spectators": True,
}
ANA, BO = "a" * 43, "b" * 43


SHORT_GAME_ANSWERS = 90
"""Number of answers in a game that is long enough for most tests, before it is abandoned."""


def make_game(players: int = 2, most: int = 10_000, **more: Any) -> Game:
    """Play a game at random to its end, or for a number of answers."""
    game = Game(Setup(players=players, seed=1, **more), CARDS)
    rng = random.Random(1)
    while len(game.answers) < most and (decision := game.decision) is not None:
        game.choose(rng.randrange(len(decision.options)))
    return game


def make_recording(game: Game) -> bytes:
    """Make the recording of a game in this process."""
    setup = json.loads(json.dumps(game.setup.to_json()))
    seats = [{"kind": PERSON, "level": ""}] * game.table.num_players
    return record(FinishedGame(setup, {}, game.answers, seats, list(game.winners)), CARDS)


async def store_finished_game(
    folder: Path, game: Game, state: str = OVER, recording: bytes | None = None, **options: Any
) -> str:
    """Store the table of a finished game of Ana, Bo and bots; return its id."""
    asked = game.from_start()
    log: list[LogEntry] = []
    for number, answer in enumerate(game.answers):
        assert asked.decision is not None
        log.append(answer_entry(number, asked.decision.player, answer))
        asked.choose(answer)
    people = [("Ana", ANA), ("Bo", BO)]
    seats = [
        SeatRecord(number, PERSON, "easy", name, secret=hash_secret(secret), ready=True)
        for number, (name, secret) in enumerate(people)
    ] + [SeatRecord(number, BOT, "easy", ready=True) for number in range(2, game.table.num_players)]
    table = TableRecord(
        "over",
        {**OPTIONS, **options},
        1.0,
        state=state,
        setup=json.loads(json.dumps(game.setup.to_json())),
        rules="now",
        winners=list(game.winners),
    )

    store = store_at(folder / "tables.sqlite")
    await store.open()
    await store.create_table(table, seats, log)
    if recording is not None:
        await store.save_replay(table.id, recording)
    await store.close()
    return table.id


async def get(server: LiveServer, path: str, secret: str = "", **headers: str) -> httpx.Response:
    if secret:
        headers["Authorization"] = f"Bearer {secret}"
    return await server.http.get(f"/api/tables/{path}", headers=headers)


def reason(answer: httpx.Response) -> str:
    assert 400 <= answer.status_code < 500, answer.text
    sentence: str = answer.json()["reason"]["english"]
    return sentence


def part(found: dict[str, Any], place: int) -> Any:
    return read_value(found["shapes"], found["pool"], place)


@pytest.mark.parametrize(("players", "most"), [(2, 10_000), (3, SHORT_GAME_ANSWERS)])
def test_a_recording_contains_the_views_of_every_seat(players: int, most: int) -> None:
    """Views, log and changes are those of the game itself, answer by answer."""
    game = make_game(players, most)
    found = load_recording(make_recording(game))
    again = game.from_start()
    lines: dict[int, list[Any]] = {viewer: [] for viewer in range(SPECTATOR, players)}
    changes: dict[int, list[Any]] = {viewer: [] for viewer in range(SPECTATOR, players)}
    chosen = 0
    for step in found["steps"]:
        again.answer_all(game.answers[len(again.answers) : step["answers"]])
        choices = part(found, step["choices"])
        chosen += len(choices)
        assert chosen == step["answers"]
        for viewer in range(SPECTATOR, players):
            view = again.view(viewer)
            if view["decision"] is not None:
                view["decision"] = {"player": view["decision"]["player"]}
            assert part(found, step["views"][viewer + 1]) == view
            lines[viewer] += part(found, step["lines"][viewer + 1])
            changes[viewer] += part(found, step["changes"][viewer + 1])
        assert bool(step["menu"]) == again.at_menu
    assert again.answers == game.answers
    for viewer in range(SPECTATOR, players):
        told = [
            {"number": n, "event": game.table.log[n].event, "message": message(line)}
            for n, line in game.log_lines(viewer)
        ]
        assert lines[viewer] == told
        assert changes[viewer] == game.events(viewer)


def test_a_recording_contains_scores_by_turn() -> None:
    game = make_game()
    found = load_recording(make_recording(game))
    turns = found["turns"]
    assert [turn["turn"] for turn in turns] == list(range(game.table.state.turn + 1))
    assert turns[0]["vp"] == [0, 0]
    assert turns[-1]["vp"] == game.table.state.vp
    assert turns[-1]["chances"][game.winners[0]] == 1
    for turn in turns:
        assert abs(sum(turn["chances"]) - 1) < 0.01
    for turn in turns[1:]:
        assert found["steps"][turn["step"]]["turn"] == turn["turn"]
        before = found["steps"][max(0, turn["step"] - 1)]["turn"]
        assert turn["step"] == 0 or before == turn["turn"] - 1
    loaded = saves.from_json(found["save"], CARDS)
    assert loaded.game.digest() == game.digest()


def test_a_typical_recording_is_small() -> None:
    assert len(make_recording(make_game(players=4))) < 150_000


async def test_a_game_is_recorded_when_it_ends(tmp_path: Path) -> None:
    """No replay before the end; afterwards, it is made without a request."""
    table = await store_finished_game(tmp_path, make_game().undo(4), PLAYING)

    async with run_server(tmp_path) as server:
        for path in ("replay", "save"):
            answer = await get(server, f"{table}/{path}", ANA)
            assert answer.status_code == 409
            assert "not over yet" in reason(answer)
        branch = await server.post(f"/{table}/branch", ANA, step=0, seat=0)
        assert "not over yet" in reason(branch)
        assert not (await server.get_table(table))["replay"]
        async with server.connect(table, ANA) as ana, server.connect(table, BO) as bo:
            await asyncio.gather(ana.play(random.Random(1)), bo.play(random.Random(2)))
            assert ana.table["replay"]
        for _ in range(100):
            if (stored := await server.registry.store.load_replay(table)) is not None:
                break
            await asyncio.sleep(0.1)
        assert stored is not None
        live = server.registry.tables[table].game
        assert live is not None
        assert load_recording(stored)["save"]["answers"] == live.answers
        answer = await get(server, f"{table}/replay")
        assert answer.json() == load_recording(stored)


async def test_a_resigned_game_is_recorded(tmp_path: Path) -> None:
    """The recording of an abandoned game ends at its last answer; unstarted games have none."""

    async with run_server(tmp_path) as server:
        table, (one, two) = await server.create_table("me", "me")
        async with server.connect(table, one) as ana, server.connect(table, two) as bo:
            for _ in range(10):
                await (await wait_for_decision([ana, bo])).play(random.Random(1), 1)
        await server.post(f"/{table}/resign", two)
        found = (await get(server, f"{table}/replay")).json()
        assert found["winners"] == [0]
        game = server.registry.tables[table].game
        assert game is not None
        last = found["steps"][-1]
        assert last["answers"] == len(game.answers)
        assert part(found, last["views"][1])["players"] == game.view(0)["players"]
        waiting, (mine,) = await server.create_table("me", "open")
        assert (await get(server, f"{waiting}/replay")).status_code == 404
        await server.post(f"/{waiting}/leave", mine)
        assert "No game was played" in reason(await get(server, f"{waiting}/replay"))
        assert not (await server.get_table(waiting))["replay"]
        assert reason(await get(server, "nowhere/replay")) == "There is no such table."


async def test_undone_choices_are_not_recorded(tmp_path: Path) -> None:
    """The log contains every answer, the recording only the effective ones."""

    async with run_server(tmp_path) as server:
        table, (mine,) = await server.create_table("me", "easy")
        async with server.connect(table, mine) as ana:
            while not ana.received[-1].get("can_undo"):
                await ana.play(random.Random(2), 1)
                await ana.request(type="ping")
                ana.received = [said for said in ana.received if "can_undo" in said]
            undone = await ana.request(type="undo", number=ana.number)
            assert undone["type"] == "ack", undone
        await server.post(f"/{table}/resign", mine)
        found = (await get(server, f"{table}/replay")).json()
        live = server.registry.tables[table]
        assert live.game is not None
        assert found["save"]["answers"] == live.game.answers
        assert len(live.game.answers) < len(live.answers)


async def test_recordings_are_sent_as_stored(tmp_path: Path) -> None:
    table = await store_finished_game(tmp_path, make_game(most=SHORT_GAME_ANSWERS))

    async with run_server(tmp_path) as server:
        path = f"/api/tables/{table}/replay"
        async with server.http.stream("GET", path) as answer:
            raw = b"".join([chunk async for chunk in answer.aiter_raw()])
        assert answer.headers["content-encoding"] == "gzip"
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert raw == await server.registry.store.load_replay(table)
        plain = await get(server, f"{table}/replay", **{"Accept-Encoding": "identity"})
        assert "content-encoding" not in plain.headers
        assert plain.content == gzip.decompress(raw)
        again = await get(server, f"{table}/replay", **{"If-None-Match": answer.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")


async def test_a_request_during_a_shutdown_is_told_to_try_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await store_finished_game(tmp_path, make_game(most=SHORT_GAME_ANSWERS))
    is_recording = asyncio.Event()

    async def record_forever(game: FinishedGame) -> bytes:
        is_recording.set()
        await asyncio.Event().wait()
        raise AssertionError("the recording was not cancelled")

    async with run_server(tmp_path) as server:
        monkeypatch.setattr(server.registry.bot_pool, "record", record_forever)
        replays = Replays(server.registry)
        request = asyncio.create_task(replays.recording(table, BO))
        await asyncio.wait_for(is_recording.wait(), 30)
        await replays.close()
        with pytest.raises(TableReloading):
            await request


async def test_recordings_of_private_tables_are_private(tmp_path: Path) -> None:
    game = make_game(most=SHORT_GAME_ANSWERS)
    table = await store_finished_game(
        tmp_path, game, recording=make_recording(game), spectators=False
    )

    async with run_server(tmp_path) as server:
        for secret in ("", "c" * 43, "c" * 100):
            for path in ("replay", "save"):
                answer = await get(server, f"{table}/{path}", secret)
                assert answer.status_code == 403
                assert "players of this table" in reason(answer)
            branch = await server.post(f"/{table}/branch", secret, step=0, seat=0)
            assert branch.status_code == 403
        answer = await get(server, f"{table}/replay", BO)
        assert answer.status_code == 200
        assert answer.headers["cache-control"].startswith("private")


async def test_the_save_file_opens_in_the_terminal(tmp_path: Path) -> None:
    game = make_game(players=3, most=SHORT_GAME_ANSWERS)
    table = await store_finished_game(tmp_path, game, recording=make_recording(game))

    async with run_server(tmp_path) as server:
        answer = await get(server, f"{table}/save")
        assert answer.headers["content-disposition"].endswith('"smash-up-over.json"')
        (tmp_path / "game.json").write_bytes(answer.content)
    loaded = saves.load(tmp_path / "game.json", CARDS)
    assert loaded.game.digest() == game.digest()
    assert loaded.names == ["human:Ana", "human:Bo", "easy:"]


async def test_names_are_not_in_a_recording(tmp_path: Path) -> None:
    """Names are personal data and stored where they can be deleted."""
    game = make_game(most=SHORT_GAME_ANSWERS)
    table = await store_finished_game(tmp_path, game, recording=make_recording(game))

    async with run_server(tmp_path) as server:
        text = (await get(server, f"{table}/replay")).text
        assert '"Ana"' not in text
        assert ANA not in text
        assert hash_secret(ANA) not in text


# --- playing on -----------------------------------------------------------------------------


async def test_branch_with_the_same_cards(tmp_path: Path) -> None:
    """At any step, also in the middle of a card: the same table, with bots in the other seats."""
    game = make_game(players=3)
    table = await store_finished_game(tmp_path, game, recording=make_recording(game))

    async with run_server(tmp_path) as server:
        found = (await get(server, f"{table}/replay")).json()
        steps = found["steps"]
        mid_card = [at for at, step in enumerate(steps) if not step["menu"]][20]
        answer = await server.post(
            f"/{table}/branch", step=mid_card, seat=1, level="easy", shuffle=False, name="Cleo"
        )
        assert answer.status_code == 201, answer.text
        info, (seat,) = answer.json()["table"], answer.json()["seats"]
        assert [s["kind"] for s in info["seats"]] == ["bot", "person", "bot"]
        assert [s["name"] for s in info["seats"]] == ["", "Cleo", ""]
        assert (info["state"], info["listed"], seat["seat"]) == ("playing", False, 1)
        going_on = server.registry.tables[info["id"]].game
        assert going_on is not None
        given = steps[mid_card]["answers"]
        assert going_on.answers[:given] == game.answers[:given]
        async with server.connect(info["id"], seat["secret"]) as cleo:
            await cleo.play(random.Random(3), 3)
        late = await server.post(f"/{table}/branch", step=len(steps) - 1, seat=0, shuffle=False)
        assert "over at this step" in reason(late)


async def test_branch_with_redealt_hidden_cards(tmp_path: Path) -> None:
    """The seat sees the same at the last play menu; all other cards are redealt."""
    game = make_game()
    table = await store_finished_game(tmp_path, game, recording=make_recording(game))

    async with run_server(tmp_path) as server:
        found = (await get(server, f"{table}/replay")).json()
        steps = found["steps"]
        step = len(steps) // 2
        menu = next(at for at in range(step, -1, -1) if steps[at]["menu"])
        before = game.undo(len(game.answers) - steps[menu]["answers"])
        mine = before.table.state.current
        hidden, secrets = set(), {game.setup.secret}
        for _ in range(3):
            answer = await server.post(f"/{table}/branch", step=step, seat=mine)
            info, (seat,) = answer.json()["table"], answer.json()["seats"]
            async with server.connect(info["id"], seat["secret"]) as client:
                assert client.view is not None
                was = part(found, steps[menu]["views"][mine + 1])
                for key in ("players", "bases", "turn", "current", "phase"):
                    assert client.view[key] == was[key]
                assert client.options, "it is a turn of its own"
            going_on = server.registry.tables[info["id"]].game
            assert going_on is not None
            s = going_on.table.state
            hidden.add(tuple(s.definition[c].name for c in s.decks[mine]))
            assert going_on.setup.generator == KEYED
            secrets.add(going_on.setup.secret)
        assert len(hidden) == 3, "dealt again each time"
        assert len(secrets) == 4, "each with a secret of its own"
        at_the_end = await server.post(f"/{table}/branch", step=len(steps) - 1, seat=0)
        assert at_the_end.status_code == 201


async def test_branch_from_a_draft(tmp_path: Path) -> None:
    game = make_game(most=SHORT_GAME_ANSWERS, draft=True)
    table = await store_finished_game(tmp_path, game, recording=make_recording(game), mode="draft")

    async with run_server(tmp_path) as server:
        found = (await get(server, f"{table}/replay")).json()
        assert not found["steps"][1]["menu"]
        answer = await server.post(f"/{table}/branch", step=1, seat=0, level="easy")
        assert answer.status_code == 201
        exact = await server.post(f"/{table}/branch", step=1, seat=0, shuffle=False)
        going_on = server.registry.tables[exact.json()["table"]["id"]].game
        assert going_on is not None
        given = found["steps"][1]["answers"]
        assert going_on.answers[:given] == game.answers[:given]


async def test_invalid_branches_are_refused(tmp_path: Path) -> None:
    game = make_game(most=SHORT_GAME_ANSWERS)
    table = await store_finished_game(tmp_path, game, recording=make_recording(game))
    refused: list[tuple[dict[str, Any], str]] = [
        ({"step": 100_000, "seat": 0}, "no step 100000"),
        ({"step": 0, "seat": 2}, "no seat 2"),
        ({"step": -1, "seat": 0}, "greater than or equal to 0"),
        ({"step": 0, "seat": 0, "level": "genius"}, "cannot be understood"),
    ]

    async with run_server(tmp_path) as server:
        for wrong, said in refused:
            assert said in reason(await server.post(f"/{table}/branch", **wrong))
        assert len(server.registry.tables) == 0


# --- other rules ----------------------------------------------------------------------------


async def test_a_recording_survives_changed_rules(tmp_path: Path) -> None:
    """If the current rules differ, the recording can be shown, but no branch can be created."""
    game = make_game(most=SHORT_GAME_ANSWERS)
    meddled = load_recording(make_recording(game))
    for step in meddled["steps"]:
        step["menu"] = step["menu"] and "0" * 16
    table = await store_finished_game(
        tmp_path, game, recording=gzip.compress(json.dumps(meddled).encode())
    )

    async with run_server(tmp_path) as server:
        assert (await get(server, f"{table}/replay")).json() == meddled
        assert (await get(server, f"{table}/save")).status_code == 200
        for shuffle in (True, False):
            answer = await server.post(
                f"/{table}/branch", step=len(meddled["steps"]) // 2, seat=0, shuffle=shuffle
            )
            assert answer.status_code == 409
            assert "rules have changed" in reason(answer)


async def test_an_unrecorded_game_with_changed_rules_is_refused(tmp_path: Path) -> None:
    """A game that the rules cannot replay is not shown."""
    table = await store_finished_game(tmp_path, make_game(most=SHORT_GAME_ANSWERS))

    store = store_at(tmp_path / "tables.sqlite")
    await store.open()
    stored = await store.load(table)
    assert isinstance(stored, StoredTable)
    assert stored.table.setup is not None
    stored.table.setup["seed"] = 123  # the answers lead to another game
    async with store.transaction() as connection:
        setup = json.dumps(stored.table.setup)
        await connection.execute(update(TABLES).values(setup=setup))
    await store.close()

    async with run_server(tmp_path) as server:
        answer = await get(server, f"{table}/replay")
        assert answer.status_code == 409
        assert "rules have changed" in reason(answer)
        assert await server.registry.store.load_replay(table) is None


def test_a_game_from_a_snapshot_is_recorded(tmp_path: Path) -> None:
    """The part before the resumed snapshot is lost; the rest is recorded and can be continued."""
    game = make_game()
    turn = game.undo(len(game.answers) // 2)
    while not turn.at_menu:
        turn = turn.undo(1)
    assert turn.table.last_menu is not None
    start = json.loads(json.dumps(turn.table.last_menu.to_dict()))
    answers = game.answers[len(turn.answers) :]
    finished = FinishedGame(game.setup.to_json(), start, answers, [], list(game.winners))
    found = load_recording(record(finished, CARDS))
    assert not found["whole"]
    assert found["turns"][0]["vp"] == turn.table.state.vp
    assert found["turns"][1]["turn"] == turn.table.state.turn
    assert part(found, found["steps"][-1]["views"][0])["winners"] == game.winners


async def test_format_version_1_is_readable(tmp_path: Path) -> None:
    """This file never changes; the tests of the browser client read it too."""
    found = load_recording(GOLDEN.read_bytes())
    assert (found["format"], found["version"]) == (recordings.FORMAT, 1)
    view = part(found, found["steps"][-1]["views"][0])
    assert view["turn"] == 13
    assert view["players"][0]["factions"] == ["Kaiju", "Time Travelers"]
    table = await store_finished_game(
        tmp_path, make_game(most=SHORT_GAME_ANSWERS), recording=GOLDEN.read_bytes()
    )

    async with run_server(tmp_path) as server:
        assert (await get(server, f"{table}/replay")).json() == found
        # Under any later rules, a branch is created or refused with a sentence.
        answer = await server.post(f"/{table}/branch", step=30, seat=0)
        assert answer.status_code in (201, 409)
