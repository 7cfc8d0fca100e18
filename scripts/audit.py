"""Known vulnerabilities in what the project installs: `make audit`.

pip-audit compares the lock files with the advisories of OSV, npm those of the browser client. Exit
codes: 0 no known vulnerability, 1 at least one, 2 the advisories could not be read.
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
TIMEOUT_SECONDS = 300
"""Seconds to wait for an answer."""


@dataclass
class Audit:
    """The findings of one tool."""

    what: str
    checked: int = 0
    vulnerabilities: list[str] = field(default_factory=list)
    error: str = ""
    """Why the advisories could not be read, if so."""

    def sentence(self) -> str:
        if self.error:
            why = shorten(self.error, 140, placeholder=" ...").rstrip(".")
            return f"{self.what}: the advisories could not be read ({why})."
        if self.vulnerabilities:
            return f"{self.what}: {len(self.vulnerabilities)} known in {self.checked} packages."
        return f"{self.what}: nothing known in {self.checked} packages."


def run_json(command: list[str], cwd: Path) -> tuple[Any, str]:
    """Run a tool that prints JSON; return its output, or why there is none."""
    try:
        run = subprocess.run(
            command, cwd=cwd, text=True, capture_output=True, timeout=TIMEOUT_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return None, str(error)
    try:
        return json.loads(run.stdout), ""
    except ValueError:
        report = (run.stderr or run.stdout).strip().splitlines()
        return None, report[-1].strip() if report else f"exit code {run.returncode}"


def python_packages(osv_url: str | None = None, root: Path = ROOT) -> Audit:
    audit = Audit("Python packages")
    command = [sys.executable, "-m", "pip_audit", "--format", "json", "--progress-spinner", "off",
               "--vulnerability-service", "osv", "--disable-pip", "--require-hashes"]  # fmt: skip
    for lock in LOCKS:
        command += ["--requirement", lock]
    if osv_url:
        command += ["--osv-url", osv_url]
    report, audit.error = run_json(command, root)
    if report is None:
        return audit
    for package in report["dependencies"]:
        if "skip_reason" in package:  # it was not checked
            audit.error = package["skip_reason"]
            return audit
        audit.checked += 1
        for vulnerability in package["vulns"]:
            fixed = ", ".join(vulnerability["fix_versions"]) or "no version yet"
            where = f"{package['name']} {package['version']}"
            audit.vulnerabilities.append(f"{where}: {vulnerability['id']}, fixed in {fixed}")
    return audit


def node_packages(registry: str | None = None, root: Path = ROOT) -> Audit:
    audit = Audit("Packages of the browser client")
    command = [str(root / "scripts/npm"), "audit", "--json"]
    if registry:
        command += ["--registry", registry]
    report, audit.error = run_json(command, root)
    if report is None:
        return audit
    if "vulnerabilities" not in report:
        told = report.get("message") or report.get("error", {}).get("summary")
        audit.error = told or "npm names no reason"
        return audit
    audit.checked = report["metadata"]["dependencies"]["total"]
    for package, vulnerability in report["vulnerabilities"].items():
        audit.vulnerabilities.append(
            f"{package} {vulnerability['range']}: {vulnerability['severity']}"
        )
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
        for vulnerability in audit.vulnerabilities:
            print(f"  {vulnerability}")
    if any(audit.vulnerabilities for audit in audits):
        return FOUND
    return UNKNOWN if any(audit.error for audit in audits) else 0


if __name__ == "__main__":
    sys.exit(main())
