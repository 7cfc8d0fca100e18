"""Whether a worker is well, for those who watch over it: a proxy, systemd, a cluster."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Final, Literal

from fastapi import APIRouter, Response
from pydantic import BaseModel

from smashup.server.http.lobby import AtRegistry
from smashup.server.tables.registry import TableRegistry
from smashup.version import __version__

WITHIN: Final = 2.0
"""Seconds in which the database has to answer."""
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
    reason = await _trouble(registry)
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


async def _trouble(registry: TableRegistry) -> str:
    if registry.is_leaving:
        return "This worker is leaving."
    if not await _answers(registry.store.ping()):
        return "The database does not answer."
    if reason := await registry.probe.trouble():
        return reason
    if not registry.synchronizer.notifier.is_listening:
        return "Notifications of other workers are not received."
    return ""


async def _answers(ping: Awaitable[None]) -> bool:
    try:
        async with asyncio.timeout(WITHIN):
            await ping
    except Exception:
        return False
    return True
