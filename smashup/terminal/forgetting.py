"""`smashup forget`: delete from a server what somebody does not want to be kept there."""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

from smashup.engine.errors import SaveError
from smashup.terminal.serving import add_database, default_database
from smashup.terminal.translation import printable, tr

if TYPE_CHECKING:
    from smashup.server.store import Store
    from smashup.server.stores.forgetting import Place
    from smashup.terminal.parsing import Commands, Parser


def add_forget(commands: Commands, help_form: type[argparse.HelpFormatter]) -> Parser:
    """The subcommand and its own options."""
    forget = commands.add_parser(
        "forget",
        help=tr("delete a name, or a table, from a server"),
        description=tr(
            "Deletes a name with everything that was said under it, or a table with everything"
            " about it. Only tells what would be deleted, unless it is told --yes. There are no"
            " accounts: others may have used the same name, so look first."
        ),
        formatter_class=help_form,
        allow_abbrev=False,
    )
    add_database(forget)
    forget.add_argument(
        "--name", metavar=tr("NAME"), help=tr("the name, exactly as it is shown at a table")
    )
    forget.add_argument(
        "--table",
        metavar=tr("ID"),
        help=tr(
            "the last part of a table's link, as --table=ID; with --name, only what was said there"
        ),
    )
    forget.add_argument("--yes", action="store_true", help=tr("delete it; this cannot be undone"))
    return forget


def forget(options: argparse.Namespace) -> int:
    """`smashup forget`."""
    if not options.name and not options.table:
        raise SaveError("Say what is to be deleted: --name NAME, or --table ID.")
    work = _forget_name if options.name else _forget_table
    asyncio.run(_with_store(options.database or str(default_database()), work, options))
    return 0


Work = Callable[["Store", argparse.Namespace], Awaitable[None]]


async def _with_store(database: str, work: Work, options: argparse.Namespace) -> None:
    # Only here: all other commands start faster without it.
    from smashup.server.store import is_shareable, store_at

    shared = is_shareable(database)
    where: Path | str = database if shared else Path(database).expanduser()
    if isinstance(where, Path) and not where.is_file():
        raise SaveError("There is no database {path}.", path=str(where))
    store = store_at(where, shared=shared)
    try:
        await store.open()
        await work(store, options)
    finally:
        await store.close()


async def _forget_name(store: Store, options: argparse.Namespace) -> None:
    from smashup.server.stores import forgetting

    name, table = options.name, options.table or ""
    found = await store.wholly(lambda line: forgetting.places(line, name, table))
    if not found:
        print(tr("Nobody was called «{name}».", name=printable(name)))
        return
    for place in found:
        print(_told(place))
    if not options.yes:
        print(tr("Nothing was deleted. Say --yes to delete this name and these words for good."))
        return
    gone = await store.wholly(lambda line: forgetting.forget_name(line, found))
    print(
        tr(
            "Deleted: the name at {names} seats, {lines} things said, {reports} reports.",
            names=gone.names,
            lines=gone.lines,
            reports=gone.reports,
        )
    )


def _told(place: Place) -> str:
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(place.created))
    said = tr("{count} things said", count=place.lines)
    return f"{when}  {place.table}  P{place.seat + 1}  {place.state}  {said}"


async def _forget_table(store: Store, options: argparse.Namespace) -> None:
    from smashup.server.stores import forgetting

    table = options.table
    if not await store.wholly(lambda line: forgetting.has_table(line, table)):
        raise SaveError("There is no table «{table}».", table=printable(table))
    kept = await store.load(table)
    assert kept is not None
    print(
        tr(
            "{table}: {seats} seats, {answers} answers, {lines} things said.",
            table=table,
            seats=len(kept.seats),
            answers=len(kept.answers),
            lines=len(kept.chat),
        )
    )
    if not options.yes:
        print(tr("Nothing was deleted. Say --yes to delete this table and its replay for good."))
        return
    await store.wholly(lambda line: forgetting.forget_table(line, table))
    print(tr("Deleted."))
