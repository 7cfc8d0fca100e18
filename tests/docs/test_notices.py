"""Citation and third-party notices."""

from __future__ import annotations

import json
import re
from typing import Any

import yaml
from jsonschema import Draft7Validator

import smashup
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
