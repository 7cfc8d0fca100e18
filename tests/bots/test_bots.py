"""Bots see only what their seat sees, answer in time, and take winning moves."""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from smashup.bots.bot import Advice, Bot, ProgressCallback, RandomBot
from smashup.bots.evaluation import FEATURES, WEIGHTS, compute_features, evaluate
from smashup.bots.greedy import GreedyBot
from smashup.bots.information_set import InformationSet
from smashup.bots.levels import LEVELS, NoisyBot, make_bot
from smashup.bots.mcts import MctsBot
from smashup.engine.errors import SetupError
from smashup.engine.game import Game
from smashup.engine.model.constants import MADNESS_DECK
from smashup.engine.model.decisions import DONE, MOVES
from tests.random_games import new_game, random_setup, walk


def positions(count: int, seed: int, players: int = 0) -> Iterator[Game]:
    """Yield random games, each at a decision with several options."""
    rng = random.Random(seed)
    found = 0
    while found < count:
        game = new_game(random_setup(rng, players))
        game.table.logging = False
        wanted = rng.randint(10, 150)
        for number, decision in enumerate(walk(game, rng)):
            if number >= wanted and len(decision.options) > 1:
                found += 1
                yield game
                break


# --- hidden information -----------------------------------------------------------------------


@pytest.mark.parametrize("name", ["random", "greedy", "easy", "mcts:25it"])
def test_hidden_cards_do_not_influence_a_bot(name: str) -> None:
    rng = random.Random(name)
    moved = 0
    for game in positions(10, seed=4):
        decision = game.decision
        assert decision is not None
        me = decision.player
        other = game.determinize(me, rng.randrange)
        assert other.decision is not None
        moved += other.table.state.definition != game.table.state.definition
        here = make_bot(name, 5).advise(InformationSet(game))
        there = make_bot(name, 5).advise(InformationSet(other))
        here.seconds = there.seconds = 0.0
        assert here == there
    assert moved >= 8  # most tables differ


def test_a_bot_sees_what_a_person_sees() -> None:
    rng = random.Random(8)
    for game in positions(15, seed=5):
        decision = game.decision
        assert decision is not None
        info = InformationSet(game)
        assert info.view() == game.view(decision.player)
        sampled = info.sample(rng)
        assert sampled.table.last_menu is None
        assert sampled.view(decision.player) == game.view(decision.player)
        assert sampled.setup.seed == 0
        assert sampled.answers == []


def test_thinking_changes_nothing() -> None:
    for game in positions(6, seed=6):
        before = game.digest()
        answers = game.answers[:]
        MctsBot(1, iterations=20).choose(InformationSet(game))
        GreedyBot(1).choose(InformationSet(game))
        assert game.digest() == before
        assert game.answers == answers


# --- answers in time --------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_different_bots_finish_different_games(seed: int) -> None:
    rng = random.Random(seed)
    game = new_game(random_setup(rng))
    game.table.logging = False
    names = ["mcts:4it", "easy", "random", "greedy"]
    bots = [make_bot(names[p], seed) for p in range(game.table.num_players)]
    while (decision := game.decision) is not None:
        game.choose(bots[decision.player].choose(InformationSet(game)))
    assert game.table.state.winners


def test_the_same_seed_and_iterations_think_the_same() -> None:
    for game in positions(5, seed=9):
        first, again = (MctsBot(3, iterations=40).advise(InformationSet(game)) for _ in range(2))
        assert first.to_dict()["options"] == again.to_dict()["options"]
        assert first.pick == again.pick
    differing = [
        MctsBot(seed, iterations=40).advise(InformationSet(game)).to_dict()["options"]
        for game in positions(1, seed=9)
        for seed in (1, 2)
    ]
    assert differing[0] != differing[1]


@pytest.mark.parametrize("players", [2, 4])
def test_a_search_keeps_its_time_budget(players: int) -> None:
    """The limit is generous: a busy machine may be slow between two clock checks."""
    for game in positions(4, seed=10, players=players):
        began = time.perf_counter()
        MctsBot(1, milliseconds=60).choose(InformationSet(game))
        assert time.perf_counter() - began < 1.0


def test_a_forced_decision_needs_no_search() -> None:
    rng = random.Random(2)
    game = new_game(random_setup(rng))
    for decision in walk(game, rng):
        if len(decision.options) == 1:
            break
    advice = MctsBot(1, milliseconds=60_000).advise(InformationSet(game))
    assert (advice.pick, advice.iterations) == (0, 0)


class FailingBot(Bot):
    """Fails whenever it thinks."""

    name = "failing"

    def think(self, info: InformationSet, progress: ProgressCallback) -> Advice:
        raise RuntimeError("the ace of spades")


class LastBot(Bot):
    """Returns the number of an option without estimates."""

    def think(self, info: InformationSet, progress: ProgressCallback) -> int:
        return info.num_options - 1


def test_a_bot_may_return_the_number_of_an_option() -> None:
    info = InformationSet(new_game(random_setup(random.Random(1))))
    assert info.num_options > 1
    assert LastBot().choose(info) == info.num_options - 1
    assert LastBot().advise(info).estimates == []


def test_a_bot_that_fails_still_answers(caplog: pytest.LogCaptureFixture) -> None:
    for game in positions(3, seed=11):
        info = InformationSet(game)
        assert 0 <= FailingBot(1).choose(info) < info.num_options
    assert "failing failed to think" in caplog.text
    assert "ace of spades" not in caplog.text


def test_a_search_reports_progress() -> None:
    reports: list[float] = []
    game = next(positions(1, seed=12))
    MctsBot(1, milliseconds=400).advise(InformationSet(game), reports.append)
    assert reports == sorted(reports)
    assert all(0 < done <= 1.1 for done in reports)


