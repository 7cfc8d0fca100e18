"""Paths of project files on the site."""

from __future__ import annotations

from pathlib import PurePosixPath

REFERENCE = {
    "engine": (
        "Engine",
        (
            "game",
            "model/setup",
            "model/decisions",
            "model/catalogue",
            "model/editions",
            "card_api/card",
            "card_api/base",
            "card_api/player",
            "views/view",
            "views/types",
            "saves/files",
        ),
    ),
    "cards": ("Cards", ("language", "plugins", "conformance")),
    "scenarios": ("Scenarios", ("document", "runner", "errors")),
    "bots": (
        "Bots",
        (
            "levels",
            "bot",
            "information_set",
            "win_probability",
            "duel",
            "statistics",
            "results_file",
        ),
    ),
    "lab": ("Laboratory", ("study", "matrix", "tournament", "study_store", "findings", "ratings")),
    "rl": (
        "Learning",
        ("gym_env", "environment", "vector", "openspiel", "fields", "settings", "rewards"),
    ),
    "server": ("Server", ("live/protocol", "http/app", "operations/settings")),
}
"""The public modules, by package: those that have a page in the API reference."""

ROOT_PAGES = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "NOTICE.md": "notice.md",
    "SECURITY.md": "security.md",
    "LICENSE": "license.md",
    "client/art/CREDITS.md": "credits.md",
}
"""Pages outside docs/, where code hosts expect them."""


def module_page(package: str, module: str) -> str:
    return f"reference/{package}/{module}.md"


def modules() -> dict[str, str]:
    """The page of each public module, by the module's file."""
    return {
        f"smashup/{package}/{module}.py": module_page(package, module)
        for package, (_, names) in REFERENCE.items()
        for module in names
    }


def page_path(path: str) -> str:
    """Return the path on the site of a file or folder: its page, its image, or its source."""
    if path in ROOT_PAGES:
        return ROOT_PAGES[path]
    if path in (known := modules()):
        return known[path]
    inside = PurePosixPath(path)
    if inside.is_relative_to("docs") and inside.suffix:
        return str(inside.relative_to("docs"))
    return f"source/{path}.md"
