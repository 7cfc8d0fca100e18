"""Whether a worker is well, for those who watch over it: a proxy, systemd, a cluster."""

from __future__ import annotations

import asyncio
from typing import Final, Literal

from fastapi import APIRouter, Response
from pydantic import BaseModel

from smashup.server.http.lobby import AtRegistry
from smashup.server.tables.registry import TableRegistry
from smashup.version import __version__

MAX_SECONDS: Final = 1.8
"""How long the checks may take: callers get an answer within two seconds."""
router = APIRouter(tags=["operation"])


class Health(BaseModel):
    """How a worker is."""

    status: Literal["ok", "unavailable"]
    version: str
    reason: str = ""
    """Why it should not be sent anybody; empty if it is well."""


@router.get("/healthz", responses={503: {"model": Health}})
async def health(registry: AtRegistry, response: Response) -> Health:
    """Whether this worker can do its work: its database can be written, and it learns what other
    workers commit."""
    checks = asyncio.create_task(_find_trouble(registry))
    # A connection that hangs cannot be cancelled: do not wait for that.
    await asyncio.wait({checks}, timeout=MAX_SECONDS)
    if checks.done():
        reason = checks.result()
    else:
        reason = "The database does not answer."
        checks.cancel()
    response.headers["Cache-Control"] = "no-store"
    if reason:
        response.status_code = 503
        return Health(status="unavailable", version=__version__, reason=reason)
    return Health(status="ok", version=__version__)


@router.get("/healthz/live")
async def liveness(response: Response) -> Health:
    """Whether this worker answers at all. One that does not had better be started anew."""
    response.headers["Cache-Control"] = "no-store"
    return Health(status="ok", version=__version__)


async def _find_trouble(registry: TableRegistry) -> str:
    """Why the worker cannot work; empty if it can."""
    if registry.is_leaving:
        return "This worker is leaving."
    try:
        await registry.store.ping()
    except Exception:
        return "The database does not answer."
    if reason := await registry.probe.trouble():
        return reason
    if not registry.synchronizer.notifier.is_listening:
        return "Notifications of other workers are not received."
    return ""
