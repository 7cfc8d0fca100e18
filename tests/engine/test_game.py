"""Games: decisions, illegal answers, undo, replay, the log, clones."""

from __future__ import annotations

import random
from typing import Any

import pytest

import smashup
from smashup.cards import catalogue
from smashup.engine.errors import IllegalChoice, ReplayMismatch, SetupError
from smashup.engine.game import Game
from smashup.engine.model.editions import EDITIONS
from smashup.engine.model.setup import Setup
from tests.random_games import random_player, walk


def make_game(steps: int = 60, seed: int = 9) -> Game:
    game = Game(Setup(seed=seed), catalogue())
    for _ in walk(game, random.Random(seed), steps):
        pass
    return game


@pytest.mark.parametrize("answer", [-1, 10_000, True, "0", None, 1.0])
def test_illegal_answers_change_nothing(answer: Any) -> None:
    game = make_game()
    before = game.digest()
    count = len(game.answers)
    with pytest.raises(IllegalChoice):
        game.choose(answer)
    assert game.digest() == before
    assert len(game.answers) == count


def test_nothing_can_be_chosen_when_the_game_is_over() -> None:
    game = make_game(100_000)
    assert game.is_over
    assert game.decision is None
    with pytest.raises(IllegalChoice, match="over"):
        game.choose(0)


def test_undo_is_a_replay_of_a_shorter_log() -> None:
    game = make_game()
    shorter = game.undo(5)
    assert shorter.answers == game.answers[:-5]
    for answer in game.answers[-5:]:
        shorter.choose(answer)
    assert shorter.digest() == game.digest()
    with pytest.raises(IllegalChoice, match="take back"):
        game.undo(1000)


def test_a_log_of_other_rules_stops_with_a_message() -> None:
    game = make_game()
    with pytest.raises(ReplayMismatch, match="Answer number 3 does not fit"):
        Game.replay(game.setup, catalogue(), [*game.answers[:2], 500])


def test_log_lines_are_numbered_and_written_once() -> None:
    """Cards run again for every answer, their lines do not."""
    game = make_game(150)
    lines = game.log_lines(0)
    assert [number for number, _ in lines] == list(range(len(lines)))
    assert game.log_lines(0, since=10) != game.log_lines(0)
    assert [str(m) for _, m in game.log_lines(0, since=10)] == [str(m) for _, m in lines[10:]]
    again = Game.replay(game.setup, catalogue(), game.answers)
    assert [str(m) for _, m in again.log_lines(0)] == [str(m) for _, m in lines]


def test_drawn_cards_are_named_only_to_their_owner() -> None:
    game = Game(Setup(seed=1, first=0), catalogue())
    assert game.decision is not None
    mine = [str(m) for _, m in game.log_lines(0) if "P1 draws" in str(m)]
    theirs = [str(m) for _, m in game.log_lines(1) if "P1 draws" in str(m)]
    assert theirs == ["P1 draws 5 cards."]
    assert mine != theirs
    assert [str(m) for _, m in game.log_lines(-1) if "P1 draws" in str(m)] == theirs


def test_a_clone_does_not_share_the_future_with_a_fresh_deal() -> None:
    """A new deal has new randomness: the same answers shuffle differently."""
    game = make_game(40)
    decision = game.decision
    assert decision is not None
    outcomes = set()
    for seed in range(8):
        fork = game.determinize(decision.player, random.Random(seed).randrange)
        fork.play_out(random_player(random.Random(1)))
        outcomes.add(fork.digest())
    assert len(outcomes) > 1


def test_a_policy_may_clone_the_game_it_plays() -> None:
    game = Game(Setup(seed=3), catalogue())
    rng = random.Random(3)

    def think(decision: Any) -> int:
        if rng.random() < 0.05:
            before = len(game.answers)
            fork = game.clone()
            asked = fork.decision
            assert asked is not None
            assert asked.player == decision.player
            assert len(asked.options) == len(decision.options)
            fork.play_out(random_player(random.Random(1)))
            assert len(game.answers) == before
        return rng.randrange(len(decision.options))

    game.play_out(think, record=True)
    assert game.is_over
    assert Game.replay(game.setup, catalogue(), game.answers).digest() == game.digest()


@pytest.mark.parametrize(
    ("setup", "sentence"),
    [
        (Setup(players=1), "2 to 4 players"),
        (Setup(players=5), "2 to 4 players"),
        (Setup(edition="XX"), "Unknown edition"),
        (Setup(printing="gold"), "Unknown printing"),
        (Setup(first=3), "cannot go first"),
        (Setup(factions=(("Kaiju", "Kaiju"), ("Kaiju", "Cyborg Apes"))), "twice"),
        (Setup(factions=(("Kaiju", "Cyborg Apes"),)), "for 1 players"),
        (Setup(factions=(("Kaiju", "Penguins"), ("Kaiju", "Cyborg Apes"))), "“Penguins”"),
        (Setup(factions=(("Kaju", "Robots"), ("Ninjas", "Aliens"))), "Did you mean Kaiju?"),
        (Setup(factions=(("Kaiju",), ("Kaiju", "Cyborg Apes"))), "two factions"),
        (Setup(factions=("Kaiju", "Robots")), "two factions"),  # type: ignore[arg-type]
        (Setup(pool=("Kaiju", "Cyborg Apes")), "need 4 different factions"),
    ],
)
def test_impossible_tables_are_refused(setup: Setup, sentence: str) -> None:
    with pytest.raises(SetupError, match=sentence):
        Game(setup, catalogue())


def test_both_printings_of_every_faction_have_twenty_cards() -> None:
    for faction in catalogue().factions:
        for printing in ("printed", "current"):
            deck = catalogue().deck(faction.name, printing)
            assert sum(kind.copies for kind in deck.cards) == 20, (faction.name, printing)
            assert all(kind.text for kind in deck.cards + deck.bases + deck.titans)
            assert len(deck.bases) in (2, 3)


def test_a_draft_goes_round_and_back() -> None:
    for edition in EDITIONS:
        game = Game(Setup(players=3, draft=True, first=1, edition=edition, seed=2), catalogue())
        order = []
        taken = []
        for _ in range(6):
            decision = game.decision
            assert decision is not None
            order.append(decision.player)
            taken.append(decision.options[0])
            game.choose(0)
        assert order == [1, 2, 0, 0, 2, 1]
        assert len(set(taken)) == 6
        assert [len(d) for d in game.table.state.decks] == [35, 35, 35] or game.decision is not None


def test_replays_agree_whatever_the_hash_seed() -> None:
    """The digest of a fixed game: a change here means that old saves no longer replay."""
    import os
    import subprocess
    import sys

    code = (
        "import random\n"
        "from smashup.cards import catalogue\n"
        "from smashup.engine.game import Game\n"
        "from smashup.engine.model.setup import Setup\n"
        "g = Game(Setup(players=3, seed=11), catalogue())\n"
        "r = random.Random(4)\n"
        "g.play_out(lambda d: r.randrange(len(d.options)), record=True)\n"
        "print(g.digest())\n"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            check=True,
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
        ).stdout
        for seed in (0, 1, 77)
    }
    assert len(found) == 1


def test_the_public_api_is_small_and_documented() -> None:
    """`Game` is the main entry point: it has few public names, each with a docstring."""
    names = [name for name in dir(Game) if not name.startswith("_")]
    assert len(names) <= 24, names
    missing = [name for name in names if not getattr(Game, name).__doc__ and name not in SLOTS]
    assert missing == []
    for name in smashup.__all__:
        assert hasattr(smashup, name)


SLOTS = ("start", "table")
