"""Setting the table as a scenario tells: any zones and turn, or a real set-up, decks stacked."""

from __future__ import annotations

import re
from typing import Any

from smashup.engine.catalogue import Catalogue
from smashup.engine.core import Core, Director
from smashup.engine.decisions import Decision, Move
from smashup.engine.errors import SmashUpError
from smashup.engine.events import Cause, Frame
from smashup.engine.game import Game
from smashup.engine.kinds import Kind
from smashup.engine.messages import Message
from smashup.engine.moves import ACTION_PLAY, MINION_PLAY
from smashup.engine.setup import Setup
from smashup.engine.snapshots import restore
from smashup.engine.state import POWER
from smashup.engine.words import (
    ACTION,
    ASIDE,
    BASE,
    BASE_DECK,
    BASE_DISCARD,
    BURIED,
    DECK,
    DISCARD,
    END_OF_TURN,
    HAND,
    LIMBO,
    MADNESS_DECK,
    MINION,
    NONE,
    ON_MINION,
    PHASE_NAMES,
    PLAY,
    TITAN,
)
from smashup.scenarios import fixtures, specs
from smashup.scenarios.document import Scenario, as_list
from smashup.scenarios.errors import ScenarioError

HAPPENS = 99
"""The verb of a move that makes something happen by itself (a step «happens»)."""
FILLERS = 10
SPARE_BASES = 5


class StageHand(Director):
    """Stacks decks in set-up, and makes things happen that a scenario says just happen."""

    def __init__(self) -> None:
        self.stacked: dict[int, list[str]] = {}
        self.stacked_bases: list[str] = []
        self.happenings: list[tuple[str, list[Any]]] = []
        self.asked: list[str] = []
        """Who was asked what so far, as «P1: What do you do?»."""
        self.talented: set[int] = set()
        """Cards that have had a talent at some time."""

    def stack_decks(self, table: Core) -> None:
        """Bring the named cards to the top of the shuffled decks, first named on top."""
        for player, names in self.stacked.items():
            _to_top(table, table.state.decks[player], names, f"P{player + 1}'s deck")
        _to_top(table, table.state.base_deck, self.stacked_bases, "the base deck")

    def moves(self) -> list[Move]:
        return [Move(HAPPENS, i) for i in range(len(self.happenings))]

    def happen(self, table: Core, move: Move) -> None:
        verb, args = self.happenings[move.card]
        assert isinstance(table, Game)
        _happen(table, verb, args)


def label(decision: Decision, index: int) -> Message:
    """An option in words; a staged game's menu has some of its own."""
    option = decision.options[index]
    if isinstance(option, Move) and option.verb == HAPPENS:
        return Message("(something happens)", {})
    return decision.label(index)


def _to_top(game: Core, deck: list[int], names: list[str], where: str) -> None:
    for name in reversed(names):
        for c in deck:
            kind = game.state.kind[c]
            if name in (kind.name, kind.aka, kind.name_fr):
                deck.remove(c)
                deck.append(c)
                break
        else:
            raise ScenarioError(f"There is no {name} in {where} to put on top.")


HAPPENINGS = {
    "destroy": 1, "return": 1, "move": 2, "control": 2, "counters": 2, "boost": 2, "draw": 2,
    "discard": 2, "bottom": 1, "shuffle": 1, "destroy_base": 1, "vp": 2, "play_base": 1,
}  # fmt: skip
"""What a step «happens» may say, and how many things it names."""


def _happen(game: Game, verb: str, args: list[Any]) -> None:
    """Something happens by itself, as the rules would do it."""
    first = args[0]
    if verb == "destroy":
        game.destroy([first])
    elif verb == "return":
        game.return_to_hand([first])
    elif verb == "move":
        game.move(first, args[1])
    elif verb == "control":
        game.take_control(first, args[1])
    elif verb == "counters":
        game.add_counters(first, args[1])
    elif verb == "boost":
        game.boost(first, args[1])
    elif verb == "draw":
        game.draw(first, args[1])
    elif verb == "discard":
        game.discard(first, [args[1]])
    elif verb == "bottom":
        game.card(first).place_on_bottom(game.card(first))
    elif verb == "shuffle":
        game.card(first).shuffle_into_deck(game.card(first))
    elif verb == "destroy_base":
        game.base(first).destroy()
    elif verb == "vp":
        game.gain_vp(first, args[1])
    elif verb == "play_base":
        game.play_base(first)


# --- staging --------------------------------------------------------------------------------


