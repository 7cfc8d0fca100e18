"""``make types``: write the browser client's types from the server's messages.

``python -m scripts.protocol_types --check`` writes nothing and fails if the file is stale.
"""

from __future__ import annotations

import argparse
import inspect
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, TypeAdapter

from smashup.server.http import schemas as forms
from smashup.server.live.protocol import FROM_CLIENT, FROM_SERVER, PROTOCOL

ROOT: Final = Path(__file__).resolve().parent.parent
FILE: Final = ROOT / "client" / "src" / "protocol.ts"
HEAD: Final = """\
// Written by `make types` from smashup/server/live/protocol.py and http/schemas.py; edit those.
"""
Schema = dict[str, Any]


def collect_schemas() -> dict[str, Schema]:
    """Return the JSON schemas of all messages by name."""
    found: dict[str, Schema] = {}
    for name, adapter in (("FromClient", FROM_CLIENT), ("FromServer", FROM_SERVER)):
        found[name] = _collect(adapter.json_schema(ref_template="{model}"), found)
    for name, model in inspect.getmembers(forms, inspect.isclass):
        if issubclass(model, BaseModel) and model.__module__ == forms.__name__:
            # What the server sends has every field; a form may leave out what has a default.
            mode: Any = "validation" if issubclass(model, forms.Form) else "serialization"
            schema = TypeAdapter(model).json_schema(mode=mode, ref_template="{model}")
            found[name] = _collect(schema, found)
    found.pop("Form")
    return found


def _collect(schema: Schema, found: dict[str, Schema]) -> Schema:
    """Return a schema without its definitions."""
    for name, part in schema.pop("$defs", {}).items():
        if found.setdefault(name, part) != part:
            raise ValueError(f"two things are called {name}")
    return schema


def render_types() -> str:
    """Render the whole file."""
    parts = [HEAD, f"/** The version of the messages. */\nexport const PROTOCOL = {PROTOCOL};\n"]
    for name, schema in sorted(collect_schemas().items()):
        about = (schema.get("description") or "").split("\n")[0]
        comment = f"/** {about} */\n" if about else ""
        if schema.get("type") == "object" and "properties" in schema:
            parts.append(f"{comment}export interface {name} {_object(schema)}\n")
        else:
            parts.append(f"{comment}export type {name} = {_type(schema)};\n")
    return "\n".join(parts)


def _object(schema: Schema, indent: str = "") -> str:
    lines = []
    for name, part in schema["properties"].items():
        mark = "" if name in schema.get("required", ()) else "?"
        lines.append(f"{indent}  {name}{mark}: {_type(part)};\n")
    return "{\n" + "".join(lines) + indent + "}"


def _type(schema: Schema) -> str:
    """Return a schema as a TypeScript type."""
    if "$ref" in schema:
        return str(schema["$ref"])
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return " | ".join(dict.fromkeys(_type(part) for part in schema[key]))
    sort = schema.get("type")
    if sort == "array":
        inner = _type(schema["items"])
        return f"({inner})[]" if "|" in inner else f"{inner}[]"
    if sort == "object":
        values = schema.get("additionalProperties", True)
        return f"Record<string, {'unknown' if values is True else _type(values)}>"
    if sort is None:
        return "unknown"
    return {"integer": "number", "number": "number", "string": "string", "boolean": "boolean",
            "null": "null"}[sort]  # fmt: skip


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="write nothing, tell what is stale")
    options = parser.parse_args(argv)
    if not options.check:
        FILE.parent.mkdir(parents=True, exist_ok=True)
        FILE.write_text(render_types(), encoding="utf-8")
    elif not FILE.exists() or FILE.read_text(encoding="utf-8") != render_types():
        print(f"{FILE.relative_to(ROOT)} is stale: run make types.")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
