"""Citation and third-party notices."""

from __future__ import annotations

import re
from typing import Any

import yaml

import smashup
from tests.docs.code_blocks import ROOT

# --- citation -------------------------------------------------------------------------------


def citation() -> dict[str, Any]:
    known: dict[str, Any] = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    return known


def test_the_citation_has_the_fields_of_its_format() -> None:
    """Those of the Citation File Format 1.2.0."""
    cited = citation()
    required = {"cff-version", "message", "title", "authors"}
    optional = {"type", "abstract", "version", "license", "keywords"}
    assert required <= cited.keys() <= required | optional
    assert (cited["cff-version"], cited["type"], cited["license"]) == ("1.2.0", "software", "MIT")
    assert all(isinstance(author["name"], str) for author in cited["authors"])
    assert len(set(cited["keywords"])) == len(cited["keywords"])


def test_the_citation_is_of_this_version() -> None:
    assert citation()["version"] == smashup.__version__
    assert citation()["authors"][0]["name"] in (ROOT / "LICENSE").read_text(encoding="utf-8")


# --- notices --------------------------------------------------------------------------------


def test_licenses_of_everything_in_the_client_are_included() -> None:
    """Every package that the sources of the client import."""
    sources = [*(ROOT / "client/src").rglob("*.ts"), *(ROOT / "client/src").rglob("*.svelte")]
    text = "\n".join(
        file.read_text(encoding="utf-8") for file in sources if ".test." not in file.name
    )
    imported = re.findall(r"""(?:from|import) ["']((?:@[\w-]+/)?[a-z][\w.-]*)""", text)
    included = (ROOT / "smashup/server/client/licenses.md").read_text(encoding="utf-8")
    packages = set(imported) - {"vitest", "virtual"}
    assert {"svelte", "@fontsource/lilita-one"} <= packages
    assert all(f"## {package} - " in included for package in packages)


def test_the_fonts_of_the_site_have_their_license() -> None:
    fonts = ROOT / "docs/look/letters"
    names = {re.sub("(-italic)?$", "", font.stem) for font in fonts.glob("*.woff2")}
    text = (fonts / "OFL.txt").read_text(encoding="utf-8")
    assert all(name.replace("-", " ").title() + ": Copyright" in text for name in names)
    assert "SIL OPEN FONT LICENSE" in text
