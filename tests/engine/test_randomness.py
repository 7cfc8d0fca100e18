"""The keyed generator: uniform, exact on replay, and absent from every sampled table."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest

from smashup.cards import catalogue
from smashup.engine.errors import SaveError, SetupError
from smashup.engine.game import Game
from smashup.engine.model.randomness import (
    KEYED,
    derive_seed,
    keyed_below,
    keyed_word,
    parse_secret,
    shuffle_in_halves,
)
from smashup.engine.model.setup import Setup
from smashup.engine.model.state import State
from smashup.engine.saves import files as saves
from smashup.engine.saves.snapshots import restore, snapshot
from tests.random_games import random_player, walk

SECRET = "00112233445566778899aabbccddeeff" * 2
KEY = bytes.fromhex(SECRET)
CHI_SQUARE_LIMIT = {1: 11.0, 2: 7.0, 6: 4.0, 23: 2.2, 39: 1.9, 51: 1.75}
"""Chi-square per degree of freedom that a fair generator exceeds with one key in a thousand."""


def keyed_setup(secret: str = SECRET, **more: Any) -> Setup:
    return Setup(generator=KEYED, secret=secret, **more)


def keyed_game(steps: int = 80, secret: str = SECRET, **more: Any) -> Game:
    game = Game(keyed_setup(secret, **more), catalogue())
    for _ in walk(game, random.Random(4), steps):
        pass
    return game


def is_uniform(counts: Counter[Any], cells: int) -> bool:
    expected = counts.total() / cells
    spread = sum((count - expected) ** 2 / expected for count in counts.values())
    spread += (cells - len(counts)) * expected
    return spread / (cells - 1) < CHI_SQUARE_LIMIT[cells - 1]


@pytest.mark.parametrize("seed", [0, 1, 7, 2**32 - 1, 2**53, 2**63 + 5, 2**64 - 1])
def test_shuffling_in_halves_is_the_same_shuffle(seed: int) -> None:
    state = State(2, seed)
    state.rng = seed
    for count in (0, 1, 2, 30, 130):
        cards, again = list(range(count)), list(range(count))
        rng = shuffle_in_halves(again, state.rng)
        state.shuffle(cards)
        assert (again, rng) == (cards, state.rng)


def test_draws_match_those_of_existing_saves() -> None:
    """Any change to these numbers makes every saved game unreadable."""
    assert [keyed_word(KEY, i) for i in range(3)] == [
        8012193100960629017, 4193316308275777489, 5061514727601470346,
    ]  # fmt: skip
    cards = list(range(8))
    State(2, 0, KEY).shuffle(cards)
    assert cards == [3, 5, 4, 6, 7, 0, 2, 1]


@pytest.mark.parametrize("n", [2, 3, 7, 40, 52])
def test_bounded_draws_are_uniform(n: int) -> None:
    state = State(2, 0, KEY)
    counts = Counter(state.random_below(n) for _ in range(400 * n))
    assert set(counts) <= set(range(n))
    assert is_uniform(counts, n)


def test_words_of_the_incomplete_run_are_rejected() -> None:
    """With n just above half the range, taking the remainder would favor small numbers."""
    n = (1 << 63) + 1
    counter, rejected, small = 0, 0, 0
    for _ in range(2000):
        value, after = keyed_below(KEY, counter, n)
        assert 0 <= value < n
        rejected += after - counter - 1
        small += value < n // 2
        counter = after
    assert 1700 < rejected < 2300
    assert 900 < small < 1100


def test_every_order_of_a_shuffle_is_equally_likely() -> None:
    state = State(2, 0, KEY)
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(6000):
        cards = [0, 1, 2, 3]
        state.shuffle(cards)
        counts[tuple(cards)] += 1
    assert set(counts) == set(permutations(range(4)))
    assert is_uniform(counts, 24)


def test_keys_that_differ_in_one_bit_deal_unrelated_games() -> None:
    deals = []
    for bit in range(0, 256, 16):
        secret = (int(SECRET, 16) ^ 1 << bit).to_bytes(32, "big").hex()
        state = State(2, 0, bytes.fromhex(secret))
        deals.append([state.random_below(1000) for _ in range(200)])
    for i, one in enumerate(deals):
        for other in deals[:i]:
            assert sum(a == b for a, b in zip(one, other, strict=True)) < 8
    first, second = keyed_game(0), keyed_game(0, SECRET[:-1] + "e")
    assert first.view(0)["players"] != second.view(0)["players"]


def test_half_of_the_bits_of_a_draw_change_with_one_bit_of_the_key() -> None:
    flipped = []
    for bit in range(256):
        other = (int(SECRET, 16) ^ 1 << bit).to_bytes(32, "big")
        flipped.append((keyed_word(KEY, 7) ^ keyed_word(other, 7)).bit_count())
    assert 30 < sum(flipped) / len(flipped) < 34
    assert min(flipped) > 10


def test_a_keyed_game_replays_clones_and_undoes_exactly() -> None:
    game = keyed_game(120, players=3)
    again = Game.replay(game.setup, catalogue(), game.answers)
    assert again.digest() == game.digest()
    assert game.clone().digest() == game.digest()
    assert game.undo(0).digest() == game.digest()
    ends = []
    for table in (game.clone(), again):
        table.play_out(random_player(random.Random(9)), record=True)
        ends.append(table.digest())
    assert ends[0] == ends[1]


def test_a_keyed_game_survives_saving() -> None:
    game = keyed_game(150)
    text = json.dumps(saves.to_json(game))
    assert json.loads(text)["setup"]["secret"] == SECRET
    loaded = saves.from_json(json.loads(text), catalogue()).game
    assert loaded.digest() == game.digest()
    for table in (loaded, game):
        table.play_out(random_player(random.Random(3)), record=True)
    assert loaded.digest() == game.digest()


def test_a_snapshot_continues_with_the_same_draws() -> None:
    game = keyed_game(100)
    assert game.table.last_menu is not None
    data = json.loads(json.dumps(snapshot(game)))
    assert SECRET not in json.dumps(data)
    table = restore(data, game.setup, catalogue())
    assert table.table.checkpoint.key == KEY
    assert table.table.checkpoint.to_dict() == game.table.last_menu.to_dict()
    twin = restore(data, replace(game.setup, secret="ab" * 32), catalogue())
    for one in (table, twin):
        one.play_out(random_player(random.Random(1)), record=True)
    assert table.digest() != twin.digest(), "what comes after it follows from the key alone"


def test_saves_without_a_generator_use_the_linear_one() -> None:
    """As written before there were two."""
    game = Game(Setup(seed=7), catalogue())
    for _ in walk(game, random.Random(1), 60):
        pass
    data = json.loads(json.dumps(saves.to_json(game)))
    assert data["setup"].pop("generator") == "linear"
    assert data["setup"].pop("secret") == ""
    assert saves.from_json(data, catalogue()).game.digest() == game.digest()


@pytest.mark.parametrize("seed", range(4))
def test_sampled_tables_do_not_know_the_key(seed: int) -> None:
    """At menus, in the middle of cards, and in clones of them."""
    game = Game(keyed_setup(players=2 + seed % 3), catalogue())
    dice = random.Random(seed)
    for count, decision in enumerate(walk(game, dice, 90)):
        if count % 7:
            continue
        deal = game.determinize(decision.player, dice.randrange)
        assert deal.setup.secret == ""
        assert deal.decision is not None
        for table in (deal, deal.clone()):
            assert table.decision is not None
            assert table.table.state.key == b""
            assert table.view(decision.player) == game.view(decision.player)


def test_sampled_tables_do_not_depend_on_the_key() -> None:
    """A bot's search with a linear seed does not depend on the secret of the game."""
    data = json.loads(json.dumps(snapshot(keyed_game(60))))
    tables = [restore(data, keyed_setup(secret), catalogue()) for secret in (SECRET, "ab" * 32)]
    deals = [table.determinize(0, random.Random(5).randrange) for table in tables]
    for deal in deals:
        deal.play_out(random_player(random.Random(6)))
    assert deals[0].table.state.digest() == deals[1].table.state.digest()


