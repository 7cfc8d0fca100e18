"""A real server under attack from one address: others hardly notice. ``make abuse`` does more."""

from __future__ import annotations

import asyncio
from pathlib import Path

from scripts.abuse import MAX_BOT_SECONDS, serving, starve_bots


def test_expert_bots_of_one_address_do_not_starve_other_bots(tmp_path: Path) -> None:
    with serving(tmp_path, thinkers=1) as address:
        report = asyncio.run(starve_bots(address, tables=25, seconds=4))
    assert len(report.waits.bot_answers) >= 5, report.report()
    assert report.longest < MAX_BOT_SECONDS, report.report()
    assert report.attacker_answers > 0, "they get their share, too"
