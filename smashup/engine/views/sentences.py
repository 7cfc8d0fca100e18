"""Messages as plain data for views and logs."""

from __future__ import annotations

from typing import Any

from smashup.engine.model.messages import Message, Name
from smashup.engine.views import types


def message(m: Message) -> types.Sentence:
    """Convert a message to plain data: its text, its arguments, and the English sentence."""
    args = m.args
    if not args:
        return {"text": m.text, "args": {}, "english": m.text}
    return {"text": m.text, "args": {k: _plain(v) for k, v in args.items()}, "english": str(m)}


def _plain(value: object) -> Any:
    if isinstance(value, Name):
        return {"sort": value.sort, "id": value.id, "text": value.text}
    if isinstance(value, Message):
        return message(value)
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    return value