def test_derived_seeds_are_stable_and_reveal_nothing_about_each_other() -> None:
    setup = keyed_setup()
    seeds = [derive_seed(setup, seat, number) for seat in range(2) for number in range(50)]
    assert seeds == [derive_seed(setup, s, n) for s in range(2) for n in range(50)]
    assert len(set(seeds)) == 100
    assert keyed_word(KEY, 0) not in seeds
    assert derive_seed(replace(setup, secret="ab" * 32), 0, 0) != seeds[0]
    linear = Setup(seed=5)
    assert derive_seed(linear, 1, 2) == random.Random("5/1/2").getrandbits(48)


@pytest.mark.parametrize(
    "secret",
    ["", "ab" * 15, "ab" * 65, "xy" * 32, "ab" * 31 + "a", " ab" * 16, "ab ab " * 8, "é" * 64],
)
def test_an_invalid_secret_is_refused(secret: str) -> None:
    assert parse_secret(secret) is None
    with pytest.raises(SetupError, match="not a key of 128") as refused:
        Game(keyed_setup(secret), catalogue())
    assert not secret or secret not in str(refused.value)


def test_a_setup_names_its_generator() -> None:
    with pytest.raises(SetupError, match="Unknown generator"):
        Game(Setup(generator="dice"), catalogue())
    with pytest.raises(SetupError, match="needs the generator"):
        Game(Setup(secret=SECRET), catalogue())
    data = json.loads(json.dumps(saves.to_json(keyed_game(5))))
    data["setup"]["secret"] = 2**255
    with pytest.raises(SaveError, match="“secret” in the setup"):
        saves.from_json(data, catalogue())


def test_the_secret_is_not_part_of_what_is_printed() -> None:
    setup = keyed_setup()
    assert SECRET not in repr(setup)
    assert setup.without_seed().secret == ""
    assert setup.without_seed().key == b""
