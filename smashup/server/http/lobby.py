"""The lobby over HTTP: everything but playing. The app's OpenAPI document describes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel

from smashup.server.errors import Forbidden, NotFound
from smashup.server.http import reference
from smashup.server.http.guard import address_of
from smashup.server.http.pages import A_WHILE, Text
from smashup.server.http.schemas import (
    TABLE_ID,
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
TableId = Annotated[str, Path(pattern=TABLE_ID)]

router = APIRouter(prefix="/api", responses=PROBLEMS)


def registry_of(request: Request) -> TableRegistry:
    registry: TableRegistry = request.app.state.registry
    return registry


async def _secret(
    given: Annotated[HTTPAuthorizationCredentials | None, Depends(HTTPBearer(auto_error=False))],
) -> str:
    if given is None or len(given.credentials) > 64:
        raise Forbidden("Send the secret of your seat as a bearer token.")
    return given.credentials


async def _secret_if_any(
    given: Annotated[HTTPAuthorizationCredentials | None, Depends(HTTPBearer(auto_error=False))],
) -> str | None:
    return None if given is None else await _secret(given)


AtRegistry = Annotated[TableRegistry, Depends(registry_of)]
OwnSecret = Annotated[str, Depends(_secret)]
AnySecret = Annotated[str | None, Depends(_secret_if_any)]


@router.get("/meta", response_model=Meta)
async def meta(registry: AtRegistry, request: Request) -> Response:
    """What tables can be made of: factions, rulebooks, printings, levels of bots."""
    return prepared(
        registry, request, lambda: reference.meta(registry.cards, registry.settings.beat)
    )


@router.get("/cards", response_model=Cards)
async def cards(
    registry: AtRegistry,
    request: Request,
    printing: Printing = "printed",
    faction: Annotated[str | None, Query(max_length=100)] = None,
) -> Response:
    """All cards of a printing, or those of one faction."""
    names = [one.name for one in registry.cards.factions]
    if faction is not None:
        if faction not in names:
            raise NotFound("There is no faction called «{name}».", name=faction)
        names = [faction]
    which = printing if faction is None else f"{printing}/{faction}"
    return prepared(
        registry, request, lambda: reference.cards_of(registry.cards, names, printing), which
    )


@router.get("/phrases/{lang}", response_model=Phrases)
async def phrases(lang: Language, registry: AtRegistry, request: Request) -> Response:
    """A language: English texts and what stands for them."""
    return prepared(registry, request, lambda: reference.words(lang), lang)


def prepared(
    registry: TableRegistry, request: Request, make: Callable[[], BaseModel], which: str = ""
) -> Response:
    """Something that stays the same as long as the server runs: written once for everybody."""
    key = (request.scope["route"].path, which)
    text = registry.texts.get(key)
    if text is None:
        text = registry.texts[key] = Text.of(make().model_dump_json().encode())
    return text.response(request.headers, "application/json", A_WHILE)


@router.get("/tables", response_model=Lobby)
async def tables(
    registry: AtRegistry,
    request: Request,
    state: Annotated[Literal["open", "playing", "over"], Query()] = "open",
) -> Response:
    """The newest tables that are listed: open ones to join, games to watch or to see again."""
    text = await registry.listing.text(state)
    return text.response(request.headers, "application/json", "no-store")


@router.post("/tables", status_code=201)
async def create(form: TableForm, registry: AtRegistry, request: Request) -> Seated:
    """Found a table. The secrets of the founder's seats are told this once."""
    info, seats = await registry.create_table(form, address_of(request.scope))
    return Seated(table=info, seats=seats)


@router.get("/tables/{table_id}")
async def look(table_id: TableId, registry: AtRegistry) -> TableAnswer:
    """A table as everybody with its link may know it."""
    async with registry.use(table_id) as table:
        return TableAnswer(table=table.info())


@router.post("/tables/{table_id}/join", status_code=201)
async def join(table_id: TableId, form: JoinForm, registry: AtRegistry) -> Seated:
    """Sit down on a free seat. Its secret is told this once."""
    async with registry.use(table_id) as table:
        taken = await seat_actions.join(table, form, registry.cards)
        return Seated(table=table.info(), seats=[taken])


@router.patch("/tables/{table_id}/seat")
async def settings(
    table_id: TableId, form: SeatSettings, secret: OwnSecret, registry: AtRegistry
) -> TableAnswer:
    """Change one's name or language, or what happens in windows for Specials."""
    async with registry.use(table_id) as table:
        await seat_actions.change_settings(table, secret, form, registry.cards)
        return TableAnswer(table=table.info())


@router.post("/tables/{table_id}/leave")
async def leave(table_id: TableId, secret: OwnSecret, registry: AtRegistry) -> TableAnswer:
    """Stand up: the seat is free again, or waits for its owner if a game has begun."""
    async with registry.use(table_id) as table:
        await seat_actions.leave(table, secret)
        return TableAnswer(table=table.info())


@router.post("/tables/{table_id}/return")
async def come_back(table_id: TableId, secret: OwnSecret, registry: AtRegistry) -> TableAnswer:
    """Come back, and take the seat from a bot that was put there."""
    async with registry.use(table_id) as table:
        await seat_actions.come_back(table, secret)
        return TableAnswer(table=table.info())


@router.post("/tables/{table_id}/resign")
async def resign(table_id: TableId, secret: OwnSecret, registry: AtRegistry) -> TableAnswer:
    """Give up: a bot plays on, or the game is over."""
    async with registry.use(table_id) as table:
        await seat_actions.resign(table, secret)
        return TableAnswer(table=table.info())


@router.post("/tables/{table_id}/seats/{number}/replace")
async def replace(
    table_id: TableId,
    number: SeatNumber,
    form: ReplaceForm,
    secret: OwnSecret,
    registry: AtRegistry,
) -> TableAnswer:
    """Agree to a bot on the seat of somebody who is gone."""
    async with registry.use(table_id) as table:
        await seat_actions.replace(table, secret, number, form.level, registry.settings)
        return TableAnswer(table=table.info())


@router.post("/tables/{table_id}/rematch")
async def rematch(table_id: TableId, secret: OwnSecret, registry: AtRegistry) -> TableAnswer:
    """Agree to play again, with the same secrets; the table of the next game."""
    return TableAnswer(table=await registry.rematch(table_id, secret))


@router.post("/tables/{table_id}/reports", status_code=201)
async def report(
    table_id: TableId, form: ReportForm, secret: AnySecret, registry: AtRegistry, request: Request
) -> Reported:
    """Report a mistake of the game, or something that was said, to the operator."""
    address = address_of(request.scope)
    async with registry.use(table_id) as table:
        return await reports.report(
            table, secret, form, registry.store, registry.report_limits, address
        )
