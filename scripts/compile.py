"""``make compile``: compile engine and cards with mypyc into build/compiled.

The interpreted engine stays the reference; ``PYTHONPATH=build/compiled`` runs the compiled one.
``--test`` runs the rules tests on it, ``--wheel`` builds a wheel for this platform, and ``--check``
only checks whether mypyc accepts the sources, which is quick.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from scripts.wheel import copy_metadata

ROOT: Final = Path(__file__).resolve().parent.parent
TARGET: Final = ROOT / "build" / "compiled"
STAMP: Final = TARGET / "sources.sha256"
TESTED: Final = ("engine", "cards", "rulings", "scenarios", "bots")
"""Test folders that use the rules."""
INTERPRETED_FILES: Final = {"__init__.py", "plugins.py", "conformance.py"}
INTERPRETED_FOLDER: Final = ROOT / "smashup/cards/authoring"
"""Modules that read frames and annotations, which compiled code does not have."""
INTERPRETED_MODULES: Final = {
    "smashup/engine/events/base.py",
    "smashup/engine/events/course.py",
    "smashup/engine/events/movement.py",
    "smashup/engine/events/piles.py",
    "smashup/engine/events/values.py",
    "smashup/engine/rules/ignored_bases.py",
    "smashup/engine/views/types.py",
}
"""Dataclasses with class variables, of which mypyc makes fields, and typed dictionaries, which
pydantic cannot read once they are compiled."""
COMPILED_BOT_MODULES: Final = (
    "evaluation", "greedy", "information_set", "mcts", "network/features", "network/model",
    "network/vocabulary", "rollout_policies", "tree",
)  # fmt: skip
SETUP: Final = """
from mypyc.build import mypycify
from setuptools import setup

setup(ext_modules=mypycify({paths!r}, opt_level="3"))
"""


def modules() -> list[str]:
    """Return the modules to compile: rules, cards and the bots' search."""
    found = [*(ROOT / "smashup/engine").rglob("*.py"), *(ROOT / "smashup/cards").rglob("*.py")]
    paths = [
        str(p.relative_to(ROOT))
        for p in found
        if p.name not in INTERPRETED_FILES and INTERPRETED_FOLDER not in p.parents
    ]
    return sorted(
        [path for path in paths if path not in INTERPRETED_MODULES]
        + [f"smashup/bots/{name}.py" for name in COMPILED_BOT_MODULES]
    )


def fingerprint() -> str:
    """Return a hash of all sources, including modules that stay interpreted."""
    found = hashlib.sha256()
    for path in sorted((ROOT / "smashup").rglob("*.py")):
        found.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    return found.hexdigest()


def is_built() -> bool:
    """Return whether build/compiled is up to date."""
    return STAMP.is_file() and STAMP.read_text(encoding="utf-8") == fingerprint()


def check() -> int:
    """Translate to C without compiling it."""
    program = (
        "import sys, tempfile; from mypyc.build import mypycify;"
        "mypycify(sys.argv[1:], target_dir=tempfile.mkdtemp())"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *modules()],
        cwd=ROOT, check=False, capture_output=True, text=True,
    )  # fmt: skip
    if done.returncode:
        print(done.stdout[-6000:], done.stderr[-6000:], sep="\n", file=sys.stderr)
    else:
        print(f"mypyc takes all {len(modules())} modules.")
    return done.returncode


def build() -> int:
    """Compile, unless the build is up to date."""
    if is_built():
        print("The compiled rules are up to date.")
        return 0
    if TARGET.exists():
        shutil.rmtree(TARGET)
    stamp = fingerprint()
    shutil.copytree(
        ROOT / "smashup", TARGET / "smashup", ignore=shutil.ignore_patterns("__pycache__", "*.so")
    )
    (TARGET / "setup.py").write_text(SETUP.format(paths=modules()), encoding="utf-8")
    print(f"Compiling {len(modules())} modules with mypyc: this takes some minutes ...", flush=True)
    failed = _run("setup.py", "-q", "build_ext", "--inplace")
    if failed:
        return failed
    for path in modules():
        (TARGET / path).unlink()
    STAMP.write_text(stamp, encoding="utf-8")
    print(f"Done: PYTHONPATH={TARGET.relative_to(ROOT)} runs the compiled rules.")
    return 0


def test(arguments: Sequence[str]) -> int:
    """Run the rules tests on the compiled engine."""
    folders = [str(ROOT / "tests" / name) for name in TESTED]
    command = [
        sys.executable, "-m", "pytest", "--import-mode=append", "-p", "no:cacheprovider",
        "-p", "tests.compiled_plugin", f"--rootdir={ROOT}", "-c", str(ROOT / "pyproject.toml"),
        *(arguments or ["-n", "2"]), *folders,
    ]  # fmt: skip
    # Run there, with that folder first on the path, so that no module comes from the sources.
    path = os.pathsep.join((str(TARGET), str(ROOT)))
    return subprocess.run(
        command, cwd=TARGET, check=False, env={**os.environ, "PYTHONPATH": path}
    ).returncode


def wheel() -> int:
    """Build a wheel of the compiled engine with its sources in dist/."""
    copy_metadata(TARGET)
    for path in modules():
        shutil.copy(ROOT / path, TARGET / path)
    try:
        # The compiled modules are packed as they are.
        return _run(
            "-m", "pip", "wheel", "--no-deps", "--no-build-isolation",
            "--disable-pip-version-check", "--wheel-dir", str(ROOT / "dist"), ".",
        )  # fmt: skip
    finally:
        for path in modules():
            (TARGET / path).unlink()


def _run(*words: str) -> int:
    done = subprocess.run(
        [sys.executable, *words], cwd=TARGET, check=False, capture_output=True, text=True
    )
    if done.returncode:
        print(done.stdout[-6000:], done.stderr[-6000:], sep="\n", file=sys.stderr)
    return done.returncode


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--check", action="store_true", help="only check whether mypyc accepts the sources"
    )
    parser.add_argument(
        "--test", action="store_true", help="run the rules tests on the compiled engine"
    )
    parser.add_argument("--wheel", action="store_true", help="build a wheel in dist/")
    parser.add_argument("rest", nargs="*", help="passed on to pytest")
    options = parser.parse_args(arguments)
    if options.check:
        return check()
    return (
        build() or (test(options.rest) if options.test else 0) or (wheel() if options.wheel else 0)
    )


if __name__ == "__main__":
    sys.exit(main())
