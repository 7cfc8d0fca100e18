"""Extract translatable texts from the sources with Babel.

Babel's own method for Python finds literals in calls. The method here also finds them in
conditions, lists and variables, in arguments given by name, in errors, and in prompts: whatever is
passed to a parameter called ``prompt`` is shown to a player.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from babel.messages.extract import extract_from_file

Arguments = dict[str, int]
"""Translatable arguments of a function with their positions from 0; `REST` for ``*args``."""
Function = ast.FunctionDef | ast.AsyncFunctionDef

REST: Final = -1
PROMPT: Final = "prompt"
ERROR: Final = "SmashUpError"
KEYWORDS: Final[dict[str, Arguments]] = {
    "Level": {"description": 1},
    "Message": {"text": 0},
    "Name": {"text": 2},
    "Wording": {"text": 0, "caused": 1, "one": 2},
    "_error": {"text": 1},
    "_error_at": {"text": 2},
    "_failure": {"text": 0},
    "_format_heading": {"word": 0},
    "_requirement": {"text": 0},
    "add_detail": {"text": 0},
    "author_code": {"too_slow": 2},
    "ask": {"prompt": 3, "options": 5},
    "choose_mode": {"modes": REST},
    "faction_error": {"text": 1},
    "gettext_noop": {"text": 0},
    "make_trait": {"text": 1},
    "note": {"text": 0},
    "tr": {"text": 0},
    "tr_plural": {"one": 1, "other": 2},
    "translate": {"text": 0},
}
"""Functions that show texts, beside errors and functions with a prompt."""


def extract_texts(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield each translatable text of a folder and its file, relative to the folder's parent."""
    keywords = _find_keywords(folder)

    def extract(file: Any, *_: Any, **__: Any) -> Iterator[Any]:
        for line, text in _find_texts(ast.parse(file.read()), keywords):
            yield line, None, text, []

    for path in sorted(folder.rglob("*.py")):
        for _, text, _, _ in extract_from_file(extract, path):
            yield str(text), str(path.relative_to(folder.parent))


def _find_keywords(folder: Path) -> dict[str, list[Arguments]]:
    """Complete `KEYWORDS` with the errors and the functions with a prompt in a folder."""
    found = {name: [arguments] for name, arguments in KEYWORDS.items()}
    bases: dict[str, set[str]] = {}
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.ClassDef):
                bases[node.name] = {_name(base) for base in node.bases}
            elif isinstance(node, Function):
                names = [a.arg for a in node.args.posonlyargs + node.args.args if a.arg != "self"]
                if PROMPT in names and node.name not in KEYWORDS:
                    found.setdefault(node.name, []).append({PROMPT: names.index(PROMPT)})
    errors = {ERROR}
    while more := {name for name in bases if name not in errors and bases[name] & errors}:
        errors |= more
    return found | {name: [{"text": 0}] for name in errors}


def _find_texts(
    module: ast.Module, keywords: dict[str, list[Arguments]]
) -> Iterator[tuple[int, str]]:
    functions = [node for node in ast.walk(module) if isinstance(node, Function)]
    for scope in (module, *functions):
        for call in _own_nodes(scope):
            if isinstance(call, ast.Call):
                for arguments in keywords.get(_name(call.func), ()):
                    for value in _select_arguments(call, arguments):
                        for text in _literals(value, (scope, module)):
                            yield call.lineno, text


def _select_arguments(call: ast.Call, arguments: Arguments) -> Iterator[ast.expr]:
    for position, value in enumerate(call.args):
        if position in arguments.values() or REST in arguments.values():
            yield value
    for keyword in call.keywords:
        if keyword.arg in arguments:
            yield keyword.value


def _literals(value: ast.expr, scopes: tuple[ast.AST, ...]) -> Iterator[str]:
    """Yield the strings that an expression may be; variables are looked up in the scopes."""
    parts: list[ast.expr] = []
    match value:
        case ast.Constant(value=str(text)) if text:
            yield text
        case ast.IfExp():
            parts = [value.body, value.orelse]
        case ast.List() | ast.Tuple():
            parts = value.elts
        case ast.Dict():
            parts = value.values
        case ast.Starred() | ast.Subscript():
            parts = [value.value]
        case ast.Name():
            found = (list(_assigned_values(value.id, scope)) for scope in scopes)
            parts = next((values for values in found if values), [])
    for part in parts:
        yield from _literals(part, scopes)


def _assigned_values(name: str, scope: ast.AST) -> Iterator[ast.expr]:
    for node in _own_nodes(scope):
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(_name(target) == name for target in targets):
                yield node.value


def _own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    """Yield everything in a scope except the functions inside it."""
    for child in ast.iter_child_nodes(scope):
        if not isinstance(child, Function):
            yield child
            yield from _own_nodes(child)


def _name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
