"""Static checks of the code of abilities: unknown verbs, kept state, randomness.

An ability runs again whenever a game is continued, copied or replayed. So it must depend on the
table alone and change it only through the verbs of the card API.
"""

from __future__ import annotations

import ast
from typing import Final

from smashup.cards.authoring import handle_types
from smashup.cards.authoring.handle_types import ACTING, ASKING, HANDLES, MAY_ACT
from smashup.cards.authoring.module_code import (
    CHANGES_PROGRAM,
    FORBIDDEN_CALLS,
    FORBIDDEN_ERRORS,
    RANDOM,
    ModuleNames,
    is_setter,
    raised_class,
    root_name,
)
from smashup.cards.authoring.places import FactionError, SourceLocation, faction_error, suggest
from smashup.cards.authoring.sources import Function, Source
from smashup.engine.model.definitions import CardDefinition

MUTATORS: Final = frozenset(
    {"__delitem__", "__setitem__", "add", "append", "appendleft", "clear", "difference_update",
     "discard", "extend", "extendleft", "insert", "intersection_update", "move_to_end", "pop",
     "popitem", "popleft", "remove", "reverse", "rotate", "send", "setdefault", "sort",
     "subtract", "symmetric_difference_update", "update"}
)  # fmt: skip
UNREPEATABLE_CALLS: Final = frozenset({"hash", "id"})
"""Functions whose results differ between runs of the program."""
UNORDERED: Final = "set"
"""The type of expressions whose elements come in a different order in every run."""
ORDERING_CALLS: Final = frozenset({"enumerate", "iter", "list", "map", "filter", "tuple", "zip"})
"""Functions whose result depends on the order of their arguments' elements."""
HARMLESS_CALLS: Final = frozenset(
    {"abs", "all", "any", "bool", "dict", "enumerate", "int", "len", "list", "max", "min", "range",
     "reversed", "set", "sorted", "str", "sum", "tuple", "zip"}
)  # fmt: skip
EFFECTS: Final = MAY_ACT - {
    "instead_of_discard", "instead_of_leaving", "prevents", "redirects",
    "transfers_when_host_leaves",
}  # fmt: skip
"""Abilities that only act: what they return does not matter."""
HAPPEN_TO_CARDS: Final = ("delayed_effect", "on_granted_play")
"""Abilities of a base that receive another card."""
DEFINITION: Final = "CardDefinition"
"""The type of what a card's class declares, which abilities may only read."""
MAY_SET_SELF: Final = ("__init__", "apply_current_printing")


def check_code(source: Source) -> None:
    """Raise a `FactionError` for the first mistake in the functions and classes of a file."""
    module = ModuleNames(source.tree)
    for statement in source.tree.body:
        if isinstance(statement, Function):
            _FunctionCheck(source, module, "", statement, []).run()
        elif isinstance(statement, ast.ClassDef):
            card = source.card_names.get(statement.name, statement.name)
            is_base = any(ast.unparse(parent) == "BaseCard" for parent in statement.bases)
            for member in statement.body:
                if isinstance(member, Function):
                    _FunctionCheck(source, module, card, member, []).run()
                    if is_base and member.name not in HAPPEN_TO_CARDS:
                        _check_base(source, card, member)
    for card, function in _lambdas(source):
        _FunctionCheck(source, module, card, function, []).run()


def _check_base(source: Source, card: str, ability: Function) -> None:
    """Check that an ability of a base does not select cards of its controller."""
    for node in ast.walk(ability):
        if isinstance(node, ast.Name) and node.id in ("OTHERS", "YOURS"):
            raise faction_error(
                SourceLocation(source.label, node.lineno, card, ability.name),
                "No player controls a base, so {name} selects no cards: name the player, as in"
                " me.base.minions(of=ev.player).",
                name=node.id,
            )


