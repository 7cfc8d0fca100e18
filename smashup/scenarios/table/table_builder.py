"""Builds the table of a scenario: any cards in any zones, any turn and phase."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from smashup.engine.game import Game
from smashup.engine.model.catalogue import Catalogue
from smashup.engine.model.constants import (
    ACTION,
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
    SET_ASIDE,
    TITAN,
)
from smashup.engine.model.definitions import CardDefinition
from smashup.engine.model.events import Cause, Resolution
from smashup.engine.model.setup import Setup
from smashup.engine.model.state import POWER
from smashup.engine.rules import abilities, effects, game_start, zones
from smashup.engine.rules.permissions import ACTION_PLAY, MINION_PLAY
from smashup.scenarios.document import Scenario
from smashup.scenarios.errors import ScenarioError, suggestion
from smashup.scenarios.references import parse_player
from smashup.scenarios.schema.base import as_list
from smashup.scenarios.schema.table import COPIES
from smashup.scenarios.table import fixtures
from smashup.scenarios.table.director import ScenarioDirector
from smashup.scenarios.table.game_setup import restore_game, set_up
from smashup.scenarios.yaml_reader import line_of

FILLER_COUNT: Final = 10
SPARE_BASE_COUNT: Final = 5


def build_table(scenario: Scenario, catalogue: Catalogue) -> Game:
    """Build the game that a scenario describes."""
    if scenario.problem is not None:
        raise scenario.problem
    data = scenario.data
    if "setup" in data:
        return set_up(scenario, catalogue)
    if "table" in data:
        return restore_game(scenario, catalogue)
    players = data.get("players", 2)
    names = [f.name for f in catalogue.factions[:2]]
    setup = Setup(
        players=players,
        factions=tuple((names[0], names[1]) for _ in range(players)),
        edition=scenario.edition,
        printing=scenario.printing,
        seed=data.get("seed", 1),
        madness=bool(data.get("madness")),
    )
    game = Game(setup, catalogue)
    game.table.table_script = ScenarioDirector()
    return TableBuilder(scenario, game).game


class _Name(str):
    """A card name with its line in the file."""

    __slots__ = ("line",)

    def __new__(cls, name: object, line: int) -> _Name:
        found = super().__new__(cls, name)
        found.line = line
        return found

    line: int


class TableBuilder:
    """Puts a scenario's cards on an empty table."""

    def __init__(self, scenario: Scenario, game: Game) -> None:
        self.scenario = scenario
        self.game = game
        self.definitions: dict[str, CardDefinition] = {}
        data = scenario.data
        for definition in game.catalogue.definitions(scenario.printing):
            for name in (definition.name, definition.other_name, definition.name_fr):
                if name:
                    self.definitions.setdefault(name, definition)
        for name, spec in (data.get("fixtures") or {}).items():
            self.definitions[name] = fixtures.Fixture(name, spec)
        self.line = 0
        """The line of the card that is being added."""
        try:
            self._build(data)
        except ScenarioError as error:
            error.place = error.place or f"{scenario.file}:{self.line or scenario.line}"
            raise

    def find_definition(self, name: str, *types: int) -> CardDefinition:
        """Find a fixture, a plain card or a real card by name."""
        self.line = getattr(name, "line", 0) or self.line
        found = self.definitions.get(name)
        if found is None:
            found = fixtures.plain(name)
            if found is None:
                raise ScenarioError(
                    "There is no card called “{name}”.{proposal} Plain cards are written V3,"
                    " A1, B1; others are described under “fixtures”.",
                    name=name,
                    proposal=suggestion(name, self.definitions),
                )
            self.definitions[name] = found
        if types and found.type not in types:
            raise ScenarioError("“{name}” is the wrong type of card for that place.", name=name)
        return found

    # --- zones ------------------------------------------------------------------------------

    def _build(self, data: dict[str, Any]) -> None:
        game = self.game
        s = game.table.state
        self.line = line_of(data, ("turn",))
        s.current = self.player(data.get("turn", "P1"))
        s.first = s.current
        s.turn_order_from = s.current
        s.turn = 1
        self.line = line_of(data, ("bases",))
        self._add_bases(data.get("bases", ["B1", "B2", "B3"]))
        for name, zone in (("hands", HAND), ("discards", DISCARD), ("decks", DECK)):
            self._add_piles(zone, data.get(name) or {})
        for player, names in self._per_player(data.get("titans") or {}):
            for name, more in self._parse_items(names):
                c = self._add_named(name, player, SET_ASIDE, player, TITAN)
                zones.reveal(game.table, c)
                abilities.add_ability(game.table, c, s.definition[c])
                if "tokens" in more:
                    s.tokens[c] = more["tokens"]
        for player, vp in self._per_player(data.get("vp") or {}):
            s.vp[player] = vp
        for _ in range(data.get("madness", 0)):
            game_start.add_card(game.table, game.catalogue.madness(), NONE, MADNESS_DECK, NONE)
        self._set_phase(data)
        game.table.checkpoint = s.copy()
        game.table.checkpoint_index = None
        game.table.is_up_to_date = False

    def _set_phase(self, data: dict[str, Any]) -> None:
        s = self.game.table.state
        s.phase = PHASE_NAMES.index(data.get("phase", "play"))
        if s.phase == PLAY:
            used = as_list(data.get("used"))
            rights = (("minion", MINION_PLAY), ("action", ACTION_PLAY))
            s.permissions = [right for word, right in rights if word not in used]

    def _add_piles(self, zone: int, piles: dict[str, Any]) -> None:
        game = self.game
        given = set()
        for player, names in self._per_player(piles):
            given.add(player)
            for card, more in reversed(list(self._parse_items(names))):  # the last laid is the top
                owner = self._owner(more, player)
                c = self._add_named(card, owner, zone, player)
                if zone == HAND:
                    game.table.state.seen_by[c] = 1 << player
            if zone in (HAND, DISCARD):
                (game.table.state.hands if zone == HAND else game.table.state.discards)[
                    player
                ].reverse()
        if zone == DECK:
            for player in range(game.table.num_players):
                if player not in given:
                    for _ in range(FILLER_COUNT):
                        self._add_card(self._filler_card(), player, DECK, player)

    def _filler_card(self) -> CardDefinition:
        if "Filler" not in self.definitions:
            self.definitions["Filler"] = fixtures.Fixture("Filler", {"type": "minion", "power": 1})
        return self.definitions["Filler"]

    def _add_bases(self, bases: Any) -> None:
        game = self.game
        data = self.scenario.data
        for name, more in self._parse_items(bases):
            definition = self.find_definition(name, BASE)
            if "breakpoint" in more or "vp" in more:
                figures = {k: v for k, v in more.items() if k in ("breakpoint", "vp")}
                definition = fixtures.refigured(definition, figures, self.scenario.printing)
            c = self._add_card(definition, NONE, LIMBO, NONE)
            game.table.resolutions.append(Resolution(Cause(NONE, NONE, 0, False)))
            serial = effects.play_base(game.table, c)
            game.table.resolutions.pop()
            game.table.state.counters[c] = more.get("counters", 0)
            if "tokens" in more:
                game.table.state.tokens[c] = more["tokens"]
            for key, cards in more.items():
                if re.fullmatch(r"P[1-4]", str(key)):
                    self.line = line_of(more, (key,))
                    for card, details in self._parse_items(cards):
                        self._add_to_base(card, details, serial, self.player(key))
        for key, zone in (("base_deck", BASE_DECK), ("base_discard", BASE_DISCARD)):
            self.line = line_of(data, (key,))
            names = data.get(key)
            if names is None and zone == BASE_DECK:
                names = [f"B9{i}" for i in range(SPARE_BASE_COUNT)]
            for base, _ in reversed(self._parse_items(names)):
                c = self._add_named(base, NONE, zone, NONE, BASE)
                if zone == BASE_DISCARD:
                    zones.reveal(game.table, c)

    def _add_to_base(self, name: str, more: dict[str, Any], serial: int, player: int) -> None:
        game = self.game
        s = game.table.state
        owner = self.player(more["owner"]) if "owner" in more else player
        c = self._add_named(name, owner, LIMBO, owner)
        if more.get("buried"):
            zones.take_from_zone(game.table, c)
            s.controller[c] = player
            zones.put_into_zone(game.table, c, BURIED, serial)
            s.seen_by[c] = 1 << player
            return
        if (
            s.definition[c].type == ACTION
            and s.definition[c].played_on == 0
            and not more.get("anyway")
        ):
            raise ScenarioError("{name} is a standard action: it cannot be on a base.", name=name)
        definition = s.definition[c]
        if definition.type == BASE or (
            definition.type == ACTION and definition.played_on == ON_MINION
        ):
            raise ScenarioError("“{name}” cannot be on a base.", name=name)
        zones.enter_base(game.table, c, serial, player)
        self._apply_details(c, more)
        for action, details in self._parse_items(more.get("on") or []):
            by = self.player(details["by"]) if "by" in details else player
            own = self.player(details["owner"]) if "owner" in details else by
            a = self._add_named(action, own, LIMBO, own, ACTION)
            zones.attach(game.table, a, c, by)
            self._apply_details(a, details)

    def _apply_details(self, c: int, more: dict[str, Any]) -> None:
        s = self.game.table.state
        s.counters[c] = more.get("counters", 0)
        if "tokens" in more:
            s.tokens[c] = more["tokens"]
        if "boost" in more:
            abilities.add_effect(self.game.table, POWER, c, more["boost"], NONE, END_OF_TURN)
        if more.get("talent_used"):
            stamp = next(x.stamp for x in s.abilities if x.card == c)
            s.talents_used.add((c, stamp))

    # --- reading ----------------------------------------------------------------------------

    def _add_named(self, name: str, owner: int, zone: int, place: int, *types: int) -> int:
        if not types and zone in (HAND, DECK, DISCARD):
            types = (MINION, ACTION)
        return self._add_card(self.find_definition(name, *types), owner, zone, place)

    def _add_card(self, definition: CardDefinition, owner: int, zone: int, place: int) -> int:
        if definition.is_madness:
            owner = NONE
        return game_start.add_card(self.game.table, definition, owner, zone, place)

    def _owner(self, more: dict[str, Any], player: int) -> int:
        """The owner of a card in a pile: as given (may be none), or the player of the pile."""
        said = more.get("owner", f"P{player + 1}")
        return NONE if said == "nobody" else self.player(said)

    def player(self, word: Any) -> int:
        return parse_player(word, self.game.table.num_players)

    def _per_player(self, data: dict[str, Any]) -> Iterator[tuple[int, Any]]:
        for key, value in data.items():
            self.line = line_of(data, (key,))
            yield self.player(key), value

    def _parse_items(self, values: Any) -> list[tuple[_Name, dict[str, Any]]]:
        """Parse names with details: ``- V3``, ``- V3: {counters: 1}`` and ``- 3 x V2`` alike."""
        found: list[tuple[_Name, dict[str, Any]]] = []
        for position, value in enumerate(as_list(values)):
            line = line_of(values, (position,)) or self.line
            if isinstance(value, dict):
                ((name, more),) = value.items()
            else:
                name, more = value, {}
            if match := COPIES.fullmatch(str(name)):
                found.extend([(_Name(match[2], line), more)] * int(match[1]))
            else:
                found.append((_Name(name, line), more))
        return found
