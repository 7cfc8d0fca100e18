"""The browser client's files: built once, served from memory, every page of it by its address.

The client finds its way by addresses of its own (``/table/ID``, ``/factions``): whatever looks
like a page is answered with the one page there is. Names that Vite made from what is in a file are
kept by browsers for good; all else is asked for again, and mostly answered with "as before". The
worker that keeps an installed client, and what describes the client to the device, are asked for
each time: they decide when somebody gets a newer one.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import mimetypes
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.types import Receive, Scope, Send

CLIENT: Final = Path(__file__).parents[1] / "client"
"""Where the built browser client is."""
NO_CLIENT: Final = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Smash Up</title>
<p>The server is running, but the browser client is not built: <code>make client</code> does it.
The lobby is described in <a href="/api/openapi.json">its OpenAPI document</a>.</p>
</html>
"""

FOR_GOOD: Final = "public, max-age=31536000, immutable"
A_WHILE: Final = "public, max-age=300"
ASK_AGAIN: Final = "no-cache"
FRESH: Final = frozenset({"/worker.js", "/manifest.webmanifest"})

_PLAIN_NAME: Final = re.compile(r"[\w@-][\w@.-]*", re.ASCII)
_ACCEPTS_BROTLI: Final = re.compile(r"\bbr\b")
_HAS_EXTENSION: Final = re.compile(r"\.[a-z0-9]{1,11}$")
_TEXTS: Final = (
    "text/",
    "image/svg+xml",
    "application/json",
    "application/manifest+json",
    "application/javascript",
)
_TYPES: Final = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".map": "application/json",
    ".md": "text/plain",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".webmanifest": "application/manifest+json",
    ".woff": "font/woff",
    ".woff2": "font/woff2",
}
"""What a file is, whatever the machine believes about its name."""


@dataclass(frozen=True)
class Text:
    """A text that many will ask for, ready to be sent."""

    body: bytes
    zipped: bytes
    tag: str
    brotli: bytes | None = None

    @classmethod
    def of(cls, body: bytes, brotli: bytes | None = None) -> Text:
        tag = f'W/"{hashlib.blake2b(body, digest_size=12).hexdigest()}"'
        return cls(body, gzip.compress(body, 9, mtime=0), tag, brotli)

    @classmethod
    def from_file(cls, file: Path) -> Text:
        """Read a file of the client, with the compressed copy that the build wrote beside it."""
        compressed = file.with_name(f"{file.name}.br")
        return cls.of(file.read_bytes(), compressed.read_bytes() if compressed.exists() else None)

    def response(self, asked: Headers, kind: str, keep: str) -> Response:
        """The answer to a request with these headers; nothing if it has been sent before."""
        headers = {"Cache-Control": keep, "ETag": self.tag, "Vary": "Accept-Encoding"}
        if self.tag in asked.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        accepted = asked.get("accept-encoding", "")
        if self.brotli is not None and _ACCEPTS_BROTLI.search(accepted):
            headers["Content-Encoding"] = "br"
            return Response(self.brotli, headers=headers, media_type=kind)
        if "gzip" not in accepted or len(self.zipped) >= len(self.body):
            return Response(self.body, headers=headers, media_type=kind)
        headers["Content-Encoding"] = "gzip"
        return Response(self.zipped, headers=headers, media_type=kind)


class Pages:
    """The client as an ASGI app, for all addresses that are not the lobby's."""

    def __init__(self, folder: Path = CLIENT) -> None:
        self.folder = folder
        self._texts: dict[Path, tuple[tuple[int, int], Text]] = {}
        """Files that were sent before, with when they were written and how long they are."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return
        path = scope["path"]
        if path == "/api" or path.startswith("/api/"):
            raise HTTPException(404)
        if scope["method"] not in ("GET", "HEAD"):
            raise HTTPException(405, headers={"Allow": "GET, HEAD"})
        response = await self._response(path, Headers(scope=scope))
        await response(scope, receive, send)

    async def _response(self, path: str, asked: Headers) -> Response:
        file = self._file(path)
        if file is not None and path != "/index.html":
            keep = FOR_GOOD if path.startswith("/assets/") else A_WHILE
            if path in FRESH:
                keep = ASK_AGAIN
            return await self._sent(file, keep, asked)
        if _HAS_EXTENSION.search(path) and path != "/index.html":
            raise HTTPException(404)
        page = self._file("/index.html")
        if page is None:
            return HTMLResponse(NO_CLIENT, headers={"Cache-Control": ASK_AGAIN})
        return await self._sent(page, ASK_AGAIN, asked)

    def _file(self, path: str) -> Path | None:
        """The file at an address, if it is one of the client's."""
        parts = path.split("/")[1:]
        if not all(_PLAIN_NAME.fullmatch(part) for part in parts):
            return None
        try:
            file = self.folder.joinpath(*parts).resolve()
            inside = file.is_relative_to(self.folder.resolve()) and file.is_file()
        except OSError:  # a name that is too long
            return None
        return file if inside else None

    async def _sent(self, file: Path, keep: str, asked: Headers) -> Response:
        kind = _TYPES.get(file.suffix) or mimetypes.guess_type(file.name)[0]
        kind = kind or "application/octet-stream"
        if not kind.startswith(_TEXTS):
            return FileResponse(file, media_type=kind, headers={"Cache-Control": keep})
        stat = file.stat()
        stamp, text = self._texts.get(file, (None, None))
        if text is None or stamp != (stat.st_mtime_ns, stat.st_size):
            text = await asyncio.to_thread(Text.from_file, file)
            self._texts[file] = ((stat.st_mtime_ns, stat.st_size), text)
        return text.response(asked, kind, keep)
