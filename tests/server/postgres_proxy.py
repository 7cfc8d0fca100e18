"""A proxy in front of PostgreSQL whose connections can hang without being closed."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from psycopg.conninfo import conninfo_to_dict


class PostgresProxy:
    """Forwards bytes in both directions, except while it hangs."""

    def __init__(self, database: str, folder: Path) -> None:
        parts = conninfo_to_dict(database)
        self._target = Path(str(parts["host"])) / f".s.PGSQL.{parts.get('port') or 5432}"
        self.socket = folder / ".s.PGSQL.5432"
        user, password = parts["user"], parts.get("password") or ""
        self.url = f"postgresql://{user}:{password}@/{parts['dbname']}?host={folder}&port=5432"
        self._is_forwarding = asyncio.Event()
        self._is_forwarding.set()

    def hang(self) -> None:
        """Forward nothing from now on, and close nothing."""
        self._is_forwarding.clear()

    def resume(self) -> None:
        """Forward again, beginning with what was held back."""
        self._is_forwarding.set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Connect a client to PostgreSQL."""
        there, back = await asyncio.open_unix_connection(str(self._target))
        await asyncio.gather(self._forward(reader, back), self._forward(there, writer))

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(65536):
                await self._is_forwarding.wait()
                writer.write(data)
                await writer.drain()
        writer.close()


@asynccontextmanager
async def postgres_proxy(database: str) -> AsyncIterator[PostgresProxy]:
    """Run a proxy; its socket is in a folder with a short name, as sockets need."""
    folder = Path(tempfile.mkdtemp(prefix="pg"))
    proxy = PostgresProxy(database, folder)
    server = await asyncio.start_unix_server(proxy.serve, str(proxy.socket))
    try:
        yield proxy
    finally:
        proxy.resume()
        server.close()
        shutil.rmtree(folder)
