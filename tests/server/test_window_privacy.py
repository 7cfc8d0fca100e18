"""Specials windows over the wire: other viewers cannot tell whether anyone can act.

Each test plays two games that differ only in cards or choices hidden from a viewer, sends the same
probes from that viewer to both, and compares everything the viewer and a spectator receive until
the shorter of the two windows closes.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect

from smashup.cards import catalogue
from smashup.engine.game import Game
from smashup.engine.model.setup import Setup
from smashup.engine.replay.dealing import Dealer
from smashup.engine.views.view import SPECTATOR
from smashup.server.live.protocol import PROTOCOL
from smashup.server.live.view_patch import complete_update
from smashup.server.storage.records import PERSON, PLAYING, SeatRecord, TableRecord
from smashup.server.storage.store import store_at
from smashup.server.tables.decisions.specials_windows import is_window, pass_option
from smashup.server.tables.seats.seating import hash_secret
from smashup.server.tables.table_log import answer_entry
from tests.server.live_server import LiveServer, run_server
from tests.server.test_windows import OPTIONS

PLAYERS = 3
SLOTS = (0.5, 3.0)
"""Seconds for each player in a window; the longer time is for a busy machine."""
MIN_PROBES = 6
"""Minimum number of answered probes that make a comparison meaningful."""
PROBE_SECONDS = 0.1
FACTIONS = (
    ("Astroknights", "Time Travelers"),
    ("Super Spies", "Ignobles"),
    ("Mega Troopers", "Luchadors"),
)
"""Factions with several Specials each."""


@dataclass
class DealtTable:
    """A table dealt from one viewer's knowledge, and the answers from a play menu to a window."""

    game: Game
    """The game when the window opens."""
    start: dict[str, Any]
    answers: list[tuple[int, int]]
    """Seat and option of each answer since the menu."""
    asked: list[tuple[int, bool]]
    """Who is asked, in order, if all players pass; and whether each could play something."""

    @property
    def able(self) -> list[int]:
        return [seat for seat, able in self.asked if able]


def find_window(dealt: Game, answers: list[int]) -> DealtTable | None:
    """Return the window to which the answers lead on a dealt table; None if there is none."""
    start = dealt.table.checkpoint.to_dict()
    seats = []
    for option in answers:
        decision = dealt.decision
        if decision is None or option >= len(decision.options):
            return None
        seats.append((decision.player, option))
        dealt.choose(option)
    if dealt.decision is None or not is_window(dealt.decision):
        return None
    walk = dealt.clone()
    asked: list[tuple[int, bool]] = []
    opened = public_view(walk)
    while (decision := walk.decision) is not None and is_open(walk, opened):
        asked.append((decision.player, len(decision.options) > 1))
        walk.choose(pass_option(decision))
    return DealtTable(dealt, start, seats, asked)


def public_view(game: Game) -> Mapping[str, Any]:
    """Return the public view of a game without its decision."""
    return {**game.view(SPECTATOR), "decision": None}


def is_open(game: Game, opened: Mapping[str, Any]) -> bool:
    """Whether a window is still open. After closing, something visible happens, and another window
    may follow at once."""
    decision = game.decision
    return decision is not None and is_window(decision) and public_view(game) == opened


@cache
def find_pair(
    *, viewer_moved_last: bool = False, both_able: bool = False
) -> tuple[int, DealtTable, DealtTable]:
    """Return a viewer, and two deals that look the same to the viewer when a window opens.

    On the first, a player who is asked before the viewer can act. On the second nobody can, or,
    with ``both_able``, a player who is asked after the viewer.
    """
    for seed in range(400):
        setup = Setup(players=PLAYERS, seed=seed, ask_everyone=True, factions=FACTIONS)
        game = Game(setup, catalogue())
        rng = random.Random(seed)
        menu: Game | None = None
        inside = False
        while (decision := game.decision) is not None:
            opened = is_window(decision) and not inside
            inside = is_window(decision)
            if game.at_menu:
                menu = game.clone()
            if opened and menu is not None:
                answers = game.answers[len(menu.answers) :]
                for viewer in range(PLAYERS):
                    if (viewer == game.table.state.current) is viewer_moved_last:
                        found = _pair_for(menu, viewer, answers, both_able)
                        if found is not None:
                            return viewer, *found
            game.choose(rng.randrange(len(decision.options)))
    pytest.fail("no such pair of deals")


