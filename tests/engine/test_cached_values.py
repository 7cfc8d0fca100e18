"""Cached values equal freshly computed ones, no matter what cards read.

Made-up cards read everything that the card API lets a text read: hands, decks, discard piles, VP,
the turn, the phase, opponents, and whatever is added to the API later. Their power, breakpoint
contributions and permissions depend on it, so a stale cache shows in random games.
"""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace

import pytest

from smashup.cards import catalogue
from smashup.engine.card_api import Base, Card, Player
from smashup.engine.game import Game
from smashup.engine.model.catalogue import Catalogue, Faction
from smashup.engine.model.constants import AT_BASE, DISCARDED_BY_RULE, HAND, MINION, NONE
from smashup.engine.model.decisions import Decision
from smashup.engine.model.definitions import (
    ActionOnBase,
    ActionOnMinion,
    BaseCard,
    CardDefinition,
    Minion,
)
from smashup.engine.model.events import Cause
from smashup.engine.model.setup import Setup
from smashup.engine.rules import abilities, effects, menu, queries, zones
from tests.random_games import new_game, random_player, random_setup, walk

Read = Callable[[Card], object]

COMPUTED_FROM_POWER = {"power", "total", "power_of", "leaders", "breakpoint"}
"""A power that depended on these would depend on itself."""

COMPUTED_FROM_PERMISSIONS = {"can_play"}
"""And so with a permission."""

ARGUMENTS: dict[str, Callable[[Card], object]] = {
    "player": lambda me: me.controller,
    "card": lambda me: me,
    "base": lambda me: me.base,
    "at": lambda me: me.base,
    "name": lambda me: me.name,
    "types": lambda me: MINION,
    "zone": lambda me: HAND,
}
"""What a made-up text passes to a query that needs arguments, by parameter name."""

SUBJECTS: dict[type, list[Read]] = {
    Card: [lambda me: me],
    Base: [lambda me: me.base],
    Player: [lambda me: me.controller, lambda me: me.all_players()[-1]],
}


def api_reads() -> list[tuple[str, Read]]:
    """Return every public property and method of the card API as a function of the reading card."""
    found: list[tuple[str, Read]] = []
    for owner, subjects in SUBJECTS.items():
        for name in dir(owner):
            if name.startswith("_") or name in ("table", "id", "serial", "index"):
                continue
            member = inspect.getattr_static(owner, name)
            for position, subject in enumerate(subjects):
                read = _reader(name, member, subject)
                if read is not None:
                    found.append((f"{owner.__name__} {position} {name}", read))
    return found


def _reader(name: str, member: object, subject: Read) -> Read | None:
    if not callable(member):
        return lambda me: getattr(subject(me), name)
    needed = [
        p.name
        for p in list(inspect.signature(member).parameters.values())[1:]
        if p.default is p.empty and p.kind is not p.VAR_POSITIONAL
    ]
    if not set(needed) <= set(ARGUMENTS):
        return None
    return lambda me: getattr(subject(me), name)(*(ARGUMENTS[n](me) for n in needed))


class StopGame(Exception):
    """Raised to end a game that was checked for long enough."""


class PlayerAsked(Exception):
    """Raised by a member of the API that asks a player: it is not a query."""


def only_reads(read: Read) -> bool:
    """Return whether a member of the API changes nothing and asks no player, by trying it."""
    rng = random.Random("only reads")
    game = new_game(replace(random_setup(rng, players=3), madness=True))
    tried = 0
    for _ in walk(game, rng, 300):
        minions = queries.minions(game.table)
        if not minions or not game.table.state.base_discard:
            continue
        trial = game.clone()
        assert trial.decision is not None

        def refuse(decision: Decision) -> int:
            raise PlayerAsked

        trial.table.policy = refuse
        if tried % 2:  # a search refills an empty deck
            for player in range(trial.table.num_players):
                zones.discard(trial.table, player, trial.table.state.decks[player][:])
        before = trial.table.state.digest()
        try:
            read(trial.table.card(minions[0]))
        except (PlayerAsked, Exception):
            return False
        if trial.table.state.digest() != before:
            return False
        tried += 1
        if tried == 5:
            return True
    raise AssertionError("No game came far enough to try it.")


