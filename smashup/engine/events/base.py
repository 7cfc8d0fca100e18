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
    """Something that happened: ids of cards, players and bases, never changed once recorded."""

    id: ClassVar[str] = ""
    """What programs know it by."""
    hook: ClassVar[int] = NO_HOOK
    """The abilities it triggers."""
    seen_by: int = EVERYBODY
    """Bits of the viewers who may know which cards it is about."""
    names_cause: bool = True
    """Whether the log says which card did it, where it has words for that."""
    by: int = NONE
    """The player who did it; `NONE` for the rules."""
    cause: int = NONE
    """The card that did it."""
    cause_seen_by: int = 0
    """Bits of the viewers who knew that card then."""

    @property
    def variant(self) -> str:
        """Which of several forms of this event it is; empty if there is only one."""
        return ""

    @property
    def line_id(self) -> str:
        """Under which id the log has words for it."""
        # Every line of a log keeps its id: interned, all lines share a few texts.
        return sys.intern(f"{self.id}.{self.variant}") if self.variant else self.id

    def trigger(self, table: Table) -> Event:
        """The event as the abilities that it triggers see it."""
        return Event(self.hook)