# --- estimates --------------------------------------------------------------------------------


def winning_plays(game: Game) -> list[int]:
    """Return the plays of a menu after which ending the turn wins the game."""
    decision = game.decision
    if decision is None or decision.kind != MOVES or decision.options[-1].verb != DONE:
        return []
    found = []
    for option in range(len(decision.options)):
        fork = game.clone()
        fork.choose(option)
        after = fork.decision
        if after is not None and after.kind == MOVES and after.options[-1].verb == DONE:
            fork.choose(len(after.options) - 1)
        if fork.decision is None and fork.table.state.winners == [decision.player]:
            found.append(option)
    return found


def test_bots_take_a_winning_move() -> None:
    rng = random.Random(20)
    chances_to_win = 0
    while chances_to_win < 3:
        game = new_game(random_setup(rng, 2))
        game.table.logging = False
        for decision in walk(game, rng):
            if max(game.table.state.vp) < 11:
                continue
            winning = winning_plays(game)
            if winning and len(winning) < len(decision.options):
                chances_to_win += 1
                for bot in (GreedyBot(1), MctsBot(1, iterations=120)):
                    me = decision.player
                    fork = game.clone()
                    while (asked := fork.decision) is not None and asked.player == me:
                        fork.choose(bot.choose(InformationSet(fork)))
                    assert fork.table.state.winners == [me], bot.name
                break


def test_estimates_cover_every_option() -> None:
    for game in positions(5, seed=13):
        advice = MctsBot(2, iterations=60).advise(InformationSet(game))
        decision = game.decision
        assert decision is not None
        assert [e.option for e in advice.estimates] == list(range(len(decision.options)))
        assert all(0 <= e.win_probability <= 1 for e in advice.estimates)
        # The pick reached the last round, which may be unfinished.
        assert advice.estimates[advice.pick].visits >= max(e.visits for e in advice.estimates) - 1
        assert sum(advice.win_probabilities) == pytest.approx(1)


def test_chances_add_up_and_follow_points() -> None:
    for game in positions(8, seed=14):
        now = evaluate(game)
        assert sum(now) == pytest.approx(1)
        ahead = game.clone()
        assert ahead.decision is not None
        ahead.table.state.vp[0] += 3
        assert evaluate(ahead)[0] > now[0]
        assert all(len(row) == len(FEATURES) == len(WEIGHTS) for row in compute_features(game))


def test_madness_lowers_the_chances() -> None:
    for game in positions(4, seed=15):
        setup = replace(game.setup, madness=True)
        table = new_game(setup)
        assert table.decision is not None
        now = evaluate(table)[0]
        player = table.table.player(0)
        drawn = player.draw(2, deck=MADNESS_DECK)
        player.discard(drawn)  # so that the hand stays the same
        assert evaluate(table)[0] < now
        player.put(drawn, to=MADNESS_DECK)
        assert evaluate(table)[0] == pytest.approx(now)


def test_greedy_beats_random() -> None:
    """A small sample of the measurement in `docs/ladder.md`."""
    wins = 0
    for seed in range(6):
        game = new_game(random_setup(random.Random(seed), 2))
        game.table.logging = False
        me = seed % 2
        bots: list[Bot] = [RandomBot(seed), RandomBot(seed)]
        bots[me] = GreedyBot(seed)
        while (decision := game.decision) is not None:
            game.choose(bots[decision.player].choose(InformationSet(game)))
        wins += me in game.table.state.winners
    assert wins >= 5


def test_a_search_needs_a_budget() -> None:
    with pytest.raises(ValueError, match="needs a budget"):
        MctsBot(1)


def test_a_search_measures_its_budget_by_its_clock() -> None:
    game = new_game(random_setup(random.Random(3), 2))
    ticks = itertools.count()
    bot = MctsBot(1, milliseconds=200, clock=lambda: next(ticks) / 1000)
    while len(InformationSet(game).keys) < 2:
        game.choose(0)
    iterations = bot.advise(InformationSet(game)).iterations
    assert 100 < iterations < 200  # the clock is read once or twice an iteration


def test_a_search_by_processor_time_ignores_waiting() -> None:
    bot = make_bot("mcts:30cpu")
    assert isinstance(bot, MctsBot)
    before = bot.clock()
    time.sleep(0.05)
    assert bot.clock() - before < 0.03


# --- names ------------------------------------------------------------------------------------


def test_levels_have_names_and_descriptions() -> None:
    assert [level.name for level in LEVELS] == ["easy", "normal", "hard", "expert"]
    for level in LEVELS:
        assert level.description.endswith(".")
        assert isinstance(make_bot(level.name), Bot)


def test_classic_easy_keeps_its_error_rate() -> None:
    easy, classic = make_bot("easy"), make_bot("classic:easy")
    assert isinstance(easy, NoisyBot)
    assert isinstance(classic, NoisyBot)
    assert (easy.error_rate, classic.error_rate) == (0.25, 0.5)


@pytest.mark.parametrize(("level", "milliseconds"), [("hard", 150), ("expert", 1000)])
def test_classic_searches_keep_their_budget(level: str, milliseconds: int) -> None:
    classic = make_bot(f"classic:{level}")
    assert isinstance(classic, MctsBot)
    assert classic.milliseconds == milliseconds


@pytest.mark.parametrize("name", ["", "grandmaster", "mcts", "mcts:0ms", "mcts:-5it", "mcts:1s"])
def test_an_unknown_bot_is_refused(name: str) -> None:
    with pytest.raises(SetupError, match="There is no bot called"):
        make_bot(name)
