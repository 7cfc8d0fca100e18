"""Clients receive no more hidden cards than the rules allow."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest

from smashup.engine.game import Game
from smashup.engine.model.setup import Setup
from smashup.server.live.view_patch import make_patch
from smashup.server.tables.seats import seating
from tests.knowledge_oracle import SPECTATOR, Oracle, replay_watched, shown_cards
from tests.server.live_server import GameClient, LiveServer, run_server, wait_for_decision

DECKS = (["Russian Fairy Tales", "Mega Troopers"], ["Super Spies", "Astroknights"])
"""Factions that look at cards, show them, put them back secretly and see other hands."""
ANSWERS = 80

Sent = dict[int, dict[int, dict[str, Any]]]
"""The last view sent to each viewer, by the number of answers."""


async def play_over_the_wire(
    server: LiveServer, rng: random.Random
) -> tuple[Setup, list[int], Sent]:
    """Play some turns; return the game, its answers, and the views sent to each connection."""
    seats = [{"kind": "me", "factions": factions} for factions in DECKS]
    answer = await server.post("", seats=seats, mode="choose")
    assert answer.status_code == 201, answer.text
    found = answer.json()
    table = found["table"]["id"]
    secrets = [seat["secret"] for seat in found["seats"]]
    sent: Sent = {0: {}, 1: {}, SPECTATOR: {}}
    async with (
        server.connect(table, secrets[0]) as ana,
        server.connect(table, secrets[1]) as bo,
        server.connect(table) as watcher,
    ):
        clients = {0: ana, 1: bo, SPECTATOR: watcher}
        live = server.registry.tables[table]
        while len(live.answers) < ANSWERS and not ana.is_over:
            asked = await wait_for_decision(list(clients.values()))
            for viewer, client in clients.items():
                assert client.view is not None
                sent[viewer][len(live.answers)] = client.view
            assert (await asked.answer(rng.randrange(len(asked.options))))["type"] == "ack"
        for client in clients.values():
            await client.request(type="ping")
        assert live.game is not None
        # The table in memory drops sent events.
        game = Game.replay(live.game.setup, live.game.catalogue, live.game.answers)
        for viewer, client in clients.items():
            _check_patches(client)
            told = {n: str(line) for n, line in game.log_lines(viewer)}
            assert client.log == {n: told[n] for n in client.log}
            changes = [c for m in client.received if m["type"] == "update" for c in m["changes"]]
            assert len(changes) > ANSWERS / 2
            assert all(change in game.events(viewer) for change in changes)
        return Setup.from_json(live.record.setup), [a.option for a in live.answers], sent


def _check_patches(client: GameClient) -> None:
    """Updates contain only the cards that changed from one view to the next."""
    views = [
        message["view"] for message in client.received if message["type"] in ("snapshot", "update")
    ]
    assert len(client.updates) == len(views) - 1 > ANSWERS / 2
    for old, new, update in zip(views, views[1:], client.updates, strict=False):
        assert "view" not in update
        assert update.get("patch", {}) == make_patch(old, new)
        assert set(shown_cards(update.get("patch", {}))) <= set(shown_cards(new))


@pytest.mark.parametrize("number", range(2))
def test_sent_views_reveal_no_hidden_cards(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cards put back, buried or passed on secretly; cards that only two players know."""
    key = random.Random(f"key/{number}").randbytes(32).hex()
    monkeypatch.setattr(seating, "new_secret", lambda: key)

    async def play() -> tuple[Setup, list[int], Sent]:
        async with run_server(tmp_path) as server:
            return await play_over_the_wire(server, random.Random(f"wire/{number}"))

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
