"""Pages that show a file of the project or list a folder.

Links to sources lead to these pages, so they work wherever the project is hosted. The search
ignores them.
"""

from __future__ import annotations

import ast
from pathlib import Path

NOT_SEARCHED = "---\nsearch:\n  exclude: true\n---\n\n"
LANGUAGES = {
    "": "sh", ".cff": "yaml", ".css": "css", ".json": "json", ".py": "python", ".sh": "sh",
    ".svelte": "html", ".toml": "toml", ".ts": "ts", ".yaml": "yaml", ".yml": "yaml",
}  # fmt: skip


def source_page(path: str, root: Path) -> str:
    """Show one file with highlighting."""
    text = (root / path).read_text(encoding="utf-8")
    language = LANGUAGES.get(Path(path).suffix, "text")
    return f"{NOT_SEARCHED}# `{path}`\n\n````{language}\n{text.rstrip()}\n````\n"


def license_page(root: Path) -> str:
    text = (root / "LICENSE").read_text(encoding="utf-8")
    return (
        f"# License\n\nThe code of this project is under the MIT license:\n\n```text\n{text}```\n"
    )


def folder_page(path: str, files: list[str], root: Path) -> str:
    """List the files of a folder with their summaries; links start at its parent."""
    lines = [f"{NOT_SEARCHED}# `{path}/`", ""]
    for file in files:
        about = summary(root / file)
        name = Path(file).name
        lines.append(f"- [`{name}`]({Path(path).name}/{name})" + (f": {about}" if about else ""))
    return "\n".join(lines) + "\n"


def summary(file: Path) -> str:
    """Return the first paragraph of a module's docstring."""
    if file.suffix != ".py":
        return ""
    docstring = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return " ".join(docstring.partition("\n\n")[0].split())


def files_in(path: str, root: Path) -> list[str]:
    """Return the files of a folder without generated ones."""
    return sorted(
        f"{path}/{file.name}"
        for file in (root / path).iterdir()
        if file.is_file() and not file.name.startswith(".") and file.suffix != ".so"
    )
