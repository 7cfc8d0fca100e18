"""Citation, third-party notices and the dependency audit."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft7Validator

import smashup
from scripts import audit, notices
from tests.docs.code_blocks import ROOT

# --- citation -------------------------------------------------------------------------------


def citation() -> dict[str, Any]:
    known: dict[str, Any] = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    return known


def complaints(data: dict[str, Any]) -> list[str]:
    """By the schema of the Citation File Format 1.2.0 (by its authors, CC BY 4.0)."""
    schema = json.loads((ROOT / "tests/docs/citation_file_format.json").read_text("utf-8"))
    # Dates are read as such by YAML; the schema wants their text.
    return [
        error.message
        for error in Draft7Validator(schema).iter_errors(json.loads(json.dumps(data, default=str)))
    ]


def test_the_citation_is_valid() -> None:
    assert not complaints(citation())
    assert complaints(citation() | {"license": "mine"})
    assert complaints({key: value for key, value in citation().items() if key != "authors"})


def test_the_citation_is_of_this_version() -> None:
    assert citation()["version"] == smashup.__version__
    assert citation()["authors"][0]["name"] in (ROOT / "LICENSE").read_text(encoding="utf-8")


# --- notices --------------------------------------------------------------------------------


def test_every_locked_package_is_named() -> None:
    page = (ROOT / "NOTICE.md").read_text(encoding="utf-8")
    missing = [package for package in notices.locked_packages() if f"| [{package}](" not in page]
    assert not missing, f"NOTICE.md does not name {missing}: run «make docs»"
    for packages in notices.optional_packages().values():
        assert all(f"| [{package}](" in page for package in packages), packages


def test_the_notices_are_fresh(capsys: pytest.CaptureFixture[str]) -> None:
    assert notices.main(["--check"]) == 0, capsys.readouterr().err


def test_stale_notices_are_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("NOTICE.md", "requirements.txt", "pyproject.toml", "docs", "client"):
        (tmp_path / name).symlink_to(ROOT / name)
    page = (ROOT / "NOTICE.md").read_text(encoding="utf-8")
    (tmp_path / "NOTICE.md").unlink()
    (tmp_path / "NOTICE.md").write_text(page.replace("| [rich]", "| [poor]"), encoding="utf-8")
    assert notices.main(["--check"], root=tmp_path) == 1
    assert "make docs" in capsys.readouterr().err
    assert notices.main([], root=tmp_path) == 0
    assert (tmp_path / "NOTICE.md").read_text(encoding="utf-8") == page


def test_what_the_client_is_bundled_with_is_named() -> None:
    """Every package that the client's sources or Svelte itself import."""
    sources = [*(ROOT / "client/src").rglob("*.ts"), *(ROOT / "client/src").rglob("*.svelte")]
    text = "\n".join(
        file.read_text(encoding="utf-8") for file in sources if ".test." not in file.name
    )
    imported = re.findall(r"""(?:from|import) ["']((?:@[\w-]+/)?[a-z][\w.-]*)""", text)
    built = set(imported) - {"vitest", "virtual"}
    assert built <= set(notices.SHIPPED), built - set(notices.SHIPPED)


# --- audit ----------------------------------------------------------------------------------


@contextmanager
def advisories(vulnerabilities: dict[str, str]) -> Iterator[str]:
    """A service that answers like OSV and npm, with these vulnerabilities by package."""

    class Service(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_error(404)  # npm asks for more about a package; it works without

        def do_POST(self) -> None:
            asked = self.rfile.read(int(self.headers["Content-Length"]))
            if self.path.endswith("/query"):
                name = json.loads(asked)["package"]["name"]
                answer: Any = (
                    {"vulns": [osv(name, vulnerabilities[name])]} if name in vulnerabilities else {}
                )
            else:
                answer = {
                    name: [npm(name, vulnerability)]
                    for name, vulnerability in vulnerabilities.items()
                }
            body = json.dumps(answer).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Service)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def osv(name: str, vulnerability: str) -> dict[str, Any]:
    events = [{"introduced": "0"}, {"fixed": "9999"}]
    spread = {"package": {"name": name, "ecosystem": "PyPI"},
              "ranges": [{"type": "ECOSYSTEM", "events": events}]}  # fmt: skip
    return {"id": vulnerability, "modified": "2026-01-01T00:00:00Z", "affected": [spread]}


def npm(name: str, vulnerability: str) -> dict[str, Any]:
    return {
        "id": 1, "url": f"https://example.org/{vulnerability}", "title": vulnerability,
        "severity": "high", "vulnerable_versions": "*", "cwe": [], "cvss": {"score": 0},
        "name": name,
    }  # fmt: skip


def test_a_clean_audit(capsys: pytest.CaptureFixture[str]) -> None:
    with advisories({}) as address:
        assert audit.main(["--osv-url", f"{address}/query", "--npm-registry", address]) == 0
    answer = capsys.readouterr().out
    assert re.search(r"Python packages: nothing known in \d\d+ packages\.", answer)
    assert re.search(r"browser client: nothing known in \d\d+ packages\.", answer)


def test_vulnerabilities_are_reported(capsys: pytest.CaptureFixture[str]) -> None:
    with advisories({"rich": "PYSEC-2026-1", "svelte": "GHSA-1"}) as address:
        wanted = ["--osv-url", f"{address}/query", "--npm-registry", address]
        assert audit.main(wanted) == audit.FOUND
    answer = capsys.readouterr().out
    assert re.search(r"rich [\d.]+: PYSEC-2026-1, fixed in 9999", answer)
    assert re.search(r"svelte .*: high", answer)


def test_an_unreachable_service_is_not_a_clean_audit(capsys: pytest.CaptureFixture[str]) -> None:
    nobody = "http://127.0.0.1:9"
    assert audit.main(["--osv-url", nobody, "--npm-registry", nobody]) == audit.UNKNOWN
    assert capsys.readouterr().out.count("the advisories could not be read") == 2
