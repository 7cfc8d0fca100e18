"""Why the server does not do what it was asked: sentences, with the status HTTP has for them."""

from __future__ import annotations

from smashup.engine.errors import SmashUpError


class Passing(Exception):
    """What is nobody's fault and passes by itself. What was to be done may or may not have been."""


class Refused(SmashUpError):
    """What was asked cannot be done; nothing has changed."""

    status = 409


class Unknown(Refused):
    """There is no such table, seat or card."""

    status = 404


class NotYours(Refused):
    """The secret is missing, wrong, or for another seat."""

    status = 403


class Malformed(Refused):
    """What was sent does not have the agreed form."""

    status = 422


class TooMuch(Refused):
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


class Elsewhere(Refused):
    """Another worker has the table, or is about to."""

    status = 503

    def __init__(self, owner: str) -> None:
        super().__init__("This table is moving to another worker; try again in a moment.")
        self.owner = owner
