"""Duels: fair deals, honest numbers, and files that can be gone on with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

from scripts import ladder
from smashup.bots.bot import Bot, RandomBot
from smashup.bots.crew import Crew
from smashup.bots.duel import Duel, Measurement, Result, derived, rank
from smashup.bots.ledger import Ledger, line_of, read
from smashup.bots.tally import ABOVE, BELOW, OPEN, STOPPING, Bar, Tally, rank_of_equals, wilson
from smashup.cards import catalogue
from smashup.engine.errors import SaveError, SetupError
from smashup.engine.game import Game

CARDS = catalogue()
APES = ("Cyborg Apes", "Time Travelers")


def game_won(number: int, won: bool = True, players: int = 2) -> Result:
    """A game that A won, or in which it came last."""
    seat = number % players
    vp = [10 + other for other in range(players)]
    vp[seat] = 15 if won else 3
    winner = vp.index(max(vp))
    teams = tuple(APES for _ in range(players))
    return Result(number, seat, (winner,), tuple(vp), 20, (40, 50), (0.4, 0.1), teams)


def timeless(result: Result) -> Result:
    return replace(result, seconds=(0.0, 0.0))


def played(measurement: Measurement) -> list[Result]:
    return [timeless(result) for result in measurement.play()]


# --- the games ------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_deal_is_played_from_every_seat(players: int) -> None:
    duel = Duel("random", "greedy", players, seed=8)
    games = range(3 * players)
    for deal in range(3):
        seats = [duel.seat_of(game) for game in games if duel.deal_of(game) == deal]
        assert seats == list(range(players))
    setups = [duel.setup(deal, CARDS) for deal in range(20)]
    assert len({setup.seed for setup in setups}) == 20
    assert len({setup.factions for setup in setups}) == 20
    assert setups[4] == duel.setup(4, CARDS)
    for setup in setups:
        setup.check(CARDS)
        assert len({name for team in setup.factions for name in team}) == 2 * players


def test_bots_sit_where_the_game_says(monkeypatch: pytest.MonkeyPatch) -> None:
    seated: list[tuple[str, int]] = []
    tables: list[Game] = []

    def watched(name: str, seed: int = 0) -> Bot:
        seated.append((name, seed))
        return RandomBot(seed)

    class Watched(Game):
        def __init__(self, *args: object) -> None:
            super().__init__(*args)  # type: ignore[arg-type]
            tables.append(self)

    monkeypatch.setattr("smashup.bots.duel.make_bot", watched)
    monkeypatch.setattr("smashup.bots.duel.Game", Watched)
    duel = Duel("hard", "random", 3)
    for game in range(3):
        result = duel.play(game, CARDS)
        names, seeds = zip(*seated, strict=True)
        assert [name == "hard" for name in names] == [seat == game for seat in range(3)]
        assert list(seeds) == [derived(tables[0].setup.seed, seat) for seat in range(3)]
        assert result.seat == game
        assert result.factions == tables[game].setup.factions
        assert tables[game].setup == tables[0].setup
        assert list(result.vp) == tables[game].table.state.vp
        seated.clear()


def test_factions_left_open_are_drawn_anew() -> None:
    duel = Duel("random", "random", factions=(APES, ("Kaiju",)))
    teams = [duel.setup(deal, CARDS).factions for deal in range(12)]
    assert {team[0] for team in teams} == {APES}
    assert {team[1][0] for team in teams} == {"Kaiju"}
    others = {team[1][1] for team in teams}
    assert len(others) > 3
    assert not others & {*APES, "Kaiju"}


def test_the_same_bot_on_both_sides_is_equal() -> None:
    """Every game is the same from both sides, so each side wins as much."""
    measurement = Measurement(Duel("random", "random", seed=3), CARDS, 8)
    results = played(measurement)
    for one, other in pairwise(results):
        if one.seat == 0:
            assert (one.vp, one.winners) == (other.vp, other.winners)
    assert measurement.tally.rate == 0.5
    assert measurement.tally.margin == pytest.approx(0)
    assert measurement.tally.rank == 1.5


def test_the_same_duel_is_played_the_same_way_in_any_number_of_processes() -> None:
    duel = Duel("mcts:1it", "random", seed=5)
    alone = played(Measurement(duel, CARDS, 2))
    assert alone == played(Measurement(duel, CARDS, 2, processes=2))
    quick = Duel("random", "random", seed=5)
    games = [result.game for result in Measurement(quick, CARDS, 10, processes=2).play()]
    assert games == list(range(10))
    assert timeless(replace(quick, seed=6).play(0, CARDS)) != timeless(quick.play(0, CARDS))


def test_what_breaks_in_a_process_is_told() -> None:
    crew = Crew(Duel("nobody", "random"), CARDS, 2)
    with crew, pytest.raises(RuntimeError, match="There is no bot called «nobody»"):
        list(crew.play(range(2)))


@pytest.mark.parametrize(
    ("duel", "sentence"),
    [
        (Duel("nobody", "random"), "There is no bot called «nobody»"),
        (Duel("random", "mcts:0ms"), "There is no bot called «mcts:0ms»"),
        (Duel("random", "random", 5), "2 to 4 players"),
        (Duel("random", "random", edition="XX"), "Unknown edition"),
        (Duel("random", "random", factions=(APES,) * 3), "given for 3 players"),
        (Duel("random", "random", factions=(("Kaiju", "Kaiju"),)), "cannot take Kaiju twice"),
    ],
)
def test_what_cannot_be_played_is_refused(duel: Duel, sentence: str) -> None:
    with pytest.raises(SetupError, match=sentence):
        duel.check(CARDS)


# --- the numbers ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("won", "games", "low", "high"),
    [
        # Newcombe 1998, Statistics in Medicine 17, table I (method 3).
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (20, 20, 0.8389, 1.0),
    ],
)
def test_intervals_of_rates(won: int, games: int, low: float, high: float) -> None:
    found = wilson(won, games)
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.00005)
    wider = wilson(won, games, STOPPING)
    assert wider.low <= found.low
    assert wider.high >= found.high
    assert wider.high - wider.low > found.high - found.low


def test_nothing_is_known_before_the_first_game() -> None:
    tally = Tally(4)
    assert (tally.rate_interval().low, tally.rate_interval().high) == (0, 1)
    assert (tally.rank_interval().low, tally.rank_interval().high) == (1, 4)
    assert (tally.rate, tally.rank, tally.turns, tally.milliseconds(0)) == (0, 0, 0, 0)


@pytest.mark.parametrize(
    ("winners", "vp", "ranks"),
    [
        ((1,), (10, 15), (2, 1)),
        ((0,), (15, 9, 12, 9), (1, 3.5, 2, 3.5)),
        ((3,), (8, 8, 8, 16), (3, 3, 3, 1)),
        ((0, 2), (15, 7, 15), (1.5, 3, 1.5)),
        ((1,), (15, 15), (2, 1)),
    ],
)
def test_ranks(winners: tuple[int, ...], vp: tuple[int, ...], ranks: tuple[float, ...]) -> None:
    assert tuple(rank(seat, winners, vp) for seat in range(len(vp))) == ranks
    assert sum(ranks) == len(vp) * rank_of_equals(len(vp))


def test_a_tally_adds_up() -> None:
    tally = Tally(3)
    tally.add(Result(0, 0, (0,), (15, 9, 11), 20, (10, 30), (1.0, 0.3), ()))
    tally.add(Result(1, 1, (1, 2), (3, 15, 15), 30, (30, 10), (1.0, 0.1), ()))
    tally.add(Result(2, 2, (0,), (16, 9, 9), 25, (0, 0), (0.0, 0.0), ()))
    assert tally.score == 1.5
    assert tally.rate == 0.5
    assert tally.margin == pytest.approx((4 + 0 - 7) / 3)
    assert tally.rank == pytest.approx((1 + 1.5 + 2.5) / 3)
    assert tally.turns == 25
    assert tally.milliseconds(0) == pytest.approx(50)
    assert tally.milliseconds(1) == pytest.approx(10)


def test_intervals_of_ranks() -> None:
    tally = Tally(4)
    for number in range(40):
        tally.add(game_won(number, won=number % 2 == 0, players=4))
    # Ranks 1 and 4 in turn, and two more of them: deviation 1.5 * sqrt(42 / 41).
    spread = 1.959964 * 1.5 * (42 / 41) ** 0.5 / 40**0.5
    found = tally.rank_interval()
    assert (found.low, found.high) == pytest.approx((2.5 - spread, 2.5 + spread))
    always = Tally(4)
    for number in range(40):
        always.add(game_won(number, players=4))
    assert always.rank_interval().low == 1
    assert 1.05 < always.rank_interval().high < 1.5


def verdicts(bar: Bar, outcomes: Iterator[bool] | list[bool], players: int = 2) -> list[str]:
    tally = Tally(players)
    found = []
    for number, won in enumerate(outcomes):
        tally.add(game_won(number, won, players))
        found.append(bar.verdict(tally))
    return found


def test_it_ends_when_the_question_is_answered() -> None:
    above = verdicts(Bar(above=0.5), [True] * 24)
    assert above == [OPEN] * 19 + [ABOVE] + [OPEN] * 3 + [ABOVE]
    assert verdicts(Bar(above=0.5), [False] * 20)[-1] == BELOW
    assert set(verdicts(Bar(above=0.5), [True, False] * 50)) == {OPEN}
    assert set(verdicts(Bar(), [True] * 100)) == {OPEN}
    assert verdicts(Bar(above=0.9), [True] * 20)[-1] == OPEN


def test_ending_early_asks_the_wider_interval() -> None:
    outcomes = [True] * 15 + [False] * 5
    tally = Tally(2)
    for number, won in enumerate(outcomes):
        tally.add(game_won(number, won))
    bar = (tally.rate_interval().low + tally.rate_interval(STOPPING).low) / 2
    assert tally.rate_interval().low > bar
    assert Bar(above=bar).verdict(tally) == OPEN


def test_at_larger_tables_the_mean_rank_decides() -> None:
    found = verdicts(Bar(best=True), [True] * 24, players=4)
    assert found == [OPEN] * 23 + [ABOVE]
    assert verdicts(Bar(best=True), [False] * 24, players=4)[-1] == BELOW
    assert verdicts(Bar(best=True), [True, False] * 12, players=4)[-1] == OPEN


def test_a_duel_ends_early_and_counts_whole_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    def play(duel: Duel, game: int, cards: object) -> Result:
        return game_won(game, won=False)

    monkeypatch.setattr(Duel, "play", play)
    measurement = Measurement(Duel("random", "random"), CARDS, 60, Bar(above=0.5))
    assert len(played(measurement)) == 20
    assert measurement.verdict == BELOW
    assert len(played(Measurement(Duel("random", "random"), CARDS, 60))) == 60
    assert Measurement(Duel("random", "random", 3), CARDS, 100).games == 102


# --- what is kept ---------------------------------------------------------------------------


def kept(path: Path, duel: Duel, games: int, bar: Bar | None = None) -> Measurement:
    ledger = Ledger(path, duel, CARDS)
    measurement = Measurement(duel, CARDS, games, bar or Bar(), ledger)
    list(measurement.play())
    return measurement


def test_a_kept_duel_goes_on_after_what_is_there(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "duel.jsonl"
    duel = Duel("random", "random", 3, seed=2)
    whole = played(Measurement(duel, CARDS, 6))
    kept(path, duel, 3)
    half = path.read_bytes()
    measurement = Measurement(duel, CARDS, 6, ledger=Ledger(path, duel, CARDS))
    assert measurement.tally.games == 3
    assert [result.game for result in measurement.play()] == [3, 4, 5]
    assert path.read_bytes().startswith(half)
    title, results = read(path)
    assert (title["a"], title["players"], title["seed"]) == ("random", 3, 2)
    assert [timeless(result) for result in results] == whole
    assert played(Measurement(duel, CARDS, 6, ledger=Ledger(path, duel, CARDS))) == []
    assert kept(path, duel, 3).tally.games == 3


def test_lines_are_short() -> None:
    longest = sorted((f.name for f in CARDS.factions), key=len)[-8:]
    teams = tuple((longest[seat], longest[seat + 4]) for seat in range(4))
    result = replace(game_won(99999, players=4), factions=teams, seconds=(9999.999, 9999.999))
    assert len(line_of(result)) < 300


@pytest.mark.parametrize("rest", [b"{", b'{"game":5,"seat":1,"win', b'{"game":5}', b"\0" * 500])
def test_a_line_that_was_cut_off_is_played_again(tmp_path: Path, rest: bytes) -> None:
    path = tmp_path / "duel.jsonl"
    duel = Duel("random", "random")
    kept(path, duel, 6)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:6]) + rest)
    ledger = Ledger(path, duel, CARDS)
    assert len(ledger.results) == 5
    kept(path, duel, 6)
    again = path.read_bytes().splitlines(keepends=True)
    assert again[:6] == lines[:6]
    assert len(again) == 7
    assert [timeless(r) for r in read(path)[1]][5] == timeless(duel.play(5, CARDS))


@pytest.mark.parametrize("length", [0, 1, 60])
def test_a_title_that_was_cut_off_is_written_again(tmp_path: Path, length: int) -> None:
    path = tmp_path / "duel.jsonl"
    duel = Duel("random", "random")
    Ledger(path, duel, CARDS)
    title = path.read_bytes()
    path.write_bytes(title[:length])
    assert Ledger(path, duel, CARDS).results == []
    assert path.read_bytes() == title


@pytest.mark.parametrize(
    ("other", "sentence"),
    [
        (Duel("greedy", "random"), '«a» is "random", here "greedy"'),
        (Duel("random", "greedy"), "«b»"),
        (Duel("random", "random", 3), "«players» is 2, here 3"),
        (Duel("random", "random", seed=2), "«seed»"),
        (Duel("random", "random", edition="CD"), "«edition»"),
        (Duel("random", "random", printing="current"), "«printing»"),
        (Duel("random", "random", factions=(APES,)), "«factions»"),
    ],
)
def test_another_measurement_is_refused(tmp_path: Path, other: Duel, sentence: str) -> None:
    path = tmp_path / "duel.jsonl"
    kept(path, Duel("random", "random"), 2)
    before = path.read_bytes()
    with pytest.raises(SaveError, match=sentence):
        Ledger(path, other, CARDS)
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", ["Dear Ana", "Dear Ana\n", "{}\n", '{"format": 7}\n', "[]\n\n"])
def test_a_file_that_is_something_else_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "letter.txt"
    path.write_text(content)
    with pytest.raises(SaveError, match="does not hold results of a duel"):
        Ledger(path, Duel("random", "random"), CARDS)
    assert path.read_text() == content


@pytest.mark.parametrize(
    "line",
    [
        b"oops",
        b"{}",
        b"\xff\xfe",
        line_of(game_won(3)).strip(),
        line_of(game_won(1)).strip().replace(b'"seat":1', b'"seat":0'),
        line_of(game_won(1)).strip().replace(b'"winners":[1]', b'"winners":[7]'),
        line_of(game_won(1)).strip().replace(b'"winners":[1]', b'"winners":[]'),
        line_of(game_won(1)).strip().replace(b'"vp":[10,15]', b'"vp":[10]'),
    ],
)
def test_a_damaged_file_is_refused(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "duel.jsonl"
    duel = Duel("random", "random")
    Ledger(path, duel, CARDS).add(game_won(0))
    good = path.read_bytes()
    path.write_bytes(good + line + b"\n" + line_of(game_won(2)))
    before = path.read_bytes()
    with pytest.raises(SaveError, match="damaged at line 3: that is not the result of game 2"):
        Ledger(path, duel, CARDS)
    assert path.read_bytes() == before
    path.write_bytes(good + line_of(game_won(1)) + line_of(game_won(2)))
    assert Ledger(path, duel, CARDS).results == [game_won(number) for number in range(3)]


def test_two_at_once_do_not_write_into_one_file(tmp_path: Path) -> None:
    path = tmp_path / "duel.jsonl"
    duel = Duel("random", "random")
    one, other = (Ledger(path, duel, CARDS) for _ in range(2))
    one.add(game_won(0))
    before = path.read_bytes()
    with pytest.raises(SaveError, match="was changed while games were played"):
        other.add(game_won(0))
    assert path.read_bytes() == before


def test_kept_games_count_for_ending_early(tmp_path: Path) -> None:
    path = tmp_path / "duel.jsonl"
    duel = Duel("random", "random")
    ledger = Ledger(path, duel, CARDS)
    for number in range(30):
        ledger.add(game_won(number))
    measurement = kept(path, duel, 100, Bar(above=0.5))
    assert (measurement.verdict, measurement.tally.games) == (ABOVE, 20)


# --- the ladder -----------------------------------------------------------------------------


def test_the_page_of_the_ladder_is_written_from_what_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "ladder"
    options = ["--folder", str(folder), "--processes", "1"]
    assert ladder.main([*options, "--write"]) == 0
    assert "Nothing is measured yet." in (tmp_path / "ladder.md").read_text("utf-8")
    assert ladder.main([*options, "--only", "easy:random", "--games", "2"]) == 0
    assert ladder.main([*options, "--only", "easy:random", "--games", "4"]) == 0
    duel = Duel("easy", "random", 4)
    ledger = Ledger(folder / "easy-random-4p.jsonl", duel, CARDS)
    for number in range(8):
        ledger.add(game_won(number, players=4))
    assert ladder.main([*options, "--write"]) == 0
    page = (tmp_path / "ladder.md").read_text("utf-8")
    assert "[easy – random](ladder/easy-random.jsonl)" in page
    assert "`smashup duel easy random --games 4`" in page
    assert "**1.00** | 1.00–1.66 | 100.0%" in page
    assert "`smashup duel easy random --players 4 --games 8`" in page
    picture = ElementTree.fromstring((tmp_path / "ladder.svg").read_text("utf-8"))
    shown = "".join(picture.itertext())
    assert "easy – random" in shown
    assert "easy – 3 × random" in shown
    assert ladder.main([*options, "--only", "random:expert"]) == 2
    assert "no pairing random:expert" in capsys.readouterr().err
