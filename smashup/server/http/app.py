"""The whole server as an ASGI app: lobby, tables, and the files of the browser client."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

from smashup.engine.errors import SmashUpError
from smashup.engine.model.catalogue import Catalogue
from smashup.server.errors import Malformed, NotFound, Refused
from smashup.server.http import health, lobby, replay_routes, rules_routes
from smashup.server.http.guard import BodyTooLong, Guard, problem
from smashup.server.http.pages import CLIENT, Pages
from smashup.server.live import sockets
from smashup.server.operations.settings import Settings
from smashup.server.replays.analyses import Analyses
from smashup.server.replays.replays import Replays
from smashup.server.tables.registry import TableRegistry
from smashup.version import __version__


def create_app(
    settings: Settings, cards: Catalogue | None = None, client: Path = CLIENT
) -> FastAPI:
    """A server with these settings; ``cards`` if not those of the settings' faction files."""
    registry = TableRegistry(settings, cards)
    replays = Replays(registry)
    analyses = Analyses(replays)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await registry.open()
        await replays.open()
        yield
        await analyses.close()
        await replays.close()
        await registry.close()

    app = FastAPI(
        title="Smash Up",
        version=__version__,
        description="The lobby. Games are played over the socket of a table: docs/server.md.",
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.registry = registry
    app.state.replays = replays
    app.state.analyses = analyses
    app.include_router(lobby.router)
    app.include_router(replay_routes.router)
    app.include_router(rules_routes.router)
    app.include_router(sockets.router)
    app.include_router(health.router)
    app.add_exception_handler(SmashUpError, _refused)
    app.add_exception_handler(RequestValidationError, _malformed)
    app.add_exception_handler(HTTPException, _no_such_page)
    app.router.default = Pages(client)
    app.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=6)
    app.add_middleware(Guard, settings=settings)
    return app


async def _refused(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, SmashUpError)
    status = error.status if isinstance(error, Refused) else Malformed.status
    return JSONResponse(problem(error), status)


async def _malformed(request: Request, error: Exception) -> JSONResponse:
    """What is wrong with the form of a request. What was sent is not repeated."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    if first["loc"][0] == "path":
        return await _no_such_page(request, HTTPException(NotFound.status))
    place = ".".join(str(part) for part in first["loc"])
    wrong = Malformed(
        "This request cannot be understood: {place}: {reason}.",
        place=place.encode("ascii", "replace").decode()[:100],
        reason=str(first["msg"])[:200],
    )
    return JSONResponse(problem(wrong), wrong.status)


async def _no_such_page(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    if isinstance(error.__cause__, BodyTooLong) or isinstance(error.__context__, BodyTooLong):
        raise BodyTooLong
    if error.status_code == NotFound.status:
        wrong: Refused = NotFound("There is nothing at this address.")
    elif error.status_code == 405:
        wrong = Refused("This address does not do that.")
    else:
        wrong = Malformed("This request cannot be understood.")
    return JSONResponse(problem(wrong), error.status_code, headers=error.headers)
