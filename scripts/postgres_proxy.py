"""A proxy for PostgreSQL that lets connections of chosen processes hang or refuses them.

As a program (``python -m scripts.postgres_proxy DATABASE``) it prints the URL of the database
through the proxy and then reads commands, one per line: ``hang PID``, ``refuse PID`` and
``resume``.
"""

from __future__ import annotations

import asyncio
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Final

from psycopg.conninfo import conninfo_to_dict

CREDENTIALS: Final = struct.Struct("3i")
"""The credentials of the other side of a Unix socket: process, user and group."""
SOCKET_NAME: Final = ".s.PGSQL.5432"
STOP_SECONDS: Final = 5.0


class PostgresProxy:
    """Forwards bytes in both directions, except for blocked processes."""

    def __init__(self, database: str, folder: Path) -> None:
        parts = conninfo_to_dict(database)
        self._target = Path(str(parts["host"])) / f".s.PGSQL.{parts.get('port') or 5432}"
        self.socket = folder / SOCKET_NAME
        user, password = parts["user"], parts.get("password") or ""
        self.url = f"postgresql://{user}:{password}@/{parts['dbname']}?host={folder}&port=5432"
        self._hanging: set[int] | None = set()
        """Processes whose connections hang; None for all."""
        self._refused: set[int] = set()
        self._resumed = asyncio.Event()
        self._client_pids: dict[asyncio.StreamWriter, int] = {}
        """The process ids of the client connections."""

    def hang(self, pid: int | None = None) -> None:
        """Stop forwarding for one process or for all, without closing connections."""
        self._resumed.clear()
        if pid is None:
            self._hanging = None
        elif self._hanging is not None:
            self._hanging.add(pid)

    def refuse(self, pid: int) -> None:
        """Close all connections of a process, including new ones."""
        self._refused.add(pid)
        for writer, owner in list(self._client_pids.items()):
            if owner == pid:
                writer.transport.abort()

    def resume(self) -> None:
        """Forward everything again, starting with the withheld data."""
        self._hanging = set()
        self._refused.clear()
        self._resumed.set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Connect a client to PostgreSQL."""
        pid = _peer_pid(writer.get_extra_info("socket"))
        if pid in self._refused:
            writer.transport.abort()
            return
        self._client_pids[writer] = pid
        try:
            server_reader, server_writer = await asyncio.open_unix_connection(str(self._target))
        except OSError:  # PostgreSQL is not running
            writer.transport.abort()
        else:
            await asyncio.gather(
                self._forward(pid, reader, server_writer), self._forward(pid, server_reader, writer)
            )
        finally:
            del self._client_pids[writer]

    async def _forward(
        self, pid: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(65536):
                while self._hanging is None or pid in self._hanging:
                    await self._resumed.wait()
                writer.write(data)
                await writer.drain()
        writer.close()


def _peer_pid(sock: socket.socket) -> int:
    """Return the process id of the other end of a Unix socket."""
    credentials = sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, CREDENTIALS.size)
    return int(CREDENTIALS.unpack(credentials)[0])


@asynccontextmanager
async def postgres_proxy(database: str) -> AsyncIterator[PostgresProxy]:
    """Run a proxy with a socket in a folder with a short name, because socket paths are limited."""
    folder = Path(tempfile.mkdtemp(prefix="pg"))
    proxy = PostgresProxy(database, folder)
    server = await asyncio.start_unix_server(proxy.serve, str(proxy.socket))
    try:
        yield proxy
    finally:
        proxy.resume()
        server.close()
        shutil.rmtree(folder)


class ProxyProcess:
    """A proxy in a separate process."""

    def __init__(self, process: subprocess.Popen[str], url: str) -> None:
        self._process = process
        self.url = url
        """The URL of the database through the proxy."""

    def send(self, command: str) -> None:
        """Send a command."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{command}\n")
        self._process.stdin.flush()


@contextmanager
def proxy_process(database: str) -> Iterator[ProxyProcess]:
    """Run a proxy in a separate process."""
    with subprocess.Popen(
        [sys.executable, "-m", "scripts.postgres_proxy", database],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True,
    ) as process:  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield ProxyProcess(process, process.stdout.readline().strip())
        finally:
            process.stdin.close()  # the proxy then exits
            with suppress(subprocess.TimeoutExpired):
                process.wait(STOP_SECONDS)
            process.kill()


async def run(database: str) -> None:
    """Run a proxy until standard input ends."""
    async with postgres_proxy(database) as proxy:
        print(proxy.url, flush=True)
        while line := await asyncio.to_thread(sys.stdin.readline):
            match line.split():
                case ["hang", pid]:
                    proxy.hang(int(pid))
                case ["refuse", pid]:
                    proxy.refuse(int(pid))
                case ["resume"]:
                    proxy.resume()


if __name__ == "__main__":
    asyncio.run(run(sys.argv[1]))
