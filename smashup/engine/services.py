"""The services of this engine that a table uses from the layers above it."""

from __future__ import annotations

from typing import Final

from smashup.engine.card_api import Base, Card, Player
from smashup.engine.model.constants import NONE
from smashup.engine.model.decisions import Decision, Move
from smashup.engine.model.messages import Message
from smashup.engine.model.permissions import PlayPermission
from smashup.engine.model.table import Services, Table
from smashup.engine.replay import trials
from smashup.engine.views import labels


class EngineServices(Services):
    """The card API, trial runs and labels of this engine."""

    __slots__ = ()

    def new_card(self, table: Table, c: int) -> Card:
        return Card(table, c)

    def new_base(self, table: Table, serial: int) -> Base:
        return Base(table, serial)

    def new_player(self, table: Table, player: int) -> Player:
        return Player(table, player)

    def moves_satisfying(
        self, table: Table, player: int, moves: list[Move], permission: PlayPermission
    ) -> list[Move]:
        return trials.moves_satisfying(table, player, moves, permission)

    def viable_options(self, table: Table, player: int, count: int) -> list[int] | None:
        return trials.viable_options(table, player, count)

    def label_options(self, table: Table, decision: Decision) -> list[Message]:
        return labels.label_options(table, decision)

    def describe_asker(self, table: Table, decision: Decision) -> Message | None:
        if decision.source == NONE or (
            table.resolutions and table.resolutions[-1].cause.is_being_played
        ):
            return None  # the player knows which card was just played
        return labels.describe_asker(table, decision.source, decision.player)


SERVICES: Final = EngineServices()
