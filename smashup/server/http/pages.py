"""The files of the browser client, served from memory.

The client is a single-page app with its own routes (``/table/ID``, ``/factions``), so every path
that looks like a page returns ``index.html``. Browsers cache files with a content hash in their
name forever and revalidate the others. The service worker and the manifest are revalidated each
time, because they decide when an installed client is updated.

The headers of a page name the scripts, styles and fonts that it needs, so that browsers request
them at once and not only when the first script has run.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import json
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
"""The folder of the built client."""
NO_CLIENT: Final = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Smash Up</title>
<p>The server is running, but the browser client is not built: <code>make client</code> does it.
The lobby is described in <a href="/api/openapi.json">its OpenAPI document</a>.</p>
</html>
"""

CACHE_FOREVER: Final = "public, max-age=31536000, immutable"
CACHE_BRIEFLY: Final = "public, max-age=300"
REVALIDATE: Final = "no-cache"
PRELOADS: Final = "preloads.json"
"""Which scripts, styles and fonts each page needs, by its path; the build writes this file."""
ALWAYS_REVALIDATED: Final = frozenset({"/worker.js", "/manifest.webmanifest"})

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
"""Media types by extension, independent of the system's configuration."""
_LINKS: Final = {
    ".css": "rel=preload; as=style; crossorigin",
    ".woff2": "rel=preload; as=font; type=font/woff2; crossorigin",
}
"""How browsers are told to request a file early, by extension; scripts are modules."""


@dataclass(frozen=True)
class CompressedText:
    """A text with its compressed forms, ready to be sent to many clients."""

    body: bytes
    gzipped: bytes
    tag: str
    brotli: bytes | None = None

    @classmethod
    def compress(cls, body: bytes, brotli: bytes | None = None) -> CompressedText:
        """Compress a text."""
        tag = f'W/"{hashlib.blake2b(body, digest_size=12).hexdigest()}"'
        return cls(body, gzip.compress(body, 9, mtime=0), tag, brotli)

    @classmethod
    def from_file(cls, file: Path) -> CompressedText:
        """Read a file of the client, with the compressed copy that the build wrote beside it."""
        compressed = file.with_name(f"{file.name}.br")
        return cls.compress(
            file.read_bytes(), compressed.read_bytes() if compressed.exists() else None
        )

    def response(self, request: Headers, media_type: str, cache_control: str) -> Response:
        """Respond to a request with these headers; with 304 if the client has the text."""
        headers = {"Cache-Control": cache_control, "ETag": self.tag, "Vary": "Accept-Encoding"}
        if self.tag in request.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        accepted = request.get("accept-encoding", "")
        if self.brotli is not None and _ACCEPTS_BROTLI.search(accepted):
            headers["Content-Encoding"] = "br"
            return Response(self.brotli, headers=headers, media_type=media_type)
        if "gzip" not in accepted or len(self.gzipped) >= len(self.body):
            return Response(self.body, headers=headers, media_type=media_type)
        headers["Content-Encoding"] = "gzip"
        return Response(self.gzipped, headers=headers, media_type=media_type)


class Pages:
    """The client as an ASGI app, for all paths outside the API."""

    def __init__(self, folder: Path = CLIENT) -> None:
        self.folder = folder
        self._texts: dict[Path, tuple[tuple[int, int], CompressedText]] = {}
        """Cached files, with their modification time and size."""
        self._preloads: tuple[tuple[int, int], dict[str, str]] = ((0, 0), {})
        """Headers by the path of a page, with the stamp of the file they are from."""

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

    async def _response(self, path: str, request: Headers) -> Response:
        file = self._file(path)
        if file is not None and path != "/index.html":
            cache_control = CACHE_FOREVER if path.startswith("/assets/") else CACHE_BRIEFLY
            if path in ALWAYS_REVALIDATED:
                cache_control = REVALIDATE
            return await self._file_response(file, cache_control, request)
        if _HAS_EXTENSION.search(path) and path != "/index.html":
            raise HTTPException(404)
        page = self._file("/index.html")
        if page is None:
            return HTMLResponse(NO_CLIENT, headers={"Cache-Control": REVALIDATE})
        response = await self._file_response(page, REVALIDATE, request)
        if link := self._preload_header(path):
            response.headers["Link"] = link
        return response

    def _preload_header(self, path: str) -> str:
        """Return the ``Link`` header of a page, such as ``/replay/ID``; empty if there is none."""
        file = self._file(f"/{PRELOADS}")
        if file is None:
            return ""
        stamp, headers = self._preloads
        if stamp != (stamp := _stamp(file)):
            files: dict[str, list[str]] = json.loads(file.read_bytes())
            headers = {page: ", ".join(map(_link, names)) for page, names in files.items()}
            self._preloads = (stamp, headers)
        return headers.get(path) or headers.get(f"{path.rpartition('/')[0]}/*", "")

    def _file(self, path: str) -> Path | None:
        """Return the client's file for a path, if there is one."""
        parts = path.split("/")[1:]
        if not all(_PLAIN_NAME.fullmatch(part) for part in parts):
            return None
        try:
            file = self.folder.joinpath(*parts).resolve()
            is_inside = file.is_relative_to(self.folder.resolve()) and file.is_file()
        except OSError:  # a name that is too long
            return None
        return file if is_inside else None

    async def _file_response(self, file: Path, cache_control: str, request: Headers) -> Response:
        media_type = _TYPES.get(file.suffix) or mimetypes.guess_type(file.name)[0]
        media_type = media_type or "application/octet-stream"
        if not media_type.startswith(_TEXTS):
            headers = {"Cache-Control": cache_control}
            return FileResponse(file, media_type=media_type, headers=headers)
        now = _stamp(file)
        stamp, text = self._texts.get(file, (None, None))
        if text is None or stamp != now:
            text = await asyncio.to_thread(CompressedText.from_file, file)
            self._texts[file] = (now, text)
        return text.response(request, media_type, cache_control)


def _stamp(file: Path) -> tuple[int, int]:
    """Return what changes when a file does: its modification time and size."""
    stat = file.stat()
    return stat.st_mtime_ns, stat.st_size


def _link(name: str) -> str:
    """Return the part of a ``Link`` header that asks for a script, a style or a font."""
    kind = _LINKS.get(Path(name).suffix, "rel=modulepreload")
    return f"<{name}>; {kind}"
