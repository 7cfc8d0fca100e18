"""The OpenSpiel game: OpenSpiel's own tests, and further properties of its states."""

from __future__ import annotations

import pickle
import random
import warnings
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from smashup.engine.game import Game

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # OpenSpiel's own
    import pyspiel

    import smashup.rl.openspiel as adapter

SEED_PARTS = adapter.SEED_PARTS


def load(**parameters: Any) -> Any:
    return pyspiel.load_game(adapter.NAME, parameters)


def play_randomly(state: Any, rng: random.Random, steps: int = 10_000) -> Any:
    """Play at random."""
    for _ in range(steps):
        if state.is_terminal():
            break
        state.apply_action(rng.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize(
    "parameters",
    [
        {"factions": "Kaiju+Time Travelers/Shapeshifters+Super Spies"},
        {"players": 3, "max_options": 6, "max_game_length": 150, "draft": True},
    ],
)
def test_random_simulation(parameters: dict[str, Any]) -> None:
    """`pyspiel.random_sim_test`: OpenSpiel's RandomSimTest, with serialisation and masks."""
    pyspiel.random_sim_test(load(**parameters), num_sims=1, serialize=True, verbose=False)


def test_simulation_in_python(capsys: pytest.CaptureFixture[str]) -> None:
    """``sim_game`` of OpenSpiel's ``games_sim_test.py``, line for line where the wheel has it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tests = import_module("open_spiel.python.tests.games_sim_test")
    tests.GamesSimTest().sim_game(load())
    assert "total actions" in capsys.readouterr().out


@pytest.mark.parametrize("players", [2, 3])
def test_resample_from_infostate(players: int) -> None:
    """OpenSpiel's ResampleInfostateTest (basic_tests.cc), which Python cannot call, in Python.

    An information state tensor is not provided; the observation's tensor is compared instead.
    """
    rng = random.Random(players)
    state = load(players=players).new_initial_state()
    resampled = different = 0
    while not state.is_terminal() and resampled < 150:
        if not state.is_chance_node():
            for p in range(players):
                other = state.resample_from_infostate(p, rng.random)
                assert state.information_state_string(p) == other.information_state_string(p)
                assert state.observation_string(p) == other.observation_string(p)
                assert state.observation_tensor(p) == other.observation_tensor(p)
                assert state.current_player() == other.current_player()
                assert state.history()[SEED_PARTS:] == other.history()[SEED_PARTS:]
                assert state.history()[:SEED_PARTS] != other.history()[:SEED_PARTS]
                different += str(state) != str(other)
                resampled += 1
        play_randomly(state, rng, steps=3)
    assert different > resampled / 2


def test_nothing_of_the_others_survives_resampling() -> None:
    """In a state imagined for one seat the past of another is what that seat knows of it."""
    rng = random.Random(8)
    state = play_randomly(load().new_initial_state(), rng, steps=60)
    memories = {
        state.resample_from_infostate(0, rng.random).game_history.memory_text(1) for _ in range(3)
    }
    assert memories == {state.game_history.memory_text(0)}
    assert state.game_history.memory_text(1) != state.game_history.memory_text(0)


def test_resampled_states_go_on() -> None:
    """They can be played, copied, written down and read, in the middle of a card as well."""
    rng = random.Random(3)
    game = load()
    for _ in range(6):
        state = play_randomly(game.new_initial_state(), rng, steps=rng.randint(10, 90))
        other = state.resample_from_infostate(state.current_player(), rng.random)
        play_randomly(other, rng, steps=rng.randint(0, 12))
        copies = [other.clone(), pickle.loads(pickle.dumps(other))]
        copies.append(game.deserialize_state(other.serialize()))
        chosen: list[int] = []
        for _ in range(15):
            if other.is_terminal():
                break
            chosen.append(rng.choice(other.legal_actions()))
            other.apply_action(chosen[-1])
        for copy in copies:
            for action in chosen:
                copy.apply_action(action)
            assert str(copy) == str(other)
            for p in range(2):
                assert copy.information_state_string(p) == other.information_state_string(p)


def test_a_state_is_the_game_it_says() -> None:
    """The same actions lead to the same table, wherever they are taken."""
    rng = random.Random(1)
    game = load(printing="current", edition="II")
    state = play_randomly(game.new_initial_state(), rng)
    again = game.new_initial_state()
    for action in state.history():
        again.apply_action(action)
    assert str(again) == str(state)
    assert sorted(state.returns()) == [-1.0, 1.0]
    assert state.game_history.game.winners == [int(np.argmax(state.returns()))]


def test_memory_is_perfect() -> None:
    """What a seat knew once, it still knows later."""
    rng = random.Random(2)
    state = play_randomly(load().new_initial_state(), rng, steps=30)
    before = [state.game_history.memory_text(p) for p in range(2)]
    own = [state.game_history.own[p][:] for p in range(2)]
    play_randomly(state, rng, steps=30)
    for p in range(2):
        assert state.game_history.memory_text(p).startswith(before[p])
        assert state.game_history.own[p][: len(own[p])] == own[p]


def test_search_of_openspiel_plays_it() -> None:
    """ISMCTS resamples at every simulation."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ismcts = import_module("open_spiel.python.algorithms.ismcts")
        mcts = import_module("open_spiel.python.algorithms.mcts")
    dice = np.random.RandomState(1)
    game = load(max_game_length=60)
    bot = ismcts.ISMCTSBot(
        game=game,
        evaluator=mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=dice),
        uct_c=2.0,
        max_simulations=4,
        random_state=dice,
    )
    state = play_randomly(game.new_initial_state(), random.Random(5), steps=40)
    for _ in range(4):
        action = bot.step(state)
        assert action in state.legal_actions()
        state.apply_action(action)


def test_games_that_are_cut_short_are_worth_nothing() -> None:
    state = play_randomly(load(max_game_length=20).new_initial_state(), random.Random(1))
    assert state.move_number() == 20 + SEED_PARTS
    assert state.returns() == [0.0, 0.0]


def test_games_in_a_circle_are_cut_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cards that call each other up for ever end the game before that."""
    rng = random.Random(1)
    game = load()
    state = play_randomly(game.new_initial_state(), rng, steps=30)
    before = state.game_history.game.digest()
    choose = Game.choose

    def circle(self: Game, option: int) -> None:
        monkeypatch.undo()
        choose(self, option)
        raise RecursionError

    monkeypatch.setattr(Game, "choose", circle)
    state.apply_action(state.legal_actions()[0])
    assert state.is_terminal()
    assert state.returns() == [0.0, 0.0]
    assert state.game_history.game.digest() == before
    for copy in (state.clone(), game.deserialize_state(state.serialize())):
        assert str(copy) == str(state)
        assert copy.is_terminal()


def test_nonsense_is_refused() -> None:
    with pytest.raises(Exception, match="edition"):
        load(edition="nonsense")
    with pytest.raises(Exception, match="one seat"):
        load().make_py_observer(
            pyspiel.IIGObservationType(
                perfect_recall=False, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS
            )
        )
