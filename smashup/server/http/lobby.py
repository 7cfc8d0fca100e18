"""The HTTP API of the lobby. The app's OpenAPI document describes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel

from smashup.server.errors import Forbidden, NotFound
from smashup.server.http import reference
from smashup.server.http.guard import address_of
from smashup.server.http.pages import CACHE_BRIEFLY, CompressedText
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
    TableForm,
    TableResponse,
)
from smashup.server.live.protocol import Language
from smashup.server.operations import reports
from smashup.server.tables.registry import TableRegistry
from smashup.server.tables.seats import seat_actions

PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem} for status in (400, 403, 404, 409, 413, 422, 429)
}
TableId = Annotated[str, Path(pattern=TABLE_ID)]

router = APIRouter(prefix="/api", responses=PROBLEMS)


def registry_of(request: Request) -> TableRegistry:
    registry: TableRegistry = request.app.state.registry
    return registry


async def _secret(
    credentials: Annotated[
        HTTPAuthorizationCredentials | None, Depends(HTTPBearer(auto_error=False))
    ],
) -> str:
    if credentials is None or len(credentials.credentials) > 64:
        raise Forbidden("Send the secret of your seat as a bearer token.")
    return credentials.credentials


async def _secret_if_any(
    credentials: Annotated[
        HTTPAuthorizationCredentials | None, Depends(HTTPBearer(auto_error=False))
    ],
) -> str | None:
    return None if credentials is None else await _secret(credentials)


RegistryDependency = Annotated[TableRegistry, Depends(registry_of)]
OwnSecret = Annotated[str, Depends(_secret)]
AnySecret = Annotated[str | None, Depends(_secret_if_any)]


@router.get("/meta", response_model=Meta)
async def meta(registry: RegistryDependency, request: Request) -> Response:
    """The options for new tables: factions, editions, printings, bot levels."""
    return cached_response(
        registry,
        request,
        lambda: reference.meta(registry.cards, registry.settings.min_window_seconds),
    )


@router.get("/cards", response_model=Cards)
async def cards(
    registry: RegistryDependency,
    request: Request,
    printing: Printing = "printed",
    faction: Annotated[str | None, Query(max_length=100)] = None,
) -> Response:
    """All cards of a printing, or those of one faction."""
    names = [one.name for one in registry.cards.factions]
    if faction is not None:
        if faction not in names:
            raise NotFound("There is no faction called “{name}”.", name=faction)
        names = [faction]
    key = printing if faction is None else f"{printing}/{faction}"
    return cached_response(
        registry, request, lambda: reference.cards_of(registry.cards, names, printing), key
    )


@router.get("/phrases/{lang}", response_model=Phrases)
async def phrases(lang: Language, registry: RegistryDependency, request: Request) -> Response:
    """The translations of English texts into a language."""
    return cached_response(registry, request, lambda: reference.phrases(lang), lang)


def cached_response(
    registry: TableRegistry, request: Request, make: Callable[[], BaseModel], variant: str = ""
) -> Response:
    """Return a response that never changes while the server runs, and is encoded only once."""
    key = (request.scope["route"].path, variant)
    text = registry.cached_texts.get(key)
    if text is None:
        text = registry.cached_texts[key] = CompressedText.compress(
            make().model_dump_json().encode()
        )
    return text.response(request.headers, "application/json", CACHE_BRIEFLY)


@router.get("/tables", response_model=Lobby)
async def tables(
    registry: RegistryDependency,
    request: Request,
    state: Annotated[Literal["open", "playing", "over"], Query()] = "open",
) -> Response:
    """The newest listed tables in a state."""
    text = await registry.listing.text(state)
    return text.response(request.headers, "application/json", "no-store")


@router.post("/tables", status_code=201)
async def create(form: TableForm, registry: RegistryDependency, request: Request) -> Seated:
    """Create a table. The response contains the secrets of the creator's seats, only this once."""
    info, seats = await registry.create_table(form, address_of(request.scope))
    return Seated(table=info, seats=seats)


@router.get("/tables/{table_id}")
async def get_table(table_id: TableId, registry: RegistryDependency) -> TableResponse:
    """The public information about a table."""
    async with registry.use(table_id) as table:
        return TableResponse(table=table.info())


@router.post("/tables/{table_id}/join", status_code=201)
async def join(table_id: TableId, form: JoinForm, registry: RegistryDependency) -> Seated:
    """Take a free seat. The response contains its secret, only this once."""
    async with registry.use(table_id) as table:
        taken = await seat_actions.join(table, form, registry.cards)
        return Seated(table=table.info(), seats=[taken])


@router.patch("/tables/{table_id}/seat")
async def settings(
    table_id: TableId, form: SeatSettings, secret: OwnSecret, registry: RegistryDependency
) -> TableResponse:
    """Change the name, the language, or when to be asked in Specials windows."""
    async with registry.use(table_id) as table:
        await seat_actions.change_settings(table, secret, form, registry.cards)
        return TableResponse(table=table.info())


@router.post("/tables/{table_id}/leave")
async def leave(
    table_id: TableId, secret: OwnSecret, registry: RegistryDependency
) -> TableResponse:
    """Leave. The seat becomes free, or waits for its owner if the game has started."""
    async with registry.use(table_id) as table:
        await seat_actions.leave(table, secret)
        return TableResponse(table=table.info())


@router.post("/tables/{table_id}/return")
async def return_to_seat(
    table_id: TableId, secret: OwnSecret, registry: RegistryDependency
) -> TableResponse:
    """Return to a seat, also if a bot has replaced the player."""
    async with registry.use(table_id) as table:
        await seat_actions.return_to_seat(table, secret)
        return TableResponse(table=table.info())


@router.post("/tables/{table_id}/resign")
async def resign(
    table_id: TableId, secret: OwnSecret, registry: RegistryDependency
) -> TableResponse:
    """Resign. A bot takes over, or the game ends."""
    async with registry.use(table_id) as table:
        await seat_actions.resign(table, secret)
        return TableResponse(table=table.info())


@router.post("/tables/{table_id}/seats/{number}/replace")
async def replace(
    table_id: TableId,
    number: SeatNumber,
    form: ReplaceForm,
    secret: OwnSecret,
    registry: RegistryDependency,
) -> TableResponse:
    """Vote to replace an absent player with a bot."""
    async with registry.use(table_id) as table:
        await seat_actions.vote_to_replace(table, secret, number, form.level, registry.settings)
        return TableResponse(table=table.info())


@router.post("/tables/{table_id}/rematch")
async def rematch(
    table_id: TableId, secret: OwnSecret, registry: RegistryDependency
) -> TableResponse:
    """Agree to a rematch with the same secrets. Returns the table of the next game."""
    return TableResponse(table=await registry.rematch(table_id, secret))


@router.post("/tables/{table_id}/reports", status_code=201)
async def report(
    table_id: TableId,
    form: ReportForm,
    secret: AnySecret,
    registry: RegistryDependency,
    request: Request,
) -> Reported:
    """Report a bug or a chat message to the operator."""
    address = address_of(request.scope)
    async with registry.use(table_id) as table:
        return await reports.submit_report(
            table, secret, form, registry.store, registry.report_limits, address
        )
