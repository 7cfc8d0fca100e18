"""The source code of a faction: which line declares what."""

from __future__ import annotations

import ast
import sys
import traceback
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from types import FrameType, ModuleType

from smashup.cards.authoring.places import SourceLocation, faction_error, shortened
from smashup.engine.model.definitions import CardDefinition

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Source:
    """The source code of one module."""

    def __init__(self, label: str, filename: str, text: str) -> None:
        self.label = label
        """The file as messages name it."""
        self.filename = filename
        """The file as tracebacks name it."""
        self.tree = parse(text, label)

    @cached_property
    def classes(self) -> dict[str, ast.ClassDef]:
        return {node.name: node for node in ast.walk(self.tree) if isinstance(node, ast.ClassDef)}

    @cached_property
    def card_names(self) -> dict[str, str]:
        """The names that classes give their cards in the code, by class."""
        return {
            node.name: str(statement.value.value)
            for node in self.classes.values()
            for statement in node.body
            if isinstance(statement, ast.Assign)
            and assigned_names(statement) == {"name"}
            and isinstance(statement.value, ast.Constant)
        }

    @cached_property
    def used_attributes(self) -> set[str]:
        """Names that the code reads with a dot, as in ``self.limit``."""
        return {
            node.attr
            for node in ast.walk(self.tree)
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)
        }

    @cached_property
    def used_names(self) -> set[str]:
        """Names of variables, functions and classes that the code reads."""
        return {
            node.id
            for node in ast.walk(self.tree)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        }

    def class_place(self, cls: type, card: str = "") -> SourceLocation:
        return self.named_class_place(cls.__name__, card)

    def named_class_place(self, name: str, card: str = "") -> SourceLocation:
        node = self.classes.get(name)
        return SourceLocation(self.label, node.lineno if node else 0, card or name)

    def member_place(
        self, cls: type, name: str, card: str = "", ability: str = ""
    ) -> SourceLocation:
        """The line that declares an attribute or ability of a class, or assigns it later."""
        for parent in cls.__mro__:
            node = self.classes.get(parent.__name__)
            line = member_line(node, name) if node is not None else 0
            if line:
                return SourceLocation(self.label, line, card or cls.__name__, ability)
        return self.class_place(cls, card)

    def faction_place(self, argument: str = "", name: str = "") -> SourceLocation:
        """The line of ``Faction(...)``, or of one of its arguments.

        In a file with several factions, ``name`` tells which one.
        """
        factions = [
            {keyword.arg: keyword.value for keyword in node.keywords} | {"": node}
            for node in ast.walk(self.tree)
            if isinstance(node, ast.Call) and _called_name(node) == "Faction"
        ]
        for parts in factions:
            named = parts.get("name")
            if len(factions) == 1 or (isinstance(named, ast.Constant) and named.value == name):
                return SourceLocation(self.label, parts.get(argument, parts[""]).lineno)
        return SourceLocation(self.label, factions[0][""].lineno if factions else 0)

    def assignment_place(self, name: str) -> SourceLocation:
        """The line that defines a name of the module."""
        for node in self.tree.body:
            is_assigned = isinstance(node, ast.Assign | ast.AnnAssign) and (
                name in assigned_names(node)
            )
            if is_assigned or getattr(node, "name", "") == name:
                return SourceLocation(self.label, node.lineno)
        return SourceLocation(self.label)

    def place_of_line(self, line: int) -> SourceLocation:
        """A line with the class and method around it."""
        for cls in self.tree.body:
            if isinstance(cls, ast.ClassDef) and cls.lineno <= line <= (cls.end_lineno or 0):
                card = self.card_names.get(cls.name, cls.name)
                for member in cls.body:
                    if isinstance(member, Function) and (
                        _first_line(member) <= line <= (member.end_lineno or 0)
                    ):
                        return SourceLocation(self.label, line, card, member.name)
                return SourceLocation(self.label, line, card)
        return SourceLocation(self.label, line)

    def place_of_error(self, error: BaseException) -> SourceLocation:
        """The line of this file that an error comes from, with the card and ability."""
        frames = list(traceback.walk_tb(error.__traceback__))
        place = self.place_of_frames(frames)
        if isinstance(error, RecursionError):
            lines = [line for frame, line in frames if frame.f_code.co_filename == self.filename]
            place = replace(place, line=max(lines, key=lines.count, default=0))
        return place

    def place_of_frames(self, frames: list[tuple[FrameType, int]]) -> SourceLocation:
        """The innermost line of this file among frames, outermost first."""
        line = 0
        card = ability = ""
        for frame, number in frames:
            if frame.f_code.co_filename != self.filename:
                continue
            line = number
            owner = frame.f_locals.get("self")
            if isinstance(owner, CardDefinition):
                card, ability = owner.name or type(owner).__name__, frame.f_code.co_name
        return SourceLocation(self.label, line, str(card), ability)


def parse(text: str, label: str) -> ast.Module:
    """Parse source code; raise a `FactionError` if it is not Python."""
    try:
        tree = ast.parse(text)
        compile(tree, label, "exec")  # finds what the parser accepts, such as a misplaced return
        return tree
    except SyntaxError as error:
        lines = text.splitlines()
        number = error.lineno or 0
        shown = lines[number - 1] if 0 < number <= len(lines) else error.text or ""
        raise faction_error(
            SourceLocation(label, number),
            "This is not valid Python ({reason}): “{shown}”.",
            reason=error.msg,
            shown=shortened(shown.strip(), 60),
        ) from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise faction_error(
            SourceLocation(label), "This is not a Python file ({reason}).", reason=str(error)
        ) from error


def source_of_module(module: ModuleType, label: str = "") -> Source:
    """The source of a loaded module; empty where it is not available."""
    filename = str(getattr(module, "__file__", "") or "")
    text = ""
    if filename.endswith(".py") or label:
        try:
            text = Path(filename).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            text = ""
    return Source(label or filename or module.__name__, filename, text)


def source_of_class(cls: type, main: Source) -> Source:
    """The source of a card's class, which may be in another module of its package."""
    module = sys.modules.get(cls.__module__)
    if module is None or getattr(module, "__file__", "") == main.filename:
        return main
    return source_of_module(module)


def member_line(node: ast.ClassDef, name: str) -> int:
    """The line that declares a member of a class, else one that assigns ``self.name``."""
    found = 0
    for statement in node.body:
        if isinstance(statement, Function) and statement.name == name:
            found = _first_line(statement)
        elif isinstance(statement, ast.Assign | ast.AnnAssign) and name in assigned_names(
            statement
        ):
            found = statement.lineno
    if found:
        return found
    for inner in ast.walk(node):
        if isinstance(inner, ast.Attribute) and isinstance(inner.ctx, ast.Store):
            found = inner.lineno if inner.attr == name else found
    return found


def _first_line(function: Function) -> int:
    """The line of a function's first decorator, or its own."""
    return min([function.lineno, *(d.lineno for d in function.decorator_list)])


def assigned_names(node: ast.Assign | ast.AnnAssign) -> set[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return {
        n.id
        for target in targets
        for n in ast.walk(target)
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    }


def running_frames(frame: FrameType | None) -> list[tuple[FrameType, int]]:
    """The frames that led to a running frame and their lines, outermost first."""
    return list(reversed(list(traceback.walk_stack(frame)))) if frame is not None else []


def _called_name(node: ast.Call) -> str:
    function = node.func
    if isinstance(function, ast.Name):
        return function.id
    return function.attr if isinstance(function, ast.Attribute) else ""
