"""The identifiers page: purposes of decisions, ids of events, and the structure of a view."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Final

from smashup.engine.events import course, movement, piles, values
from smashup.engine.events.base import NO_HOOK, GameEvent
from smashup.engine.model.decisions import MOVE_NAMES, OPTION_KINDS, Purpose
from smashup.engine.model.hooks import METHODS

ROOT: Final = Path(__file__).resolve().parents[3]
VIEW_TYPES: Final = ROOT / "smashup/engine/views/types.py"
DECISIONS: Final = ROOT / "smashup/engine/model/decisions.py"
INTRODUCTION: Final = """\
# Decisions, events and views

Programs recognize what a game asks and reports by the stable identifiers on this page, never by
English text. A decision has a `purpose`, an event has an `id`, and a view is a nested dictionary
with the fields below. Bots, servers, clients and recordings rely on them; the
[changelog](../CHANGELOG.md) lists every change.
"""


def identifiers_page() -> str:
    """Render docs/identifiers.md."""
    return "\n".join([INTRODUCTION, *_decisions(), *_events(), *_views()]) + "\n"


def _decisions() -> Iterator[str]:
    kinds = ", ".join(f"`{kind}`" for kind in OPTION_KINDS if kind)
    moves = ", ".join(f"`{name}`" for name in MOVE_NAMES if name)
    yield from ("## Decisions", "")
    yield (
        "`game.decision` is the pending `Decision`, or `None` when the game is over. Answer it with"
        " `game.choose(i)`, where `i` is a position in `decision.options`."
    )
    yield from ("", f"The kind of its options is one of {kinds}; a move is one of {moves}.", "")
    yield from ("| purpose | meaning |", "|---|---|")
    described = _enum_docs()
    for purpose in Purpose:
        yield f"| `{purpose.value}` | {described[purpose.name]} |"


def _enum_docs() -> dict[str, str]:
    """Return the docstring below each member of `Purpose`."""
    tree = ast.parse(DECISIONS.read_text(encoding="utf-8"))
    (enum,) = (
        node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Purpose"
    )
    return dict(_documented(enum))


def _documented(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    """Yield the names assigned or annotated in a class, each with the docstring below it."""
    for field, below in zip(node.body, [*node.body[1:], None], strict=True):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            name = field.target.id
        elif isinstance(field, ast.Assign) and isinstance(field.targets[0], ast.Name):
            name = field.targets[0].id
        else:
            continue
        text = ""
        if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
            text = " ".join(str(below.value.value).split())
        yield name, text


def _events() -> Iterator[str]:
    yield from ("", "## Events", "")
    yield (
        "`game.events(player, since)` lists what happened as a player may know it. The engine"
        " records one event of the classes below for each change; log lines, animations and"
        " triggered abilities are derived from it. Every event also has `by` (the player who did"
        " it), `cause` (the card) and `seen_by` (who may know the cards)."
    )
    for module in (course, movement, piles, values):
        title = (module.__doc__ or "").strip().rstrip(".").partition(":")[0]
        yield from (
            "",
            f"### {title}",
            "",
            "| id | meaning | fields | triggers |",
            "|---|---|---|---|",
        )
        for event in vars(module).values():
            if isinstance(event, type) and issubclass(event, GameEvent) and event.id:
                if event.__module__ != module.__name__:
                    continue
                names = ", ".join(f"`{field.name}`" for field in fields(event))  # type: ignore[arg-type]
                hook = f"`{METHODS[event.hook]}`" if event.hook != NO_HOOK else ""
                meaning = " ".join((event.__doc__ or "").partition("\n\n")[0].split())
                yield f"| `{event.id}` | {meaning} | {names} | {hook} |"


def _views() -> Iterator[str]:
    yield from ("", "## Views", "")
    yield (
        "`game.view(player)` returns what a player may see (`game.view()`: a spectator), as plain"
        " data that serializes to JSON. Its type is `View`; the other types are its parts."
    )
    tree = ast.parse(VIEW_TYPES.read_text(encoding="utf-8"))
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    classes.sort(key=lambda node: node.name != "View")
    for node in classes:
        bases = [ast.unparse(base) for base in node.bases if ast.unparse(base) != "TypedDict"]
        yield from ("", f"### {node.name}", "")
        yield " ".join((ast.get_docstring(node) or "").split()) + (
            f" Extends {', '.join(bases)}." if bases else ""
        )
        rows = list(_documented(node))
        if not rows:
            continue
        types = {
            field.target.id: ast.unparse(field.annotation)
            for field in node.body
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        }
        yield from ("", "| field | type | meaning |", "|---|---|---|")
        for name, text in rows:
            type_ = types[name].replace("|", "\\|")
            yield f"| `{name}` | `{type_}` | {text} |"
