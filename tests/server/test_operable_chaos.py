"""Chaos runs: every table stays correct, and the verification notices every kind of damage."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scripts.chaos.__main__ import main
from scripts.chaos.records import AcknowledgedAnswer, ObservedTable, ReceivedState, fingerprint
from scripts.chaos.verification import verify_final_state, verify_history
from smashup.cards import catalogue
from smashup.engine.game import Game
from smashup.engine.model.setup import Setup
from smashup.server.storage.records import LogEntry, StoredTable, TableRecord
from smashup.server.tables.table_log import answer_entry

pytestmark = pytest.mark.usefixtures("proc")

SHORT_RUN = ("--interval-seconds", "2", "--clock", "0", "--verify-minutes", "0.05")


def test_server_restarts_lose_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    options = ("--tables", "8", "--think-seconds", "0.3", "--minutes", "0.1", "--workers", "1")
    status = main((*SHORT_RUN, *options, "--only", "restarted", "--seed", "3"))
    captured = capfd.readouterr()
    assert status == 0, captured.out + captured.err
    assert "server_restarted" in captured.out
    assert "closed_with_1012" in captured.out


def test_two_workers_survive_all_faults(capfd: pytest.CaptureFixture[str]) -> None:
    options = ("--tables", "4", "--think-seconds", "0.2", "--minutes", "0.15", "--workers", "2")
    status = main((*SHORT_RUN, *options, "--seed", "11"))
    captured = capfd.readouterr()
    assert status == 0, captured.out + captured.err
    assert "hostile_messages" in captured.out


# --- the verification notices damage ----------------------------------------------------------


def make_table() -> tuple[ObservedTable, StoredTable, list[Game]]:
    """Return a table after twenty answers of two players, and the game after each answer."""
    setup = Setup(players=2, seed=5)
    game = Game(setup, catalogue())
    table = ObservedTable("x", {0: "a", 1: "b"}, 2)
    table.received = [ReceivedState(0), ReceivedState(1)]
    entries: list[LogEntry] = []
    games = [game.clone(log=True)]
    for number in range(20):
        decision = game.decision
        assert decision is not None
        entries.append(answer_entry(number, decision.player, 0, f"m{number}"))
        table.answers.append(AcknowledgedAnswer(decision.player, f"m{number}", (0,)))
        game.choose(0)
        games.append(game.clone(log=True))
    for received in table.received:
        received.views = [fingerprint(moment.view(received.viewer)) for moment in games]
        received.view = dict(game.view(received.viewer))
        received.number = sum(entry.seat == received.viewer for entry in entries)
    record = TableRecord("x", {}, 0.0, state="playing", setup=setup.to_json())
    return table, StoredTable(record, [], entries), games


def find_failures(table: ObservedTable, stored: StoredTable) -> list[str]:
    cards = catalogue()
    return [*verify_final_state(table, stored, cards), *verify_history(table, stored, cards)]


def test_correct_table_has_no_failures() -> None:
    table, stored, _ = make_table()
    assert find_failures(table, stored) == []


def test_lost_answer_is_noticed() -> None:
    table, stored, _ = make_table()
    lost = stored.entries.pop()
    failures = find_failures(table, stored)
    assert f"acknowledged message {lost.message_id} is lost" in failures
    assert "seat 0 received a view that never existed or was lost" in failures


def test_repeated_message_is_noticed() -> None:
    table, stored, _ = make_table()
    first, *_, last = (entry for entry in stored.entries if entry.seat == 0)
    stored.entries[last.number] = replace(last, message_id=first.message_id)
    assert f"message {first.message_id} was stored 2 times" in find_failures(table, stored)


def test_stored_refused_message_is_noticed() -> None:
    table, stored, _ = make_table()
    table.refused.append((stored.entries[5].seat or 0, "m5"))
    assert "refused message m5 was stored" in find_failures(table, stored)


def test_view_of_another_player_is_noticed() -> None:
    table, stored, games = make_table()
    table.received[0].views[4] = fingerprint(games[4].view(1))
    failures = find_failures(table, stored)
    assert "seat 0 received a view that never existed or was lost" in failures


def test_hidden_card_is_noticed() -> None:
    table, stored, games = make_table()
    hidden = games[-1].table.state.hands[1][0]
    table.received[0].cards.add((hidden, games[-1].table.state.definition[hidden].name))
    assert "seat 0 received 1 hidden cards" in find_failures(table, stored)


def test_lost_chat_message_is_noticed() -> None:
    table, stored, _ = make_table()
    table.chat.append((0, "hello"))
    assert "chat message hello was stored 0 times" in find_failures(table, stored)