def _pair_for(
    menu: Game, viewer: int, answers: list[int], both_able: bool
) -> tuple[DealtTable, DealtTable] | None:
    dealer = Dealer(menu, viewer)
    before: list[DealtTable] = []
    after: list[DealtTable] = []
    unable: list[DealtTable] = []
    for number in range(20):
        dealt = find_window(dealer.deal(random.Random(number)), answers)
        order = [seat for seat, _ in dealt.asked] if dealt is not None else []
        if dealt is None or viewer in dealt.able or len(set(order)) < PLAYERS:
            continue
        if not dealt.able:
            unable.append(dealt)
        elif len(dealt.able) == 1:
            earlier = order.index(dealt.able[0]) < order.index(viewer)
            (before if earlier else after).append(dealt)
    for one in before:
        for other in after if both_able else unable:
            if one.game.view(viewer) == other.game.view(viewer):
                return one, other
    return None


async def write_table(folder: Path, name: str, dealt: DealtTable) -> None:
    """Store a table that stands at the window; the secrets of its seats are s0, s1, ..."""
    store = store_at(folder / "tables.sqlite")
    await store.open()
    table = TableRecord(
        name, dict(OPTIONS), 1.0, state=PLAYING,
        setup=json.loads(json.dumps(dealt.game.setup.to_json())), start=dealt.start,
    )  # fmt: skip
    seats = [
        SeatRecord(p, PERSON, "normal", secret=hash_secret(f"s{p}"), ready=True)
        for p in range(PLAYERS)
    ]
    # With message ids, because these were choices that could be undone.
    records = [
        answer_entry(number, seat, option, f"before-{number}")
        for number, (seat, option) in enumerate(dealt.answers)
    ]
    await store.create_table(table, seats, records)
    await store.close()


class Transcript:
    """Everything that one connection receives, without values that always differ between tables."""

    def __init__(self, line: ClientConnection) -> None:
        self.line = line
        self.received: list[tuple[float, dict[str, Any]]] = []
        self.state: dict[str, Any] = {}
        """The last state, including the fields that updates omit."""
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for text in self.line:
            message = json.loads(text)
            if message["type"] == "snapshot":
                self.state = message
            elif message["type"] == "update":
                self.state = complete_update(self.state, message)
            for key in ("now", "stream"):
                message.pop(key, None)
            if "table" in message:
                message["table"] = {**message["table"], "id": ""}
            self.received.append((time.monotonic(), message))

    async def stop(self) -> None:
        self._reading.cancel()
        await asyncio.gather(self._reading, return_exceptions=True)

    @property
    def number(self) -> int:
        """The last decision number."""
        return self.state["number"] or 0

    @property
    def decision(self) -> dict[str, Any]:
        found: dict[str, Any] = self.state["view"]["decision"]
        return found

    def until(self, moment: float) -> list[dict[str, Any]]:
        return [message for at, message in self.received if at < moment]


async def probe(transcript: Transcript, beginning: float, closes: float) -> None:
    """Send answers, undos and previews at fixed times, whose replies might reveal something."""
    step = 0
    while (at := beginning + (step + 0.5) * PROBE_SECONDS) < closes:
        await asyncio.sleep(max(0.0, at - time.monotonic()))
        for number in (transcript.number, transcript.number + 1):
            for said in (
                {"type": "answer", "number": number, "options": [0]},
                {"type": "undo", "number": number},
                {"type": "preview", "number": number, "option": 0},
            ):
                said["id"] = f"{step}-{number}-{said['type']}"
                await transcript.line.send(json.dumps(said))
        step += 1


async def pass_when_asked(transcript: Transcript, seconds: float) -> None:
    """Wait until the player is asked, think, and pass."""
    while not transcript.state or "options" not in transcript.decision:
        await asyncio.sleep(0.02)
    await asyncio.sleep(seconds)
    options = [len(transcript.decision["options"]) - 1]
    said = {"type": "answer", "id": "pass", "number": transcript.number, "options": options}
    await transcript.line.send(json.dumps(said))


