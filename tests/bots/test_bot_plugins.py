"""Third-party bots: files and packages, what is rejected and why, and what a bot can reach."""

from __future__ import annotations

import gc
import re
import types
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from random import Random

import pytest

from smashup.bots import plugins
from smashup.bots.bot import Advice, Bot, ProgressCallback
from smashup.bots.consistent_deals import deal_consistently
from smashup.bots.information_set import InformationSet
from smashup.bots.levels import BUILT_IN_NAMES, check_level, make_bot
from smashup.bots.plugins import BotError, PluginBot, register_bot_files
from smashup.cards import catalogue
from smashup.engine.errors import SetupError
from smashup.engine.game import Game
from smashup.engine.model.catalogue import Catalogue
from smashup.engine.model.decisions import FACTIONS
from smashup.engine.model.setup import Setup
from smashup.engine.model.state import State
from smashup.engine.rules import visibility
from smashup.terminal.game.seats import Seat
from smashup.terminal.main import main

VALID_BOT = """
from smashup.bots.bot import Bot

class Big(Bot):
    name = "big"

    def think(self, info, progress):
        return info.num_options - 1
"""


@pytest.fixture(autouse=True)
def no_registered_bots() -> Iterator[None]:
    yield
    plugins._named.clear()
    plugins._loaded.clear()


def write_bot(folder: Path, code: str = VALID_BOT) -> Path:
    path = folder / "my_bot.py"
    path.write_text(code)
    return path


# --- loading ----------------------------------------------------------------------------------


def test_a_bot_plays_from_a_file(tmp_path: Path) -> None:
    path = write_bot(tmp_path)
    game = Game(Setup(players=2, seed=3), catalogue())
    for name in (f"{path}:Big", str(path)):
        assert make_bot(name, 1).choose(InformationSet(game)) == len(game.decision.options) - 1  # type: ignore[union-attr]


def test_a_bot_file_makes_its_bots_available_by_name(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="no bot called “Big”"):
        make_bot("Big")
    assert register_bot_files([str(write_bot(tmp_path))], BUILT_IN_NAMES) == ["big"]
    assert isinstance(make_bot("Big"), PluginBot)
    check_level("big")
    with pytest.raises(SetupError, match="no bot called “other”"):
        check_level("other")


def test_an_installed_package_offers_a_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_bot(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    points = [EntryPoint("huge", "my_bot:Big", plugins.GROUP), EntryPoint("odd", "my_bot:x", "")]
    monkeypatch.setattr(plugins, "_entry_points", lambda: points)
    assert isinstance(make_bot("huge"), PluginBot)
    check_level("huge")
    assert Seat.parse("Huge:Bo", 2) == Seat("huge", "Bo")
    with pytest.raises(BotError, match="odd cannot be loaded: AttributeError"):
        make_bot("odd")


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("def (", "my_bot.py:1: This is not valid Python"),
        ("x = 1 / 0\n", "my_bot.py:1: The file cannot be loaded: ZeroDivisionError"),
        ("import sys\nsys.exit(0)\n", "my_bot.py:2: The file exits the program"),
        ("x = 1\n", "The file defines no bot"),
        (
            VALID_BOT.replace("def think", "def thikn"),
            "my_bot.py:4: Big: The bot has no method think(self, info, progress). Rename thikn to"
            " think?",
        ),
        (VALID_BOT.replace("(Bot)", ""), "my_bot.py:4: Big: The class has to extend Bot"),
        (VALID_BOT.replace("info, progress", "info"), "my_bot.py:7: Big: think has to take"),
        (VALID_BOT.replace('"big"', '"easy"'), "there is a bot called easy already"),
        (VALID_BOT.replace('"big"', "5"), "my_bot.py:5: Big: name has to be text"),
        (VALID_BOT.replace('"big"', '"a,b"'), "without commas and colons, not 'a,b'."),
    ],
)
def test_a_bad_bot_file_is_one_sentence_at_the_start(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], code: str, sentence: str
) -> None:
    path = write_bot(tmp_path, code)
    for command in (["duel", "random", "random"], ["serve"], ["play"], ["lab", "matrix"]):
        assert main([*command, "--bot-file", str(path)]) == 2
        shown = capsys.readouterr()
        assert sentence in shown.err
        assert len(shown.err.strip().splitlines()) == 1


@pytest.mark.parametrize("processes", ["1", "2"])
def test_a_duel_shows_the_traceback_of_a_bot(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], processes: str
) -> None:
    path = write_bot(tmp_path, VALID_BOT.replace("return info.num_options - 1", "return {}['x']"))
    duel = ["duel", f"{path}:Big", "random", "--games", "2", "--processes", processes]
    assert main(duel) == 1
    shown = capsys.readouterr().err
    assert f'File "{path}", line 8, in think' in shown
    assert re.search("The bot .*my_bot.py:Big failed: KeyError: 'x'", shown)


