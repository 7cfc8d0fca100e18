"""Static checks of the code of abilities: unknown verbs, kept state, randomness.

An ability runs again whenever a game is continued, copied or replayed. So it must depend on the
table alone and change it only through the verbs of the card API.
"""

from __future__ import annotations

import ast
from typing import Final

from smashup.cards.authoring import handle_types
from smashup.cards.authoring.handle_types import ACTING, ASKING, HANDLES, MAY_ACT
from smashup.cards.authoring.module_code import FORBIDDEN_CALLS, ModuleNames
from smashup.cards.authoring.places import FactionError, SourceLocation, faction_error, suggest
from smashup.cards.authoring.sources import Function, Source
from smashup.engine.model.definitions import CardDefinition

MUTATORS: Final = frozenset(
    {"add", "append", "appendleft", "clear", "discard", "extend", "insert", "pop", "popitem",
     "remove", "reverse", "setdefault", "sort", "update"}
)  # fmt: skip
UNREPEATABLE_CALLS: Final = frozenset({"hash", "id"})
"""Functions whose results differ between runs of the program."""
UNORDERED: Final = "set"
"""The type of expressions whose elements come in a different order in every run."""
ORDERING_CALLS: Final = frozenset({"enumerate", "iter", "list", "map", "filter", "tuple", "zip"})
"""Functions whose result depends on the order of their arguments' elements."""
FORBIDDEN_ERRORS: Final = frozenset({"BaseException", "GeneratorExit", "KeyboardInterrupt"})
"""Exceptions that do not extend `Exception`, so that nothing reports them as errors of a card."""
MAY_SET_SELF: Final = ("__init__", "apply_current_printing")


def check_code(source: Source, cards: dict[str, str]) -> None:
    """Raise a `FactionError` for the first mistake in the functions and classes of a file.

    ``cards`` maps the classes of cards to their names.
    """
    module = ModuleNames(source.tree)
    for statement in source.tree.body:
        if isinstance(statement, Function):
            _FunctionCheck(source, module, "", statement, []).run()
        elif isinstance(statement, ast.ClassDef):
            card = cards.get(statement.name, statement.name)
            for member in statement.body:
                if isinstance(member, Function):
                    _FunctionCheck(source, module, card, member, []).run()


