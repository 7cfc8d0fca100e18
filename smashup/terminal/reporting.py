"""`smashup reports`: what people have reported to who runs the server."""

from __future__ import annotations

import argparse
import asyncio
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from smashup.engine.errors import SaveError, reason
from smashup.terminal.serving import add_database, default_database
from smashup.terminal.translation import printable, tr

if TYPE_CHECKING:
    from smashup.server.records import ReportRecord
    from smashup.terminal.parsing import Commands, Parser

NEWEST = 20


def add_reports(commands: Commands, help_form: type[argparse.HelpFormatter]) -> Parser:
    """The subcommand and its own options."""
    reports = commands.add_parser(
        "reports",
        help=tr("what people reported to a server"),
        description=tr(
            "Tells the newest reports of mistakes and of what was said at tables. A report of a"
            " mistake holds the table as its reporter saw it, for `smashup scenario`."
        ),
        formatter_class=help_form,
        allow_abbrev=False,
    )
    add_database(reports)
    reports.add_argument(
        "--count",
        type=int,
        default=NEWEST,
        metavar=tr("N"),
        help=tr("how many, the newest first (default {default})", default=NEWEST),
    )
    reports.add_argument(
        "--write",
        metavar=tr("FOLDER"),
        help=tr("write the tables of the reports there, one scenario file each"),
    )
    return reports


def tell_reports(options: argparse.Namespace) -> int:
    """`smashup reports`."""
    found = asyncio.run(_read(options.database or str(default_database()), max(1, options.count)))
    for report in found:
        print(_told(report))
    if not found:
        print(tr("Nobody has reported anything."))
    if options.write is not None:
        files = _write(found, Path(options.write).expanduser())
        print(tr("{count} scenario files written to {folder}.", count=files, folder=options.write))
    return 0


async def _read(database: str, count: int) -> list[ReportRecord]:
    # Only here: all other commands start faster without it.
    from smashup.server.store import is_shareable, store_at

    shared = is_shareable(database)
    where: Path | str = database if shared else Path(database).expanduser()
    if isinstance(where, Path) and not where.is_file():
        raise SaveError("There is no database {path}.", path=str(where))
    store = store_at(where, shared=shared)
    try:
        await store.open()
        return await store.reports(count)
    finally:
        await store.close()


def _told(report: ReportRecord) -> str:
    """A report in a few lines."""
    facts = report.facts
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(report.created))
    seat = facts.get("seat")
    who = tr("a spectator") if seat is None else f"P{seat + 1}"
    kind = tr("a mistake") if report.kind == "bug" else tr("something said")
    lines = [f"{when}  {report.id}  {kind}  {who}  {report.table_id}"]
    if facts.get("text"):
        lines += [f"    {printable(line)}" for line in str(facts["text"]).splitlines()]
    lines += [f"    > {printable(_spoken(line))}" for line in facts.get("said", [])]
    return "\n".join(lines)


def _spoken(line: dict[str, Any]) -> str:
    return f"{line['name']}: {line['text'] or line['gettext_noop']}"


def _write(reports: list[ReportRecord], folder: Path) -> int:
    count = 0
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for report in reports:
            if scenario := report.facts.get("scenario"):
                (folder / f"{report.id}.yaml").write_text(scenario, encoding="utf-8")
                count += 1
    except OSError as error:
        raise SaveError(
            "The folder {path} cannot be written to: {reason}.",
            path=str(folder),
            reason=reason(error),
        ) from error
    return count
