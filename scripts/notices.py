"""Licenses of the work of others: NOTICE.md, and THIRD-PARTY.md of wheels and the site.

`make docs` updates the list of packages in NOTICE.md. THIRD-PARTY.md has the full texts for what is
shipped inside a wheel or on the site; it is generated when these are built.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

ROOT = Path(__file__).parents[1]
BEGIN = "<!-- Written by `make docs`; edit scripts/notices.py instead. -->"
END = "<!-- Up to here. -->"

SPDX_NAMES = {
    "MIT License": "MIT",
    "BSD License": "BSD",
    "Apache Software License": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0",
    "Apache 2.0": "Apache-2.0",
    "Apache License, Version 2.0": "Apache-2.0",
    "GNU Lesser General Public License v3 (LGPLv3)": "LGPL-3.0-only",
    "Python Software Foundation License": "PSF-2.0",
}
"""What older packages call their license, by the short names of SPDX."""

USER_EXTRAS = ("postgresql", "lab", "ray", "rl", "openspiel")
"""Optional parts that people install; those for development are no concern of theirs."""

SHIPPED = {
    "svelte": ("Svelte", "in the built browser client", "svelte/LICENSE.md"),
    "esm-env": ("esm-env", "in the built browser client", "esm-env/LICENSE"),
    "clsx": ("clsx", "in the built browser client", "clsx/license"),
    "@fontsource/lilita-one": (
        "Lilita One",
        "in the built browser client, and on the documentation site",
        "@fontsource/lilita-one/LICENSE",
    ),
    "@fontsource-variable/nunito-sans": (
        "Nunito Sans",
        "in the built browser client, and on the documentation site",
        "@fontsource-variable/nunito-sans/LICENSE",
    ),
}
"""What the browser client is bundled with: name, where it is, and its license in node_modules."""


def locked_packages(root: Path = ROOT) -> list[str]:
    """What everybody installs: the packages of the lock file."""
    text = (root / "requirements.txt").read_text(encoding="utf-8")
    return re.findall(r"^([\w.-]+)(?:\[[^]]*\])?==", text, re.MULTILINE)


def optional_packages(root: Path = ROOT) -> dict[str, list[str]]:
    """What each extra asks for itself, beyond what everybody has."""
    with (root / "pyproject.toml").open("rb") as file:
        extras = tomllib.load(file)["project"]["optional-dependencies"]
    everybody = set(locked_packages(root))
    found = {}
    for extra in USER_EXTRAS:
        names = [name(line) for line in extras[extra]]
        found[extra] = [n for n in names if n != "smashup" and n not in everybody]
    return found


def name(requirement: str) -> str:
    found = re.match(r"[\w.-]+", requirement)
    assert found is not None
    return found[0].lower().replace("_", "-")


def license_of(package: str, known: dict[str, str]) -> str:
    """The license a package names; where it is not installed here (it is for another system), what
    the page said so far."""
    try:
        said = metadata(package)
    except PackageNotFoundError:
        if package in known:
            return known[package]
        raise SystemExit(f"{package} is not installed here: what is its license?") from None
    named = [*(said.get_all("License-Expression") or []), *(said.get_all("License") or [])]
    words = next((words for words in named if words), "")
    if not words or "\n" in words or len(words) > 60:
        classes = [line for line in said.get_all("Classifier") or [] if line.startswith("License")]
        words = classes[0].rpartition(" :: ")[2] if classes else "see the package"
    return SPDX_NAMES.get(words, words)


def license_rows(packages: list[str], known: dict[str, str]) -> list[str]:
    return [
        f"| [{package}](https://pypi.org/project/{package}/) | {license_of(package, known)} |"
        for package in packages
    ]


def render_notice(page: str, root: Path = ROOT) -> str:
    """NOTICE.md with its written part anew."""
    above, mark, rest = page.partition(BEGIN)
    _, closed, below = rest.partition(END)
    if not mark or not closed:
        raise SystemExit("NOTICE.md has lost the marks between which packages are named.")
    known = dict(re.findall(r"^\| \[([\w.-]+)\]\(\S+\) \| (.+) \|$", rest, re.MULTILINE))
    lines = [
        BEGIN,
        "",
        "| everybody has | license |",
        "|---|---|",
        *license_rows(locked_packages(root), known),
    ]
    for extra, packages in optional_packages(root).items():
        if packages:
            lines += ["", f"| `smashup[{extra}]` adds | license |", "|---|---|"]
            lines += license_rows(packages, known)
    return above + "\n".join(lines) + f"\n\n{END}" + below


def render_third_party(root: Path = ROOT) -> str:
    """The full texts for what lies inside the wheel and the site."""
    lines = [
        "# Third-party licenses",
        "",
        "License texts of the work of others that is shipped with this project."
        " [NOTICE.md](NOTICE.md) lists it; [the credits](client/art/CREDITS.md) name the authors"
        " of the art.",
    ]
    for title, where, file in SHIPPED.values():
        lines += ["", f"## {title}", "", f"Used {where}.", ""]
        lines += _quote((root / "client/node_modules" / file).read_text(encoding="utf-8"))
    shim = (root / "docs/look/iframe-worker.js").read_text(encoding="utf-8").partition("*/")[0]
    lines += ["", "## iframe-worker", "", "Used on the documentation site.", ""]
    lines += _quote(re.sub(r"^ \*? ?", "", shim.removeprefix("/*!"), flags=re.MULTILINE))
    return "\n".join(lines) + "\n"


def _quote(text: str) -> list[str]:
    body = (line.rstrip() for line in text.replace("\r", "").strip().splitlines())
    return ["```text", *body, "```"]


def main(argv: Sequence[str] | None = None, root: Path = ROOT) -> int:
    parser = argparse.ArgumentParser(prog="python -m scripts.notices", description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; only say")
    options = parser.parse_args(argv)
    page = root / "NOTICE.md"
    wanted = {page: render_notice(page.read_text(encoding="utf-8"), root)}
    stale = [f for f, text in wanted.items() if not f.exists() or f.read_text("utf-8") != text]
    for file in stale:
        if options.check:
            print(f"{file.name} is out of date: run `make docs`.", file=sys.stderr)
        else:
            file.write_text(wanted[file], encoding="utf-8")
            print(f"Updated {file.name}.")
    return 1 if stale and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
