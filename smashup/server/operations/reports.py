"""What somebody reports to who runs the server: a mistake of the game, or something said."""

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
"""Addresses that are counted; those that have been quiet for longest are forgotten."""
AROUND: Final = 10
"""Things said before the one that is reported that are kept with it."""


class DailyCounter:
    """How often each address has done something in the last day, as far as this process knows."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._times: OrderedDict[str, deque[float]] = OrderedDict()

    def has_room(self, address: str) -> bool:
        """Whether an address may do it once more."""
        times = self._times.get(address, deque())
        while times and times[0] < time.monotonic() - DAY:
            times.popleft()
        return len(times) < self.most

    def add(self, address: str) -> None:
        """An address has done it."""
        self._times.setdefault(address, deque()).append(time.monotonic())
        self._times.move_to_end(address)
        while len(self._times) > MAX_ADDRESSES:
            self._times.popitem(last=False)


class ReportLimits:
    """How many reports are stored in a day: of a table, from an address, and at all."""

    def __init__(self, settings: Settings) -> None:
        self.of_table = settings.reports_of_table
        self.of_all = settings.reports_of_all
        self.addresses = DailyCounter(settings.reports_of_address)

    async def check(self, table_id: str, address: str, store: Store) -> None:
        """Refuse a report if there were too many, in a sentence."""
        if not self.addresses.has_room(address):
            raise RateLimited(
                "You have sent many reports today; please send further ones tomorrow."
            )
        since = timekeeping.now() - DAY
        if await store.count_reports(since, table_id) >= self.of_table:
            raise RateLimited(
                "There were many reports from this table today; please send further ones tomorrow."
            )
        if await store.count_reports(since) >= self.of_all:
            raise RateLimited("This server takes no more reports today; please try again tomorrow.")


async def report(
    table: Table,
    secret: str | None,
    form: ReportForm,
    store: Store,
    limits: ReportLimits,
    address: str,
) -> Reported:
    """Take a report by the owner of a seat, or by somebody who watches."""
    viewer = table.seat_of(secret) if secret is not None else SPECTATOR
    if viewer == SPECTATOR and not table.record.options["spectators"]:
        raise Forbidden("Send the secret of your seat as a bearer token.")
    facts: dict[str, Any] = {
        "seat": viewer if viewer != SPECTATOR else None,
        "text": form.text,
        "version": __version__,
    }
    if form.kind == "chat":
        facts["said"] = _said(table, form.said)
    elif form.said is not None:
        raise Refused("A mistake of the game is no matter of what somebody said.")
    if not table.reports.take():
        raise RateLimited("There were several reports just now; wait a moment.")
    await limits.check(table.record.id, address, store)
    limits.addresses.add(address)
    id_ = secrets.token_hex(8)
    scenario = ""
    if form.kind == "bug" and table.game is not None:
        game = table.game.clone(log=True)  # which stays as it is, whatever happens meanwhile
        dice = Random(secrets.randbits(64))
        name = f"REPORT-{id_}"
        scenario = await asyncio.to_thread(write_scenario, game, viewer, name, form.text, dice)
        facts["scenario"] = scenario
    await store.add_report(ReportRecord(id_, timekeeping.now(), table.record.id, form.kind, facts))
    return Reported(id=id_, scenario=scenario)


def _said(table: Table, number: int | None) -> list[dict[str, Any]]:
    """What was said, and what was said before it: the last is what is reported."""
    if number is None:
        raise Refused("Say which of the things said at the table you mean.")
    if table.talk.find(number) is None:
        raise NotFound("Nothing like that was said here lately.")
    return [
        {**line, "name": table.seats[line["seat"]].name}
        for line in table.talk.since(number - AROUND)
        if line["number"] <= number
    ]