class _FunctionCheck:
    """Checks one function, and those inside it."""

    def __init__(
        self,
        source: Source,
        module: ModuleNames,
        card: str,
        node: Function,
        outer: list[set[str]],
        ability: str = "",
    ) -> None:
        self.source = source
        self.module = module
        self.card = card
        self.node = node
        self.ability = ability or node.name
        self.outer = outer
        """The local names of the functions around this one."""
        self.local = {
            n.id for n in _walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
        }
        arguments = node.args
        parameters = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        self.parameters = {p.arg for p in parameters}
        self.types: dict[str, str] = {}
        """The types of variables, as far as they are known."""
        known = handle_types.parameter_types(node.name) if card and not outer else []
        for position, parameter in enumerate(parameters[1:] if card and not outer else parameters):
            annotated = handle_types.plain_type(
                ast.unparse(parameter.annotation) if parameter.annotation else ""
            )
            inherited = known[position] if position < len(known) else ""
            self.types[parameter.arg] = annotated or inherited
        self.mutable_defaults = {
            p.arg
            for p, default in zip(
                reversed(arguments.args), reversed(arguments.defaults), strict=False
            )
            if isinstance(default, ast.List | ast.Dict | ast.Set | ast.Call)
        }

    def run(self) -> None:
        for node in _walk(self.node):
            self._learn(node)
            if isinstance(node, ast.Attribute):
                self._check_attribute(node)
            elif isinstance(node, ast.Name):
                self._check_name(node)
            elif isinstance(node, ast.Call):
                self._check_call(node)
            elif isinstance(node, ast.For):
                self._check_order(node.iter)
            elif isinstance(node, ast.ListComp | ast.DictComp):
                for generator in node.generators:
                    self._check_order(generator.iter)
            elif isinstance(node, ast.Raise) and node.exc is not None:
                self._check_raise(node.exc)
            elif isinstance(node, ast.Try):
                self._check_handlers(node)
            elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
                self._check_mutation(node.value, node)
            elif isinstance(node, ast.Global | ast.Nonlocal):
                raise self._keeps_state(node, node.names[0])
            elif isinstance(node, Function) and node is not self.node:
                inner = _FunctionCheck(
                    self.source,
                    self.module,
                    self.card,
                    node,
                    [*self.outer, self.local | self.parameters],
                    self.ability,
                )
                inner.types = {**self.types, **inner.types}
                inner.run()

    # --- types ------------------------------------------------------------------------------

    def _learn(self, node: ast.AST) -> None:
        """Record the types of variables."""
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target = node.targets[0]
            if isinstance(target, ast.Name):
                self.types[target.id] = self._type_of(node.value)
        elif isinstance(node, ast.For | ast.comprehension) and isinstance(node.target, ast.Name):
            listed = self._type_of(node.iter)
            self.types[node.target.id] = listed.removeprefix("list[").removesuffix("]") * (
                listed.startswith("list[")
            )
        elif isinstance(node, ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.DictComp):
            for generator in node.generators:
                self._learn(generator)
        elif isinstance(node, ast.NamedExpr):
            self.types[node.target.id] = self._type_of(node.value)

    def _type_of(self, node: ast.expr) -> str:
        if isinstance(node, ast.Set | ast.SetComp):
            return UNORDERED
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return UNORDERED if node.func.id in ("set", "frozenset") else ""
        if isinstance(node, ast.BinOp):
            sides = {self._type_of(node.left), self._type_of(node.right)}
            return UNORDERED if UNORDERED in sides else ""
        if isinstance(node, ast.Name):
            return self.types.get(node.id, "")
        if isinstance(node, ast.Attribute):
            owner = self._type_of(node.value)
            return handle_types.member_type(owner, node.attr) if owner in HANDLES else ""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            return self._type_of(node.func)
        if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice):
            listed = self._type_of(node.value)
            return listed[5:-1] if listed.startswith("list[") else ""
        return ""

    # --- checks -----------------------------------------------------------------------------

    def _error(self, node: ast.AST, text: str, **args: object) -> FactionError:
        line = int(getattr(node, "lineno", self.node.lineno))
        return faction_error(
            SourceLocation(self.source.label, line, self.card, self.ability), text, **args
        )

    def _keeps_state(self, node: ast.AST, name: str) -> FactionError:
        return self._error(
            node,
            "The ability keeps state in {name} from one run to the next, which breaks undo and"
            " replay: keep it on the table, for example with counters or me.tokens.",
            name=name,
        )

    def _check_attribute(self, node: ast.Attribute) -> None:
        value = node.value
        owner = self._type_of(value)
        name = node.attr
        if owner in HANDLES:
            self._check_member(node, owner, name)
        if isinstance(node.ctx, ast.Load):
            return
        if owner in HANDLES:
            if not handle_types.can_set(owner, name):
                raise self._error(
                    node,
                    "{name} of a {owner} cannot be set: change the table with verbs.",
                    name=name,
                    owner=owner,
                )
        elif self._is_self(value):
            if self.node.name not in MAY_SET_SELF:
                raise self._keeps_state(node, ast.unparse(node))
        elif self._is_class(value):
            raise self._keeps_state(node, ast.unparse(node))

    def _check_member(self, node: ast.Attribute, owner: str, name: str) -> None:
        if name in handle_types.members(owner):
            is_query = self.card and self.ability not in MAY_ACT
            is_hook = hasattr(CardDefinition, self.ability)
            if is_query and is_hook and owner != "Event" and self.ability not in MAY_SET_SELF:
                if name in ASKING:
                    raise self._error(
                        node,
                        "{name} asks a question, which only abilities that act may do.",
                        name=name,
                    )
                if name in ACTING:
                    raise self._error(
                        node,
                        "{name} changes the table, which only abilities that act may do.",
                        name=name,
                    )
            return
        new = handle_types.OLD_MEMBERS.get(owner, {}).get(name)
        if name == "table" or name.startswith("_"):
            raise self._error(
                node,
                "{name} of a {owner} belongs to the engine: use verbs.",
                name=name,
                owner=owner,
            )
        if new is not None:
            raise self._error(
                node, "{old} of a {owner} is {new} now.", old=name, owner=owner, new=new
            )
        raise self._error(
            node,
            "A {owner} has no {name}.{hint}",
            owner=owner,
            name=name,
            hint=suggest(name, handle_types.members(owner)),
        )

    def _check_name(self, node: ast.Name) -> None:
        module = self.module.modules.get(node.id)
        if module is None or node.id in self.local | self.parameters:
            return
        if module in ("random", "secrets", "numpy"):
            raise self._error(
                node,
                "The module {module} gives different numbers in a replay: use"
                " me.controller.pick_random().",
                module=module,
            )
        raise self._error(
            node,
            "An ability must depend on the table alone, so it cannot use the module {module}.",
            module=module,
        )

    def _check_call(self, node: ast.Call) -> None:
        function = node.func
        if isinstance(function, ast.Name):
            if function.id in FORBIDDEN_CALLS and function.id not in self.local | self.parameters:
                raise self._error(node, "An ability must not call {name}().", name=function.id)
            if function.id == "setattr" and node.args and self._is_self(node.args[0]):
                raise self._keeps_state(node, "self")
            if function.id == "next" and node.args:
                self._check_mutation(node.args[0], node)
            if function.id in ("getattr", "setattr") and node.args:
                self._check_indirect_access(node)
            if function.id in UNREPEATABLE_CALLS and function.id not in self.local:
                raise self._error(
                    node, "{name}() gives different numbers in a replay.", name=function.id
                )
            if function.id in ORDERING_CALLS:
                for argument in node.args:
                    self._check_order(argument)
        elif isinstance(function, ast.Attribute) and function.attr in MUTATORS:
            self._check_mutation(function.value, node)

    def _check_order(self, iterated: ast.expr) -> None:
        """Check that an ability does not depend on the order of a set."""
        if self._type_of(iterated) == UNORDERED:
            raise self._error(
                iterated,
                "The order of a set differs between runs, which breaks undo and replay: use a list"
                " or sorted(...).",
            )

    def _check_handlers(self, node: ast.Try) -> None:
        """Check that an ability does not catch what the engine raises to wait for an answer."""
        for handler in node.handlers:
            caught = ast.unparse(handler.type) if handler.type is not None else ""
            if caught in ("", "Exception", "BaseException"):
                raise self._error(
                    handler,
                    "The ability catches every exception, also those with which the engine waits"
                    " for an answer: name the exception that you expect.",
                )
        for statement in node.finalbody:
            for inner in ast.walk(statement):
                if isinstance(inner, ast.Return | ast.Break | ast.Continue):
                    raise self._error(inner, "An ability must not leave a finally block early.")

    def _check_indirect_access(self, node: ast.Call) -> None:
        """Check ``getattr(me, "name")`` like ``me.name``."""
        owner = self._type_of(node.args[0])
        if owner in HANDLES and len(node.args) > 1 and isinstance(node.args[1], ast.Constant):
            name = str(node.args[1].value)
            context = ast.Load() if ast.unparse(node.func) == "getattr" else ast.Store()
            self._check_attribute(
                ast.copy_location(ast.Attribute(node.args[0], name, context), node)
            )

    def _check_raise(self, error: ast.expr) -> None:
        raised = error.func if isinstance(error, ast.Call) else error
        if isinstance(raised, ast.Name) and raised.id in FORBIDDEN_ERRORS:
            raise self._error(error, "An ability must not raise {name}.", name=raised.id)

    def _check_mutation(self, value: ast.expr, node: ast.AST) -> None:
        """Check that a changed container was created in this run of the function."""
        if isinstance(value, ast.Name):
            name = value.id
            if name in self.mutable_defaults:
                raise self._keeps_state(node, name)
            if name in self.local | self.parameters:
                return
            if name in self.module.variables or any(name in names for names in self.outer[:1]):
                is_nested_helper = self.outer and name in self.outer[-1] and self.card
                if not is_nested_helper:
                    raise self._keeps_state(node, name)
        elif isinstance(value, ast.Attribute):
            owner = self._type_of(value.value)
            if self._type_of(value) in HANDLES:
                return  # a verb of the card API
            if owner in HANDLES:
                raise self._error(
                    node,
                    "{name} of a {owner} cannot be changed: change the table with verbs.",
                    name=value.attr,
                    owner=owner,
                )
            if self._is_class(value.value) or (
                self._is_self(value.value) and self.node.name not in MAY_SET_SELF
            ):
                raise self._keeps_state(node, ast.unparse(value))

    def _is_self(self, node: ast.expr) -> bool:
        return bool(self.card) and isinstance(node, ast.Name) and node.id == "self"

    def _is_class(self, node: ast.expr) -> bool:
        """Whether an expression is a class of the file, ``type(self)`` or ``self.__class__``."""
        if isinstance(node, ast.Name):
            return node.id in self.module.classes
        return ast.unparse(node) in ("type(self)", "self.__class__")


def _walk(function: Function) -> list[ast.AST]:
    """Return the nodes of a function in source order, with nested functions as one node."""
    found: list[ast.AST] = []

    def visit(node: ast.AST) -> None:
        found.append(node)
        if isinstance(node, Function):
            return
        children = list(ast.iter_child_nodes(node))
        if isinstance(node, ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.DictComp):
            children.sort(key=lambda child: not isinstance(child, ast.comprehension))
        for child in children:
            visit(child)

    for statement in function.body:
        visit(statement)
    return found
