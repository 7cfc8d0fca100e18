"""A server for faction authors, whose pages reload when the faction file changes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from fastapi import FastAPI
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from smashup.engine.model.catalogue import Catalogue
from smashup.server.http.app import create_app
from smashup.server.http.pages import CLIENT, Pages
from smashup.server.operations.settings import Settings

SCRIPT: Final = """\
const first = await fetch("/preview/state").then((r) => r.json());
const banner = document.createElement("pre");
banner.id = "preview-problem";
banner.style.cssText = "position:fixed;inset:auto 0 0 0;margin:0;padding:12px;z-index:9999;" +
    "background:#7a1020;color:#fff;white-space:pre-wrap;font:14px monospace";
banner.hidden = true;
document.body.append(banner);
setInterval(async () => {
    try {
        const now = await fetch("/preview/state").then((r) => r.json());
        if (now.version !== first.version) {
            const page = decodeURIComponent(location.pathname);
            if (page === `/factions/${first.faction}`)
                location.replace(`/factions/${encodeURIComponent(now.faction)}`);
            else location.reload();
        }
        banner.textContent = now.problem;
        banner.hidden = now.problem === "";
    } catch {
        // The server is starting again.
    }
}, 400);
"""
"""Polls the version of the cards and reloads the page when it changes, also under a new name."""


class PreviewPages(Pages):
    """The client's pages with the script that reloads them."""

    async def _response(self, path: str, request: Headers) -> Response:
        if path == "/worker.js":
            raise HTTPException(404)  # an installed client would keep the cards
        page = self._file("/index.html")
        if page is None or self._file(path) is not None or "." in path.rpartition("/")[2]:
            return await super()._response(path, request)
        tag = '<script type="module" src="/preview/reload.js"></script></body>'
        html = page.read_text(encoding="utf-8").replace("</body>", tag)
        return HTMLResponse(html, headers={"Cache-Control": "no-store"})


class UncachedApi:
    """Forbids caching of API responses: a reloaded page has to show the new cards."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_uncached(message: Message) -> None:
            if message["type"] == "http.response.start" and scope["path"].startswith("/api/"):
                MutableHeaders(scope=message)["Cache-Control"] = "no-store"
            await send(message)

        await self.app(scope, receive, send_uncached)


def create_preview_app(
    settings: Settings,
    cards: Catalogue,
    faction: str,
    version: str,
    problem: Callable[[], str],
    client: Path = CLIENT,
) -> FastAPI:
    """Create a server for one version of the cards; ``problem`` describes what is wrong with a
    newer one."""
    app = create_app(settings, cards, client)
    app.add_middleware(UncachedApi)

    async def state() -> Response:
        headers = {"Cache-Control": "no-store"}
        content = {"version": version, "faction": faction, "problem": problem()}
        return JSONResponse(content, headers=headers)

    async def script() -> Response:
        return Response(SCRIPT, media_type="text/javascript")

    app.add_api_route("/preview/state", state, include_in_schema=False)
    app.add_api_route("/preview/reload.js", script, include_in_schema=False)
    app.router.default = PreviewPages(client)
    return app
