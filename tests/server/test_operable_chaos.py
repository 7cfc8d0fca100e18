"""A server that is restarted, killed and pestered while people play: every table stays exact."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scripts import dev_services
from scripts.chaos.__main__ import main
from scripts.chaos.exactness import at_the_end, step_by_step
from scripts.chaos.notes import Given, Notes, Told, fingerprint
from smashup.cards import catalogue
from smashup.engine.game import Game
from smashup.engine.model.setup import Setup
from smashup.server.storage.records import LogEntry, StoredTable, TableRecord
from smashup.server.tables.table_log import answer_entry

pytestmark = pytest.mark.usefixtures("proc")


def test_a_restart_under_load_loses_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    """Eight tables, and a server that is told to stop and started again."""
    words = ("--tables", "8", "--pace", "0.3", "--minutes", "0.1", "--every", "2", "--clock", "0")
    status = main(
        (*words, "--workers", "1", "--only", "restarted", "--verify", "0.05", "--seed", "3")
    )
    told = capfd.readouterr()
    assert status == 0, told.out + told.err
    assert "the server is restarted" in told.out
    assert "closed with 1012" in told.out


def test_two_workers_through_all_kinds_of_trouble(capfd: pytest.CaptureFixture[str]) -> None:
    try:
        dev_services.postgres_programs()
    except dev_services.NotInstalled as missing:
        pytest.skip(str(missing))
    words = ("--tables", "4", "--pace", "0.2", "--minutes", "0.15", "--every", "2", "--clock", "0")
    status = main((*words, "--workers", "2", "--verify", "0.05", "--seed", "11"))
    told = capfd.readouterr()
    assert status == 0, told.out + told.err
    assert "hostile messages" in told.out


# --- whether it would notice ------------------------------------------------------------------


def a_table() -> tuple[Notes, StoredTable, list[Game]]:
    """A table at which two people have chosen twenty times, and what they saw."""
    setup = Setup(players=2, seed=5)
    game = Game(setup, catalogue())
    notes = Notes("x", {0: "a", 1: "b"}, 2)
    notes.told = [Told(0), Told(1)]
    answers: list[LogEntry] = []
    games = [game.clone(log=True)]
    for number in range(20):
        decision = game.decision
        assert decision is not None
        answers.append(answer_entry(number, decision.player, 0, f"m{number}"))
        notes.given.append(Given(decision.player, f"m{number}", (0,)))
        game.choose(0)
        games.append(game.clone(log=True))
    for told in notes.told:
        told.views = [fingerprint(moment.view(told.viewer)) for moment in games]
        told.view = dict(game.view(told.viewer))
        told.number = sum(answer.seat == told.viewer for answer in answers)
    record = TableRecord("x", {}, 0.0, state="playing", setup=setup.to_json())
    return notes, StoredTable(record, [], answers), games


def faults(notes: Notes, kept: StoredTable) -> list[str]:
    cards = catalogue()
    return [*at_the_end(notes, kept, cards), *step_by_step(notes, kept, cards)]


def test_what_is_exact_is_found_to_be() -> None:
    notes, kept, _ = a_table()
    assert faults(notes, kept) == []


def test_what_is_not_exact_is_noticed() -> None:
    notes, kept, _ = a_table()
    lost = kept.entries.pop()
    assert f"message {lost.message_id}, which was acknowledged, is lost" in faults(notes, kept)
    assert "seat 0 was shown what never was, or what is lost" in faults(notes, kept)

    notes, kept, _ = a_table()
    first, *_, last = (answer for answer in kept.entries if answer.seat == 0)
    kept.entries[last.number] = replace(last, message_id=first.message_id)
    assert f"message {first.message_id} counted 2 times" in faults(notes, kept)

    notes, kept, _ = a_table()
    notes.refused.append((kept.entries[5].seat or 0, "m5"))
    assert "message m5, which was refused, counted" in faults(notes, kept)

    notes, kept, games = a_table()
    notes.told[0].views[4] = fingerprint(games[4].view(1))
    assert "seat 0 was shown what never was, or what is lost" in faults(notes, kept)

    notes, kept, games = a_table()
    hidden = games[-1].table.state.hands[1][0]
    notes.told[0].cards.add((hidden, games[-1].table.state.definition[hidden].name))
    assert "seat 0 was told of 1 hidden cards" in faults(notes, kept)

    notes, kept, _ = a_table()
    notes.said.append((0, "word"))
    assert "word was said once and kept 0 times" in faults(notes, kept)