def _lambdas(source: Source) -> list[tuple[str, ast.FunctionDef]]:
    """Return the lambdas that variables of the file or of a class name, as functions of cards."""
    bodies = [("", source.tree.body)]
    bodies += [
        (source.card_names.get(node.name, node.name), node.body)
        for node in source.tree.body
        if isinstance(node, ast.ClassDef)
    ]
    found = []
    for card, statement in ((card, statement) for card, body in bodies for statement in body):
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Lambda):
            body = ast.copy_location(ast.Return(statement.value.body), statement.value.body)
            function = ast.FunctionDef(
                name=ast.unparse(statement.targets[0]),
                args=statement.value.args,
                body=[body],
                decorator_list=[],
            )
            found.append((card, ast.copy_location(function, statement)))
    return found


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
        self.shared: dict[str, str] = {}
        """Variables that name an object of the module or of a class, and that object."""
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
            elif isinstance(node, ast.Expr):
                self._check_statement(node.value)
            elif isinstance(node, ast.For):
                self._check_order(node.iter)
                self._check_value(node.iter)
            elif isinstance(node, ast.ListComp | ast.DictComp):
                for generator in node.generators:
                    self._check_order(generator.iter)
            elif isinstance(node, ast.comprehension):
                self._check_value(node.iter)
            elif isinstance(node, ast.Compare):
                self._check_comparison(node)
            elif isinstance(node, ast.If | ast.IfExp | ast.While):
                self._check_value(node.test)
            elif isinstance(node, ast.BoolOp):
                for value in node.values:
                    self._check_value(value)
            elif isinstance(node, ast.UnaryOp):
                self._check_value(node.operand)
            elif isinstance(node, ast.Raise):
                self._check_raise(node)
            elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
                self._check_mutation(node.target, node)
            elif isinstance(node, ast.Try):
                self._check_handlers(node)
            elif isinstance(node, ast.Subscript):
                self._check_value(node.value)
                if not isinstance(node.ctx, ast.Load):
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
        if self.card and not self.outer and self.ability in EFFECTS:
            self._check_effect()

    # --- types ------------------------------------------------------------------------------

    def _learn(self, node: ast.AST) -> None:
        """Record the types of variables."""
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target = node.targets[0]
            if isinstance(target, ast.Name):
                self.types[target.id] = self._type_of(node.value)
                shared = self._shared_object(node.value)
                self.shared.pop(target.id, None)
                if shared:
                    self.shared[target.id] = shared
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
                    "{owner}.{name} cannot be set: change the table with verbs.",
                    name=name,
                    owner=owner,
                )
        elif owner == DEFINITION:
            raise self._error(
                node,
                "{name} of a card's definition cannot be set: change the table with verbs.",
                name=name,
            )
        elif self._is_self(value):
            if self.node.name not in MAY_SET_SELF:
                raise self._keeps_state(node, ast.unparse(node))
        elif self._is_class(value):
            raise self._keeps_state(node, ast.unparse(node))
        else:
            self._check_owner(node, value)

    def _check_owner(self, node: ast.expr, value: ast.expr) -> None:
        """Check that an object whose attribute is set belongs to this run of the function."""
        name = root_name(value)
        if name in self.shared:
            raise self._keeps_state(node, self.shared[name])
        if not name or self._is_local(name):
            return
        if name in self.module.variables | self.module.functions:
            raise self._keeps_state(node, ast.unparse(node))
        raise self._error(node, CHANGES_PROGRAM, name=name)

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
                "{owner}.{name} belongs to the engine: use verbs.",
                name=name,
                owner=owner,
            )
        if new is not None:
            raise self._error(
                node, "{old} of a {owner} is {new} now.", old=name, owner=owner, new=new
            )
        raise self._error(
            node,
            "{owner}.{name} does not exist.{hint}",
            owner=owner,
            name=name,
            hint=suggest(name, handle_types.members(owner)),
        )

    def _check_name(self, node: ast.Name) -> None:
        module = self.module.modules.get(node.id)
        if module is None or node.id in self.local | self.parameters:
            return
        if module in RANDOM:
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
        if isinstance(function, ast.Attribute):
            owner = self._type_of(function.value)
            is_member = owner in HANDLES and function.attr in handle_types.members(owner)
            if is_member and not handle_types.is_method(owner, function.attr):
                raise self._error(
                    node,
                    "{owner}.{name} is not a method: write {name} without parentheses.",
                    owner=owner,
                    name=function.attr,
                )
        if isinstance(function, ast.Name):
            if function.id in FORBIDDEN_CALLS and function.id not in self.local | self.parameters:
                raise self._error(node, "An ability must not call {name}().", name=function.id)
            if function.id in ("delattr", "setattr") and node.args:
                self._check_setter(node)
            if function.id == "next" and node.args:
                self._check_mutation(node.args[0], node)
            if function.id in ("getattr", "setattr") and node.args:
                self._check_indirect_access(node)
            if function.id in UNREPEATABLE_CALLS and function.id not in self.local:
                raise self._error(
                    node, "{name}() gives different numbers in a replay.", name=function.id
                )
            for argument in node.args:
                if function.id in ORDERING_CALLS:
                    self._check_order(argument)
                if function.id in HARMLESS_CALLS:
                    self._check_value(argument)
        elif is_setter(function) and node.args:
            self._check_setter(node)
        elif isinstance(function, ast.Attribute) and function.attr in MUTATORS:
            self._check_mutation(function.value, node)

    def _check_statement(self, value: ast.expr) -> None:
        """Check that a verb is called and not only named."""
        if not isinstance(value, ast.Attribute):
            return
        owner = self._type_of(value.value)
        if owner in HANDLES and value.attr in handle_types.members(owner):
            raise self._error(
                value,
                "{name} does nothing here: a verb needs parentheses, like {name}(...).",
                name=value.attr,
            )

    def _check_value(self, value: ast.expr) -> None:
        """Check that a value is not a method that lacks its parentheses."""
        if not isinstance(value, ast.Attribute):
            return
        owner = self._type_of(value.value)
        if owner in HANDLES and handle_types.is_method(owner, value.attr):
            raise self._error(
                value,
                "{owner}.{name} is a method: write {name}().",
                owner=owner,
                name=value.attr,
            )

    def _check_comparison(self, node: ast.Compare) -> None:
        """Check that cards, bases and players are not compared with numbers or names."""
        sides = [node.left, *node.comparators]
        for side in sides:
            self._check_value(side)
        for operator, left, right in zip(node.ops, sides, sides[1:], strict=False):
            if not isinstance(operator, ast.Eq | ast.NotEq):
                continue
            for handle, other in ((left, right), (right, left)):
                owner = self._type_of(handle)
                is_constant = isinstance(other, ast.Constant) and other.value is not None
                if owner in HANDLES and is_constant:
                    raise self._error(
                        node,
                        "{owner} objects are never equal to {value}: compare them with “is”, or"
                        " compare their names.",
                        owner=owner,
                        value=ast.unparse(other),
                    )

    def _check_effect(self) -> None:
        """Check that an ability that acts can have an effect.

        Only code that consists of questions and queries of the card API certainly has none.
        """
        if self.node.decorator_list:
            return
        for node in ast.walk(self.node):
            if isinstance(node, ast.Raise) or (
                isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load)
            ):
                return
            if isinstance(node, ast.Call):
                is_query = (
                    node.func.attr in handle_types.WITHOUT_EFFECT
                    if isinstance(node.func, ast.Attribute)
                    else isinstance(node.func, ast.Name) and node.func.id in HARMLESS_CALLS
                )
                if not is_query:
                    return
        raise self._error(self.node, "The ability has no effect: it changes nothing on the table.")

    def _check_setter(self, node: ast.Call) -> None:
        """Check ``setattr(owner, ...)`` like ``owner.attribute = ...``."""
        owner = node.args[0]
        if self._is_self(owner):
            raise self._keeps_state(node, "self")
        if self._is_class(owner):
            raise self._keeps_state(node, ast.unparse(owner))
        self._check_owner(node, owner)

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

    def _check_raise(self, node: ast.Raise) -> None:
        name = root_name(raised_class(node))
        if name in FORBIDDEN_ERRORS:
            raise self._error(node, "An ability must not raise {name}.", name=name)

    def _check_mutation(self, value: ast.expr, node: ast.AST) -> None:
        """Check that a changed container was created in this run of the function."""
        if isinstance(value, ast.Name):
            name = value.id
            if name in self.mutable_defaults:
                raise self._keeps_state(node, name)
            if name in self.shared:
                raise self._keeps_state(node, self.shared[name])
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
                    "{owner}.{name} cannot be changed: change the table with verbs.",
                    name=value.attr,
                    owner=owner,
                )
            if self._is_class(value.value) or (
                self._is_self(value.value) and self.node.name not in MAY_SET_SELF
            ):
                raise self._keeps_state(node, ast.unparse(value))

    def _shared_object(self, node: ast.expr) -> str:
        """Return the object of the module or of a class that an expression names, or ""."""
        if isinstance(node, ast.Name):
            if node.id in self.shared:
                return self.shared[node.id]
            is_shared = node.id in self.module.containers and not self._is_local(node.id)
            return node.id if is_shared else ""
        if isinstance(node, ast.Attribute) and node.attr in self.module.containers:
            is_shared = self._is_self(node.value) or self._is_class(node.value)
            return ast.unparse(node) if is_shared else ""
        return ""

    def _is_local(self, name: str) -> bool:
        """Whether a name belongs to this function or one around it."""
        return name in self.local | self.parameters or any(name in outer for outer in self.outer)

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
