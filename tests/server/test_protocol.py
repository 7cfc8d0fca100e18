"""The protocol matches the client's types, the documentation and the engine."""

from __future__ import annotations

from typing import get_args

import pytest
from pydantic import ValidationError

from scripts import protocol_types
from smashup.bots.levels import LEVELS
from smashup.engine.model.catalogue import PRINTINGS
from smashup.engine.model.editions import EDITIONS
from smashup.locale import LANGUAGES
from smashup.server.http import reference
from smashup.server.http import schemas as forms
from smashup.server.live import protocol
from tests.docs.code_blocks import ROOT, blocks


def test_client_types_are_up_to_date() -> None:
    assert protocol_types.FILE.read_text(encoding="utf-8") == protocol_types.render_types()


@pytest.mark.parametrize("sort", ["client", "server"])
def test_documented_messages_are_valid(sort: str) -> None:
    found = blocks(ROOT / "docs" / "server.md", f"json {sort}")
    assert len(found) == {"client": 8, "server": 4}[sort]
    for block in found:
        if sort == "client":
            protocol.FROM_CLIENT.validate_json(block.text)
        else:
            protocol.FROM_SERVER.validate_json(block.text, strict=True, extra="forbid")


def test_types_distinguish_optional_fields() -> None:
    types = protocol_types.render_types()
    assert "export type FromServer = Snapshot | Update | Ack | Preview | Hint | Refusal;" in types
    assert 'type: "answer";\n  number: number;\n  options: number[];' in types
    assert 'lang?: "en" | "fr" | null;' in types


def test_schemas_match_the_engine() -> None:
    assert get_args(forms.Level) == tuple(level.name for level in LEVELS)
    assert get_args(forms.EditionKey) == tuple(EDITIONS)
    assert get_args(forms.Printing) == PRINTINGS
    assert get_args(protocol.Language) == LANGUAGES
    assert reference.EDITION_NOTES.keys() == EDITIONS.keys()
    assert tuple(reference.PRINTING_NOTES) == PRINTINGS


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"type": "answer", "id": "a", "number": 0}',
        '{"type": "answer", "id": "a", "number": 0, "options": []}',
        '{"type": "answer", "id": "a", "number": 0, "options": [-1]}',
        '{"type": "answer", "id": "a", "number": "0", "options": [1]}',
        '{"type": "answer", "id": "a", "number": 0, "options": [true]}',
        '{"type": "answer", "id": "a", "number": 0, "options": [0], "seat": 1}',
        '{"type": "answer", "id": "", "number": 0, "options": [0]}',
        '{"type": "ping", "id": "' + "a" * 65 + '"}',
        '{"type": "sing", "id": "a"}',
        '{"type": "undo", "id": "a"}',
        '{"type": "resync", "id": "a", "version": 3}',
        '{"type": "hello", "id": "a", "protocol": "2"}',
        '{"type": "agree", "id": "a", "wish": 1, "yes": 1}',
        '{"type": "agree", "id": "a", "wish": -1, "yes": true}',
        '{"type": "chat", "id": "a", "phrase": "love"}',
        '{"type": "chat", "id": "a", "text": "' + "a" * 301 + '"}',
        '{"type": "hint", "id": "a", "number": 0, "level": "expert"}',
    ],
)
def test_messages_are_validated_strictly(text: str) -> None:
    with pytest.raises(ValidationError):
        protocol.FROM_CLIENT.validate_json(text)
