"""The base class of all events."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, ClassVar, Final

from smashup.engine.model.constants import NONE
from smashup.engine.model.events import Event
from smashup.engine.model.messages import EVERYBODY

if TYPE_CHECKING:
    from smashup.engine.model.table import Table

NO_HOOK: Final = -1


class GameEvent:
    """Something that happened, with ids of cards, players and bases. Never changed once
    recorded."""

    id: ClassVar[str] = ""
    """The stable id."""
    hook: ClassVar[int] = NO_HOOK
    """The hook it triggers."""
    seen_by: int = EVERYBODY
    """Bits of the viewers who may know which cards it is about."""
    names_cause: bool = True
    """Whether the log names the card that did it, if the wording allows."""
    by: int = NONE
    """The player who did it; `NONE` for the rules."""
    cause: int = NONE
    """The card that did it."""
    cause_seen_by: int = 0
    """Bits of the viewers who knew that card then."""

    @property
    def variant(self) -> str:
        """The variant of this event; empty if there is only one."""
        return ""

    @property
    def line_id(self) -> str:
        """The id of its text in the log."""
        # Every log line keeps its id; interning lets all lines share a few strings.
        return sys.intern(f"{self.id}.{self.variant}") if self.variant else self.id

    def trigger(self, table: Table) -> Event:
        """Return the event as the abilities it triggers see it."""
        return Event(self.hook)
