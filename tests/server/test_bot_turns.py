"""Turns on the bots' processes: a fair share for every address and table."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from smashup.server.bots import bot_turns
from smashup.server.bots.bot_pool import search_milliseconds
from smashup.server.bots.bot_turns import BotTurn, BotTurns, Claim


class Clock:
    """A clock that advances only on request."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(bot_turns, "time", clock)
    return clock


class TurnRequesters:
    """Tables that request one bot turn after the other, and the turns that each of them got."""

    def __init__(self, clock: Clock, processes: int = 1) -> None:
        self.clock = clock
        self.turns = BotTurns(processes)
        self.served: list[str] = []
        self.running: list[tuple[float, BotTurn]] = []
        self._tasks: list[asyncio.Task[None]] = []

    def add(self, claim: Claim, seconds: float, is_quick: bool = False) -> None:
        """Add a table whose bots request the next turn immediately."""
        self._tasks.append(asyncio.create_task(self._request_turns(claim, seconds, is_quick)))

    async def _request_turns(self, claim: Claim, seconds: float, is_quick: bool) -> None:
        while True:
            turn = await self.turns.take(claim, seconds, is_quick)
            self.served.append(claim.table)
            done = asyncio.Event()
            self.running.append((self.clock.now + seconds, turn))
            turn.release_later = done  # type: ignore[attr-defined]
            await done.wait()

    async def run(self, seconds: float) -> Counter[str]:
        """Let time pass; return how many turns each table got."""
        ends = self.clock.now + seconds
        self.served.clear()
        while True:
            for _ in range(3):
                await asyncio.sleep(0)
            if not self.running:
                break
            first = min(self.running, key=lambda entry: entry[0])
            if first[0] > ends:
                break
            self.running.remove(first)
            self.clock.now, turn = first
            turn.release()
            turn.release_later.set()  # type: ignore[attr-defined]
        self.clock.now = ends
        return Counter(self.served)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


async def test_addresses_get_equal_time_with_any_number_of_tables(clock: Clock) -> None:
    bench = TurnRequesters(clock)
    for number in range(25):
        bench.add(Claim(f"attack{number}", ("attacker",)), 1.0)
    bench.add(Claim("honest", ("elsewhere",)), 1.0)
    served = await bench.run(100)
    assert 48 <= served["honest"] <= 52
    others = [served[f"attack{number}"] for number in range(25)]
    assert min(others) >= 1
    assert max(others) <= 3
    await bench.close()


async def test_shares_are_measured_in_time(clock: Clock) -> None:
    bench = TurnRequesters(clock)
    for number in range(2):
        bench.add(Claim(f"slow{number}", ("one",)), 1.0)
        bench.add(Claim(f"fast{number}", ("two",)), 0.1)
    served = await bench.run(100)
    assert 45 <= served["slow0"] + served["slow1"] <= 55
    assert 450 <= served["fast0"] + served["fast1"] <= 550
    await bench.close()


async def test_idle_addresses_do_not_accumulate_credit(clock: Clock) -> None:
    bench = TurnRequesters(clock)
    bench.add(Claim("busy", ("one",)), 1.0)
    await bench.run(1000)
    bench.add(Claim("late", ("two",)), 1.0)
    served = await bench.run(20)
    assert 9 <= served["late"] <= 11
    await bench.close()


async def test_tables_without_viewers_get_a_small_share(clock: Clock) -> None:
    bench = TurnRequesters(clock)
    for number in range(10):
        bench.add(Claim(f"unwatched{number}", ("one",), watched=False), 1.0)
    for number in range(2):
        bench.add(Claim(f"watched{number}", ("two",)), 1.0)
    served = await bench.run(110)
    assert 98 <= served["watched0"] + served["watched1"] <= 102
    unwatched = [served[f"unwatched{number}"] for number in range(10)]
    assert min(unwatched) >= 1
    assert sum(unwatched) <= 12
    await bench.close()


async def test_quick_bots_never_wait_for_a_search(clock: Clock) -> None:
    turns = BotTurns(2)
    searching = [await turns.take(Claim(f"t{n}"), 1.0, is_quick=False) for n in range(2)]
    quick = await turns.take(Claim("quick"), 0.02, is_quick=True, timeout=0)
    assert turns.running == 3
    waiting = asyncio.create_task(turns.take(Claim("third"), 1.0, is_quick=False))
    await asyncio.sleep(0)
    assert turns.waiting == 1
    quick.release()
    await asyncio.sleep(0)
    assert turns.waiting == 1, "that slot is not for searches"
    searching[0].release()
    (await waiting).release()
    searching[1].release()
    searching[1].release()  # once is enough
    assert (turns.running, turns.waiting) == (0, 0)


async def test_the_reserved_process_is_only_used_during_searches(clock: Clock) -> None:
    turns = BotTurns(1)
    await turns.take(Claim("one"), 0.02, is_quick=True)
    with pytest.raises(TimeoutError):
        await turns.take(Claim("two"), 0.02, is_quick=True, timeout=0.01)
    assert (turns.running, turns.waiting) == (1, 0), "who gave up does not wait"


async def test_a_table_gains_priority_with_its_first_viewer(clock: Clock) -> None:
    turns = BotTurns(1)
    first = await turns.take(Claim("first"), 1.0, is_quick=False)
    order: list[str] = []

    async def wait(claim: Claim) -> None:
        turn = await turns.take(claim, 1.0, is_quick=False)
        order.append(claim.table)
        clock.now += 1.0
        turn.release()

    waiting = [asyncio.create_task(wait(Claim(name, (name,), watched=False))) for name in "abc"]
    await asyncio.sleep(0)
    turns.reclassify(Claim("c", ("c",), watched=True))
    first.release()
    await asyncio.gather(*waiting)
    assert order == ["a", "c", "b"], "the first unwatched table has its share, then c goes up"


async def test_a_table_is_charged_to_the_player_with_the_least_usage(clock: Clock) -> None:
    """A player who joins another player's table does not slow it down."""

    bench = TurnRequesters(clock)
    for number in range(5):
        bench.add(Claim(f"attack{number}", ("attacker",)), 1.0)
    bench.add(Claim("shared", ("attacker", "honest")), 1.0)
    served = await bench.run(100)
    assert served["shared"] >= 48
    await bench.close()


async def test_a_cancelled_turn_is_removed(clock: Clock) -> None:
    turns = BotTurns(1)
    first = await turns.take(Claim("first"), 1.0, is_quick=False)
    waiting = asyncio.create_task(turns.take(Claim("second"), 1.0, is_quick=False))
    await asyncio.sleep(0)
    first.release()  # the second one is granted its turn, and is cancelled before it notices
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    assert (turns.running, turns.waiting) == (0, 0)


def test_search_times_of_levels() -> None:
    assert [search_milliseconds(level) for level in ("easy", "normal", "hard", "expert")] == [
        0, 0, 250, 1400,
    ]  # fmt: skip
    assert search_milliseconds("nobody") == 0
