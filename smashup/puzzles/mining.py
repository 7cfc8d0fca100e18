"""Finds puzzles in games of bots, each determined by its number."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Final

from smashup.bots.bot import Bot
from smashup.bots.information_set import InformationSet
from smashup.bots.levels import make_bot
from smashup.engine.game import Game
from smashup.engine.model.catalogue import Catalogue
from smashup.engine.model.decisions import Purpose
from smashup.engine.model.setup import Setup
from smashup.engine.replay.dealing import Dealer
from smashup.engine.views.view import SPECTATOR
from smashup.puzzles.candidates import (
    Candidate,
    ReachedGoal,
    deal_other_hand,
    power_in_hand,
    power_needed,
)
from smashup.puzzles.difficulty import grade, is_too_simple
from smashup.puzzles.goals import Goal, is_turn_over, judge_turn
from smashup.puzzles.model import Puzzle, puzzle_id
from smashup.puzzles.proof import Line, describe_line, is_certain
from smashup.puzzles.turn_search import MAX_POSITIONS, TurnSearch, TurnTooLarge

REFUTATIONS: Final = 50
"""Random turns per step that try to reach the goal without it, before all lines are searched."""
RATE_PROBES: Final = 200
"""Random turns that measure how often random play succeeds."""
FIRST_TURN: Final = 4
"""The first turn to search: earlier ones have too few cards on the table."""
HANDS: Final = 20
"""Number of hands to try at each position: the real one and others."""
MAX_NEEDED: Final = 10
"""The miner skips turns in which every base needs more power than this."""
MAX_PER_GAME: Final = 5
MAX_DECISIONS: Final = 2_000
"""Decisions after which a game is abandoned."""
PLAYER_COUNTS: Final = (2, 2, 2, 2, 2, 2, 3, 3, 4)
MINER: Final = "greedy"
"""The bot that plays the games."""
TESTERS: Final = ("normal", "normal", "easy", "easy")
"""The bots that try a puzzle to grade it."""
NO_GOAL: Final = "no goal in reach"
SEVERAL: Final = "several solutions"
SIMPLE: Final = "too simple"
HIDDEN: Final = "depends on hidden cards"
LARGE: Final = "too many lines"


@dataclass(frozen=True)
class MinedGame:
    """What was found in a game."""

    game: int
    """The number of the game."""
    puzzles: tuple[Puzzle, ...]
    rejections: dict[str, int]
    """Number of rejected positions, by reason."""


@dataclass(frozen=True)
class Mining:
    """A series of games to mine, determined by its seed."""

    seed: int = 1
    max_positions: int = MAX_POSITIONS
    """Maximum number of positions of a proof."""

    def play(self, game: int, cards: Catalogue) -> MinedGame:
        """Play a game and return the puzzles in it."""
        rng = Random(f"puzzles/{self.seed}/{game}")
        setup = _draw_setup(rng, cards)
        bots = [make_bot(MINER, rng.getrandbits(32)) for _ in range(setup.players)]
        match = Game(setup, cards)
        match.table.logging = False
        turn = 0
        rejections: Counter[str] = Counter()
        found: list[Puzzle] = []
        for _ in range(MAX_DECISIONS):
            decision = match.decision
            if decision is None or len(found) >= MAX_PER_GAME:
                break
            if decision.purpose is Purpose.PLAY_MENU and match.table.state.turn != turn:
                turn = match.table.state.turn
                if turn >= FIRST_TURN:
                    found += self._mine_turn(match, rng, rejections)
            match.choose(_answer(match, bots[decision.player]))
        return MinedGame(game, tuple(found), dict(rejections))

    def _mine_turn(self, match: Game, rng: Random, rejections: Counter[str]) -> list[Puzzle]:
        """Return at most one puzzle at the start of a turn, with the real hand or another one."""
        needed = power_needed(match)
        dealer = Dealer(match, SPECTATOR)
        for number in range(HANDS if needed <= MAX_NEEDED else 0):
            dealt = deal_other_hand(dealer, rng) if number else match
            if power_in_hand(dealt) < needed:
                rejections[NO_GOAL] += 1
                continue
            puzzle = self._find_puzzle(Candidate.from_game(dealt), rng, rejections)
            if puzzle is not None:
                return [puzzle]
        return []

    def _find_puzzle(
        self, candidate: Candidate, rng: Random, rejections: Counter[str]
    ) -> Puzzle | None:
        reason = NO_GOAL
        for reach in candidate.find_goals(rng):
            line = _narrow_down(candidate, reach, rng)
            if line is None:
                reason = SEVERAL
                continue
            solving = _count_solving_bots(candidate, reach.goal, line, rng)
            if is_too_simple(line.plays, len(line.steps), solving):
                reason = SIMPLE
            elif not is_certain(candidate.game, line, reach.goal, rng.getrandbits(32)):
                reason = HIDDEN
            else:
                search = TurnSearch(candidate.game, reach.goal, self.max_positions)
                try:
                    if search.find_other_line(line.steps) is None:
                        return _build_puzzle(
                            candidate, reach.goal, line, search.visited, solving, rng
                        )
                    reason = SEVERAL
                except TurnTooLarge:
                    reason = LARGE
        rejections[reason] += 1
        return None


def _draw_setup(rng: Random, cards: Catalogue) -> Setup:
    players = rng.choice(PLAYER_COUNTS)
    names = rng.sample([faction.name for faction in cards.factions], 2 * players)
    factions = tuple((names[2 * p], names[2 * p + 1]) for p in range(players))
    return Setup(players=players, factions=factions, seed=rng.getrandbits(48))


def _answer(game: Game, bot: Bot) -> int:
    decision = game.decision
    assert decision is not None
    return 0 if len(decision.options) == 1 else bot.choose(InformationSet(game))


def _narrow_down(candidate: Candidate, reach: ReachedGoal, rng: Random) -> Line | None:
    """Return a line of the steps that seem necessary; None if no single set of steps is.

    Random turns that do without a step show that it is not necessary.
    """
    untested = sorted(reach.steps, key=repr)
    while untested:
        step = untested.pop()
        for _ in range(REFUTATIONS):
            turn = candidate.play_at_random(rng, step, reach.steps)
            if turn.outcome.reaches(reach.goal):
                reach.add(turn.steps)
                untested = [left for left in untested if left in reach.steps]
                break
    if not reach.steps:
        return None
    answers = TurnSearch(candidate.game, reach.goal).find_line(reach.steps)
    if answers is None:
        return None
    line = describe_line(candidate.game, answers)
    return line if reach.steps.issuperset(line.steps) else None


def _build_puzzle(
    candidate: Candidate, goal: Goal, line: Line, positions: int, solving: int, rng: Random
) -> Puzzle:
    turns = [candidate.play_at_random(rng) for _ in range(RATE_PROBES)]
    rate = sum(turn.outcome.reaches(goal) for turn in turns) / RATE_PROBES
    return Puzzle(
        id=puzzle_id(candidate.start, goal),
        setup=candidate.setup,
        start=candidate.start,
        player=candidate.player,
        goal=goal,
        solution=line.answers,
        plays=line.plays,
        steps=len(line.steps),
        positions=positions,
        random_rate=rate,
        bots_solving=solving,
        difficulty=grade(len(line.steps), rate, solving / len(TESTERS)),
    )


def _count_solving_bots(candidate: Candidate, goal: Goal, line: Line, rng: Random) -> int:
    """Count the bots that reach a goal; stop once the puzzle is too simple."""
    solving = 0
    for name in TESTERS:
        solving += _bot_solves(candidate, name, goal, rng)
        if is_too_simple(line.plays, len(line.steps), solving):
            break
    return solving


def _bot_solves(candidate: Candidate, name: str, goal: Goal, rng: Random) -> bool:
    """Whether a bot reaches the goal when it plays the turn."""
    bot = make_bot(name, rng.getrandbits(32))
    game = candidate.begin()
    while not is_turn_over(game, candidate.turn):
        game.choose(_answer(game, bot))
    return judge_turn(game, candidate.player, candidate.turn).reaches(goal)
