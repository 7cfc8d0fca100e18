"""The parts of the compose file in docs/self-hosting.md work."""

from __future__ import annotations

import asyncio
import shlex
import subprocess
import sys
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any

import yaml

from scripts import dev_services
from smashup.server.storage.store import is_shareable
from smashup.terminal.cli.parser import build_parser
from smashup.version import __version__
from tests.docs.code_blocks import ROOT, blocks
from tests.server.live_server import run_server


def services() -> dict[str, Any]:
    (block,) = blocks(ROOT / "docs" / "self-hosting.md", "yaml compose")
    found: dict[str, Any] = yaml.safe_load(block.text)["services"]
    return found


def test_compose_file_needs_two_services() -> None:
    assert set(services()) == {"database", "smashup"}


def test_compose_file_uses_valid_options() -> None:
    command = services()["smashup"]["command"]
    _, _, script = shlex.split(command)
    install, _, serve = script.partition(" && exec smashup ")
    wheel = f"/wheels/smashup-{__version__}-py3-none-any.whl"
    assert install == f'pip install "{wheel}[postgresql]"'
    assert services()["smashup"]["volumes"] == ["./dist:/wheels:ro"]
    options = build_parser("smashup").parse_args(shlex.split(serve))
    assert (options.command, options.workers, options.port) == ("serve", 2, 8000)
    networks = [ip_network(proxy) for proxy in options.trusted_proxy]
    assert any(ip_address("172.17.0.1") in network for network in networks), "Docker's gateway"
    database = services()["smashup"]["environment"]["SMASHUP_DATABASE"]
    assert is_shareable(database.replace("${PASSWORD:?}", "hush"))


def test_database_health_check_detects_a_stopped_database(
    postgres: dev_services.Postgres,
) -> None:
    program, *words = services()["database"]["healthcheck"]["test"][1:]
    path = dev_services.postgres_programs() / program
    for host, is_ready in ((postgres.sockets, True), (postgres.sockets / "none", False)):
        result = subprocess.run([path, *words, "-h", host, "-t", "2"], stdout=subprocess.DEVNULL)
        assert (result.returncode == 0) is is_ready


async def test_server_health_check_detects_an_unhealthy_server(tmp_path: Path) -> None:
    _, _, *words = services()["smashup"]["healthcheck"]["test"]

    async with run_server(tmp_path) as server:
        for is_leaving in (False, True):
            server.registry.is_leaving = is_leaving
            check = [word.replace("127.0.0.1:8000", server.address) for word in words]
            process = await asyncio.create_subprocess_exec(
                sys.executable, *check, stderr=asyncio.subprocess.DEVNULL
            )
            assert (await process.wait() == 0) is not is_leaving
        server.registry.is_leaving = False
