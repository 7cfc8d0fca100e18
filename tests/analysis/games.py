"""Games to analyze: played by bots, and positions in which one choice wins immediately."""

from __future__ import annotations

from collections.abc import Iterator

from smashup.bots.information_set import InformationSet
from smashup.bots.levels import make_bot
from smashup.bots.win_probability import win_probabilities
from smashup.cards import catalogue
from smashup.engine.game import Game
from smashup.engine.model.decisions import DONE
from smashup.engine.model.setup import Setup

TEAMS = (("Cyborg Apes", "Time Travelers"), ("Sumo Wrestlers", "Luchadors"))


def play_bot_game(seed: int = 1, levels: tuple[str, ...] = ("random", "normal")) -> Game:
    """Play a whole game between bots of these levels."""
    game = Game(Setup(len(levels), seed=seed, factions=TEAMS[: len(levels)]), catalogue())
    bots = [make_bot(level, seed + seat) for seat, level in enumerate(levels)]
    while (decision := game.decision) is not None:
        game.choose(bots[decision.player].choose(InformationSet(game)))
    return game


def find_missed_wins(game: Game) -> Iterator[tuple[Game, int]]:
    """Yield positions of the last turn in which the winner would leave the game open by ending the
    turn at once, each with the option that ends it.
    """
    last_turn = game.table.state.turn
    for number in reversed(range(len(game.answers))):
        before = game.undo(len(game.answers) - number)
        decision = before.decision
        assert decision is not None
        if before.table.state.turn < last_turn:
            return
        if not before.at_menu or decision.player not in game.winners:
            continue
        end = next(i for i, move in enumerate(decision.options) if move.verb == DONE)
        without = before.clone()
        without.choose(end)
        while (pending := without.decision) is not None and without.table.state.turn == last_turn:
            without.choose(len(pending.options) - 1)
        winner = decision.player
        if not without.is_over and win_probabilities(without, winner)[winner] < 0.7:
            yield before, end
