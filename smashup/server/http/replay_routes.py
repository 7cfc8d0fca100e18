"""Finished games over HTTP: their recordings, their save files, and playing on from a step."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import JSONResponse
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from smashup.server.http.guard import address_of
from smashup.server.http.lobby import PROBLEMS, TableId
from smashup.server.http.schemas import AnalysisProgress, BranchForm, Seated
from smashup.server.replays.analyses import Analyses, StoredAnalysis
from smashup.server.replays.replays import Replays

FOR_ALL = "public, max-age=31536000, immutable"
FOR_ONE = "private, max-age=31536000, immutable"
"""A recording never changes; one that not everybody may see is kept by no proxy."""

router = APIRouter(prefix="/api/tables/{table_id}", responses=PROBLEMS)


def _replays(request: Request) -> Replays:
    replays: Replays = request.app.state.replays
    return replays


async def _secret(
    given: Annotated[HTTPAuthorizationCredentials | None, Depends(HTTPBearer(auto_error=False))],
) -> str | None:
    return None if given is None or len(given.credentials) > 64 else given.credentials


def _analyses(request: Request) -> Analyses:
    analyses: Analyses = request.app.state.analyses
    return analyses


AtReplays = Annotated[Replays, Depends(_replays)]
AtAnalyses = Annotated[Analyses, Depends(_analyses)]
AnySecret = Annotated[str | None, Depends(_secret)]


@router.get("/replay")
async def replay(
    table_id: TableId, secret: AnySecret, replays: AtReplays, request: Request
) -> Response:
    """How a finished game went, as everybody saw it: JSON in a format that stays readable."""
    zipped, is_open = await replays.recording(table_id, secret)
    tag = f'W/"{hashlib.blake2b(zipped, digest_size=12).hexdigest()}"'
    headers = {
        "Cache-Control": FOR_ALL if is_open else FOR_ONE,
        "ETag": tag,
        "Vary": "Accept-Encoding, Authorization",
    }
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if "gzip" not in request.headers.get("accept-encoding", ""):
        plain = await asyncio.to_thread(gzip.decompress, zipped)
        return Response(plain, headers=headers, media_type="application/json")
    headers["Content-Encoding"] = "gzip"
    return Response(zipped, headers=headers, media_type="application/json")


@router.get("/save")
async def save(table_id: TableId, secret: AnySecret, replays: AtReplays) -> JSONResponse:
    """The save file of a finished game, which the terminal opens."""
    found: dict[str, Any] = await replays.save(table_id, secret)
    name = f'attachment; filename="smash-up-{table_id}.json"'
    return JSONResponse(found, headers={"Content-Disposition": name})


@router.get("/analysis")
async def analysis(table_id: TableId, secret: AnySecret, analyses: AtAnalyses) -> AnalysisProgress:
    """The analysis of a finished game: its progress, and the report when it is complete."""
    found = await analyses.load(table_id, secret)
    if found is None:
        return AnalysisProgress(done=0, total=0, report=None)
    return _progress(found)


@router.post("/analysis", status_code=202)
async def start_analysis(
    table_id: TableId, secret: AnySecret, analyses: AtAnalyses, request: Request
) -> AnalysisProgress:
    """Start the analysis of a finished game; nothing happens if it is complete or under way."""
    return _progress(await analyses.start(table_id, secret, address_of(request.scope)))


def _progress(found: StoredAnalysis) -> AnalysisProgress:
    return AnalysisProgress(done=found["done"], total=found["total"], report=found["report"])


@router.post("/branch", status_code=201)
async def branch(
    table_id: TableId, form: BranchForm, secret: AnySecret, replays: AtReplays
) -> Seated:
    """Play on from a step of a finished game, against bots, at a table of its own."""
    info, taken = await replays.branch(table_id, secret, form)
    return Seated(table=info, seats=[taken])
