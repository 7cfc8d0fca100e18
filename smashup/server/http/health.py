"""Health checks of a worker, for proxies, systemd and clusters."""

from __future__ import annotations

import asyncio
from typing import Final, Literal

from fastapi import APIRouter, Response
from pydantic import BaseModel

from smashup.server.http.lobby import RegistryDependency
from smashup.server.tables.registry import TableRegistry
from smashup.version import __version__

TIMEOUT_SECONDS: Final = 1.8
"""How long the checks may take: callers get a response within two seconds."""
router = APIRouter(tags=["operation"])


class Health(BaseModel):
    """The health of a worker."""

    status: Literal["ok", "unavailable"]
    version: str
    reason: str = ""
    """Why it should not get requests; empty if it is healthy."""


@router.get("/healthz", responses={503: {"model": Health}})
async def health(registry: RegistryDependency, response: Response) -> Health:
    """Return whether this worker is ready: it can write to the database, and it is notified of
    other workers' changes."""
    checks = asyncio.create_task(_find_problem(registry))
    # A hanging connection cannot be cancelled: do not wait for it.
    await asyncio.wait({checks}, timeout=TIMEOUT_SECONDS)
    if checks.done():
        reason = checks.result()
    else:
        reason = "The database does not respond."
        checks.cancel()
    response.headers["Cache-Control"] = "no-store"
    if reason:
        response.status_code = 503
        return Health(status="unavailable", version=__version__, reason=reason)
    return Health(status="ok", version=__version__)


@router.get("/healthz/live")
async def liveness(response: Response) -> Health:
    """Return whether this worker responds at all; otherwise it should be restarted."""
    response.headers["Cache-Control"] = "no-store"
    return Health(status="ok", version=__version__)


async def _find_problem(registry: TableRegistry) -> str:
    """Return why the worker is not ready; empty if it is."""
    if registry.is_leaving:
        return "This worker is shutting down."
    try:
        await registry.store.ping()
    except Exception:
        return "The database does not respond."
    if reason := await registry.probe.find_problem():
        return reason
    if not registry.synchronizer.notifier.is_listening:
        return "This worker receives no notifications of other workers."
    return ""
