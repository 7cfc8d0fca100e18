"""Pages that show a file of the project, or what a folder holds.

The site links to the sources it speaks of. They are shown on the site itself, so that a link never
depends on where the project is hosted; the search leaves them out.
"""

from __future__ import annotations

import ast
from pathlib import Path

UNSEARCHED = "---\nsearch:\n  exclude: true\n---\n\n"
LANGUAGES = {
    "": "sh", ".cff": "yaml", ".css": "css", ".json": "json", ".py": "python", ".sh": "sh",
    ".svelte": "html", ".toml": "toml", ".ts": "ts", ".yaml": "yaml", ".yml": "yaml",
}  # fmt: skip


def source_page(path: str, root: Path) -> str:
    """One file, coloured."""
    text = (root / path).read_text(encoding="utf-8")
    language = LANGUAGES.get(Path(path).suffix, "text")
    return f"{UNSEARCHED}# `{path}`\n\n````{language}\n{text.rstrip()}\n````\n"


def license_page(root: Path) -> str:
    text = (root / "LICENSE").read_text(encoding="utf-8")
    return (
        f"# License\n\nThe code of this project is under the MIT license:\n\n```text\n{text}```\n"
    )


def folder_page(path: str, files: list[str], root: Path) -> str:
    """What a folder holds, each file with the first sentence it says of itself. The links are
    those of a page that lies beside the folder."""
    lines = [f"{UNSEARCHED}# `{path}/`", ""]
    for file in files:
        said = summary(root / file)
        name = Path(file).name
        lines.append(f"- [`{name}`]({Path(path).name}/{name})" + (f": {said}" if said else ""))
    return "\n".join(lines) + "\n"


def summary(file: Path) -> str:
    """The first paragraph of a module's docstring."""
    if file.suffix != ".py":
        return ""
    said = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return " ".join(said.partition("\n\n")[0].split())


def files_in(path: str, root: Path) -> list[str]:
    """The files of a folder, without what tools have left there."""
    return sorted(
        f"{path}/{file.name}"
        for file in (root / path).iterdir()
        if file.is_file() and not file.name.startswith(".") and file.suffix != ".so"
    )