def as_number(value: object) -> int:
    """A small number that changes when what was read changes."""
    if value is None:
        return 0
    if isinstance(value, int):
        return int(value) % 5
    if isinstance(value, str):
        return len(value) % 5
    if isinstance(value, Card):
        return value.id % 5
    if isinstance(value, Base):
        return value.serial % 5
    if isinstance(value, Player):
        return value.index % 5
    if isinstance(value, (list, tuple)):
        return sum(3 * i + as_number(x) + 1 for i, x in enumerate(value)) % 5
    return 1


def make_minion(label: str, read: Read) -> type[Minion]:
    def power_bonus(self: CardDefinition, me: Card) -> int:
        return as_number(read(me))

    def aura(self: CardDefinition, me: Card, card: Card) -> int:
        return as_number(read(me)) - 2 if card.base is me.base and card is not me else 0

    def forbids_play(
        self: CardDefinition, me: Card, player: Player, card: Card, base: Base
    ) -> bool:
        return base is me.base and as_number(read(me)) == 4

    def forbids_move(self: CardDefinition, me: Card, card: Card, to: Base, cause: Cause) -> bool:
        return to is me.base and as_number(read(me)) == 4

    body = {"name": f"Reads {label}", "power": 2}
    kinds: list[Callable[..., object]] = [power_bonus, aura, forbids_play, forbids_move]
    kind = random.Random(label).choice(kinds)
    query = label.split()[-1]
    if query in COMPUTED_FROM_POWER:  # no permission: a power may depend on those
        kind = forbids_move
    elif query in COMPUTED_FROM_PERMISSIONS:
        kind = power_bonus
    return type("MadeUpMinion", (Minion,), body | {kind.__name__: kind})


def make_action(label: str, read: Read) -> type[ActionOnBase]:
    def breakpoint_change(self: CardDefinition, me: Card, base: Base) -> int:
        return as_number(read(me)) - 2 if base is me.base else 0

    body = {"name": f"Breakpoint of {label}", "breakpoint_change": breakpoint_change}
    return type("MadeUpAction", (ActionOnBase,), body)


class Silencer(ActionOnMinion):
    name = "Silencer"
    copies = 2

    def cancels(self, me: Card, card: Card) -> bool:
        return card is not me and card.base is me.base and len(me.controller.hand) > 4


class Crowd(BaseCard):
    name = "Crowd"
    breakpoint = 12
    vp = (3, 2, 1)

    def player_power(self, me: Card, player: Player) -> int:
        return len(player.hand) + player.vp


def make_catalogue() -> tuple[Catalogue, list[str]]:
    """The factions of the project, and made-up ones that read everything the API offers."""
    queries = [(label, read) for label, read in api_reads() if only_reads(read)]
    cards: list[type[CardDefinition]] = []
    for label, read in queries:
        cards.append(make_minion(label, read))
        if label.split()[-1] != "breakpoint":
            cards.append(make_action(label, read))
    random.Random(0).shuffle(cards)
    factions = [
        Faction(f"Readers {start}", "Made up", tuple(cards[start : start + 20]), (Crowd,))
        for start in range(0, len(cards), 20)
    ]
    factions.append(Faction("Silencers", "Made up", (*cards[:16], Silencer), (Crowd,)))
    everything = Catalogue([*catalogue().factions, *factions], catalogue().madness_class)
    return everything, [faction.name for faction in factions]


CATALOGUE, READERS = make_catalogue()


def make_game(rng: random.Random) -> Game:
    official = [f.name for f in catalogue().factions]
    players = rng.randint(2, 4)
    setup = Setup(
        players=players,
        factions=tuple((rng.choice(READERS), rng.choice(official)) for _ in range(players)),
        seed=rng.getrandbits(53),
        optional_titans=True,
        madness=True,
    )
    return Game(setup, CATALOGUE)


