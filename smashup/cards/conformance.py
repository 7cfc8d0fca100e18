"""The conformance check of a faction: ``smashup check-faction FILE`` runs it on a faction file.

It checks the declarations and the code of the abilities, then random games of all kinds in which
every table, copy, view and replay is checked. The first problem ends the check.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from smashup.cards.authoring import leaks
from smashup.cards.authoring.declarations import (
    check_completeness,
    check_declarations,
    check_mentions,
    check_names_are_free,
)
from smashup.cards.authoring.failures import author_code, locate_error
from smashup.cards.authoring.places import (
    FactionError,
    SourceLocation,
    describe_error,
    faction_error,
    shown_value,
)
from smashup.cards.authoring.sources import Source, running_frames, source_of_module
from smashup.cards.authoring.verb_arguments import VerbWatch
from smashup.cards.authoring.watching import AbilityWatch
from smashup.engine.errors import ReplayMismatch
from smashup.engine.game import Game
from smashup.engine.invariants import problems as table_problems
from smashup.engine.model.catalogue import PRINTINGS, Catalogue, Faction
from smashup.engine.model.constants import NONE
from smashup.engine.model.decisions import Decision
from smashup.engine.model.editions import EDITIONS
from smashup.engine.model.messages import Message
from smashup.engine.model.setup import Setup

GAMES: Final = 60
MAX_DECISIONS: Final = 20_000
"""The maximum number of decisions in a game."""
MAX_QUESTIONS: Final = 500
"""The maximum number of decisions while one card resolves."""
ABILITY_SECONDS: Final = 3
"""The maximum processor time from one decision to the next."""
TOO_SLOW: Final = "The code runs for more than {limit} seconds: it probably never ends."
KEEPS_STATE: Final = (
    "A replay of the same answers leads to another table: an ability keeps state or uses"
    " randomness of its own."
)
STEPPED_EVERY: Final = 6
"""One of this many games is played step by step, with copies and views."""


@dataclass
class Report:
    """The result of a check: a problem prevents playing the faction, remarks are hints."""

    faction: str
    problems: list[Message] = field(default_factory=list)
    """Empty, or the first problem found."""
    remarks: list[Message] = field(default_factory=list)
    games: int = 0
    decisions: int = 0

    @property
    def passed(self) -> bool:
        return not self.problems


def check_faction(
    faction: Faction,
    others: Catalogue,
    games: int = GAMES,
    progress: Callable[[int, int], None] | None = None,
    seed: int = 1,
    source: Source | None = None,
) -> Report:
    """Check a faction; ``source`` is its file, by default that of its cards."""
    source = source or _source_of(faction)
    report = Report(shown_value(faction.name))
    try:
        with author_code(source, ABILITY_SECONDS, TOO_SLOW):
            check = _Check(faction, others, source, report)
            report.faction = str(faction.name)
    except FactionError as error:
        report.problems.append(error.message)
        return report
    try:
        check.play_games(games, seed, progress)
    except FactionError as error:
        report.problems.append(error.message)
    finally:
        check.watch.stop()
        check.verbs.stop()
    if report.passed:
        report.remarks += [
            Message(
                "{card}: “{ability}” was never called in these games.",
                {"card": card, "ability": ability},
            )
            for card, ability in dict.fromkeys(check.watch.never_called())
        ]
    return report


class _Check:
    """The check of one faction."""

    def __init__(self, faction: Faction, others: Catalogue, source: Source, report: Report) -> None:
        self.faction = faction
        self.report = report
        self.source = source
        check_declarations(faction, self.source)
        check_completeness(faction, self.source)
        if faction in others.factions:
            self.catalogue = others
        else:
            check_names_are_free(faction, others.factions, self.source)
            check_mentions(faction, others.factions, self.source)
            self.catalogue = Catalogue([*others.factions, faction], madness=others.madness_class)
        decks = [self.catalogue.deck(faction.name, printing) for printing in PRINTINGS]
        self.definitions = [
            definition for d in decks for definition in d.cards + d.titans + d.bases
        ]
        self.watch = AbilityWatch(self.definitions, self.source)
        self.verbs = VerbWatch(self.source, lambda: self.watch.is_query_running)
        self.restart_timer: Callable[[], None] = lambda: None

    def play_games(
        self,
        games: int,
        seed: int,
        progress: Callable[[int, int], None] | None,
    ) -> None:
        """Play random games; raise a `FactionError` for the first that fails."""
        rng = random.Random(seed)
        for number in range(games):
            setup = self._setup(rng, number)
            explain = partial(self._explain, setup)
            with author_code(self.source, ABILITY_SECONDS, TOO_SLOW, explain) as self.restart_timer:
                if number % STEPPED_EVERY == STEPPED_EVERY - 1:
                    self.report.decisions += self._play_stepwise(setup, rng)
                else:
                    self.report.decisions += self._play_out(setup, rng)
            self.report.games += 1
            if progress is not None:
                progress(number + 1, games)

    def _explain(self, setup: Setup, error: BaseException) -> FactionError:
        """Return an error that names the card and line an exception comes from."""
        found = locate_error(error, self.source)
        if found is not None:
            return found
        if isinstance(error, ReplayMismatch):
            return faction_error(self.watch.place_of_last_change(), KEEPS_STATE)
        return faction_error(
            SourceLocation(self.source.label),
            "A random game failed ({edition}, {printing}, seed {seed}): {reason}",
            edition=setup.edition,
            printing=setup.printing,
            seed=setup.seed,
            reason=describe_error(error),
        )

    def _setup(self, rng: random.Random, number: int) -> Setup:
        """Return a setup with the faction; kinds of tables take turns."""
        players = 2 + number % 3
        names = [f.name for f in self.catalogue.factions if f.name != self.faction.name]
        pairs = [rng.sample(names, 2) for _ in range(players)]
        pairs[number % players][0] = self.faction.name
        return Setup(
            players=players,
            factions=tuple(tuple(pair) for pair in pairs),
            edition=list(EDITIONS)[number % len(EDITIONS)],
            printing=PRINTINGS[number % 2],
            seed=rng.getrandbits(40),
            optional_titans=True,
        )

    def _play_out(self, setup: Setup, rng: random.Random) -> int:
        """Play a game with a policy; return its number of decisions."""
        game = Game(setup, self.catalogue)
        game.table.logging = False
        count = questions = 0

        def answer(decision: Decision) -> int:
            nonlocal count, questions
            self.restart_timer()
            count += 1
            questions = questions + 1 if decision.table.resolutions else 0
            if count % 7 == 0:
                self._check_table(game)
            if questions > MAX_QUESTIONS:
                frames = running_frames(sys._getframe())
                raise faction_error(
                    self.source.place_of_frames(frames),
                    "The ability asks more than {most} questions: it probably never ends.",
                    most=MAX_QUESTIONS,
                )
            self._check_length(count)
            return rng.randrange(len(decision.options))

        game.play_out(answer, record=True)
        return count

    def _play_stepwise(self, setup: Setup, rng: random.Random) -> int:
        """Play a game step by step, with copies, redeals and a replay; return its number of
        decisions."""
        game = Game(setup, self.catalogue)
        game.table.logging = False
        while (decision := game.decision) is not None:
            self.restart_timer()
            self._check_table(game)
            option = rng.randrange(len(decision.options))
            if len(game.answers) % 8 == 0:
                if game.clone().digest() != game.digest():
                    raise faction_error(
                        self.watch.place_of_last_change(), "A clone differs from its original."
                    )
                self._check_view(game, decision.player, rng)
            if game.at_menu:
                self._check_dependence(game, option, rng)
            self._check_length(len(game.answers))
            game.choose(option)
        if Game.replay(setup, self.catalogue, game.answers).digest() != game.digest():
            raise faction_error(SourceLocation(self.source.label), KEEPS_STATE)
        return len(game.answers)

    def _check_length(self, count: int) -> None:
        if count > MAX_DECISIONS:
            (card, ability), _ = self.watch.calls.most_common(1)[0]
            raise faction_error(
                SourceLocation(self.source.label, 0, card, ability),
                "A game does not end after {most} decisions; this ability was called most.",
                most=MAX_DECISIONS,
            )

    def _check_table(self, game: Game) -> None:
        wrong = table_problems(game)
        if wrong:
            raise faction_error(
                self.watch.place_of_last_change(),
                "After this ability the table is inconsistent: {problems}",
                problems=wrong[0],
            )

    # --- hidden cards -----------------------------------------------------------------------

    def _check_view(self, game: Game, player: int, rng: random.Random) -> None:
        """Check that the player's view does not change when hidden cards are exchanged."""
        if game.at_menu:  # these copies compute the menu again
            others = leaks.deal_hidden_cards(game, player, rng)
        else:
            others = [game.determinize(player, rng.randrange)]
        view = game.clone(log=game.at_menu).view(player)
        for other in others:
            self.restart_timer()
            difference = leaks.find_difference(view, other.view(player))
            if difference:
                raise faction_error(
                    self._place_of_difference([game, other], player),
                    "A player's view depends on cards hidden from the player: {field}.",
                    field=difference,
                )

    def _place_of_difference(self, tables: list[Game], player: int) -> SourceLocation:
        """Return the ability that has different results on two tables."""
        calls = [self.watch.record(lambda t=t: t.clone().view(player)) for t in tables]  # type: ignore[misc]
        for call, result in calls[0].items():
            if call in calls[1] and calls[1][call] != result:
                return self._place_of(call[0], call[1])
        return SourceLocation(self.source.label)

    def _check_dependence(self, game: Game, option: int, rng: random.Random) -> None:
        """Check that what a card of the faction does is independent of cards hidden from its
        player."""
        decision = game.decision
        assert decision is not None
        card = getattr(decision.options[option], "card", NONE)
        if card == NONE or game.table.state.definition[card].faction != self.faction.name:
            return
        self._check_view(game, decision.player, rng)
        difference = leaks.find_dependence(
            game, option, rng, lambda: self.verbs.looks, self.restart_timer
        )
        if difference:
            definition = game.table.state.definition[card]
            in_play = game.table.in_play(card)
            raise faction_error(
                self._place_of(definition.name, "talent" if in_play else "on_play"),
                "What the card does depends on cards hidden from its player: {field}.",
                field=difference,
            )

    def _place_of(self, card: str, ability: str) -> SourceLocation:
        definition = next(definition for definition in self.definitions if definition.name == card)
        return self.source.member_place(type(definition), ability, card, ability)


def _source_of(faction: Faction) -> Source:
    """Return the source of the module with a faction's cards, for line numbers."""
    cards: Any = faction.cards
    first = cards[0] if isinstance(cards, tuple | list) and cards else None
    module = sys.modules.get(getattr(first, "__module__", ""))
    return source_of_module(module) if module is not None else Source("?", "?", "")
