"""Reports of players to the operator: bugs of the game, and chat messages."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import OrderedDict, deque
from random import Random
from typing import TYPE_CHECKING, Any, Final

from smashup.engine.views.view import SPECTATOR
from smashup.scenarios.scenario_writer import write_scenario
from smashup.server.errors import Forbidden, NotFound, RateLimited, Refused
from smashup.server.http.schemas import Reported, ReportForm
from smashup.server.operations import timekeeping
from smashup.server.operations.settings import Settings
from smashup.server.storage.records import ReportRecord
from smashup.server.storage.store import Store
from smashup.version import __version__

if TYPE_CHECKING:
    from smashup.server.tables.table import Table

DAY: Final = 86_400.0
MAX_ADDRESSES: Final = 10_000
"""Addresses that are counted; the least recently active are dropped."""
CONTEXT_MESSAGES: Final = 10
"""Chat messages before the reported one that are stored with it."""


class DailyCounter:
    """Counts actions of each address in the last day, in this process."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._times: OrderedDict[str, deque[float]] = OrderedDict()

    def has_room(self, address: str) -> bool:
        """Return whether an address is below the limit."""
        times = self._times.get(address, deque())
        while times and times[0] < time.monotonic() - DAY:
            times.popleft()
        return len(times) < self.limit

    def add(self, address: str) -> None:
        """Count an action of an address."""
        self._times.setdefault(address, deque()).append(time.monotonic())
        self._times.move_to_end(address)
        while len(self._times) > MAX_ADDRESSES:
            self._times.popitem(last=False)


class ReportLimits:
    """Daily limits of reports: per table, per address, and in total."""

    def __init__(self, settings: Settings) -> None:
        self.per_table = settings.max_daily_reports_per_table
        self.total = settings.max_daily_reports
        self.by_address = DailyCounter(settings.max_daily_reports_per_address)

    async def check(self, table_id: str, address: str, store: Store) -> None:
        """Refuse a report if there were too many."""
        if not self.by_address.has_room(address):
            raise RateLimited("You have sent many reports today; please try again tomorrow.")
        since = timekeeping.now() - DAY
        if await store.count_reports(since, table_id) >= self.per_table:
            raise RateLimited(
                "There were many reports from this table today; please try again tomorrow."
            )
        if await store.count_reports(since) >= self.total:
            raise RateLimited(
                "This server accepts no more reports today; please try again tomorrow."
            )


async def submit_report(
    table: Table,
    secret: str | None,
    form: ReportForm,
    store: Store,
    limits: ReportLimits,
    address: str,
) -> Reported:
    """Store a report by a player or a spectator."""
    viewer = table.seat_of(secret) if secret is not None else SPECTATOR
    if viewer == SPECTATOR and not table.record.options["spectators"]:
        raise Forbidden("Send the secret of your seat as a bearer token.")
    facts: dict[str, Any] = {
        "seat": viewer if viewer != SPECTATOR else None,
        "text": form.text,
        "version": __version__,
    }
    if form.kind == "chat":
        facts["said"] = _reported_chat(table, form.said)
    elif form.said is not None:
        raise Refused("A bug report cannot refer to a chat message.")
    if not table.reports.take():
        raise RateLimited("There were several reports just now; wait a moment.")
    await limits.check(table.record.id, address, store)
    limits.by_address.add(address)
    id_ = secrets.token_hex(8)
    scenario = ""
    if form.kind == "bug" and table.game is not None:
        game = table.game.clone(log=True)  # the game may continue in the meantime
        rng = Random(secrets.randbits(64))
        name = f"REPORT-{id_}"
        scenario = await asyncio.to_thread(write_scenario, game, viewer, name, form.text, rng)
        facts["scenario"] = scenario
    await store.add_report(ReportRecord(id_, timekeeping.now(), table.record.id, form.kind, facts))
    return Reported(id=id_, scenario=scenario)


def _reported_chat(table: Table, number: int | None) -> list[dict[str, Any]]:
    """Return the reported chat message, preceded by the messages before it."""
    if number is None:
        raise Refused("Choose the chat message that you want to report.")
    if table.chat.find(number) is None:
        raise NotFound("There is no recent chat message with this number.")
    return [
        {**line, "name": table.seats[line["seat"]].name}
        for line in table.chat.messages_since(number - CONTEXT_MESSAGES)
        if line["number"] <= number
    ]
