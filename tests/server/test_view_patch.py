"""Patches: applied to the last view they result in the next one, and they contain nothing else."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import TypeAdapter

from smashup.cards import catalogue
from smashup.engine.game import Game
from smashup.engine.model.setup import Setup
from smashup.engine.views.types import View
from smashup.engine.views.view import SPECTATOR
from smashup.server.live.protocol import ViewPatch
from smashup.server.live.view_patch import (
    ViewChecksum,
    apply_patch,
    complete_update,
    make_patch,
    view_checksum,
)
from tests.knowledge_oracle import shown_cards
from tests.random_games import random_setup

PATCH = TypeAdapter(ViewPatch)
STEPS = 80


class PatchedViewer:
    """A viewer whose view is updated only by patches."""

    def __init__(self, viewer: int) -> None:
        self.viewer = viewer
        self.checksum = ViewChecksum()
        self.view: View | None = None

    def see(self, game: Game) -> None:
        new = game.view(self.viewer)
        before = copy.deepcopy(self.view)
        checksum = self.checksum.advance(self.view, new)
        if self.view is None:
            self.view = new
            return
        text = json.dumps(make_patch(self.view, new))
        patch = PATCH.validate_json(text, strict=True, extra="forbid")
        followed = apply_patch(self.view, patch)
        assert followed == new
        assert view_checksum(followed) == checksum
        assert self.view == before, "the last view stays as it was"
        self._check_contents(patch, new)
        self.view = followed

    def _check_contents(self, patch: ViewPatch, new: View) -> None:
        """A patch contains nothing that is not in the old or new view."""
        assert self.view is not None
        assert set(shown_cards(patch)) <= set(shown_cards(new))
        known = {*_ids(self.view), *_ids(new)}
        assert _ids(patch) <= known
        assert set(_texts(patch)) <= {
            *_texts(self.view),
            *_texts(new),
            *self.view,
            "removed",
            "faces",
        }


def _ids(data: Any) -> set[int]:
    """Return the ids of all cards that occur in some data."""
    found = set()
    for place in _dicts(data):
        if isinstance(place.get("id"), int):
            found.add(place["id"])
        for field in ("hand", "discard", "aside", "limbo", "base_discard", "cards", "actions"):
            found |= {card for card in place.get(field, ()) if isinstance(card, int)}
        for field in ("card", "source"):
            if isinstance(place.get(field), int):
                found.add(place[field])
    return found


def _texts(data: Any) -> Iterator[str]:
    for place in _dicts(data):
        yield from place
        for value in place.values():
            values = value if isinstance(value, list) else [value]
            yield from (text for text in values if isinstance(text, str))


def _dicts(data: Any) -> Iterator[dict[str, Any]]:
    if isinstance(data, dict):
        yield data
    for part in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        yield from _dicts(part)


def play_with_patches(game: Game, rng: random.Random) -> Game:
    """Play at random with some undos; all viewers are updated by patches."""
    followers = [PatchedViewer(viewer) for viewer in range(SPECTATOR, game.table.num_players)]
    for _ in range(STEPS):
        for follower in followers:
            follower.see(game)
        decision = game.decision
        if decision is None:
            break
        if game.answers and rng.random() < 0.03:
            game = game.undo(rng.randint(1, min(5, len(game.answers))))
        else:
            game.choose(rng.randrange(len(decision.options)))
    return game


@pytest.mark.parametrize("number", range(6))
def test_patches_follow_random_games(number: int) -> None:
    rng = random.Random(f"patch/{number}")
    play_with_patches(Game(random_setup(rng, 2 + number % 3), catalogue()), rng)


def test_patches_follow_a_draft_and_windows_for_specials() -> None:
    rng = random.Random("patch/draft")
    setup = Setup(players=3, draft=True, seed=7, ask_everyone=True, madness=True)
    play_with_patches(Game(setup, catalogue()), rng)


def test_patches_follow_the_end_of_a_game() -> None:
    rng = random.Random("patch/end")
    game = Game(random_setup(rng, 2), catalogue())
    answers = []
    while (decision := game.decision) is not None:
        answers.append(rng.randrange(len(decision.options)))
        game.choose(answers[-1])
    game = Game.replay(game.setup, game.catalogue, answers[:-40])
    followers = [PatchedViewer(viewer) for viewer in (SPECTATOR, 0, 1)]
    for answer in [*answers[-40:], None]:
        for follower in followers:
            follower.see(game)
        if answer is not None:
            game.choose(answer)
    assert all(follower.view is not None and follower.view["over"] for follower in followers)


def test_a_patch_contains_only_changed_fields() -> None:
    game = Game(
        Setup(factions=(("Super Spies", "Astroknights"), ("Ignobles", "Kaiju"))), catalogue()
    )
    old = game.view(0)
    new = copy.deepcopy(old)
    assert make_patch(old, new) == {}
    new["turn"] += 1
    new["players"][1]["vp"] = 3
    new["bases"][1]["total"] = 9
    serials = [base["serial"] for base in old["bases"]]
    assert make_patch(old, new) == {
        "turn": old["turn"] + 1,
        "players": [{"index": 1, "vp": 3}],
        "bases": [serials[0], {"serial": serials[1], "total": 9}, *serials[2:]],
    }


def test_checksums_detect_a_different_view() -> None:
    game = Game(Setup(seed=3), catalogue())
    old = game.view(0)
    game.choose(0)
    new = game.view(0)
    scene = dict.fromkeys(
        ("table", "number", "wishes", "clock", "undo", "can_undo", "hints", "chances")
    )
    update = {"version": 2, "patch": make_patch(old, new), "checksum": view_checksum(new)}
    assert complete_update({**scene, "view": old}, update)["view"] == new
    damaged = copy.deepcopy(old)
    damaged["base_deck_size"] += 1
    with pytest.raises(ValueError, match="version 2"):
        complete_update({**scene, "view": damaged}, update)


def test_checksums_are_right_when_the_number_of_bases_changes() -> None:
    """A disconnected viewer may miss several bases, whose positions other bases take."""
    view = Game(Setup(players=2, seed=3), catalogue()).view(0)
    bases = [*view["bases"], *view["bases"], *view["bases"]]
    for before in range(len(bases)):
        for after in range(len(bases)):
            old: View = {**view, "bases": bases[:before]}
            new: View = {**view, "bases": bases[:after]}
            checksum = ViewChecksum()
            assert checksum.advance(None, old) == view_checksum(old)
            assert checksum.advance(old, new) == view_checksum(new)
