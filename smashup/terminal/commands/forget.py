"""`smashup forget`: deletes a name or a table from a server's database."""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from smashup.engine.errors import SaveError
from smashup.terminal.commands.serve import add_database_option, default_database
from smashup.terminal.translation import printable, tr, tr_plural

if TYPE_CHECKING:
    from smashup.server.storage.forgetting import NameOccurrence
    from smashup.server.storage.store import Store
    from smashup.terminal.cli.options import Parser, Subparsers


def add_forget(commands: Subparsers) -> Parser:
    """Add the subcommand and its options."""
    forget = commands.add_parser(
        "forget",
        help=tr("delete a name, or a table, from a server"),
        description=tr(
            "Deletes a name and its chat messages, or a table and all its data."
            " Without --yes, only lists what would be deleted. There are no accounts,"
            " so other players may have used the same name: check the list first."
        ),
    )
    add_database_option(forget)
    forget.add_argument(
        "--name", metavar=tr("NAME"), help=tr("the name, exactly as it is shown at a table")
    )
    forget.add_argument(
        "--table",
        metavar=tr("ID"),
        help=tr(
            "the last part of a table's link, as --table=ID; with --name, only the"
            " name at this table"
        ),
    )
    forget.add_argument("--yes", action="store_true", help=tr("delete it; this cannot be undone"))
    return forget


def run_forget(options: argparse.Namespace) -> int:
    """`smashup forget`."""
    if not options.name and not options.table:
        raise SaveError("Choose what to delete: --name NAME or --table ID.")
    action = _forget_name if options.name else _forget_table
    asyncio.run(_run_on_store(options.database or str(default_database()), action, options))
    return 0


StoreAction = Callable[["Store", argparse.Namespace], Awaitable[None]]


async def _run_on_store(database: str, action: StoreAction, options: argparse.Namespace) -> None:
    # Imported late because the server slows down the start of all other commands.
    from smashup.server.storage.store import store_at

    store = store_at(database, must_exist=True)
    try:
        await store.open()
        await action(store, options)
    finally:
        await store.close()


async def _forget_name(store: Store, options: argparse.Namespace) -> None:
    from smashup.server.storage import forgetting

    name, table = options.name, options.table or ""
    async with store.transaction() as connection:
        occurrences = await forgetting.find_name(connection, name, table)
    if not occurrences:
        print(tr("No player used the name “{name}”.", name=printable(name)))
        return
    for occurrence in occurrences:
        print(_describe_seat(occurrence))
    if not options.yes:
        print(
            tr("Nothing was deleted. Add --yes to delete this name and these messages permanently.")
        )
        return
    async with store.transaction() as connection:
        deleted = await forgetting.forget_name(connection, occurrences)
    print(
        tr(
            "Deleted: names at seats ({names}), chat messages ({lines}), reports ({reports}).",
            names=deleted.names,
            lines=deleted.messages,
            reports=deleted.reports,
        )
    )


def _describe_seat(occurrence: NameOccurrence) -> str:
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(occurrence.created))
    messages = tr_plural(occurrence.messages, "{count} chat message", "{count} chat messages")
    return f"{when}  {occurrence.table}  P{occurrence.seat + 1}  {occurrence.state}  {messages}"


async def _forget_table(store: Store, options: argparse.Namespace) -> None:
    from smashup.server.storage import forgetting

    table = options.table
    stored = await store.load(table)
    if stored is None:
        raise SaveError("There is no table “{table}”.", table=printable(table))
    print(
        tr(
            "{table}: {seats} seats, {answers} answers, {lines} chat messages.",
            table=table,
            seats=len(stored.seats),
            answers=sum(entry.kind == "answer" for entry in stored.entries),
            lines=len(stored.chat),
        )
    )
    if not options.yes:
        print(tr("Nothing was deleted. Add --yes to delete this table and its replay permanently."))
        return
    async with store.transaction() as connection:
        await forgetting.forget_table(connection, table)
    print(tr("Deleted."))
