"""Visible events: complete, in order, and without hidden cards."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import pytest

from smashup.engine.game import Game
from smashup.engine.model.decisions import MultiPick
from smashup.engine.rules import visibility
from tests.random_games import new_game, random_setup, walk

KINDS = {
    "played", "moved", "destroyed", "returned", "discarded", "drawn", "revealed", "looked_at",
    "placed", "transferred", "base_played", "base_left", "shuffled", "reshuffled", "counters",
    "power", "control", "talent", "vp", "scoring", "scored", "turn", "over",
}  # fmt: skip


def where(view: Mapping[str, Any]) -> dict[int, tuple[str, int]]:
    """Return where a viewer sees each card that is not in a deck: zone, and player or base."""
    found: dict[int, tuple[str, int]] = {}

    def lies(card: dict[str, Any], zone: str, place: int) -> None:
        if "id" in card:
            found[card["id"]] = (zone, place)
        for action in card.get("actions", ()):
            lies(action, "card", card["id"])

    for player in view["players"]:
        for zone in ("hand", "discard", "aside"):
            for card in player[zone]:
                lies(card, zone, player["index"])
    for base in view["bases"]:
        found[base["id"]] = ("middle", base["serial"])
        for card in base["cards"]:
            lies(card, "buried" if card.get("buried") else "base", base["serial"])
    for card in view["base_discard"]:
        found[card["id"]] = ("base_discard", -1)
    return found


def place(change: dict[str, Any]) -> tuple[str, int]:
    to = change["to"]
    return to["zone"], to.get("player", to.get("base", to.get("host", -1)))


@pytest.mark.parametrize("seed", range(12))
def test_changes_lead_from_one_view_to_the_next(seed: int) -> None:
    """Every card in a new place has an event that moved it there, and no later one."""
    rng = random.Random(f"changes/{seed}")
    game = new_game(random_setup(rng))
    viewer = rng.randrange(-1, game.table.num_players)
    game.decision  # noqa: B018
    before, reported_count = where(game.view(viewer)), len(game.table.visible_events)
    for _ in walk(game, rng):
        after = where(game.view(viewer))
        news = game.events(viewer, reported_count)
        reported_count = len(game.table.visible_events)
        gone: dict[int, tuple[str, int]] = {}
        for change in news:
            if "to" in change:
                for card in change["cards"]:
                    if "id" in card:
                        gone[card["id"]] = place(change)
            elif change["kind"] == "reshuffled":
                gone = {c: w for c, w in gone.items() if w != ("discard", change["player"])}
        for c, spot in after.items():
            lost = gone[c][0] == "deck" if c in gone else c not in before
            if lost and spot[0] in ("hand", "buried") and spot != ("hand", viewer):
                continue  # it moved there unseen, and is visible now
            assert before.get(c) == spot or gone.get(c) == spot, (c, before.get(c), spot, news)
        before = after


def test_every_kind_of_event_happens() -> None:
    seen: set[str] = set()
    for seed in range(60):
        rng = random.Random(f"sorts/{seed}")
        game = new_game(random_setup(rng))
        for _ in walk(game, rng):
            pass
        events = game.events(-1)
        seen |= {change["kind"] for change in events}
        for change in events:
            if change["kind"] == "scored":
                assert all(row["vp"] >= 0 for row in change["places"])
    assert seen >= KINDS


@pytest.mark.parametrize("seed", range(12))
def test_changes_show_no_hidden_card(seed: int) -> None:
    """A card shown moving between two hidden places is one that the viewer knew or knows."""
    rng = random.Random(f"hidden/{seed}")
    game = new_game(random_setup(rng))
    hidden = 0
    game.decision  # noqa: B018
    reported_count = len(game.table.visible_events)
    knew = [
        [visibility.knows_card(game.table, p, c) for c in range(len(game.table.state.definition))]
        for p in range(game.table.num_players)
    ]
    for _ in walk(game, rng):
        for p in range(game.table.num_players):
            for change in game.events(p, reported_count):
                faces = change.get("cards", [])
                closed = {"deck", "hand", "limbo", "buried", "base_deck"}
                zones = {change.get(end, {}).get("zone", "base") for end in ("origin", "to")}
                for face in faces:
                    hidden += "hidden" in face
                    if "id" in face and zones <= closed:
                        c = face["id"]
                        was_out = any(
                            f.get("id") == c and {"origin", "to"} <= x.keys()
                            for x in game.events(-1, reported_count)
                            for f in x.get("cards", ())
                        )
                        assert knew[p][c] or visibility.knows_card(game.table, p, c) or was_out
        reported_count = len(game.table.visible_events)
        size = len(game.table.state.definition)
        knew = [
            [visibility.knows_card(game.table, p, c) for c in range(size)]
            for p in range(game.table.num_players)
        ]
    assert hidden


def test_repeated_events_are_reported_once() -> None:
    """A card that runs again for every answer records no event twice; without a log, none."""
    rng = random.Random(5)
    setup = random_setup(rng, 3)
    game = new_game(setup)
    for _ in walk(game, rng):
        pass
    again = Game.replay(setup, game.catalogue, game.answers)
    assert again.events(1) == game.events(1)
    copy = game.clone(log=True)
    assert copy.events(0) == game.events(0)
    assert game.clone().events(0) == []
    quick = new_game(setup)
    quick.table.logging = False
    quick.answer_all(game.answers)
    assert quick.table.visible_events == []
    assert quick.digest() == game.digest()


def test_several_picks_say_how_many() -> None:
    """A player who picks within the limits is asked as often as announced."""
    seen: set[tuple[bool, bool]] = set()
    for seed in range(20):
        rng = random.Random(f"several/{seed}")
        game = new_game(random_setup(rng))
        last: MultiPick | None = None
        for decision in walk(game, rng, 500):
            now = decision.multi_pick
            shown: Any = game.view(decision.player)["decision"]
            assert ("max" in shown) == (now is not None)
            if now is not None:
                assert 0 <= now.min <= now.max
                assert now.max >= 1
                assert (shown["min"], shown["max"]) == (now.min, now.max)
                assert (-1 in decision.options) == (now.min == 0)
                if now.picked:
                    assert last is not None
                    assert now.picked == last.picked + 1
                    assert now.max <= last.max - 1 or not last.ordered
                seen.add((now.ordered, now.min == 0))
            last = now
    assert seen == {(False, False), (False, True), (True, False), (True, True)}
