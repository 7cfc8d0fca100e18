"""`smashup serve` on the command line: errors are one sentence."""

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

import pytest

from tests.server.command_line import run_here
from tests.terminal.cli_process import environment


def run_refused_serve(home: Path, *words: str) -> str:
    """Return the one line that the command prints."""
    result = run_here(home, "serve", *words)
    assert result.returncode == 2
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    return line


def test_unusable_addresses_are_reported(tmp_path: Path) -> None:
    assert run_refused_serve(tmp_path, "--port", "99999") == (
        "99999 is not a port: use a number from 0 to 65535."
    )
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        message = run_refused_serve(tmp_path, "--port", str(port), "--lang", "fr")
        start = f"Impossible de servir à l’adresse 127.0.0.1, port {port}\u00a0: "
        assert message == start + "cette adresse est déjà utilisée."


def test_an_unusable_database_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    path = tmp_path / "file" / "tables.sqlite"
    assert run_refused_serve(tmp_path, "--database", str(path)) == (
        f"The database {path} cannot be used: File exists."
    )


@pytest.mark.parametrize("scheme", ["mysql", "postgresql+psycopg", "http"])
def test_unknown_database_urls_are_not_used_as_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scheme: str
) -> None:
    """Otherwise the server would create a folder whose name contains the password."""
    monkeypatch.chdir(tmp_path)
    words = ["--database", f"{scheme}://ana:hush@localhost/games"]
    for command in (["serve", "--port", "0"], ["reports"]):
        result = run_here(tmp_path, *command, *words)
        assert result.returncode == 2
        assert result.stderr.startswith(
            "This database cannot be used: use a file, or postgresql://"
        )
        assert "hush" not in result.stderr
    assert not list(tmp_path.iterdir())


@contextmanager
def run_serve(home: Path, *words: str, **more: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run a server and stop it with Ctrl-C at the end."""
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


def test_serve_opens_the_browser(tmp_path: Path) -> None:
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/shown\n')
    browser.chmod(0o755)
    with run_serve(tmp_path, "--open", "--port", "0", BROWSER=f"{browser} %s") as (_, address):
        with urllib.request.urlopen(address, timeout=10) as page:
            assert page.status == 200
            assert b"<!doctype html>" in page.read()
        for _ in range(100):
            if (tmp_path / "shown").exists() and (tmp_path / "shown").read_text():
                break
            time.sleep(0.05)
        assert (tmp_path / "shown").read_text().strip() == address


def test_without_a_browser_serve_prints_the_address(tmp_path: Path) -> None:
    with run_serve(tmp_path, "--open", "--port", "0") as (process, _):
        assert process.stdout is not None
        assert process.stdout.readline() == "Open this address in a browser to play.\n"


def test_serve_uses_the_next_free_port(tmp_path: Path) -> None:
    with ExitStack() as stack:
        with suppress(OSError):  # another process may use it now
            stack.enter_context(socket.create_server(("127.0.0.1", 8000)))
        _, address = stack.enter_context(run_serve(tmp_path))
        port = urlsplit(address).port
        assert port is not None
        assert 8000 < port < 8050


def test_a_second_server_is_refused(tmp_path: Path) -> None:
    with run_serve(tmp_path, "--port", "0"):
        message = run_refused_serve(tmp_path, "--port", "0")
        assert message.endswith(
            "tables.sqlite is in use: another server is running. Stop it first."
        )
