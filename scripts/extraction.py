"""What can be translated in the sources, found by following strings to where they are shown.

A few functions show what they are given (`SHOWN_PARAMETERS`): `tr`, `Wording`, `ask` and the
like. A string given to one of them is found, through conditions, lists and variables too. A
function that hands one of its own parameters on to them shows it as well, so `me.target("Move
which minion?", ...)` is found without anybody keeping a list of all the ways to ask. Functions
are known by their bare names, so a parameter is followed only if its annotation allows a text
(`TEXT_TYPES`): a namesake that takes a game or a table shows nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

SHOWN_PARAMETERS: Final = {
    "Message": ("text",),
    "Name": ("sort", "id_", "text"),
    "tr": ("text",),
    "translate": ("text",),
    "gettext_noop": ("text",),
    "Wording": ("text", "caused", "one"),
    "ask": ("table", "player", "purpose", "prompt", "kind", "options"),
    "Level": ("name", "description", "make"),
}
"""Functions that show their arguments, and these arguments in order (see `HIDDEN_PARAMETERS`)."""
HIDDEN_PARAMETERS: Final = {
    ("Name", "sort"), ("Name", "id_"), ("ask", "table"), ("ask", "player"), ("ask", "purpose"),
    ("ask", "kind"),
    ("Level", "name"),
    ("Level", "make"),
}  # fmt: skip
ERRORS: Final = "SmashUpError"
CONTAINERS: Final = {"list", "tuple"}
TEXT_TYPES: Final = {"str", "Message", "Any", "object"}

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(eq=False)
class Params:
    """The parameters of a function that are shown: by position and by name."""

    order: list[str] = field(default_factory=list)
    rest: str = ""
    texts: set[str] = field(default_factory=set)
    """Those that can be a text, by their annotations."""
    shown: set[str] = field(default_factory=set)

    def arguments(self, call: ast.Call) -> Iterator[ast.expr]:
        """What a call hands to the parameters that are shown."""
        for position, value in enumerate(call.args):
            name = self.order[position] if position < len(self.order) else self.rest
            if name in self.shown:
                yield value
        for keyword in call.keywords:
            if keyword.arg in self.shown:
                yield keyword.value


@dataclass
class Scope:
    """A function, or a module outside its functions."""

    file: str
    module: ast.Module
    node: ast.Module | Function
    params: Params
    calls: list[ast.Call]


class Sources:
    """All modules of a folder, read together."""

    def __init__(
        self,
        root: Path,
        folder: str,
        shown: Mapping[str, tuple[str, ...]] = SHOWN_PARAMETERS,
        errors: bool = True,
    ) -> None:
        self.modules = {
            str(path.relative_to(root)): ast.parse(path.read_text(encoding="utf-8"))
            for path in sorted((root / folder).rglob("*.py"))
        }
        self.scopes = [s for file, module in self.modules.items() for s in _scopes(file, module)]
        self.shown: dict[str, list[Params]] = {
            name: [
                Params(list(order), shown={p for p in order if (name, p) not in HIDDEN_PARAMETERS})
            ]
            for name, order in shown.items()
        }
        for name in self._errors() if errors else ():
            self.shown[name] = [Params(["text"], shown={"text"})]
        while self._follow():
            pass

    def strings(self) -> Iterator[tuple[str, str]]:
        """Each string that is shown, with its file; in the order of the files."""
        for scope in self.scopes:
            for call in scope.calls:
                for value in self._shown_by(call):
                    for text in _texts(value, [scope.node, scope.module]):
                        yield text, scope.file

    def _errors(self) -> set[str]:
        """The names of all errors that are sentences."""
        found = {ERRORS}
        size = 0
        while size != len(found):
            size = len(found)
            for module in self.modules.values():
                for node in ast.walk(module):
                    if isinstance(node, ast.ClassDef) and found & {_name(b) for b in node.bases}:
                        found.add(node.name)
        return found

    def _shown_by(self, call: ast.Call) -> Iterator[ast.expr]:
        for params in self.shown.get(_name(call.func), ()):
            yield from params.arguments(call)

    def _follow(self) -> bool:
        """Functions that hand a parameter on to be shown; whether there were new ones."""
        news = False
        for scope in self.scopes:
            if isinstance(scope.node, ast.Module) or scope.node.name in SHOWN_PARAMETERS:
                continue
            params = scope.params
            handed = {
                name
                for call in scope.calls
                for value in self._shown_by(call)
                for name in _names(value)
                if name in params.texts
            }
            if not handed <= params.shown:
                known = self.shown.setdefault(scope.node.name, [])
                if params not in known:
                    known.append(params)
                params.shown |= handed
                news = True
        return news


def _name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _scopes(file: str, module: ast.Module) -> Iterator[Scope]:
    yield Scope(file, module, module, Params(), list(_calls(module)))
    methods = {
        method
        for node in ast.walk(module)
        if isinstance(node, ast.ClassDef)
        for method in node.body
    }
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield Scope(file, module, node, _params(node, node in methods), list(_calls(node)))


def _own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    """Everything in a scope but the functions inside it."""
    for child in ast.iter_child_nodes(scope):
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield child
            yield from _own_nodes(child)


def _calls(scope: ast.AST) -> Iterator[ast.Call]:
    for node in _own_nodes(scope):
        if isinstance(node, ast.Call):
            yield node


def _params(function: Function, is_method: bool) -> Params:
    """A function's parameters, without the `self` of a method."""
    args = [*function.args.posonlyargs, *function.args.args]
    if is_method and not any(_name(d) == "staticmethod" for d in function.decorator_list):
        args = args[1:]
    vararg = function.args.vararg
    rest = [vararg] if vararg is not None else []
    return Params(
        [a.arg for a in args],
        vararg.arg if vararg is not None else "",
        {a.arg for a in [*args, *rest] if _can_be_text(a.annotation)},
    )


