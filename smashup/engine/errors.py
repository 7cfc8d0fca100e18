"""What can go wrong, as sentences for the person who reads them."""

from __future__ import annotations


class SmashUpError(Exception):
    """Something a user can understand and mend."""


class SetupError(SmashUpError):
    """A table that cannot be set up as asked."""


class IllegalChoice(SmashUpError):
    """An answer that is not one of the options. The game is as it was."""


class Divergence(SmashUpError):
    """Recorded answers that do not fit: they were written under other rules, or edited."""


class SaveError(SmashUpError):
    """A save file that cannot be used; the sentence says where and why."""