def stage(scenario: Scenario, catalogue: Catalogue) -> Game:
    """A table as the scenario describes it."""
    data = scenario.data
    if "setup" in data:
        return _set_up(scenario, catalogue)
    if "table" in data:
        return _told_whole(scenario, catalogue)
    players = data.get("players", 2)
    if not isinstance(players, int) or not 2 <= players <= 4:
        raise ScenarioError("«players» is 2, 3 or 4.")
    names = [f.name for f in catalogue.factions[:2]]
    setup = Setup(
        players=players,
        factions=tuple((names[0], names[1]) for _ in range(players)),
        edition=scenario.edition,
        printing=scenario.printing,
        seed=_number(data.get("seed", 1), "«seed»"),
        madness=bool(data.get("madness")),
    )
    game = Game(setup, catalogue)
    game.director = StageHand()
    return Stage(scenario, game).game


class Stage:
    """Lays a scenario's cards on an empty table."""

    def __init__(self, scenario: Scenario, game: Game) -> None:
        self.scenario = scenario
        self.game = game
        self.kinds: dict[str, Kind] = {}
        data = scenario.data
        for kind in game.catalogue.kinds(scenario.printing):
            for name in (kind.name, kind.aka, kind.name_fr):
                if name:
                    self.kinds.setdefault(name, kind)
        fixed = data.get("fixtures") or {}
        if not isinstance(fixed, dict):
            raise ScenarioError("«fixtures» should map names to descriptions.")
        for name, spec in fixed.items():
            self.kinds[str(name)] = fixtures.make(str(name), spec)
        self._lay(data)

    def kind(self, name: str, *types: int) -> Kind:
        """The kind of this name: a fixture, a plain one, or a real card."""
        found = self.kinds.get(name)
        if found is None:
            found = fixtures.plain(name)
            if found is None:
                raise ScenarioError(
                    f"There is no card called «{name}». Plain fixtures are written V3, A1, B1;"
                    " others are described under «fixtures»."
                )
            self.kinds[name] = found
        if types and found.type not in types:
            raise ScenarioError(f"«{name}» cannot be there: it is not that type of card.")
        return found

    # --- zones ------------------------------------------------------------------------------

    def _lay(self, data: dict[str, Any]) -> None:
        game = self.game
        s = game.state
        s.current = self.player(data.get("turn", "P1"))
        s.first = s.current
        s.turn_order_from = s.current
        s.turn = 1
        self._bases(data.get("bases", ["B1", "B2", "B3"]))
        for name, zone in (("hands", HAND), ("discards", DISCARD), ("decks", DECK)):
            self._piles(name, zone, data.get(name) or {})
        for player, names in self._per_player("titans", data.get("titans") or {}):
            for name, more in self._items(names):
                _check_details(name, more, {"tokens"}, "while it is set aside")
                c = self._add(name, player, ASIDE, player, TITAN)
                game.show(c)
                game.add_source(c, s.kind[c])
                if "tokens" in more:
                    s.tokens[c] = _number(more["tokens"], f"«tokens» of {name}")
        game.titan_ids = [c for c, kind in enumerate(s.kind) if kind.type == TITAN]
        for player, vp in self._per_player("vp", data.get("vp") or {}):
            s.vp[player] = _number(vp, f"«vp» of P{player + 1}")
        for _ in range(_number(data.get("madness") or 0, "«madness»")):
            game.add_card(game.catalogue.madness(), NONE, MADNESS_DECK, NONE)
        self._phase(data)
        game.saved = s.copy()
        game.saved_index = None
        game.awake = False

    def _phase(self, data: dict[str, Any]) -> None:
        s = self.game.state
        phase = data.get("phase", "play")
        if phase not in PHASE_NAMES[1:6]:
            raise ScenarioError(f"«phase» is one of {', '.join(PHASE_NAMES[1:6])}.")
        s.phase = PHASE_NAMES.index(phase)
        if s.phase == PLAY:
            used = as_list(data.get("used"))
            if any(word not in ("minion", "action") for word in used):
                raise ScenarioError("«used» is minion, action, or [minion, action].")
            rights = (("minion", MINION_PLAY), ("action", ACTION_PLAY))
            s.rights = [right for word, right in rights if word not in used]

    def _piles(self, name: str, zone: int, piles: dict[str, Any]) -> None:
        game = self.game
        given = set()
        for player, names in self._per_player(name, piles):
            given.add(player)
            for card, more in reversed(list(self._items(names))):  # the last laid is the top
                _check_details(card, more, {"owner"}, f"under «{name}»")
                owner = self._owner(more, player)
                c = self._add(card, owner, zone, player)
                if zone == HAND:
                    game.state.seen[c] = 1 << player
            if zone in (HAND, DISCARD):
                (game.state.hands if zone == HAND else game.state.discards)[player].reverse()
        if zone == DECK:
            for player in range(game.players):
                if player not in given:
                    for _ in range(FILLERS):
                        self._add_kind(self._filler(), player, DECK, player)

    def _filler(self) -> Kind:
        if "Filler" not in self.kinds:
            self.kinds["Filler"] = fixtures.make("Filler", {"type": "minion", "power": 1})
        return self.kinds["Filler"]

    def _bases(self, bases: Any) -> None:
        game = self.game
        data = self.scenario.data
        for name, more in self._items(bases):
            kind = self.kind(name, BASE)
            if "breakpoint" in more or "vp" in more:
                figures = {k: v for k, v in more.items() if k in ("breakpoint", "vp")}
                specs.fixture(name, {"type": "base", **figures})
                kind = fixtures.refigured(kind, figures, self.scenario.printing)
            c = self._add_kind(kind, NONE, LIMBO, NONE)
            game.frames.append(Frame(Cause(NONE, NONE, 0, False)))
            serial = game.play_base(c)
            game.frames.pop()
            game.state.counters[c] = _number(more.get("counters", 0), f"«counters» of {name}")
            if "tokens" in more:
                game.state.tokens[c] = _number(more["tokens"], f"«tokens» of {name}")
            for key, cards in more.items():
                if re.fullmatch(r"P[1-4]", str(key)):
                    for card, details in self._items(cards):
                        self._on_base(card, details, serial, self.player(key))
                elif key not in ("breakpoint", "vp", "counters", "tokens"):
                    raise ScenarioError(f"«{key}» under the base {name} means nothing.")
        for name, zone in (("base_deck", BASE_DECK), ("base_discard", BASE_DISCARD)):
            names = data.get(name)
            if names is None and zone == BASE_DECK:
                names = [f"B9{i}" for i in range(SPARE_BASES)]
            for card, more in reversed(self._items(names)):
                _check_details(card, more, set(), f"under «{name}»")
                c = self._add(card, NONE, zone, NONE, BASE)
                if zone == BASE_DISCARD:
                    game.show(c)

    def _on_base(self, name: str, more: dict[str, Any], serial: int, player: int) -> None:
        game = self.game
        s = game.state
        owner = self.player(more["owner"]) if "owner" in more else player
        c = self._add(name, owner, LIMBO, owner)
        if more.get("buried"):
            _check_details(name, more, {"owner", "buried"}, "while it is buried")
            game._take(c)
            s.controller[c] = player
            game._put(c, BURIED, serial)
            s.seen[c] = 1 << player
            return
        if s.kind[c].type == ACTION and s.kind[c].where == 0 and not more.get("anyway"):
            raise ScenarioError(f"{name} is a standard action: it cannot lie on a base.")
        kind = s.kind[c]
        if kind.type == BASE or (kind.type == ACTION and kind.where == ON_MINION):
            raise ScenarioError(f"«{name}» cannot lie on a base: it is not that type of card.")
        _check_details(name, more, DETAILS - {"by"}, "on a base")
        game.enter(c, serial, player)
        self._details(c, more)
        for action, details in self._items(more.get("on") or []):
            _check_details(action, details, DETAILS - {"on", "buried", "boost"}, "on a minion")
            by = self.player(details["by"]) if "by" in details else player
            own = self.player(details["owner"]) if "owner" in details else by
            a = self._add(action, own, LIMBO, own, ACTION)
            game.attach(a, c, by)
            self._details(a, details)

    def _details(self, c: int, more: dict[str, Any]) -> None:
        s = self.game.state
        name = s.kind[c].name
        s.counters[c] = _number(more.get("counters", 0), f"«counters» of {name}")
        if "tokens" in more:
            s.tokens[c] = _number(more["tokens"], f"«tokens» of {name}")
        if "boost" in more:
            boost = _number(more["boost"], f"«boost» of {name}")
            self.game.add_effect(POWER, c, boost, NONE, END_OF_TURN)
        if more.get("talent_used"):
            stamp = next(x.stamp for x in s.sources if x.card == c)
            s.talents_used.add((c, stamp))

    # --- reading ----------------------------------------------------------------------------

    def _add(self, name: str, owner: int, zone: int, place: int, *types: int) -> int:
        if not types and zone in (HAND, DECK, DISCARD):
            types = (MINION, ACTION)
        return self._add_kind(self.kind(name, *types), owner, zone, place)

    def _add_kind(self, kind: Kind, owner: int, zone: int, place: int) -> int:
        if kind.is_madness:
            owner = NONE
        return self.game.add_card(kind, owner, zone, place)

    def _owner(self, more: dict[str, Any], player: int) -> int:
        """Whose card of a pile it is: as said, perhaps nobody's, or else the pile's player's."""
        said = more.get("owner", f"P{player + 1}")
        return NONE if said == "nobody" else self.player(said)

    def player(self, word: Any) -> int:
        return player_number(word, self.game.players)

    def _per_player(self, name: str, data: Any) -> list[tuple[int, Any]]:
        if not isinstance(data, dict):
            raise ScenarioError(f"«{name}» should say what each player (P1, P2 ...) has.")
        return [(self.player(key), value) for key, value in data.items()]

    def _items(self, values: Any) -> list[tuple[str, dict[str, Any]]]:
        """Names with details: ``- V3``, ``- V3: {counters: 1}`` and ``- 3 x V2`` alike."""
        found: list[tuple[str, dict[str, Any]]] = []
        for value in as_list(values):
            if isinstance(value, dict):
                if len(value) != 1:
                    raise ScenarioError(f"{value!r} should be one name and its details.")
                ((name, more),) = value.items()
                if not isinstance(more, dict):
                    raise ScenarioError(f"The details of «{name}» should be a mapping.")
            else:
                name, more = value, {}
            if match := re.fullmatch(r"(\d+) x (.+)", str(name)):
                found.extend([(match[2], more)] * int(match[1]))
            else:
                found.append((str(name), more))
        return found


