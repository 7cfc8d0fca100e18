"""The HTTP API of finished games: recordings, save files, analyses and branches."""

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

PUBLIC_CACHE = "public, max-age=31536000, immutable"
PRIVATE_CACHE = "private, max-age=31536000, immutable"
"""A recording never changes. Proxies must not cache one that is not public."""

router = APIRouter(prefix="/api/tables/{table_id}", responses=PROBLEMS)


def _replays(request: Request) -> Replays:
    replays: Replays = request.app.state.replays
    return replays


async def _secret(
    credentials: Annotated[
        HTTPAuthorizationCredentials | None, Depends(HTTPBearer(auto_error=False))
    ],
) -> str | None:
    return (
        None
        if credentials is None or len(credentials.credentials) > 64
        else credentials.credentials
    )


def _analyses(request: Request) -> Analyses:
    analyses: Analyses = request.app.state.analyses
    return analyses


ReplaysDependency = Annotated[Replays, Depends(_replays)]
AnalysesDependency = Annotated[Analyses, Depends(_analyses)]
AnySecret = Annotated[str | None, Depends(_secret)]


@router.get("/replay")
async def replay(
    table_id: TableId, secret: AnySecret, replays: ReplaysDependency, request: Request
) -> Response:
    """The recording of a finished game, with the views of all seats, as JSON."""
    gzipped, is_public = await replays.recording(table_id, secret)
    tag = f'W/"{hashlib.blake2b(gzipped, digest_size=12).hexdigest()}"'
    headers = {
        "Cache-Control": PUBLIC_CACHE if is_public else PRIVATE_CACHE,
        "ETag": tag,
        "Vary": "Accept-Encoding, Authorization",
    }
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if "gzip" not in request.headers.get("accept-encoding", ""):
        plain = await asyncio.to_thread(gzip.decompress, gzipped)
        return Response(plain, headers=headers, media_type="application/json")
    headers["Content-Encoding"] = "gzip"
    return Response(gzipped, headers=headers, media_type="application/json")


@router.get("/save")
async def save(table_id: TableId, secret: AnySecret, replays: ReplaysDependency) -> JSONResponse:
    """The save file of a finished game, for the terminal."""
    save_file: dict[str, Any] = await replays.save(table_id, secret)
    name = f'attachment; filename="smash-up-{table_id}.json"'
    return JSONResponse(save_file, headers={"Content-Disposition": name})


@router.get("/analysis")
async def analysis(
    table_id: TableId, secret: AnySecret, analyses: AnalysesDependency
) -> AnalysisProgress:
    """The analysis of a finished game: its progress, and the report when it is complete."""
    stored = await analyses.load(table_id, secret)
    if stored is None:
        return AnalysisProgress(done=0, total=0, report=None)
    return _progress(stored)


@router.post("/analysis", status_code=202)
async def start_analysis(
    table_id: TableId, secret: AnySecret, analyses: AnalysesDependency, request: Request
) -> AnalysisProgress:
    """Start the analysis of a finished game; nothing happens if it is complete or under way."""
    return _progress(await analyses.start(table_id, secret, address_of(request.scope)))


def _progress(stored: StoredAnalysis) -> AnalysisProgress:
    return AnalysisProgress(done=stored["done"], total=stored["total"], report=stored["report"])


@router.post("/branch", status_code=201)
async def branch(
    table_id: TableId, form: BranchForm, secret: AnySecret, replays: ReplaysDependency
) -> Seated:
    """Continue from a step of a finished game against bots, at a new table."""
    info, taken = await replays.branch(table_id, secret, form)
    return Seated(table=info, seats=[taken])
