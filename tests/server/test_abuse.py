"""A server under attack from one address stays responsive for others; see ``make abuse``."""

from __future__ import annotations

import asyncio
from pathlib import Path

from scripts.abuse import (
    MAX_ANSWER_SECONDS,
    MAX_BOT_SECONDS,
    flood_connections,
    serving,
    starve_bots,
)
from scripts.servers import percentile


def test_expert_bots_of_one_address_do_not_starve_other_bots(tmp_path: Path) -> None:
    with serving(tmp_path, bot_processes=1) as address:
        report = asyncio.run(starve_bots(address, tables=25, seconds=3))
    assert len(report.latencies.bot_answers) >= 5, report.report()
    assert report.longest < MAX_BOT_SECONDS, report.report()
    assert report.attacker_answers > 0, "they get their share, too"


def test_more_connections_than_files_from_one_address(tmp_path: Path) -> None:
    """From the address of a trusted proxy, of which only the total is limited."""
    with serving(tmp_path, files=1024, bot_processes=1) as address:
        report = asyncio.run(flood_connections(address, 1100, 430, 2, source="127.0.0.1"))
    assert report.opened >= 1000, report.report()
    assert report.is_reachable, report.report()
    # `make abuse` runs alone on the machine, but tests run in parallel.
    assert percentile(report.latencies.answers, 50) < MAX_ANSWER_SECONDS, report.report()
    assert report.answer_p99 < 1, report.report()
