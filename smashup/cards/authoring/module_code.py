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
     "urllib", "uuid", "warnings"}
)  # fmt: skip
"""Modules whose results differ between runs, or that change more than the table."""
RANDOM: Final = frozenset({"numpy", "random", "secrets"})
FORBIDDEN_MODULES: Final = frozenset(
    {"_thread", "atexit", "concurrent", "ctypes", "faulthandler", "locale", "multiprocessing",
     "pty", "resource", "signal", "socket", "subprocess", "threading"}
)  # fmt: skip
"""Modules that can crash or block the program."""
FORBIDDEN_CALLS: Final = frozenset(
    {"__import__", "breakpoint", "eval", "exec", "exit", "globals", "input", "locals", "open",
     "print", "quit", "vars"}
)  # fmt: skip
FORBIDDEN_ERRORS: Final = frozenset({"BaseException", "GeneratorExit", "KeyboardInterrupt"})
"""Exceptions that do not extend `Exception`, so that nothing reports them as errors of a card."""
READ_ONLY_NAMES: Final = frozenset({"sys.platform", "sys.version_info"})
"""What a file may read when it is loaded, to support several versions of Python."""
MUTABLE: Final = (
    ast.Call | ast.Dict | ast.DictComp | ast.List | ast.ListComp | ast.Set | ast.SetComp
)
"""Expressions that create an object that can be changed."""
CACHES: Final = frozenset({"cache", "cached_property", "lru_cache"})
CHANGES_PROGRAM: Final = (
    "The file changes {name}, which belongs to the program and all other factions."
)
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
    _check_decorators(source)
    _check_module_use(source)
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
        elif isinstance(node, ast.Call) and is_setter(node.func) and node.args:
            target = node.args[0]
        elif isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            target = node.value
        else:
            continue
        name = root_name(target)
        if name and name not in own:
            raise faction_error(source.place_of_line(node.lineno), CHANGES_PROGRAM, name=name)


def is_setter(function: ast.expr) -> bool:
    """Whether an expression is a method such as ``object.__setattr__``."""
    return isinstance(function, ast.Attribute) and function.attr in ("__delattr__", "__setattr__")


def root_name(node: ast.expr | None) -> str:
    """Return ``a`` for ``a.b.c``; "" for anything but names and attributes."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _check_decorators(source: Source) -> None:
    """Check that no function remembers its results."""
    for node in ast.walk(source.tree):
        if not isinstance(node, Function):
            continue
        for decorator in node.decorator_list:
            function = decorator.func if isinstance(decorator, ast.Call) else decorator
            name = ast.unparse(function).rpartition(".")[2]
            if name in CACHES:
                raise faction_error(
                    source.place_of_line(decorator.lineno),
                    "{name} keeps results from one table to the next, which breaks undo and"
                    " replay: remove the decorator.",
                    name=name,
                )


def _check_module_use(source: Source) -> None:
    """Check that loading the file uses no module that changes the program or gives other results
    in another run."""
    modules = ModuleNames(source.tree).modules
    allowed: set[ast.expr] = set()
    for node in _module_level(source.tree):
        if isinstance(node, ast.Attribute) and ast.unparse(node) in READ_ONLY_NAMES:
            allowed |= {node, node.value}
            continue
        if isinstance(node, ast.Raise) and root_name(raised_class(node)) in FORBIDDEN_ERRORS:
            raise faction_error(
                source.place_of_line(node.lineno),
                "A faction must not raise {name}.",
                name=root_name(raised_class(node)),
            )
        if not isinstance(node, ast.Name | ast.Attribute) or node in allowed:
            continue
        module = modules.get(root_name(node))
        if module is not None:
            raise faction_error(
                source.place_of_line(node.lineno),
                "A faction cannot use the module {module} ({name}).",
                module=module,
                name=ast.unparse(node),
            )


def raised_class(node: ast.Raise) -> ast.expr | None:
    """Return the class of the exception that a statement raises."""
    return node.exc.func if isinstance(node.exc, ast.Call) else node.exc


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
        self.functions: set[str] = set()
        self.containers: set[str] = set()
        """Variables of the module and of its classes whose values an ability could change."""
        self.modules: dict[str, str] = {}
        """Names bound to unrepeatable modules or their functions, with the module."""
        for node in tree.body:
            if isinstance(node, ast.Assign | ast.AnnAssign):
                self.variables |= assigned_names(node)
            elif isinstance(node, ast.ClassDef):
                self.classes.add(node.name)
            elif isinstance(node, Function):
                self.functions.add(node.name)
        bodies = [tree.body, *(node.body for node in tree.body if isinstance(node, ast.ClassDef))]
        for statement in (statement for body in bodies for statement in body):
            if isinstance(statement, ast.Assign | ast.AnnAssign) and isinstance(
                statement.value, MUTABLE
            ):
                self.containers |= assigned_names(statement)
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
