"""`smashup serve` on the command line: what cannot be done is told in one sentence."""

from __future__ import annotations

import socket
from pathlib import Path

from tests.terminal.program import run


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
