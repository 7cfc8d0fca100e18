"""Known holes in what the project installs: `make audit`.

The lock files are held against the advisories of OSV (by pip-audit), those of the browser client's
tools against npm's. The exit code says what came out: 0 nothing known, 1 something is known, 2 the
advisories could not be read, so that nothing is known either way.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import shorten
from typing import Any

ROOT = Path(__file__).parents[1]
LOCKS = ("requirements.txt", "requirements-dev.txt", "requirements-node.txt")
FOUND, UNKNOWN = 1, 2
PATIENCE = 300
"""Seconds to wait for an answer."""


@dataclass
class Audit:
    """What one tool has found out."""

    what: str
    looked_at: int = 0
    holes: list[str] = field(default_factory=list)
    trouble: str = ""
    """Why the advisories could not be read, if so."""

    def sentence(self) -> str:
        if self.trouble:
            why = shorten(self.trouble, 140, placeholder=" ...").rstrip(".")
            return f"{self.what}: the advisories could not be read ({why})."
        if self.holes:
            return f"{self.what}: {len(self.holes)} known in {self.looked_at} packages."
        return f"{self.what}: nothing known in {self.looked_at} packages."


def ask(command: list[str], cwd: Path) -> tuple[Any, str]:
    """What a tool says as JSON, or why it says none."""
    try:
        run = subprocess.run(command, cwd=cwd, text=True, capture_output=True, timeout=PATIENCE)
    except (OSError, subprocess.TimeoutExpired) as error:
        return None, str(error)
    try:
        return json.loads(run.stdout), ""
    except ValueError:
        said = (run.stderr or run.stdout).strip().splitlines()
        return None, said[-1].strip() if said else f"exit code {run.returncode}"


def python_packages(osv_url: str | None = None, root: Path = ROOT) -> Audit:
    audit = Audit("Python packages")
    command = [sys.executable, "-m", "pip_audit", "--format", "json", "--progress-spinner", "off",
               "--vulnerability-service", "osv", "--disable-pip", "--require-hashes"]  # fmt: skip
    for lock in LOCKS:
        command += ["--requirement", lock]
    if osv_url:
        command += ["--osv-url", osv_url]
    said, audit.trouble = ask(command, root)
    if said is None:
        return audit
    for package in said["dependencies"]:
        if "skip_reason" in package:  # it would count as sound, and nobody has looked
            audit.trouble = package["skip_reason"]
            return audit
        audit.looked_at += 1
        for hole in package["vulns"]:
            fixed = ", ".join(hole["fix_versions"]) or "no version yet"
            where = f"{package['name']} {package['version']}"
            audit.holes.append(f"{where}: {hole['id']}, mended in {fixed}")
    return audit


def node_packages(registry: str | None = None, root: Path = ROOT) -> Audit:
    audit = Audit("Packages of the browser client")
    command = [str(root / "scripts/npm"), "audit", "--json"]
    if registry:
        command += ["--registry", registry]
    said, audit.trouble = ask(command, root)
    if said is None:
        return audit
    if "vulnerabilities" not in said:
        told = said.get("message") or said.get("error", {}).get("summary")
        audit.trouble = told or "npm names no reason"
        return audit
    audit.looked_at = said["metadata"]["dependencies"]["total"]
    for package, hole in said["vulnerabilities"].items():
        audit.holes.append(f"{package} {hole['range']}: {hole['severity']}")
    return audit


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m scripts.audit", description=__doc__)
    parser.add_argument("--osv-url", metavar="URL", help="another service that speaks as OSV does")
    parser.add_argument(
        "--npm-registry", metavar="URL", help="another registry that has advisories"
    )
    options = parser.parse_args(argv)
    audits = [python_packages(options.osv_url), node_packages(options.npm_registry)]
    for audit in audits:
        print(audit.sentence())
        for hole in audit.holes:
            print(f"  {hole}")
    if any(audit.holes for audit in audits):
        return FOUND
    return UNKNOWN if any(audit.trouble for audit in audits) else 0


if __name__ == "__main__":
    sys.exit(main())
