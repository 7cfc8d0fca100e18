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
"""Seconds for each player in a window; the longer one where the machine is too busy to probe."""
MIN_PROBES = 6
"""Seconds each seat's part of the window lasts."""
PROBE_SECONDS = 0.1
FACTIONS = (
    ("Astroknights", "Time Travelers"),
    ("Super Spies", "Ignobles"),
    ("Mega Troopers", "Luchadors"),
)
"""Factions with several Specials each."""


@dataclass
class Dealt:
    """A table as one viewer may imagine it, at a play menu, and the way from there to a window."""

    game: Game
    """At the opening of the window."""
    start: dict[str, Any]
    answers: list[tuple[int, int]]
    """Seat and option of each answer since the menu."""
    asked: list[tuple[int, bool]]
    """Who is asked, in order, if everybody passes; and whether they hold something to play."""

    @property
    def able(self) -> list[int]:
        return [seat for seat, able in self.asked if able]


def look_into(dealt: Game, answers: list[int]) -> Dealt | None:
    """Where the answers lead on a dealt table, if that is a window."""
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
    opened = visible(walk)
    while (decision := walk.decision) is not None and is_open(walk, opened):
        asked.append((decision.player, len(decision.options) > 1))
        walk.choose(pass_option(decision))
    return Dealt(dealt, start, seats, asked)


def visible(game: Game) -> Mapping[str, Any]:
    """Return the public view of a game without its decision."""
    return {**game.view(SPECTATOR), "decision": None}


def is_open(game: Game, opened: Mapping[str, Any]) -> bool:
    """Whether a window is still open. After closing, something visible happens, and another window
    may follow at once."""
    decision = game.decision
    return decision is not None and is_window(decision) and visible(game) == opened


@cache
def find_pair(
    *, viewer_moved_last: bool = False, both_able: bool = False
) -> tuple[int, Dealt, Dealt]:
    """A viewer, and two deals that the viewer cannot tell apart when a window opens.

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
) -> tuple[Dealt, Dealt] | None:
    dealer = Dealer(menu, viewer)
    before: list[Dealt] = []
    after: list[Dealt] = []
    unable: list[Dealt] = []
    for number in range(20):
        dealt = look_into(dealer.deal(random.Random(number)), answers)
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


async def write_table(folder: Path, name: str, dealt: Dealt) -> None:
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
    # With a message: these were choices, and could be undone.
    records = [
        answer_entry(number, seat, option, f"before-{number}")
        for number, (seat, option) in enumerate(dealt.answers)
    ]
    await store.create_table(table, seats, records)
    await store.close()


class Transcript:
    """Everything one connection receives, without what differs between any two tables."""

    def __init__(self, line: ClientConnection) -> None:
        self.line = line
        self.received: list[tuple[float, dict[str, Any]]] = []
        self.state: dict[str, Any] = {}
        """What was shown last, with all that updates leave out."""
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
        """The decision number that was shown last."""
        return self.state["number"] or 0

    @property
    def decision(self) -> dict[str, Any]:
        found: dict[str, Any] = self.state["view"]["decision"]
        return found

    def until(self, moment: float) -> list[dict[str, Any]]:
        return [message for at, message in self.received if at < moment]


async def probe(transcript: Transcript, beginning: float, closes: float) -> None:
    """PreviewRequest, in step with the clock, for everything that might give something away."""
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
    """Be asked in the window, think for a while, and pass."""
    while not transcript.state or "options" not in transcript.decision:
        await asyncio.sleep(0.02)
    await asyncio.sleep(seconds)
    options = [len(transcript.decision["options"]) - 1]
    said = {"type": "answer", "id": "pass", "number": transcript.number, "options": options}
    await transcript.line.send(json.dumps(said))


async def watch_window(
    server: LiveServer, name: str, viewer: int, dealt: Dealt, slot: float, thinking: float
) -> tuple[list[tuple[float, dict[str, Any]]], list[tuple[float, dict[str, Any]]], float]:
    """One table until its window closes: what the viewer and a spectator receive once everyone is
    connected, with times since then, and when the window closed."""
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
        opened = visible(live.game)
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


def compare(folder: Path, viewer: int, one: Dealt, other: Dealt, thinking: float = 1.2) -> None:
    """Compare what the viewer receives at two tables, often enough to be meaningful."""
    for slot in SLOTS:
        if asyncio.run(compare_windows(folder, viewer, one, other, slot, thinking)) >= MIN_PROBES:
            return
    pytest.fail("the machine is too busy to compare anything")


async def compare_windows(
    folder: Path, viewer: int, one: Dealt, other: Dealt, slot: float, thinking: float
) -> int:
    """Compare the messages of two tables; how many probes were answered meanwhile."""
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
