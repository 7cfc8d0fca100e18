"""Static checks of a file as a whole: what it imports, calls and replaces when it is loaded."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from smashup.cards.authoring.places import SourceLocation, faction_error
from smashup.cards.authoring.sources import Function, Source, assigned_names

UNREPEATABLE: Final = frozenset(
    {"asyncio", "builtins", "datetime", "gc", "http", "importlib", "inspect", "logging", "numpy",
     "os", "pathlib", "random", "requests", "secrets", "shutil", "sys", "tempfile", "time",
     "urllib", "uuid"}
)  # fmt: skip
"""Modules whose results differ between runs, or that change more than the table."""
FORBIDDEN_MODULES: Final = frozenset(
    {"atexit", "ctypes", "faulthandler", "multiprocessing", "signal", "socket", "subprocess",
     "threading"}
)  # fmt: skip
"""Modules that can crash or block the program."""
FORBIDDEN_CALLS: Final = frozenset(
    {"__import__", "breakpoint", "eval", "exec", "exit", "globals", "input", "open", "print",
     "quit"}
)  # fmt: skip
CRASHES: Final = frozenset({"os.abort", "os.kill", "sys.setrecursionlimit"})


def check_imports(source: Source) -> None:
    """Raise a `FactionError` for code that would end or block the program when it is loaded."""
    for node in ast.walk(source.tree):
        if not isinstance(node, ast.Call):
            continue
        place = source.place_of_line(node.lineno)
        function = node.func
        if isinstance(function, ast.Name) and function.id == "input":
            raise faction_error(place, "input() waits for the keyboard: a faction must not use it.")
        name = ast.unparse(function)
        if name.rpartition(".")[2] == "_exit" or name in CRASHES:
            raise faction_error(place, "{call}() would end the program.", call=name)


def check_module(source: Source) -> None:
    """Raise a `FactionError` for a statement that has no place in a faction file."""
    check_duplicates(source)
    for node in ast.walk(source.tree):
        for module in _imported_modules(node):
            if module in FORBIDDEN_MODULES:
                raise faction_error(
                    source.place_of_line(node.lineno),  # type: ignore[attr-defined]
                    "A faction cannot use the module {module}.",
                    module=module,
                )
    own = {node.name for node in source.tree.body if isinstance(node, Function | ast.ClassDef)}
    for node in source.tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            own |= assigned_names(node)
    for node in _module_level(source.tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in FORBIDDEN_CALLS:
                raise faction_error(
                    source.place_of_line(node.lineno),
                    "A faction must not call {name}().",
                    name=node.func.id,
                )
            is_patch = node.func.id in ("setattr", "delattr") and node.args
            target = node.args[0] if is_patch else None
        elif isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            target = node.value
        else:
            continue
        while isinstance(target, ast.Attribute):
            target = target.value
        if isinstance(target, ast.Name) and target.id not in own:
            raise faction_error(
                source.place_of_line(node.lineno),
                "The file changes {name}, which belongs to the program and all other factions.",
                name=target.id,
            )


def check_duplicates(source: Source) -> None:
    """Raise a `FactionError` if a class or method replaces another one of its name."""
    _check_duplicates(source, source.tree.body, "")
    for statement in source.tree.body:
        if isinstance(statement, ast.ClassDef):
            _check_duplicates(source, statement.body, statement.name)


def _check_duplicates(source: Source, body: list[ast.stmt], owner: str) -> None:
    seen: dict[str, int] = {}
    for node in body:
        if not isinstance(node, Function | ast.ClassDef):
            continue
        if node.name in seen and not node.decorator_list:
            raise faction_error(
                SourceLocation(
                    source.label, node.lineno, owner or node.name, node.name if owner else ""
                ),
                "{name} replaces the {name} in line {line}: give it another name.",
                name=node.name,
                line=seen[node.name],
            )
        seen[node.name] = node.lineno


def _imported_modules(node: ast.AST) -> list[str]:
    """Return the names of top-level modules that a statement imports."""
    if isinstance(node, ast.Import):
        return [alias.name.partition(".")[0] for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return [(node.module or "").partition(".")[0]]
    return []


def _module_level(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that are executed when the file is loaded, without bodies of functions."""
    for child in ast.iter_child_nodes(node):
        yield child
        if not isinstance(child, Function | ast.Lambda):
            yield from _module_level(child)


class ModuleNames:
    """Names that the statements of a module define."""

    def __init__(self, tree: ast.Module) -> None:
        self.variables: set[str] = set()
        self.classes: set[str] = set()
        self.modules: dict[str, str] = {}
        """Names bound to unrepeatable modules or their functions, with the module."""
        for node in tree.body:
            if isinstance(node, ast.Assign | ast.AnnAssign):
                self.variables |= assigned_names(node)
            elif isinstance(node, ast.ClassDef):
                self.classes.add(node.name)
        for inner in ast.walk(tree):
            if isinstance(inner, ast.Import):
                for alias in inner.names:
                    root = alias.name.partition(".")[0]
                    if root in UNREPEATABLE:
                        self.modules[alias.asname or root] = root
            elif isinstance(inner, ast.ImportFrom):
                root = (inner.module or "").partition(".")[0]
                if root in UNREPEATABLE:
                    self.modules |= {a.asname or a.name: root for a in inner.names}