async def watch_window(
    server: LiveServer, name: str, viewer: int, dealt: DealtTable, slot: float, thinking: float
) -> tuple[list[tuple[float, dict[str, Any]]], list[tuple[float, dict[str, Any]]], float]:
    """Watch a table until its window closes.

    Return what the viewer and a spectator receive after all clients are connected, with times since
    then, and when the window closed.
    """
    async with AsyncExitStack() as stack:

        async def transcribe(secret: str | None) -> Transcript:
            line = await stack.enter_async_context(connect(server.socket_url(name), max_queue=None))
            transcript = Transcript(line)
            stack.push_async_callback(transcript.stop)
            hello: dict[str, Any] = {"type": "hello", "id": "hello", "protocol": PROTOCOL}
            await line.send(json.dumps(hello | ({"secret": secret} if secret else {})))
            while len(transcript.received) < 2:
                await asyncio.sleep(0.005)
            return transcript

        # The window opens when the table is loaded, with the first connection.
        opened_at = time.monotonic()
        seats = {seat: await transcribe(f"s{seat}") for seat in range(PLAYERS)}
        spectator = await transcribe(None)
        # All clients are connected from here on.
        await asyncio.sleep(opened_at + 0.6 * slot - time.monotonic())
        beginning = time.monotonic()
        tasks = [asyncio.create_task(pass_when_asked(seats[s], thinking)) for s in dealt.able]
        closes = opened_at + slot * PLAYERS
        tasks.append(asyncio.create_task(probe(seats[viewer], beginning, closes)))
        stack.callback(lambda: [task.cancel() for task in tasks])
        live = server.registry.tables[name]
        assert live.game is not None
        opened = public_view(live.game)
        while is_open(live.game, opened):
            assert time.monotonic() < beginning + 30
            await asyncio.sleep(0.005)
        closed_at = time.monotonic()
        assert closed_at - opened_at > slot * PLAYERS
        return (
            [(at - beginning, message) for at, message in seats[viewer].received],
            [(at - beginning, message) for at, message in spectator.received],
            closed_at - beginning,
        )


def compare(
    folder: Path, viewer: int, one: DealtTable, other: DealtTable, thinking: float = 1.2
) -> None:
    """Compare what the viewer receives at two tables, often enough to be meaningful."""
    for slot in SLOTS:
        if asyncio.run(compare_windows(folder, viewer, one, other, slot, thinking)) >= MIN_PROBES:
            return
    pytest.fail("the machine is too busy to compare anything")


async def compare_windows(
    folder: Path, viewer: int, one: DealtTable, other: DealtTable, slot: float, thinking: float
) -> int:
    """Compare the messages of two tables; return the number of answered probes."""
    names = (f"one{SLOTS.index(slot)}", f"other{SLOTS.index(slot)}")
    for name, dealt in zip(names, (one, other), strict=True):
        await write_table(folder, name, dealt)
    async with run_server(folder, min_window_seconds=slot * PLAYERS) as server, asyncio.timeout(60):
        first, second = await asyncio.gather(
            watch_window(server, names[0], viewer, one, slot, thinking),
            watch_window(server, names[1], viewer, other, slot, thinking),
        )
    shorter = min(first[2], second[2])
    for mine, theirs in zip(first[:2], second[:2], strict=True):
        here, there = (
            [message for at, message in received if 0 < at < shorter - 0.05]
            for received in (mine, theirs)
        )
        count = min(len(here), len(there))
        assert here[:count] == there[:count]
        kinds = {message["type"] for message in here}
        assert kinds <= {"refused"}, "nothing happens until the window closes"
    return sum(message["type"] == "refused" for _, message in first[0])


def test_a_waiting_player_cannot_tell_whether_anyone_can_act(tmp_path: Path) -> None:
    viewer, able, unable = find_pair()
    compare(tmp_path, viewer, able, unable)


def test_the_player_who_moved_last_cannot_tell_whether_anyone_can_act(tmp_path: Path) -> None:
    viewer, able, unable = find_pair(viewer_moved_last=True)
    compare(tmp_path, viewer, able, unable)


def test_timing_does_not_reveal_who_is_asked(tmp_path: Path) -> None:
    viewer, one, other = find_pair(both_able=True)
    compare(tmp_path, viewer, one, other)


def test_a_restart_during_a_window_reveals_nothing(tmp_path: Path) -> None:
    """The server has passed for the viewer, and another player is being asked."""
    viewer, _, later = find_pair(both_able=True)
    given = len(later.answers)

    async def look(server: LiveServer) -> dict[str, Any]:
        async with server.connect("later", f"s{viewer}") as guest:
            live = server.registry.tables["later"]
            while viewer not in [answer.seat for answer in live.answers[given:]]:
                await asyncio.sleep(0.01)
            await guest.request(type="ping")
            assert live.game is not None
            assert live.game.decision is not None
            assert live.game.decision.player == later.able[0]
            return {key: guest.state[key] for key in ("view", "number", "can_undo", "clock")}

    async def visit() -> None:
        await write_table(tmp_path, "later", later)
        async with run_server(tmp_path, min_window_seconds=0.1) as server:
            before = await look(server)
            assert before["number"] == [seat for seat, _ in later.answers].count(viewer)
        async with run_server(tmp_path, min_window_seconds=0.1) as server:
            assert await look(server) == before

    asyncio.run(visit())
