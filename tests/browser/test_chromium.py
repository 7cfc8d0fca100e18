"""Finding and downloading a browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.chromium import Chromium, ChromiumUnavailable, find, verify_checksum

FETCHED = Chromium("fetched")


def _fetch() -> Chromium:
    return FETCHED


def _install(folder: Path, name: str) -> str:
    folder.mkdir(exist_ok=True)
    program = folder / name
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    return str(program)


@pytest.mark.parametrize("name", ["chromium", "chromium-browser", "google-chrome"])
def test_the_systems_own_comes_first(tmp_path: Path, name: str) -> None:
    program = _install(tmp_path / "bin", name)
    assert find(str(tmp_path / "bin"), _fetch) == Chromium(program)


def test_without_one_it_is_fetched(tmp_path: Path) -> None:
    assert find(str(tmp_path), _fetch) is FETCHED


def test_something_else_than_what_was_pinned_is_refused(tmp_path: Path) -> None:
    archive = tmp_path / "chromium.tgz"
    archive.write_bytes(b"not a browser")
    with pytest.raises(ChromiumUnavailable, match="checksum"):
        verify_checksum(archive)
