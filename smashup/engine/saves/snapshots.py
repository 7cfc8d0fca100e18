"""A table as plain data and back: what lets a running game survive an upgrade of the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from smashup.engine.errors import SaveError, clipped
from smashup.engine.game import Game
from smashup.engine.invariants import misplaced
from smashup.engine.model.changes import OPEN_ZONES
from smashup.engine.model.constants import ACTION, ANY_MINION, MINION, TITAN
from smashup.engine.model.definitions import Kind
from smashup.engine.model.events import Source
from smashup.engine.model.knowledge import ALL_VIEWERS, Mix
from smashup.engine.model.permissions import Right
from smashup.engine.model.state import ANY_LIFE, Delayed, Effect, Site, State
from smashup.engine.rules.menu import ACTION_PLAY, EXTRA_ACTION, EXTRA_MINION, MINION_PLAY
from smashup.engine.saves.snapshot_checks import check_snapshot

if TYPE_CHECKING:
    from smashup.engine.model.catalogue import Catalogue
    from smashup.engine.model.setup import Setup

_PLAIN = (
    "owner", "controller", "played_by", "zone", "place", "counters", "lives", "seen", "pool",
    "hands", "decks", "discards", "aside", "base_deck", "base_discard", "madness", "revealed",
    "vp", "turn", "current", "first", "phase", "scoring", "extra_turns", "turn_order_from",
    "drafted", "over", "winners", "serial", "stamp", "rng",
)  # fmt: skip
_COMPOSED = (
    "kind", "sites", "on_card", "tokens", "sources", "effects", "delayed", "rights", "once",
    "tally", "talents_used",
)  # fmt: skip

_ROW: Final = 19
"""Facts of a right in snapshots that do not say yet which life of a card it is for."""
_ANY_LIVES: Final[list[Any]] = [ANY_LIFE, ANY_LIFE]


def snapshot(game: Game) -> dict[str, Any]:
    """The table at the last play menu as plain data; empty before the first."""
    return game.table.last_menu.facts() if game.table.last_menu is not None else {}


def restore(data: dict[str, Any], setup: Setup, catalogue: Catalogue) -> Game:
    """A game that goes on from a snapshot. What came before it is not known any more."""
    if not data:
        raise SaveError("The save has no snapshot to go on from: the game had hardly begun.")
    check_snapshot(data, setup, (*_PLAIN, *_COMPOSED))
    kinds = {k.name: k for k in catalogue.kinds(setup.printing)}
    try:
        state = _state(data, setup, kinds)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise SaveError(
            "The snapshot in the save is damaged: {reason}.", reason=clipped(error)
        ) from error
    if wrong := misplaced(state, setup.players):
        raise SaveError("The snapshot in the save is damaged: {reason}", reason=clipped(wrong[0]))
    game = Game(setup, catalogue, state)
    game.start = game.table.checkpoint
    game.table.titan_ids = [c for c, k in enumerate(game.table.checkpoint.kind) if k.type == TITAN]
    return game


def _state(data: dict[str, Any], setup: Setup, kinds: dict[str, Kind]) -> State:
    s = State(setup.players, 0, setup.key)
    for name in _PLAIN:
        setattr(s, name, data[name])
    s.kind = [kinds[name] for name in data["kind"]]
    s.sites = [Site(serial, base, cards) for serial, base, cards in data["sites"]]
    s.site_at = {site.serial: site for site in s.sites}
    s.on_card = {host: tuple(actions) for host, actions in data["on_card"]}
    s.tokens = dict(data["tokens"])
    s.sources = [
        Source(card, kinds[name], stamp, lender, for_turn)
        for card, name, stamp, lender, for_turn in data["sources"]
    ]
    s.effects = [Effect(*row) for row in data["effects"]]
    s.delayed = [
        Delayed(kinds[name], card, life, player, when)
        for name, card, life, player, when in data["delayed"]
    ]
    s.rights = [_right(row, kinds, len(s.kind)) for row in data["rights"]]
    if "mixed" in data:
        s.mixed = [
            Mix(viewer, frozenset(cards), frozenset(known))
            for viewer, cards, known in data["mixed"]
        ]
    else:  # written before spectators were viewers of their own
        s.seen = [
            ALL_VIEWERS if zone in OPEN_ZONES else seen
            for seen, zone in zip(s.seen, s.zone, strict=True)
        ]
    s.once = {tuple(key) for key in data["once"]}
    s.tally = {tuple(key): n for key, n in data["tally"]}
    s.talents_used = {(card, stamp) for card, stamp in data["talents_used"]}
    return s


def _right(row: list[Any], kinds: dict[str, Kind], cards: int) -> Right:
    (
        types, normal, source, max_power, name, not_name, card, at, not_at, on,
        must_affect, must_raise, rider, origin, once, on_others, sealed, with_yours,
        giver, on_life, aim_life,
    ) = row + _ANY_LIVES[len(row) - _ROW :]  # fmt: skip
    if not all(isinstance(text, str) for text in (name, not_name, rider, once, giver)):
        raise TypeError("rights")
    for number in (types, source, max_power, at, not_at, on_life, aim_life):
        if not isinstance(number, int):
            raise TypeError("rights")
    if types not in (MINION, ACTION, MINION | ACTION, TITAN):
        raise ValueError("rights")
    for c in (card, on, must_affect, origin):
        if not isinstance(c, int) or not ANY_MINION <= c < cards:
            raise ValueError("rights")
    right = Right(
        types, normal=normal, source=source, max_power=max_power, name=name, not_name=not_name,
        card=card, at=at, not_at=not_at, on=on, must_affect=must_affect,
        must_raise=must_raise, rider=kinds[rider] if rider else None, origin=origin, once=once,
        on_others=on_others, sealed=sealed, with_yours=with_yours, giver=giver,
        on_life=on_life, aim_life=aim_life,
    )  # fmt: skip
    # The rules' own rights are recognised by identity.
    for standard in (MINION_PLAY, ACTION_PLAY, EXTRA_MINION, EXTRA_ACTION):
        if right.same_as(standard):
            return standard
    return right
