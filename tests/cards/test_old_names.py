"""Plug-ins with names of version 0.1 get an error with the new name from docs/migration.md."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from smashup.cards import catalogue
from smashup.cards.conformance import check_faction
from smashup.cards.language import Base, BaseCard, Card, CardDefinition, Faction, Minion, Player
from smashup.engine.card_api.old_names import (
    OLD_BASE_MEMBERS,
    OLD_CARD_MEMBERS,
    OLD_PLAYER_MEMBERS,
)
from smashup.engine.errors import CardError
from smashup.engine.model.catalogue import make_definition
from smashup.engine.model.definitions import OLD_NAMES

PAGE = Path(__file__).parents[2] / "docs" / "migration.md"
MEMBERS: dict[type, dict[str, str]] = {
    Card: OLD_CARD_MEMBERS,
    Base: OLD_BASE_MEMBERS,
    Player: OLD_PLAYER_MEMBERS,
}


def read_tables(*headings: str) -> dict[str, str]:
    """Return old and new names from the tables under some headings of the page."""
    rows: dict[str, str] = {}
    for heading in headings:
        section = re.split(r"^## ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
        (body,) = [part for part in section if part.startswith(heading + "\n")]
        rows.update(re.findall(r"^\| `([^`]+)` \| `([^`]+)` \|$", body, flags=re.MULTILINE))
    return rows


def find_problem(expression: str) -> str:
    """Return what the check says about a card that evaluates this when it is played."""

    class Rock(Minion):
        name = "Rock"
        power = 2
        copies = 20
        text = "It lies there."

        def on_play(self, me: Card) -> None:
            eval(expression, {"me": me})

    rocks = Faction(name="Rocks", set_name="Stones", cards=(Rock,), bases=(Hill,))
    (problem,) = check_faction(rocks, catalogue(), games=2).problems
    return str(problem)


def test_the_page_lists_every_old_name() -> None:
    assert read_tables("Hooks", "Attributes") == OLD_NAMES
    assert read_tables("Card members") == OLD_CARD_MEMBERS
    assert read_tables("Base members") == OLD_BASE_MEMBERS
    assert read_tables("Player members") == OLD_PLAYER_MEMBERS


@pytest.mark.parametrize("handle", list(MEMBERS), ids=lambda handle: handle.__name__)
def test_old_members_are_gone_and_new_ones_exist(handle: type) -> None:
    slots = {"table", "id", "serial", "index"}
    for old, new in MEMBERS[handle].items():
        assert not hasattr(handle, old), old
        owner = {"me": Card, "card": Card, "controller": Player}.get(new.split(".")[0])
        name = new.split(".")[1] if owner is not None else new
        name = re.split(r"[( ]", name)[0]
        assert name in slots or hasattr(owner or handle, name), new


def test_old_hooks_and_attributes_are_gone_and_new_ones_exist() -> None:
    for old, new in OLD_NAMES.items():
        assert not hasattr(CardDefinition, old), old
        assert hasattr(CardDefinition, new), new


@pytest.mark.parametrize(("old", "new"), OLD_NAMES.items())
def test_a_card_with_an_old_name_is_refused(old: str, new: str) -> None:
    cls = type("Relic", (Minion,), {"name": "Relic", old: None})
    with pytest.raises(CardError, match=rf"defines {old}, which is called {new} now"):
        make_definition(cls, "current", "Rocks", "Stones")


class Hill(BaseCard):
    name = "Hill"
    breakpoint = 20
    vp = (4, 2, 1)
    text = "A hill."


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("me.used(me.controller)", "used of a Card, which is used_this_turn(player) now"),
        ("me.base.minions_of(0)", "minions_of of a Base, which is minions(of=player) now"),
        ("me.controller.take_to_hand(me)", "of a Player, which is put(cards, to=HAND) now"),
    ],
)
def test_a_card_that_uses_an_old_verb_says_the_new_one(expression: str, expected: str) -> None:
    assert expected in find_problem(expression)


def test_other_missing_attributes_are_python_errors() -> None:
    assert "AttributeError: 'Card' object has no attribute 'polish'" in find_problem("me.polish()")
