"""Screens: text, colors, terminal sizes, the board image."""

from __future__ import annotations

import io
import random
import re
import xml.etree.ElementTree
from typing import Any, cast

import pytest
from rich.console import Console

from smashup.cards import catalogue
from smashup.engine.game import Game
from smashup.engine.model.setup import Setup
from smashup.terminal import translation
from smashup.terminal.screens.board import render_board
from smashup.terminal.screens.board_svg import draw_board_svg
from smashup.terminal.screens.hand import Detail, HandRow, render_hand
from smashup.terminal.screens.option_menu import build_menu
from smashup.terminal.screens.player_names import PlayerNames

PAIR = ("Cyborg Apes", "Time Travelers")


def render_text(*parts: Any, width: int = 80) -> str:
    console = Console(file=io.StringIO(), width=width, markup=False, emoji=False, highlight=False)
    for part in parts:
        console.print(part)
    text = console.file
    assert isinstance(text, io.StringIO)
    return text.getvalue()


@pytest.mark.parametrize("players", [2, 4])
def test_every_option_has_one_number(players: int) -> None:
    """Whatever is asked, the numbers on the screen and the options are the same in number."""
    player_names = PlayerNames(["Ana", "Bo", "Cleo", "Dan"][:players])
    game = Game(
        Setup(players=players, factions=(PAIR,) * players, optional_titans=True), catalogue()
    )
    rng = random.Random(3)
    while (decision := game.decision) is not None:
        view = cast("dict[str, Any]", game.view(decision.player))
        found = build_menu(view, player_names, Detail.FULL)
        assert sorted(found.order) == list(range(len(decision.options)))
        if len(game.answers) % 7 == 0:
            text = render_text(render_board(view, player_names), *found.parts)
            numbers = re.findall(r"(?<![\w/.→(])\d+(?= )", render_text(*found.parts, width=500))
            assert set(map(str, range(1, len(found.order) + 1))) <= set(numbers)
            assert max(map(len, text.splitlines())) <= 80
            for site in view["bases"]:
                assert f"{site['total']}/{site['breakpoint']}" in text
        game.choose(rng.randrange(len(decision.options)))


def test_a_base_shows_the_vp_each_player_would_get() -> None:
    site = {
        "name": "Monkey Lab", "text": "Grow.", "serial": 3, "breakpoint": 20,
        "printed_breakpoint": 23, "total": 11, "totals": [4, 7], "vp": [4, 2, 1], "counters": 0,
        "places": [
            {"player": 1, "place": 1, "vp": 4}, {"player": 0, "place": 2, "vp": 2},
        ],
        "cards": [
            {"id": 1, "name": "Jumper", "type": "minion", "text": "", "printed_power": 2,
             "power": 4, "counters": 2, "controller": 0},
            {"id": 2, "name": "Baboom", "type": "minion", "text": "", "printed_power": 3,
             "power": 7, "controller": 1,
             "actions": [{"id": 3, "name": "Juiced Up", "controller": 0}]},
            {"hidden": True, "buried": True, "controller": 1},
        ],
    }  # fmt: skip
    view: dict[str, Any] = {
        "you": 0, "edition": "CS", "turn": 4, "current": 0, "phase": "play", "scoring": 3,
        "bases": [site], "players": [], "limbo": [],
    }  # fmt: skip
    view["players"] = [
        {"index": p, "vp": 3, "factions": list(PAIR), "hand_size": 5, "deck_size": 9,
         "discard": [], "aside": [{"name": "Time Box", "tokens": 2}] if p else []}
        for p in range(2)
    ]  # fmt: skip
    text = render_text(render_board(view, PlayerNames(["Ana", "Bo"])))
    for words_there in (
        "SCORING: Monkey Lab", "11/20 (23)", "pays 4 · 2 · 1 VP", "Bo 7", "1st → 4 VP", "Ana 4",
        "2nd → 2 VP", "Jumper 4 (2) ●●", "Baboom 7 (3)", "+ Juiced Up (Ana)", "buried card",
        "set aside: ★ Time Box ◇2",
    ):  # fmt: skip
        assert words_there in text


def test_messages_have_player_names_and_one_full_stop() -> None:
    message = {
        "text": "{player} plays {cards}.",
        "args": {
            "player": {"sort": "player", "id": 1, "text": "P2"},
            "cards": [
                {"sort": "card", "id": 7, "text": "Jumper"},
                {"sort": "card", "id": 8, "text": "G.E.L.F."},
            ],
        },
    }
    assert PlayerNames(["Ana", "Bo"]).render(message).plain == "Bo plays Jumper and G.E.L.F."


def test_texts_are_translated() -> None:
    translation.use_translations({"Saved in {path}.": "Enregistré dans {path}."})
    try:
        assert translation.tr("Saved in {path}.", path="x") == "Enregistré dans x."
        assert translation.tr("None") == "None"
    finally:
        translation.use_translations({})


def test_the_board_image_is_reproducible() -> None:
    svg = draw_board_svg()
    assert svg == draw_board_svg()
    assert xml.etree.ElementTree.fromstring(svg).tag.endswith("svg")


@pytest.mark.parametrize("width", range(60, 110, 7))
def test_card_texts_in_the_hand_keep_their_spaces(width: int) -> None:
    for definition in catalogue().definitions("printed"):
        card = {"name": definition.name, "type": "action", "text": definition.text}
        file = io.StringIO()
        Console(file=file, width=width).print(
            render_hand("Hand", [HandRow(card, [1])], Detail.FULL)
        )
        lines = [line.strip() for line in file.getvalue().splitlines()]
        assert definition.text in " ".join(lines[1:])
