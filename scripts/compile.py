"""``make compile``: build engine and cards with mypyc, beside the sources, into build/compiled.

The plain interpreter stays the reference; set PYTHONPATH=build/compiled to run the compiled one.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "build" / "compiled"
SETUP = """
from mypyc.build import mypycify
from setuptools import setup

setup(name="smashup-compiled", packages=[], ext_modules=mypycify({paths!r}, opt_level="3"))
"""


def modules() -> list[str]:
    """What is compiled: the rules and the cards."""
    found = [*(ROOT / "smashup/engine").rglob("*.py"), *(ROOT / "smashup/cards").rglob("*.py")]
    left = {"__init__.py", "plugins.py", "conformance.py"}
    return sorted(str(p.relative_to(ROOT)) for p in found if p.name not in left)


def main() -> int:
    if TARGET.exists():
        shutil.rmtree(TARGET)
    shutil.copytree(
        ROOT / "smashup", TARGET / "smashup", ignore=shutil.ignore_patterns("__pycache__", "*.so")
    )
    shutil.copy(ROOT / "pyproject.toml", TARGET / "mypy-pyproject.toml")
    (TARGET / "setup.py").write_text(SETUP.format(paths=modules()), encoding="utf-8")
    command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
    print(f"Compiling {len(modules())} modules with mypyc ...", flush=True)
    done = subprocess.run(command, cwd=TARGET, check=False, capture_output=True, text=True)
    if done.returncode:
        print(done.stdout[-6000:], done.stderr[-6000:], sep="\n", file=sys.stderr)
        return done.returncode
    for path in modules():
        (TARGET / path).unlink()
    print(f"Done: PYTHONPATH={TARGET.relative_to(ROOT)} runs the compiled rules.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
