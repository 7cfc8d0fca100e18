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
from smashup.server.http import health, lobby, puzzle_routes, replay_routes, rules_routes
from smashup.server.http.guard import BodyTooLong, Guard, problem
from smashup.server.http.pages import CLIENT, Pages
from smashup.server.live import sockets
from smashup.server.operations import logs
from smashup.server.operations.settings import Settings
from smashup.server.replays.analyses import Analyses
from smashup.server.replays.replays import Replays
from smashup.server.tables.registry import TableRegistry
from smashup.version import __version__


def create_app(
    settings: Settings, cards: Catalogue | None = None, client: Path = CLIENT
) -> FastAPI:
    """Create a server; ``cards`` overrides the faction files of the settings."""
    registry = TableRegistry(settings, cards)
    replays = Replays(registry)
    analyses = Analyses(replays)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        try:
            await registry.open()
        except SmashUpError as error:
            # uvicorn does not log the reason.
            logs.fail("worker_failed", error=error, reason=str(error))
            raise
        await replays.open()
        yield
        await analyses.close()
        await replays.close()
        await registry.close()

    app = FastAPI(
        title="Smash Up",
        version=__version__,
        description="The lobby. Games use the WebSocket of a table: docs/server.md.",
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
    app.include_router(puzzle_routes.router)
    app.include_router(sockets.router)
    app.include_router(health.router)
    app.add_exception_handler(SmashUpError, _refuse)
    app.add_exception_handler(RequestValidationError, _refuse_malformed)
    app.add_exception_handler(HTTPException, _refuse_http_error)
    app.router.default = Pages(client)
    app.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=6)
    app.add_middleware(Guard, settings=settings)
    return app


async def _refuse(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, SmashUpError)
    status = error.status if isinstance(error, Refused) else Malformed.status
    return JSONResponse(problem(error), status)


async def _refuse_malformed(request: Request, error: Exception) -> JSONResponse:
    """Say which field of a request is invalid, without repeating its value."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    if first["loc"][0] == "path":
        return await _refuse_http_error(request, HTTPException(NotFound.status))
    place = ".".join(str(part) for part in first["loc"])
    wrong = Malformed(
        "This request cannot be understood: {place}: {reason}.",
        place=place.encode("ascii", "replace").decode()[:100],
        reason=str(first["msg"])[:200],
    )
    return JSONResponse(problem(wrong), wrong.status)


async def _refuse_http_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    if isinstance(error.__cause__, BodyTooLong) or isinstance(error.__context__, BodyTooLong):
        raise BodyTooLong
    if error.status_code == NotFound.status:
        wrong: Refused = NotFound("There is nothing at this address.")
    elif error.status_code == 405:
        wrong = Refused("This method is not allowed here.")
    else:
        wrong = Malformed("This request cannot be understood.")
    return JSONResponse(problem(wrong), error.status_code, headers=error.headers)
