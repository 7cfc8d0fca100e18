"""Tables as plain data, so that a running game survives an upgrade of the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from smashup.engine.errors import SaveError, clipped
from smashup.engine.game import Game
from smashup.engine.invariants import misplaced
from smashup.engine.model.constants import ACTION, ANY_MINION, AT_BASE, MINION, TITAN
from smashup.engine.model.definitions import CardDefinition
from smashup.engine.model.events import ActiveAbility
from smashup.engine.model.knowledge import Mix
from smashup.engine.model.permissions import PlayPermission
from smashup.engine.model.state import (
    FIELDS,
    NOT_IN_SNAPSHOT,
    DelayedEffect,
    Effect,
    Site,
    State,
)
from smashup.engine.rules.permissions import ACTION_PLAY, EXTRA_ACTION, EXTRA_MINION, MINION_PLAY
from smashup.engine.saves.snapshot_checks import check_snapshot

if TYPE_CHECKING:
    from smashup.engine.model.catalogue import Catalogue
    from smashup.engine.model.setup import Setup

_COMPOSED: Final = (
    "definition", "mixes", "sites", "on_card", "tokens", "abilities", "effects", "delayed",
    "permissions", "used_this_turn", "turn_counts", "talents_used",
)  # fmt: skip
"""Fields that contain more than numbers and names."""
_SAVED: Final = tuple(name for name in FIELDS if name not in NOT_IN_SNAPSHOT)
_PLAIN: Final = tuple(name for name in _SAVED if name not in _COMPOSED)


def snapshot(game: Game) -> dict[str, Any]:
    """Return the table at the last play menu as plain data; empty before the first."""
    return game.table.last_menu.to_dict() if game.table.last_menu is not None else {}


def restore(data: dict[str, Any], setup: Setup, catalogue: Catalogue) -> Game:
    """Create a game that continues from a snapshot. Its earlier history is unknown."""
    if not data:
        raise SaveError("The save has no snapshot to continue from: the game had only just begun.")
    check_snapshot(data, setup, _SAVED)
    definitions = {k.name: k for k in catalogue.definitions(setup.printing)}
    try:
        state = _state(data, setup, definitions)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise SaveError(
            "The snapshot in the save is damaged: {reason}.", reason=clipped(error)
        ) from error
    if wrong := misplaced(state, setup.players):
        raise SaveError("The snapshot in the save is damaged: {reason}", reason=clipped(wrong[0]))
    game = Game(setup, catalogue, state)
    game.start = game.table.checkpoint
    return game


def _state(data: dict[str, Any], setup: Setup, definitions: dict[str, CardDefinition]) -> State:
    s = State(setup.players, 0, setup.key)
    for name in _PLAIN:
        setattr(s, name, data[name])
    s.definition = [definitions[name] for name in data["definition"]]
    s.sites = [
        Site(serial, base, cards, [c for c in cards if _is_face_up_minion(s, c)])
        for serial, base, cards in data["sites"]
    ]
    s.site_at = {site.serial: site for site in s.sites}
    s.on_card = {host: tuple(actions) for host, actions in data["on_card"]}
    s.tokens = dict(data["tokens"])
    s.abilities = [
        ActiveAbility(card, definitions[name], stamp, granted_by, for_turn)
        for card, name, stamp, granted_by, for_turn in data["abilities"]
    ]
    s.effects = [Effect(*row) for row in data["effects"]]
    s.delayed = [
        DelayedEffect(definitions[name], card, life, player, when)
        for name, card, life, player, when in data["delayed"]
    ]
    s.permissions = [
        _permission(row, definitions, len(s.definition)) for row in data["permissions"]
    ]
    s.mixes = [
        Mix(viewer, frozenset(cards), frozenset(known)) for viewer, cards, known in data["mixes"]
    ]
    s.used_this_turn = {tuple(key) for key in data["used_this_turn"]}
    s.turn_counts = {tuple(key): n for key, n in data["turn_counts"]}
    s.talents_used = {(card, stamp) for card, stamp in data["talents_used"]}
    return s


def _is_face_up_minion(s: State, c: int) -> bool:
    return s.definition[c].type == MINION and s.zone[c] == AT_BASE


def _permission(
    row: list[Any], definitions: dict[str, CardDefinition], cards: int
) -> PlayPermission:
    (
        types, normal, source, max_power, name, not_name, card, at, not_at, on,
        must_affect, must_raise, follow_up, origin, once, on_others, sealed, with_yours,
        giver, on_life, aim_life,
    ) = row[:21]  # fmt: skip
    without_yours, instead_of, own_special, *sites = row[21:] or (False, 0, False)
    if not all(isinstance(text, str) for text in (name, not_name, follow_up, once, giver)):
        raise TypeError("permissions")
    for number in (types, source, max_power, at, not_at, on_life, aim_life, instead_of, *sites):
        if not isinstance(number, int):
            raise TypeError("permissions")
    if types not in (MINION, ACTION, MINION | ACTION, TITAN):
        raise ValueError("permissions")
    for c in (card, on, must_affect, origin):
        if not isinstance(c, int) or not ANY_MINION <= c < cards:
            raise ValueError("permissions")
    permission = PlayPermission(
        types, is_normal=normal, from_zone=source, max_power=max_power, name=name,
        not_name=not_name, card=card, at=at, not_at=not_at, on=on, must_affect=must_affect,
        must_raise=must_raise, follow_up=definitions[follow_up] if follow_up else None,
        source_card=origin, once_per_turn_key=once, on_opponents_minion=on_others,
        controls_destination=sealed, where_you_have_a_minion=with_yours, source_name=giver,
        on_life=on_life, must_affect_life=aim_life, where_you_have_no_minion=bool(without_yours),
        instead_of=instead_of, is_own_special=bool(own_special), sites=tuple(sites),
    )  # fmt: skip
    # The standard permissions are recognized by identity.
    for standard in (MINION_PLAY, ACTION_PLAY, EXTRA_MINION, EXTRA_ACTION):
        if permission.allows_same_as(standard):
            return standard
    return permission
