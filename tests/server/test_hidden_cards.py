"""Over the wire: nobody is sent more of hidden cards than the rules let them know."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest

from smashup.engine import game as engine
from smashup.engine.game import Game
from smashup.engine.model.setup import Setup
from smashup.server.live.view_patch import make_patch
from smashup.server.tables import seating
from tests.knowledge_oracle import SPECTATOR, Oracle, replay_watched, shown_cards
from tests.server.house import Guest, House, a_decision_of, serving

DECKS = (["Russian Fairy Tales", "Mega Troopers"], ["Super Spies", "Astroknights"])
"""They look at cards, show them, put them back in secret and see each other's hands."""
ANSWERS = 80

pytestmark = pytest.mark.skipif(
    not str(engine.__file__).endswith(".py"), reason="a compiled game cannot be watched"
)

Sent = dict[int, dict[int, dict[str, Any]]]
"""What each viewer was sent last, by the number of answers that had been given."""


async def play_over_the_wire(house: House, dice: random.Random) -> tuple[Setup, list[int], Sent]:
    """Play a while; the game, its answers, and the views that all three connections were sent."""
    seats = [{"kind": "me", "factions": factions} for factions in DECKS]
    answer = await house.post("", seats=seats, mode="choose")
    assert answer.status_code == 201, answer.text
    found = answer.json()
    table = found["table"]["id"]
    secrets = [seat["secret"] for seat in found["seats"]]
    sent: Sent = {0: {}, 1: {}, SPECTATOR: {}}
    async with (
        house.guest(table, secrets[0]) as ana,
        house.guest(table, secrets[1]) as bo,
        house.guest(table) as watcher,
    ):
        guests = {0: ana, 1: bo, SPECTATOR: watcher}
        live = house.registry.tables[table]
        while len(live.answers) < ANSWERS and not ana.is_over:
            asked = await a_decision_of(list(guests.values()))
            for viewer, guest in guests.items():
                assert guest.view is not None
                sent[viewer][len(live.answers)] = guest.view
            assert (await asked.answer(dice.randrange(len(asked.options))))["type"] == "ack"
        for guest in guests.values():
            await guest.say(type="ping")
        assert live.game is not None
        # The table in memory forgets what it has told.
        game = Game.replay(live.game.setup, live.game.catalogue, live.game.answers)
        for viewer, guest in guests.items():
            _check_patches(guest)
            told = {n: str(line) for n, line in game.log_lines(viewer)}
            assert guest.log == {n: told[n] for n in guest.log}
            changes = [c for m in guest.heard if m["type"] == "update" for c in m["changes"]]
            assert len(changes) > ANSWERS / 2
            assert all(change in game.events(viewer) for change in changes)
        return Setup.from_json(live.record.setup), [a.option for a in live.answers], sent


def _check_patches(guest: Guest) -> None:
    """Updates hold what changed from one view to the next, and nothing else of the cards."""
    views = [said["view"] for said in guest.heard if said["type"] in ("snapshot", "update")]
    assert len(guest.updates) == len(views) - 1 > ANSWERS / 2
    for old, new, update in zip(views, views[1:], guest.updates, strict=False):
        assert "view" not in update
        assert update.get("patch", {}) == make_patch(old, new)
        assert set(shown_cards(update.get("patch", {}))) <= set(shown_cards(new))


@pytest.mark.parametrize("number", range(2))
def test_views_sent_tell_no_more_than_the_rules(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cards put back, buried or handed on in secret; cards that only the two players know."""
    key = random.Random(f"key/{number}").randbytes(32).hex()
    monkeypatch.setattr(seating, "new_secret", lambda: key)

    async def play() -> tuple[Setup, list[int], Sent]:
        async with serving(tmp_path) as house:
            return await play_over_the_wire(house, random.Random(f"wire/{number}"))

    setup, answers, sent = asyncio.run(play())
    checked = 0

    def look(oracle: Oracle, given: int) -> None:
        nonlocal checked
        for viewer, views in sent.items():
            for c in shown_cards(views.get(given, {})):
                oracle.check(viewer, c, f"the view sent after {given} answers")
                checked += 1

    replay_watched(setup, answers, look)
    assert checked > 500
