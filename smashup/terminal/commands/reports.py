"""`smashup reports`: lists what players reported to the operator of a server."""

from __future__ import annotations

import argparse
import asyncio
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from smashup.engine.errors import SaveError, reason
from smashup.terminal.commands.serve import add_database_option, default_database
from smashup.terminal.translation import printable, tr, tr_plural

if TYPE_CHECKING:
    from smashup.server.storage.records import ReportRecord
    from smashup.terminal.cli.options import Parser, Subparsers

DEFAULT_COUNT = 20


def add_reports(commands: Subparsers) -> Parser:
    """Add the subcommand and its options."""
    reports = commands.add_parser(
        "reports",
        help=tr("list the reports sent to a server"),
        description=tr(
            "Lists the newest reports of bugs and of chat messages. A bug report"
            " contains the table as the reporter saw it, as a file for `smashup"
            " scenario`."
        ),
    )
    add_database_option(reports)
    reports.add_argument(
        "--count",
        type=int,
        default=DEFAULT_COUNT,
        metavar=tr("N"),
        help=tr("how many, the newest first (default {default})", default=DEFAULT_COUNT),
    )
    reports.add_argument(
        "--write",
        metavar=tr("FOLDER"),
        help=tr("write each reported table to this folder as a scenario file"),
    )
    return reports


def run_reports(options: argparse.Namespace) -> int:
    """`smashup reports`."""
    reports = asyncio.run(
        _load_reports(options.database or str(default_database()), max(1, options.count))
    )
    for report in reports:
        print(_format_report(report))
    if not reports:
        print(tr("There are no reports."))
    if options.write is not None:
        files = _write_scenarios(reports, Path(options.write).expanduser())
        print(
            tr_plural(
                files,
                "{count} scenario file written to {folder}.",
                "{count} scenario files written to {folder}.",
                folder=options.write,
            )
        )
    return 0


async def _load_reports(database: str, count: int) -> list[ReportRecord]:
    # Imported late because the server slows down the start of all other commands.
    from smashup.server.storage.store import store_at

    store = store_at(database, must_exist=True)
    try:
        await store.open()
        return await store.list_reports(count)
    finally:
        await store.close()


def _format_report(report: ReportRecord) -> str:
    """Format a report in a few lines."""
    facts = report.facts
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(report.created))
    seat = facts.get("seat")
    reporter = tr("a spectator") if seat is None else f"P{seat + 1}"
    kind = tr("bug") if report.kind == "bug" else tr("chat")
    lines = [f"{when}  {report.id}  {kind}  {reporter}  {report.table_id}"]
    if facts.get("text"):
        lines += [f"    {printable(line)}" for line in str(facts["text"]).splitlines()]
    lines += [f"    > {printable(_format_chat_line(line))}" for line in facts.get("said", [])]
    return "\n".join(lines)


def _format_chat_line(line: dict[str, Any]) -> str:
    return f"{line['name']}: {line['text'] or line['phrase']}"


def _write_scenarios(reports: list[ReportRecord], folder: Path) -> int:
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