DETAILS = {
    "owner", "by", "on", "counters", "tokens", "boost", "talent_used", "buried", "anyway",
}  # fmt: skip
"""What may be said about a card that is laid."""


def _check_details(name: str, more: dict[str, Any], known: set[str], where: str) -> None:
    for key in more:
        if key not in DETAILS:
            raise ScenarioError(
                f"«{key}» says nothing about a card; known are {', '.join(sorted(DETAILS))}."
            )
        if key not in known:
            raise ScenarioError(f"«{key}» of {name} means nothing {where}.")


def _mapping(value: Any, what: str) -> dict[Any, Any]:
    if not isinstance(value, dict):
        raise ScenarioError(f"{what} should say what each player (P1, P2 ...) has.")
    return value


def _number(value: Any, what: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise ScenarioError(f"{what} should be a number, not «{value}».")
    return value


def player_number(word: Any, players: int) -> int:
    match = re.fullmatch(r"P([1-4])", str(word))
    if match is None or int(match[1]) > players:
        raise ScenarioError(f"«{word}» is no player; there are P1 to P{players}.")
    return int(match[1]) - 1


def _set_up(scenario: Scenario, catalogue: Catalogue) -> Game:
    """A real set-up, with stacked decks where the scenario asks for them."""
    data = scenario.data
    wanted = data["setup"]
    known = {
        "factions", "draft", "pool", "first", "seed", "optional_titans", "duplicates", "stack",
        "stack_bases",
    }  # fmt: skip
    if not isinstance(wanted, dict) or set(wanted) - known:
        raise ScenarioError(f"«setup» may say {', '.join(sorted(known))}.")
    factions = wanted.get("factions") or {}
    if not isinstance(factions, dict):
        raise ScenarioError("«factions» should say what each player (P1, P2 ...) plays.")
    players = _number(data.get("players", len(factions) or 2), "«players»")
    for key in factions:
        player_number(key, players)
    setup = Setup(
        players=players,
        factions=tuple(tuple(map(str, as_list(factions[key]))) for key in sorted(factions)),
        draft=bool(wanted.get("draft")),
        pool=tuple(map(str, as_list(wanted.get("pool")))),
        edition=scenario.edition,
        printing=scenario.printing,
        seed=_number(wanted.get("seed", data.get("seed", 1)), "«seed»"),
        first=player_number(wanted.get("first", "P1"), players),
        optional_titans=bool(wanted.get("optional_titans")),
        madness=bool(data.get("madness")),
        duplicates=bool(wanted.get("duplicates")),
    )
    game = Game(setup, catalogue)
    hand = game.director = StageHand()
    hand.stacked = {
        player_number(key, players): [str(n) for n in as_list(names)]
        for key, names in _mapping(wanted.get("stack") or {}, "«stack»").items()
    }
    hand.stacked_bases = [str(n) for n in as_list(wanted.get("stack_bases"))]
    return game


def _told_whole(scenario: Scenario, catalogue: Catalogue) -> Game:
    """A table told exactly, as a report of a mistake brings it: see `smashup.scenarios.writing`."""
    facts = scenario.data["table"]
    if not isinstance(facts, dict):
        raise ScenarioError("«table» should be a whole table, as a report brings it.")
    setup = Setup(
        players=_number(scenario.data.get("players", 2), "«players»"),
        edition=scenario.edition,
        printing=scenario.printing,
        seed=_number(scenario.data.get("seed", 1), "«seed»"),
        optional_titans=bool(facts.get("optional_titans")),
        madness=bool(facts.get("with_madness")),
        ask_everyone=bool(facts.get("ask_everyone")),
    )
    try:
        setup.check(catalogue)
        game = restore(facts, setup, catalogue)
    except SmashUpError as error:
        raise ScenarioError(f"«table» cannot be laid: {error}") from error
    game.director = StageHand()
    return game
