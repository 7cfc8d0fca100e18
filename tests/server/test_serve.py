"""`smashup serve` on the command line: what cannot be done is told in one sentence."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

from tests.terminal.cli_process import environment, run


def refused(home: Path, *words: str) -> str:
    """The one line with which the command ends."""
    ended = run(home, "serve", *words)
    assert ended.returncode == 2
    assert ended.stdout == ""
    (line,) = ended.stderr.splitlines()
    return line


def test_addresses_that_cannot_be_used(tmp_path: Path) -> None:
    assert refused(tmp_path, "--port", "99999") == "99999 is not a port: 0 to 65535."
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = refused(tmp_path, "--port", str(port), "--lang", "fr")
        start = f"Impossible de servir à l’adresse 127.0.0.1, port {port}\u00a0: "
        assert said == start + "cette adresse est déjà utilisée."


def test_a_database_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    path = tmp_path / "file" / "tables.sqlite"
    assert refused(tmp_path, "--database", str(path)) == (
        f"The database {path} cannot be used: File exists."
    )


@contextmanager
def running(home: Path, *words: str, **more: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server that has said where it is; in the end it is told to stop by Ctrl-C."""
    process = subprocess.Popen(
        [sys.executable, "-m", "smashup.terminal", "serve", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=environment(home, **more),
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"http://\S+/", line)
        assert found is not None, line
        yield process, found[0]
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
        assert (process.returncode, errors) == (0, ""), "it ends quietly"
    finally:
        process.kill()
        process.communicate()


def test_a_newcomer_sees_the_client_in_the_browser(tmp_path: Path) -> None:
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/shown\n')
    browser.chmod(0o755)
    with running(tmp_path, "--open", "--port", "0", BROWSER=f"{browser} %s") as (_, address):
        with urllib.request.urlopen(address, timeout=10) as page:
            assert page.status == 200
            assert b"<!doctype html>" in page.read()
        for _ in range(100):
            if (tmp_path / "shown").exists() and (tmp_path / "shown").read_text():
                break
            time.sleep(0.05)
        assert (tmp_path / "shown").read_text().strip() == address


def test_without_a_browser_the_address_is_enough(tmp_path: Path) -> None:
    with running(tmp_path, "--open", "--port", "0") as (process, _):
        assert process.stdout is not None
        assert process.stdout.readline() == "Open this address in a browser to play.\n"


def test_a_port_that_is_taken_is_left_alone(tmp_path: Path) -> None:
    with ExitStack() as stack:
        with suppress(OSError):  # somebody else may use it now: so much the better
            stack.enter_context(socket.create_server(("127.0.0.1", 8000)))
        _, address = stack.enter_context(running(tmp_path))
        port = urlsplit(address).port
        assert port is not None
        assert 8000 < port < 8050


def test_one_server_a_database(tmp_path: Path) -> None:
    with running(tmp_path, "--port", "0"):
        said = refused(tmp_path, "--port", "0")
        assert said.endswith("tables.sqlite is in use: another server is running.")
