"""The context of a question: which card asks, about which cards, and why."""

from __future__ import annotations

import random
from typing import Any

from smashup.engine.game import Game
from smashup.engine.model.constants import BASE
from smashup.engine.rules.visibility import knows_card
from tests.random_games import new_game, random_setup, walk

REASONS = {
    "start_of_turn", "card_played", "card_destroyed", "before_scoring", "after_scoring",
}  # fmt: skip


def shown_decision(game: Game, viewer: int = -1) -> Any:
    decision = game.decision
    assert decision is not None
    return game.view(viewer if viewer >= 0 else decision.player)["decision"]


def test_questions_have_a_reason_and_a_subject() -> None:
    """In random games, every reason is complete, and subjects are known cards."""
    reasons: set[str] = set()
    subjects = 0
    for seed in range(60):
        if reasons >= REASONS and subjects > 20:
            break
        rng = random.Random(f"contexts/{seed}")
        game = new_game(random_setup(rng))
        for _ in walk(game, rng):
            if game.decision is None:
                break
            player = game.decision.player
            shown = shown_decision(game)
            reason = shown.get("reason", {"kind": ""})
            reasons.add(reason["kind"])
            if reason["kind"] in ("before_scoring", "after_scoring"):
                assert reason["base"] in [base["serial"] for base in game.view(player)["bases"]]
            for card in shown.get("subjects", ()):
                subjects += 1
                assert knows_card(game.table, player, card)
            other = (player + 1) % game.table.num_players
            assert set(shown_decision(game, other)) == {"player"}
    assert reasons >= REASONS
    assert subjects > 20


def test_changes_name_who_did_it_and_with_which_card() -> None:
    """A destroyed card names the card that did it; a scored base the power of each player."""
    destroyed = scored = 0
    for seed in range(10):
        rng = random.Random(f"causes/{seed}")
        game = new_game(random_setup(rng))
        for _ in walk(game, rng):
            pass
        for change in game.events(-1):
            if change["kind"] == "destroyed" and "cause" in change:
                destroyed += 1
                cause = game.table.state.definition[change["cause"]["id"]]
                by_player = change.get("by") in range(game.table.num_players)
                assert by_player or cause.type == BASE
            if change["kind"] == "scored":
                scored += 1
                powers = [row["power"] for row in change["places"]]
                assert powers == sorted(powers, reverse=True)
                assert "cause" not in change
    assert destroyed > 10
    assert scored > 10


def test_cancelled_cards_are_marked() -> None:
    """A card whose text another one cancels says so, as long as it does."""
    seen = 0
    for seed in range(60):
        rng = random.Random(f"cancelled/{seed}")
        game = new_game(random_setup(rng))
        for _ in walk(game, rng):
            cards = [card for base in game.view(-1)["bases"] for card in base["cards"]]
            seen += sum(card.get("cancelled", False) for card in cards)
        if seen:
            return
    raise AssertionError("no game had a cancelled card")