def test_a_duel_ends_if_a_bot_chooses_what_is_not_an_option(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_bot(tmp_path, VALID_BOT.replace("info.num_options - 1", "None"))
    assert main(["duel", str(path), "random", "--games", "2", "--processes", "1"]) == 1
    assert "chose None, which is not one of the" in capsys.readouterr().err


@pytest.mark.parametrize("answer", ["99", "-1", "True", "None", "'0'"])
def test_an_answer_that_is_not_an_option_is_an_error(tmp_path: Path, answer: str) -> None:
    path = write_bot(tmp_path, VALID_BOT.replace("info.num_options - 1", answer))
    bot = make_bot(str(path))
    bot.is_strict = True
    info = InformationSet(Game(Setup(players=2, seed=3), catalogue()))
    with pytest.raises(BotError, match="is not one of the"):
        bot.choose(info)


@pytest.mark.parametrize("failure", ["raise ValueError", "raise SystemExit", "return 99"])
def test_a_failing_bot_answers_at_random_at_a_table(tmp_path: Path, failure: str) -> None:
    bot = make_bot(
        str(write_bot(tmp_path, VALID_BOT.replace("return info.num_options - 1", failure)))
    )
    info = InformationSet(Game(Setup(players=2, seed=3), catalogue()))
    assert bot.choose(info) in range(info.num_options)


# --- what a bot can reach ---------------------------------------------------------------------


class CollectingBot(Bot):
    """A bot that keeps the information sets it receives."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self.received: InformationSet | None = None

    def think(self, info: InformationSet, progress: ProgressCallback) -> Advice:
        self.received = info
        info.sample(self.rng)
        return Advice(self.rng.randrange(info.num_options))


def find_reachable(start: object) -> list[object]:
    """All objects reachable through attributes, containers and closures, but not through modules,
    classes and the global variables of functions."""
    seen: dict[int, object] = {}
    todo = [start]
    while todo:
        found = todo.pop()
        if id(found) in seen or isinstance(found, type | types.ModuleType | Catalogue):
            continue
        seen[id(found)] = found
        if isinstance(found, types.FunctionType):
            todo += [cell.cell_contents for cell in found.__closure__ or ()]
            todo += [*(found.__defaults__ or ())]
        else:
            todo += gc.get_referents(found)
    return list(seen.values())


def positions(seeds: range) -> Iterator[Game]:
    """Decisions of random games, in the middle of cards too."""
    for seed in seeds:
        game = Game(Setup(players=2 + seed % 3, seed=7_001 + seed), catalogue())
        rng = Random(seed)
        while (decision := game.decision) is not None and len(game.answers) < 200:
            if len(decision.options) > 1 and decision.kind != FACTIONS and rng.random() < 0.15:
                yield game
            game.choose(rng.randrange(len(decision.options)))


def test_the_real_hidden_cards_cannot_be_reached_from_what_a_bot_receives() -> None:
    checked = in_the_middle = 0
    for game in positions(range(6)):
        decision = game.decision
        assert decision is not None
        hidden = visibility.hidden_cards(game.table, decision.player)
        real = [game.table.state.definition[c] for pool in hidden.pools for c in pool]
        collector = CollectingBot()
        PluginBot(1, "collector", collector).choose(InformationSet(game))
        if collector.received is None:
            continue  # the options are all alike
        reached = find_reachable(collector.received)
        # A copy that has not run yet has an empty state.
        states = [found for found in reached if isinstance(found, State) and found.definition]
        assert states
        assert not {id(game), id(game.table), id(game.table.state), id(game.table.checkpoint)} & {
            id(found) for found in reached
        }
        for state in states:
            cards = [state.definition[c] for pool in hidden.pools for c in pool]
            assert cards != real
            same = sum(a is b for a, b in zip(cards, real, strict=True))
            assert same < len(real) / 2
        lists = [found for found in reached if isinstance(found, list)]
        assert not any(found == game.table.state.definition for found in lists)
        assert game.setup.seed not in [getattr(found, "seed", None) for found in reached]
        checked += 1
        in_the_middle += not game.at_menu
    assert checked > 100
    assert in_the_middle > 40


def test_a_bot_sees_and_answers_the_same_decision() -> None:
    same = total = 0
    for game in positions(range(20, 26)):
        decision = game.decision
        assert decision is not None
        info = InformationSet(game)
        safe = info.without_secrets(deal_consistently(game, decision.player))
        assert safe.view() == game.view(decision.player)
        assert len(safe.options) == len(decision.options)
        assert safe.keys == info.keys
        dealt = deal_consistently(game, decision.player)
        same += dealt.view(decision.player) == game.view(decision.player)
        total += 1
    assert same >= 0.98 * total


def test_what_a_bot_receives_does_not_depend_on_the_hidden_cards() -> None:
    """At a play menu the dealt table is the same wherever the hidden cards are."""
    for game in positions(range(3)):
        decision = game.decision
        if decision is None or not game.at_menu:
            continue
        other = game.determinize(decision.player, Random(5).randrange)
        one, two = (deal_consistently(g, decision.player) for g in (game, other))
        assert one.digest() == two.digest()


def test_the_guide_shows_the_bots_of_the_example() -> None:
    root = Path(__file__).parents[2]
    code = (root / "examples" / "heavy_hitter.py").read_text()
    guide = (root / "docs" / "your-bot.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", guide, re.DOTALL)
    assert len(blocks) == 2
    for block in blocks:
        assert block[block.index("class ") :].strip() in code
    game = Game(Setup(players=2, seed=3), catalogue())
    for name in ("HeavyHitter", "Planner"):
        bot = make_bot(f"{root / 'examples' / 'heavy_hitter.py'}:{name}")
        bot.is_strict = True
        assert bot.choose(InformationSet(game)) in range(InformationSet(game).num_options)
