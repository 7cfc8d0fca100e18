"""The lobby over HTTP: everything but playing. The app's OpenAPI document describes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel

from smashup.server.errors import NotYours
from smashup.server.http import reference
from smashup.server.http.guard import address_of
from smashup.server.http.pages import A_WHILE, Text
from smashup.server.http.schemas import (
    Cards,
    JoinForm,
    Lobby,
    Meta,
    Phrases,
    Printing,
    Problem,
    ReplaceForm,
    Reported,
    ReportForm,
    Seated,
    SeatNumber,
    SeatSettings,
    TableAnswer,
    TableForm,
)
from smashup.server.live.protocol import Language
from smashup.server.operations import reports
from smashup.server.tables import seat_actions
from smashup.server.tables.registry import TableRegistry

PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem} for status in (400, 403, 404, 409, 413, 422, 429)
}
TableId = Annotated[str, Path(min_length=1, max_length=32, pattern=r"^[A-Za-z0-9_-]+$")]

router = APIRouter(prefix="/api", responses=PROBLEMS)


def hub_of(request: Request) -> TableRegistry:
    hub: TableRegistry = request.app.state.hub
    return hub


async def _secret(
    given: Annotated[HTTPAuthorizationCredentials | None, Depends(HTTPBearer(auto_error=False))],
) -> str:
    if given is None or len(given.credentials) > 64:
        raise NotYours("Send the secret of your seat as a bearer token.")
    return given.credentials


async def _secret_if_any(
    given: Annotated[HTTPAuthorizationCredentials | None, Depends(HTTPBearer(auto_error=False))],
) -> str | None:
    return None if given is None else await _secret(given)


AtHub = Annotated[TableRegistry, Depends(hub_of)]
OwnSecret = Annotated[str, Depends(_secret)]
AnySecret = Annotated[str | None, Depends(_secret_if_any)]


@router.get("/meta", response_model=Meta)
async def meta(hub: AtHub, request: Request) -> Response:
    """What tables can be made of: factions, rulebooks, printings, levels of bots."""
    return prepared(hub, request, lambda: reference.meta(hub.cards, hub.settings.beat))


@router.get("/cards", response_model=Cards)
async def cards(hub: AtHub, request: Request, printing: Printing = "printed") -> Response:
    """All cards of a printing."""
    return prepared(hub, request, lambda: reference.all_cards(hub.cards, printing), printing)


@router.get("/phrases/{lang}", response_model=Phrases)
async def phrases(lang: Language, hub: AtHub, request: Request) -> Response:
    """A language: English texts and what stands for them."""
    return prepared(hub, request, lambda: reference.words(lang), lang)


def prepared(
    hub: TableRegistry, request: Request, make: Callable[[], BaseModel], which: str = ""
) -> Response:
    """Something that stays the same as long as the server runs: written once for everybody."""
    key = (request.scope["route"].path, which)
    text = hub.texts.get(key)
    if text is None:
        text = hub.texts[key] = Text.of(make().model_dump_json().encode())
    return text.response(request.headers, "application/json", A_WHILE)


@router.get("/tables", response_model=Lobby)
async def tables(
    hub: AtHub,
    request: Request,
    state: Annotated[Literal["open", "playing", "over"], Query()] = "open",
) -> Response:
    """The newest tables that are listed: open ones to join, games to watch or to see again."""
    text = await hub.listing.text(state)
    return text.response(request.headers, "application/json", "no-store")


@router.post("/tables", status_code=201)
async def create(form: TableForm, hub: AtHub, request: Request) -> Seated:
    """Found a table. The secrets of the founder's seats are told this once."""
    info, seats = await hub.create_table(form, address_of(request.scope))
    return Seated(table=info, seats=seats)


@router.get("/tables/{table_id}")
async def look(table_id: TableId, hub: AtHub) -> TableAnswer:
    """A table as everybody with its link may know it."""
    async with hub.use(table_id) as table:
        return TableAnswer(table=table.info())


@router.post("/tables/{table_id}/join", status_code=201)
async def join(table_id: TableId, form: JoinForm, hub: AtHub) -> Seated:
    """Sit down on a free seat. Its secret is told this once."""
    async with hub.use(table_id) as table:
        taken = await seat_actions.join(table, form, hub.cards)
        return Seated(table=table.info(), seats=[taken])


@router.patch("/tables/{table_id}/seat")
async def settings(
    table_id: TableId, form: SeatSettings, secret: OwnSecret, hub: AtHub
) -> TableAnswer:
    """Change one's name or language, or what happens in windows for Specials."""
    async with hub.use(table_id) as table:
        await seat_actions.change_settings(table, secret, form, hub.cards)
        return TableAnswer(table=table.info())


@router.post("/tables/{table_id}/leave")
async def leave(table_id: TableId, secret: OwnSecret, hub: AtHub) -> TableAnswer:
    """Stand up: the seat is free again, or waits for its owner if a game has begun."""
    async with hub.use(table_id) as table:
        await seat_actions.leave(table, secret)
        return TableAnswer(table=table.info())


@router.post("/tables/{table_id}/return")
async def come_back(table_id: TableId, secret: OwnSecret, hub: AtHub) -> TableAnswer:
    """Come back, and take the seat from a bot that was put there."""
    async with hub.use(table_id) as table:
        await seat_actions.come_back(table, secret)
        return TableAnswer(table=table.info())


@router.post("/tables/{table_id}/resign")
async def resign(table_id: TableId, secret: OwnSecret, hub: AtHub) -> TableAnswer:
    """Give up: a bot plays on, or the game is over."""
    async with hub.use(table_id) as table:
        await seat_actions.resign(table, secret)
        return TableAnswer(table=table.info())


@router.post("/tables/{table_id}/seats/{number}/replace")
async def replace(
    table_id: TableId, number: SeatNumber, form: ReplaceForm, secret: OwnSecret, hub: AtHub
) -> TableAnswer:
    """Agree to a bot on the seat of somebody who is gone."""
    async with hub.use(table_id) as table:
        await seat_actions.replace(table, secret, number, form.level, hub.settings)
        return TableAnswer(table=table.info())


@router.post("/tables/{table_id}/rematch")
async def rematch(table_id: TableId, secret: OwnSecret, hub: AtHub) -> TableAnswer:
    """Agree to play again, with the same secrets; the table of the next game."""
    return TableAnswer(table=await hub.rematch(table_id, secret))


@router.post("/tables/{table_id}/reports", status_code=201)
async def report(
    table_id: TableId, form: ReportForm, secret: AnySecret, hub: AtHub, request: Request
) -> Reported:
    """Report a mistake of the game, or something that was said, to the operator."""
    address = address_of(request.scope)
    async with hub.use(table_id) as table:
        return await reports.report(table, secret, form, hub.store, hub.report_limits, address)