def compute_values(game: Game) -> Iterator[tuple[str, object]]:
    """Return every value that the engine may have cached."""
    state = game.table.state
    for c in range(len(state.definition)):
        if state.zone[c] == AT_BASE:
            yield f"power of {state.definition[c].name}", queries.power(game.table, c)
    for site in state.sites:
        yield f"breakpoint {site.serial}", queries.breakpoint(game.table, site.serial)
        for player in range(game.table.num_players):
            yield (
                f"total of {player} at {site.serial}",
                queries.player_total(game.table, site.serial, player),
            )
    for hook, sources in enumerate(abilities.ability_index(game.table)):
        yield f"abilities {hook}", [(x.card, x.stamp) for x in sources]


def check(game: Game) -> None:
    """Compare cached values with those that a table without caches computes."""
    cached = list(compute_values(game))
    power, index, known = game.table.power_cache.copy(), game.table.index, game.table.all_abilities
    game.table.power_cache = {}
    game.table.index = game.table.all_abilities = None
    fresh = list(compute_values(game))
    game.table.power_cache, game.table.index = power, index
    game.table.all_abilities = known
    wrong = [(c, f) for c, f in zip(cached, fresh, strict=True) if c != f]
    assert not wrong, wrong


def check_views(game: Game) -> None:
    """Compare the views with those of a table without caches."""
    table = game.table
    viewers = range(-1, table.num_players)
    cached = [game.view(viewer) for viewer in viewers]
    for viewer in viewers:
        table.power_cache.clear()
        table.index = table.all_abilities = table.faces = table.board_numbers = None
        assert game.view(viewer) == cached[viewer + 1]


def test_the_api_is_covered() -> None:
    """The made-up cards read these values, among others: the API is introspected."""
    names = {
        kind.name.split()[-1] for kind in CATALOGUE.definitions("printed") if "Reads" in kind.name
    }
    assert names >= {
        "hand", "discarded", "discard_pile", "vp", "is_in", "is_on_turn", "other_players",
        "all_players", "counters", "tokens", "controller", "minions", "is_about_to_score",
        "used_this_turn",
    }  # fmt: skip


@pytest.mark.parametrize("seed", range(12))
def test_cached_values_are_fresh_while_games_are_played_out(seed: int) -> None:
    rng = random.Random(f"cached/{seed}")
    game = make_game(rng)
    choose = random_player(rng)
    left = 300

    def answer(decision: Decision) -> int:
        nonlocal left
        check(game)
        left -= 1
        if not left:
            raise StopGame
        return choose(decision)

    with suppress(StopGame):
        game.play_out(answer)


@pytest.mark.parametrize("seed", range(4))
def test_clones_agree_step_by_step(seed: int) -> None:
    rng = random.Random(f"clones/{seed}")
    game = make_game(rng)
    for decision in walk(game, rng, 60):
        check(game)
        check_views(game)
        twin = game.clone()
        assert twin.decision is not None
        assert _labels(twin.decision) == _labels(decision)
        seat = rng.randrange(-1, game.table.num_players)
        assert twin.view(seat) == game.view(seat)


WITH_COUNTERS = (("Time Travelers", "Anansi Tales"), ("Shapeshifters", "Kaiju"))
"""Factions that put counters other than +1 power counters on cards."""


@pytest.mark.parametrize("seed", range(6))
def test_views_are_fresh(seed: int) -> None:
    rng = random.Random(f"views/{seed}")
    setups = (
        random_setup(rng),
        Setup(rng.randint(2, 4), seed=seed, draft=True),
        Setup(2, factions=WITH_COUNTERS, seed=seed, optional_titans=True),
    )
    game = new_game(setups[seed % 3])
    for _ in walk(game, rng, 250):
        check_views(game)


def test_a_menu_without_bases_is_built_repeatedly() -> None:
    """Cached plays may be empty: bases can run out."""
    game = new_game(Setup(2, seed=1))
    for decision in walk(game, random.Random(1), 60):
        state = game.table.state
        hand = [state.definition[c] for c in state.hands[decision.player]]
        if game.at_menu and any(kind.type == MINION and kind.is_simple for kind in hand):
            break
    for site in list(state.sites):
        effects.clear_site(game.table, site.serial, DISCARDED_BY_RULE)
        effects.close_site(game.table, site.serial)
    for _ in range(2):
        moves = menu.play_menu(game.table, decision.player)
        assert all(move.place == NONE for move in moves)


def _labels(decision: Decision) -> list[str]:
    return [str(decision.label(i)) for i in range(len(decision.options))]
