"""What is installed: the browser client goes into the wheel, and so do the credits of its art."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).parents[2]
FILES = ("index.html", "icon.svg", "assets/index-D6bYZ1XZ.js", "art/factions/kaiju.svg")


def test_the_client_is_in_the_wheel(tmp_path: Path) -> None:
    source = tmp_path / "source"
    skipped = shutil.ignore_patterns("__pycache__", "client")
    shutil.copytree(ROOT / "smashup", source / "smashup", ignore=skipped)
    for name in ("pyproject.toml", "README.md", "LICENSE", "NOTICE.md", "client/art/CREDITS.md"):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, source / name)
    for name in FILES:
        file = source / "smashup/server/client" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("built")
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation",
         "--disable-pip-version-check", "--wheel-dir", str(tmp_path), str(source)],
        check=True, capture_output=True, timeout=120,
    )  # fmt: skip
    (wheel,) = tmp_path.glob("*.whl")
    with ZipFile(wheel) as packed:
        names = packed.namelist()
    for name in FILES:
        assert f"smashup/server/client/{name}" in names
    assert "smashup/bots/weights.json" in names
    assert any(name.endswith("licenses/client/art/CREDITS.md") for name in names)
