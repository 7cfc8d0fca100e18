"""Damaged databases: the server refuses to start with one sentence, or refuses the one table."""

from __future__ import annotations

import asyncio
import gzip
import random
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import AsyncConnection

from smashup.engine.errors import SaveError
from smashup.server.errors import Damaged
from smashup.server.operations import logs
from smashup.server.replays.recording import decompress_recording, load_recording
from smashup.server.storage import damage
from smashup.server.storage.migrating import known_revisions
from smashup.server.storage.store import store_at
from smashup.terminal.main import main
from tests.server.live_server import LiveServer, run_server, wait_for_decision

LIMIT_SECONDS = 2.0
BUSY_MACHINE_SECONDS = 20.0
"""How long the same may take while other programs run."""
PAGE = 4096
ROOT_PAGES = 16
Damage = Callable[[bytearray, random.Random], None]


@pytest.fixture(name="original", scope="module")
def _original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a database of a server with tables that are open, in progress and over."""
    folder = tmp_path_factory.mktemp("original")

    async def play() -> None:
        async with run_server(folder) as server:
            for number in range(3):
                table, secrets = await server.create_table("me", "me", listed=True, clock=900)
                async with (
                    server.connect(table, secrets[0]) as one,
                    server.connect(table, secrets[1]) as two,
                ):
                    for _ in range(6):
                        await (await wait_for_decision([one, two])).answer(0)
                if number == 0:
                    await server.post(f"/{table}/resign", secrets[0])
                    await server.http.get(f"/api/tables/{table}/replay")
            await server.create_table("me", "open", listed=True)

    asyncio.run(play())
    return folder / "tables.sqlite"


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@contextmanager
def time_limit() -> Iterator[None]:
    """Limit the processor time, and the elapsed time in case something hangs."""
    started, spent = time.monotonic(), time.process_time()
    yield
    assert time.process_time() - spent < LIMIT_SECONDS
    assert time.monotonic() - started < BUSY_MACHINE_SECONDS


def try_to_open(path: Path) -> str:
    """Return the error of a database; empty if it can be used."""

    async def visit() -> str:
        store = store_at(path)
        try:
            await store.open()
        except SaveError as refused:
            return str(refused)
        finally:
            await store.close()
        return ""

    with time_limit():
        return asyncio.run(visit())


def flip_few_bits(raw: bytearray, rng: random.Random) -> None:
    for _ in range(rng.choice((1, 8, 200))):
        flip_bit(raw, rng.randrange(len(raw)), rng)


def flip_many_bits(raw: bytearray, rng: random.Random) -> None:
    for _ in range(len(raw) // 10):
        flip_bit(raw, rng.randrange(len(raw)), rng)


def flip_bit(raw: bytearray, place: int, rng: random.Random) -> None:
    raw[place] ^= 1 << rng.randrange(8)


def flip_in_header(raw: bytearray, rng: random.Random) -> None:
    flip_bit(raw, rng.randrange(100), rng)


def flip_in_schema(raw: bytearray, rng: random.Random) -> None:
    flip_bit(raw, rng.randrange(100, PAGE), rng)


def truncate(raw: bytearray, rng: random.Random) -> None:
    """Truncate the file by at least a page."""
    del raw[rng.randrange(1, len(raw) - PAGE) :]


def zero_any_page(raw: bytearray, rng: random.Random) -> None:
    zero_page(raw, rng.randrange(len(raw) // PAGE))


def zero_root_page(raw: bytearray, rng: random.Random) -> None:
    """Zero the first page of a table or an index; all were created with the file."""
    zero_page(raw, rng.randrange(ROOT_PAGES))


def zero_page(raw: bytearray, page: int) -> None:
    raw[page * PAGE : (page + 1) * PAGE] = bytes(PAGE)


def swap_any_pages(raw: bytearray, rng: random.Random) -> None:
    swap_pages(raw, *(rng.randrange(len(raw) // PAGE) for _ in range(2)))


def swap_first_page(raw: bytearray, rng: random.Random) -> None:
    swap_pages(raw, 0, rng.randrange(1, len(raw) // PAGE))


def swap_pages(raw: bytearray, *pages: int) -> None:
    one, two = (page * PAGE for page in pages)
    raw[one : one + PAGE], raw[two : two + PAGE] = raw[two : two + PAGE], raw[one : one + PAGE]


HEAVY_DAMAGE = [flip_many_bits, truncate, zero_root_page, swap_first_page]
LIGHT_DAMAGE = [flip_few_bits, flip_in_header, flip_in_schema, zero_any_page, swap_any_pages]
"""SQLite may not notice light damage, because the contents of rows have no checksum."""


@pytest.mark.parametrize("damage_file", [*HEAVY_DAMAGE, *LIGHT_DAMAGE])
def test_a_damaged_file_is_refused_and_unchanged(
    tmp_path: Path, original: Path, damage_file: Damage
) -> None:
    """The database may also be usable, if light damage was not noticed."""
    rng = random.Random(damage_file.__name__)
    for number in range(12):
        folder = tmp_path / str(number)
        folder.mkdir()
        path = folder / "tables.sqlite"
        raw = bytearray(original.read_bytes())
        damage_file(raw, rng)
        path.write_bytes(raw)
        before = contents(folder)
        sentence = try_to_open(path)
        assert sentence or damage_file in LIGHT_DAMAGE
        if sentence:
            assert len(sentence.splitlines()) == 1
            assert len(sentence) < 300 + len(str(path))
            assert contents(folder) == before


@pytest.mark.parametrize("place", [18, 19])
@pytest.mark.parametrize("version", [0, 3, 2 ^ 0x41, 255])
def test_a_file_that_cannot_be_written_is_refused(
    tmp_path: Path, original: Path, place: int, version: int
) -> None:
    """Byte 18 is the version that writing the file needs, byte 19 the one for reading it."""
    path = tmp_path / "tables.sqlite"
    raw = bytearray(original.read_bytes())
    assert raw[place] == 2
    raw[place] = version
    path.write_bytes(raw)
    sentence = try_to_open(path)
    assert ("damaged: its header" if version == 0 or place == 18 else "cannot be used") in sentence
    assert len(sentence.splitlines()) == 1
    assert path.read_bytes() == raw


def make_foreign_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as file:
        file.execute("CREATE TABLE recipes (name TEXT)")
        file.commit()


def set_revision(path: Path, revision: str, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("CREATE TABLE alembic_version (version_num TEXT)")
        file.execute("INSERT INTO alembic_version VALUES (?)", (revision,))
        for statement in statements:
            file.execute(statement)


def set_newer_version(path: Path) -> None:
    tables = (f"CREATE TABLE {name} (id TEXT)" for name in ("tables", "seats", "log_entries"))
    set_revision(path, "9999", *tables)


def make_prerelease_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as file:
        file.executescript(
            "CREATE TABLE tables (id TEXT); CREATE TABLE answers (table_id TEXT);"
            " PRAGMA user_version = 7"
        )


def drop_table(path: Path) -> None:
    set_revision(path, known_revisions()[0], "CREATE TABLE tables (id TEXT)")


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (make_foreign_database, "belongs to another program"),
        (set_newer_version, "newer version"),
        (make_prerelease_database, "written by a development version before the first release"),
        (drop_table, "damaged: the table"),
        (lambda path: path.write_bytes(b"hello"), "not a database of this program"),
        (lambda path: path.write_bytes(b"SQLite format 3\x00"), "cannot be used"),
        (lambda path: path.write_bytes(b"SQLite format 3\x00" + b"\xff" * 5000), "cannot be used"),
        (lambda path: path.mkdir(), "is not a file"),
    ],
)
def test_the_server_does_not_start_with_a_damaged_file(
    tmp_path: Path,
    make: Callable[[Path], Any],
    sentence: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "tables.sqlite"
    make(path)
    before = contents(tmp_path) if path.is_file() else None
    for command in (["serve", "--port", "0"], ["reports"], ["forget", "--table", "x", "--yes"]):
        with time_limit():
            assert main([*command, "--database", str(path)]) == 2, command
        received = capsys.readouterr()
        if path.is_file() or command[0] == "serve":
            assert sentence in received.err
        assert len(received.err.strip().splitlines()) == 1
        assert before is None or contents(tmp_path) == before


def test_a_file_of_a_killed_server_is_used(tmp_path: Path, original: Path) -> None:
    """Its log is read with it; looking at it leaves nothing behind."""
    path = tmp_path / "tables.sqlite"
    shutil.copy(original, path)
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        file.execute("PRAGMA journal_mode = WAL")
        file.execute("UPDATE tables SET rules = 'in the log'")
        copy = tmp_path / "killed"
        copy.mkdir()
        for suffix in ("", "-wal"):
            shutil.copy(f"{path}{suffix}", copy / f"tables.sqlite{suffix}")
    assert (copy / "tables.sqlite-wal").stat().st_size > 0
    assert try_to_open(copy / "tables.sqlite") == ""
    with closing(sqlite3.connect(copy / "tables.sqlite")) as file:
        assert file.execute("SELECT DISTINCT rules FROM tables").fetchall() == [("in the log",)]


DAMAGED_ROWS = [
    "UPDATE tables SET options = 'x' WHERE id = ?",
    "UPDATE tables SET options = '{}' WHERE id = ?",
    "UPDATE tables SET options = '[1]' WHERE id = ?",
    "UPDATE tables SET setup = '{' WHERE id = ?",
    "UPDATE tables SET setup = '{\"players\": 9}' WHERE id = ?",
    "UPDATE tables SET setup = x'ff00ff' WHERE id = ?",
    "UPDATE tables SET start = '{\"phase\": 99}' WHERE id = ?",
    "UPDATE tables SET start_at = 1000000 WHERE id = ?",
    "UPDATE tables SET start_at = 'x' WHERE id = ?",
    "UPDATE tables SET clock = '{\"seat\": 0}' WHERE id = ?",
    "UPDATE tables SET clock = 'null' WHERE id = ?",
    "UPDATE tables SET winners = '7' WHERE id = ?",
    "UPDATE tables SET state = 'nonsense' WHERE id = ?",
    "UPDATE seats SET stops = '[[' WHERE table_id = ?",
    "UPDATE seats SET kind = 'ghost' WHERE table_id = ?",
    "UPDATE seats SET number = number + 5 WHERE table_id = ?",
    "UPDATE snapshots SET facts = '{\"phase\": 99}' WHERE table_id = ?",
    "UPDATE snapshots SET facts = '[[[[' WHERE table_id = ?",
    "INSERT INTO log_entries VALUES (?, 100000, 'answer', 0, '', '{\"option\": 99999}')",
    "INSERT INTO log_entries VALUES (?, 100000, 'answer', 77, '', '{\"option\": 0}')",
    "INSERT INTO log_entries VALUES (?, 100000, 'undo', 0, '', '{\"count\": 99999}')",
    "INSERT INTO log_entries VALUES (?, 'x', 'y', 'z', 'w', 'v')",
    "INSERT INTO log_entries SELECT ?1, 1 + max(number), 'answer', 0, '', '[' FROM log_entries"
    " WHERE table_id = ?1",
    "INSERT INTO log_entries SELECT ?1, 1 + max(number), 'ghost', 0, '', '{}' FROM log_entries"
    " WHERE table_id = ?1",
]


PARTS = ("log_entries", "snapshots", "seats", "chat", "replays", "analyses")


async def copy_table(connection: AsyncConnection, table: str, copy: str) -> None:
    """Copy a table under another name."""
    for name, key in (("tables", "id"), *((name, "table_id") for name in PARTS)):
        query = f"SELECT * FROM {name} WHERE {key} = ?"
        found = (await connection.exec_driver_sql(query, (table,))).fetchall()
        gaps = ", ".join("?" * len(found[0])) if found else ""
        for row in found:
            insert = f"INSERT INTO {name} VALUES ({gaps})"
            await connection.exec_driver_sql(insert, (copy, *row[1:]))


def test_a_damaged_table_does_not_affect_others(tmp_path: Path, original: Path) -> None:
    """Any damaged row causes a refusal of its table, and the others continue."""
    shutil.copy(original, tmp_path / "tables.sqlite")

    async def check(server: LiveServer, damaged: str) -> None:
        with time_limit():
            for path in ("", "/replay"):
                answer = await server.http.get(f"/api/tables/{damaged}{path}")
                assert answer.status_code in (200, 404, 409, 500)
                if answer.status_code != 200:
                    assert answer.json()["reason"]["english"] not in ("", SERVER_ERROR)
            for state in ("open", "playing", "over"):
                assert (await server.http.get(f"/api/tables?state={state}")).status_code == 200

    async def visit() -> None:
        async with run_server(tmp_path) as server:
            store = server.registry.store
            lobby = (await server.http.get("/api/tables?state=playing")).json()["tables"]
            sound = [table["id"] for table in lobby]
            assert len(sound) == 2
            refused = 0
            for number, statement in enumerate(DAMAGED_ROWS):
                name = f"damaged{number}"
                async with store.transaction() as connection:
                    await copy_table(connection, sound[0], name)
                    await connection.exec_driver_sql(statement, (name,))
                try:
                    await check(server, name)
                except AssertionError as error:
                    raise AssertionError(statement) from error
                refused += (await server.http.get(f"/api/tables/{name}")).status_code == 500
            assert refused > len(DAMAGED_ROWS) / 2
            await server.registry.synchronizer._perform_overdue()
            lobby = (await server.http.get("/api/tables?state=playing")).json()["tables"]
            assert set(sound) <= {table["id"] for table in lobby}
            for table in sound:
                assert (await server.http.get(f"/api/tables/{table}")).status_code == 200
            assert (await server.http.get("/healthz")).status_code == 200

    asyncio.run(visit())


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE tables SET created = 'x' WHERE id = ?",
        "UPDATE tables SET created = 9e999 WHERE id = ?",
        "UPDATE tables SET created = x'ff' WHERE id = ?",
        "UPDATE tables SET rules = x'ff' WHERE id = ?",
        "UPDATE tables SET options = 'x' WHERE id = ?",
        "UPDATE seats SET windows = x'ff' WHERE table_id = ?",
        'UPDATE seats SET votes = \'{"x": "easy"}\' WHERE table_id = ?',
    ],
)
async def test_the_lobby_omits_a_damaged_table(
    tmp_path: Path, original: Path, statement: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "tables.sqlite"
    shutil.copy(original, path)
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        found = file.execute("SELECT id FROM tables WHERE state = 'playing'").fetchall()
        damaged, sound = (table for (table,) in found)
        file.execute(statement, (damaged,))
    received: list[tuple[str, str]] = []
    monkeypatch.setattr(
        logs, "fail", lambda event, table="", *_, **__: received.append((event, table))
    )

    async with run_server(tmp_path) as server:
        lobby = await server.http.get("/api/tables?state=playing")
        assert lobby.status_code == 200
        assert [table["id"] for table in lobby.json()["tables"]] == [sound]
        assert ("table_damaged", damaged) in received
        answer = await server.http.get(f"/api/tables/{damaged}")
        assert answer.status_code == 500
        assert "damaged" in answer.json()["reason"]["english"]
        assert (await server.http.get(f"/api/tables/{sound}")).status_code == 200


SERVER_ERROR = "Internal server error. Please try again."


async def test_damaged_recordings_are_refused(tmp_path: Path, original: Path) -> None:
    path = tmp_path / "tables.sqlite"
    shutil.copy(original, path)
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        ((table, raw),) = file.execute("SELECT table_id, facts FROM replays").fetchall()
    rng = random.Random(1)
    cases = [b"", b"x", bytes(1000), raw[:-20], gzip.compress(b"{}"), gzip.compress(b"[" * 99999)]
    for _ in range(6):
        flipped = bytearray(raw)
        flipped[rng.randrange(12, len(raw))] ^= 1 << rng.randrange(8)
        cases.append(bytes(flipped))
    for case in cases:
        with pytest.raises(Damaged, match="recording is damaged"):
            load_recording(case)
    with pytest.raises(Damaged):
        decompress_recording(gzip.compress(bytes(65 << 20)))

    async with run_server(tmp_path) as server:
        assert (await server.http.get(f"/api/tables/{table}/replay")).status_code == 200
        for case in (cases[0], cases[3], cases[-1]):
            await server.registry.store.save_replay(table, case)
            for answer in (
                await server.http.get(f"/api/tables/{table}/replay"),
                await server.http.get(f"/api/tables/{table}/save"),
                await server.post(f"/{table}/branch", step=0, seat=0),
            ):
                assert answer.status_code == 500
                assert "damaged" in answer.json()["reason"]["english"]


def test_refusals_are_not_reported_as_damage() -> None:
    with pytest.raises(Damaged), damage.report_damage("t"):
        raise KeyError("x")
    with pytest.raises(asyncio.CancelledError), damage.report_damage("t"):
        raise asyncio.CancelledError
