"""`smashup new-faction` and `smashup preview`."""

from __future__ import annotations

import os
import re
import socket
from pathlib import Path

import httpx
import pytest

from smashup.engine.errors import SetupError
from smashup.server.http import preview as preview_pages
from smashup.terminal.commands.new_faction import module_name, skeleton
from smashup.terminal.commands.preview import FactionPreview, load_cards
from smashup.terminal.main import main


@pytest.mark.parametrize("name", ["Night Owls", 'L\'Équipe "A"', "007", "Back\\slash {x}"])
def test_the_skeleton_passes_all_checks(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new-faction", name]) == 0
    (path,) = tmp_path.iterdir()
    assert re.fullmatch(r"[a-z_][a-z0-9_]*\.py", path.name)
    assert re.search(rf"smashup check-faction {path.name}$", capsys.readouterr().out, re.M)
    assert main(["check-faction", path.name, "--games", "6"]) == 0
    assert main(["new-faction", name]) == 2
    assert "exists already" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["Kaiju"], "There is a faction called “Kaiju” already"),
        (["Night+Owls"], "must not contain +"),
        (["  "], "needs a name of 1 to 40 characters"),
        (["Owls", "--file", "missing/owls.py"], "missing/owls.py cannot be written"),
    ],
)
def test_a_faction_that_cannot_be_created_is_reported(
    words: list[str],
    sentence: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new-faction", *words]) == 2
    assert sentence in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_file_names_are_plain() -> None:
    assert module_name("Les Élus du 7e") == "les_elus_du_7e"
    assert module_name("7 Dwarfs") == "faction_7_dwarfs"
    assert module_name("漢字") == "faction"


def test_the_preview_serves_the_cards_and_follows_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    client = tmp_path / "client"
    client.mkdir()
    (client / "index.html").write_text("<html><body><p>the client</p></body></html>")
    (client / "worker.js").write_text("//")
    monkeypatch.setattr(preview_pages.create_preview_app, "__defaults__", (client,))
    path = tmp_path / "owls.py"
    path.write_text(skeleton("Night Owls"))
    preview = FactionPreview(path, tmp_path, 0)
    preview.start(*load_cards(path))
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{preview.port}") as browser:

            def cards(faction: str = "Night Owls") -> list[str]:
                found = browser.get("/api/cards", params={"printing": "printed"})
                assert found.headers["Cache-Control"] == "no-store", "a reload shows new cards"
                return [
                    card["name"]
                    for deck in found.json()["decks"]
                    if deck["faction"] == faction
                    for card in deck["cards"]
                ]

            page = browser.get("/factions/Night%20Owls")
            assert "the client" in page.text
            assert 'src="/preview/reload.js"' in page.text
            assert "location.reload" in browser.get("/preview/reload.js").text
            assert browser.get("/worker.js").status_code == 404
            assert "Night Owls Scout" in cards()
            first = browser.get("/preview/state").json()
            assert first["problem"] == ""
            assert not preview.look()

            path.write_text(path.read_text().replace("power = 3", "power = 2.5"))
            os.utime(path, (1, 1))
            assert not preview.look()
            broken = browser.get("/preview/state").json()
            assert broken["version"] == first["version"]
            assert "Scout: power has to be a whole number" in broken["problem"]
            assert "Night Owls Scout" in cards()

            text = path.read_text().replace("power = 2.5", "power = 3")
            text = text.replace("Night Owls Scout", "Barn Owl")
            path.write_text(text.replace('name="Night Owls"', 'name="Dawn Owls"'))
            os.utime(path, (2, 2))
            assert preview.look()
            now = browser.get("/preview/state").json()
            assert now["version"] != first["version"]
            assert now["problem"] == ""
            assert (first["faction"], now["faction"]) == ("Night Owls", "Dawn Owls")
            assert "Barn Owl" in cards("Dawn Owls")

            path.write_text(path.read_text().replace("me.draw(1)", "me.drwa(1)"))
            os.utime(path, (3, 3))
            assert preview.look()
            assert "drwa does not exist" in browser.get("/preview/state").json()["problem"]
    finally:
        preview.stop()
    assert "was loaded again" in capsys.readouterr().out


def test_the_preview_refuses_a_port_that_is_in_use(tmp_path: Path) -> None:
    path = tmp_path / "owls.py"
    path.write_text(skeleton("Night Owls"))
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        preview = FactionPreview(path, tmp_path, port)
        with pytest.raises(SetupError, match=f"The port {port} is in use"):
            preview.start(*load_cards(path))
