"""Finished games seen again: recorded for good, told to nobody before, played on from any step."""

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
from smashup.server.replays import recording as recordings
from smashup.server.replays.recording import Finished, opened, record
from smashup.server.replays.value_pool import taken
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
from smashup.server.tables.seating import hashed
from smashup.server.tables.table_log import answer_entry
from tests.server.house import House, a_decision_of, serving

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


A_WHILE = 90
"""Answers after which a game is far enough for most of what is to be tried, and given up."""


def a_game(players: int = 2, most: int = 10_000, **more: Any) -> Game:
    """A game at random to its end, or for so many answers."""
    game = Game(Setup(players=players, seed=1, **more), CARDS)
    dice = random.Random(1)
    while len(game.answers) < most and (decision := game.decision) is not None:
        game.choose(dice.randrange(len(decision.options)))
    return game


def recorded(game: Game) -> bytes:
    """The recording of a game, made here and now."""
    setup = json.loads(json.dumps(game.setup.to_json()))
    seats = [{"kind": PERSON, "level": ""}] * game.table.num_players
    return record(Finished(setup, {}, game.answers, seats, list(game.winners)), CARDS)


def on_disk(
    folder: Path, game: Game, state: str = OVER, recording: bytes | None = None, **options: Any
) -> str:
    """The table of a game in a database, as a server leaves it: Ana and Bo, and bots with them."""
    asked = game.from_start()
    log: list[LogEntry] = []
    for number, answer in enumerate(game.answers):
        assert asked.decision is not None
        log.append(answer_entry(number, asked.decision.player, answer))
        asked.choose(answer)
    people = [("Ana", ANA), ("Bo", BO)]
    seats = [
        SeatRecord(number, PERSON, "easy", name, secret=hashed(secret), ready=True)
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

    async def write() -> None:
        store = store_at(folder / "tables.sqlite")
        await store.open()
        await store.create_table(table, seats, log)
        if recording is not None:
            await store.save_replay(table.id, recording)
        await store.close()

    asyncio.run(write())
    return table.id


async def get(house: House, path: str, secret: str = "", **headers: str) -> httpx.Response:
    if secret:
        headers["Authorization"] = f"Bearer {secret}"
    return await house.http.get(f"/api/tables/{path}", headers=headers)


def reason(answer: httpx.Response) -> str:
    assert 400 <= answer.status_code < 500, answer.text
    sentence: str = answer.json()["reason"]["english"]
    return sentence


def part(found: dict[str, Any], place: int) -> Any:
    return taken(found["shapes"], found["pool"], place)


@pytest.mark.parametrize(("players", "most"), [(2, 10_000), (3, A_WHILE)])
def test_a_recording_shows_every_seat_what_it_saw(players: int, most: int) -> None:
    """Views, log and changes are those of the game itself, answer by answer."""
    game = a_game(players, most)
    found = opened(recorded(game))
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


def test_the_course_of_a_game_turn_by_turn() -> None:
    game = a_game()
    found = opened(recorded(game))
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
    assert len(recorded(a_game(players=4))) < 150_000


def test_a_game_is_recorded_when_it_ends(tmp_path: Path) -> None:
    """Nothing is told before; then it is there, without anybody having asked."""
    table = on_disk(tmp_path, a_game().undo(4), PLAYING)

    async def visit() -> None:
        async with serving(tmp_path) as house:
            for path in ("replay", "save"):
                answer = await get(house, f"{table}/{path}", ANA)
                assert answer.status_code == 409
                assert "still being played" in reason(answer)
            branch = await house.post(f"/{table}/branch", ANA, step=0, seat=0)
            assert "still being played" in reason(branch)
            assert not (await house.look(table))["replay"]
            async with house.guest(table, ANA) as ana, house.guest(table, BO) as bo:
                await asyncio.gather(ana.play(random.Random(1)), bo.play(random.Random(2)))
                assert ana.table["replay"]
            for _ in range(100):
                if (kept := await house.registry.store.load_replay(table)) is not None:
                    break
                await asyncio.sleep(0.1)
            assert kept is not None
            live = house.registry.tables[table].game
            assert live is not None
            assert opened(kept)["save"]["answers"] == live.answers
            answer = await get(house, f"{table}/replay")
            assert answer.json() == opened(kept)

    asyncio.run(visit())


def test_a_game_that_somebody_gave_up(tmp_path: Path) -> None:
    """The recording ends where the game was left; a game that never began has none."""

    async def visit() -> None:
        async with serving(tmp_path) as house:
            table, (one, two) = await house.table("me", "me")
            async with house.guest(table, one) as ana, house.guest(table, two) as bo:
                for _ in range(10):
                    await (await a_decision_of([ana, bo])).play(random.Random(1), 1)
            await house.post(f"/{table}/resign", two)
            found = (await get(house, f"{table}/replay")).json()
            assert found["winners"] == [0]
            game = house.registry.tables[table].game
            assert game is not None
            last = found["steps"][-1]
            assert last["answers"] == len(game.answers)
            assert part(found, last["views"][1])["players"] == game.view(0)["players"]
            waiting, (mine,) = await house.table("me", "open")
            assert (await get(house, f"{waiting}/replay")).status_code == 404
            await house.post(f"/{waiting}/leave", mine)
            assert "No game was played" in reason(await get(house, f"{waiting}/replay"))
            assert not (await house.look(waiting))["replay"]
            assert reason(await get(house, "nowhere/replay")) == "There is no such table."

    asyncio.run(visit())


def test_what_was_taken_back_is_not_in_it(tmp_path: Path) -> None:
    """The log keeps every answer, the recording those that counted."""

    async def visit() -> None:
        async with serving(tmp_path) as house:
            table, (mine,) = await house.table("me", "easy")
            async with house.guest(table, mine) as ana:
                while not ana.heard[-1].get("can_undo"):
                    await ana.play(random.Random(2), 1)
                    await ana.say(type="ping")
                    ana.heard = [said for said in ana.heard if "can_undo" in said]
                undone = await ana.say(type="undo", number=ana.number)
                assert undone["type"] == "ack", undone
            await house.post(f"/{table}/resign", mine)
            found = (await get(house, f"{table}/replay")).json()
            live = house.registry.tables[table]
            assert live.game is not None
            assert found["save"]["answers"] == live.game.answers
            assert len(live.game.answers) < len(live.answers)

    asyncio.run(visit())


def test_it_is_sent_as_it_is_kept(tmp_path: Path) -> None:
    table = on_disk(tmp_path, a_game(most=A_WHILE))

    async def visit() -> None:
        async with serving(tmp_path) as house:
            path = f"/api/tables/{table}/replay"
            async with house.http.stream("GET", path) as answer:
                raw = b"".join([chunk async for chunk in answer.aiter_raw()])
            assert answer.headers["content-encoding"] == "gzip"
            assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
            assert raw == await house.registry.store.load_replay(table)
            plain = await get(house, f"{table}/replay", **{"Accept-Encoding": "identity"})
            assert "content-encoding" not in plain.headers
            assert plain.content == gzip.decompress(raw)
            again = await get(house, f"{table}/replay", **{"If-None-Match": answer.headers["etag"]})
            assert (again.status_code, again.content) == (304, b"")

    asyncio.run(visit())


def test_a_table_that_nobody_may_watch_is_for_its_players(tmp_path: Path) -> None:
    game = a_game(most=A_WHILE)
    table = on_disk(tmp_path, game, recording=recorded(game), spectators=False)

    async def visit() -> None:
        async with serving(tmp_path) as house:
            for secret in ("", "c" * 43, "c" * 100):
                for path in ("replay", "save"):
                    answer = await get(house, f"{table}/{path}", secret)
                    assert answer.status_code == 403
                    assert "those who played here" in reason(answer)
                branch = await house.post(f"/{table}/branch", secret, step=0, seat=0)
                assert branch.status_code == 403
            answer = await get(house, f"{table}/replay", BO)
            assert answer.status_code == 200
            assert answer.headers["cache-control"].startswith("private")

    asyncio.run(visit())


def test_the_save_opens_in_the_terminal(tmp_path: Path) -> None:
    game = a_game(players=3, most=A_WHILE)
    table = on_disk(tmp_path, game, recording=recorded(game))

    async def visit() -> None:
        async with serving(tmp_path) as house:
            answer = await get(house, f"{table}/save")
            assert answer.headers["content-disposition"].endswith('"smash-up-over.json"')
            (tmp_path / "game.json").write_bytes(answer.content)

    asyncio.run(visit())
    loaded = saves.load(tmp_path / "game.json", CARDS)
    assert loaded.game.digest() == game.digest()
    assert loaded.names == ["human:Ana", "human:Bo", "easy:"]


def test_names_are_not_in_a_recording(tmp_path: Path) -> None:
    """They belong to people, and can be deleted where they are kept."""
    game = a_game(most=A_WHILE)
    table = on_disk(tmp_path, game, recording=recorded(game))

    async def visit() -> None:
        async with serving(tmp_path) as house:
            text = (await get(house, f"{table}/replay")).text
            assert '"Ana"' not in text
            assert ANA not in text
            assert hashed(ANA) not in text

    asyncio.run(visit())


# --- playing on -----------------------------------------------------------------------------


def test_playing_on_with_the_very_cards(tmp_path: Path) -> None:
    """At any step, in the middle of a card too: the same table, bots in the other seats."""
    game = a_game(players=3)
    table = on_disk(tmp_path, game, recording=recorded(game))

    async def visit() -> None:
        async with serving(tmp_path) as house:
            found = (await get(house, f"{table}/replay")).json()
            steps = found["steps"]
            amid = [at for at, step in enumerate(steps) if not step["menu"]][20]
            answer = await house.post(
                f"/{table}/branch", step=amid, seat=1, level="easy", shuffle=False, name="Cleo"
            )
            assert answer.status_code == 201, answer.text
            info, (seat,) = answer.json()["table"], answer.json()["seats"]
            assert [s["kind"] for s in info["seats"]] == ["bot", "person", "bot"]
            assert [s["name"] for s in info["seats"]] == ["", "Cleo", ""]
            assert (info["state"], info["listed"], seat["seat"]) == ("playing", False, 1)
            going_on = house.registry.tables[info["id"]].game
            assert going_on is not None
            given = steps[amid]["answers"]
            assert going_on.answers[:given] == game.answers[:given]
            async with house.guest(info["id"], seat["secret"]) as cleo:
                await cleo.play(random.Random(3), 3)
            late = await house.post(f"/{table}/branch", step=len(steps) - 1, seat=0, shuffle=False)
            assert "over there" in reason(late)

    asyncio.run(visit())


def test_playing_on_with_hidden_cards_dealt_anew(tmp_path: Path) -> None:
    """The seat sees what it saw at the last play menu, and nothing else is as it was."""
    game = a_game()
    table = on_disk(tmp_path, game, recording=recorded(game))

    async def visit() -> None:
        async with serving(tmp_path) as house:
            found = (await get(house, f"{table}/replay")).json()
            steps = found["steps"]
            step = len(steps) // 2
            menu = next(at for at in range(step, -1, -1) if steps[at]["menu"])
            before = game.undo(len(game.answers) - steps[menu]["answers"])
            mine = before.table.state.current
            hidden, secrets = set(), {game.setup.secret}
            for _ in range(3):
                answer = await house.post(f"/{table}/branch", step=step, seat=mine)
                info, (seat,) = answer.json()["table"], answer.json()["seats"]
                async with house.guest(info["id"], seat["secret"]) as guest:
                    assert guest.view is not None
                    was = part(found, steps[menu]["views"][mine + 1])
                    for key in ("players", "bases", "turn", "current", "phase"):
                        assert guest.view[key] == was[key]
                    assert guest.options, "it is a turn of its own"
                going_on = house.registry.tables[info["id"]].game
                assert going_on is not None
                s = going_on.table.state
                hidden.add(tuple(s.definition[c].name for c in s.decks[mine]))
                assert going_on.setup.generator == KEYED
                secrets.add(going_on.setup.secret)
            assert len(hidden) == 3, "dealt anew each time"
            assert len(secrets) == 4, "each with a secret of its own"
            at_the_end = await house.post(f"/{table}/branch", step=len(steps) - 1, seat=0)
            assert at_the_end.status_code == 201

    asyncio.run(visit())


def test_a_draft_is_played_on_from_the_beginning(tmp_path: Path) -> None:
    game = a_game(most=A_WHILE, draft=True)
    table = on_disk(tmp_path, game, recording=recorded(game), mode="draft")

    async def visit() -> None:
        async with serving(tmp_path) as house:
            found = (await get(house, f"{table}/replay")).json()
            assert not found["steps"][1]["menu"]
            answer = await house.post(f"/{table}/branch", step=1, seat=0, level="easy")
            assert answer.status_code == 201
            exact = await house.post(f"/{table}/branch", step=1, seat=0, shuffle=False)
            going_on = house.registry.tables[exact.json()["table"]["id"]].game
            assert going_on is not None
            given = found["steps"][1]["answers"]
            assert going_on.answers[:given] == game.answers[:given]

    asyncio.run(visit())


def test_what_cannot_be_played_on(tmp_path: Path) -> None:
    game = a_game(most=A_WHILE)
    table = on_disk(tmp_path, game, recording=recorded(game))
    refused: list[tuple[dict[str, Any], str]] = [
        ({"step": 100_000, "seat": 0}, "no step 100000"),
        ({"step": 0, "seat": 2}, "no seat 2"),
        ({"step": -1, "seat": 0}, "greater than or equal to 0"),
        ({"step": 0, "seat": 0, "level": "genius"}, "cannot be understood"),
    ]

    async def visit() -> None:
        async with serving(tmp_path) as house:
            for wrong, said in refused:
                assert said in reason(await house.post(f"/{table}/branch", **wrong))
            assert len(house.registry.tables) == 0

    asyncio.run(visit())


# --- other rules ----------------------------------------------------------------------------


def test_a_recording_outlives_the_rules(tmp_path: Path) -> None:
    """Where today's rules lead elsewhere it is shown all the same; only playing on is refused."""
    game = a_game(most=A_WHILE)
    meddled = opened(recorded(game))
    for step in meddled["steps"]:
        step["menu"] = step["menu"] and "0" * 16
    table = on_disk(tmp_path, game, recording=gzip.compress(json.dumps(meddled).encode()))

    async def visit() -> None:
        async with serving(tmp_path) as house:
            assert (await get(house, f"{table}/replay")).json() == meddled
            assert (await get(house, f"{table}/save")).status_code == 200
            for shuffle in (True, False):
                answer = await house.post(
                    f"/{table}/branch", step=len(meddled["steps"]) // 2, seat=0, shuffle=shuffle
                )
                assert answer.status_code == 409
                assert "rules have changed" in reason(answer)

    asyncio.run(visit())


def test_a_game_that_was_not_recorded_under_its_rules(tmp_path: Path) -> None:
    """It is not shown as something that it was not."""
    table = on_disk(tmp_path, a_game(most=A_WHILE))

    async def meddle() -> None:
        store = store_at(tmp_path / "tables.sqlite")
        await store.open()
        kept = await store.load(table)
        assert isinstance(kept, StoredTable)
        assert kept.table.setup is not None
        kept.table.setup["seed"] = 123  # the answers lead elsewhere
        async with store.transaction() as connection:
            setup = json.dumps(kept.table.setup)
            await connection.execute(update(TABLES).values(setup=setup))
        await store.close()

    asyncio.run(meddle())

    async def visit() -> None:
        async with serving(tmp_path) as house:
            answer = await get(house, f"{table}/replay")
            assert answer.status_code == 409
            assert "rules have changed" in reason(answer)
            assert await house.registry.store.load_replay(table) is None

    asyncio.run(visit())


def test_a_game_that_went_on_from_a_snapshot(tmp_path: Path) -> None:
    """What came before is not known any more; the rest is recorded and can be played on."""
    game = a_game()
    turn = game.undo(len(game.answers) // 2)
    while not turn.at_menu:
        turn = turn.undo(1)
    assert turn.table.last_menu is not None
    start = json.loads(json.dumps(turn.table.last_menu.to_dict()))
    answers = game.answers[len(turn.answers) :]
    finished = Finished(game.setup.to_json(), start, answers, [], list(game.winners))
    found = opened(record(finished, CARDS))
    assert not found["whole"]
    assert found["turns"][0]["vp"] == turn.table.state.vp
    assert found["turns"][1]["turn"] == turn.table.state.turn
    assert part(found, found["steps"][-1]["views"][0])["winners"] == game.winners


def test_the_first_recording_ever_is_still_read(tmp_path: Path) -> None:
    """A file that is never written again; the browser client's tests read it too."""
    found = opened(GOLDEN.read_bytes())
    assert (found["format"], found["version"]) == (recordings.FORMAT, 1)
    view = part(found, found["steps"][-1]["views"][0])
    assert view["turn"] == 13
    assert view["players"][0]["factions"] == ["Kaiju", "Time Travelers"]
    table = on_disk(tmp_path, a_game(most=A_WHILE), recording=GOLDEN.read_bytes())

    async def visit() -> None:
        async with serving(tmp_path) as house:
            assert (await get(house, f"{table}/replay")).json() == found
            # Whatever the rules are by now, playing on is done or refused in a sentence.
            answer = await house.post(f"/{table}/branch", step=30, seat=0)
            assert answer.status_code in (201, 409)

    asyncio.run(visit())
