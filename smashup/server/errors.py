"""Why the server does not do what it was asked: sentences, with the status HTTP has for them."""

from __future__ import annotations

from smashup.engine.errors import SmashUpError


class TransientError(Exception):
    """A failure that passes by itself. What was to be done may or may not have been done."""


class DatabaseUnavailable(TransientError):
    """The database cannot be used at the moment."""


class EntryExists(Exception):
    """Another worker has committed an entry with this number: nothing was written."""


class Refused(SmashUpError):
    """What was asked cannot be done; nothing has changed."""

    status = 409


class NotFound(Refused):
    """There is no such table, seat or card."""

    status = 404


class Forbidden(Refused):
    """The secret is missing, wrong, or for another seat."""

    status = 403


class Malformed(Refused):
    """What was sent does not have the agreed form."""

    status = 422


class RateLimited(Refused):
    """Too many messages, or too long ones."""

    status = 429


class Outdated(Refused):
    """The client was written for another version of the messages."""

    status = 426


class Damaged(Refused):
    """What is stored cannot be read."""

    status = 500


class Stale(Refused):
    """An answer to a decision that is not the one on the table (any more)."""