def _can_be_text(annotation: ast.expr | None) -> bool:
    """Whether a value of this type can be a text or hold one; unknown types can."""
    if annotation is None:
        return True
    return any(_name(n) in TEXT_TYPES for n in ast.walk(annotation) if isinstance(n, ast.expr))


def _value_leaves(value: ast.expr) -> Iterator[ast.expr]:
    """The constants and variables an expression may come down to."""
    if isinstance(value, ast.IfExp):
        yield from _value_leaves(value.body)
        yield from _value_leaves(value.orelse)
    elif isinstance(value, ast.List | ast.Tuple):
        for item in value.elts:
            yield from _value_leaves(item)
    elif isinstance(value, ast.Dict):
        for item in value.values:
            yield from _value_leaves(item)
    elif isinstance(value, ast.Starred | ast.Subscript):
        yield from _value_leaves(value.value)
    elif isinstance(value, ast.Call) and _name(value.func) in CONTAINERS and value.args:
        yield from _value_leaves(value.args[0])
    else:
        yield value


def _names(value: ast.expr) -> Iterator[str]:
    """Parameters an expression hands on; an item picked out of one is something else."""
    for leaf in _value_leaves(value):
        if isinstance(leaf, ast.Name) and not isinstance(value, ast.Subscript):
            yield leaf.id


def _texts(value: ast.expr, scopes: list[ast.AST], depth: int = 3) -> Iterator[str]:
    """The strings an expression may be, variables looked up where they are assigned."""
    for leaf in _value_leaves(value):
        if isinstance(leaf, ast.Constant) and isinstance(leaf.value, str) and leaf.value:
            yield leaf.value
        elif isinstance(leaf, ast.Name) and depth:
            for scope in scopes:
                found = list(_assigned_values(leaf.id, scope))
                for assigned in found:
                    yield from _texts(assigned, scopes, depth - 1)
                if found:
                    break


def _assigned_values(name: str, scope: ast.AST) -> Iterator[ast.expr]:
    for node in _own_nodes(scope):
        if isinstance(node, ast.Assign):
            targets: list[ast.expr] = node.targets
        elif isinstance(node, ast.AnnAssign):
            targets = [node.target]
        else:
            continue
        if node.value is not None and any(_name(t) == name for t in targets):
            yield node.value
