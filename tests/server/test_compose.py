"""The compose file of docs/self-hosting.md: each part does what the page says."""

from __future__ import annotations

import asyncio
import shlex
import sys
from pathlib import Path
from typing import Any

import yaml

from smashup.server.storage.store import is_shareable
from smashup.terminal.cli.parser import build_parser
from tests.docs.code_blocks import ROOT, blocks
from tests.server.house import serving


def services() -> dict[str, Any]:
    (block,) = blocks(ROOT / "docs" / "self-hosting.md", "yaml compose")
    found: dict[str, Any] = yaml.safe_load(block.text)["services"]
    return found


def test_two_services_are_enough() -> None:
    assert set(services()) == {"database", "smashup"}


def test_the_server_is_started_with_options_it_knows() -> None:
    command = services()["smashup"]["command"]
    _, _, script = shlex.split(command)
    install, _, serve = script.partition(" && exec smashup ")
    assert install == 'pip install "smashup[postgresql]"'
    options = build_parser("smashup").parse_args(shlex.split(serve))
    assert (options.command, options.workers, options.port) == ("serve", 2, 8000)
    database = services()["smashup"]["environment"]["SMASHUP_DATABASE"]
    assert is_shareable(database.replace("${PASSWORD:?}", "hush"))


def test_the_health_check_tells_whether_the_server_is_well(tmp_path: Path) -> None:
    _, _, *words = services()["smashup"]["healthcheck"]["test"]

    async def visit() -> None:
        async with serving(tmp_path) as house:
            for is_leaving in (False, True):
                house.registry.is_leaving = is_leaving
                check = [word.replace("127.0.0.1:8000", house.address) for word in words]
                process = await asyncio.create_subprocess_exec(
                    sys.executable, *check, stderr=asyncio.subprocess.DEVNULL
                )
                assert (await process.wait() == 0) is not is_leaving
            house.registry.is_leaving = False

    asyncio.run(visit())
