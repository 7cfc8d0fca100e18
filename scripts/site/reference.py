"""The API reference: a page for each public module, generated from its docstrings."""

from __future__ import annotations

from pathlib import Path

from scripts.site.page_paths import REFERENCE, module_page, modules
from scripts.site.sources import summary


def module_pages(root: Path) -> dict[str, str]:
    """The pages by their page_path; the site generator fills them in."""
    pages = {}
    for file, at in modules().items():
        if (root / file).exists():
            name = file.removesuffix(".py").replace("/", ".")
            pages[at] = f"# `{name}`\n\n::: {name}\n"
    return pages


def reference_index(root: Path) -> str:
    lines = [
        "# API reference",
        "",
        "Generated from docstrings. These modules are the public API; the others are internal"
        " ([Architecture](../architecture.md)).",
    ]
    for package, (title, names) in REFERENCE.items():
        lines += ["", f"## {title}", "", "| module | what it is |", "|---|---|"]
        for name in names:
            file = root / f"smashup/{package}/{name}.py"
            if file.exists():
                link = module_page(package, name).removeprefix("reference/")
                said = summary(file).replace("|", "\\|")
                lines.append(f"| [`smashup.{package}.{name.replace('/', '.')}`]({link}) | {said} |")
    return "\n".join(lines) + "\n"
