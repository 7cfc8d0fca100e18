"""The mechanisms page: an index of the engine from its docstrings, and the users of each hook."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from smashup.cards import catalogue
from smashup.engine.model.catalogue import PRINTINGS
from smashup.engine.model.definitions import CardDefinition
from smashup.engine.model.hooks import METHODS

ROOT: Final = Path(__file__).resolve().parents[3]
ENGINE: Final = ROOT / "smashup" / "engine"
PACKAGES: Final = ("card_api", "rules", "events", "model", "replay", "views", "saves")
"""The packages of the engine; those that card authors need come first."""
INTRODUCTION: Final = """\
# Mechanisms: an index of the engine

Look here before you write something new. The first part lists every hook that a card definition
can override, with the cards that use it: read one of them as an example. The second part lists the
attributes that declare something special about a card, the third the modules of the engine with
what each function does and the verbs of cards, bases and players. [Writing cards](cards.md)
explains how to use them, [Architecture](architecture.md) how they fit together.
"""
HANDLE_PACKAGE: Final = "card_api"
"""The package of the handles, whose methods are what cards can do."""
MAX_CARDS_PER_ROW: Final = 12
"""Maximum number of cards that a row names."""


def mechanisms_page() -> str:
    """Render docs/mechanisms.md."""
    lines = [INTRODUCTION, "## Hooks", "", "| hook | what it does | cards |", "|---|---|---|"]
    lines += _hook_rows()
    lines += ["", "## Attributes", "", "| attribute | what it says |", "|---|---|"]
    lines += [f"| `{name}` | {_cell(text)} |" for name, text in ATTRIBUTES.items()]
    for package in PACKAGES:
        lines += ["", f"## `smashup/engine/{package}`"]
        for path in sorted((ENGINE / package).rglob("*.py")):
            lines += _module_section(path)
    return "\n".join(lines) + "\n"


def _hook_rows() -> Iterator[str]:
    kinds = [kind for printing in PRINTINGS for kind in catalogue().definitions(printing)]
    for number, name in enumerate(METHODS):
        users = sorted(
            {kind.name for kind in kinds if (kind.hooks | kind.aside_hooks) >> number & 1}
        )
        named = ", ".join(users[:MAX_CARDS_PER_ROW])
        if len(users) > MAX_CARDS_PER_ROW:
            named += f" and {len(users) - MAX_CARDS_PER_ROW} more"
        yield f"| `{name}` | {_cell(_describe_hook(name))} | {named or 'none of the sets'} |"


def _describe_hook(name: str) -> str:
    member = getattr(CardDefinition, name)
    if callable(member):
        return _first_paragraph(member.__doc__ or name.replace("_", " ").capitalize() + ".")
    return ATTRIBUTES.get(name, "")


def _attribute_docs() -> dict[str, str]:
    """Return the docstrings below the attributes of `CardDefinition`."""
    tree = ast.parse((ENGINE / "model/definitions.py").read_text(encoding="utf-8"))
    (definition,) = (
        node
        for node in tree.body
        if isinstance(node, ast.ClassDef) and node.name == "CardDefinition"
    )
    found = {}
    for field, below in zip(definition.body, definition.body[1:], strict=False):
        if (
            isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(below, ast.Expr)
            and isinstance(below.value, ast.Constant)
        ):
            found[field.target.id] = _first_paragraph(str(below.value.value))
    return found


def _module_section(path: Path) -> Iterator[str]:
    """A module: its docstring and its public functions and classes."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    members = [
        node
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_")
    ]
    if not members:
        return
    yield from ("", f"### `{path.relative_to(ENGINE).as_posix()}`", "")
    yield from (_first_paragraph(ast.get_docstring(tree) or ""), "")
    yield from ("| name | what it does |", "|---|---|")
    for node in members:
        described = _first_paragraph(ast.get_docstring(node) or "")
        yield f"| `{node.name}` | {_cell(described)} |"
        if path.parent.name == HANDLE_PACKAGE and isinstance(node, ast.ClassDef):
            yield from _verb_rows(node)


def _verb_rows(handle: ast.ClassDef) -> Iterator[str]:
    """The documented methods and properties of a handle."""
    for node in handle.body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            described = _first_paragraph(ast.get_docstring(node) or "")
            if described:
                yield f"| `{handle.name}.{node.name}` | {_cell(described)} |"


def _first_paragraph(text: str) -> str:
    return " ".join(text.strip().partition("\n\n")[0].split())


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


ATTRIBUTES: Final = _attribute_docs()
