"""No program depends on English texts: with placeholders instead, everything works as before.

Prompts, labels, modes, log lines and errors become «§» and a number, with the same gaps. Names of
cards, bases and factions stay: they are ids in setups, saves and scenario files.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from string import Formatter
from typing import Any
from zlib import crc32

import pytest

from smashup.bots.information_set import InformationSet
from smashup.bots.levels import make_bot
from smashup.cards import catalogue
from smashup.engine.game import Game
from smashup.engine.model.decisions import WORDS, Decision
from smashup.engine.model.messages import Message
from smashup.engine.saves.snapshots import restore
from smashup.engine.views.sentences import message
from smashup.engine.views.types import View
from smashup.rules.index import load_index
from smashup.rules.lesson import (
    LEARNER,
    choose_rival_answer,
    lesson_setup,
    lesson_start_state,
    load_advice,
)
from smashup.server.replays.recording import FinishedGame, load_recording, record
from tests.random_games import random_setup
from tests.server.live_server import run_server
from tests.server.test_windows import make_window, store_game

SEEDS = (1, 2, 3, 4, 5, 6)


def placeholder(text: str) -> str:
    """Return a placeholder with the same gaps, always the same for the same text."""
    if text.startswith("§") or not any(map(str.isalpha, text)):
        return text
    gaps = [f"{{{gap}}}" for _, gap, _, _ in Formatter().parse(text) if gap]
    return " ".join([f"§{crc32(text.encode())}", *gaps])


@contextmanager
def no_english() -> Iterator[None]:
    """Replace all texts that the engine and the server write."""
    write_message, decision = Message.__init__, Decision.__init__

    def write(self: Message, text: str, args: dict[str, Any]) -> None:
        write_message(self, placeholder(text), args)

    def ask(self: Decision, *args: Any) -> None:
        decision(self, *args)
        self.prompt = placeholder(self.prompt)
        if self.kind == WORDS:
            self.options = [placeholder(option) for option in self.options]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Message, "__init__", write)
        patch.setattr(Decision, "__init__", ask)
        yield


def is_replaced(view: View) -> bool:
    """Return whether the view of the deciding player contains placeholders."""
    decision = view["decision"]
    return decision is not None and "§" in decision["question"]["text"]


def describe_log(game: Game) -> list[Any]:
    """Return the event and arguments of each log line, from which the recap is made."""
    lines = game.log_lines(-1)
    return [(game.table.log[at].event, drop_texts(message(line))) for at, line in lines]


def drop_texts(value: Any) -> Any:
    """Return a message as plain data, without its texts and those of nested messages."""
    if isinstance(value, dict):
        is_message = "args" in value
        texts = ("text", "english", "said") if is_message else ()
        return {key: drop_texts(part) for key, part in value.items() if key not in texts}
    if isinstance(value, list | tuple):
        return [drop_texts(part) for part in value]
    return value


def bot_game(seed: int) -> tuple[list[int], str, list[Any], list[Any]]:
    """Play a game of bots; return what its views and log contain besides texts, and the rules that
    its decisions refer to."""
    rng = random.Random(seed)
    game = Game(random_setup(rng, 2 + seed % 3), catalogue())
    bots = [make_bot(("easy", "random")[p % 2], p) for p in range(game.table.num_players)]
    seen: list[Any] = []
    while (decision := game.decision) is not None:
        shown = game.view(decision.player)["decision"]
        assert shown is not None
        card = shown.get("source", {}).get("name")
        rules = load_index().sections_for_decision(shown["purpose"], card)
        options = [
            {key: value for key, value in option.items() if key != "label"}
            for option in shown["options"]
        ]
        seen.append((shown["purpose"], card, rules, options))
        bot = bots[decision.player]
        game.choose(bot.choose(InformationSet(game, decision.player)))
    return game.answers, game.digest(), seen, describe_log(game)


@pytest.mark.parametrize("seed", SEEDS)
def test_bots_do_not_depend_on_english_texts(seed: int) -> None:
    expected = bot_game(seed)
    with no_english():
        assert bot_game(seed) == expected


def test_all_texts_are_replaced() -> None:
    with no_english():
        game = make_window()
        assert game.decision is not None
        view = game.view(game.decision.player)
        assert is_replaced(view)
        assert all("§" in line.text for _, line in game.log_lines(-1))


def lesson() -> tuple[list[str], list[int]]:
    """Return the coach's advice in the first game, and how the game ends."""
    game = restore(lesson_start_state(catalogue()), lesson_setup(), catalogue())
    received: list[str] = []
    while (decision := game.decision) is not None:
        if decision.player != LEARNER:
            game.choose(choose_rival_answer(game))
            continue
        view = game.view(LEARNER)
        assert view["decision"] is not None
        wanted, option = next(
            (wanted, option["index"])
            for wanted in load_advice()[view["turn"]]
            for option in view["decision"]["options"]
            if wanted.matches(view, option)
        )
        received.append(wanted.id)
        game.choose(option)
    return received, game.winners


def test_the_tutorial_does_not_depend_on_english_texts() -> None:
    expected = lesson()
    with no_english():
        assert lesson() == expected
    assert expected[1] == [LEARNER]


async def table_game(folder: Path) -> tuple[list[tuple[int, int]], list[Any]]:
    """Play a game on a server, from a Specials window to its end; return it with its recording."""
    game = make_window(2)
    table = await store_game(folder, game)
    async with run_server(folder, min_window_seconds=0.0) as server:
        async with server.connect(table, "s0") as one, server.connect(table, "s1") as two:
            await asyncio.gather(*(g.play(random.Random(i)) for i, g in enumerate((one, two))))
        live = server.registry.tables[table]
        given = [(answer.seat or 0, answer.option) for answer in live.answers]
        answers = [option for _, option in given]
        result = FinishedGame(game.setup.to_json(), {}, answers, [], live.record.winners or [])
        recording = load_recording(record(result, catalogue()))
    steps = [(step["answers"], step["turn"], step["menu"]) for step in recording["steps"]]
    return given, [steps, recording["turns"], recording["winners"]]


def test_the_server_does_not_depend_on_english_texts(tmp_path: Path) -> None:
    for name in ("english", "placeholders"):
        (tmp_path / name).mkdir()
    expected = asyncio.run(table_game(tmp_path / "english"))
    with no_english():
        assert asyncio.run(table_game(tmp_path / "placeholders")) == expected
