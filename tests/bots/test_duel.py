"""Duels: fair deals, correct statistics, and results files that can be resumed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

from scripts import ladder
from smashup.bots.bot import Bot, RandomBot
from smashup.bots.bot_game import compute_rank, derive_seed
from smashup.bots.duel import Duel, Measurement, Result
from smashup.bots.results_file import ResultsFile, encode_result, read_results
from smashup.bots.statistics import (
    ABOVE,
    BELOW,
    UNDECIDED,
    Z99,
    StoppingRule,
    Tally,
    expected_rank,
    wilson_interval,
)
from smashup.cards import catalogue
from smashup.engine.errors import SaveError, SetupError
from smashup.engine.game import Game

CARDS = catalogue()
APES = ("Cyborg Apes", "Time Travelers")


def make_result(number: int, won: bool = True, players: int = 2) -> Result:
    """Return the result of a game that A won, or in which A came last."""
    seat = number % players
    vp = [10 + other for other in range(players)]
    vp[seat] = 15 if won else 3
    winner = vp.index(max(vp))
    teams = tuple(APES for _ in range(players))
    return Result(number, seat, (winner,), tuple(vp), 20, (40, 50), (0.4, 0.1), teams)


def without_times(result: Result) -> Result:
    return replace(result, seconds=(0.0, 0.0))


def play_all(measurement: Measurement) -> list[Result]:
    return [without_times(result) for result in measurement.play()]


# --- the games --------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_deal_is_played_from_every_seat(players: int) -> None:
    duel = Duel("random", "greedy", players, seed=8)
    games = range(3 * players)
    for deal in range(3):
        seats = [duel.seat_of_a(game) for game in games if duel.deal_index(game) == deal]
        assert seats == list(range(players))
    setups = [duel.setup(deal, CARDS) for deal in range(20)]
    assert len({setup.seed for setup in setups}) == 20
    assert len({setup.factions for setup in setups}) == 20
    assert setups[4] == duel.setup(4, CARDS)
    for setup in setups:
        setup.check(CARDS)
        assert len({name for team in setup.factions for name in team}) == 2 * players


def test_bot_a_sits_in_the_seat_of_the_game_number(monkeypatch: pytest.MonkeyPatch) -> None:
    seated: list[tuple[str, int]] = []
    tables: list[Game] = []

    def record_bot(name: str, seed: int = 0) -> Bot:
        seated.append((name, seed))
        return RandomBot(seed)

    class RecordedGame(Game):
        def __init__(self, *args: object) -> None:
            super().__init__(*args)  # type: ignore[arg-type]
            tables.append(self)

    monkeypatch.setattr("smashup.bots.bot_game.make_bot", record_bot)
    monkeypatch.setattr("smashup.bots.bot_game.Game", RecordedGame)
    duel = Duel("hard", "random", 3)
    for game in range(3):
        result = duel.play(game, CARDS)
        names, seeds = zip(*seated, strict=True)
        assert [name == "hard" for name in names] == [seat == game for seat in range(3)]
        assert list(seeds) == [derive_seed(tables[0].setup.seed, seat) for seat in range(3)]
        assert result.seat == game
        assert result.factions == tables[game].setup.factions
        assert tables[game].setup == tables[0].setup
        assert list(result.vp) == tables[game].table.state.vp
        seated.clear()


def test_open_factions_are_drawn_for_each_deal() -> None:
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
    results = play_all(measurement)
    for one, other in pairwise(results):
        if one.seat == 0:
            assert (one.vp, one.winners) == (other.vp, other.winners)
    assert measurement.tally.rate == 0.5
    assert measurement.tally.margin == pytest.approx(0)
    assert measurement.tally.rank == 1.5


def test_the_same_duel_is_played_the_same_way_in_any_number_of_processes() -> None:
    duel = Duel("mcts:1it", "random", seed=5)
    alone = play_all(Measurement(duel, CARDS, 2))
    assert alone == play_all(Measurement(duel, CARDS, 2, processes=2))
    quick = Duel("random", "random", seed=5)
    games = [result.game for result in Measurement(quick, CARDS, 10, processes=2).play()]
    assert games == list(range(10))
    assert without_times(replace(quick, seed=6).play(0, CARDS)) != without_times(
        quick.play(0, CARDS)
    )


def test_an_error_in_a_worker_process_is_reported() -> None:
    measurement = Measurement(Duel("nobody", "random"), CARDS, 2, processes=2)
    with pytest.raises(SetupError, match="There is no bot called “nobody”"):
        list(measurement.play())


@pytest.mark.parametrize(
    ("duel", "sentence"),
    [
        (Duel("nobody", "random"), "There is no bot called “nobody”"),
        (Duel("random", "mcts:0ms"), "There is no bot called “mcts:0ms”"),
        (Duel("random", "random", 5), "2 to 4 players"),
        (Duel("random", "random", edition="XX"), "Unknown edition"),
        (Duel("random", "random", factions=(APES,) * 3), "given for 3 players"),
        (Duel("random", "random", factions=(("Kaiju", "Kaiju"),)), "cannot take Kaiju twice"),
    ],
)
def test_an_invalid_duel_is_refused(duel: Duel, sentence: str) -> None:
    with pytest.raises(SetupError, match=sentence):
        duel.check(CARDS)


# --- the numbers ------------------------------------------------------------------------------


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
    found = wilson_interval(won, games)
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.00005)
    wider = wilson_interval(won, games, Z99)
    assert wider.low <= found.low
    assert wider.high >= found.high
    assert wider.high - wider.low > found.high - found.low


def test_statistics_without_games() -> None:
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
    assert tuple(compute_rank(seat, winners, vp) for seat in range(len(vp))) == ranks
    assert sum(ranks) == len(vp) * expected_rank(len(vp))


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
        tally.add(make_result(number, won=number % 2 == 0, players=4))
    # Ranks 1 and 4 in turn, and two more of them: deviation 1.5 * sqrt(42 / 41).
    spread = 1.959964 * 1.5 * (42 / 41) ** 0.5 / 40**0.5
    found = tally.rank_interval()
    assert (found.low, found.high) == pytest.approx((2.5 - spread, 2.5 + spread))
    always = Tally(4)
    for number in range(40):
        always.add(make_result(number, players=4))
    assert always.rank_interval().low == 1
    assert 1.05 < always.rank_interval().high < 1.5


def find_verdicts(
    stopping_rule: StoppingRule, outcomes: Iterator[bool] | list[bool], players: int = 2
) -> list[str]:
    tally = Tally(players)
    found = []
    for number, won in enumerate(outcomes):
        tally.add(make_result(number, won, players))
        found.append(stopping_rule.verdict(tally))
    return found


def test_the_stopping_rule_waits_for_a_clear_answer() -> None:
    above = find_verdicts(StoppingRule(win_rate=0.5), [True] * 24)
    assert above == [UNDECIDED] * 19 + [ABOVE] + [UNDECIDED] * 3 + [ABOVE]
    assert find_verdicts(StoppingRule(win_rate=0.5), [False] * 20)[-1] == BELOW
    assert set(find_verdicts(StoppingRule(win_rate=0.5), [True, False] * 50)) == {UNDECIDED}
    assert set(find_verdicts(StoppingRule(), [True] * 100)) == {UNDECIDED}
    assert find_verdicts(StoppingRule(win_rate=0.9), [True] * 20)[-1] == UNDECIDED


def test_the_stopping_rule_uses_the_99_percent_interval() -> None:
    outcomes = [True] * 15 + [False] * 5
    tally = Tally(2)
    for number, won in enumerate(outcomes):
        tally.add(make_result(number, won))
    stopping_rule = (tally.rate_interval().low + tally.rate_interval(Z99).low) / 2
    assert tally.rate_interval().low > stopping_rule
    assert StoppingRule(win_rate=stopping_rule).verdict(tally) == UNDECIDED


def test_at_larger_tables_the_mean_rank_decides() -> None:
    found = find_verdicts(StoppingRule(better_rank=True), [True] * 24, players=4)
    assert found == [UNDECIDED] * 23 + [ABOVE]
    assert find_verdicts(StoppingRule(better_rank=True), [False] * 24, players=4)[-1] == BELOW
    assert (
        find_verdicts(StoppingRule(better_rank=True), [True, False] * 12, players=4)[-1]
        == UNDECIDED
    )


def test_a_duel_ends_early_and_counts_whole_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    def play(duel: Duel, game: int, cards: object) -> Result:
        return make_result(game, won=False)

    monkeypatch.setattr(Duel, "play", play)
    measurement = Measurement(Duel("random", "random"), CARDS, 60, StoppingRule(win_rate=0.5))
    assert len(play_all(measurement)) == 20
    assert measurement.verdict == BELOW
    assert len(play_all(Measurement(Duel("random", "random"), CARDS, 60))) == 60
    assert Measurement(Duel("random", "random", 3), CARDS, 100).games == 102


# --- results files ----------------------------------------------------------------------------


def run_with_results_file(
    path: Path, duel: Duel, games: int, stopping_rule: StoppingRule | None = None
) -> Measurement:
    results_file = ResultsFile(path, duel, CARDS)
    measurement = Measurement(duel, CARDS, games, stopping_rule or StoppingRule(), results_file)
    list(measurement.play())
    return measurement


def test_a_stored_duel_resumes_after_its_last_game(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "duel.jsonl"
    duel = Duel("random", "random", 3, seed=2)
    whole = play_all(Measurement(duel, CARDS, 6))
    run_with_results_file(path, duel, 3)
    half = path.read_bytes()
    measurement = Measurement(duel, CARDS, 6, results_file=ResultsFile(path, duel, CARDS))
    assert measurement.tally.games == 3
    assert [result.game for result in measurement.play()] == [3, 4, 5]
    assert path.read_bytes().startswith(half)
    header, results = read_results(path)
    assert (header["a"], header["players"], header["seed"]) == ("random", 3, 2)
    assert [without_times(result) for result in results] == whole
    assert play_all(Measurement(duel, CARDS, 6, results_file=ResultsFile(path, duel, CARDS))) == []
    assert run_with_results_file(path, duel, 3).tally.games == 3


def test_lines_are_short() -> None:
    longest = sorted((f.name for f in CARDS.factions), key=len)[-8:]
    teams = tuple((longest[seat], longest[seat + 4]) for seat in range(4))
    result = replace(make_result(99999, players=4), factions=teams, seconds=(9999.999, 9999.999))
    assert len(encode_result(result)) < 300


@pytest.mark.parametrize("rest", [b"{", b'{"game":5,"seat":1,"win', b'{"game":5}', b"\0" * 500])
def test_the_game_of_a_truncated_line_is_played_again(tmp_path: Path, rest: bytes) -> None:
    path = tmp_path / "duel.jsonl"
    duel = Duel("random", "random")
    run_with_results_file(path, duel, 6)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:6]) + rest)
    results_file = ResultsFile(path, duel, CARDS)
    assert len(results_file.results) == 5
    run_with_results_file(path, duel, 6)
    again = path.read_bytes().splitlines(keepends=True)
    assert again[:6] == lines[:6]
    assert len(again) == 7
    assert [without_times(r) for r in read_results(path)[1]][5] == without_times(
        duel.play(5, CARDS)
    )


@pytest.mark.parametrize("length", [0, 1, 60])
def test_a_truncated_header_is_written_again(tmp_path: Path, length: int) -> None:
    path = tmp_path / "duel.jsonl"
    duel = Duel("random", "random")
    ResultsFile(path, duel, CARDS)
    header = path.read_bytes()
    path.write_bytes(header[:length])
    assert ResultsFile(path, duel, CARDS).results == []
    assert path.read_bytes() == header


@pytest.mark.parametrize(
    ("other", "sentence"),
    [
        (Duel("greedy", "random"), '“a” is "random", here "greedy"'),
        (Duel("random", "greedy"), "“b”"),
        (Duel("random", "random", 3), "“players” is 2, here 3"),
        (Duel("random", "random", seed=2), "“seed”"),
        (Duel("random", "random", edition="CD"), "“edition”"),
        (Duel("random", "random", printing="current"), "“printing”"),
        (Duel("random", "random", factions=(APES,)), "“factions”"),
    ],
)
def test_another_measurement_is_refused(tmp_path: Path, other: Duel, sentence: str) -> None:
    path = tmp_path / "duel.jsonl"
    run_with_results_file(path, Duel("random", "random"), 2)
    before = path.read_bytes()
    with pytest.raises(SaveError, match=sentence):
        ResultsFile(path, other, CARDS)
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", ["Dear Ana", "Dear Ana\n", "{}\n", '{"format": 7}\n', "[]\n\n"])
def test_a_file_of_another_format_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "letter.txt"
    path.write_text(content)
    with pytest.raises(SaveError, match="does not hold results of a duel"):
        ResultsFile(path, Duel("random", "random"), CARDS)
    assert path.read_text() == content


@pytest.mark.parametrize(
    "line",
    [
        b"oops",
        b"{}",
        b"\xff\xfe",
        encode_result(make_result(3)).strip(),
        encode_result(make_result(1)).strip().replace(b'"seat":1', b'"seat":0'),
        encode_result(make_result(1)).strip().replace(b'"winners":[1]', b'"winners":[7]'),
        encode_result(make_result(1)).strip().replace(b'"winners":[1]', b'"winners":[]'),
        encode_result(make_result(1)).strip().replace(b'"vp":[10,15]', b'"vp":[10]'),
    ],
)
def test_a_damaged_file_is_refused(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "duel.jsonl"
    duel = Duel("random", "random")
    ResultsFile(path, duel, CARDS).add(make_result(0))
    good = path.read_bytes()
    path.write_bytes(good + line + b"\n" + encode_result(make_result(2)))
    before = path.read_bytes()
    with pytest.raises(SaveError, match="damaged at line 3: that is not the result of game 2"):
        ResultsFile(path, duel, CARDS)
    assert path.read_bytes() == before
    path.write_bytes(good + encode_result(make_result(1)) + encode_result(make_result(2)))
    assert ResultsFile(path, duel, CARDS).results == [make_result(number) for number in range(3)]


def test_two_measurements_cannot_write_to_one_file(tmp_path: Path) -> None:
    path = tmp_path / "duel.jsonl"
    duel = Duel("random", "random")
    one, other = (ResultsFile(path, duel, CARDS) for _ in range(2))
    one.add(make_result(0))
    before = path.read_bytes()
    with pytest.raises(SaveError, match="was changed while games were played"):
        other.add(make_result(0))
    assert path.read_bytes() == before


def test_stored_games_count_for_the_stopping_rule(tmp_path: Path) -> None:
    path = tmp_path / "duel.jsonl"
    duel = Duel("random", "random")
    results_file = ResultsFile(path, duel, CARDS)
    for number in range(30):
        results_file.add(make_result(number))
    measurement = run_with_results_file(path, duel, 100, StoppingRule(win_rate=0.5))
    assert (measurement.verdict, measurement.tally.games) == (ABOVE, 20)


# --- the ladder -------------------------------------------------------------------------------


def test_the_ladder_page_is_written_from_the_results_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "ladder"
    options = ["--folder", str(folder), "--processes", "1"]
    assert ladder.main([*options, "--write"]) == 0
    assert "No results yet." in (tmp_path / "ladder.md").read_text("utf-8")
    assert ladder.main([*options, "--only", "easy:random", "--games", "2"]) == 0
    assert ladder.main([*options, "--only", "easy:random", "--games", "4"]) == 0
    duel = Duel("easy", "random", 4)
    results_file = ResultsFile(folder / "easy-random-4p.jsonl", duel, CARDS)
    for number in range(8):
        results_file.add(make_result(number, players=4))
    assert ladder.main([*options, "--write"]) == 0
    render_page = (tmp_path / "ladder.md").read_text("utf-8")
    assert "[easy – random](ladder/easy-random.jsonl)" in render_page
    assert "`smashup duel easy random --games 4`" in render_page
    assert "**1.00** | 1.00–1.66 | 100.0%" in render_page
    assert "`smashup duel easy random --players 4 --games 8`" in render_page
    render_picture = ElementTree.fromstring((tmp_path / "ladder.svg").read_text("utf-8"))
    shown = "".join(render_picture.itertext())
    assert "easy – random" in shown
    assert "easy – 3 × random" in shown
    assert ladder.main([*options, "--only", "random:expert"]) == 2
    assert "no pairing random:expert" in capsys.readouterr().err
