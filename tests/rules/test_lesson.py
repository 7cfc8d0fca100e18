"""The tutorial game: a learner who follows the advice wins, and one who does not can still play."""

from __future__ import annotations

import random
from pathlib import Path
from typing import cast

from smashup.cards import catalogue
from smashup.engine.game import Game
from smashup.engine.saves.snapshots import restore
from smashup.engine.views.types import View
from smashup.rules.lesson import (
    LEARNER,
    RIVAL,
    choose_rival_answer,
    is_rival,
    lesson_setup,
    lesson_start_state,
    load_advice,
)
from tests.server.live_server import run_server


def start_lesson() -> Game:
    return restore(lesson_start_state(catalogue()), lesson_setup(), catalogue())


def test_the_advice_leads_to_a_win() -> None:
    game = start_lesson()
    unused = {(turn, wanted) for turn, rows in load_advice().items() for wanted in rows}
    first_base = 0
    while (decision := game.decision) is not None:
        turn = game.table.state.turn
        if decision.player == RIVAL:
            game.choose(choose_rival_answer(game))
            continue
        view = game.view(LEARNER)
        assert view["decision"] is not None
        advised = next(
            (
                (wanted, option["index"])
                for wanted in load_advice()[turn]
                for option in view["decision"]["options"]
                if wanted.matches(view, option)
            ),
            None,
        )
        assert advised is not None, (turn, view["decision"])
        unused.discard((turn, advised[0]))
        game.choose(advised[1])
        if not first_base and game.table.state.vp[LEARNER] > game.table.state.vp[RIVAL]:
            first_base = turn
    assert not unused
    assert first_base == 3, "something is won early"
    assert game.winners == [LEARNER]
    assert game.table.state.turn == 10, "it does not take long"
    assert list(game.table.state.vp) == [16, 13], "and it is a close thing"


def test_the_game_continues_whatever_the_learner_does() -> None:
    for seed in range(15):
        dice = random.Random(seed)
        game = start_lesson()
        while (decision := game.decision) is not None:
            if decision.player == RIVAL:
                option = choose_rival_answer(game)
                assert 0 <= option < len(decision.options)
            else:
                option = dice.randrange(len(decision.options))
            game.choose(option)
        assert game.is_over


def test_the_rival_is_recognized_by_the_deal() -> None:
    setup = lesson_setup().to_json()
    assert is_rival(setup, RIVAL)
    assert not is_rival(setup, LEARNER)
    assert not is_rival({**setup, "seed": 1}, RIVAL)
    assert not is_rival({**setup, "factions": [["Kaiju", "Mounties"]]}, RIVAL)


async def test_a_lesson_is_a_table_like_any_other(tmp_path: Path) -> None:
    async with run_server(tmp_path) as server:
        plan = (await server.http.get("/api/tutorial")).json()["advice"]
        assert [row["id"] for row in plan["1"]] == [row.id for row in load_advice()[1]]
        answer = await server.http.post("/api/tutorial", json={"name": "Ana", "lang": "fr"})
        assert answer.status_code == 201, answer.text
        (seat,) = answer.json()["seats"]
        table = answer.json()["table"]
        assert (table["state"], table["listed"]) == ("playing", False)
        async with server.connect(table["id"], seat["secret"]) as guest:
            assert guest.view is not None
            assert [p["vp"] for p in guest.view["players"]] == [8, 8]
            options = guest.view["decision"]["options"]
            seen = cast(View, guest.view)
            assert any(load_advice()[1][0].matches(seen, option) for option in options)
            end = len(options) - 1
            assert options[end]["verb"] == "done"
            await guest.answer(end)
            while guest.view["turn"] != 3 or guest.view["decision"]["player"] != LEARNER:
                await guest.receive()
            cards = [card for base in guest.view["bases"] for card in base["cards"]]
            assert [card["controller"] for card in cards] == [RIVAL]


async def test_the_rules_are_served_in_both_languages(tmp_path: Path) -> None:
    async with run_server(tmp_path) as server:
        for lang, title in (("en", "Two factions each"), ("fr", "Deux Factions chacun")):
            book = (await server.http.get(f"/api/rules/{lang}")).json()
            found = {rule["id"]: rule for c in book["chapters"] for rule in c["rules"]}
            assert found["setup.factions"]["title"] == title
            assert book["purposes"]["play_menu"][0] == "turn.play"
        again = await server.http.get("/api/rules/en")
        tag = again.headers["ETag"]
        same = await server.http.get("/api/rules/en", headers={"If-None-Match": tag})
        assert same.status_code == 304
        cases = (await server.http.get("/api/rulings")).json()["cards"]
        assert "CA-own-03" in [case["id"] for case in cases["Baboom"]]
        one = (await server.http.get("/api/rulings", params={"card": "Baboom"})).json()["cards"]
        assert one == {"Baboom": cases["Baboom"]}
        none = (await server.http.get("/api/rulings", params={"card": "No Card"})).json()["cards"]
        assert none == {}
        assert (await server.http.get("/api/rules/xx")).status_code == 404
        assert (await server.http.post("/api/tutorial", json={"x": 1})).status_code == 422
